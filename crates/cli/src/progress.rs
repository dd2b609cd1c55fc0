//! What a search shows while it runs, and how Ctrl-C reaches it.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use untumble_search::control::{Event, Observer, Progress, Stop};
use untumble_search::puzzle::Cost;

use crate::cli;
use crate::interrupt;
use crate::output;
use untumble_session::{figures, six_digits};

/// Watches one search for the person or the program at the other end.
pub(crate) struct Watch {
    how: How,
    begun: Instant,
    screen: Mutex<Screen>,
}

/// The ways to show progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// A bar that redraws itself.
    Bar,
    /// A line now and then.
    Lines,
    /// Every event as JSON.
    Events,
    /// Not at all.
    Silent,
}

impl How {
    /// What the command line asks for, here.
    pub(crate) fn asked(how: cli::Progress) -> How {
        match (how, output::watched()) {
            (cli::Progress::Auto | cli::Progress::Bar, true) => How::Bar,
            (cli::Progress::Bar, false) => How::Lines,
            (cli::Progress::Json, _) => How::Events,
            (cli::Progress::Auto, false) | (cli::Progress::None, _) => How::Silent,
        }
    }
}

#[derive(Default)]
struct Screen {
    bar: Option<ProgressBar>,
    /// The table the bar is about; `None` while it is about the search.
    table: Option<String>,
    spoken: Option<Instant>,
}

/// Searches that end sooner show nothing.
pub(crate) const PATIENCE: Duration = Duration::from_millis(500);
/// Between two lines where there is no terminal to redraw.
pub(crate) const BETWEEN_LINES: Duration = Duration::from_secs(1);
/// A bar's full length.
pub(crate) const FULL: u64 = 1000;

impl Watch {
    /// Watches as the command line asks.
    pub(crate) fn new(how: cli::Progress) -> Watch {
        Watch { how: How::asked(how), begun: Instant::now(), screen: Mutex::default() }
    }

    /// Clears what was drawn.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.screen().bar.take() {
            bar.finish_and_clear();
        }
    }

    fn screen(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, event: &Event) {
        let (table, share, text) = match event {
            Event::Progress(progress) => (None, 0.0, standing(progress)),
            Event::Table { name, share } => (Some(name), *share, format!("preparing {name}")),
            Event::Better(_) | Event::Bound(_) | Event::Warning(_) => return,
        };
        if self.begun.elapsed() < PATIENCE {
            return;
        }
        let mut screen = self.screen();
        if self.how == How::Lines {
            if screen.spoken.is_none_or(|last| last.elapsed() >= BETWEEN_LINES) {
                screen.spoken = Some(Instant::now());
                let percent = table.map_or_else(String::new, |_| format!(", {:.0} %", share * 100.0));
                output::note(&(text + &percent));
            }
            return;
        }
        if screen.bar.is_none() || screen.table.as_ref() != table {
            if let Some(bar) = screen.bar.take() {
                bar.finish_and_clear();
            }
            screen.table = table.cloned();
            screen.bar = Some(bar(table.is_some()));
        }
        if let Some(bar) = &screen.bar {
            bar.set_message(text);
            if table.is_some() {
                bar.set_position((share * FULL as f64) as u64);
            } else {
                bar.tick();
            }
        }
    }
}

impl Observer for Watch {
    fn on_event(&self, event: &Event) {
        match (event, self.how) {
            (_, How::Events) => tell_json(event),
            (Event::Warning(warning), _) => match &self.screen().bar {
                Some(bar) => bar.suspend(|| output::warning(warning)),
                None => output::warning(warning),
            },
            (_, How::Bar | How::Lines) => self.show(event),
            (_, How::Silent) => {}
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if interrupt::asked() { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

fn bar(measured: bool) -> ProgressBar {
    styled(if measured { "{bar:30} {percent:>3} % {msg} (left: {eta})" } else { "{spinner} {msg}" })
}

/// A bar of the length [`FULL`] in a style of our own.
pub(crate) fn styled(template: &str) -> ProgressBar {
    // The templates are ours; a typing error falls back to the plain style.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(FULL).with_style(style)
}

/// Where a search stands, in a line.
fn standing(progress: &Progress) -> String {
    let mut parts = vec![format!("at least {}", figures::counted(progress.bound.into(), "move"))];
    parts.extend(progress.best.map(|best| format!("best {best}")));
    parts.extend(
        progress
            .level
            .map(|level| format!("level {}, score {}", level.number, figures::grouped(level.score.into()))),
    );
    parts.push(format!("{} nodes", figures::rounded(progress.nodes as f64)));
    parts.push(format!("{} nodes/s", figures::rounded(progress.nodes as f64 / progress.seconds.max(1e-9))));
    if progress.bytes >= 1 << 20 {
        parts.push(figures::bytes(progress.bytes));
    }
    parts.push(format!("{:.0} s", progress.seconds));
    parts.join(" · ")
}

/// The events of `--progress json`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Told<'a> {
    Progress {
        nodes: u64,
        #[serde(serialize_with = "six_digits")]
        seconds: f64,
        bound: Cost,
        best: Option<Cost>,
        bytes: u64,
        /// How deep a beam has come, and its best score there.
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
        #[serde(serialize_with = "six_digits")]
        share: f64,
    },
    Warning {
        message: &'a str,
    },
}

fn tell_json(event: &Event) {
    output::event(&match event {
        &Event::Progress(Progress { nodes, seconds, bound, best, bytes, level }) => {
            let (level, score) = level.map(|level| (level.number, level.score)).unzip();
            Told::Progress { nodes, seconds, bound, best, bytes, level, score }
        }
        &Event::Better(best) => Told::Better { best },
        &Event::Bound(bound) => Told::Bound { bound },
        Event::Table { name, share } => Told::Table { name, share: *share },
        Event::Warning(message) => Told::Warning { message },
    });
}
