//! Both ends at once: a board that moves towards its goal while the goal moves towards it.
//!
//! All that matters of two boards is which cell of the one holds what a cell of the other holds, a permutation of the cells, and
//! where the two holes are. Moves on either board change it; an answer is the moves of the one, then those of the other taken back.

use std::sync::{Arc, OnceLock};

use untumble_search::control::Control;
use untumble_search::moves::Move;
use untumble_search::perm::SplitMix64;
use untumble_search::walker::{Priced, Walker};

use super::cycles::Cycles;
use super::finish::{Rest, passage};
use super::weights::{Classes, Tables, Weights};
use super::{Board, Lattice, TURNS, back, corners, is_clockwise};

/// What all walkers on a lattice share.
#[derive(Clone, Debug)]
pub struct Sheet {
    lattice: Lattice,
    cells: u16,
    ring: [u16; 6],
    tables: Tables,
    classes: Classes,
    /// What a step towards a cell that a hole is drawn to is worth, times the steps, by difference as displacements are.
    lures: Vec<i32>,
    /// A factor for each cell of either board: the hash is a sum of products.
    factors: [Vec<u64>; 2],
    /// What the hole adds in each cell of the first board.
    holes: Vec<u64>,
    /// What is added while the next turn of a board goes clockwise.
    clockwise: [u64; 2],
    /// What finishes the last tiles, once somebody needs it.
    cycles: OnceLock<Arc<Cycles>>,
}

impl Sheet {
    /// For boards on `lattice`, rated by `weights`.
    pub fn new(lattice: &Lattice, weights: &Weights) -> Sheet {
        let mut scatter = SplitMix64(0x0062_616c_746f_0001);
        let mut many = || scatter.numbers(lattice.cells());
        let (factors, holes) = ([many(), many()], many());
        let clockwise = [scatter.next_u64(), scatter.next_u64()];
        let tables = Tables::new(lattice, weights);
        Sheet {
            lattice: lattice.clone(),
            cells: lattice.cells() as u16,
            ring: lattice.ring(),
            lures: lures(lattice, &tables),
            tables,
            classes: Classes::new(lattice),
            factors,
            holes,
            clockwise,
            cycles: OnceLock::new(),
        }
    }

    #[inline(always)]
    fn plus(&self, cell: u16, step: u16) -> u16 {
        let sum = cell + step;
        if sum >= self.cells { sum - self.cells } else { sum }
    }

    /// What it adds to the score that a tile is in `from` here and in `to` there.
    #[inline(always)]
    fn far(&self, from: u16, to: u16) -> i32 {
        self.tables.far[usize::from(to + self.cells - from)]
    }
}

/// Steps to each cell, each worth more than what a hole upsets on its way: two tiles, and their surroundings.
fn lures(lattice: &Lattice, tables: &Tables) -> Vec<i32> {
    let surrounded = tables.alone.iter().max().copied().unwrap_or(0);
    let worth = 8 * tables.far[1] + 4 * surrounded + 1;
    let once: Vec<i32> =
        (0..lattice.cells() as u16).map(|cell| worth * lattice.distance(0, cell) as i32).collect();
    once.repeat(2)
}

/// No move was made yet.
const NONE: u8 = u8::MAX;
/// The bit of a mark that says that the cell itself is solved; those below are its neighbours'.
const SOLVED: u8 = 64;
/// Moves of either board.
const MOVES: u8 = 2 * TURNS;

/// Two boards on their way to each other.
#[derive(Clone)]
pub struct Ends<'a> {
    sheet: &'a Sheet,
    /// For each cell of either board, the cell of the other that holds the same.
    held: [Box<[u16]>; 2],
    /// For each cell, which of its neighbours hold the same in both boards, and whether it does.
    marks: Box<[u8]>,
    hole: [u16; 2],
    clockwise: [bool; 2],
    /// The last move of either board.
    last: [u8; 2],
    unsolved: u16,
    score: i32,
    hash: u64,
    /// The hole of one board is drawn to a cell, while the beam gets away from where it was stuck.
    perturb: Option<(usize, u16)>,
}

