//! The text that names a solver: `algorithm[:option=value,…][+heuristic]`.

use std::fmt;
use std::str::FromStr;

use crate::error::{AlternativeKind, Diagnostic};
use crate::registry::{OptionSpec, Unavailable};

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
pub enum OptionValues {
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

impl OptionValues {
    /// Yes or no.
    pub const SWITCH: OptionValues = OptionValues::Choice(&["on", "off"]);
    /// Numbers up to this are whole in every reader of JSON.
    pub const LARGEST: u64 = (1 << 53) - 1;

    /// Whether the option accepts `value`.
    pub fn accepts(self, value: &str) -> bool {
        match self {
            OptionValues::Choice(words) => words.contains(&value),
            OptionValues::Integer { least, most } => {
                value.parse().is_ok_and(|number: u64| (least..=most).contains(&number))
            }
            OptionValues::Number { least, most, decimals } => {
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

impl fmt::Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValues::Choice([most @ .., last]) if !most.is_empty() => {
                write!(f, "{} or {last}", most.join(", "))
            }
            OptionValues::Choice(words) => f.write_str(&words.concat()),
            OptionValues::Integer { least: 0, most: OptionValues::LARGEST } => {
                f.write_str("a whole number below 2^53")
            }
            OptionValues::Integer { least, most } => write!(f, "a whole number from {least} to {most}"),
            OptionValues::Number { least, most, decimals } => {
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

    /// The value of an option as a number, or `default` where it is not given. [`crate::registry::Registry::complete`] has checked it.
    pub fn number<T: FromStr>(&self, name: &str, default: T) -> T {
        self.option(name).and_then(|value| value.parse().ok()).unwrap_or(default)
    }

    /// The value of an `on`/`off` option, or `default` where it is not given. [`crate::registry::Registry::complete`] has checked it.
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

/// Why a solver text is refused: by its syntax, or by what a puzzle has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// The text does not follow the grammar.
    #[error(
        "solver `{text}`: {fault}; a solver reads algorithm[:option=value,…][+heuristic], as in ida:bpmx=off+manhattan"
    )]
    Syntax {
        /// The whole text.
        text: String,
        /// What is wrong with it.
        fault: SyntaxFault,
    },
    /// `auto` was given options or a heuristic.
    #[error(
        "solver `{text}`: auto chooses options and heuristic itself; give auto alone, or name an algorithm"
    )]
    AutoTakesNothing {
        /// The whole text.
        text: String,
    },
    /// The puzzle has no such algorithm.
    #[error("there is no algorithm `{name}` for {puzzle}")]
    UnknownAlgorithm {
        /// As given.
        name: String,
        /// The puzzle's name.
        puzzle: String,
        /// Names that look like it.
        alternatives: Vec<String>,
    },
    /// The algorithm cannot solve this puzzle.
    #[error("{algorithm} cannot solve {puzzle}: {why}")]
    Unavailable {
        /// The algorithm.
        algorithm: String,
        /// The puzzle's name.
        puzzle: String,
        /// The reason.
        why: Box<Unavailable>,
    },
    /// The puzzle has no such heuristic.
    #[error("there is no heuristic `{name}` for {puzzle}")]
    UnknownHeuristic {
        /// As given.
        name: String,
        /// The puzzle's name.
        puzzle: String,
        /// Names that look like it.
        alternatives: Vec<String>,
    },
    /// The algorithm has no such option.
    #[error("{algorithm} has no option `{option}`; it takes {}", listed(known))]
    UnknownOption {
        /// The algorithm.
        algorithm: String,
        /// As given.
        option: String,
        /// The options it has.
        known: Vec<&'static str>,
        /// Names that look like it.
        alternatives: Vec<String>,
    },
    /// An option is given twice.
    #[error("option {option} is given twice")]
    RepeatedOption {
        /// The option.
        option: String,
    },
    /// An option has a value it does not accept.
    #[error("{algorithm}: {option}={value} should be {expected}")]
    OptionValue {
        /// The algorithm.
        algorithm: String,
        /// The option.
        option: &'static str,
        /// As given.
        value: String,
        /// What it accepts.
        expected: OptionValues,
    },
    /// An option that has no default is not given.
    #[error(
        "{algorithm} needs {}: {} ({}), as in {algorithm}:{}=20",
        option.name, option.summary, option.values, option.name
    )]
    MissingOption {
        /// The algorithm.
        algorithm: String,
        /// The option.
        option: &'static OptionSpec,
    },
    /// The algorithm uses no heuristic.
    #[error("{algorithm} uses no heuristic; leave out `+{heuristic}`")]
    HeuristicNotTaken {
        /// The algorithm.
        algorithm: String,
        /// As given.
        heuristic: String,
    },
    /// The algorithm supports only some of the puzzle's heuristics.
    #[error("{algorithm} does not support {heuristic} on {puzzle}; it supports {}", listed(supported))]
    HeuristicNotSupported {
        /// The algorithm.
        algorithm: String,
        /// The puzzle's name.
        puzzle: String,
        /// As given.
        heuristic: String,
        /// The ones it supports.
        supported: Vec<&'static str>,
    },
    /// The algorithm needs a heuristic and the puzzle has none.
    #[error("{algorithm} needs a heuristic, and {puzzle} has none")]
    NoHeuristic {
        /// The algorithm.
        algorithm: String,
        /// The puzzle's name.
        puzzle: String,
    },
    /// The heuristic takes no argument.
    #[error("{heuristic} takes no argument; leave out `:{argument}`")]
    ArgumentNotTaken {
        /// The heuristic.
        heuristic: String,
        /// As given.
        argument: String,
    },
    /// The heuristic needs an argument.
    #[error("{heuristic} needs an argument, as in {heuristic}:{example}")]
    ArgumentMissing {
        /// The heuristic.
        heuristic: String,
        /// A valid one.
        example: &'static str,
    },
    /// The argument of a heuristic is wrong.
    #[error("{heuristic}:{argument}: {reason}")]
    ArgumentInvalid {
        /// The heuristic.
        heuristic: String,
        /// As given.
        argument: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The heuristic's table would be too large for this puzzle.
    #[error("{heuristic} is not available for {puzzle}: {reason}")]
    HeuristicTooLarge {
        /// The heuristic.
        heuristic: &'static str,
        /// The puzzle's name.
        puzzle: String,
        /// Which limit is exceeded, and by how much.
        reason: String,
        /// A heuristic without this limit.
        alternative: Option<&'static str>,
    },
    /// A remote client named a file.
    #[error(
        "{heuristic} with a file is not available here; without one it uses the weights that come with untumble"
    )]
    FileNotAllowed {
        /// The heuristic.
        heuristic: String,
    },
    /// All optimal solutions are wanted from a solver that does not guarantee optimality.
    #[error("{solver} does not guarantee optimal solutions, so it cannot list all of them")]
    NotOptimal {
        /// The solver.
        solver: String,
        /// Algorithms that do.
        alternatives: Vec<String>,
    },
    /// The proof of this solver cannot be saved.
    #[error("the work of {solver} cannot be saved")]
    NotResumable {
        /// The solver.
        solver: String,
        /// Algorithms whose work can be.
        alternatives: Vec<String>,
    },
    /// The algorithm runs on a device, and this program has no support for devices.
    #[error("{algorithm} needs a graphics processor, and this program was built without support for them")]
    NoDeviceSupport {
        /// The algorithm.
        algorithm: String,
    },
}

