//! The CPU clock of the process.

/// CPU seconds of all threads of this process so far, if the system measures them.
#[cfg(unix)]
pub(crate) fn cpu_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(unix))]
pub(crate) fn cpu_seconds() -> Option<f64> {
    None
}
