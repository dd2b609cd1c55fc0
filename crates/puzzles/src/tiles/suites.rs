//! What is measured about sliding tiles: the figures of the README.

use crate::suites::{Case, Positions, Suite};

/// Korf's hundred 15-puzzles, as the tests keep them.
const KORF: &str = include_str!("../../tests/golden/korf-15-puzzle.csv");

/// The suites of sliding tiles.
pub fn suites() -> Vec<Suite> {
    vec![
        Suite {
            name: "8-puzzle",
            what: "small searches, a second a round",
            cases: eight(),
            needs_device: false,
        },
        Suite {
            name: "15-puzzle",
            what: "rates of one thread on some of Korf's instances, and what a second one gains, ten seconds a round",
            cases: fifteen(),
            needs_device: false,
        },
        Suite {
            name: "korf",
            what: "all of Korf's hundred 15-puzzles, proven shortest, half a minute a round",
            cases: vec![Case {
                name: "15-puzzle, Korf 1–100".into(),
                with: "ida+max(walking,linear-conflict)",
                ..instances(1..=100)
            }],
            needs_device: false,
        },
    ]
}

fn eight() -> Vec<Case> {
    let random = |with, count| Case {
        name: format!("8-puzzle, {count} random, {with}"),
        puzzle: "8-puzzle",
        goal: None,
        metric: None,
        with,
        threads: 1,
        positions: Positions::Random { count, seed: 1 },
    };
    vec![random("bfs", 50), random("astar+manhattan", 2000), random("ida+manhattan", 5000)]
}

fn fifteen() -> Vec<Case> {
    const RATES: &[usize] = &[1, 10, 54, 98];
    const SHARED: &[usize] = &[11, 70, 89, 98];
    let korf = |with, numbers: &[usize], threads| {
        let names: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let several = if threads > 1 { format!(", {threads} threads") } else { String::new() };
        let name = format!("15-puzzle, Korf {}, {with}{several}", names.join(" "));
        Case { name, with, threads, ..instances(numbers.iter().copied()) }
    };
    vec![
        korf("astar+manhattan", &[2], 1),
        korf("ida+manhattan", RATES, 1),
        korf("ida+linear-conflict", RATES, 1),
        korf("ida+walking", RATES, 1),
        korf("ida+max(walking,linear-conflict)", RATES, 1),
        korf("parida+manhattan", SHARED, 1),
        korf("parida+manhattan", SHARED, 2),
    ]
}

/// A case without name and solver on Korf's instances of these numbers.
fn instances(numbers: impl IntoIterator<Item = usize>) -> Case {
    // Two lines of the file are its source and its header.
    let board = |number: usize| KORF.lines().nth(number + 1)?.rsplit(',').next().map(str::to_owned);
    Case {
        name: String::new(),
        puzzle: "15-puzzle",
        goal: Some("blank-first"),
        metric: None,
        with: "",
        threads: 1,
        positions: Positions::Listed(numbers.into_iter().filter_map(board).collect()),
    }
}
