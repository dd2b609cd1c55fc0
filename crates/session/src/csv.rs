//! Comma-separated values (RFC 4180): rows written field by field, and one row parsed.

use std::fmt::Display;

use csv::{ReaderBuilder, StringRecord, Terminator, Writer, WriterBuilder};

/// Writing to memory cannot fail, and flexible rows may have any number of fields.
const INFALLIBLE: &str = "writing a row to memory does not fail";

/// Writes one row, field by field.
pub struct RowWriter<'a> {
    out: Writer<&'a mut Vec<u8>>,
}

impl<'a> RowWriter<'a> {
    /// Starts a row at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> RowWriter<'a> {
        RowWriter { out: WriterBuilder::new().flexible(true).buffer_capacity(1 << 10).from_writer(out) }
    }

    /// Writes a number or a Boolean.
    pub fn value(&mut self, value: impl Display) {
        self.text(&value.to_string());
    }

    /// Writes a number or a Boolean; an empty field for `None`.
    pub fn optional_value(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.value(value),
            None => self.empty(),
        }
    }

    /// Writes a field of text, quoted if necessary.
    pub fn text(&mut self, text: &str) {
        self.out.write_field(text).expect(INFALLIBLE);
    }

    /// Writes a field of text; an empty field for `None`.
    pub fn optional_text(&mut self, text: Option<&str>) {
        self.text(text.unwrap_or(""));
    }

    /// Writes an empty field.
    pub fn empty(&mut self) {
        self.text("");
    }

    /// Ends the row.
    pub fn end(mut self) {
        self.out.write_record(None::<&[u8]>).expect(INFALLIBLE);
        self.out.flush().expect(INFALLIBLE);
    }
}

/// The fields of one row; `None` if its quotes are unbalanced.
pub fn parse_row(row: &str) -> Option<Vec<String>> {
    // The reader would close an open quote at the end of the text.
    if !row.bytes().filter(|&byte| byte == b'"').count().is_multiple_of(2) {
        return None;
    }
    let mut builder = ReaderBuilder::new();
    builder.has_headers(false).flexible(true).buffer_capacity(1 << 10).terminator(Terminator::Any(b'\n'));
    let mut rows = builder.from_reader(row.as_bytes()).into_records();
    let first: StringRecord = rows.next()?.ok()?;
    rows.next().is_none().then(|| first.iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_are_quoted_only_if_necessary() {
        let mut out = Vec::new();
        let mut row = RowWriter::new(&mut out);
        row.value(7);
        row.text("plain text");
        row.empty();
        row.text("a \"word\", and\na line");
        row.optional_value(Some(0.5));
        row.end();
        assert_eq!(String::from_utf8_lossy(&out), "7,plain text,,\"a \"\"word\"\", and\na line\",0.5\n");
    }

    proptest! {
        #[test]
        fn a_written_row_parses_to_the_same_fields(texts in prop::collection::vec("[a,\"\n\r é]{0,6}", 0..5)) {
            let mut out = Vec::new();
            let mut row = RowWriter::new(&mut out);
            row.value(1);
            texts.iter().for_each(|text| row.text(text));
            row.end();
            let row = String::from_utf8(out).expect("text");
            let mut expected = vec!["1".to_owned()];
            expected.extend(texts);
            prop_assert_eq!(parse_row(&row), Some(expected));
        }
    }
}
