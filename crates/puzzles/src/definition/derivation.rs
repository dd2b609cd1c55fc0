//! Moves defined by sequences of other moves: `derivedMoves` of KPuzzle, `MoveAlias` and `MoveSequence` of
//! twsearch. A sequence may refer to moves that are defined later, but not to itself through others.

use std::collections::HashMap;
use std::ops::Range;

use super::error::{DefinitionError, Fault};
use super::limits::MAX_DERIVATION_CELLS;
use super::model::{MoveKind, NamedMove, check_move_name, check_moves};
use super::notation::{MoveNames, MovePower, name_lengths};
use super::transformation::Transformation;
use crate::sanitize::sanitize;

/// Where a transformation comes from.
pub(crate) enum Source {
    /// It is listed.
    Listed(Transformation),
    /// It is the product of a sequence of moves.
    Sequence(String),
}

/// A move as the file defines it.
pub(crate) struct MoveEntry {
    pub(crate) name: String,
    pub(crate) kind: MoveKind,
    pub(crate) source: Source,
    pub(crate) origin: Origin,
}

/// Where a move is defined. It becomes a line only for an error, because finding a line takes time.
pub(crate) enum Origin {
    /// The byte range of its name in the text.
    Span(Range<usize>),
    /// The path to its value.
    Path(String),
}

impl MoveEntry {
    fn error(&self, text: &str, fault: Fault) -> DefinitionError {
        match &self.origin {
            Origin::Span(span) => fault.at(text, span.clone()),
            Origin::Path(path) => fault.at_path(path.clone()),
        }
    }
}

/// The moves with their sequences multiplied out. `text` is the file, `identity` belongs to the orbits.
pub(crate) fn resolve(
    text: &str,
    entries: Vec<MoveEntry>,
    identity: &Transformation,
) -> Result<Vec<NamedMove>, DefinitionError> {
    let slots: usize = identity.orbits().iter().map(|orbit| orbit.from().len()).sum();
    let mut by_name = HashMap::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let at_entry = |fault| entry.error(text, fault);
        check_moves(index + 1, slots).and_then(|()| check_move_name(&entry.name)).map_err(at_entry)?;
        if by_name.insert(entry.name.clone(), index).is_some() {
            let fault = Fault::DuplicateName { what: "move", name: sanitize(&entry.name) };
            return Err(at_entry(fault));
        }
    }
    let sequences = parse_sequences(text, &entries, &by_name, slots)?;
    let order = evaluation_order(text, &entries, &sequences)?;
    let mut transformations: Vec<Option<Transformation>> = Vec::with_capacity(entries.len());
    let mut moves = Vec::with_capacity(entries.len());
    for entry in entries {
        transformations.push(match entry.source {
            Source::Listed(transformation) => Some(transformation),
            Source::Sequence(_) => None,
        });
        moves.push((entry.name, entry.kind));
    }
    for index in order {
        let product = sequences[index].iter().flatten().fold(identity.clone(), |product, step| {
            let base = transformations[step.index as usize].as_ref().expect("evaluated before it is used");
            product.then(&base.power(step.power.into()))
        });
        transformations[index] = Some(product);
    }
    let named = moves.into_iter().zip(transformations).zip(sequences);
    let named = named.map(|(((name, kind), transformation), sequence)| NamedMove {
        name,
        kind,
        transformation: transformation.expect("every sequence is evaluated"),
        sequence,
    });
    Ok(named.collect())
}

/// The moves of every sequence; `None` for listed moves.
fn parse_sequences(
    text: &str,
    entries: &[MoveEntry],
    by_name: &HashMap<String, usize>,
    slots: usize,
) -> Result<Vec<Option<Vec<MovePower>>>, DefinitionError> {
    /// Bounds the memory of the sequences where a puzzle has few slots.
    const LEAST_CELLS: usize = 64;
    let lengths = name_lengths(by_name);
    let names = MoveNames { by_name, lengths: &lengths, minus_inverts: false };
    let mut work = 0usize;
    let mut sequences = Vec::with_capacity(entries.len());
    for entry in entries {
        let Source::Sequence(sequence) = &entry.source else {
            sequences.push(None);
            continue;
        };
        let at_entry = |fault| entry.error(text, fault);
        let steps = names.parse(sequence).map_err(|error| at_entry(error.fault))?;
        // A power takes two products per bit of the exponent.
        let products: usize =
            steps.iter().map(|step| 1 + 2 * step.power.unsigned_abs().ilog2() as usize).sum();
        work = work.saturating_add(products.saturating_mul(slots.max(LEAST_CELLS)));
        if work > MAX_DERIVATION_CELLS {
            let max = MAX_DERIVATION_CELLS / slots.max(LEAST_CELLS);
            let found = work / slots.max(LEAST_CELLS);
            return Err(at_entry(Fault::TooMany { what: "moves in sequences", found, max }));
        }
        sequences.push(Some(steps));
    }
    Ok(sequences)
}

/// The sequences in an order in which each follows those it uses. Without recursion, because a chain may be
/// as long as the file.
fn evaluation_order(
    text: &str,
    entries: &[MoveEntry],
    sequences: &[Option<Vec<MovePower>>],
) -> Result<Vec<usize>, DefinitionError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let is_sequence = |index: usize| matches!(entries[index].source, Source::Sequence(_));
    let mut visits = vec![Visit::New; entries.len()];
    let mut order = Vec::new();
    for first in (0..entries.len()).filter(|&index| is_sequence(index)) {
        if visits[first] == Visit::Done {
            continue;
        }
        visits[first] = Visit::Open;
        // Each open sequence with the number of its moves already visited.
        let mut open = vec![(first, 0)];
        while let Some((index, next)) = open.last_mut() {
            let index = *index;
            let Some(step) = sequences[index].as_ref().and_then(|steps| steps.get(*next)) else {
                visits[index] = Visit::Done;
                order.push(index);
                open.pop();
                continue;
            };
            *next += 1;
            let used = step.index as usize;
            match visits[used] {
                Visit::New if is_sequence(used) => {
                    visits[used] = Visit::Open;
                    open.push((used, 0));
                }
                Visit::Open => {
                    let start = open.iter().position(|&(index, _)| index == used).unwrap_or(0);
                    let circle = open[start..].iter().map(|&(index, _)| index).chain([used]);
                    let names = circle.map(|index| sanitize(&entries[index].name)).collect();
                    return Err(entries[used].error(text, Fault::Cycle { names: shortened(names) }));
                }
                _ => {}
            }
        }
    }
    Ok(order)
}

/// The circle with its middle left out, if it is long.
fn shortened(mut names: Vec<String>) -> Vec<String> {
    const MOST: usize = 12;
    if names.len() > MOST {
        let last = names.split_off(names.len() - MOST / 2);
        names.truncate(MOST / 2);
        names.push("…".into());
        names.extend(last);
    }
    names
}
