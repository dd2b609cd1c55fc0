//! The figures of Balto's puzzle: rates, threads, memory, learned weights, and the contest's boards where they are given.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::balto::beam::TwoEnded;
use untumble_puzzles::balto::heuristics::Rating;
use untumble_puzzles::balto::weights::Weights;
use untumble_puzzles::balto::{Balto, Board};
use untumble_search::control::Control;
use untumble_search::frontend::{InputFormat, Parsed, PuzzleFrontend, PuzzleInfo, PuzzleText};
use untumble_search::laws;
use untumble_search::puzzle::Puzzle;
use untumble_search::report::Report;
use untumble_search::solve::Solver;
use untumble_search::train::{TrainingConfig, TrainingContext};

use super::common::control;
use super::patterns::number;
use super::{Table, best, figure, median, most_resident, timed};

/// The file of the contest's boards, and the table of the shortest solutions known (`n,cells,lower_bound,best_known,…`).
const BOARDS: &str = "UNTUMBLE_BALTO_BOARDS";
const BEST: &str = "UNTUMBLE_BALTO_BEST";
const ROUNDS: usize = 3;

/// All of it.
pub(super) fn balto(table: &mut Table, binary: &str) {
    rates(table);
    memory(table, binary);
    learned(table);
    trained(table);
    contest(table);
}

fn random(side: usize, count: usize, seed: u64) -> (Balto, Vec<Board>) {
    let balto = Balto::new(side);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let boards = (0..count).map(|_| balto.random(&mut rng)).collect();
    (balto, boards)
}

fn beam(balto: &Balto, weights: &Weights, width: usize) -> TwoEnded {
    TwoEnded { rating: Rating::new(balto, weights), width, seed: 0 }
}

fn solve(balto: &Balto, by: &TwoEnded, board: &Board, control: &Control) -> Report {
    by.solve(balto, &balto.starts(board), control)
}

fn length(balto: &Balto, by: &TwoEnded, board: &Board) -> f64 {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let report = solve(balto, by, board, &control(threads, None));
    let found = report.best.expect("a beam without limits finds something");
    assert!(laws::replays(balto, &balto.starts(board), &found.moves), "what is found solves");
    f64::from(found.cost)
}

fn rates(table: &mut Table) {
    Table::head("Balto's puzzle, side 10, beams: priced states/s of one thread, best of 3");
    let (balto, boards) = random(10, 1, 1);
    for (width, target) in [(100, 5.0), (1000, 5.0), (10_000, 4.0), (100_000, 3.0)] {
        let by = beam(&balto, &Weights::learned(10), width);
        let nodes = (width as u64 * 3000).max(10_000_000);
        let rate = |_| {
            let run = timed(|| solve(&balto, &by, &boards[0], &control(1, Some(nodes))).counts.generated);
            run.got as f64 / run.cpu / 1e6
        };
        table.at_least(&format!("width {width}"), target, best((0..ROUNDS).map(rate)), " M");
    }
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return;
    }
    for width in [10_000, 100_000] {
        let by = beam(&balto, &Weights::learned(10), width);
        let wall = |threads| {
            let nodes = width as u64 * 2000;
            let run =
                timed(|| solve(&balto, &by, &boards[0], &control(threads, Some(nodes))).counts.generated);
            run.got as f64 / run.wall
        };
        let gain = median((0..ROUNDS).map(|_| 1.0 / (wall(1) / wall(2))).collect());
        table.at_least(&format!("width {width}, 2 threads"), 1.7, gain, "×");
    }
}

fn memory(table: &mut Table, binary: &str) {
    let (balto, boards) = random(8, 1, 1);
    let arguments =
        ["solve", "balto-8", &balto.text(&boards[0]), "--with", "beam:width=1000000", "--threads", "1"];
    let run = |more: &[&str]| {
        let mut command = Command::new(binary);
        command.args(arguments).args(more).stdin(Stdio::null()).stderr(Stdio::null());
        command
    };
    let limits = ["--nodes", "300000000"];
    let output = run(&[&limits[..], &["--json"]].concat()).output().expect("the program runs");
    let told = number(&String::from_utf8_lossy(&output.stdout), "peak_bytes").unwrap_or(0) as f64 / 1e6;
    let child = run(&limits).stdout(Stdio::null()).spawn().expect("the program starts");
    let (seen, _) = most_resident(child);
    table.line(
        "width 1,000,000: memory resident, by what was announced",
        "0.9 to 1.1×",
        &figure(seen / told, "×"),
        (0.9..=1.1).contains(&(seen / told)),
    );
}

