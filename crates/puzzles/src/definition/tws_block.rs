//! Lines, tokens and blocks of twsearch text, which definitions and positions share.

use std::ops::Range;

use untumble_search::error::span_in;

use super::error::{DefinitionError, Fault};
use super::model::Orbit;
use crate::sanitize::sanitize;

/// The largest label of a piece.
const MAX_LABEL: u32 = 1_000_000_000;

/// The lines of a text that hold tokens, without comment lines.
pub(crate) struct Lines<'a> {
    text: &'a str,
    lines: std::str::Split<'a, [char; 2]>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        Lines { text, lines: text.split(['\n', '\r']) }
    }

    /// The error at a token of the text.
    pub(crate) fn error(&self, token: &str, fault: Fault) -> DefinitionError {
        fault.at(self.text, self.span(token))
    }

    pub(crate) fn span(&self, token: &str) -> Range<usize> {
        span_in(self.text, token).unwrap_or(0..0)
    }

    /// The text ends where `expected` should be.
    pub(crate) fn end(&self, expected: impl Into<String>) -> DefinitionError {
        let end = self.text.len();
        Fault::UnexpectedEnd { expected: expected.into() }.at(self.text, end..end)
    }

    /// The tokens of a line that must be exactly `N`, of which the first is a keyword; `form` describes the
    /// line.
    pub(crate) fn exactly<const N: usize>(
        &self,
        line: Line<'a>,
        form: &str,
    ) -> Result<[&'a str; N], DefinitionError> {
        let mut found = [line.keyword; N];
        let mut tokens = line.tokens();
        for slot in &mut found {
            match tokens.next() {
                Some(token) => *slot = token,
                None => return Err(self.error(line.text, Fault::unexpected(form, line.text))),
            }
        }
        match tokens.next() {
            Some(extra) => {
                Err(self.error(extra, Fault::unexpected(format!("the end of the line after {form}"), extra)))
            }
            None => Ok(found),
        }
    }
}

/// A line with at least one token.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    /// The line from its first to its last token.
    pub(crate) text: &'a str,
    pub(crate) keyword: &'a str,
}

impl<'a> Line<'a> {
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.text.split(is_blank).filter(|token| !token.is_empty())
    }

    /// The line without its first `count` tokens.
    pub(crate) fn after(&self, count: usize) -> &'a str {
        (0..count).fold(self.text, |rest, _| {
            rest.split_once(is_blank).map_or("", |(_, rest)| rest.trim_start_matches(is_blank))
        })
    }
}

/// twsearch takes the space and all control characters of ASCII for blanks.
fn is_blank(c: char) -> bool {
    c <= ' '
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        self.lines.by_ref().filter(|line| !line.starts_with('#')).find_map(|line| {
            let text = line.trim_matches(is_blank);
            let keyword = text.split(is_blank).next().filter(|keyword| !keyword.is_empty())?;
            Some(Line { text, keyword })
        })
    }
}

/// A number from `min` to `max`.
pub(crate) fn number(token: &str, what: &'static str, min: u32, max: u32) -> Result<u32, Fault> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    let value = token.parse::<u32>().ok().filter(|value| digits && (min..=max).contains(value));
    value.ok_or_else(|| Fault::OutOfRange { what, min: min.into(), max: max.into(), found: sanitize(token) })
}

/// How a block numbers pieces and what its lines mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// A state, with labels and `?` for ignored orientations.
    State,
    /// A transformation.
    Move,
}

/// The lines of a block for one orbit.
pub(crate) struct BlockRows<'a> {
    /// The piece labels from 0, or the entries of the permutation as written.
    pub(crate) pieces: Vec<u32>,
    /// The tokens of the first line.
    pub(crate) pieces_line: Line<'a>,
    /// The orientations; `None` is `?`. Empty if the line is left out.
    pub(crate) orientation: Vec<Option<u8>>,
    pub(crate) orientation_line: Option<Line<'a>>,
}