impl SpecError {
    /// A stable name of the kind of error, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            SpecError::Syntax { .. } => "solver-syntax",
            SpecError::AutoTakesNothing { .. } => "auto-takes-nothing",
            SpecError::UnknownAlgorithm { .. } => "unknown-algorithm",
            SpecError::Unavailable { .. } => "algorithm-unavailable",
            SpecError::UnknownHeuristic { .. } => "unknown-heuristic",
            SpecError::UnknownOption { .. } => "unknown-option",
            SpecError::RepeatedOption { .. } => "repeated-option",
            SpecError::OptionValue { .. } => "option-value",
            SpecError::MissingOption { .. } => "missing-option",
            SpecError::HeuristicNotTaken { .. } => "heuristic-not-taken",
            SpecError::HeuristicNotSupported { .. } => "heuristic-not-supported",
            SpecError::NoHeuristic { .. } => "no-heuristic",
            SpecError::ArgumentNotTaken { .. } => "argument-not-taken",
            SpecError::ArgumentMissing { .. } => "argument-missing",
            SpecError::ArgumentInvalid { .. } => "argument-invalid",
            SpecError::HeuristicTooLarge { .. } => "heuristic-too-large",
            SpecError::FileNotAllowed { .. } => "file-not-allowed",
            SpecError::NotOptimal { .. } => "not-optimal",
            SpecError::NotResumable { .. } => "not-resumable",
            SpecError::NoDeviceSupport { .. } => "no-device-support",
        }
    }

    /// The error as plain data. What an unknown name should have been one of is the puzzle's name.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.code(), self.to_string());
        match self {
            SpecError::UnknownAlgorithm { puzzle, alternatives, .. }
            | SpecError::UnknownHeuristic { puzzle, alternatives, .. } => {
                diagnostic.expecting(puzzle).or(AlternativeKind::Solver, alternatives)
            }
            SpecError::UnknownOption { alternatives, .. } => {
                diagnostic.or(AlternativeKind::Option, alternatives)
            }
            SpecError::OptionValue { expected, .. } => diagnostic.expecting(expected.to_string()),
            SpecError::NotOptimal { alternatives, .. } | SpecError::NotResumable { alternatives, .. } => {
                diagnostic.or(AlternativeKind::Solver, alternatives)
            }
            SpecError::HeuristicNotSupported { supported, .. } => {
                diagnostic.or(AlternativeKind::Solver, supported.iter().copied())
            }
            SpecError::HeuristicTooLarge { alternative, .. } => {
                diagnostic.or(AlternativeKind::Solver, *alternative)
            }
            SpecError::ArgumentMissing { example, .. } => diagnostic.or(AlternativeKind::Option, [*example]),
            _ => diagnostic,
        }
    }
}

