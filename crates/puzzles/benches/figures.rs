//! The figures that untumble promises, each with its target: what `./accept` runs.
//!
//! Rates of one thread are taken in CPU time, which other work on the machine
//! hardly touches. Speedups are ratios of wall times within one run, its parts interleaved,
//! and the limits are measured on the program itself, from outside.
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

mod answers;
#[path = "figures/balto.rs"]
mod balto;
mod common;
#[path = "figures/cubes.rs"]
mod cubes;
mod patterns;

use std::fs;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Instance, control, eight, fifteen, instance, korf, solver};
use untumble_puzzles::tiles::Tiles;
use untumble_search::control::Control;
use untumble_search::puzzle::Ranked;
use untumble_search::ranked::distances;
use untumble_search::solve::Solver;

/// The table as it grows.
#[derive(Default)]
struct Table {
    short: usize,
}

impl Table {
    fn head(name: &str) {
        println!("\n{name}");
    }

    /// One line: what, what it must be, what it is.
    fn line(&mut self, what: &str, target: &str, seen: &str, ok: bool) {
        self.short += usize::from(!ok);
        println!("  {what:<56}{target:>14}{seen:>16}   {}", if ok { "ok" } else { "SHORT" });
    }

    fn at_least(&mut self, what: &str, target: f64, seen: f64, unit: &str) {
        self.line(what, &format!("≥ {target}{unit}"), &figure(seen, unit), seen >= target);
    }

    fn at_most(&mut self, what: &str, target: f64, seen: f64, unit: &str) {
        self.line(what, &format!("≤ {target}{unit}"), &figure(seen, unit), seen <= target);
    }

    /// A figure without a target.
    fn note(what: &str, seen: &str) {
        println!("  {what:<56}{:>14}{seen:>16}", "");
    }
}

fn figure(value: f64, unit: &str) -> String {
    let digits = if value < 10.0 { 2 } else { 1 };
    format!("{value:.digits$}{unit}")
}

/// Seconds of user and system time, from the two fields of /proc that begin at `first`.
fn ticks_of(first: usize) -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(first)? + ticks(first + 1)?) / TICKS_PER_SECOND)
}

/// CPU seconds of this process so far; the clock on the wall where the system does not tell.
fn cpu(begun: Instant) -> f64 {
    const SELF: usize = 11;
    ticks_of(SELF).unwrap_or_else(|| begun.elapsed().as_secs_f64())
}

/// Wall and CPU seconds of some work, and what it gave.
struct Timed<T> {
    wall: f64,
    cpu: f64,
    got: T,
}

fn timed<T>(work: impl FnOnce() -> T) -> Timed<T> {
    let begun = Instant::now();
    let before = cpu(begun);
    let got = work();
    Timed { wall: begun.elapsed().as_secs_f64(), cpu: cpu(begun) - before, got }
}

fn best(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, f64::max)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const ROUNDS: usize = 3;

/// All hundred lengths.
fn hundred(table: &mut Table) {
    const NAME: &str = "ida+max(walking,linear-conflict)";
    Table::head(&format!("Korf's hundred 15-puzzles, {NAME}, one thread"));
    let tiles = fifteen();
    let made = timed(|| solver(&tiles, NAME));
    let run = timed(|| {
        let mut right = 0;
        let mut nodes = 0;
        for Instance { id, optimal, board } in korf(&tiles) {
            let report = common::solve(&tiles, &*made.got, board);
            let length = report.best.as_ref().map(|best| best.cost);
            nodes += report.counts.generated;
            if length == Some(optimal) && report.optimal() {
                right += 1;
            } else {
                println!("  instance {id}: {length:?} instead of {optimal}");
            }
        }
        (right, nodes)
    });
    let (right, nodes) = run.got;
    table.line("lengths as published, proven shortest", "100", &right.to_string(), right == 100);
    table.at_most("search, CPU", 26.0, run.cpu, " s");
    Table::note("search, wall", &figure(run.wall, " s"));
    Table::note("nodes", &figure(nodes as f64 / 1e6, " M"));
    Table::note("nodes/s", &figure(nodes as f64 / run.cpu / 1e6, " M/s"));
    Table::note("building the tables, wall", &figure(made.wall * 1e3, " ms"));
}

/// One thread's rates.
fn rates(table: &mut Table) {
    Table::head("Speed of one thread, best of 3 (IDA*: Korf 1, 10, 54 and 98 together)");
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
            run.got as f64 / run.cpu / 1e6
        };
        let (what, seen) = (format!("{name}, nodes/s"), best((0..ROUNDS).map(rate)));
        match target {
            Some(target) => table.at_least(&what, target, seen, " M"),
            None => Table::note(&what, &figure(seen, " M")),
        }
    }
    let astar = solver(&tiles, "astar+manhattan");
    let board = instance(&tiles, 2).board;
    let mut bytes = 0.0;
    let rate = |_| {
        let control = control(1, None);
        let run = timed(|| astar.solve(&tiles, &[board], &control));
        bytes = control.peak_bytes() as f64 / run.got.counts.visited as f64;
        run.got.counts.expanded as f64 / run.cpu / 1e6
    };
    let rate = best((0..ROUNDS).map(rate));
    table.at_least("astar+manhattan, Korf 2, expansions/s", 3.0, rate, " M");
    table.at_most("astar+manhattan, Korf 2, bytes a state", 40.0, bytes, "");
    whole_space(table);
}

