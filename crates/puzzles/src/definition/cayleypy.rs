//! Definitions in the JSON form of CayleyPy (Chervov and others): `generators` as permutations from 0,
//! optional `generator_names`, and `central_state`, which may repeat labels.
//!
//! Slot `i` receives the content of slot `generator[i]`. Generator sets need not be closed under inversion.

use std::collections::HashMap;

use super::error::{DefinitionError, Fault};
use super::json::Json;
use super::limits::MAX_SLOTS;
use super::model::{Definition, MoveKind, SearchedPowers, check_move_name, check_moves, sticker_move};
use super::permutation::permutation;
use crate::sanitize::sanitize;

/// Parses a definition. `name` is used if the object has no name. Generators without names are called `g1`,
/// `g2` and so on.
///
/// # Errors
/// The first mistake with the path to its value.
pub fn parse_cayleypy(text: &str, name: &str) -> Result<Definition, DefinitionError> {
    read_definition(&Json::parse(text)?, name)
}

/// Whether an object looks like a definition of CayleyPy.
pub(crate) fn is_definition(json: &Json) -> bool {
    ["generators", "central_state"].iter().any(|key| json.get(key).is_some())
}

pub(crate) fn read_definition(json: &Json, name: &str) -> Result<Definition, DefinitionError> {
    let name = match json.get("name") {
        Some(name) => sanitize(name.text("name")?),
        None => name.to_owned(),
    };
    let generators = json.required("generators", "")?.list("generators")?;
    let slots = match generators.first() {
        Some(first) => first.numbers("generators[0]")?.len(),
        None => return Err(Fault::Missing { what: "the generators are".into() }.at_path("generators")),
    };
    if slots > MAX_SLOTS || slots == 0 {
        let (what, found) = ("a number of slots", slots.to_string());
        return Err(Fault::OutOfRange { what, min: 1, max: MAX_SLOTS as u64, found }.at_path("generators[0]"));
    }
    check_moves(generators.len(), slots).map_err(|fault| fault.at_path("generators"))?;
    let names = read_names(json, generators.len())?;
    let mut moves = Vec::with_capacity(generators.len());
    for (index, (generator, name)) in generators.iter().zip(names).enumerate() {
        let path = format!("generators[{index}]");
        let numbers = generator.numbers(&path)?;
        if numbers.len() != slots {
            let fault = Fault::Length { what: "numbers", expected: slots, found: numbers.len() };
            return Err(fault.at_path(path));
        }
        let from =
            permutation(numbers, 0).map_err(|(slot, fault)| fault.at_path(format!("{path}[{slot}]")))?;
        moves.push(sticker_move(name, from, MoveKind::Move));
    }
    let labels = match json.get("central_state") {
        Some(state) => read_state(state, slots)?,
        None => (0..slots as u32).collect(),
    };
    Definition::of_stickers(&name, labels, moves, SearchedPowers::Listed)
}

fn read_names(json: &Json, count: usize) -> Result<Vec<String>, DefinitionError> {
    const KEY: &str = "generator_names";
    let Some(names) = json.get(KEY) else {
        return Ok((1..=count).map(|number| format!("g{number}")).collect());
    };
    let names = names.list(KEY)?;
    if names.len() != count {
        return Err(Fault::Length { what: "names", expected: count, found: names.len() }.at_path(KEY));
    }
    let mut first = HashMap::new();
    let read = |(index, name): (usize, &Json)| {
        let path = format!("{KEY}[{index}]");
        let name = name.text(&path)?;
        check_move_name(name).map_err(|fault| fault.at_path(&*path))?;
        match first.insert(name.to_owned(), index) {
            Some(_) => Err(Fault::DuplicateName { what: "generator", name: sanitize(name) }.at_path(path)),
            None => Ok(name.to_owned()),
        }
    };
    names.iter().enumerate().map(read).collect()
}

/// A list of labels, or a text with one character per slot.
fn read_state(state: &Json, slots: usize) -> Result<Vec<u32>, DefinitionError> {
    const KEY: &str = "central_state";
    let labels = match state {
        Json::Text(text) => text.chars().map(u32::from).collect(),
        _ => state.numbers(KEY)?.to_vec(),
    };
    if labels.len() != slots {
        let fault = Fault::Length { what: "labels", expected: slots, found: labels.len() };
        return Err(fault.at_path(KEY));
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_are_read_as_listed() {
        let text = r#"{"generators": [[1, 2, 0], [1, 0, 2]], "generator_names": ["L", "X"],
                       "central_state": [5, 5, 7], "size": 3}"#;
        let definition = parse_cayleypy(text, "lx").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((definition.name(), definition.slots()), ("lx", 3));
        assert_eq!(definition.solved().orbits()[0].pieces(), [5, 5, 7]);
        let after = definition.solved().apply(&definition.moves()[0].transformation);
        assert_eq!(after.orbits()[0].pieces(), [5, 7, 5]);
        let text = r#"{"generators": [[1, 0]], "central_state": "01", "name": "swap"}"#;
        let definition = parse_cayleypy(text, "file").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((definition.name(), &*definition.moves()[0].name), ("swap", "g1"));
    }

    #[test]
    fn mistakes_are_located() {
        for (text, expected) in [
            (r#"{"generators": []}"#, "generators: the generators are missing"),
            (
                r#"{"generators": [[0, 1], [1, 2]]}"#,
                "generators[1][1]: expected an entry from 0 to 1, found `2`",
            ),
            (r#"{"generators": [[0, 1], [1]]}"#, "generators[1]: expected 2 numbers, found 1"),
            (
                r#"{"generators": [[1, 0]], "generator_names": ["a b"]}"#,
                "generator_names[0]: `a b` cannot be a move: a name has 1 to 64 characters without blanks, `,`, \
              `:`, `#`, `//`, parentheses and brackets",
            ),
            (
                r#"{"generators": [[1, 0]], "generator_names": ["a", "b"]}"#,
                "generator_names: expected 1 names, found 2",
            ),
            (
                r#"{"generators": [[1, 0]], "central_state": [0]}"#,
                "central_state: expected 2 labels, found 1",
            ),
            (
                r#"{"generators": [[1, 99999999999]]}"#,
                "generators[0][1]: expected a whole number below 2^32, found `99999999999`",
            ),
        ] {
            let error = parse_cayleypy(text, "test").expect_err(text).to_string();
            assert_eq!(error, expected, "{text}");
        }
    }
}
