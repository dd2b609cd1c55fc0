//! The moves of a single cubie, and its distances from home.

use super::pieces::Cubie;

/// The slot and the orientation of a cubie after a move. A cubie has `orientations` possible orientations.
pub fn destination<const SLOTS: usize>(
    turn: &[Cubie; SLOTS],
    orientations: usize,
    slot: usize,
    orientation: usize,
) -> (usize, usize) {
    let to = turn.iter().position(|from| from.piece == slot).expect("a turn loses no piece");
    (to, (orientation + turn[to].orientation) % orientations)
}

/// The number of moves that a piece needs to get home from each slot and orientation, indexed by
/// `slot * orientations + orientation`; 0 if no moves lead there.
pub fn distances_to_home<const SLOTS: usize>(
    turns: &[[Cubie; SLOTS]],
    orientations: usize,
    piece: usize,
) -> Vec<u8> {
    // The moves are closed under inversion, so distances to home equal distances from home.
    let mut distance = vec![None; SLOTS * orientations];
    let mut level = vec![(piece, 0)];
    distance[piece * orientations] = Some(0u8);
    let mut steps = 0;
    while !level.is_empty() {
        steps += 1;
        let mut next = Vec::new();
        for &(slot, orientation) in &level {
            for turn in turns {
                let (to, to_orientation) = destination(turn, orientations, slot, orientation);
                if distance[to * orientations + to_orientation].is_none() {
                    distance[to * orientations + to_orientation] = Some(steps);
                    next.push((to, to_orientation));
                }
            }
        }
        level = next;
    }
    distance.into_iter().map(Option::unwrap_or_default).collect()
}
