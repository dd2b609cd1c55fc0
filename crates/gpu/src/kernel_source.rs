//! Assembles the WGSL text of a kernel from generated declarations, the common text, a puzzle's program
//! (its rules and heuristic) and the text of the kernel.
//!
//! In the block kernel a workgroup shares one subtree and one stack of edges, partly in workgroup memory. In
//! the thread kernel each lane (shader invocation) searches a subtree of its own.

use std::fmt::Write;

use untumble_search::device::{Kernel, Program};

/// The sizes that a kernel is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelSizes {
    /// Lanes of a workgroup. Must be a multiple of 8: lavapipe loses lanes otherwise.
    pub workgroup_size: u32,
    /// The number of items of a workgroup's stack that are in workgroup memory.
    pub shared: u32,
    /// The largest number of items of a workgroup's stack, in workgroup and storage memory.
    pub capacity: u32,
}

impl KernelSizes {
    /// The default sizes for a device with `workgroup_bytes` of workgroup memory.
    pub fn default_for(kernel: Kernel, program: &Program, workgroup_bytes: u32) -> KernelSizes {
        /// Workgroup memory of the kernel beside its stack, in bytes.
        const RESERVED: u32 = 64;
        let item_bytes = 4 * item_words(program);
        let shared = (workgroup_bytes.saturating_sub(RESERVED) / item_bytes).clamp(1, 256);
        match kernel {
            Kernel::Block => KernelSizes { workgroup_size: 32, shared, capacity: 2048 },
            Kernel::Thread => KernelSizes { workgroup_size: 64, shared: 0, capacity: 0 },
        }
    }
}

/// The number of words of a stack item. An item is an edge of the search tree: the parent state, and one word
/// with the move, the state of the move-pruning automaton and the remaining depth.
pub(crate) fn item_words(program: &Program) -> u32 {
    program.words as u32 + 1
}

/// Words of the stack of a workgroup of the block kernel, with its header.
pub(crate) fn group_stack_words(program: &Program, sizes: KernelSizes) -> u32 {
    2 + sizes.capacity * item_words(program)
}

/// Words of the stack of a lane of the thread kernel, with its header and the current state, for subtrees of
/// at most `max_budget` moves.
pub(crate) fn lane_stack_words(program: &Program, max_budget: u32) -> u32 {
    4 + program.words as u32 + max_budget
}

const COMMON: &str = include_str!("kernels/common.wgsl");
const BLOCK: &str = include_str!("kernels/block.wgsl");
const THREAD: &str = include_str!("kernels/thread.wgsl");

/// The whole text of a kernel. The table is bound in chunks of `chunk_words` words.
pub fn kernel_source(kernel: Kernel, program: &Program, sizes: KernelSizes, chunk_words: usize) -> String {
    kernel_source_with_chunks(kernel, program, sizes, chunk_words, table_chunks(program, chunk_words))
}

/// As [`kernel_source`], for a program whose table has been dropped: the number of chunks is given.
pub(crate) fn kernel_source_with_chunks(
    kernel: Kernel,
    program: &Program,
    sizes: KernelSizes,
    chunk_words: usize,
    chunks: usize,
) -> String {
    let moves = program.move_count();
    let mut text = format!(
        "const WORDS = {}u;\nconst MOVES = {moves}u;\nconst MOVE_MASK = {}u;\nconst GROUP = {}u;\n\
         alias State = array<u32, {}>;\n\n{COMMON}\n",
        program.words,
        (1u64 << moves) - 1,
        sizes.workgroup_size,
        program.words,
    );
    text += &table_function(chunks, chunk_words);
    // Loops over the words of a state are unrolled: Mesa's software driver ends all loops of an invocation
    // after 65,535 iterations in total.
    let list = |word: &dyn Fn(usize) -> String| (0..program.words).map(word).collect::<Vec<_>>().join(", ");
    let lines = |word: &dyn Fn(usize) -> String| (0..program.words).map(word).collect::<String>();
    let _ = write!(
        text,
        "\n// The root state of a subtree.\n\
         fn subtree_state(at: u32) -> State {{\n    return State({});\n}}\n\
         \n// A state in `memory` whose words are `stride` apart.\n\
         fn load_state(at: u32, stride: u32) -> State {{\n    return State({});\n}}\n\
         \nfn store_state(at: u32, stride: u32, state: State) {{\n{}}}\n",
        list(&|word| format!("subtrees[at + {word}u]")),
        list(&|word| format!("memory[at + {word}u * stride]")),
        lines(&|word| format!("    memory[at + {word}u * stride] = state[{word}];\n")),
    );
    if kernel == Kernel::Block {
        let _ = write!(
            text,
            "\nconst SHARED = {}u;\nconst CAPACITY = {}u;\n\
             \n// The state of a stack item in workgroup memory.\n\
             fn load_shared(item: u32) -> State {{\n    return State({});\n}}\n\
             \nfn store_shared(item: u32, state: State, edge: u32) {{\n\
             {}    shared_stack[WORDS * SHARED + item] = edge;\n}}\n",
            sizes.shared,
            sizes.capacity,
            list(&|word| format!("shared_stack[{word}u * SHARED + item]")),
            lines(&|word| format!("    shared_stack[{word}u * SHARED + item] = state[{word}];\n")),
        );
    }
    text + "\n" + &program.source + "\n" + if kernel == Kernel::Block { BLOCK } else { THREAD }
}

/// The number of chunks in which the table is bound, at least 1.
pub(crate) fn table_chunks(program: &Program, chunk_words: usize) -> usize {
    program.table.len().div_ceil(chunk_words).max(1)
}

/// The binding of the first chunk of the table.
pub(crate) const FIRST_TABLE_BINDING: u32 = 6;

/// The bindings of all chunks and the function `table` that reads them as one array.
fn table_function(chunks: usize, chunk_words: usize) -> String {
    let mut text = String::new();
    for chunk in 0..chunks {
        let binding = FIRST_TABLE_BINDING + chunk as u32;
        let _ = writeln!(text, "@group(0) @binding({binding}) var<storage, read> table_{chunk}: array<u32>;");
    }
    text += "\nfn table(place: u32) -> u32 {\n";
    for chunk in 0..chunks - 1 {
        let (start, end) = (chunk * chunk_words, (chunk + 1) * chunk_words);
        let _ = writeln!(
            text,
            "    if (place < {end}u) {{\n        return table_{chunk}[place - {start}u];\n    }}"
        );
    }
    let last = chunks - 1;
    let _ = writeln!(text, "    return table_{last}[place - {}u];\n}}", last * chunk_words);
    text
}
