//! A piece by itself: where turns take it, and how many of them bring it home.

use super::pieces::Placed;

/// Where a turn takes what lies in a slot, turned in this way of `ways`.
pub fn goes<const SLOTS: usize>(
    turn: &[Placed; SLOTS],
    ways: usize,
    slot: usize,
    way: usize,
) -> (usize, usize) {
    let to = turn.iter().position(|from| from.piece == slot).expect("a turn loses no piece");
    (to, (way + turn[to].turn) % ways)
}

/// How many of `turns` bring a piece home from each slot, by slot times `ways` plus the way it is turned; 0 where none do.
pub fn far<const SLOTS: usize>(turns: &[[Placed; SLOTS]], ways: usize, piece: usize) -> Vec<u8> {
    // Turns come with their inverses, so ways home are ways from home.
    let mut distance = vec![None; SLOTS * ways];
    let mut level = vec![(piece, 0)];
    distance[piece * ways] = Some(0u8);
    let mut steps = 0;
    while !level.is_empty() {
        steps += 1;
        let mut next = Vec::new();
        for &(slot, way) in &level {
            for turn in turns {
                let (to, turned) = goes(turn, ways, slot, way);
                if distance[to * ways + turned].is_none() {
                    distance[to * ways + turned] = Some(steps);
                    next.push((to, turned));
                }
            }
        }
        level = next;
    }
    distance.into_iter().map(Option::unwrap_or_default).collect()
}
