//! Cubes for devices: pieces in lanes of five bits, and the distances of pieces by themselves as their bound.
//!
//! A lane holds `piece + count * turn`, so that a turn adds a multiple of the count modulo 24, for edges and corners alike. As on the CPU, each slot adds
//! words with four bits for each move, so that one sum prices all children; the distance itself stands in the same words, and a state carries
//! nothing but the cube.

use std::fmt::Write;

use untumble_search::device::Program;
use untumble_search::moves::Move;

use super::alone::{far, goes};
use super::pieces::Placed;
use crate::wgsl::{always_legal, solved_function};

/// Pieces of one kind: what each move brings into each slot.
pub(crate) struct Kind {
    slots: usize,
    /// By move: slots from and to and the turn, for the pieces that it takes along, two words.
    turns: Vec<[u32; 2]>,
    /// By slot and code: what it adds to the words that price.
    prices: Vec<Vec<u32>>,
}

/// Lanes of a word, and their bits.
const LANES: usize = 6;
const BITS: usize = 5;
/// Codes of a piece.
const CODES: usize = 24;
/// Moves that a word prices.
const PRICED: usize = 8;
/// Move sequences that a turn takes in the table.
const TURN: usize = 2;

/// Where a slot's lane begins; 32 and more stands for the second word.
fn lane(slot: usize) -> usize {
    slot / LANES * 32 + slot % LANES * BITS
}

fn code<const SLOTS: usize>(placed: Placed) -> usize {
    placed.piece + SLOTS * placed.turn
}

/// The two words of pieces.
pub(crate) fn lanes<const SLOTS: usize>(pieces: &[Placed; SLOTS]) -> [u32; 2] {
    let word = pieces
        .iter()
        .enumerate()
        .fold(0u64, |word, (slot, &placed)| word | (code::<SLOTS>(placed) as u64) << lane(slot));
    [word as u32, (word >> 32) as u32]
}

/// Move sequences that price so many moves and have room for a distance.
fn price_words(moves: usize) -> usize {
    moves / PRICED + 1
}

/// Where the distance stands in the last of them.
fn distance_bit(moves: usize) -> usize {
    moves % PRICED * 4
}

impl Kind {
    /// Of these moves; `ways` is in how many ways a piece fits a slot.
    pub(crate) fn new<const SLOTS: usize>(turns: &[[Placed; SLOTS]], ways: usize) -> Kind {
        let packed = |turn: &[Placed; SLOTS]| {
            let moved = turn.iter().enumerate().filter(|(to, from)| from.piece != *to);
            let part = |(to, from): (usize, &Placed)| {
                lane(from.piece) | lane(to) << 6 | (SLOTS * from.turn / 4) << 12
            };
            let parts: Vec<u32> = moved.map(|moved| part(moved) as u32).collect();
            assert_eq!(parts.len(), 4, "a turn takes four pieces of a kind along");
            [parts[0] | parts[1] << 15, parts[2] | parts[3] << 15]
        };
        let distances: Vec<Vec<u8>> = (0..SLOTS).map(|piece| far(turns, ways, piece)).collect();
        let mut prices = Vec::new();
        for slot in 0..SLOTS {
            for code in 0..CODES {
                let (piece, way) = (code % SLOTS, code / SLOTS);
                let mut words = vec![0; price_words(turns.len())];
                let away = |slot: usize, way: usize| u32::from(distances[piece][slot * ways + way]);
                for (m, turn) in turns.iter().enumerate() {
                    let (to, turned) = goes(turn, ways, slot, way);
                    if to != slot {
                        words[m / PRICED] += (away(to, turned) + 1 - away(slot, way)) << (m % PRICED * 4);
                    }
                }
                words[turns.len() / PRICED] += away(slot, way) << distance_bit(turns.len());
                prices.push(words);
            }
        }
        Kind { slots: SLOTS, turns: turns.iter().map(packed).collect(), prices }
    }
}

/// The function that makes a turn of two words, given how.
const TURN_LANES: &str = "
fn lane(low: u32, high: u32, at: u32) -> u32 {
    return (select(low, high, (at & 32u) != 0u) >> (at & 31u)) & 31u;
}

