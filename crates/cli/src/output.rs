//! Answers go to standard output, everything else to standard error.
//!
//! A closed standard output ends the program quietly: whoever read the answers
//! has had enough. A closed standard error is nobody's loss.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::Serialize;

use crate::exit::CliError;

/// Where answers go.
pub(crate) struct Answers {
    to: BufWriter<Stdout>,
}

impl Answers {
    /// Standard output.
    pub(crate) fn new() -> Answers {
        Answers { to: BufWriter::new(io::stdout()) }
    }

    /// Writes a text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.to.write_all(text.as_bytes()).map_err(|error| broken(&error))
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), CliError> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes a value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let line = serde_json::to_string(value)
            .map_err(|error| CliError::environment(format!("an answer does not fit JSON: {error}")))?;
        self.line(&line)
    }

    /// Hands over what was written; ends the program where nobody takes it.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.to.flush().map_err(|error| broken(&error))
    }
}

/// What an error of standard output means.
pub(crate) fn broken(error: &io::Error) -> CliError {
    if error.kind() == ErrorKind::BrokenPipe {
        CliError::OutputClosed
    } else {
        CliError::environment(format!("standard output: {error}"))
    }
}

/// Whether standard error speaks JSON (`--progress json`).
static EVENTS: AtomicBool = AtomicBool::new(false);

/// From now on standard error carries one JSON object a line.
pub(crate) fn speak_events() {
    EVENTS.store(true, Relaxed);
}

/// Says what is wrong.
pub(crate) fn error(message: &str) {
    say("error", "error: ", message);
}

/// Says what a person should know although it stops nothing.
pub(crate) fn warning(message: &str) {
    say("warning", "warning: ", message);
}

/// Says what a person may like to know.
pub(crate) fn note(message: &str) {
    say("note", "", message);
}

/// A message among the events of `--progress json`.
#[derive(Serialize)]
struct Said<'a> {
    event: &'a str,
    message: &'a str,
}

fn say(event: &str, prefix: &str, message: &str) {
    if EVENTS.load(Relaxed) {
        self::event(&Said { event, message });
    } else {
        // Nobody is left to be told that nobody listens.
        let _ = writeln!(io::stderr(), "{prefix}{message}");
    }
}

/// Writes one JSON object to standard error.
pub(crate) fn event(value: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(value) {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Whether a person watches standard error.
pub(crate) fn watched() -> bool {
    io::stderr().is_terminal()
}

/// Whether a person who looks at a terminal wants colours there.
pub(crate) fn colourful(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// How many columns a text on standard output may fill.
pub(crate) fn width() -> usize {
    const WITHOUT_TERMINAL: usize = 100;
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(seen).unwrap_or(WITHOUT_TERMINAL).clamp(40, 200)
}
