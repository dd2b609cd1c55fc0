//! Large arrays: huge pages, shared views for parallel builders, and the real size of small allocations.
//!
//! Random reads over hundreds of megabytes are dominated by TLB misses, and returning such memory by the
//! number of pages, so large arrays use huge pages.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64};

/// The size of a huge page.
const HUGE: usize = 2 << 20;

/// Advises the operating system to back an array with huge pages; useful before the array is first written.
/// For a vector that is still empty, the array is its spare capacity. Does nothing for small arrays and on
/// systems without huge pages.
pub fn advise_huge<T>(array: &mut [T]) {
    // Miri has no `madvise`.
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let start = array.as_mut_ptr() as usize;
        let first = start.next_multiple_of(HUGE);
        let end = (start + size_of_val(array)) / HUGE * HUGE;
        if end > first {
            // SAFETY: the range lies inside `array`, which is borrowed exclusively, and this advice changes no
            // contents; a refusal changes nothing.
            unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(any(not(target_os = "linux"), miri))]
    let _ = (array, HUGE);
}

/// A vector of fixed capacity that begins at a huge page if it is as large as one. Then all of it is on huge
/// pages, so that it is written and freed faster: 2 GB are freed in 12 ms of CPU time instead of 120.
pub struct FixedVec<T> {
    start: NonNull<T>,
    length: usize,
    capacity: usize,
    _owns: PhantomData<T>,
}

// SAFETY: the vector owns its items, as `Vec` does.
unsafe impl<T: Send> Send for FixedVec<T> {}
// SAFETY: a shared vector gives shared access to its items only.
unsafe impl<T: Sync> Sync for FixedVec<T> {}

impl<T> FixedVec<T> {
    /// An empty vector.
    pub fn new(capacity: usize) -> FixedVec<T> {
        let layout = Self::layout(capacity);
        let start = if layout.size() == 0 {
            NonNull::dangling()
        } else {
            // SAFETY: the layout is not empty.
            let start = unsafe { alloc(layout) };
            let start: NonNull<MaybeUninit<u8>> =
                NonNull::new(start.cast()).unwrap_or_else(|| handle_alloc_error(layout));
            // SAFETY: the slice is the whole allocation, which nothing else refers to yet.
            advise_huge(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), layout.size()) });
            start.cast()
        };
        FixedVec { start, length: 0, capacity, _owns: PhantomData }
    }

    fn layout(capacity: usize) -> Layout {
        let layout = Layout::array::<T>(capacity).expect("the size fits the address space");
        let align = if layout.size() >= HUGE { HUGE } else { layout.align() };
        layout.align_to(align).expect("the size fits the address space")
    }

    /// Whether the vector has no room for another item.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.length == self.capacity
    }

    /// Appends an item.
    ///
    /// # Panics
    /// If the vector is full.
    #[inline]
    pub fn push(&mut self, item: T) {
        assert!(self.length < self.capacity, "the vector has room");
        // SAFETY: the place lies inside the allocation and holds no item yet.
        unsafe { self.start.add(self.length).write(item) };
        self.length += 1;
    }
}

impl<T> Deref for FixedVec<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `length` items are initialised.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T> DerefMut for FixedVec<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the first `length` items are initialised, and the vector is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl<T> Drop for FixedVec<T> {
    fn drop(&mut self) {
        let layout = Self::layout(self.capacity);
        // SAFETY: the items are initialised and dropped once; the allocation has this layout.
        unsafe {
            std::ptr::drop_in_place(&raw mut **self);
            if layout.size() > 0 {
                dealloc(self.start.as_ptr().cast(), layout);
            }
        }
    }
}

/// A zeroed array of words of fixed length. Arrays of at least `MAPPED_BYTES` are mapped from the system
/// itself, so that all their memory returns to it when they are dropped.
///
/// Arrays that grow in turn leave holes in the heap that are too small for the next, larger arrays: HDA\*
/// with a limit of 264 MiB (277 MB) took 306 MB with its hash tables on the heap and 283 MB this way
/// (`./accept limits`).
pub struct ZeroedWords {
    start: NonNull<u64>,
    length: usize,
}

