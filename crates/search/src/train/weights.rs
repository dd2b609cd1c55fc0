//! The text format of weights files: the puzzle, the origin, and a word `name=value` for each feature of the
//! learned heuristic.
//!
//! ```
//! use untumble_search::train::weights::WeightsFile;
//!
//! let text = "untumble weights 1
//! puzzle tiles-4x4
//! origin seed 1, 60 s
//! manhattan=1.000 conflict=2.000
//! end
//! ";
//! let file = WeightsFile::parse("tiles.weights", text).unwrap();
//! let names = ["conflict".to_string(), "manhattan".to_string()];
//! assert_eq!(file.weights("tiles.weights", "tiles-4x4", &names), Ok(vec![2.0, 1.0]));
//! assert_eq!(file.text(), text);
//! ```

use std::fmt::{self, Write};
use std::io::Read;
use std::ops::Range;

use crate::control::{Control, Event};
use crate::error::{Diagnostic, span_in};

/// The first line, with the version of the format.
const HEADER: &str = "untumble weights 1";
/// The largest size of a weights file; a larger file is not read to its end.
const MAX_BYTES: u64 = 1 << 20;
/// The number of weights per line.
const WEIGHTS_PER_LINE: usize = 8;
/// The last line, which detects truncation.
const END: &str = "end";
/// The largest weight. Scores of the largest boards are sums of thousands of weighted features and must fit
/// 32 bits.
pub const MAX_WEIGHT: f64 = 5000.0;

/// The contents of a weights file.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightsFile {
    /// The puzzle that the weights belong to.
    pub puzzle: String,
    /// How the weights were obtained, such as the seed and the duration of training; free text.
    pub origin: String,
    /// The weight of each feature, by name.
    pub values: Vec<(String, f64)>,
}

impl WeightsFile {
    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{HEADER}\npuzzle {}\norigin {}\n", self.puzzle, self.origin);
        for line in self.values.chunks(WEIGHTS_PER_LINE) {
            let words: Vec<String> = line.iter().map(|(name, value)| format!("{name}={value:.3}")).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", words.join(" "));
        }
        text + END + "\n"
    }

    /// Parses a file; `name` is its name in error messages.
    pub fn parse(name: &str, source: &str) -> Result<WeightsFile, WeightsError> {
        let line_error = |line: usize, found: &str, fault: LineFault| WeightsError::Line {
            file: name.into(),
            line,
            span: span_in(source, found),
            fault,
        };
        let text = source.trim_start_matches('\u{feff}');
        let mut lines = text.lines().map(str::trim).enumerate().map(|(index, line)| (index + 1, line));
        let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(WeightsError::NotWeights { file: name.into() });
        }
        let mut read_field = |expected: &'static str| match lines.next() {
            Some((_, line)) if line.split(' ').next() == Some(expected) => {
                Ok(line[expected.len()..].trim().to_owned())
            }
            Some((number, line)) => Err(line_error(number, line, LineFault::NotField { expected })),
            None => Err(WeightsError::MissingLine { file: name.into(), expected }),
        };
        let (puzzle, origin) = (read_field("puzzle")?, read_field("origin")?);
        let mut values: Vec<(String, f64)> = Vec::new();
        let mut words =
            lines.flat_map(|(number, line)| line.split_whitespace().map(move |word| (number, word)));
        for (line, word) in words.by_ref().take_while(|(_, word)| *word != END) {
            let found = shortened(word);
            // A name that begins like a comment would be lost when the file is written again.
            let Some((feature, value)) = word.split_once('=').filter(|_| !word.starts_with('#')) else {
                return Err(line_error(line, word, LineFault::NotNameValue { found }));
            };
            let Some(value) = value.parse::<f64>().ok().filter(|value| (0.0..=MAX_WEIGHT).contains(value))
            else {
                return Err(line_error(line, word, LineFault::OutOfRange { found }));
            };
            if values.iter().any(|(known, _)| known == feature) {
                return Err(line_error(line, word, LineFault::Duplicate { found }));
            }
            values.push((feature.to_owned(), value));
        }
        // The loop consumed the last line, or reached the end of a truncated file.
        if !text.lines().any(|line| line.trim() == END) {
            return Err(WeightsError::MissingLine { file: name.into(), expected: END });
        }
        if let Some((line, word)) = words.next() {
            return Err(line_error(line, word, LineFault::AfterEnd));
        }
        Ok(WeightsFile { puzzle, origin, values })
    }

    /// Reads a file from disk.
    pub fn read(path: &str) -> Result<WeightsFile, WeightsError> {
        let unreadable = |reason: &dyn fmt::Display| WeightsError::Unreadable {
            file: path.into(),
            reason: reason.to_string(),
        };
        let metadata = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
        if !metadata.is_file() {
            return Err(unreadable(&"not a file"));
        }
        if metadata.len() > MAX_BYTES {
            return Err(WeightsError::TooLong { file: path.into() });
        }
        let mut text = Vec::new();
        let file = std::fs::File::open(path).map_err(|error| unreadable(&error))?;
        file.take(MAX_BYTES).read_to_end(&mut text).map_err(|error| unreadable(&error))?;
        WeightsFile::parse(path, &String::from_utf8_lossy(&text))
    }

    /// Emits a warning if the file belongs to another size of the puzzle, so that its weights are adapted.
    pub fn warn_if_adapted(&self, file: &str, puzzle: &str, control: &Control) {
        if self.puzzle != puzzle {
            let trained = shortened(&self.puzzle);
            let message = format!("{file} was trained for {trained}; its weights are adapted to {puzzle}");
            control.emit(&Event::Warning(message));
        }
    }

    /// The weights in the order of `names`. Fails if the file is for another puzzle than `puzzle`, or if its
    /// features are not exactly `names`; `file` is the name of the file in errors.
    pub fn weights(&self, file: &str, puzzle: &str, names: &[String]) -> Result<Vec<f64>, WeightsError> {
        let (file, puzzle) = (file.to_owned(), puzzle.to_owned());
        if self.puzzle != puzzle {
            return Err(WeightsError::OtherPuzzle { file, found: shortened(&self.puzzle), expected: puzzle });
        }
        if let Some((feature, _)) = self.values.iter().find(|(name, _)| !names.contains(name)) {
            return Err(WeightsError::UnknownFeature { file, puzzle, feature: feature.clone() });
        }
        let value = |name: &String| {
            let found = self.values.iter().find(|(known, _)| known == name);
            let missing = || WeightsError::MissingWeight { file: file.clone(), name: name.clone() };
            found.map(|(_, value)| *value).ok_or_else(missing)
        };
        names.iter().map(value).collect()
    }
}

