//! Beams on boards of tiles of any size, by a trained ranking: answers where proofs are out of reach.

mod learned;
mod walker;
mod weights;

use std::sync::Arc;

use rand::Rng;
use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::heuristic::Heuristic;
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::registry::BuildContext;
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::beam::{Plan, Unwatched, run};
use untumble_search::solve::tunnel::{Beams, Tunnel};
use untumble_search::solve::{Solver, beam_options};
use untumble_search::spec::HeuristicExpr;
use untumble_search::train::file::File;
use untumble_search::train::{FeatureWalker, TrainingTask};

pub use walker::{Sheet, Slide};
pub use weights::{Weights, side};

use super::heuristics::Manhattan;
use super::{Board, Cells, Goal, Tiles};

/// A beam that keeps `width` boards of each level.
pub struct Slides {
    /// What boards are ranked by.
    pub sheet: Arc<Sheet>,
    /// How many are kept.
    pub width: usize,
    /// Decides between boards of equal score.
    pub seed: u64,
}

/// Beam search and tunneling with the board's own walker where the trained ranking is the heuristic.
pub(super) fn specialized<C: Cells>(
    context: &BuildContext<'_, Tiles<C>>,
) -> Result<Option<Box<dyn Solver<Tiles<C>>>>, Error> {
    let Some(HeuristicExpr::Named { name, argument }) = &context.spec.heuristic else { return Ok(None) };
    if name != "learned" {
        return Ok(None);
    }
    let (width, seed) = beam_options(context.spec);
    let sheet = Arc::new(Sheet::named(context.puzzle.goal(), argument.as_deref())?);
    let beam = move |width, seed| Slides { sheet: Arc::clone(&sheet), width, seed };
    if context.spec.algorithm == "beam" {
        return Ok(Some(Box::new(beam(width, seed))));
    }
    let beams: Beams<Tiles<C>> = Box::new(move |width, seed, tiles: &Tiles<C>, starts, control| {
        beam(width, seed).solve(tiles, starts, control)
    });
    Ok(Some(Box::new(Tunnel { beams, width, seed })))
}

impl Sheet {
    /// By the weights of a file, or those that ship.
    pub fn named(goal: &Goal, file: Option<&str>) -> Result<Sheet, Error> {
        let weights = match file {
            Some(file) => Weights::read(goal.size(), file)?,
            None => Weights::learned(goal.size()),
        };
        Ok(Sheet::new(goal, &weights))
    }
}

fn plan(width: usize, seed: u64) -> Plan {
    Plan { width, seed, moves: 4, cheapest: 1, admissible: false }
}

impl<C: Cells> Solver<Tiles<C>> for Slides {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let manhattan = Manhattan::new(tiles.goal());
        let floor = |board| Heuristic::<Tiles<C>>::cost(&manhattan, &manhattan.start(tiles, board));
        control.prove(starts.iter().map(floor).min().unwrap_or(0));
        if starts.iter().any(|board| tiles.is_goal(board)) {
            control.offer(&[], 0);
            let counts = Counts { generated: 1, ..Counts::default() };
            return Report::from_control(Outcome::Solved, control, counts);
        }
        let walkers: Vec<Slide<'_>> =
            starts.iter().map(|board| Slide::new(&self.sheet, &tiles.names(board))).collect();
        run(&plan(self.width, self.seed), &walkers, &|path: &[Move]| path.len() as Cost, &Unwatched, control)
    }
}

impl FeatureWalker for Slide<'_> {
    fn features(&self, counts: &mut [i32]) {
        self.each_feature(|place| counts[usize::from(place)] += 1);
    }
}

impl<C: Cells> TrainingTask for Tiles<C> {
    type Problem = Board<C>;
    type Rating = Sheet;
    type Walker<'a> = Slide<'a>;

    fn names(&self) -> Vec<String> {
        Weights::names(side(self.size()))
    }

    fn first(&self) -> Vec<f64> {
        Weights::closed(side(self.size())).all().to_vec()
    }

    fn begin(&self, from: Option<(&str, &File)>) -> Result<Vec<f64>, Error> {
        let weights = match from {
            None => Weights::learned(self.size()),
            Some((name, file)) => Weights::adapted(self.size(), name, file)?,
        };
        Ok(weights.all().to_vec())
    }

    fn project(&self, weights: &mut [f64]) {
        Weights::project(side(self.size()), weights);
    }

    fn rating(&self, weights: &[f64]) -> Sheet {
        Sheet::new(self.goal(), &Weights::new(side(self.size()), weights))
    }

    fn problem(&self, rng: &mut dyn Rng) -> Board<C> {
        self.random(rng)
    }

    fn walkers<'a>(&'a self, sheet: &'a Sheet, board: &Board<C>) -> Vec<Slide<'a>> {
        vec![Slide::new(sheet, &Tiles::names(self, board))]
    }

    fn plan(&self, width: usize, seed: u64) -> Plan {
        plan(width, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::laws;

    use crate::tiles::Size;
    use crate::tiles::layers::Layers;

    fn tiles(rows: usize, columns: usize, goal: &str) -> Tiles<Box<[u16]>> {
        Tiles::new(Goal::named(Size { rows, columns }, goal).expect("a known goal"))
    }

    fn length(
        by: &impl Solver<Tiles<Box<[u16]>>>,
        tiles: &Tiles<Box<[u16]>>,
        board: &Board<Box<[u16]>>,
    ) -> usize {
        let report = by.solve(tiles, std::slice::from_ref(board), &Control::default());
        let best = report.best.expect("an answer");
        assert!(laws::replays(tiles, std::slice::from_ref(board), &best.moves), "what is found solves");
        best.moves.len()
    }

    #[test]
    fn boards_of_any_shape_and_goal_are_solved_far_shorter_than_by_lines() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for (rows, columns, goal) in [
            (2, 2, "blank-last"),
            (3, 3, "snail"),
            (2, 7, "blank-first"),
            (6, 6, "snail"),
            (7, 10, "blank-last"),
        ] {
            let tiles = tiles(rows, columns, goal);
            let sheet = Arc::new(Sheet::named(tiles.goal(), None).expect("weights ship"));
            let beam = Slides { sheet, width: 200, seed: 0 };
            let (mut ours, mut lines) = (0, 0);
            for _ in 0..3 {
                let board = tiles.random(&mut rng);
                ours += length(&beam, &tiles, &board);
                lines += length(&Layers, &tiles, &board);
            }
            assert!(rows * columns < 36 || 10 * ours < 8 * lines, "{rows}x{columns}: {ours} {lines}");
        }
    }

    /// Where nothing is better than anything else, the lines still lead to an end.
    #[test]
    fn a_beam_that_is_stuck_has_an_answer() {
        let tiles = tiles(6, 6, "blank-last");
        let sheet = Arc::new(Sheet::new(tiles.goal(), &Weights::new(6, &[])));
        let board = tiles.random(&mut ChaCha8Rng::seed_from_u64(8));
        assert!(length(&Slides { sheet, width: 4, seed: 0 }, &tiles, &board) > 0);
    }
}
