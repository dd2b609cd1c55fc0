//! What a batch shows while it runs: how many answers, how fast, how long still.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use indicatif::ProgressBar;
use serde::Serialize;

use super::Tally;
use crate::cli;
use crate::output;
use crate::progress::{self, BETWEEN_LINES, FULL, How, PATIENCE};
use untumble_session::{figures, rounded, six_digits};

/// Shows how a batch gets on.
pub(crate) struct Pace {
    how: How,
    begun: Instant,
    /// The share of the input that was done when it began.
    from: f64,
    screen: Mutex<Screen>,
}

#[derive(Default)]
struct Screen {
    bar: Option<ProgressBar>,
    spoken: Option<Instant>,
}

/// The events of `--progress json`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Told {
    Progress {
        answers: u64,
        #[serde(serialize_with = "six_digits")]
        seconds: f64,
        #[serde(serialize_with = "six_digits")]
        rate: f64,
        share: Option<f64>,
        left: Option<f64>,
    },
    Done {
        answers: u64,
        solved: u64,
        unsolvable: u64,
        stopped: u64,
        invalid: u64,
        #[serde(serialize_with = "six_digits")]
        seconds: f64,
        #[serde(serialize_with = "six_digits")]
        rate: f64,
    },
}

impl Pace {
    /// Begins when `from` of the input is done.
    pub(crate) fn new(how: cli::Progress, from: f64) -> Pace {
        Pace { how: How::asked(how), begun: Instant::now(), from, screen: Mutex::default() }
    }

    fn screen(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says something without spoiling the bar.
    pub(crate) fn aside(&self, say: impl FnOnce()) {
        match &self.screen().bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    /// Shows where the batch stands: the answers of this run, and the share of the input that is done.
    pub(crate) fn show(&self, answers: u64, share: Option<f64>) {
        if self.how == How::Silent || self.begun.elapsed() < PATIENCE {
            return;
        }
        let mut screen = self.screen();
        if self.how != How::Bar {
            if screen.spoken.is_some_and(|last| last.elapsed() < BETWEEN_LINES) {
                return;
            }
            screen.spoken = Some(Instant::now());
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = answers as f64 / seconds;
        let left = share
            .filter(|&share| share > self.from && share <= 1.0)
            .map(|share| seconds * (1.0 - share) / (share - self.from));
        if self.how == How::Events {
            let (share, left) = (share.map(rounded), left.map(rounded));
            output::event(&Told::Progress { answers, seconds, rate, share, left });
            return;
        }
        let mut text = format!("{} · {}/s", figures::counted(answers, "answer"), figures::rounded(rate));
        if let Some(left) = left {
            text.push_str(&format!(" · {left:.0} s left"));
        }
        if self.how == How::Lines {
            output::note(&text);
            return;
        }
        let template = if share.is_some() { "{bar:30} {percent:>3} % {msg}" } else { "{spinner} {msg}" };
        let bar = screen.bar.get_or_insert_with(|| progress::styled(template));
        bar.set_position((share.unwrap_or(0.0) * FULL as f64) as u64);
        bar.set_message(text);
        bar.tick();
    }

    /// Clears what was drawn and says how it ended: `answers` were found in this run, `written` stand in all.
    pub(crate) fn finish(&self, answers: u64, written: Tally) {
        if let Some(bar) = self.screen().bar.take() {
            bar.finish_and_clear();
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = answers as f64 / seconds.max(1e-9);
        let Tally { solved, unsolvable, stopped, invalid } = written;
        if self.how == How::Events {
            output::event(&Told::Done { answers, solved, unsolvable, stopped, invalid, seconds, rate });
            return;
        }
        let kinds =
            [(solved, "solved"), (unsolvable, "unsolvable"), (stopped, "stopped"), (invalid, "invalid")];
        let kinds: Vec<String> = kinds
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| format!("{} {kind}", figures::grouped(*count)))
            .collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
        output::note(&format!(
            "{} in {} ({}/s){kinds}",
            figures::counted(answers, "answer"),
            figures::seconds(seconds),
            figures::rounded(rate)
        ));
    }
}
