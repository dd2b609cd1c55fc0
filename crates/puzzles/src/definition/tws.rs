//! Definitions in the text format of twsearch (Rokicki; `cubing/twsearch`), which descends from ksolve
//! (Kåre Krig): `.tws` and `.ksolve` files.
//!
//! `Solved` and `Move` count pieces from 1, `StartState` and `MoveTransformation` from 0. The orientation
//! line of a `Move` is indexed by piece, every other one by slot: a `Move` twists the content of slot `i` by
//! `line[f[i]]`, where `f[i]` is the slot it comes from.

use std::collections::HashMap;

use super::derivation::{MoveEntry, Origin, Source, resolve};
use super::error::{DefinitionError, Fault};
use super::limits::MAX_ILLEGAL;
use super::model::{Definition, Illegal, MoveKind, Orbit, SearchedPowers, check_moves, check_orbits};
use super::moves::kind_of_name;
use super::pattern::{OrbitPattern, Pattern};
use super::permutation::permutation;
use super::transformation::{OrbitTransformation, Transformation};
use super::tws_block::{BlockKind, BlockRows, Line, Lines, number, read_block};
use crate::sanitize::sanitize;

/// The largest set. A byte of twsearch holds a piece.
pub const MAX_SET_PIECES: u32 = 255;
/// The largest number of orientations. twsearch adds two orientations and a wildcard in a byte.
pub const MAX_SET_ORIENTATIONS: u32 = 127;

const KEYWORDS: &str = "Name, Set, Solved, StartState, Move, MoveTransformation, MoveAlias, MoveSequence \
                        or Illegal";

/// Parses a definition. `name` is used if the text has no `Name`.
///
/// # Errors
/// The first mistake with line, column and token.
pub fn parse_tws(text: &str, name: &str) -> Result<Definition, DefinitionError> {
    let mut reader = Reader {
        lines: Lines::new(text),
        text,
        name: None,
        orbits: Vec::new(),
        solved: None,
        entries: Vec::new(),
        illegal: Vec::new(),
    };
    while let Some(line) = reader.lines.next() {
        reader.statement(line)?;
    }
    reader.finish(name)
}

struct Reader<'a> {
    lines: Lines<'a>,
    text: &'a str,
    name: Option<String>,
    orbits: Vec<Orbit>,
    solved: Option<Pattern>,
    entries: Vec<MoveEntry>,
    illegal: Vec<Illegal>,
}

impl<'a> Reader<'a> {
    fn statement(&mut self, line: Line<'a>) -> Result<(), DefinitionError> {
        match line.keyword {
            "Name" => self.name(line),
            "Set" => self.set(line),
            "Solved" | "StartState" => self.solved(line),
            "Move" | "MoveTransformation" => self.transformation(line),
            "MoveAlias" => {
                self.after_solved(line)?;
                let [_, name, _] = self.lines.exactly(line, "MoveAlias NEW OLD")?;
                self.sequence(line, name)
            }
            "MoveSequence" => {
                self.after_solved(line)?;
                let Some(name) = line.tokens().nth(1).filter(|_| !line.after(2).is_empty()) else {
                    let fault = Fault::unexpected("MoveSequence NAME MOVES", line.text);
                    return Err(self.lines.error(line.text, fault));
                };
                self.sequence(line, name)
            }
            "Illegal" => self.illegal(line),
            keyword => Err(self.lines.error(keyword, Fault::unexpected(KEYWORDS, keyword))),
        }
    }

    fn misplaced<T>(&self, line: Line<'_>, place: &'static str) -> Result<T, DefinitionError> {
        Err(self.lines.error(line.keyword, Fault::Misplaced { keyword: line.keyword.to_owned(), place }))
    }

    fn after_solved(&self, line: Line<'_>) -> Result<&Pattern, DefinitionError> {
        self.solved.as_ref().map_or_else(|| self.misplaced(line, "after the block Solved"), Ok)
    }

    fn name(&mut self, line: Line<'a>) -> Result<(), DefinitionError> {
        if self.name.is_some() || self.solved.is_some() {
            return self.misplaced(line, "once and before Solved");
        }
        let name = line.after(1);
        if name.is_empty() {
            return Err(self.lines.error(line.text, Fault::unexpected("Name and a name", line.text)));
        }
        self.name = Some(sanitize(name));
        Ok(())
    }

