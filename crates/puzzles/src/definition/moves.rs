//! Powers of moves with their names, and the moves that a search uses: as twsearch names and counts
//! them, except where a format lists its generators.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::error::{DefinitionError, Fault};
use super::limits::MAX_POWERS;
use super::model::{Definition, MoveKind, SearchedPowers, check_moves};
use super::notation::MovePower;
use super::transformation::Transformation;
use crate::sanitize::sanitize;
use crate::sequence::is_space;

/// What a searched move costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveCost {
    /// Every move costs 1.
    #[default]
    Unit,
    /// The k-th power of a listed move costs |k|, for k between minus half and half of the order.
    Quanta,
}

/// A move that a search uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedMove {
    /// The name, which [`Definition::parse_moves`] accepts.
    pub name: String,
    /// The number of the move in [`Definition::moves`] of which it is a power.
    pub index: usize,
    /// The exponent, from minus half to half of the order.
    pub power: i32,
    /// Its cost.
    pub cost: u32,
    /// What it does.
    pub transformation: Transformation,
}

/// Whether `.tws` and KPuzzle take a name for a rotation of the whole puzzle: capital letters and
/// underscores followed by `v`, or `x`, `y`, `z`, alone or followed by `2` or `'`.
pub(crate) fn is_rotation_name(name: &str) -> bool {
    let grip = |stem: &str| !stem.is_empty() && stem.bytes().all(|b| b == b'_' || b.is_ascii_uppercase());
    let axis = ["x", "y", "z"].iter().find_map(|axis| name.strip_prefix(axis));
    axis.is_some_and(|suffix| ["", "2", "'"].contains(&suffix)) || name.strip_suffix('v').is_some_and(grip)
}

/// The role of a listed move of `.tws` and KPuzzle, which its name tells.
pub(crate) fn kind_of_name(name: &str) -> MoveKind {
    if is_rotation_name(name) { MoveKind::Rotation } else { MoveKind::Move }
}

impl Definition {
    /// The name of a power of a move: `U`, `U2`, `U'`, `U2'`; `-f0` for inverses of Santa 2023. Where such a
    /// name means another move, as `U2` does if it is listed, the power is written as a group, `(U)2`.
    pub fn power_name(&self, index: usize, power: i32) -> String {
        let name = &self.moves()[index].name;
        let minus = format!("-{name}");
        let inverts = self.searched() == SearchedPowers::ListedAndInverses && power == -1;
        if inverts && self.parse_moves(&minus).is_ok_and(|read| is_power(&read, index, power)) {
            return minus;
        }
        let (count, prime) = suffix(power);
        self.suffixed_power_name(index, power).unwrap_or_else(|| format!("({name}){count}{prime}"))
    }

    /// The name of a power with count and prime; `None` if it has another meaning.
    pub(crate) fn suffixed_power_name(&self, index: usize, power: i32) -> Option<String> {
        let (count, prime) = suffix(power);
        let name = format!("{}{count}{prime}", self.moves()[index].name);
        self.parse_moves(&name).is_ok_and(|read| is_power(&read, index, power)).then_some(name)
    }

    /// The moves that a search uses by default. With [`SearchedPowers::All`], these are all powers of all
    /// moves of kind [`MoveKind::Move`]; of several equal transformations the cheapest remains, and the
    /// identity is left out.
    ///
    /// # Errors
    /// A move has more than [`MAX_POWERS`] powers, or all powers together are too many.
    pub fn searched_moves(&self, cost: MoveCost) -> Result<Vec<SearchedMove>, DefinitionError> {
        let listed = (0..self.moves().len()).filter(|&index| self.moves()[index].kind == MoveKind::Move);
        let mut moves = Vec::new();
        match self.searched() {
            SearchedPowers::Listed => {
                return Ok(listed.map(|index| self.searched_move(index, 1, cost)).collect());
            }
            SearchedPowers::ListedAndInverses => {
                for index in listed {
                    moves.extend([1, -1].map(|power| self.searched_move(index, power, cost)));
                }
            }
            SearchedPowers::All => {
                for index in listed {
                    self.add_powers(index, cost, &mut moves)?;
                    check_moves(moves.len(), self.slots())?;
                }
            }
        }
        Ok(distinct(moves))
    }

