//! Making an answer shorter: the shortest way between two states of it, among all states near it.
//!
//! All states within a radius of a stretch of the path make a tunnel, in which a plain search finds the shortest way. Once the radius
//! is half as long as the stretch, every shorter way there is lies inside, so for short stretches this is a complete search, and for long ones it
//! is what memory allows. Small radii come first, since they mend what is easily mended; then wider ones on shorter stretches,
//! then all of it again with more memory. In between, beams look for other ways home from places along the path: what is far
//! from it no tunnel finds.

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
use crate::states::{Entered, States, hash};
use crate::threads::run_parallel;

/// Searches inside a tunnel reconstruct paths by taking moves back.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

/// Runs a beam of some width and seed: a puzzle's own, or one by a heuristic.
pub type Beams<P> = Box<dyn Fn(usize, u64, &P, &[<P as Puzzle>::State], &Control) -> Report + Send + Sync>;

/// The entry of iterative tunneling.
pub fn entry<P: Puzzle>() -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        options: beam::OPTIONS,
        requirements: REQUIREMENTS,
        takes_heuristic: true,
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new(
            "tunnel",
            "makes an answer shorter: the shortest way among the states near it, ever wider, and beams from \
             places along it; a beam's answer where none is known",
        )
    };
    AlgorithmEntry::new(info, |context| {
        let (width, seed) = beam_options(context.spec);
        let heuristic = context.heuristic()?.erased(context)?;
        let beams: Beams<P> = Box::new(move |width, seed, puzzle: &P, starts, control| {
            beam::by_heuristic(&*heuristic, width, seed, puzzle, starts, control)
        });
        Ok(Box::new(Tunnel { beams, width, seed }))
    })
}

/// Shortens the best answer known.
pub struct Tunnel<P: Puzzle> {
    /// Find an answer where none is known, and others from places along it.
    pub beams: Beams<P>,
    /// The width of the first beam.
    pub width: usize,
    /// Decides between states of equal score.
    pub seed: u64,
}

/// Beams go home from these parts of the path, in eighths: its end first, where they are quick.
const PLACES: [usize; 5] = [6, 4, 2, 5, 0];
/// Beams may price so many children for each state that tunnels may hold.
const BEAM_NODES: u64 = 64;

/// States a tunnel may hold at first, and how much more each time all radii have been tried.
const FIRST_ROOM: usize = 1 << 15;
const MORE_ROOM: usize = 4;
/// Where nobody set a limit, tunnels with more room than this are not dug.
const PATIENT_ROOM: usize = 1 << 21;

impl<P: Puzzle> Solver<P> for Tunnel<P> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let mut counts = Counts { generated: 1, ..Counts::default() };
        if control.best().is_none() {
            let report = (self.beams)(self.width, self.seed, puzzle, starts, control);
            counts = report.counts;
            if report.best.is_none() || control.stop().is_some() {
                return report;
            }
        }
        let stopped = match Line::best(puzzle, starts, control) {
            Some(line) => self.shorten(line, puzzle, control, &mut counts).err(),
            None => None,
        };
        let outcome = match stopped {
            // What there is stands; too little memory only means that nobody can dig further.
            Some(stop) if stop != Stop::Memory => {
                control.request_stop(stop);
                Outcome::Solved
            }
            _ => Outcome::Solved,
        };
        let mut report = Report::from_control(outcome, control, counts);
        report.threads = control.threads();
        if control.all() { report.listing_best() } else { report }
    }
}

/// A path and the states on it.
struct Line<S> {
    states: Vec<S>,
    moves: Vec<Move>,
}

impl<S: Clone> Line<S> {
    /// The best path known, from the start that it solves.
    fn best<P: Puzzle<State = S>>(puzzle: &P, starts: &[S], control: &Control) -> Option<Line<S>> {
        let moves = control.best()?;
        let solved = |start: &&S| puzzle.replay(start, &moves).is_ok_and(|end| puzzle.is_goal(&end));
        let start = starts.iter().find(solved)?;
        let mut states = vec![start.clone()];
        for &m in &moves {
            let state = puzzle.apply(&states[states.len() - 1], m);
            states.push(state);
        }
        Some(Line { states, moves })
    }

    /// Goes on from a state of it in another way, maybe to another goal.
    fn end_in<P: Puzzle<State = S>>(&mut self, puzzle: &P, first: usize, way: Vec<Move>) {
        self.states.truncate(first + 1);
        self.moves.truncate(first);
        let mut state = self.states[first].clone();
        for m in way {
            state = puzzle.apply(&state, m);
            self.states.push(state.clone());
            self.moves.push(m);
        }
    }

