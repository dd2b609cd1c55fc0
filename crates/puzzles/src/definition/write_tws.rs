//! Definitions and positions as text of twsearch.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use super::digest::canonical_labels;
use super::model::{Definition, MoveKind, NamedMove, Orbit, SearchedPowers};
use super::notation::MovePower;
use super::pattern::{OrbitPattern, Pattern};
use super::tws::{MAX_SET_ORIENTATIONS, MAX_SET_PIECES};
use super::write_kpuzzle::check_kind;
use super::written::{Loss, WriteError, Written, common_losses, joined};

/// Writes a definition as `.tws`. Labels above 254, and labels of which some pieces have an ignored
/// orientation, are replaced by others. A sequence that is not known by its moves is left out.
///
/// # Errors
/// A set is too large, an orientation is known in part, or a name cannot be a token.
pub fn to_tws(definition: &Definition) -> Result<Written, WriteError> {
    let mut text = format!("Name {}\n\n", token(definition.name()));
    for orbit in definition.orbits() {
        check_orbit(orbit)?;
        writeln!(text, "Set {} {} {}", orbit.name, orbit.pieces, orbit.orientations).expect(MEMORY);
    }
    text.push_str("\nSolved\n");
    text.push_str(&state_rows(definition, definition.solved())?);
    text.push_str("End\n");
    let mut left_out = Vec::new();
    for named in definition.moves() {
        check_kind(&named.name, named.kind)?;
        match named.kind {
            MoveKind::Move | MoveKind::Rotation => text.push_str(&move_block(definition, named)),
            MoveKind::Sequence => match sequence_tokens(definition, named.sequence.as_deref()) {
                Some(moves) => {
                    writeln!(text, "\nMoveSequence {} {moves}", named.name).expect(MEMORY);
                }
                None => left_out.push(named.name.clone()),
            },
        }
    }
    text.push_str(&illegal_lines(definition));
    let mut losses = common_losses(definition, SearchedPowers::All);
    if !left_out.is_empty() {
        losses.push(Loss::Sequences { names: left_out });
    }
    Ok(Written { text, losses })
}

/// One line for each slot with forbidden pieces.
fn illegal_lines(definition: &Definition) -> String {
    let mut forbidden: BTreeMap<(usize, usize), BTreeSet<u32>> = BTreeMap::new();
    for illegal in definition.illegal() {
        let orbit = &definition.solved().orbits()[illegal.orbit];
        let labels = written_labels(orbit);
        let kinds = labels.iter().filter(|((piece, _), _)| *piece == illegal.piece);
        let pieces = forbidden.entry((illegal.orbit, illegal.slot)).or_default();
        pieces.extend(kinds.map(|(_, label)| label + 1));
    }
    let line = |((orbit, slot), pieces): (&(usize, usize), &BTreeSet<u32>)| {
        let name = &definition.orbits()[*orbit].name;
        format!("\nIllegal {name} {} {}\n", slot + 1, joined(pieces, " "))
    };
    forbidden.iter().map(line).collect()
}

/// Writes a position as a `Scramble` of a `.scr` file, with the labels of [`to_tws`].
///
/// # Errors
/// The position holds other pieces than the solved position, or the definition cannot be written.
pub fn pattern_to_tws(definition: &Definition, pattern: &Pattern, name: &str) -> Result<String, WriteError> {
    definition.orbits().iter().try_for_each(check_orbit)?;
    Ok(format!("Scramble {}\n{}End\n", token(name), state_rows(definition, pattern)?))
}

const MEMORY: &str = "writing to memory succeeds";

/// A text as a single token.
fn token(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    let token: String = text.chars().map(plain).collect();
    if token.is_empty() { "_".into() } else { token }
}