/// What a step changes beside the cells.
pub struct Before {
    last: u8,
    score: i32,
    hash: u64,
}

/// What becomes of a board's corner if it is turned.
#[derive(Clone, Copy)]
struct Change {
    score: i32,
    hash: u64,
    /// How many cells are solved thereby, less those that no longer are.
    solved: i16,
}

impl<'a> Ends<'a> {
    /// Two boards of one lattice.
    pub fn new(sheet: &'a Sheet, from: &Board, to: &Board) -> Ends<'a> {
        let cells = usize::from(sheet.cells);
        let mut place = vec![0u16; cells];
        for (cell, &home) in (0..).zip(to.cells()) {
            place[usize::from(home)] = cell;
        }
        let there: Vec<u16> = from.cells().iter().map(|&home| place[usize::from(home)]).collect();
        let mut here = vec![0u16; cells];
        for (cell, &other) in (0..).zip(&there) {
            here[usize::from(other)] = cell;
        }
        let mut ends = Ends {
            sheet,
            held: [there.into(), here.into()],
            marks: vec![0; cells].into(),
            hole: [from.hole(), to.hole()],
            clockwise: [from.clockwise(), to.clockwise()],
            last: [NONE; 2],
            unsolved: sheet.cells,
            score: 0,
            hash: 0,
            perturb: None,
        };
        (0..sheet.cells).for_each(|cell| ends.settle(cell));
        (ends.score, ends.hash) = ends.measured();
        ends
    }

    /// How far from solved it looks.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// Score and hash from scratch: the oracle of what is carried along.
    fn measured(&self) -> (i32, u64) {
        let sheet = self.sheet;
        let [a, b] = &sheet.factors;
        let mut hash = sheet.holes[usize::from(self.hole[0])];
        let mut score = 0;
        for (cell, &there) in (0..sheet.cells).zip(&self.held[0]) {
            if cell != self.hole[0] {
                score += sheet.far(cell, there);
            }
            score += sheet.tables.alone[usize::from(self.marks[usize::from(cell)])];
            hash = hash.wrapping_add(a[usize::from(cell)].wrapping_mul(b[usize::from(there)]));
        }
        for end in 0..2 {
            if self.clockwise[end] {
                hash = hash.wrapping_add(sheet.clockwise[end]);
            }
            score += self.drawn(end, self.hole[end]);
        }
        (score, hash)
    }

    /// What it adds to the score that a hole is drawn elsewhere.
    #[inline]
    fn drawn(&self, end: usize, hole: u16) -> i32 {
        match self.perturb {
            Some((of, cell)) if of == end => self.sheet.lures[usize::from(cell + self.sheet.cells - hole)],
            _ => 0,
        }
    }

    /// Every feature of the two boards by its place among the weights, one by one.
    pub(super) fn each_feature(&self, mut tell: impl FnMut(u16)) {
        let sheet = self.sheet;
        for (cell, &there) in (0..sheet.cells).zip(&self.held[0]) {
            if cell != self.hole[0] {
                tell(sheet.classes.far[usize::from(there + sheet.cells - cell)]);
            }
        }
        for &mark in self.marks.iter().filter(|&mark| mark & SOLVED == 0) {
            tell(sheet.classes.alone[usize::from(mark)]);
        }
    }

    /// Notes whether a cell holds the same in both boards.
    #[inline]
    fn settle(&mut self, cell: u16) {
        let now = self.held[0][usize::from(cell)] == cell;
        if now != (self.marks[usize::from(cell)] & SOLVED != 0) {
            self.flip(cell);
        }
    }

    /// Changes whether a cell is solved, and says what that does to the score.
    fn flip(&mut self, cell: u16) -> i32 {
        let alone = &self.sheet.tables.alone;
        let mark = &mut self.marks[usize::from(cell)];
        let mut change = -alone[usize::from(*mark)];
        *mark ^= SOLVED;
        change += alone[usize::from(*mark)];
        if *mark & SOLVED != 0 {
            self.unsolved -= 1;
        } else {
            self.unsolved += 1;
        }
        for (direction, step) in self.sheet.ring.into_iter().enumerate() {
            let mark = &mut self.marks[usize::from(self.sheet.plus(cell, step))];
            change -= alone[usize::from(*mark)];
            *mark ^= SEEN[direction];
            change += alone[usize::from(*mark)];
        }
        change
    }

    /// What [`Ends::flip`] would do to the score.
    #[inline]
    fn flipped(&self, cell: u16) -> i32 {
        let alone = &self.sheet.tables.alone;
        let mark = self.marks[usize::from(cell)];
        let mut change = alone[usize::from(mark ^ SOLVED)] - alone[usize::from(mark)];
        for (direction, step) in self.sheet.ring.into_iter().enumerate() {
            let mark = self.marks[usize::from(self.sheet.plus(cell, step))];
            change += alone[usize::from(mark ^ SEEN[direction])] - alone[usize::from(mark)];
        }
        change
    }

    /// The cells of a corner, as [`super::Balto`] turns it.
    #[inline]
    fn corner(&self, end: usize, turn: u8) -> [u16; 3] {
        let (second, third) = corners(Move(turn));
        let (hole, ring) = (self.hole[end], &self.sheet.ring);
        [hole, self.sheet.plus(hole, ring[second]), self.sheet.plus(hole, ring[third])]
    }

    /// What turning a corner of one board would change.
    #[inline(always)]
    fn change(&mut self, end: usize, [a, b, c]: [u16; 3]) -> Change {
        let sheet = self.sheet;
        let held = &self.held[end];
        let (of_a, of_b, of_c) = (self.hole[1 - end], held[usize::from(b)], held[usize::from(c)]);
        let mut score = sheet.far(c, of_b) - sheet.far(b, of_b) + sheet.far(a, of_c) - sheet.far(c, of_c);
        if self.perturb.is_some() {
            score += self.drawn(end, b) - self.drawn(end, a);
        }
        let before = [of_a == a, of_b == b, of_c == c];
        let after = [of_c == a, of_a == b, of_b == c];
        let solved = after.map(i16::from).iter().sum::<i16>() - before.map(i16::from).iter().sum::<i16>();
        let flips = [before[0] != after[0], before[1] != after[1], before[2] != after[2]];
        match flips {
            [false, false, false] => {}
            [true, false, false] => score += self.flipped(a),
            [false, true, false] => score += self.flipped(b),
            [false, false, true] => score += self.flipped(c),
            _ => {
                // Flips of neighbours change each other's surroundings.
                for (cell, _) in [a, b, c].into_iter().zip(flips).filter(|&(_, flips)| flips) {
                    score += self.flip(cell);
                }
                for (cell, _) in [a, b, c].into_iter().zip(flips).filter(|&(_, flips)| flips) {
                    self.flip(cell);
                }
            }
        }
        let (mine, other) = (&sheet.factors[end], &sheet.factors[1 - end]);
        let factor = |cell: u16| mine[usize::from(cell)];
        let (fa, fb, fc) = (other[usize::from(of_a)], other[usize::from(of_b)], other[usize::from(of_c)]);
        let mut hash = factor(a)
            .wrapping_mul(fc.wrapping_sub(fa))
            .wrapping_add(factor(b).wrapping_mul(fa.wrapping_sub(fb)))
            .wrapping_add(factor(c).wrapping_mul(fb.wrapping_sub(fc)));
        if end == 0 {
            hash = hash.wrapping_add(sheet.holes[usize::from(b)]).wrapping_sub(sheet.holes[usize::from(a)]);
        }
        let turned = sheet.clockwise[end];
        hash = if self.clockwise[end] { hash.wrapping_sub(turned) } else { hash.wrapping_add(turned) };
        Change { score, hash, solved }
    }

    /// Puts what `cells` hold of one board elsewhere: each gets what the cell named beside it held.
    #[inline]
    fn carry(&mut self, end: usize, [a, b, c]: [u16; 3], from: [u16; 3]) {
        let got = from.map(|cell| self.held[end][usize::from(cell)]);
        for (cell, got) in [a, b, c].into_iter().zip(got) {
            self.held[end][usize::from(cell)] = got;
            self.held[1 - end][usize::from(got)] = cell;
        }
        for cell in [a, b, c] {
            self.settle(cell);
        }
    }
}

/// The bit that a cell has in the mark of its neighbour in each direction: the opposite direction's.
const SEEN: [u8; 6] = [1 << 3, 1 << 4, 1 << 5, 1 << 0, 1 << 1, 1 << 2];

impl Walker for Ends<'_> {
    type Undo = Before;

