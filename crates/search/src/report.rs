//! What comes back from a search.

use crate::control::{Control, Stop};
use crate::moves::Move;
use crate::puzzle::Cost;

/// How a search ended. A limit is not an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With a path.
    Solved,
    /// With the proof that there is none.
    Unsolvable,
    /// Before it was done; there may be a path and a bound all the same.
    Stopped(Stop),
}

impl Outcome {
    /// The names that [`Outcome::name`] returns.
    pub const NAMES: [&str; 3] = ["solved", "unsolvable", "stopped"];

    /// The name used in reports, without the reason of a stop.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Solved => "solved",
            Outcome::Unsolvable => "unsolvable",
            Outcome::Stopped(_) => "stopped",
        }
    }
}

/// A path and what it costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// From the position to a goal.
    pub moves: Vec<Move>,
    /// The sum of the moves' costs.
    pub cost: Cost,
}

/// The nodes of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// The root once, and every child when it is made or priced, pruned ones included.
    pub generated: u64,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// Distinct states, where the solver knows them; else the expanded nodes.
    pub visited: u64,
    /// The most nodes waiting at any time.
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
pub struct Iteration {
    /// Up to this cost.
    pub bound: Cost,
    /// Nodes generated in it.
    pub generated: u64,
}

/// What a search found, proved and took.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// The best path.
    pub best: Option<Solution>,
    /// Every shortest path, where all were asked for.
    pub solutions: Vec<Vec<Move>>,
    /// No path costs less.
    pub lower_bound: Cost,
    /// The nodes.
    pub counts: Counts,
    /// The passes of iterative deepening.
    pub iterations: Vec<Iteration>,
    /// Threads used.
    pub threads: usize,
    /// The GPU used.
    pub device: Option<String>,
    /// What really ran, where it differs from the name asked for.
    pub solver: Option<String>,
}

impl Report {
    /// The report of a search whose best path and bound stand in `control`.
    pub fn from_control(outcome: Outcome, control: &Control, counts: Counts) -> Report {
        let best = control.best().map(|moves| Solution { moves, cost: control.upper() });
        Report {
            outcome,
            best,
            solutions: Vec::new(),
            lower_bound: control.bound(),
            counts,
            iterations: Vec::new(),
            threads: 1,
            device: None,
            solver: None,
        }
    }

    /// The report of a search that could not even begin.
    pub fn not_begun(stop: Stop, control: &Control) -> Report {
        let stop = control.request_stop(stop);
        Report::from_control(Outcome::Stopped(stop), control, Counts { generated: 1, ..Counts::default() })
    }

    /// The same with every shortest path, in a fixed order, the first of them the best; or stopped while they were listed.
    #[must_use]
    pub fn listing(mut self, paths: Result<Vec<Vec<Move>>, Stop>, control: &Control) -> Report {
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

    /// The same with its one path as the list: for searches that promise nothing about all of them.
    #[must_use]
    pub fn listing_best(mut self) -> Report {
        self.solutions = self.best.iter().map(|best| best.moves.clone()).collect();
        self
    }

    /// Whether the best path is proven shortest.
    pub fn optimal(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.cost <= self.lower_bound)
    }
}
