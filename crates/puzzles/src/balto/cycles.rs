//! Short words that take three tiles around and leave everything else where it was, the hole included.
//!
//! Two words that end with the hole in the same cell, and with all tiles alike but three, make one: the first, then the second taken
//! back. So words of half the length are compared, and what they do is found without a search.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use untumble_search::control::Control;
use untumble_search::moves::Move;

use super::{Lattice, TURNS, back, corners};

/// Move sequences are put together of halves of at most so many moves.
const HALF: usize = 6;
/// So many words are kept of those that do the same: others may begin or end with what stands beside them.
const ALIKE: usize = 6;
/// A cell further from the hole than this is moved by none of them.
pub(super) const REACH: u32 = HALF as u32;

/// Three cells, by what is added to the hole's: the tile in each goes to the next, and that in the last to the first. The
/// least number comes first.
type Pattern = [u16; 3];

/// The words for each three cells.
#[derive(Debug)]
pub(super) struct Cycles {
    /// By the direction of the first turn, clockwise last.
    words: [HashMap<Pattern, Vec<Word>, FixedState>; 2],
}

/// A word of up to twice [`HALF`] moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    length: u8,
    moves: [Move; 2 * HALF],
}

impl Word {
    fn joined(one: &Half, other: &Half) -> Word {
        let mut word = Word { length: 0, moves: [Move(0); 2 * HALF] };
        for m in one.moves.iter().copied().chain(other.moves.iter().rev().map(|&m| back(m))) {
            word.moves[usize::from(word.length)] = m;
            word.length += 1;
        }
        word
    }

    /// Its moves.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.length)]
    }

    fn ends(&self) -> [Option<&Move>; 2] {
        [self.moves().first(), self.moves().last()]
    }
}

/// Half a word, and where it takes the tiles that it moves, in the order of their cells.
struct Half {
    moves: Vec<Move>,
    taken: Vec<(u16, u16)>,
}

impl Cycles {
    /// The words on a lattice; `None` where the control says stop.
    pub(super) fn new(lattice: &Lattice, control: &Control) -> Option<Cycles> {
        Some(Cycles { words: [words(lattice, false, control)?, words(lattice, true, control)?] })
    }

    /// The words that take what is in each of `cells` to the next of them, the shortest first.
    pub(super) fn find(&self, lattice: &Lattice, hole: u16, clockwise: bool, cells: [u16; 3]) -> &[Word] {
        let relative = cells.map(|cell| lattice.minus(cell, hole));
        self.words[usize::from(clockwise)].get(&sorted(relative)).map_or(&[], Vec::as_slice)
    }
}

