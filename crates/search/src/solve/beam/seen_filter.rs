//! The states a beam has met, as far as it remembers.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::control::{Control, Reserved, Stop};
use crate::memory;
use crate::prefetch::prefetch;

/// A state has so many places in the table of hashes, so that few are overwritten while they matter.
const PLACES: usize = 16;

/// States met before, told by a part of their hash; the last one to come stays.
pub(super) struct SeenFilter {
    tags: Vec<AtomicU32>,
    _reserved: Reserved,
}

impl SeenFilter {
    /// Wide: what does not fit where addresses are short is refused by its bytes.
    fn places(width: usize) -> u64 {
        (PLACES as u64 * width as u64).next_power_of_two()
    }

    /// The bytes it takes for a beam of that width.
    pub(super) fn bytes(width: usize) -> u64 {
        size_of::<AtomicU32>() as u64 * SeenFilter::places(width)
    }

    pub(super) fn new(width: usize, control: &Control) -> Result<SeenFilter, Stop> {
        let reserved = control.reserve(SeenFilter::bytes(width))?;
        let places = SeenFilter::places(width) as usize;
        let mut tags: Vec<AtomicU32> = Vec::with_capacity(places);
        memory::advise_huge(tags.as_ptr(), places);
        while tags.len() < places {
            // So much memory takes a while.
            control.poll()?;
            let part = (places - tags.len()).min(1 << 20);
            tags.extend(std::iter::repeat_with(|| AtomicU32::new(0)).take(part));
        }
        Ok(SeenFilter { tags, _reserved: reserved })
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.tags.len() - 1)
    }

    /// Asks for the memory that [`SeenFilter::enter`] is about to read.
    #[inline]
    pub(super) fn expect(&self, hash: u64) {
        prefetch(&self.tags, self.place(hash));
    }

    /// Whether a state is new, as far as is known.
    #[inline]
    pub(super) fn enter(&self, hash: u64) -> bool {
        let tag = (hash >> 32) as u32 | 1;
        let place = &self.tags[self.place(hash)];
        if place.load(Relaxed) == tag {
            return false;
        }
        place.store(tag, Relaxed);
        true
    }
}
