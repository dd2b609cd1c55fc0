//! What measuring shows while it runs: how many searches are done, which one runs, how long the rest will take.

use std::fmt::Arguments;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use indicatif::ProgressBar;
use serde::Serialize;

use untumble_report::SeriesObserver;
use untumble_search::control::{Event, Observer, Stop};
use untumble_session::figures;

use crate::cli;
use crate::interrupt;
use crate::output;
use crate::progress::{self, BETWEEN_LINES, FULL, How, PATIENCE};

/// Watches all searches of a comparison.
pub(crate) struct SeriesProgress {
    how: How,
    begun: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// When measuring began.
    since: Option<Instant>,
    /// How many searches there are in all.
    all: usize,
    /// How many were done before this run, and are done now.
    before: usize,
    done: usize,
    /// The one that runs.
    running: String,
    bar: Option<ProgressBar>,
    spoken: Option<Instant>,
}

/// The events of `--progress json`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum SeriesEvent<'a> {
    Progress { done: usize, all: usize, running: &'a str, seconds: f64, left: Option<f64> },
    Table { name: &'a str, share: f64 },
}

impl SeriesProgress {
    /// Nothing measured yet.
    pub(crate) fn new(how: cli::Progress) -> SeriesProgress {
        SeriesProgress { how: How::asked(how), begun: Instant::now(), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clears what was drawn.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.state().bar.take() {
            bar.finish_and_clear();
        }
    }

    fn show(&self) {
        if self.how == How::Silent || self.begun.elapsed() < PATIENCE {
            return;
        }
        let mut state = self.state();
        if state.all == 0 {
            return;
        }
        if self.how != How::Bar {
            if state.spoken.is_some_and(|last| last.elapsed() < BETWEEN_LINES) {
                return;
            }
            state.spoken = Some(Instant::now());
        }
        let State { all, before, done, .. } = *state;
        let seconds = state.since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        let left = (done > before).then(|| seconds * (all - done) as f64 / (done - before) as f64);
        if self.how == How::Events {
            output::event(&SeriesEvent::Progress { done, all, running: &state.running, seconds, left });
            return;
        }
        let mut text = format!(
            "{} of {} searches · {}",
            figures::grouped(done as u64),
            figures::grouped(all as u64),
            state.running
        );
        if let Some(left) = left {
            text.push_str(&format!(" · {left:.0} s left"));
        }
        self.draw(&mut state, &text, done as f64 / all.max(1) as f64);
    }

    fn table(&self, name: &str, share: f64) {
        match self.how {
            How::Silent => {}
            How::Events => output::event(&SeriesEvent::Table { name, share }),
            _ if self.begun.elapsed() < PATIENCE => {}
            How::Bar => self.draw(&mut self.state(), &format!("preparing {name}"), share),
            How::Lines => {
                let mut state = self.state();
                if state.spoken.is_none_or(|last| last.elapsed() >= BETWEEN_LINES) {
                    state.spoken = Some(Instant::now());
                    self.draw(&mut state, &format!("preparing {name}, {:.0} %", share * 100.0), share);
                }
            }
        }
    }

    fn draw(&self, state: &mut State, text: &str, share: f64) {
        if self.how == How::Lines {
            output::note(text);
            return;
        }
        let bar = state.bar.get_or_insert_with(|| progress::styled("{bar:30} {percent:>3} % {msg}"));
        bar.set_position((share * FULL as f64) as u64);
        bar.set_message(text.to_owned());
        bar.tick();
    }
}

impl Observer for SeriesProgress {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Progress(_) => self.show(),
            Event::Table { name, share } => self.table(name, *share),
            Event::Warning(warning) => match &self.state().bar {
                Some(bar) => bar.suspend(|| output::warning(warning)),
                None => output::warning(warning),
            },
            Event::Better(_) | Event::Bound(_) => {}
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if interrupt::asked() { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

impl SeriesObserver for SeriesProgress {
    fn start(&self, total: usize, done: usize) {
        let mut state = self.state();
        // The time that preparation took says nothing about the searches.
        state.since = Some(Instant::now());
        (state.all, state.before, state.done) = (total, done, done);
    }

    fn begin(&self, label: Arguments<'_>) {
        if self.how != How::Silent {
            self.state().running = label.to_string();
        }
    }

    fn end(&self) {
        self.state().done += 1;
        self.show();
    }
}
