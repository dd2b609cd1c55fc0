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
    /// The number of answers of earlier runs.
    kept: u64,
    display: Mutex<Display>,
}

#[derive(Default)]
struct Display {
    bar: Option<ProgressBar>,
    /// Whether the bar shows a share; without one it is a spinner.
    has_share: bool,
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
    /// A display in the mode that the flag selects; earlier runs have given `kept` answers.
    pub(crate) fn new(flag: cli::Progress, kept: u64) -> BatchProgress {
        let mode = ProgressMode::from_flag(flag);
        BatchProgress { mode, start: Instant::now(), kept, display: Mutex::default() }
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

    /// Shows the progress after `found` answers, those of earlier runs included, to about `expected` positions.
    pub(crate) fn show(&self, found: u64, expected: Option<f64>) {
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
        let answers = found - self.kept;
        let rate = answers as f64 / seconds;
        let (share, left) = share_and_left(self.kept, answers, expected, seconds);
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
        let template = if share.is_some() { "{bar:30} {msg}" } else { "{spinner} {msg}" };
        // The share is part of the message: a bar draws itself after each setter, so its own percentage would
        // for a moment stand beside an older message.
        if let Some(share) = share {
            text.insert_str(0, &format!("{:>3.0} % ", (share * 100.0).floor()));
        }
        // The length of a pipe becomes known at its end.
        if display.has_share != share.is_some() {
            display.has_share = share.is_some();
            if let Some(bar) = display.bar.take() {
                bar.finish_and_clear();
            }
        }
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

/// The share of the positions that is answered, and the remaining time in seconds by the rate of this run.
fn share_and_left(
    kept: u64,
    answers: u64,
    expected: Option<f64>,
    seconds: f64,
) -> (Option<f64>, Option<f64>) {
    let Some(expected) = expected else { return (None, None) };
    let found = (kept + answers) as f64;
    let left = (answers > 0).then(|| seconds * (expected - found).max(0.0) / answers as f64);
    (Some((found / expected.max(1.0)).min(1.0)), left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_and_time_left_count_answers() {
        assert_eq!(share_and_left(0, 0, Some(200.0), 1.0), (Some(0.0), None), "no rate yet");
        assert_eq!(share_and_left(0, 50, Some(200.0), 10.0), (Some(0.25), Some(30.0)), "150 left at 5/s");
        assert_eq!(share_and_left(0, 200, Some(200.0), 40.0), (Some(1.0), Some(0.0)));
    }

    #[test]
    fn a_resumed_batch_begins_with_the_share_of_the_kept_answers() {
        assert_eq!(share_and_left(150, 0, Some(200.0), 1.0), (Some(0.75), None));
        assert_eq!(share_and_left(150, 10, Some(200.0), 2.0), (Some(0.8), Some(8.0)), "40 left at 5/s");
    }

    #[test]
    fn nothing_is_estimated_for_a_pipe_and_a_wrong_estimate_is_no_more_than_all() {
        assert_eq!(share_and_left(0, 50, None, 10.0), (None, None));
        assert_eq!(share_and_left(0, 50, Some(40.0), 10.0), (Some(1.0), Some(0.0)));
    }
}
