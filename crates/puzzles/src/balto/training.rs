//! Training of the evaluation weights by ranking: R. Bocquet's method ("Balto's Puzzle", Al Zimmermann's
//! Programming Contests, 2024), with the optimizer of [`untumble_search::train`].
//!
//! Training samples come from beam searches on random boards. The features of a state count the
//! occurrences of each class of [`Weights`].

use rand::Rng;
use untumble_search::error::Error;
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::puzzle::Puzzle;
use untumble_search::solve::beam::BeamConfig;
use untumble_search::train::weights::WeightsFile;
use untumble_search::train::{FeatureWalker, TrainingTask};

use super::beam::{BidirectionalBeam, initial_states};
use super::bidirectional::{BidirectionalState, EvalTables};
use super::weights::Weights;
use super::{Balto, Board};

impl FeatureWalker for BidirectionalState<'_> {
    fn features(&self, counts: &mut [i32]) {
        self.for_each_feature(|index| counts[usize::from(index)] += 1);
    }
}

impl TrainingTask for Balto {
    type Position = Board;
    type Evaluator = EvalTables;
    type Walker<'a> = BidirectionalState<'a>;

    fn feature_names(&self) -> Vec<String> {
        Weights::names(self.lattice().side())
    }

    fn untrained_weights(&self) -> Vec<f64> {
        Weights::closed_form(self.lattice().side()).to_vec()
    }

    fn initial_weights(&self, from: Option<(&str, &WeightsFile)>) -> Result<Vec<f64>, Error> {
        let side = self.lattice().side();
        let weights = match from {
            None => Weights::learned(side),
            Some((name, file)) => Weights::from_file_resized(side, name, file)?,
        };
        Ok(weights.to_vec())
    }

    fn project(&self, weights: &mut [f64]) {
        Weights::project(self.lattice().side(), weights);
    }

    fn evaluator(&self, weights: &[f64]) -> EvalTables {
        EvalTables::new(self.lattice(), &Weights::new(self.lattice().side(), weights))
    }

    fn random_position(&self, rng: &mut dyn Rng) -> Board {
        self.random(rng)
    }

    fn walkers<'a>(&'a self, tables: &'a EvalTables, board: &Board) -> Vec<BidirectionalState<'a>> {
        initial_states(self, tables, &self.start_states(board))
    }

    fn beam_config(&self, width: usize, seed: u64) -> BeamConfig {
        BidirectionalBeam::beam_config(width, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::SCORE_SCALE;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn score_is_the_product_of_features_and_weights() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for side in [2, 3, 7, 12] {
            let balto = Balto::new(side);
            let weights = Weights::learned(side).to_vec();
            let tables = balto.evaluator(&weights);
            for _ in 0..10 {
                let board = balto.random(&mut rng);
                for state in balto.walkers(&tables, &board) {
                    let mut counts = vec![0; weights.len()];
                    state.features(&mut counts);
                    let scaled = |weight: &f64| (SCORE_SCALE * weight).round() as i32;
                    let score: i32 =
                        counts.iter().zip(&weights).map(|(count, weight)| count * scaled(weight)).sum();
                    assert_eq!(score, state.score(), "side {side}");
                }
            }
        }
    }

    #[test]
    fn projection_is_monotone_and_idempotent() {
        let balto = Balto::new(7);
        let mut weights: Vec<f64> =
            (0..balto.untrained_weights().len()).map(|n| (n * 37 % 23) as f64 - 5.0).collect();
        balto.project(&mut weights);
        assert!(weights.iter().all(|&weight| weight >= 0.0));
        assert_eq!(weights[0], 0.0);
        let mut again = weights.clone();
        balto.project(&mut again);
        assert_eq!(again, weights);
        let names = balto.feature_names();
        let weight = |name: &str| names.iter().position(|known| known == name).map(|index| weights[index]);
        assert!(weight("3,1") >= weight("2,1") && weight("3,1") >= weight("3,0"));
        assert!(weight("2,2") >= weight("2,1"));
    }
}
