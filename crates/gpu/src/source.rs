//! The text of a kernel: a puzzle's program between what all kernels share and one of the two.

use std::fmt::Write;

use untumble_search::device::{Kernel, Program};

/// The sizes that a kernel is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Lanes of a group. Some drivers lose lanes where it is not a multiple of eight.
    pub group: u32,
    /// Items of a group's stack that are in its own memory.
    pub shared: u32,
    /// Items of a group's stack in all.
    pub capacity: u32,
}

impl Sizes {
    /// The sizes that serve well, within so many bytes of memory for each group.
    pub fn usual(kernel: Kernel, program: &Program, group_bytes: u32) -> Sizes {
        /// What the kernel keeps beside its stack.
        const BESIDE: u32 = 64;
        let item = 4 * item_words(program);
        let shared = (group_bytes.saturating_sub(BESIDE) / item).clamp(1, 256);
        match kernel {
            Kernel::Block => Sizes { group: 32, shared, capacity: 2048 },
            Kernel::Thread => Sizes { group: 64, shared: 0, capacity: 0 },
        }
    }
}

/// Move sequences of an item on a group's stack: a state, and a move with what belongs to it.
pub(crate) fn item_words(program: &Program) -> u32 {
    program.words as u32 + 1
}

/// Move sequences of memory that a group of the block kernel has.
pub(crate) fn group_words(program: &Program, sizes: Sizes) -> u32 {
    2 + sizes.capacity * item_words(program)
}

/// Move sequences of memory that a lane of the thread kernel has, where so many moves may be made.
pub(crate) fn lane_words(program: &Program, most_left: u32) -> u32 {
    4 + program.words as u32 + most_left
}

const COMMON: &str = include_str!("kernels/common.wgsl");
const BLOCK: &str = include_str!("kernels/block.wgsl");
const THREAD: &str = include_str!("kernels/thread.wgsl");

/// The whole text. The table is bound in pieces of `piece` words.
pub fn source(kernel: Kernel, program: &Program, sizes: Sizes, piece: usize) -> String {
    in_pieces(kernel, program, sizes, piece, pieces(program, piece))
}

/// The same where the table is not at hand any more.
pub(crate) fn in_pieces(
    kernel: Kernel,
    program: &Program,
    sizes: Sizes,
    piece: usize,
    count: usize,
) -> String {
    let moves = program.inverses.len();
    let mut text = format!(
        "const WORDS = {}u;\nconst MOVES = {moves}u;\nconst MOVE_MASK = {}u;\nconst GROUP = {}u;\n\
         alias State = array<u32, {}>;\n\n{COMMON}\n",
        program.words,
        (1u64 << moves) - 1,
        sizes.group,
        program.words,
    );
    text += &table(count, piece);
    let each = |part: &dyn Fn(usize) -> String| (0..program.words).map(part).collect::<Vec<_>>().join(", ");
    let lines = |line: &dyn Fn(usize) -> String| (0..program.words).map(line).collect::<String>();
    let _ = write!(
        text,
        "\n// The state of a subtree.\nfn given(at: u32) -> State {{\n    return State({});\n}}\n\
         \n// The state whose words stand so far apart in the memory.\nfn remembered(at: u32, apart: u32) -> State {{\n    return State({});\n}}\n\
         \nfn remember(at: u32, apart: u32, state: State) {{\n{}}}\n",
        each(&|word| format!("subtrees[at + {word}u]")),
        each(&|word| format!("memory[at + {word}u * apart]")),
        lines(&|word| format!("    memory[at + {word}u * apart] = state[{word}];\n")),
    );
    if kernel == Kernel::Block {
        let _ = write!(
            text,
            "\nconst SHARED = {}u;\nconst CAPACITY = {}u;\n\
             \n// The state of an item in the group's own memory.\nfn near(item: u32) -> State {{\n    return State({});\n}}\n\
             \nfn put_near(item: u32, state: State, edge: u32) {{\n{}    nearby[WORDS * SHARED + item] = edge;\n}}\n",
            sizes.shared,
            sizes.capacity,
            each(&|word| format!("nearby[{word}u * SHARED + item]")),
            lines(&|word| format!("    nearby[{word}u * SHARED + item] = state[{word}];\n")),
        );
    }
    text + "\n" + &program.source + "\n" + if kernel == Kernel::Block { BLOCK } else { THREAD }
}

/// In how many pieces the table is bound.
pub(crate) fn pieces(program: &Program, piece: usize) -> usize {
    program.table.len().div_ceil(piece).max(1)
}

/// The first binding of the table.
pub(crate) const FIRST_PIECE: u32 = 6;

/// The function that reads a table, whatever the number of its pieces.
fn table(pieces: usize, piece: usize) -> String {
    let mut text = String::new();
    for number in 0..pieces {
        let binding = FIRST_PIECE + number as u32;
        let _ =
            writeln!(text, "@group(0) @binding({binding}) var<storage, read> table_{number}: array<u32>;");
    }
    text += "\nfn table(place: u32) -> u32 {\n";
    for number in 1..pieces {
        let (from, before) = (number * piece, number - 1);
        let start = before * piece;
        let _ = writeln!(
            text,
            "    if (place < {from}u) {{\n        return table_{before}[place - {start}u];\n    }}"
        );
    }
    let _ = writeln!(text, "    return table_{}[place - {}u];\n}}", pieces - 1, (pieces - 1) * piece);
    text
}
