//! Shortest solutions of small boards: half of the way from either end.
//!
//! All boards that the goal leads to in half of the moves are kept by their hash, and all that the start leads to in the other
//! half are looked up. The bound holds on both sides: what lies too far from the *other* end is left out, which is nearly everything in the
//! last moves. A hash that is found is followed to the goal, so that a chance match costs time and nothing else; one that is
//! not found is a proof.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use untumble_search::control::{Control, Meter, Reserved, Stop};
use untumble_search::memory::advise_huge;
use untumble_search::moves::Move;
use untumble_search::perm::SplitMix64;
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::Puzzle;
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo};
use untumble_search::report::{Counts, Iteration, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::threads::run_parallel;

use super::{Balto, Board, TURNS, back, is_clockwise};

/// How it is called.
pub(super) const NAME: &str = "meet";

/// The entry of meeting in the middle.
pub(super) fn entry() -> AlgorithmEntry<Balto> {
    let info = AlgorithmInfo::new(
        NAME,
        "half of the way from either end, with the bound on both sides (side 2 and 3)",
    );
    AlgorithmEntry::new(info, |_| Ok(Box::new(Meet)))
}

/// The longest side whose boards it solves: longer ones take more moves than two halves can be.
pub(super) const LONGEST_SIDE: usize = 3;
/// More cells than that side has.
const CELLS: usize = 32;
/// Boards kept in the beginning; twice as many whenever they run short.
const FIRST_PLACES: usize = 1 << 16;
/// Moves in a task for a thread.
const PREFIX: usize = 3;
/// Boards that wait for their place in the table to come from memory.
const AHEAD: usize = 32;

/// The solver.
pub(super) struct Meet;

impl Solver<Balto> for Meet {
    fn solve(&self, balto: &Balto, starts: &[Board], control: &Control) -> Report {
        let mut search = Search { control, iterations: Vec::new(), solutions: Vec::new() };
        let outcome = match search.run(balto, starts) {
            Ok(()) => Outcome::Solved,
            Err(stop) => Outcome::Stopped(control.request_stop(stop)),
        };
        let generated = search.iterations.iter().map(|pass| pass.generated).sum::<u64>().max(1);
        let counts = Counts { generated, expanded: generated, visited: generated, peak_open: 0 };
        let mut report = Report::from_control(outcome, control, counts);
        report.iterations = search.iterations;
        report.threads = control.threads();
        if control.all() && outcome == Outcome::Solved {
            report = report.listing(Ok(search.solutions), control);
        }
        report
    }
}

/// What does not depend on the board.
struct Ground {
    around: Vec<[u8; 6]>,
    /// From cell to cell.
    far: Vec<[u8; CELLS]>,
    /// A number for each tile in each cell; a board's hash is made of them.
    codes: Vec<[u64; CELLS]>,
}

impl Ground {
    fn new(balto: &Balto) -> Ground {
        let lattice = balto.lattice();
        let cells = lattice.cells() as u16;
        let mut scatter = SplitMix64(0x0042_616c_746f);
        let distance = |from: u16, to: usize| {
            if to < usize::from(cells) { lattice.distance(from, to as u16) as u8 } else { 0 }
        };
        Ground {
            around: (0..cells).map(|cell| lattice.around(cell).map(|cell| cell as u8)).collect(),
            far: (0..cells).map(|from| std::array::from_fn(|to| distance(from, to))).collect(),
            codes: (0..cells).map(|_| std::array::from_fn(|_| scatter.next_u64())).collect(),
        }
    }
}

/// A board that is walked on towards another.
#[derive(Clone)]
struct Walk<'a> {
    ground: &'a Ground,
    cells: [u8; CELLS],
    /// Where each tile belongs on the other board.
    homes: [u8; CELLS],
    hole: usize,
    /// The distances of all tiles from there.
    sum: u32,
    hash: u64,
}

