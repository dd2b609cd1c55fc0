//! Front end of Rubik's cube: names, text formats, solvers.

use std::borrow::Cow;
use std::sync::Arc;

use rand::Rng;
use untumble_search::control::{Control, Stop};
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{
    FormatInfo, InputFormat, InputKind, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText, Repair,
    Shape, Stage, Workload,
};
use untumble_search::identity::PuzzleId;
use untumble_search::moves::Move;
use untumble_search::perm::{below, shuffle};
use untumble_search::puzzle::Cost;
use untumble_search::registry::Registry;
use untumble_search::solve;
use untumble_search::tables::{Table, TableId, Tables, ValueDistribution};

use super::heuristics::{Corners, Edges};
use super::{Cube, Cube3, device, heuristics, optimal, portfolio, repair, three_cycles, two_phase};
use crate::cube::pieces::{
    self, CORNERS, Cubie, EDGES, corner_stickers, edge_move, edge_stickers, for_each_sticker, is_odd,
};
use crate::cube::{
    ColourScheme, CubeError, CubeInput, FORMATS, Face, Metric, StickerLetters, Stickers, UNKNOWN,
    complete_rubiks_cube, corners_from_stickers, edges_from_stickers, net, notation, parse_input,
};

/// Number of layers.
pub(super) const SIDE: usize = 3;

/// By sticker: its colour.
fn colours(cube: Cube) -> Vec<Face> {
    let mut colours = Stickers::<SIDE>::solved().colours;
    for_each_sticker(&CORNERS, &corner_stickers::<SIDE>(), &cube.corners(), |at, colour| {
        colours[at] = colour;
    });
    for_each_sticker(&EDGES, &edge_stickers(), &cube.edges(), |at, colour| {
        colours[at] = colour;
    });
    colours
}

/// The position with these sticker letters. Unknown stickers are completed if the rest determines them.
fn cube_from_stickers(symbols: &[char]) -> Result<Cube, CubeError> {
    if symbols.contains(&UNKNOWN) {
        let (corners, edges) = complete_rubiks_cube(symbols)?;
        return Ok(Cube::from_pieces(&corners, &edges));
    }
    let scheme = ColourScheme::from_centres(symbols)?;
    Ok(Cube::from_pieces(
        &corners_from_stickers::<SIDE>(symbols, &scheme)?,
        &edges_from_stickers(symbols, &scheme)?,
    ))
}

/// The position after moves from solved, in the final orientation of the cube.
fn cube_after_moves(turns: &[crate::cube::Turn]) -> Cube {
    let turn = |edges: [Cubie; 12], (face, quarters)| pieces::compose(&edges, &edge_move(face, quarters), 2);
    let edges = notation::in_final_orientation(turns, SIDE).fold(pieces::identity(), turn);
    Cube::from_pieces(&notation::corners_after_moves(turns, SIDE), &edges)
}

impl PuzzleInfo for Cube3 {
    fn title(&self) -> String {
        "cube3".into()
    }

    fn id(&self) -> PuzzleId {
        self.turns().metric().identity("cube3")
    }

    fn metric(&self) -> &str {
        self.turns().metric().name()
    }

    fn goal_text(&self) -> String {
        "solved".into()
    }

    fn formats(&self) -> Vec<FormatInfo> {
        FORMATS.to_vec()
    }

    fn shape(&self) -> Shape {
        Shape { kind: "cube", sizes: vec![("size", SIDE)] }
    }

    fn scramble_kind(&self) -> InputKind {
        InputKind::Moves
    }

    fn scramble_solver(&self) -> Option<(&'static str, Option<Cost>)> {
        Some(("two-phase:tables=small", Some(22)))
    }

    fn presets(&self) -> Vec<Preset> {
        portfolio::PRESETS.to_vec()
    }
}