    fn set(&mut self, line: Line<'a>) -> Result<(), DefinitionError> {
        if self.solved.is_some() {
            return self.misplaced(line, "before Solved");
        }
        let [_, name, pieces, orientations] = self.lines.exactly(line, "Set NAME PIECES ORIENTATIONS")?;
        if self.orbits.iter().any(|orbit| orbit.name == name) {
            return Err(self.lines.error(name, Fault::DuplicateName { what: "set", name: sanitize(name) }));
        }
        if name == "End" || name.starts_with(|c: char| c.is_ascii_digit() || c == '?') {
            return Err(self.lines.error(name, Fault::InvalidName { what: "set", name: sanitize(name) }));
        }
        let bounded =
            |token, what, max| number(token, what, 1, max).map_err(|fault| self.lines.error(token, fault));
        let pieces = bounded(pieces, "a number of pieces", MAX_SET_PIECES)? as usize;
        let orientations = bounded(orientations, "a number of orientations", MAX_SET_ORIENTATIONS)? as u8;
        self.orbits.push(Orbit { name: name.to_owned(), pieces, orientations });
        check_orbits(&self.orbits).map_err(|fault| self.lines.error(line.text, fault))
    }

    fn solved(&mut self, line: Line<'a>) -> Result<(), DefinitionError> {
        if self.solved.is_some() {
            return self.misplaced(line, "once");
        }
        if self.orbits.is_empty() {
            return self.misplaced(line, "after the sets");
        }
        self.lines.exactly::<1>(line, line.keyword)?;
        let base = u32::from(line.keyword == "Solved");
        let block = read_block(&mut self.lines, &self.orbits, line, BlockKind::State, base)?;
        let mut patterns = Vec::with_capacity(block.len());
        for (orbit, rows) in self.orbits.iter().zip(block) {
            patterns.push(match rows {
                None => OrbitPattern::solved(orbit.pieces, orbit.orientations),
                Some(rows) => self.solved_orbit(orbit, rows, base)?,
            });
        }
        self.solved = Some(Pattern::new(patterns));
        Ok(())
    }

    fn solved_orbit(
        &self,
        orbit: &Orbit,
        rows: BlockRows<'_>,
        base: u32,
    ) -> Result<OrbitPattern, DefinitionError> {
        let mut values = rows.orientation;
        values.resize(orbit.pieces, Some(0));
        let modulus: Vec<u8> =
            values.iter().map(|value| if value.is_some() { orbit.orientations } else { 1 }).collect();
        let mut modulus_of = HashMap::new();
        for (slot, (&piece, &modulus)) in rows.pieces.iter().zip(&modulus).enumerate() {
            if *modulus_of.entry(piece).or_insert(modulus) != modulus {
                let piece = (piece + base) as usize;
                let token = rows.orientation_line.and_then(|line| line.tokens().nth(slot));
                let token = token.unwrap_or(rows.pieces_line.text);
                return Err(self.lines.error(token, Fault::MixedOrientation { piece }));
            }
        }
        let orientation: Vec<u8> = values.into_iter().map(|value| value.unwrap_or(0)).collect();
        Ok(OrbitPattern::new(rows.pieces, &orientation, modulus))
    }

    fn transformation(&mut self, line: Line<'a>) -> Result<(), DefinitionError> {
        self.after_solved(line)?;
        let [keyword, name] = self.lines.exactly(line, "Move NAME")?;
        let slots: usize = self.orbits.iter().map(|orbit| orbit.pieces).sum();
        check_moves(self.entries.len() + 1, slots).map_err(|fault| self.lines.error(line.text, fault))?;
        let by_piece = keyword == "Move";
        let base = u32::from(by_piece);
        let block = read_block(&mut self.lines, &self.orbits, line, BlockKind::Move, base)?;
        let mut orbits = Vec::with_capacity(block.len());
        for (orbit, rows) in self.orbits.iter().zip(block) {
            let Some(rows) = rows else {
                orbits.push(OrbitTransformation::identity(orbit.pieces, orbit.orientations));
                continue;
            };
            let from = permutation(&rows.pieces, base).map_err(|(entry, fault)| {
                let token = rows.pieces_line.tokens().nth(entry).unwrap_or(rows.pieces_line.text);
                self.lines.error(token, fault)
            })?;
            let mut values: Vec<u8> = rows.orientation.into_iter().map(|q| q.unwrap_or(0)).collect();
            values.resize(orbit.pieces, 0);
            let twist =
                if by_piece { from.iter().map(|&slot| values[usize::from(slot)]).collect() } else { values };
            orbits.push(OrbitTransformation::new(from, twist, orbit.orientations));
        }
        let source = Source::Listed(Transformation::new(orbits));
        self.add(name, kind_of_name(name), source);
        Ok(())
    }

