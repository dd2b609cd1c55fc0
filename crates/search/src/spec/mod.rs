//! The text that names a solver: `algorithm[:option=value,…][+heuristic]`.
//!
//! [`Spec`] is the text parsed; [`Registry::complete`](crate::registry::Registry::complete) checks it
//! against the algorithms and heuristics of a puzzle.

mod error;
mod options;

use std::fmt;
use std::str::FromStr;

pub use error::{SpecError, SyntaxFault};
pub use options::OptionValues;

/// A solver text, parsed: an algorithm, its options, a heuristic.
///
/// ```
/// use untumble_search::spec::{HeuristicExpr, Spec};
///
/// let spec: Spec = "ida:bpmx=off+pdb:7-8".parse().unwrap();
/// assert_eq!(spec.algorithm, "ida");
/// assert_eq!(spec.option("bpmx"), Some("off"));
/// assert_eq!(spec.heuristic.as_ref().map(HeuristicExpr::names), Some(vec!["pdb"]));
/// assert_eq!(spec.to_string(), "ida:bpmx=off+pdb:7-8");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// The name or an alias of an algorithm.
    pub algorithm: String,
    /// Names and values in the given order.
    pub options: Vec<(String, String)>,
    /// The heuristic, if the text names one.
    pub heuristic: Option<HeuristicExpr>,
}

/// The heuristic part of a solver text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HeuristicExpr {
    /// A heuristic of the puzzle.
    Named {
        /// The name or an alias, such as `pdb`.
        name: String,
        /// The text after the colon, such as the partition `7-8`.
        argument: Option<String>,
    },
    /// The maximum of several heuristics.
    Max(Vec<HeuristicExpr>),
}

/// The tokens of a solver text, valid or not, as slices of the text.
struct Tokens<'a> {
    algorithm: &'a str,
    /// Each `name=value`.
    options: Vec<&'a str>,
    /// The whole text after the first `+`.
    heuristic: Option<&'a str>,
    /// Each `name` or `name:argument` in `heuristic`, such as those of `max(…)`.
    heuristics: Vec<&'a str>,
}

impl<'a> Tokens<'a> {
    fn of(text: &'a str) -> Tokens<'a> {
        let (before_plus, heuristic) = match text.split_once('+') {
            Some((before_plus, heuristic)) => (before_plus, Some(heuristic)),
            None => (text, None),
        };
        let (algorithm, options) = match before_plus.split_once(':') {
            Some((algorithm, options)) => (algorithm, options.split(',').collect()),
            None => (before_plus, Vec::new()),
        };
        let names = heuristic.into_iter().flat_map(|text| text.split([',', '(', ')', '+']));
        Tokens { algorithm, options, heuristic, heuristics: names.filter(|&word| word != "max").collect() }
    }

    fn option_names(&self) -> impl Iterator<Item = &'a str> {
        self.options.iter().map(|option| option.split_once('=').map_or(*option, |(name, _)| name))
    }

    fn arguments(&self) -> impl Iterator<Item = &'a str> {
        self.heuristics.iter().filter_map(|word| word.split_once(':').map(|(_, argument)| argument))
    }

    /// The token of a heuristic, or the first token if the text uses an alias.
    fn heuristic_named(&self, name: &str) -> Option<&'a str> {
        let named = |word: &&&str| word.split(':').next() == Some(name);
        self.heuristics.iter().find(named).or(self.heuristics.first()).copied()
    }
}

