//! `auto` has a solution of every position before any table is built, within a small number of nodes, and
//! builds tables only where they pay.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::catalog;
use untumble_search::checkpoint::{Checkpoint, CheckpointStore, Checkpointer, SearchId};
use untumble_search::control::{Control, Event, Limits, Observer, Stop, TablePhase};
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::{Answer, DynPuzzle, InputFormat, Parsed, Position, Workload};
use untumble_search::puzzle::Cost;
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;

const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/// Records solutions and tables; stops the search at a solution of at most the cost `stop_at`.
#[derive(Default)]
struct Log {
    stop_at: Cost,
    stop_at_table: bool,
    solved: AtomicBool,
    stop: AtomicBool,
    /// Tables built before the first solution.
    early_tables: AtomicU32,
    tables: Mutex<Vec<String>>,
}

impl Observer for Log {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Better(cost) => {
                self.solved.store(true, Relaxed);
                self.stop.fetch_or(*cost <= self.stop_at, Relaxed);
            }
            Event::Table { name, phase: TablePhase::Build, .. } => {
                if !self.solved.load(Relaxed) {
                    self.early_tables.fetch_add(1, Relaxed);
                }
                self.stop.fetch_or(self.stop_at_table, Relaxed);
                let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
                if !tables.contains(name) {
                    tables.push(name.clone());
                }
            }
            _ => {}
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if self.stop.load(Relaxed) {
            ControlFlow::Break(Stop::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn open(name: &str, metric: Option<&str>) -> Box<dyn DynPuzzle> {
    let settings = PuzzleSettings { metric: metric.map(str::to_owned), ..PuzzleSettings::default() };
    catalog::open(name, &settings).expect(name)
}

fn auto(puzzle: &dyn DynPuzzle, position: &Position, limits: Limits, log: &Arc<Log>) -> Answer {
    let runtime = Runtime::default();
    let control = Control::new(limits, log.clone());
    let stages = puzzle.auto(&Workload::one(position, limits, false), &*runtime.tables).stages;
    let portfolio = puzzle.prepare_first(1, &stages, &runtime, &control).expect("no limit is reached");
    portfolio.solve(position, &control).expect("a position of this puzzle")
}

fn parse(puzzle: &dyn DynPuzzle, text: &str) -> Position {
    match puzzle.parse(text, true, &InputFormat::default()) {
        Ok(Parsed::Position(position)) => position,
        _ => puzzle
            .apply(&puzzle.solved(), &puzzle.parse_moves(text).expect("moves"))
            .unwrap_or_else(|_| panic!("{text}")),
    }
}

#[test]
fn every_family_has_a_solution_before_tables_are_built() {
    const MAX_NODES: u64 = 20_000_000;
    let families = [
        "8-puzzle",
        "15-puzzle",
        "24-puzzle",
        "tiles-2x7",
        "tiles-2x8",
        "tiles-3x5",
        "tiles-4x5",
        "tiles-6x6",
        "tiles-8x8",
        "tiles-12x12",
        "tiles-16x16",
        "tiles-20x20",
        "cube3",
        "balto-3",
        "balto-5",
        "balto-8",
        "balto-12",
    ];
    let metrics = families.map(|name| (name, None)).into_iter().chain([("cube3", Some("qtm"))]);
    for (name, metric) in metrics {
        let puzzle = open(name, metric);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..2 {
            let position = puzzle.scramble(&mut rng, None);
            let log = Arc::new(Log { stop_at: Cost::MAX, ..Log::default() });
            let report = auto(&*puzzle, &position, Limits::default(), &log).report;
            assert!(report.best.is_some(), "{name}: {}", puzzle.text(&position));
            assert_eq!(log.early_tables.load(Relaxed), 0, "{name}: {:?}", log.tables);
            assert!(report.counts.generated < MAX_NODES, "{name}: {} nodes", report.counts.generated);
        }
    }
}

#[test]
fn the_superflip_has_a_solution_before_tables_are_built() {
    let cube = open("cube3", None);
    let log = Arc::new(Log { stop_at: Cost::MAX, ..Log::default() });
    let report = auto(&*cube, &parse(&*cube, SUPERFLIP), Limits::default(), &log).report;
    assert!(report.best.is_some());
    assert_eq!(log.early_tables.load(Relaxed), 0, "{:?}", log.tables);
}

/// The first, constructive solution has about 200 moves; two-phase goes on until it has found a short one.
#[test]
fn cubes_have_a_short_solution_before_the_tables_of_a_proof_are_built() {
    let scramble = "R U2 F' L D2 B R' U F2 L2 D B' R2 U' F L2 B D";
    for (metric, position, length) in
        [("htm", SUPERFLIP, 20), ("htm", scramble, 20), ("qtm", SUPERFLIP, 26), ("qtm", scramble, 26)]
    {
        let cube = open("cube3", Some(metric));
        let log = Arc::new(Log { stop_at: length, ..Log::default() });
        let report = auto(&*cube, &parse(&*cube, position), Limits::default(), &log).report;
        let cost = report.best.map(|best| best.cost);
        assert!(cost.is_some_and(|cost| cost <= length), "{position} {metric}: {cost:?}");
        let tables = log.tables.lock().expect("no panic");
        let of_proofs = |name: &String| name.contains("optimal") || name.contains("edges");
        assert!(!tables.iter().any(of_proofs), "{position} {metric}: {tables:?}");
    }
}

/// Checkpoints store nothing.
struct NoStore;

impl CheckpointStore for NoStore {
    fn save(&self, _checkpoint: &Checkpoint) -> Result<(), String> {
        Ok(())
    }
}

/// With a checkpoint only the last proof runs, and a list of all solutions has no stage before it.
#[test]
fn an_interrupt_while_the_only_proof_builds_its_tables_gives_a_stopped_answer() {
    let puzzle = open("24-puzzle", None);
    let position = puzzle.scramble(&mut ChaCha8Rng::seed_from_u64(9), None);
    let runtime = Runtime::default();
    let log = Arc::new(Log { stop_at_table: true, ..Log::default() });
    let control = Control::new(Limits::default(), log).with_all_solutions(true);
    let stages = puzzle.auto(&Workload::one(&position, Limits::default(), true), &*runtime.tables).stages;
    let portfolio = puzzle.prepare_first(1, &stages, &runtime, &control).expect("no table is built yet");
    let checkpointer = Checkpointer::new(SearchId::default(), Duration::MAX, Arc::new(NoStore), None);
    control.set_checkpointer(Arc::new(checkpointer));
    let answer = portfolio.solve(&position, &control).expect("an answer without a solution");
    assert_eq!(answer.report.outcome, Outcome::Stopped(Stop::Interrupted));
}

#[test]
fn cubes_near_solved_are_proven_without_tables() {
    let cube = open("cube3", None);
    for (scramble, length) in [("R U F", 3), ("R U2 F' L D2 B R' U F2", 9)] {
        let log = Arc::new(Log::default());
        let report = auto(&*cube, &parse(&*cube, scramble), Limits::default(), &log).report;
        assert!(report.best.as_ref().is_some_and(|best| best.cost <= length), "{scramble}: {report:?}");
        assert!(report.optimal(), "{scramble}");
        assert!(
            !log.tables.lock().expect("no panic").iter().any(|name| name.contains("optimal")),
            "{scramble}"
        );
    }
}

/// A small table solves these positions sooner than a large one is built.
#[test]
fn a_large_table_is_not_built_where_a_small_one_suffices() {
    for (name, position, length, most) in [
        ("tiles-2x7", None, None, "6-6-1"),
        ("15-puzzle", Some("15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0"), Some(70), "7-8"),
    ] {
        let puzzle = open(name, None);
        let position = match position {
            Some(text) => parse(&*puzzle, text),
            None => puzzle.scramble(&mut ChaCha8Rng::seed_from_u64(3), None),
        };
        let log = Arc::new(Log::default());
        let answer = auto(&*puzzle, &position, Limits::default(), &log);
        assert!(answer.report.optimal(), "{name}");
        assert!(answer.solver.contains("pdb") && !answer.solver.contains(most), "{}", answer.solver);
        if let Some(length) = length {
            assert_eq!(answer.report.best.map(|best| best.cost), Some(length), "{name}");
        }
    }
}
