//! Rubik's cube for devices.

use std::fmt::Write;

use untumble_search::device::Program;
use untumble_search::registry::AlgorithmEntry;
use untumble_search::solve::gpu::{self, DeviceProgram, GpuIda};
use untumble_search::spec::HeuristicExpr;

use super::heuristics::corners::{ORDERS, TWISTS, Value};
use super::heuristics::manhattan::Value as Sums;
use super::heuristics::{Corners, Manhattan, Word};
use super::{Cube, Cube3};
use crate::cube::Metric;
use crate::cube::device::{self, Kind, edges_beside, lanes};
use crate::cube::pieces::{turned_corners, turned_edges};
use crate::wgsl::{always_legal, solved_function};

/// The heuristics that there are programs for.
pub(super) const PROGRAMS: &[&str] = &["manhattan", "corners"];

fn edges(cube: &Cube3) -> Kind {
    let turns: Vec<_> =
        cube.turns().list().iter().map(|&(face, quarters)| turned_edges(face, quarters)).collect();
    Kind::new(&turns, 2)
}

fn corners_of(cube: &Cube3) -> Kind {
    let turns: Vec<_> =
        cube.turns().list().iter().map(|&(face, quarters)| turned_corners(face, quarters)).collect();
    Kind::new(&turns, 3)
}

/// The cube with the distances of its pieces.
pub fn manhattan<W: Word>(cube: &Cube3) -> DeviceProgram<Cube3, Manhattan<W>> {
    let words_of = |cube: &Cube| [lanes(&cube.edges()), lanes(&cube.corners())].concat();
    let kinds = [edges(cube), corners_of(cube)];
    let program =
        device::program("cube3 manhattan", cube.turns().inverses(), &kinds, &words_of(&Cube::SOLVED));
    let encode = move |_: &Manhattan<W>, cube: &Cube, _: &Sums<W>, words: &mut Vec<u32>| {
        words.extend(words_of(cube));
    };
    DeviceProgram { program, encode: Box::new(encode), heuristic: Manhattan::new(cube), words: None }
}

/// The cube with the exact cost of its corners. A state is the edges, and the numbers of the corners' order and twists.
pub fn corners(cube: &Cube3, heuristic: Corners) -> DeviceProgram<Cube3, Corners> {
    let moves = cube.turns().count();
    let (turn_edges, mut table) = edges_beside(&edges(cube), 0);
    let grid = &heuristic.grid;
    let orders = table.len();
    table.extend((0..ORDERS * moves).map(|at| u32::from(grid.row((at / moves) as u16, at % moves))));
    let twists = table.len();
    table.extend((0..TWISTS * moves).map(|at| u32::from(grid.column((at / moves) as u16, at % moves))));
    let costs = table.len();
    table.extend(
        heuristic
            .bytes()
            .chunks_exact(4)
            .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])),
    );
    let mut children = String::new();
    for m in 0..moves {
        let bit = 1u32 << m;
        let _ = writeln!(
            children,
            "    price = judged(price, corner_cost(order + {m}u, twist + {m}u), {bit}u, moves, below);"
        );
    }
    let source = format!(
        "{turn_edges}
fn turned(state: State, m: u32) -> State {{
    let edges = turn_edges(state, m);
    let order = table({orders}u + (state[2] & 0xffffu) * {moves}u + m);
    let twist = table({twists}u + (state[2] >> 16u) * {moves}u + m);
    return State(edges.x, edges.y, order | (twist << 16u));
}}
{}{}
// What the corners cost after a move, given where the tables of orders and twists tell what it makes of them.
fn corner_cost(order: u32, twist: u32) -> u32 {{
    let place = table(order) * {TWISTS}u + table(twist);
    return (table({costs}u + (place >> 3u)) >> ((place & 7u) * 4u)) & 15u;
}}

fn priced(state: State, moves: u32, below: u32) -> Priced {{
    let order = {orders}u + (state[2] & 0xffffu) * {moves}u;
    let twist = {twists}u + (state[2] >> 16u) * {moves}u;
    var price = Priced(0u, NONE);
{children}    return price;
}}
",
        solved_function(&[lanes(&Cube::SOLVED.edges()).as_slice(), &[0]].concat()),
        always_legal(moves),
    );
    let program =
        Program { name: "cube3 corners".into(), words: 3, inverses: cube.turns().inverses(), source, table };
    let encode = |_: &Corners, cube: &Cube, value: &Value, words: &mut Vec<u32>| {
        words.extend(lanes(&cube.edges()));
        words.push(u32::from(value.order) | u32::from(value.twist) << 16);
    };
    DeviceProgram { program, encode: Box::new(encode), heuristic, words: None }
}

/// The entry of IDA* on a device.
pub(super) fn entry() -> AlgorithmEntry<Cube3> {
    gpu::entry::<Cube3>(PROGRAMS, |context, device| {
        let (cube, spec, control) = (context.puzzle, context.spec, context.control);
        let corner_table = spec.heuristic == Some(HeuristicExpr::named("corners"));
        Ok(match cube.turns().metric() {
            _ if corner_table => {
                let heuristic = Corners::new(cube, &*context.runtime.tables, control)?;
                Box::new(GpuIda::new(device, spec, corners(cube, heuristic), control)?)
            }
            Metric::Htm => Box::new(GpuIda::new(device, spec, manhattan::<u128>(cube), control)?),
            Metric::Qtm => Box::new(GpuIda::new(device, spec, manhattan::<u64>(cube), control)?),
        })
    })
}
