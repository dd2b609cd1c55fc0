//! Implementations of the front-end traits for Balto's puzzle: description, text, registry, `auto`.

use std::borrow::Cow;

use rand::Rng;
use untumble_search::control::{Control, Stop};
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{
    FormatInfo, InputFormat, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText, Repair, Shape, Stage,
    Workload,
};
use untumble_search::identity::PuzzleId;
use untumble_search::moves::Move;
use untumble_search::perm::{is_odd_permutation, shuffle};
use untumble_search::registry::{Registry, Unavailable};
use untumble_search::solve::{self, best_first, insertion, tunnel};
use untumble_search::tables::Tables;
use untumble_search::train::{TrainingConfig, TrainingContext, TrainingResult, train};

use super::{Balto, BaltoError, Board, beam, heuristics, mitm, portfolio, text};

impl PuzzleInfo for Balto {
    fn title(&self) -> String {
        format!("balto-{}", self.lattice().side())
    }

    fn id(&self) -> PuzzleId {
        PuzzleId::of("balto", Some(self.lattice().side().to_string()))
    }

    fn metric(&self) -> &str {
        "moves"
    }

    fn goal_text(&self) -> String {
        "solved".into()
    }

    fn formats(&self) -> Vec<FormatInfo> {
        text::FORMATS.to_vec()
    }

    fn shape(&self) -> Shape {
        Shape { kind: "balto", sizes: vec![("side", self.lattice().side())] }
    }

    fn presets(&self) -> Vec<Preset> {
        portfolio::presets(self.lattice().side())
    }
}

impl PuzzleText for Balto {
    fn name(&self, m: Move) -> Cow<'_, str> {
        Cow::Borrowed(text::move_name(m))
    }

    fn format_moves(&self, path: &[Move]) -> String {
        text::format_moves(path)
    }

    fn answer_line(&self, path: &[Move]) -> String {
        format!("{}:{}", self.lattice().side(), text::format_moves(path))
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        Ok(text::parse_moves(self.lattice(), text, text)?)
    }

    fn parse(&self, text: &str, at_end: bool, input: &InputFormat) -> Result<Parsed<Board>, Box<Diagnostic>> {
        self.parse_text(text, at_end, input)
    }

    fn repairs(&self, text: &str, input: &InputFormat) -> Vec<Repair> {
        self.suggest_repairs(text, input)
    }

    fn check_solvable(&self, board: &Board) -> Result<(), Error> {
        if is_even(board.cells()) {
            return Ok(());
        }
        Err(Error::Unsolvable(BaltoError::Parity.into()))
    }

    fn text(&self, board: &Board) -> String {
        self.tiles(board).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn draw(&self, board: &Board, colour: bool) -> String {
        self.picture(board, colour)
    }
}

impl PuzzleFrontend for Balto {
    fn registry(&self) -> Registry<Balto> {
        let side = self.lattice().side();
        let mut registry =
            Registry::new(self.title()).with_algorithms(solve::entries()).with_algorithms([mitm::entry()]);
        if side > mitm::MAX_SIDE {
            let reason = Unavailable::TooLarge {
                unit: "cells a side",
                most: mitm::MAX_SIDE.to_string(),
                actual: side.to_string(),
                instead: Some(solve::beam::NAME),
            };
            registry = registry.without(mitm::NAME, reason);
        }
        let inadmissible = [solve::beam::NAME, tunnel::NAME, best_first::GREEDY_NAME];
        let registry = registry
            .with_heuristics(heuristics::entries())
            .with_default_heuristic(heuristics::TORUS)
            .with_default_heuristic_for(&inadmissible, heuristics::LEARNED);
        beam::register(registry)
    }

    fn auto(&self, workload: &Workload<'_, Board>, _tables: &dyn Tables) -> Vec<Stage> {
        portfolio::choose(self.lattice().side(), workload)
    }

    /// Inserts 3-cycles; falls back to the engine's insertion search if too many tiles are unsolved.
    fn finish(&self, starts: &[Board], moves: &[Move], control: &Control) -> Result<Option<Vec<Move>>, Stop> {
        if let Some(solution) = self.finish_by_insertion(starts, moves, control) {
            return Ok(Some(solution));
        }
        insertion::finish(self, starts, moves, control)
    }

    fn learn(&self, config: &TrainingConfig, context: TrainingContext<'_>) -> Result<TrainingResult, Error> {
        train(self, config, context)
    }

    fn random(&self, rng: &mut dyn Rng) -> Board {
        let count = self.lattice().cells();
        let mut cells: Box<[u16]> = (0..count as u16).collect();
        shuffle(&mut cells, rng);
        if !is_even(&cells) {
            // The transposition maps odd permutations one-to-one to even ones, so the result stays uniform.
            cells.swap(0, 1);
        }
        self.board(cells)
    }
}

/// Whether the permutation is even. Every move is a 3-cycle and keeps the parity.
fn is_even(cells: &[u16]) -> bool {
    !is_odd_permutation(cells.len(), |cell| cells[cell].into())
}
