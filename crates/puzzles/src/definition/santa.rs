//! Puzzles of Kaggle's Santa 2023 contest: `puzzle_info.csv` has the moves of every puzzle type as a
//! Python dictionary, `puzzles.csv` the solved and initial states.
//!
//! Slot `i` receives the sticker of slot `move[i]`. The inverse of `f0` is written `-f0`.

use super::error::{DefinitionError, Fault, Place};
use super::growth::csv_error;
use super::limits::{MAX_SLOTS, MAX_TEXT_BYTES};
use super::model::{
    Definition, MoveKind, NamedMove, SearchedPowers, check_move_name, check_moves, sticker_move,
    sticker_pattern,
};
use super::pattern::Pattern;
use super::permutation::permutation;
use crate::sanitize::sanitize;

mod dictionary;

/// Parses the moves of one puzzle type of `puzzle_info.csv`. Without `puzzle_type` the file must have one
/// row. All stickers are distinct; [`SantaPuzzle::apply`] sets the states of a contest puzzle.
///
/// # Errors
/// The first mistake with line and path, or the known types.
pub fn parse_puzzle_info(text: &str, puzzle_type: Option<&str>) -> Result<Definition, DefinitionError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let [type_column, moves_column] = columns(&mut reader, ["puzzle_type", "allowed_moves"])?;
    let mut names: Vec<String> = Vec::new();
    let mut only = None;
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(&error))?;
        let name = record[type_column].trim();
        if puzzle_type.is_some_and(|wanted| wanted == name) {
            return read_row(&record, name, moves_column);
        }
        // Names for the message, without those of an endless file.
        if names.len() < 1000 {
            names.push(sanitize(name));
        }
        if only.is_none() {
            only = Some(record);
        }
    }
    match (puzzle_type, only) {
        (Some(wanted), _) => Err(Fault::unknown("puzzle", wanted, names.iter().map(String::as_str)).into()),
        (None, Some(record)) if names.len() == 1 => {
            let name = record[type_column].trim().to_owned();
            read_row(&record, &name, moves_column)
        }
        (None, Some(_)) => Err(Fault::ChoosePuzzle { names }.into()),
        (None, None) => Err(Fault::Missing { what: "the rows of puzzles are".into() }.into()),
    }
}

/// The numbers of the named columns.
fn columns<const N: usize>(
    reader: &mut csv::Reader<&[u8]>,
    names: [&str; N],
) -> Result<[usize; N], DefinitionError> {
    let headers = reader.headers().map_err(|error| csv_error(&error))?;
    let mut found = [0; N];
    for (slot, name) in found.iter_mut().zip(names) {
        let Some(column) = headers.iter().position(|header| header.trim() == name) else {
            let fault = Fault::Missing { what: format!("the column `{name}` is") };
            return Err(DefinitionError {
                fault,
                place: Some(Place::Value { line: Some(1), path: String::new() }),
            });
        };
        *slot = column;
    }
    Ok(found)
}

/// Adds line and path to an error in a field.
fn locate(record: &csv::StringRecord, path: impl Into<String>, fault: Fault) -> DefinitionError {
    let line = record.position().map(|position| position.line() as usize);
    DefinitionError { fault, place: Some(Place::Value { line, path: path.into() }) }
}

fn read_row(record: &csv::StringRecord, name: &str, column: usize) -> Result<Definition, DefinitionError> {
    let mut moves: Vec<NamedMove> = Vec::new();
    let mut slots = None;
    dictionary::read(&record[column], |name, numbers| {
        let expected = *slots.get_or_insert(numbers.len());
        let path = |slot: usize| format!("allowed_moves.{name}[{slot}]");
        if !(1..=MAX_SLOTS).contains(&numbers.len()) {
            let (what, found) = ("a number of slots", numbers.len().to_string());
            return Err((Fault::OutOfRange { what, min: 1, max: MAX_SLOTS as u64, found }, path(0)));
        }
        if numbers.len() != expected {
            let fault = Fault::Length { what: "numbers", expected, found: numbers.len() };
            return Err((fault, format!("allowed_moves.{name}")));
        }
        check_move_name(name)
            .and_then(|()| check_moves(moves.len() + 1, expected))
            .map_err(|fault| (fault, format!("allowed_moves.{name}")))?;
        let from = permutation(&numbers, 0).map_err(|(slot, fault)| (fault, path(slot)))?;
        moves.push(sticker_move(name.to_owned(), from, MoveKind::Move));
        Ok(())
    })
    .map_err(|(fault, path)| locate(record, path, fault))?;
    let labels = (0..slots.unwrap_or(0) as u32).collect();
    Definition::of_stickers(name, labels, moves, SearchedPowers::ListedAndInverses)
        .map_err(|error| locate(record, "allowed_moves", error.fault))
}