/// The same cycle, told from its least cell.
fn sorted([a, b, c]: [u16; 3]) -> Pattern {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

fn words(
    lattice: &Lattice,
    clockwise: bool,
    control: &Control,
) -> Option<HashMap<Pattern, Vec<Word>, FixedState>> {
    // Halves by the hole's last cell and by their length.
    let mut halves: Vec<[Vec<Half>; HALF + 1]> =
        (0..lattice.cells()).map(|_| std::array::from_fn(|_| Vec::new())).collect();
    let mut board: Vec<u16> = (0..lattice.cells() as u16).collect();
    let near: Vec<u16> =
        (0..lattice.cells() as u16).filter(|&cell| lattice.distance(0, cell) <= REACH).collect();
    gather(lattice, clockwise, &mut board, &near, 0, &mut Vec::new(), &mut halves);
    for alike in halves.iter_mut().flatten() {
        // On small boards many words do the same.
        alike.sort_by(|one, other| one.taken.cmp(&other.taken));
        alike.dedup_by(|one, other| one.taken == other.taken);
    }
    let mut words: HashMap<Pattern, Vec<Word>, FixedState> = HashMap::default();
    // Short ones first. Halves are equally long, so that the next turn goes as it would have gone.
    for length in 1..=HALF {
        for alike in halves.iter().map(|ends| &ends[length]) {
            control.poll().ok()?;
            for (first, second) in
                alike.iter().flat_map(|first| alike.iter().map(move |second| (first, second)))
            {
                // Where both end alike, a shorter pair does the same.
                let parted = first.moves.last() != second.moves.last();
                if let Some(pattern) = parted.then(|| difference(&first.taken, &second.taken)).flatten() {
                    enter(words.entry(pattern).or_default(), Word::joined(first, second));
                }
            }
        }
    }
    Some(words)
}

/// Keeps a word unless enough are known, or a shorter one with the same ends.
fn enter(known: &mut Vec<Word>, word: Word) {
    if known.len() < ALIKE && known.iter().all(|other| other.ends() != word.ends()) {
        known.push(word);
    }
}

/// Walks all words of up to [`HALF`] moves, which stay among the cells `near`. `board` says where what a cell holds was in the beginning.
fn gather(
    lattice: &Lattice,
    clockwise: bool,
    board: &mut [u16],
    near: &[u16],
    hole: u16,
    way: &mut Vec<Move>,
    halves: &mut [[Vec<Half>; HALF + 1]],
) {
    halves[usize::from(hole)][way.len()].push(Half { moves: way.clone(), taken: taken(board, near, hole) });
    if way.len() == HALF {
        return;
    }
    let first = if clockwise { 0 } else { TURNS };
    for m in (first..first + TURNS).map(Move) {
        if way.last().is_some_and(|&last| back(last) == m) {
            continue;
        }
        let (second, third) = corners(m);
        let ring = lattice.ring();
        let cells = [hole, lattice.plus(hole, ring[second]), lattice.plus(hole, ring[third])];
        let [a, b, c] = cells.map(usize::from);
        (board[a], board[b], board[c]) = (board[c], board[a], board[b]);
        way.push(m);
        gather(lattice, !clockwise, board, near, cells[1], way, halves);
        way.pop();
        (board[a], board[b], board[c]) = (board[b], board[c], board[a]);
    }
}

/// Where the tiles that have moved were, and are now, in the order of where they were; none is further away than `near`.
fn taken(board: &[u16], near: &[u16], hole: u16) -> Vec<(u16, u16)> {
    let held = near.iter().map(|&cell| (board[usize::from(cell)], cell));
    let mut taken: Vec<(u16, u16)> = held.filter(|&(from, cell)| cell != from && cell != hole).collect();
    taken.sort_unstable();
    taken
}

/// The three cells whose tiles go elsewhere by the one word than by the other, as the first and then the other taken back moves them, if
/// there are just three.
fn difference(one: &[(u16, u16)], other: &[(u16, u16)]) -> Option<Pattern> {
    let mut apart = [(0, 0, 0); 3];
    let mut count = 0;
    let (mut i, mut j) = (0, 0);
    while i < one.len() || j < other.len() {
        let (a, b) = (one.get(i), other.get(j));
        let cell = a.into_iter().chain(b).map(|taken| taken.0).min()?;
        let goes = |taken: Option<&(u16, u16)>, place: &mut usize| match taken {
            Some(&(from, to)) if from == cell => {
                *place += 1;
                to
            }
            _ => cell,
        };
        let (to, otherwise) = (goes(a, &mut i), goes(b, &mut j));
        if to != otherwise {
            *apart.get_mut(count)? = (cell, to, otherwise);
            count += 1;
        }
    }
    if count < 3 {
        return None;
    }
    // A tile goes where the one comes from that the other word takes to the same cell.
    let next = |to: u16| apart.iter().find(|apart| apart.2 == to).map(|apart| apart.0);
    let first = apart[0].0;
    let second = next(apart[0].1)?;
    let third = next(apart.iter().find(|apart| apart.0 == second)?.1)?;
    Some(sorted([first, second, third]))
}

#[cfg(test)]
mod tests {
    use super::super::Balto;
    use super::*;
    use untumble_search::puzzle::Puzzle;

    #[test]
    fn every_word_takes_its_three_tiles_around_and_nothing_else() {
        for side in [3, 5, 9] {
            let balto = Balto::new(side);
            let lattice = balto.lattice();
            let cycles = Cycles::new(lattice, &Control::default()).expect("nobody says stop");
            let solved = balto.solved();
            for clockwise in [false, true] {
                let known = &cycles.words[usize::from(clockwise)];
                assert!(known.len() > 400, "side {side}: {}", known.len());
                for (&pattern, words) in known.iter().step_by(7) {
                    let cells = pattern.map(|cell| lattice.plus(cell, solved.hole()));
                    let mut expected = solved.cells().to_vec();
                    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                        expected[usize::from(cells[to])] = cells[from];
                    }
                    for word in words {
                        let end = balto.replay(&solved.turning(clockwise), word.moves());
                        let end = end.expect("directions alternate");
                        assert_eq!(end.cells(), expected, "side {side}, {pattern:?}, {word:?}");
                        assert_eq!(end.clockwise(), clockwise);
                    }
                    assert_eq!(cycles.find(lattice, solved.hole(), clockwise, cells), words);
                    assert!(words.is_sorted_by_key(|word| word.moves().len()));
                }
            }
        }
    }
}
