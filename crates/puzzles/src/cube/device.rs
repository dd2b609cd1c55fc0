//! GPU programs of the cubes: pieces in five-bit lanes, with the single-piece distance heuristic.
//!
//! A lane holds `piece + count * orientation`, so that a turn adds a multiple of `count` modulo 24, for
//! edges and corners alike. As on the CPU, each slot contributes words with a four-bit delta for each move,
//! so one sum over the slots evaluates all children. The same words also hold the distance, so a state
//! stores only the cube.

use std::fmt::Write;

use untumble_search::device::Program;
use untumble_search::moves::Move;

use super::pieces::Cubie;
use super::single_piece::{destination, distances_to_home};
use crate::wgsl::{always_legal, solved_function};

/// Move and delta tables of the corners or of the edges.
pub(crate) struct PieceTables {
    slots: usize,
    /// By move: source slot, target slot and added orientation of the four pieces that move, packed in two
    /// words.
    turns: Vec<[u32; 2]>,
    /// By slot and code: words with the change of the distance by each move, plus 1, and the distance.
    deltas: Vec<Vec<u32>>,
}

/// Lanes of a word.
const LANES: usize = 6;
/// Bits of a lane.
const BITS: usize = 5;
/// Values of a lane.
const CODES: usize = 24;
/// Moves whose deltas fit one word.
const MOVES_PER_WORD: usize = 8;
/// Words of a move in the table.
const WORDS_PER_TURN: usize = 2;

/// The bit offset of a slot's lane; 32 or more is in the second word.
fn lane_offset(slot: usize) -> usize {
    slot / LANES * 32 + slot % LANES * BITS
}

/// The value of a lane that holds a cubie.
fn code<const SLOTS: usize>(cubie: Cubie) -> usize {
    cubie.piece + SLOTS * cubie.orientation
}

/// Packs pieces into two words.
pub(crate) fn pack_lanes<const SLOTS: usize>(pieces: &[Cubie; SLOTS]) -> [u32; 2] {
    let word = pieces
        .iter()
        .enumerate()
        .fold(0u64, |word, (slot, &cubie)| word | (code::<SLOTS>(cubie) as u64) << lane_offset(slot));
    [word as u32, (word >> 32) as u32]
}

/// Words that hold the deltas of all moves and the distance.
fn delta_words(moves: usize) -> usize {
    moves / MOVES_PER_WORD + 1
}

/// The bit offset of the distance in the last delta word.
fn distance_bit(moves: usize) -> usize {
    moves % MOVES_PER_WORD * 4
}

impl PieceTables {
    /// The tables of some moves. A piece has `orientations` possible orientations.
    pub(crate) fn new<const SLOTS: usize>(turns: &[[Cubie; SLOTS]], orientations: usize) -> PieceTables {
        let pack = |turn: &[Cubie; SLOTS]| {
            let moved = turn.iter().enumerate().filter(|(to, from)| from.piece != *to);
            let part = |(to, from): (usize, &Cubie)| {
                lane_offset(from.piece) | lane_offset(to) << 6 | (SLOTS * from.orientation / 4) << 12
            };
            let parts: Vec<u32> = moved.map(|moved| part(moved) as u32).collect();
            assert_eq!(parts.len(), 4, "a turn moves four corners and four edges");
            [parts[0] | parts[1] << 15, parts[2] | parts[3] << 15]
        };
        let distances: Vec<Vec<u8>> =
            (0..SLOTS).map(|piece| distances_to_home(turns, orientations, piece)).collect();
        let mut deltas = Vec::new();
        for slot in 0..SLOTS {
            for code in 0..CODES {
                let (piece, orientation) = (code % SLOTS, code / SLOTS);
                let mut words = vec![0; delta_words(turns.len())];
                let distance = |slot: usize, orientation: usize| {
                    u32::from(distances[piece][slot * orientations + orientation])
                };
                for (m, turn) in turns.iter().enumerate() {
                    let (to, to_orientation) = destination(turn, orientations, slot, orientation);
                    if to != slot {
                        words[m / MOVES_PER_WORD] += (distance(to, to_orientation) + 1
                            - distance(slot, orientation))
                            << (m % MOVES_PER_WORD * 4);
                    }
                }
                words[turns.len() / MOVES_PER_WORD] +=
                    distance(slot, orientation) << distance_bit(turns.len());
                deltas.push(words);
            }
        }
        PieceTables { slots: SLOTS, turns: turns.iter().map(pack).collect(), deltas }
    }
}

/// WGSL functions that apply a move to two words of lanes.
const TURN_LANES: &str = "
fn lane(low: u32, high: u32, at: u32) -> u32 {
    return (select(low, high, (at & 32u) != 0u) >> (at & 31u)) & 31u;
}

