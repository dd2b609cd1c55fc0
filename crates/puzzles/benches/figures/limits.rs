//! Limits of the program, measured on child processes: time, memory, interrupts.
//!
//! The overshoot of a time limit is the least of the wall time and the CPU time after the deadline, because a
//! busy machine delays a process that does nothing. Memory is the peak resident size of the whole process.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::patterns::Folder;
use super::{TargetTable, cpu_seconds, figure, timed};
use untumble_search::perm::SplitMix64;

const KORF_1: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
const KORF_3: &str = "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15";
/// Korf and Felner's first 24-puzzle: 95 moves, not solved within the limits here.
const FELNER_1: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

/// Starts the program on one position.
fn spawn_solve(binary: &str, puzzle: &str, position: &str, with: &str, limits: &[&str]) -> Child {
    Command::new(binary)
        .args(["solve", puzzle, position, "--goal", "blank-first", "--with", with])
        .args(limits)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{binary}: {error}"))
}

fn exit_code(mut child: Child) -> Option<i32> {
    child.wait().ok()?.code()
}

/// Exit codes, times and memory of the program under limits and after an interrupt.
pub(crate) fn limits(table: &mut TargetTable, binary: &str) {
    overshoots(table, binary);
    peaks(table, binary);
    TargetTable::heading("Limits of the program");
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
        let run = timed(|| exit_code(spawn_solve(binary, "24-puzzle", FELNER_1, with, &["--time", "1"])));
        let name = format!("--time 1, {with}, exit {}", exit_text(run.output));
        let ok = run.output == Some(5) && run.wall <= 1.1;
        table.check(&name, "5 in ≤ 1.1 s", &figure(run.wall, " s"), ok);
    }
    for with in ["greedy+manhattan", "layers"] {
        let run = timed(|| exit_code(spawn_solve(binary, "24-puzzle", FELNER_1, with, &["--time", "1"])));
        let name = format!("--time 1, {with}, exit {}", exit_text(run.output));
        table.check(&name, "0 in ≤ 1.1 s", &figure(run.wall, " s"), run.output == Some(0) && run.wall <= 1.1);
    }
    if cfg!(target_os = "linux") {
        for with in ["astar+manhattan", "parastar+manhattan", "uniform", "bfs", "parbfs", "bibfs"] {
            let position = if with.contains("star") { KORF_3 } else { KORF_1 };
            let child = spawn_solve(binary, "15-puzzle", position, with, &["--memory", "300M"]);
            let (peak, code) = peak_resident(child);
            let name = format!("--memory 300M, {with}, exit {}", exit_text(code));
            let allowed = allowed_peak(300);
            let ok = code == Some(5) && peak <= allowed;
            table.check(&name, &format!("5, ≤ {}", figure(allowed, " MB")), &figure(peak, " MB"), ok);
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
            let child = spawn_solve(binary, "24-puzzle", FELNER_1, with, &["--memory", "4G"]);
            sleep(Duration::from_millis(1500));
            let interrupt = format!("kill -INT {}", child.id());
            let begin = Instant::now();
            let sent = Command::new("sh").args(["-c", &interrupt]).status();
            assert!(sent.is_ok_and(|status| status.success()));
            let (code, seconds) = (exit_code(child), begin.elapsed().as_secs_f64());
            let name = format!("Ctrl-C after 1.5 s, {with}, exit {}", exit_text(code));
            table.check(&name, "130 in ≤ 0.2 s", &figure(seconds, " s"), code == Some(130) && seconds <= 0.2);
        }
    }
}

pub(crate) fn exit_text(code: Option<i32>) -> String {
    code.map_or_else(|| "by a signal".into(), |code| code.to_string())
}

/// The peak resident memory of a process in MB, and its exit code.
pub(crate) fn peak_resident(mut child: Child) -> (f64, Option<i32>) {
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

/// A puzzle, a position, further arguments and the solvers that are measured with it.
struct Measured {
    puzzle: &'static str,
    position: &'static str,
    arguments: &'static [&'static str],
    solvers: &'static [&'static str],
}