impl Spec {
    /// An algorithm with its default options.
    pub fn plain(algorithm: &str, heuristic: Option<HeuristicExpr>) -> Spec {
        Spec { algorithm: algorithm.to_owned(), options: Vec::new(), heuristic }
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value of an option as a number, or `default` if it is not given. The value is valid in a spec
    /// that [`Registry::complete`](crate::registry::Registry::complete) returned.
    pub fn number<T: FromStr>(&self, name: &str, default: T) -> T {
        self.option(name).and_then(|value| value.parse().ok()).unwrap_or(default)
    }

    /// The value of an `on`/`off` option, or `default` if it is not given. The value is valid in a spec that
    /// [`Registry::complete`](crate::registry::Registry::complete) returned.
    pub fn switch(&self, name: &str, default: bool) -> bool {
        self.option(name).map_or(default, |value| value == "on")
    }
}

impl HeuristicExpr {
    /// The names of all heuristics in the expression.
    pub fn names(&self) -> Vec<&str> {
        match self {
            HeuristicExpr::Named { name, .. } => vec![name],
            HeuristicExpr::Max(terms) => terms.iter().flat_map(HeuristicExpr::names).collect(),
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
        for (index, (name, value)) in self.options.iter().enumerate() {
            write!(f, "{}{name}={value}", if index == 0 { ':' } else { ',' })?;
        }
        match &self.heuristic {
            Some(heuristic) => write!(f, "+{heuristic}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for HeuristicExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicExpr::Named { name, argument: None } => f.write_str(name),
            HeuristicExpr::Named { name, argument: Some(argument) } => write!(f, "{name}:{argument}"),
            HeuristicExpr::Max(terms) => {
                f.write_str("max(")?;
                for (index, term) in terms.iter().enumerate() {
                    write!(f, "{}{term}", if index == 0 { "" } else { "," })?;
                }
                f.write_str(")")
            }
        }
    }
}

fn syntax_error(text: &str, fault: SyntaxFault) -> SpecError {
    SpecError::Syntax { text: text.to_owned(), fault }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '*'))
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let Tokens { algorithm, options, heuristic, .. } = Tokens::of(text);
        if !is_name(algorithm) {
            let several = algorithm.contains(',') && algorithm.split(',').all(|part| is_name(part.trim()));
            let name = algorithm.to_owned();
            return Err(syntax_error(
                text,
                if several { SyntaxFault::SeveralSolvers(name) } else { SyntaxFault::AlgorithmName(name) },
            ));
        }
        let mut spec = Spec::plain(algorithm, None);
        for option in options {
            match option.split_once('=') {
                Some((name, value)) if is_name(name) && !value.is_empty() => {
                    if spec.option(name).is_some() {
                        return Err(syntax_error(text, SyntaxFault::RepeatedOption(name.to_owned())));
                    }
                    spec.options.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(syntax_error(text, SyntaxFault::Option(option.to_owned()))),
            }
        }
        if let Some(mut rest) = heuristic {
            spec.heuristic = Some(parse_heuristic(text, &mut rest, 0)?);
            if !rest.is_empty() {
                return Err(syntax_error(text, SyntaxFault::LeftOver(rest.to_owned())));
            }
        }
        Ok(spec)
    }
}

/// Parses a heuristic at the beginning of `rest` and advances `rest`; `depth` counts the enclosing `max(…)`.
/// `text` is the whole solver text, for errors.
fn parse_heuristic(text: &str, rest: &mut &str, depth: usize) -> Result<HeuristicExpr, SpecError> {
    if depth > 8 {
        return Err(syntax_error(text, SyntaxFault::TooDeep));
    }
    if let Some(inner) = rest.strip_prefix("max(") {
        *rest = inner;
        let mut parts = Vec::new();
        loop {
            parts.push(parse_heuristic(text, rest, depth + 1)?);
            if let Some(more) = rest.strip_prefix(',') {
                *rest = more;
            } else if let Some(after) = rest.strip_prefix(')') {
                *rest = after;
                return Ok(HeuristicExpr::Max(parts));
            } else {
                return Err(syntax_error(text, SyntaxFault::Unclosed));
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
        return Err(syntax_error(text, SyntaxFault::HeuristicName(word.to_owned())));
    }
    Ok(HeuristicExpr::Named { name: name.to_owned(), argument: argument.map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn solver_texts_round_trip() {
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
    fn syntax_errors_name_the_token() {
        for (text, part) in [
            ("", "not the name of an algorithm"),
            ("bfs,astar+manhattan", "names several solvers"),
            ("ida:+manhattan", "option `` should be name=value"),
            ("ida:raise+manhattan", "option `raise`"),
            ("ida:w=1,w=2", "given twice"),
            ("ida+", "not the name of a heuristic"),
            ("ida+max(manhattan", "not closed"),
            ("ida+max()", "not the name of a heuristic"),
            ("ida+manhattan,walking", "left over"),
            ("ida+manhattan+walking", "left over"),
            ("ida+pdb:", "not the name of a heuristic"),
        ] {
            let error = text.parse::<Spec>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn accepted_texts_round_trip(text in ".{0,60}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string(), text);
            }
        }

        #[test]
        fn accepted_texts_round_trip_near_the_grammar(text in "[a-c:=,+()max.0-9-]{0,24}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string(), text);
            }
        }
    }
}
