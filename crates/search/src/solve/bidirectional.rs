//! Breadth-first search from both ends, the smaller side first.
//!
//! Each side knows all states up to some cost. A state known to both joins two ways; once the next levels of the two
//! sides together cost as much as the best join, nothing shorter is left.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::control::{Control, Meter, Pause, Stop};
use crate::moves::Move;
use crate::paths::{End, Ways, path_to};
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::solve::breadth::LISTED;
use crate::states::{Entered, Node, States, hash};

/// One side of the search begins at the goal states and runs backwards.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES_AND_GOAL_STATES;

/// The entry of bidirectional breadth-first search.
pub fn entry<P: Puzzle>() -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        requirements: REQUIREMENTS,
        ..AlgorithmInfo::new("bibfs", "breadth-first search from both ends")
    };
    AlgorithmEntry::new(info, |_| Ok(Box::new(Bidirectional)))
}

/// Bidirectional breadth-first search.
pub struct Bidirectional;

/// The states reached from one end. On the goals' side the moves are those
/// made away from the goal; the way forward takes them back.
struct Side<K> {
    states: States<K>,
    levels: BTreeMap<Cost, Vec<u32>>,
}

impl<K: Eq + std::hash::Hash> Side<K> {
    fn new<P: Puzzle<Key = K>>(puzzle: &P, ends: &[P::State], control: &Control) -> Result<Side<K>, Stop> {
        let mut side =
            Side { states: States::new(control, puzzle.key_heap() + LISTED)?, levels: BTreeMap::new() };
        for end in ends {
            let key = puzzle.pack(end);
            if let Entered::New(number) = side.states.enter(hash(&key), key, 0, None)? {
                side.levels.entry(0).or_default().push(number);
            }
        }
        Ok(side)
    }

    /// The cost of the next level, and how many states it holds.
    fn next(&self) -> Option<(Cost, usize)> {
        self.levels.first_key_value().map(|(&cost, level)| (cost, level.len()))
    }

    fn find(&self, key: &K) -> Option<&Node<K>> {
        self.states.find(hash(key), key).map(|number| self.states.node(number))
    }
}

struct Search<'a, P: Puzzle> {
    puzzle: &'a P,
    /// From the starts, from the goals.
    sides: [Side<P::Key>; 2],
    /// The best join: its cost and the state where it happens.
    join: Option<(Cost, P::State)>,
    expanded: u64,
    peak: usize,
}

