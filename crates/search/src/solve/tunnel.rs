//! Iterative tunneling: shortens a known solution by optimal search in its neighbourhood (Furcy, "ITSA\*:
//! Iterative Tunneling Search with A\*", AAAI Workshop on Heuristic Search, 2006).
//!
//! All states within a radius of a segment of the path form a tunnel, in which uniform-cost search finds a
//! shortest path between the segment's ends. Once the radius reaches half the length of the segment, every
//! shorter path lies inside, so the search is complete for short segments and limited by memory for long
//! ones.
//!
//! A sweep searches the tunnels of all segments of the path. A round consists of sweeps with growing radii
//! and shrinking segments, then of beam searches from points along the path, which look for solutions
//! outside every tunnel. The next round allows more states per tunnel.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::control::{Control, Limits, Meter, Stop};
use crate::locks::lock;
use crate::moves::Move;
use crate::paths::path_to;
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee};
use crate::report::{Counts, Outcome, Report};
use crate::solve::beam::{self, MAX_WIDTH};
use crate::solve::{Solver, beam_options};
use crate::state_table::{Insertion, StateTable, hash};
use crate::threads::run_parallel;

/// The searches inside a tunnel reconstruct paths with inverses.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

/// Runs a beam search with the given width and seed: the puzzle's specialised beam search, or the generic
/// one with a heuristic.
pub type BeamRunner<P> =
    Box<dyn Fn(usize, u64, &P, &[<P as Puzzle>::State], &Control) -> Report + Send + Sync>;

/// The name of the algorithm in specs.
pub const NAME: &str = "tunnel";

/// The registry entry of `tunnel`.
pub fn entry<P: Puzzle>() -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        options: beam::OPTIONS,
        requirements: REQUIREMENTS,
        takes_heuristic: true,
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new(
            NAME,
            "iterative tunneling: shortens a solution by search among the states near it and by beam searches \
             from points along it; starts with a beam search if no solution is known",
        )
    };
    AlgorithmEntry::new(info, |context| {
        let (width, seed) = beam_options(context.spec);
        let heuristic = context.heuristic()?.build_dyn(context)?;
        let run_beam: BeamRunner<P> = Box::new(move |width, seed, puzzle: &P, starts, control| {
            beam::run_with_heuristic(&*heuristic, width, seed, puzzle, starts, control)
        });
        Ok(Box::new(Tunneling { run_beam, width, seed }))
    })
}

/// Iterative tunneling: shortens the incumbent.
pub struct Tunneling<P: Puzzle> {
    /// Finds a first solution if none is known, and further ones from points along the path.
    pub run_beam: BeamRunner<P>,
    /// The width of the first beam search.
    pub width: usize,
    /// Breaks ties between equal scores.
    pub seed: u64,
}

/// The points of the path, in eighths of its length, from which beam searches start. Mostly late points
/// first, since beams are short there.
const BEAM_STARTS: [usize; 5] = [6, 4, 2, 5, 0];
/// A tunnel may hold `max_states` states if a packed state has at most this size, half as many if it has
/// twice this size, and so on.
const KEY_BLOCK_BYTES: usize = 64;
/// The node limit of a beam search is the `max_states` of the round times this factor. Unlike the limit of a
/// tunnel, it is the same for large packed states.
const BEAM_NODES_PER_STATE: u64 = 64;

/// The largest number of states of a tunnel in the first round, and its growth per round.
const FIRST_MAX_STATES: usize = 1 << 15;
const STATES_GROWTH: usize = 4;
/// The largest number of states of a tunnel if the search has neither a time nor a node limit.
const UNLIMITED_MAX_STATES: usize = 1 << 21;

impl<P: Puzzle> Solver<P> for Tunneling<P> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let mut counts = Counts { generated: 1, ..Counts::default() };
        if control.best().is_none() {
            let report = (self.run_beam)(self.width, self.seed, puzzle, starts, control);
            counts = report.counts;
            if report.best.is_none() || control.stop_reason().is_some() {
                return report;
            }
        }
        // Running out of memory only ends the improvement. No stop is requested for it, so the report says
        // solved, not stopped.
        if let Some(path) = StatePath::incumbent(puzzle, starts, control)
            && let Err(stop) = self.shorten(path, puzzle, control, &mut counts)
            && stop != Stop::Memory
        {
            control.request_stop(stop);
        }
        let mut report = Report::from_control(Outcome::Solved, control, counts);
        report.threads = control.threads();
        // Tunneling cannot enumerate all optimal solutions.
        if control.all_solutions() { report.listing_best_only() } else { report }
    }
}

