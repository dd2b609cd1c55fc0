//! GPU programs of Rubik's cube.

use std::fmt::Write;

use untumble_search::device::Program;
use untumble_search::registry::AlgorithmEntry;
use untumble_search::solve::gpu::{self, DeviceProgram, ProgramEntry};

use super::heuristics::corners::{PERMUTATIONS, TWISTS, Value};
use super::heuristics::manhattan::Value as Sums;
use super::heuristics::{CORNERS, Corners, MANHATTAN, Manhattan, MoveNibbles};
use super::{Cube, Cube3};
use crate::cube::Metric;
use crate::cube::device::{self, PieceTables, edge_program, pack_lanes};
use crate::cube::pieces::{corner_move, edge_move};
use crate::wgsl::{always_legal, solved_function};

fn edge_tables(cube: &Cube3) -> PieceTables {
    let turns: Vec<_> =
        cube.turns().all().iter().map(|&(face, quarters)| edge_move(face, quarters)).collect();
    PieceTables::new(&turns, 2)
}

fn corner_tables(cube: &Cube3) -> PieceTables {
    let turns: Vec<_> =
        cube.turns().all().iter().map(|&(face, quarters)| corner_move(face, quarters)).collect();
    PieceTables::new(&turns, 3)
}

/// The GPU program of Rubik's cube with the sums of single-piece distances.
pub fn manhattan<W: MoveNibbles>(cube: &Cube3) -> DeviceProgram<Cube3, Manhattan<W>> {
    let words_of = |cube: &Cube| [pack_lanes(&cube.edges()), pack_lanes(&cube.corners())].concat();
    let pieces = [edge_tables(cube), corner_tables(cube)];
    let program =
        device::program("cube3 manhattan", cube.turns().inverses(), &pieces, &words_of(&Cube::SOLVED));
    let encode = move |_: &Manhattan<W>, cube: &Cube, _: &Sums<W>, words: &mut Vec<u32>| {
        words.extend(words_of(cube));
    };
    DeviceProgram { program, encode: Box::new(encode), heuristic: Manhattan::new(cube), automata: None }
}

/// The GPU program of Rubik's cube with the corner pattern database. A state holds the edges in two words,
/// and the permutation and the twist of the corners in a third.
pub fn corners(cube: &Cube3, heuristic: Corners) -> DeviceProgram<Cube3, Corners> {
    let moves = cube.turns().count();
    let (turn_edges, mut table) = edge_program(&edge_tables(cube), 0);
    let pair = &heuristic.pair;
    let permutation_offset = table.len();
    table.extend(
        (0..PERMUTATIONS * moves).map(|at| u32::from(pair.next_row((at / moves) as u16, at % moves))),
    );
    let twist_offset = table.len();
    table.extend((0..TWISTS * moves).map(|at| u32::from(pair.next_column((at / moves) as u16, at % moves))));
    let distance_offset = table.len();
    table.extend(
        heuristic
            .bytes()
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
    );
    let mut children = String::new();
    for m in 0..moves {
        let bit = 1u32 << m;
        let _ = writeln!(
            children,
            "    children = add_child(children, corner_cost(permutation + {m}u, twist + {m}u), {bit}u, moves, max_h);"
        );
    }
    let source = format!(
        "{turn_edges}
fn apply_move(state: State, m: u32) -> State {{
    let edges = turn_edges(state, m);
    let permutation = table({permutation_offset}u + (state[2] & 0xffffu) * {moves}u + m);
    let twist = table({twist_offset}u + (state[2] >> 16u) * {moves}u + m);
    return State(edges.x, edges.y, permutation | (twist << 16u));
}}
{}{}
// The distance of the corners after a move, given the table indices of the moved permutation and twist.
fn corner_cost(permutation: u32, twist: u32) -> u32 {{
    let index = table(permutation) * {TWISTS}u + table(twist);
    return (table({distance_offset}u + (index >> 3u)) >> ((index & 7u) * 4u)) & 15u;
}}

fn evaluate_children(state: State, moves: u32, max_h: u32) -> Children {{
    let permutation = {permutation_offset}u + (state[2] & 0xffffu) * {moves}u;
    let twist = {twist_offset}u + (state[2] >> 16u) * {moves}u;
    var children = Children(0u, NONE);
{children}    return children;
}}
",
        solved_function(&[pack_lanes(&Cube::SOLVED.edges()).as_slice(), &[0]].concat()),
        always_legal(moves),
    );
    let program =
        Program { name: "cube3 corners".into(), words: 3, inverses: cube.turns().inverses(), source, table };
    let encode = |_: &Corners, cube: &Cube, value: &Value, words: &mut Vec<u32>| {
        words.extend(pack_lanes(&cube.edges()));
        words.push(u32::from(value.permutation) | u32::from(value.twist) << 16);
    };
    DeviceProgram { program, encode: Box::new(encode), heuristic, automata: None }
}

/// The registry entry of IDA* on a GPU.
pub(super) fn entry(metric: Metric) -> AlgorithmEntry<Cube3> {
    let manhattan = match metric {
        Metric::Htm => ProgramEntry::new(MANHATTAN, |context, _| Ok(manhattan::<u128>(context.puzzle))),
        Metric::Qtm => ProgramEntry::new(MANHATTAN, |context, _| Ok(manhattan::<u64>(context.puzzle))),
    };
    let corners = ProgramEntry::<Cube3>::new(CORNERS, |context, _| {
        let heuristic = Corners::new(context.puzzle, &*context.runtime.tables, context.control)?;
        Ok(corners(context.puzzle, heuristic))
    });
    gpu::entry(vec![manhattan, corners])
}
