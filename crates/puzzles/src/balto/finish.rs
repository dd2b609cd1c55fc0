//! Finishing the last tiles: three at a time are taken around by a short word, put in wherever along the way that costs least.
//!
//! What a way leaves unsolved can be mended at any place of it, where the tiles concerned are as the moves until there have left
//! them, maybe side by side and next to the hole. Where no place will do, the tiles are brought together by moves that are taken back afterwards.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use foldhash::fast::FixedState;
use untumble_search::control::Control;
use untumble_search::moves::Move;
use untumble_search::puzzle::Puzzle;

use super::cycles::{Cycles, REACH};
use super::{Balto, Board, Lattice, TURNS, back, corners, is_clockwise};

/// With more tiles to go than this it takes long, and what comes out is long.
const MOST_TILES: usize = 40;
/// Third tiles of any cycle are tried only where there are few.
const FEW_TILES: usize = 12;
/// States looked at while three tiles are brought together.
const MOST_STATES: usize = 300_000;
/// So many of them between two looks at the clock.
const BETWEEN_LOOKS: usize = 10_000;

/// A way and what it leaves to be done, told as it is at its beginning.
pub(super) struct Rest<'a> {
    lattice: &'a Lattice,
    cycles: &'a Cycles,
    control: &'a Control,
    way: Vec<Move>,
    hole: u16,
    /// Which way the first turn goes.
    clockwise: bool,
    /// Cells, each with the cell in which what it holds ought to be, so that the way solves it. Together they are the same cells.
    moved: Vec<(u16, u16)>,
}

/// The hole and the cells that matter at some place of the way.
#[derive(Clone)]
struct View {
    hole: u16,
    clockwise: bool,
    cells: Vec<u16>,
}

impl View {
    /// Where things are after a turn.
    fn turn(&mut self, lattice: &Lattice, m: Move) {
        let [a, b, c] = turned(lattice, self.hole, m);
        for cell in &mut self.cells {
            *cell = carried(*cell, [a, b, c]);
        }
        self.hole = b;
        self.clockwise = !is_clockwise(m);
    }
}

/// The cells that a turn moves, as in [`super::Balto`].
fn turned(lattice: &Lattice, hole: u16, m: Move) -> [u16; 3] {
    let (second, third) = corners(m);
    let ring = lattice.ring();
    [hole, lattice.plus(hole, ring[second]), lattice.plus(hole, ring[third])]
}

/// Where a turn takes what is in a cell.
#[inline]
fn carried(cell: u16, [a, b, c]: [u16; 3]) -> u16 {
    if cell == b {
        c
    } else if cell == c {
        a
    } else {
        cell
    }
}

/// Three of the tiles that are to be taken around, by their number, and how many that solves.
type Trio = ([usize; 3], usize);

/// Something to put in.
struct Patch {
    place: usize,
    word: Vec<Move>,
    /// What it adds to the way's length.
    cost: usize,
    trio: Trio,
}

impl Patch {
    /// Whether it costs less for what it solves.
    fn beats(&self, other: &Patch) -> bool {
        self.cost * other.trio.1 < other.cost * self.trio.1
    }
}

/// The moves that take a hole to another cell, the first turn and the one after the last going the ways asked for.
pub(super) fn passage(lattice: &Lattice, from: (u16, bool), to: (u16, bool)) -> Option<Vec<Move>> {
    let number = |(cell, clockwise): (u16, bool)| 2 * usize::from(cell) + usize::from(clockwise);
    let mut reached: Vec<Option<Option<Move>>> = vec![None; 2 * lattice.cells()];
    reached[number(from)] = Some(None);
    let mut waiting = VecDeque::from([from]);
    while let Some((hole, clockwise)) = waiting.pop_front() {
        if (hole, clockwise) == to {
            let mut way = Vec::new();
            let mut at = to;
            while let Some(Some(m)) = reached[number(at)] {
                way.push(m);
                let [_, before, _] = turned(lattice, at.0, back(m));
                at = (before, is_clockwise(m));
            }
            way.reverse();
            return Some(way);
        }
        for m in turns(clockwise) {
            let next = (turned(lattice, hole, m)[1], !clockwise);
            if reached[number(next)].is_none() {
                reached[number(next)] = Some(Some(m));
                waiting.push_back(next);
            }
        }
    }
    None
}

