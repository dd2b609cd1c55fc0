//! Learning to rank boards of Balto's puzzle.

use rand::Rng;
use untumble_search::catalogued::Catalogued;
use untumble_search::puzzle::Puzzle;
use untumble_search::solve::beam::Plan;
use untumble_search::train::{Featured, School};

use super::beam::{TwoEnded, walkers};
use super::ends::{Ends, Sheet};
use super::weights::Weights;
use super::{Balto, Board};

impl Featured for Ends<'_> {
    fn features(&self, counts: &mut [i32]) {
        self.each_feature(|place| counts[usize::from(place)] += 1);
    }
}

impl School for Balto {
    type Problem = Board;
    type Rating = Sheet;
    type Walker<'a> = Ends<'a>;

    fn names(&self) -> Vec<String> {
        Weights::names(self.lattice().side())
    }

    fn first(&self) -> Vec<f64> {
        Weights::closed(self.lattice().side()).all()
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