// A piece that a turn takes along: its lane in the words before becomes another in those after; the lanes it takes are cleared.
fn take_along(before: vec2<u32>, after: vec2<u32>, how: u32) -> vec2<u32> {
    let to = (how >> 6u) & 63u;
    var code = lane(before.x, before.y, how & 63u) + ((how >> 12u) & 7u) * 4u;
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
    var after = take_along(before, before, first & 0x7fffu);
    after = take_along(before, after, first >> 15u);
    after = take_along(before, after, second & 0x7fffu);
    return take_along(before, after, second >> 15u);
}
";

/// The lines of a turn of the kind whose words begin at `word`, its table at `at`.
fn turn_lines(word: usize, at: usize) -> String {
    format!(
        "    let turned_{word} = turn_lanes(vec2<u32>(state[{word}], state[{next}]), table({at}u + m * {TURN}u), table({}u + m * {TURN}u));\n",
        at + 1,
        next = word + 1,
    )
}

/// The edges of Rubik's cube with something else beside them: the functions that turn them, and their table.
pub(crate) fn edges_beside(edges: &Kind, at: usize) -> (String, Vec<u32>) {
    (
        format!(
            "{TURN_LANES}\nfn turn_edges(state: State, m: u32) -> vec2<u32> {{\n{}    return turned_0;\n}}\n",
            turn_lines(0, at)
        ),
        edges.turns.concat(),
    )
}

/// The program of a cube with the distances of its pieces: the largest sum of a kind, a quarter of it rounded up.
pub(crate) fn program(name: &str, inverses: Vec<Move>, kinds: &[Kind], solved: &[u32]) -> Program {
    let (moves, price) = (inverses.len(), price_words(inverses.len()));
    let mut table = Vec::new();
    let (mut turns, mut after, mut sums) = (String::new(), Vec::new(), String::new());
    for (number, kind) in kinds.iter().enumerate() {
        let word = 2 * number;
        turns += &turn_lines(word, table.len());
        table.extend(kind.turns.concat());
        after.extend([format!("turned_{word}.x"), format!("turned_{word}.y")]);
        let at = table.len();
        table.extend(kind.prices.concat());
        for part in 0..price {
            let _ = writeln!(sums, "    var sum_{number}_{part} = 0u;");
        }
        for slot in 0..kind.slots {
            let (word, shift) = (word + slot / LANES, slot % LANES * BITS);
            let first = at + slot * CODES * price;
            let _ = writeln!(
                sums,
                "    let at_{number}_{slot} = {first}u + ((state[{word}] >> {shift}u) & 31u) * {price}u;"
            );
            for part in 0..price {
                let _ = writeln!(sums, "    sum_{number}_{part} += table(at_{number}_{slot} + {part}u);");
            }
        }
        let (last, bit) = (moves / PRICED, distance_bit(moves));
        let _ = writeln!(sums, "    let away_{number} = sum_{number}_{last} >> {bit}u;");
    }
    let mut children = String::new();
    for m in 0..moves {
        let (part, shift) = (m / PRICED, m % PRICED * 4);
        let costs: Vec<String> = (0..kinds.len())
            .map(|number| format!("away_{number} + ((sum_{number}_{part} >> {shift}u) & 15u)"))
            .collect();
        let most = costs.into_iter().reduce(|a, b| format!("max({a}, {b})")).unwrap_or_default();
        // Four too much, and three more to round up.
        let _ = writeln!(
            children,
            "    price = judged(price, (({most}) - 1u) >> 2u, {}u, moves, below);",
            1u32 << m
        );
    }
    let source = format!(
        "{TURN_LANES}\nfn turned(state: State, m: u32) -> State {{\n{turns}    return State({});\n}}\n{}{}\n\
         fn priced(state: State, moves: u32, below: u32) -> Priced {{\n{sums}    var price = Priced(0u, NONE);\n{children}    return price;\n}}\n",
        after.join(", "),
        solved_function(solved),
        always_legal(moves),
    );
    Program { name: name.into(), words: 2 * kinds.len(), inverses, source, table }
}
