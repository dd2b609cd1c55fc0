//! The GPU that searches may use.

use std::sync::Arc;

use untumble_search::device::{Device, DeviceProvider};

/// Opens the GPU of a number, or the preferred one for `None`, when a solver needs it.
pub(crate) fn provider(number: Option<usize>) -> Arc<dyn DeviceProvider> {
    let opener = untumble_gpu::opener(number);
    Arc::new(move || opener().map(|gpu| gpu as Arc<dyn Device>))
}
