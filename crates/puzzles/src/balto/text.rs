//! Boards and moves as text.
//!
//! A line is known by what it holds: letters make it moves, a single number the side of a board to come, a row's worth of
//! numbers the first row, a board's worth a board. Turns alternate between digits and letters, so no more than one turn
//! can be mistaken for a side.

use untumble_search::error::{Diagnostic, span_in};
use untumble_search::frontend::{FormatInfo, InputFormat, InputKind, Parsed};
use untumble_search::moves::Move;

use super::error::{BaltoError, Place};
use super::{Balto, Board, Lattice, TURNS, is_clockwise};
use crate::echo::echo;

/// The ways to write a board.
pub(super) const FORMATS: &[FormatInfo] = &[
    FormatInfo { name: "contest", what: "the side on a line, then a row on each line" },
    FormatInfo { name: "rows", what: "a row on each line" },
    FormatInfo { name: "line", what: "the whole board on one line, blanks, commas or slashes between" },
    FormatInfo { name: "moves", what: "moves from solved: 1A3C, or 5:1A3C with the side in front" },
];

/// The names of the moves, by place.
const NAMES: [&str; 12] = ["1", "2", "3", "4", "5", "6", "A", "B", "C", "D", "E", "F"];
/// Longer words are no tile numbers.
const MOST_WORD: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Contest,
    Rows,
    Line,
    Moves,
}

impl Format {
    /// In the order of [`FORMATS`].
    const ALL: [Format; 4] = [Format::Contest, Format::Rows, Format::Line, Format::Moves];

    /// The format that `form` asks for, if it does.
    fn asked(form: &InputFormat) -> Result<Option<Format>, BaltoError> {
        let Some(name) = &form.format else {
            return Ok((form.kind == Some(InputKind::Moves)).then_some(Format::Moves));
        };
        let names = || FORMATS.iter().map(|format| format.name);
        match names().position(|known| known == name) {
            Some(place) => Ok(Some(Format::ALL[place])),
            None => Err(BaltoError::UnknownFormat { name: echo(name) }),
        }
    }

    /// The format of a text that begins with `line`.
    fn of(
        lattice: &Lattice,
        source: &str,
        line: &str,
        kind: Option<InputKind>,
    ) -> Result<Format, BaltoError> {
        let letters = line.chars().any(|c| c.is_ascii_alphabetic() || c == ':');
        let count = words(line).count();
        match count {
            _ if letters && kind != Some(InputKind::Position) => Ok(Format::Moves),
            1 => Ok(Format::Contest),
            _ if count == lattice.side() && !line.contains('/') => Ok(Format::Rows),
            _ if count == lattice.cells() || count == lattice.cells() + 1 || line.contains('/') => {
                Ok(Format::Line)
            }
            _ => Err(BaltoError::NotABoard {
                side: lattice.side(),
                cells: lattice.cells(),
                found: count,
                span: span_in(source, line),
            }),
        }
    }
}

/// The name of a move.
pub(super) fn name(m: Move) -> &'static str {
    NAMES[m.index()]
}

/// Moves as one word.
pub(super) fn format_moves(path: &[Move]) -> String {
    path.iter().map(|&m| name(m)).collect()
}

