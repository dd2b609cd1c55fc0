//! WGSL programs for IDA* on a GPU: boards of up to 16 cells, with Manhattan distance or pattern databases.
//!
//! A state has three 32-bit words: the board in two, the blank's cell and the Manhattan distance in the
//! third. With pattern databases it also has, for each view of the board (plain and reflected along the
//! diagonal), the packed tile locations in two words and the table entries in one; `pdb/mod.rs` explains
//! these terms.
//!
//! A child's heuristic value is evaluated step by step, as [`Pdb`] does on the CPU: the Manhattan distance,
//! then the sums of table entries. The first partial value that exceeds the bound prunes the child. The next
//! bound is the least f-value, computed from such partial values, of a pruned child.
//!
//! [`Program`] lists the functions that a program defines and may call. The search itself
//! (`untumble_search::solve::gpu`) follows Horie & Fukunaga, "Block-parallel IDA* for GPUs" (SoCS 2017).

use untumble_search::device::Program;
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::registry::AlgorithmEntry;
use untumble_search::solve::gpu::{self, DeviceProgram, ProgramEntry};

use super::cells::TileLocations;
use super::duplicate_operators::INVERSES;
use super::fifteen::PatternIda;
use super::heuristics::{self, Manhattan};
use super::pdb::{self, Layout, Pdb, PdbValue, View};
use super::{Board, Cells, Size, Tiles};
use crate::wgsl::solved_function;

/// Largest number of cells that fit the two words of a board.
pub(super) const MAX_CELLS: usize = 16;

/// Whether this puzzle size has device programs.
pub(super) fn is_available(size: Size) -> bool {
    size.cells() <= MAX_CELLS
}

/// The first two words of a state: the tile ids, 4 bits per cell.
fn board_words<C: Cells>(board: &Board<C>) -> [u32; 2] {
    let word = board.cells.word().unwrap_or_default();
    [word as u32, (word >> 32) as u32]
}

/// The third word of a state: the blank's cell in the lower 8 bits, the Manhattan distance above.
fn blank_and_distance<C>(board: &Board<C>, distance: Cost) -> u32 {
    u32::from(board.blank) | distance << 8
}

/// The first part of the table, indexed by the blank's cell: for each move, in 4 bits, the source cell from
/// which the tile slides; then, from bit 16, the set of legal moves.
fn sources<C: Cells>(tiles: &Tiles<C>) -> Vec<u32> {
    let entry = |blank: usize| {
        let moves = (0..4).map(Move).filter_map(|m| Some((m, tiles.size().sliding_cell(blank, m)?)));
        moves.fold(0, |word, (m, from)| word | (from as u32) << (4 * m.0) | 1 << (16 + m.0))
    };
    (0..MAX_CELLS).map(|blank| if blank < tiles.size().cells() { entry(blank) } else { 0 }).collect()
}

/// The second part of the table, indexed by `16 * tile + blank`: for each move, in 2 bits, the change of the
/// Manhattan distance plus 1 (0 or 2).
fn changes<C: Cells>(tiles: &Tiles<C>) -> Vec<u32> {
    let (goal, size) = (tiles.goal(), tiles.size());
    let entry = |tile: usize, blank: usize| {
        let distance = |cell: usize| size.distance(cell, goal.home(tile));
        let moves = (0..4).map(Move).filter_map(|m| Some((m, size.sliding_cell(blank, m)?)));
        moves.fold(0, |word, (m, from)| word | ((distance(blank) + 1 - distance(from)) as u32) << (2 * m.0))
    };
    let exists =
        |index: usize| (1..size.cells()).contains(&(index / MAX_CELLS)) && index % MAX_CELLS < size.cells();
    (0..MAX_CELLS * MAX_CELLS)
        .map(|index| if exists(index) { entry(index / MAX_CELLS, index % MAX_CELLS) } else { 0 })
        .collect()
}

/// WGSL that both programs share. The table begins with [`sources`], followed by [`changes`].
const BOARD: &str = "
const SOURCES = 0u;
const CHANGES = 16u;

fn tile_at(state: State, cell: u32) -> u32 {
    return (select(state[0], state[1], cell >= 8u) >> ((cell & 7u) * 4u)) & 15u;
}

