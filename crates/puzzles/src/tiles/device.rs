//! Sliding tiles for devices: boards of up to 16 cells, with Manhattan distance or pattern databases.
//!
//! A state is the cells in two words, and a third with the gap's cell and the Manhattan distance. Pattern databases add for each view of the board, plain and
//! mirrored, where the tiles of the patterns are and the entries of the tables; what a move costs is judged step by
//! step as [`Pdb`] does on the CPU, since the next bound depends on how early a child is given up.

use std::fmt::Write;

use untumble_search::device::Program;
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::registry::AlgorithmEntry;
use untumble_search::solve::gpu::{self, DeviceProgram, GpuIda};
use untumble_search::spec::HeuristicExpr;

use super::cells::Places;
use super::detours::INVERSES;
use super::fifteen::PatternIda;
use super::heuristics::Manhattan;
use super::pdb::{Layout, Pdb, Value};
use super::{Board, Cells, Size, Tiles};
use crate::wgsl::solved_function;

/// The heuristics that there are programs for.
pub(super) const PROGRAMS: &[&str] = &["manhattan", "pdb"];

/// Boards of more cells do not fit the words of a state.
pub(super) const MAX_CELLS: usize = 16;

/// Whether boards of a size fit two words.
pub(super) fn possible(size: Size) -> bool {
    size.cells() <= MAX_CELLS
}

/// The first two words.
fn cells<C: Cells>(board: &Board<C>) -> [u32; 2] {
    let word = board.cells.word().unwrap_or_default();
    [word as u32, (word >> 32) as u32]
}

/// The third.
fn third<C>(board: &Board<C>, distance: Cost) -> u32 {
    u32::from(board.gap) | distance << 8
}

/// For each cell of the gap: where each move slides a tile from, four bits each, and which moves are legal.
fn sources<C: Cells>(tiles: &Tiles<C>) -> Vec<u32> {
    let of = |gap: usize| {
        let moves = (0..4).map(Move).filter_map(|m| Some((m, tiles.size().source(gap, m)?)));
        moves.fold(0, |word, (m, from)| word | (from as u32) << (4 * m.0) | 1 << (16 + m.0))
    };
    (0..MAX_CELLS).map(|gap| if gap < tiles.size().cells() { of(gap) } else { 0 }).collect()
}

/// For each tile and cell of the gap: one more than what each move changes of the distance, two bits each.
fn changes<C: Cells>(tiles: &Tiles<C>) -> Vec<u32> {
    let (goal, size) = (tiles.goal(), tiles.size());
    let of = |name: usize, gap: usize| {
        let far = |cell: usize| size.distance(cell, goal.home(name));
        let moves = (0..4).map(Move).filter_map(|m| Some((m, size.source(gap, m)?)));
        moves.fold(0, |word, (m, from)| word | ((far(gap) + 1 - far(from)) as u32) << (2 * m.0))
    };
    let there = |at: usize| (1..size.cells()).contains(&(at / MAX_CELLS)) && at % MAX_CELLS < size.cells();
    (0..MAX_CELLS * MAX_CELLS)
        .map(|at| if there(at) { of(at / MAX_CELLS, at % MAX_CELLS) } else { 0 })
        .collect()
}

/// What both programs share. The table begins with the sources, then come the changes.
const BOARD: &str = "
const SOURCES = 0u;
const CHANGES = 16u;

fn cell(state: State, at: u32) -> u32 {
    return (select(state[0], state[1], at >= 8u) >> ((at & 7u) * 4u)) & 15u;
}

// Two words with the bits of a tile toggled in one cell.
fn toggled(cells: vec2<u32>, at: u32, tile: u32) -> vec2<u32> {
    let bits = tile << ((at & 7u) * 4u);
    return cells ^ select(vec2<u32>(bits, 0u), vec2<u32>(0u, bits), at >= 8u);
}

// One more than what a move changes of the distance.
fn change(tile: u32, gap: u32, m: u32) -> u32 {
    return (table(CHANGES + tile * 16u + gap) >> (m * 2u)) & 3u;
}

fn legal(state: State) -> u32 {
    return table(SOURCES + (state[2] & 15u)) >> 16u;
}