// SAFETY: the array owns its words, as `Vec` does.
unsafe impl Send for ZeroedWords {}
// SAFETY: a shared array gives shared access to its words only.
unsafe impl Sync for ZeroedWords {}

/// The size from which on arrays of words are mapped.
#[cfg(all(target_os = "linux", not(miri)))]
const MAPPED_BYTES: usize = 64 << 10;

impl ZeroedWords {
    /// An array of zeros, on huge pages where it is large enough.
    pub fn new(length: usize) -> ZeroedWords {
        let layout = Self::layout(length);
        if layout.size() == 0 {
            return ZeroedWords { start: NonNull::dangling(), length };
        }
        #[cfg(all(target_os = "linux", not(miri)))]
        if layout.size() >= MAPPED_BYTES {
            let (access, kind) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: a new anonymous mapping at an address of the system's choice affects no other memory.
            let start = unsafe { libc::mmap(std::ptr::null_mut(), layout.size(), access, kind, -1, 0) };
            let start = (start != libc::MAP_FAILED).then(|| NonNull::new(start.cast())).flatten();
            let mut words =
                ZeroedWords { start: start.unwrap_or_else(|| handle_alloc_error(layout)), length };
            advise_huge(&mut words);
            return words;
        }
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) };
        ZeroedWords {
            start: NonNull::new(start.cast()).unwrap_or_else(|| handle_alloc_error(layout)),
            length,
        }
    }

    fn layout(length: usize) -> Layout {
        Layout::array::<u64>(length).expect("the size fits the address space")
    }
}

impl Default for ZeroedWords {
    fn default() -> ZeroedWords {
        ZeroedWords::new(0)
    }
}

impl Deref for ZeroedWords {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        // SAFETY: the words were zeroed when they were allocated, and mappings are aligned to pages.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl DerefMut for ZeroedWords {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above, and the array is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl Drop for ZeroedWords {
    fn drop(&mut self) {
        let layout = Self::layout(self.length);
        if layout.size() == 0 {
            return;
        }
        #[cfg(all(target_os = "linux", not(miri)))]
        if layout.size() >= MAPPED_BYTES {
            // SAFETY: the mapping has this start and size, and nothing refers to it any more.
            unsafe { libc::munmap(self.start.as_ptr().cast(), layout.size()) };
            return;
        }
        // SAFETY: the allocation has this layout.
        unsafe { dealloc(self.start.as_ptr().cast(), layout) };
    }
}

/// The bytes that the system allocator takes for an allocation of `bytes`: a header of eight bytes, in units
/// of sixteen, at least two of them (glibc; other allocators take about as much).
///
/// ```
/// use untumble_search::memory::heap_bytes;
///
/// assert_eq!([0, 1, 24, 25, 512].map(heap_bytes), [0, 32, 32, 48, 528]);
/// ```
pub const fn heap_bytes(bytes: usize) -> usize {
    if bytes == 0 {
        return 0;
    }
    let whole = (bytes + 8).next_multiple_of(16);
    if whole < 32 { 32 } else { whole }
}

/// The same bytes as atomic variables, for threads that read bytes which another thread writes.
pub fn as_atomic(bytes: &mut [u8]) -> &[AtomicU8] {
    // SAFETY: AtomicU8 has the size, alignment and bit validity of u8, and the exclusive borrow rules out
    // any other access while the view exists.
    unsafe { &*(std::ptr::from_mut(bytes) as *const [AtomicU8]) }
}

/// The same words as atomic variables.
///
/// # Panics
/// On targets where atomic words have a larger alignment, if the array does not have it. Large allocations do.
pub fn as_atomic_words(words: &mut [u64]) -> &[AtomicU64] {
    assert!(words.as_ptr().cast::<AtomicU64>().is_aligned(), "the words are aligned");
    // SAFETY: AtomicU64 has the size and bit validity of u64, its alignment was checked, and the exclusive
    // borrow rules out any other access while the view exists.
    unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU64]) }
}

