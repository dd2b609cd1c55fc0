//! The open and closed states of a graph search: each state once, with the cost of the best known path to it
//! and the last move of that path.
//!
//! Nodes are stored in insertion order, in segments that never move; the node number is the index in that
//! order. A hash index of eight-byte slots holds node numbers. A node has no parent pointer: undoing its
//! last move leads to the parent. The index consists of shards that grow one at a time and by half, so that
//! memory grows smoothly. All memory is reserved before it is used.
//!
//! ```
//! use untumble_search::control::Control;
//! use untumble_search::moves::Move;
//! use untumble_search::state_table::{Insertion, StateTable, hash};
//!
//! let control = Control::default();
//! let mut states = StateTable::new(&control, 0).unwrap();
//! let mut insert = |key: u32, cost| states.insert(hash(&key), key, cost, Some(Move(0))).unwrap();
//! assert_eq!(insert(17, 5), Insertion::New(0));
//! assert_eq!(insert(17, 5), Insertion::Known);
//! assert_eq!(insert(17, 3), Insertion::Improved(0));
//! assert_eq!(states.cost(&17), Some(3));
//! ```

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

use crate::control::{Control, ReleaseTime, Reservation, Stop};
use crate::memory::{FixedVec, ZeroedWords};
use crate::moves::Move;
use crate::prefetch::prefetch;
use crate::puzzle::Cost;

/// The hash of a packed state, the same in every run. It selects partitions, shards and slots.
#[inline]
pub fn hash<K: Hash>(key: &K) -> u64 {
    FixedState::with_seed(0x0075_6e74_756d_626c).hash_one(key)
}

/// The index, below `partitions`, of the partition that holds the states with this hash: parallel searches
/// divide the states among several tables, the partitions. The index depends on the low bits of the hash; the
/// high bits select shards and slots.
#[inline]
pub fn partition_of(hash: u64, partitions: usize) -> usize {
    ((u64::from(hash as u32) * partitions as u64) >> 32) as usize
}

/// A reached state.
#[derive(Clone, Debug)]
pub struct Node<K> {
    /// The packed state.
    pub key: K,
    /// The cost in the upper 24 bits, the last move in the lower 8.
    packed: u32,
}

/// The last move of a start state.
const NO_MOVE: u32 = 0xff;
/// The largest cost that fits the upper 24 bits.
const MAX_COST: Cost = (1 << 24) - 1;

impl<K> Node<K> {
    /// The cost of the best known path to the state.
    #[inline]
    pub fn cost(&self) -> Cost {
        self.packed >> 8
    }

    /// The last move of that path; `None` for a start state.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        let m = self.packed & 0xff;
        (m != NO_MOVE).then_some(Move(m as u8))
    }
}

fn pack_cost_and_move(cost: Cost, last_move: Option<Move>) -> u32 {
    assert!(cost <= MAX_COST, "paths cost less than 2^24");
    cost << 8 | last_move.map_or(NO_MOVE, |m| u32::from(m.0))
}

/// The result of [`StateTable::insert`], with node numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// The state is new and has this number.
    New(u32),
    /// The state was known at a higher cost, which is replaced.
    Improved(u32),
    /// The state was known at this cost or less.
    Known,
}

/// The number of nodes of the first segment. Segments double in size up to `FULL_SEGMENT` nodes, so that
/// small searches take little memory.
const FIRST_SEGMENT: usize = 1 << 8;
const FULL_SEGMENT: usize = 1 << 18;
/// The number of shards, which the upper six bits of a hash select.
const SHARDS: usize = 64;
/// The number of slots of a shard after its first growth.
const FIRST_SLOTS: usize = 16;
/// The time to free a key with memory of its own: 28 ns measured, plus a margin.
const KEY_RELEASE_NANOS: u64 = 35;
/// A shard with fewer slots doubles; a larger one grows by half.
const DOUBLING_LIMIT: usize = 1 << 14;

/// The segment of a node number, and the index in the segment.
#[inline]
fn locate(number: u32) -> (usize, usize) {
    let shifted = number as usize + FIRST_SEGMENT;
    if shifted < FULL_SEGMENT {
        let bits = shifted.ilog2();
        ((bits - FIRST_SEGMENT.ilog2()) as usize, shifted - (1 << bits))
    } else {
        let smaller_segments = (FULL_SEGMENT / FIRST_SEGMENT).ilog2() as usize;
        (smaller_segments + shifted / FULL_SEGMENT - 1, shifted % FULL_SEGMENT)
    }
}

/// A hash table of reached states.
pub struct StateTable<K> {
    segments: Vec<FixedVec<Node<K>>>,
    count: usize,
    shards: Vec<Shard>,
    /// The size of a node with the heap memory of its key.
    node_bytes: u64,
    /// The memory reserved from the limit of the search.
    reserved: Reservation,
    /// The time that freeing the keys will take; the search stops this much before its deadline.
    release_time: ReleaseTime,
}