/// A row of `puzzles.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SantaPuzzle {
    /// Its number in the contest.
    pub id: String,
    /// Its type in `puzzle_info.csv`.
    pub puzzle_type: String,
    /// The labels of the solved state.
    pub solved: Vec<u32>,
    /// The labels of the state to be solved.
    pub initial: Vec<u32>,
    /// How many stickers may remain wrong.
    pub wildcards: usize,
}

/// Parses the rows of `puzzles.csv`.
///
/// # Errors
/// The first mistake with line and column.
pub fn parse_puzzles(text: &str) -> Result<Vec<SantaPuzzle>, DefinitionError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(Fault::TooLong { bytes: text.len() }.into());
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = ["id", "puzzle_type", "solution_state", "initial_state", "num_wildcards"];
    let columns = columns(&mut reader, names)?;
    let mut puzzles = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(&error))?;
        let [id, puzzle_type, solved, initial, wildcards] = columns.map(|column| record[column].trim());
        let state = |text: &str, name| {
            parse_labels(text).map_err(|(slot, fault)| locate(&record, format!("{name}[{slot}]"), fault))
        };
        let (solved, initial) = (state(solved, names[2])?, state(initial, names[3])?);
        let wildcards = wildcards
            .parse()
            .map_err(|_| locate(&record, names[4], Fault::unexpected("a number of stickers", wildcards)))?;
        let (id, puzzle_type) = (id.to_owned(), puzzle_type.to_owned());
        puzzles.push(SantaPuzzle { id, puzzle_type, solved, initial, wildcards });
    }
    Ok(puzzles)
}

impl SantaPuzzle {
    /// The definition of the puzzle's type with the states of this puzzle.
    ///
    /// # Errors
    /// The states have another length than the moves, or other stickers than each other.
    pub fn apply(&self, definition: Definition) -> Result<Definition, DefinitionError> {
        let solved = state_of(&definition, self.solved.clone())?;
        let initial = state_of(&definition, self.initial.clone())?;
        definition.with_solved(solved).with_start(initial)
    }
}

fn state_of(definition: &Definition, labels: Vec<u32>) -> Result<Pattern, DefinitionError> {
    if !definition.has_stickers_only() {
        return Err(Fault::StickersOnly { notation: "states with `;`" }.into());
    }
    if labels.len() != definition.slots() {
        let (expected, found) = (definition.slots(), labels.len());
        return Err(Fault::Length { what: "stickers", expected, found }.into());
    }
    Ok(sticker_pattern(labels))
}

/// Parses a state such as `A;B;A` or `N0;N2;N1`. Capital letters are the labels 0 to 25.
///
/// # Errors
/// The puzzle has oriented pieces, or the text is not a state of its length.
pub fn parse_state(definition: &Definition, text: &str) -> Result<Pattern, DefinitionError> {
    let labels = parse_labels(text.trim()).map_err(|(slot, fault)| fault.at_path(format!("[{slot}]")))?;
    state_of(definition, labels)
}

/// The labels of a state, or the number of the wrong item.
fn parse_labels(text: &str) -> Result<Vec<u32>, (usize, Fault)> {
    let mut labels = Vec::new();
    let mut lettered = None;
    for (slot, item) in text.split(';').enumerate() {
        let wrong = |expected: &str| (slot, Fault::unexpected(expected, item));
        let label = match item.as_bytes() {
            [letter @ b'A'..=b'Z'] => u32::from(letter - b'A'),
            [b'N', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => {
                item[1..].parse().map_err(|_| wrong("N and a number below 2^32"))?
            }
            _ => return Err(wrong("a capital letter, or N and a number")),
        };
        // `A` and `N0` would be the same label.
        if *lettered.get_or_insert(item.len() == 1) != (item.len() == 1) {
            return Err(wrong("all letters or all numbers"));
        }
        labels.push(label);
        if labels.len() > MAX_SLOTS {
            return Err((slot, Fault::TooMany { what: "stickers", found: labels.len(), max: MAX_SLOTS }));
        }
    }
    Ok(labels)
}

#[cfg(test)]
mod tests;