fn check_orbit(orbit: &Orbit) -> Result<(), WriteError> {
    let name = &orbit.name;
    let starts_row = name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '?' | '#'));
    if starts_row || name == "End" || name.contains(|c| c <= ' ') {
        let reason = "a set is a word that begins with no digit, `?` or `#` and is not `End`";
        return Err(WriteError::Name { what: "set", name: name.clone(), reason });
    }
    let limits = [
        ("the number of pieces", orbit.pieces, MAX_SET_PIECES),
        ("the number of orientations", orbit.orientations.into(), MAX_SET_ORIENTATIONS),
    ];
    match limits.into_iter().find(|&(_, found, max)| found > max as usize) {
        Some((what, found, max)) => Err(WriteError::TooLarge { what, found, max: max as usize }),
        None => Ok(()),
    }
}

/// The label that is written for each kind of piece, from 0.
fn written_labels(solved: &OrbitPattern) -> HashMap<(u32, u8), u32> {
    let canonical = canonical_labels(solved);
    let mut distinct: Vec<u32> = canonical.keys().map(|&(piece, _)| piece).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() == canonical.len() && distinct.iter().all(|&piece| piece < MAX_SET_PIECES) {
        canonical.into_keys().map(|(piece, modulus)| ((piece, modulus), piece)).collect()
    } else {
        canonical
    }
}

fn state_rows(definition: &Definition, pattern: &Pattern) -> Result<String, WriteError> {
    let mut text = String::new();
    let solved = definition.solved().orbits();
    for ((orbit, solved), state) in definition.orbits().iter().zip(solved).zip(pattern.orbits()) {
        let labels = written_labels(solved);
        let kinds = state.pieces().iter().copied().zip(state.modulus().iter().copied());
        let pieces: Option<Vec<u32>> = kinds.map(|kind| labels.get(&kind).map(|label| label + 1)).collect();
        let pieces = pieces.ok_or_else(|| WriteError::ForeignPieces { orbit: orbit.name.clone() })?;
        writeln!(text, "{}\n{}", orbit.name, joined(pieces, " ")).expect(MEMORY);
        if orbit.orientations > 1 {
            let values = state.orientation().iter().zip(state.modulus());
            let values = values.map(|(value, &modulus)| match modulus {
                1 => Ok("?".to_owned()),
                _ if modulus == orbit.orientations => Ok(value.to_string()),
                _ => {
                    let reason = "an orientation is known modulo a number; twsearch knows all of it or none";
                    Err(WriteError::Orientation { orbit: orbit.name.clone(), reason })
                }
            });
            let values = values.collect::<Result<Vec<_>, _>>()?;
            writeln!(text, "{}", joined(values, " ")).expect(MEMORY);
        }
    }
    Ok(text)
}

/// A `MoveTransformation`, which counts from 0 and is indexed by slot.
fn move_block(definition: &Definition, named: &NamedMove) -> String {
    let mut text = format!("\nMoveTransformation {}\n", named.name);
    for (orbit, moved) in definition.orbits().iter().zip(named.transformation.orbits()) {
        if moved.is_identity() {
            continue;
        }
        writeln!(text, "{}\n{}", orbit.name, joined(moved.from(), " ")).expect(MEMORY);
        if orbit.orientations > 1 {
            writeln!(text, "{}", joined(moved.twist(), " ")).expect(MEMORY);
        }
    }
    text + "End\n"
}

/// The moves of a sequence as tokens without groups; `None` if there is none or it becomes too long.
fn sequence_tokens(definition: &Definition, sequence: Option<&[MovePower]>) -> Option<String> {
    const MAX_TOKENS: usize = 10_000;
    let mut tokens = Vec::new();
    for &MovePower { index, power } in sequence? {
        let name = |power| definition.suffixed_power_name(index as usize, power);
        match name(power) {
            Some(token) => tokens.push(token),
            // The power of a name that ends with a digit is repeated.
            None => {
                let once = name(power.signum())?;
                let count = power.unsigned_abs() as usize;
                if count > MAX_TOKENS {
                    return None;
                }
                tokens.extend(std::iter::repeat_n(once, count));
            }
        }
        if tokens.len() > MAX_TOKENS {
            return None;
        }
    }
    Some(tokens.join(" ")).filter(|text| !text.is_empty())
}
