//! The pocket cube for devices.

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::solve::Solver;
use untumble_search::solve::gpu::{GpuIda, Offer};
use untumble_search::spec::Spec;

use super::coordinates::placed;
use super::{Corners, Cube2, Manhattan};
use crate::cube::device::{self, Kind, lanes};
use crate::cube::pieces::{solved, turned_corners};

/// The heuristics that there are programs for.
pub(super) const PROGRAMS: &[&str] = &["manhattan"];

/// The cube with the distances of its corners.
pub fn manhattan(cube: &Cube2) -> Offer<Cube2, Manhattan> {
    let turns: Vec<_> =
        cube.turns().list().iter().map(|&(face, quarters)| turned_corners(face, quarters)).collect();
    let program = device::program(
        "cube2 manhattan",
        cube.turns().inverses(),
        &[Kind::new(&turns, 3)],
        &lanes::<8>(&solved()),
    );
    let encode = |_: &Manhattan, &corners: &Corners, _: &u32, words: &mut Vec<u32>| {
        words.extend(lanes(&placed(corners)));
    };
    Offer { program, encode: Box::new(encode), heuristic: Manhattan::new(cube), words: None }
}

/// The solver that a completed spec names.
pub(super) fn named(cube: &Cube2, spec: &Spec, control: &Control) -> Result<Box<dyn Solver<Cube2>>, Error> {
    Ok(Box::new(GpuIda::new(spec, manhattan(cube), control)?))
}
