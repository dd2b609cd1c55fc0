//! Learning to rank boards of Balto's puzzle.

use rand::Rng;
use untumble_search::error::Error;
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::puzzle::Puzzle;
use untumble_search::solve::beam::Plan;
use untumble_search::train::file::File;
use untumble_search::train::{FeatureWalker, TrainingTask};

use super::beam::{TwoEnded, walkers};
use super::ends::{Ends, Sheet};
use super::weights::Weights;
use super::{Balto, Board};

impl FeatureWalker for Ends<'_> {
    fn features(&self, counts: &mut [i32]) {
        self.each_feature(|place| counts[usize::from(place)] += 1);
    }
}

impl TrainingTask for Balto {
    type Problem = Board;
    type Rating = Sheet;
    type Walker<'a> = Ends<'a>;

    fn names(&self) -> Vec<String> {
        Weights::names(self.lattice().side())
    }

    fn first(&self) -> Vec<f64> {
        Weights::closed(self.lattice().side()).all()
    }

    fn begin(&self, from: Option<(&str, &File)>) -> Result<Vec<f64>, Error> {
        let side = self.lattice().side();
        Ok(match from {
            None => Weights::learned(side),
            Some((name, file)) => Weights::adapted(side, name, file)?,
        }
        .all())
    }

    fn project(&self, weights: &mut [f64]) {
        Weights::project(self.lattice().side(), weights);
    }

    fn rating(&self, weights: &[f64]) -> Sheet {
        Sheet::new(self.lattice(), &Weights::new(self.lattice().side(), weights))
    }

    fn problem(&self, rng: &mut dyn Rng) -> Board {
        self.random(rng)
    }

    fn walkers<'a>(&'a self, sheet: &'a Sheet, board: &Board) -> Vec<Ends<'a>> {
        walkers(self, sheet, &self.starts(board))
    }

    fn plan(&self, width: usize, seed: u64) -> Plan {
        TwoEnded::plan(width, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn scores_are_features_times_weights() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for side in [2, 3, 7, 12] {
            let balto = Balto::new(side);
            let weights = Weights::learned(side).all();
            let sheet = balto.rating(&weights);
            for _ in 0..10 {
                let board = balto.random(&mut rng);
                for ends in balto.walkers(&sheet, &board) {
                    let mut counts = vec![0; weights.len()];
                    ends.features(&mut counts);
                    let whole = |weight: &f64| (64.0 * weight).round() as i32;
                    let score: i32 =
                        counts.iter().zip(&weights).map(|(count, weight)| count * whole(weight)).sum();
                    assert_eq!(score, ends.score(), "side {side}");
                }
            }
        }
    }

    #[test]
    fn what_is_projected_is_monotone_and_stays() {
        let balto = Balto::new(7);
        let mut weights: Vec<f64> = (0..balto.first().len()).map(|n| (n * 37 % 23) as f64 - 5.0).collect();
        balto.project(&mut weights);
        assert!(weights.iter().all(|&weight| weight >= 0.0));
        assert_eq!(weights[0], 0.0);
        let mut again = weights.clone();
        balto.project(&mut again);
        assert_eq!(again, weights);
        let names = TrainingTask::names(&balto);
        let of = |name: &str| names.iter().position(|known| known == name).map(|place| weights[place]);
        assert!(of("3,1") >= of("2,1") && of("3,1") >= of("3,0"));
        assert!(of("2,2") >= of("2,1"));
    }
}