/// Reads moves: digits and letters with or without blanks between, the side and a colon in front or not. Spans are
/// those of `source`, which `text` is a part of.
pub(super) fn parse_moves(lattice: &Lattice, source: &str, text: &str) -> Result<Vec<Move>, BaltoError> {
    let moves = match text.split_once(':') {
        None => text,
        Some((found, _)) if number(found.trim()) != Some(lattice.side()) => {
            let (side, found) = (lattice.side(), found.trim());
            let span = span_in(source, found);
            return Err(BaltoError::MovesOfAnotherSide { side, found: echo(found), span });
        }
        Some((_, moves)) => moves,
    };
    let mut path: Vec<Move> = Vec::new();
    for (at, c) in moves.char_indices().filter(|(_, c)| !c.is_whitespace() && *c != ',') {
        let number = path.len() + 1;
        let letter = &moves[at..at + c.len_utf8()];
        let m = match c.to_ascii_uppercase() {
            digit @ '1'..='6' => Move(digit as u8 - b'1'),
            letter @ 'A'..='F' => Move(letter as u8 - b'A' + TURNS),
            _ => {
                let span = span_in(source, letter);
                return Err(BaltoError::UnknownMove { number, found: echo(letter), span });
            }
        };
        if let Some(&last) = path.last()
            && is_clockwise(last) == is_clockwise(m)
        {
            return Err(BaltoError::SameDirection {
                number,
                last: name(last),
                name: name(m),
                clockwise: is_clockwise(m),
                span: span_in(source, letter),
            });
        }
        path.push(m);
    }
    Ok(path)
}

impl Balto {
    /// See [`untumble_search::frontend::PuzzleText::parse`].
    pub(super) fn parse_text(
        &self,
        text: &str,
        end: bool,
        form: &InputFormat,
    ) -> Result<Parsed<Board>, Box<Diagnostic>> {
        Ok(match self.read_text(text, end, form)? {
            Text::Nothing => Parsed::Nothing,
            Text::More => Parsed::More,
            Text::Board(board) => Parsed::Position(board),
            Text::Broken(error) => Parsed::Broken(error.into()),
        })
    }

    fn read_text(&self, text: &str, end: bool, form: &InputFormat) -> Result<Text, BaltoError> {
        let lattice = self.lattice();
        let asked = Format::asked(form)?;
        let mut lines = text.lines().map(uncommented).filter(|line| !line.is_empty());
        let Some(first) = lines.next() else { return Ok(Text::Nothing) };
        let format = asked.map_or_else(|| Format::of(lattice, text, first, form.kind), Ok)?;
        match format {
            Format::Contest => return self.read_rows(text, Some(first), lines, end),
            Format::Rows => return self.read_rows(text, None, [first].into_iter().chain(lines), end),
            Format::Line | Format::Moves => {}
        }
        if let Some(next) = lines.next() {
            let (after, span) = ("the first line".into(), span_in(text, next));
            return Err(BaltoError::TrailingLine { after, found: echo(next), span });
        }
        if format == Format::Moves {
            return Ok(Text::Board(self.after(&parse_moves(lattice, text, first)?)));
        }
        self.read_line(text, first).map(Text::Board)
    }

