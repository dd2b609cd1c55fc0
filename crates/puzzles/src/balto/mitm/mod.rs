//! Optimal solutions of small boards: iterative deepening with a meet in the middle.
//!
//! Bidirectional search (Pohl, Machine Intelligence 6, 1971) with front-to-end pruning on both sides. An
//! iteration looks for solutions of one length. Its first half enumerates the states at half that length
//! from the goal and stores their hashes. Its second half enumerates the states at the remaining length from
//! the start and looks them up. A state is pruned if its lower bound to the *other* end exceeds the
//! remaining moves, which prunes nearly all states in the last few moves. The set stores fingerprints only.
//! A hit is verified by completing the path; a miss is certain, so a length without a hit is a proof.

mod board;
mod fingerprints;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use untumble_search::control::{Control, Stop};
use untumble_search::moves::Move;
use untumble_search::puzzle::Puzzle;
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo};
use untumble_search::report::{Counts, Iteration, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::threads::run_parallel;

use self::board::{BoardTables, DistanceBoard, PathEnumerator};
use self::fingerprints::{FingerprintSet, PackedPath, PrefetchBatch};
use super::{Balto, Board, is_clockwise};

/// The name of the algorithm in solver texts.
pub(super) const NAME: &str = "meet";

pub(super) fn entry() -> AlgorithmEntry<Balto> {
    let info = AlgorithmInfo::new(NAME, "meet in the middle with a lower bound on both sides (side 2 and 3)");
    AlgorithmEntry::new(info, |_| Ok(Box::new(MeetInTheMiddle)))
}

/// The longest supported side: solutions of longer sides need more moves than two [`PackedPath`]s hold.
pub(super) const MAX_SIDE: usize = 3;
/// Initial capacity of the set; doubled whenever it is full.
const INITIAL_CAPACITY: usize = 1 << 16;
/// Length of the path prefixes that are distributed over the threads.
const PREFIX_LENGTH: usize = 3;

/// The solver.
pub(super) struct MeetInTheMiddle;

impl Solver<Balto> for MeetInTheMiddle {
    fn solve(&self, balto: &Balto, starts: &[Board], control: &Control) -> Report {
        let mut search = MitmSearch { control, iterations: Vec::new(), solutions: Vec::new() };
        let outcome = match search.run(balto, starts) {
            Ok(()) => Outcome::Solved,
            Err(stop) => Outcome::Stopped(control.request_stop(stop)),
        };
        let generated = search.iterations.iter().map(|pass| pass.generated).sum::<u64>().max(1);
        let counts = Counts { generated, expanded: generated, visited: generated, peak_open: 0 };
        let mut report = Report::from_control(outcome, control, counts);
        report.iterations = search.iterations;
        report.threads = control.threads();
        if control.all_solutions() && outcome == Outcome::Solved {
            report = report.with_solutions(Ok(search.solutions), control);
        }
        report
    }
}

/// The state of the search.
struct MitmSearch<'a> {
    control: &'a Control,
    iterations: Vec<Iteration>,
    solutions: Vec<Vec<Move>>,
}

/// The result of enumerating one half.
#[derive(PartialEq, Eq)]
enum HalfResult {
    Exhausted,
    /// The set needs a larger capacity.
    SetFull,
    Solved,
}

/// One half of an iteration: the paths of `depth` moves from `origin` that may be part of a solution of
/// `total` moves.
struct HalfPass<'a> {
    /// The start or the goal, with its distances to the other one.
    origin: &'a DistanceBoard<'a>,
    /// Allowed directions of the first move; true is clockwise.
    directions: &'a [bool],
    depth: usize,
    total: u32,
    nodes: &'a AtomicU64,
}