    fn price(&mut self, out: &mut Vec<Priced>) {
        for end in 0..2 {
            let undo = if self.last[end] == NONE { NONE } else { back(Move(self.last[end])).0 };
            let first = if self.clockwise[end] { 0 } else { TURNS };
            // Turns of both boards fit together after this one.
            let fits = self.clockwise[0] != self.clockwise[1];
            for turn in (first..first + TURNS).filter(|&turn| turn != undo) {
                let corner = self.corner(end, turn);
                let change = self.change(end, corner);
                out.push(Priced {
                    m: Move(turn + MOVES * end as u8),
                    score: (self.score + change.score).max(0) as u32,
                    // The upper half of a sum of products is the better one, and tables go by the lower.
                    hash: self.hash.wrapping_add(change.hash).rotate_left(32),
                    solved: fits && change.solved == self.unsolved as i16,
                });
            }
        }
    }

    fn step(&mut self, m: Move) -> Before {
        let (end, turn) = (usize::from(m.0 / MOVES), m.0 % MOVES);
        let corner = self.corner(end, turn);
        let change = self.change(end, corner);
        let before = Before { last: self.last[end], score: self.score, hash: self.hash };
        let [a, b, c] = corner;
        self.carry(end, corner, [c, a, b]);
        self.hole[end] = b;
        self.clockwise[end] = !is_clockwise(Move(turn));
        self.last[end] = turn;
        self.score += change.score;
        self.hash = self.hash.wrapping_add(change.hash);
        before
    }