const EIGHT: &str = "8 6 7 2 5 4 3 0 1";
const SCRAMBLE: &str = "R U2 F' L D2 B R' U F2 L' B2 D R2 U' F D' L2 B U R";
/// Side 3 after random moves, and a random board of side 5.
const BALTO_3: &str = "1A4D2B6E3C5F1B4A6D2C5E3F1D4B6A2E5C3A1F4E6B2D5A3C1E4F6C2A5D3B";
const BALTO_5: &str = "40 11 4 0 50 8 41 12 5 15 30 9 24 39 57 47 2 37 7 31 28 25 22 42 58 49 44 16 55 59 27 54 21 \
                       20 34 1 26 43 19 13 33 14 60 53 45 46 23 51 6 32 38 17 48 36 10 18 35 52 3 56 29";

/// Every algorithm, and every table build.
const MEASURED: [Measured; 8] = [
    Measured {
        puzzle: "8-puzzle",
        position: EIGHT,
        arguments: &[],
        solvers: &["ida+pdb:8", "astar+pdb:4-4", "ida+walking", "table"],
    },
    Measured {
        puzzle: "15-puzzle",
        position: KORF_3,
        arguments: &["--goal", "blank-first"],
        solvers: &[
            "ida+manhattan",
            "parida+linear-conflict",
            "ida+walking",
            "iddfs",
            "astar+manhattan",
            "hda+manhattan",
            "uniform",
            "greedy+manhattan",
            "bfs",
            "parbfs",
            "parbfs:barrier=off",
            "bibfs",
            "layers",
            "beam:width=100000",
            "tunnel",
            "ida+pdb:5-5-5",
            "ida+pdb:6-6-3",
            "ida+pdb:7-8",
            "auto",
        ],
    },
    Measured {
        puzzle: "24-puzzle",
        position: FELNER_1,
        arguments: &["--goal", "blank-first"],
        solvers: &["ida+pdb:6-6-6-6", "ida+pdb:5-5-5-5-4", "astar+linear-conflict", "auto"],
    },
    Measured {
        puzzle: "cube3",
        position: SCRAMBLE,
        arguments: &[],
        solvers: &[
            "optimal:table=30MB",
            "optimal:table=61MB",
            "optimal:table=122MB",
            "optimal:table=243MB",
            "optimal:table=714MB",
            "two-phase:tables=large",
            "two-phase:tables=small",
            "ida+corners",
            "ida+edges:6",
            "ida+edges:7",
            "astar+corners",
            "bibfs",
            "auto",
        ],
    },
    Measured {
        puzzle: "cube3",
        position: SCRAMBLE,
        arguments: &["--metric", "qtm"],
        solvers: &["two-phase:tables=large", "ida+max(corners,edges:7)", "auto"],
    },
    Measured {
        puzzle: "cube2",
        position: "R U2 F' R2 U F2 R' U",
        arguments: &[],
        solvers: &["table", "ida+tiny", "iddfs", "auto"],
    },
    Measured {
        puzzle: "balto-3",
        position: BALTO_3,
        arguments: &["--as", "moves"],
        solvers: &["astar", "bfs", "auto"],
    },
    Measured {
        puzzle: "balto-5",
        position: BALTO_5,
        arguments: &[],
        solvers: &["astar", "hda", "bfs", "beam", "auto"],
    },
];