/// A solution and the states on it.
struct StatePath<S> {
    states: Vec<S>,
    moves: Vec<Move>,
}

impl<S: Clone> StatePath<S> {
    /// The incumbent, from the start state that it solves.
    fn incumbent<P: Puzzle<State = S>>(puzzle: &P, starts: &[S], control: &Control) -> Option<StatePath<S>> {
        let moves = control.best()?;
        let solved = |start: &&S| puzzle.replay(start, &moves).is_ok_and(|end| puzzle.is_goal(&end));
        let start = starts.iter().find(solved)?;
        let mut states = vec![start.clone()];
        for &m in &moves {
            let state = puzzle.apply(&states[states.len() - 1], m);
            states.push(state);
        }
        Some(StatePath { states, moves })
    }

    /// Replaces the moves after state number `first`; the new moves may lead to another goal.
    fn replace_tail<P: Puzzle<State = S>>(&mut self, puzzle: &P, first: usize, tail: Vec<Move>) {
        self.states.truncate(first + 1);
        self.moves.truncate(first);
        let mut state = self.states[first].clone();
        for m in tail {
            state = puzzle.apply(&state, m);
            self.states.push(state.clone());
            self.moves.push(m);
        }
    }

    /// Replaces segments by shorter paths. Each replacement holds the indices of the first and the last state
    /// of a segment and its new moves; replacements are in the order of the segments.
    fn replace_segments<P: Puzzle<State = S>>(
        &mut self,
        puzzle: &P,
        replacements: Vec<(usize, usize, Vec<Move>)>,
    ) {
        // Start at the end, so that earlier indices stay valid.
        for (first, last, moves) in replacements.into_iter().rev() {
            let mut state = self.states[first].clone();
            let inner_moves = moves.split_last().map_or(&[][..], |(_, others)| others);
            let states: Vec<S> = inner_moves
                .iter()
                .map(|&m| {
                    state = puzzle.apply(&state, m);
                    state.clone()
                })
                .collect();
            // Both ends of the segment stay. If the new path is empty, they are the same state, and only one
            // of them stays.
            let replaced = if moves.is_empty() { first..last } else { first + 1..last };
            self.states.splice(replaced, states);
            self.moves.splice(first..last, moves);
        }
    }
}

impl<P: Puzzle> Tunneling<P> {
    /// Improves the path until the limits end the search or no larger tunnel can help.
    fn shorten(
        &self,
        mut path: StatePath<P::State>,
        puzzle: &P,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let limits = control.limits();
        let unlimited = limits.time.is_none() && limits.nodes.is_none();
        // Allow fewer states if their keys are large, so that a tunnel uses about the same memory.
        let key_blocks = (size_of::<P::Key>() + puzzle.key_heap_bytes()).div_ceil(KEY_BLOCK_BYTES);
        let mut max_states = FIRST_MAX_STATES;
        for round in 0.. {
            // Without a limit the search would not end by itself.
            if unlimited && max_states > UNLIMITED_MAX_STATES {
                break;
            }
            let params = SweepParams {
                radius: 0,
                length: path.moves.len(),
                offset: 0,
                max_states: (max_states / key_blocks).max(64),
            };
            if improve(&mut path, params, puzzle, control, counts)? == Coverage::Complete {
                break;
            }
            self.run_beams(&mut path, round, max_states, puzzle, control, counts)?;
            max_states = max_states.saturating_mul(STATES_GROWTH);
        }
        Ok(())
    }

    /// Runs beam searches from points along the path, wider in every round, and keeps shorter solutions.
    fn run_beams(
        &self,
        path: &mut StatePath<P::State>,
        round: u32,
        max_states: usize,
        puzzle: &P,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let width = self.width.saturating_mul(1 << (2 * round).min(20)).min(MAX_WIDTH);
        for eighths in BEAM_STARTS {
            let first = path.moves.len() * eighths / 8;
            let old_tail = &path.moves[first..];
            if old_tail.len() < 2 {
                continue;
            }
            let limits = Limits {
                nodes: Some(max_states as u64 * BEAM_NODES_PER_STATE),
                max_length: None,
                ..control.limits()
            };
            // The beam search has a control of its own, which sends no events to the observer. Its incumbent
            // is the rest of the path.
            let beam_control = control.silent_sibling(limits);
            let old_cost = puzzle.path_cost(old_tail);
            beam_control.offer(old_tail, old_cost);
            let seed = self.seed.wrapping_add(u64::from(round) << 8 | eighths as u64);
            let report = (self.run_beam)(width, seed, puzzle, &path.states[first..=first], &beam_control);
            counts.generated += report.counts.generated;
            counts.expanded += report.counts.expanded;
            control.charge(report.counts.generated);
            if let Some(new_tail) = beam_control.best().filter(|_| beam_control.upper_bound() < old_cost) {
                path.replace_tail(puzzle, first, new_tail);
                control.offer(&path.moves, puzzle.path_cost(&path.moves));
            }
            control.poll()?;
        }
        Ok(())
    }
}

