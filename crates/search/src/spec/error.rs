//! Errors of solver texts, and the part of the text that each one concerns.

use std::ops::Range;

use super::{OptionValues, Tokens};
use crate::error::{AlternativeKind, Diagnostic, similar, span_in};
use crate::registry::{OptionSpec, Unavailable};

/// Why a solver text is refused: its syntax is wrong, or the puzzle lacks an algorithm, heuristic or option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// The text does not follow the grammar.
    #[error(
        "solver `{text}`: {fault}; a solver reads algorithm[:option=value,…][+heuristic], as in ida:bpmx=off+manhattan"
    )]
    Syntax {
        /// The whole text.
        text: String,
        /// The first violation of the grammar.
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
        /// The name as given.
        name: String,
        /// The puzzle's name.
        puzzle: String,
        /// Similar names.
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
        /// The name as given.
        name: String,
        /// The puzzle's name.
        puzzle: String,
        /// Similar names.
        alternatives: Vec<String>,
    },
    /// The algorithm has no such option.
    #[error("{algorithm} has no option `{option}`; it takes {}", listed(known))]
    UnknownOption {
        /// The algorithm.
        algorithm: String,
        /// The option as given.
        option: String,
        /// The options it has.
        known: Vec<&'static str>,
        /// Similar names.
        alternatives: Vec<String>,
    },
    /// An option is given twice, possibly under two of its names.
    #[error("option {option} is given twice")]
    RepeatedOption {
        /// The primary name.
        option: String,
        /// The name under which it is given the second time.
        given: String,
    },
    /// An option has a value it does not accept.
    #[error("{algorithm}: {option}={value} should be {expected}")]
    OptionValue {
        /// The algorithm.
        algorithm: String,
        /// The option.
        option: &'static str,
        /// The value as given.
        value: String,
        /// The accepted values.
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
        /// The heuristic as given.
        heuristic: String,
    },
    /// The algorithm supports only some of the puzzle's heuristics.
    #[error("{algorithm} does not support {heuristic} on {puzzle}; it supports {}", listed(supported))]
    HeuristicNotSupported {
        /// The algorithm.
        algorithm: String,
        /// The puzzle's name.
        puzzle: String,
        /// The heuristic as given.
        heuristic: String,
        /// The supported heuristics.
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
        /// The argument as given.
        argument: String,
    },
    /// The heuristic needs an argument.
    #[error("{heuristic} needs an argument, as in {heuristic}:{example}")]
    ArgumentMissing {
        /// The heuristic.
        heuristic: String,
        /// A valid argument.
        example: &'static str,
    },
    /// The argument of a heuristic is wrong.
    #[error("{heuristic}:{argument}: {reason}")]
    ArgumentInvalid {
        /// The heuristic.
        heuristic: String,
        /// The argument as given.
        argument: String,
        /// The reason, without the argument.
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
    /// A remote client named a file, which it may not choose.
    #[error(
        "{heuristic} with a file is not available here; without one it uses the weights that come with untumble"
    )]
    FileNotAllowed {
        /// The heuristic.
        heuristic: String,
    },
    /// All optimal solutions were requested from a solver that does not guarantee optimality.
    #[error("{solver} does not guarantee optimal solutions, so it cannot list all of them")]
    NotOptimal {
        /// The solver.
        solver: String,
        /// Algorithms that guarantee optimal solutions.
        alternatives: Vec<String>,
    },
    /// The solver cannot save its proof in a checkpoint.
    #[error("the proof of {solver} cannot be saved")]
    NotResumable {
        /// The solver.
        solver: String,
        /// Algorithms whose proof can be saved.
        alternatives: Vec<String>,
    },
    /// The algorithm runs on a GPU, and this program was built without GPU support.
    #[error("{algorithm} needs a GPU, and this program was built without GPU support")]
    NoDeviceSupport {
        /// The algorithm.
        algorithm: String,
    },
}

impl SpecError {
    /// A stable name of the kind of error, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            SpecError::Syntax { fault: SyntaxFault::SeveralSolvers(_), .. } => "several-solvers",
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

