//! `batch --resume`: continues the file of an earlier run.
//!
//! The answers in the file must come from a run with the same settings (an equivalent [`RunId`]) and must
//! match the positions of the input in order; their solutions are verified. An incomplete last line is
//! removed, and the new answers are appended.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use serde::Deserialize;
use untumble_search::control::Control;
use untumble_search::frontend::{DynPuzzle, Position};
use untumble_search::identity::RunId;
use untumble_search::puzzle::Cost;

use super::input::Input;
use super::output::{AnswerEncoder, Sink};
use super::sessions::{BatchSessions, PuzzleSession};
use super::{AnswerKind, OutcomeCounts, StopFlag};
use crate::answer;
use crate::cli;
use crate::exit::CliError;
use crate::explain::difference_message;
use crate::position_reader::ParsedItem;

use untumble_session::{Record, csv, line_checksum, number_format};

/// A file of answers, ready to be continued.
pub(crate) struct Resumed {
    /// The file, positioned for the next answer.
    pub(crate) sink: Sink,
    /// The answers in the file.
    pub(crate) answers: OutcomeCounts,
    /// The removed bytes of an incomplete last line.
    pub(crate) removed_bytes: u64,
}

/// Opens the file at `path` and skips the answered positions of `input`. A file with other settings
/// or of another input is an error and remains unchanged.
pub(crate) fn resume(
    path: &Path,
    sessions: &BatchSessions,
    input: &mut Input<'_>,
    stop_flag: &StopFlag,
) -> Result<Resumed, CliError> {
    let unwritable = |error: std::io::Error| super::output::unwritable(path, &error);
    let encoder = &sessions.base().encoder;
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // Without force: a file that another process has created meanwhile is an error.
            let sink = with_header(Sink::create(path, false)?, encoder)?;
            return Ok(Resumed { sink, answers: OutcomeCounts::default(), removed_bytes: 0 });
        }
        opened => opened.map_err(unwritable)?,
    };
    super::output::lock(&file, path)?;
    let length = file.metadata().map_err(unwritable)?.len();
    let mut reader = AnswerReader {
        lines: BufReader::with_capacity(1 << 18, file),
        csv: encoder.format == cli::Format::Csv,
    };
    let mut checker = ResumeChecker { path, encoder, sessions, answers: OutcomeCounts::default() };
    let header = encoder.header();
    let mut header_complete = header.is_empty();
    // The length of the header and of the answers checked so far.
    let mut valid_bytes = 0;
    let mut text = Vec::new();
    if !header_complete && reader.next(&mut text).map_err(unwritable)? {
        if text != header {
            return Err(checker.header_mismatch(&text));
        }
        header_complete = true;
        valid_bytes = text.len() as u64;
    }
    while header_complete && reader.next(&mut text).map_err(unwritable)? {
        let answer = checker.parse(&text)?;
        let Some(item) = input.next(stop_flag) else {
            if stop_flag.is_set() {
                return Err(CliError::interrupted("interrupted while reading the earlier answers"));
            }
            let count = number_format::pluralize(checker.answers.total(), "position");
            return Err(
                checker.cannot_resume(&format!("it has more answers than the input has positions ({count})"))
            );
        };
        checker.check(&answer, &item)?;
        checker.check_bytes(&answer, &text)?;
        valid_bytes += text.len() as u64;
    }
    let mut file = reader.lines.into_inner();
    let removed_bytes = length - valid_bytes;
    if removed_bytes > 0 {
        checker.check_incomplete_line(&text, header_complete)?;
        file.set_len(valid_bytes).map_err(unwritable)?;
    }
    file.seek(SeekFrom::Start(valid_bytes)).map_err(unwritable)?;
    let sink = Sink::file(file, path);
    let sink = if header_complete { sink } else { with_header(sink, encoder)? };
    Ok(Resumed { sink, answers: checker.answers, removed_bytes })
}

/// Writes the header of the format to a new sink.
pub(crate) fn with_header(mut sink: Sink, encoder: &AnswerEncoder) -> Result<Sink, CliError> {
    sink.write(&encoder.header())?;
    Ok(sink)
}

/// Reads the answers of a file one by one.
struct AnswerReader<R> {
    lines: R,
    csv: bool,
}

