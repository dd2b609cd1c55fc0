//! Huge pages for big arrays: random reads over hundreds of megabytes spend
//! more time finding the page than reading it.

/// Asks the system to back an array with huge pages, before it is first written to. Small arrays and systems without
/// them are left alone.
pub fn advise_huge<T>(start: *const T, length: usize) {
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 2 << 20;
        let first = (start as usize).next_multiple_of(HUGE);
        let end = (start as usize + length * size_of::<T>()) / HUGE * HUGE;
        if end > first {
            // SAFETY: the range lies inside an array that the caller owns, and this advice changes no contents;
            // a refusal changes nothing.
            unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, length);
}
