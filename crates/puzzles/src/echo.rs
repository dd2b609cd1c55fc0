//! Pieces of the input fit for a message.

/// Messages repeat no more of a text than this.
const MOST_ECHO: usize = 40;

/// A piece of the input without control characters, cut short.
pub(crate) fn echo(text: &str) -> String {
    let tame = |c: char| if c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric() { c } else { '\u{fffd}' };
    let mut echo: String = text.chars().take(MOST_ECHO).map(tame).collect();
    if text.chars().nth(MOST_ECHO).is_some() {
        echo.push('…');
    }
    echo
}
