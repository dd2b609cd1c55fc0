//! Comma-separated values (RFC 4180), by the crate `csv`.

use std::fmt::Display;

use csv::{ReaderBuilder, StringRecord, Terminator, Writer, WriterBuilder};

/// Writing to memory cannot fail, and rows may have any number of fields.
const INFALLIBLE: &str = "a row fits in memory";

/// A row being written.
pub struct Row<'a> {
    out: Writer<&'a mut Vec<u8>>,
}

impl<'a> Row<'a> {
    /// An empty row at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Row<'a> {
        Row { out: WriterBuilder::new().flexible(true).buffer_capacity(1 << 10).from_writer(out) }
    }

    /// A number or a truth value.
    pub fn figure(&mut self, value: impl Display) {
        self.text(&value.to_string());
    }

    /// The same, or an empty field.
    pub fn figure_or_nothing(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.figure(value),
            None => self.nothing(),
        }
    }

    /// A field of text, quoted where that is needed.
    pub fn text(&mut self, text: &str) {
        self.out.write_field(text).expect(INFALLIBLE);
    }

    /// The same, or an empty field.
    pub fn text_or_nothing(&mut self, text: Option<&str>) {
        self.text(text.unwrap_or(""));
    }

    /// An empty field.
    pub fn nothing(&mut self) {
        self.text("");
    }

    /// Ends the row.
    pub fn end(mut self) {
        self.out.write_record(None::<&[u8]>).expect(INFALLIBLE);
        self.out.flush().expect(INFALLIBLE);
    }
}

/// The fields of one row; `None` where its quotes do not match.
pub fn fields(row: &str) -> Option<Vec<String>> {
    // The reader would end an open quote at the end of the text.
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
    fn rows_are_quoted_where_they_must_be() {
        let mut out = Vec::new();
        let mut row = Row::new(&mut out);
        row.figure(7);
        row.text("plain text");
        row.nothing();
        row.text("a \"word\", and\na line");
        row.figure_or_nothing(Some(0.5));
        row.end();
        assert_eq!(String::from_utf8_lossy(&out), "7,plain text,,\"a \"\"word\"\", and\na line\",0.5\n");
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(texts in prop::collection::vec("[a,\"\n\r é]{0,6}", 0..5)) {
            let mut out = Vec::new();
            let mut row = Row::new(&mut out);
            row.figure(1);
            texts.iter().for_each(|text| row.text(text));
            row.end();
            let row = String::from_utf8(out).expect("text");
            let mut expected = vec!["1".to_owned()];
            expected.extend(texts);
            prop_assert_eq!(fields(&row), Some(expected));
        }
    }
}
