//! Benchmark suites. Each puzzle defines its own suites next to its rules; [`all`] collects them.

use crate::instance_sets::Reference;
use crate::{cube3, tiles};

/// A named list of benchmark cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// The name on the command line.
    pub name: &'static str,
    /// A summary of a few words.
    pub what: &'static str,
    /// The cases in the order of the report.
    pub cases: Vec<Case>,
    /// Whether some case needs a GPU.
    pub needs_device: bool,
}

/// One solver on some positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Unique within the suite.
    pub name: String,
    /// The puzzle's name in the catalog.
    pub puzzle: &'static str,
    /// The goal; `None` is the puzzle's default.
    pub goal: Option<&'static str>,
    /// The metric; `None` is the puzzle's default.
    pub metric: Option<&'static str>,
    /// The solver as a spec text, such as `ida+manhattan`.
    pub solver: String,
    /// The number of threads.
    pub threads: usize,
    /// The positions to solve.
    pub positions: Positions,
}

/// The positions of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Positions {
    /// Given as text in a format of the puzzle.
    Listed(Vec<String>),
    /// Given as text, with their published results.
    Published(Vec<(String, Reference)>),
    /// Drawn uniformly at random.
    Random {
        /// The number of positions.
        count: usize,
        /// The seed of the generator.
        seed: u64,
    },
}

/// The suites of all puzzles.
pub fn all() -> Vec<Suite> {
    tiles::suites().into_iter().chain(cube3::suites()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{self, PuzzleSettings};
    use untumble_search::frontend::{InputFormat, Parsed};

    #[test]
    fn every_case_has_a_valid_puzzle_solver_and_positions() {
        for suite in all() {
            for (index, case) in suite.cases.iter().enumerate() {
                let name = format!("{}, {}", suite.name, case.name);
                assert!(
                    !suite.cases[..index].iter().any(|other| other.name == case.name),
                    "{name} occurs twice"
                );
                let settings =
                    PuzzleSettings { goal: case.goal.map(Into::into), metric: case.metric.map(Into::into) };
                let puzzle = catalog::open(case.puzzle, &settings).expect(&name);
                puzzle.complete(&case.solver.parse().expect(&name)).expect(&name);
                assert!(case.threads > 0, "{name} has at least one thread");
                let positions: Vec<&String> = match &case.positions {
                    Positions::Listed(positions) => positions.iter().collect(),
                    Positions::Published(positions) => positions.iter().map(|(text, _)| text).collect(),
                    Positions::Random { .. } => continue,
                };
                assert!(!positions.is_empty(), "{name} has at least one position");
                for position in positions {
                    let parsed = puzzle.parse(position, true, &InputFormat::default());
                    assert!(matches!(parsed, Ok(Parsed::Position(_))), "{name}: {position}");
                }
            }
        }
    }
}
