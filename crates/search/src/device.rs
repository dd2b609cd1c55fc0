//! A device that searches many subtrees at once: what it is given, and what it gives back.
//!
//! Neither the engine nor a puzzle knows a graphics processor. A puzzle writes its rules and a heuristic as a [`Program`]: a few functions in WGSL and
//! a table. The front end puts a [`DeviceProvider`] into the [`Runtime`](crate::runtime::Runtime); [`crate::solve::gpu`] drives the device.

use std::sync::Arc;

use crate::error::Error;
use crate::moves::{Move, MoveAutomaton, MoveMask};
use crate::puzzle::Cost;

/// A puzzle's rules and a heuristic, in the language of devices.
///
/// `source` is WGSL with these declarations, where `State` is `array<u32, WORDS>` and `table(place)` reads the table:
///
/// ```wgsl
/// fn turned(state: State, m: u32) -> State        // after a legal move
/// fn solved(state: State) -> bool
/// fn legal(state: State) -> u32                   // a bit for each move
/// fn priced(state: State, moves: u32, below: u32) -> Priced
/// ```
///
/// `priced` looks at the children that `moves` lead to: `keep` are the moves whose child costs no more than `below`, `excess` is the least by which one of the others
/// exceeds it, `NONE` where there is none. `judged(price, cost, bit, moves, below)` adds a child to a price. A move must lead back by its inverse to the very same words. There are no loops in it: drivers
/// bound the number of their turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What it is, for messages.
    pub name: String,
    /// Move sequences of a state.
    pub words: usize,
    /// The move that takes each move back; at most [`Program::MOST_MOVES`] of them.
    pub inverses: Vec<Move>,
    /// The functions.
    pub source: String,
    /// What `table` reads.
    pub table: Vec<u32>,
}

impl Program {
    /// A set of moves is a word, with room for what stands beside it.
    pub const MOST_MOVES: usize = 24;
    /// No pass may allow more: it is packed into eight bits.
    pub const MOST_LEFT: Cost = 255;

    /// The same without what `table` reads.
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

/// How a device shares the work among its lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// A group of lanes for each subtree: a lane for each parent and move.
    Block,
    /// A lane for each subtree.
    Thread,
}

impl Kernel {
    /// Both, by [`Kernel::index`].
    pub const ALL: [Kernel; 2] = [Kernel::Block, Kernel::Thread];

    /// The place in arrays with one element for each kernel.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Its name.
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
    /// For each subtree its state, the moves to try, and its trail with what is left to spend above it: words of a state and 2 more.
    pub words: Vec<u32>,
    /// How many.
    pub count: usize,
    /// The most that is left to spend in any of them.
    pub most_left: Cost,
}

impl Batch {
    /// One more; its state stands in `words` already.
    pub fn add(&mut self, untried: u32, trail: u16, left: Cost) {
        self.words.extend([untried, u32::from(trail) | left << 16]);
        self.count += 1;
        self.most_left = self.most_left.max(left);
    }
}

/// The automaton of move words as a table: for each trail the moves allowed, then where each of them leads.
pub fn automaton_table<M: MoveMask>(words: &MoveAutomaton<M>) -> Vec<u32> {
    let mut table = Vec::new();
    for trail in words.states() {
        table.push(words.allowed(trail).low_bits() as u32);
        table.extend((0..words.moves()).map(|m| u32::from(words.next(trail, Move(m as u8)).number())));
    }
    table
}

/// How a pass over subtrees stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stand {
    /// Subtrees that are done or given up.
    pub done: usize,
    /// Whether a solution was found.
    pub found: bool,
    /// Nodes generated since the pass began.
    pub nodes: u64,
}

/// What became of a subtree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Searched {
    /// Children made or priced.
    pub nodes: u64,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// By how much the cheapest pruned node exceeds the bound; `Cost::MAX` where none was pruned.
    pub excess: Cost,
    /// Goals within the bound.
    pub solutions: u32,
    /// How it ended.
    pub end: End,
}

/// How the search of a subtree ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum End {
    /// It did not: the pass was ended before.
    #[default]
    Open,
    /// All of it was searched.
    Done,
    /// It did not fit the stack; what was counted says nothing.
    Overflowed,
}

/// The device is gone, or did not do what it should: in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceError(pub String);

/// A program made ready on a device.
pub trait Engine: Send {
    /// Takes up the subtrees of a pass. With `first`, no subtree is begun any more once a solution is found.
    fn begin(
        &mut self,
        kernel: Kernel,
        automaton: &[u32],
        batch: &Batch,
        first: bool,
    ) -> Result<(), DeviceError>;

    /// Works for a few hundredths of a second.
    fn advance(&mut self) -> Result<Stand, DeviceError>;

    /// What became of the subtrees, in their order.
    fn collect(&mut self) -> Result<Vec<Searched>, DeviceError>;

    /// Makes a kernel ready, which may take a driver seconds; where it is, nothing happens.
    fn ready(&mut self, _kernel: Kernel) -> Result<(), DeviceError> {
        Ok(())
    }

    /// Bytes that it holds, but for the parts of a pass.
    fn bytes(&self) -> u64;
}

/// A graphics processor, or what stands in for one.
pub trait Device: Send + Sync {
    /// What it is called.
    fn name(&self) -> String;

    /// Makes a program ready.
    fn load(&self, program: &Program) -> Result<Box<dyn Engine>, Error>;
}

/// Opens the device that searches use. A device is opened when a solver first needs it, so that other
/// searches do not wait for drivers.
pub trait DeviceProvider: Send + Sync {
    /// The device, opened again where it was lost.
    fn open(&self) -> Result<Arc<dyn Device>, Error>;
}

impl<F: Fn() -> Result<Arc<dyn Device>, Error> + Send + Sync> DeviceProvider for F {
    fn open(&self) -> Result<Arc<dyn Device>, Error> {
        self()
    }
}
