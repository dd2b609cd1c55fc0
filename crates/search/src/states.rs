//! The states a search has seen: each once, with the cost of the best way to it
//! and the last move of that way.
//!
//! States stand in the order they were met, in segments that never move; a hash index of eight-byte slots
//! points at them. No state keeps a pointer to its parent: the last move taken back leads there. The index
//! is cut into shards that grow one at a time and by half, so that memory grows smoothly.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

use crate::control::{Control, Reserved, Stop};
use crate::memory::advise_huge;
use crate::moves::Move;
use crate::prefetch::prefetch;
use crate::puzzle::Cost;

/// The hash by which states are found and owned.
#[inline]
pub fn hash<K: Hash>(key: &K) -> u64 {
    FixedState::with_seed(0x0075_6e74_756d_626c).hash_one(key)
}

/// Which of `owners` a state of this hash belongs to, by the low bits: the high ones choose shards and slots.
#[inline]
pub fn owner(hash: u64, owners: usize) -> usize {
    ((u64::from(hash as u32) * owners as u64) >> 32) as usize
}

/// A state that was seen.
#[derive(Clone, Debug)]
pub struct Node<K> {
    /// Which.
    pub key: K,
    /// The cost in the upper 24 bits, the last move in the lower 8.
    packed: u32,
}

const NO_MOVE: u32 = 0xff;
const MOST_COST: Cost = (1 << 24) - 1;

impl<K> Node<K> {
    /// The cost of the best way to it.
    #[inline]
    pub fn cost(&self) -> Cost {
        self.packed >> 8
    }

    /// The last move of that way; none at a start.
    #[inline]
    pub fn last(&self) -> Option<Move> {
        let m = self.packed & 0xff;
        (m != NO_MOVE).then_some(Move(m as u8))
    }
}

fn packed(cost: Cost, last: Option<Move>) -> u32 {
    assert!(cost <= MOST_COST, "paths cost less than 2^24");
    cost << 8 | last.map_or(NO_MOVE, |m| u32::from(m.0))
}

/// What became of a state that was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// It is new, under this number.
    New(u32),
    /// It was known at a higher cost, which is replaced.
    Better(u32),
    /// It was known at this cost or less.
    Known,
}

/// Segments double from the first to the full size, so that small searches stay small.
const FIRST_SEGMENT: usize = 1 << 8;
const FULL_SEGMENT: usize = 1 << 18;
const SHARDS: usize = 64;
const FIRST_SLOTS: usize = 16;
/// Shards double while memory is no concern.
const DOUBLING: usize = 1 << 14;

/// The segment and the place in it of a state's number.
#[inline]
fn locate(number: u32) -> (usize, usize) {
    let shifted = number as usize + FIRST_SEGMENT;
    if shifted < FULL_SEGMENT {
        let bits = shifted.ilog2();
        ((bits - FIRST_SEGMENT.ilog2()) as usize, shifted - (1 << bits))
    } else {
        let doubling = (FULL_SEGMENT / FIRST_SEGMENT).ilog2() as usize;
        (doubling + shifted / FULL_SEGMENT - 1, shifted % FULL_SEGMENT)
    }
}

/// All the states seen.
pub struct States<K> {
    segments: Vec<Vec<Node<K>>>,
    count: usize,
    shards: Vec<Shard>,
    node_bytes: u64,
    reserved: Reserved,
}

/// A slot holds the 32 hash bits that place it and the state's number plus one; 0 is free.
#[derive(Default)]
struct Shard {
    slots: Vec<u64>,
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
    fn place(&self, tag: u32) -> usize {
        ((u64::from(tag) * self.slots.len() as u64) >> 32) as usize
    }

    fn put(&mut self, entry: u64) {
        let mut place = self.place((entry >> 32) as u32);
        while self.slots[place] != 0 {
            place = if place + 1 == self.slots.len() { 0 } else { place + 1 };
        }
        self.slots[place] = entry;
    }

    fn grow(&mut self, reserved: &mut Reserved) -> Result<(), Stop> {
        let (old, slots) = (self.slots.len(), self.slots.len());
        let length = if slots < DOUBLING { (2 * slots).max(FIRST_SLOTS) } else { slots + slots / 2 };
        reserved.grow(8 * length as u64)?;
        let entries = std::mem::replace(&mut self.slots, vec![0; length]);
        advise_huge(self.slots.as_ptr(), length);
        entries.iter().filter(|&&entry| entry != 0).for_each(|&entry| self.put(entry));
        drop(entries);
        reserved.shrink(8 * old as u64);
        Ok(())
    }
}