fn turns(clockwise: bool) -> impl Iterator<Item = Move> {
    let first = if clockwise { 0 } else { TURNS };
    (first..first + TURNS).map(Move)
}

/// How many moves of `word` and its surroundings cancel each other where it is put in.
fn cancelled(before: &[Move], word: &[Move], after: &[Move]) -> usize {
    let at_front = before.iter().rev().zip(word).take_while(|&(&m, &next)| back(m) == next).count();
    let at_end = word[at_front..].iter().rev().zip(after).take_while(|&(&m, &next)| back(m) == next).count();
    at_front + at_end
}

impl<'a> Rest<'a> {
    /// What is left of a way, told by what it is after the first `place` moves: where the hole is, which way it turns next, and which cells
    /// hold what belongs where.
    pub(super) fn new(
        (lattice, cycles): (&'a Lattice, &'a Cycles),
        control: &'a Control,
        way: Vec<Move>,
        place: usize,
        (hole, clockwise): (u16, bool),
        moved: &[(u16, u16)],
    ) -> Rest<'a> {
        let both = moved.iter().flat_map(|&(from, to)| [from, to]);
        let mut view = View { hole, clockwise, cells: both.collect() };
        for &m in way[..place].iter().rev() {
            view.turn(lattice, back(m));
        }
        let moved = view.cells.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        Rest { lattice, cycles, control, way, hole: view.hole, clockwise: view.clockwise, moved }
    }

    /// The way with everything solved. `None` where too much is left to do, or the control says stop.
    pub(super) fn finished(mut self) -> Option<Vec<Move>> {
        if self.moved.len() > MOST_TILES {
            return None;
        }
        while !self.moved.is_empty() {
            self.control.poll().ok()?;
            let trios = self.trios();
            let patch = self.cheapest(&trios).or_else(|| self.excursion(&trios))?;
            self.put_in(&patch);
        }
        Some(self.way)
    }

    /// Threes worth taking around: along a cycle of what is to be moved, or with a tile of another.
    fn trios(&self) -> Vec<Trio> {
        let number = |cell: u16| self.moved.iter().position(|&(from, _)| from == cell);
        let next: Vec<usize> =
            self.moved.iter().enumerate().map(|(tile, &(_, to))| number(to).unwrap_or(tile)).collect();
        let mut trios = Vec::new();
        for tile in 0..next.len() {
            let (second, third) = (next[tile], next[next[tile]]);
            if third != tile {
                let whole = next[third] == tile;
                // A cycle of three looks alike from each of its tiles.
                if !whole || tile < second.min(third) {
                    trios.push(([tile, second, third], if whole { 3 } else { 2 }));
                }
            }
            if next.len() <= FEW_TILES || third == tile {
                let others = (0..next.len()).filter(|&other| ![tile, second, third].contains(&other));
                trios.extend(others.map(|other| ([tile, second, other], 1)));
            }
        }
        trios
    }

    /// Calls `look` with what every place of the way looks like.
    fn each_place(&self, mut look: impl FnMut(usize, &View)) {
        let cells = self.moved.iter().map(|&(from, _)| from).collect();
        let mut view = View { hole: self.hole, clockwise: self.clockwise, cells };
        look(0, &view);
        for (place, &m) in self.way.iter().enumerate() {
            view.turn(self.lattice, m);
            look(place + 1, &view);
        }
    }

    /// The cheapest word for what it solves, at any place of the way.
    fn cheapest(&self, trios: &[Trio]) -> Option<Patch> {
        let mut best: Option<Patch> = None;
        self.each_place(|place, view| {
            let near: Vec<bool> =
                view.cells.iter().map(|&cell| self.lattice.distance(view.hole, cell) <= REACH).collect();
            for &trio in trios.iter().filter(|(tiles, _)| tiles.iter().all(|&tile| near[tile])) {
                let cells = trio.0.map(|tile| view.cells[tile]);
                for word in self.cycles.find(self.lattice, view.hole, view.clockwise, cells) {
                    let word = word.moves();
                    let cost = word
                        .len()
                        .saturating_sub(2 * cancelled(&self.way[..place], word, &self.way[place..]));
                    let patch = Patch { place, word: Vec::new(), cost, trio };
                    if best.as_ref().is_none_or(|best| patch.beats(best)) {
                        best = Some(Patch { word: word.to_vec(), ..patch });
                    }
                }
            }
        });
        best
    }

    /// Brings three tiles together, has them taken around and goes the same way back, from the place where they are nearest.
    fn excursion(&self, trios: &[Trio]) -> Option<Patch> {
        let mut nearest: Option<(u32, usize, View, Trio)> = None;
        self.each_place(|place, view| {
            for &trio in trios {
                let cells = trio.0.map(|tile| view.cells[tile]);
                // What it takes for each that is solved.
                let far = self.far(view.hole, cells) * 6 / trio.1 as u32;
                if nearest.as_ref().is_none_or(|(best, ..)| far < *best) {
                    nearest = Some((far, place, View { cells: cells.to_vec(), ..*view }, trio));
                }
            }
        });
        let (_, place, view, trio) = nearest?;
        let cells = [view.cells[0], view.cells[1], view.cells[2]];
        let out = self.gather(view.hole, view.clockwise, cells)?;
        let mut end = view;
        out.iter().for_each(|&m| end.turn(self.lattice, m));
        let cells = [end.cells[0], end.cells[1], end.cells[2]];
        let around = self.cycles.find(self.lattice, end.hole, end.clockwise, cells).first()?;
        let word: Vec<Move> = out
            .iter()
            .copied()
            .chain(around.moves().iter().copied())
            .chain(out.iter().rev().map(|&m| back(m)))
            .collect();
        Some(Patch { place, cost: word.len(), word, trio })
    }

    /// How far three cells are from each other, and the hole from the nearest of them.
    fn far(&self, hole: u16, [a, b, c]: [u16; 3]) -> u32 {
        let distance = |from, to| self.lattice.distance(from, to);
        let hole = distance(hole, a).min(distance(hole, b)).min(distance(hole, c));
        2 * (distance(a, b) + distance(b, c) + distance(a, c)) + hole
    }

    /// Moves after which there is a word that takes the three cells around: those that look best first, never the same twice, so that
    /// it ends.
    fn gather(&self, hole: u16, clockwise: bool, cells: [u16; 3]) -> Option<Vec<Move>> {
        type Key = (u16, bool, [u16; 3]);
        let start: Key = (hole, clockwise, cells);
        let mut reached: HashMap<Key, Option<Move>, FixedState> = HashMap::default();
        let mut waiting = BinaryHeap::from([Reverse((0, 0u32, start))]);
        reached.insert(start, None);
        let mut seen = 0;
        while let Some(Reverse((_, depth, key))) = waiting.pop() {
            let (hole, clockwise, cells) = key;
            if !self.cycles.find(self.lattice, hole, clockwise, cells).is_empty() {
                let mut way = Vec::new();
                let mut at = key;
                while let Some(&Some(m)) = reached.get(&at) {
                    way.push(m);
                    let cells = turned(self.lattice, at.0, back(m));
                    at = (cells[1], is_clockwise(m), at.2.map(|cell| carried(cell, cells)));
                }
                way.reverse();
                return Some(way);
            }
            seen += 1;
            let stop = seen % BETWEEN_LOOKS == 0 && self.control.poll().is_err();
            if stop || reached.len() > MOST_STATES {
                return None;
            }
            for m in turns(clockwise) {
                let corner = turned(self.lattice, hole, m);
                let next: Key = (corner[1], !clockwise, cells.map(|cell| carried(cell, corner)));
                reached.entry(next).or_insert_with(|| {
                    let far = 2 * self.far(next.0, next.2);
                    waiting.push(Reverse((depth + 1 + far, depth + 1, next)));
                    Some(m)
                });
            }
        }
        None
    }

    /// Puts a word in, cancels what cancels, and notes what is left to be done.
    fn put_in(&mut self, patch: &Patch) {
        // What belongs in one of the three cells gets there from the one before.
        let cells = patch.trio.0.map(|tile| self.moved[tile].0);
        for (_, to) in &mut self.moved {
            if let Some(place) = cells.iter().position(|cell| cell == to) {
                *to = cells[(place + 2) % 3];
            }
        }
        self.moved.retain(|&(from, to)| from != to);
        let after = self.way.split_off(patch.place);
        for &m in patch.word.iter().chain(&after) {
            if self.way.last().is_some_and(|&last| back(last) == m) {
                self.way.pop();
            } else {
                self.way.push(m);
            }
        }
    }
}

