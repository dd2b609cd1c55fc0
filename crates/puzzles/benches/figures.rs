//! Performance targets, measured by `./accept`: every figure is printed with its target.
//!
//! Single-thread rates use CPU time, which other load hardly affects. Speedups are ratios of wall times of
//! interleaved runs. Limits are measured on the program as a child process.
#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

mod answers;
#[path = "figures/balto.rs"]
mod balto;
mod common;
#[path = "figures/cubes.rs"]
mod cubes;
#[path = "figures/limits.rs"]
mod limits;
mod patterns;

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use common::{Instance, control, eight, fifteen, instance, korf, solver};
use untumble_puzzles::tiles::Tiles;
use untumble_puzzles::tiles::fifteen::Ida;
use untumble_search::control::Control;
use untumble_search::puzzle::Ranked;
use untumble_search::ranked::distances;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::IdaOptions;

/// Prints figures with their targets and counts the missed ones.
#[derive(Default)]
struct TargetTable {
    missed: usize,
}

impl TargetTable {
    fn heading(title: &str) {
        println!("\n{title}");
    }

    /// Prints one figure with its target; `ok` is whether it meets the target.
    fn check(&mut self, name: &str, target: &str, measured: &str, ok: bool) {
        self.missed += usize::from(!ok);
        println!("  {name:<56}{target:>14}{measured:>16}   {}", if ok { "ok" } else { "MISSED" });
    }

    fn at_least(&mut self, name: &str, target: f64, measured: f64, unit: &str) {
        self.check(name, &format!("≥ {target}{unit}"), &figure(measured, unit), measured >= target);
    }

    fn at_most(&mut self, name: &str, target: f64, measured: f64, unit: &str) {
        self.check(name, &format!("≤ {target}{unit}"), &figure(measured, unit), measured <= target);
    }

    /// Prints a figure without a target.
    fn note(name: &str, measured: &str) {
        println!("  {name:<56}{:>14}{measured:>16}", "");
    }
}

/// Formats a value with its unit.
fn figure(value: f64, unit: &str) -> String {
    let digits = if value < 10.0 { 2 } else { 1 };
    format!("{value:.digits$}{unit}")
}

/// User plus system time in seconds. `first` is the index of the user time among the fields of
/// `/proc/self/stat` that follow the command name; the system time is the next field.
fn cpu_seconds(first: usize) -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(first)? + ticks(first + 1)?) / TICKS_PER_SECOND)
}

/// CPU seconds of this process; wall seconds since `begin` on systems without /proc.
fn own_cpu_seconds(begin: Instant) -> f64 {
    const SELF: usize = 11;
    cpu_seconds(SELF).unwrap_or_else(|| begin.elapsed().as_secs_f64())
}

/// The result of some work with its wall and CPU seconds.
struct Timed<T> {
    wall: f64,
    cpu: f64,
    output: T,
}

fn timed<T>(work: impl FnOnce() -> T) -> Timed<T> {
    let begin = Instant::now();
    let before = own_cpu_seconds(begin);
    let output = work();
    Timed { wall: begin.elapsed().as_secs_f64(), cpu: own_cpu_seconds(begin) - before, output }
}

/// The largest value.
fn best(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, f64::max)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const ROUNDS: usize = 3;

/// Lengths and search time of Korf's 100 instances (Korf, Artificial Intelligence 27, 1985).
fn korf_instances(table: &mut TargetTable) {
    const NAME: &str = "ida+max(walking,linear-conflict)";
    TargetTable::heading(&format!("Korf's 100 15-puzzles, {NAME}, one thread"));
    let tiles = fifteen();
    let built = timed(|| solver(&tiles, NAME));
    let run = timed(|| {
        let mut correct = 0;
        let mut nodes = 0;
        for Instance { id, optimal, board } in korf(&tiles) {
            let report = common::solve(&tiles, &*built.output, board);
            let length = report.best.as_ref().map(|best| best.cost);
            nodes += report.counts.generated;
            if length == Some(optimal) && report.optimal() {
                correct += 1;
            } else {
                println!("  instance {id}: {length:?} instead of {optimal}");
            }
        }
        (correct, nodes)
    });
    let (correct, nodes) = run.output;
    table.check("optimal lengths as published", "100", &correct.to_string(), correct == 100);
    table.at_most("search, CPU", 26.0, run.cpu, " s");
    TargetTable::note("search, wall", &figure(run.wall, " s"));
    TargetTable::note("nodes", &figure(nodes as f64 / 1e6, " M"));
    TargetTable::note("nodes/s", &figure(nodes as f64 / run.cpu / 1e6, " M/s"));
    TargetTable::note("building the tables, wall", &figure(built.wall * 1e3, " ms"));
}