/// Improves the path by sweeps of growing radius. If a tunnel exceeds its state limit, the segments are
/// halved.
fn improve<P: Puzzle>(
    path: &mut StatePath<P::State>,
    mut params: SweepParams,
    puzzle: &P,
    control: &Control,
    counts: &mut Counts,
) -> Result<Coverage, Stop> {
    loop {
        params.radius += 1;
        // A radius is done after two sweeps without a gain. The second shifts the segments by half their
        // length, so that it finds improvements across the borders of the first.
        let mut sweeps_without_gain = 0;
        while sweeps_without_gain < 2 {
            params.length = params.length.min(path.moves.len());
            let one_segment = params.length == path.moves.len();
            // Every state of a shorter path is within length / 2 moves of one of the segment's ends. So if
            // the previous radius was at least length / 2, the tunnels contained every shorter path already.
            if params.length < 2 || 2 * (params.radius - 1) >= params.length {
                return Ok(if one_segment { Coverage::Complete } else { Coverage::Partial });
            }
            let result = sweep(path, puzzle, control, counts, params)?;
            if !result.replacements.is_empty() {
                path.replace_segments(puzzle, result.replacements);
                control.offer(&path.moves, puzzle.path_cost(&path.moves));
                sweeps_without_gain = 0;
            } else if result.exceeded {
                params.length = params.length.div_ceil(2);
                sweeps_without_gain = 0;
            } else if result.exhaustive {
                return Ok(Coverage::Complete);
            } else {
                // A single segment is not shifted, so a second sweep would repeat the first.
                sweeps_without_gain += if one_segment { 2 } else { 1 };
            }
            params.offset = if params.offset == 0 && params.length < path.moves.len() {
                params.length.div_ceil(2)
            } else {
                0
            };
        }
    }
}

/// Whether the sweeps searched every shorter path between the ends of the whole path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coverage {
    Complete,
    Partial,
}

/// How one sweep cuts the path into segments, and the size of their tunnels.
#[derive(Clone, Copy)]
struct SweepParams {
    /// The radius of the tunnels in moves.
    radius: usize,
    /// The length of a segment in moves.
    length: usize,
    /// The index of the first state of the first segment.
    offset: usize,
    /// The largest number of states of a tunnel.
    max_states: usize,
}

/// The result of a sweep along the path.
#[derive(Default)]
struct SweepResult {
    /// `(first, last, moves)`: the indices of the first and the last state of a segment and the shorter path
    /// that replaces it, in the order of the segments.
    replacements: Vec<(usize, usize, Vec<Move>)>,
    /// Whether a tunnel exceeded its state limit.
    exceeded: bool,
    /// Whether one tunnel covered the whole path and the whole state space.
    exhaustive: bool,
}

/// Searches a tunnel for every segment of the path, on all threads.
fn sweep<P: Puzzle>(
    path: &StatePath<P::State>,
    puzzle: &P,
    control: &Control,
    counts: &mut Counts,
    params: SweepParams,
) -> Result<SweepResult, Stop> {
    let last = path.moves.len();
    let segment_starts: Vec<usize> = (0..)
        .map(|segment| params.offset + segment * params.length)
        .take_while(|&first| first < last)
        .collect();
    let next_segment = AtomicUsize::new(0);
    let result = Mutex::new(SweepResult::default());
    let stopped = Mutex::new(None);
    let threads = control.threads().min(segment_starts.len()).max(1);
    let nodes = run_parallel(threads, |_| {
        let mut meter = control.meter();
        while let Some(&first) = segment_starts.get(next_segment.fetch_add(1, Relaxed)) {
            let end = (first + params.length).min(last);
            match search_tunnel(
                &path.states[first..=end],
                &path.moves[first..end],
                puzzle,
                control,
                &mut meter,
                params,
            ) {
                Err(stop) => {
                    lock(&stopped).get_or_insert(stop);
                    next_segment.store(segment_starts.len(), Relaxed);
                }
                Ok(tunnel) => {
                    let mut result = lock(&result);
                    result.exceeded |= tunnel.exceeded;
                    result.exhaustive |= tunnel.exhaustive && (first, end) == (0, last);
                    result.replacements.extend(tunnel.shorter.map(|shorter| (first, end, shorter)));
                }
            }
        }
        meter.nodes()
    });
    counts.generated += nodes.iter().sum::<u64>();
    if let Some(stop) = *lock(&stopped) {
        return Err(stop);
    }
    let mut result = result.into_inner().unwrap_or_default();
    result.replacements.sort_by_key(|&(first, ..)| first);
    Ok(result)
}

