//! Integration tests on GPUs, feature `external-tests`. `./test` provides two software drivers.

mod common;
mod counts;
mod failures;
mod tint;