/// Search rates of one thread.
fn rates(table: &mut TargetTable) {
    TargetTable::heading("Speed of one thread, best of 3 (IDA*: Korf 1, 10, 54 and 98 together)");
    let tiles = fifteen();
    for (name, target) in [
        ("ida+manhattan", Some(100.0)),
        ("ida+linear-conflict", None),
        ("ida+walking", None),
        ("ida+max(walking,linear-conflict)", None),
    ] {
        let solver = solver(&tiles, name);
        let rate = |_| {
            let run = timed(|| {
                let ids = [1, 10, 54, 98].into_iter();
                ids.map(|id| generated(&tiles, &*solver, id, 1)).sum::<u64>()
            });
            run.output as f64 / run.cpu / 1e6
        };
        let (name, measured) = (format!("{name}, nodes/s"), best((0..ROUNDS).map(rate)));
        match target {
            Some(target) => table.at_least(&name, target, measured, " M"),
            None => TargetTable::note(&name, &figure(measured, " M")),
        }
    }
    node_limit(table, &tiles);
    let astar = solver(&tiles, "astar+manhattan");
    let board = instance(&tiles, 2).board;
    let mut bytes = 0.0;
    let rate = |_| {
        let control = control(1, None);
        let run = timed(|| astar.solve(&tiles, &[board], &control));
        bytes = control.peak_bytes() as f64 / run.output.counts.visited as f64;
        run.output.counts.expanded as f64 / run.cpu / 1e6
    };
    let rate = best((0..ROUNDS).map(rate));
    table.at_least("astar+manhattan, Korf 2, expansions/s", 3.0, rate, " M");
    table.at_most("astar+manhattan, Korf 2, bytes per state", 40.0, bytes, "");
    full_bfs(table);
}

/// The specialised search of 4×4 boards without a node limit and with one that is not reached, interleaved.
fn node_limit(table: &mut TargetTable, tiles: &Tiles<u64>) {
    let options = IdaOptions { bpmx: false, ..IdaOptions::default() };
    let ida = Ida::new(tiles, options, &Runtime::default()).expect("a 4×4 board");
    let boards = [1, 10, 54, 98].map(|id| instance(tiles, id).board);
    let rate = |nodes: Option<u64>| {
        let run = timed(|| {
            let reports = boards.iter().map(|&board| ida.solve(tiles, &[board], &control(1, nodes)));
            reports.map(|report| report.counts.generated).sum::<u64>()
        });
        run.output as f64 / run.cpu / 1e6
    };
    let pairs: Vec<[f64; 2]> = (0..5).map(|_| [None, Some(u64::MAX / 2)].map(rate)).collect();
    let unlimited = best(pairs.iter().map(|&[unlimited, _]| unlimited));
    let ratio = median(pairs.iter().map(|[unlimited, limited]| limited / unlimited).collect());
    TargetTable::note("4×4 loop of ida+manhattan, nodes/s", &figure(unlimited, " M"));
    table.at_least("the same with a node limit, ratio of speeds", 0.9, ratio, "");
}

/// The number of nodes generated on one of Korf's instances.
fn generated(tiles: &Tiles<u64>, solver: &dyn Solver<Tiles<u64>>, id: usize, threads: usize) -> u64 {
    let report = solver.solve(tiles, &[instance(tiles, id).board], &control(threads, None));
    report.counts.generated
}

/// Breadth-first search over all positions of the 8-puzzle.
fn full_bfs(table: &mut TargetTable) {
    const REPEATS: u32 = 200;
    let rate = |tiles: &dyn Fn() -> Tiles<u64>, repeats: u32| {
        let run = timed(|| {
            (0..repeats).for_each(|_| assert!(distances(&tiles(), &Control::default()).is_ok()));
        });
        f64::from(repeats) * eight().count() as f64 / run.cpu / 1e6
    };
    let cold = best((0..ROUNDS).map(|_| rate(&eight, REPEATS / 10)));
    let warm = best((0..ROUNDS).map(|_| {
        let tiles = eight();
        assert!(distances(&tiles, &Control::default()).is_ok());
        let run = timed(|| {
            (0..REPEATS).for_each(|_| assert!(distances(&tiles, &Control::default()).is_ok()));
        });
        f64::from(REPEATS) * tiles.count() as f64 / run.cpu / 1e6
    }));
    table.at_least("8-puzzle, all distances, states/s", 40.0, warm, " M");
    TargetTable::note("the same including the construction of move tables", &figure(cold, " M"));
}

/// Parallel speedups as ratios of node rates, because the time of the last pass depends on when it finds a
/// solution.
fn threads(table: &mut TargetTable) {
    TargetTable::heading("Parallel speedup over the serial algorithm, medians of interleaved runs");
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        println!("  skipped: one core");
        return;
    }
    let tiles = fifteen();
    let ida = |parallel: bool, threads: usize| {
        let solver = solver(&tiles, if parallel { "parida+manhattan" } else { "ida+manhattan" });
        let run = timed(|| {
            let ids = [11, 70, 89, 98].into_iter();
            ids.map(|id| generated(&tiles, &*solver, id, threads)).sum::<u64>()
        });
        Rate::of(run.output, &run)
    };
    speedups(table, "parida+manhattan, Korf 11 70 89 98", &ida);
    let board = instance(&tiles, 1).board;
    let bfs = |parallel: bool, threads: usize| {
        let solver = solver(&tiles, if parallel { "parbfs" } else { "bfs" });
        let run = timed(|| solver.solve(&tiles, &[board], &control(threads, Some(40_000_000))));
        Rate::of(run.output.counts.generated, &run)
    };
    speedups(table, "parbfs, Korf 1, 40 M nodes", &bfs);
}

