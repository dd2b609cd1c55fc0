//! The open list of best-first search: a bucket queue of node numbers (Dial 1969).
//!
//! Order: lowest priority first, then lowest h (so largest g), then last in, first out. Each priority has a
//! row of buckets, one for each h; a bucket is a stack in linked blocks, so that memory grows in small
//! steps.
//!
//! ```
//! use untumble_search::bucket_queue::BucketQueue;
//! use untumble_search::control::Control;
//!
//! let mut open = BucketQueue::new(&Control::default()).unwrap();
//! open.push(7, 2, 100).unwrap();
//! open.push(5, 4, 101).unwrap();
//! open.push(5, 3, 102).unwrap();
//! let order: Vec<u32> = std::iter::from_fn(|| open.pop()).map(|node| node.number).collect();
//! assert_eq!(order, [102, 101, 100]);
//! ```

use crate::control::{Control, Reservation, Stop};
use crate::puzzle::Cost;

/// An entry returned by [`BucketQueue::pop`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Popped {
    /// The priority given to [`BucketQueue::push`].
    pub priority: u64,
    /// The heuristic value.
    pub h: Cost,
    /// The node number.
    pub number: u32,
}

/// An open list. Priorities and heuristic values are bucket indices, so they must be small integers.
pub struct BucketQueue {
    /// The entries of each priority.
    rows: Vec<Row>,
    /// All rows before this index are empty.
    front: usize,
    len: usize,
    /// The largest value that `len` has had.
    peak: usize,
    blocks: Blocks,
    reserved: Reservation,
}

/// The entries of one priority: a stack for each heuristic value from `low` on. At one priority, the
/// heuristic values lie as close together as the costs g, so few stacks stay empty.
#[derive(Default)]
struct Row {
    /// The heuristic value of the first stack.
    low: Cost,
    stacks: Vec<Stack>,
    /// All stacks before this index are empty.
    lowest: usize,
    len: usize,
}

/// A stack of node numbers in linked blocks.
#[derive(Clone, Copy)]
struct Stack {
    /// The top block; `NO_BLOCK` if the stack is empty.
    block: u32,
    /// The number of used entries of the top block, its link included.
    used: u32,
}

/// An empty stack. It counts as a full block, so that the first push takes a new block.
const EMPTY: Stack = Stack { block: NO_BLOCK, used: BLOCK_LEN as u32 };

impl Row {
    /// The index of the stack of a heuristic value, created if necessary.
    #[inline]
    fn stack_index(&mut self, h: Cost, reserved: &mut Reservation) -> Result<usize, Stop> {
        if self.stacks.is_empty() {
            self.low = h;
        }
        let index = h.wrapping_sub(self.low) as usize;
        if index < self.stacks.len() { Ok(index) } else { self.widen(h, reserved) }
    }

    /// Adds empty stacks until there is one for `h`. Returns its index.
    #[cold]
    fn widen(&mut self, h: Cost, reserved: &mut Reservation) -> Result<usize, Stop> {
        let (before, after) = match h.checked_sub(self.low) {
            None => ((self.low - h) as usize, 0),
            Some(above) => (0, above as usize + 1 - self.stacks.len()),
        };
        reserved.grow(((before + after) * size_of::<Stack>()) as u64)?;
        self.stacks.splice(..0, std::iter::repeat_n(EMPTY, before));
        self.stacks.extend(std::iter::repeat_n(EMPTY, after));
        self.low = self.low.min(h);
        self.lowest += before;
        Ok((h - self.low) as usize)
    }
}

/// The number of entries of a block, its link included.
const BLOCK_LEN: usize = 128;
/// The number of blocks that are allocated together.
const BLOCKS_PER_SEGMENT: usize = 256;
/// The link of the lowest block of a stack.
const NO_BLOCK: u32 = u32::MAX;

/// A pool of blocks of node numbers; the first entry of a block links to the block below it.
#[derive(Default)]
struct Blocks {
    segments: Vec<Box<[[u32; BLOCK_LEN]]>>,
    free: Vec<u32>,
}

impl Blocks {
    #[inline]
    fn get(&mut self, block: u32) -> &mut [u32; BLOCK_LEN] {
        &mut self.segments[block as usize / BLOCKS_PER_SEGMENT][block as usize % BLOCKS_PER_SEGMENT]
    }