    fn add(&mut self, name: &str, kind: MoveKind, source: Source) {
        let origin = Origin::Span(self.lines.span(name));
        self.entries.push(MoveEntry { name: name.to_owned(), kind, source, origin });
    }

    /// Another name for the moves after the name. Also where the name is that of a rotation it is not
    /// searched.
    fn sequence(&mut self, line: Line<'a>, name: &str) -> Result<(), DefinitionError> {
        self.add(name, MoveKind::Sequence, Source::Sequence(line.after(2).to_owned()));
        Ok(())
    }

    fn illegal(&mut self, line: Line<'a>) -> Result<(), DefinitionError> {
        let solved = self.after_solved(line)?;
        let mut tokens = line.tokens().skip(1);
        let (Some(set), Some(slot)) = (tokens.next(), tokens.next()) else {
            let fault = Fault::unexpected("Illegal SET SLOT PIECES", line.text);
            return Err(self.lines.error(line.text, fault));
        };
        let Some(orbit) = self.orbits.iter().position(|orbit| orbit.name == set) else {
            let known = self.orbits.iter().map(|orbit| orbit.name.as_str());
            return Err(self.lines.error(set, Fault::unknown("set", set, known)));
        };
        let at = |token: &str, fault| self.lines.error(token, fault);
        let slots = self.orbits[orbit].pieces as u32;
        let slot_number = number(slot, "a slot", 1, slots).map_err(|fault| at(slot, fault))?;
        let pieces = solved.orbits()[orbit].pieces();
        let largest = pieces.iter().max().map_or(0, |piece| piece + 1);
        let mut illegal = Vec::new();
        for token in tokens {
            let piece = number(token, "a piece", 1, largest).map_err(|fault| at(token, fault))? - 1;
            if !pieces.contains(&piece) {
                return Err(at(token, Fault::unexpected("a piece of Solved", token)));
            }
            illegal.push(Illegal { orbit, slot: slot_number as usize - 1, piece });
            let found = self.illegal.len() + illegal.len();
            if found > MAX_ILLEGAL {
                return Err(at(token, Fault::TooMany { what: "Illegal pieces", found, max: MAX_ILLEGAL }));
            }
        }
        if illegal.is_empty() {
            return Err(at(slot, Fault::unexpected("Illegal SET SLOT PIECES", line.text)));
        }
        self.illegal.extend(illegal);
        Ok(())
    }

    fn finish(self, name: &str) -> Result<Definition, DefinitionError> {
        if self.orbits.is_empty() {
            return Err(self.lines.end("Set NAME PIECES ORIENTATIONS"));
        }
        let Some(solved) = self.solved else {
            return Err(self.lines.end("the block Solved"));
        };
        let identity = self.orbits.iter().map(|o| OrbitTransformation::identity(o.pieces, o.orientations));
        let moves = resolve(self.text, self.entries, &Transformation::new(identity.collect()))?;
        let name = self.name.unwrap_or_else(|| name.to_owned());
        let definition = Definition::new(name, self.orbits, solved, moves, SearchedPowers::All)?;
        let definition = definition.with_illegal(self.illegal);
        if let Some(Illegal { orbit, slot, piece }) = definition.illegal_placement(definition.solved()) {
            let orbit = definition.orbits()[orbit].name.clone();
            return Err(Fault::IllegalPlacement { orbit, slot: slot + 1, piece: piece + 1 }.into());
        }
        Ok(definition)
    }
}

#[cfg(test)]
mod tests;
