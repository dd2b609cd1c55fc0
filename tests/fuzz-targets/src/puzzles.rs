//! Positions, moves and goals.

use std::sync::LazyLock;

use untumble_puzzles::catalog;
use untumble_search::control::Control;
use untumble_search::error::{Error, InputText};
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::{ApplyError, DynPuzzle, InputFormat, InputKind, Parsed, Position};

use crate::laws::{assert_diagnostic, select};

type Puzzles = LazyLock<Vec<Box<dyn DynPuzzle>>>;

/// Opens puzzles by name, each with an optional goal or metric after a space.
fn open_all(names: &[&str]) -> Vec<Box<dyn DynPuzzle>> {
    let open = |name: &&str| {
        let (name, setting) =
            name.split_once(' ').map_or((*name, None), |(name, setting)| (name, Some(setting.to_owned())));
        let tiles = name.starts_with("tiles");
        let settings = match tiles {
            true => PuzzleSettings { goal: setting, metric: None },
            false => PuzzleSettings { goal: None, metric: setting },
        };
        catalog::open(name, &settings).expect("a known puzzle")
    };
    names.iter().map(open).collect()
}

static TILES: Puzzles = LazyLock::new(|| {
    open_all(&[
        "tiles-3x3",
        "tiles-4x4",
        "tiles-2x2",
        "tiles-3x3 snail",
        "tiles-2x7",
        "tiles-5x5",
        "tiles-9x9",
    ])
});
static CUBES: Puzzles = LazyLock::new(|| open_all(&["cube3", "cube2", "cube3 qtm", "cube2 qtm"]));
static BALTO: Puzzles = LazyLock::new(|| open_all(&["balto-2", "balto-3", "balto-5"]));

/// Positions of sliding tiles; the first two bytes select puzzle and format.
pub fn tiles_position(data: &[u8]) {
    position(&TILES, data);
}

/// Positions of cubes; the first two bytes select puzzle and format.
pub fn cube_position(data: &[u8]) {
    position(&CUBES, data);
}

/// Positions of Balto's puzzle; the first two bytes select puzzle and format.
pub fn balto_position(data: &[u8]) {
    position(&BALTO, data);
}

/// The whole position of a text, if it holds one.
fn parse_whole(puzzle: &dyn DynPuzzle, text: &str, format: &InputFormat) -> Option<Position> {
    let parsed = puzzle.parse(text, true, format);
    match &parsed {
        Err(why) | Ok(Parsed::Unfinished(why) | Parsed::Separate(why)) => {
            assert_diagnostic(why, text, InputText::Position);
        }
        Ok(Parsed::Nothing | Parsed::More | Parsed::Position(_)) => {}
    }
    assert!(!matches!(parsed, Ok(Parsed::More)), "no more lines follow {text:?}");
    match parsed {
        Ok(Parsed::Position(position)) => Some(position),
        _ => None,
    }
}

fn position(puzzles: &[Box<dyn DynPuzzle>], data: &[u8]) {
    let (index, data) = select(data, puzzles.len());
    let puzzle = &*puzzles[index];
    let (kind, data) = select(data, 3);
    let kind = [None, Some(InputKind::Position), Some(InputKind::Moves)][kind];
    let format = InputFormat::from(kind);
    let text = &String::from_utf8_lossy(data);
    if let Err(why) = puzzle.parse(text, false, &format) {
        assert_diagnostic(&why, text, InputText::Position);
    }
    let parsed = parse_whole(puzzle, text, &format);
    let solvable = parsed.as_ref().is_some_and(|position| assert_formats(puzzle, position));
    if !solvable {
        for repair in puzzle.repairs(text, &format) {
            let repaired = parse_whole(puzzle, &repair.position, &as_position());
            let solvable = repaired.is_some_and(|position| puzzle.check_solvable(&position).is_ok());
            assert!(solvable, "the repair of {text:?} is not a solvable position: {repair:?}");
        }
    }
}

fn as_position() -> InputFormat {
    InputFormat::from(Some(InputKind::Position))
}

