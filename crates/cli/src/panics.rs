//! A panic is a bug: it ends the program with a short request for a report.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::exit::Exit;
use crate::output;

/// Runs the program; a panic on any thread is told once and ends it with
/// [`Exit::Internal`].
pub(crate) fn guard(run: impl FnOnce() -> Exit) -> Exit {
    panic::set_hook(Box::new(tell));
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(Exit::Internal)
}

fn tell(panic: &PanicHookInfo<'_>) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    // Threads that stumble over the first panic have nothing to add.
    if TOLD.swap(true, Relaxed) {
        return;
    }
    let payload = panic.payload();
    let what = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason given");
    let place = panic.location().map_or_else(String::new, |place| format!(" ({place})"));
    output::error(&format!(
        "internal failure: {what}{place}\n\
         This is a bug in untumble {}, not in your input: please report it with the command you ran.",
        env!("CARGO_PKG_VERSION")
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure() {
        assert_eq!(guard(|| Exit::Stopped), Exit::Stopped);
        assert_eq!(guard(|| panic!("on purpose")), Exit::Internal);
        drop(panic::take_hook());
    }
}
