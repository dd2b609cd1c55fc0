//! The CRC-32 at the end of every line of a file that a later run continues: the answers of a batch and the
//! rows of an experiment. It detects any change of a line, also of fields that cannot be recomputed, such as
//! node counts and times.
//!
//! A line of JSON ends with the key `checksum`, a row of CSV with the column `checksum`. The checksum covers
//! all bytes of the line before it.

/// The format of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineFormat {
    /// A JSON object and a newline.
    Ndjson,
    /// A row of comma-separated values and a newline.
    Csv,
}

/// The name of the key and of the column.
pub const NAME: &str = "checksum";

/// The bytes before the hexadecimal digits.
fn before(format: LineFormat) -> &'static [u8] {
    match format {
        LineFormat::Ndjson => b",\"checksum\":\"",
        LineFormat::Csv => b",",
    }
}

/// The bytes after the hexadecimal digits.
fn after(format: LineFormat) -> &'static [u8] {
    match format {
        LineFormat::Ndjson => b"\"}\n",
        LineFormat::Csv => b"\n",
    }
}

/// The bytes that end a line without a checksum.
fn line_end(format: LineFormat) -> &'static [u8] {
    match format {
        LineFormat::Ndjson => b"}\n",
        LineFormat::Csv => b"\n",
    }
}

/// Adds the checksum to the line that begins at `start` and ends `out`.
pub fn append(format: LineFormat, start: usize, out: &mut Vec<u8>) {
    out.truncate(out.len() - line_end(format).len());
    let checksum = crc32fast::hash(&out[start..]);
    out.extend_from_slice(before(format));
    out.extend_from_slice(format!("{checksum:08x}").as_bytes());
    out.extend_from_slice(after(format));
}

/// Whether a line ends with the checksum of its bytes; `None` if it has no checksum.
pub fn is_correct(format: LineFormat, line: &[u8]) -> Option<bool> {
    let (covered, digits) = split(format, line)?;
    Some(digits == format!("{:08x}", crc32fast::hash(covered)).as_bytes())
}

/// The line as it was before [`append`]; `None` if it has no checksum.
pub fn without(format: LineFormat, line: &[u8]) -> Option<Vec<u8>> {
    split(format, line).map(|(covered, _)| [covered, line_end(format)].concat())
}

/// The bytes that the checksum covers, and its digits.
fn split(format: LineFormat, line: &[u8]) -> Option<(&[u8], &[u8])> {
    const DIGITS: usize = 8;
    let line = line.strip_suffix(after(format))?;
    let (rest, digits) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
    digits.iter().all(u8::is_ascii_hexdigit).then_some((rest.strip_suffix(before(format))?, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_is_detected() {
        for (format, line, end) in [
            (LineFormat::Ndjson, "{\"line\":1}\n", "\"}\n"),
            (LineFormat::Csv, "1,\"a, b\",\n", "\n"),
            (LineFormat::Csv, "\n", "\n"),
        ] {
            let mut out = b"earlier\n".to_vec();
            out.extend_from_slice(line.as_bytes());
            append(format, 8, &mut out);
            let (earlier, written) = out.split_at(8);
            assert_eq!(earlier, b"earlier\n");
            assert!(written.ends_with(end.as_bytes()), "{}", String::from_utf8_lossy(written));
            assert_eq!(is_correct(format, written), Some(true));
            assert_eq!(without(format, written).as_deref(), Some(line.as_bytes()));
            for at in 0..written.len() {
                for bit in 0..8 {
                    let mut damaged = written.to_vec();
                    damaged[at] ^= 1 << bit;
                    assert_ne!(is_correct(format, &damaged), Some(true), "byte {at}, bit {bit}");
                }
            }
        }
        assert_eq!(is_correct(LineFormat::Csv, b"1,2\n"), None);
        assert_eq!(is_correct(LineFormat::Ndjson, b"{}\n"), None);
    }
}
