//! Scalar expansion: the test oracle of the vectorized one.

use super::{STACK_CAPACITY, Stacks, StepTables};

/// The child by a move, and the tile that slides.
fn child(node: u64, m: usize) -> (u64, u64) {
    let (nibble, blank) = match m {
        0 => (12, (node & 15).wrapping_sub(4)),
        1 => (15, (node & 15).wrapping_sub(1)),
        2 => (1, (node & 15) + 1),
        _ => (4, (node & 15) + 4),
    };
    let tile = node >> (4 * nibble) & 15;
    let slid = (node & !15 & !(15 << (4 * nibble))) | tile;
    (slid.rotate_right(4 * nibble) | (blank & 15), tile)
}

/// Expands one batch; see [`super::Expand`].
pub(super) fn expand(
    tables: &StepTables,
    stacks: &mut Stacks,
    stack: usize,
    count: usize,
    tally: &mut [u64; 8],
) -> bool {
    let (level, last) = (stack / 4, stack % 4);
    let first = stacks.heights[stack];
    let batch = stacks.nodes[stack][first..first + count].to_vec();
    for m in (0..4).filter(|m| m + last != 3) {
        for (index, &node) in batch.iter().enumerate() {
            let (child, tile) = child(node, m);
            let blank = (node & 15) as usize;
            tally[index % 8] += tables.closer_bits[blank] & 1 << (16 * m);
            let targets = [(level, tables.closer_bits), (level.wrapping_sub(1), tables.farther_bits)];
            for (level, table) in targets.into_iter().take(level.min(1) + 1) {
                if table[blank] >> (16 * m) >> tile & 1 == 1 {
                    let (to, height) = (4 * level + m, stacks.heights[4 * level + m]);
                    assert!(height < STACK_CAPACITY, "the caller abandons a search before a stack overflows");
                    stacks.nodes[to][height] = child;
                    stacks.set_height(to, height + 1);
                }
            }
        }
    }
    batch.contains(&tables.goal)
}
