//! Parsing and formatting of boards and move sequences.
//!
//! The format is detected from the first line: letters mean moves, a single number is the side of a
//! board that follows, as many numbers as a first row has begin a board in rows, as many as there are
//! cells are a board. Moves alternate between digits and letters, so only a single move can be mistaken
//! for a side.

use untumble_search::error::{Diagnostic, span_in};
use untumble_search::frontend::{FormatInfo, InputFormat, InputKind, Parsed};
use untumble_search::moves::Move;

use super::error::{BaltoError, TileLocation};
use super::{Balto, Board, CLOCKWISE_MOVES, Lattice, is_clockwise};
use crate::sanitize::sanitize;

/// The formats of a position, in the order of [`BoardFormat::ALL`].
pub(super) const FORMATS: &[FormatInfo] = &[
    FormatInfo { name: "contest", what: "the side on the first line, then one row per line" },
    FormatInfo { name: "rows", what: "one row per line" },
    FormatInfo { name: "line", what: "the whole board on one line, separated by spaces, commas or slashes" },
    FormatInfo { name: "moves", what: "moves from the solved board: 1A3C, or 5:1A3C with the side first" },
];

/// Indexed by move.
const MOVE_NAMES: [&str; 12] = ["1", "2", "3", "4", "5", "6", "A", "B", "C", "D", "E", "F"];
/// The longest word that is read as a number.
const MAX_NUMBER_LENGTH: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BoardFormat {
    Contest,
    Rows,
    Line,
    Moves,
}

impl BoardFormat {
    const ALL: [BoardFormat; 4] =
        [BoardFormat::Contest, BoardFormat::Rows, BoardFormat::Line, BoardFormat::Moves];

    /// The format requested by the caller, if any.
    fn requested(form: &InputFormat) -> Result<Option<BoardFormat>, BaltoError> {
        let Some(name) = &form.format else {
            return Ok((form.kind == Some(InputKind::Moves)).then_some(BoardFormat::Moves));
        };
        let names = || FORMATS.iter().map(|format| format.name);
        match names().position(|known| known == name) {
            Some(index) => Ok(Some(BoardFormat::ALL[index])),
            None => Err(BaltoError::UnknownFormat { name: sanitize(name) }),
        }
    }

