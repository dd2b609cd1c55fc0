//! The interface to devices, such as graphics processors, that search many subtrees at once.
//!
//! Neither this crate nor a puzzle depends on a graphics API. A puzzle provides its rules and a heuristic as
//! a [`Program`]: a few WGSL functions and a table. The front end puts a [`DeviceProvider`] into the
//! [`Runtime`](crate::runtime::Runtime); [`crate::solve::gpu`] drives the device.

use std::sync::Arc;

use crate::error::Error;
use crate::moves::{Move, MoveAutomaton, MoveMask};
use crate::puzzle::Cost;

/// The rules of a puzzle and a heuristic as a device program.
///
/// `source` is WGSL with these declarations, where `State` is `array<u32, WORDS>` and `table(index)` reads a
/// word of the table:
///
/// ```wgsl
/// fn apply_move(state: State, m: u32) -> State    // the state after a legal move
/// fn solved(state: State) -> bool                 // the goal test
/// fn legal(state: State) -> u32                   // the legal moves, a bit each
/// fn evaluate_children(state: State, moves: u32, max_h: u32) -> Children
/// ```
///
/// `evaluate_children` evaluates the children that `moves` lead to. In the result, `keep` is the set of
/// moves whose child has an h of at most `max_h`; `excess` is the least amount by which the h of another
/// child exceeds `max_h`, or `NONE` if there is no other child. The helper
/// `add_child(children, h, bit, moves, max_h)` adds a child to the result. A move followed by its inverse
/// must restore exactly the same words. The functions contain no loops, because graphics drivers limit the
/// number of loop iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The name in messages.
    pub name: String,
    /// The number of 32-bit words of a state.
    pub words: usize,
    /// The inverse of each move; at most [`Program::MAX_MOVES`] moves.
    pub inverses: Vec<Move>,
    /// The WGSL functions.
    pub source: String,
    /// The contents that `table` reads.
    pub table: Vec<u32>,
}

impl Program {
    /// The largest number of moves: a set of moves shares a word with other fields.
    pub const MAX_MOVES: usize = 24;
    /// The largest budget (bound minus cost so far) of a subtree: it is packed into eight bits.
    pub const MAX_BUDGET: Cost = 255;

    /// The number of moves.
    pub fn move_count(&self) -> usize {
        self.inverses.len()
    }

    /// The same program with an empty table.
    #[must_use]
    pub fn without_table(&self) -> Program {
        let Program { name, words, inverses, source, table: _ } = self;
        Program {
            name: name.clone(),
            words: *words,
            inverses: inverses.clone(),
            source: source.clone(),
            table: Vec::new(),
        }
    }
}

/// The assignment of subtrees to the lanes of a device, after the block-parallel and thread-parallel IDA\*
/// of Horie & Fukunaga (SoCS 2017).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// A group of lanes per subtree, with a lane for each parent and move.
    Block,
    /// One lane per subtree.
    Thread,
}

impl Kernel {
    /// Both kernels, in the order of [`Kernel::index`].
    pub const ALL: [Kernel; 2] = [Kernel::Block, Kernel::Thread];

    /// The index in arrays with one element per kernel.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The name in specs: `block` or `thread`.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Block => "block",
            Kernel::Thread => "thread",
        }
    }
}

/// The subtrees of one pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// For each subtree the words of its state, the untried moves as a bit mask, and the automaton state in
    /// the lower half with the budget in the upper half of one word.
    pub words: Vec<u32>,
    /// The number of subtrees.
    pub count: usize,
    /// The largest budget of a subtree.
    pub max_budget: Cost,
}

impl Batch {
    /// Completes a subtree whose state was already appended to `words`.
    pub fn add(&mut self, untried: u32, automaton_state: u16, budget: Cost) {
        self.words.extend([untried, u32::from(automaton_state) | budget << 16]);
        self.count += 1;
        self.max_budget = self.max_budget.max(budget);
    }
}

/// A move automaton as a table: for each state the allowed moves as a bit mask, then the next state of each
/// move.
pub fn automaton_table<M: MoveMask>(automaton: &MoveAutomaton<M>) -> Vec<u32> {
    let mut table = Vec::new();
    for state in automaton.states() {
        table.push(automaton.allowed(state).low_bits() as u32);
        table.extend(
            (0..automaton.move_count()).map(|m| u32::from(automaton.next(state, Move(m as u8)).number())),
        );
    }
    table
}

/// The progress of a pass over subtrees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PassProgress {
    /// The number of subtrees that are searched, or given up because they overflowed the stack.
    pub finished: usize,
    /// Whether a solution was found.
    pub found: bool,
    /// Nodes generated since the pass started.
    pub nodes: u64,
}

/// The result of searching a subtree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SubtreeResult {
    /// Generated nodes, pruned ones included.
    pub nodes: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// The least amount by which the f-value of a pruned node exceeds the bound; `Cost::MAX` if none was
    /// pruned.
    pub min_excess: Cost,
    /// The number of goals within the bound.
    pub solutions: u32,
    /// The status at the end of the pass.
    pub status: SubtreeStatus,
}

/// The status of a subtree at the end of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SubtreeStatus {
    /// The pass ended before the subtree was searched.
    #[default]
    Unfinished,
    /// The whole subtree was searched.
    Done,
    /// The subtree overflowed the stack of the device; its counts are meaningless.
    StackOverflowed,
}

/// The device was lost or misbehaved; the text is the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceError(pub String);

/// A program loaded onto a device.
pub trait Engine: Send {
    /// Uploads the subtrees of a pass. With `stop_at_first`, the device starts no further subtree once it
    /// has found a solution.
    fn begin(
        &mut self,
        kernel: Kernel,
        automaton: &[u32],
        batch: &Batch,
        stop_at_first: bool,
    ) -> Result<(), DeviceError>;

    /// Runs the device for a few hundredths of a second.
    fn advance(&mut self) -> Result<PassProgress, DeviceError>;

    /// The results of the subtrees, in their order.
    fn collect(&mut self) -> Result<Vec<SubtreeResult>, DeviceError>;

    /// Compiles a kernel, which may take seconds; does nothing if the kernel is compiled already.
    fn compile_kernel(&mut self, _kernel: Kernel) -> Result<(), DeviceError> {
        Ok(())
    }

    /// The number of bytes that the program occupies on the device, without the subtrees of a pass.
    fn bytes(&self) -> u64;
}

/// A graphics processor or a simulation of one.
pub trait Device: Send + Sync {
    /// The name of the device.
    fn name(&self) -> String;

    /// Loads a program.
    fn load(&self, program: &Program) -> Result<Box<dyn Engine>, Error>;
}

/// Opens the device that searches use. A solver calls it when it first needs a device, so that other
/// searches do not wait for drivers.
pub trait DeviceProvider: Send + Sync {
    /// The device, reopened if it was lost.
    fn open(&self) -> Result<Arc<dyn Device>, Error>;
}

impl<F: Fn() -> Result<Arc<dyn Device>, Error> + Send + Sync> DeviceProvider for F {
    fn open(&self) -> Result<Arc<dyn Device>, Error> {
        self()
    }
}
