//! Targets of Balto's puzzle: beam rates, parallel speedup, memory, trained weights, and the contest's
//! boards if their file is given.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::balto::beam::BidirectionalBeam;
use untumble_puzzles::balto::heuristics::LinearEvaluation;
use untumble_puzzles::balto::weights::{NeighbourTerm, Weights};
use untumble_puzzles::balto::{Balto, Board};
use untumble_search::control::Control;
use untumble_search::frontend::{InputFormat, Parsed, PuzzleFrontend, PuzzleInfo, PuzzleText};
use untumble_search::laws;
use untumble_search::puzzle::Puzzle;
use untumble_search::report::Report;
use untumble_search::solve::Solver;
use untumble_search::train::{TrainingConfig, TrainingContext};

use super::common::control;
use super::limits::peak_resident;
use super::patterns::json_number;
use super::{TargetTable, best, figure, median, timed};

/// Environment variable: the file of the contest's boards.
const BOARDS: &str = "UNTUMBLE_BALTO_BOARDS";
/// Environment variable: a table of the best known lengths (`n,cells,lower_bound,best_known,…`).
const BEST: &str = "UNTUMBLE_BALTO_BEST";
const ROUNDS: usize = 3;

/// Measures all targets of Balto's puzzle.
pub(super) fn balto(table: &mut TargetTable, binary: &str) {
    rates(table);
    memory(table, binary);
    learned(table);
    trained(table);
    contest(table);
}

/// The puzzle and random boards of one side.
fn random_boards(side: usize, count: usize, seed: u64) -> (Balto, Vec<Board>) {
    let balto = Balto::new(side);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let boards = (0..count).map(|_| balto.random(&mut rng)).collect();
    (balto, boards)
}

fn beam(balto: &Balto, weights: &Weights, width: usize) -> BidirectionalBeam {
    BidirectionalBeam { evaluation: LinearEvaluation::new(balto, weights), width, seed: 0 }
}

fn solve(balto: &Balto, solver: &BidirectionalBeam, board: &Board, control: &Control) -> Report {
    solver.solve(balto, &balto.start_states(board), control)
}

/// The length of the solution that a beam on all threads finds.
fn length(balto: &Balto, solver: &BidirectionalBeam, board: &Board) -> f64 {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let report = solve(balto, solver, board, &control(threads, None));
    let best = report.best.expect("a beam without limits finds a solution");
    assert!(laws::is_solution(balto, &balto.start_states(board), &best.moves), "the solution is valid");
    f64::from(best.cost)
}

/// Evaluated states per second, and the speedup of two threads.
fn rates(table: &mut TargetTable) {
    TargetTable::heading("Balto's puzzle, side 10, beams: evaluated states/s of one thread, best of 3");
    let (balto, boards) = random_boards(10, 1, 1);
    for (width, target) in [(100, 5.0), (1000, 5.0), (10_000, 4.0), (100_000, 3.0)] {
        let solver = beam(&balto, &Weights::learned(10), width);
        let nodes = (width as u64 * 3000).max(10_000_000);
        let rate = |_| {
            let run = timed(|| solve(&balto, &solver, &boards[0], &control(1, Some(nodes))).counts.generated);
            run.output as f64 / run.cpu / 1e6
        };
        table.at_least(&format!("width {width}"), target, best((0..ROUNDS).map(rate)), " M");
    }
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return;
    }
    for width in [10_000, 100_000] {
        let solver = beam(&balto, &Weights::learned(10), width);
        let rate = |threads| {
            let nodes = width as u64 * 2000;
            let run =
                timed(|| solve(&balto, &solver, &boards[0], &control(threads, Some(nodes))).counts.generated);
            run.output as f64 / run.wall
        };
        let speedup = median((0..ROUNDS).map(|_| 1.0 / (rate(1) / rate(2))).collect());
        table.at_least(&format!("width {width}, 2 threads"), 1.7, speedup, "×");
    }
}

/// Compares the peak memory that the program reports with its resident memory.
fn memory(table: &mut TargetTable, binary: &str) {
    let (balto, boards) = random_boards(8, 1, 1);
    let arguments =
        ["solve", "balto-8", &balto.text(&boards[0]), "--with", "beam:width=1000000", "--threads", "1"];
    let command = |options: &[&str]| {
        let mut command = Command::new(binary);
        command.args(arguments).args(options).stdin(Stdio::null()).stderr(Stdio::null());
        command
    };
    let limits = ["--nodes", "300000000"];
    let output = command(&[&limits[..], &["--json"]].concat()).output().expect("the program runs");
    let reported =
        json_number(&String::from_utf8_lossy(&output.stdout), "peak_bytes").unwrap_or(0) as f64 / 1e6;
    let child = command(&limits).stdout(Stdio::null()).spawn().expect("the program starts");
    let ratio = peak_resident(child).0 / reported;
    table.check(
        "width 1,000,000: resident memory / reported peak",
        "0.9 to 1.1×",
        &figure(ratio, "×"),
        (0.9..=1.1).contains(&ratio),
    );
}