    /// Searched moves chosen by name: each name is a move, rotation or sequence with an optional count and
    /// prime.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn selected_moves<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
        cost: MoveCost,
    ) -> Result<Vec<SearchedMove>, DefinitionError> {
        let mut moves = Vec::new();
        for name in names {
            let (index, exponent) = self.one_power(name)?;
            let power = match self.moves()[index].transformation.order().up_to(i32::MAX as usize) {
                Some(order) => nearest(exponent.rem_euclid(order as i64) as i32, order),
                None => i32::try_from(exponent).map_err(|_| Fault::unexpected("a smaller power", name))?,
            };
            moves.push(self.searched_move(index, power, cost));
            check_moves(moves.len(), self.slots())?;
        }
        Ok(distinct(moves))
    }

    /// The move and the exponent of a name without blanks, such as `U2'` or `(T1)2`.
    fn one_power(&self, name: &str) -> Result<(usize, i64), DefinitionError> {
        let steps = self.parse_moves(name)?;
        match &steps[..] {
            [first, rest @ ..]
                if !name.contains(is_space) && rest.iter().all(|step| step.index == first.index) =>
            {
                Ok((first.index as usize, steps.iter().map(|step| i64::from(step.power)).sum()))
            }
            _ => Err(Fault::unexpected("the name of one move", name).into()),
        }
    }

    fn add_powers(
        &self,
        index: usize,
        cost: MoveCost,
        moves: &mut Vec<SearchedMove>,
    ) -> Result<(), DefinitionError> {
        let named = &self.moves()[index];
        let order = named.transformation.order();
        let Some(count) = order.up_to(MAX_POWERS + 1) else {
            let (name, order) = (sanitize(&named.name), order.to_string());
            return Err(Fault::TooManyPowers { name, order, max: MAX_POWERS }.into());
        };
        let mut transformation = named.transformation.identity();
        for exponent in 1..count {
            transformation = transformation.then(&named.transformation);
            let power = nearest(exponent as i32, count);
            moves.push(SearchedMove {
                name: self.power_name(index, power),
                index,
                power,
                cost: cost_of(power, cost),
                transformation: transformation.clone(),
            });
        }
        Ok(())
    }

    fn searched_move(&self, index: usize, power: i32, cost: MoveCost) -> SearchedMove {
        SearchedMove {
            name: self.power_name(index, power),
            index,
            power,
            cost: cost_of(power, cost),
            transformation: self.moves()[index].transformation.power(power.into()),
        }
    }
}

fn is_power(read: &[MovePower], index: usize, power: i32) -> bool {
    matches!(read, [one] if (one.index as usize, one.power) == (index, power))
}

/// The count and the prime of a power.
fn suffix(power: i32) -> (String, &'static str) {
    let count = match power.unsigned_abs() {
        1 => String::new(),
        count => count.to_string(),
    };
    (count, if power < 0 { "'" } else { "" })
}

/// The exponent nearest to 0 that is equal to `exponent` modulo `order`; the positive one of two.
fn nearest(exponent: i32, order: usize) -> i32 {
    let order = order as i32;
    if order - exponent < exponent { exponent - order } else { exponent }
}

fn cost_of(power: i32, cost: MoveCost) -> u32 {
    match cost {
        MoveCost::Unit => 1,
        // The identity is chosen by name only; it costs as much as a move.
        MoveCost::Quanta => power.unsigned_abs().max(1),
    }
}