    /// Puts ways in the place of stretches of it, each told by its first and its last state, in their order.
    fn mend<P: Puzzle<State = S>>(&mut self, puzzle: &P, ways: Vec<(usize, usize, Vec<Move>)>) {
        // From the end, so that the places before it stay.
        for (first, last, way) in ways.into_iter().rev() {
            let mut state = self.states[first].clone();
            let between = way.split_last().map_or(&[][..], |(_, others)| others);
            let states: Vec<S> = between
                .iter()
                .map(|&m| {
                    state = puzzle.apply(&state, m);
                    state.clone()
                })
                .collect();
            // A way without moves joins its ends, which are one state.
            let inner = if way.is_empty() { first..last } else { first + 1..last };
            self.states.splice(inner, states);
            self.moves.splice(first..last, way);
        }
    }
}

impl<P: Puzzle> Tunnel<P> {
    /// Shortens for as long as that is allowed and may gain something.
    fn shorten(
        &self,
        mut line: Line<P::State>,
        puzzle: &P,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let limits = control.limits();
        let patient = limits.time.is_none() && limits.nodes.is_none();
        // Big boards take as much memory with fewer states.
        let weight = (size_of::<P::Key>() + puzzle.key_heap()).div_ceil(64);
        let mut room = FIRST_ROOM;
        for round in 0.. {
            if patient && room > PATIENT_ROOM {
                break;
            }
            let dig = Dig { radius: 0, span: line.moves.len(), offset: 0, room: (room / weight).max(64) };
            if widen(&mut line, dig, puzzle, control, counts)? == Dug::All {
                break;
            }
            self.search_again(&mut line, round, room, puzzle, control, counts)?;
            room = room.saturating_mul(MORE_ROOM);
        }
        Ok(())
    }

    /// Looks for shorter ways home by beams from places along the line, wider every round.
    fn search_again(
        &self,
        line: &mut Line<P::State>,
        round: u32,
        room: usize,
        puzzle: &P,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let width = self.width.saturating_mul(1 << (2 * round).min(20)).min(MAX_WIDTH);
        for place in PLACES {
            let first = line.moves.len() * place / 8;
            let rest = &line.moves[first..];
            if rest.len() < 2 {
                continue;
            }
            let limits =
                Limits { nodes: Some(room as u64 * BEAM_NODES), max_length: None, ..control.limits() };
            let alone = control.silent_sibling(limits);
            let cost = puzzle.path_cost(rest);
            alone.offer(rest, cost);
            let seed = self.seed.wrapping_add(u64::from(round) << 8 | place as u64);
            let report = (self.beams)(width, seed, puzzle, &line.states[first..=first], &alone);
            counts.generated += report.counts.generated;
            counts.expanded += report.counts.expanded;
            control.charge(report.counts.generated);
            control.poll()?;
            if let Some(way) = alone.best().filter(|_| alone.upper() < cost) {
                line.end_in(puzzle, first, way);
                control.offer(&line.moves, puzzle.path_cost(&line.moves));
            }
        }
        Ok(())
    }
}

/// Digs ever wider tunnels, along ever shorter stretches where they take too much room.
fn widen<P: Puzzle>(
    line: &mut Line<P::State>,
    mut dig: Dig,
    puzzle: &P,
    control: &Control,
    counts: &mut Counts,
) -> Result<Dug, Stop> {
    loop {
        dig.radius += 1;
        // Sweeps that gained nothing: stretches overlap, so that one in two finds what crosses the borders of the other.
        let mut quiet = 0;
        while quiet < 2 {
            dig.span = dig.span.min(line.moves.len());
            let whole = dig.span == line.moves.len();
            // Any shorter way lies within a smaller radius, which has been tried.
            if dig.span < 2 || dig.span + 1 < 2 * dig.radius {
                return Ok(if whole { Dug::All } else { Dug::Some });
            }
            let swept = sweep(line, puzzle, control, counts, dig)?;
            if !swept.ways.is_empty() {
                line.mend(puzzle, swept.ways);
                control.offer(&line.moves, puzzle.path_cost(&line.moves));
                quiet = 0;
            } else if swept.full {
                dig.span = dig.span.div_ceil(2);
                quiet = 0;
            } else if swept.everything {
                return Ok(Dug::All);
            } else {
                quiet += if whole { 2 } else { 1 };
            }
            dig.offset =
                if dig.offset == 0 && dig.span < line.moves.len() { dig.span.div_ceil(2) } else { 0 };
        }
    }
}

/// Whether there is anything left to dig.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dug {
    All,
    Some,
}

/// Which tunnels are dug.
#[derive(Clone, Copy)]
struct Dig {
    radius: usize,
    span: usize,
    offset: usize,
    room: usize,
}

/// What a sweep along the line gave.
#[derive(Default)]
struct Swept {
    /// Shorter ways, by the first and the last state of the stretch they replace, in order.
    ways: Vec<(usize, usize, Vec<Move>)>,
    /// Whether a tunnel would have taken too much room.
    full: bool,
    /// Whether one tunnel held all states there are, from end to end.
    everything: bool,
}

