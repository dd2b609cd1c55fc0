//! Balto's puzzle as people and programs meet it: names, text, and which solvers there are.

use std::borrow::Cow;

use rand::Rng;
use untumble_search::control::{Control, Stop};
use untumble_search::error::{Diagnostic, Error, invalid};
use untumble_search::frontend::{
    FormatOf, HeuristicOf, InputFormat, Parsed, Preset, PuzzleFrontend, Repair, Shape, Stage, Workload,
    validate,
};
use untumble_search::moves::Move;
use untumble_search::perm::{is_odd_permutation, shuffle};
use untumble_search::solve::tunnel::{Beams, Tunnel};
use untumble_search::solve::{ALGORITHMS, Algorithm, Solver, assemble, beam_options, complete, insertion};
use untumble_search::spec::{HeuristicExpr, Spec};
use untumble_search::tables::Tables;
use untumble_search::train::{Learning, TrainingConfig, TrainingContext, learn};

use super::beam::TwoEnded;
use super::heuristics::{HEURISTICS, Heuristics, Rating, weights};
use super::meet::{self, Meet};
use super::{Balto, Board, choice, text};

impl PuzzleFrontend for Balto {
    fn title(&self) -> String {
        format!("balto-{}", self.lattice().side())
    }

    fn algorithms(&self) -> Vec<Algorithm> {
        let small = self.lattice().side() <= meet::LONGEST_SIDE;
        ALGORITHMS.iter().copied().chain(small.then_some(meet::ALGORITHM)).collect()
    }

    fn heuristics(&self) -> Vec<HeuristicOf> {
        HEURISTICS.to_vec()
    }

    fn formats(&self) -> Vec<FormatOf> {
        text::FORMATS.to_vec()
    }

    fn shape(&self) -> Shape {
        Shape { kind: "balto", sizes: vec![("side", self.lattice().side())] }
    }

    fn presets(&self) -> Vec<Preset> {
        choice::presets(self.lattice().side())
    }

    fn validate(&self, spec: &Spec) -> Result<(), Error> {
        if spec.algorithm == meet::NAME {
            meet::validate(self.lattice().side())?;
        }
        validate(self, spec)
    }

    fn solver(
        &self,
        spec: &Spec,
        _tables: &dyn Tables,
        _control: &Control,
    ) -> Result<(Spec, Box<dyn Solver<Self>>), Error> {
        self.validate(spec)?;
        // What promises nothing goes by what ranks best.
        let ranked = matches!(spec.algorithm.as_str(), "beam" | "tunnel" | "greedy");
        let spec = complete(spec, &self.algorithms(), || {
            HeuristicExpr::named(if ranked { "learned" } else { "torus" })
        })?;
        if let ("beam" | "tunnel", Some(HeuristicExpr::Named { name, argument })) =
            (spec.algorithm.as_str(), &spec.heuristic)
            && let Some(weights) = weights(self, name, argument.as_deref())?
        {
            let (width, seed) = beam_options(&spec);
            let rating = Rating::new(self, &weights);
            let beam = move |width, seed| TwoEnded { rating: rating.clone(), width, seed };
            if spec.algorithm == "beam" {
                return Ok((spec, Box::new(beam(width, seed))));
            }
            let beams: Beams<Self> = Box::new(move |width, seed, balto: &Self, starts, control| {
                beam(width, seed).solve(balto, starts, control)
            });
            return Ok((spec, Box::new(Tunnel { beams, width, seed })));
        }
        if spec.algorithm == meet::NAME {
            return Ok((spec, Box::new(Meet)));
        }
        let solver = assemble(&spec, &Heuristics(self))?;
        Ok((spec, solver))
    }

    fn auto(&self, ahead: &Workload<'_, Board>, _tables: &dyn Tables) -> Vec<Stage> {
        choice::choose(self.lattice().side(), ahead)
    }

    fn name(&self, m: Move) -> Cow<'_, str> {
        Cow::Borrowed(text::name(m))
    }

    fn format_moves(&self, path: &[Move]) -> String {
        text::format_moves(path)
    }

    fn answer_line(&self, path: &[Move]) -> String {
        format!("{}:{}", self.lattice().side(), text::format_moves(path))
    }

    fn read_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        text::read_moves(self.lattice(), text)
    }

    fn take(&self, text: &str, end: bool, form: &InputFormat) -> Result<Parsed<Board>, Box<Diagnostic>> {
        self.take_text(text, end, form)
    }

    fn repairs(&self, text: &str, form: &InputFormat) -> Vec<Repair> {
        self.near(text, form)
    }

    fn check(&self, board: &Board) -> Result<(), Error> {
        if is_even(board.cells()) {
            return Ok(());
        }
        Err(Error::Unsolvable(invalid(
            "no moves solve it: its parity is odd, an odd number of exchanges makes it, and a turn of three is always two; swapping any two tiles would make it solvable",
        )))
    }

    /// Move sequences that take three tiles around come further than what is found by trying.
    fn finish(&self, starts: &[Board], moves: &[Move], control: &Control) -> Result<Option<Vec<Move>>, Stop> {
        if let Some(solution) = self.finish_by_cycles(starts, moves, control) {
            return Ok(Some(solution));
        }
        insertion::finish(self, starts, moves, control)
    }

    fn learn(&self, lesson: &TrainingConfig, pupil: TrainingContext<'_>) -> Result<Learning, Error> {
        learn(self, lesson, pupil)
    }

    fn text(&self, board: &Board) -> String {
        self.tiles(board).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn draw(&self, board: &Board, colour: bool) -> String {
        self.picture(board, colour)
    }

    fn random(&self, rng: &mut dyn Rng) -> Board {
        let count = self.lattice().cells();
        let mut cells: Box<[u16]> = (0..count as u16).collect();
        shuffle(&mut cells, rng);
        if !is_even(&cells) {
            // Exchanging two cells pairs off the odd arrangements with the even ones.
            cells.swap(0, 1);
        }
        self.board(cells)
    }
}

/// Whether an even number of exchanges makes the arrangement: a turn of three cells is two of them.
fn is_even(cells: &[u16]) -> bool {
    !is_odd_permutation(cells.len(), |cell| cells[cell].into())
}
