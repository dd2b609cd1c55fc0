//! GPUs as search devices: every adapter that Vulkan, Metal or DirectX 12 provides implements
//! [`Device`](untumble_search::device::Device).
//!
//! The crate knows adapters, buffers and dispatches, but no puzzle: a
//! [`Program`](untumble_search::device::Program) supplies rules and heuristic as WGSL functions, which
//! are inserted into the text of the kernels. The block kernel is BPIDA* (Horie & Fukunaga,
//! "Block-Parallel IDA* for GPUs", SoCS 2017); the thread kernel searches one subtree per lane.

mod adapters;
mod device;
mod dispatch_pacer;
mod engine;
mod kernel_source;

pub use adapters::{Adapter, adapters, open, opener};
pub use device::{DeviceConfig, GpuDevice};
pub use kernel_source::{KernelSizes, kernel_source};
