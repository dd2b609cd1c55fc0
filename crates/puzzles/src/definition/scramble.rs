//! Positions in the text format of twsearch: `.scr` files.
//!
//! `Scramble NAME` is a block that counts pieces from 1, `ScrambleState` and `StartState` count from 0.
//! `ScrambleAlg NAME` lists moves up to `End`, and `CPOS` is a compact position on one line: one or two
//! digits to the base of 62 for each slot, piece · orientations + orientation.

use std::collections::HashMap;

use super::error::{DefinitionError, Fault};
use super::model::{Definition, Orbit};
use super::pattern::{OrbitPattern, Pattern};
use super::tws_block::{BlockKind, BlockRows, Line, Lines, read_block};
use crate::sanitize::sanitize;

/// A position of a `.scr` file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedPosition {
    /// Its name; empty for `CPOS`.
    pub name: String,
    /// The position.
    pub position: Pattern,
}

/// The largest number of positions of a file times the slots of the puzzle; at nine bytes each, 150 MB.
const MAX_POSITION_CELLS: usize = 1 << 24;

/// Whether a text begins like a `.scr` file.
pub(crate) fn is_scramble(text: &str) -> bool {
    let first = Lines::new(text).next();
    first.is_some_and(|line| {
        ["Scramble", "ScrambleState", "StartState", "ScrambleAlg", "CPOS"].contains(&line.keyword)
    })
}

/// Parses all positions of a file. Each holds the pieces of the solved position.
///
/// # Errors
/// The first mistake with line, column and token.
pub fn parse_scrambles(definition: &Definition, text: &str) -> Result<Vec<NamedPosition>, DefinitionError> {
    let mut reader = Reader { definition, text, lines: Lines::new(text) };
    let mut positions = Vec::new();
    while let Some(line) = reader.lines.next() {
        let name = line.after(1);
        let position = match line.keyword {
            "Scramble" | "ScrambleState" | "StartState" => reader.block(line)?,
            "ScrambleAlg" => reader.moves(line)?,
            "CPOS" => reader.compact(line)?,
            keyword => {
                let expected = "Scramble, ScrambleState, StartState, ScrambleAlg or CPOS";
                return Err(reader.lines.error(keyword, Fault::unexpected(expected, keyword)));
            }
        };
        definition.check_position(&position).map_err(|error| reader.lines.error(line.text, error.fault))?;
        let name = if line.keyword == "CPOS" { String::new() } else { sanitize(name) };
        positions.push(NamedPosition { name, position });
        let max = MAX_POSITION_CELLS / definition.slots().max(1);
        if positions.len() > max {
            let fault = Fault::TooMany { what: "positions", found: positions.len(), max };
            return Err(reader.lines.error(line.text, fault));
        }
    }
    if positions.is_empty() { Err(Fault::Empty.into()) } else { Ok(positions) }
}

struct Reader<'a> {
    definition: &'a Definition,
    text: &'a str,
    lines: Lines<'a>,
}

impl<'a> Reader<'a> {
    fn block(&mut self, line: Line<'a>) -> Result<Pattern, DefinitionError> {
        let base = u32::from(line.keyword == "Scramble");
        let orbits = self.definition.orbits();
        let block = read_block(&mut self.lines, orbits, line, BlockKind::State, base)?;
        let solved = self.definition.solved().orbits();
        let mut patterns = Vec::with_capacity(block.len());
        for ((orbit, solved), rows) in orbits.iter().zip(solved).zip(block) {
            patterns.push(match rows {
                None => solved.clone(),
                Some(rows) => self.orbit(orbit, solved, rows)?,
            });
        }
        Ok(Pattern::new(patterns))
    }