    /// The error as plain data. If the puzzle has no such algorithm or heuristic, the field `expected` holds
    /// the name of the puzzle.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.code(), self.to_string());
        match self {
            SpecError::UnknownAlgorithm { puzzle, alternatives, .. }
            | SpecError::UnknownHeuristic { puzzle, alternatives, .. } => {
                diagnostic.expecting(puzzle).with_alternatives(AlternativeKind::Solver, alternatives)
            }
            SpecError::UnknownOption { alternatives, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Option, alternatives)
            }
            SpecError::OptionValue { value, expected, .. } => diagnostic
                .expecting(expected.to_string())
                .with_alternatives(AlternativeKind::Option, choices(value, *expected)),
            SpecError::NotOptimal { alternatives, .. } | SpecError::NotResumable { alternatives, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Solver, alternatives)
            }
            SpecError::HeuristicNotSupported { supported, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Solver, supported.iter().copied())
            }
            SpecError::HeuristicTooLarge { alternative, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Solver, *alternative)
            }
            SpecError::ArgumentMissing { example, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Option, [*example])
            }
            SpecError::Unavailable { why, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Solver, why.alternative())
            }
            _ => diagnostic,
        }
    }

    /// The bytes of the solver text `text` that the error concerns, such as a misspelled name or a wrong
    /// value; the whole text if the error concerns the solver as such.
    ///
    /// ```
    /// use untumble_search::spec::Spec;
    ///
    /// let text = "ida:bpmx+manhattan";
    /// let error = text.parse::<Spec>().unwrap_err();
    /// assert_eq!(&text[error.span(text)], "bpmx");
    /// ```
    pub fn span(&self, text: &str) -> Range<usize> {
        // Slices of `text`: the algorithm, the options, the whole heuristic and the single heuristics in it.
        let tokens = Tokens::of(text);
        let token = match self {
            SpecError::Syntax { fault, .. } => return fault.span(text),
            SpecError::AutoTakesNothing { .. } => return tokens.algorithm.len()..text.len(),
            SpecError::UnknownAlgorithm { .. }
            | SpecError::Unavailable { .. }
            | SpecError::MissingOption { .. }
            | SpecError::NoHeuristic { .. }
            | SpecError::NoDeviceSupport { .. } => Some(tokens.algorithm),
            SpecError::UnknownOption { option, .. } => tokens.option_names().find(|name| name == option),
            SpecError::RepeatedOption { given, .. } => {
                tokens.options.iter().rev().find(|option| option.split('=').next() == Some(given)).copied()
            }
            SpecError::OptionValue { value, .. } => tokens
                .options
                .iter()
                .filter_map(|option| option.split_once('='))
                .map(|pair| pair.1)
                .find(|v| v == value),
            SpecError::HeuristicNotTaken { .. } | SpecError::HeuristicNotSupported { .. } => tokens.heuristic,
            SpecError::UnknownHeuristic { name: heuristic, .. }
            | SpecError::ArgumentMissing { heuristic, .. }
            | SpecError::FileNotAllowed { heuristic } => tokens.heuristic_named(heuristic),
            SpecError::HeuristicTooLarge { heuristic, .. } => tokens.heuristic_named(heuristic),
            SpecError::ArgumentNotTaken { argument, .. } | SpecError::ArgumentInvalid { argument, .. } => {
                tokens.arguments().find(|known| known == argument)
            }
            SpecError::NotOptimal { .. } | SpecError::NotResumable { .. } => None,
        };
        token.and_then(|token| span_in(text, token)).unwrap_or(0..text.len())
    }
}

/// The accepted words of a choice, beginning with those similar to `value`; none for numbers.
fn choices(value: &str, expected: OptionValues) -> Vec<String> {
    let OptionValues::Choice(words) = expected else { return Vec::new() };
    let mut choices = similar(value, words.iter().copied());
    for word in words {
        if !choices.iter().any(|known| known == word) {
            choices.push((*word).to_owned());
        }
    }
    choices
}

/// A violation of the grammar of solver texts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SyntaxFault {
    /// The algorithm is not a name.
    #[error("`{0}` is not the name of an algorithm")]
    AlgorithmName(String),
    /// A list of algorithms stands where one is expected.
    #[error("`{0}` names several solvers where one is expected")]
    SeveralSolvers(String),
    /// The heuristic is not a name, or its argument is empty.
    #[error("`{0}` is not the name of a heuristic")]
    HeuristicName(String),
    /// An option is not `name=value`.
    #[error("option `{0}` should be name=value")]
    Option(String),
    /// An option is given twice.
    #[error("option {0} is given twice")]
    RepeatedOption(String),
    /// Text follows the end of the solver.
    #[error("`{0}` is left over")]
    LeftOver(String),
    /// A closing parenthesis is missing.
    #[error("max( is not closed")]
    Unclosed,
    /// max(…) has too many levels.
    #[error("max(…) is nested too deeply")]
    TooDeep,
}

