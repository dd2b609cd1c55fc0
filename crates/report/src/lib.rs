//! Benchmark experiments: several solvers measured on the same positions, summarised and reported.
//!
//! An [`Experiment`] names puzzle, solvers, positions and limits. Prepared, it runs every search of its
//! `schedule` and records each as a [`Row`]. An [`Analysis`] summarises the rows ([`Summary`],
//! `statistics`); `findings`, `terminal`, `charts` and `html` present it. [`mod@bench`] measures the fixed
//! suites of the project.
//!
//! Every number shown is a [`Quantity`], rounded once, so that terminal and files agree to the last digit.
//! No puzzle and no algorithm is known here by name.

mod analysis;
mod batch_scaling;
pub mod bench;
mod charts;
mod columns;
mod comparisons;
mod configuration;
mod cpu_time;
mod error;
mod experiment;
mod findings;
mod growth_difference;
mod html;
mod instances;
mod length_group;
mod paired;
mod progress;
mod published;
mod quantity;
mod result_files;
mod results_folder;
mod row;
mod scaling;
mod schedule;
mod setup;
mod statistics;
mod summary;
pub mod terminal;

pub use analysis::{Analysis, Growth, Rows, SolverResult, TableCost};
pub use batch_scaling::{BatchPlan, BatchScaling, BatchSchedule};
pub use configuration::SolverRequest;
pub use error::Error;
pub use experiment::{Experiment, PreparedExperiment};
pub use findings::Findings;
pub use instances::{DepthRange, Instance, InstanceSet, Origin, generate};
pub use length_group::LengthGroup;
pub use paired::{ERROR_RATE, MARGIN, Measure, PairedComparison, Verdict};
pub use progress::SeriesObserver;
pub use published::{Agreement, InstanceResult, PublishedInstance, PublishedResults};
pub use quantity::{Quantity, Unit};
pub use result_files::result_files;
pub use results_folder::{ExistingResults, FinishedResults, FolderState, RESULT_FILES, ResultsFolder};
pub use row::{BestKnown, Row};
pub use scaling::ThreadScaling;
pub use setup::{Configuration, RequestedLimits, Setup};
pub use summary::{Distribution, SolutionCounts, Summary};