// The board with the bits of a tile toggled in one cell.
fn toggled(board: vec2<u32>, cell: u32, tile: u32) -> vec2<u32> {
    let bits = tile << ((cell & 7u) * 4u);
    return board ^ select(vec2<u32>(bits, 0u), vec2<u32>(0u, bits), cell >= 8u);
}

// The change of the distance by a move, plus 1.
fn change(tile: u32, blank: u32, m: u32) -> u32 {
    return (table(CHANGES + tile * 16u + blank) >> (m * 2u)) & 3u;
}

fn legal(state: State) -> u32 {
    return table(SOURCES + (state[2] & 15u)) >> 16u;
}

// The first three words after a move.
fn slid(state: State, m: u32) -> vec3<u32> {
    let blank = state[2] & 15u;
    let source = (table(SOURCES + blank) >> (m * 4u)) & 15u;
    let tile = tile_at(state, source);
    let board = toggled(toggled(vec2<u32>(state[0], state[1]), source, tile), blank, tile);
    let distance = (state[2] >> 8u) + change(tile, blank, m) - 1u;
    return vec3<u32>(board, source | (distance << 8u));
}
";

/// WGSL that evaluates the four children. The programs define `h_after(state, move, max_h)`: the heuristic
/// value after the move or, if that value exceeds `max_h`, a lower bound of it that also exceeds `max_h`.
/// Illegal moves are evaluated too; `add_child` ignores them. `Children` has the set of moves whose child is
/// within the bound, and the least excess of a pruned child (`common.wgsl`).
const EVALUATE_CHILDREN: &str = "
fn evaluate_children(state: State, moves: u32, max_h: u32) -> Children {
    var children = Children(/* keep */ 0u, /* excess */ NONE);
    children = add_child(children, h_after(state, 0u, max_h), 1u, moves, max_h);
    children = add_child(children, h_after(state, 1u, max_h), 2u, moves, max_h);
    children = add_child(children, h_after(state, 2u, max_h), 4u, moves, max_h);
    children = add_child(children, h_after(state, 3u, max_h), 8u, moves, max_h);
    return children;
}
";

/// WGSL of the functions that only Manhattan distance needs.
const MANHATTAN: &str = "
fn apply_move(state: State, m: u32) -> State {
    let after = slid(state, m);
    return State(after.x, after.y, after.z);
}

fn h_after(state: State, m: u32, max_h: u32) -> u32 {
    let blank = state[2] & 15u;
    let tile = tile_at(state, (table(SOURCES + blank) >> (m * 4u)) & 15u);
    return (state[2] >> 8u) + change(tile, blank, m) - 1u;
}
";

/// The program with Manhattan distance.
pub fn manhattan<C: Cells>(tiles: &Tiles<C>) -> DeviceProgram<Tiles<C>, Manhattan> {
    let program = Program {
        name: format!("{} manhattan", puzzle_name(tiles)),
        words: 3,
        inverses: INVERSES.to_vec(),
        source: [BOARD, &solved_function(&board_words(&tiles.solved)), MANHATTAN, EVALUATE_CHILDREN].concat(),
        table: [sources(tiles), changes(tiles)].concat(),
    };
    let encode = |_: &Manhattan, board: &Board<C>, &distance: &Cost, words: &mut Vec<u32>| {
        words.extend(board_words(board));
        words.push(blank_and_distance(board, distance));
    };
    DeviceProgram {
        program,
        encode: Box::new(encode),
        heuristic: Manhattan::new(tiles.goal()),
        automata: None,
    }
}

fn puzzle_name<C: Cells>(tiles: &Tiles<C>) -> String {
    format!("tiles-{}", tiles.size())
}

/// Marks a tile without a pattern.
const NO_PATTERN: u32 = 15;
/// The table words that describe a pattern. Word 0: offset of its entries. Word 1: first bit (bits 0 to 5),
/// compact flag (bit 7), number of tiles (from bit 8). Words 2 to 9: weights.
const PATTERN_WORDS: usize = 10;

