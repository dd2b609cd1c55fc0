//! A lossy duplicate filter: a direct-mapped table of hash tags.
//!
//! A collision overwrites the older entry, so a duplicate may pass. Two different states with equal tags
//! count as one, with a probability of about 2⁻³¹ per look-up. Beam search guarantees nothing that this could
//! break.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::control::{Control, Reservation, Stop};
use crate::memory;
use crate::prefetch::prefetch;

/// Slots per state of a level, so that few entries are overwritten within the next levels.
const SLOTS_PER_STATE: usize = 16;

/// Up to this width, a filter has its full size from the start. Clearing the filter of a wider beam would
/// take seconds, which a beam in a small state space does not need.
const FULL_SIZE_WIDTH: usize = 1 << 20;

/// The states generated recently, each stored as the upper half of its hash.
pub(super) struct SeenFilter {
    tags: Vec<AtomicU32>,
    /// The number of states per level that the filter is made for.
    capacity: usize,
    _reserved: Reservation,
}

impl SeenFilter {
    /// The number of slots for a beam of `width`. It has 64 bits on 32-bit targets too, where the memory
    /// account refuses a size that does not fit.
    fn slots(width: usize) -> u64 {
        (SLOTS_PER_STATE as u64 * width as u64).next_power_of_two()
    }

    /// The size of the filter of a beam of `width`, in bytes.
    pub(super) fn bytes(width: usize) -> u64 {
        size_of::<AtomicU32>() as u64 * SeenFilter::slots(width)
    }

    /// An empty filter for a beam of `width` whose next level has at most `max_successors` states.
    pub(super) fn new(width: usize, max_successors: usize, control: &Control) -> Result<SeenFilter, Stop> {
        let capacity = width.min(max_successors.next_power_of_two().max(FULL_SIZE_WIDTH));
        let reserved = control.reserve(SeenFilter::bytes(capacity))?;
        let slots = SeenFilter::slots(capacity) as usize;
        let mut tags: Vec<AtomicU32> = Vec::with_capacity(slots);
        memory::advise_huge(tags.spare_capacity_mut());
        while tags.len() < slots {
            // Clearing gigabytes takes a while, so poll in between.
            control.poll()?;
            let part = (slots - tags.len()).min(1 << 20);
            tags.extend(std::iter::repeat_with(|| AtomicU32::new(0)).take(part));
        }
        Ok(SeenFilter { tags, capacity, _reserved: reserved })
    }

    /// Whether the filter suffices for a level of a beam of `width` with at most `max_successors` states.
    pub(super) fn suffices(&self, width: usize, max_successors: usize) -> bool {
        self.capacity >= width.min(max_successors)
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.tags.len() - 1)
    }

    /// Prefetches the slot that [`SeenFilter::insert`] is about to read.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch(&self.tags, self.slot(hash));
    }

    /// Inserts a state; returns false if the filter already holds it.
    #[inline]
    pub(super) fn insert(&self, hash: u64) -> bool {
        let tag = (hash >> 32) as u32 | 1;
        let slot = &self.tags[self.slot(hash)];
        if slot.load(Relaxed) == tag {
            return false;
        }
        slot.store(tag, Relaxed);
        true
    }
}
