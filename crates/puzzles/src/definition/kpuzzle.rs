//! Definitions and patterns in KPuzzle JSON (cubing.js, twips), the format of 2023.
//!
//! Numbers count from 0, everything is indexed by slot. `derivedMoves` are algs over the other moves.
//! Unknown keys, such as `$schema`, are ignored.

use super::derivation::{MoveEntry, Origin, Source, resolve};
use super::error::{DefinitionError, Fault};
use super::json::Json;
use super::limits::{MAX_MOVES, MAX_NAME_BYTES, MAX_ORIENTATIONS, MAX_SLOTS};
use super::model::{Definition, Orbit, SearchedPowers, check_moves, check_orbits};
use super::moves::kind_of_name;
use super::pattern::{OrbitPattern, Pattern};
use super::permutation::permutation;
use super::transformation::{OrbitTransformation, Transformation};
use crate::sanitize::sanitize;

/// Parses a definition. `name` is used if the object has no name.
///
/// # Errors
/// The first mistake with the path to its value.
pub fn parse_kpuzzle(text: &str, name: &str) -> Result<Definition, DefinitionError> {
    let json = Json::parse(text)?;
    read_definition(text, &json, name)
}

/// Parses a pattern, such as a scrambled position or a target pattern. It may hold other pieces than the
/// solved position; see [`Definition::check_position`] and [`Definition::with_solved`].
///
/// # Errors
/// The first mistake with the path to its value.
pub fn parse_pattern(definition: &Definition, text: &str) -> Result<Pattern, DefinitionError> {
    read_pattern(definition.orbits(), &Json::parse(text)?, "")
}

/// Whether an object looks like a KPuzzle definition.
pub(crate) fn is_definition(json: &Json) -> bool {
    ["orbits", "defaultPattern", "derivedMoves"].iter().any(|key| json.get(key).is_some())
}

pub(crate) fn read_definition(text: &str, json: &Json, name: &str) -> Result<Definition, DefinitionError> {
    let name = match json.get("name") {
        Some(name) => sanitize(name.text("name")?),
        None => name.to_owned(),
    };
    let orbits = read_orbits(json.required("orbits", "")?)?;
    let solved = read_pattern(&orbits, json.required("defaultPattern", "")?, "defaultPattern")?;
    let identity = orbits.iter().map(|o| OrbitTransformation::identity(o.pieces, o.orientations));
    let identity = Transformation::new(identity.collect());
    let mut entries = Vec::new();
    let slots: usize = orbits.iter().map(|orbit| orbit.pieces).sum();
    for (name, value) in json.required("moves", "")?.object("moves")? {
        let path = format!("moves.{name}");
        check_moves(entries.len() + 1, slots).map_err(|fault| fault.at_path(&*path))?;
        let source = Source::Listed(read_transformation(&orbits, value, &path)?);
        let kind = kind_of_name(name);
        entries.push(MoveEntry { name: name.clone(), kind, source, origin: Origin::Path(path) });
    }
    let derived = json.get("derivedMoves").map_or(Ok(&[][..]), |moves| moves.object("derivedMoves"))?;
    for (name, alg) in derived.iter().take(MAX_MOVES + 1) {
        let path = format!("derivedMoves.{name}");
        let source = Source::Sequence(alg.text(&path)?.to_owned());
        let kind = kind_of_name(name);
        entries.push(MoveEntry { name: name.clone(), kind, source, origin: Origin::Path(path) });
    }
    let moves = resolve(text, entries, &identity)?;
    Definition::new(name, orbits, solved, moves, SearchedPowers::All)
}

fn read_orbits(json: &Json) -> Result<Vec<Orbit>, DefinitionError> {
    let mut orbits: Vec<Orbit> = Vec::new();
    for (index, value) in json.list("orbits")?.iter().enumerate() {
        let path = format!("orbits[{index}]");
        let key = |key: &str| format!("{path}.{key}");
        let name = value.required("orbitName", &path)?.text(&key("orbitName"))?;
        if name.is_empty() || name.len() > MAX_NAME_BYTES || name.contains(char::is_control) {
            let fault = Fault::InvalidName { what: "orbit", name: sanitize(name) };
            return Err(fault.at_path(key("orbitName")));
        }
        if orbits.iter().any(|orbit| orbit.name == name) {
            let fault = Fault::DuplicateName { what: "orbit", name: sanitize(name) };
            return Err(fault.at_path(key("orbitName")));
        }
        let count = |name: &str, what, max| value.required(name, &path)?.count(what, max, &key(name));
        let pieces = count("numPieces", "a number of pieces", MAX_SLOTS)?;
        let orientations = count("numOrientations", "a number of orientations", MAX_ORIENTATIONS)? as u8;
        orbits.push(Orbit { name: name.to_owned(), pieces, orientations });
        check_orbits(&orbits).map_err(|fault| fault.at_path(path))?;
    }
    check_orbits(&orbits).map_err(|fault| fault.at_path("orbits"))?;
    Ok(orbits)
}