/// The number of runs: the variable `UNTUMBLE_RUNS`, or `default`.
fn runs(default: usize) -> usize {
    std::env::var("UNTUMBLE_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(default)
}

/// The cases in turn, `count` of them.
fn cases(count: usize) -> impl Iterator<Item = (&'static Measured, &'static str)> {
    let all = || {
        MEASURED.iter().flat_map(|measured| measured.solvers.iter().map(move |solver| (measured, *solver)))
    };
    std::iter::repeat_with(all).flatten().take(count)
}

/// Starts the program on a case, with its tables in `folder`.
fn spawn_case(binary: &str, measured: &Measured, solver: &str, limits: &[&str], folder: &Folder) -> Child {
    Command::new(binary)
        .args(["solve", measured.puzzle, measured.position, "--with", solver])
        .args(measured.arguments)
        .args(limits)
        .env("UNTUMBLE_CACHE", &folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{binary}: {error}"))
}

/// User plus system time of a process so far, in seconds.
fn process_cpu(id: u32) -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
}

/// The time that a process takes after its deadline, in seconds.
fn overshoot(binary: &str, measured: &Measured, solver: &str, limit: Duration) -> f64 {
    const CHILDREN: usize = 13;
    let folder = Folder::new();
    let time = limit.as_secs_f64().to_string();
    let before = cpu_seconds(CHILDREN).unwrap_or(0.0);
    let begin = Instant::now();
    let mut child = spawn_case(binary, measured, solver, &["--time", &time], &folder);
    sleep(limit.saturating_sub(begin.elapsed()));
    let at_deadline = process_cpu(child.id());
    let _ = child.wait();
    let wall = (begin.elapsed().as_secs_f64() - limit.as_secs_f64()).max(0.0);
    let after = cpu_seconds(CHILDREN).zip(at_deadline).map(|(after, at)| (after - before - at).max(0.0));
    after.map_or(wall, |cpu| cpu.min(wall))
}

/// The overshoot of time limits over all algorithms and table builds.
fn overshoots(table: &mut TargetTable, binary: &str) {
    let count = runs(500);
    TargetTable::heading(&format!("Overshoot of --time, {count} runs of all algorithms and table builds"));
    let mut rng = SplitMix64(1);
    let mut results: Vec<(f64, String)> = cases(count)
        .map(|(measured, solver)| {
            let limit = Duration::from_millis(50 + rng.next_u64() % 1950);
            let name = format!("{} {solver} --time {}", measured.puzzle, limit.as_secs_f64());
            (overshoot(binary, measured, solver, limit), name)
        })
        .collect();
    results.sort_by(|a, b| a.0.total_cmp(&b.0));
    let quantile = |share: f64| results[((results.len() - 1) as f64 * share).round() as usize].0;
    TargetTable::note("median", &figure(quantile(0.5), " s"));
    table.at_most("99 % of the runs", 0.1, quantile(0.99), " s");
    for (seconds, name) in results.iter().rev().take(5) {
        TargetTable::note(name, &figure(*seconds, " s"));
    }
}

/// The peak memory under memory limits over all algorithms and table builds.
fn peaks(table: &mut TargetTable, binary: &str) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let count = runs(500).div_ceil(5) * 2;
    TargetTable::heading(&format!(
        "Peak memory beyond --memory, {count} runs of all algorithms and table builds"
    ));
    let mut rng = SplitMix64(2);
    let (mut abnormal, mut unmeasured) = (0, 0);
    let mut worst: Vec<(f64, String)> = cases(count)
        .map(|(measured, solver)| {
            let limit = 32 + rng.next_u64() % 700;
            let folder = Folder::new();
            let memory = format!("{limit}M");
            let limits = ["--memory", &memory, "--time", "10"];
            let (peak, code) = peak_resident(spawn_case(binary, measured, solver, &limits, &folder));
            let name = format!("{} {solver} --memory {memory}", measured.puzzle);
            // 0 is solved, 5 is stopped by a limit.
            if !matches!(code, Some(0 | 5)) {
                abnormal += 1;
                TargetTable::note(&name, &format!("exit {}", exit_text(code)));
            }
            unmeasured += u32::from(peak == 0.0);
            (peak - allowed_peak(limit), name)
        })
        .collect();
    table.at_most(
        "runs that ended in another way than by an answer or a limit",
        0.0,
        f64::from(abnormal),
        "",
    );
    table.at_most("runs too short to be measured", count as f64 / 20.0, f64::from(unmeasured), "");
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    table.at_most("largest excess over the limit + 2 % + 8 MB", 0.0, worst[0].0, " MB");
    for (excess, name) in worst.iter().take(5) {
        TargetTable::note(name, &figure(*excess, " MB"));
    }
}

/// The resident memory in MB that a process with a limit of `limit` MiB may take: 2 % and 8 MB more.
fn allowed_peak(limit: u64) -> f64 {
    1.02 * 1.048_576 * limit as f64 + 8.0
}