impl<R: BufRead> AnswerReader<R> {
    /// Reads the next answer, or the header, into `text`. Returns false at the end of the file; then `text`
    /// is the incomplete last line or empty.
    fn next(&mut self, text: &mut Vec<u8>) -> std::io::Result<bool> {
        text.clear();
        loop {
            if self.lines.read_until(b'\n', text)? == 0 || text.last() != Some(&b'\n') {
                return Ok(false);
            }
            // A quoted field may contain newlines.
            let quotes = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'"').count();
            if !self.csv || quotes(text).is_multiple_of(2) {
                return Ok(true);
            }
        }
    }
}

/// The fields of an answer that are checked.
#[derive(Deserialize, Default)]
struct SavedAnswer {
    line: usize,
    outcome: String,
    run: Option<String>,
    schema: Option<u32>,
    puzzle: Option<String>,
    metric: Option<String>,
    goal: Option<String>,
    start: Option<String>,
    moves: Option<String>,
    length: Option<Cost>,
    optimal: Option<bool>,
    lower_bound: Option<Cost>,
    stop: Option<String>,
    solutions: Option<Vec<String>>,
}

/// Checks the answers of a file in order.
struct ResumeChecker<'a> {
    path: &'a Path,
    encoder: &'a AnswerEncoder,
    sessions: &'a BatchSessions,
    /// The answers checked so far.
    answers: OutcomeCounts,
}