impl SyntaxFault {
    /// The bytes of `text` that violate the grammar.
    fn span(&self, text: &str) -> Range<usize> {
        let tokens = Tokens::of(text);
        let token = match self {
            SyntaxFault::AlgorithmName(_) | SyntaxFault::SeveralSolvers(_) => Some(tokens.algorithm),
            SyntaxFault::Option(option) => tokens.options.iter().find(|known| *known == option).copied(),
            SyntaxFault::RepeatedOption(name) => {
                tokens.options.iter().rev().find(|option| option.split('=').next() == Some(name)).copied()
            }
            SyntaxFault::HeuristicName(word) => {
                tokens.heuristics.iter().find(|known| *known == word).copied()
            }
            SyntaxFault::LeftOver(rest) => return text.len() - rest.len()..text.len(),
            SyntaxFault::Unclosed => return text.len()..text.len(),
            SyntaxFault::TooDeep => tokens.heuristic,
        };
        token.and_then(|token| span_in(text, token)).unwrap_or(0..text.len())
    }
}

/// The words separated by commas; `none` for an empty list.
fn listed(words: &[&str]) -> String {
    if words.is_empty() { "none".into() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn syntax_errors_point_at_the_offending_token() {
        for (text, token) in [
            (":w=2", ""),
            ("ida:+manhattan", ""),
            ("ida:bpmx+manhattan", "bpmx"),
            ("ida:w=1,w=2", "w=2"),
            ("ida+max(manhattan,?)", "?"),
            ("ida+max(manhattan", ""),
            ("ida+manhattan+walking", "+walking"),
            ("ida+pdb:", "pdb:"),
        ] {
            let error = text.parse::<Spec>().expect_err(text);
            let span = error.span(text);
            assert_eq!(&text[span.clone()], token, "{text}: {span:?}");
        }
    }

    #[test]
    fn completion_errors_point_at_the_offending_token() {
        let text = "astar:w=0.5,seed=1,w=2+max(pdb:9-9,learned:x)";
        let at = |error: &SpecError| &text[error.span(text)];
        let (algorithm, heuristic) = (|| "astar".to_owned(), |name: &str| name.to_owned());
        let expected = OptionValues::SWITCH;
        let value =
            SpecError::OptionValue { algorithm: algorithm(), option: "w", value: "0.5".into(), expected };
        assert_eq!(at(&value), "0.5");
        let repeated = SpecError::RepeatedOption { option: "weight".into(), given: "w".into() };
        assert_eq!(at(&repeated), "w=2");
        let (option, known, alternatives) = ("seed".to_owned(), vec![], vec![]);
        assert_eq!(
            at(&SpecError::UnknownOption { algorithm: algorithm(), option, known, alternatives }),
            "seed"
        );
        let argument = SpecError::ArgumentInvalid {
            heuristic: heuristic("pdb"),
            argument: "9-9".into(),
            reason: "too large".into(),
        };
        assert_eq!(at(&argument), "9-9");
        assert_eq!(at(&SpecError::FileNotAllowed { heuristic: heuristic("learned") }), "learned:x");
        assert_eq!(at(&SpecError::NoDeviceSupport { algorithm: algorithm() }), "astar");
        let not_taken = SpecError::HeuristicNotTaken { algorithm: algorithm(), heuristic: String::new() };
        assert_eq!(at(&not_taken), "max(pdb:9-9,learned:x)");
        assert_eq!(at(&SpecError::NotOptimal { solver: algorithm(), alternatives: vec![] }), text);
    }

    #[test]
    fn choices_are_offered_the_likeliest_first() {
        let expected = OptionValues::Choice(&["block", "thread", "auto"]);
        assert_eq!(choices("thraed", expected), ["thread", "block", "auto"]);
        assert!(choices("7", OptionValues::Integer { min: 0, max: 1 }).is_empty());
    }
}
