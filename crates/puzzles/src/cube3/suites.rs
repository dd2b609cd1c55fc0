//! Benchmark suite of Rubik's cube on GPUs.

use crate::suites::{Case, Positions, Suite};

/// 13 quarter turns: about 130 million nodes with the Manhattan distance.
const FAR: &str = "U R F D L B U' R' F' D' L' B' U'";
/// 11 quarter turns: about 2 million nodes.
const NEAR: &str = "U R F D L B U' R' F' D' L'";

/// The GPU suite.
pub fn suites() -> Vec<Suite> {
    let case = |solver: &str, moves: &str, threads| Case {
        name: format!("{} quarter turns, {solver}", moves.split(' ').count()),
        puzzle: "cube3",
        goal: None,
        metric: Some("qtm"),
        solver: solver.into(),
        threads,
        positions: Positions::Listed(vec![moves.into()]),
    };
    let cases = vec![
        case("ida+manhattan", NEAR, 1),
        case("gpu-ida:kernel=block,early=off+manhattan", NEAR, 1),
        case("gpu-ida:kernel=thread,early=off+manhattan", NEAR, 1),
        case("ida+manhattan", FAR, 1),
        case("gpu-ida:kernel=block,early=off+manhattan", FAR, 1),
        case("gpu-ida:kernel=thread,early=off+manhattan", FAR, 1),
    ];
    let what =
        "Rubik's cube on a GPU and on one CPU thread; results of other cards are welcome; seconds per round";
    vec![Suite { name: "gpu", what, cases, needs_device: true }]
}
