//! One board of tiles that is walked on: a move is priced by a few additions, whatever the size of the board.

use untumble_search::control::Control;
use untumble_search::moves::Move;
use untumble_search::perm::SplitMix64;
use untumble_search::walker::{Priced, Walker};

use super::weights::{Weights, displaced, ring, side, surrounded, surroundings};
use crate::tiles::{DOWN, Goal, LEFT, RIGHT, Size, UP, layers};

/// Scores are whole numbers: so many make a weight of 1.
const UNIT: f64 = 64.0;
/// Outside the board.
const RIM: u16 = u16::MAX;
/// Moves, by the direction of the neighbour that they slide: a neighbour's neighbour back is in the direction 3 − d.
const MOVES: [Move; 4] = [DOWN, RIGHT, LEFT, UP];
/// Of a mark: the neighbours that are solved, the rim among them.
const NEIGHBOURS: u8 = 15;
/// Of a mark: the cell holds what it should.
const SOLVED: u8 = 16;
/// Of a mark: the cell is the gap, which counts as neither solved nor unsolved.
const GAP: u8 = 32;

/// What all walkers with one goal share.
#[derive(Clone, Debug)]
pub struct Sheet {
    size: Size,
    cells: usize,
    homes: Vec<u16>,
    /// The neighbours of each cell, in the order of moves.
    around: Vec<[u16; 4]>,
    /// What a tile adds in a cell: by name, then by cell.
    far: Vec<i32>,
    /// What a cell adds, by its mark.
    alone: [i32; 64],
    /// What each step of the gap towards a cell is worth while it is lured there.
    worth: i32,
    /// A factor for each tile and for each cell: the hash is a sum of products.
    tile_factors: Vec<u64>,
    cell_factors: Vec<u64>,
    /// The place of each feature among the weights: of a displacement by name and cell, of a ring by name, of surroundings.
    displaced: Vec<u16>,
    rings: Vec<u16>,
    surrounded: [u16; 16],
}

impl Sheet {
    /// For boards with this goal.
    ///
    /// # Panics
    /// If the weights are for another size.
    pub fn new(goal: &Goal, weights: &Weights) -> Sheet {
        let (size, cells) = (goal.size(), goal.size().cells());
        let side = side(size);
        assert_eq!(weights.side(), side, "weights for boards of this size");
        let whole: Vec<i32> = weights.all().iter().map(|weight| (UNIT * weight).round() as i32).collect();
        let homes: Vec<usize> = (0..cells).map(|name| goal.home(name)).collect();
        let place = |name: usize, cell: usize| {
            let home = homes[name];
            displaced(size.row(cell).abs_diff(size.row(home)), size.column(cell).abs_diff(size.column(home)))
                as u16
        };
        let places: Vec<u16> = (0..cells * cells).map(|at| place(at / cells, at % cells)).collect();
        let rings: Vec<u16> = homes.iter().map(|&home| ring(goal, home) as u16).collect();
        let far = |at: usize| {
            let (name, cell) = (at / cells, at % cells);
            let away = if cell == homes[name] { 0 } else { whole[usize::from(rings[name])] };
            if name == 0 { 0 } else { whole[usize::from(places[at])] + away }
        };
        let surrounded = surroundings().map(|class| surrounded(side, class) as u16);
        let mut alone = [0; 64];
        for (mark, &place) in surrounded.iter().enumerate() {
            alone[mark] = whole[usize::from(place)];
        }
        let step =
            whole[displaced(1, 0)] + rings.iter().map(|&ring| whole[usize::from(ring)]).max().unwrap_or(0);
        Sheet {
            size,
            cells,
            around: (0..cells)
                .map(|cell| MOVES.map(|m| size.source(cell, m).map_or(RIM, |other| other as u16)))
                .collect(),
            far: (0..cells * cells).map(far).collect(),
            alone,
            worth: 2 * step + 4 * alone.iter().max().copied().unwrap_or(0) + 1,
            tile_factors: SplitMix64(1).numbers(cells),
            cell_factors: SplitMix64(2).numbers(cells),
            homes: homes.into_iter().map(|home| home as u16).collect(),
            displaced: places,
            rings,
            surrounded,
        }
    }

    fn far(&self, name: u16, cell: u16) -> i32 {
        self.far[usize::from(name) * self.cells + usize::from(cell)]
    }

