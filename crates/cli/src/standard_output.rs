//! Standard output, which fails if the program was started without it.
//!
//! The standard library opens `/dev/null` in place of a missing standard stream before `main`, so that every
//! write would succeed and the answers be lost. On Linux a function that runs earlier notes whether standard
//! output is open.

use std::io::{self, Stdout, Write};

/// Standard output.
pub(crate) struct StandardOutput {
    stdout: Stdout,
    missing: bool,
}

impl StandardOutput {
    /// The standard output of the process.
    pub(crate) fn new() -> StandardOutput {
        StandardOutput { stdout: io::stdout(), missing: missing() }
    }

    fn check(&self) -> io::Result<()> {
        if self.missing { Err(bad_descriptor()) } else { Ok(()) }
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

#[cfg(target_os = "linux")]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    /// Whether standard output was closed when the process started.
    pub(super) static MISSING: AtomicBool = AtomicBool::new(false);

    extern "C" fn note_standard_output() {
        // SAFETY: F_GETFD only reads the flags of a descriptor; a closed descriptor gives an error.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        MISSING.store(flags == -1, Relaxed);
    }

    // SAFETY: the C library calls the functions of this section before `main`, with arguments that a function
    // without parameters ignores. This one uses an atomic and a system call, neither of which needs `std` to
    // be initialised.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static NOTE_STANDARD_OUTPUT: extern "C" fn() = note_standard_output;
}

#[cfg(target_os = "linux")]
fn missing() -> bool {
    at_start::MISSING.load(std::sync::atomic::Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
fn bad_descriptor() -> io::Error {
    io::Error::from_raw_os_error(libc::EBADF)
}

#[cfg(not(target_os = "linux"))]
fn missing() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn bad_descriptor() -> io::Error {
    io::Error::other("it is closed")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_missing_standard_output_is_an_error() {
        assert!(!missing(), "tests have a standard output");
        let mut output = StandardOutput { missing: true, ..StandardOutput::new() };
        assert_eq!(output.write(b"x").map_err(|error| error.raw_os_error()), Err(Some(libc::EBADF)));
    }
}
