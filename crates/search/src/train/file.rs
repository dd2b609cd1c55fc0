//! Weights as a small file that people can read: what they are for, where they come from, and a word `name=value` for each.

use std::fmt::{self, Write};
use std::io::Read;
use std::ops::Range;

use crate::error::{Diagnostic, span_in};

/// The first line, which changes whenever the meaning does.
const HEAD: &str = "untumble weights 1";
/// No file of weights is longer than this; another file is not read to its end.
const MOST_BYTES: u64 = 1 << 20;
/// Words on a line.
const ON_A_LINE: usize = 8;
/// The last line, which a file that was cut off does not have.
const END: &str = "end";
/// No weight is larger: scores of the largest boards are sums of thousands of them and must fit their numbers.
pub const LARGEST: f64 = 5000.0;

/// Weights by name.
#[derive(Clone, PartialEq, Debug)]
pub struct File {
    /// The puzzle they are for.
    pub puzzle: String,
    /// Where they come from, in words.
    pub origin: String,
    /// A value for each feature.
    pub values: Vec<(String, f64)>,
}

impl File {
    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{HEAD}\npuzzle {}\norigin {}\n", self.puzzle, self.origin);
        for line in self.values.chunks(ON_A_LINE) {
            let words: Vec<String> = line.iter().map(|(name, value)| format!("{name}={value:.3}")).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", words.join(" "));
        }
        text + END + "\n"
    }

    /// Reads what [`File::text`] wrote; `name` is what to call it.
    pub fn parse(name: &str, source: &str) -> Result<File, WeightsError> {
        let wrong = |line: usize, found: &str, fault: LineFault| WeightsError::Line {
            file: name.into(),
            line,
            span: span_in(source, found),
            fault,
        };
        let text = source.trim_start_matches('\u{feff}');
        let mut lines = text.lines().map(str::trim).enumerate().map(|(at, line)| (at + 1, line));
        let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        if lines.next().is_none_or(|(_, line)| line != HEAD) {
            return Err(WeightsError::NotWeights { file: name.into() });
        }
        let mut field = |expected: &'static str| match lines.next() {
            Some((_, line)) if line.split(' ').next() == Some(expected) => {
                Ok(line[expected.len()..].trim().to_owned())
            }
            Some((at, line)) => Err(wrong(at, line, LineFault::NotField { expected })),
            None => Err(WeightsError::MissingLine { file: name.into(), expected }),
        };
        let (puzzle, origin) = (field("puzzle")?, field("origin")?);
        let mut values: Vec<(String, f64)> = Vec::new();
        let mut words = lines.flat_map(|(at, line)| line.split_whitespace().map(move |word| (at, word)));
        for (at, word) in words.by_ref().take_while(|(_, word)| *word != END) {
            let found = shortened(word);
            let Some((feature, value)) = word.split_once('=') else {
                return Err(wrong(at, word, LineFault::NotNameValue { found }));
            };
            let Some(value) = value.parse::<f64>().ok().filter(|value| (0.0..=LARGEST).contains(value))
            else {
                return Err(wrong(at, word, LineFault::OutOfRange { found }));
            };
            if values.iter().any(|(known, _)| known == feature) {
                return Err(wrong(at, word, LineFault::Duplicate { found }));
            }
            values.push((feature.to_owned(), value));
        }
        if !text.lines().any(|line| line.trim() == END) {
            return Err(WeightsError::MissingLine { file: name.into(), expected: END });
        }
        if let Some((at, word)) = words.next() {
            return Err(wrong(at, word, LineFault::AfterEnd));
        }
        Ok(File { puzzle, origin, values })
    }

    /// Reads a file from disk.
    pub fn read(path: &str) -> Result<File, WeightsError> {
        let unreadable = |reason: &dyn fmt::Display| WeightsError::Unreadable {
            file: path.into(),
            reason: reason.to_string(),
        };
        let about = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
        if !about.is_file() {
            return Err(unreadable(&"not a file"));
        }
        if about.len() > MOST_BYTES {
            return Err(WeightsError::TooLong { file: path.into() });
        }
        let mut text = Vec::new();
        let file = std::fs::File::open(path).map_err(|error| unreadable(&error))?;
        file.take(MOST_BYTES).read_to_end(&mut text).map_err(|error| unreadable(&error))?;
        File::parse(path, &String::from_utf8_lossy(&text))
    }

    /// The values in the order of `names`, for `puzzle` alone.
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

/// The beginning of a word, fit for a message.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}

