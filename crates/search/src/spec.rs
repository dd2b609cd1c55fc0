//! The text that names a solver: `algorithm[:option=value,…][+heuristic]`.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// A solver by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// What searches.
    pub algorithm: String,
    /// Its options, in the order given.
    pub options: Vec<(String, String)>,
    /// What bounds.
    pub heuristic: Option<HeuristicExpr>,
}

/// A heuristic by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HeuristicExpr {
    /// One of the puzzle's own, with an argument where it takes one.
    Named {
        /// `manhattan`, `pdb` …
        name: String,
        /// `7-8`, a file …
        argument: Option<String>,
    },
    /// The largest of several.
    Max(Vec<HeuristicExpr>),
}

/// The values that an option takes: what a form offers, what is accepted, and what is said of all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number.
    Integer {
        /// No smaller one.
        least: u64,
        /// No larger one.
        most: u64,
    },
    /// A decimal number.
    Number {
        /// No smaller one.
        least: u64,
        /// No larger one.
        most: u64,
        /// Digits behind the point.
        decimals: u8,
    },
}

impl Values {
    /// Yes or no.
    pub const SWITCH: Values = Values::Choice(&["on", "off"]);
    /// Numbers up to this are whole in every reader of JSON.
    pub const LARGEST: u64 = (1 << 53) - 1;

    /// Whether this is one of them.
    pub fn take(self, value: &str) -> bool {
        match self {
            Values::Choice(words) => words.contains(&value),
            Values::Integer { least, most } => {
                value.parse().is_ok_and(|number: u64| (least..=most).contains(&number))
            }
            Values::Number { least, most, decimals } => {
                let (whole, behind) = value.split_once('.').unwrap_or((value, "0"));
                let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
                digits(whole)
                    && digits(behind)
                    && behind.len() <= usize::from(decimals)
                    && value.parse().is_ok_and(|number: f64| (least as f64..=most as f64).contains(&number))
            }
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Choice([most @ .., last]) if !most.is_empty() => {
                write!(f, "{} or {last}", most.join(", "))
            }
            Values::Choice(words) => f.write_str(&words.concat()),
            Values::Integer { least: 0, most: Values::LARGEST } => f.write_str("a whole number below 2^53"),
            Values::Integer { least, most } => write!(f, "a whole number from {least} to {most}"),
            Values::Number { least, most, decimals } => {
                write!(f, "a number from {least} to {most} with at most {decimals} decimals")
            }
        }
    }
}

impl Spec {
    /// An algorithm without options.
    pub fn plain(algorithm: &str, heuristic: Option<HeuristicExpr>) -> Spec {
        Spec { algorithm: algorithm.to_owned(), options: Vec::new(), heuristic }
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Refuses a value that an option does not take.
    pub fn validate(&self, name: &str, values: Values) -> Result<(), Error> {
        match self.option(name) {
            Some(value) if !values.take(value) => {
                Err(Error::Usage(format!("{}: {name}={value} should be {values}", self.algorithm)))
            }
            _ => Ok(()),
        }
    }

    /// The value of an option as a number, or `default` where it is not given. Values were vetted before.
    pub fn number<T: FromStr>(&self, name: &str, default: T) -> T {
        self.option(name).and_then(|value| value.parse().ok()).unwrap_or(default)
    }

    /// The value of an `on`/`off` option, or `default` where it is not given. Values were vetted before.
    pub fn switch(&self, name: &str, default: bool) -> bool {
        self.option(name).map_or(default, |value| value == "on")
    }
}

impl HeuristicExpr {
    /// The names in it.
    pub fn names(&self) -> Vec<&str> {
        match self {
            HeuristicExpr::Named { name, .. } => vec![name],
            HeuristicExpr::Max(parts) => parts.iter().flat_map(HeuristicExpr::names).collect(),
        }
    }

    /// A heuristic without an argument.
    pub fn named(name: &str) -> HeuristicExpr {
        HeuristicExpr::Named { name: name.to_owned(), argument: None }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.algorithm)?;
        for (place, (name, value)) in self.options.iter().enumerate() {
            write!(f, "{}{name}={value}", if place == 0 { ':' } else { ',' })?;
        }
        match &self.heuristic {
            Some(bound) => write!(f, "+{bound}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for HeuristicExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicExpr::Named { name, argument: None } => f.write_str(name),
            HeuristicExpr::Named { name, argument: Some(argument) } => write!(f, "{name}:{argument}"),
            HeuristicExpr::Max(parts) => {
                f.write_str("max(")?;
                for (place, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if place == 0 { "" } else { "," })?;
                }
                f.write_str(")")
            }
        }
    }
}