/// Nodes per second of wall time and of CPU time.
#[derive(Clone, Copy)]
struct Rate {
    wall: f64,
    cpu: f64,
}

impl Rate {
    fn of<T>(nodes: u64, run: &Timed<T>) -> Rate {
        Rate { wall: nodes as f64 / run.wall, cpu: nodes as f64 / run.cpu }
    }
}

/// Compares the serial algorithm with 1, 2 and 8 threads; `rate` takes (parallel, threads).
fn speedups(table: &mut TargetTable, name: &str, rate: &dyn Fn(bool, usize) -> Rate) {
    const ROUNDS: usize = 5;
    let mut possible = Vec::new();
    let mut rounds: Vec<[Rate; 4]> = Vec::new();
    for _ in 0..ROUNDS {
        possible.push(independent_speedup());
        rounds.push([rate(false, 1), rate(true, 1), rate(true, 2), rate(true, 8)]);
    }
    // Ratios within a round, because the speed of the machine may change between rounds.
    let wall =
        |a: usize, b: usize| median(rounds.iter().map(|rates| rates[a].wall / rates[b].wall).collect());
    let cpu = |a: usize, b: usize| median(rounds.iter().map(|rates| rates[a].cpu / rates[b].cpu).collect());
    let serial = median(rounds.iter().map(|rates| rates[0].wall).collect());
    TargetTable::note(&format!("{name}: serial, nodes/s"), &figure(serial / 1e6, " M"));
    TargetTable::note("  two independent threads on this machine", &figure(median(possible), "×"));
    TargetTable::note("  1 thread", &figure(wall(1, 0), "×"));
    table.at_least("  2 threads", 1.7, wall(2, 0), "×");
    TargetTable::note("  2 threads, nodes per CPU second", &figure(cpu(2, 0), "×"));
    TargetTable::note("  8 threads", &figure(wall(3, 0), "×"));
    table.at_least("  8 threads relative to 2", 0.9, wall(3, 2), "×");
}

/// The speedup of two independent threads over running their work in sequence: 2 on idle cores.
fn independent_speedup() -> f64 {
    let spin = || {
        let numbers = 0..std::hint::black_box(150_000_000u64);
        std::hint::black_box(numbers.fold(1u64, |a, b| a.wrapping_mul(6_364_136_223_846_793_005) ^ b));
    };
    let one = timed(spin);
    let two = timed(|| {
        std::thread::scope(|scope| {
            scope.spawn(spin);
            scope.spawn(spin);
        });
    });
    2.0 * one.wall / two.wall
}

/// The names of the parts on the command line.
const PARTS: [&str; 9] =
    ["korf", "rates", "threads", "limits", "cubes", "pdb", "answers", "portfolio", "balto"];

fn main() -> ExitCode {
    // Cargo adds flags such as `--bench`.
    let selected: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_selected = |name: &str| selected.is_empty() || selected.iter().any(|word| word == name);
    if let Some(unknown) = selected.iter().find(|word| !PARTS.contains(&&***word)) {
        println!("there is no part `{unknown}` (parts: {})", PARTS.join(", "));
        return ExitCode::from(2);
    }
    println!("  {:<56}{:>14}{:>16}", "figure", "target", "measured");
    let begin = Instant::now();
    let mut table = TargetTable::default();
    let with_program = |name: &str, table: &mut TargetTable, measure: fn(&mut TargetTable, &str)| {
        if is_selected(name) {
            match std::env::var("UNTUMBLE") {
                Ok(binary) => measure(table, &binary),
                Err(_) => println!("\n{name} needs the program: UNTUMBLE=path/to/untumble (or run ./accept)"),
            }
        }
    };
    with_program("limits", &mut table, limits::limits);
    if is_selected("rates") {
        rates(&mut table);
    }
    if is_selected("threads") {
        threads(&mut table);
    }
    if is_selected("cubes") {
        cubes::cubes(&mut table);
    }
    if is_selected("korf") {
        korf_instances(&mut table);
    }
    with_program("pdb", &mut table, patterns::patterns);
    with_program("answers", &mut table, answers::answers);
    with_program("portfolio", &mut table, answers::portfolio);
    with_program("balto", &mut table, balto::balto);
    println!("\n{} targets missed, {:.0} s", table.missed, begin.elapsed().as_secs_f64());
    ExitCode::from(u8::from(table.missed > 0))
}
