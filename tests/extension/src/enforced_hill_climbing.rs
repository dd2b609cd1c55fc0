//! Enforced hill climbing (Hoffmann & Nebel, JAIR 2001) for any puzzle.
//!
//! From each state, the solver searches breadth-first for a nearest state with a lower heuristic value and
//! continues there. Moves must have inverses: then every state reached is solvable if and only if the start
//! is, and an exhausted search proves that there is no solution.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use untumble_search::control::{BreakReason, Control, Meter, Stop};
use untumble_search::heuristic::{Admissibility, DynHeuristic};
use untumble_search::moves::Move;
use untumble_search::paths::path_to;
use untumble_search::puzzle::{Cost, Puzzle, Requirements};
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::state_table::{Insertion, StateTable, hash};

/// The name in solver texts.
pub const NAME: &str = "ehc";

/// The registry entry.
pub fn entry<P: Puzzle>() -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        aliases: &["hill-climbing"],
        takes_heuristic: true,
        guarantee: |_| Guarantee::None,
        requirements: Requirements::INVERSES,
        ..AlgorithmInfo::new(NAME, "enforced hill climbing: breadth-first search to the next better state")
    };
    AlgorithmEntry::new(info, |context| {
        let heuristic = context.heuristic()?.build_dyn(context)?;
        Ok(Box::new(EnforcedHillClimbing { heuristic }))
    })
}

/// Enforced hill climbing along a heuristic.
pub struct EnforcedHillClimbing<P: Puzzle> {
    heuristic: Box<dyn DynHeuristic<P>>,
}

/// A state and the path that leads to it.
struct PathTo<P: Puzzle> {
    state: P::State,
    path: Vec<Move>,
}

/// One search with its meter and counts.
struct ClimbSearch<'a, P: Puzzle> {
    puzzle: &'a P,
    heuristic: &'a dyn DynHeuristic<P>,
    control: &'a Control,
    meter: Meter<'a>,
    counts: Counts,
}

impl<P: Puzzle> ClimbSearch<'_, P> {
    /// A path from `start` to a goal; `None` if there is none.
    fn path_from(&mut self, start: &P::State) -> Result<Option<Vec<Move>>, Stop> {
        let mut current = PathTo::<P> { state: start.clone(), path: Vec::new() };
        while !self.puzzle.is_goal(&current.state) {
            let Some(better) = self.improve(&current.state)? else { return Ok(None) };
            current.state = better.state;
            current.path.extend(better.path);
        }
        Ok(Some(current.path))
    }

    /// A nearest state that is a goal or has a lower heuristic value; `None` if no such state is reachable.
    fn improve(&mut self, from: &P::State) -> Result<Option<PathTo<P>>, Stop> {
        let h = self.heuristic.estimate(self.puzzle, from);
        let mut closed = StateTable::new(self.control, self.puzzle.key_heap_bytes() + size_of::<u32>())?;
        let key = self.puzzle.pack(from);
        closed.insert(hash(&key), key, 0, None)?;
        let mut open = VecDeque::from([0]);
        while let Some(number) = open.pop_front() {
            if let ControlFlow::Break(BreakReason::Stop(stop)) = self.meter.check() {
                return Err(stop);
            }
            self.counts.expanded += 1;
            let node = closed.node(number);
            let (depth, last) = (node.cost() + 1, node.last_move());
            let state = self.puzzle.unpack(&node.key);
            for m in self.puzzle.legal(&state) - self.puzzle.undo_set(last) {
                self.meter.tick();
                let child = self.puzzle.apply(&state, m);
                let key = self.puzzle.pack(&child);
                let Insertion::New(number) = closed.insert(hash(&key), key, depth, Some(m))? else {
                    continue;
                };
                let is_better = self.heuristic.estimate(self.puzzle, &child) < h;
                if is_better || self.puzzle.is_goal(&child) {
                    self.counts.visited += closed.len() as u64;
                    let node = |key: &P::Key| closed.find(hash(key), key).map(|number| closed.node(number));
                    let path = path_to(self.puzzle, &child, &node);
                    return Ok(Some(PathTo { state: child, path }));
                }
                open.push_back(number);
            }
            self.counts.peak_open = self.counts.peak_open.max(open.len() as u64);
        }
        Ok(None)
    }
}

impl<P: Puzzle> Solver<P> for EnforcedHillClimbing<P> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let mut starts: Vec<(Cost, &P::State)> =
            starts.iter().map(|start| (self.heuristic.estimate(puzzle, start), start)).collect();
        starts.sort_by_key(|&(h, _)| h);
        if let Some(&(min_h, _)) = starts.first()
            && self.heuristic.dyn_admissibility() != Admissibility::None
        {
            control.raise_lower_bound(min_h);
        }
        let counts = Counts { generated: 1, ..Counts::default() };
        let mut climb =
            ClimbSearch { puzzle, heuristic: &*self.heuristic, control, meter: control.meter(), counts };
        let mut outcome = Outcome::Unsolvable;
        for (_, start) in starts {
            match climb.path_from(start) {
                Ok(None) => continue,
                Ok(Some(path)) => {
                    control.offer(&path, puzzle.path_cost(&path));
                    outcome = Outcome::Solved;
                }
                Err(stop) => outcome = Outcome::Stopped(control.request_stop(stop)),
            }
            break;
        }
        climb.counts.generated += climb.meter.nodes();
        let report = Report::from_control(outcome, control, climb.counts);
        if control.all_solutions() { report.listing_best_only() } else { report }
    }
}