    /// Takes a free block and allocates more blocks if none is free.
    fn take(&mut self, reserved: &mut Reservation) -> Result<u32, Stop> {
        if let Some(block) = self.free.pop() {
            return Ok(block);
        }
        reserved.grow((BLOCKS_PER_SEGMENT * (BLOCK_LEN + 1) * 4) as u64)?;
        let first = (self.segments.len() * BLOCKS_PER_SEGMENT) as u32;
        self.segments.push(vec![[0; BLOCK_LEN]; BLOCKS_PER_SEGMENT].into_boxed_slice());
        self.free.extend((first + 1..first + BLOCKS_PER_SEGMENT as u32).rev());
        Ok(first)
    }
}

impl BucketQueue {
    /// An empty queue.
    pub fn new(control: &Control) -> Result<BucketQueue, Stop> {
        Ok(BucketQueue {
            rows: Vec::new(),
            front: 0,
            len: 0,
            peak: 0,
            blocks: Blocks::default(),
            reserved: control.reserve(0)?,
        })
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The largest number of entries at any time.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Adds a node.
    pub fn push(&mut self, priority: u64, h: Cost, number: u32) -> Result<(), Stop> {
        let row_index = priority as usize;
        if row_index >= self.rows.len() {
            let new_rows = (row_index + 1 - self.rows.len()).max(64);
            self.reserved.grow((new_rows * size_of::<Row>()) as u64)?;
            self.rows.resize_with(self.rows.len() + new_rows, Row::default);
        }
        let row = &mut self.rows[row_index];
        let index = row.stack_index(h, &mut self.reserved)?;
        row.lowest = row.lowest.min(index);
        let stack = &mut row.stacks[index];
        if stack.used as usize == BLOCK_LEN {
            let block = self.blocks.take(&mut self.reserved)?;
            self.blocks.get(block)[0] = stack.block;
            stack.block = block;
            stack.used = 1;
        }
        self.blocks.get(stack.block)[stack.used as usize] = number;
        stack.used += 1;
        row.len += 1;
        self.front = self.front.min(row_index);
        self.len += 1;
        self.peak = self.peak.max(self.len);
        Ok(())
    }

    /// The lowest priority of an entry.
    pub fn front_priority(&mut self) -> Option<u64> {
        if self.len == 0 {
            return None;
        }
        while self.rows[self.front].len == 0 {
            self.front += 1;
        }
        Some(self.front as u64)
    }

    /// Removes the first entry.
    pub fn pop(&mut self) -> Option<Popped> {
        let priority = self.front_priority()?;
        let row = &mut self.rows[self.front];
        while row.stacks[row.lowest].block == NO_BLOCK {
            row.lowest += 1;
        }
        let stack = &mut row.stacks[row.lowest];
        stack.used -= 1;
        let block = self.blocks.get(stack.block);
        let h = row.low + row.lowest as Cost;
        let popped = Popped { priority, h, number: block[stack.used as usize] };
        if stack.used == 1 {
            let below = block[0];
            self.blocks.free.push(stack.block);
            *stack = Stack { block: below, used: BLOCK_LEN as u32 };
        }
        row.len -= 1;
        self.len -= 1;
        Some(popped)
    }

    /// The distinct pairs of priority and heuristic value in the queue.
    pub fn priority_h_pairs(&self) -> impl Iterator<Item = (u64, Cost)> + '_ {
        (0..).zip(&self.rows).flat_map(|(priority, row)| {
            let nonempty = (row.low..).zip(&row.stacks).filter(|(_, stack)| stack.block != NO_BLOCK);
            nonempty.map(move |(h, _)| (priority, h))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_are_ordered_by_priority_then_h_then_last_in(
            steps in prop::collection::vec(prop::option::weighted(0.7, (0u64..6, 0u32..5)), 0..1500)
        ) {
            let control = Control::default();
            let mut queue = BucketQueue::new(&control).expect("no limit");
            let mut model: Vec<(u64, Cost, u32)> = Vec::new();
            for (number, step) in (0u32..).zip(steps) {
                if let Some((priority, h)) = step {
                    queue.push(priority, h, number).expect("no limit");
                    model.push((priority, h, number));
                } else {
                    let first = model.iter().copied().min_by_key(|&(p, h, n)| (p, h, std::cmp::Reverse(n)));
                    model.retain(|&item| Some(item) != first);
                    let popped = queue.pop().map(|p| (p.priority, p.h, p.number));
                    prop_assert_eq!(popped, first);
                }
                prop_assert_eq!(queue.len(), model.len());
            }
        }
    }
}
