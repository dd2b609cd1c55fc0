//! The service over real HTTP: every address, every limit, and those who mean no good.

mod client;
#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod jobs;
mod puzzles;
mod serving;

use client::Service;
