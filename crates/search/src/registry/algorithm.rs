//! The registry entry of an algorithm: names, options, guarantee, requirements, constructor. Listings, help
//! and validation follow from it. A [`Spec`] is a parsed solver text.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::error::Error;
use crate::puzzle::{Puzzle, Requirements, Unsupported};
use crate::registry::{BuildContext, BuiltSolver};
use crate::solve::Solver;
use crate::spec::{HeuristicExpr, OptionValues, Spec};

/// The guarantee of a solver on the cost of its solutions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Guarantee {
    /// The least cost of any solution.
    Optimal,
    /// At most this factor times the least cost.
    WithinFactor(f64),
    /// No guarantee.
    None,
}

/// An option of an algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The primary name.
    pub name: &'static str,
    /// Aliases.
    pub aliases: &'static [&'static str],
    /// A description in one sentence.
    pub summary: &'static str,
    /// The values it accepts.
    pub values: OptionValues,
    /// The default value; empty if the option is required.
    pub default: &'static str,
}

impl OptionSpec {
    /// The canonical text of a value: `010` becomes `10`, and `1.50` becomes `1.5`. A value that is not
    /// accepted stays as it is.
    pub fn canonical(&self, value: &str) -> String {
        let number = match self.values {
            _ if !self.values.accepts(value) => None,
            OptionValues::Choice(_) => None,
            OptionValues::Integer { .. } => value.parse().ok().map(|number: u64| number.to_string()),
            OptionValues::Number { .. } => value.parse().ok().map(|number: f64| number.to_string()),
        };
        number.unwrap_or_else(|| value.to_owned())
    }
}

/// The description of an algorithm: the entry without its constructor.
#[derive(Clone, Debug)]
pub struct AlgorithmInfo {
    /// The primary name, which answers carry.
    pub name: Cow<'static, str>,
    /// Aliases, case-insensitive.
    pub aliases: &'static [&'static str],
    /// A description in one sentence.
    pub summary: Cow<'static, str>,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Whether it takes a heuristic.
    pub takes_heuristic: bool,
    /// The supported heuristics; `None` is all of the puzzle's.
    pub heuristics: Option<Vec<&'static str>>,
    /// The default heuristic, if not the puzzle's.
    pub default_heuristic: Option<HeuristicExpr>,
    /// The guarantee with these options, given an admissible heuristic.
    pub guarantee: fn(&Spec) -> Guarantee,
    /// A remark on options that change the guarantee, such as ` (w>1: within a factor w)`; listings append
    /// it to the guarantee.
    pub guarantee_suffix: &'static str,
    /// The requirements on a puzzle beyond moves and a goal test.
    pub requirements: Requirements,
    /// Whether its proof can be saved and resumed (it runs iterative deepening).
    pub resumable: bool,
    /// Whether it runs on a device.
    pub needs_device: bool,
}

impl AlgorithmInfo {
    /// An optimal algorithm without options and heuristic.
    pub fn new(name: &'static str, summary: &'static str) -> AlgorithmInfo {
        AlgorithmInfo {
            name: Cow::Borrowed(name),
            aliases: &[],
            summary: Cow::Borrowed(summary),
            options: &[],
            takes_heuristic: false,
            heuristics: None,
            default_heuristic: None,
            guarantee: |_| Guarantee::Optimal,
            guarantee_suffix: "",
            requirements: Requirements::NONE,
            resumable: false,
            needs_device: false,
        }
    }

    /// The primary name and the aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().copied().chain([&*self.name])
    }

    /// Whether `name` is one of its names, without regard to case.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The option of that name or alias.
    pub fn option(&self, name: &str) -> Option<&'static OptionSpec> {
        self.options.iter().find(|option| option.name == name || option.aliases.contains(&name))
    }

    /// A completed spec without the options that have their default value, so that specs with and without
    /// explicit defaults identify the same solver.
    pub fn without_defaults(&self, spec: &Spec) -> Spec {
        let is_default = |(name, value): &(String, String)| {
            self.option(name).is_some_and(|option| option.canonical(option.default) == *value)
        };
        let mut short = spec.clone();
        short.options.retain(|option| !is_default(option));
        short
    }

    /// The guarantee in words, for listings.
    pub fn guarantee_text(&self) -> String {
        let guarantee = (self.guarantee)(&Spec::plain(&self.name, None));
        format!("{guarantee}{}", self.guarantee_suffix)
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guarantee::Optimal => f.write_str("optimal"),
            Guarantee::WithinFactor(factor) => write!(f, "within factor {factor}"),
            Guarantee::None => f.write_str("none"),
        }
    }
}