/// The text of a position parses to the same position. Returns whether it is solvable.
fn assert_formats(puzzle: &dyn DynPuzzle, position: &Position) -> bool {
    let formatted = puzzle.text(position);
    let again = parse_whole(puzzle, &formatted, &as_position());
    let again = again.unwrap_or_else(|| panic!("the text of a position is refused: {formatted:?}"));
    assert_eq!(puzzle.text(&again), formatted, "another position");
    assert_eq!(puzzle.is_solved(&again), puzzle.is_solved(position), "{formatted:?}");
    assert!(!puzzle.draw(position, false).is_empty());
    let solvable = puzzle.check_solvable(position);
    if let Err(Error::Unsolvable(why)) = &solvable {
        assert_diagnostic(why, &formatted, InputText::Position);
    } else {
        assert!(solvable.is_ok(), "{solvable:?}");
    }
    assert!(solvable.is_ok() || !puzzle.is_solved(position), "solved, but unsolvable: {formatted:?}");
    solvable.is_ok()
}

/// Sequences of moves of all families; the first byte selects the puzzle.
pub fn moves(data: &[u8]) {
    let puzzles: Vec<&dyn DynPuzzle> =
        TILES.iter().chain(&*CUBES).chain(&*BALTO).map(|puzzle| &**puzzle).collect();
    let (index, data) = select(data, puzzles.len());
    let puzzle = puzzles[index];
    let text = &String::from_utf8_lossy(data);
    let path = match puzzle.parse_moves(text) {
        Ok(path) => path,
        Err(why) => return assert_diagnostic(&why, text, InputText::Moves),
    };
    let formatted = puzzle.format_moves(&path);
    assert_eq!(puzzle.parse_moves(&formatted).as_ref(), Ok(&path), "{text:?} as {formatted:?}");
    assert_eq!(puzzle.names(&path).len(), path.len());
    let solved = puzzle.solved();
    match puzzle.apply(&solved, &path) {
        Ok(end) => {
            assert!(assert_formats(puzzle, &end), "legal moves lead to an unsolvable position: {text:?}");
            let accepted = puzzle.offer(&solved, &path, &Control::default());
            assert_eq!(accepted, Ok(puzzle.is_solved(&end)), "{text:?}");
        }
        Err(ApplyError::Illegal(index)) => {
            assert!(index < path.len(), "move {index} of {}", path.len());
            assert!(
                puzzle.apply(&solved, &path[..index]).is_ok(),
                "move {index} is not the first illegal one"
            );
        }
        Err(ApplyError::Foreign(error)) => panic!("{error}"),
    }
}

/// Goals of all families; the first byte selects the puzzle.
pub fn goal(data: &[u8]) {
    const NAMES: [&str; 7] =
        ["tiles-3x3", "tiles-2x2", "tiles-4x4", "tiles-2x7", "cube2", "cube3", "balto-3"];
    let (index, data) = select(data, NAMES.len());
    let text = &String::from_utf8_lossy(data);
    let open =
        |goal: &str| catalog::open(NAMES[index], &PuzzleSettings { goal: Some(goal.into()), metric: None });
    let puzzle = match open(text) {
        Ok(puzzle) => puzzle,
        Err(error) => return assert_diagnostic(&error.diagnostic(), text, InputText::Goal),
    };
    assert_eq!(puzzle.id().to_string().parse(), Ok(puzzle.id()), "{text:?}");
    let goal = puzzle.id().goal.unwrap_or_else(|| puzzle.goal_text());
    let again = open(&goal).unwrap_or_else(|error| panic!("the goal {goal:?} is refused: {error}"));
    assert_eq!(again.id(), puzzle.id(), "{text:?} and {goal:?}");
    let solved = puzzle.solved();
    assert!(puzzle.is_solved(&solved) && assert_formats(&*puzzle, &solved), "{text:?}");
    let formatted = puzzle.goal_text();
    let again = open(&formatted).unwrap_or_else(|error| panic!("the goal {formatted:?} is refused: {error}"));
    assert_eq!(again.id(), puzzle.id(), "{text:?} and {formatted:?}");
}