    fn steps(&self, from: u16, to: u16) -> usize {
        self.size.distance(from.into(), to.into())
    }
}

/// A board on its way.
#[derive(Clone)]
pub struct Slide<'a> {
    sheet: &'a Sheet,
    names: Box<[u16]>,
    marks: Box<[u8]>,
    gap: u16,
    last: Option<Move>,
    unsolved: u16,
    score: i32,
    hash: u64,
    /// The gap is drawn to a cell, while the beam gets away from where it was stuck.
    perturb: Option<u16>,
}

/// What a step changes beside the cells.
pub struct Before {
    last: Option<Move>,
    score: i32,
    hash: u64,
}

impl<'a> Slide<'a> {
    /// A board, cell by cell.
    pub fn new(sheet: &'a Sheet, names: &[u16]) -> Slide<'a> {
        let gap = names.iter().position(|&name| name == 0).unwrap_or(0) as u16;
        let mut slide = Slide {
            sheet,
            names: names.into(),
            marks: vec![0; sheet.cells].into(),
            gap,
            last: None,
            unsolved: 0,
            score: 0,
            hash: 0,
            perturb: None,
        };
        for (cell, around) in sheet.around.iter().enumerate() {
            slide.marks[cell] |= (0..4).filter(|&d| around[d] == RIM).map(|d| 1u8 << d).sum::<u8>();
        }
        slide.marks[usize::from(gap)] |= GAP;
        for (cell, &name) in (0u16..).zip(names) {
            if name == 0 {
                continue;
            }
            if sheet.homes[usize::from(name)] == cell {
                slide.turn_solved(cell);
            } else {
                slide.unsolved += 1;
            }
        }
        (slide.score, slide.hash) = slide.measured();
        slide
    }

    /// Score and hash, from nothing but the board.
    pub(super) fn measured(&self) -> (i32, u64) {
        let sheet = self.sheet;
        let tiles = || (0u16..).zip(&*self.names).filter(|(_, name)| **name != 0);
        let far: i32 = tiles().map(|(cell, &name)| sheet.far(name, cell)).sum();
        let alone: i32 = self.marks.iter().map(|&mark| sheet.alone[usize::from(mark)]).sum();
        let product = |(cell, &name): (u16, &u16)| {
            sheet.tile_factors[usize::from(name)].wrapping_mul(sheet.cell_factors[usize::from(cell)])
        };
        let lured = self.perturb.map_or(0, |to| sheet.worth * sheet.steps(self.gap, to) as i32);
        (far + alone + lured, tiles().map(product).fold(0, u64::wrapping_add))
    }

    /// How far from solved it looks.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// Calls `each` with the place of every feature it has, as often as it has it.
    pub(super) fn each_feature(&self, mut each: impl FnMut(u16)) {
        for (cell, (&name, &mark)) in self.names.iter().zip(&*self.marks).enumerate() {
            if mark & GAP != 0 {
                continue;
            }
            each(self.sheet.displaced[usize::from(name) * self.sheet.cells + cell]);
            if mark & SOLVED == 0 {
                each(self.sheet.rings[usize::from(name)]);
                each(self.sheet.surrounded[usize::from(mark & NEIGHBOURS)]);
            }
        }
    }

    /// Says that a cell is solved, or no longer, to itself and its neighbours.
    #[inline]
    fn turn_solved(&mut self, cell: u16) {
        self.marks[usize::from(cell)] ^= SOLVED;
        for (d, &other) in self.sheet.around[usize::from(cell)].iter().enumerate() {
            if other != RIM {
                self.marks[usize::from(other)] ^= 1 << (3 - d);
            }
        }
    }

    /// What sliding the tile of `from` into the gap adds to the score, and whether it leaves or comes home; `d` is its direction.
    #[inline(always)]
    fn change(&self, from: u16, d: usize) -> (i32, bool, bool) {
        let sheet = self.sheet;
        let name = self.names[usize::from(from)];
        let (left, gap) = (self.marks[usize::from(from)], self.marks[usize::from(self.gap)]);
        let (leaves, arrives) = (left & SOLVED != 0, sheet.homes[usize::from(name)] == self.gap);
        let row = &sheet.far[usize::from(name) * sheet.cells..][..sheet.cells];
        let mut sum = row[usize::from(self.gap)] - row[usize::from(from)];
        if !leaves {
            sum -= sheet.alone[usize::from(left & NEIGHBOURS)];
        }
        if !arrives {
            let without = if leaves { 1 << d } else { 0 };
            sum += sheet.alone[usize::from(gap & NEIGHBOURS & !without)];
        }
        if leaves || arrives {
            // Neighbours of the cell that changes, but for the other one of the two.
            let (cell, except) = if leaves { (from, 3 - d) } else { (self.gap, d) };
            for (to, &other) in sheet.around[usize::from(cell)].iter().enumerate() {
                if to != except && other != RIM {
                    let mark = self.marks[usize::from(other)];
                    sum += sheet.alone[usize::from(mark ^ 1 << (3 - to))] - sheet.alone[usize::from(mark)];
                }
            }
        }
        if let Some(to) = self.perturb {
            sum += sheet.worth * (sheet.steps(from, to) as i32 - sheet.steps(self.gap, to) as i32);
        }
        (sum, leaves, arrives)
    }

    /// The tiles of a line.
    fn line(&self) -> u16 {
        self.sheet.size.rows.max(self.sheet.size.columns) as u16
    }

    /// Whether there is more left to do than wider beams and lures are good for: then tiles are in each other's way everywhere.
    fn much_is_left(&self) -> bool {
        const LINES: u16 = 6;
        self.unsolved >= LINES * self.line()
    }

    /// Moves that solve it line by line.
    fn line_by_line(&self) -> Option<Vec<Move>> {
        let homes = self.names.iter().map(|&name| self.sheet.homes[usize::from(name)]).collect();
        layers::finish(self.sheet.size, homes, self.gap, self.sheet.homes[0])
    }

    #[inline(always)]
    fn hashed(&self, from: u16) -> u64 {
        let sheet = self.sheet;
        let factors = &sheet.cell_factors;
        let way = factors[usize::from(self.gap)].wrapping_sub(factors[usize::from(from)]);
        self.hash
            .wrapping_add(sheet.tile_factors[usize::from(self.names[usize::from(from)])].wrapping_mul(way))
    }

    /// Slides the tile of `from` into the gap.
    #[inline]
    fn slide(&mut self, from: u16) {
        let (name, to) = (self.names[usize::from(from)], self.gap);
        if self.marks[usize::from(from)] & SOLVED != 0 {
            self.turn_solved(from);
            self.unsolved += 1;
        }
        self.names.swap(from.into(), to.into());
        self.marks[usize::from(to)] ^= GAP;
        self.marks[usize::from(from)] ^= GAP;
        self.gap = from;
        if self.sheet.homes[usize::from(name)] == to {
            self.turn_solved(to);
            self.unsolved -= 1;
        }
    }
}

impl Walker for Slide<'_> {
    type Undo = Before;

