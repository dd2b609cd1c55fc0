//! Loading of weights: those that ship with the program, trained on random boards by `scripts/train-tiles`,
//! and those of files.

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::train::weights::WeightsFile;

use super::weights::{Weights, longer_side};
use crate::tiles::Size;

/// File name of the shipped weights in error messages.
const SHIPPED: &str = "the shipped weights";

/// The shipped files, by side of the square board that they were trained on.
const FILES: &[(usize, &str)] = &[
    (5, include_str!("learned/5.txt")),
    (6, include_str!("learned/6.txt")),
    (7, include_str!("learned/7.txt")),
    (8, include_str!("learned/8.txt")),
];

impl Weights {
    /// The shipped weights, resized from the largest trained board that is not larger than `size`, or from
    /// the smallest one if all are larger.
    pub fn shipped(size: Size) -> Weights {
        let side = longer_side(size);
        let smaller = FILES.iter().rev().find(|(trained, _)| *trained <= side);
        let Some((_, text)) = smaller.or_else(|| FILES.first()) else { return Weights::closed_form(side) };
        let file = WeightsFile::parse(SHIPPED, text).map_err(Error::from);
        file.and_then(|file| Weights::from_file(size, SHIPPED, &file))
            .unwrap_or_else(|_| Weights::closed_form(side))
    }

    /// Reads a file that training wrote. Weights of boards of another size are resized, with a warning.
    pub fn read(size: Size, path: &str, control: &Control) -> Result<Weights, Error> {
        let file = WeightsFile::read(path)?;
        let weights = Weights::from_file(size, path, &file)?;
        file.warn_if_adapted(path, &format!("tiles-{size}"), control);
        Ok(weights)
    }

    /// The weights of a file for any board size, resized to this one.
    pub fn from_file(size: Size, name: &str, file: &WeightsFile) -> Result<Weights, Error> {
        let sides = Size::MIN_SIDE..=Size::MAX_SEARCH_SIDE;
        let sizes = sides.clone().flat_map(|rows| sides.clone().map(move |columns| Size { rows, columns }));
        let trained = sizes.into_iter().find(|known| file.puzzle == format!("tiles-{known}")).unwrap_or(size);
        let values =
            file.weights(name, &format!("tiles-{trained}"), &Weights::names(longer_side(trained)))?;
        Ok(Weights::new(longer_side(trained), &values).resized(longer_side(size)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_are_complete_and_satisfy_the_constraints() {
        for (side, text) in FILES {
            let file = WeightsFile::parse("shipped", text).expect("a file of weights");
            let values = file
                .weights("shipped", &format!("tiles-{side}x{side}"), &Weights::names(*side))
                .expect("all weights");
            let mut projected = values.clone();
            Weights::project(*side, &mut projected);
            assert_eq!(values, projected, "side {side}");
        }
        for (rows, columns) in [(2, 2), (3, 4), (5, 5), (7, 6), (16, 16), (2, 16)] {
            let size = Size { rows, columns };
            let weights = Weights::shipped(size);
            assert_eq!(weights.side(), rows.max(columns));
            let mut projected = weights.values().to_vec();
            Weights::project(weights.side(), &mut projected);
            assert_eq!(weights.values(), projected, "{size}");
        }
    }
}