impl ResumeChecker<'_> {
    /// Parses the next answer. Unless the run depends on the position's size, checks its `RunId`.
    fn parse(&self, text: &[u8]) -> Result<SavedAnswer, CliError> {
        let answer = self.parse_fields(text)?;
        if !self.sessions.puzzles().is_family() {
            self.check_run(&answer, self.sessions.base())?;
        }
        Ok(answer)
    }

    /// Checks that the `RunId` of an answer is equivalent to that of this run; an answer without one is
    /// accepted here, see `compare`.
    fn check_run(&self, answer: &SavedAnswer, puzzle: &PuzzleSession) -> Result<(), CliError> {
        if answer.run.as_deref() == Some(&*puzzle.encoder.run_text) {
            return Ok(());
        }
        let Some(run_text) = answer.run.as_deref() else { return Ok(()) };
        let Ok(run) = run_text.parse::<RunId>() else { return Err(self.unknown_format()) };
        // Without a difference the ids are equivalent.
        let Some(difference) = puzzle.session.difference(&run, &puzzle.encoder.run) else { return Ok(()) };
        let subject = format!("the answer to line {}", number_format::grouped(answer.line as u64));
        Err(self.cannot_resume(&difference_message(&subject, &difference)))
    }

    /// Checks that the next answer belongs to `item`.
    fn check(&mut self, answer: &SavedAnswer, item: &ParsedItem) -> Result<(), CliError> {
        let kind = AnswerKind::from_outcome(&answer.outcome).ok_or_else(|| self.unknown_format())?;
        if answer.line != item.line {
            let reason = format!(
                "answer {} belongs to line {}, but the next position of the input is on line {}",
                number_format::grouped(self.answers.total() + 1),
                number_format::grouped(answer.line as u64),
                number_format::grouped(item.line as u64)
            );
            return Err(self.cannot_resume(&reason));
        }
        self.answers.add(kind);
        let puzzle = match &item.result {
            Ok(position) => self.sessions.of(position)?,
            Err(_) => Arc::clone(self.sessions.base()),
        };
        if self.sessions.puzzles().is_family() {
            self.check_run(answer, &puzzle)?;
        }
        self.compare(answer, item, &**puzzle.session.puzzle())
    }

    /// Checks that no byte of the answer has changed since it was written.
    fn check_bytes(&self, answer: &SavedAnswer, text: &[u8]) -> Result<(), CliError> {
        let line = number_format::grouped(answer.line as u64);
        let reason = match line_checksum::is_correct(self.encoder.format.into(), text) {
            Some(true) => return Ok(()),
            Some(false) => "was changed after it was written: its checksum does not match",
            None => "has no checksum: it was changed, or written by an earlier version of untumble",
        };
        Err(self.cannot_resume(&format!("the answer to line {line} {reason}")))
    }

    /// Compares puzzle, position and solution of an answer with the input; `item` is the position on the
    /// answer's line, or the error in its text.
    fn compare(
        &self,
        answer: &SavedAnswer,
        item: &ParsedItem,
        puzzle: &dyn DynPuzzle,
    ) -> Result<(), CliError> {
        let line = number_format::grouped(answer.line as u64);
        let differs = |how: &str| Err(self.cannot_resume(&format!("the answer to line {line} {how}")));
        let position = match (&item.result, answer.outcome == "invalid") {
            // Both runs reject the same text. Earlier versions wrote neither a start nor a run id for an
            // invalid text, so this arm returns before the run id is checked.
            (Err(invalid), true) if answer.start.as_deref().is_none_or(|start| start == invalid.text) => {
                return Ok(());
            }
            (Err(invalid), true) => {
                let earlier = answer.start.as_deref().unwrap_or_default();
                return differs(&format!(
                    "is for the invalid text `{earlier}`, the input has `{}`",
                    invalid.text
                ));
            }
            (Err(invalid), false) => {
                return differs(&format!(
                    "is for {}, but the line is invalid now: {}",
                    quoted(answer.start.as_deref()),
                    invalid.message
                ));
            }
            (Ok(position), true) => {
                let start = puzzle.text(position);
                return differs(&format!("says invalid, but the line is the position `{start}` now"));
            }
            (Ok(position), false) => position,
        };
        if answer.run.is_none() {
            return differs("names no run: it was written by an earlier version of untumble");
        }
        if answer.puzzle.as_deref() != Some(&puzzle.title()) {
            return differs(&format!("is for {}", answer.puzzle.as_deref().unwrap_or("no puzzle")));
        }
        let start = puzzle.text(position);
        if answer.start.as_deref() != Some(&start) {
            return differs(&format!("is for {}, the input has `{start}`", quoted(answer.start.as_deref())));
        }
        if answer.schema != Some(Record::SCHEMA) {
            return differs("has another schema");
        }
        if answer.metric.as_deref() != Some(puzzle.metric()) || answer.goal != Some(puzzle.goal_text()) {
            return differs("has another metric or goal");
        }
        verify(answer, puzzle, position).or_else(|reason| differs(&format!("is damaged: {reason}")))
    }

    /// Checks that an incomplete last line may be removed: it must be the beginning of an answer, or of the
    /// header if not `header_complete`.
    fn check_incomplete_line(&self, text: &[u8], header_complete: bool) -> Result<(), CliError> {
        let header = self.encoder.header();
        let recognized = match self.encoder.format {
            // In CSV an unbalanced quote joins all lines after it to one row. They may hold complete
            // answers, so they are not removed.
            _ if text.contains(&b'\n') => false,
            cli::Format::Ndjson => one_begins_with_the_other(text, b"{\"line\":"),
            cli::Format::Csv if header_complete => text.first().is_some_and(u8::is_ascii_digit),
            cli::Format::Csv => one_begins_with_the_other(text, &header),
        };
        if recognized { Ok(()) } else { Err(self.unknown_format()) }
    }

    fn parse_fields(&self, text: &[u8]) -> Result<SavedAnswer, CliError> {
        let answer = match self.encoder.format {
            cli::Format::Ndjson => serde_json::from_slice(text).ok(),
            cli::Format::Csv => {
                let row = line_checksum::without(self.encoder.format.into(), text);
                row.and_then(|row| String::from_utf8(row).ok()).and_then(|row| self.parse_row(&row))
            }
        };
        answer.ok_or_else(|| self.unknown_format())
    }

    fn parse_row(&self, row: &str) -> Option<SavedAnswer> {
        let fields = csv::parse_row(row)?;
        let mut answer = SavedAnswer::default();
        if fields.len() != answer::columns(self.encoder.all_solutions).count() {
            return None;
        }
        for (column, field) in answer::columns(self.encoder.all_solutions).zip(fields) {
            match column {
                "line" => answer.line = field.parse().ok()?,
                "outcome" => answer.outcome = field,
                "run" => answer.run = non_empty(field),
                "puzzle" => answer.puzzle = Some(field),
                "start" => answer.start = Some(field),
                // The field is empty both without a solution and if the start is a goal.
                "moves" => answer.moves = non_empty(field),
                "schema" => answer.schema = field.parse().ok(),
                "metric" => answer.metric = Some(field),
                "goal" => answer.goal = Some(field),
                "length" => answer.length = parse_optional(&field)?,
                "optimal" => answer.optimal = parse_optional(&field)?,
                "lower_bound" => answer.lower_bound = parse_optional(&field)?,
                "stop" => answer.stop = non_empty(field),
                "solutions" => {
                    answer.solutions = Some(field.split_terminator(';').map(str::to_owned).collect());
                }
                _ => {}
            }
        }
        Some(answer)
    }

    /// The error for a CSV file with an unexpected header. The columns depend on `--all`: if the header is
    /// that of a run with `--all` instead of without it, or the reverse, the error names this difference.
    fn header_mismatch(&self, header: &[u8]) -> CliError {
        let all_solutions = !self.encoder.run.all_solutions;
        let run = RunId { all_solutions, ..self.encoder.run.clone() };
        let difference = self.sessions.base().session.difference(&run, &self.encoder.run);
        match difference.filter(|_| AnswerEncoder::new(self.encoder.format, run).header() == header) {
            Some(difference) => self.cannot_resume(&difference_message("the file", &difference)),
            None => self.cannot_resume("its first line is not the expected header"),
        }
    }

    fn unknown_format(&self) -> CliError {
        let number = number_format::grouped(self.answers.total() + 1);
        self.cannot_resume(&format!("answer {number} was not written by batch in this format"))
    }

    fn cannot_resume(&self, reason: &str) -> CliError {
        CliError::usage(format!(
            "{}: cannot resume: {reason}; use arguments and input of the earlier run, or another --out",
            self.path.display()
        ))
    }
}

