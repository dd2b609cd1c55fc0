//! Suites of measurements, by name. A suite is data: each puzzle lists its own beside its rules, and [`all`] collects them.

use crate::{cube3, tiles};

/// Searches that are measured together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// Its name.
    pub name: &'static str,
    /// What it measures.
    pub what: &'static str,
    /// What is measured, in the order in which it is listed.
    pub cases: Vec<Case>,
    /// Whether it measures a device.
    pub needs_device: bool,
}

/// A solver on some positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// What to call it; unlike any other of the suite.
    pub name: String,
    /// The puzzle's name in the catalog.
    pub puzzle: &'static str,
    /// What to get to; the puzzle's usual goal where not given.
    pub goal: Option<&'static str>,
    /// How moves are counted; the puzzle's usual way where not given.
    pub metric: Option<&'static str>,
    /// The solver.
    pub with: &'static str,
    /// How many threads it may use.
    pub threads: usize,
    /// The positions.
    pub positions: Positions,
}

/// Positions to measure on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Positions {
    /// As the puzzle reads them.
    Listed(Vec<String>),
    /// So many drawn uniformly with a seed.
    Random {
        /// How many.
        count: usize,
        /// What repeats them.
        seed: u64,
    },
}

/// All suites there are.
pub fn all() -> Vec<Suite> {
    tiles::suites().into_iter().chain(cube3::suites()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{self, Settings};
    use untumble_search::frontend::{InputFormat, Parsed};

    #[test]
    fn every_case_names_a_puzzle_a_solver_and_positions() {
        for suite in all() {
            for (place, case) in suite.cases.iter().enumerate() {
                let name = format!("{}, {}", suite.name, case.name);
                assert!(
                    !suite.cases[..place].iter().any(|other| other.name == case.name),
                    "{name} is there twice"
                );
                let settings =
                    Settings { goal: case.goal.map(Into::into), metric: case.metric.map(Into::into) };
                let puzzle = catalog::open(case.puzzle, &settings).expect(&name);
                puzzle.complete(&case.with.parse().expect(&name)).expect(&name);
                assert!(case.threads > 0, "{name} has threads");
                let Positions::Listed(positions) = &case.positions else { continue };
                assert!(!positions.is_empty(), "{name} has positions");
                for position in positions {
                    let taken = puzzle.parse(position, true, &InputFormat::default());
                    assert!(matches!(taken, Ok(Parsed::Position(_))), "{name}: {position}");
                }
            }
        }
    }
}
