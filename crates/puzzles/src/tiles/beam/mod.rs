//! Beam search on boards of any size by a trained linear ranking: short solutions where proofs are out of
//! reach.
//!
//! The walker (`walker.rs`) evaluates moves incrementally with the trained weights (`weights.rs`).

mod eval_tables;
mod shipped_weights;
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
use untumble_search::registry::Registry;
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::beam::{self, BeamConfig, NoObserver, run};
use untumble_search::solve::tunnel::{self, BeamRunner, Tunneling};
use untumble_search::solve::{Solver, beam_options};
use untumble_search::train::weights::WeightsFile;
use untumble_search::train::{FeatureWalker, TrainingTask};

pub use eval_tables::EvalTables;
pub use walker::TilesWalker;
pub use weights::{Weights, longer_side};

use super::heuristics::{LEARNED, Manhattan};
use super::{Board, Cells, Goal, Tiles};

/// Beam search with the incremental walker.
pub struct TilesBeam {
    /// The weights, prepared for one goal.
    pub tables: Arc<EvalTables>,
    /// Number of boards kept at each level.
    pub width: usize,
    /// Seed of the tie-breaking between boards of equal score.
    pub seed: u64,
}

/// Registers beam search and tunneling with the incremental walker for the trained ranking.
pub(super) fn register<C: Cells>(registry: Registry<Tiles<C>>) -> Registry<Tiles<C>> {
    registry
        .with_specialization(beam::NAME, LEARNED, |context, file| {
            let (width, seed) = beam_options(context.spec);
            let tables = Arc::new(EvalTables::load(context.puzzle.goal(), file, context.control)?);
            Ok(Some(Box::new(TilesBeam { tables, width, seed })))
        })
        .with_specialization(tunnel::NAME, LEARNED, |context, file| {
            let (width, seed) = beam_options(context.spec);
            let tables = Arc::new(EvalTables::load(context.puzzle.goal(), file, context.control)?);
            let run_beam: BeamRunner<Tiles<C>> = Box::new(move |width, seed, tiles, starts, control| {
                TilesBeam { tables: Arc::clone(&tables), width, seed }.solve(tiles, starts, control)
            });
            Ok(Some(Box::new(Tunneling { run_beam, width, seed })))
        })
}

impl EvalTables {
    /// The tables for the weights of a file, or for the shipped weights.
    pub fn load(goal: &Goal, file: Option<&str>, control: &Control) -> Result<EvalTables, Error> {
        let weights = match file {
            Some(file) => Weights::read(goal.size(), file, control)?,
            None => Weights::shipped(goal.size()),
        };
        Ok(EvalTables::new(goal, &weights))
    }
}

fn beam_config(width: usize, seed: u64) -> BeamConfig {
    BeamConfig { width, seed, max_branching: 4, min_move_cost: 1, admissible: false }
}

impl<C: Cells> Solver<Tiles<C>> for TilesBeam {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let manhattan = Manhattan::new(tiles.goal());
        let lower_bound = |board| Heuristic::<Tiles<C>>::cost(&manhattan, &manhattan.start(tiles, board));
        control.raise_lower_bound(starts.iter().map(lower_bound).min().unwrap_or(0));
        if starts.iter().any(|board| tiles.is_goal(board)) {
            control.offer(&[], 0);
            let counts = Counts { generated: 1, ..Counts::default() };
            return Report::from_control(Outcome::Solved, control, counts);
        }
        let walkers: Vec<TilesWalker<'_>> =
            starts.iter().map(|board| TilesWalker::new(&self.tables, &tiles.tile_ids(board))).collect();
        run(
            &beam_config(self.width, self.seed),
            &walkers,
            &|path: &[Move]| path.len() as Cost,
            &NoObserver,
            control,
        )
    }
}

impl FeatureWalker for TilesWalker<'_> {
    fn features(&self, counts: &mut [i32]) {
        self.for_each_feature(|feature| counts[usize::from(feature)] += 1);
    }
}

impl<C: Cells> TrainingTask for Tiles<C> {
    type Position = Board<C>;
    type Evaluator = EvalTables;
    type Walker<'a> = TilesWalker<'a>;

    fn feature_names(&self) -> Vec<String> {
        Weights::names(longer_side(self.size()))
    }

    fn untrained_weights(&self) -> Vec<f64> {
        Weights::closed_form(longer_side(self.size())).values().to_vec()
    }

    fn initial_weights(&self, from: Option<(&str, &WeightsFile)>) -> Result<Vec<f64>, Error> {
        let weights = match from {
            None => Weights::shipped(self.size()),
            Some((name, file)) => Weights::from_file(self.size(), name, file)?,
        };
        Ok(weights.values().to_vec())
    }

    fn project(&self, weights: &mut [f64]) {
        Weights::project(longer_side(self.size()), weights);
    }

    fn evaluator(&self, weights: &[f64]) -> EvalTables {
        EvalTables::new(self.goal(), &Weights::new(longer_side(self.size()), weights))
    }

    fn random_position(&self, rng: &mut dyn Rng) -> Board<C> {
        self.random(rng)
    }

    fn walkers<'a>(&'a self, tables: &'a EvalTables, board: &Board<C>) -> Vec<TilesWalker<'a>> {
        vec![TilesWalker::new(tables, &Tiles::tile_ids(self, board))]
    }

    fn beam_config(&self, width: usize, seed: u64) -> BeamConfig {
        beam_config(width, seed)
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

    /// The length of the solver's solution, which is checked.
    fn length(
        solver: &impl Solver<Tiles<Box<[u16]>>>,
        tiles: &Tiles<Box<[u16]>>,
        board: &Board<Box<[u16]>>,
    ) -> usize {
        let report = solver.solve(tiles, std::slice::from_ref(board), &Control::default());
        let best = report.best.expect("a solution");
        assert!(laws::is_solution(tiles, std::slice::from_ref(board), &best.moves), "the solution is valid");
        best.moves.len()
    }

    #[test]
    fn solutions_are_much_shorter_than_those_of_the_layers_solver() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for (rows, columns, goal) in [
            (2, 2, "blank-last"),
            (3, 3, "snail"),
            (2, 7, "blank-first"),
            (6, 6, "snail"),
            (7, 10, "blank-last"),
        ] {
            let tiles = tiles(rows, columns, goal);
            let tables =
                Arc::new(EvalTables::load(tiles.goal(), None, &Control::default()).expect("shipped weights"));
            let beam = TilesBeam { tables, width: 200, seed: 0 };
            let (mut by_beam, mut by_layers) = (0, 0);
            for _ in 0..3 {
                let board = tiles.random(&mut rng);
                by_beam += length(&beam, &tiles, &board);
                by_layers += length(&Layers, &tiles, &board);
            }
            assert!(
                rows * columns < 36 || 10 * by_beam < 8 * by_layers,
                "{rows}x{columns}: {by_beam} {by_layers}"
            );
        }
    }

    /// All boards have the same score, so only the layers solver leads to the goal.
    #[test]
    fn a_stagnated_beam_still_finds_a_solution() {
        let tiles = tiles(6, 6, "blank-last");
        let tables = Arc::new(EvalTables::new(tiles.goal(), &Weights::new(6, &[])));
        let board = tiles.random(&mut ChaCha8Rng::seed_from_u64(8));
        assert!(length(&TilesBeam { tables, width: 4, seed: 0 }, &tiles, &board) > 0);
    }
}
