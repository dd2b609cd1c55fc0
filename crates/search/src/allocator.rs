//! The system's allocator keeps freed memory for later use.
//!
//! For glibc that can be most of what a large search used: after two builds of a pattern database, a service
//! held 563 MB, of which 38 MB were in use. glibc raises the size up to which it keeps memory with every large
//! block that is freed, and `malloc_trim` does not shrink the ends of the heaps of threads (45 MB after three
//! searches). A long-running process fixes that size at its start and calls [`release_free_memory`].

/// Blocks of at least this size, and free memory of this size at the end of a heap, are returned at once.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAX_KEPT: libc::c_int = 1 << 20;

/// Lets the allocator return large blocks and the free ends of heaps at once, in the whole process.
///
/// # Safety
///
/// No other thread allocates or frees memory during the call.
pub unsafe fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: both calls set a parameter of the allocator, which no other thread uses now.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAX_KEPT);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MAX_KEPT);
    }
}

/// Returns memory that was freed, but is kept by the allocator, to the operating system. Takes milliseconds.
/// Does nothing on systems whose allocator has no such function.
pub fn release_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` takes the allocator's locks and releases only free memory; it may be called from
    // any thread at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// Resident memory in bytes.
    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        1024 * line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number")
    }

    #[test]
    fn freed_memory_is_returned_and_used_memory_is_kept() {
        let mut blocks: Vec<Vec<u8>> = (0..64 << 10).map(|block| vec![block as u8; 4000]).collect();
        // Every hundredth block stays in use, so that the heap cannot shrink at its end.
        let mut index = 0;
        blocks.retain(|_| {
            index += 1;
            index % 100 == 0
        });
        let before = resident();
        release_free_memory();
        let after = resident();
        assert!(before.saturating_sub(after) > 100 << 20, "{before} bytes before, {after} bytes after");
        for (index, block) in blocks.iter().enumerate() {
            let value = (index * 100 + 99) as u8;
            assert!(block.len() == 4000 && block.iter().all(|byte| *byte == value));
        }
    }
}
