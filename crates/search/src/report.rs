//! The result of a search: outcome, best solution, lower bound and node counts.

use crate::control::{Control, Stop};
use crate::moves::Move;
use crate::puzzle::Cost;

/// The outcome of a search. Reaching a limit is not an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A solution was found.
    Solved,
    /// There is no solution; the search was exhaustive.
    Unsolvable,
    /// The search stopped early; the report may still have a solution and a lower bound.
    Stopped(Stop),
}

impl Outcome {
    /// The names that [`Outcome::name`] returns.
    pub const NAMES: [&str; 3] = ["solved", "unsolvable", "stopped"];

    /// The name used in reports, without the reason for a stop.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Solved => "solved",
            Outcome::Unsolvable => "unsolvable",
            Outcome::Stopped(_) => "stopped",
        }
    }
}

/// A solution and its cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The moves from the position to a goal.
    pub moves: Vec<Move>,
    /// The sum of the moves' costs.
    pub cost: Cost,
}

/// The nodes of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Generated nodes: the root once, and every evaluated child, pruned ones included.
    pub generated: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Distinct states if the solver stores them, else the expanded nodes.
    pub visited: u64,
    /// The largest size of the open list, or of a level.
    pub peak_open: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.visited += other.visited;
        self.peak_open = self.peak_open.max(other.peak_open);
    }
}

/// One pass of iterative deepening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Pass))]
pub struct Iteration {
    /// The largest f-value that the pass searches.
    #[cfg_attr(feature = "openapi", schema(value_type = u32))]
    pub bound: Cost,
    /// Nodes generated in the pass.
    pub generated: u64,
}

/// The report of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The outcome.
    pub outcome: Outcome,
    /// The incumbent at the end of the search.
    pub best: Option<Solution>,
    /// Every optimal solution, sorted, if [`Control::all_solutions`] is set; else empty.
    pub solutions: Vec<Vec<Move>>,
    /// The proven lower bound: no solution costs less.
    pub lower_bound: Cost,
    /// Node counts.
    pub counts: Counts,
    /// The passes of iterative deepening; empty for other algorithms.
    pub iterations: Vec<Iteration>,
    /// The number of threads used.
    pub threads: usize,
    /// The name of the graphics processor used.
    pub device: Option<String>,
    /// The spec of the solver that ran, if it differs from the requested one.
    pub solver: Option<String>,
}

impl Report {
    /// A report with the incumbent and the lower bound of `control`.
    pub fn from_control(outcome: Outcome, control: &Control, counts: Counts) -> Report {
        let best = control.best().map(|moves| Solution { moves, cost: control.upper_bound() });
        Report {
            outcome,
            best,
            solutions: Vec::new(),
            lower_bound: control.lower_bound(),
            counts,
            iterations: Vec::new(),
            threads: 1,
            device: None,
            solver: None,
        }
    }

    /// The report of a search that stopped before it started.
    pub fn not_started(stop: Stop, control: &Control) -> Report {
        let stop = control.request_stop(stop);
        Report::from_control(Outcome::Stopped(stop), control, Counts { generated: 1, ..Counts::default() })
    }

    /// Sets the list of optimal solutions, sorted; the first one becomes the best solution. An error changes
    /// the outcome to stopped.
    #[must_use]
    pub fn with_solutions(mut self, paths: Result<Vec<Vec<Move>>, Stop>, control: &Control) -> Report {
        match paths {
            Ok(mut paths) => {
                paths.sort();
                paths.dedup();
                if let (Some(best), Some(first)) = (&mut self.best, paths.first()) {
                    best.moves.clone_from(first);
                }
                self.solutions = paths;
            }
            Err(stop) => self.outcome = Outcome::Stopped(control.request_stop(stop)),
        }
        self
    }

    /// Lists the best solution alone, for searches that cannot list all optimal ones.
    #[must_use]
    pub fn listing_best_only(mut self) -> Report {
        self.solutions = self.best.iter().map(|best| best.moves.clone()).collect();
        self
    }

    /// Whether the best solution is proven optimal: its cost equals the lower bound.
    pub fn optimal(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.cost <= self.lower_bound)
    }
}