    /// Reads rows, one a line, after a line with the side in a contest's file.
    fn read_rows<'a>(
        &self,
        source: &str,
        side_line: Option<&str>,
        lines: impl Iterator<Item = &'a str>,
        end: bool,
    ) -> Result<Text, BaltoError> {
        let own = self.lattice();
        let side = side_line.map_or(Ok(own.side()), |line| read_side(own, source, line))?;
        let announced = Lattice::new(side);
        let misfit = || {
            let span = side_line.and_then(|line| span_in(source, line));
            let wrong = BaltoError::WrongSide { side: own.side(), found: side, span };
            (side != own.side()).then_some(wrong)
        };
        let mut rows: Vec<&str> = Vec::new();
        let mut expected = announced.rows();
        let count = 2 * side - 1;
        let mut lines = lines.peekable();
        while let Some(line) = lines.next() {
            let Some(length) = expected.next() else {
                let (after, span) = (format!("{count} rows"), span_in(source, line));
                return Err(BaltoError::TrailingLine { after, found: echo(line), span });
            };
            let found = words(line).count();
            if found != length {
                let error = misfit().unwrap_or_else(|| BaltoError::RowLength {
                    row: rows.len() + 1,
                    rows: count,
                    expected: length,
                    found,
                    line: echo(line),
                    span: span_in(source, line),
                });
                return if lines.peek().is_none() { Ok(Text::Broken(error)) } else { Err(error) };
            }
            rows.push(line);
        }
        if rows.len() < count {
            if !end {
                return Ok(Text::More);
            }
            let single_turn = side_line.is_some() && rows.is_empty() && side <= usize::from(TURNS);
            let missing = BaltoError::MissingRows { done: rows.len(), rows: count, single_turn };
            return Err(misfit().unwrap_or(missing));
        }
        // Only now, so that the rows of a board of another side are not taken for boards.
        match misfit() {
            Some(error) => Err(error),
            None => self.read_tiles(source, rows.iter().flat_map(|row| words(row))).map(Text::Board),
        }
    }

    /// Reads a board that stands on one line, its side in front or not.
    fn read_line(&self, source: &str, line: &str) -> Result<Board, BaltoError> {
        let lattice = self.lattice();
        let cells = lattice.cells();
        let mut all = words(line);
        match words(line).count() {
            count if count == cells => {}
            count if count == cells + 1 && words(line).next().and_then(number) == Some(lattice.side()) => {
                all.next();
            }
            found => return Err(BaltoError::TileCount { cells, found, span: span_in(source, line) }),
        }
        self.read_tiles(source, all)
    }

    /// Reads as many tiles as there are cells.
    fn read_tiles<'a>(
        &self,
        source: &str,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<Board, BaltoError> {
        let lattice = self.lattice();
        let most = lattice.cells() - 1;
        let homes = self.homes();
        let mut cells = vec![0; lattice.cells()];
        let mut seen: Vec<Option<(usize, Place)>> = vec![None; lattice.cells()];
        let mut twice = None;
        for (at, ((place, word), &cell)) in self.places().zip(words).zip(lattice.order()).enumerate() {
            let Some(tile) = number(word).filter(|&tile| tile <= most) else {
                let (found, span) = (echo(word), span_in(source, word));
                return Err(BaltoError::NotATile { place, cell: at, most, found, span });
            };
            if let Some(before) = seen[tile].replace((at, place)) {
                twice.get_or_insert((tile, before, (at, place), span_in(source, word)));
            }
            cells[usize::from(cell)] = homes[tile];
        }
        let Some((tile, (first, before), (second, place), span)) = twice else {
            return Ok(self.board(cells.into()));
        };
        let missing = (0..=most).filter(|&tile| seen[tile].is_none()).collect();
        Err(BaltoError::DuplicateTile { tile, place, before, cells: [first, second], missing, span })
    }

    /// Where the tiles stand, in reading order.
    fn places(&self) -> impl Iterator<Item = Place> {
        let rows = self.lattice().rows().enumerate();
        rows.flat_map(|(row, length)| (1..=length).map(move |item| Place { row: row + 1, item }))
    }

    /// The home of each tile, the hole's first.
    fn homes(&self) -> Vec<u16> {
        let centre = self.lattice().centre();
        let tiles = self.lattice().order().iter().copied().filter(|&cell| cell != centre);
        [centre].into_iter().chain(tiles).collect()
    }

    /// The tiles in reading order, 0 for the hole.
    pub(super) fn tiles(&self, board: &Board) -> Vec<usize> {
        let mut tile_of = vec![0; self.lattice().cells()];
        for (tile, home) in self.homes().into_iter().enumerate() {
            tile_of[usize::from(home)] = tile;
        }
        let held = |&cell: &u16| tile_of[usize::from(board.cells[usize::from(cell)])];
        self.lattice().order().iter().map(held).collect()
    }

    /// The board after moves from solved.
    fn after(&self, moves: &[Move]) -> Board {
        use untumble_search::puzzle::Puzzle;
        moves.iter().fold(self.solved(), |board, &m| self.apply(&board, m))
    }
}

/// What a text holds.
enum Text {
    Nothing,
    More,
    Board(Board),
    Broken(BaltoError),
}