/// Digs a tunnel for every stretch of the line, on all threads.
fn sweep<P: Puzzle>(
    line: &Line<P::State>,
    puzzle: &P,
    control: &Control,
    counts: &mut Counts,
    dig: Dig,
) -> Result<Swept, Stop> {
    let last = line.moves.len();
    let firsts: Vec<usize> =
        (0..).map(|stretch| dig.offset + stretch * dig.span).take_while(|&first| first < last).collect();
    let next = AtomicUsize::new(0);
    let swept = Mutex::new(Swept::default());
    let stopped = Mutex::new(None);
    let threads = control.threads().min(firsts.len()).max(1);
    let nodes = run_parallel(threads, |_| {
        let mut meter = control.meter();
        while let Some(&first) = firsts.get(next.fetch_add(1, Relaxed)) {
            let end = (first + dig.span).min(last);
            match tunnel(&line.states[first..=end], &line.moves[first..end], puzzle, control, &mut meter, dig)
            {
                Err(stop) => {
                    lock(&stopped).get_or_insert(stop);
                    next.store(firsts.len(), Relaxed);
                }
                Ok(found) => {
                    let mut swept = lock(&swept);
                    swept.full |= found.full;
                    swept.everything |= found.everything && (first, end) == (0, last);
                    swept.ways.extend(found.way.map(|way| (first, end, way)));
                }
            }
        }
        meter.nodes()
    });
    counts.generated += nodes.iter().sum::<u64>();
    if let Some(stop) = *lock(&stopped) {
        return Err(stop);
    }
    let mut swept = swept.into_inner().unwrap_or_default();
    swept.ways.sort_by_key(|&(first, ..)| first);
    Ok(swept)
}

/// What a tunnel gave.
struct Found {
    way: Option<Vec<Move>>,
    /// Whether it would have taken too much room.
    full: bool,
    /// Whether there are no states outside.
    everything: bool,
}

/// The shortest way from the first of `states` to the last, if it is shorter than `moves`, among those near them.
fn tunnel<P: Puzzle>(
    states: &[P::State],
    moves: &[Move],
    puzzle: &P,
    control: &Control,
    meter: &mut Meter<'_>,
    dig: Dig,
) -> Result<Found, Stop> {
    let mut near = States::new(control, puzzle.key_heap())?;
    let mut frontier = Vec::new();
    for state in states {
        let key = puzzle.pack(state);
        if let Entered::New(number) = near.enter(hash(&key), key, 0, None)? {
            frontier.push(number);
        }
    }
    for level in 1..=dig.radius {
        for number in std::mem::take(&mut frontier) {
            look(meter, control)?;
            let state = puzzle.unpack(&near.node(number).key);
            for m in puzzle.legal(&state) {
                meter.tick();
                let key = puzzle.pack(&puzzle.apply(&state, m));
                if let Entered::New(number) = near.enter(hash(&key), key, level as Cost, Some(m))? {
                    frontier.push(number);
                }
            }
            if near.len() > dig.room {
                return Ok(Found { way: None, full: true, everything: false });
            }
        }
    }
    let everything = frontier.is_empty();
    let way = shortest(&near, states, puzzle.path_cost(moves), puzzle, control, meter)?;
    Ok(Found { way, full: false, everything })
}

/// The cheapest way from the first of `states` to the last that costs less than `cost` and stays among those `near`.
fn shortest<P: Puzzle>(
    near: &States<P::Key>,
    states: &[P::State],
    cost: Cost,
    puzzle: &P,
    control: &Control,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let (Some(first), Some(last)) = (states.first(), states.last()) else { return Ok(None) };
    let (first, target) = (puzzle.pack(first), puzzle.pack(last));
    let mut reached = States::new(control, puzzle.key_heap())?;
    // States that wait, by their cost.
    let mut waiting: BTreeMap<Cost, Vec<u32>> = BTreeMap::new();
    if let Entered::New(number) = reached.enter(hash(&first), first, 0, None)? {
        waiting.insert(0, vec![number]);
    }
    while let Some((spent, numbers)) = waiting.pop_first() {
        for number in numbers {
            look(meter, control)?;
            let node = reached.node(number);
            if node.cost() < spent {
                continue;
            }
            if node.key == target {
                let node = |key: &P::Key| reached.find(hash(key), key).map(|number| reached.node(number));
                return Ok(Some(path_to(puzzle, last, &node)));
            }
            let state = puzzle.unpack(&node.key);
            for m in puzzle.legal(&state) {
                meter.tick();
                let so_far = spent + puzzle.cost(m);
                if so_far >= cost {
                    continue;
                }
                let key = puzzle.pack(&puzzle.apply(&state, m));
                let hash = hash(&key);
                if near.find(hash, &key).is_none() {
                    continue;
                }
                if let Entered::New(number) | Entered::Better(number) =
                    reached.enter(hash, key, so_far, Some(m))?
                {
                    waiting.entry(so_far).or_default().push(number);
                }
            }
        }
    }
    Ok(None)
}

/// Looks whether the search may go on.
fn look(meter: &mut Meter<'_>, control: &Control) -> Result<(), Stop> {
    if meter.check().is_break() {
        return Err(control.stop().unwrap_or(Stop::Interrupted));
    }
    Ok(())
}
