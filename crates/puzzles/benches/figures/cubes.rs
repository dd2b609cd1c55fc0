//! Targets of the pocket cube and Rubik's cube.

use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube2::full::FullTable;
use untumble_puzzles::cube2::tiny::{BUCKETS, TinyTable};
use untumble_puzzles::cube2::{Corners, Cube2};
use untumble_puzzles::cube3::{Cube, Cube3, heuristics};
use untumble_search::control::{Control, Limits, Silent};
use untumble_search::frontend::{InputFormat, Parsed, PuzzleFrontend, PuzzleText};
use untumble_search::heuristic::Heuristic;
use untumble_search::puzzle::Ranked;
use untumble_search::report::Report;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::tables::InMemory;

use super::common::control;
use super::{Rate, TargetTable, best, figure, speedups, timed};

const ROUNDS: usize = 3;

/// Measures all targets of both cubes.
pub(super) fn cubes(table: &mut TargetTable) {
    pocket(table);
    rubik(table);
}

fn solver<P: PuzzleFrontend>(puzzle: &P, name: &str, runtime: &Runtime) -> Box<dyn Solver<P>> {
    puzzle.solver(name, runtime, &Control::default()).expect(name).solver
}

fn minimum(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::MAX, f64::min)
}

/// Targets of the pocket cube.
fn pocket(table: &mut TargetTable) {
    TargetTable::heading("Pocket cube, one thread, best of 3");
    let cube = Cube2::new(Metric::Htm);
    // Repeated, because CPU time has a resolution of 10 ms.
    const BUILDS: usize = 10;
    let build = |_| {
        let build = || FullTable::new(&cube, &InMemory::default(), &Control::default()).map(drop);
        timed(|| (0..BUILDS).try_for_each(|_| build())).cpu / BUILDS as f64
    };
    table.at_most("full, built, CPU", 0.2, minimum((0..ROUNDS).map(build)), " s");
    let full = FullTable::new(&cube, &InMemory::default(), &Control::default()).expect("no limit");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let positions: Vec<Corners> = (0..1_000_000).map(|_| cube.random(&mut rng)).collect();
    let rate = |_| {
        let run = timed(|| {
            positions.iter().map(|&corners| full.shortest_path(&cube, corners).count()).sum::<usize>()
        });
        assert!(run.output > 0);
        positions.len() as f64 / run.cpu / 1e6
    };
    table.at_least("full, optimal solutions of random positions/s", 3.0, best((0..ROUNDS).map(rate)), " M");
    let solver = solver(&cube, "table", &Runtime::default());
    let run = timed(|| {
        positions
            .iter()
            .take(200_000)
            .map(|&corners| length(&solver.solve(&cube, &[corners], &control(1, None))))
            .sum::<u32>()
    });
    TargetTable::note("the same through the solver interface", &figure(0.2 / run.cpu, " M"));
    tiny(table, &cube, &full);
}

/// The length of the solution in the report of an optimal solver.
fn length(report: &Report) -> u32 {
    assert!(report.optimal(), "the solver is optimal");
    report.best.as_ref().map_or(0, |best| best.cost)
}

/// Targets of the small table `tiny` and of solvers on all positions that need 11 moves.
fn tiny(table: &mut TargetTable, cube: &Cube2, full: &FullTable) {
    let tiny = TinyTable::new(cube, BUCKETS, &InMemory::default(), &Control::default()).expect("no limit");
    let bound = |rank| f64::from(tiny.cost(&tiny.start(cube, &cube.unrank(rank))));
    let mean = (0..cube.count()).map(bound).sum::<f64>() / cube.count() as f64;
    table.at_least("tiny, mean heuristic value", 7.6, mean, "");
    table.at_most("tiny, compressed", 109.0, deflate_bound(tiny.bytes()) / 1000.0, " KB");
    let all = (0..cube.count()).map(|rank| cube.unrank(rank));
    let hardest: Vec<Corners> = all.filter(|&corners| full.distance(corners) == Some(11)).collect();
    let run = |name: &str, count: usize, repeats: usize| {
        let solver = solver(cube, name, &Runtime::default());
        let run = timed(|| {
            let cubes = (0..repeats).flat_map(|_| hardest.iter().take(count));
            let reports = cubes.map(|&corners| solver.solve(cube, &[corners], &control(1, None)));
            reports.map(|report| (report.counts.generated, length(&report))).collect::<Vec<_>>()
        });
        let correct = run.output.iter().filter(|&&(_, length)| length == 11).count() / repeats;
        let nodes = run.output.iter().map(|&(nodes, _)| nodes as f64).sum::<f64>();
        (correct, nodes / repeats as f64, run.cpu / repeats as f64)
    };
    for (name, count) in [("table", 2644), ("astar+tiny", 2644), ("bibfs", 2644), ("iddfs", 5)] {
        let (correct, _, seconds) = run(name, count, 1);
        let name = format!("11-move positions solved optimally by {name} ({})", figure(seconds, " s"));
        table.check(&name, &count.to_string(), &correct.to_string(), correct == count);
    }
    // Interleaved, so that both run at the same machine speed; repeated, because CPU time has a
    // resolution of 10 ms.
    let round = |_| ["ida+tiny", "ida:raise=off+tiny"].map(|name| run(name, 2644, 20));
    let rounds: Vec<_> = (0..ROUNDS).map(round).collect();
    let correct = rounds.iter().flatten().all(|&(correct, ..)| correct == 2644);
    table.check(
        "11-move positions solved optimally by ida+tiny, BPMX on and off",
        "2644",
        if correct { "2644" } else { "fewer" },
        correct,
    );
    let min_seconds = |which: usize| minimum(rounds.iter().map(|runs| runs[which].2));
    let (on, off) = (min_seconds(0), min_seconds(1));
    table.at_most("ida+tiny on 11-move positions, mean", 0.2, on / 2644.0 * 1e3, " ms");
    let saved = 100.0 * (1.0 - rounds[0][0].1 / rounds[0][1].1);
    table.at_least("BPMX, nodes saved", 40.0, saved, " %");
    table.at_least("BPMX, speedup in CPU time", 1.2, off / on, "×");
}

