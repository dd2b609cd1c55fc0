//! Graphics processors for untumble: any that Vulkan, Metal or DirectX 12 reaches, as a [`Device`](untumble_search::device::Device).
//!
//! This crate knows adapters, buffers and dispatches, and no puzzle: what is searched comes as a
//! [`Program`](untumble_search::device::Program) and is put between the kernels' own text.

mod adapters;
mod engine;
mod pace;
mod source;

pub use adapters::{Adapter, adapters, open, opener};
pub use engine::{Processor, Setup};
pub use source::{Sizes, source};
