//! Move sequences of moves that lead where a smaller word leads as well: a tree search need not try them.
//!
//! Around three tiles and back the long way round, six moves clockwise do what six moves anticlockwise do; longer cycles are of
//! the same kind. Of all words of a length that change the board alike, one is kept: the first in the order of moves. A word
//! may be left out where the one kept stays within the cells that the gap visits anyway, so that it is
//! legal wherever this one is. Replacing a word by a smaller one cannot go on for ever, so every
//! position keeps a shortest word without any that are left out.

use untumble_search::moves::{AutomatonState, Move, MoveAutomaton};

use super::{Size, back};

/// A word of up to sixteen moves, first move in the highest digits: words of equal length compare as they should.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Word {
    digits: u32,
    length: u32,
}

impl Word {
    const EMPTY: Word = Word { digits: 0, length: 0 };

    fn then(self, m: Move) -> Word {
        Word { digits: self.digits << 2 | u32::from(m.0), length: self.length + 1 }
    }

    fn moves(self) -> Vec<Move> {
        (0..self.length).rev().map(|place| Move((self.digits >> (2 * place) & 3) as u8)).collect()
    }
}

/// How far the gap went up, left, right and down from where it began.
type Reach = [u8; 4];

/// The middle of a plane that no word leaves.
const MIDDLE: usize = 16;
const SIDE: usize = 2 * MIDDLE + 1;

/// What a word does: a number that words with the same effect share, and how far the gap went.
#[derive(Clone, Copy)]
struct Effect {
    hash: u64,
    reach: Reach,
    word: Word,
}

/// A plane of tiles without borders. Each tile is told by the cell it came from.
#[derive(Clone, PartialEq, Eq)]
struct Plane {
    cells: Vec<u16>,
    gap: usize,
}

impl Plane {
    fn new() -> Plane {
        Plane { cells: (0..(SIDE * SIDE) as u16).collect(), gap: MIDDLE * SIDE + MIDDLE }
    }

    fn after(word: Word) -> Plane {
        let mut plane = Plane::new();
        word.moves().into_iter().for_each(|m| {
            plane.make(m);
        });
        plane
    }

    /// Moves the gap; tells what that adds to the hash.
    fn make(&mut self, m: Move) -> u64 {
        let (gap, from) = (self.gap, self.neighbour(m));
        let tile = self.cells[from];
        self.cells.swap(gap, from);
        self.gap = from;
        mixed(gap, tile).wrapping_sub(mixed(from, tile))
    }

    fn neighbour(&self, m: Move) -> usize {
        [self.gap - SIDE, self.gap - 1, self.gap + 1, self.gap + SIDE][m.index()]
    }

    /// How far the gap is from where it began.
    fn reached(&self, reach: Reach) -> Reach {
        let (row, column) = (self.gap / SIDE, self.gap % SIDE);
        let now = [
            MIDDLE.saturating_sub(row),
            MIDDLE.saturating_sub(column),
            column.saturating_sub(MIDDLE),
            row.saturating_sub(MIDDLE),
        ];
        std::array::from_fn(|side| reach[side].max(now[side] as u8))
    }
}

