//! The weights that ship with the program: what `scripts/train-balto` learned on random boards.

use untumble_search::error::Error;
use untumble_search::train::file::File;

use super::weights::{SURROUNDINGS, Weights, displacements};

macro_rules! files {
    ($($side:literal)*) => { &[$(($side, include_str!(concat!("learned/", $side, ".txt")))),*] };
}

/// A file for each of some sides. Carried over from a side that was trained long, weights are better than from little training of their own.
const FILES: &[(usize, &str)] = files!(3 4 5 6 7 8 9 12);

impl Weights {
    /// Those that ship with the program. A side without its own gets those of the next smaller one that has.
    pub fn learned(side: usize) -> Weights {
        let smaller = FILES.iter().rev().find(|(of, _)| *of <= side);
        let Some((of, text)) = smaller.or_else(|| FILES.first()) else { return Weights::closed(side) };
        let own = File::parse("the weights that ship", text).ok().and_then(|file| {
            let all =
                file.weights("the weights that ship", &format!("balto-{of}"), &Weights::names(*of)).ok()?;
            Some(Weights::new(*of, &all))
        });
        own.map_or_else(|| Weights::closed(side), |own| own.resized(side))
    }

    /// Those in a file that `untumble train` wrote.
    pub fn read(side: usize, path: &str) -> Result<Weights, Error> {
        let mut all = File::read(path)?.weights(path, &format!("balto-{side}"), &Weights::names(side))?;
        Weights::project(side, &mut all);
        Ok(Weights::new(side, &all))
    }

    /// Those of a file for any side, made fit for this one.
    pub fn adapted(side: usize, name: &str, file: &File) -> Result<Weights, Error> {
        let sides = super::Lattice::LEAST..=super::Lattice::MOST;
        let of = sides.into_iter().find(|of| file.puzzle == format!("balto-{of}")).unwrap_or(side);
        let all = file.weights(name, &format!("balto-{of}"), &Weights::names(of))?;
        Ok(Weights::new(of, &all).resized(side))
    }

    /// The same for boards of another side. Displacements that the smaller board does not have grow as the closed form does.
    #[must_use]
    pub fn resized(&self, side: usize) -> Weights {
        let (own, closed) = (self.all(), Weights::closed(side).all());
        let (here, there) = (displacements(self.side()), displacements(side));
        // The outermost are seldom met and so least certain: the outer half decides.
        let outer = displacements(self.side().min(side) / 2)..here.min(there);
        let growth = own[outer.clone()].iter().sum::<f64>() / closed[outer].iter().sum::<f64>();
        let displaced =
            (0..there).map(|place| if place < here { own[place] } else { growth * closed[place] });
        let mut all: Vec<f64> = displaced.chain(own[here..here + SURROUNDINGS].iter().copied()).collect();
        Weights::project(side, &mut all);
        Weights::new(side, &all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balto::Lattice;

    #[test]
    fn what_ships_is_whole_and_keeps_to_what_is_known() {
        for (side, text) in FILES {
            let file = File::parse("shipped", text).expect("a file of weights");
            let all = file
                .weights("shipped", &format!("balto-{side}"), &Weights::names(*side))
                .expect("all weights");
            let mut projected = all.clone();
            Weights::project(*side, &mut projected);
            assert_eq!(all, projected, "side {side}");
        }
        for side in Lattice::LEAST..=Lattice::MOST {
            let weights = Weights::learned(side);
            assert_eq!(weights.side(), side);
            assert!(weights.all()[1..].iter().any(|&weight| weight > 0.0));
            let mut projected = weights.all();
            Weights::project(side, &mut projected);
            assert_eq!(weights.all(), projected, "side {side}");
        }
    }

    #[test]
    fn weights_are_carried_over_to_other_sides() {
        let six = Weights::learned(6);
        assert_eq!(six.resized(6), six);
        let nine = six.resized(9);
        assert_eq!(nine.of_displacements()[..displacements(6)], *six.of_displacements());
        assert_eq!(nine.of_surroundings(), six.of_surroundings());
        assert_eq!(nine.resized(6), six);
    }
}
