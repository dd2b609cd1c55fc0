//! Limits of time and memory, and interrupts. `./accept limits` measures the delays.

use serde_json::Value;

use crate::common::{KORF_3, KORF_FELNER_1, process, run};

/// A search that takes hours.
fn endless<'a>(solver: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let arguments = ["solve", "24-puzzle", KORF_FELNER_1, "--goal", "blank-first", "--with", solver];
    [&arguments[..], more].concat()
}

#[test]
fn a_time_limit_ends_every_search_with_a_lower_bound() {
    for solver in ["ida+manhattan", "parida+manhattan", "astar+manhattan", "bfs", "iddfs"] {
        let ran = run(&endless(solver, &["--time", "1", "--json"])).exits(5);
        let line: &Value = &ran.json()[0];
        assert_eq!(line["stop"], "time", "{line}");
        assert!(line["seconds"].as_f64() >= Some(0.9), "{solver} gave up early: {line}");
        assert!(line["lower_bound"].as_u64() > Some(0), "a lower bound is proven: {line}");
    }
}

#[test]
fn a_solver_without_guarantee_keeps_its_solution_at_a_limit() {
    let ran = run(&endless("layers", &["--time", "1"])).exits(0).stderr_contains("moves, lower bound ");
    assert_eq!(ran.out.lines().count(), 1);
}

/// Signals exist on Unix only.
#[cfg(unix)]
mod signals {
    use std::io::Write;
    use std::process::Stdio;

    use super::*;
    use crate::common::{Running, signal};

    #[test]
    fn an_interrupt_ends_the_search_with_its_lower_bound() {
        for (signal, solver) in
            [("INT", "ida+manhattan"), ("TERM", "parida+manhattan"), ("INT", "astar+manhattan")]
        {
            let mut running = Running::start(&endless(solver, &["--memory", "4G", "--progress", "bar"]));
            running.wait_for("nodes/s");
            let ran = running.end_by(signal).exits(130);
            ran.stderr_contains("stopped by an interrupt: lower bound ");
        }
    }

    #[test]
    fn an_interrupt_while_waiting_for_input_ends_the_program() {
        let mut child =
            process(&["solve", "8-puzzle"]).stdin(Stdio::piped()).spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        // More than a pipe holds: once it is written, the program is reading.
        input.write_all(&[b'\n'; 1 << 20]).expect("the program reads");
        signal(&child, "INT");
        assert!(!child.wait().expect("the program ends").success());
    }
}

/// Linux reports the peak resident memory of a process.
#[cfg(target_os = "linux")]
#[test]
fn memory_never_exceeds_its_limit_by_more_than_2_percent_and_8_megabytes() {
    const LIMIT: u64 = 264 << 20;
    // The hash tables of several workers grow in turn.
    for solver in ["astar+manhattan", "hda+manhattan"] {
        let arguments = ["solve", "15-puzzle", KORF_3, "--goal", "blank-first", "--with", solver];
        let mut child =
            process(&[&arguments[..], &["--memory", "264M", "--threads", "2", "--json"]].concat())
                .spawn()
                .expect("the program starts");
        let mut peak = 0;
        while child.try_wait().expect("a status").is_none() {
            let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
            peak = peak.max(1024 * kilobytes.unwrap_or(0));
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let output = child.wait_with_output().expect("the program ends");
        let line: Value = serde_json::from_slice(&output.stdout).expect("an answer");
        assert_eq!((output.status.code(), &line["stop"]), (Some(5), &"memory".into()), "{line}");
        let allowed = LIMIT + LIMIT / 50 + 8_000_000;
        assert!(peak <= allowed, "{solver}: {peak} bytes were resident, allowed are {allowed}");
        assert!(line["peak_bytes"].as_u64() >= Some(LIMIT / 3 * 2), "the limit was used: {line}");
    }
}
