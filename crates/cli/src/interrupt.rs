//! Ctrl-C and the polite kind of kill: the first asks the search to end with
//! what it has, the second ends the program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::exit::{CliError, Exit};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. Call it once the input is read: a program that waits
/// for input has nothing to finish and should just end.
pub(crate) fn listen() -> Result<(), CliError> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, Relaxed) {
            process::exit(i32::from(Exit::Interrupted.code()));
        }
    })
    .map_err(|error| CliError::environment(format!("cannot listen for Ctrl-C: {error}")))
}

/// Whether somebody asked the program to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Relaxed)
}