/// An open-addressing hash index with linear probing. A slot holds a tag of 32 hash bits and the node number
/// plus one; 0 is free.
#[derive(Default)]
struct Shard {
    slots: ZeroedWords,
    used: usize,
}

#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> 58) as usize
}

#[inline]
fn tag_of(hash: u64) -> u32 {
    (hash >> 26) as u32
}

impl Shard {
    #[inline]
    fn slot(&self, tag: u32) -> usize {
        ((u64::from(tag) * self.slots.len() as u64) >> 32) as usize
    }

    fn insert_new(&mut self, entry: u64) {
        let mut slot = self.slot((entry >> 32) as u32);
        while self.slots[slot] != 0 {
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
        self.slots[slot] = entry;
    }

    fn grow(&mut self, reserved: &mut Reservation) -> Result<(), Stop> {
        let old = self.slots.len();
        let new = if old < DOUBLING_LIMIT { (2 * old).max(FIRST_SLOTS) } else { old + old / 2 };
        reserved.grow(8 * new as u64)?;
        let entries = std::mem::replace(&mut self.slots, ZeroedWords::new(new));
        entries.iter().filter(|&&entry| entry != 0).for_each(|&entry| self.insert_new(entry));
        drop(entries);
        reserved.shrink(8 * old as u64);
        Ok(())
    }
}

impl<K: Eq + Hash> StateTable<K> {
    /// An empty table; `key_heap_bytes` is the number of heap bytes behind one key.
    pub fn new(control: &Control, key_heap_bytes: usize) -> Result<StateTable<K>, Stop> {
        Ok(StateTable {
            segments: Vec::new(),
            count: 0,
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            node_bytes: (size_of::<Node<K>>() + key_heap_bytes) as u64,
            reserved: control.reserve(0)?,
            release_time: control.track_release_time(),
        })
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the table holds no state.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The nodes in insertion order.
    pub fn nodes(&self) -> impl Iterator<Item = &Node<K>> {
        self.segments.iter().flat_map(|segment| segment.iter())
    }

    /// The node of a number.
    #[inline]
    pub fn node(&self, number: u32) -> &Node<K> {
        let (segment, index) = locate(number);
        &self.segments[segment][index]
    }

    #[inline]
    fn node_mut(&mut self, number: u32) -> &mut Node<K> {
        let (segment, index) = locate(number);
        &mut self.segments[segment][index]
    }

    /// Prefetches the slot that inserting or finding a key of this hash reads first.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let shard = &self.shards[shard_of(hash)];
        prefetch(&shard.slots, shard.slot(tag_of(hash)));
    }

    /// Prefetches the node that a key of this hash is likely to match. The caller should prefetch the slot
    /// earlier.
    #[inline]
    pub fn prefetch_match(&self, hash: u64) {
        let shard = &self.shards[shard_of(hash)];
        let tag = tag_of(hash);
        let mut slot = shard.slot(tag);
        while let Some(&entry) = shard.slots.get(slot) {
            if entry == 0 {
                return;
            }
            if (entry >> 32) as u32 == tag {
                return self.prefetch_node(entry as u32 - 1);
            }
            slot += 1;
        }
    }

    /// Prefetches the node of a number.
    #[inline]
    pub fn prefetch_node(&self, number: u32) {
        let (segment, index) = locate(number);
        prefetch(&self.segments[segment], index);
    }

    /// The number of a known state.
    #[inline]
    pub fn find(&self, hash: u64, key: &K) -> Option<u32> {
        self.probe(hash, key).ok()
    }

    /// The number of a known state, or the slot where it would be inserted.
    #[inline]
    fn probe(&self, hash: u64, key: &K) -> Result<u32, usize> {
        let slots = &self.shards[shard_of(hash)].slots;
        let tag = tag_of(hash);
        let mut slot = self.shards[shard_of(hash)].slot(tag);
        // A shard without slots ends the loop at once.
        while let Some(&entry) = slots.get(slot) {
            if entry == 0 {
                return Err(slot);
            }
            if (entry >> 32) as u32 == tag {
                let number = entry as u32 - 1;
                if self.node(number).key == *key {
                    return Ok(number);
                }
            }
            slot = if slot + 1 == slots.len() { 0 } else { slot + 1 };
        }
        Err(slot)
    }

    /// The cost of a known state.
    pub fn cost(&self, key: &K) -> Option<Cost> {
        self.find(hash(key), key).map(|number| self.node(number).cost())
    }

