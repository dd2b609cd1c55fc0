//! Bidirectional breadth-first search (Pohl 1971), which always expands the side with the smaller frontier.
//!
//! Each side has a closed list of all states up to some cost. A state in both lists joins two paths. Once
//! the costs of the next levels of the two sides add up to the cost of the best join, the join is optimal.
//!
//! ```
//! use untumble_search::control::Control;
//! use untumble_search::solve::{Solver, bidirectional::Bidirectional};
//! # use untumble_search::example::Dial;
//!
//! // `Dial` is a counter modulo 100 with the moves +1 and -1 and the goal 0.
//! let report = Bidirectional.solve(&Dial::new(100), &[40], &Control::default());
//! assert!(report.optimal());
//! assert_eq!(report.best.unwrap().cost, 40);
//! ```

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::control::{BreakReason, Control, Meter, Stop};
use crate::moves::Move;
use crate::paths::{PathEnd, PathEnumerator, path_to};
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::solve::breadth_first::LEVEL_ENTRY_BYTES;
use crate::state_table::{Insertion, Node, StateTable, hash};

/// One side of the search starts at the goal states and runs backwards.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES_AND_GOAL_STATES;

/// The registry entry of `bibfs`.
pub fn entry<P: Puzzle>() -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        requirements: REQUIREMENTS,
        ..AlgorithmInfo::new("bibfs", "bidirectional breadth-first search")
    };
    AlgorithmEntry::new(info, |_| Ok(Box::new(Bidirectional)))
}

/// Bidirectional breadth-first search.
pub struct Bidirectional;

/// The states reached from the starts or from the goals. On the goal side the stored moves lead away from
/// the goal; a solution uses their inverses.
struct Side<K> {
    states: StateTable<K>,
    /// The node numbers of the states to expand, by cost.
    levels: BTreeMap<Cost, Vec<u32>>,
}

impl<K: Eq + std::hash::Hash> Side<K> {
    /// A side that has reached only its roots: the start states or the goal states.
    fn new<P: Puzzle<Key = K>>(puzzle: &P, roots: &[P::State], control: &Control) -> Result<Side<K>, Stop> {
        let mut side = Side {
            states: StateTable::new(control, puzzle.key_heap_bytes() + LEVEL_ENTRY_BYTES)?,
            levels: BTreeMap::new(),
        };
        for root in roots {
            let key = puzzle.pack(root);
            if let Insertion::New(number) = side.states.insert(hash(&key), key, 0, None)? {
                side.levels.entry(0).or_default().push(number);
            }
        }
        Ok(side)
    }

    /// The cost and the number of states of the next level.
    fn next_level(&self) -> Option<(Cost, usize)> {
        self.levels.first_key_value().map(|(&cost, level)| (cost, level.len()))
    }

    fn find(&self, key: &K) -> Option<&Node<K>> {
        self.states.find(hash(key), key).map(|number| self.states.node(number))
    }
}

/// The data of one search.
struct Search<'a, P: Puzzle> {
    puzzle: &'a P,
    /// The start side and the goal side.
    sides: [Side<P::Key>; 2],
    /// The best join: its cost and the common state.
    join: Option<(Cost, P::State)>,
    expanded: u64,
    /// The number of states in the largest level.
    peak: usize,
}