fn wrong(text: &str, why: impl fmt::Display) -> Error {
    Error::Usage(format!(
        "solver `{text}`: {why}; a solver reads algorithm[:option=value,…][+heuristic], as in ida:raise=off+manhattan"
    ))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Spec, Error> {
        let (search, bound) = match text.split_once('+') {
            Some((search, bound)) => (search, Some(bound)),
            None => (text, None),
        };
        let (algorithm, options) = match search.split_once(':') {
            Some((algorithm, options)) => (algorithm, options.split(',').collect()),
            None => (search, Vec::new()),
        };
        if !is_name(algorithm) {
            return Err(wrong(text, format!("`{algorithm}` is no name of an algorithm")));
        }
        let mut spec = Spec::plain(algorithm, None);
        for option in options {
            match option.split_once('=') {
                Some((name, value)) if is_name(name) && !value.is_empty() => {
                    if spec.option(name).is_some() {
                        return Err(wrong(text, format!("option {name} is given twice")));
                    }
                    spec.options.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(wrong(text, format!("option `{option}` should be name=value"))),
            }
        }
        if let Some(bound) = bound {
            let mut rest = bound;
            spec.heuristic = Some(read_bound(text, &mut rest, 0)?);
            if !rest.is_empty() {
                return Err(wrong(text, format!("`{rest}` is left over")));
            }
        }
        Ok(spec)
    }
}

fn read_bound(text: &str, rest: &mut &str, depth: usize) -> Result<HeuristicExpr, Error> {
    if depth > 8 {
        return Err(wrong(text, "max(…) is nested too deeply"));
    }
    if let Some(inner) = rest.strip_prefix("max(") {
        *rest = inner;
        let mut parts = Vec::new();
        loop {
            parts.push(read_bound(text, rest, depth + 1)?);
            if let Some(more) = rest.strip_prefix(',') {
                *rest = more;
            } else if let Some(after) = rest.strip_prefix(')') {
                *rest = after;
                return Ok(HeuristicExpr::Max(parts));
            } else {
                return Err(wrong(text, "max( is not closed"));
            }
        }
    }
    let end = rest.find([',', ')', '+']).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    let (name, argument) = match word.split_once(':') {
        Some((name, argument)) => (name, Some(argument)),
        None => (word, None),
    };
    if !is_name(name) || argument.is_some_and(str::is_empty) {
        return Err(wrong(text, format!("`{word}` is no name of a heuristic")));
    }
    Ok(HeuristicExpr::Named { name: name.to_owned(), argument: argument.map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_examples_of_the_design_read_and_print_the_same() {
        for text in [
            "auto",
            "bfs",
            "dfs:depth=20",
            "astar:w=1.5+manhattan",
            "ida:raise=off+max(walking,linear-conflict)",
            "ida+pdb:1.2.3.5.6/4.7.8",
            "beam:width=10000,seed=3+learned:weights.txt",
            "ida+max(manhattan,max(pdb:7-8,walking))",
        ] {
            assert_eq!(text.parse::<Spec>().map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("", "no name of an algorithm"),
            ("ida:+manhattan", "option `` should be name=value"),
            ("ida:raise+manhattan", "option `raise`"),
            ("ida:w=1,w=2", "given twice"),
            ("ida+", "no name of a heuristic"),
            ("ida+max(manhattan", "not closed"),
            ("ida+max()", "no name of a heuristic"),
            ("ida+manhattan,walking", "left over"),
            ("ida+manhattan+walking", "left over"),
            ("ida+pdb:", "no name of a heuristic"),
        ] {
            let error = text.parse::<Spec>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_reads_or_is_refused_and_what_reads_prints_the_same(text in ".{0,60}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string(), text);
            }
        }

        #[test]
        fn likely_texts_too(text in "[a-c:=,+()max.0-9-]{0,24}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string(), text);
            }
        }
    }
}
