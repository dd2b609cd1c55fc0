//! The pocket cube as people and programs meet it: names, text, and which solvers there are.

use std::borrow::Cow;

use rand::Rng;
use untumble_search::control::Control;
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{
    FormatInfo, InputFormat, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText, Repair, Shape, Stage,
    Workload, below,
};
use untumble_search::identity::PuzzleId;
use untumble_search::moves::Move;
use untumble_search::puzzle::Ranked;
use untumble_search::registry::Registry;
use untumble_search::solve::{self, gpu};
use untumble_search::spec::Spec;
use untumble_search::tables::{TableId, Tables};

use super::coordinates::{numbered, placed};
use super::full::{self, Full};
use super::tiny::{self, Tiny};
use super::{Corners, Cube2, FACES, TWISTS, device, held, heuristics, repair};
use crate::cube::pieces::{CORNERS, Placed, corner_stickers, each_sticker};
use crate::cube::{CubeError, FORMATS, Face, Symbols, Text, net, notation, pocket, read};

/// How many layers it has.
pub(super) const SIDE: usize = 2;

/// Solvers to offer, the easiest choice first.
const PRESETS: &[Preset] = &[
    Preset::AUTO,
    Preset {
        solver: full::NAME,
        title: "All distances",
        why: "Measures every position once; then each answer is immediate and shortest.",
    },
    Preset {
        solver: "ida+tiny",
        title: "A tiny table",
        why: "A table of 0.2 MB guides the search; shortest answers within milliseconds.",
    },
    Preset {
        solver: "bibfs",
        title: "From both ends",
        why: "Breadth-first search from the position and from solved until they meet; shortest.",
    },
    Preset {
        solver: "astar+manhattan",
        title: "A*",
        why: "Remembers what it has seen, guided by how far each corner is from home; shortest.",
    },
];

impl Cube2 {
    /// The colour of each sticker, colours being named after the corner at DBL.
    fn colours(corners: Corners) -> Vec<Face> {
        let mut colours = vec![Face::U; 6 * SIDE * SIDE];
        each_sticker(&CORNERS, &corner_stickers::<SIDE>(), &placed(corners), |at, colour| {
            colours[at] = colour;
        });
        colours
    }

    /// The position that corners are in, however they are held.
    pub(super) fn position(corners: &[Placed; 8]) -> Corners {
        numbered(&held::renamed(corners))
    }
}

impl PuzzleInfo for Cube2 {
    fn title(&self) -> String {
        "cube2".into()
    }

    fn id(&self) -> PuzzleId {
        self.turns().metric().identity("cube2")
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
        PRESETS.to_vec()
    }
}

impl PuzzleText for Cube2 {
    fn name(&self, m: Move) -> Cow<'_, str> {
        Cow::Borrowed(self.turns().name(m))
    }

    fn format_moves(&self, path: &[Move]) -> String {
        self.turns().format_moves(path)
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        let turns = notation::plain(&notation::read(text, SIDE)?, SIDE, &FACES);
        Ok(turns.into_iter().flat_map(|(face, quarters)| self.turns().of(face, quarters)).collect())
    }

    fn parse(&self, text: &str, end: bool, form: &InputFormat) -> Result<Parsed<Corners>, Box<Diagnostic>> {
        Ok(match read(SIDE, text, end, form)? {
            Text::Nothing => Parsed::Nothing,
            Text::More => Parsed::More,
            Text::Broken(why) => Parsed::Broken(why.into()),
            Text::Stickers(Symbols { letters, offsets }) => {
                let corners = pocket(&letters).map_err(|error| error.located(text, &offsets))?;
                Parsed::Position(Self::position(&corners))
            }
            Text::Moves(turns) => Parsed::Position(Self::position(&notation::corners_after(&turns, SIDE))),
        })
    }

    fn repairs(&self, text: &str, form: &InputFormat) -> Vec<Repair> {
        repair::near(self, text, form)
    }

    fn check(&self, corners: &Corners) -> Result<(), Error> {
        match usize::from(corners.twist) / TWISTS % 3 {
            0 => Ok(()),
            twist => {
                let error = CubeError::Unsolvable { twist, flipped: false, exchanged: false };
                Err(Error::Unsolvable(error.into()))
            }
        }
    }

    fn text(&self, corners: &Corners) -> String {
        Self::colours(*corners).into_iter().map(Face::letter).collect()
    }

    fn draw(&self, corners: &Corners, colour: bool) -> String {
        net(SIDE, &Self::colours(*corners), colour)
    }
}

impl PuzzleFrontend for Cube2 {
    fn registry(&self) -> Registry<Cube2> {
        Registry::new(self.title())
            .with_algorithms(solve::entries())
            .with_algorithms([full::entry(), device::entry()])
            .with_heuristics(heuristics::entries())
            .with_default(&[gpu::NAME], device::PROGRAMS[0])
    }

    fn auto(&self, ahead: &Workload<'_, Corners>, tables: &dyn Tables) -> Vec<Stage> {
        let needed = if Full::stands(self, tables) { full::LENGTH as u64 } else { full::BUILDING };
        let spec = if ahead.limits.memory.is_none_or(|most| most >= needed) {
            Spec::plain(full::NAME, None)
        } else {
            Spec::plain("iddfs", None)
        };
        vec![spec.into()]
    }

    fn bounds_in(&self, id: &TableId, tables: &dyn Tables, control: &Control) -> Option<Vec<u64>> {
        if *id == full::id(self) {
            Full::counts(self, tables, control)
        } else {
            Tiny::counts(self, tiny::buckets_of(self, id)?, tables, control)
        }
    }

    fn random(&self, rng: &mut dyn Rng) -> Corners {
        self.unrank(below(rng, self.count() as usize) as u64)
    }
}
