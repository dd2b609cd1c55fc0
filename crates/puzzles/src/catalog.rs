//! The catalog of built-in puzzles: names, aliases and how to open them. A family is a set of puzzles that
//! differ in size, such as `tiles-RxC`; a puzzle of another crate is not listed here but added to the
//! runtime.

use untumble_search::error::{Diagnostic, Error, similar};
pub use untumble_search::family::{Family, ListedPuzzle, PuzzleSettings, SizeParameter};
use untumble_search::frontend::{DynPuzzle, into_dyn};

use crate::PuzzleError;
use crate::balto::{Balto, Lattice};
use crate::cube::Metric;
use crate::cube2::Cube2;
use crate::cube3::Cube3;
use crate::tiles::{Cells, Size, Tiles, detect_size, parse_goal};

/// The sides of tile boards.
const fn tiles_side(symbol: &'static str, name: &'static str) -> SizeParameter {
    SizeParameter { symbol, name, min: Size::MIN_SIDE, max: Size::MAX_SIDE }
}

const fn listed(name: &'static str, title: &'static str) -> ListedPuzzle {
    ListedPuzzle { name, title }
}

/// `goals` is for readers; it ends with words for goals without a name, which `goal_names` omits.
const FAMILIES: &[Family] = &[
    Family {
        name: "tiles-RxC",
        title: "Sliding tiles",
        sizes: &[tiles_side("R", "rows"), tiles_side("C", "columns")],
        puzzles: &[
            listed("8-puzzle", "8-puzzle"),
            listed("15-puzzle", "15-puzzle"),
            listed("24-puzzle", "24-puzzle"),
        ],
        aliases: &["8-puzzle", "15-puzzle", "24-puzzle"],
        what: "sliding tiles, R rows and C columns from 2x2 to 64x64 (searched up to 16x16)",
        moves: "U D L R, the direction in which a tile slides",
        goals: &["blank-last", "blank-first", "snail", "any arrangement"],
        goal_names: &["blank-last", "blank-first", "snail"],
        any_goal: true,
        metrics: &[],
        example: "15-puzzle",
        example_position: "0 3 6 8 2 12 9 4 5 1 11 15 14 7 13 10",
    },
    Family {
        name: "cube2",
        title: "Pocket cube",
        sizes: &[],
        puzzles: &[listed("cube2", "Pocket cube")],
        aliases: &["pocket", "2x2x2"],
        what: "the pocket cube, 3,674,160 positions",
        moves: "U R F with ' and 2; all faces, wide turns and rotations are read",
        goals: &["solved"],
        goal_names: &["solved"],
        any_goal: false,
        metrics: Metric::NAMES,
        example: "cube2",
        example_position: "R U2 F' R2 U F2 R' U",
    },
    Family {
        name: "cube3",
        title: "Rubik's cube",
        sizes: &[],
        puzzles: &[listed("cube3", "Rubik's cube")],
        aliases: &["rubik", "3x3x3"],
        what: "Rubik's cube",
        moves: "U R F D L B with ' and 2; wide turns, slices and rotations are read",
        goals: &["solved"],
        goal_names: &["solved"],
        any_goal: false,
        metrics: Metric::NAMES,
        example: "cube3",
        example_position: "R U2 F' L D2 B R'",
    },
    Family {
        name: "balto-N",
        title: "Balto's puzzle",
        sizes: &[SizeParameter { symbol: "N", name: "side", min: Lattice::MIN_SIDE, max: Lattice::MAX_SIDE }],
        puzzles: &[listed("balto-5", "Balto's puzzle")],
        aliases: &[],
        what: "Balto's puzzle, a hexagon of side N = 2 to 40 on a torus",
        moves: "1-6 (clockwise) and A-F (anticlockwise), alternating",
        goals: &["solved"],
        goal_names: &["solved"],
        any_goal: false,
        metrics: &[],
        example: "balto-5",
        example_position: "1A4D2B6E3C5F1B4A",
    },
];

/// All families of built-in puzzles.
pub fn families() -> &'static [Family] {
    FAMILIES
}