/// Leaves out the identity and, of equal transformations, all but the first of the least cost.
fn distinct(moves: Vec<SearchedMove>) -> Vec<SearchedMove> {
    let mut kept: Vec<SearchedMove> = Vec::with_capacity(moves.len());
    let mut seen: HashMap<Transformation, usize> = HashMap::with_capacity(moves.len());
    for candidate in moves {
        if candidate.transformation.is_identity() {
            continue;
        }
        match seen.entry(candidate.transformation.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(kept.len());
                kept.push(candidate);
            }
            Entry::Occupied(entry) if candidate.cost < kept[*entry.get()].cost => {
                kept[*entry.get()] = candidate;
            }
            Entry::Occupied(_) => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::parse;

    #[test]
    fn rotations_are_recognised_by_name() {
        for name in ["x", "y2", "z'", "Uv", "FRBv", "Z_Av", "_v"] {
            assert!(is_rotation_name(name), "{name}");
        }
        for name in ["X", "F", "xx", "T", "v", "x3", "2Uv", "uv", "x2'", ""] {
            assert!(!is_rotation_name(name), "{name}");
        }
    }

    fn names(text: &str, file: &str, cost: MoveCost) -> Vec<String> {
        let definition = parse(text.as_bytes(), file).unwrap_or_else(|error| panic!("{error}"));
        let moves = definition.searched_moves(cost).unwrap_or_else(|error| panic!("{error}"));
        for one in &moves {
            let read = definition.parse_moves(&one.name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(definition.transformation_of(&read), one.transformation, "{}", one.name);
        }
        moves.iter().map(|one| format!("{}:{}", one.name, one.cost)).collect()
    }

    #[test]
    fn powers_are_named_and_cost_as_users_of_the_format_expect() {
        let text = "Set A 9 1\nSolved\nEnd\n\
                    Move U\nA\n2 3 4 1 5 6 7 8 9\nEnd\nMove V\nA\n1 2 3 4 6 7 8 9 5\nEnd\n\
                    Move x\nA\n2 1 3 4 5 6 7 8 9\nEnd\n";
        let powers = ["U", "U2", "U'", "V", "V2", "V2'", "V'"];
        let with = |costs: [u32; 7]| {
            powers.iter().zip(costs).map(|(name, cost)| format!("{name}:{cost}")).collect::<Vec<_>>()
        };
        assert_eq!(names(text, "a.tws", MoveCost::Unit), with([1; 7]));
        assert_eq!(names(text, "a.tws", MoveCost::Quanta), with([1, 2, 1, 1, 2, 2, 1]));
        let listed = "a:=(1,2,3); b:=(1,2); Gen:=[a,b];";
        assert_eq!(names(listed, "a.gap", MoveCost::Unit), ["a:1", "b:1"]);
        let santa = "puzzle_type,allowed_moves\np,\"{'f0': [1, 2, 0], 'f1': [1, 0, 2]}\"\n";
        assert_eq!(names(santa, "a.csv", MoveCost::Unit), ["f0:1", "-f0:1", "f1:1"]);
    }

    #[test]
    fn names_of_powers_avoid_names_of_moves() {
        let text = "Set A 7 1\nSolved\nEnd\nMove U\nA\n2 3 4 1 5 6 7\nEnd\n\
                    Move U2\nA\n1 2 3 4 6 5 7\nEnd\nMove T1\nA\n1 2 3 4 6 7 5\nEnd\n";
        let expected = ["U:1", "(U)2:1", "U':1", "U2:1", "T1:1", "T1':1"];
        assert_eq!(names(text, "a.tws", MoveCost::Unit), expected);
    }

    #[test]
    fn equal_transformations_are_searched_once() {
        let text = "Set A 4 1\nSolved\nEnd\nMove U2\nA\n3 4 1 2\nEnd\nMove U\nA\n2 3 4 1\nEnd\n\
                    Move N\nEnd\n";
        assert_eq!(names(text, "a.tws", MoveCost::Unit), ["U2:1", "U:1", "U':1"]);
    }

    #[test]
    fn moves_are_selected_by_name() {
        let text = "Set A 4 1\nSolved\nEnd\nMove U\nA\n2 3 4 1\nEnd\nMove y\nA\n4 3 2 1\nEnd\n";
        let definition = parse(text.as_bytes(), "a.tws").unwrap_or_else(|error| panic!("{error}"));
        let select = |names: &[&str]| {
            let moves = definition.selected_moves(names.iter().copied(), MoveCost::Quanta);
            moves.map(|moves| moves.into_iter().map(|one| (one.name, one.cost)).collect::<Vec<_>>())
        };
        let expected = [("U'".to_owned(), 1), ("y".to_owned(), 1), ("U2".to_owned(), 2)];
        assert_eq!(select(&["U3", "y", "(U)2", "U2'"]).as_deref(), Ok(&expected[..]));
        let error = select(&["U", "W"]).expect_err("no move W").to_string();
        assert_eq!(error, "line 1, column 1: there is no move `W`");
        assert!(select(&["U U"]).is_err());
    }

    #[test]
    fn a_move_of_huge_order_is_refused_for_search_only() {
        // Cycles of 7, 9, 10, 11 and 13: order 90090.
        let text = "a:=(1,2,3,4,5,6,7)(8,9,10,11,12,13,14,15,16)(17,18,19,20,21,22,23,24,25,26)\
                    (27,28,29,30,31,32,33,34,35,36,37)(38,39,40,41,42,43,44,45,46,47,48,49,50);";
        let definition = parse(text.as_bytes(), "a.gap").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(definition.moves()[0].transformation.order().to_string(), "90090");
        assert_eq!(definition.searched_moves(MoveCost::Unit).map(|moves| moves.len()), Ok(1));
        let error = definition.with_searched(SearchedPowers::All).searched_moves(MoveCost::Unit);
        let message = error.expect_err("too many powers").to_string();
        assert_eq!(message, "the move a has order 90090; more than 255 powers cannot all be searched");
    }
}