    /// Detects the format of a text whose first line is `line`.
    fn detect(
        lattice: &Lattice,
        source: &str,
        line: &str,
        kind: Option<InputKind>,
    ) -> Result<BoardFormat, BaltoError> {
        let letters = line.chars().any(|c| c.is_ascii_alphabetic() || c == ':');
        let count = words(line).count();
        match count {
            _ if letters && kind != Some(InputKind::Position) => Ok(BoardFormat::Moves),
            1 => Ok(BoardFormat::Contest),
            _ if count == lattice.side() && !line.contains('/') => Ok(BoardFormat::Rows),
            _ if count == lattice.cells() || count == lattice.cells() + 1 || line.contains('/') => {
                Ok(BoardFormat::Line)
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

pub(super) fn move_name(m: Move) -> &'static str {
    MOVE_NAMES[m.index()]
}

/// The names of the moves without separators, such as `1A3C`.
pub(super) fn format_moves(path: &[Move]) -> String {
    path.iter().map(|&m| move_name(m)).collect()
}

/// Parses moves: digits and letters, optionally separated by spaces, optionally preceded by the side and
/// a colon. `text` is a part of `source`, to which spans refer.
pub(super) fn parse_moves(lattice: &Lattice, source: &str, text: &str) -> Result<Vec<Move>, BaltoError> {
    let moves = match text.split_once(':') {
        None => text,
        Some((found, _)) if number(found.trim()) != Some(lattice.side()) => {
            let (side, found) = (lattice.side(), found.trim());
            let span = span_in(source, found);
            return Err(BaltoError::MovesOfAnotherSide { side, found: sanitize(found), span });
        }
        Some((_, moves)) => moves,
    };
    let mut path: Vec<Move> = Vec::new();
    for (start, c) in moves.char_indices().filter(|(_, c)| !c.is_whitespace() && *c != ',') {
        let number = path.len() + 1;
        let letter = &moves[start..start + c.len_utf8()];
        let m = match c.to_ascii_uppercase() {
            digit @ '1'..='6' => Move(digit as u8 - b'1'),
            letter @ 'A'..='F' => Move(letter as u8 - b'A' + CLOCKWISE_MOVES),
            _ => {
                let span = span_in(source, letter);
                return Err(BaltoError::UnknownMove { number, found: sanitize(letter), span });
            }
        };
        if let Some(&last) = path.last()
            && is_clockwise(last) == is_clockwise(m)
        {
            return Err(BaltoError::SameDirection {
                number,
                last: move_name(last),
                name: move_name(m),
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
        Ok(match self.parse_board_text(text, end, form)? {
            ParsedBoard::Nothing => Parsed::Nothing,
            ParsedBoard::More => Parsed::More,
            ParsedBoard::Board(board) => Parsed::Position(board),
            ParsedBoard::Broken(error) => Parsed::Broken(error.into()),
        })
    }

    fn parse_board_text(&self, text: &str, end: bool, form: &InputFormat) -> Result<ParsedBoard, BaltoError> {
        let lattice = self.lattice();
        let requested = BoardFormat::requested(form)?;
        let mut lines = text.lines().map(strip_comment).filter(|line| !line.is_empty());
        let Some(first) = lines.next() else { return Ok(ParsedBoard::Nothing) };
        let format = requested.map_or_else(|| BoardFormat::detect(lattice, text, first, form.kind), Ok)?;
        match format {
            BoardFormat::Contest => return self.parse_rows(text, Some(first), lines, end),
            BoardFormat::Rows => return self.parse_rows(text, None, [first].into_iter().chain(lines), end),
            BoardFormat::Line | BoardFormat::Moves => {}
        }
        if let Some(next) = lines.next() {
            let (after, span) = ("the first line".into(), span_in(text, next));
            return Err(BaltoError::TrailingLine { after, found: sanitize(next), span });
        }
        if format == BoardFormat::Moves {
            return Ok(ParsedBoard::Board(self.after_moves(&parse_moves(lattice, text, first)?)));
        }
        self.parse_line(text, first).map(ParsedBoard::Board)
    }

    /// Parses one row per line; `side_line` is the first line of the contest format.
    fn parse_rows<'a>(
        &self,
        source: &str,
        side_line: Option<&str>,
        lines: impl Iterator<Item = &'a str>,
        end: bool,
    ) -> Result<ParsedBoard, BaltoError> {
        let lattice = self.lattice();
        let side = side_line.map_or(Ok(lattice.side()), |line| parse_side(lattice, source, line))?;
        let wrong_side = || {
            let span = side_line.and_then(|line| span_in(source, line));
            let error = BaltoError::WrongSide { side: lattice.side(), found: side, span };
            (side != lattice.side()).then_some(error)
        };
        let mut rows: Vec<&str> = Vec::new();
        let mut expected = Lattice::new(side).rows();
        let count = 2 * side - 1;
        let mut lines = lines.peekable();
        while let Some(line) = lines.next() {
            let Some(length) = expected.next() else {
                let (after, span) = (format!("{count} rows"), span_in(source, line));
                return Err(BaltoError::TrailingLine { after, found: sanitize(line), span });
            };
            let found = words(line).count();
            if found != length {
                let error = wrong_side().unwrap_or_else(|| BaltoError::RowLength {
                    row: rows.len() + 1,
                    rows: count,
                    expected: length,
                    found,
                    line: sanitize(line),
                    span: span_in(source, line),
                });
                return if lines.peek().is_none() { Ok(ParsedBoard::Broken(error)) } else { Err(error) };
            }
            rows.push(line);
        }
        if rows.len() < count {
            if !end {
                return Ok(ParsedBoard::More);
            }
            let single_move = side_line.is_some() && rows.is_empty() && side <= usize::from(CLOCKWISE_MOVES);
            let missing = BaltoError::MissingRows { done: rows.len(), rows: count, single_move };
            return Err(wrong_side().unwrap_or(missing));
        }
        // Checked after all rows are consumed: otherwise the caller would parse the remaining rows as
        // boards.
        match wrong_side() {
            Some(error) => Err(error),
            None => self.parse_tiles(source, rows.iter().flat_map(|row| words(row))).map(ParsedBoard::Board),
        }
    }

    /// Parses a board on one line, optionally preceded by its side.
    fn parse_line(&self, source: &str, line: &str) -> Result<Board, BaltoError> {
        let lattice = self.lattice();
        let cells = lattice.cells();
        let mut tiles = words(line);
        match words(line).count() {
            count if count == cells => {}
            count if count == cells + 1 && words(line).next().and_then(number) == Some(lattice.side()) => {
                tiles.next();
            }
            found => return Err(BaltoError::TileCount { cells, found, span: span_in(source, line) }),
        }
        self.parse_tiles(source, tiles)
    }

    /// Parses the tiles of a board in reading order; the caller has checked their number.
    fn parse_tiles<'a>(
        &self,
        source: &str,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<Board, BaltoError> {
        let lattice = self.lattice();
        let max = lattice.cells() - 1;
        let homes = self.homes();
        let mut cells = vec![0; lattice.cells()];
        let mut seen: Vec<Option<(usize, TileLocation)>> = vec![None; lattice.cells()];
        let mut duplicate = None;
        let places = self.locations().zip(lattice.reading_order()).enumerate();
        for ((index, (location, &cell)), word) in places.zip(words) {
            let Some(tile) = number(word).filter(|&tile| tile <= max) else {
                let (found, span) = (sanitize(word), span_in(source, word));
                return Err(BaltoError::NotATile { location, cell: index, max, found, span });
            };
            if let Some(first) = seen[tile].replace((index, location)) {
                duplicate.get_or_insert((tile, first, (index, location), span_in(source, word)));
            }
            cells[usize::from(cell)] = homes[tile];
        }
        let Some((tile, (first_cell, first), (cell, location), span)) = duplicate else {
            return Ok(self.board(cells.into()));
        };
        let missing = (0..=max).filter(|&tile| seen[tile].is_none()).collect();
        Err(BaltoError::DuplicateTile { tile, location, first, cells: [first_cell, cell], missing, span })
    }

    /// Row and item of all cells in reading order.
    fn locations(&self) -> impl Iterator<Item = TileLocation> {
        let rows = self.lattice().rows().enumerate();
        rows.flat_map(|(row, length)| (1..=length).map(move |item| TileLocation { row: row + 1, item }))
    }

    /// Indexed by tile: its home cell. Tile 0 is the empty cell.
    fn homes(&self) -> Vec<u16> {
        let centre = self.lattice().centre();
        let tiles = self.lattice().reading_order().iter().copied().filter(|&cell| cell != centre);
        [centre].into_iter().chain(tiles).collect()
    }

    /// The tiles in reading order, 0 for the empty cell.
    pub(super) fn tiles(&self, board: &Board) -> Vec<usize> {
        let mut tile_of = vec![0; self.lattice().cells()];
        for (tile, home) in self.homes().into_iter().enumerate() {
            tile_of[usize::from(home)] = tile;
        }
        let tile_in = |&cell: &u16| tile_of[usize::from(board.cells[usize::from(cell)])];
        self.lattice().reading_order().iter().map(tile_in).collect()
    }

    /// The solved board after `moves`.
    fn after_moves(&self, moves: &[Move]) -> Board {
        use untumble_search::puzzle::Puzzle;
        moves.iter().fold(self.solved(), |board, &m| self.apply(&board, m))
    }
}

/// [`Parsed`] with a typed error.
enum ParsedBoard {
    Nothing,
    More,
    Board(Board),
    Broken(BaltoError),
}

/// Parses the first line of the contest format.
fn parse_side(lattice: &Lattice, source: &str, line: &str) -> Result<usize, BaltoError> {
    let supported = Lattice::MIN_SIDE..=Lattice::MAX_SIDE;
    number(line).filter(|side| supported.contains(side)).ok_or_else(|| BaltoError::NotASide {
        side: lattice.side(),
        found: sanitize(line),
        span: span_in(source, line),
    })
}

fn strip_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

/// The words of a line, separated by spaces, commas and slashes.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || c == ',' || c == '/').filter(|word| !word.is_empty())
}

fn number(word: &str) -> Option<usize> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if digits && word.len() <= MAX_NUMBER_LENGTH { word.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::frontend::{PuzzleFrontend, PuzzleText};
    use untumble_search::puzzle::Puzzle;

    fn parse_board(balto: &Balto, text: &str) -> Result<Board, String> {
        match balto.parse(text, true, &InputFormat::default()) {
            Ok(Parsed::Position(board)) => Ok(board),
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn formats_are_detected() {
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
            let board = parse_board(&balto, text).expect(text);
            assert!(balto.is_goal(&board), "{text}: {board:?}");
        }
        let board = parse_board(&balto, "1A").expect("two moves");
        assert_eq!(balto.text(&board), balto.text(&parse_board(&balto, "1a").expect("lower case")));
        assert!(!balto.is_goal(&board));
    }

    /// Move 1: the empty cell goes NE, the tile there goes E, and the tile there goes to the former
    /// empty cell.
    #[test]
    fn single_moves_give_the_boards_of_the_contest_rules() {
        let balto = Balto::new(3);
        let form = InputFormat { kind: Some(InputKind::Moves), format: None };
        for (m, text) in [
            ("1", "1 2 3/4 5 0 7/8 9 10 6 11/12 13 14 15/16 17 18"),
            ("A", "1 2 3/4 5 10 7/8 9 6 0 11/12 13 14 15/16 17 18"),
            ("4", "1 2 3/4 5 6 7/8 13 9 10 11/12 0 14 15/16 17 18"),
        ] {
            let Ok(Parsed::Position(board)) = balto.parse(m, true, &form) else { panic!("{m} is a move") };
            assert_eq!(balto.text(&board), text.replace('/', " "), "{m}");
        }
    }

    #[test]
    fn boards_are_parsed_from_incomplete_input() {
        let balto = Balto::new(2);
        let parse = |text: &str| balto.parse(text, false, &InputFormat::default());
        assert_eq!(parse("# nothing"), Ok(Parsed::Nothing));
        assert_eq!(parse("2"), Ok(Parsed::More));
        assert_eq!(parse("2\n1 2"), Ok(Parsed::More));
        assert_eq!(parse("1 2\n3 0 4"), Ok(Parsed::More));
        assert!(matches!(parse("2\n1 2\n3 0 4\n5 6"), Ok(Parsed::Position(_))));
        assert!(matches!(parse("2\n1 2\n2"), Ok(Parsed::Broken(_))), "the next board begins");
        // A board of another side is consumed before it is refused.
        assert_eq!(parse("3\n1 2 3\n4 5 6 7"), Ok(Parsed::More));
    }

    #[test]
    fn error_messages_name_the_mistake() {
        let balto = Balto::new(2);
        for (text, part) in [
            ("2\n1 2\n3 0 4\n5 5", "row 3, tile 2: tile 5 already occurs in row 3, tile 1; missing: 6"),
            ("2\n1 2\n3 0 7\n5 6", "row 2, tile 3: expected a tile 0..6, found `7`"),
            ("2\n1 2\n3 0 x\n5 6", "found `x`"),
            ("2\n1 2\n3 0 4", "the board has 2 of 3 rows: 1 row is missing"),
            ("2\n1 2\n3 0\n5 6", "row 2 of 3: expected 3 tiles, found 2"),
            ("3\n1 2 3\n4 5 6 7\n8 9 0 10 11\n12 13 14 15\n16 17 18", "the side is 3, not 2"),
            ("41", "expected the side, 2, on a line of its own, found `41`"),
            ("2", "0 of 3 rows: 3 rows are missing"),
            ("1 2 3 4", "found 4 words"),
            ("1B3G", "move 4: expected 1-6 or A-F, found `G`"),
            ("1A2 3", "move 4: directions must alternate, but `2` and `3` are both clockwise; expected A-F"),
            ("5:1A", "for a board of side `5`, not 2"),
        ] {
            let message = parse_board(&balto, text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    /// Every parse error, also after comments and other lines.
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
                let text = format!("{before}{text}  # comment\n");
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
        fn no_text_panics(text in "([0-9A-Fa-f:/#\n ,x]|.){0,80}") {
            for end in [false, true] {
                let _ = Balto::new(2).parse(&text, end, &InputFormat::default());
            }
        }

        #[test]
        fn formatting_and_parsing_are_inverse(side in 2usize..9, seed in any::<u64>()) {
            let balto = Balto::new(side);
            let board = balto.random(&mut ChaCha8Rng::seed_from_u64(seed));
            prop_assert_eq!(parse_board(&balto, &balto.text(&board)), Ok(board.clone()));
            let mut tiles = balto.tiles(&board).into_iter();
            let rows = balto.lattice().rows().map(|length| {
                tiles.by_ref().take(length).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ")
            });
            let text = [side.to_string()].into_iter().chain(rows).collect::<Vec<_>>().join("\n");
            prop_assert_eq!(parse_board(&balto, &text), Ok(board));
        }
    }
}