/// The first 40 characters of a word, for a message.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}

/// The reason why a weights file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// The file cannot be read.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// The system's message.
        reason: String,
    },
    /// The file is too long for a weights file.
    #[error("{file} is not a weights file: it is too long")]
    TooLong {
        /// The file.
        file: String,
    },
    /// The first line is not that of a weights file.
    #[error("{file} is not a weights file: its first line is not `{HEADER}`")]
    NotWeights {
        /// The file.
        file: String,
    },
    /// A required line is missing.
    #[error("{file}: the line `{expected}` is missing; the file is incomplete")]
    MissingLine {
        /// The file.
        file: String,
        /// The start of the line.
        expected: &'static str,
    },
    /// A line is invalid.
    #[error("{file}:{line}: {fault}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The byte range of the invalid word or line.
        span: Option<Range<usize>>,
        /// The fault.
        fault: LineFault,
    },
    /// The weights belong to another puzzle.
    #[error("{file} has weights for {found}, not for {expected}")]
    OtherPuzzle {
        /// The file.
        file: String,
        /// The puzzle of the file.
        found: String,
        /// The puzzle to be solved.
        expected: String,
    },
    /// The puzzle has no feature of this name.
    #[error("{file}: {puzzle} has no feature `{feature}`")]
    UnknownFeature {
        /// The file.
        file: String,
        /// The puzzle.
        puzzle: String,
        /// The feature.
        feature: String,
    },
    /// A feature has no weight.
    #[error("{file}: the weight `{name}` is missing")]
    MissingWeight {
        /// The file.
        file: String,
        /// The feature.
        name: String,
    },
}

