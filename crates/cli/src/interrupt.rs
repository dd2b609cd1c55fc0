//! Ctrl-C and SIGTERM: the first signal stops the search, whose result so far is printed; the second signal
//! ends the program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::exit::{CliError, Exit};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the signal handler. Call this after reading the input: while the program waits for input, it has
/// nothing to finish, and the default action of the signal is right.
pub(crate) fn install_handler() -> Result<(), CliError> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Relaxed) {
            process::exit(i32::from(Exit::Interrupted.code()));
        }
    })
    .map_err(|error| CliError::environment(format!("cannot handle Ctrl-C: {error}")))
}

/// Whether an interruption was requested.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Relaxed)
}
