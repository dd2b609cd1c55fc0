//! Limits hold: time, memory, and the patience of whoever presses Ctrl-C.

mod common;

use common::{KORF_3, KORF_FELNER_1, process, run, soon};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Clocks are watched here: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn a_second_is_a_second() {
    let _turn = alone();
    for solver in ["ida+manhattan", "parida+manhattan", "astar+manhattan", "bfs", "iddfs"] {
        let arguments = [
            "solve",
            "24-puzzle",
            KORF_FELNER_1,
            "--goal",
            "blank-first",
            "--with",
            solver,
            "--time",
            "1",
            "--json",
        ];
        let ran = soon(Duration::from_millis(1100), || run(&arguments).exits(5).timed());
        assert!(ran.took >= Duration::from_millis(900), "{solver} gave up after {:?}", ran.took);
        let line = &ran.json()[0];
        assert_eq!(line["stop"], "time", "{line}");
        assert!(line["lower_bound"].as_u64() > Some(0), "something is proven: {line}");
    }
}

#[test]
fn solvers_that_promise_nothing_keep_what_they_have() {
    let _turn = alone();
    let arguments =
        ["solve", "24-puzzle", KORF_FELNER_1, "--goal", "blank-first", "--with", "layers", "--time", "1"];
    let ran = soon(Duration::from_millis(1100), || run(&arguments).exits(0).timed());
    let ran = ran.says("not proven shortest");
    assert_eq!(ran.out.lines().count(), 1);
}

/// The signals that ask a program to end are a Unix matter.
#[cfg(unix)]
mod signals {
    use super::*;
    use std::process::{Child, Command};
    use std::thread::sleep;
    use std::time::Instant;

    fn send(signal: &str, child: &Child) {
        let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
        assert!(sent.is_ok_and(|status| status.success()), "the signal is sent");
    }

    #[test]
    fn an_interrupt_ends_the_search_with_what_is_proven() {
        let _turn = alone();
        for (signal, solver) in
            [("INT", "ida+manhattan"), ("TERM", "parida+manhattan"), ("INT", "astar+manhattan")]
        {
            let arguments = [
                "solve",
                "24-puzzle",
                KORF_FELNER_1,
                "--goal",
                "blank-first",
                "--with",
                solver,
                "--memory",
                "4G",
            ];
            let output = soon(Duration::from_millis(200), || {
                let child = process(&arguments).spawn().expect("the program starts");
                sleep(Duration::from_millis(700));
                let asked = Instant::now();
                send(signal, &child);
                (child.wait_with_output().expect("the program ends"), asked.elapsed())
            });
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(130), "{solver}: {errors}");
            assert!(errors.contains("stopped by an interrupt: at least "), "{solver}: {errors}");
        }
    }

    #[test]
    fn an_interrupt_while_waiting_for_input_just_ends() {
        let _turn = alone();
        let status = soon(Duration::from_millis(200), || {
            let mut child = process(&["solve", "8-puzzle"])
                .stdin(std::process::Stdio::piped())
                .spawn()
                .expect("the program starts");
            let _open = child.stdin.take();
            sleep(Duration::from_millis(200));
            send("INT", &child);
            let asked = Instant::now();
            (child.wait().expect("the program ends"), asked.elapsed())
        });
        assert!(!status.success());
    }
}

/// The most memory a process ever had resident is told by Linux.
#[cfg(target_os = "linux")]
#[test]
fn memory_never_exceeds_its_limit() {
    let _turn = alone();
    let arguments = [
        "solve",
        "15-puzzle",
        KORF_3,
        "--goal",
        "blank-first",
        "--with",
        "astar+manhattan",
        "--memory",
        "300M",
    ];
    let mut child = process(&arguments).spawn().expect("the program starts");
    let mut peak = 0;
    while child.try_wait().expect("a status").is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0u64));
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("the program ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{errors}");
    assert!(errors.contains("stopped by the memory limit"), "{errors}");
    assert!(peak <= 330_000, "{peak} kB were resident");
    assert!(peak >= 200_000, "the limit was used: {peak} kB");
}
