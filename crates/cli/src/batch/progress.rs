//! The progress of a batch: answers, answers per second, remaining time; and its summary at the end.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use indicatif::ProgressBar;
use serde::Serialize;

use super::OutcomeCounts;
use crate::cli;
use crate::output;
use crate::progress::{self, BAR_LENGTH, LINE_INTERVAL, ProgressMode, SHOW_AFTER};
use untumble_session::{number_format, serialize_six_digits};

/// Displays the progress of a batch on standard error.
pub(crate) struct BatchProgress {
    mode: ProgressMode,
    start: Instant,
    /// The share of the input that earlier runs have answered.
    start_share: f64,
    display: Mutex<Display>,
}

#[derive(Default)]
struct Display {
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
}

/// The events of `--progress json`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum BatchEvent {
    Progress {
        answers: u64,
        #[serde(serialize_with = "serialize_six_digits")]
        seconds: f64,
        #[serde(serialize_with = "serialize_six_digits")]
        rate: f64,
        #[serde(serialize_with = "serialize_six_digits")]
        share: Option<f64>,
        #[serde(serialize_with = "serialize_six_digits")]
        left: Option<f64>,
    },
    Done {
        answers: u64,
        solved: u64,
        unsolvable: u64,
        stopped: u64,
        invalid: u64,
        #[serde(serialize_with = "serialize_six_digits")]
        seconds: f64,
        #[serde(serialize_with = "serialize_six_digits")]
        rate: f64,
    },
}

impl BatchProgress {
    /// A display in the mode that the flag selects; `start_share` of the input is answered already.
    pub(crate) fn new(flag: cli::Progress, start_share: f64) -> BatchProgress {
        let mode = ProgressMode::from_flag(flag);
        BatchProgress { mode, start: Instant::now(), start_share, display: Mutex::default() }
    }

    fn display(&self) -> MutexGuard<'_, Display> {
        self.display.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a message while the bar is hidden.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        match &self.display().bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Shows the number of answers of this run, and the share of the input that is answered if it is known.
    pub(crate) fn show(&self, answers: u64, share: Option<f64>) {
        if self.mode == ProgressMode::Silent || self.start.elapsed() < SHOW_AFTER {
            return;
        }
        let mut display = self.display();
        if self.mode != ProgressMode::Bar {
            if display.last_line.is_some_and(|last| last.elapsed() < LINE_INTERVAL) {
                return;
            }
            display.last_line = Some(Instant::now());
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = answers as f64 / seconds;
        let left = share
            .filter(|&share| share > self.start_share && share <= 1.0)
            .map(|share| seconds * (1.0 - share) / (share - self.start_share));
        if self.mode == ProgressMode::JsonEvents {
            output::event(&BatchEvent::Progress { answers, seconds, rate, share, left });
            return;
        }
        let mut text =
            format!("{} · {}/s", number_format::pluralize(answers, "answer"), number_format::compact(rate));
        if let Some(left) = left {
            text.push_str(&format!(" · {left:.0} s left"));
        }
        if self.mode == ProgressMode::Lines {
            output::note(&text);
            return;
        }
        let template = if share.is_some() { "{bar:30} {percent:>3} % {msg}" } else { "{spinner} {msg}" };
        let bar = display.bar.get_or_insert_with(|| progress::progress_bar(template));
        bar.set_position((share.unwrap_or(0.0) * BAR_LENGTH as f64) as u64);
        bar.set_message(text);
        bar.tick();
    }

    /// Clears the bar and prints the summary: `answers` of this run, and the counts of all answers in the
    /// output.
    pub(crate) fn finish(&self, answers: u64, written: OutcomeCounts) {
        if let Some(bar) = self.display().bar.take() {
            bar.finish_and_clear();
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = answers as f64 / seconds.max(1e-9);
        let OutcomeCounts { solved, unsolvable, stopped, invalid } = written;
        if self.mode == ProgressMode::JsonEvents {
            output::event(&BatchEvent::Done { answers, solved, unsolvable, stopped, invalid, seconds, rate });
            return;
        }
        let counts =
            [(solved, "solved"), (unsolvable, "unsolvable"), (stopped, "stopped"), (invalid, "invalid")];
        let counts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| format!("{} {kind}", number_format::grouped(*count)))
            .collect();
        let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        output::note(&format!(
            "{} in {} ({}/s){counts}",
            number_format::pluralize(answers, "answer"),
            number_format::seconds(seconds),
            number_format::compact(rate)
        ));
    }
}