/// WGSL that both views share: table entries and their sums. `RANK_DIGITS` is replaced by one line per
/// digit of the rank.
const PATTERNS: &str = "
// The 32 bits starting at `bit`.
fn from_bit(locations: vec2<u32>, bit: u32) -> u32 {
    let shift = bit & 31u;
    if (bit >= 32u) {
        return locations.y >> shift;
    }
    return (locations.x >> shift) | select(locations.y << (32u - shift), 0u, shift == 0u);
}

// The rank digit of a tile: the number of cells before its own that no earlier tile of the pattern occupies.
fn digit(cells: u32, tile: u32, occupied: u32) -> u32 {
    let own = (cells >> (tile * 4u)) & 15u;
    return own - countOneBits(occupied & ((1u << own) - 1u));
}

fn occupied_with(cells: u32, tile: u32, occupied: u32) -> u32 {
    return occupied | (1u << ((cells >> (tile * 4u)) & 15u));
}

// The rank of a placement of up to eight tiles.
fn rank(cells: u32, weights: u32) -> u32 {
    var occupied = 0u;
    var total = 0u;
RANK_DIGITS
    return total;
}

// The entry of a pattern's table.
fn entry(pattern: u32, locations: vec2<u32>) -> u32 {
    let description = PATTERN_DESCRIPTIONS + pattern * PATTERN_WORDS;
    let bit_and_layout = table(description + 1u);
    let cells = from_bit(locations, bit_and_layout & 63u);
    // Sparse tables are indexed by the concatenated cells, compact ones by the rank.
    let tiles = (bit_and_layout >> 8u) & 15u;
    var index = cells & ((1u << ((tiles & 7u) * 4u)) - 1u);
    if ((bit_and_layout & 128u) != 0u) {
        index = rank(cells, description + 2u);
    }
    return (table(table(description) + (index >> 3u)) >> ((index & 7u) * 4u)) & 15u;
}

fn entry_of(entries: u32, pattern: u32) -> u32 {
    return (entries >> (pattern * 4u)) & 15u;
}

// The sum of eight entries.
fn sum(entries: u32) -> u32 {
    return (((entries & 0x0f0f0f0fu) + ((entries >> 4u) & 0x0f0f0f0fu)) * 0x01010101u) >> 24u;
}

// The tile locations after a tile moved, given its location words before and after.
fn locations_after(locations: vec2<u32>, before: u32, after: u32) -> vec2<u32> {
    let bit = (before >> 4u) & 63u;
    let bits = ((before ^ after) & 15u) << (bit & 31u);
    return locations ^ select(vec2<u32>(bits, 0u), vec2<u32>(0u, bits), bit >= 32u);
}

// The entries after a tile of a pattern moved.
fn entries_after(entries: u32, locations: vec2<u32>, pattern: u32) -> u32 {
    let cleared = entries & ~(15u << (pattern * 4u));
    return cleared | (entry(pattern, locations) << (pattern * 4u));
}
";

/// The program with pattern databases.
pub fn patterns<C: Cells>(tiles: &Tiles<C>, pdb: Pdb<C>) -> DeviceProgram<Tiles<C>, Pdb<C>> {
    let views = pdb.view_count();
    let mut table = [sources(tiles), changes(tiles)].concat();
    let location_words = table.len();
    for view in &pdb.views()[..views] {
        table.extend(
            (0..MAX_CELLS * MAX_CELLS)
                .map(|index| location_word(tiles, &pdb, view, index / MAX_CELLS, index % MAX_CELLS)),
        );
    }
    let descriptions = table.len();
    table.resize(descriptions + PATTERN_WORDS * pdb.pattern_tables().len(), 0);
    for (pattern, pattern_table) in pdb.pattern_tables().iter().enumerate() {
        let description = descriptions + PATTERN_WORDS * pattern;
        table[description] = table.len() as u32;
        let compact = u32::from(pattern_table.layout == Layout::Compact);
        table[description + 1] = pattern_table.first_bit | compact << 7 | pattern_table.tiles << 8;
        let weights = description + 2..description + 2 + pattern_table.weights.len();
        table[weights].copy_from_slice(&pattern_table.weights);
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        table.extend(pattern_table.table.bytes().chunks(4).map(word));
    }
    let program = Program {
        name: format!("{} pattern databases", puzzle_name(tiles)),
        // The words of a state.
        words: 3 + 3 * views,
        inverses: INVERSES.to_vec(),
        source: pattern_source(tiles, views, location_words, descriptions),
        table,
    };
    let encode =
        move |pdb: &Pdb<C>, board: &Board<C>, value: &PdbValue<C::TileLocations>, words: &mut Vec<u32>| {
            words.extend(board_words(board));
            words.push(blank_and_distance(board, value.distance));
            for view in &pdb.view_values(value)[..views] {
                let locations = view.locations.bits_from(0);
                words.extend([locations as u32, (locations >> 32) as u32, view.entries]);
            }
        };
    // 4×4 searches prune duplicate operator sequences, as on the CPU. Searches with Manhattan distance do
    // not, because their node counts are compared with published ones; there are none for pattern databases.
    let prunes_duplicates = tiles.size() == Size { rows: 4, columns: 4 };
    // The move automata for one solution and for all solutions.
    let automata = prunes_duplicates.then(|| [false, true].map(PatternIda::automaton));
    DeviceProgram { program, encode: Box::new(encode), heuristic: pdb, automata }
}