    #[inline]
    fn price(&mut self, out: &mut Vec<Priced>) {
        for (d, &from) in self.sheet.around[usize::from(self.gap)].iter().enumerate() {
            if from == RIM || self.last.is_some_and(|last| last.index() == 3 - d) {
                continue;
            }
            let (change, leaves, arrives) = self.change(from, d);
            let solved = self.unsolved + u16::from(leaves) == u16::from(arrives);
            let score = (self.score + change).max(0) as u32;
            out.push(Priced { m: MOVES[d], score, hash: self.hashed(from), solved });
        }
    }

    #[inline]
    fn step(&mut self, m: Move) -> Before {
        let before = Before { last: self.last, score: self.score, hash: self.hash };
        let from = self.sheet.around[usize::from(self.gap)][m.index()];
        self.score += self.change(from, m.index()).0;
        self.hash = self.hashed(from);
        self.slide(from);
        self.last = Some(m);
        before
    }

    #[inline]
    fn back(&mut self, m: Move, before: Before) {
        let from = self.sheet.around[usize::from(self.gap)][3 - m.index()];
        self.slide(from);
        Before { last: self.last, score: self.score, hash: self.hash } = before;
    }

    fn answer(&self, walked: &[Move]) -> Vec<Move> {
        walked.to_vec()
    }