impl<'a> Walk<'a> {
    fn new(ground: &'a Ground, from: &Board, to: &Board) -> Walk<'a> {
        let mut walk = Walk {
            ground,
            cells: [0; CELLS],
            homes: [0; CELLS],
            hole: usize::from(from.hole()),
            sum: 0,
            hash: 0,
        };
        for (cell, &tile) in to.cells().iter().enumerate() {
            walk.homes[usize::from(tile)] = cell as u8;
        }
        for (cell, &tile) in from.cells().iter().enumerate() {
            walk.cells[cell] = tile as u8;
            walk.hash ^= ground.codes[cell][usize::from(tile)];
            if cell != walk.hole {
                walk.sum += u32::from(walk.far(cell, tile as u8));
            }
        }
        walk
    }

    #[inline]
    fn far(&self, cell: usize, tile: u8) -> u8 {
        self.ground.far[cell][usize::from(self.homes[usize::from(tile)])]
    }

    /// The cells beside the hole that a move turns.
    #[inline]
    fn turned(&self, m: Move) -> (usize, usize) {
        let (second, third) = super::corners(m);
        let around = &self.ground.around[self.hole];
        (usize::from(around[second]), usize::from(around[third]))
    }

    /// The sum after a move.
    #[inline]
    fn price(&self, m: Move) -> u32 {
        let (second, third) = self.turned(m);
        let (first_tile, other) = (self.cells[second], self.cells[third]);
        let before = u32::from(self.far(second, first_tile)) + u32::from(self.far(third, other));
        let after = u32::from(self.far(third, first_tile)) + u32::from(self.far(self.hole, other));
        self.sum + after - before
    }

    /// Makes a move that leads to this sum.
    #[inline]
    fn step(&mut self, m: Move, sum: u32) {
        let (second, third) = self.turned(m);
        let first = self.hole;
        let [hole, tile, other] = [first, second, third].map(|cell| self.cells[cell]);
        let codes = &self.ground.codes;
        let code = |cell: usize, tile: u8| codes[cell][usize::from(tile)];
        self.hash ^= code(first, hole) ^ code(second, tile) ^ code(third, other);
        (self.cells[first], self.cells[second], self.cells[third]) = (other, hole, tile);
        self.hash ^= code(first, other) ^ code(second, hole) ^ code(third, tile);
        (self.hole, self.sum) = (second, sum);
    }

    /// What the board is known by, with the direction of the next turn.
    #[inline]
    fn name(&self, clockwise: bool) -> u64 {
        (self.hash ^ u64::from(clockwise).wrapping_mul(0xd6e8_feb8_6659_fd93))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The moves of a direction.
fn moves(clockwise: bool) -> impl Iterator<Item = Move> {
    let first = if clockwise { 0 } else { TURNS };
    (first..first + TURNS).map(Move)
}

/// Walks all ways of `depth` moves in all that may be part of a solution of `total` moves.
struct Descent<'a, 'm, F> {
    meter: &'a mut Meter<'m>,
    depth: usize,
    total: u32,
    way: Vec<Move>,
    at_end: F,
}

impl<F: FnMut(&Walk<'_>, bool, &[Move]) -> ControlFlow<()>> Descent<'_, '_, F> {
    fn go(&mut self, walk: &mut Walk<'_>, clockwise: bool) -> ControlFlow<()> {
        if self.way.len() == self.depth {
            return (self.at_end)(walk, clockwise, &self.way);
        }
        if self.meter.check().is_break() {
            return ControlFlow::Break(());
        }
        let undo = self.way.last().map(|&m| back(m));
        let left = self.total - self.way.len() as u32 - 1;
        for m in moves(clockwise).filter(|&m| Some(m) != undo) {
            self.meter.tick();
            let (sum, before) = (walk.price(m), walk.sum);
            if sum.div_ceil(2) > left {
                continue;
            }
            walk.step(m, sum);
            self.way.push(m);
            let end = self.go(walk, !clockwise);
            self.way.pop();
            walk.step(back(m), before);
            end?;
        }
        ControlFlow::Continue(())
    }
}

/// Boards by a part of their hash.
struct Kept {
    tags: Vec<AtomicU32>,
    count: AtomicUsize,
    _reserved: Reserved,
}

impl Kept {
    fn new(places: usize, control: &Control) -> Result<Kept, Stop> {
        let reserved = control.reserve(4 * places as u64)?;
        let mut tags: Vec<AtomicU32> = Vec::with_capacity(places);
        advise_huge(tags.as_ptr(), places);
        while tags.len() < places {
            // So much memory takes a while.
            control.poll()?;
            tags.extend(
                std::iter::repeat_with(|| AtomicU32::new(0)).take((places - tags.len()).min(1 << 20)),
            );
        }
        Ok(Kept { tags, count: AtomicUsize::new(0), _reserved: reserved })
    }

    fn clear(&mut self, control: &Control) -> Result<(), Stop> {
        for part in self.tags.chunks_mut(1 << 20) {
            control.poll()?;
            part.iter_mut().for_each(|tag| *tag.get_mut() = 0);
        }
        *self.count.get_mut() = 0;
        Ok(())
    }

    /// The place where a board is looked for first, and what marks it there.
    #[inline]
    fn place(&self, name: u64) -> (usize, u32) {
        ((name >> (64 - self.tags.len().ilog2())) as usize, name as u32 | 1)
    }

    /// Keeps a board; false where there are too many.
    #[inline]
    fn keep(&self, name: u64) -> bool {
        let (mut place, tag) = self.place(name);
        loop {
            match self.tags[place].compare_exchange(0, tag, Relaxed, Relaxed) {
                Ok(_) => break,
                Err(held) if held == tag => return true,
                Err(_) => place = (place + 1) & (self.tags.len() - 1),
            }
        }
        // At most three quarters full.
        self.count.fetch_add(1, Relaxed) < self.tags.len() / 4 * 3
    }

    #[inline]
    fn has(&self, name: u64) -> bool {
        let (mut place, tag) = self.place(name);
        loop {
            match self.tags[place].load(Relaxed) {
                0 => return false,
                held if held == tag => return true,
                _ => place = (place + 1) & (self.tags.len() - 1),
            }
        }
    }
}

/// Boards whose places in the table have been asked for, with the ways to them.
#[derive(Default)]
struct Batch {
    boards: Vec<(u64, u64)>,
}

impl Batch {
    /// Puts a board in; true where it is time to [`Batch::settle`].
    #[inline]
    fn put(&mut self, name: u64, way: &[Move], kept: &Kept) -> bool {
        prefetch(&kept.tags, kept.place(name).0);
        // Four bits a move, behind a one that tells how many there are.
        let code = way.iter().fold(1, |code, m| code << 4 | u64::from(m.0));
        self.boards.push((name, code));
        self.boards.len() == AHEAD
    }

    /// Takes all out and hands each to `each`, which says whether to go on.
    fn settle(&mut self, mut each: impl FnMut(u64, u64) -> ControlFlow<()>) -> ControlFlow<()> {
        self.boards.drain(..).try_for_each(|(name, way)| each(name, way))
    }
}

/// The way that a number stands for.
fn decoded(code: u64) -> Vec<Move> {
    let length = code.ilog2() / 4;
    (0..length).rev().map(|place| Move((code >> (4 * place) & 15) as u8)).collect()
}

struct Search<'a> {
    control: &'a Control,
    iterations: Vec<Iteration>,
    solutions: Vec<Vec<Move>>,
}

/// How a pass over one half ended.
#[derive(PartialEq, Eq)]
enum Half {
    Done,
    /// More boards than there are places.
    Full,
    Found,
}

impl Search<'_> {
    fn run(&mut self, balto: &Balto, starts: &[Board]) -> Result<(), Stop> {
        let Some(start) = starts.first() else { return Ok(()) };
        let goal = balto.solved();
        if balto.is_goal(start) {
            self.control.offer(&[], 0);
            self.solutions.push(Vec::new());
            return Ok(());
        }
        let ground = Ground::new(balto);
        let (there, back) = (Walk::new(&ground, start, &goal), Walk::new(&ground, &goal, start));
        let directions: Vec<bool> = starts.iter().map(Board::clockwise).collect();
        let mut kept = Kept::new(FIRST_PLACES, self.control)?;
        let floor = there.sum.div_ceil(2).max(self.control.bound()).max(1);
        for total in floor.. {
            self.control.prove(total);
            if total > self.control.upper() || (total == self.control.upper() && !self.control.all()) {
                return Ok(());
            }
            let nodes = AtomicU64::new(0);
            while self.gather(&back, total, &mut kept, &nodes)? == Half::Full {
                let places = 2 * kept.tags.len();
                drop(kept);
                kept = Kept::new(places, self.control)?;
            }
            let found = self.look_up(&there, &directions, total, &kept, &nodes)?;
            self.iterations.push(Iteration { bound: total, generated: nodes.into_inner() });
            if found == Half::Found {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Keeps every board half of the way from the goal.
    fn gather(&self, goal: &Walk<'_>, total: u32, kept: &mut Kept, nodes: &AtomicU64) -> Result<Half, Stop> {
        kept.clear(self.control)?;
        let (kept, full) = (&*kept, AtomicBool::new(false));
        let keep = |name: u64, _: u64| {
            if full.load(Relaxed) || !kept.keep(name) {
                full.store(true, Relaxed);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        self.all_ways(goal, &[true, false], total as usize / 2, total, nodes, kept, &keep)?;
        Ok(if full.into_inner() { Half::Full } else { Half::Done })
    }

    /// Looks up every board half of the way from the start, and follows those that are kept.
    fn look_up(
        &mut self,
        start: &Walk<'_>,
        directions: &[bool],
        total: u32,
        kept: &Kept,
        nodes: &AtomicU64,
    ) -> Result<Half, Stop> {
        let found: Mutex<Vec<Vec<Move>>> = Mutex::default();
        let all = self.control.all();
        let look = |name: u64, way: u64| {
            if !kept.has(name) {
                return ControlFlow::Continue(());
            }
            let way = decoded(way);
            let ends = completed(start, &way, total, self.control);
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.extend(ends);
            if all || found.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.all_ways(start, directions, total.div_ceil(2) as usize, total, nodes, kept, &look)?;
        let found = found.into_inner().unwrap_or_default();
        let Some(first) = found.first() else { return Ok(Half::Done) };
        self.control.offer(first, total);
        self.solutions = found;
        Ok(Half::Found)
    }

    /// Hands every board that `depth` moves lead to, and the way to it, to `each`, on all threads.
    #[expect(clippy::too_many_arguments, reason = "both halves are walked alike and differ in all of these")]
    fn all_ways(
        &self,
        from: &Walk<'_>,
        directions: &[bool],
        depth: usize,
        total: u32,
        nodes: &AtomicU64,
        kept: &Kept,
        each: &(dyn Fn(u64, u64) -> ControlFlow<()> + Sync),
    ) -> Result<(), Stop> {
        let tasks = self.tasks(from, directions, depth.min(PREFIX), total, nodes)?;
        let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
        run_parallel(self.control.threads().min(tasks.len().max(1)), |_| {
            let mut meter = self.control.meter();
            let mut batch = Batch::default();
            while let Some((clockwise, prefix)) = tasks.get(next.fetch_add(1, Relaxed)) {
                let mut walk = from.clone();
                for &m in prefix {
                    walk.step(m, walk.price(m));
                }
                let at_end = |walk: &Walk<'_>, clockwise: bool, way: &[Move]| {
                    if over.load(Relaxed) {
                        return ControlFlow::Break(());
                    }
                    if batch.put(walk.name(clockwise), way, kept) {
                        batch.settle(each)
                    } else {
                        ControlFlow::Continue(())
                    }
                };
                let way = prefix.clone();
                let mut descent = Descent { meter: &mut meter, depth, total, way, at_end };
                if descent.go(&mut walk, *clockwise).is_break() {
                    over.store(true, Relaxed);
                }
            }
            if !over.load(Relaxed) && batch.settle(each).is_break() {
                over.store(true, Relaxed);
            }
            nodes.fetch_add(meter.nodes(), Relaxed);
        });
        self.control.stop().map_or(Ok(()), Err)
    }

    /// The first moves of all ways, with the direction of the turn after them.
    fn tasks(
        &self,
        from: &Walk<'_>,
        directions: &[bool],
        depth: usize,
        total: u32,
        nodes: &AtomicU64,
    ) -> Result<Vec<(bool, Vec<Move>)>, Stop> {
        let mut tasks = Vec::new();
        let mut meter = self.control.meter();
        for &clockwise in directions {
            let at_end = |_: &Walk<'_>, clockwise: bool, way: &[Move]| {
                tasks.push((clockwise, way.to_vec()));
                ControlFlow::Continue(())
            };
            let mut descent = Descent { meter: &mut meter, depth, total, way: Vec::new(), at_end };
            // It only breaks where the search is over, which is seen below.
            let _ = descent.go(&mut from.clone(), clockwise);
        }
        nodes.fetch_add(meter.nodes(), Relaxed);
        self.control.stop().map_or(Ok(tasks), Err)
    }
}

/// The solutions of `total` moves that begin with `way`: one, or all where all are wanted.
fn completed(start: &Walk<'_>, way: &[Move], total: u32, control: &Control) -> Vec<Vec<Move>> {
    let mut walk = start.clone();
    for &m in way {
        walk.step(m, walk.price(m));
    }
    let mut found = Vec::new();
    let mut meter = control.meter();
    let at_end = |walk: &Walk<'_>, _: bool, way: &[Move]| {
        // All tiles at home, so the hole is too.
        if walk.sum == 0 {
            found.push(way.to_vec());
            if !control.all() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let clockwise = way.last().is_none_or(|&m| !is_clockwise(m));
    let mut descent = Descent { meter: &mut meter, depth: total as usize, total, way: way.to_vec(), at_end };
    // Why it ended is seen from what it found.
    let _ = descent.go(&mut walk, clockwise);
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::control::{Limits, Silent};
    use untumble_search::frontend::PuzzleFrontend;
    use untumble_search::laws;
    use untumble_search::runtime::Runtime;

    fn control(threads: usize, all: bool) -> Control {
        Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent)).for_all(all)
    }

    fn by(balto: &Balto, name: &str, board: &Board, control: &Control) -> Report {
        let solver = balto.solver(name, &Runtime::default(), control).expect("no limit").solver;
        solver.solve(balto, &balto.starts(board), control)
    }

    #[test]
    fn both_ends_meet_where_other_searches_end() {
        for (side, steps, count) in [(2, 60, 40), (3, 16, 16)] {
            let balto = Balto::new(side);
            let mut rng = ChaCha8Rng::seed_from_u64(side as u64);
            for (board, _) in laws::walk(&balto, steps, &mut rng).into_iter().rev().take(count) {
                let board = board.turning(true);
                let proven = by(&balto, "ida+torus", &board, &control(1, false)).lower_bound;
                for threads in [1, 2] {
                    let report = by(&balto, NAME, &board, &control(threads, false));
                    assert!(report.optimal(), "{board:?}");
                    let best = report.best.expect("proven");
                    assert_eq!(best.cost, proven, "{board:?}");
                    let starts = balto.starts(&board);
                    assert!(laws::replays(&balto, &starts, &best.moves));
                }
            }
        }
    }

    #[test]
    fn all_shortest_solutions_are_listed() {
        let balto = Balto::new(2);
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (board, _) in laws::walk(&balto, 30, &mut rng) {
            let board = board.turning(true);
            let [met, plain] =
                [NAME, "bfs"].map(|name| by(&balto, name, &board, &control(2, true)).solutions);
            assert_eq!(met, plain, "{board:?}");
        }
    }

    #[test]
    fn limits_hold() {
        let balto = Balto::new(3);
        let board = balto.random(&mut ChaCha8Rng::seed_from_u64(1));
        for limits in [
            Limits { memory: Some(1 << 20), ..Limits::default() },
            Limits { nodes: Some(100_000), ..Limits::default() },
            Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() },
        ] {
            let control = Control::new(limits, Arc::new(Silent));
            let report = by(&balto, NAME, &board, &control);
            assert!(matches!(report.outcome, Outcome::Stopped(_)), "{limits:?}");
            assert!(report.lower_bound > 10 && report.best.is_none());
        }
    }
}
