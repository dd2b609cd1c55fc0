//! Definitions and patterns as KPuzzle JSON (cubing.js, twips).

use std::fmt::Write as _;

use super::model::{Definition, MoveKind, Orbit, SearchedPowers};
use super::moves::is_rotation_name;
use super::pattern::{OrbitPattern, Pattern};
use super::written::{Loss, WriteError, Written, common_losses, joined, names_of};

/// Writes a definition. Derived moves are written out. Sequences and `Illegal` are left out: the format
/// knows no placements that are forbidden, and its derived moves are searched.
///
/// # Errors
/// A move has the name of a rotation.
pub fn to_kpuzzle(definition: &Definition) -> Result<Written, WriteError> {
    let mut losses = common_losses(definition, SearchedPowers::All);
    if !definition.illegal().is_empty() {
        losses.push(Loss::Illegal { count: definition.illegal().len() });
    }
    let sequences = names_of(definition, MoveKind::Sequence);
    if !sequences.is_empty() {
        losses.push(Loss::Sequences { names: sequences });
    }
    let mut moves = Vec::new();
    for named in definition.moves().iter().filter(|named| named.kind != MoveKind::Sequence) {
        check_kind(&named.name, named.kind)?;
        let orbits = definition.orbits().iter().zip(named.transformation.orbits()).map(|(orbit, moved)| {
            let (from, twist) = (joined(moved.from(), ", "), joined(moved.twist(), ", "));
            let name = quoted(&orbit.name);
            format!("      {name}: {{\"permutation\": [{from}],\n        \"orientationDelta\": [{twist}]}}")
        });
        let orbits: Vec<String> = orbits.collect();
        moves.push(format!("    {}: {{\n{}\n    }}", quoted(&named.name), orbits.join(",\n")));
    }
    let orbits = definition.orbits().iter().map(|orbit| {
        let Orbit { name, pieces, orientations } = orbit;
        let name = quoted(name);
        format!("    {{\"orbitName\": {name}, \"numPieces\": {pieces}, \"numOrientations\": {orientations}}}")
    });
    let text = format!(
        "{{\n  \"name\": {},\n  \"orbits\": [\n{}\n  ],\n  \"defaultPattern\": {},\n  \"moves\": {{\n{}\n  }}\n}}\n",
        quoted(definition.name()),
        orbits.collect::<Vec<_>>().join(",\n"),
        pattern_text(definition, definition.solved(), "  "),
        moves.join(",\n"),
    );
    Ok(Written { text, losses })
}

/// Writes a pattern as an object of its own.
pub fn pattern_to_kpuzzle(definition: &Definition, pattern: &Pattern) -> String {
    pattern_text(definition, pattern, "") + "\n"
}

/// Refuses a move whose name would make it a rotation.
pub(crate) fn check_kind(name: &str, kind: MoveKind) -> Result<(), WriteError> {
    if kind == MoveKind::Move && is_rotation_name(name) {
        let reason = "readers of the format take it for a rotation of the whole puzzle";
        return Err(WriteError::Name { what: "move", name: name.to_owned(), reason });
    }
    Ok(())
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn pattern_text(definition: &Definition, pattern: &Pattern, indent: &str) -> String {
    let orbits: Vec<String> = definition
        .orbits()
        .iter()
        .zip(pattern.orbits())
        .map(|(orbit, state)| orbit_text(orbit, state, indent))
        .collect();
    format!("{{\n{}\n{indent}}}", orbits.join(",\n"))
}

fn orbit_text(orbit: &Orbit, state: &OrbitPattern, indent: &str) -> String {
    let (pieces, orientation) = (joined(state.pieces(), ", "), joined(state.orientation(), ", "));
    let mut text = format!(
        "{indent}  {}: {{\n{indent}    \"pieces\": [{pieces}],\n{indent}    \"orientation\": [{orientation}]",
        quoted(&orbit.name)
    );
    if state.modulus().iter().any(|&modulus| modulus != orbit.orientations) {
        // 0 stands for fully known.
        let known = |&modulus: &u8| if modulus == orbit.orientations { 0 } else { modulus };
        let moduli = joined(state.modulus().iter().map(known), ", ");
        write!(text, ",\n{indent}    \"orientationMod\": [{moduli}]").expect("writing to memory succeeds");
    }
    text + &format!("\n{indent}  }}")
}