/// A number for a tile in a cell; equal sums are taken for equal planes only after a look.
fn mixed(cell: usize, tile: u16) -> u64 {
    let mut bits = (cell as u64) << 16 | u64::from(tile);
    for _ in 0..2 {
        bits = (bits ^ bits >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    bits ^ bits >> 29
}

/// What takes each move back.
pub(super) const INVERSES: [Move; 4] = [Move(3), Move(2), Move(1), Move(0)];

/// Move sequences of up to so many moves are compared. Two moves more leave out another 6 % of the nodes, but the
/// automaton outgrows the nearest cache and takes seven times as long to make.
const LONGEST: u32 = 12;

/// Every word that never takes a move back.
pub(super) fn none() -> MoveAutomaton {
    MoveAutomaton::no_undo(&INVERSES)
}

/// The words worth trying on boards of a size.
pub(super) fn left_out(size: Size) -> MoveAutomaton {
    let mut forbidden: Vec<Vec<Move>> = (0..4).map(Move).map(|m| vec![m, back(m)]).collect();
    let mut words = none();
    for length in 1..=LONGEST {
        let mut walk = Walk { size, words: &words, plane: Plane::new(), length, effects: Vec::new() };
        walk.go(Effect { hash: 0, reach: [0; 4], word: Word::EMPTY }, AutomatonState::START);
        let mut effects = walk.effects;
        effects.sort_unstable_by_key(|effect| (effect.hash, effect.word));
        let alike = effects.chunk_by(|a, b| a.hash == b.hash);
        let more: Vec<Word> = alike.flat_map(detours).collect();
        if !more.is_empty() {
            forbidden.extend(more.into_iter().map(Word::moves));
            words = MoveAutomaton::forbid(INVERSES.len(), &forbidden);
        }
    }
    words
}

/// Of words with equal hashes, first ones first, those that an earlier one can stand in for.
fn detours(alike: &[Effect]) -> Vec<Word> {
    let within = |a: &Effect, b: &Effect| (0..4).all(|side| a.reach[side] <= b.reach[side]);
    let replaced = |(place, effect): (usize, &Effect)| {
        let mut smaller = alike[..place].iter().filter(|other| within(other, effect));
        let same = |other: &Effect| Plane::after(other.word) == Plane::after(effect.word);
        smaller.any(same).then_some(effect.word)
    };
    alike.iter().enumerate().filter_map(replaced).collect()
}

/// All words of a length that fit the board and contain none left out so far.
struct Walk<'a> {
    size: Size,
    words: &'a MoveAutomaton,
    plane: Plane,
    length: u32,
    effects: Vec<Effect>,
}

impl Walk<'_> {
    fn go(&mut self, effect: Effect, trail: AutomatonState) {
        if effect.word.length == self.length {
            self.effects.push(effect);
            return;
        }
        for m in self.words.allowed(trail) {
            let change = self.plane.make(m);
            let reach = self.plane.reached(effect.reach);
            let [up, left, right, down] = reach.map(usize::from);
            if up + down < self.size.rows && left + right < self.size.columns {
                let hash = effect.hash.wrapping_add(change);
                let next = Effect { hash, reach, word: effect.word.then(m) };
                self.go(next, self.words.next(trail, m));
            }
            self.plane.make(back(m));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{Board, Cells, Goal, Tiles};
    use super::*;
    use untumble_search::puzzle::Puzzle;

    /// Boards by the number of moves to them, as far as `depth`: by breadth-first search, and by all words left.
    fn compare<C: Cells>(rows: usize, columns: usize, goal: &str, depth: usize) -> (usize, usize) {
        let size = Size { rows, columns };
        let tiles: Tiles<C> = Tiles::new(Goal::named(size, goal).expect("a known goal"));
        let words = left_out(size);
        let start = tiles.solved();
        let mut seen = HashSet::from([start.cells.clone()]);
        let mut reached = seen.clone();
        let mut level = vec![start.clone()];
        let mut nodes: Vec<(Board<C>, AutomatonState)> = vec![(start, AutomatonState::START)];
        let (mut plain, mut left) = (1, 1);
        for moves in 1..=depth {
            let mut next = Vec::new();
            for board in &level {
                for m in tiles.legal(board) {
                    let child = tiles.apply(board, m);
                    if seen.insert(child.cells.clone()) {
                        next.push(child);
                    }
                }
            }
            level = next;
            let mut below = Vec::new();
            for (board, trail) in nodes {
                for m in tiles.legal(&board) & words.allowed(trail) {
                    below.push((tiles.apply(&board, m), words.next(trail, m)));
                }
            }
            nodes = below;
            reached.extend(nodes.iter().map(|(board, _)| board.cells.clone()));
            assert!(reached == seen, "{size} {goal}: after {moves} moves some boards are reached too late");
            (plain, left) = (plain + level.len(), left + nodes.len());
        }
        (plain, left)
    }

    #[test]
    fn every_board_is_still_reached_by_a_shortest_word() {
        for (rows, columns, depth) in [(2, 2, 6), (2, 3, 21), (2, 5, 20), (3, 3, 20), (3, 4, 15), (4, 4, 13)]
        {
            for goal in ["blank-last", "blank-first", "snail"] {
                compare::<u64>(rows, columns, goal, depth);
            }
        }
        for goal in ["blank-last", "snail"] {
            compare::<u128>(5, 5, goal, 12);
        }
        compare::<Box<[u16]>>(3, 9, "snail", 12);
    }

    #[test]
    fn few_words_lead_where_others_lead() {
        let (boards, words) = compare::<u128>(5, 5, "snail", 12);
        // As far as words are compared, hardly any board is met twice: the gap's borders are not known to words.
        assert!(words < boards + boards / 40, "{words} words to {boards} boards");
        let around = [0, 1, 3, 2, 0, 1].map(Move);
        let back = [1, 0, 2, 3, 1, 0].map(Move);
        let words = left_out(Size { rows: 2, columns: 2 });
        let tried = |word: &[Move]| {
            (0..word.len()).all(|at| words.allowed(words.after(&word[..at])).contains(word[at]))
        };
        assert!(tried(&around) && !tried(&back), "of two ways around three tiles the first is kept");
    }
}