/// A fault in a line of a weights file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// The line should have another field.
    #[error("expected a line that starts with `{expected}`")]
    NotField {
        /// The start of the expected line.
        expected: &'static str,
    },
    /// A word is not a name and a value.
    #[error("expected name=value, found `{found}`")]
    NotNameValue {
        /// The word.
        found: String,
    },
    /// A value is not a number in range.
    #[error("`{found}` must be a number from 0 to {MAX_WEIGHT}")]
    OutOfRange {
        /// The word.
        found: String,
    },
    /// A feature has two weights.
    #[error("`{found}` is a duplicate")]
    Duplicate {
        /// The second word.
        found: String,
    },
    /// Text follows the last line.
    #[error("unexpected text after the line `{END}`")]
    AfterEnd,
}

impl WeightsError {
    /// The error as a diagnostic with a stable code.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, span) = match self {
            WeightsError::Unreadable { .. } => ("unreadable-file", None),
            WeightsError::TooLong { .. } | WeightsError::NotWeights { .. } => ("not-weights", None),
            WeightsError::MissingLine { .. } => ("incomplete-weights", None),
            WeightsError::Line { span, .. } => ("wrong-weights", span.clone()),
            WeightsError::OtherPuzzle { .. } => ("weights-of-another-puzzle", None),
            WeightsError::UnknownFeature { .. } => ("unknown-feature", None),
            WeightsError::MissingWeight { .. } => ("missing-weight", None),
        };
        let diagnostic = Diagnostic::new(code, self.to_string()).at(span);
        match self {
            WeightsError::OtherPuzzle { expected, .. } => diagnostic.expecting(expected.clone()),
            _ => diagnostic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> WeightsFile {
        let values = (0..20).map(|n| (format!("f{n}"), f64::from(n) / 4.0)).collect();
        WeightsFile { puzzle: "balto-6".into(), origin: "seed 1, 60 s".into(), values }
    }

    #[test]
    fn a_weights_file_survives_the_round_trip() {
        let file = example();
        assert_eq!(WeightsFile::parse("x", &file.text()), Ok(file.clone()));
        let names: Vec<String> = (0..20).rev().map(|n| format!("f{n}")).collect();
        assert_eq!(file.weights("x", "balto-6", &names).map(|weights| weights[0]), Ok(19.0 / 4.0));
    }

    #[test]
    fn errors_describe_the_fault() {
        let text = example().text();
        for (text, part) in [
            (String::new(), "x is not a weights file"),
            (text.replace("weights 1", "weights 2"), "x is not a weights file"),
            (text.replace("puzzle", "riddle"), "x:2: expected a line that starts with `puzzle`"),
            (text.replace("f3=0.750", "f3"), "x:4: expected name=value, found `f3`"),
            (text.replace("f3=0.750", "f3=lots"), "must be a number"),
            (text.replace("f3=0.750", "f3=inf"), "must be a number"),
            (text.replace("f3=0.750", "f3=5001"), "from 0 to 5000"),
            (text.replace("f3=0.750", "f3=-1"), "from 0 to 5000"),
            (text.replace("f3=0.750", "f2=0.750"), "`f2=0.750` is a duplicate"),
            (text.replace("\nend", ""), "x: the line `end` is missing"),
            (text.clone() + "f20=1.000", "unexpected text after the line `end`"),
        ] {
            let error = WeightsFile::parse("x", &text).expect_err(&text);
            assert!(error.to_string().contains(part), "{error}");
        }
        let names: Vec<String> = (0..21).map(|n| format!("f{n}")).collect();
        for (puzzle, names, part) in [
            ("balto-7", &names[..], "x has weights for balto-6, not for balto-7"),
            ("balto-6", &names[..], "the weight `f20` is missing"),
            ("balto-6", &names[..19], "balto-6 has no feature `f19`"),
        ] {
            let error = example().weights("x", puzzle, names).expect_err(part);
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn spans_cover_the_invalid_word() {
        let text = format!("\u{feff}{}", example().text());
        for (from, to, found) in [
            ("puzzle", "riddle", "riddle balto-6"),
            ("f3=0.750", "f3", "f3"),
            ("f3=0.750", "f3=lots", "f3=lots"),
            ("f12=3.000", "f2=3.000", "f2=3.000"),
            ("\nend\n", "\nend\nmore\n", "more"),
        ] {
            let text = text.replace(from, to);
            let diagnostic = WeightsFile::parse("x", &text).expect_err(to).diagnostic();
            assert_eq!(diagnostic.span.map(|span| &text[span]), Some(found), "{to}");
        }
    }
}
