//! Going on with a file of answers: reads it beside the input, cuts off a torn last
//! line, and makes sure that the two belong together.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;
use untumble_search::identity::RunId;

use super::input::Input;
use super::output::{Layout, Sink, unwritable};
use super::{Alarm, Kind, Tally};
use crate::answer;
use crate::cli;
use crate::exit::CliError;
use crate::explain::mismatch;
use crate::reading::Item;
use untumble_session::{Session, csv, figures};

/// What an earlier run left.
pub(crate) struct Resumed {
    /// The file, ready for the next answer.
    pub(crate) sink: Sink,
    /// The answers it holds.
    pub(crate) held: Tally,
    /// Bytes of a torn last line that were cut off.
    pub(crate) torn: u64,
}

/// Takes up the file at `path`, and the answered positions from `input`.
pub(crate) fn resume(
    path: &Path,
    layout: &Layout,
    input: &mut Input<'_>,
    session: &Session,
    alarm: &Alarm,
) -> Result<Resumed, CliError> {
    let wrong = |error: std::io::Error| unwritable(path, &error);
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let sink = with_header(Sink::create(path, false)?, layout)?;
            return Ok(Resumed { sink, held: Tally::default(), torn: 0 });
        }
        opened => opened.map_err(wrong)?,
    };
    let length = file.metadata().map_err(wrong)?.len();
    let mut saved =
        Saved { lines: BufReader::with_capacity(1 << 18, file), csv: layout.format == cli::Format::Csv };
    let mut checker = Checker { path, layout, session, held: Tally::default() };
    let mut end = 0;
    let mut text = Vec::new();
    let header = layout.header();
    if !header.is_empty() && saved.next(&mut text).map_err(wrong)? {
        if text != header {
            return Err(checker.foreign_header(&text));
        }
        end = text.len() as u64;
    }
    while (header.is_empty() || end > 0) && saved.next(&mut text).map_err(wrong)? {
        let answer = checker.parse(&text)?;
        let Some(item) = input.next(alarm) else {
            if alarm.raised() {
                return Err(CliError::interrupted("interrupted while the earlier answers were read"));
            }
            let count = figures::counted(checker.held.answers(), "position");
            return Err(
                checker.foreign(&format!("it holds more answers than the input has positions ({count})"))
            );
        };
        checker.check(&answer, &item)?;
        end += text.len() as u64;
    }
    let mut file = saved.lines.into_inner();
    let torn = length - end;
    if torn > 0 {
        checker.vet_torn(&text, end == 0)?;
        file.set_len(end).map_err(wrong)?;
    }
    file.seek(SeekFrom::Start(end)).map_err(wrong)?;
    let sink = Sink::file(file, path);
    let sink = if end == 0 { with_header(sink, layout)? } else { sink };
    Ok(Resumed { sink, held: checker.held, torn })
}

/// A sink that has its header.
pub(crate) fn with_header(mut sink: Sink, layout: &Layout) -> Result<Sink, CliError> {
    sink.write(&layout.header())?;
    Ok(sink)
}

/// The answers in a file, one by one.
struct Saved<R> {
    lines: R,
    csv: bool,
}

impl<R: BufRead> Saved<R> {
    /// Reads an answer; false at the end and where the last one is torn.
    fn next(&mut self, text: &mut Vec<u8>) -> std::io::Result<bool> {
        text.clear();
        loop {
            if self.lines.read_until(b'\n', text)? == 0 || text.last() != Some(&b'\n') {
                return Ok(false);
            }
            // A row may go on over several lines inside quotes.
            let quotes = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'"').count();
            if !self.csv || quotes(text).is_multiple_of(2) {
                return Ok(true);
            }
        }
    }
}

/// What is compared of an answer.
#[derive(Deserialize, Default)]
struct Parts {
    line: usize,
    outcome: String,
    run: Option<String>,
    puzzle: Option<String>,
    start: Option<String>,
    moves: Option<String>,
}

struct Checker<'a> {
    path: &'a Path,
    layout: &'a Layout,
    session: &'a Session,
    held: Tally,
}