// The first three words after a move.
fn slid(state: State, m: u32) -> vec3<u32> {
    let gap = state[2] & 15u;
    let source = (table(SOURCES + gap) >> (m * 4u)) & 15u;
    let tile = cell(state, source);
    let cells = toggled(toggled(vec2<u32>(state[0], state[1]), source, tile), gap, tile);
    let distance = (state[2] >> 8u) + change(tile, gap, m) - 1u;
    return vec3<u32>(cells, source | (distance << 8u));
}
";

/// Prices the four children by a function of the state, the move and what may be spent.
const PRICED: &str = "
fn priced(state: State, moves: u32, below: u32) -> Priced {
    var price = Priced(0u, NONE);
    price = judged(price, cost_after(state, 0u, below), 1u, moves, below);
    price = judged(price, cost_after(state, 1u, below), 2u, moves, below);
    price = judged(price, cost_after(state, 2u, below), 4u, moves, below);
    price = judged(price, cost_after(state, 3u, below), 8u, moves, below);
    return price;
}
";

/// The board with Manhattan distance.
pub fn manhattan<C: Cells>(tiles: &Tiles<C>) -> DeviceProgram<Tiles<C>, Manhattan> {
    let source = format!(
        "{BOARD}{}
fn turned(state: State, m: u32) -> State {{
    let after = slid(state, m);
    return State(after.x, after.y, after.z);
}}

fn cost_after(state: State, m: u32, below: u32) -> u32 {{
    let gap = state[2] & 15u;
    let tile = cell(state, (table(SOURCES + gap) >> (m * 4u)) & 15u);
    return (state[2] >> 8u) + change(tile, gap, m) - 1u;
}}
{PRICED}",
        solved_function(&cells(&tiles.solved))
    );
    let program = Program {
        name: format!("{} manhattan", size_of(tiles)),
        words: 3,
        inverses: INVERSES.to_vec(),
        source,
        table: [sources(tiles), changes(tiles)].concat(),
    };
    let encode = |_: &Manhattan, board: &Board<C>, &distance: &Cost, words: &mut Vec<u32>| {
        words.extend(cells(board));
        words.push(third(board, distance));
    };
    DeviceProgram { program, encode: Box::new(encode), heuristic: Manhattan::new(tiles.goal()), words: None }
}

fn size_of<C: Cells>(tiles: &Tiles<C>) -> String {
    format!("tiles-{}", tiles.size())
}

/// Stands for no pattern.
const NO_PATTERN: u32 = 15;
/// Move sequences that describe a pattern: where its tables begins, its first bit and layout, and the weights of its digits.
const PATTERN_WORDS: usize = 10;

/// What both views share: a pattern's entry for a placement, and sums.
const PATTERNS: &str = "
// 32 bits from the given one on.
fn from_bit(places: vec2<u32>, bit: u32) -> u32 {
    let shift = bit & 31u;
    if (bit >= 32u) {
        return places.y >> shift;
    }
    return (places.x >> shift) | select(places.y << (32u - shift), 0u, shift == 0u);
}

// The digit of a tile in the number of a placement: cells before its own that earlier tiles leave free.
fn digit(cells: u32, tile: u32, taken: u32) -> u32 {
    let own = (cells >> (tile * 4u)) & 15u;
    return own - countOneBits(taken & ((1u << own) - 1u));
}

fn taken_with(cells: u32, tile: u32, taken: u32) -> u32 {
    return taken | (1u << ((cells >> (tile * 4u)) & 15u));
}

// The number of a placement of up to eight tiles.
fn rank(cells: u32, about: u32) -> u32 {
    var taken = 0u;
    var number = 0u;
RANKS
    return number;
}

// The entry of a pattern's table.
fn entry(pattern: u32, places: vec2<u32>) -> u32 {
    let about = LOOKUPS + pattern * PATTERN_WORDS;
    let how = table(about + 1u);
    let cells = from_bit(places, how & 63u);
    // Few tiles stand side by side as they are, many have a number.
    let tiles = (how >> 8u) & 15u;
    var place = cells & ((1u << ((tiles & 7u) * 4u)) - 1u);
    if ((how & 128u) != 0u) {
        place = rank(cells, about + 2u);
    }
    return (table(table(about) + (place >> 3u)) >> ((place & 7u) * 4u)) & 15u;
}

