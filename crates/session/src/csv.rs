//! Comma-separated values with the quoting of RFC 4180.

use std::fmt::Display;
use std::io::Write;

/// A row in the making. Its first field is never empty.
pub struct Row<'a> {
    out: &'a mut Vec<u8>,
    /// Where it begins.
    start: usize,
}

impl<'a> Row<'a> {
    /// An empty row at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Row<'a> {
        let start = out.len();
        Row { out, start }
    }

    fn comma(&mut self) {
        if self.out.len() > self.start {
            self.out.push(b',');
        }
    }

    /// A field that needs no quotes: a number, a truth value.
    pub fn figure(&mut self, value: impl Display) {
        self.comma();
        write!(self.out, "{value}").expect("memory takes what is written");
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
        self.comma();
        if !text.contains([',', '"', '\n', '\r']) {
            self.out.extend_from_slice(text.as_bytes());
            return;
        }
        self.out.push(b'"');
        for byte in text.bytes() {
            if byte == b'"' {
                self.out.push(b'"');
            }
            self.out.push(byte);
        }
        self.out.push(b'"');
    }

    /// The same, or an empty field.
    pub fn text_or_nothing(&mut self, text: Option<&str>) {
        self.text(text.unwrap_or(""));
    }

    /// An empty field.
    pub fn nothing(&mut self) {
        self.comma();
    }

    /// Ends the row.
    pub fn end(self) {
        self.out.push(b'\n');
    }
}

/// The fields of a row; `None` where its quotes do not match.
pub fn fields(row: &str) -> Option<Vec<String>> {
    let row = row.strip_suffix('\n').unwrap_or(row);
    let mut fields = vec![String::new()];
    let mut letters = row.chars().peekable();
    let mut quoted = false;
    while let Some(c) = letters.next() {
        let field = fields.last_mut()?;
        match c {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => field.push(c),
        }
    }
    (!quoted).then_some(fields)
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
