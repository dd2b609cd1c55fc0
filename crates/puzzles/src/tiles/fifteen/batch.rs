//! Batch search: exhausts subtrees in the order that keeps SIMD vectors full, with Manhattan distance.
//!
//! The slack of a node is bound − g − h. Nodes wait on stacks, one for each slack and last move, and are
//! expanded 32 at a time without any data-dependent branch: children within the bound are compressed to the
//! top of a stack. Since the order of depth-first search is lost, a batch that meets the goal is abandoned,
//! and [`super::dfs`] searches its subtrees again.
//!
//! A node is one word: the board rotated so that the blank's nibble comes first, with the blank's cell in
//! that nibble. The neighbours of the blank are then at fixed positions, whatever its cell.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod scalar;

use untumble_search::moves::Move;

use super::blank_cell::neighbours;

/// Largest number of nodes expanded together.
const BATCH: usize = 32;
/// Number of slack levels: 0, 2, … or 1, 3, …
pub(super) const SLACK_LEVELS: usize = 16;
const STACKS: usize = 4 * SLACK_LEVELS;
/// Capacity of one stack; a few hundred nodes occur in practice.
const STACK_CAPACITY: usize = 1024;
/// Above this height the search is abandoned: the children of one more batch, and the unused lanes of a
/// stored vector, must still fit.
const OVERFLOW_MARK: usize = STACK_CAPACITY - BATCH - 8;
/// Number of batches per round: each adds at most 4 to a 16-bit counter of the tally.
const ROUND_BATCHES: usize = 16_000;
/// Number of rounds, a few milliseconds, after which the search is abandoned.
const MAX_ROUNDS: usize = 4;

/// Slack changes of all moves, for one goal.
pub(super) struct StepTables {
    /// By the blank's cell: 16 bits for each move. Bit 0 says whether the move is legal, bit t whether it
    /// brings tile t closer to home.
    closer_bits: [u64; 16],
    /// The same for moves that take the tile away from home; bit 0 is 0.
    farther_bits: [u64; 16],
    /// The goal, as a node.
    goal: u64,
}

impl StepTables {
    /// The tables for the solved board `goal`. `closer_bits`, indexed by the blank's cell and the move, has
    /// a bit for each tile that the move brings closer to home.
    pub(super) fn new(goal: u64, closer_bits: &[[u16; 4]; 16]) -> StepTables {
        let mut tables = StepTables { closer_bits: [0; 16], farther_bits: [0; 16], goal: 0 };
        for (blank, tiles) in closer_bits.iter().enumerate() {
            for (m, tiles) in tiles.iter().enumerate().filter(|&(m, _)| neighbours(blank)[m].is_some()) {
                tables.closer_bits[blank] |= u64::from(tiles | 1) << (16 * m);
                tables.farther_bits[blank] |= u64::from(!(tiles | 1)) << (16 * m);
            }
        }
        let blank = (0..16).find(|cell| goal >> (4 * cell) & 15 == 0).unwrap_or(0);
        tables.goal = rotate(goal, blank);
        tables
    }
}

/// The node of a board with the blank in cell `blank`.
fn rotate(cells: u64, blank: usize) -> u64 {
    cells.rotate_right(4 * blank as u32) | blank as u64
}

/// The open nodes. Stack `4 * level + m` holds the nodes with slack 2 × `level` (or 2 × `level` + 1) and
/// last move `m`.
struct Stacks {
    nodes: Box<[[u64; STACK_CAPACITY]]>,
    heights: [usize; STACKS],
    /// A bit for each stack that holds a full batch.
    full: u64,
    /// Whether some stack is about to overflow.
    near_overflow: bool,
}

impl Stacks {
    fn clear(&mut self) {
        self.heights = [0; STACKS];
        self.full = 0;
        self.near_overflow = false;
    }