impl PuzzleText for Cube3 {
    fn name(&self, m: Move) -> Cow<'_, str> {
        Cow::Borrowed(self.turns().name(m))
    }

    fn format_moves(&self, path: &[Move]) -> String {
        self.turns().format_moves(path)
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        let turns = notation::to_face_turns(&notation::parse_moves(text, SIDE)?, SIDE, &Face::ALL);
        Ok(turns.into_iter().flat_map(|(face, quarters)| self.turns().moves_for(face, quarters)).collect())
    }

    fn parse(&self, text: &str, at_end: bool, format: &InputFormat) -> Result<Parsed<Cube>, Box<Diagnostic>> {
        Ok(match parse_input(SIDE, text, at_end, format)? {
            CubeInput::Empty => Parsed::Nothing,
            CubeInput::NeedsMoreLines => Parsed::More,
            CubeInput::Interrupted(why) => Parsed::Unfinished(why.into()),
            CubeInput::SeparateLines(why) => Parsed::Separate(why.into()),
            CubeInput::Stickers(StickerLetters { letters, offsets }) => {
                Parsed::Position(cube_from_stickers(&letters).map_err(|error| error.located(text, &offsets))?)
            }
            CubeInput::Moves(turns) => Parsed::Position(cube_after_moves(&turns)),
        })
    }

    fn repairs(&self, text: &str, format: &InputFormat) -> Vec<Repair> {
        repair::repairs(self, text, format)
    }

    fn check_solvable(&self, cube: &Cube) -> Result<(), Error> {
        let orientation_sum = |pieces: &[Cubie]| pieces.iter().map(|cubie| cubie.orientation).sum::<usize>();
        let twist = orientation_sum(&cube.corners()) % 3;
        let flipped = orientation_sum(&cube.edges()) % 2 == 1;
        let exchanged = is_odd(&cube.corners()) != is_odd(&cube.edges());
        if twist == 0 && !flipped && !exchanged {
            return Ok(());
        }
        Err(Error::Unsolvable(CubeError::Unsolvable { twist, flipped, exchanged }.into()))
    }

    fn text(&self, cube: &Cube) -> String {
        colours(*cube).into_iter().map(Face::letter).collect()
    }

    fn draw(&self, cube: &Cube, colour: bool) -> String {
        net(SIDE, &colours(*cube), colour)
    }
}

impl PuzzleFrontend for Cube3 {
    fn registry(&self) -> Registry<Cube3> {
        let metric = self.turns().metric();
        let registry = Registry::new(self.title()).with_algorithms(solve::entries()).with_algorithms([
            two_phase::entry(),
            optimal::entry(),
            three_cycles::entry(),
            device::entry(metric),
        ]);
        let registry = match metric {
            Metric::Htm => registry,
            Metric::Qtm => registry.without(optimal::NAME, optimal::HALF_TURNS_ONLY),
        };
        heuristics::register(registry, metric)
    }

    fn auto(&self, workload: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
        portfolio::stages(self, workload, tables)
    }

    fn value_distribution(
        &self,
        id: &TableId,
        contents: &Arc<Table>,
        control: &Control,
    ) -> Result<Option<ValueDistribution>, Stop> {
        let bytes = contents.bytes();
        let database =
            Corners::distribution(self, id, bytes).or_else(|| Edges::distribution(self, id, bytes));
        if database.is_some() {
            return Ok(database);
        }
        match optimal::distribution(id, bytes, control)? {
            Some(distribution) => Ok(Some(distribution)),
            None => two_phase::distribution(self, id, contents, control),
        }
    }

    fn random(&self, rng: &mut dyn Rng) -> Cube {
        let (mut corners, mut edges) = (pieces::identity::<8>(), pieces::identity::<12>());
        randomize(&mut corners, 3, rng);
        randomize(&mut edges, 2, rng);
        if is_odd(&corners) != is_odd(&edges) {
            // Exchanging two edges is a bijection between unsolvable and solvable positions: the
            // distribution stays uniform.
            let (first, second) = (edges[0].piece, edges[1].piece);
            (edges[0].piece, edges[1].piece) = (second, first);
        }
        Cube::from_pieces(&corners, &edges)
    }
}

/// Assigns a uniformly random permutation, and random orientations with sum 0.
fn randomize(pieces: &mut [Cubie], orientations: usize, rng: &mut dyn Rng) {
    shuffle(pieces, rng);
    let mut sum = 0;
    if let Some((last, others)) = pieces.split_last_mut() {
        for cubie in others {
            cubie.orientation = below(rng, orientations);
            sum += cubie.orientation;
        }
        last.orientation = (orientations - sum % orientations) % orientations;
    }
}
