//! Huge pages for large arrays: random reads over hundreds of megabytes are dominated by TLB misses.

/// Advises the operating system to back an array with huge pages; to be called before the array is first
/// written. Does nothing for small arrays and on systems without huge pages.
pub fn advise_huge<T>(start: *const T, length: usize) {
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 2 << 20;
        let first = (start as usize).next_multiple_of(HUGE);
        let end = (start as usize + length * size_of::<T>()) / HUGE * HUGE;
        if end > first {
            // SAFETY: the range lies inside an array that the caller owns, and this advice changes no
            // contents; a refusal changes nothing.
            unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, length);
}