/// The family of a puzzle by its name or alias.
pub fn family(name: &str) -> Option<&'static Family> {
    let lower = name.to_ascii_lowercase();
    let matches = |family: &&Family| family.name == lower || family.aliases.contains(&lower.as_str());
    let with_prefix = |prefix: &str| FAMILIES.iter().find(|family| family.name.starts_with(prefix));
    match (tiles_size(&lower), balto_side(&lower)) {
        (Ok(Some(_)), _) => with_prefix("tiles-"),
        (_, Ok(Some(_))) => with_prefix("balto-"),
        _ => FAMILIES.iter().find(matches),
    }
}

/// Opens a puzzle by its name or alias; names are case-insensitive.
pub fn open(name: &str, settings: &PuzzleSettings) -> Result<Box<dyn DynPuzzle>, Error> {
    let lower = name.to_ascii_lowercase();
    if let Some(size) = tiles_size(&lower)? {
        return open_tiles(size, settings);
    }
    if let Some(side) = balto_side(&lower)? {
        require_default_goal(settings, "Balto's puzzle has")?;
        if settings.metric.is_some() {
            return Err(PuzzleError::OnlyOneMetric { subject_and_verb: "Balto's puzzle has" }.into());
        }
        return Ok(into_dyn(Balto::new(side)));
    }
    match lower.as_str() {
        _ if is_family(&lower) => Err(PuzzleError::NoSize { family: "tiles" }.into()),
        "cube3" | "rubik" | "3x3x3" => Ok(into_dyn(Cube3::new(cube_metric(settings)?))),
        "cube2" | "pocket" | "2x2x2" => Ok(into_dyn(Cube2::new(cube_metric(settings)?))),
        _ => Err(unknown_name_error(&lower).into()),
    }
}

/// Whether a name is that of a family whose texts state the size of a puzzle: `tiles`.
pub fn is_family(name: &str) -> bool {
    name.eq_ignore_ascii_case("tiles")
}

/// The puzzle of a family ([`is_family`]) whose position begins with `line`; `None` if the line is empty or
/// a comment.
pub fn puzzle_of_line(line: &str) -> Result<Option<String>, Box<Diagnostic>> {
    Ok(detect_size(line)?.map(|size| format!("tiles-{size}")))
}

/// Refuses a goal other than `solved`. The error message begins with `subject_and_verb`.
fn require_default_goal(
    settings: &PuzzleSettings,
    subject_and_verb: &'static str,
) -> Result<(), PuzzleError> {
    match &settings.goal {
        Some(goal) if !goal.eq_ignore_ascii_case("solved") => {
            Err(PuzzleError::OnlyOneGoal { subject_and_verb })
        }
        _ => Ok(()),
    }
}

fn cube_metric(settings: &PuzzleSettings) -> Result<Metric, Error> {
    require_default_goal(settings, "cubes have")?;
    Metric::named(settings.metric.as_deref().unwrap_or(Metric::NAMES[0]))
}

/// The size in a name such as `tiles-3x4` or `15-puzzle`; `Ok(None)` for other names.
fn tiles_size(name: &str) -> Result<Option<Size>, PuzzleError> {
    if let Some((rows, columns)) = name.strip_prefix("tiles-").and_then(rows_and_columns) {
        let (least, most) = (Size::MIN_SIDE, Size::MAX_SIDE);
        if ![rows, columns].iter().all(|side| (least..=most).contains(side)) {
            return Err(PuzzleError::TilesSize { rows, columns });
        }
        return Ok(Some(Size { rows, columns }));
    }
    let Some(tiles) = name.strip_suffix("-puzzle").and_then(number) else { return Ok(None) };
    match (Size::MIN_SIDE..=Size::MAX_SIDE).find(|side| side * side == tiles + 1) {
        Some(side) => Ok(Some(Size { rows: side, columns: side })),
        None => Err(PuzzleError::NotASquare { tiles }),
    }
}

/// The side in a name such as `balto-5`; `Ok(None)` for other names.
fn balto_side(name: &str) -> Result<Option<usize>, PuzzleError> {
    let Some(side) = name.strip_prefix("balto-").and_then(number) else { return Ok(None) };
    if (Lattice::MIN_SIDE..=Lattice::MAX_SIDE).contains(&side) {
        return Ok(Some(side));
    }
    Err(PuzzleError::BaltoSide { side })
}

