//! The progress of `compare`, `analyze` and `bench`: finished searches, the running one, the remaining time.

use std::fmt::Arguments;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use indicatif::ProgressBar;
use serde::Serialize;

use untumble_report::SeriesObserver;
use untumble_search::control::{Event, Observer, Stop, TablePhase};
use untumble_session::{number_format, serialize_six_digits};

use crate::cli;
use crate::interrupt;
use crate::output;
use crate::progress::{self, BAR_LENGTH, LINE_INTERVAL, ProgressMode, SHOW_AFTER};

/// Displays the progress of a series of searches on standard error.
pub(crate) struct MeasurementProgress {
    mode: ProgressMode,
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The start of the first search, after preparation.
    search_start: Option<Instant>,
    /// The number of all searches; 0 during preparation.
    all: usize,
    /// Searches finished by earlier runs.
    done_before: usize,
    /// Searches finished so far, earlier runs included.
    done: usize,
    /// The label of the running search.
    running: String,
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
}

/// The events of `--progress json`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum MeasurementEvent<'a> {
    Progress {
        done: usize,
        all: usize,
        running: &'a str,
        #[serde(serialize_with = "serialize_six_digits")]
        seconds: f64,
        #[serde(serialize_with = "serialize_six_digits")]
        left: Option<f64>,
    },
    Table {
        name: &'a str,
        phase: &'static str,
        #[serde(serialize_with = "serialize_six_digits")]
        share: f64,
        #[serde(serialize_with = "serialize_six_digits")]
        left: Option<f64>,
    },
}

impl MeasurementProgress {
    /// A display in the mode that the flag selects.
    pub(crate) fn new(flag: cli::Progress) -> MeasurementProgress {
        let mode = ProgressMode::from_flag(flag);
        MeasurementProgress { mode, start: Instant::now(), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clears the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.state().bar.take() {
            bar.finish_and_clear();
        }
    }

    fn show(&self) {
        if self.mode == ProgressMode::Silent || self.start.elapsed() < SHOW_AFTER {
            return;
        }
        let mut state = self.state();
        if state.all == 0 {
            return;
        }
        if self.mode != ProgressMode::Bar {
            if state.last_line.is_some_and(|last| last.elapsed() < LINE_INTERVAL) {
                return;
            }
            state.last_line = Some(Instant::now());
        }
        let State { all, done_before, done, .. } = *state;
        let seconds = state.search_start.map_or(0.0, |start| start.elapsed().as_secs_f64());
        let left = (done > done_before).then(|| seconds * (all - done) as f64 / (done - done_before) as f64);
        if self.mode == ProgressMode::JsonEvents {
            output::event(&MeasurementEvent::Progress { done, all, running: &state.running, seconds, left });
            return;
        }
        let mut text = format!(
            "{} of {} searches · {}",
            number_format::grouped(done as u64),
            number_format::grouped(all as u64),
            state.running
        );
        if let Some(left) = left {
            text.push_str(&format!(" · {left:.0} s left"));
        }
        if self.mode == ProgressMode::Bar {
            text.insert_str(0, &format!("{:>3} % ", 100 * done / all.max(1)));
        }
        self.draw(&mut state, &text, done as f64 / all.max(1) as f64);
    }

    fn show_table(&self, name: &str, phase: TablePhase, share: f64, left: Option<f64>) {
        let text = progress::table_line(name, phase, share, left);
        match self.mode {
            ProgressMode::Silent => {}
            ProgressMode::JsonEvents => {
                output::event(&MeasurementEvent::Table { name, phase: phase.name(), share, left });
            }
            _ if self.start.elapsed() < SHOW_AFTER => {}
            ProgressMode::Bar => self.draw(&mut self.state(), &text, share),
            ProgressMode::Lines => {
                let mut state = self.state();
                if state.last_line.is_none_or(|last| last.elapsed() >= LINE_INTERVAL) {
                    state.last_line = Some(Instant::now());
                    self.draw(&mut state, &text, share);
                }
            }
        }
    }

    fn draw(&self, state: &mut State, text: &str, share: f64) {
        if self.mode == ProgressMode::Lines {
            output::note(text);
            return;
        }
        let bar = state.bar.get_or_insert_with(|| progress::progress_bar("{bar:30} {msg}"));
        bar.set_position((share * BAR_LENGTH as f64) as u64);
        bar.set_message(text.to_owned());
        bar.tick();
    }
}

impl Observer for MeasurementProgress {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Progress(_) => self.show(),
            Event::Table { name, phase, share, seconds_left } => {
                self.show_table(name, *phase, *share, *seconds_left);
            }
            Event::Warning(warning) => match &self.state().bar {
                Some(bar) => bar.suspend(|| output::warning(warning)),
                None => output::warning(warning),
            },
            Event::Better(_) | Event::Bound(_) => {}
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if interrupt::requested() { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

impl SeriesObserver for MeasurementProgress {
    fn start(&self, total: usize, done: usize) {
        let mut state = self.state();
        // The estimate of the remaining time excludes preparation.
        state.search_start = Some(Instant::now());
        (state.all, state.done_before, state.done) = (total, done, done);
    }

    fn begin(&self, label: Arguments<'_>) {
        if self.mode != ProgressMode::Silent {
            self.state().running = label.to_string();
        }
    }

    fn end(&self) {
        self.state().done += 1;
        self.show();
    }
}
