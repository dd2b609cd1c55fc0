//! A subtree searched in whatever order fills vectors: all of it, or not at all.
//!
//! Nodes wait on stacks, one for each slack and last move, and are expanded 32 at a time without a branch that depends on
//! them: what survives is pushed, what does not is overwritten. The order is lost, so a sweep that meets the
//! goal gives up and leaves the subtree to the [`super::descent`], which keeps it.
//!
//! A node is one word: the board rotated so that the gap comes first, and the gap's cell in its place. So
//! the neighbours of the gap stand in fixed digits wherever it is.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod plain;

use untumble_search::moves::Move;

use super::cell::neighbours;

/// How many nodes are expanded together at most.
const BATCH: usize = 32;
/// The different slacks: 0, 2, … or 1, 3, …
pub(super) const LEVELS: usize = 16;
const STACKS: usize = 4 * LEVELS;
/// Nodes on one stack; in practice there are a few hundred.
const HEIGHT: usize = 1024;
/// A batch and the rest of a vector written in vain fit above.
const BRIM: usize = HEIGHT - BATCH - 8;
/// How many batches can be tallied in 16 bits: one counts at most 4.
const TALLIED: usize = 16_000;
/// How often that may be before a sweep takes too long: some milliseconds.
const PATIENCE: usize = 4;

/// What the steps of one goal do.
pub(super) struct Steps {
    /// By the gap's cell: 16 bits for each move, of which the first says whether there is that
    /// move and the others whether it brings tile 1, 2, … nearer.
    nearer: [u64; 16],
    /// The same for the moves that take the tile away; the first bits are 0.
    farther: [u64; 16],
    solved: u64,
}

impl Steps {
    /// Of the board `solved`, where `nearer` has a bit for each tile that gets nearer, by gap and move.
    pub(super) fn new(solved: u64, nearer: &[[u16; 4]; 16]) -> Steps {
        let mut steps = Steps { nearer: [0; 16], farther: [0; 16], solved: 0 };
        for (gap, tiles) in nearer.iter().enumerate() {
            for (m, tiles) in tiles.iter().enumerate().filter(|&(m, _)| neighbours(gap)[m].is_some()) {
                steps.nearer[gap] |= u64::from(tiles | 1) << (16 * m);
                steps.farther[gap] |= u64::from(!(tiles | 1)) << (16 * m);
            }
        }
        let gap = (0..16).find(|cell| solved >> (4 * cell) & 15 == 0).unwrap_or(0);
        steps.solved = rotate(solved, gap);
        steps
    }
}

/// The word of a board with the gap in cell `gap`.
fn rotate(cells: u64, gap: usize) -> u64 {
    cells.rotate_right(4 * gap as u32) | gap as u64
}

/// The nodes that wait, by slack and last move.
struct Stacks {
    nodes: Box<[[u64; HEIGHT]]>,
    heights: [usize; STACKS],
    /// Which stacks hold a batch.
    full: u64,
    /// Whether some stack is about to overflow.
    brimful: bool,
}

impl Stacks {
    fn clear(&mut self) {
        self.heights = [0; STACKS];
        self.full = 0;
        self.brimful = false;
    }

    /// A stack has been filled up to `height`.
    #[inline(always)]
    fn filled(&mut self, stack: usize, height: usize) {
        self.heights[stack] = height;
        self.full |= u64::from(height >= BATCH) << stack;
        self.brimful |= height > BRIM;
    }

    /// Takes nodes from the stack to expand next: how many, and from which. Lowest slack first keeps
    /// the stacks low; where no batch is full, highest first fills them.
    #[inline]
    fn next(&mut self) -> Option<(usize, usize)> {
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

/// Expands the `count` nodes above the height of a stack; tells whether one is the goal. Adds the
/// moves there were, 16 bits for each, to the eight parts of the tally.
type Expand = fn(&Steps, &mut Stacks, stack: usize, count: usize, tally: &mut [u64; 8]) -> bool;

fn expand() -> Option<Expand> {
    #[cfg(target_arch = "x86_64")]
    return avx512::expand();
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// A sweep, ready to be used again and again.
pub(super) struct Sweep<'a> {
    steps: &'a Steps,
    stacks: Stacks,
    expand: Expand,
}

/// What was swept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Swept {
    pub(super) nodes: u64,
    pub(super) expanded: u64,
}

/// Why a sweep was not finished. Nothing is known of it then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GivenUp {
    /// The goal is in it.
    Goal,
    /// It takes too long, or more room than there is.
    TooMuch,
}

impl<'a> Sweep<'a> {
    /// Whether this machine has vectors wide enough. Where it does not, the descent is faster.
    pub(super) fn possible() -> bool {
        expand().is_some()
    }

