//! Growth tables of CayleyPy: CSV lines `key,"[1, 3, …]"` with the number of positions at each depth.

use super::error::{DefinitionError, Fault, Place};
use super::limits::MAX_TEXT_BYTES;

/// The positions at each depth of one puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The key of the line, such as the size of the puzzle.
    pub key: String,
    /// The number of positions at depth 0, 1 and so on.
    pub layers: Vec<u64>,
}

/// Reads a growth table.
///
/// # Errors
/// The first mistake with its line.
pub fn read_growth(text: &str) -> Result<Vec<Growth>, DefinitionError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(Fault::TooLong { bytes: text.len() }.into());
    }
    let mut rows = Vec::new();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(&error))?;
        let line = record.position().map(|position| position.line() as usize);
        let at = |fault, path: String| DefinitionError { fault, place: Some(Place::Value { line, path }) };
        if record.len() != 2 {
            let fault = Fault::Length { what: "fields", expected: 2, found: record.len() };
            return Err(at(fault, String::new()));
        }
        let list = record[1].trim();
        let Some(items) = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')) else {
            return Err(at(Fault::unexpected("a list such as `[1, 3]`", list), String::new()));
        };
        let number = |(depth, item): (usize, &str)| {
            let item = item.trim();
            let number = item.parse().ok().filter(|_| item.bytes().all(|byte| byte.is_ascii_digit()));
            number.ok_or_else(|| at(Fault::unexpected("a number of positions", item), format!("[{depth}]")))
        };
        let layers = match items.trim() {
            "" => Vec::new(),
            items => items.split(',').enumerate().map(number).collect::<Result<_, _>>()?,
        };
        rows.push(Growth { key: record[0].to_owned(), layers });
    }
    Ok(rows)
}

/// The error of the CSV reader with its line.
pub(crate) fn csv_error(error: &csv::Error) -> DefinitionError {
    let line = error.position().map(|position| position.line() as usize);
    let reason = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("expected {expected_len} fields, found {len}")
        }
        _ => "the line cannot be read".into(),
    };
    DefinitionError { fault: Fault::Csv { reason }, place: Some(Place::Value { line, path: String::new() }) }
}

/// Writes a growth table that [`read_growth`] reads.
pub fn write_growth(rows: &[Growth]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let layers: Vec<String> = row.layers.iter().map(u64::to_string).collect();
        let list = format!("[{}]", layers.join(", "));
        writer.write_record([&row.key, &list]).expect("writing to memory succeeds");
    }
    let bytes = writer.into_inner().expect("writing to memory succeeds");
    String::from_utf8(bytes).expect("texts remain UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_form_is_that_of_cayleypy() {
        let rows = [("4", vec![1, 3, 6, 7]), ("5", vec![]), ("6", vec![1])];
        let rows = rows.map(|(key, layers)| Growth { key: key.into(), layers });
        let text = write_growth(&rows);
        assert_eq!(text, "4,\"[1, 3, 6, 7]\"\n5,[]\n6,[1]\n");
        assert_eq!(read_growth(&text).as_deref(), Ok(&rows[..]));
        for (text, expected) in [
            ("4,\"[1, x]\"\n", "line 1, [1]: expected a number of positions, found `x`"),
            ("4,\"[1]\"\n5,1\n", "line 2: expected a list such as `[1, 3]`, found `1`"),
            ("4\n", "line 1: expected 2 fields, found 1"),
        ] {
            assert_eq!(read_growth(text).expect_err(text).to_string(), expected);
        }
    }

    proptest! {
        #[test]
        fn tables_read_back(rows in proptest::collection::vec(("\\PC+", any::<Vec<u64>>()), 0..5)) {
            let rows: Vec<Growth> = rows.into_iter().map(|(key, layers)| Growth { key, layers }).collect();
            prop_assert_eq!(read_growth(&write_growth(&rows)), Ok(rows));
        }
    }
}
