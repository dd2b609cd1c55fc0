//! Fuzz targets: for every parser a function that takes arbitrary bytes and asserts the laws of the parser.
//!
//! `fuzz/fuzz_targets` gives each function to libFuzzer, and `tests/corpus.rs` replays the kept corpus
//! (`fuzz/corpus/TARGET`) in ordinary tests. An input is never an error of the target: a target panics only
//! if the program breaks a law.
//!
//! A checksum would keep the fuzzer from everything behind it. So the targets of file formats use each input
//! twice: as the bytes of the file, and as contents to which the target adds the right checksum.

mod definitions;
mod files;
mod http;
mod identities;
mod laws;
mod lines;
mod puzzles;
mod requests;

pub use definitions::{definition, definition_position};
pub use files::{baseline, build_state, checkpoint, encoding, table_file, weights};
pub use http::http;
pub use identities::{identity, puzzle_name, quantity, solver_text};
pub use lines::{answer_line, results_folder};
pub use puzzles::{balto_position, cube_position, goal, moves, tiles_position};
pub use requests::request;

/// A target and its name, which is also the name of its corpus.
pub type Target = (&'static str, fn(&[u8]));

/// All targets, sorted by name.
pub const TARGETS: [Target; 21] = [
    ("answer_line", answer_line),
    ("balto_position", balto_position),
    ("baseline", baseline),
    ("build_state", build_state),
    ("checkpoint", checkpoint),
    ("cube_position", cube_position),
    ("definition", definition),
    ("definition_position", definition_position),
    ("encoding", encoding),
    ("goal", goal),
    ("http", http),
    ("identity", identity),
    ("moves", moves),
    ("puzzle_name", puzzle_name),
    ("quantity", quantity),
    ("request", request),
    ("results_folder", results_folder),
    ("solver_text", solver_text),
    ("table_file", table_file),
    ("tiles_position", tiles_position),
    ("weights", weights),
];
