//! Integration tests of the program, in one binary, so that it is linked once.

mod bad_input;
mod balto;
mod batch;
mod checkpoint;
#[cfg(all(unix, feature = "report", feature = "serve", feature = "gpu"))]
mod cmd;
mod commands;
mod common;
#[cfg(feature = "report")]
mod compare;
#[cfg(feature = "report")]
mod comparison_errors;
#[cfg(unix)]
mod completions;
mod contract;
mod cubes;
#[cfg(all(feature = "gpu", feature = "report"))]
mod golden;
#[cfg(all(feature = "gpu", feature = "external-tests"))]
mod gpu;
mod identity;
mod limits;
#[cfg(unix)]
mod sequences;
#[cfg(feature = "serve")]
mod service;
mod shorten;
mod streams;
mod tables;
#[cfg(all(unix, feature = "external-tests"))]
mod terminal;
