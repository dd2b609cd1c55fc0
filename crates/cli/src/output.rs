//! Answers go to standard output, everything else to standard error.
//!
//! A closed pipe ends the program without a message: the reader of the answers has ended. Other errors of
//! standard output are failures; those of standard error are ignored.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::Serialize;

use untumble_session::number_format;

use crate::exit::CliError;
use crate::standard_output::StandardOutput;

/// Writes answers to standard output.
pub(crate) struct Answers {
    writer: BufWriter<StandardOutput>,
}

impl Answers {
    /// Standard output.
    pub(crate) fn new() -> Answers {
        Answers { writer: BufWriter::new(StandardOutput::new()) }
    }

    /// Writes a text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.writer.write_all(text.as_bytes()).map_err(|error| write_error(&error))
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), CliError> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes a value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let line = serde_json::to_string(value)
            .map_err(|error| CliError::environment(format!("an answer cannot be serialised: {error}")))?;
        self.line(&line)
    }

    /// Flushes the buffer.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.writer.flush().map_err(|error| write_error(&error))
    }
}

/// The error of a failed write to standard output.
pub(crate) fn write_error(error: &io::Error) -> CliError {
    if error.kind() == ErrorKind::BrokenPipe {
        CliError::OutputClosed
    } else {
        CliError::environment(format!("standard output: {error}"))
    }
}

/// Whether messages on standard error are JSON events (`--progress json`).
static JSON_EVENTS: AtomicBool = AtomicBool::new(false);

/// Makes standard error carry one JSON object per line from now on.
pub(crate) fn enable_json_events() {
    JSON_EVENTS.store(true, Relaxed);
}

/// Prints an error.
pub(crate) fn error(message: &str) {
    write_message("error", "error: ", message);
}

/// Prints a warning: the command goes on.
pub(crate) fn warning(message: &str) {
    write_message("warning", "warning: ", message);
}

/// Prints a note.
pub(crate) fn note(message: &str) {
    write_message("note", "", message);
}

/// A message among the events of `--progress json`.
#[derive(Serialize)]
struct MessageEvent<'a> {
    event: &'a str,
    message: &'a str,
}

fn write_message(event: &str, prefix: &str, message: &str) {
    if JSON_EVENTS.load(Relaxed) {
        self::event(&MessageEvent { event, message });
    } else {
        let _ = writeln!(io::stderr(), "{prefix}{message}");
    }
}

/// Writes one JSON object to standard error.
pub(crate) fn event(value: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(value) {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Whether standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Whether to use colours: only on a terminal, and neither with `NO_COLOR` nor with `TERM=dumb`.
pub(crate) fn colours_enabled(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The width of tables on standard output, in columns: `COLUMNS`, the terminal's width, or 100.
pub(crate) fn width() -> usize {
    const WITHOUT_TERMINAL: usize = 100;
    known_width().unwrap_or(WITHOUT_TERMINAL).clamp(40, 200)
}

/// The width of sentences. Without a terminal they are not broken into lines, so that programs find them.
pub(crate) fn prose_width() -> usize {
    let known = if io::stdout().is_terminal() { known_width() } else { columns_variable() };
    known.map_or(usize::MAX, |width| width.clamp(40, 200))
}

fn columns_variable() -> Option<usize> {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok())
}

fn known_width() -> Option<usize> {
    columns_variable().or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
}

/// Prints the first 20 errors at once, and the number of further errors when dropped.
#[derive(Default)]
pub(crate) struct LimitedErrors {
    count: u64,
}

impl LimitedErrors {
    const MAX_PRINTED: u64 = 20;

    /// Prints or counts an error.
    pub(crate) fn add(&mut self, message: &str) {
        self.count += 1;
        if self.count <= Self::MAX_PRINTED {
            error(message);
        }
    }
}

impl Drop for LimitedErrors {
    fn drop(&mut self) {
        if self.count > Self::MAX_PRINTED {
            error(&format!("… and {} more", number_format::grouped(self.count - Self::MAX_PRINTED)));
        }
    }
}
