//! The graphics processor that searches may use.

use std::sync::Arc;

use untumble_search::device::{Device, DeviceProvider};

/// Opens the graphics processor of a number, the most promising one where none is given, when a solver needs it.
pub(crate) fn provider(number: Option<usize>) -> Arc<dyn DeviceProvider> {
    let opener = untumble_gpu::opener(number);
    Arc::new(move || opener().map(|processor| processor as Arc<dyn Device>))
}
