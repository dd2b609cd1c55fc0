//! The encoding of the answers of a batch, and the file or stream that receives them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use untumble_search::draft::{FileLock, try_lock};
use untumble_search::frontend::DynPuzzle;
use untumble_search::identity::RunId;
use untumble_session::Record;
use untumble_session::csv::RowWriter;
use untumble_session::line_checksum;

use crate::answer::{self, InvalidLine, RecordExt};
use crate::cli;
use crate::exit::CliError;
use crate::position_reader::InvalidPosition;
use crate::standard_output::StandardOutput;

/// Encodes the answers of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnswerEncoder {
    /// Lines of JSON or rows of CSV.
    pub(crate) format: cli::Format,
    /// Whether all optimal solutions are listed.
    pub(crate) all_solutions: bool,
    /// The identity of the run; every line carries it.
    pub(crate) run: RunId,
    /// The canonical text of the identity.
    pub(crate) run_text: String,
}

impl AnswerEncoder {
    /// An encoder for the answers of a run.
    pub(crate) fn new(format: cli::Format, run: RunId) -> AnswerEncoder {
        AnswerEncoder { format, all_solutions: run.all_solutions, run_text: run.to_string(), run }
    }

    /// The bytes before the first answer: the header of CSV.
    pub(crate) fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        if self.format == cli::Format::Csv {
            let mut row = RowWriter::new(&mut header);
            answer::columns(self.all_solutions).for_each(|column| row.text(column));
            row.text(line_checksum::NAME);
            row.end();
        }
        header
    }

    /// Appends the answer to the position on `line` to `out`.
    pub(crate) fn encode_record(&self, line: usize, record: &Record, out: &mut Vec<u8>) {
        let start = out.len();
        match self.format {
            cli::Format::Ndjson => record.write_json(line, &self.run_text, out),
            cli::Format::Csv => record.write_csv(line, &self.run_text, self.all_solutions, out),
        }
        line_checksum::append(self.format.into(), start, out);
    }

    /// Appends the answer to an invalid text on `line` to `out`; `title` is the name of its puzzle.
    pub(crate) fn encode_invalid(
        &self,
        puzzle: &dyn DynPuzzle,
        title: String,
        line: usize,
        invalid: &InvalidPosition,
        out: &mut Vec<u8>,
    ) {
        let start = out.len();
        let answer = InvalidLine::new(puzzle, line, invalid).named(title).with_run(&self.run_text);
        match self.format {
            cli::Format::Ndjson => answer.write_json(out),
            cli::Format::Csv => answer.write_csv(self.all_solutions, out),
        }
        line_checksum::append(self.format.into(), start, out);
    }
}

/// The file or stream that receives the answers.
pub(crate) struct Sink {
    writer: BufWriter<Box<dyn Write + Send>>,
    /// The name of the file; `None` is standard output.
    name: Option<String>,
}

/// The size of the buffer in bytes.
const BUFFER_SIZE: usize = 1 << 18;

impl Sink {
    /// Standard output.
    pub(crate) fn standard_output() -> Sink {
        Sink { writer: BufWriter::with_capacity(BUFFER_SIZE, Box::new(StandardOutput::new())), name: None }
    }

    /// A locked file, positioned where the next answer goes.
    pub(crate) fn file(file: File, path: &Path) -> Sink {
        Sink {
            writer: BufWriter::with_capacity(BUFFER_SIZE, Box::new(file)),
            name: Some(path.display().to_string()),
        }
    }

    /// A new file, locked against other writers. An existing file is an error, or is truncated with `force`.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Sink, CliError> {
        // A device or a pipe holds no data that could be lost.
        let special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let mut options = OpenOptions::new();
        options.write(true);
        match (force, special) {
            (_, true) => &mut options,
            (true, _) => options.create(true),
            (false, _) => options.create_new(true),
        };
        let file = options.open(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => CliError::usage(format!(
                "{} exists; continue it with --resume, or replace it with --force",
                path.display()
            )),
            _ => unwritable(path, &error),
        })?;
        if !special {
            lock(&file, path)?;
            // Truncated only now: another batch may have written to it before.
            file.set_len(0).map_err(|error| unwritable(path, &error))?;
        }
        Ok(Sink::file(file, path))
    }

    /// Writes encoded answers.
    pub(crate) fn write(&mut self, text: &[u8]) -> Result<(), CliError> {
        self.writer.write_all(text).map_err(|error| self.write_error(&error))
    }

    /// Flushes the buffer.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.writer.flush().map_err(|error| self.write_error(&error))
    }

    fn write_error(&self, error: &io::Error) -> CliError {
        match &self.name {
            None => crate::output::write_error(error),
            Some(name) => CliError::environment(format!("{name}: {error}")),
        }
    }
}

/// Locks a file of answers until it is closed, so that no other batch writes to it. File systems without
/// locks are used without protection.
pub(crate) fn lock(file: &File, path: &Path) -> Result<(), CliError> {
    match try_lock(file) {
        FileLock::HeldElsewhere => Err(CliError::usage(format!(
            "another batch is writing to {}; wait for it, or choose another file with --out",
            path.display()
        ))),
        FileLock::Acquired | FileLock::Unsupported => Ok(()),
    }
}

/// The error of a file that cannot be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> CliError {
    CliError::usage(format!("{}: {error}", path.display()))
}
