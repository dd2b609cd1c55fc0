//! The model of a puzzle definition.

use std::collections::HashMap;

use super::error::{DefinitionError, Fault};
use super::limits::{MAX_MOVE_ENTRIES, MAX_MOVES, MAX_NAME_BYTES, MAX_ORBITS, MAX_SLOTS};
use super::notation::{MoveNames, MovePower, name_lengths};
use super::pattern::{OrbitPattern, Pattern};
use super::transformation::{OrbitTransformation, Transformation};
use crate::sanitize::sanitize;
use crate::sequence::{is_space, without_comment};

/// The name of the only orbit of formats that have stickers instead of pieces.
pub(crate) const STICKERS: &str = "STICKERS";

/// A set of pieces that can replace each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orbit {
    /// Its name, unique in the definition.
    pub name: String,
    /// The number of slots, which is the number of pieces.
    pub pieces: usize,
    /// The number of orientations of a piece, at least 1.
    pub orientations: u8,
}

/// The role of a named transformation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A move of the puzzle.
    Move,
    /// A rotation of the whole puzzle: accepted in sequences, not searched by default.
    Rotation,
    /// Another name for a sequence of moves (`MoveAlias`, `MoveSequence`): accepted in sequences, not
    /// searched by default.
    Sequence,
}

/// A transformation with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedMove {
    /// Its name, unique in the definition.
    pub name: String,
    /// What it does.
    pub transformation: Transformation,
    /// Its role.
    pub kind: MoveKind,
    /// The sequence that defines the move, with parentheses expanded; `None` if the file gives the
    /// transformation itself. The digest covers the transformation, not this sequence.
    pub sequence: Option<Vec<MovePower>>,
}

/// A piece that must not stand in a slot. Moves that would lead there are not allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Illegal {
    /// The number of the orbit, from 0.
    pub orbit: usize,
    /// The slot, from 0.
    pub slot: usize,
    /// The label of the piece.
    pub piece: u32,
}

/// Which powers of the listed moves a search uses by default. This depends on the format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchedPowers {
    /// All powers but the identity (twsearch, KPuzzle).
    All,
    /// The moves as listed (GAP, CayleyPy).
    Listed,
    /// The moves as listed and their inverses (Santa 2023).
    ListedAndInverses,
}

impl SearchedPowers {
    /// A stable name to include in a puzzle's identity: the digest of the definition does not cover this
    /// choice.
    pub fn name(self) -> &'static str {
        match self {
            SearchedPowers::All => "powers",
            SearchedPowers::Listed => "listed",
            SearchedPowers::ListedAndInverses => "listed+inverses",
        }
    }
}

/// A puzzle definition. Every value satisfies the limits of [`limits`](super::limits); all transformations
/// and patterns have the orbits of the definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    name: String,
    orbits: Vec<Orbit>,
    solved: Pattern,
    start: Option<Pattern>,
    moves: Vec<NamedMove>,
    by_name: HashMap<String, usize>,
    /// The lengths of the names in bytes, the largest first.
    name_lengths: Vec<usize>,
    illegal: Vec<Illegal>,
    searched: SearchedPowers,
}

impl Definition {
    /// A definition without `Illegal` and without a start position. Verifies names and limits.
    pub(crate) fn new(
        name: String,
        orbits: Vec<Orbit>,
        solved: Pattern,
        moves: Vec<NamedMove>,
        searched: SearchedPowers,
    ) -> Result<Definition, DefinitionError> {
        check_orbits(&orbits)?;
        let slots: usize = orbits.iter().map(|orbit| orbit.pieces).sum();
        check_moves(moves.len(), slots)?;
        if !moves.iter().any(|named| named.kind == MoveKind::Move) {
            return Err(Fault::Missing { what: "the moves are".into() }.into());
        }
        let mut by_name = HashMap::with_capacity(moves.len());
        for (index, named) in moves.iter().enumerate() {
            check_move_name(&named.name)?;
            if by_name.insert(named.name.clone(), index).is_some() {
                return Err(Fault::DuplicateName { what: "move", name: sanitize(&named.name) }.into());
            }
        }
        let name_lengths = name_lengths(&by_name);
        let (start, illegal) = (None, Vec::new());
        Ok(Definition { name, orbits, solved, start, moves, by_name, name_lengths, illegal, searched })
    }

    pub(crate) fn with_illegal(self, mut illegal: Vec<Illegal>) -> Definition {
        illegal.sort_unstable();
        illegal.dedup();
        Definition { illegal, ..self }
    }

    /// The name in the file, or the name of the file. It is not part of the digest.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The orbits in the order of the file.
    pub fn orbits(&self) -> &[Orbit] {
        &self.orbits
    }

    /// The number of slots of all orbits.
    pub fn slots(&self) -> usize {
        self.orbits.iter().map(|orbit| orbit.pieces).sum()
    }

    /// The solved position.
    pub fn solved(&self) -> &Pattern {
        &self.solved
    }

    /// The position to be solved, if the file has one. It is not part of the digest.
    pub fn start(&self) -> Option<&Pattern> {
        self.start.as_ref()
    }

    /// Moves, rotations and sequences in the order of the file.
    pub fn moves(&self) -> &[NamedMove] {
        &self.moves
    }

