//! The public library of untumble: open a puzzle, parse positions, plan and run solvers, receive answers.
//!
//! [`Session`] is the one way to run a search; the command line, the HTTP service, the browser engine and
//! the reports are adapters over it. Every type that one of them serialises is defined here, once, so that
//! a program reads the same JSON on standard output, over HTTP and in a browser.
//!
//! The crate prints nothing and knows neither HTTP nor command-line flags. The caller supplies tables,
//! devices and threads ([`Runtime`](untumble_search::runtime::Runtime)), limits, and an
//! [`Observer`](untumble_search::control::Observer) for events.

#[cfg(not(target_arch = "wasm32"))]
pub mod cache;
mod check;
#[cfg(not(target_arch = "wasm32"))]
pub mod csv;
mod error_details;
mod file_identity;
mod heuristic_values;
mod input;
mod job;
mod job_events;
mod json_error;
#[cfg(not(target_arch = "wasm32"))]
pub mod line_checksum;
mod listing;
pub mod machine;
pub mod number_format;
mod problem;
#[cfg(not(target_arch = "wasm32"))]
pub mod quantity;
mod record;
mod rounding;
mod scramble;
mod session;
mod solver_request;
#[cfg(not(target_arch = "wasm32"))]
mod table_statistics;
pub mod text;
#[cfg(not(target_arch = "wasm32"))]
pub mod text_table;
mod validated_job;

pub use untumble_search::error::{Alternative, PieceRef};
pub use untumble_search::family::{Family, PuzzleSettings};
pub use untumble_search::frontend::{Change, FormatInfo, InputKind, Preset, Repair, Shape};
pub use untumble_search::report::Iteration;

pub use check::{
    ApplyRequest, ApplyResult, CheckError, CheckRequest, CheckResult, Solvability, apply, check,
};
pub use error_details::ErrorDetails;
pub use heuristic_values::{HeuristicTable, HeuristicValue, HeuristicValues, TableBuilding};
pub use input::{open_puzzle, parse_moves, parse_position, replay};
pub use job::{
    AnswerEvent, BestEvent, DoneEvent, Job, JobError, JobLimits, JobRequest, JobState, LimitCap,
    ProgressEvent, StateEvent,
};
pub use job_events::{JobEvent, JobObserver, observed_context};
pub use json_error::json_error;
pub use listing::{
    AcceptedValues, Algorithm, AlgorithmOption, Description, Heuristic, HeuristicDetails, SolverListing,
    available_algorithms, describe, families,
};
pub use problem::{ProblemDetails, ProblemKind};
pub use record::{EarlierRuns, Record, ResourceUsage, stop_reason};
pub use rounding::{SixDigits, round_to_six_digits, serialize_six_digits};
#[cfg(not(target_arch = "wasm32"))]
pub use scramble::random_seed;
pub use scramble::{MoveScrambler, ScrambleRequest, ScrambleResult, scramble, scramble_depth, seeded_rng};
pub use session::{MakeCheckpointer, OnControl, Plan, PreparedSolvers, SearchContext, Session};
pub use solver_request::{check_resumable, parse_remote_solver, parse_solver};
#[cfg(not(target_arch = "wasm32"))]
pub use table_statistics::{stored_table_statistics, table_statistics};
pub use validated_job::ValidatedJob;
