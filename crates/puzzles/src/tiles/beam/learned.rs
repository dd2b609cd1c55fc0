//! The weights that ship with the program: what `scripts/train-tiles` learned on random boards.

use untumble_search::error::Error;
use untumble_search::train::file::File;

use super::weights::{Weights, side};
use crate::tiles::Size;

/// What to call the files that ship.
const SHIPPED: &str = "the weights that ship";

/// A file for each of some square boards.
const FILES: &[(usize, &str)] = &[
    (5, include_str!("learned/5.txt")),
    (6, include_str!("learned/6.txt")),
    (7, include_str!("learned/7.txt")),
    (8, include_str!("learned/8.txt")),
];

impl Weights {
    /// Those that ship with the program. A size without its own gets those of the next smaller one that has.
    pub fn learned(size: Size) -> Weights {
        let side = side(size);
        let smaller = FILES.iter().rev().find(|(of, _)| *of <= side);
        let Some((_, text)) = smaller.or_else(|| FILES.first()) else { return Weights::closed(side) };
        let file = File::parse(SHIPPED, text).map_err(Error::from);
        file.and_then(|file| Weights::adapted(size, SHIPPED, &file)).unwrap_or_else(|_| Weights::closed(side))
    }

    /// Those in a file that `untumble train` wrote.
    pub fn read(size: Size, path: &str) -> Result<Weights, Error> {
        let side = side(size);
        let mut all = File::read(path)?.weights(path, &format!("tiles-{size}"), &Weights::names(side))?;
        Weights::project(side, &mut all);
        Ok(Weights::new(side, &all))
    }

    /// Those of a file for any size, made fit for this one.
    pub fn adapted(size: Size, name: &str, file: &File) -> Result<Weights, Error> {
        let sides = Size::LEAST..=Size::SEARCHED;
        let sizes = sides.clone().flat_map(|rows| sides.clone().map(move |columns| Size { rows, columns }));
        let of = sizes.into_iter().find(|of| file.puzzle == format!("tiles-{of}")).unwrap_or(size);
        let all = file.weights(name, &format!("tiles-{of}"), &Weights::names(side(of)))?;
        Ok(Weights::new(side(of), &all).resized(side(size)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_whole_and_keeps_to_what_is_known() {
        for (side, text) in FILES {
            let file = File::parse("shipped", text).expect("a file of weights");
            let all = file
                .weights("shipped", &format!("tiles-{side}x{side}"), &Weights::names(*side))
                .expect("all weights");
            let mut projected = all.clone();
            Weights::project(*side, &mut projected);
            assert_eq!(all, projected, "side {side}");
        }
        for (rows, columns) in [(2, 2), (3, 4), (5, 5), (7, 6), (16, 16), (2, 16)] {
            let size = Size { rows, columns };
            let weights = Weights::learned(size);
            assert_eq!(weights.side(), rows.max(columns));
            let mut projected = weights.all().to_vec();
            Weights::project(weights.side(), &mut projected);
            assert_eq!(weights.all(), projected, "{size}");
        }
    }
}
