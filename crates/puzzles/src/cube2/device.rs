//! GPU program of the pocket cube.

use untumble_search::registry::AlgorithmEntry;
use untumble_search::solve::gpu::{self, DeviceProgram, GpuIda};

use super::coordinates::cubies_of;
use super::{Corners, Cube2, Manhattan};
use crate::cube::device::{self, PieceTables, pack_lanes};
use crate::cube::pieces::{corner_move, identity};

/// Names of the heuristics that have a GPU program, the default first.
pub(super) const PROGRAMS: &[&str] = &["manhattan"];

/// The GPU program of the pocket cube with the sum of single-corner distances.
pub fn manhattan(cube: &Cube2) -> DeviceProgram<Cube2, Manhattan> {
    let turns: Vec<_> =
        cube.turns().all().iter().map(|&(face, quarters)| corner_move(face, quarters)).collect();
    let program = device::program(
        "cube2 manhattan",
        cube.turns().inverses(),
        &[PieceTables::new(&turns, 3)],
        &pack_lanes::<8>(&identity()),
    );
    let encode = |_: &Manhattan, &corners: &Corners, _: &u32, words: &mut Vec<u32>| {
        words.extend(pack_lanes(&cubies_of(corners)));
    };
    DeviceProgram { program, encode: Box::new(encode), heuristic: Manhattan::new(cube), automata: None }
}

/// The registry entry of IDA* on a GPU.
pub(super) fn entry() -> AlgorithmEntry<Cube2> {
    gpu::entry(PROGRAMS, |context, device| {
        let program = manhattan(context.puzzle);
        Ok(Box::new(GpuIda::new(device, context.spec, program, context.control)?))
    })
}