/// Reads the line that says the side of a board.
fn read_side(lattice: &Lattice, source: &str, line: &str) -> Result<usize, BaltoError> {
    let known = Lattice::LEAST..=Lattice::MOST;
    number(line).filter(|side| known.contains(side)).ok_or_else(|| BaltoError::NotASide {
        side: lattice.side(),
        found: echo(line),
        span: span_in(source, line),
    })
}

/// A line without its comment.
fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

/// What stands between blanks, commas and slashes.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || c == ',' || c == '/').filter(|word| !word.is_empty())
}

fn number(word: &str) -> Option<usize> {
    let plain = !word.is_empty() && word.len() <= MOST_WORD && word.bytes().all(|byte| byte.is_ascii_digit());
    if plain { word.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::frontend::{PuzzleFrontend, PuzzleText};
    use untumble_search::puzzle::Puzzle;

    fn taken(balto: &Balto, text: &str) -> Result<Board, String> {
        match balto.parse(text, true, &InputFormat::default()) {
            Ok(Parsed::Position(board)) => Ok(board),
            Ok(other) => Err(format!("{other:?}")),
            Err(why) => Err(why.to_string()),
        }
    }

    #[test]
    fn the_formats_are_told_apart() {
        let balto = Balto::new(2);
        let solved = "1 2\n3 0 4\n5 6";
        for text in [
            solved,
            "# a board\n2\n1 2 # first\n\n3 0 4\n5 6\n",
            "1 2 3 0 4 5 6",
            "1,2, 3,0,4, 5,6",
            "1 2/3 0 4/5 6",
            "2 1 2 3 0 4 5 6",
            "1C",
            "2:1 C",
        ] {
            let board = taken(&balto, text).expect(text);
            assert!(balto.is_goal(&board), "{text}: {board:?}");
        }
        let turned = taken(&balto, "1A").expect("two turns");
        assert_eq!(balto.text(&turned), balto.text(&taken(&balto, "1a").expect("small letters")));
        assert!(!balto.is_goal(&turned));
    }

    /// One clockwise turn: the hole goes NE, that tile E, and the one there into the hole's old cell.
    #[test]
    fn a_turn_is_that_of_the_rules() {
        let balto = Balto::new(3);
        let form = InputFormat { kind: Some(InputKind::Moves), format: None };
        for (m, text) in [
            ("1", "1 2 3/4 5 0 7/8 9 10 6 11/12 13 14 15/16 17 18"),
            ("A", "1 2 3/4 5 10 7/8 9 6 0 11/12 13 14 15/16 17 18"),
            ("4", "1 2 3/4 5 6 7/8 13 9 10 11/12 0 14 15/16 17 18"),
        ] {
            let Ok(Parsed::Position(board)) = balto.parse(m, true, &form) else { panic!("{m} is a turn") };
            assert_eq!(balto.text(&board), text.replace('/', " "), "{m}");
        }
    }

    #[test]
    fn lines_that_come_one_by_one_make_a_board() {
        let balto = Balto::new(2);
        let parse = |text: &str| balto.parse(text, false, &InputFormat::default());
        assert_eq!(parse("# nothing"), Ok(Parsed::Nothing));
        assert_eq!(parse("2"), Ok(Parsed::More));
        assert_eq!(parse("2\n1 2"), Ok(Parsed::More));
        assert_eq!(parse("1 2\n3 0 4"), Ok(Parsed::More));
        assert!(matches!(parse("2\n1 2\n3 0 4\n5 6"), Ok(Parsed::Position(_))));
        assert!(matches!(parse("2\n1 2\n2"), Ok(Parsed::Broken(_))), "the next board begins");
        // A board of another side is read to its end before it is refused.
        assert_eq!(parse("3\n1 2 3\n4 5 6 7"), Ok(Parsed::More));
    }

    #[test]
    fn mistakes_are_named() {
        let balto = Balto::new(2);
        for (text, part) in [
            ("2\n1 2\n3 0 4\n5 5", "row 3, tile 2: tile 5 is there before, in row 3, tile 1; missing: 6"),
            ("2\n1 2\n3 0 7\n5 6", "row 2, tile 3: expected a tile 0..6, found `7`"),
            ("2\n1 2\n3 0 x\n5 6", "found `x`"),
            ("2\n1 2\n3 0 4", "the board has 2 of 3 rows: 1 row is missing"),
            ("2\n1 2\n3 0\n5 6", "row 2 of 3: expected 3 tiles, found 2"),
            ("3\n1 2 3\n4 5 6 7\n8 9 0 10 11\n12 13 14 15\n16 17 18", "the side is 3, not 2"),
            ("41", "expected the side, 2, on a line of its own, found `41`"),
            ("2", "0 of 3 rows: 3 rows are missing"),
            ("1 2 3 4", "found 4 words"),
            ("1B3G", "move 4: expected 1-6 or A-F, found `G`"),
            ("1A2 3", "move 4: turns alternate, and `2` before `3` turns clockwise too; expected A-F"),
            ("5:1A", "for a board of side `5`, not 2"),
        ] {
            let why = taken(&balto, text).expect_err(text);
            assert!(why.contains(part), "{text}: {why}");
        }
    }

    /// Every error of the parser, after comments and other lines: the span covers the offending token.
    #[test]
    fn spans_cover_the_offending_token() {
        let balto = Balto::new(2);
        for (text, code, token) in [
            ("2\n1 2\n3 0 4\n5 5", "duplicate-tile", Some("5")),
            ("2\n1 2\n3 0 7\n5 6", "not-a-tile", Some("7")),
            ("1 2/3 0 é/5 6", "not-a-tile", Some("é")),
            ("2\n1 2\n3 0 4", "missing-rows", None),
            ("2", "missing-rows", None),
            ("2\n1 2\n3 0\n5 6", "row-length", Some("3 0")),
            ("3\n1 2 3", "wrong-size", Some("3")),
            ("41", "not-a-size", Some("41")),
            ("1 2 3 4", "not-a-board", Some("1 2 3 4")),
            ("1 2/3 0/5 6", "tile-count", Some("1 2/3 0/5 6")),
            ("2\n1 2\n3 0 4\n5 6\n7", "trailing-line", Some("7")),
            ("1B\nmore", "trailing-line", Some("more")),
            ("1B3G", "unknown-move", Some("G")),
            ("1A2 3", "same-direction", Some("3")),
            ("5:1A", "wrong-size", Some("5")),
        ] {
            for before in ["", "# é comment\n\n  ", "\r\n\t"] {
                let text = format!("{before}{text}  # and so on\n");
                let error = match balto.parse(&text, true, &InputFormat::default()) {
                    Err(error) | Ok(Parsed::Broken(error)) => error,
                    other => panic!("{text}: {other:?}"),
                };
                assert_eq!(error.code, code, "{text}: {error}");
                assert_eq!(error.span.clone().map(|span| &text[span]), token, "{text}: {error:?}");
            }
        }
        let single = balto.parse("2", true, &InputFormat::default()).expect_err("no rows");
        assert_eq!(single.alternatives[0].value, "moves");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "([0-9A-Fa-f:/#\n ,x]|.){0,80}") {
            for end in [false, true] {
                let _ = Balto::new(2).parse(&text, end, &InputFormat::default());
            }
        }

        #[test]
        fn what_is_written_is_read_again(side in 2usize..9, seed in any::<u64>()) {
            let balto = Balto::new(side);
            let board = balto.random(&mut ChaCha8Rng::seed_from_u64(seed));
            prop_assert_eq!(taken(&balto, &balto.text(&board)), Ok(board.clone()));
            let mut tiles = balto.tiles(&board).into_iter();
            let rows = balto.lattice().rows().map(|length| {
                tiles.by_ref().take(length).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ")
            });
            let text = [side.to_string()].into_iter().chain(rows).collect::<Vec<_>>().join("\n");
            prop_assert_eq!(taken(&balto, &text), Ok(board));
        }
    }
}
