//! The observer of searches on the command line: displays progress and polls for Ctrl-C. The engine sends
//! it an [`Event`] for progress, a new incumbent, a new bound, a table being built and a warning.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use untumble_search::control::{Event, Observer, Progress, Stop, TablePhase};
use untumble_search::puzzle::Cost;

use crate::cli;
use crate::interrupt;
use crate::output;

use untumble_session::{number_format, serialize_six_digits};

/// Displays the progress of one search on standard error.
pub(crate) struct SearchProgress {
    mode: ProgressMode,
    start: Instant,
    display: Mutex<Display>,
}

/// The form of progress reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProgressMode {
    /// A bar on a terminal.
    Bar,
    /// One line per second.
    Lines,
    /// Every event as JSON.
    JsonEvents,
    /// No progress.
    Silent,
}

impl ProgressMode {
    /// The mode that the flag selects; it depends on whether standard error is a terminal.
    pub(crate) fn from_flag(flag: cli::Progress) -> ProgressMode {
        match (flag, output::stderr_is_terminal()) {
            (cli::Progress::Auto | cli::Progress::Bar, true) => ProgressMode::Bar,
            (cli::Progress::Bar, false) => ProgressMode::Lines,
            (cli::Progress::Json, _) => ProgressMode::JsonEvents,
            (cli::Progress::Auto, false) | (cli::Progress::None, _) => ProgressMode::Silent,
        }
    }
}

/// What is displayed now.
#[derive(Default)]
struct Display {
    bar: Option<ProgressBar>,
    /// The table that the bar shows; `None` if it shows the search.
    table: Option<String>,
    last_line: Option<Instant>,
}

/// Shorter searches show no progress.
pub(crate) const SHOW_AFTER: Duration = Duration::from_millis(500);
/// The shortest time between two lines.
pub(crate) const LINE_INTERVAL: Duration = Duration::from_secs(1);
/// The length of a full bar.
pub(crate) const BAR_LENGTH: u64 = 1000;

impl SearchProgress {
    /// A display in the mode that the flag selects.
    pub(crate) fn new(flag: cli::Progress) -> SearchProgress {
        let mode = ProgressMode::from_flag(flag);
        SearchProgress { mode, start: Instant::now(), display: Mutex::default() }
    }

    /// Clears the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.display().bar.take() {
            bar.finish_and_clear();
        }
    }

    fn display(&self) -> MutexGuard<'_, Display> {
        self.display.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, event: &Event) {
        let (table, share) = match event {
            Event::Progress(_) => (None, 0.0),
            Event::Table { name, phase, share, .. } => (Some(format!("{} {name}", phase.verb())), *share),
            Event::Better(_) | Event::Bound(_) | Event::Warning(_) => return,
        };
        let mut display = self.display();
        if display.table != table {
            display.table.clone_from(&table);
            if let Some(bar) = display.bar.take() {
                bar.finish_and_clear();
            }
        }
        if self.start.elapsed() < SHOW_AFTER {
            return;
        }
        let text = match event {
            Event::Progress(progress) => status_line(progress),
            Event::Table { name, phase, share, seconds_left } => {
                table_line(name, *phase, *share, *seconds_left)
            }
            _ => return,
        };
        if self.mode == ProgressMode::Lines {
            if display.last_line.is_none_or(|last| last.elapsed() >= LINE_INTERVAL) {
                display.last_line = Some(Instant::now());
                output::note(&text);
            }
            return;
        }
        let bar = display.bar.get_or_insert_with(|| search_bar(table.is_some()));
        bar.set_message(text);
        if table.is_some() {
            bar.set_position((share * BAR_LENGTH as f64) as u64);
        } else {
            bar.tick();
        }
    }
}

/// The progress of a table: `building pattern database 6-6-3: 43 %, 12 s left`.
pub(crate) fn table_line(name: &str, phase: TablePhase, share: f64, seconds_left: Option<f64>) -> String {
    if phase == TablePhase::Wait {
        return format!("{} {name}", phase.verb());
    }
    let left = seconds_left.map_or_else(String::new, |seconds| format!(", {} s left", seconds.ceil()));
    // Rounded down: 100 % means that nothing is left.
    format!("{} {name}: {} %{left}", phase.verb(), (share * 100.0).floor())
}

impl Observer for SearchProgress {
    fn on_event(&self, event: &Event) {
        match (event, self.mode) {
            (_, ProgressMode::JsonEvents) => write_json_event(event),
            (Event::Warning(warning), _) => match &self.display().bar {
                Some(bar) => bar.suspend(|| output::warning(warning)),
                None => output::warning(warning),
            },
            (_, ProgressMode::Bar | ProgressMode::Lines) => self.show(event),
            (_, ProgressMode::Silent) => {}
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if interrupt::requested() { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

/// The bar of a table, or the spinner of a search.
fn search_bar(table: bool) -> ProgressBar {
    progress_bar(if table { "{bar:30} {msg}" } else { "{spinner} {msg}" })
}

/// A bar of length [`BAR_LENGTH`] with this template.
pub(crate) fn progress_bar(template: &str) -> ProgressBar {
    // An invalid template would be a bug; it must not end a search.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(BAR_LENGTH).with_style(style)
}

/// The progress of a search on one line.
fn status_line(progress: &Progress) -> String {
    let mut parts = vec![format!("lower bound {}", progress.bound)];
    parts.extend(progress.best.map(|best| format!("incumbent {best}")));
    parts.extend(progress.level.map(|level| {
        format!("level {}, score {}", level.number, number_format::grouped(level.score.into()))
    }));
    parts.push(format!("{} nodes", number_format::compact(progress.nodes as f64)));
    parts.push(format!(
        "{} nodes/s",
        number_format::compact(progress.nodes as f64 / progress.seconds.max(1e-9))
    ));
    if progress.bytes >= 1 << 20 {
        parts.push(number_format::bytes(progress.bytes));
    }
    parts.push(format!("{:.0} s", progress.seconds));
    parts.join(" · ")
}

/// The events of `--progress json`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum ProgressEvent<'a> {
    Progress {
        nodes: u64,
        #[serde(serialize_with = "serialize_six_digits")]
        seconds: f64,
        bound: Cost,
        best: Option<Cost>,
        bytes: u64,
        /// The level of a beam and the best score on it.
        #[serde(skip_serializing_if = "Option::is_none")]
        level: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        score: Option<Cost>,
    },
    Better {
        best: Cost,
    },
    Bound {
        bound: Cost,
    },
    Table {
        name: &'a str,
        phase: &'static str,
        #[serde(serialize_with = "serialize_six_digits")]
        share: f64,
        /// An estimate of the remaining seconds.
        #[serde(serialize_with = "serialize_six_digits")]
        left: Option<f64>,
    },
    Warning {
        message: &'a str,
    },
}

fn write_json_event(event: &Event) {
    output::event(&match event {
        &Event::Progress(Progress { nodes, seconds, bound, best, bytes, level }) => {
            let (level, score) = level.map(|level| (level.number, level.score)).unzip();
            ProgressEvent::Progress { nodes, seconds, bound, best, bytes, level, score }
        }
        &Event::Better(best) => ProgressEvent::Better { best },
        &Event::Bound(bound) => ProgressEvent::Bound { bound },
        Event::Table { name, phase, share, seconds_left } => {
            ProgressEvent::Table { name, phase: phase.name(), share: *share, left: *seconds_left }
        }
        Event::Warning(message) => ProgressEvent::Warning { message },
    });
}