/// The result of the search in one tunnel.
struct TunnelResult {
    /// A shorter path, if there is one.
    shorter: Option<Vec<Move>>,
    /// Whether the tunnel exceeded its state limit.
    exceeded: bool,
    /// Whether no state lies outside the tunnel.
    exhaustive: bool,
}

/// Searches the tunnel around `states` for a path between its ends that is cheaper than `moves`.
fn search_tunnel<P: Puzzle>(
    states: &[P::State],
    moves: &[Move],
    puzzle: &P,
    control: &Control,
    meter: &mut Meter<'_>,
    params: SweepParams,
) -> Result<TunnelResult, Stop> {
    let mut tunnel = StateTable::new(control, puzzle.key_heap_bytes())?;
    // The node numbers of the states reached last.
    let mut frontier = Vec::new();
    for state in states {
        let key = puzzle.pack(state);
        if let Insertion::New(number) = tunnel.insert(hash(&key), key, 0, None)? {
            frontier.push(number);
        }
    }
    for distance in 1..=params.radius {
        for number in std::mem::take(&mut frontier) {
            check_stop(meter, control)?;
            let state = puzzle.unpack(&tunnel.node(number).key);
            for m in puzzle.legal(&state) {
                meter.tick();
                let key = puzzle.pack(&puzzle.apply(&state, m));
                if let Insertion::New(number) = tunnel.insert(hash(&key), key, distance as Cost, Some(m))? {
                    frontier.push(number);
                }
            }
            if tunnel.len() > params.max_states {
                return Ok(TunnelResult { shorter: None, exceeded: true, exhaustive: false });
            }
        }
    }
    let exhaustive = frontier.is_empty();
    let shorter = shortest_path_in_tunnel(&tunnel, states, puzzle.path_cost(moves), puzzle, control, meter)?;
    Ok(TunnelResult { shorter, exceeded: false, exhaustive })
}

/// Uniform-cost search from the first of `states` to the last within the states of `tunnel`, for a path that
/// costs less than `upper_bound`.
fn shortest_path_in_tunnel<P: Puzzle>(
    tunnel: &StateTable<P::Key>,
    states: &[P::State],
    upper_bound: Cost,
    puzzle: &P,
    control: &Control,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let (Some(first), Some(last)) = (states.first(), states.last()) else { return Ok(None) };
    let (first, target) = (puzzle.pack(first), puzzle.pack(last));
    let mut reached = StateTable::new(control, puzzle.key_heap_bytes())?;
    // The open list maps costs to node numbers.
    let mut open: BTreeMap<Cost, Vec<u32>> = BTreeMap::new();
    if let Insertion::New(number) = reached.insert(hash(&first), first, 0, None)? {
        open.insert(0, vec![number]);
    }
    while let Some((cost, numbers)) = open.pop_first() {
        for number in numbers {
            check_stop(meter, control)?;
            let node = reached.node(number);
            // The state was later reached at a lower cost.
            if node.cost() < cost {
                continue;
            }
            if node.key == target {
                let node = |key: &P::Key| reached.find(hash(key), key).map(|number| reached.node(number));
                return Ok(Some(path_to(puzzle, last, &node)));
            }
            let state = puzzle.unpack(&node.key);
            for m in puzzle.legal(&state) {
                meter.tick();
                let child_cost = cost + puzzle.cost(m);
                if child_cost >= upper_bound {
                    continue;
                }
                let key = puzzle.pack(&puzzle.apply(&state, m));
                let hash = hash(&key);
                if tunnel.find(hash, &key).is_none() {
                    continue;
                }
                if let Insertion::New(number) | Insertion::Improved(number) =
                    reached.insert(hash, key, child_cost, Some(m))?
                {
                    open.entry(child_cost).or_default().push(number);
                }
            }
        }
    }
    Ok(None)
}

/// Returns an error with the reason if the search must stop.
fn check_stop(meter: &mut Meter<'_>, control: &Control) -> Result<(), Stop> {
    if meter.check().is_break() {
        return Err(control.stop_reason().unwrap_or(Stop::Interrupted));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