    /// Records that nodes were pushed to a stack.
    #[inline(always)]
    fn set_height(&mut self, stack: usize, height: usize) {
        self.heights[stack] = height;
        self.full |= u64::from(height >= BATCH) << stack;
        self.near_overflow |= height > OVERFLOW_MARK;
    }

    /// Pops the next batch; returns its stack and its number of nodes, which stay in memory above the new
    /// height. Full batches of the lowest slack come first, which keeps the stacks low; if no stack has a
    /// full batch, the highest slack comes first, which fills the others.
    #[inline]
    fn pop_batch(&mut self) -> Option<(usize, usize)> {
        let (stack, count) = if self.full != 0 {
            (self.full.trailing_zeros() as usize, BATCH)
        } else {
            let stack = self.heights.iter().rposition(|&height| height > 0)?;
            (stack, self.heights[stack])
        };
        let height = self.heights[stack] - count;
        self.heights[stack] = height;
        self.full &= !(u64::from(height < BATCH) << stack);
        Some((stack, count))
    }
}

/// Expands the `count` nodes above the height of a stack and returns whether one of them is the goal. Adds
/// the number of generated children to the tally: eight words of four 16-bit counters, one for each move.
type Expand = fn(&StepTables, &mut Stacks, stack: usize, count: usize, tally: &mut [u64; 8]) -> bool;

/// The expansion for this machine, if it has one.
fn expand_fn() -> Option<Expand> {
    #[cfg(target_arch = "x86_64")]
    return avx512::expand_fn();
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// A reusable batch search.
pub(super) struct BatchSearch<'a> {
    tables: &'a StepTables,
    stacks: Stacks,
    expand: Expand,
}

/// The nodes of a finished batch search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BatchCounts {
    /// Generated nodes.
    pub(super) nodes: u64,
    /// Expanded nodes.
    pub(super) expanded: u64,
}

/// The reason why a batch search was abandoned without a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Abandoned {
    /// A subtree contains the goal.
    Goal,
    /// The search takes too long or a stack is almost full.
    TooLarge,
    /// The search exceeds the nodes reserved for it.
    NodeLimit,
}

impl<'a> BatchSearch<'a> {
    /// Whether this machine has AVX-512. Without it the depth-first search is faster.
    pub(super) fn is_available() -> bool {
        expand_fn().is_some()
    }