/// Nodes that a search of one of Korf's instances generates.
fn generated(tiles: &Tiles<u64>, solver: &dyn Solver<Tiles<u64>>, id: usize, threads: usize) -> u64 {
    let report = solver.solve(tiles, &[instance(tiles, id).board], &control(threads, None));
    report.counts.generated
}

/// Breadth-first search over all of the 8-puzzle.
fn whole_space(table: &mut Table) {
    const TIMES: u32 = 200;
    let rate = |tiles: &dyn Fn() -> Tiles<u64>, times: u32| {
        let run = timed(|| {
            (0..times).for_each(|_| assert!(distances(&tiles(), &Control::default()).is_ok()));
        });
        f64::from(times) * eight().count() as f64 / run.cpu / 1e6
    };
    let cold = best((0..ROUNDS).map(|_| rate(&eight, TIMES / 10)));
    let warm = best((0..ROUNDS).map(|_| {
        let tiles = eight();
        assert!(distances(&tiles, &Control::default()).is_ok());
        let run = timed(|| {
            (0..TIMES).for_each(|_| assert!(distances(&tiles, &Control::default()).is_ok()));
        });
        f64::from(TIMES) * tiles.count() as f64 / run.cpu / 1e6
    }));
    table.at_least("8-puzzle, all distances, states/s", 40.0, warm, " M");
    Table::note("the same with its move tables built each time", &figure(cold, " M"));
}

/// What threads gain. A rate counts nodes, so the luck of the last pass does not matter.
fn threads(table: &mut Table) {
    Table::head("Speedup of threads over the serial algorithm, medians of interleaved runs");
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        println!("  one core: nothing to be gained here");
        return;
    }
    let tiles = fifteen();
    let ida = |parallel: bool, threads: usize| {
        let solver = solver(&tiles, if parallel { "parida+manhattan" } else { "ida+manhattan" });
        let run = timed(|| {
            let ids = [11, 70, 89, 98].into_iter();
            ids.map(|id| generated(&tiles, &*solver, id, threads)).sum::<u64>()
        });
        Rate::of(run.got, &run)
    };
    speedups(table, "parida+manhattan, Korf 11 70 89 98", &ida);
    let board = instance(&tiles, 1).board;
    let bfs = |parallel: bool, threads: usize| {
        let solver = solver(&tiles, if parallel { "parbfs" } else { "bfs" });
        let run = timed(|| solver.solve(&tiles, &[board], &control(threads, Some(40_000_000))));
        Rate::of(run.got.counts.generated, &run)
    };
    speedups(table, "parbfs, Korf 1, 40 M nodes", &bfs);
}

/// Nodes per second on the wall and of CPU time.
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

fn speedups(table: &mut Table, what: &str, rate: &dyn Fn(bool, usize) -> Rate) {
    const TURNS: usize = 5;
    let mut possible = Vec::new();
    let mut turns: Vec<[Rate; 4]> = Vec::new();
    for _ in 0..TURNS {
        possible.push(two_at_once());
        turns.push([rate(false, 1), rate(true, 1), rate(true, 2), rate(true, 8)]);
    }
    // Ratios within a turn: the machine may be slower in the next.
    let wall = |a: usize, b: usize| median(turns.iter().map(|turn| turn[a].wall / turn[b].wall).collect());
    let cpu = |a: usize, b: usize| median(turns.iter().map(|turn| turn[a].cpu / turn[b].cpu).collect());
    let serial = median(turns.iter().map(|turn| turn[0].wall).collect());
    Table::note(&format!("{what}: serial, nodes/s"), &figure(serial / 1e6, " M"));
    Table::note("  what the machine gives two threads that share nothing", &figure(median(possible), "×"));
    Table::note("  1 thread", &figure(wall(1, 0), "×"));
    table.at_least("  2 threads", 1.7, wall(2, 0), "×");
    Table::note("  2 threads, nodes per CPU second", &figure(cpu(2, 0), "×"));
    Table::note("  8 threads", &figure(wall(3, 0), "×"));
    table.at_least("  8 threads against 2", 0.9, wall(3, 2), "×");
}