/// Reads a block up to its `End`. `base` is the number of the first piece. Orbits that are left out are
/// `None`. `opening` is the line that begins the block.
pub(crate) fn read_block<'a>(
    lines: &mut Lines<'a>,
    orbits: &[Orbit],
    opening: Line<'a>,
    kind: BlockKind,
    base: u32,
) -> Result<Vec<Option<BlockRows<'a>>>, DefinitionError> {
    let mut block: Vec<Option<BlockRows<'a>>> = orbits.iter().map(|_| None).collect();
    let mut line = lines.next();
    loop {
        let Some(name) = line else {
            let opened = sanitize(opening.text);
            return Err(lines.error(
                opening.text,
                Fault::Missing { what: format!("the End of the block `{opened}` is") },
            ));
        };
        if name.keyword == "End" {
            lines.exactly::<1>(name, "End")?;
            return Ok(block);
        }
        if is_row(name.keyword) {
            return Err(
                lines.error(name.keyword, Fault::unexpected("the name of a set or End", name.keyword))
            );
        }
        let Some(index) = orbits.iter().position(|orbit| orbit.name == name.keyword) else {
            let known = orbits.iter().map(|orbit| orbit.name.as_str());
            return Err(lines.error(name.keyword, Fault::unknown("set", name.keyword, known)));
        };
        lines.exactly::<1>(name, "the name of a set")?;
        if block[index].is_some() {
            let fault = Fault::DuplicateName { what: "set in this block", name: sanitize(name.keyword) };
            return Err(lines.error(name.keyword, fault));
        }
        let rows;
        (rows, line) = read_rows(lines, &orbits[index], kind, base)?;
        block[index] = Some(rows);
    }
}

fn is_row(token: &str) -> bool {
    token == "?" || token.starts_with(|c: char| c.is_ascii_digit())
}

/// Reads the one or two lines of an orbit, and the line after them.
fn read_rows<'a>(
    lines: &mut Lines<'a>,
    orbit: &Orbit,
    kind: BlockKind,
    base: u32,
) -> Result<(BlockRows<'a>, Option<Line<'a>>), DefinitionError> {
    let count = orbit.pieces;
    let expected = || match kind {
        BlockKind::State => format!("the {count} pieces of {}", sanitize(&orbit.name)),
        BlockKind::Move => format!("the permutation of {count} numbers of {}", sanitize(&orbit.name)),
    };
    let pieces_line = lines.next().ok_or_else(|| lines.end(expected()))?;
    if !is_row(pieces_line.keyword) {
        return Err(lines.error(pieces_line.keyword, Fault::unexpected(expected(), pieces_line.keyword)));
    }
    let max = match kind {
        BlockKind::State => MAX_LABEL,
        BlockKind::Move => base + count as u32 - 1,
    };
    let pieces = read_row(lines, pieces_line, count, |token| {
        let piece = number(token, "a piece", base, max)?;
        Ok(if kind == BlockKind::State { piece - base } else { piece })
    })?;
    let next = lines.next();
    let orientation_line = next.filter(|line| is_row(line.keyword));
    let Some(line) = orientation_line else {
        let rows = BlockRows { pieces, pieces_line, orientation: Vec::new(), orientation_line: None };
        return Ok((rows, next));
    };
    let orientation = read_row(lines, line, count, |token| match token {
        "?" if kind == BlockKind::State => Ok(None),
        _ => number(token, "an orientation", 0, u32::from(orbit.orientations) - 1).map(|q| Some(q as u8)),
    })?;
    Ok((BlockRows { pieces, pieces_line, orientation, orientation_line }, lines.next()))
}

/// Reads `count` values of a line.
fn read_row<T>(
    lines: &Lines<'_>,
    line: Line<'_>,
    count: usize,
    read: impl Fn(&str) -> Result<T, Fault>,
) -> Result<Vec<T>, DefinitionError> {
    let found = line.tokens().count();
    if found != count {
        let fault = Fault::Length { what: "numbers", expected: count, found };
        return Err(lines.error(line.text, fault));
    }
    line.tokens().map(|token| read(token).map_err(|fault| lines.error(token, fault))).collect()
}
