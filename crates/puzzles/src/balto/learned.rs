//! Trained weights: the files compiled into the program, files of `untumble train`, and conversion
//! between sides.
//!
//! `scripts/train-balto` writes the compiled-in files.

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::train::weights::WeightsFile;

use super::weights::{NEIGHBOUR_CLASSES, Weights, displacement_class_count};

macro_rules! files {
    ($($side:literal)*) => { &[$(($side, include_str!(concat!("learned/", $side, ".txt")))),*] };
}

/// Trained sides with their files. The other sides use the weights of a smaller side: weights extrapolated
/// from a long training rank states better than weights of a short training on the side itself.
const FILES: &[(usize, &str)] = files!(3 4 5 6 7 8 9 12);

impl Weights {
    /// The compiled-in weights of that side, or those of the next smaller trained side, resized.
    pub fn learned(side: usize) -> Weights {
        let smaller = FILES.iter().rev().find(|(trained_side, _)| *trained_side <= side);
        let Some(&(trained_side, text)) = smaller.or_else(|| FILES.first()) else {
            return Weights::closed_form(side);
        };
        let trained = WeightsFile::parse("built-in weights", text).ok().and_then(|file| {
            let (puzzle, names) = (format!("balto-{trained_side}"), Weights::names(trained_side));
            let weights = file.weights("built-in weights", &puzzle, &names).ok()?;
            Some(Weights::new(trained_side, &weights))
        });
        trained.map_or_else(|| Weights::closed_form(side), |trained| trained.resized(side))
    }

    /// Reads a file of `untumble train`. Weights of another side are resized, with a warning.
    pub fn from_path(side: usize, path: &str, control: &Control) -> Result<Weights, Error> {
        let file = WeightsFile::read(path)?;
        let weights = Weights::from_file_resized(side, path, &file)?;
        file.warn_if_adapted(path, &format!("balto-{side}"), control);
        Ok(weights)
    }

    /// Reads a file for any side and resizes its weights. `name` appears in errors.
    pub fn from_file_resized(side: usize, name: &str, file: &WeightsFile) -> Result<Weights, Error> {
        let sides = super::Lattice::MIN_SIDE..=super::Lattice::MAX_SIDE;
        let is_file_side = |candidate: &usize| file.puzzle == format!("balto-{candidate}");
        let file_side = sides.into_iter().find(is_file_side).unwrap_or(side);
        let weights = file.weights(name, &format!("balto-{file_side}"), &Weights::names(file_side))?;
        Ok(Weights::new(file_side, &weights).resized(side))
    }

    /// The weights for another side. Displacements that only the larger board has get the closed form,
    /// scaled to match the trained weights.
    #[must_use]
    pub fn resized(&self, side: usize) -> Weights {
        let (source, closed) = (self.to_vec(), Weights::closed_form(side).to_vec());
        let (source_classes, classes) =
            (displacement_class_count(self.side()), displacement_class_count(side));
        // The scale is averaged over the outer half: the largest displacements are rare, so their
        // weights are uncertain.
        let outer = displacement_class_count(self.side().min(side) / 2)..source_classes.min(classes);
        let scale = source[outer.clone()].iter().sum::<f64>() / closed[outer].iter().sum::<f64>();
        let displacements =
            (0..classes).map(|n| if n < source_classes { source[n] } else { scale * closed[n] });
        let neighbours = source[source_classes..source_classes + NEIGHBOUR_CLASSES].iter().copied();
        let mut weights: Vec<f64> = displacements.chain(neighbours).collect();
        Weights::project(side, &mut weights);
        Weights::new(side, &weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balto::Lattice;

    #[test]
    fn built_in_weights_are_complete_and_satisfy_the_constraints() {
        for (side, text) in FILES {
            let file = WeightsFile::parse("built-in", text).expect("a file of weights");
            let weights = file
                .weights("built-in", &format!("balto-{side}"), &Weights::names(*side))
                .expect("all weights");
            let mut projected = weights.clone();
            Weights::project(*side, &mut projected);
            assert_eq!(weights, projected, "side {side}");
        }
        for side in Lattice::MIN_SIDE..=Lattice::MAX_SIDE {
            let weights = Weights::learned(side);
            assert_eq!(weights.side(), side);
            assert!(weights.to_vec()[1..].iter().any(|&weight| weight > 0.0));
            let mut projected = weights.to_vec();
            Weights::project(side, &mut projected);
            assert_eq!(weights.to_vec(), projected, "side {side}");
        }
    }

    #[test]
    fn resizing_keeps_the_weights_of_common_displacements() {
        let six = Weights::learned(6);
        assert_eq!(six.resized(6), six);
        let nine = six.resized(9);
        assert_eq!(nine.displacement_weights()[..displacement_class_count(6)], *six.displacement_weights());
        assert_eq!(nine.neighbour_weights(), six.neighbour_weights());
        assert_eq!(nine.resized(6), six);
    }
}
