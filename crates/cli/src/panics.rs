//! A panic is a bug: the program ends with a message that asks for a report.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::exit::Exit;
use crate::output;

/// Runs the program. The first panic of any thread is reported, and the program ends with
/// [`Exit::Failure`].
pub(crate) fn guard(run: impl FnOnce() -> Exit) -> Exit {
    panic::set_hook(Box::new(report_panic));
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(Exit::Failure)
}

fn report_panic(panic: &PanicHookInfo<'_>) {
    static REPORTED: AtomicBool = AtomicBool::new(false);
    // Later panics are mostly consequences of the first one.
    if REPORTED.swap(true, Relaxed) {
        return;
    }
    let payload = panic.payload();
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown reason");
    let location = panic.location().map_or_else(String::new, |location| format!(" ({location})"));
    output::error(&format!(
        "internal failure: {message}{location}\n\
         This is a bug in untumble {}, not in your input: please report it with the command you ran.",
        env!("CARGO_PKG_VERSION")
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_failure() {
        assert_eq!(guard(|| Exit::Stopped), Exit::Stopped);
        assert_eq!(guard(|| panic!("on purpose")), Exit::Failure);
        drop(panic::take_hook());
    }
}