    fn back(&mut self, m: Move, before: Before) {
        let (end, turn) = (usize::from(m.0 / MOVES), m.0 % MOVES);
        let [b, a, c] = self.corner(end, back(Move(turn)).0);
        self.carry(end, [a, b, c], [b, c, a]);
        self.hole[end] = a;
        self.clockwise[end] = is_clockwise(Move(turn));
        self.last[end] = before.last;
        self.score = before.score;
        self.hash = before.hash;
    }

    fn answer(&self, walked: &[Move]) -> Vec<Move> {
        let here = walked.iter().filter(|m| m.0 < MOVES).copied();
        let there = walked.iter().rev().filter(|m| m.0 >= MOVES);
        here.chain(there.map(|m| back(Move(m.0 - MOVES)))).collect()
    }

    /// Around both holes every turn makes it worse. One of them is drawn to where tiles are furthest from home, the nearer the better.
    fn perturb(&mut self, before: u32) -> Option<usize> {
        const NEAR: i32 = 3;
        /// A place that much further away must be twice as bad.
        const REACH: i32 = 8;
        let sheet = self.sheet;
        let far = |cell: u16| {
            let there = self.held[0][usize::from(cell)];
            if cell == self.hole[0] { 0 } else { sheet.far(cell, there) }
        };
        let around =
            |cell: u16| far(cell) + sheet.ring.map(|step| far(sheet.plus(cell, step))).iter().sum::<i32>();
        let steps = |end: usize, cell: u16| {
            sheet.lures[usize::from(cell + sheet.cells - self.hole[end])] / sheet.lures[1]
        };
        let places = (0..sheet.cells).map(|cell| (cell, around(cell))).filter(|&(_, worth)| worth > 0);
        let ways = places.flat_map(|(cell, worth)| [0, 1].map(|end| (worth, steps(end, cell), end, cell)));
        let (_, steps, end, cell) = ways
            .filter(|&(_, steps, ..)| steps >= NEAR << before)
            .max_by_key(|&(worth, steps, ..)| 64 * i64::from(worth) / i64::from(steps + REACH))?;
        self.perturb = Some((end, cell));
        (self.score, _) = self.measured();
        Some(2 * steps as usize)
    }