/// The same words as bytes, in the byte order of the machine.
pub fn as_bytes(words: &[u64]) -> &[u8] {
    // SAFETY: bytes have no alignment, the length is that of the words, and all bytes are initialised.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

/// As [`as_bytes`], for writing.
pub fn as_bytes_mut(words: &mut [u64]) -> &mut [u8] {
    // SAFETY: bytes have no alignment, the length is that of the words, and every value of a byte is valid
    // in a word.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn views_share_the_contents_of_their_arrays() {
        let mut words = vec![0u64; 100];
        // The safe twin: the bytes of each word.
        let twin = |words: &[u64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
        for (index, byte) in as_bytes_mut(&mut words).iter_mut().enumerate() {
            *byte = (index * 37) as u8;
        }
        assert_eq!(as_bytes(&words), twin(&words));
        as_atomic_words(&mut words)[7].store(0x0123_4567_89ab_cdef, Relaxed);
        assert_eq!(words[7], 0x0123_4567_89ab_cdef);
        let mut bytes = twin(&words);
        as_atomic(&mut bytes)[3].fetch_xor(0xff, Relaxed);
        assert_eq!(bytes[3], !twin(&words)[3]);
        assert_eq!((bytes.len(), as_atomic(&mut bytes).len()), (800, 800));
    }

    #[test]
    fn a_fixed_vector_equals_a_vector_and_drops_every_item_once() {
        use std::sync::Arc;
        // Miri takes minutes for the last one, which is on huge pages.
        let sizes = if cfg!(miri) { 4 } else { 5 };
        for capacity in [0, 1, 3, 1000, 300_000].into_iter().take(sizes) {
            let item = Arc::new(5);
            let (mut fixed, mut twin) = (FixedVec::new(capacity), Vec::new());
            for index in 0..capacity {
                assert!(!fixed.is_full());
                fixed.push((index, Arc::clone(&item)));
                twin.push((index, Arc::clone(&item)));
            }
            fixed.iter_mut().chain(&mut twin).for_each(|(index, _)| *index *= 3);
            assert!(fixed.is_full() && fixed[..] == twin[..], "{capacity}");
            assert!(capacity < 1 << 17 || (fixed.as_ptr() as usize).is_multiple_of(HUGE), "on huge pages");
            drop(fixed);
            assert_eq!(Arc::strong_count(&item), 1 + capacity);
        }
    }

    #[test]
    fn zeroed_words_equal_a_vector() {
        // The third is mapped, the last is on huge pages.
        for length in [0, 100, 8192, 1_000_000].into_iter().take(if cfg!(miri) { 3 } else { 4 }) {
            let (mut words, mut twin) = (ZeroedWords::new(length), vec![0u64; length]);
            assert!(words[..] == twin[..], "{length} words are zero");
            for array in [&mut words[..], &mut twin] {
                (1..).zip(array.iter_mut()).for_each(|(number, word)| *word += number * 37);
            }
            assert!(words[..] == twin[..], "{length}");
        }
        assert_eq!(ZeroedWords::default().len(), 0);
    }

    #[test]
    #[should_panic(expected = "has room")]
    fn a_full_vector_takes_no_item() {
        FixedVec::new(0).push(1);
    }

    /// The advice changes no contents, whatever the alignment of the array.
    #[test]
    fn contents_are_unchanged() {
        let mut bytes: Vec<u8> = (0..9 << 20).map(|at: u32| (at % 251) as u8).collect();
        let copy = bytes.clone();
        for (start, end) in [(0, bytes.len()), (1, bytes.len() - 1), (3 << 20, 3 << 20), (5, 4 << 20)] {
            advise_huge(&mut bytes[start..end]);
            assert!(bytes == copy, "bytes {start} to {end}");
        }
        let mut empty: Vec<u64> = Vec::with_capacity(1 << 20);
        advise_huge(empty.spare_capacity_mut());
        empty.resize(1 << 20, 7);
        assert!(empty.iter().all(|&word| word == 7));
    }
}