fn entry_of(entries: u32, pattern: u32) -> u32 {
    return (entries >> (pattern * 4u)) & 15u;
}

// The sum of eight entries.
fn sum(entries: u32) -> u32 {
    return (((entries & 0x0f0f0f0fu) + ((entries >> 4u) & 0x0f0f0f0fu)) * 0x01010101u) >> 24u;
}

// Where the tiles are after one went from a cell to another, given what a view knows of it in both.
fn places_after(places: vec2<u32>, before: u32, after: u32) -> vec2<u32> {
    let bit = (before >> 4u) & 63u;
    let bits = ((before ^ after) & 15u) << (bit & 31u);
    return places ^ select(vec2<u32>(bits, 0u), vec2<u32>(0u, bits), bit >= 32u);
}

// The entries after a tile moved.
fn entries_after(entries: u32, places: vec2<u32>, pattern: u32) -> u32 {
    let clear = entries & ~(15u << (pattern * 4u));
    return clear | (entry(pattern, places) << (pattern * 4u));
}
";

/// The board with pattern databases.
pub fn patterns<C: Cells>(tiles: &Tiles<C>, pdb: Pdb<C>) -> DeviceProgram<Tiles<C>, Pdb<C>> {
    let views = pdb.view_count();
    let mut table = [sources(tiles), changes(tiles)].concat();
    let seen = table.len();
    for view in &pdb.views()[..views] {
        table.extend(
            (0..MAX_CELLS * MAX_CELLS).map(|at| known(tiles, &pdb, view, at / MAX_CELLS, at % MAX_CELLS)),
        );
    }
    let lookups = table.len();
    table.resize(lookups + PATTERN_WORDS * pdb.lookups().len(), 0);
    for (number, lookup) in pdb.lookups().iter().enumerate() {
        let about = lookups + PATTERN_WORDS * number;
        table[about] = table.len() as u32;
        let ranked = u32::from(lookup.layout == Layout::Rank);
        table[about + 1] = lookup.first_bit | ranked << 7 | lookup.tiles << 8;
        table[about + 2..about + 2 + lookup.weights.len()].copy_from_slice(&lookup.weights);
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        table.extend(lookup.table.bytes().chunks(4).map(word));
    }
    let program = Program {
        name: format!("{} pattern databases", size_of(tiles)),
        words: 3 + 3 * views,
        inverses: INVERSES.to_vec(),
        source: pattern_source(tiles, views, seen, lookups),
        table,
    };
    let encode = move |pdb: &Pdb<C>, board: &Board<C>, value: &Value<C::Places>, words: &mut Vec<u32>| {
        words.extend(cells(board));
        words.push(third(board, value.distance));
        for packed in &pdb.packed(value)[..views] {
            let places = packed.places.starting_at(0);
            words.extend([places as u32, (places >> 32) as u32, packed.entries]);
        }
    };
    // As on the CPU: no published counts bind a search with pattern databases on 4x4.
    let own = tiles.size() == Size { rows: 4, columns: 4 };
    let words = own.then(|| [PatternIda::words(false), PatternIda::words(true)]);
    DeviceProgram { program, encode: Box::new(encode), heuristic: pdb, words }
}

/// What a view knows of a tile in a cell: the cell as the pattern's table has it, where that stands in the places, and the pattern.
fn known<C: Cells>(
    tiles: &Tiles<C>,
    pdb: &Pdb<C>,
    view: &super::pdb::View<C::Places>,
    name: usize,
    cell: usize,
) -> u32 {
    let count = tiles.size().cells();
    let pattern = (1..count).contains(&name).then(|| pdb.lookup(view, name)).flatten();
    let (Some((number, _)), true) = (pattern, cell < count) else { return NO_PATTERN << 12 };
    let place = |cell: usize| view.place(name, cell).starting_at(0);
    let bit = (0..count).fold(0, |all, cell| all | place(cell)).trailing_zeros();
    (place(cell) >> bit) as u32 | bit << 4 | (number as u32) << 12
}