/// The location word of a tile in a cell, for one view: the cell in the orientation of the pattern's table
/// (4 bits; see `pdb/orientation.rs`), the bit offset of the tile's cell within the packed locations (6 bits
/// from bit 4), the pattern (from bit 12).
fn location_word<C: Cells>(
    tiles: &Tiles<C>,
    pdb: &Pdb<C>,
    view: &View<C::TileLocations>,
    tile: usize,
    cell: usize,
) -> u32 {
    let count = tiles.size().cells();
    let pattern = (1..count).contains(&tile).then(|| pdb.table_of(view, tile)).flatten();
    let (Some((pattern, _)), true) = (pattern, cell < count) else { return NO_PATTERN << 12 };
    let location = |cell: usize| view.location(tile, cell).bits_from(0);
    let bit = (0..count).fold(0, |bits, cell| bits | location(cell)).trailing_zeros();
    (location(cell) >> bit) as u32 | bit << 4 | (pattern as u32) << 12
}

/// WGSL for one view: the location words and the pattern of the sliding tile.
///
/// In this and the following templates, [`pattern_source`] replaces `VIEW` by the number of the view,
/// `LOCATIONS` by the table offset of its location words, and `LOW`, `HIGH` and `ENTRIES` by the indices of
/// its three words in a state.
const VIEW_LOCATIONS: &str = "
    let before_VIEW = table(LOCATIONSu + tile * 16u + source);
    let after_VIEW = table(LOCATIONSu + tile * 16u + blank);
    let pattern_VIEW = before_VIEW >> 12u;";

/// WGSL for one view: locations and entries after a move.
const VIEW_AFTER_MOVE: &str = "
    var locations_VIEW = vec2<u32>(state[LOW], state[HIGH]);
    var entries_VIEW = state[ENTRIES];
    if (pattern_VIEW != NO_PATTERNu) {
        locations_VIEW = locations_after(vec2<u32>(state[LOW], state[HIGH]), before_VIEW, after_VIEW);
        entries_VIEW = entries_after(entries_VIEW, locations_VIEW, pattern_VIEW);
    }";

/// WGSL for one view: the sum of all entries except that of the sliding tile's pattern. The maximum of the
/// views is collected in `others`, a lower bound of the sum after the move.
const VIEW_OTHERS: &str = "
    let sum_VIEW = sum(state[ENTRIES]);
    let own_VIEW = select(entry_of(state[ENTRIES], pattern_VIEW & 7u), 0u, pattern_VIEW == NO_PATTERNu);
    others = max(others, sum_VIEW - own_VIEW);";

/// WGSL for one view: the sum after the move.
const VIEW_SUM: &str = "
    if (pattern_VIEW != NO_PATTERNu) {
        let moved = locations_after(vec2<u32>(state[LOW], state[HIGH]), before_VIEW, after_VIEW);
        let sum_after = sum_VIEW - own_VIEW + entry(pattern_VIEW, moved);
        largest_sum = max(largest_sum, sum_after);
        if (sum_after > max_sum) {
            return distance + 2u * sum_after;
        }
    } else {
        largest_sum = max(largest_sum, sum_VIEW);
    }";

