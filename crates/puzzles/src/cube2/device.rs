//! GPU program of the pocket cube.

use untumble_search::registry::AlgorithmEntry;
use untumble_search::solve::gpu::{self, DeviceProgram, ProgramEntry};

use super::coordinates::cubies_of;
use super::heuristics::MANHATTAN;
use super::{Corners, Cube2, Manhattan};
use crate::cube::device::{self, PieceTables, pack_lanes};
use crate::cube::pieces::{corner_move, identity};

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
    gpu::entry(vec![ProgramEntry::new(MANHATTAN, |context, _| Ok(manhattan(context.puzzle)))])
}