/// What is wrong with the syntax of a solver text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SyntaxFault {
    /// Not a name.
    #[error("`{0}` is no name of an algorithm")]
    AlgorithmName(String),
    /// Not a name, or an empty argument.
    #[error("`{0}` is no name of a heuristic")]
    HeuristicName(String),
    /// Not `name=value`.
    #[error("option `{0}` should be name=value")]
    Option(String),
    /// An option is given twice.
    #[error("option {0} is given twice")]
    RepeatedOption(String),
    /// Text behind the end.
    #[error("`{0}` is left over")]
    LeftOver(String),
    /// No closing parenthesis.
    #[error("max( is not closed")]
    Unclosed,
    /// Too many levels of max(…).
    #[error("max(…) is nested too deeply")]
    TooDeep,
}

/// Words with commas; `none` where there are none.
fn listed(words: &[&str]) -> String {
    if words.is_empty() { "none".into() } else { words.join(", ") }
}

fn wrong(text: &str, fault: SyntaxFault) -> SpecError {
    SpecError::Syntax { text: text.to_owned(), fault }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '*'))
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let (search, bound) = match text.split_once('+') {
            Some((search, bound)) => (search, Some(bound)),
            None => (text, None),
        };
        let (algorithm, options) = match search.split_once(':') {
            Some((algorithm, options)) => (algorithm, options.split(',').collect()),
            None => (search, Vec::new()),
        };
        if !is_name(algorithm) {
            return Err(wrong(text, SyntaxFault::AlgorithmName(algorithm.to_owned())));
        }
        let mut spec = Spec::plain(algorithm, None);
        for option in options {
            match option.split_once('=') {
                Some((name, value)) if is_name(name) && !value.is_empty() => {
                    if spec.option(name).is_some() {
                        return Err(wrong(text, SyntaxFault::RepeatedOption(name.to_owned())));
                    }
                    spec.options.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(wrong(text, SyntaxFault::Option(option.to_owned()))),
            }
        }
        if let Some(bound) = bound {
            let mut rest = bound;
            spec.heuristic = Some(read_bound(text, &mut rest, 0)?);
            if !rest.is_empty() {
                return Err(wrong(text, SyntaxFault::LeftOver(rest.to_owned())));
            }
        }
        Ok(spec)
    }
}

fn read_bound(text: &str, rest: &mut &str, depth: usize) -> Result<HeuristicExpr, SpecError> {
    if depth > 8 {
        return Err(wrong(text, SyntaxFault::TooDeep));
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
                return Err(wrong(text, SyntaxFault::Unclosed));
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
        return Err(wrong(text, SyntaxFault::HeuristicName(word.to_owned())));
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