/// WGSL of the functions that only pattern databases need.
const PATTERN_FUNCTIONS: &str = "
fn apply_move(state: State, m: u32) -> State {
    let blank = state[2] & 15u;
    let source = (table(SOURCES + blank) >> (m * 4u)) & 15u;
    let tile = tile_at(state, source);
    let board = slid(state, m);
VIEWS_AFTER_MOVE
    return State(board.x, board.y, board.z, VIEW_WORDS);
}

fn h_after(state: State, m: u32, max_h: u32) -> u32 {
    let blank = state[2] & 15u;
    let source = (table(SOURCES + blank) >> (m * 4u)) & 15u;
    let tile = tile_at(state, source);
    let distance = (state[2] >> 8u) + change(tile, blank, m) - 1u;
    if (distance > max_h) {
        return distance;
    }
    // The entries of the other patterns do not change.
    let max_sum = (max_h - distance) >> 1u;
    var others = 0u;
VIEWS_OTHERS
    if (others > max_sum) {
        return distance + 2u * others;
    }
    var largest_sum = 0u;
VIEWS_SUM
    return distance + 2u * largest_sum;
}
";

/// The whole WGSL source; `location_words` and `descriptions` are the table offsets at which the location
/// words and the descriptions of the patterns begin.
fn pattern_source<C: Cells>(
    tiles: &Tiles<C>,
    views: usize,
    location_words: usize,
    descriptions: usize,
) -> String {
    let digit = |tile: usize| {
        format!(
            "    total += digit(cells, {tile}u, occupied) * table(weights + {tile}u);\n    \
             occupied = occupied_with(cells, {tile}u, occupied);"
        )
    };
    let digits: Vec<String> = (0..8).map(digit).collect();
    let for_each_view = |templates: &[&str]| {
        let expand = |view: usize| {
            let first = 3 + 3 * view;
            let locations_offset = location_words + view * MAX_CELLS * MAX_CELLS;
            templates
                .concat()
                .replace("NO_PATTERN", &NO_PATTERN.to_string())
                .replace("ENTRIES", &(first + 2).to_string())
                .replace("LOCATIONS", &locations_offset.to_string())
                .replace("HIGH", &(first + 1).to_string())
                .replace("LOW", &first.to_string())
                .replace("VIEW", &view.to_string())
        };
        (0..views).map(expand).collect::<String>()
    };
    let view_words = |view: usize| format!("locations_{view}.x, locations_{view}.y, entries_{view}");
    let view_words: Vec<String> = (0..views).map(view_words).collect();
    let functions = PATTERN_FUNCTIONS
        .replace("VIEWS_AFTER_MOVE", &for_each_view(&[VIEW_LOCATIONS, VIEW_AFTER_MOVE]))
        .replace("VIEWS_OTHERS", &for_each_view(&[VIEW_LOCATIONS, VIEW_OTHERS]))
        .replace("VIEWS_SUM", &for_each_view(&[VIEW_SUM]))
        .replace("VIEW_WORDS", &view_words.join(", "));
    let constants =
        format!("const PATTERN_DESCRIPTIONS = {descriptions}u;\nconst PATTERN_WORDS = {PATTERN_WORDS}u;\n");
    [
        BOARD,
        &solved_function(&board_words(&tiles.solved)),
        &constants,
        &PATTERNS.replace("RANK_DIGITS", &digits.join("\n")),
        &functions,
        EVALUATE_CHILDREN,
    ]
    .concat()
}

/// The registry entry of IDA* on a GPU.
pub(super) fn entry<C: Cells>() -> AlgorithmEntry<Tiles<C>> {
    gpu::entry(vec![
        ProgramEntry::<Tiles<C>>::new(heuristics::MANHATTAN, |context, _| Ok(manhattan(context.puzzle))),
        ProgramEntry::<Tiles<C>>::new(pdb::NAME, |context, partition| {
            let (tiles, partition) = (context.puzzle, partition.unwrap_or_default());
            let pdb = Pdb::new(tiles.goal(), partition, &*context.runtime.tables, context.control)?;
            Ok(patterns(tiles, pdb))
        }),
    ])
}
