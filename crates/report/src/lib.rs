//! Solvers measured on the same positions: who is posed what (`positions`, `entrants`), the measuring itself
//! (`measure`, a `row` for each search), what the rows come to (`study`, `tally`) and
//! what is said about that (`sentences`, `columns`, `terminal`, `charts`, `html`).
//!
//! Every number that is shown is a `Figure`, rounded once, so that terminal and files agree to the
//! last digit. Nothing here knows a puzzle or an algorithm by name.

pub mod bench;
mod charts;
mod columns;
mod contest;
mod entrants;
mod error;
mod figure;
mod folder;
mod html;
mod measure;
mod positions;
mod progress;
mod results;
mod row;
mod sentences;
mod statistics;
mod study;
mod tally;
pub mod terminal;

pub use contest::{Contest, ReadyContest};
pub use entrants::Wanted;
pub use error::Error;
pub use figure::{Figure, Unit};
pub use folder::{Earlier, Finished, Folder, Opened, RESULTS};
pub use positions::{Collected, Depths, Origin, Posed, generate};
pub use progress::SeriesObserver;
pub use results::results;
pub use row::Row;
pub use sentences::Sentences;
pub use study::{Group, Growing, Limits, Name, Preparation, Rows, Scaling, Solver, Study, Subject};
pub use tally::{Solutions, Spread, Tally};