impl MitmSearch<'_> {
    fn run(&mut self, balto: &Balto, starts: &[Board]) -> Result<(), Stop> {
        let Some(start) = starts.first() else { return Ok(()) };
        let goal = balto.solved();
        if balto.is_goal(start) {
            self.control.offer(&[], 0);
            self.solutions.push(Vec::new());
            return Ok(());
        }
        let tables = BoardTables::new(balto);
        let forward = DistanceBoard::new(&tables, start, &goal);
        let backward = DistanceBoard::new(&tables, &goal, start);
        let directions: Vec<bool> = starts.iter().map(Board::next_clockwise).collect();
        let mut set = FingerprintSet::new(INITIAL_CAPACITY, self.control)?;
        let lower_bound = forward.distance_sum.div_ceil(2).max(self.control.lower_bound()).max(1);
        for total in lower_bound.. {
            self.control.raise_lower_bound(total);
            if total > self.control.upper_bound()
                || (total == self.control.upper_bound() && !self.control.all_solutions())
            {
                return Ok(());
            }
            let nodes = AtomicU64::new(0);
            let depth = total as usize / 2;
            let goal_half =
                HalfPass { origin: &backward, directions: &[true, false], depth, total, nodes: &nodes };
            while self.store_half(&goal_half, &mut set)? == HalfResult::SetFull {
                let capacity = 2 * set.capacity();
                drop(set);
                set = FingerprintSet::new(capacity, self.control)?;
            }
            let depth = total.div_ceil(2) as usize;
            let start_half =
                HalfPass { origin: &forward, directions: &directions, depth, total, nodes: &nodes };
            let result = self.look_up_half(&start_half, &set)?;
            self.iterations.push(Iteration { bound: total, generated: nodes.into_inner() });
            if result == HalfResult::Solved {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Stores the hashes of all states at half the length from the goal.
    fn store_half(&self, half: &HalfPass<'_>, set: &mut FingerprintSet) -> Result<HalfResult, Stop> {
        set.clear(self.control)?;
        let (set, full) = (&*set, AtomicBool::new(false));
        let store = |hash: u64, _: PackedPath| {
            if full.load(Relaxed) || !set.insert(hash) {
                full.store(true, Relaxed);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        self.for_each_path(half, set, &store)?;
        Ok(if full.into_inner() { HalfResult::SetFull } else { HalfResult::Exhausted })
    }

    /// Looks up all states at half the length from the start, and completes the paths of hits.
    fn look_up_half(&mut self, half: &HalfPass<'_>, set: &FingerprintSet) -> Result<HalfResult, Stop> {
        let found: Mutex<Vec<Vec<Move>>> = Mutex::default();
        let all_solutions = self.control.all_solutions();
        let look_up = |hash: u64, path: PackedPath| {
            if !set.contains(hash) {
                return ControlFlow::Continue(());
            }
            let solutions = complete(half.origin, &path.moves(), half.total, self.control);
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.extend(solutions);
            if all_solutions || found.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.for_each_path(half, set, &look_up)?;
        let found = found.into_inner().unwrap_or_default();
        let Some(first) = found.first() else { return Ok(HalfResult::Exhausted) };
        self.control.offer(first, half.total);
        self.solutions = found;
        Ok(HalfResult::Solved)
    }

    /// Calls `visit` with the hash and path of every state of a half, on all threads, until it breaks.
    fn for_each_path(
        &self,
        half: &HalfPass<'_>,
        set: &FingerprintSet,
        visit: &(dyn Fn(u64, PackedPath) -> ControlFlow<()> + Sync),
    ) -> Result<(), Stop> {
        let prefixes = self.prefixes(half)?;
        let (next_prefix, done) = (AtomicUsize::new(0), AtomicBool::new(false));
        run_parallel(self.control.threads().min(prefixes.len().max(1)), |_| {
            let mut meter = self.control.meter();
            let mut batch = PrefetchBatch::default();
            while let Some((clockwise, prefix)) = prefixes.get(next_prefix.fetch_add(1, Relaxed)) {
                let mut board = half.origin.clone();
                board.apply_all(prefix);
                let enqueue = |board: &DistanceBoard<'_>, clockwise: bool, path: &[Move]| {
                    if done.load(Relaxed) {
                        return ControlFlow::Break(());
                    }
                    if batch.push(board.hash(clockwise), path, set) {
                        batch.drain(visit)
                    } else {
                        ControlFlow::Continue(())
                    }
                };
                let (depth, total, path) = (half.depth, half.total, prefix.clone());
                let mut paths = PathEnumerator { meter: &mut meter, depth, total, path, visit: enqueue };
                if paths.run(&mut board, *clockwise).is_break() {
                    done.store(true, Relaxed);
                }
            }
            if !done.load(Relaxed) && batch.drain(visit).is_break() {
                done.store(true, Relaxed);
            }
            half.nodes.fetch_add(meter.nodes(), Relaxed);
        });
        self.control.stop_reason().map_or(Ok(()), Err)
    }

    /// The prefixes of all paths of a half, each with the direction of the move after it.
    fn prefixes(&self, half: &HalfPass<'_>) -> Result<Vec<(bool, Vec<Move>)>, Stop> {
        let mut prefixes = Vec::new();
        let mut meter = self.control.meter();
        let (depth, total) = (half.depth.min(PREFIX_LENGTH), half.total);
        for &clockwise in half.directions {
            let visit = |_: &DistanceBoard<'_>, clockwise: bool, path: &[Move]| {
                prefixes.push((clockwise, path.to_vec()));
                ControlFlow::Continue(())
            };
            let mut paths = PathEnumerator { meter: &mut meter, depth, total, path: Vec::new(), visit };
            // Breaks only if the search is stopped, which the control reports below.
            let _ = paths.run(&mut half.origin.clone(), clockwise);
        }
        half.nodes.fetch_add(meter.nodes(), Relaxed);
        self.control.stop_reason().map_or(Ok(prefixes), Err)
    }
}

/// The solutions of `total` moves that begin with `path`: one, or all if the control asks for all.
fn complete(start: &DistanceBoard<'_>, path: &[Move], total: u32, control: &Control) -> Vec<Vec<Move>> {
    let mut board = start.clone();
    board.apply_all(path);
    let mut solutions = Vec::new();
    let mut meter = control.meter();
    let visit = |board: &DistanceBoard<'_>, _: bool, path: &[Move]| {
        // If all tiles are at home, so is the empty cell.
        if board.distance_sum == 0 {
            solutions.push(path.to_vec());
            if !control.all_solutions() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let clockwise = path.last().is_none_or(|&m| !is_clockwise(m));
    let (depth, path) = (total as usize, path.to_vec());
    let mut paths = PathEnumerator { meter: &mut meter, depth, total, path, visit };
    // A break means that `solutions` holds a solution, or that the control stopped the search; the caller
    // sees both.
    let _ = paths.run(&mut board, clockwise);
    solutions
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
        Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent)).with_all_solutions(all)
    }

    fn solve_with(balto: &Balto, name: &str, board: &Board, control: &Control) -> Report {
        let solver = balto.solver(name, &Runtime::default(), control).expect("no limit").solver;
        solver.solve(balto, &balto.start_states(board), control)
    }

    #[test]
    fn lengths_equal_those_of_ida_star() {
        for (side, steps, count) in [(2, 60, 40), (3, 16, 16)] {
            let balto = Balto::new(side);
            let mut rng = ChaCha8Rng::seed_from_u64(side as u64);
            for (board, _) in laws::random_walk(&balto, steps, &mut rng).into_iter().rev().take(count) {
                let board = board.with_direction(true);
                let optimal = solve_with(&balto, "ida+torus", &board, &control(1, false)).lower_bound;
                for threads in [1, 2] {
                    let report = solve_with(&balto, NAME, &board, &control(threads, false));
                    assert!(report.optimal(), "{board:?}");
                    let best = report.best.expect("solved");
                    assert_eq!(best.cost, optimal, "{board:?}");
                    let starts = balto.start_states(&board);
                    assert!(laws::is_solution(&balto, &starts, &best.moves));
                }
            }
        }
    }

    #[test]
    fn all_optimal_solutions_equal_those_of_bfs() {
        let balto = Balto::new(2);
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (board, _) in laws::random_walk(&balto, 30, &mut rng) {
            let board = board.with_direction(true);
            let [found, expected] =
                [NAME, "bfs"].map(|name| solve_with(&balto, name, &board, &control(2, true)).solutions);
            assert_eq!(found, expected, "{board:?}");
        }
    }

    #[test]
    fn memory_node_and_time_limits_stop_the_search() {
        let balto = Balto::new(3);
        let board = balto.random(&mut ChaCha8Rng::seed_from_u64(1));
        for limits in [
            Limits { memory: Some(1 << 20), ..Limits::default() },
            Limits { nodes: Some(100_000), ..Limits::default() },
            Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() },
        ] {
            let control = Control::new(limits, Arc::new(Silent));
            let report = solve_with(&balto, NAME, &board, &control);
            assert!(matches!(report.outcome, Outcome::Stopped(_)), "{limits:?}");
            assert!(report.lower_bound > 10 && report.best.is_none());
        }
    }
}
