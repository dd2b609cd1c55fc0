//! Decoding of UTF-8 and UTF-16 text with a byte order mark, as Windows programs write it.

/// Converts text that arrives in chunks to UTF-8. Text without a byte order mark is passed through.
#[derive(Default)]
pub(crate) struct Decoder {
    encoding: Option<Encoding>,
    /// Bytes of an incomplete character or of a possible byte order mark, kept for the next chunk.
    pending: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Utf8,
    Utf16LittleEndian,
    Utf16BigEndian,
}

const BYTE_ORDER_MARKS: [(&[u8], Encoding); 3] = [
    (&[0xEF, 0xBB, 0xBF], Encoding::Utf8),
    (&[0xFF, 0xFE], Encoding::Utf16LittleEndian),
    (&[0xFE, 0xFF], Encoding::Utf16BigEndian),
];

impl Decoder {
    /// Converts the next chunk to UTF-8; `last` means that no chunk follows.
    pub(crate) fn decode(&mut self, chunk: Vec<u8>, last: bool) -> Vec<u8> {
        let mut bytes = chunk;
        if !self.pending.is_empty() {
            bytes.splice(0..0, self.pending.drain(..));
        }
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => match BYTE_ORDER_MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
                Some(&(mark, encoding)) => {
                    bytes.drain(..mark.len());
                    encoding
                }
                None if !last && BYTE_ORDER_MARKS.iter().any(|(mark, _)| mark.starts_with(&bytes)) => {
                    self.pending = bytes;
                    return Vec::new();
                }
                None => Encoding::Utf8,
            },
        };
        self.encoding = Some(encoding);
        match encoding {
            Encoding::Utf8 => bytes,
            Encoding::Utf16LittleEndian => self.decode_utf16(&bytes, u16::from_le_bytes, last),
            Encoding::Utf16BigEndian => self.decode_utf16(&bytes, u16::from_be_bytes, last),
        }
    }

    fn decode_utf16(&mut self, bytes: &[u8], from_bytes: fn([u8; 2]) -> u16, last: bool) -> Vec<u8> {
        let (pairs, odd) = bytes.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|&pair| from_bytes(pair)).collect();
        if !last {
            // A high surrogate at the end waits for its low surrogate.
            let unpaired = units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
            let whole = pairs.len() - usize::from(unpaired);
            units.truncate(whole);
            self.pending = [pairs[whole..].as_flattened(), odd].concat();
        }
        String::from_utf16_lossy(&units).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_any_length_decode_to_the_same_text() {
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
                for chunk in bytes.chunks(length) {
                    decoded.append(&mut decoder.decode(chunk.to_vec(), false));
                }
                decoded.append(&mut decoder.decode(Vec::new(), true));
                assert_eq!(String::from_utf8_lossy(&decoded), text, "chunks of {length} bytes");
            }
        }
    }

    #[test]
    fn text_without_a_mark_is_passed_on_at_once() {
        assert_eq!(Decoder::default().decode(b"U\n".to_vec(), false), b"U\n");
    }
}