    /// With the vectors of this machine.
    ///
    /// # Panics
    /// If it has none.
    pub(super) fn new(steps: &'a Steps) -> Sweep<'a> {
        let expand = expand().expect("sweeps are possible here");
        Sweep::with(steps, expand)
    }

    fn with(steps: &'a Steps, expand: Expand) -> Sweep<'a> {
        let nodes = vec![[0; HEIGHT]; STACKS].into_boxed_slice();
        let stacks = Stacks { nodes, heights: [0; STACKS], full: 0, brimful: false };
        Sweep { steps, stacks, expand }
    }

    /// Adds a board with its gap, slack and last move to what is to be swept.
    pub(super) fn add(&mut self, cells: u64, gap: usize, slack: usize, last: Move) {
        let stack = slack / 2 * 4 + last.index();
        let height = self.stacks.heights[stack];
        self.stacks.nodes[stack][height] = rotate(cells, gap);
        self.stacks.filled(stack, height + 1);
    }

    /// Sweeps what was added, unless it gives up; all is forgotten either way.
    pub(super) fn run(&mut self) -> Result<Swept, GivenUp> {
        let result = self.sweep();
        if result.is_err() {
            self.stacks.clear();
        }
        result
    }

    fn sweep(&mut self) -> Result<Swept, GivenUp> {
        let mut swept = Swept { nodes: 0, expanded: 0 };
        for _ in 0..PATIENCE {
            let mut tally = [0; 8];
            let done = self.batches(&mut tally, &mut swept.expanded)?;
            let moves = tally.iter().flat_map(|word| (0..4).map(move |m| word >> (16 * m) & 0xffff));
            swept.nodes += moves.sum::<u64>();
            if done {
                return Ok(swept);
            }
        }
        Err(GivenUp::TooMuch)
    }

    /// Expands as many batches as can be tallied; true if there are no more.
    fn batches(&mut self, tally: &mut [u64; 8], expanded: &mut u64) -> Result<bool, GivenUp> {
        for _ in 0..TALLIED {
            let Some((stack, count)) = self.stacks.next() else { return Ok(true) };
            *expanded += count as u64;
            if (self.expand)(self.steps, &mut self.stacks, stack, count, tally) {
                return Err(GivenUp::Goal);
            }
            if self.stacks.brimful {
                return Err(GivenUp::TooMuch);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::slack::Slack;
    use super::*;
    use crate::tiles::{Cells, Goal, Size, Tiles};
    use untumble_search::puzzle::Puzzle;

    /// Some nodes 30 moves or so from each goal, with what they may waste.
    fn sweeps(mut each: impl FnMut(&Steps, &dyn Fn(&mut Sweep<'_>))) {
        for name in ["blank-last", "blank-first", "snail"] {
            let goal = Goal::named(Size { rows: 4, columns: 4 }, name).expect("a known goal");
            let tiles: Tiles<u64> = Tiles::new(goal);
            let slack = Slack::new(tiles.goal(), tiles.solved().cells);
            for (seed, waste) in (0..40).zip([0, 2, 3, 6, 9, 12].into_iter().cycle()) {
                let (mut board, mut last, mut dice) = (tiles.solved(), Move(0), 12345 * (seed + 1) as u64);
                for _ in 0..40 + seed {
                    dice = dice * 1_103_515_245 % 2_147_483_647;
                    let legal: Vec<Move> =
                        (tiles.legal(&board) - tiles.undo(Some(last))).into_iter().collect();
                    last = legal[dice as usize / 7 % legal.len()];
                    board = tiles.apply(&board, last);
                }
                each(&slack.steps, &|sweep| sweep.add(board.cells, board.cells.gap(), waste, last));
            }
        }
    }

    #[test]
    fn vectors_do_what_one_node_after_the_other_does() {
        let Some(vectors) = expand() else { return };
        let (mut most, mut goals) = (0, 0);
        sweeps(|steps, add| {
            let result = [plain::expand, vectors].map(|expand| {
                let mut sweep = Sweep::with(steps, expand);
                add(&mut sweep);
                let result = sweep.run();
                assert_eq!(sweep.stacks.heights, [0; STACKS], "nothing is left behind");
                result
            });
            assert_eq!(result[0], result[1]);
            match result[0] {
                Ok(swept) => most = most.max(swept.nodes),
                Err(_) => goals += 1,
            }
        });
        assert!(most > 100_000 && goals > 0, "{most} nodes at most, {goals} times the goal");
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        let Some(vectors) = expand() else { return };
        let goal = Goal::named(Size { rows: 4, columns: 4 }, "blank-first").expect("a known goal");
        let solved = u64::pack(&goal.solved());
        let slack = Slack::new(&goal, solved);
        // Two tiles exchanged: no sweep meets the goal.
        let cells = solved ^ 0x33_0000_0000_0000;
        for expand in [plain::expand, vectors] {
            let mut sweep = Sweep::with(&slack.steps, expand);
            sweep.add(cells, 0, 30, Move(0));
            assert_eq!(sweep.run(), Err(GivenUp::TooMuch));
        }
    }
}
