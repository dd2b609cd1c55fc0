//! Benchmark suites of sliding tiles: the measurements in the README.

use crate::suites::{Case, Positions, Suite};

use super::instance_sets::korf_instances;

/// The suites of sliding tiles.
pub fn suites() -> Vec<Suite> {
    vec![
        Suite {
            name: "8-puzzle",
            what: "small searches; one second per round",
            cases: eight(),
            needs_device: false,
        },
        Suite {
            name: "15-puzzle",
            what: "nodes per second on some of Korf's instances, 1 and 2 threads; ten seconds per round",
            cases: fifteen(),
            needs_device: false,
        },
        Suite {
            name: "korf",
            what: "optimal solutions of Korf's 100 instances; half a minute per round",
            cases: vec![Case {
                name: "15-puzzle, Korf 1–100".into(),
                solver: "ida+max(walking,linear-conflict)".into(),
                ..instances(1..=100)
            }],
            needs_device: false,
        },
    ]
}

fn eight() -> Vec<Case> {
    let random = |with: &str, count| Case {
        name: format!("8-puzzle, {count} random, {with}"),
        puzzle: "8-puzzle",
        goal: None,
        metric: None,
        solver: with.into(),
        threads: 1,
        positions: Positions::Random { count, seed: 1 },
    };
    vec![random("bfs", 50), random("astar+manhattan", 2000), random("ida+manhattan", 5000)]
}

fn fifteen() -> Vec<Case> {
    const SEQUENTIAL: &[usize] = &[1, 10, 54, 98];
    const PARALLEL: &[usize] = &[11, 70, 89, 98];
    let korf = |with: &str, numbers: &[usize], threads| {
        let names: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let suffix = if threads > 1 { format!(", {threads} threads") } else { String::new() };
        let name = format!("15-puzzle, Korf {}, {with}{suffix}", names.join(" "));
        Case { name, solver: with.into(), threads, ..instances(numbers.iter().copied()) }
    };
    vec![
        korf("astar+manhattan", &[2], 1),
        korf("ida+manhattan", SEQUENTIAL, 1),
        korf("ida+linear-conflict", SEQUENTIAL, 1),
        korf("ida+walking", SEQUENTIAL, 1),
        korf("ida+max(walking,linear-conflict)", SEQUENTIAL, 1),
        korf("parida+manhattan", PARALLEL, 1),
        korf("parida+manhattan", PARALLEL, 2),
    ]
}

/// A case without name and solver, on Korf's instances with these numbers.
fn instances(numbers: impl IntoIterator<Item = usize>) -> Case {
    let korf = korf_instances();
    let published = numbers.into_iter().filter_map(|number| korf.get(number - 1).cloned()).collect();
    Case {
        name: String::new(),
        puzzle: "15-puzzle",
        goal: Some("blank-first"),
        metric: None,
        solver: String::new(),
        threads: 1,
        positions: Positions::Published(published),
    }
}