impl<K: Eq + Hash> States<K> {
    /// No states yet; `heap` is what a key keeps on the heap.
    pub fn new(control: &Control, heap: usize) -> Result<States<K>, Stop> {
        Ok(States {
            segments: Vec::new(),
            count: 0,
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            node_bytes: (size_of::<Node<K>>() + heap) as u64,
            reserved: control.reserve(0)?,
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The states in the order they were met.
    pub fn nodes(&self) -> impl Iterator<Item = &Node<K>> {
        self.segments.iter().flatten()
    }

    /// The state of a number.
    #[inline]
    pub fn node(&self, number: u32) -> &Node<K> {
        let (segment, place) = locate(number);
        &self.segments[segment][place]
    }

    #[inline]
    fn node_mut(&mut self, number: u32) -> &mut Node<K> {
        let (segment, place) = locate(number);
        &mut self.segments[segment][place]
    }

    /// Asks for the memory that entering or finding a key of this hash will read.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let shard = &self.shards[shard_of(hash)];
        prefetch(&shard.slots, shard.place(tag_of(hash)));
    }

    /// Asks for the state that a key of this hash is likely to be; its slot should have been asked for before.
    #[inline]
    pub fn prefetch_match(&self, hash: u64) {
        let shard = &self.shards[shard_of(hash)];
        let tag = tag_of(hash);
        let mut place = shard.place(tag);
        while let Some(&entry) = shard.slots.get(place) {
            if entry == 0 {
                return;
            }
            if (entry >> 32) as u32 == tag {
                return self.prefetch_node(entry as u32 - 1);
            }
            place += 1;
        }
    }

    /// Asks for the state of a number.
    #[inline]
    pub fn prefetch_node(&self, number: u32) {
        let (segment, place) = locate(number);
        prefetch(&self.segments[segment], place);
    }

    /// The number of a known state.
    #[inline]
    pub fn find(&self, hash: u64, key: &K) -> Option<u32> {
        self.probe(hash, key).ok()
    }

    /// The number of a known state, or the slot where it would go.
    #[inline]
    fn probe(&self, hash: u64, key: &K) -> Result<u32, usize> {
        let slots = &self.shards[shard_of(hash)].slots;
        let tag = tag_of(hash);
        let mut place = self.shards[shard_of(hash)].place(tag);
        // An index without slots has no place for anything.
        while let Some(&entry) = slots.get(place) {
            if entry == 0 {
                return Err(place);
            }
            if (entry >> 32) as u32 == tag {
                let number = entry as u32 - 1;
                if self.node(number).key == *key {
                    return Ok(number);
                }
            }
            place = if place + 1 == slots.len() { 0 } else { place + 1 };
        }
        Err(place)
    }

    /// The cost of a known state.
    pub fn cost(&self, key: &K) -> Option<Cost> {
        self.find(hash(key), key).map(|number| self.node(number).cost())
    }

    /// Enters a state reached at `cost` by `last`.
    #[inline]
    pub fn enter(&mut self, hash: u64, key: K, cost: Cost, last: Option<Move>) -> Result<Entered, Stop> {
        let place = match self.probe(hash, &key) {
            Err(place) => place,
            Ok(number) => {
                let node = self.node_mut(number);
                if node.cost() <= cost {
                    return Ok(Entered::Known);
                }
                node.packed = packed(cost, last);
                return Ok(Entered::Better(number));
            }
        };
        if self.segments.last().is_none_or(|segment| segment.len() == segment.capacity()) {
            self.add_segment()?;
        }
        let number = self.count as u32;
        let entry = u64::from(tag_of(hash)) << 32 | u64::from(number + 1);
        let shard = &mut self.shards[shard_of(hash)];
        // At most three quarters full.
        if (shard.used + 1) * 4 > shard.slots.len() * 3 {
            shard.grow(&mut self.reserved)?;
            shard.put(entry);
        } else {
            shard.slots[place] = entry;
        }
        shard.used += 1;
        if let Some(segment) = self.segments.last_mut() {
            segment.push(Node { key, packed: packed(cost, last) });
        }
        self.count += 1;
        Ok(Entered::New(number))
    }

    #[cold]
    fn add_segment(&mut self) -> Result<(), Stop> {
        if self.count >= u32::MAX as usize - 2 * FULL_SEGMENT {
            return Err(Stop::Memory);
        }
        let length = FULL_SEGMENT.min(FIRST_SEGMENT << self.segments.len().min(16));
        self.reserved.grow(length as u64 * self.node_bytes)?;
        let segment = Vec::with_capacity(length);
        advise_huge(segment.as_ptr(), length);
        self.segments.push(segment);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn states_keep_what_a_map_keeps() {
        let control = Control::default();
        let mut states = States::new(&control, 0).expect("no limit");
        let mut map: HashMap<u64, Cost> = HashMap::new();
        let mut x = 1u64;
        for _ in 0..200_000 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (key, cost) = (x >> 47, (x >> 20 & 63) as Cost);
            let entered = states.enter(hash(&key), key, cost, Some(Move(3))).expect("no limit");
            let expected = match map.get(&key) {
                None => matches!(entered, Entered::New(_)),
                Some(&known) if cost < known => matches!(entered, Entered::Better(_)),
                Some(_) => entered == Entered::Known,
            };
            assert!(expected, "{key} at {cost}: {entered:?}");
            let best = map.entry(key).or_insert(cost);
            *best = cost.min(*best);
        }
        assert_eq!(states.len(), map.len());
        assert!(map.iter().all(|(key, &cost)| states.cost(key) == Some(cost)));
        assert!((0..1 << 17).filter(|key| !map.contains_key(key)).all(|key| states.cost(&key).is_none()));
    }

    #[test]
    fn memory_is_asked_for_before_it_is_used() {
        use crate::control::{Limits, Silent};
        let limits = Limits { memory: Some(30_000_000), ..Limits::default() };
        let control = Control::new(limits, std::sync::Arc::new(Silent));
        let mut states = States::new(&control, 0).expect("little");
        let mut key = 0u64;
        while states.enter(hash(&key), key, 0, None).is_ok() {
            key += 1;
        }
        let bytes = control.peak_bytes();
        assert!((24_000_000..=30_000_000).contains(&bytes), "{bytes} of 30000000 bytes used");
        assert!(bytes / key <= 40, "{} bytes a state", bytes / key);
    }
}