    /// A piece has the modulus that it has when solved; a `?` needs one whose orientation is ignored.
    fn orbit(
        &self,
        orbit: &Orbit,
        solved: &OrbitPattern,
        rows: BlockRows<'_>,
    ) -> Result<OrbitPattern, DefinitionError> {
        let moduli = moduli(solved);
        let mut modulus = Vec::with_capacity(orbit.pieces);
        for (slot, piece) in rows.pieces.iter().enumerate() {
            let known = moduli.get(piece).copied().ok_or_else(|| {
                let token = rows.pieces_line.tokens().nth(slot).unwrap_or_default();
                self.lines.error(token, Fault::unexpected("a piece of the solved position", token))
            })?;
            if known > 1 && rows.orientation.get(slot) == Some(&None) {
                let line = rows.orientation_line.unwrap_or(rows.pieces_line);
                let token = line.tokens().nth(slot).unwrap_or_default();
                return Err(self.lines.error(token, Fault::unexpected("an orientation", token)));
            }
            modulus.push(known);
        }
        let mut orientation: Vec<u8> = rows.orientation.into_iter().map(|q| q.unwrap_or(0)).collect();
        orientation.resize(orbit.pieces, 0);
        Ok(OrbitPattern::new(rows.pieces, &orientation, modulus))
    }

    /// The moves up to `End`.
    fn moves(&mut self, line: Line<'a>) -> Result<Pattern, DefinitionError> {
        let mut position = self.definition.solved().clone();
        loop {
            let Some(moves) = self.lines.next() else {
                let what = format!("the End of `{}` is", sanitize(line.text));
                return Err(self.lines.error(line.text, Fault::Missing { what }));
            };
            if moves.keyword == "End" {
                self.lines.exactly::<1>(moves, "End")?;
                return Ok(position);
            }
            let span = self.lines.span(moves.text);
            let parsed = self.definition.move_names().parse_part(self.text, span)?;
            position = position.apply(&self.definition.transformation_of(&parsed));
        }
    }

    fn compact(&mut self, line: Line<'a>) -> Result<Pattern, DefinitionError> {
        let [_, digits] = self.lines.exactly(line, "CPOS POSITION")?;
        parse_compact(self.definition, digits).map_err(|fault| self.lines.error(digits, fault))
    }
}

/// The modulus of each piece of a solved orbit.
fn moduli(solved: &OrbitPattern) -> HashMap<u32, u8> {
    solved.pieces().iter().copied().zip(solved.modulus().iter().copied()).collect()
}

fn parse_compact(definition: &Definition, text: &str) -> Result<Pattern, Fault> {
    const BASE: usize = 62;
    let mut bytes = text.bytes();
    let mut digit = || {
        let byte = bytes.next().ok_or(Fault::UnexpectedEnd { expected: "a digit of CPOS".into() })?;
        match byte {
            b'0'..=b'9' => Ok(usize::from(byte - b'0')),
            b'A'..=b'Z' => Ok(usize::from(byte - b'A') + 10),
            b'a'..=b'z' => Ok(usize::from(byte - b'a') + 36),
            _ => Err(Fault::unexpected("digits and letters of ASCII", text)),
        }
    };
    let mut patterns = Vec::with_capacity(definition.orbits().len());
    for (orbit, solved) in definition.orbits().iter().zip(definition.solved().orbits()) {
        let orientations = usize::from(orbit.orientations);
        let values = orbit.pieces * orientations;
        if values > BASE * BASE {
            return Err(Fault::TooMany { what: "pieces with orientations", found: values, max: BASE * BASE });
        }
        let moduli = moduli(solved);
        let (mut pieces, mut orientation, mut modulus) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..orbit.pieces {
            let value = if values <= BASE { digit()? } else { digit()? * BASE + digit()? };
            let piece = (value / orientations) as u32;
            let known = moduli.get(&piece);
            modulus.push(*known.ok_or_else(|| Fault::ForeignPieces { orbit: orbit.name.clone() })?);
            pieces.push(piece);
            orientation.push((value % orientations) as u8);
        }
        patterns.push(OrbitPattern::new(pieces, &orientation, modulus));
    }
    if bytes.next().is_some() {
        return Err(Fault::unexpected("fewer digits", text));
    }
    Ok(Pattern::new(patterns))
}

#[cfg(test)]
mod tests;