impl<P: Puzzle> Search<'_, P> {
    /// The cost of the best join; `Cost::MAX` before the first.
    fn upper(&self) -> Cost {
        self.join.as_ref().map_or(Cost::MAX, |&(cost, _)| cost)
    }

    /// Records a join at `state` if it is the best so far.
    fn record_join(&mut self, cost: Cost, state: &P::State) {
        if cost < self.upper() {
            self.join = Some((cost, state.clone()));
        }
    }

    /// A lower bound on the cost of paths that are not joined yet, and the side to expand next.
    fn bound_and_side(&self, all_solutions: bool) -> Option<(Cost, usize)> {
        let [(start_cost, start_states), (goal_cost, goal_states)] =
            [self.sides[0].next_level()?, self.sides[1].next_level()?];
        let edge_cost = self.puzzle.min_move_cost();
        // A path that is not joined yet contains an edge between the next levels of both sides, or a state
        // beyond them.
        let bound = start_cost.saturating_add(goal_cost).saturating_add(edge_cost);
        let side = usize::from(start_states > goal_states);
        // A listed path needs a state that both sides know. A path of cost `bound` may not have one yet, so
        // the bound for listing leaves out the edge.
        if all_solutions { Some((bound - edge_cost, side)) } else { Some((bound, side)) }
    }

    /// Expands the next level of a side; returns early at a join of cost at most `optimal_cost`.
    fn expand_level(
        &mut self,
        side_index: usize,
        optimal_cost: Cost,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let Some((cost, level)) = self.sides[side_index].levels.pop_first() else { return Ok(()) };
        self.peak = self.peak.max(level.len());
        for number in level {
            let node = self.sides[side_index].states.node(number);
            // The entry is stale: the state was later reached at a lower cost.
            if node.cost() != cost {
                continue;
            }
            if let ControlFlow::Break(BreakReason::Stop(stop)) = meter.check() {
                return Err(stop);
            }
            self.expanded += 1;
            let (state, last_move) = (self.puzzle.unpack(&node.key), node.last_move());
            // All legal moves except those that undo the last move.
            for m in self.puzzle.legal(&state) - self.puzzle.undo_set(last_move) {
                meter.tick();
                let child = self.puzzle.apply(&state, m);
                // On the goal side the solution uses the inverse of the move.
                let solution_move = if side_index == 0 { m } else { self.puzzle.required_inverse(m) };
                let child_cost = cost + self.puzzle.cost(solution_move);
                let key = self.puzzle.pack(&child);
                let hash = hash(&key);
                let other = &self.sides[1 - side_index].states;
                let other_cost = other.find(hash, &key).map(|number| other.node(number).cost());
                let side = &mut self.sides[side_index];
                match side.states.insert(hash, key, child_cost, Some(m))? {
                    Insertion::New(number) | Insertion::Improved(number) => {
                        side.levels.entry(child_cost).or_default().push(number);
                    }
                    Insertion::Known => continue,
                }
                if let Some(other_cost) = other_cost {
                    self.record_join(child_cost + other_cost, &child);
                    if self.upper() <= optimal_cost {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// A path from a start to a goal through a state that both sides know.
    fn path(&self, state: &P::State) -> Vec<Move> {
        let mut path = path_to(self.puzzle, state, &|key| self.sides[0].find(key));
        let from_goal = path_to(self.puzzle, state, &|key| self.sides[1].find(key));
        path.extend(from_goal.iter().rev().map(|&m| self.puzzle.required_inverse(m)));
        path
    }

    /// Every optimal sequence: all paths through each state where the costs of both sides add up to
    /// `length`.
    fn all_paths(&self, length: Cost, control: &Control) -> Result<Vec<Vec<Move>>, Stop> {
        let cost = |side: usize| move |key: &P::Key| self.sides[side].find(key).map(Node::cost);
        let costs = [cost(0), cost(1)];
        let mut from_start = PathEnumerator::new(self.puzzle, control, PathEnd::Start, &costs[0])?;
        let mut to_goal = PathEnumerator::new(self.puzzle, control, PathEnd::Goal, &costs[1])?;
        let mut found = Vec::new();
        let mut reserved = control.reserve(0)?;
        for number in 0..self.sides[0].states.len() as u32 {
            let node = self.sides[0].states.node(number);
            let Some(goal_cost) = self.sides[1].find(&node.key).map(Node::cost) else { continue };
            if node.cost() + goal_cost != length {
                continue;
            }
            let state = self.puzzle.unpack(&node.key);
            let suffixes = to_goal.paths_of(&state, goal_cost)?;
            for prefix in from_start.paths_of(&state, node.cost())? {
                for suffix in &suffixes {
                    reserved.grow((size_of::<Vec<Move>>() + prefix.len() + suffix.len()) as u64)?;
                    found.push([prefix.as_slice(), suffix.as_slice()].concat());
                }
            }
        }
        // A path with several states that both sides know was listed once for each.
        found.sort();
        found.dedup();
        Ok(found)
    }
}

impl<P: Puzzle> Solver<P> for Bidirectional {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        search(puzzle, starts, control).unwrap_or_else(|stop| Report::not_started(stop, control))
    }
}

fn search<P: Puzzle>(puzzle: &P, starts: &[P::State], control: &Control) -> Result<Report, Stop> {
    let goals = puzzle.required_goal_states();
    let sides = [Side::new(puzzle, starts, control)?, Side::new(puzzle, &goals, control)?];
    let mut search = Search { puzzle, sides, join: None, expanded: 0, peak: 0 };
    if let Some(start) = starts.iter().find(|start| puzzle.is_goal(start)) {
        search.record_join(0, start);
    }
    let mut meter = control.meter();
    let mut stopped = None;
    while let Some((bound, side)) = search.bound_and_side(control.all_solutions()) {
        control.raise_lower_bound(bound.min(search.upper()));
        if bound >= search.upper() {
            break;
        }
        // To list all solutions, expand the level to its end.
        let optimal_cost = if control.all_solutions() { 0 } else { bound };
        if let Err(stop) = search.expand_level(side, optimal_cost, &mut meter) {
            stopped = Some(control.request_stop(stop));
            break;
        }
    }
    if let Some((cost, state)) = &search.join {
        let path = search.path(state);
        debug_assert!(puzzle.path_cost(&path) <= *cost);
        control.offer(&path, puzzle.path_cost(&path));
        if stopped.is_none() {
            control.raise_lower_bound(control.upper_bound());
        }
    }
    let outcome = match stopped {
        Some(_) if control.upper_bound() <= control.lower_bound() && !control.all_solutions() => {
            Outcome::Solved
        }
        Some(stop) => Outcome::Stopped(stop),
        None if control.upper_bound() < Cost::MAX => Outcome::Solved,
        None => Outcome::Unsolvable,
    };
    let counts = Counts {
        generated: 1 + meter.nodes(),
        expanded: search.expanded,
        visited: search.sides.iter().map(|side| side.states.len() as u64).sum(),
        peak_open: search.peak as u64,
    };
    let report = Report::from_control(outcome, control, counts);
    if control.all_solutions() && outcome == Outcome::Solved {
        return Ok(report.with_solutions(search.all_paths(control.upper_bound(), control), control));
    }
    Ok(report)
}
