//! Tests of the service over real HTTP: every address, every limit, and hostile clients.

mod client;
mod hostile;
mod identity;
mod jobs;
mod puzzles;
mod serving;

use client::Service;
