//! The automaton of words, packed: one small load for each node that is expanded.

use std::collections::HashMap;

use untumble_search::moves::{AutomatonState, Move, MoveAutomaton};

/// Not a trail: the word is left out.
pub(super) const LEFT_OUT: u16 = u16::MAX;

/// Where each of the four moves leads from a trail, or [`LEFT_OUT`].
pub(super) type Ways = [u16; 4];

/// [`MoveAutomaton`] by number.
pub(super) struct Trails(Vec<Ways>);

impl Trails {
    /// # Panics
    /// If there are 65,535 trails or more.
    pub(super) fn new(words: &MoveAutomaton) -> Trails {
        let mut numbers: HashMap<AutomatonState, u16> = HashMap::from([(AutomatonState::START, 0)]);
        let mut order = vec![AutomatonState::START];
        let mut ways = Vec::new();
        let mut at = 0;
        while let Some(&trail) = order.get(at) {
            at += 1;
            let mut way = [LEFT_OUT; 4];
            for m in words.allowed(trail) {
                let next = words.next(trail, m);
                way[m.index()] = *numbers.entry(next).or_insert_with(|| {
                    order.push(next);
                    (order.len() - 1) as u16
                });
            }
            ways.push(way);
        }
        assert!(ways.len() < usize::from(LEFT_OUT), "too many trails for 16 bits");
        Trails(ways)
    }

    /// Where the moves lead from a trail.
    #[inline(always)]
    pub(super) fn ways(&self, trail: u16) -> Ways {
        self.0[usize::from(trail)]
    }

    /// Where a whole word leads; one that is left out leads to the beginning, after which more is tried than need be.
    pub(super) fn after(&self, path: &[Move]) -> u16 {
        let next = |trail: u16, m: &Move| Some(self.ways(trail)[m.index()]).filter(|&next| next != LEFT_OUT);
        path.iter().try_fold(0, next).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiles::Size;
    use crate::tiles::detours;

    /// All words of twelve moves, walked in both.
    #[test]
    fn trails_allow_what_words_allow() {
        for words in [detours::none(), detours::left_out(Size { rows: 4, columns: 4 })] {
            let trails = Trails::new(&words);
            let mut level = vec![(AutomatonState::START, 0)];
            for length in 0..13 {
                let mut next = Vec::new();
                for (trail, number) in level {
                    let ways = trails.ways(number);
                    for m in (0..4).map(Move) {
                        let allowed = words.allowed(trail).contains(m);
                        assert_eq!(ways[m.index()] != LEFT_OUT, allowed, "after {length} moves, {m:?}");
                        if allowed {
                            next.push((words.next(trail, m), ways[m.index()]));
                        }
                    }
                }
                level = next;
            }
        }
    }
}