    fn unlure(&mut self) {
        self.perturb = None;
        (self.score, _) = self.measured();
    }

    /// Takes one hole to the other and puts in what solves the tiles that are left.
    fn finish(&self, walked: &[Move], control: &Control) -> Option<Vec<Move>> {
        let lattice = &self.sheet.lattice;
        let passage = passage(lattice, (self.hole[0], self.clockwise[0]), (self.hole[1], self.clockwise[1]))?;
        let mut joined = self.clone();
        for &m in &passage {
            joined.step(m);
        }
        let way = self.answer(&[walked, &passage].concat());
        let place = walked.iter().filter(|m| m.0 < MOVES).count() + passage.len();
        let moved: Vec<(u16, u16)> =
            (0..).zip(joined.held[0].iter().copied()).filter(|(cell, there)| cell != there).collect();
        let cycles = match self.sheet.cycles.get() {
            Some(cycles) => cycles,
            None => {
                let made = Arc::new(Cycles::new(lattice, control)?);
                self.sheet.cycles.get_or_init(|| made)
            }
        };
        let here = (joined.hole[0], joined.clockwise[0]);
        Rest::new((lattice, cycles), control, way, place, here, &moved).finished()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Balto;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::frontend::{PuzzleFrontend, below};
    use untumble_search::puzzle::Puzzle;

    /// Two boards by the rules alone, and the moves that were made on them.
    struct Plain {
        boards: [Board; 2],
    }

    impl Plain {
        fn step(&mut self, balto: &Balto, m: Move) {
            let end = usize::from(m.0 / MOVES);
            let turn = Move(m.0 % MOVES);
            assert!(balto.legal(&self.boards[end]).contains(turn), "prices are for legal moves");
            self.boards[end] = balto.apply(&self.boards[end], turn);
        }

        fn solved(&self) -> bool {
            self.boards[0].cells() == self.boards[1].cells()
                && self.boards[0].clockwise() == self.boards[1].clockwise()
        }
    }

    /// The score by its definition: displacements of tiles, and unsolved cells by their solved neighbours.
    fn score(balto: &Balto, weights: &Weights, [from, to]: &[Board; 2]) -> i32 {
        let lattice = balto.lattice();
        let tables = Tables::new(lattice, weights);
        let solved = |cell: u16| from.cells()[usize::from(cell)] == to.cells()[usize::from(cell)];
        let mut score = 0;
        for cell in 0..lattice.cells() as u16 {
            let home = from.cells()[usize::from(cell)];
            let there =
                to.cells().iter().position(|&other| other == home).expect("every tile is on both") as u16;
            if cell != from.hole() {
                score += tables.far[usize::from(there + lattice.cells() as u16 - cell)];
            }
            if !solved(cell) {
                let around = lattice.around(cell).into_iter().enumerate();
                let mask: usize = around.map(|(bit, next)| usize::from(solved(next)) << bit).sum();
                score += tables.alone[mask];
            }
        }
        score
    }

    /// Prices come true, steps are those of the rules, back undoes step, and neither score nor hash drifts.
    #[test]
    fn prices_come_true_on_long_walks() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (side, steps) in [(2, 3000), (3, 3000), (6, 2000), (27, 60)] {
            let balto = Balto::new(side);
            let odd: Vec<f64> = Weights::closed(side)
                .all()
                .iter()
                .zip(1u32..)
                .map(|(w, n)| w + 0.37 * f64::from(n % 7))
                .collect();
            let weights = Weights::new(side, &odd);
            let sheet = Sheet::new(balto.lattice(), &weights);
            // Close to each other, so that cells are solved and unsolved again and again.
            let mut plain = Plain { boards: [balto.solved(), balto.solved().turning(false)] };
            let mut ends = Ends::new(&sheet, &plain.boards[0], &plain.boards[1]);
            let mut trail: Vec<(Move, Before, [Board; 2])> = Vec::new();
            for _ in 0..steps {
                if below(&mut rng, 40) == 0 {
                    // What was measured before is not undone.
                    trail.clear();
                    if ends.perturb.is_some() {
                        ends.unlure();
                    } else {
                        let levels = ends.perturb(0);
                        assert_eq!(levels.is_some(), ends.perturb.is_some());
                    }
                    assert_eq!(ends.measured(), (ends.score, ends.hash), "lured or not");
                }
                let mut prices = Vec::new();
                ends.price(&mut prices);
                if below(&mut rng, 3) == 0 && !trail.is_empty() {
                    if let Some((m, before, boards)) = trail.pop() {
                        ends.back(m, before);
                        plain.boards = boards;
                        assert_eq!(ends.measured(), (ends.score, ends.hash), "back undoes step");
                    }
                    continue;
                }
                let price = prices[below(&mut rng, prices.len())];
                let boards = plain.boards.clone();
                plain.step(&balto, price.m);
                trail.push((price.m, ends.step(price.m), boards));
                assert_eq!(ends.measured(), (ends.score, ends.hash), "carried along");
                assert_eq!(price.score, ends.score as u32, "a price comes true");
                assert_eq!(price.hash, ends.hash.rotate_left(32), "so does a hash");
                assert_eq!(price.solved, plain.solved(), "so does being solved");
                let drawn = ends.drawn(0, ends.hole[0]) + ends.drawn(1, ends.hole[1]);
                assert_eq!(
                    ends.score - drawn,
                    score(&balto, &weights, &plain.boards),
                    "the score is that of its definition"
                );
                let again = Ends::new(&sheet, &plain.boards[0], &plain.boards[1]);
                assert_eq!(
                    (&ends.held, &ends.marks, ends.unsolved),
                    (&again.held, &again.marks, again.unsolved)
                );
                assert_eq!((ends.score - drawn, ends.hash), (again.score, again.hash));
            }
        }
    }

    /// Moves on both boards until they are alike make a path of the one to the other.
    #[test]
    fn answers_lead_from_the_one_board_to_the_other() {
        let balto = Balto::new(3);
        let sheet = Sheet::new(balto.lattice(), &Weights::closed(3));
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..200 {
            // A path cut somewhere: its first part walked here, its second walked back there.
            let start = balto.random(&mut rng).turning(below(&mut rng, 2) == 0);
            let mut board = start.clone();
            let mut path = Vec::new();
            for _ in 0..8 {
                let moves: Vec<Move> =
                    (balto.legal(&board) - balto.undo(path.last().copied())).into_iter().collect();
                let m = moves[below(&mut rng, moves.len())];
                board = balto.apply(&board, m);
                path.push(m);
            }
            let cut = below(&mut rng, path.len() + 1);
            let there = path[cut..].iter().rev().map(|&m| Move(back(m).0 + MOVES));
            let walked: Vec<Move> = path[..cut].iter().copied().chain(there).collect();
            let ends = Ends::new(&sheet, &start, &board);
            assert_eq!(ends.answer(&walked), path);
        }
    }
}