// Moves one piece: copies its lane from `before` to another lane of `after` and adds the orientation.
fn move_piece(before: vec2<u32>, after: vec2<u32>, packed: u32) -> vec2<u32> {
    let to = (packed >> 6u) & 63u;
    var code = lane(before.x, before.y, packed & 63u) + ((packed >> 12u) & 7u) * 4u;
    code = select(code, code - 24u, code >= 24u);
    let shift = to & 31u;
    let clear = ~(31u << shift);
    let put = code << shift;
    if ((to & 32u) != 0u) {
        return vec2<u32>(after.x, (after.y & clear) | put);
    }
    return vec2<u32>((after.x & clear) | put, after.y);
}

fn turn_lanes(before: vec2<u32>, first: u32, second: u32) -> vec2<u32> {
    var after = move_piece(before, before, first & 0x7fffu);
    after = move_piece(before, after, first >> 15u);
    after = move_piece(before, after, second & 0x7fffu);
    return move_piece(before, after, second >> 15u);
}
";

/// The WGSL statement that turns the two state words from `word` on. The move table starts at `offset`.
fn turn_lines(word: usize, offset: usize) -> String {
    format!(
        "    let turned_{word} = turn_lanes(vec2<u32>(state[{word}], state[{next}]), table({offset}u + m * {WORDS_PER_TURN}u), table({}u + m * {WORDS_PER_TURN}u));\n",
        offset + 1,
        next = word + 1,
    )
}

/// The WGSL functions and the table that turn the edges of Rubik's cube, for programs that store corners in
/// another way. The program stores the table at `offset`.
pub(crate) fn edge_program(edges: &PieceTables, offset: usize) -> (String, Vec<u32>) {
    (
        format!(
            "{TURN_LANES}\nfn turn_edges(state: State, m: u32) -> vec2<u32> {{\n{}    return turned_0;\n}}\n",
            turn_lines(0, offset)
        ),
        edges.turns.concat(),
    )
}

/// The program of a cube with single-piece distances: a quarter of the larger sum, rounded up.
pub(crate) fn program(name: &str, inverses: Vec<Move>, pieces: &[PieceTables], solved: &[u32]) -> Program {
    let (moves, words) = (inverses.len(), delta_words(inverses.len()));
    let mut table = Vec::new();
    let (mut turns, mut after, mut sums) = (String::new(), Vec::new(), String::new());
    for (number, tables) in pieces.iter().enumerate() {
        let word = 2 * number;
        turns += &turn_lines(word, table.len());
        table.extend(tables.turns.concat());
        after.extend([format!("turned_{word}.x"), format!("turned_{word}.y")]);
        let deltas_offset = table.len();
        table.extend(tables.deltas.concat());
        for part in 0..words {
            let _ = writeln!(sums, "    var sum_{number}_{part} = 0u;");
        }
        for slot in 0..tables.slots {
            let (word, shift) = (word + slot / LANES, slot % LANES * BITS);
            let first = deltas_offset + slot * CODES * words;
            let _ = writeln!(
                sums,
                "    let at_{number}_{slot} = {first}u + ((state[{word}] >> {shift}u) & 31u) * {words}u;"
            );
            for part in 0..words {
                let _ = writeln!(sums, "    sum_{number}_{part} += table(at_{number}_{slot} + {part}u);");
            }
        }
        let (last, bit) = (moves / MOVES_PER_WORD, distance_bit(moves));
        let _ = writeln!(sums, "    let distance_{number} = sum_{number}_{last} >> {bit}u;");
    }
    let mut children = String::new();
    for m in 0..moves {
        let (part, shift) = (m / MOVES_PER_WORD, m % MOVES_PER_WORD * 4);
        let costs: Vec<String> = (0..pieces.len())
            .map(|number| format!("distance_{number} + ((sum_{number}_{part} >> {shift}u) & 15u)"))
            .collect();
        let larger_sum = costs.into_iter().reduce(|a, b| format!("max({a}, {b})")).unwrap_or_default();
        // The sum is 4 too large (1 for each moved piece), and rounding up adds 3: subtract 1.
        let _ = writeln!(
            children,
            "    children = add_child(children, (({larger_sum}) - 1u) >> 2u, {}u, moves, max_h);",
            1u32 << m
        );
    }
    let source = format!(
        "{TURN_LANES}\nfn apply_move(state: State, m: u32) -> State {{\n{turns}    return State({});\n}}\n{}{}\n\
         fn evaluate_children(state: State, moves: u32, max_h: u32) -> Children {{\n{sums}    var children = Children(0u, NONE);\n{children}    return children;\n}}\n",
        after.join(", "),
        solved_function(solved),
        always_legal(moves),
    );
    Program { name: name.into(), words: 2 * pieces.len(), inverses, source, table }
}