/// An upper bound of the size after deflate: one block of Huffman codes without matches.
fn deflate_bound(bytes: &[u8]) -> f64 {
    let mut counts = vec![0u64; 257];
    counts[256] = 1;
    bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
    let mut weights: Vec<u64> = counts.into_iter().filter(|&count| count > 0).collect();
    let mut bits = 0;
    while weights.len() > 1 {
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let sum = weights.pop().unwrap_or(0) + weights.pop().unwrap_or(0);
        // Joining two subtrees lengthens the codes of all symbols below by one bit.
        bits += sum;
        weights.push(sum);
    }
    const HEADER: u64 = 8 * 200;
    (bits + HEADER) as f64 / 8.0
}

fn position(cube: &Cube3, text: &str) -> Cube {
    match cube.parse(text, true, &InputFormat::default()) {
        Ok(Parsed::Position(position)) => position,
        other => panic!("{text}: {other:?}"),
    }
}

/// Two-phase solutions of 100 random cubes and of the superflip.
fn two_phase(table: &mut TargetTable, cube: &Cube3, runtime: &Runtime) {
    const COUNT: usize = 100;
    const NAME: &str = "two-phase:tables=large";
    let built = timed(|| solver(cube, NAME, runtime));
    TargetTable::note("two-phase, large tables, built, CPU", &figure(built.cpu, " s"));
    let again = timed(|| solver(cube, NAME, runtime));
    TargetTable::note("the same with the largest table cached, CPU", &figure(again.cpu, " s"));
    let solver = built.output;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let positions: Vec<Cube> = (0..COUNT).map(|_| cube.random(&mut rng)).collect();
    let length_within = |position: Cube, max_length: u32, time: Option<Duration>| {
        let limits = Limits { max_length: Some(max_length), time, ..Limits::default() };
        let report = solver.solve(cube, &[position], &Control::new(limits, Arc::new(Silent)));
        report.best.map_or(u32::MAX, |best| best.cost)
    };
    // Fast cases are repeated, because CPU time has a resolution of 10 ms.
    for (max_length, target, rounds) in [(21, 0.7, 20), (20, 4.0, 5), (19, 300.0, 1)] {
        let run = timed(|| {
            let found = (0..rounds)
                .flat_map(|_| &positions)
                .map(|&position| length_within(position, max_length, None));
            assert!(
                found.max().is_some_and(|longest| longest <= max_length),
                "every cube is solved within the length"
            );
        });
        let mean = run.cpu / f64::from(rounds * COUNT as u32) * 1e3;
        table.at_most(&format!("two-phase, at most {max_length} moves, mean CPU"), target, mean, " ms");
    }
    let superflip = position(cube, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
    let run = timed(|| length_within(superflip, 20, Some(Duration::from_secs(120))));
    let name = format!("two-phase, superflip within 120 s ({})", figure(run.cpu, " s"));
    table.check(&name, "20 moves", &format!("{} moves", run.output), run.output == 20);
}

/// Targets of one table size of the `optimal` solver.
struct OptimalTargets {
    /// The value of the option `table`.
    table: &'static str,
    /// CPU seconds to build the table.
    build: f64,
    /// Optimal lengths with the mean CPU seconds of their positions.
    lengths: &'static [(u32, f64)],
}

const OPTIMAL: [OptimalTargets; 3] = [
    OptimalTargets { table: "30MB", build: 20.0, lengths: &[(14, 0.1), (15, 0.5), (16, 3.2)] },
    OptimalTargets { table: "243MB", build: 150.0, lengths: &[(16, 0.7), (17, 12.0)] },
    OptimalTargets { table: "714MB", build: 600.0, lengths: &[(17, 4.0), (18, 20.0)] },
];

/// Targets of the `optimal` solver.
fn optimal(table: &mut TargetTable, cube: &Cube3) {
    TargetTable::heading("Rubik's cube, optimal, one thread: CPU time");
    let instances = known_lengths(cube);
    for OptimalTargets { table: size, build, lengths } in OPTIMAL {
        let name = format!("optimal:table={size}");
        let built = timed(|| solver(cube, &name, &Runtime::default()));
        table.at_most(&format!("{size}, built"), build, built.cpu, " s");
        for &(expected, target) in lengths {
            let with_length = instances.iter().filter(|(_, length)| *length == expected);
            let known: Vec<Cube> = with_length.map(|&(position, _)| position).collect();
            let solve = |&position: &Cube| {
                let report = built.output.solve(cube, &[position], &control(1, None));
                assert_eq!(length(&report), expected, "the optimal length");
                report.counts.generated
            };
            let run = timed(|| known.iter().map(solve).sum::<u64>());
            let mean = run.cpu / known.len() as f64;
            table.at_most(
                &format!("{size}, {} positions of {expected} moves, mean", known.len()),
                target,
                mean,
                " s",
            );
            TargetTable::note("  nodes/s", &figure(run.output as f64 / run.cpu / 1e6, " M"));
        }
        if size == "30MB" && std::thread::available_parallelism().map_or(1, usize::from) > 1 {
            let deep = instances.iter().find(|(_, length)| *length == 18).map(|&(position, _)| position);
            let deep = deep.expect("a position of 18 moves");
            let rate = |_parallel: bool, threads: usize| {
                let nodes = Some(150_000_000);
                let run =
                    timed(|| built.output.solve(cube, &[deep], &control(threads, nodes)).counts.generated);
                Rate::of(run.output, &run)
            };
            speedups(table, &format!("{name} on one cube"), &rate);
        }
    }
}

/// Positions with known optimal lengths.
fn known_lengths(cube: &Cube3) -> Vec<(Cube, u32)> {
    let lines = include_str!("../../tests/golden/cube3-optimal.csv").lines().skip(2);
    lines
        .filter_map(|line| line.rsplit_once(','))
        .map(|(text, length)| (position(cube, text), length.parse().expect("a length")))
        .collect()
}

/// Targets of Rubik's cube.
fn rubik(table: &mut TargetTable) {
    TargetTable::heading("Rubik's cube, one thread");
    let qtm = Cube3::new(Metric::Qtm);
    let deep = position(&qtm, "F' U' D2 L2 F D R' F' D F U R");
    let manhattan = solver(&qtm, "ida+manhattan", &Runtime::default());
    let rate = |_| {
        let run = timed(|| manhattan.solve(&qtm, &[deep], &control(1, Some(200_000_000))).counts.generated);
        run.output as f64 / run.cpu / 1e6
    };
    table.at_least("ida+manhattan in quarter turns, nodes/s", 50.0, best((0..ROUNDS).map(rate)), " M");

    let cube = Cube3::new(Metric::Htm);
    let runtime = Runtime::default();
    let tables = &*runtime.tables;
    let corners = timed(|| heuristics::Corners::new(&cube, tables, &Control::default()));
    table.at_most("corners, built, CPU", 30.0, corners.cpu, " s");
    let mut counts = vec![0u64; 16];
    for byte in corners.output.expect("no limit").bytes() {
        counts[usize::from(byte & 15)] += 1;
        counts[usize::from(byte >> 4)] += 1;
    }
    let known = [
        1, 18, 243, 2874, 28000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616, 15_139_616, 64736, 0,
        0, 0, 0,
    ];
    let correct = counts == known;
    table.check(
        "corners, positions at each distance",
        "as published",
        if correct { "as published" } else { "different" },
        correct,
    );
    let edges = timed(|| heuristics::Edges::new(&cube, "7", tables, &Control::default()).map(drop));
    TargetTable::note("edges:7, built, CPU", &figure(edges.cpu, " s"));

    two_phase(table, &cube, &runtime);

    const NAME: &str = "ida+max(corners,edges:7)";
    let pdb_solver = solver(&cube, NAME, &runtime);
    let known: Vec<(Cube, u32)> =
        known_lengths(&cube).into_iter().filter(|&(_, length)| length <= 14).collect();
    let run = timed(|| {
        let reports =
            known.iter().map(|&(position, _)| pdb_solver.solve(&cube, &[position], &control(1, None)));
        reports.map(|report| (length(&report), report.counts.generated)).collect::<Vec<_>>()
    });
    let correct = run.output.iter().zip(&known).filter(|((found, _), (_, length))| found == length).count();
    let name = format!("known lengths up to 14, {NAME}");
    table.check(&name, &known.len().to_string(), &correct.to_string(), correct == known.len());
    let nodes: u64 = run.output.iter().map(|&(_, nodes)| nodes).sum();
    TargetTable::note("  nodes/s", &figure(nodes as f64 / run.cpu / 1e6, " M"));

    optimal(table, &cube);

    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return;
    }
    let rate = |parallel: bool, threads: usize| {
        let name = if parallel { "parida+manhattan" } else { "ida+manhattan" };
        let solver = solver(&qtm, name, &runtime);
        let run =
            timed(|| solver.solve(&qtm, &[deep], &control(threads, Some(300_000_000))).counts.generated);
        Rate::of(run.output, &run)
    };
    speedups(table, "parida+manhattan on one cube, quarter turns", &rate);
}