    /// Inserts a state reached at `cost` by a path that ends with `last_move`, or improves its cost. `hash`
    /// is [`hash`](fn@hash) of `key`.
    ///
    /// # Panics
    /// If `cost` is 2²⁴ or more.
    #[inline]
    pub fn insert(
        &mut self,
        hash: u64,
        key: K,
        cost: Cost,
        last_move: Option<Move>,
    ) -> Result<Insertion, Stop> {
        let slot = match self.probe(hash, &key) {
            Err(slot) => slot,
            Ok(number) => {
                let node = self.node_mut(number);
                if node.cost() <= cost {
                    return Ok(Insertion::Known);
                }
                node.packed = pack_cost_and_move(cost, last_move);
                return Ok(Insertion::Improved(number));
            }
        };
        if self.segments.last().is_none_or(FixedVec::is_full) {
            self.add_segment()?;
        }
        let number = self.count as u32;
        let entry = u64::from(tag_of(hash)) << 32 | u64::from(number + 1);
        let shard = &mut self.shards[shard_of(hash)];
        // A shard is at most three quarters full.
        if (shard.used + 1) * 4 > shard.slots.len() * 3 {
            shard.grow(&mut self.reserved)?;
            shard.insert_new(entry);
        } else {
            shard.slots[slot] = entry;
        }
        shard.used += 1;
        if let Some(segment) = self.segments.last_mut() {
            segment.push(Node { key, packed: pack_cost_and_move(cost, last_move) });
        }
        self.count += 1;
        Ok(Insertion::New(number))
    }

    #[cold]
    fn add_segment(&mut self) -> Result<(), Stop> {
        if self.count >= u32::MAX as usize - 2 * FULL_SEGMENT {
            return Err(Stop::Memory);
        }
        let length = FULL_SEGMENT.min(FIRST_SEGMENT << self.segments.len().min(16));
        self.reserved.grow(length as u64 * self.node_bytes)?;
        if std::mem::needs_drop::<K>() {
            self.release_time.grow(length as u64 * KEY_RELEASE_NANOS);
        }
        self.segments.push(FixedVec::new(length));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_state_table_agrees_with_a_hash_map() {
        let control = Control::default();
        let mut states = StateTable::new(&control, 0).expect("no limit");
        let mut map: HashMap<u64, Cost> = HashMap::new();
        let mut x = 1u64;
        for _ in 0..200_000 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (key, cost) = (x >> 47, (x >> 20 & 63) as Cost);
            let insertion = states.insert(hash(&key), key, cost, Some(Move(3))).expect("no limit");
            let expected = match map.get(&key) {
                None => matches!(insertion, Insertion::New(_)),
                Some(&known) if cost < known => matches!(insertion, Insertion::Improved(_)),
                Some(_) => insertion == Insertion::Known,
            };
            assert!(expected, "{key} at {cost}: {insertion:?}");
            let best = map.entry(key).or_insert(cost);
            *best = cost.min(*best);
        }
        assert_eq!(states.len(), map.len());
        assert!(map.iter().all(|(key, &cost)| states.cost(key) == Some(cost)));
        assert!((0..1 << 17).filter(|key| !map.contains_key(key)).all(|key| states.cost(&key).is_none()));
    }

    #[test]
    fn a_search_stops_early_by_the_time_to_free_its_keys() {
        use crate::control::{Limits, ManualClock, MemoryAccount, Silent};
        use std::sync::Arc;
        use std::time::Duration;
        let clock = Arc::new(ManualClock::new());
        let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        let control = Control::with_clock(clock.clone(), &MemoryAccount::default(), limits, Arc::new(Silent));
        let mut boxed = StateTable::new(&control, 32).expect("no limit");
        let mut plain = StateTable::new(&control, 0).expect("no limit");
        for key in 0..(1u32 << 20) - 256 {
            plain.insert(hash(&key), key, 0, None).expect("no limit");
            let key: Box<[u32]> = [key].into();
            boxed.insert(hash(&key), key, 0, None).expect("no limit");
        }
        // A million keys take 37 ms to free. 20 ms of that may follow the deadline, so the search stops 17 ms
        // early.
        let poll = || control.phase(Limits::default()).poll();
        clock.advance(Duration::from_millis(980));
        assert_eq!(poll(), Ok(()));
        clock.advance(Duration::from_millis(10));
        assert_eq!(poll(), Err(Stop::Time), "10 ms before the limit");
        drop(boxed);
        assert_eq!(poll(), Ok(()), "freed keys and keys without memory of their own do not count");
    }

    #[test]
    fn memory_is_reserved_before_it_is_used() {
        use crate::control::{Limits, Silent};
        let limits = Limits { memory: Some(30_000_000), ..Limits::default() };
        let control = Control::new(limits, std::sync::Arc::new(Silent));
        let mut states = StateTable::new(&control, 0).expect("little");
        let mut key = 0u64;
        while states.insert(hash(&key), key, 0, None).is_ok() {
            key += 1;
        }
        let bytes = control.peak_bytes();
        assert!((24_000_000..=30_000_000).contains(&bytes), "{bytes} of 30000000 bytes used");
        assert!(bytes / key <= 40, "{} bytes a state", bytes / key);
    }
}