impl<P: Puzzle> Search<'_, P> {
    fn upper(&self) -> Cost {
        self.join.as_ref().map_or(Cost::MAX, |&(cost, _)| cost)
    }

    fn meet(&mut self, cost: Cost, state: &P::State) {
        if cost < self.upper() {
            self.join = Some((cost, state.clone()));
        }
    }

    /// What any way not yet joined costs at the least, and the side to go on with.
    fn outlook(&self, all: bool) -> Option<(Cost, usize)> {
        let [(from_start, many), (from_goal, few)] = [self.sides[0].next()?, self.sides[1].next()?];
        let step = self.puzzle.cheapest();
        // A way not joined yet has a state in neither side's finished levels, or an edge between the next two.
        let least = from_start.saturating_add(from_goal).saturating_add(step);
        let side = usize::from(many > few);
        if all { Some((least - step, side)) } else { Some((least, side)) }
    }

    /// Expands a side's next level, or as much of it as it takes to find a join of cost `enough`.
    fn expand_level(&mut self, which: usize, least_upper: Cost, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let Some((cost, level)) = self.sides[which].levels.pop_first() else { return Ok(()) };
        self.peak = self.peak.max(level.len());
        for number in level {
            let node = self.sides[which].states.node(number);
            if node.cost() != cost {
                continue;
            }
            if let ControlFlow::Break(Pause::Stop(stop)) = meter.check() {
                return Err(stop);
            }
            self.expanded += 1;
            let (state, last) = (self.puzzle.unpack(&node.key), node.last());
            for m in self.puzzle.legal(&state) - self.puzzle.undo(last) {
                meter.tick();
                let child = self.puzzle.apply(&state, m);
                // Walked from the goal, the edge will be used the other way round.
                let used = if which == 0 { m } else { self.puzzle.required_inverse(m) };
                let reached = cost + self.puzzle.cost(used);
                let key = self.puzzle.pack(&child);
                let hash = hash(&key);
                let other = &self.sides[1 - which].states;
                let joined = other.find(hash, &key).map(|number| other.node(number).cost());
                let side = &mut self.sides[which];
                match side.states.enter(hash, key, reached, Some(m))? {
                    Entered::New(number) | Entered::Better(number) => {
                        side.levels.entry(reached).or_default().push(number);
                    }
                    Entered::Known => continue,
                }
                if let Some(rest) = joined {
                    self.meet(reached + rest, &child);
                    if self.upper() <= least_upper {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn path(&self, state: &P::State) -> Vec<Move> {
        let mut path = path_to(self.puzzle, state, &|key| self.sides[0].find(key));
        let away = path_to(self.puzzle, state, &|key| self.sides[1].find(key));
        path.extend(away.iter().rev().map(|&m| self.puzzle.required_inverse(m)));
        path
    }

    /// Every shortest sequence: all ways to and from each state where the two sides' costs add up.
    fn all(&self, length: Cost, control: &Control) -> Result<Vec<Vec<Move>>, Stop> {
        let cost = |side: usize| move |key: &P::Key| self.sides[side].find(key).map(Node::cost);
        let costs = [cost(0), cost(1)];
        let mut before = Ways::new(self.puzzle, control, End::Start, &costs[0])?;
        let mut after = Ways::new(self.puzzle, control, End::Goal, &costs[1])?;
        let mut found = Vec::new();
        let mut reserved = control.reserve(0)?;
        for number in 0..self.sides[0].states.len() as u32 {
            let node = self.sides[0].states.node(number);
            let Some(rest) = self.sides[1].find(&node.key).map(Node::cost) else { continue };
            if node.cost() + rest != length {
                continue;
            }
            let state = self.puzzle.unpack(&node.key);
            let ends = after.of(&state, rest)?;
            for begin in before.of(&state, node.cost())? {
                for end in &ends {
                    reserved.grow((size_of::<Vec<Move>>() + begin.len() + end.len()) as u64)?;
                    found.push([begin.as_slice(), end.as_slice()].concat());
                }
            }
        }
        // A path with several such states was joined at each of them.
        found.sort();
        found.dedup();
        Ok(found)
    }
}

impl<P: Puzzle> Solver<P> for Bidirectional {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        search(puzzle, starts, control).unwrap_or_else(|stop| Report::not_begun(stop, control))
    }
}

fn search<P: Puzzle>(puzzle: &P, starts: &[P::State], control: &Control) -> Result<Report, Stop> {
    let goals = puzzle.required_goal_states();
    let sides = [Side::new(puzzle, starts, control)?, Side::new(puzzle, &goals, control)?];
    let mut search = Search { puzzle, sides, join: None, expanded: 0, peak: 0 };
    if let Some(start) = starts.iter().find(|start| puzzle.is_goal(start)) {
        search.meet(0, start);
    }
    let mut meter = control.meter();
    let mut stopped = None;
    while let Some((least, side)) = search.outlook(control.all()) {
        control.prove(least.min(search.upper()));
        if least >= search.upper() {
            break;
        }
        // With all wanted, the level is finished whatever it joins.
        let least_upper = if control.all() { 0 } else { least };
        if let Err(stop) = search.expand_level(side, least_upper, &mut meter) {
            stopped = Some(control.request_stop(stop));
            break;
        }
    }
    if let Some((cost, state)) = &search.join {
        let path = search.path(state);
        debug_assert!(puzzle.path_cost(&path) <= *cost);
        control.offer(&path, puzzle.path_cost(&path));
        if stopped.is_none() {
            control.prove(control.upper());
        }
    }
    let outcome = match stopped {
        Some(_) if control.upper() <= control.bound() && !control.all() => Outcome::Solved,
        Some(stop) => Outcome::Stopped(stop),
        None if control.upper() < Cost::MAX => Outcome::Solved,
        None => Outcome::Unsolvable,
    };
    let counts = Counts {
        generated: 1 + meter.nodes(),
        expanded: search.expanded,
        visited: search.sides.iter().map(|side| side.states.len() as u64).sum(),
        peak_open: search.peak as u64,
    };
    let report = Report::from_control(outcome, control, counts);
    if control.all() && outcome == Outcome::Solved {
        return Ok(report.listing(search.all(control.upper(), control), control));
    }
    Ok(report)
}