fn pattern_source<C: Cells>(tiles: &Tiles<C>, views: usize, seen: usize, lookups: usize) -> String {
    let ranks: Vec<String> = (0..8)
        .map(|tile| {
            format!(
                "    number += digit(cells, {tile}u, taken) * table(about + {tile}u);\n    taken = taken_with(cells, {tile}u, taken);"
            )
        })
        .collect();
    let (mut after, mut others, mut sums, mut words) =
        (String::new(), String::new(), String::new(), Vec::new());
    for view in 0..views {
        let (word, at) = (3 + 3 * view, seen + view * MAX_CELLS * MAX_CELLS);
        let read = format!(
            "    let before_{view} = table({at}u + tile * 16u + source);\n    let after_{view} = table({at}u + tile * 16u + gap);\n    let pattern_{view} = before_{view} >> 12u;\n"
        );
        let places = format!(
            "places_after(vec2<u32>(state[{word}], state[{}]), before_{view}, after_{view})",
            word + 1
        );
        let entries = word + 2;
        let _ = write!(
            after,
            "{read}    var places_{view} = vec2<u32>(state[{word}], state[{}]);\n    var entries_{view} = state[{entries}];\n    if (pattern_{view} != {NO_PATTERN}u) {{\n        places_{view} = {places};\n        entries_{view} = entries_after(entries_{view}, places_{view}, pattern_{view});\n    }}\n",
            word + 1
        );
        let _ = write!(
            others,
            "{read}    let sum_{view} = sum(state[{entries}]);\n    let own_{view} = select(entry_of(state[{entries}], pattern_{view} & 7u), 0u, pattern_{view} == {NO_PATTERN}u);\n    others = max(others, sum_{view} - own_{view});\n"
        );
        let _ = write!(
            sums,
            "    if (pattern_{view} != {NO_PATTERN}u) {{\n        let sum_after = sum_{view} - own_{view} + entry(pattern_{view}, {places});\n        most_sum = max(most_sum, sum_after);\n        if (sum_after > most) {{\n            return distance + 2u * sum_after;\n        }}\n    }} else {{\n        most_sum = max(most_sum, sum_{view});\n    }}\n"
        );
        words.extend([format!("places_{view}.x"), format!("places_{view}.y"), format!("entries_{view}")]);
    }
    format!(
        "{BOARD}{}const LOOKUPS = {lookups}u;\nconst PATTERN_WORDS = {PATTERN_WORDS}u;\n{}
fn turned(state: State, m: u32) -> State {{
    let gap = state[2] & 15u;
    let source = (table(SOURCES + gap) >> (m * 4u)) & 15u;
    let tile = cell(state, source);
    let board = slid(state, m);
{after}    return State(board.x, board.y, board.z, {});
}}

fn cost_after(state: State, m: u32, below: u32) -> u32 {{
    let gap = state[2] & 15u;
    let source = (table(SOURCES + gap) >> (m * 4u)) & 15u;
    let tile = cell(state, source);
    let distance = (state[2] >> 8u) + change(tile, gap, m) - 1u;
    if (distance > below) {{
        return distance;
    }}
    // Whatever the tables say, the other patterns' entries stay.
    let most = (below - distance) >> 1u;
    var others = 0u;
{others}    if (others > most) {{
        return distance + 2u * others;
    }}
    var most_sum = 0u;
{sums}    return distance + 2u * most_sum;
}}
{PRICED}",
        solved_function(&cells(&tiles.solved)),
        PATTERNS.replace("RANKS", &ranks.join("\n")),
        words.join(", "),
    )
}

/// The entry of IDA* on a device.
pub(super) fn entry<C: Cells>() -> AlgorithmEntry<Tiles<C>> {
    gpu::entry::<Tiles<C>>(PROGRAMS, |context, device| {
        let (tiles, spec, control) = (context.puzzle, context.spec, context.control);
        match &spec.heuristic {
            Some(HeuristicExpr::Named { name, argument }) if name == "pdb" => {
                let partition = argument.as_deref().unwrap_or_default();
                let pdb = Pdb::new(tiles.goal(), partition, &*context.runtime.tables, control)?;
                Ok(Box::new(GpuIda::new(device, spec, patterns(tiles, pdb), control)?))
            }
            _ => Ok(Box::new(GpuIda::new(device, spec, manhattan(tiles), control)?)),
        }
    })
}
