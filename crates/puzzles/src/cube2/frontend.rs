//! Front end of the pocket cube: names, text formats, solvers.

use std::borrow::Cow;
use std::sync::Arc;

use rand::Rng;
use untumble_search::control::{Control, Stop};
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{
    FormatInfo, InputFormat, InputKind, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText, Repair,
    Shape, Stage, Workload, below,
};
use untumble_search::identity::PuzzleId;
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Ranked};
use untumble_search::registry::Registry;
use untumble_search::solve::{self, gpu};
use untumble_search::spec::Spec;
use untumble_search::tables::{Table, TableId, Tables, ValueDistribution};

use super::coordinates::{coordinates_of, cubies_of};
use super::full::{self, FullTable};
use super::tiny::{self, TinyTable};
use super::{Corners, Cube2, FACES, TWISTS, device, fixed_corner, heuristics, repair};
use crate::cube::pieces::{CORNERS, Cubie, corner_stickers, for_each_sticker};
use crate::cube::{
    CubeError, CubeInput, FORMATS, Face, StickerLetters, complete_pocket_cube, net, notation, parse_input,
};

/// Number of layers.
pub(super) const SIDE: usize = 2;

/// Presets, the default first.
const PRESETS: &[Preset] = &[
    Preset::AUTO,
    Preset {
        solver: full::NAME,
        title: "Table of all distances",
        why: "Computes all distances once; then every optimal solution is a look-up.",
    },
    Preset {
        solver: "ida+tiny",
        title: "IDA* with a tiny table",
        why: "Optimal solutions within milliseconds, with a table of 0.2 MB.",
    },
    Preset {
        solver: "bibfs",
        title: "Bidirectional search",
        why: "Breadth-first search from both ends until they meet; optimal.",
    },
    Preset {
        solver: "astar+manhattan",
        title: "A*",
        why: "Best-first search guided by the distance of each corner from home; optimal.",
    },
];

impl Cube2 {
    /// The colour of each sticker; the corner at DBL defines the colour names.
    fn colours(corners: Corners) -> Vec<Face> {
        let mut colours = vec![Face::U; 6 * SIDE * SIDE];
        for_each_sticker(&CORNERS, &corner_stickers::<SIDE>(), &cubies_of(corners), |at, colour| {
            colours[at] = colour;
        });
        colours
    }

    /// The position with these corners, in any orientation of the whole cube.
    pub(super) fn position(corners: &[Cubie; 8]) -> Corners {
        coordinates_of(&fixed_corner::normalize(corners))
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

    fn scramble_kind(&self) -> InputKind {
        InputKind::Moves
    }

    fn scramble_solver(&self) -> Option<(&'static str, Option<Cost>)> {
        Some(("bibfs", None))
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
        let turns = notation::to_face_turns(&notation::parse_moves(text, SIDE)?, SIDE, &FACES);
        Ok(turns.into_iter().flat_map(|(face, quarters)| self.turns().moves_for(face, quarters)).collect())
    }

    fn parse(
        &self,
        text: &str,
        at_end: bool,
        format: &InputFormat,
    ) -> Result<Parsed<Corners>, Box<Diagnostic>> {
        Ok(match parse_input(SIDE, text, at_end, format)? {
            CubeInput::Empty => Parsed::Nothing,
            CubeInput::NeedsMoreLines => Parsed::More,
            CubeInput::Interrupted(why) => Parsed::Unfinished(why.into()),
            CubeInput::SeparateLines(why) => Parsed::Separate(why.into()),
            CubeInput::Stickers(StickerLetters { letters, offsets }) => {
                let corners =
                    complete_pocket_cube(&letters).map_err(|error| error.located(text, &offsets))?;
                Parsed::Position(Self::position(&corners))
            }
            CubeInput::Moves(turns) => {
                Parsed::Position(Self::position(&notation::corners_after_moves(&turns, SIDE)))
            }
        })
    }

    fn repairs(&self, text: &str, format: &InputFormat) -> Vec<Repair> {
        repair::repairs(self, text, format)
    }

    fn check_solvable(&self, corners: &Corners) -> Result<(), Error> {
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
            .with_default_heuristic_for(&[gpu::NAME], heuristics::MANHATTAN)
    }

    fn auto(&self, workload: &Workload<'_, Corners>, tables: &dyn Tables) -> Vec<Stage> {
        let needed =
            if FullTable::is_built(self, tables) { full::TABLE_BYTES as u64 } else { full::BUILD_BYTES };
        let spec = if workload.limits.memory.is_none_or(|limit| limit >= needed) {
            Spec::plain(full::NAME, None)
        } else {
            Spec::plain("iddfs", None)
        };
        vec![spec.into()]
    }

    fn value_distribution(
        &self,
        id: &TableId,
        contents: &Arc<Table>,
        _control: &Control,
    ) -> Result<Option<ValueDistribution>, Stop> {
        Ok(if *id == full::id(self) {
            FullTable::distribution(contents.bytes())
        } else {
            tiny::buckets_of(self, id).and_then(|buckets| TinyTable::distribution(buckets, contents.bytes()))
        })
    }

    fn exact_distance(
        &self,
        corners: &Corners,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Option<Cost>, Error> {
        Ok(FullTable::new(self, tables, control)?.distance(*corners))
    }

    fn random(&self, rng: &mut dyn Rng) -> Corners {
        self.unrank(below(rng, self.count() as usize) as u64)
    }
}
