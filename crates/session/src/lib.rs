//! What untumble says about puzzles, positions, solvers and answers, as data: one type for each thing said, whether a
//! program reads it on the command line, over HTTP or in a browser.
//!
//! No HTTP, no files, no printing: whoever calls brings the tables, the limits and the ears.

#[cfg(not(target_arch = "wasm32"))]
pub mod amounts;
mod asking;
#[cfg(not(target_arch = "wasm32"))]
pub mod cache;
mod checking;
#[cfg(not(target_arch = "wasm32"))]
pub mod csv;
mod details;
mod events;
pub mod figures;
mod jobs;
#[cfg(not(target_arch = "wasm32"))]
pub mod layout;
mod listing;
pub mod machine;
mod problem;
mod record;
mod scrambling;
mod session;
mod tasks;
pub mod text;

pub use asking::{moves, open, read, replay, resumable, solver, solver_from_afar};
pub use untumble_search::family::Settings;
pub use untumble_search::frontend::InputKind;

/// The OpenAPI schema of [`InputKind`], whose crate does not know OpenAPI.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(missing_docs, reason = "see `InputKind`")]
pub enum TextKind {
    Position,
    Moves,
}
pub use checking::{
    Applied, ApplyRequest, CheckRequest, Checked, Repair, RepairChange, Unreadable, Verdict, apply, check,
};
pub use details::{ErrorAlternative, ErrorDetails, ErrorPiece};
pub use events::{JobEvent, JobObserver, observed};
pub use jobs::{
    AnswerEvent, BestEvent, Cap, DoneEvent, Job, JobLimits, JobRequest, JobState, ProgressEvent, StateEvent,
};
pub use listing::{
    Algorithm, Description, Family, Heuristic, HeuristicHere, Named, OptionKind, Preset, Setup, Shape,
    Solvers, available, describe, families,
};
pub use problem::{Kind as ProblemKind, Problem};
pub use record::{Before, Pass, Record, Took, rounded, six_digits, stop_of};
#[cfg(not(target_arch = "wasm32"))]
pub use scrambling::random_seed;
pub use scrambling::{ScrambleRequest, Scrambled, depth, generator, scramble};
pub use session::{Attach, MakeCheckpointer, Plan, SearchContext, Session, Solvers as PreparedSolvers};
pub use tasks::Task;
