//! Definitions as generators of GAP.
//!
//! A sticker is a slot with an orientation: a piece of m orientations in slot i has the points of (i, 0) to
//! (i, m − 1). A move that takes the content of slot j to slot i with twist d takes the point (j, o) to
//! (i, o + d mod m). At a slot whose piece has orientation q, the point (i, o) shows the sticker o − q of
//! the piece, so points are identical if they show equal stickers of identical pieces, modulo what is known
//! of the orientation.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::limits::MAX_SLOTS;
use super::model::{Definition, MoveKind, NamedMove, STICKERS, SearchedPowers};
use super::written::{Loss, WriteError, Written, common_losses, joined, names_of};

/// Writes a definition. Orbits and orientations become points, rotations permutations that are no
/// generators; `Illegal` is left out.
///
/// # Errors
/// A name has other characters than letters, digits and `_` of ASCII, or the puzzle has too many stickers.
pub fn to_gap(definition: &Definition) -> Result<Written, WriteError> {
    let orbits = definition.orbits().iter();
    let points: usize = orbits.map(|orbit| orbit.pieces * usize::from(orbit.orientations)).sum();
    if points > MAX_SLOTS {
        return Err(WriteError::TooLarge { what: "the number of stickers", found: points, max: MAX_SLOTS });
    }
    let mut text = String::new();
    let mut largest = 0;
    // Readers list generators first.
    let (generators, others): (Vec<_>, Vec<_>) =
        definition.moves().iter().partition(|named| named.kind == MoveKind::Move);
    for named in generators.into_iter().chain(others) {
        check_name(&named.name)?;
        let cycles = cycles(&images(named, points));
        largest = cycles.iter().flatten().copied().max().unwrap_or(0).max(largest);
        writeln!(text, "M_{}:={};", named.name, cycle_text(&cycles)).expect(MEMORY);
    }
    let generators = names_of(definition, MoveKind::Move).into_iter().map(|name| format!("M_{name}"));
    writeln!(text, "Gen:=[{}];", joined(generators, ",")).expect(MEMORY);
    let mut classes: Vec<Vec<usize>> = classes(definition).into_iter().filter(|c| c.len() > 1).collect();
    largest = classes.iter().flatten().copied().max().unwrap_or(0).max(largest);
    if largest < points {
        // Names the last point, so that readers know the number of points.
        classes.push(vec![points]);
    }
    if !classes.is_empty() {
        let classes = classes.iter().map(|class| format!("[{}]", joined(class, ",")));
        writeln!(text, "ip:=[{}];", joined(classes, ",")).expect(MEMORY);
    }
    Ok(Written { text, losses: losses(definition) })
}

const MEMORY: &str = "writing to memory succeeds";

fn losses(definition: &Definition) -> Vec<Loss> {
    let mut losses = common_losses(definition, SearchedPowers::Listed);
    if !definition.illegal().is_empty() {
        losses.push(Loss::Illegal { count: definition.illegal().len() });
    }
    let rotations = names_of(definition, MoveKind::Rotation);
    if !rotations.is_empty() {
        losses.push(Loss::Rotations { names: rotations });
    }
    if !definition.has_stickers_only() || definition.orbits()[0].name != STICKERS {
        losses.push(Loss::Orbits);
    }
    if !definition.moves().is_sorted_by_key(|named| named.kind != MoveKind::Move) {
        losses.push(Loss::MoveOrder);
    }
    losses
}

fn check_name(name: &str) -> Result<(), WriteError> {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Ok(());
    }
    let reason = "names of GAP have letters, digits and `_`";
    Err(WriteError::Name { what: "move", name: name.to_owned(), reason })
}

/// For each point from 0 the point that its sticker goes to.
fn images(named: &NamedMove, points: usize) -> Vec<usize> {
    let mut images = vec![0; points];
    let mut offset = 0;
    for orbit in named.transformation.orbits() {
        let orientations = usize::from(orbit.orientations());
        for (slot, (&from, &twist)) in orbit.from().iter().zip(orbit.twist()).enumerate() {
            for value in 0..orientations {
                let turned = (value + usize::from(twist)) % orientations;
                images[offset + usize::from(from) * orientations + value] =
                    offset + slot * orientations + turned;
            }
        }
        offset += orbit.from().len() * orientations;
    }
    images
}

/// The cycles of two or more points, numbered from 1.
fn cycles(images: &[usize]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; images.len()];
    let mut cycles = Vec::new();
    for first in 0..images.len() {
        let (mut at, mut cycle) = (first, Vec::new());
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push(at + 1);
            at = images[at];
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

fn cycle_text(cycles: &[Vec<usize>]) -> String {
    if cycles.is_empty() {
        return "()".into();
    }
    cycles.iter().map(|cycle| format!("({})", joined(cycle, ","))).collect()
}

/// The classes of identical points, numbered from 1, ordered by their first point.
fn classes(definition: &Definition) -> Vec<Vec<usize>> {
    let mut classes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut first_of = std::collections::HashMap::new();
    let mut point = 1;
    for (number, (orbit, solved)) in definition.orbits().iter().zip(definition.solved().orbits()).enumerate()
    {
        let states = solved.pieces().iter().zip(solved.orientation()).zip(solved.modulus());
        for ((&piece, &orientation), &modulus) in states {
            for value in 0..orbit.orientations {
                let sticker =
                    (u16::from(value) + u16::from(modulus) - u16::from(orientation)) % u16::from(modulus);
                let first = *first_of.entry((number, piece, modulus, sticker)).or_insert(point);
                classes.entry(first).or_default().push(point);
                point += 1;
            }
        }
    }
    classes.into_values().collect()
}
