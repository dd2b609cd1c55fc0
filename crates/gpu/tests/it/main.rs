//! Integration tests on graphics processors: feature `external-tests`. `./test` provides two drivers that run on the CPU.

mod common;
mod counts;
mod machinery;
mod text;
