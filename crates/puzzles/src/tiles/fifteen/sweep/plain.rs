//! One node after the other: says what the vectors must do.

use super::{HEIGHT, Stacks, Steps};

/// The word after a move, and the digit of the tile it slid.
fn child(node: u64, m: usize) -> (u64, u64) {
    let (digit, gap) = match m {
        0 => (12, (node & 15).wrapping_sub(4)),
        1 => (15, (node & 15).wrapping_sub(1)),
        2 => (1, (node & 15) + 1),
        _ => (4, (node & 15) + 4),
    };
    let tile = node >> (4 * digit) & 15;
    let slid = (node & !15 & !(15 << (4 * digit))) | tile;
    (slid.rotate_right(4 * digit) | (gap & 15), tile)
}

pub(super) fn expand(
    steps: &Steps,
    stacks: &mut Stacks,
    stack: usize,
    count: usize,
    tally: &mut [u64; 8],
) -> bool {
    let (level, last) = (stack / 4, stack % 4);
    let below = stacks.heights[stack];
    let batch = stacks.nodes[stack][below..below + count].to_vec();
    for m in (0..4).filter(|m| m + last != 3) {
        for (place, &node) in batch.iter().enumerate() {
            let (child, tile) = child(node, m);
            let gap = (node & 15) as usize;
            tally[place % 8] += steps.nearer[gap] & 1 << (16 * m);
            let ways = [(level, steps.nearer), (level.wrapping_sub(1), steps.farther)];
            for (level, table) in ways.into_iter().take(level.min(1) + 1) {
                if table[gap] >> (16 * m) >> tile & 1 == 1 {
                    let (to, height) = (4 * level + m, stacks.heights[4 * level + m]);
                    assert!(height < HEIGHT, "stacks are looked after");
                    stacks.nodes[to][height] = child;
                    stacks.filled(to, height + 1);
                }
            }
        }
    }
    batch.contains(&steps.solved)
}
