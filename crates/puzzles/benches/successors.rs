//! Making a node's successors side by side, as one is tempted to do, against making them one after the other: what an
//! expansion costs either way. `docs/experiments.md` tells what comes of it.
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

mod common;

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use common::{eight, fifteen, korf};
use untumble_puzzles::tiles::{Board, Tiles};
use untumble_search::moves::Move;
use untumble_search::puzzle::Puzzle;

type State = Board<u64>;

/// No node of a sliding puzzle has more.
const SUCCESSORS: usize = 4;

/// A line of the table: nanoseconds an expansion, the best of some rounds.
fn line(what: &str, expansions: usize, mut expand: impl FnMut(usize)) -> f64 {
    const ROUNDS: usize = 5;
    let round = |_| {
        let begun = Instant::now();
        (0..expansions).for_each(&mut expand);
        begun.elapsed().as_nanos() as f64 / expansions as f64
    };
    let best = (0..ROUNDS).map(round).fold(f64::MAX, f64::min);
    println!("  {what:<58}{best:>12.0} ns");
    best
}

/// One after the other.
fn in_turn(puzzle: &Tiles<u64>, state: &State, out: &mut Vec<State>) {
    out.clear();
    out.extend(puzzle.legal(state).into_iter().map(|m| puzzle.apply(state, m)));
}

/// A thread for each.
fn threads_anew(puzzle: &Tiles<u64>, state: &State, out: &mut Vec<State>) {
    out.clear();
    thread::scope(|scope| {
        let moves: Vec<Move> = puzzle.legal(state).into_iter().collect();
        let made: Vec<_> = moves.iter().map(|&m| scope.spawn(move || puzzle.apply(state, m))).collect();
        out.extend(made.into_iter().map(|thread| thread.join().expect("no panic")));
    });
}

/// Threads that wait for work at the end of a channel.
struct Channels {
    work: Vec<Sender<(State, Move)>>,
    done: Receiver<State>,
}

impl Channels {
    fn expand(&self, puzzle: &Tiles<u64>, state: &State, out: &mut Vec<State>) {
        out.clear();
        let mut handed = 0;
        for (place, m) in puzzle.legal(state).into_iter().enumerate() {
            self.work[place % self.work.len()].send((*state, m)).expect("it listens");
            handed += 1;
        }
        out.extend((0..handed).map(|_| self.done.recv().expect("it answers")));
    }
}

/// Where a spinning thread finds its work and leaves the answer.
struct Slot {
    /// 0 empty, 1 work, 2 answer.
    phase: AtomicU32,
    work: Mutex<(State, Move)>,
}

impl Slot {
    fn wait(&self, phase: u32, over: &AtomicBool) -> bool {
        let mut turns = 0u32;
        while self.phase.load(Ordering::Acquire) != phase {
            if over.load(Ordering::Relaxed) {
                return false;
            }
            turns += 1;
            // Where there are more threads than cores somebody else may be the one that is waited for.
            if turns.is_multiple_of(1000) { thread::yield_now() } else { spin_loop() }
        }
        true
    }

    fn serve(&self, puzzle: &Tiles<u64>, over: &AtomicBool) {
        while self.wait(1, over) {
            let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
            work.0 = puzzle.apply(&work.0, work.1);
            drop(work);
            self.phase.store(2, Ordering::Release);
        }
    }
}

/// As many successors as there are threads that never sleep by those, the others here.
fn spinning(puzzle: &Tiles<u64>, slots: &[Slot], state: &State, out: &mut Vec<State>, over: &AtomicBool) {
    out.clear();
    let mut moves = puzzle.legal(state).into_iter();
    let own = moves.next();
    let mut handed = 0;
    for (slot, m) in slots.iter().zip(moves.by_ref()) {
        *slot.work.lock().unwrap_or_else(PoisonError::into_inner) = (*state, m);
        slot.phase.store(1, Ordering::Release);
        handed += 1;
    }
    out.extend(own.into_iter().chain(moves).map(|m| puzzle.apply(state, m)));
    for slot in &slots[..handed] {
        slot.wait(2, over);
        out.push(slot.work.lock().unwrap_or_else(PoisonError::into_inner).0);
        slot.phase.store(0, Ordering::Release);
    }
}

fn table(name: &str, puzzle: &Tiles<u64>, states: &[State]) {
    println!("{name}, an expansion (2 to 4 successors):");
    let state = |place: usize| &states[place % states.len()];
    let mut out = Vec::with_capacity(SUCCESSORS);
    let plain = line("in turn, one thread", 1_000_000, |place| {
        in_turn(puzzle, state(place), &mut out);
        std::hint::black_box(&out);
    });
    let over = AtomicBool::new(false);
    // No more than find a core of their own, but one at least.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let spinners = (cores - 1).clamp(1, SUCCESSORS - 1);
    let slots: Vec<Slot> = (0..spinners)
        .map(|_| Slot { phase: AtomicU32::new(0), work: Mutex::new((states[0], Move(0))) })
        .collect();
    let spun = thread::scope(|scope| {
        for slot in &slots {
            scope.spawn(|| slot.serve(puzzle, &over));
        }
        let spun = line(&format!("side by side, {spinners} more that spin for work"), 20_000, |place| {
            spinning(puzzle, &slots, state(place), &mut out, &over);
            std::hint::black_box(&out);
        });
        over.store(true, Ordering::Relaxed);
        spun
    });
    let handed = thread::scope(|scope| {
        let (answer, done) = channel();
        let work = (0..SUCCESSORS)
            .map(|_| {
                let (sender, work) = channel::<(State, Move)>();
                let answer = answer.clone();
                scope.spawn(move || {
                    work.iter().try_for_each(|(state, m)| answer.send(puzzle.apply(&state, m)))
                });
                sender
            })
            .collect();
        let channels = Channels { work, done };
        line("side by side, 4 threads at the end of channels", 5_000, |place| {
            channels.expand(puzzle, state(place), &mut out);
            std::hint::black_box(&out);
        })
    });
    let anew = line("side by side, a new thread for each", 1_000, |place| {
        threads_anew(puzzle, state(place), &mut out);
        std::hint::black_box(&out);
    });
    println!(
        "  times as long as in turn: {:.0} spinning, {:.0} by channels, {:.0} with new threads\n",
        spun / plain,
        handed / plain,
        anew / plain
    );
}

fn main() {
    println!("{} cores", thread::available_parallelism().map_or(1, usize::from));
    let tiles = fifteen();
    let states: Vec<State> = korf(&tiles).into_iter().map(|instance| instance.board).collect();
    table("15-puzzle", &tiles, &states);
    let tiles = eight();
    let mut states = vec![tiles.solved()];
    for place in 0..200 {
        let mut made = Vec::new();
        in_turn(&tiles, &states[place], &mut made);
        states.append(&mut made);
    }
    table("8-puzzle", &tiles, &states);
}
