//! Definitions as generators of the computer algebra system GAP, as PuzzleGeometry writes them:
//! `M_U:=(1,3,5)(2,4,6);`, `Gen:=[M_U,M_R];` and optionally `ip:=[[1],[2,3]];`.
//!
//! Points are stickers, numbered from 1. A permutation g takes the sticker of point x to point g(x), so slot
//! g(x) receives the content of x. `Gen` names the moves; without it, all permutations are moves. `ip` lists
//! classes of identical points; points that are not listed are distinct. Statements such as
//! `Size(Group(Gen));` are skipped.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::error::{DefinitionError, Fault};
use super::limits::{MAX_MOVES, MAX_SLOTS};
use super::model::{Definition, MoveKind, SearchedPowers, check_move_name, check_moves, sticker_move};
use super::transformation::{OrbitTransformation, Transformation};
use crate::sanitize::sanitize;

/// Parses a definition with a name.
///
/// # Errors
/// The first mistake with line, column and token.
pub fn parse_gap(text: &str, name: &str) -> Result<Definition, DefinitionError> {
    let mut file = File::default();
    let mut scanner = Scanner { text, at: 0 };
    while !scanner.at_end() {
        file.statement(&mut scanner)?;
    }
    file.finish(text, name)
}

/// Parses a permutation of the stickers, such as `(1,2)(3,4,5)`.
///
/// # Errors
/// The puzzle has oriented pieces or several orbits, or the text is no permutation of its points.
pub fn parse_permutation(definition: &Definition, text: &str) -> Result<Transformation, DefinitionError> {
    if !definition.has_stickers_only() {
        return Err(Fault::StickersOnly { notation: "permutations" }.into());
    }
    let mut scanner = Scanner { text, at: 0 };
    let cycles = scanner.cycles(definition.slots())?;
    if !scanner.at_end() {
        return Err(scanner.unexpected("`(` or the end of the permutation"));
    }
    let from = cycles.source(definition.slots());
    let twist = vec![0; from.len()];
    Ok(Transformation::new(vec![OrbitTransformation::new(from, twist, 1)]))
}

/// Disjoint cycles of points from 1.
struct Cycles {
    /// Pairs of a point and its image.
    images: Vec<(u32, u32)>,
    largest: usize,
}

impl Cycles {
    /// For each of `count` slots the slot that its content comes from.
    fn source(&self, count: usize) -> Vec<u16> {
        let mut from: Vec<u16> = (0..count).map(|slot| slot as u16).collect();
        for &(point, image) in &self.images {
            from[image as usize - 1] = (point - 1) as u16;
        }
        from
    }
}