impl Checker<'_> {
    /// The next answer, which names this run or none.
    fn parse(&self, text: &[u8]) -> Result<Parts, CliError> {
        let parts = self.parts(text)?;
        if parts.run.as_deref() == Some(&*self.layout.run_text) {
            return Ok(parts);
        }
        let Some(text) = parts.run.as_deref() else { return Ok(parts) };
        let Ok(run) = text.parse::<RunId>() else { return Err(self.unreadable()) };
        let Some(difference) = self.session.difference(&run, &self.layout.run) else { return Ok(parts) };
        let answer = format!("the answer to line {}", figures::grouped(parts.line as u64));
        Err(self.foreign(&mismatch(&answer, &difference)))
    }

    /// Makes sure that the next answer belongs to `item`.
    fn check(&mut self, answer: &Parts, item: &Item) -> Result<(), CliError> {
        let kind = Kind::named(&answer.outcome).ok_or_else(|| self.unreadable())?;
        if answer.line != item.line {
            let why = format!(
                "answer {} is to line {}, where the input has a position on line {}",
                figures::grouped(self.held.answers() + 1),
                figures::grouped(answer.line as u64),
                figures::grouped(item.line as u64)
            );
            return Err(self.foreign(&why));
        }
        self.held.add(kind);
        self.compare(answer, item)
    }

    /// Compares all that an answer says with the input and the puzzle.
    fn compare(&self, answer: &Parts, item: &Item) -> Result<(), CliError> {
        let line = figures::grouped(answer.line as u64);
        let differs = |what: &str| Err(self.foreign(&format!("the answer to line {line} {what}")));
        let position = match (&item.found, answer.outcome == "invalid") {
            // What this run refuses, too, needs no run: earlier versions wrote none.
            (Err(_), true) => return Ok(()),
            (Err(_), false) => return differs("is to a position, where the input has none"),
            (Ok(_), true) => return differs("refuses its text, where this run reads a position"),
            (Ok(position), false) => position,
        };
        if answer.run.is_none() {
            return differs("does not say which run it belongs to: an earlier version of untumble wrote it");
        }
        let puzzle = &**self.session.puzzle();
        if answer.puzzle.as_deref() != Some(&puzzle.title()) {
            return differs(&format!("is of {}", answer.puzzle.as_deref().unwrap_or("no puzzle")));
        }
        if answer.start.as_deref() != Some(&puzzle.text(position)) {
            return differs("starts from another position");
        }
        let Some(moves) = answer.moves.as_deref().filter(|_| answer.outcome != "unsolvable") else {
            return Ok(());
        };
        let solves = puzzle
            .parse_moves(moves)
            .is_ok_and(|path| puzzle.apply(position, &path).is_ok_and(|end| puzzle.is_solved(&end)));
        if solves { Ok(()) } else { differs("leads to another goal") }
    }

    /// Refuses to cut off what does not look like the beginning of an answer, or of the header where that is missing.
    fn vet_torn(&self, text: &[u8], first: bool) -> Result<(), CliError> {
        let header = self.layout.header();
        let ours = match self.layout.format {
            cli::Format::Ndjson => alike(text, b"{\"line\":"),
            cli::Format::Csv if first => alike(text, &header),
            cli::Format::Csv => text.first().is_some_and(u8::is_ascii_digit),
        };
        if ours { Ok(()) } else { Err(self.unreadable()) }
    }

    fn parts(&self, text: &[u8]) -> Result<Parts, CliError> {
        let parts = match self.layout.format {
            cli::Format::Ndjson => serde_json::from_slice(text).ok(),
            cli::Format::Csv => std::str::from_utf8(text).ok().and_then(|row| self.row(row)),
        };
        parts.ok_or_else(|| self.unreadable())
    }

    fn row(&self, row: &str) -> Option<Parts> {
        let fields = csv::fields(row)?;
        let mut parts = Parts::default();
        if fields.len() != answer::columns(self.layout.all).count() {
            return None;
        }
        for (column, field) in answer::columns(self.layout.all).zip(fields) {
            match column {
                "line" => parts.line = field.parse().ok()?,
                "outcome" => parts.outcome = field,
                "run" => parts.run = Some(field).filter(|run| !run.is_empty()),
                "puzzle" => parts.puzzle = Some(field),
                "start" => parts.start = Some(field),
                // Without a solution the field is empty, as it is for a solved position.
                "moves" => parts.moves = Some(field).filter(|moves| !moves.is_empty()),
                _ => {}
            }
        }
        Some(parts)
    }

    /// The refusal of a table with another header: that of the same run with or without all solutions, or none of ours.
    fn foreign_header(&self, header: &[u8]) -> CliError {
        let all_solutions = !self.layout.run.all_solutions;
        let run = RunId { all_solutions, ..self.layout.run.clone() };
        let difference = self.session.difference(&run, &self.layout.run);
        match difference.filter(|_| Layout::new(self.layout.format, run).header() == header) {
            Some(difference) => self.foreign(&mismatch("the file", &difference)),
            None => self.foreign("its first line is not the header expected"),
        }
    }

    fn unreadable(&self) -> CliError {
        let place = figures::grouped(self.held.answers() + 1);
        self.foreign(&format!("answer {place} is none that batch writes in this format"))
    }

    fn foreign(&self, why: &str) -> CliError {
        CliError::usage(format!(
            "{}: cannot resume: {why}; give the arguments and the input it was begun with, or another --out",
            self.path.display()
        ))
    }
}

/// Whether one of them begins with the other.
fn alike(a: &[u8], b: &[u8]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}