/// Why a file gives no weights.
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
    /// It is longer than any file of weights.
    #[error("{file} holds no weights: it is far too long")]
    TooLong {
        /// The file.
        file: String,
    },
    /// Its first line is another one.
    #[error("{file} holds no weights: its first line is not `{HEAD}`")]
    NotWeights {
        /// The file.
        file: String,
    },
    /// It ends before a line that belongs there.
    #[error("{file}: the line `{expected}` is missing; the file is not complete")]
    MissingLine {
        /// The file.
        file: String,
        /// How the line begins.
        expected: &'static str,
    },
    /// A line of it is wrong.
    #[error("{file}:{line}: {fault}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The bytes of the wrong word or line.
        span: Option<Range<usize>>,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// The weights are for another puzzle.
    #[error("{file} holds weights for {found}, not for {expected}")]
    OtherPuzzle {
        /// The file.
        file: String,
        /// The puzzle they are for.
        found: String,
        /// The puzzle that wants weights.
        expected: String,
    },
    /// A weight is for a feature that the puzzle does not have.
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

/// What is wrong with a line of a file of weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// Another line belongs there.
    #[error("expected a line that begins with `{expected}`")]
    NotField {
        /// How that line begins.
        expected: &'static str,
    },
    /// A word is not a name and a value.
    #[error("expected name=value, found `{found}`")]
    NotNameValue {
        /// The word.
        found: String,
    },
    /// A value is not a number in range.
    #[error("`{found}` should be a number from 0 to {LARGEST}")]
    OutOfRange {
        /// The word.
        found: String,
    },
    /// A feature has two weights.
    #[error("`{found}` is there twice")]
    Duplicate {
        /// The second one.
        found: String,
    },
    /// Text follows the last line.
    #[error("nothing follows the line `{END}`")]
    AfterEnd,
}

impl WeightsError {
    /// The error as plain data.
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

    fn some() -> File {
        let values = (0..20).map(|n| (format!("f{n}"), f64::from(n) / 4.0)).collect();
        File { puzzle: "balto-6".into(), origin: "seed 1, 60 s".into(), values }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let file = some();
        assert_eq!(File::parse("x", &file.text()), Ok(file.clone()));
        let names: Vec<String> = (0..20).rev().map(|n| format!("f{n}")).collect();
        assert_eq!(file.weights("x", "balto-6", &names).map(|weights| weights[0]), Ok(19.0 / 4.0));
    }

    #[test]
    fn foreign_and_broken_files_are_named() {
        let text = some().text();
        for (text, part) in [
            (String::new(), "x holds no weights"),
            (text.replace("weights 1", "weights 2"), "x holds no weights"),
            (text.replace("puzzle", "riddle"), "x:2: expected a line that begins with `puzzle`"),
            (text.replace("f3=0.750", "f3"), "x:4: expected name=value, found `f3`"),
            (text.replace("f3=0.750", "f3=lots"), "should be a number"),
            (text.replace("f3=0.750", "f3=inf"), "should be a number"),
            (text.replace("f3=0.750", "f3=5001"), "from 0 to 5000"),
            (text.replace("f3=0.750", "f3=-1"), "from 0 to 5000"),
            (text.replace("f3=0.750", "f2=0.750"), "`f2=0.750` is there twice"),
            (text.replace("\nend", ""), "x: the line `end` is missing"),
            (text.clone() + "f20=1.000", "nothing follows the line `end`"),
        ] {
            let error = File::parse("x", &text).expect_err(&text);
            assert!(error.to_string().contains(part), "{error}");
        }
        let names: Vec<String> = (0..21).map(|n| format!("f{n}")).collect();
        for (puzzle, names, part) in [
            ("balto-7", &names[..], "x holds weights for balto-6, not for balto-7"),
            ("balto-6", &names[..], "the weight `f20` is missing"),
            ("balto-6", &names[..19], "balto-6 has no feature `f19`"),
        ] {
            let error = some().weights("x", puzzle, names).expect_err(part);
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn spans_cover_the_wrong_word() {
        let text = format!("\u{feff}{}", some().text());
        for (from, to, found) in [
            ("puzzle", "riddle", "riddle balto-6"),
            ("f3=0.750", "f3", "f3"),
            ("f3=0.750", "f3=lots", "f3=lots"),
            ("f12=3.000", "f2=3.000", "f2=3.000"),
            ("\nend\n", "\nend\nmore\n", "more"),
        ] {
            let text = text.replace(from, to);
            let diagnostic = File::parse("x", &text).expect_err(to).diagnostic();
            assert_eq!(diagnostic.span.map(|span| &text[span]), Some(found), "{to}");
        }
    }
}