/// Refuses keys that are no orbits.
fn check_orbit_names(orbits: &[Orbit], json: &Json, path: &str) -> Result<(), DefinitionError> {
    for (name, _) in json.object(path)? {
        if !orbits.iter().any(|orbit| orbit.name == *name) {
            let known = orbits.iter().map(|orbit| orbit.name.as_str());
            return Err(Fault::unknown("orbit", name, known).at_path(path));
        }
    }
    Ok(())
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The numbers of a list of one entry per slot.
fn read_row<'a>(orbit: &Orbit, value: &'a Json, key: &str, path: &str) -> Result<&'a [u32], DefinitionError> {
    let path = join(path, key);
    let numbers = value.numbers(&path)?;
    if numbers.len() != orbit.pieces {
        let fault = Fault::Length { what: "numbers", expected: orbit.pieces, found: numbers.len() };
        return Err(fault.at_path(path));
    }
    Ok(numbers)
}

/// Orientations, each below the number of orientations.
fn read_orientations(orbit: &Orbit, value: &Json, key: &str, path: &str) -> Result<Vec<u8>, DefinitionError> {
    let numbers = read_row(orbit, value, key, path)?;
    let max = orbit.orientations - 1;
    let convert = |(slot, &number): (usize, &u32)| {
        u8::try_from(number).ok().filter(|&number| number <= max).ok_or_else(|| {
            let (what, found) = ("an orientation", number.to_string());
            let fault = Fault::OutOfRange { what, min: 0, max: max.into(), found };
            fault.at_path(format!("{}[{slot}]", join(path, key)))
        })
    };
    numbers.iter().enumerate().map(convert).collect()
}

fn read_transformation(orbits: &[Orbit], json: &Json, path: &str) -> Result<Transformation, DefinitionError> {
    check_orbit_names(orbits, json, path)?;
    let read = |orbit: &Orbit| {
        let Some(value) = json.get(&orbit.name) else {
            return Ok(OrbitTransformation::identity(orbit.pieces, orbit.orientations));
        };
        let path = join(path, &orbit.name);
        let numbers = read_row(orbit, value.required("permutation", &path)?, "permutation", &path)?;
        let from = permutation(numbers, 0)
            .map_err(|(slot, fault)| fault.at_path(format!("{path}.permutation[{slot}]")))?;
        let twist = match value.get("orientationDelta") {
            // Without orientations there is nothing to state. Otherwise the key is required: the format
            // before 2023 has another name for it.
            None if orbit.orientations == 1 => vec![0; orbit.pieces],
            _ => {
                let delta = value.required("orientationDelta", &path)?;
                read_orientations(orbit, delta, "orientationDelta", &path)?
            }
        };
        Ok(OrbitTransformation::new(from, twist, orbit.orientations))
    };
    Ok(Transformation::new(orbits.iter().map(read).collect::<Result<_, DefinitionError>>()?))
}

fn read_pattern(orbits: &[Orbit], json: &Json, path: &str) -> Result<Pattern, DefinitionError> {
    check_orbit_names(orbits, json, path)?;
    let read = |orbit: &Orbit| {
        let value = json.required(&orbit.name, path)?;
        let path = join(path, &orbit.name);
        let pieces = read_row(orbit, value.required("pieces", &path)?, "pieces", &path)?.to_vec();
        let orientation = match value.get("orientation") {
            None if orbit.orientations == 1 => vec![0; orbit.pieces],
            _ => {
                let orientation = value.required("orientation", &path)?;
                read_orientations(orbit, orientation, "orientation", &path)?
            }
        };
        let modulus = match value.get("orientationMod") {
            None => vec![orbit.orientations; orbit.pieces],
            Some(moduli) => read_moduli(orbit, moduli, &path)?,
        };
        Ok(OrbitPattern::new(pieces, &orientation, modulus))
    };
    Ok(Pattern::new(orbits.iter().map(read).collect::<Result<_, DefinitionError>>()?))
}

/// Moduli, where 0 stands for the number of orientations.
fn read_moduli(orbit: &Orbit, value: &Json, path: &str) -> Result<Vec<u8>, DefinitionError> {
    let orientations = orbit.orientations;
    let convert = |(slot, &number): (usize, &u32)| match number {
        0 => Ok(orientations),
        1.. if u32::from(orientations).is_multiple_of(number) => Ok(number as u8),
        _ => {
            let fault = Fault::Modulus { orientations, found: number.into() };
            Err(fault.at_path(format!("{path}.orientationMod[{slot}]")))
        }
    };
    read_row(orbit, value, "orientationMod", path)?.iter().enumerate().map(convert).collect()
}

#[cfg(test)]
mod tests;
