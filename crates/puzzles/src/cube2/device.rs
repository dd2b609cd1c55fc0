//! The pocket cube for devices.

use untumble_search::registry::AlgorithmEntry;
use untumble_search::solve::gpu::{self, DeviceProgram, GpuIda};

use super::coordinates::placed;
use super::{Corners, Cube2, Manhattan};
use crate::cube::device::{self, Kind, lanes};
use crate::cube::pieces::{solved, turned_corners};

/// The heuristics that there are programs for.
pub(super) const PROGRAMS: &[&str] = &["manhattan"];

/// The cube with the distances of its corners.
pub fn manhattan(cube: &Cube2) -> DeviceProgram<Cube2, Manhattan> {
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
    DeviceProgram { program, encode: Box::new(encode), heuristic: Manhattan::new(cube), words: None }
}

/// The entry of IDA* on a device.
pub(super) fn entry() -> AlgorithmEntry<Cube2> {
    gpu::entry(PROGRAMS, |context, device| {
        let program = manhattan(context.puzzle);
        Ok(Box::new(GpuIda::new(device, context.spec, program, context.control)?))
    })
}