/// Verifies the result of an answer: replays its moves, recomputes the length and compares outcome, lower
/// bound and optimality. The error is the contradiction found.
fn verify(answer: &SavedAnswer, puzzle: &dyn DynPuzzle, position: &Position) -> Result<(), String> {
    let solvable = puzzle.check_solvable(position).is_ok();
    // In CSV, the field of the moves is empty both without a solution and if the start is a goal.
    let moves = answer.moves.as_deref().or((answer.length == Some(0)).then_some(""));
    match (answer.outcome.as_str(), solvable, moves) {
        ("unsolvable", _, Some(_)) => return Err("it says unsolvable, but has moves".into()),
        ("unsolvable", ..) if answer.length.is_some() => {
            return Err("it says unsolvable, but has a length".into());
        }
        ("unsolvable", ..) => {}
        (outcome, false, _) => return Err(format!("it says {outcome}, but the position is unsolvable")),
        ("solved", true, None) => return Err("it says solved, but has no moves".into()),
        ("stopped", true, _) if answer.stop.is_none() => {
            return Err("it names no limit that stopped it".into());
        }
        _ => {}
    }
    let lower_bound = answer.lower_bound.ok_or("it has no lower bound")?;
    let length = match moves {
        None => None,
        Some(moves) => Some(solution_length(puzzle, position, moves)?),
    };
    if length != answer.length {
        let text = |length: Option<Cost>| length.map_or_else(|| "none".into(), |length| length.to_string());
        return Err(format!("its length is {}, not {}", text(length), text(answer.length)));
    }
    if length.is_some_and(|length| lower_bound > length) {
        return Err(format!("its lower bound {lower_bound} exceeds its length"));
    }
    if answer.optimal != Some(length.is_some_and(|length| length == lower_bound)) {
        return Err("length, lower bound and optimality contradict each other".into());
    }
    for solution in answer.solutions.iter().flatten() {
        if Some(solution_length(puzzle, position, solution)?) != length {
            return Err("its solutions differ in length".into());
        }
    }
    Ok(())
}

/// The length of a solution in the puzzle's metric, found by replaying it.
fn solution_length(puzzle: &dyn DynPuzzle, position: &Position, moves: &str) -> Result<Cost, String> {
    let path = puzzle.parse_moves(moves).map_err(|_| "its moves cannot be read")?;
    // `offer` replays the path. It returns true if the path solves the position and is better than the
    // incumbent. A new control has no incumbent; afterwards its upper bound is the cost of the path.
    let control = Control::default();
    match puzzle.offer(position, &path, &control) {
        Ok(true) => Ok(control.upper_bound()),
        _ => Err("its moves do not solve the position".into()),
    }
}

/// A position in a message.
fn quoted(position: Option<&str>) -> String {
    position.map_or_else(|| "no position".into(), |position| format!("position `{position}`"))
}

/// The field, unless it is empty.
fn non_empty(field: String) -> Option<String> {
    Some(field).filter(|field| !field.is_empty())
}

/// The value of a field; `Some(None)` if it is empty, `None` if it is malformed.
fn parse_optional<T: FromStr>(field: &str) -> Option<Option<T>> {
    if field.is_empty() { Some(None) } else { field.parse().ok().map(Some) }
}

/// Whether one text is a prefix of the other.
fn one_begins_with_the_other(a: &[u8], b: &[u8]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}