/// Why an algorithm of a family cannot solve one of its puzzles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unavailable {
    /// The puzzle is too large for it.
    TooLarge {
        /// The unit of the size, such as `cells`.
        unit: &'static str,
        /// The largest supported size.
        most: String,
        /// The size of the puzzle.
        actual: String,
        /// The algorithm to use instead.
        instead: Option<&'static str>,
    },
    /// The puzzle lacks what the algorithm requires.
    Unsupported(Unsupported),
    /// It works in another metric.
    Metric {
        /// The metric it works in.
        only: &'static str,
        /// A solver for the metric in use.
        instead: &'static str,
    },
}

impl Unavailable {
    /// A solver of the puzzle to use instead.
    pub fn alternative(&self) -> Option<&'static str> {
        match self {
            Unavailable::TooLarge { instead, .. } => *instead,
            Unavailable::Unsupported(_) => None,
            Unavailable::Metric { instead, .. } => Some(instead),
        }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::TooLarge { unit, most, actual, .. } => {
                write!(f, "at most {most} {unit}, and it has {actual}")
            }
            Unavailable::Unsupported(why) => write!(f, "{why}"),
            Unavailable::Metric { only, .. } => write!(f, "it works in metric {only} only"),
        }
    }
}

/// The constructor of an algorithm.
pub(super) type BuildAlgorithm<P> =
    dyn Fn(&BuildContext<'_, P>) -> Result<BuiltSolver<P>, Error> + Send + Sync;

/// An algorithm: its description and its constructor.
pub struct AlgorithmEntry<P: Puzzle> {
    /// The description.
    pub info: AlgorithmInfo,
    /// The constructor.
    pub(super) build: Arc<BuildAlgorithm<P>>,
}

impl<P: Puzzle> AlgorithmEntry<P> {
    /// An entry whose solver keeps the completed spec as its name.
    pub fn new(
        info: AlgorithmInfo,
        build: impl Fn(&BuildContext<'_, P>) -> Result<Box<dyn Solver<P>>, Error> + Send + Sync + 'static,
    ) -> AlgorithmEntry<P> {
        AlgorithmEntry::choosing_options(info, move |context| {
            Ok(BuiltSolver { spec: context.spec.clone(), solver: build(context)? })
        })
    }

    /// An entry whose constructor chooses omitted options and returns them in the spec of the solver.
    pub fn choosing_options(
        info: AlgorithmInfo,
        build: impl Fn(&BuildContext<'_, P>) -> Result<BuiltSolver<P>, Error> + Send + Sync + 'static,
    ) -> AlgorithmEntry<P> {
        AlgorithmEntry { info, build: Arc::new(build) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_defaults_have_a_canonical_text() {
        const OPTIONS: &[OptionSpec] = &[
            OptionSpec {
                name: "w",
                aliases: &[],
                summary: "",
                values: OptionValues::Number { min: 1, max: 9, decimals: 2 },
                default: "1",
            },
            OptionSpec {
                name: "tables",
                aliases: &[],
                summary: "",
                values: OptionValues::Choice(&["large", "small"]),
                default: "the largest that fits",
            },
        ];
        let info = AlgorithmInfo { options: OPTIONS, ..AlgorithmInfo::new("search", "") };
        let canonical = |value| OPTIONS[0].canonical(value);
        assert_eq!(["1", "01.0", "1.50", "x"].map(canonical), ["1", "1", "1.5", "x"]);
        for (text, short) in [
            ("search:w=1", "search"),
            ("search:w=1.5,tables=large", "search:w=1.5,tables=large"),
            ("search:w=1,tables=small", "search:tables=small"),
        ] {
            let spec: Spec = text.parse().expect("a solver text");
            assert_eq!(info.without_defaults(&spec).to_string(), short);
        }
    }
}