fn learned(table: &mut Table) {
    Table::head("Balto's puzzle, learned weights against the closed form, 8 random boards");
    for (side, width) in [(6, 1000), (10, 300), (15, 100), (20, 50)] {
        let (balto, boards) = random(side, 8, 2);
        let mean = |weights: &Weights| {
            let by = beam(&balto, weights, width);
            boards.iter().map(|board| length(&balto, &by, board)).sum::<f64>() / boards.len() as f64
        };
        let closed = mean(&Weights::closed(side));
        table.at_most(
            &format!("side {side}, width {width}, mean length"),
            closed,
            mean(&Weights::learned(side)),
            "",
        );
    }
}

fn trained(table: &mut Table) {
    Table::head("Balto's puzzle, side 6, width 1000, 16 random boards: mean length");
    let (balto, boards) = random(6, 16, 3);
    let mean = |weights: &Weights| {
        let by = beam(&balto, weights, 1000);
        boards.iter().map(|board| length(&balto, &by, board)).sum::<f64>() / boards.len() as f64
    };
    Table::note("closed", &figure(mean(&Weights::closed(6)), ""));
    Table::note("closed:h2=hamming", &figure(mean(&Weights::hamming(6)), ""));
    Table::note("learned, as shipped", &figure(mean(&Weights::learned(6)), ""));
    let budget = Duration::from_secs(170);
    // From the closed form, not from what ships.
    let closed = untumble_search::train::file::File {
        puzzle: balto.title(),
        origin: "the closed form".into(),
        values: Weights::names(6).into_iter().zip(Weights::closed(6).all()).collect(),
    };
    let lesson =
        TrainingConfig { budget, width: 500, seed: 4, from: Some(("the closed form".into(), closed)) };
    let mut tell = |_: &_, _: &_| {};
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(2));
    let control = control(threads, None);
    let run = timed(|| {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        balto.learn(&lesson, TrainingContext { rng: &mut rng, control: &control, tell: &mut tell })
    });
    let all: Vec<f64> =
        run.got.expect("it can be trained").weights.iter().map(|(_, weight)| *weight).collect();
    table.at_most("trained just now, wall", 190.0, run.wall, " s");
    table.at_most("trained just now", 336.0, mean(&Weights::new(6, &all)), "");
}

/// Boards of the contest by side.
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

fn contest(table: &mut Table) {
    let Ok(path) = std::env::var(BOARDS) else {
        println!(
            "\nthe contest's boards are measured where {BOARDS} names their file ({BEST}: the table of the best known)"
        );
        return;
    };
    Table::head("Balto's puzzle, boards of the contest");
    let boards = boards(&path);
    let measure = |side: usize, width: usize| {
        let (balto, board) = boards.get(&side)?;
        let by = beam(balto, &Weights::learned(side), width);
        let run = timed(|| length(balto, &by, board));
        Some((run.got, run.wall))
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
            let what = format!("side {side}, width {width} ({seconds:.0} s)");
            table.line(&what, &format!("≤ {target}"), &format!("{length}"), length <= target);
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
    for (side, least) in known {
        // Longer ones take hours at that width.
        let width = if side <= 15 { 10_000 } else { 100 };
        let Some((length, seconds)) = measure(side, width) else { continue };
        let what = format!("side {side}, width {width}: {length}, best known {least} ({seconds:.0} s)");
        let above = 100.0 * (length / least - 1.0);
        if side <= 15 {
            table.at_most(&what, 8.0, above, " %");
        } else {
            Table::note(&what, &figure(above, " %"));
        }
    }
}