/// The two numbers of a text such as `4x4`.
fn rows_and_columns(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once('x')?;
    Some((number(rows)?, number(columns)?))
}

/// A number of at most 4 digits.
fn number(text: &str) -> Option<usize> {
    let plain = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// The largest length in characters of an unknown name that an error quotes and compares with known names.
const MAX_QUOTED_NAME: usize = 32;

/// The puzzles whose names differ from `name` only in a size that their family does not have: `cube2` and
/// `cube3` for `cube4`, and for `4x4x4`, an alias of the same form.
fn other_sizes(name: &str) -> Vec<String> {
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let form = |name: &str| name.replace(|c: char| c.is_ascii_digit(), "#");
    let sized = |family: &&Family| {
        let same_stem = family.name != name && stem(family.name) == stem(name) && stem(name) != name;
        let same_form = |alias: &&str| form(alias) == form(name) && form(name) != name;
        family.sizes.is_empty() && (same_stem || family.aliases.iter().any(same_form))
    };
    let mut names: Vec<String> = FAMILIES.iter().filter(sized).map(|family| family.name.to_owned()).collect();
    names.sort_unstable();
    names
}

/// The error for an unknown name. It suggests the other sizes of the puzzle, or the most similar known name.
fn unknown_name_error(name: &str) -> PuzzleError {
    if name.chars().count() > MAX_QUOTED_NAME || name.contains(char::is_control) {
        return PuzzleError::Unknown { name: None, near: Vec::new() };
    }
    // A name that ends with a size such as 4x5 may be a misspelled `tiles-4x5`.
    let size_start = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x').len();
    let size = rows_and_columns(&name[size_start..]);
    let sized_name = size.map(|(rows, columns)| format!("tiles-{rows}x{columns}"));
    let names = FAMILIES.iter().flat_map(|family| family.aliases.iter().copied().chain([family.name]));
    let near = match other_sizes(name) {
        sizes if sizes.is_empty() => similar(name, sized_name.as_deref().into_iter().chain(names)),
        sizes => return PuzzleError::Unknown { name: Some(name.into()), near: sizes },
    };
    PuzzleError::Unknown { name: Some(name.into()), near: near.into_iter().take(1).collect() }
}

fn open_tiles(size: Size, settings: &PuzzleSettings) -> Result<Box<dyn DynPuzzle>, Error> {
    if settings.metric.is_some() {
        return Err(PuzzleError::OnlyOneMetric { subject_and_verb: "tiles have" }.into());
    }
    let goal = parse_goal(size, settings.goal.as_deref().unwrap_or("blank-last"))?;
    let fits = |capacity: usize| size.cells() <= capacity;
    Ok(if fits(<u64 as Cells>::CAPACITY) {
        into_dyn(Tiles::<u64>::new(goal))
    } else if fits(<u128 as Cells>::CAPACITY) {
        into_dyn(Tiles::<u128>::new(goal))
    } else {
        into_dyn(Tiles::<Box<[u16]>>::new(goal))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(name: &str) -> Result<String, String> {
        open(name, &PuzzleSettings::default()).map(|puzzle| puzzle.title()).map_err(describe)
    }

    /// Code, message and first alternative.
    fn describe(error: Error) -> String {
        let Error::Puzzle(diagnostic) = error else { panic!("{error:?}") };
        let near = diagnostic.alternatives.first().map_or("none", |first| &first.value);
        format!("{}: {diagnostic}; near: {near}", diagnostic.code)
    }

    #[test]
    fn names_and_aliases_open_puzzles() {
        for (name, expected) in [
            ("tiles-4x4", "tiles-4x4"),
            ("Tiles-3X5", "tiles-3x5"),
            ("8-puzzle", "tiles-3x3"),
            ("15-PUZZLE", "tiles-4x4"),
            ("24-puzzle", "tiles-5x5"),
            ("35-puzzle", "tiles-6x6"),
            ("3-puzzle", "tiles-2x2"),
            ("4095-puzzle", "tiles-64x64"),
            ("tiles-2x64", "tiles-2x64"),
            ("Cube2", "cube2"),
            ("pocket", "cube2"),
            ("2x2x2", "cube2"),
            ("rubik", "cube3"),
            ("3X3X3", "cube3"),
            ("Balto-27", "balto-27"),
        ] {
            assert_eq!(title(name).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn wrong_names_are_refused_with_an_alternative() {
        for (name, part) in [
            ("tile-4x4", "unknown-puzzle: there is no puzzle `tile-4x4`; near: tiles-4x4"),
            ("tiles4x5", "near: tiles-4x5"),
            ("15puzzle", "near: 15-puzzle"),
            ("cube-2", "near: cube2"),
            ("cube4", "near: cube2"),
            ("4x4x4", "near: cube2"),
            ("zebra", "there is no puzzle `zebra`; near: none"),
            ("", "there is no puzzle ``"),
            ("tiles-1x4", "from 2x2 to 64x64, not 1x4"),
            ("tiles-65x4", "from 2x2 to 64x64, not 65x4"),
            ("balto-41", "sides of 2 to 40, not 41"),
            ("balto", "near: balto-N"),
            ("16-puzzle", "16 tiles and a blank do not fill a square"),
            ("tiles-4x99999999999999999999", "there is no puzzle"),
            ("tiles-4x\u{1b}[2J4", "no such puzzle"),
        ] {
            let error = title(name).expect_err(name);
            assert!(error.contains(part), "{name}: {error}");
        }
    }

    #[test]
    fn unsupported_settings_are_refused() {
        let solved_text = |goal: Option<&str>, metric: Option<&str>| {
            let settings = PuzzleSettings { goal: goal.map(Into::into), metric: metric.map(Into::into) };
            open("8-puzzle", &settings).map(|p| p.text(&p.solved())).map_err(describe)
        };
        assert_eq!(solved_text(None, None).as_deref(), Ok("1 2 3 4 5 6 7 8 0"));
        assert_eq!(solved_text(Some("snail"), None).as_deref(), Ok("1 2 3 8 0 4 7 6 5"));
        assert_eq!(solved_text(Some("8,7,6/5,4,3/2,1,0"), None).as_deref(), Ok("8 7 6 5 4 3 2 1 0"));
        assert!(solved_text(Some("snale"), None).is_err_and(|why| why.contains("near: snail")));
        assert!(solved_text(None, Some("htm")).is_err_and(|why| why.contains("only-one-metric")));
        let open_cube = |goal: Option<&str>, metric: Option<&str>| {
            let settings = PuzzleSettings { goal: goal.map(Into::into), metric: metric.map(Into::into) };
            open("cube2", &settings).map(|_| ()).map_err(describe)
        };
        assert_eq!(open_cube(Some("solved"), Some("QTM")), Ok(()));
        assert!(open_cube(Some("snail"), None).is_err_and(|why| why.contains("only-one-goal")));
        assert!(open_cube(None, Some("htn")).is_err_and(|why| why.contains("near: htm")));
    }

    #[test]
    fn every_preset_is_a_valid_solver_of_its_puzzle() {
        for name in [
            "tiles-2x2",
            "8-puzzle",
            "tiles-2x5",
            "tiles-3x4",
            "tiles-2x7",
            "15-puzzle",
            "24-puzzle",
            "tiles-9x9",
            "tiles-20x20",
            "cube2",
            "cube3",
            "balto-2",
            "balto-3",
            "balto-27",
        ] {
            let puzzle = open(name, &PuzzleSettings::default()).expect("a known puzzle");
            let presets = puzzle.presets();
            assert_eq!(presets[0], untumble_search::frontend::Preset::AUTO, "{name}");
            for preset in &presets[1..] {
                let spec = preset.solver.parse().expect("a valid solver text");
                let complete = puzzle.complete(&spec);
                assert!(complete.is_ok(), "{name}: {}: {complete:?}", preset.solver);
            }
        }
    }

    #[test]
    fn positions_of_another_size_goal_or_metric_are_refused() {
        let open = |name: &str, goal: Option<&str>, metric: Option<&str>| {
            let settings = PuzzleSettings { goal: goal.map(Into::into), metric: metric.map(Into::into) };
            super::open(name, &settings).expect("a known puzzle")
        };
        let puzzles = [
            open("8-puzzle", None, None),
            open("8-puzzle", Some("snail"), None),
            open("15-puzzle", None, None),
            open("cube2", None, None),
            open("cube3", None, None),
            open("cube3", None, Some("qtm")),
            open("balto-3", None, None),
            open("balto-4", None, None),
        ];
        for (index, puzzle) in puzzles.iter().enumerate() {
            for (other_index, from) in puzzles.iter().enumerate() {
                let checked = puzzle.check_solvable(&from.solved());
                let foreign = matches!(checked, Err(Error::ForeignPosition { .. }));
                assert_eq!(foreign, index != other_index, "{} for {}: {checked:?}", from.id(), puzzle.id());
            }
        }
        let same = open("cube3", None, Some("htm")).solved();
        assert_eq!(
            puzzles[4].check_solvable(&same),
            Ok(()),
            "the default metric equals the same metric given explicitly"
        );
    }

    #[test]
    fn names_belong_to_their_family() {
        for (name, expected) in [
            ("8-puzzle", "tiles-RxC"),
            ("Tiles-3x5", "tiles-RxC"),
            ("rubik", "cube3"),
            ("balto-4", "balto-N"),
        ] {
            assert_eq!(family(name).map(|family| family.name), Some(expected));
        }
        assert_eq!(family("zebra"), None);
    }

    /// The puzzle whose sizes are all `size`.
    fn name_with_sizes(family: &Family, size: usize) -> String {
        let put = |name: String, parameter: &SizeParameter| name.replace(parameter.symbol, &size.to_string());
        family.sizes.iter().fold(family.name.to_owned(), put)
    }

    #[test]
    fn the_sizes_of_a_family_are_those_of_its_names() {
        for family in families() {
            let opens = |name: &str| open(name, &PuzzleSettings::default()).is_ok();
            assert_eq!(opens(family.name), family.sizes.is_empty(), "{} is a pattern", family.name);
            let shape = open(family.example, &PuzzleSettings::default()).expect("an example opens").shape();
            for parameter in family.sizes {
                let SizeParameter { symbol, name, min, max } = *parameter;
                assert_eq!(family.name.matches(symbol).count(), 1, "{symbol} in {}", family.name);
                assert!(shape.sizes.iter().any(|(known, _)| *known == name), "{name} in {shape:?}");
                for (size, valid) in [(min - 1, false), (min, true), (max, true), (max + 1, false)] {
                    let puzzle = name_with_sizes(family, size);
                    assert_eq!(opens(&puzzle), valid, "{puzzle}");
                }
            }
        }
    }

    #[test]
    fn the_goals_and_listed_puzzles_of_a_family_open() {
        for family in families() {
            assert!(!family.puzzles.is_empty(), "{}", family.name);
            for listed in family.puzzles {
                assert_eq!(super::family(listed.name), Some(family), "{}", listed.name);
                assert!(open(listed.name, &PuzzleSettings::default()).is_ok(), "{}", listed.name);
            }
            let opens = |goal: &str| {
                open(family.example, &PuzzleSettings { goal: Some(goal.into()), metric: None }).is_ok()
            };
            assert!(family.goals.starts_with(family.goal_names), "{:?}", family.goals);
            assert_eq!(family.goals.len() > family.goal_names.len(), family.any_goal, "{:?}", family.goals);
            assert!(family.goal_names.iter().all(|goal| opens(goal)), "{:?}", family.goal_names);
            let solved = open(family.example, &PuzzleSettings::default()).expect("an example opens");
            assert_eq!(opens(&solved.text(&solved.solved())), family.any_goal, "{}", family.name);
        }
    }

    #[test]
    fn every_family_opens_its_example() {
        for family in families() {
            let puzzle = open(family.example, &PuzzleSettings::default()).expect("an example opens");
            let parsed = puzzle.parse(family.example_position, true, &Default::default());
            let valid = matches!(parsed, Ok(untumble_search::frontend::Parsed::Position(_)));
            assert!(valid, "the example position of {} is valid", family.example);
            for alias in family.aliases {
                assert!(open(alias, &PuzzleSettings::default()).is_ok(), "{alias} opens");
            }
        }
    }
}