    /// The number of the move, rotation or sequence with a name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The names that sequences of moves may use.
    pub(crate) fn move_names(&self) -> MoveNames<'_> {
        let minus_inverts = self.searched == SearchedPowers::ListedAndInverses;
        MoveNames { by_name: &self.by_name, lengths: &self.name_lengths, minus_inverts }
    }

    /// The forbidden placements, sorted.
    pub fn illegal(&self) -> &[Illegal] {
        &self.illegal
    }

    /// Which powers of the moves a search uses by default.
    pub fn searched(&self) -> SearchedPowers {
        self.searched
    }

    /// The same puzzle with other powers searched by default.
    #[must_use]
    pub fn with_searched(self, searched: SearchedPowers) -> Definition {
        Definition { searched, ..self }
    }

    /// The same puzzle with another solved position, such as a target pattern in which some pieces are
    /// identical or some orientations ignored. The pattern must have been parsed for this definition.
    /// An existing start position is dropped, since it was checked against the old solved position.
    #[must_use]
    pub fn with_solved(self, solved: Pattern) -> Definition {
        Definition { solved, start: None, ..self }
    }

    /// The same puzzle with a start position.
    ///
    /// # Errors
    /// The position has other pieces than the solved position, or a piece where it is not allowed.
    pub fn with_start(self, start: Pattern) -> Result<Definition, DefinitionError> {
        self.check_position(&start)?;
        Ok(Definition { start: Some(start), ..self })
    }

    /// Verifies that a pattern holds the pieces of the solved position, each where it is allowed. Whether
    /// moves reach the position is another question.
    ///
    /// # Errors
    /// The first orbit with other pieces, or the first forbidden placement.
    pub fn check_position(&self, position: &Pattern) -> Result<(), DefinitionError> {
        if let Some(orbit) = position.first_foreign_orbit(&self.solved) {
            return Err(Fault::ForeignPieces { orbit: self.orbits[orbit].name.clone() }.into());
        }
        match self.illegal_placement(position) {
            None => Ok(()),
            Some(Illegal { orbit, slot, piece }) => {
                let orbit = self.orbits[orbit].name.clone();
                Err(Fault::IllegalPlacement { orbit, slot: slot + 1, piece: piece + 1 }.into())
            }
        }
    }

    /// The first forbidden placement of a pattern.
    pub fn illegal_placement(&self, position: &Pattern) -> Option<Illegal> {
        let stands =
            |illegal: &&Illegal| position.orbits()[illegal.orbit].pieces()[illegal.slot] == illegal.piece;
        self.illegal.iter().find(stands).copied()
    }

    /// Whether the puzzle has one orbit of pieces without orientation, as formats of stickers have.
    pub fn has_stickers_only(&self) -> bool {
        matches!(&self.orbits[..], [orbit] if orbit.orientations == 1)
    }
}

impl Definition {
    /// A puzzle of stickers: one orbit without orientations. `labels` is the solved position.
    pub(crate) fn of_stickers(
        name: &str,
        labels: Vec<u32>,
        moves: Vec<NamedMove>,
        searched: SearchedPowers,
    ) -> Result<Definition, DefinitionError> {
        let orbit = Orbit { name: STICKERS.into(), pieces: labels.len(), orientations: 1 };
        Definition::new(name.to_owned(), vec![orbit], sticker_pattern(labels), moves, searched)
    }
}

/// A state of a puzzle of stickers.
pub(crate) fn sticker_pattern(labels: Vec<u32>) -> Pattern {
    let (orientation, modulus) = (vec![0; labels.len()], vec![1; labels.len()]);
    Pattern::new(vec![OrbitPattern::new(labels, &orientation, modulus)])
}

/// A move of a puzzle of stickers: slot `i` receives the sticker of slot `from[i]`.
pub(crate) fn sticker_move(name: String, from: Vec<u16>, kind: MoveKind) -> NamedMove {
    let twist = vec![0; from.len()];
    let transformation = Transformation::new(vec![OrbitTransformation::new(from, twist, 1)]);
    NamedMove { name, transformation, kind, sequence: None }
}

/// Verifies the number and size of orbits.
pub(crate) fn check_orbits(orbits: &[Orbit]) -> Result<(), Fault> {
    let slots: usize = orbits.iter().map(|orbit| orbit.pieces).sum();
    let limits = [("orbits", orbits.len(), MAX_ORBITS), ("slots", slots, MAX_SLOTS)];
    for (what, found, max) in limits {
        if found > max {
            return Err(Fault::TooMany { what, found, max });
        }
    }
    if orbits.is_empty() {
        return Err(Fault::Missing { what: "the orbits are".into() });
    }
    debug_assert!(orbits.iter().all(|orbit| orbit.orientations > 0), "an orbit has an orientation");
    Ok(())
}

/// Verifies the number of moves of a puzzle with a number of slots.
pub(crate) fn check_moves(count: usize, slots: usize) -> Result<(), Fault> {
    if count > MAX_MOVES {
        return Err(Fault::TooMany { what: "moves", found: count, max: MAX_MOVES });
    }
    let entries = count.saturating_mul(slots);
    if entries > MAX_MOVE_ENTRIES {
        return Err(Fault::TooMany { what: "entries of all moves", found: entries, max: MAX_MOVE_ENTRIES });
    }
    Ok(())
}

/// Verifies that a name can stand in a sequence of moves.
pub(crate) fn check_move_name(name: &str) -> Result<(), Fault> {
    let separates = |c: char| is_space(c) || c.is_control() || matches!(c, ',' | ':' | '(' | ')' | '[' | ']');
    let valid = !name.is_empty()
        && name.len() <= MAX_NAME_BYTES
        && !name.contains(separates)
        && without_comment(name).len() == name.len();
    if valid { Ok(()) } else { Err(Fault::InvalidName { what: "move", name: sanitize(name) }) }
}
