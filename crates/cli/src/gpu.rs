//! The graphics processor that searches may use.

use std::sync::Arc;

use untumble_search::device::{self, Device};

/// Tells the engine about the graphics processor of a number, the most promising one where none is given. It is looked for when a
/// solver needs it, so that nobody else waits for drivers.
pub(crate) fn register(number: Option<usize>) {
    let opener = untumble_gpu::opener(number);
    device::register(Arc::new(move || opener().map(|processor| processor as Arc<dyn Device>)));
}