/// How much faster two independent threads finish than one after the other: 2 on idle cores.
fn two_at_once() -> f64 {
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

const KORF_1: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
const KORF_3: &str = "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15";
/// Korf and Felner's first 24-puzzle: 95 moves, out of reach here.
const FELNER_1: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

/// The program at work.
fn program(binary: &str, puzzle: &str, position: &str, with: &str, more: &[&str]) -> Child {
    Command::new(binary)
        .args(["solve", puzzle, position, "--goal", "blank-first", "--with", with])
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{binary}: {error}"))
}

fn code(mut child: Child) -> Option<i32> {
    child.wait().ok()?.code()
}

/// What the program does when told to stop.
fn limits(table: &mut Table, binary: &str) {
    Table::head("Limits, seen from outside");
    for with in [
        "ida+manhattan",
        "parida+linear-conflict",
        "astar+manhattan",
        "parastar+manhattan",
        "bfs",
        "parbfs",
        "bibfs",
        "iddfs",
        "auto",
    ] {
        let run = timed(|| code(program(binary, "24-puzzle", FELNER_1, with, &["--time", "1"])));
        let what = format!("--time 1, {with}, exit {}", shown(run.got));
        let ok = run.got == Some(5) && run.wall <= 1.1;
        table.line(&what, "5 in ≤ 1.1 s", &figure(run.wall, " s"), ok);
    }
    for with in ["greedy+manhattan", "layers"] {
        let run = timed(|| code(program(binary, "24-puzzle", FELNER_1, with, &["--time", "1"])));
        let what = format!("--time 1, {with}, exit {}", shown(run.got));
        table.line(&what, "0 in ≤ 1.1 s", &figure(run.wall, " s"), run.got == Some(0) && run.wall <= 1.1);
    }
    if cfg!(target_os = "linux") {
        for with in ["astar+manhattan", "parastar+manhattan", "uniform", "bfs", "parbfs", "bibfs"] {
            let position = if with.contains("star") { KORF_3 } else { KORF_1 };
            let child = program(binary, "15-puzzle", position, with, &["--memory", "300M"]);
            let (peak, code) = most_resident(child);
            let what = format!("--memory 300M, {with}, exit {}", shown(code));
            let ok = code == Some(5) && peak <= 330.0;
            table.line(&what, "5, ≤ 330 MB", &figure(peak, " MB"), ok);
        }
    }
    if cfg!(unix) {
        for with in [
            "ida+manhattan",
            "parida+manhattan",
            "astar+manhattan",
            "parastar+manhattan",
            "bfs",
            "parbfs",
            "bibfs",
            "auto",
        ] {
            let child = program(binary, "24-puzzle", FELNER_1, with, &["--memory", "4G"]);
            sleep(Duration::from_millis(1500));
            let kill = format!("kill -INT {}", child.id());
            let asked = Instant::now();
            assert!(Command::new("sh").args(["-c", &kill]).status().is_ok_and(|status| status.success()));
            let (code, took) = (code(child), asked.elapsed().as_secs_f64());
            let what = format!("Ctrl-C after 1.5 s, {with}, exit {}", shown(code));
            table.line(&what, "130 in ≤ 0.2 s", &figure(took, " s"), code == Some(130) && took <= 0.2);
        }
    }
}

fn shown(code: Option<i32>) -> String {
    code.map_or_else(|| "by a signal".into(), |code| code.to_string())
}

/// The most memory (MB) that a process ever had resident, and how it ended.
fn most_resident(mut child: Child) -> (f64, Option<i32>) {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0;
    loop {
        if let Ok(Some(end)) = child.try_wait() {
            return (peak, end.code());
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        peak = kilobytes.map_or(peak, |kilobytes| peak.max(kilobytes * 1.024 / 1000.0));
        sleep(Duration::from_millis(2));
    }
}

/// What can be asked for.
const PARTS: [&str; 8] = ["korf", "rates", "threads", "limits", "cubes", "pdb", "answers", "balto"];

fn main() -> ExitCode {
    // Cargo adds flags of its own.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    if let Some(unknown) = wanted.iter().find(|word| !PARTS.contains(&&***word)) {
        println!("there is no part `{unknown}` (parts: {})", PARTS.join(", "));
        return ExitCode::from(2);
    }
    println!("  {:<56}{:>14}{:>16}", "figure", "target", "seen");
    let begun = Instant::now();
    let mut table = Table::default();
    let outside = |name: &str, table: &mut Table, measure: fn(&mut Table, &str)| {
        if wants(name) {
            match std::env::var("UNTUMBLE") {
                Ok(binary) => measure(table, &binary),
                Err(_) => println!("\n{name} needs the program: UNTUMBLE=path/to/untumble (or run ./accept)"),
            }
        }
    };
    outside("limits", &mut table, limits);
    if wants("rates") {
        rates(&mut table);
    }
    if wants("threads") {
        threads(&mut table);
    }
    if wants("cubes") {
        cubes::cubes(&mut table);
    }
    if wants("korf") {
        hundred(&mut table);
    }
    outside("pdb", &mut table, patterns::patterns);
    outside("answers", &mut table, answers::answers);
    outside("balto", &mut table, balto::balto);
    println!("\n{} short of their target, {:.0} s", table.short, begun.elapsed().as_secs_f64());
    ExitCode::from(u8::from(table.short > 0))
}
