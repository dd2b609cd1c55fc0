//! The search engine of untumble: the concepts that all permutation puzzles and all search algorithms share,
//! and the algorithms. It knows no particular puzzle, prints nothing and runs wherever Rust does, browsers
//! included.
//!
//! # Concepts
//!
//! | concept | item |
//! |---|---|
//! | the rules of a puzzle | [`puzzle::Puzzle`]: states, legal moves, costs, goal |
//! | a lower bound or estimate | [`heuristic::Heuristic`], evaluated incrementally along a path |
//! | pruning of duplicate move sequences | [`moves::MoveAutomaton`] |
//! | an algorithm, prepared for a puzzle | [`solve::Solver`]; the algorithms are the modules of [`solve`] |
//! | limits, cancellation, incumbent, lower bound | [`control::Control`] with [`control::Limits`] |
//! | the result | [`report::Report`] |
//! | shared tables, devices and threads | [`runtime::Runtime`] |
//! | a solver as text, such as `ida:bpmx=off+manhattan` | [`spec::Spec`], built by a [`registry::Registry`] |
//! | a puzzle with text formats and solvers, type-erased | [`frontend::DynPuzzle`] |
//! | save and resume | [`checkpoint`] |
//! | training of beam-search weights | [`train`] |
//! | tests for your own puzzles, heuristics and solvers | [`laws`] |
//!
//! # A complete example
//!
//! A puzzle needs states, moves and a goal. This one is a dial with ten positions; a move turns it by one,
//! and the goal is position 0. The heuristic is the distance on the dial, so A\* and IDA\* expand only nodes
//! on optimal paths.
//!
//! ```
//! use untumble_search::control::Control;
//! use untumble_search::heuristic::{Admissibility, Heuristic};
//! use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
//! use untumble_search::puzzle::{Cost, Puzzle};
//! use untumble_search::runtime::Runtime;
//! use untumble_search::solve::Solver;
//! use untumble_search::solve::ida::{Ida, IdaOptions};
//!
//! struct Dial {
//!     automaton: MoveAutomaton,
//! }
//!
//! impl Puzzle for Dial {
//!     type State = u8;
//!     type Key = u8; // the packed state, for hash tables
//!     type Moves = MoveSet;
//!
//!     fn solved(&self) -> u8 {
//!         0
//!     }
//!     fn goal_states(&self) -> Option<Vec<u8>> {
//!         Some(vec![0])
//!     }
//!     fn is_goal(&self, state: &u8) -> bool {
//!         *state == 0
//!     }
//!     fn legal(&self, _state: &u8) -> MoveSet {
//!         MoveSet::first_n(2)
//!     }
//!     fn apply(&self, state: &u8, m: Move) -> u8 {
//!         (state + if m == Move(0) { 1 } else { 9 }) % 10
//!     }
//!     fn inverse(&self, m: Move) -> Option<Move> {
//!         Some(Move(1 - m.0))
//!     }
//!     fn automaton(&self) -> &MoveAutomaton {
//!         &self.automaton
//!     }
//!     fn pack(&self, state: &u8) -> u8 {
//!         *state
//!     }
//!     fn unpack(&self, key: &u8) -> u8 {
//!         *key
//!     }
//! }
//!
//! struct Distance;
//!
//! impl Heuristic<Dial> for Distance {
//!     type Value = Cost;
//!
//!     fn admissibility(&self) -> Admissibility {
//!         Admissibility::Consistent
//!     }
//!     fn start(&self, _puzzle: &Dial, state: &u8) -> Cost {
//!         Cost::from((*state).min(10 - state))
//!     }
//!     fn cost(&self, value: &Cost) -> Cost {
//!         *value
//!     }
//! }
//!
//! // The two moves are inverse to each other; the automaton never undoes the last move.
//! let puzzle = Dial { automaton: MoveAutomaton::no_undo(&[Move(1), Move(0)]) };
//! let solver = Ida::new(Distance, IdaOptions::default(), &Runtime::default());
//! let report = solver.solve(&puzzle, &[7], &Control::default());
//!
//! let best = report.best.as_ref().unwrap();
//! assert_eq!(best.moves, [Move(0); 3]);
//! assert!(report.optimal());
//! assert_eq!(report.lower_bound, 3);
//! ```
//!
//! Replace `Control::default()` by [`Control::new`](control::Control::new) to set limits and to receive
//! events. To offer a puzzle under a name, with text formats and all solvers, implement the traits of
//! [`frontend`].

pub mod allocator;
pub mod bounded_dfs;
pub mod bucket_queue;
pub mod checkpoint;
pub mod control;
pub mod device;
#[cfg(not(target_arch = "wasm32"))]
pub mod disk;
#[cfg(not(target_arch = "wasm32"))]
pub mod draft;
pub mod encoding;
pub mod error;
pub mod example;
pub mod executor;
pub mod family;
pub mod frontend;
pub mod heuristic;
pub mod identity;
pub mod laws;
mod locks;
pub mod memory;
pub mod moves;
pub mod paths;
pub mod perm;
mod position;
pub mod prefetch;
pub mod puzzle;
pub mod ranked;
pub mod registry;
pub mod report;
pub mod runtime;
pub mod solve;
pub mod spec;
pub mod state_table;
pub mod tables;
#[cfg(test)]
mod test_puzzle;
pub mod threads;
pub mod train;
pub mod walker;
#[cfg(test)]
mod wide_puzzle;
