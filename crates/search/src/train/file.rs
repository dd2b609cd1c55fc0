//! Weights as a small file that people can read: what they are for, where they come from, and a word `name=value` for each.

use std::fmt::Write;
use std::io::Read;

use crate::error::{Error, Invalid};

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
    pub fn parse(name: &str, text: &str) -> Result<File, Invalid> {
        let wrong = |line: usize, why: String| Invalid(format!("{name}:{line}: {why}"));
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().map(str::trim).enumerate().map(|(at, line)| (at + 1, line));
        let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        if lines.next().is_none_or(|(_, line)| line != HEAD) {
            return Err(Invalid(format!(
                "{name} holds no weights: its first line is not `{HEAD}`; `untumble train` writes such files"
            )));
        }
        let mut said = |what: &str| match lines.next() {
            Some((_, line)) if line.split(' ').next() == Some(what) => {
                Ok(line[what.len()..].trim().to_owned())
            }
            Some((at, _)) => Err(wrong(at, format!("expected a line that begins with `{what}`"))),
            None => Err(Invalid(format!("{name}: the line that begins with `{what}` is missing"))),
        };
        let (puzzle, origin) = (said("puzzle")?, said("origin")?);
        let mut values: Vec<(String, f64)> = Vec::new();
        let mut words = lines.flat_map(|(at, line)| line.split_whitespace().map(move |word| (at, word)));
        for (at, word) in words.by_ref().take_while(|(_, word)| *word != END) {
            let shown: String = word.chars().take(40).collect();
            let Some((feature, value)) = word.split_once('=') else {
                return Err(wrong(at, format!("expected name=value, found `{shown}`")));
            };
            let Some(value) = value.parse::<f64>().ok().filter(|value| (0.0..=LARGEST).contains(value))
            else {
                return Err(wrong(at, format!("`{shown}` should be a number from 0 to {LARGEST}")));
            };
            if values.iter().any(|(known, _)| known == feature) {
                return Err(wrong(at, format!("`{shown}` is there twice")));
            }
            values.push((feature.to_owned(), value));
        }
        if !text.lines().any(|line| line.trim() == END) {
            return Err(Invalid(format!("{name}: the line `{END}` is missing; the file is not complete")));
        }
        if let Some((at, _)) = words.next() {
            return Err(wrong(at, format!("nothing follows the line `{END}`")));
        }
        Ok(File { puzzle, origin, values })
    }

    /// Reads a file from disk. One that cannot be read is wrong usage, one that makes no sense is invalid.
    pub fn read(path: &str) -> Result<File, Error> {
        let wrong = |why: &dyn std::fmt::Display| Error::Usage(format!("{path}: {why}"));
        let about = std::fs::metadata(path).map_err(|error| wrong(&error))?;
        if !about.is_file() {
            return Err(wrong(&"not a file"));
        }
        if about.len() > MOST_BYTES {
            let why =
                format!("{path} holds no weights: it is far too long; `untumble train` writes such files");
            return Err(Invalid(why).into());
        }
        let mut text = Vec::new();
        let file = std::fs::File::open(path).map_err(|error| wrong(&error))?;
        file.take(MOST_BYTES).read_to_end(&mut text).map_err(|error| wrong(&error))?;
        Ok(File::parse(path, &String::from_utf8_lossy(&text))?)
    }

    /// The values in the order of `names`, for `puzzle` alone.
    pub fn weights(&self, file: &str, puzzle: &str, names: &[String]) -> Result<Vec<f64>, Invalid> {
        if self.puzzle != puzzle {
            let shown: String = self.puzzle.chars().take(40).collect();
            return Err(Invalid(format!(
                "{file} holds weights for {shown}, not for {puzzle}; `untumble train {puzzle} --out FILE` makes some"
            )));
        }
        if let Some((unknown, _)) = self.values.iter().find(|(name, _)| !names.contains(name)) {
            return Err(Invalid(format!("{file}: {puzzle} has no feature `{unknown}`")));
        }
        let value = |name: &String| {
            let found = self.values.iter().find(|(known, _)| known == name);
            found
                .map(|(_, value)| *value)
                .ok_or_else(|| Invalid(format!("{file}: the weight `{name}` is missing")))
        };
        names.iter().map(value).collect()
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
            let why = File::parse("x", &text).expect_err(&text).0;
            assert!(why.contains(part), "{why}");
        }
        let names: Vec<String> = (0..21).map(|n| format!("f{n}")).collect();
        for (puzzle, names, part) in [
            ("balto-7", &names[..], "x holds weights for balto-6, not for balto-7"),
            ("balto-6", &names[..], "the weight `f20` is missing"),
            ("balto-6", &names[..19], "balto-6 has no feature `f19`"),
        ] {
            let why = some().weights("x", puzzle, names).expect_err(part).0;
            assert!(why.contains(part), "{why}");
        }
    }
}