    /// # Panics
    /// If the batch search is not available on this machine.
    pub(super) fn new(tables: &'a StepTables) -> BatchSearch<'a> {
        let expand = expand_fn().expect("the caller checked that batch search is available");
        BatchSearch::with_expand(tables, expand)
    }

    fn with_expand(tables: &'a StepTables, expand: Expand) -> BatchSearch<'a> {
        let nodes = vec![[0; STACK_CAPACITY]; STACKS].into_boxed_slice();
        let stacks = Stacks { nodes, heights: [0; STACKS], full: 0, near_overflow: false };
        BatchSearch { tables, stacks, expand }
    }

    /// Pushes a node; all nodes of a search must have slacks of the same parity.
    pub(super) fn add(&mut self, cells: u64, blank: usize, slack: usize, last_move: Move) {
        let stack = slack / 2 * 4 + last_move.index();
        let height = self.stacks.heights[stack];
        self.stacks.nodes[stack][height] = rotate(cells, blank);
        self.stacks.set_height(stack, height + 1);
    }

    /// Searches below the pushed nodes; leaves the stacks empty.
    pub(super) fn run(&mut self) -> Result<BatchCounts, Abandoned> {
        let result = self.search();
        if result.is_err() {
            self.stacks.clear();
        }
        result
    }

    fn search(&mut self) -> Result<BatchCounts, Abandoned> {
        let mut counts = BatchCounts { nodes: 0, expanded: 0 };
        for _ in 0..MAX_ROUNDS {
            let mut tally = [0; 8];
            let done = self.run_round(&mut tally, &mut counts.expanded)?;
            let moves = tally.iter().flat_map(|word| (0..4).map(move |m| word >> (16 * m) & 0xffff));
            counts.nodes += moves.sum::<u64>();
            if done {
                return Ok(counts);
            }
        }
        Err(Abandoned::TooLarge)
    }

    /// Expands up to [`ROUND_BATCHES`] batches; true if no node is left.
    fn run_round(&mut self, tally: &mut [u64; 8], expanded: &mut u64) -> Result<bool, Abandoned> {
        for _ in 0..ROUND_BATCHES {
            let Some((stack, count)) = self.stacks.pop_batch() else { return Ok(true) };
            *expanded += count as u64;
            if (self.expand)(self.tables, &mut self.stacks, stack, count, tally) {
                return Err(Abandoned::Goal);
            }
            if self.stacks.near_overflow {
                return Err(Abandoned::TooLarge);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::manhattan_slack::ManhattanSlack;
    use super::*;
    use crate::tiles::{Cells, Goal, Size, Tiles};
    use untumble_search::puzzle::Puzzle;

    /// Calls `each` with a search of a node about 30 moves from each goal, for several slacks.
    fn for_each_search(mut each: impl FnMut(&StepTables, &dyn Fn(&mut BatchSearch<'_>))) {
        for name in ["blank-last", "blank-first", "snail"] {
            let goal = Goal::named(Size { rows: 4, columns: 4 }, name).expect("a known goal");
            let tiles: Tiles<u64> = Tiles::new(goal);
            let evaluator = ManhattanSlack::new(tiles.goal(), tiles.solved().cells);
            for (seed, slack) in (0..40).zip([0, 2, 3, 6, 9, 12].into_iter().cycle()) {
                let (mut board, mut last, mut random) = (tiles.solved(), Move(0), 12345 * (seed + 1) as u64);
                for _ in 0..40 + seed {
                    random = random * 1_103_515_245 % 2_147_483_647;
                    let legal: Vec<Move> =
                        (tiles.legal(&board) - tiles.undo_set(Some(last))).into_iter().collect();
                    last = legal[random as usize / 7 % legal.len()];
                    board = tiles.apply(&board, last);
                }
                each(&evaluator.batch_tables, &|search| {
                    search.add(board.cells, board.cells.blank(), slack, last);
                });
            }
        }
    }

    #[test]
    fn vectorized_expansion_equals_the_scalar_oracle() {
        let Some(vectorized) = expand_fn() else { return };
        let (mut largest, mut goals) = (0, 0);
        for_each_search(|tables, add| {
            let results = [scalar::expand, vectorized].map(|expand| {
                let mut search = BatchSearch::with_expand(tables, expand);
                add(&mut search);
                let result = search.run();
                assert_eq!(search.stacks.heights, [0; STACKS], "the stacks are empty");
                result
            });
            assert_eq!(results[0], results[1]);
            match results[0] {
                Ok(counts) => largest = largest.max(counts.nodes),
                Err(_) => goals += 1,
            }
        });
        assert!(
            largest > 100_000 && goals > 0,
            "largest search {largest} nodes, {goals} searches met the goal"
        );
    }

    #[test]
    fn a_search_that_takes_too_long_is_abandoned() {
        let Some(vectorized) = expand_fn() else { return };
        let goal = Goal::named(Size { rows: 4, columns: 4 }, "blank-first").expect("a known goal");
        let solved = u64::pack(&goal.solved());
        let evaluator = ManhattanSlack::new(&goal, solved);
        // Two tiles are swapped, so the goal is unreachable.
        let cells = solved ^ 0x33_0000_0000_0000;
        for expand in [scalar::expand, vectorized] {
            let mut search = BatchSearch::with_expand(&evaluator.batch_tables, expand);
            search.add(cells, 0, 30, Move(0));
            assert_eq!(search.run(), Err(Abandoned::TooLarge));
        }
    }
}
