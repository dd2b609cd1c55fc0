//! Rubik's cube as people and programs meet it: names, text, and which solvers there are.

use std::borrow::Cow;

use rand::Rng;
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{
    FormatInfo, InputFormat, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText, Repair, Shape, Stage,
    Workload,
};
use untumble_search::identity::PuzzleId;
use untumble_search::moves::Move;
use untumble_search::perm::{below, shuffle};
use untumble_search::registry::Registry;
use untumble_search::solve;
use untumble_search::tables::Tables;

use super::{Cube, Cube3, choice, device, heuristics, optimal, repair, two_phase};
use crate::cube::pieces::{
    self, CORNERS, EDGES, Placed, corner_stickers, each_sticker, edge_stickers, odd, turned_edges,
};
use crate::cube::{
    CubeError, FORMATS, Face, Metric, Scheme, Stickers, Symbols, Text, UNKNOWN, corners, edges, net,
    notation, read, rubik,
};

/// How many layers it has.
pub(super) const SIDE: usize = 3;

/// The colour of each sticker.
fn colours(cube: Cube) -> Vec<Face> {
    let mut colours = Stickers::<SIDE>::solved().colours;
    each_sticker(&CORNERS, &corner_stickers::<SIDE>(), &cube.corners(), |at, colour| {
        colours[at] = colour;
    });
    each_sticker(&EDGES, &edge_stickers(), &cube.edges(), |at, colour| {
        colours[at] = colour;
    });
    colours
}

/// The cube that letters on stickers show.
fn shown(symbols: &[char]) -> Result<Cube, CubeError> {
    if symbols.contains(&UNKNOWN) {
        let (corners, edges) = rubik(symbols)?;
        return Ok(Cube::of(&corners, &edges));
    }
    let scheme = Scheme::of_centres(symbols)?;
    Ok(Cube::of(&corners::<SIDE>(symbols, &scheme)?, &edges(symbols, &scheme)?))
}

/// The cube after moves from solved, as it is held in the end.
fn after(turns: &[crate::cube::Turn]) -> Cube {
    let turn =
        |edges: [Placed; 12], (face, quarters)| pieces::after(&edges, &turned_edges(face, quarters), 2);
    let edges = notation::seen_from_the_end(turns, SIDE).fold(pieces::solved(), turn);
    Cube::of(&notation::corners_after(turns, SIDE), &edges)
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

    fn presets(&self) -> Vec<Preset> {
        choice::PRESETS.to_vec()
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
        let turns = notation::plain(&notation::read(text, SIDE)?, SIDE, &Face::ALL);
        Ok(turns.into_iter().flat_map(|(face, quarters)| self.turns().of(face, quarters)).collect())
    }

    fn parse(&self, text: &str, end: bool, form: &InputFormat) -> Result<Parsed<Cube>, Box<Diagnostic>> {
        Ok(match read(SIDE, text, end, form)? {
            Text::Nothing => Parsed::Nothing,
            Text::More => Parsed::More,
            Text::Broken(why) => Parsed::Broken(why.into()),
            Text::Stickers(Symbols { letters, offsets }) => {
                Parsed::Position(shown(&letters).map_err(|error| error.located(text, &offsets))?)
            }
            Text::Moves(turns) => Parsed::Position(after(&turns)),
        })
    }

    fn repairs(&self, text: &str, form: &InputFormat) -> Vec<Repair> {
        repair::near(self, text, form)
    }

    fn check(&self, cube: &Cube) -> Result<(), Error> {
        let turned = |pieces: &[Placed]| pieces.iter().map(|placed| placed.turn).sum::<usize>();
        let twist = turned(&cube.corners()) % 3;
        let flipped = turned(&cube.edges()) % 2 == 1;
        let exchanged = odd(&cube.corners()) != odd(&cube.edges());
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
            device::entry(),
        ]);
        let registry = match metric {
            Metric::Htm => registry,
            Metric::Qtm => registry.without(optimal::NAME, optimal::HALF_TURNS_ONLY),
        };
        heuristics::register(registry, metric)
    }

    fn auto(&self, ahead: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
        choice::choose(self, ahead, tables)
    }

    fn random(&self, rng: &mut dyn Rng) -> Cube {
        let (mut corners, mut edges) = (pieces::solved::<8>(), pieces::solved::<12>());
        mix(&mut corners, 3, rng);
        mix(&mut edges, 2, rng);
        if odd(&corners) != odd(&edges) {
            // Exchanging two edges pairs off what cannot be solved with what can.
            let (first, second) = (edges[0].piece, edges[1].piece);
            (edges[0].piece, edges[1].piece) = (second, first);
        }
        Cube::of(&corners, &edges)
    }
}

/// Pieces in a random order, turned at random; the last one's turn makes up for the others'.
fn mix(pieces: &mut [Placed], ways: usize, rng: &mut dyn Rng) {
    shuffle(pieces, rng);
    let mut sum = 0;
    if let Some((last, others)) = pieces.split_last_mut() {
        for placed in others {
            placed.turn = below(rng, ways);
            sum += placed.turn;
        }
        last.turn = (ways - sum % ways) % ways;
    }
}