/// The statements read so far.
#[derive(Default)]
struct File<'a> {
    permutations: Vec<(&'a str, Cycles, Range<usize>)>,
    generators: Option<Vec<(&'a str, Range<usize>)>>,
    classes: Option<Vec<Vec<u32>>>,
    largest: usize,
    /// The number of points in all cycles, which bounds the memory.
    names: HashSet<&'a str>,
}

impl<'a> File<'a> {
    fn statement(&mut self, scanner: &mut Scanner<'a>) -> Result<(), DefinitionError> {
        let (name, span) = scanner.identifier("a statement such as `M_U:=(1,2,3);`")?;
        if scanner.next_is("(") && matches!(name, "Size" | "Order" | "Print" | "Group") {
            return scanner.skip_statement();
        }
        scanner.expect(":=", "`:=` after a name")?;
        if !self.names.insert(name) {
            let fault = Fault::DuplicateName { what: "variable", name: sanitize(name) };
            return Err(fault.at(scanner.text, span));
        }
        match name {
            "Gen" => {
                self.generators = Some(scanner.list(|scanner| scanner.identifier("the name of a move"))?);
            }
            "ip" => self.read_classes(scanner)?,
            _ => {
                if self.permutations.len() == MAX_MOVES {
                    let fault = Fault::TooMany { what: "permutations", found: MAX_MOVES + 1, max: MAX_MOVES };
                    return Err(fault.at(scanner.text, span));
                }
                let cycles = scanner.cycles(MAX_SLOTS)?;
                self.largest = self.largest.max(cycles.largest);
                self.permutations.push((name, cycles, span));
            }
        }
        scanner.expect(";", "`;` after a statement")
    }

    fn read_classes(&mut self, scanner: &mut Scanner<'a>) -> Result<(), DefinitionError> {
        let mut seen = HashSet::new();
        let mut largest = 0;
        let classes = scanner.list(|scanner| {
            scanner.list(|scanner| {
                let (point, span) = scanner.point(MAX_SLOTS)?;
                largest = largest.max(point as usize);
                if !seen.insert(point) {
                    return Err(Fault::RepeatedPoint { point: point as usize }.at(scanner.text, span));
                }
                Ok(point)
            })
        })?;
        self.classes = Some(classes);
        self.largest = self.largest.max(largest);
        Ok(())
    }

    fn finish(self, text: &str, name: &str) -> Result<Definition, DefinitionError> {
        let known: HashMap<&str, usize> =
            self.permutations.iter().enumerate().map(|(index, (name, ..))| (*name, index)).collect();
        let mut searched: Vec<usize> = Vec::new();
        let mut chosen = HashSet::new();
        for (generator, span) in self.generators.iter().flatten() {
            let Some(&index) = known.get(generator) else {
                let names = self.permutations.iter().map(|(name, ..)| *name);
                return Err(Fault::unknown("permutation", generator, names).at(text, span.clone()));
            };
            if !chosen.insert(index) {
                let fault = Fault::DuplicateName { what: "generator", name: sanitize(generator) };
                return Err(fault.at(text, span.clone()));
            }
            searched.push(index);
        }
        // Permutations that are no generators follow the generators, for use in sequences.
        let kind = if self.generators.is_some() { MoveKind::Sequence } else { MoveKind::Move };
        let others = (0..self.permutations.len()).filter(|index| !chosen.contains(index));
        let order = searched.iter().map(|&index| (index, MoveKind::Move)).chain(others.map(|i| (i, kind)));
        check_moves(self.permutations.len(), self.largest)?;
        let mut moves = Vec::with_capacity(self.permutations.len());
        for (index, kind) in order {
            let (name, cycles, span) = &self.permutations[index];
            let name = name.strip_prefix("M_").unwrap_or(name);
            check_move_name(name).map_err(|fault| fault.at(text, span.clone()))?;
            moves.push(sticker_move(name.to_owned(), cycles.source(self.largest), kind));
        }
        let mut labels: Vec<u32> = (0..self.largest as u32).collect();
        for class in self.classes.iter().flatten() {
            // Each class shows the label of its first point.
            class.iter().for_each(|&point| labels[point as usize - 1] = class[0] - 1);
        }
        if labels.is_empty() {
            return Err(Fault::Missing { what: "points that a permutation moves are".into() }.into());
        }
        Definition::of_stickers(name, labels, moves, SearchedPowers::Listed)
    }
}

/// Reads tokens of GAP; blanks and comments stand between them.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            if !self.text[self.at..].starts_with('#') {
                return;
            }
            let rest = &self.text[self.at..];
            self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
        }
    }

    fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    fn next_is(&mut self, token: &str) -> bool {
        self.skip_blanks();
        self.text[self.at..].starts_with(token)
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.next_is(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str, expected: &str) -> Result<(), DefinitionError> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// The error that `expected` does not follow.
    fn unexpected(&mut self, expected: &str) -> DefinitionError {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            let end = self.text.len();
            return Fault::UnexpectedEnd { expected: expected.into() }.at(self.text, end..end);
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest.find(|c: char| !word(c)).unwrap_or(rest.len()).max(first);
        Fault::unexpected(expected, &rest[..length]).at(self.text, self.at..self.at + length)
    }

    fn word(&mut self) -> (&'a str, Range<usize>) {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let span = self.at..self.at + length;
        (&self.text[span.clone()], span)
    }

    fn identifier(&mut self, expected: &str) -> Result<(&'a str, Range<usize>), DefinitionError> {
        let (word, span) = self.word();
        // Identifiers of GAP have a character that is no digit.
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected(expected));
        }
        self.at = span.end;
        Ok((word, span))
    }

    fn point(&mut self, max: usize) -> Result<(u32, Range<usize>), DefinitionError> {
        let (word, span) = self.word();
        if word.is_empty() {
            return Err(self.unexpected("a point"));
        }
        let number = word.parse::<u32>().ok().filter(|&point| (1..=max as u32).contains(&point));
        let Some(number) = number else {
            let (min, max) = (1, max as u64);
            let fault = Fault::OutOfRange { what: "a point", min, max, found: sanitize(word) };
            return Err(fault.at(self.text, span));
        };
        self.at = span.end;
        Ok((number, span))
    }

    /// `[item, item, …]`, perhaps empty.
    fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, DefinitionError>,
    ) -> Result<Vec<T>, DefinitionError> {
        self.expect("[", "`[`")?;
        let mut items = Vec::new();
        if self.accept("]") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.accept("]") {
                return Ok(items);
            }
            self.expect(",", "`,` or `]`")?;
        }
    }

    /// `()` or disjoint cycles `(1,2)(3,4,5)` of points up to `max`.
    fn cycles(&mut self, max: usize) -> Result<Cycles, DefinitionError> {
        let mut cycles = Cycles { images: Vec::new(), largest: 0 };
        let mut seen = HashSet::new();
        self.expect("(", "a permutation such as `(1,2,3)(4,5)`")?;
        if self.accept(")") {
            return Ok(cycles);
        }
        loop {
            let (first, span) = self.point(max)?;
            let mut cycle = vec![(first, span)];
            while self.accept(",") {
                cycle.push(self.point(max)?);
            }
            self.expect(")", "`,` or `)`")?;
            for (index, (point, span)) in cycle.iter().enumerate() {
                if !seen.insert(*point) {
                    return Err(Fault::RepeatedPoint { point: *point as usize }.at(self.text, span.clone()));
                }
                cycles.images.push((*point, cycle[(index + 1) % cycle.len()].0));
                cycles.largest = cycles.largest.max(*point as usize);
            }
            if !self.accept("(") {
                return Ok(cycles);
            }
        }
    }

    /// Skips a statement up to its `;`.
    fn skip_statement(&mut self) -> Result<(), DefinitionError> {
        match self.text[self.at..].find(';') {
            Some(end) => {
                self.at += end + 1;
                Ok(())
            }
            None => {
                self.at = self.text.len();
                Err(self.unexpected("`;` after a statement"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Definition {
        parse_gap(text, "test").unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn generators_comments_and_classes_are_read() {
        let text = "# A comment\nM_R:=(1,2,3)\n (4,5); # another\nM_L:=(2,6);\nother:=(1,6);\n\
                    Gen:=[\nM_L,M_R\n];\nip:=[[4],[5,6],[8]];\nSize(Group(Gen));\n";
        let definition = read(text);
        let names: Vec<(&str, MoveKind)> =
            definition.moves().iter().map(|named| (&*named.name, named.kind)).collect();
        let expected = [("L", MoveKind::Move), ("R", MoveKind::Move), ("other", MoveKind::Sequence)];
        assert_eq!(names, expected);
        assert_eq!(definition.solved().orbits()[0].pieces(), [0, 1, 2, 3, 4, 4, 6, 7]);
        // The sticker of point 1 goes to point 2.
        let turn = &definition.moves()[1].transformation.orbits()[0];
        assert_eq!(turn.from(), [2, 0, 1, 4, 3, 5, 6, 7]);
        let position = parse_permutation(&definition, " (1,2,3)(4,5)").expect("a permutation");
        assert_eq!(position, definition.moves()[1].transformation);
        assert!(parse_permutation(&definition, "()").is_ok_and(|identity| identity.is_identity()));
    }

    #[test]
    fn mistakes_are_located() {
        for (text, expected) in [
            ("a:=(1,2)(2,3);", "line 1, column 10: the point 2 occurs twice in the cycles"),
            ("a:=(1,2);\nGen:=[b];", "line 2, column 7: there is no permutation `b`"),
            ("a:=(1,2)", "line 1, column 9: expected `;` after a statement, found the end of the file"),
            ("a:=(1,0);", "line 1, column 7: expected a point from 1 to 65536, found `0`"),
            (
                "a:=(1,99999999999999);",
                "line 1, column 7: expected a point from 1 to 65536, found `99999999999999`",
            ),
            ("a:=[1,2];", "line 1, column 4: expected a permutation such as `(1,2,3)(4,5)`, found `[`"),
            ("a:=(1,2);a:=(1,2);", "line 1, column 10: the variable `a` is already defined"),
            ("a:=(1,2);M_a:=(1,2);", "the move `a` is already defined"),
            ("a=(1,2);", "line 1, column 2: expected `:=` after a name, found `=`"),
            ("a:=();", "points that a permutation moves are missing"),
            ("ip:=[[1,2]];", "the moves are missing"),
            ("a:=(1,2);ip:=[[1],[2,1]];", "line 1, column 22: the point 1 occurs twice in the cycles"),
        ] {
            let error = parse_gap(text, "test").expect_err(text).to_string();
            assert_eq!(error, expected, "{text}");
        }
    }
}
