//! Tests of the service over real HTTP: every address, every limit, and hostile clients.

pub(crate) mod client;
#[cfg(target_os = "linux")]
mod fairness;
mod hostile;
mod identity;
mod isolation;
mod jobs;
#[cfg(target_os = "linux")]
mod memory;
mod puzzles;
mod serving;
#[cfg(unix)]
mod shutdown;

use client::Service;
