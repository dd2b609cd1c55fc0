//! Makes input fit for quoting in an error message.

/// Longest quotation, in characters.
const MAX_QUOTED: usize = 40;

/// The text truncated to [`MAX_QUOTED`] characters, with control and other special characters replaced by
/// U+FFFD.
pub(crate) fn sanitize(text: &str) -> String {
    let printable =
        |c: char| if c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric() { c } else { '\u{fffd}' };
    let mut quoted: String = text.chars().take(MAX_QUOTED).map(printable).collect();
    if text.chars().nth(MAX_QUOTED).is_some() {
        quoted.push('…');
    }
    quoted
}
