//! Where the answers of a batch go, and how they are written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use untumble_search::frontend::DynPuzzle;
use untumble_search::identity::RunId;
use untumble_session::Record;

use crate::answer::{self, Refusal, Told};
use crate::cli;
use crate::exit::CliError;
use crate::reading::BadPosition;
use untumble_session::csv::Row;

/// How answers are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Lines of JSON or rows of CSV.
    pub(crate) format: cli::Format,
    /// Whether every shortest sequence is listed.
    pub(crate) all: bool,
    /// Which run the answers belong to; every line carries it.
    pub(crate) run: RunId,
    /// Its canonical text.
    pub(crate) run_text: String,
}

impl Layout {
    /// Answers of a run in a format.
    pub(crate) fn new(format: cli::Format, run: RunId) -> Layout {
        Layout { format, all: run.all_solutions, run_text: run.to_string(), run }
    }

    /// What stands before the first answer.
    pub(crate) fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        if self.format == cli::Format::Csv {
            let mut row = Row::new(&mut header);
            answer::columns(self.all).for_each(|column| row.text(column));
            row.end();
        }
        header
    }

    /// Adds the answer to the position on `line` to `out`.
    pub(crate) fn record(&self, line: usize, record: &Record, out: &mut Vec<u8>) {
        match self.format {
            cli::Format::Ndjson => record.write_json(line, &self.run_text, out),
            cli::Format::Csv => record.write_csv(line, &self.run_text, self.all, out),
        }
    }

    /// Adds the refusal of what stands on `line` to `out`.
    pub(crate) fn refusal(&self, puzzle: &dyn DynPuzzle, line: usize, bad: &BadPosition, out: &mut Vec<u8>) {
        let refusal = Refusal::new(puzzle, line, bad).of_run(&self.run_text);
        match self.format {
            cli::Format::Ndjson => refusal.write_json(out),
            cli::Format::Csv => refusal.write_csv(self.all, out),
        }
    }
}

/// Where answers go.
pub(crate) struct Sink {
    to: BufWriter<Box<dyn Write + Send>>,
    /// The file's name; `None` is standard output.
    name: Option<String>,
}

/// Written at once.
const BUFFER: usize = 1 << 18;

impl Sink {
    /// Standard output.
    pub(crate) fn standard_output() -> Sink {
        Sink { to: BufWriter::with_capacity(BUFFER, Box::new(io::stdout())), name: None }
    }

    /// A file that stands where the next answer goes.
    pub(crate) fn file(file: File, path: &Path) -> Sink {
        Sink { to: BufWriter::with_capacity(BUFFER, Box::new(file)), name: Some(path.display().to_string()) }
    }

    /// A new file, or the old one emptied where `force` says so.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Sink, CliError> {
        // A device or a pipe holds nothing that could be lost.
        let special = fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir());
        let mut options = OpenOptions::new();
        options.write(true);
        match (force, special) {
            (_, true) => &mut options,
            (true, _) => options.create(true).truncate(true),
            (false, _) => options.create_new(true),
        };
        let file = options.open(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => CliError::usage(format!(
                "{} exists; --resume goes on with it, --force replaces it",
                path.display()
            )),
            _ => unwritable(path, &error),
        })?;
        Ok(Sink::file(file, path))
    }

    /// Adds to what was written.
    pub(crate) fn write(&mut self, text: &[u8]) -> Result<(), CliError> {
        self.to.write_all(text).map_err(|error| self.broken(&error))
    }

    /// Hands over what was written.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.to.flush().map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &io::Error) -> CliError {
        match &self.name {
            None => crate::output::broken(error),
            Some(name) => CliError::environment(format!("{name}: {error}")),
        }
    }
}

/// Why a file cannot be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> CliError {
    CliError::usage(format!("{}: {error}", path.display()))
}
