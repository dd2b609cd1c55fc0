//! Text as Windows writes it: with a byte order mark, or in UTF-16 altogether.

/// Converts text that comes in pieces into UTF-8; what bears no mark is left as it is.
#[derive(Default)]
pub(crate) struct Decoder {
    kind: Option<Kind>,
    /// Bytes that are no whole character yet, or that may be the beginning of a mark.
    rest: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Plain,
    /// UTF-16, the low byte first.
    Little,
    /// UTF-16, the high byte first.
    Big,
}

const MARKS: [(&[u8], Kind); 3] =
    [(&[0xEF, 0xBB, 0xBF], Kind::Plain), (&[0xFF, 0xFE], Kind::Little), (&[0xFE, 0xFF], Kind::Big)];

impl Decoder {
    /// The next piece in UTF-8; `last` says that no more follow.
    pub(crate) fn decode(&mut self, piece: Vec<u8>, last: bool) -> Vec<u8> {
        let mut bytes = piece;
        if !self.rest.is_empty() {
            bytes.splice(0..0, self.rest.drain(..));
        }
        let kind = match self.kind {
            Some(kind) => kind,
            None => match MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
                Some(&(mark, kind)) => {
                    bytes.drain(..mark.len());
                    kind
                }
                None if !last && MARKS.iter().any(|(mark, _)| mark.starts_with(&bytes)) => {
                    self.rest = bytes;
                    return Vec::new();
                }
                None => Kind::Plain,
            },
        };
        self.kind = Some(kind);
        match kind {
            Kind::Plain => bytes,
            Kind::Little => self.narrowed(&bytes, u16::from_le_bytes, last),
            Kind::Big => self.narrowed(&bytes, u16::from_be_bytes, last),
        }
    }

    fn narrowed(&mut self, bytes: &[u8], unit: fn([u8; 2]) -> u16, last: bool) -> Vec<u8> {
        let (pairs, odd) = bytes.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
        if !last {
            // The first half of a character waits for the second.
            let half = units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
            let whole = pairs.len() - usize::from(half);
            units.truncate(whole);
            self.rest = [pairs[whole..].as_flattened(), odd].concat();
        }
        String::from_utf16_lossy(&units).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_any_length_make_the_same_text() {
        let text = "1 2 3 # \u{1F9E9} früh\n4 5 6\n";
        let wide = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(unit).collect()
        };
        for bytes in [
            text.as_bytes().to_vec(),
            format!("\u{FEFF}{text}").into_bytes(),
            wide(u16::to_le_bytes),
            wide(u16::to_be_bytes),
        ] {
            for length in 1..=bytes.len() {
                let mut decoder = Decoder::default();
                let mut decoded = Vec::new();
                for piece in bytes.chunks(length) {
                    decoded.append(&mut decoder.decode(piece.to_vec(), false));
                }
                decoded.append(&mut decoder.decode(Vec::new(), true));
                assert_eq!(String::from_utf8_lossy(&decoded), text, "in pieces of {length}");
            }
        }
    }

    #[test]
    fn what_is_no_mark_does_not_wait() {
        assert_eq!(Decoder::default().decode(b"U\n".to_vec(), false), b"U\n");
    }
}
