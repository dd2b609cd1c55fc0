//! A concurrent set of 32-bit state fingerprints (hash compaction; Wolper & Leroy, CAV 1993), and a
//! batch that hides the latency of its random accesses.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Reservation, Stop};
use untumble_search::memory::advise_huge;
use untumble_search::moves::Move;
use untumble_search::prefetch::prefetch;

/// Slots initialised between two polls of the control.
const POLL_INTERVAL: usize = 1 << 20;
/// The number of states whose slots are fetched from memory at the same time.
const BATCH: usize = 32;

/// Open addressing with linear probing. Different states may share a fingerprint, so a hit is only a
/// candidate; a miss is certain.
pub(super) struct FingerprintSet {
    /// 0 is a free slot.
    slots: Vec<AtomicU32>,
    count: AtomicUsize,
    _reserved: Reservation,
}

impl FingerprintSet {
    /// An empty set; `capacity` is a power of two.
    pub(super) fn new(capacity: usize, control: &Control) -> Result<FingerprintSet, Stop> {
        let reserved = control.reserve(4 * capacity as u64)?;
        let mut slots: Vec<AtomicU32> = Vec::with_capacity(capacity);
        advise_huge(slots.spare_capacity_mut());
        while slots.len() < capacity {
            control.poll()?;
            let count = (capacity - slots.len()).min(POLL_INTERVAL);
            slots.extend(std::iter::repeat_with(|| AtomicU32::new(0)).take(count));
        }
        Ok(FingerprintSet { slots, count: AtomicUsize::new(0), _reserved: reserved })
    }

    pub(super) fn capacity(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn clear(&mut self, control: &Control) -> Result<(), Stop> {
        for chunk in self.slots.chunks_mut(POLL_INTERVAL) {
            control.poll()?;
            chunk.iter_mut().for_each(|slot| *slot.get_mut() = 0);
        }
        *self.count.get_mut() = 0;
        Ok(())
    }

    /// The first slot of a hash (its upper bits) and its fingerprint (the lower 32 bits, never 0).
    #[inline]
    fn locate(&self, hash: u64) -> (usize, u32) {
        ((hash >> (64 - self.slots.len().ilog2())) as usize, hash as u32 | 1)
    }

    /// Inserts a hash; false if the set has become more than three quarters full.
    #[inline]
    pub(super) fn insert(&self, hash: u64) -> bool {
        let (mut slot, fingerprint) = self.locate(hash);
        loop {
            match self.slots[slot].compare_exchange(0, fingerprint, Relaxed, Relaxed) {
                Ok(_) => break,
                Err(found) if found == fingerprint => return true,
                Err(_) => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
        self.count.fetch_add(1, Relaxed) < self.slots.len() / 4 * 3
    }

    #[inline]
    pub(super) fn contains(&self, hash: u64) -> bool {
        let (mut slot, fingerprint) = self.locate(hash);
        loop {
            match self.slots[slot].load(Relaxed) {
                0 => return false,
                found if found == fingerprint => return true,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }
}

/// Hashes with the paths to their states, waiting for their slots to be fetched.
#[derive(Default)]
pub(super) struct PrefetchBatch {
    entries: Vec<(u64, PackedPath)>,
}

impl PrefetchBatch {
    /// Adds a state and prefetches its slot; returns true if the batch is full and must be drained.
    #[inline]
    pub(super) fn push(&mut self, hash: u64, path: &[Move], set: &FingerprintSet) -> bool {
        prefetch(&set.slots, set.locate(hash).0);
        self.entries.push((hash, PackedPath::new(path)));
        self.entries.len() == BATCH
    }

    /// Removes all states and calls `visit` with each until it breaks.
    pub(super) fn drain(
        &mut self,
        mut visit: impl FnMut(u64, PackedPath) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.entries.drain(..).try_for_each(|(hash, path)| visit(hash, path))
    }
}

/// A path of at most 15 moves in 64 bits: four bits per move below a leading 1 that marks the length.
#[derive(Clone, Copy)]
pub(super) struct PackedPath(u64);

impl PackedPath {
    #[inline]
    fn new(path: &[Move]) -> PackedPath {
        PackedPath(path.iter().fold(1, |code, m| code << 4 | u64::from(m.0)))
    }

    pub(super) fn moves(self) -> Vec<Move> {
        let length = self.0.ilog2() / 4;
        (0..length).rev().map(|index| Move((self.0 >> (4 * index) & 15) as u8)).collect()
    }
}
