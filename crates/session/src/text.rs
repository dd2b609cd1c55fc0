//! Untrusted text made safe for messages.

/// The message with control characters escaped, cut to 400 characters. Newlines stay.
pub fn sanitize(message: &str) -> String {
    const MAX_CHARS: usize = 400;
    let mut sanitized = String::new();
    for (index, c) in message.chars().enumerate() {
        if index == MAX_CHARS {
            sanitized.push('…');
            break;
        }
        match c {
            '\n' => sanitized.push(c),
            c if c.is_control() => sanitized.extend(c.escape_default()),
            c => sanitized.push(c),
        }
    }
    sanitized
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_long_messages_are_cut() {
        assert_eq!(sanitize("item 1: `\u{1b}[2J`"), "item 1: `\\u{1b}[2J`");
        assert_eq!(sanitize(&"x".repeat(1_000_000)).chars().count(), 401);
    }
}