impl Balto {
    /// The shortest solution that `moves`, made from one of `starts`, become with words put in that take three tiles around.
    pub(super) fn finish_by_cycles(
        &self,
        starts: &[Board],
        moves: &[Move],
        control: &Control,
    ) -> Option<Vec<Move>> {
        let lattice = self.lattice();
        let cycles = Cycles::new(lattice, control)?;
        let ends = starts.iter().filter_map(|start| self.replay(start, moves).ok());
        let mut solutions = Vec::new();
        for end in ends {
            for clockwise in [false, true] {
                let here = (end.hole(), end.clockwise());
                let Some(passage) = passage(lattice, here, (lattice.centre(), clockwise)) else { continue };
                let Ok(home) = self.replay(&end, &passage) else { continue };
                let way = [moves, &passage].concat();
                let moved: Vec<(u16, u16)> = (0..)
                    .zip(home.cells().iter().copied())
                    .filter(|(cell, belongs)| cell != belongs)
                    .collect();
                let (place, here) = (way.len(), (home.hole(), home.clockwise()));
                solutions.extend(Rest::new((lattice, &cycles), control, way, place, here, &moved).finished());
            }
        }
        solutions.into_iter().min_by_key(Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ends::{Ends, Sheet};
    use super::*;
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::frontend::below;
    use untumble_search::walker::Walker;

    use crate::balto::weights::Weights;

    /// A solved board whose tiles were exchanged so often, by the rules of parity alone.
    fn upset(balto: &Balto, threes: usize, rng: &mut ChaCha8Rng) -> Board {
        let mut cells: Vec<u16> = (0..balto.lattice().cells() as u16).collect();
        let centre = balto.lattice().centre();
        for _ in 0..threes {
            let mut pick = || loop {
                let cell = below(rng, cells.len());
                if cells[cell] != centre {
                    return cell;
                }
            };
            let (a, b, c) = (pick(), pick(), pick());
            if a != b && b != c && a != c {
                (cells[a], cells[b], cells[c]) = (cells[c], cells[a], cells[b]);
            }
        }
        balto.board(cells.into())
    }

    fn finished(balto: &Balto, board: &Board, walked: impl Fn(&mut Ends<'_>) -> Vec<Move>) {
        let sheet = Sheet::new(balto.lattice(), &Weights::closed(balto.lattice().side()));
        for goal in balto.required_goal_states() {
            let mut ends = Ends::new(&sheet, board, &goal);
            let walked = walked(&mut ends);
            let answer = ends.finish(&walked, &Control::default()).expect("few tiles can be finished");
            let end = balto.starts(board).iter().find_map(|start| balto.replay(start, &answer).ok());
            assert!(end.is_some_and(|end| balto.is_goal(&end)), "{answer:?}");
        }
    }

    #[test]
    fn three_tiles_anywhere_are_finished() {
        for side in [3, 4, 6, 10, 15, 27] {
            let balto = Balto::new(side);
            let mut rng = ChaCha8Rng::seed_from_u64(side as u64);
            for _ in 0..3 {
                finished(&balto, &upset(&balto, 1, &mut rng), |_| Vec::new());
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]
        /// Whatever was walked on either board, and however few tiles are left.
        #[test]
        fn a_few_tiles_are_finished_from_anywhere(side in 3usize..8, threes in 0usize..5, seed in any::<u64>(), steps in 0usize..24) {
            let balto = Balto::new(side);
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let board = upset(&balto, threes, &mut rng);
            finished(&balto, &board, |ends| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 1);
                let (mut walked, mut priced) = (Vec::new(), Vec::new());
                for _ in 0..steps {
                    priced.clear();
                    ends.price(&mut priced);
                    let m = priced[below(&mut rng, priced.len())].m;
                    ends.step(m);
                    walked.push(m);
                }
                // And back, so that few tiles are left.
                for place in (0..walked.len()).rev().take(steps / 2) {
                    let m = walked[place];
                    let undone = Move(m.0 / 12 * 12 + back(Move(m.0 % 12)).0);
                    ends.step(undone);
                    walked.push(undone);
                }
                walked
            });
        }
    }

    #[test]
    fn what_stands_beside_a_word_cancels() {
        let word = [Move(0), Move(7), Move(2)];
        assert_eq!(cancelled(&[], &word, &[]), 0);
        assert_eq!(cancelled(&[Move(3), back(Move(0))], &word, &[back(Move(2)), back(Move(7)), Move(1)]), 3);
        assert_eq!(cancelled(&[], &[], &[Move(1)]), 0);
    }
}