/// Compares the built-in weights with the closed form.
fn learned(table: &mut TargetTable) {
    TargetTable::heading("Balto's puzzle, trained weights against the closed form, 8 random boards");
    for (side, width) in [(6, 1000), (10, 300), (15, 100), (20, 50)] {
        let (balto, boards) = random_boards(side, 8, 2);
        let mean = |weights: &Weights| {
            let solver = beam(&balto, weights, width);
            boards.iter().map(|board| length(&balto, &solver, board)).sum::<f64>() / boards.len() as f64
        };
        let closed = mean(&Weights::closed_form(side));
        table.at_most(
            &format!("side {side}, width {width}, mean length"),
            closed,
            mean(&Weights::learned(side)),
            "",
        );
    }
}

/// Trains weights and compares them with a target.
fn trained(table: &mut TargetTable) {
    TargetTable::heading("Balto's puzzle, side 6, width 1000, 16 random boards: mean length");
    let (balto, boards) = random_boards(6, 16, 3);
    let mean = |weights: &Weights| {
        let solver = beam(&balto, weights, 1000);
        boards.iter().map(|board| length(&balto, &solver, board)).sum::<f64>() / boards.len() as f64
    };
    TargetTable::note("closed", &figure(mean(&Weights::closed_form(6)), ""));
    for (name, term) in
        [("closed:h2=hamming", NeighbourTerm::SolvedNeighbours), ("closed:h2=off", NeighbourTerm::Off)]
    {
        TargetTable::note(name, &figure(mean(&Weights::closed_form_with(6, term)), ""));
    }
    TargetTable::note("learned, built-in weights", &figure(mean(&Weights::learned(6)), ""));
    let budget = Duration::from_secs(170);
    // Training starts from the closed form instead of the built-in weights.
    let closed = untumble_search::train::weights::WeightsFile {
        puzzle: balto.title(),
        origin: "the closed form".into(),
        values: Weights::names(6).into_iter().zip(Weights::closed_form(6).to_vec()).collect(),
    };
    let config = TrainingConfig {
        budget,
        widths: vec![500],
        samples_per_level: TrainingConfig::SAMPLES_PER_LEVEL,
        seed: 4,
        from: Some(("the closed form".into(), closed)),
    };
    let mut ignore_round = |_: &_, _: &_| {};
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(2));
    let control = control(threads, None);
    let run = timed(|| {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let context = TrainingContext { rng: &mut rng, control: &control, on_round: &mut ignore_round };
        balto.learn(&config, context)
    });
    let weights: Vec<f64> =
        run.output.expect("balto can be trained").weights.iter().map(|(_, weight)| *weight).collect();
    table.at_most("trained in this run, wall", 190.0, run.wall, " s");
    table.at_most("trained in this run", 336.0, mean(&Weights::new(6, &weights)), "");
}

/// The contest's boards by side.
fn boards(path: &str) -> HashMap<usize, (Balto, Board)> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}")).replace('\r', "");
    let read = |block: &str| {
        let side: usize = block.trim().lines().next()?.trim().parse().ok()?;
        let balto = Balto::new(side);
        match balto.parse(block.trim(), true, &InputFormat::default()) {
            Ok(Parsed::Position(board)) => Some((side, (balto, board))),
            _ => None,
        }
    };
    text.split("\n\n").filter_map(read).collect()
}

/// Solves the contest's boards.
fn contest(table: &mut TargetTable) {
    let Ok(path) = std::env::var(BOARDS) else {
        println!(
            "\ncontest boards skipped: set {BOARDS} to their file (and {BEST} to the best known lengths)"
        );
        return;
    };
    TargetTable::heading("Balto's puzzle, boards of the contest");
    let boards = boards(&path);
    let measure = |side: usize, width: usize| {
        let (balto, board) = boards.get(&side)?;
        let solver = beam(balto, &Weights::learned(side), width);
        let run = timed(|| length(balto, &solver, board));
        Some((run.output, run.wall))
    };
    let targets = [
        (5, 10_000, 174.0),
        (10, 10_000, 1726.0),
        (8, 1000, 880.0),
        (12, 300, 3070.0),
        (15, 300, 6020.0),
        (20, 300, 13_900.0),
        (27, 1000, 34_500.0),
    ];
    for (side, width, target) in targets {
        if let Some((length, seconds)) = measure(side, width) {
            let name = format!("side {side}, width {width} ({seconds:.0} s)");
            table.check(&name, &format!("≤ {target}"), &format!("{length}"), length <= target);
        }
    }
    let known = std::env::var(BEST).ok().and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    let mut known: Vec<(usize, f64)> = known
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            Some((fields.first()?.parse().ok()?, fields.get(3)?.parse().ok()?))
        })
        .collect();
    known.sort_unstable_by_key(|&(side, _)| side);
    for (side, best_known) in known {
        // Longer sides take hours at width 10,000.
        let width = if side <= 15 { 10_000 } else { 100 };
        let Some((length, seconds)) = measure(side, width) else { continue };
        let name = format!("side {side}, width {width}: {length}, best known {best_known} ({seconds:.0} s)");
        let above = 100.0 * (length / best_known - 1.0);
        if side <= 15 {
            table.at_most(&name, 8.0, above, " %");
        } else {
            TargetTable::note(&name, &figure(above, " %"));
        }
    }
}
