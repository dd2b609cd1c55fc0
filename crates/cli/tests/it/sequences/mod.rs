//! Model-based tests: random sequences of runs, kills, damage and second processes, compared with simple
//! models. A failing sequence is shrunk to a short one.
//!
//! `UNTUMBLE_SEQUENCES` sets the number of sequences of each model. The seed is fixed, so a failure occurs
//! again; `UNTUMBLE_SEED` selects other sequences. Each model prints the number of its sequences and kills,
//! which `./accept sequences` adds up.
//!
//! The model of the tables knows every outcome beforehand and is a [`proptest_state_machine`]. The others
//! are lists of operations, since how far a killed process came is known only afterwards.

#[cfg(feature = "report")]
mod analyze;
mod batch;
mod checkpoints;
mod damage;
#[cfg(feature = "serve")]
mod service;
mod tables;

use std::process::ExitStatus;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// The number of sequences, unless the environment gives another.
const SEQUENCES: u32 = 20;

/// Sequences and kills of one model.
struct Counts {
    model: &'static str,
    sequences: AtomicU32,
    kills: AtomicU32,
}

impl Counts {
    const fn of(model: &'static str) -> Counts {
        Counts { model, sequences: AtomicU32::new(0), kills: AtomicU32::new(0) }
    }

    fn add_sequence(&self) {
        self.sequences.fetch_add(1, Relaxed);
    }

    /// Counts a process that a signal ended; returns whether it did.
    fn add_kill(&self, status: ExitStatus) -> bool {
        let killed = status.code().is_none();
        self.kills.fetch_add(u32::from(killed), Relaxed);
        killed
    }

    #[allow(clippy::print_stdout, reason = "./accept reads the counts")]
    fn print(&self) {
        let (sequences, kills) = (self.sequences.load(Relaxed), self.kills.load(Relaxed));
        // The test harness may have started the line with the name of the test.
        println!("\nsequences of {}: {sequences}, kills: {kills}", self.model);
        assert!(kills > 0, "{}: no process was killed before its end", self.model);
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().expect("a number"))
}

/// The configuration of a model that runs `default` sequences unless the environment gives another number.
fn config(default: u32) -> Config {
    let cases = number("UNTUMBLE_SEQUENCES").map_or(default, |count| u32::try_from(count).expect("a count"));
    Config {
        cases,
        rng_seed: RngSeed::Fixed(number("UNTUMBLE_SEED").unwrap_or(18)),
        failure_persistence: None,
        max_shrink_iters: 150,
        ..Config::default()
    }
}

/// Runs random lists of operations and prints the shortest list that fails.
fn check_sequences<T: std::fmt::Debug>(
    counts: &Counts,
    default: u32,
    operation: impl Strategy<Value = T>,
    length: std::ops::Range<usize>,
    run: impl Fn(Vec<T>),
) {
    let result =
        TestRunner::new(config(default)).run(&proptest::collection::vec(operation, length), |operations| {
            counts.add_sequence();
            run(operations);
            Ok(())
        });
    if let Err(error) = result {
        panic!("{}: {error}", counts.model);
    }
    counts.print();
}