    /// Draws the gap to where much is wrong and it is not.
    fn perturb(&mut self, before: u32) -> Option<usize> {
        const NEAR: usize = 3;
        /// A place that much further away must be twice as bad.
        const REACH: usize = 4;
        if self.much_is_left() {
            return None;
        }
        let sheet = self.sheet;
        let wrong = |cell: u16| sheet.far(self.names[usize::from(cell)], cell);
        let around = |cell: u16| {
            let others = sheet.around[usize::from(cell)].iter().filter(|other| **other != RIM);
            wrong(cell) + others.map(|&other| wrong(other)).sum::<i32>()
        };
        let places = (0..sheet.cells as u16).map(|cell| (around(cell), sheet.steps(self.gap, cell), cell));
        let (_, steps, cell) = places
            .filter(|&(worth, steps, _)| worth > 0 && steps >= NEAR << before)
            .max_by_key(|&(worth, steps, _)| 64 * i64::from(worth) / (steps + REACH) as i64)?;
        self.perturb = Some(cell);
        (self.score, _) = self.measured();
        Some(2 * steps)
    }

    fn unlure(&mut self) {
        self.perturb = None;
        (self.score, _) = self.measured();
    }

    /// As many tiles as a line has are solved line by line: on big boards tiles may be in each other's way all around the gap.
    fn advance(&self) -> Option<Vec<Move>> {
        if !self.much_is_left() {
            return None;
        }
        let line = self.line();
        let mut moves = self.line_by_line()?;
        let mut slide = self.clone();
        let done = moves.iter().position(|&m| {
            slide.step(m);
            slide.unsolved + line <= self.unsolved
        })?;
        moves.truncate(done + 1);
        Some(moves)
    }

    /// Line by line: what is solved already costs little.
    fn finish(&self, walked: &[Move], _control: &Control) -> Option<Vec<Move>> {
        Some([walked, &self.line_by_line()?].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::frontend::PuzzleFrontend;
    use untumble_search::puzzle::Puzzle;

    use crate::tiles::Tiles;

    /// Walks at random; whatever is said of a move is so once it is made, and nothing is left once it is taken back.
    #[test]
    fn prices_hold_and_steps_are_undone() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (rows, columns, goal) in
            [(2, 2, "blank-last"), (3, 5, "snail"), (4, 4, "blank-first"), (9, 7, "blank-last")]
        {
            let goal = Goal::named(Size { rows, columns }, goal).expect("a known goal");
            let tiles = Tiles::<Box<[u16]>>::new(goal.clone());
            let mut weights = Weights::closed(side(goal.size())).all().to_vec();
            weights.iter_mut().zip(1u32..).for_each(|(weight, n)| *weight += f64::from(n % 7));
            let sheet = Sheet::new(&goal, &Weights::new(side(goal.size()), &weights));
            let mut board = tiles.random(&mut rng);
            let mut slide = Slide::new(&sheet, &tiles.names(&board));
            for step in 0..2000 {
                if step % 500 == 400 {
                    slide.perturb(0);
                } else if step % 500 == 450 {
                    slide.unlure();
                }
                let mut priced = Vec::new();
                slide.price(&mut priced);
                let whole = |slide: &Slide<'_>| {
                    (slide.score, slide.hash, slide.unsolved, slide.marks.clone(), slide.names.clone())
                };
                let before = whole(&slide);
                for child in &priced {
                    let undo = slide.step(child.m);
                    let fresh = Slide { perturb: slide.perturb, ..Slide::new(&sheet, &slide.names) };
                    assert_eq!((child.score as i32, child.hash), fresh.measured());
                    assert_eq!((slide.score, slide.hash), fresh.measured());
                    assert_eq!((slide.unsolved, &slide.marks), (fresh.unsolved, &fresh.marks));
                    assert_eq!(child.solved, tiles.is_goal(&tiles.apply(&board, child.m)));
                    slide.back(child.m, undo);
                    assert_eq!(whole(&slide), before);
                }
                let child = priced[rng.random_range(0..priced.len())];
                board = tiles.apply(&board, child.m);
                slide.step(child.m);
                assert_eq!(*slide.names, *tiles.names(&board));
            }
        }
    }

    #[test]
    fn scores_are_features_times_weights() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let goal = Goal::named(Size { rows: 5, columns: 6 }, "snail").expect("a known goal");
        let tiles = Tiles::<Box<[u16]>>::new(goal.clone());
        let weights = Weights::closed(6);
        let sheet = Sheet::new(&goal, &weights);
        for _ in 0..20 {
            let slide = Slide::new(&sheet, &tiles.names(&tiles.random(&mut rng)));
            let mut sum = 0;
            slide.each_feature(|place| sum += (UNIT * weights.all()[usize::from(place)]).round() as i32);
            assert_eq!(sum, slide.score());
        }
    }
}
