//! The hot loop: a bounded pass over subtrees, depth first but for the few nodes that are under way together.
//!
//! A node is the cube and the cube that takes it back; either's entry bounds what is left. A half turn leaves what the table knows of the cube
//! that takes back as it is. So where that entry says that no move may be wasted, half turns are left out at once;
//! and after a half turn only the other entry is read. For all other turns the entries of the cubes that take back are asked for together,
//! then read; only for those that pass are the entries of the cubes themselves asked for.
//!
//! An entry that has to be fetched from memory takes as long as dozens of children. So [`TOGETHER`] nodes are taken from the stack at a time,
//! and each step is done for all of them before the next.

use untumble_search::bounded_dfs::Subtree;
use untumble_search::control::Meter;
use untumble_search::moves::{AutomatonState, Move, MoveAutomaton, MoveMask, MoveSet};

use super::body::{Body, Seen};
use super::pricing::{Ground, Places, Side};
use super::reader::Place;
use crate::cube::pieces::odd;
use crate::cube3::Cube;
use crate::cube3::symmetry::{TURNS, is_quarter};

/// Nodes that are under way together.
pub(super) const TOGETHER: usize = 16;

/// A node that waits.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The cube.
    ahead: Body,
    /// The cube that takes it back.
    behind: Body,
    path: Path,
    /// The moves to try.
    moves: MoveSet,
    trail: AutomatonState,
    /// What the entry of the cube that takes back says.
    bound: u8,
    /// How many moves are left.
    left: u8,
    /// 1 where pieces are in an odd order.
    parity: u8,
    root: u8,
}

/// Moves in one word, the last in the lowest bits.
#[derive(Clone, Copy)]
pub(super) struct Path {
    word: u128,
    length: u8,
}

impl Path {
    /// Bits of a move.
    const BITS: u32 = 5;
    /// The most moves there is room for. No cube needs more than twenty.
    pub(super) const LONGEST: usize = (u128::BITS / Path::BITS) as usize;

    fn of(moves: &[Move]) -> Path {
        moves.iter().fold(Path { word: 0, length: 0 }, |path, &m| path.then(m))
    }

    #[inline(always)]
    fn then(self, m: Move) -> Path {
        Path { word: self.word << Path::BITS | u128::from(m.0), length: self.length + 1 }
    }

    fn moves(self) -> Vec<Move> {
        self.first(self.length()).collect()
    }

    /// How many moves it has.
    pub(super) fn length(self) -> usize {
        self.length.into()
    }

    /// Its first moves.
    #[inline(always)]
    pub(super) fn first(self, count: usize) -> impl Iterator<Item = Move> {
        let at = move |place: usize| Move((self.word >> (Path::BITS as usize * place)) as u8 & 31);
        (self.length() - count..self.length()).rev().map(at)
    }
}

impl Node {
    pub(super) fn path(&self) -> Path {
        self.path
    }

    /// As what is left to do.
    pub(super) fn subtree(&self) -> Subtree {
        Subtree { root: self.root, path: self.path.moves(), untried: self.moves.into() }
    }
}

/// Turns by a half.
fn halves() -> MoveSet {
    (0..TURNS as u8).filter(|&turn| !is_quarter(turn.into())).map(Move).collect()
}

pub(super) struct Descent<'a, 'm, 'c> {
    ground: &'a Ground,
    words: &'a MoveAutomaton,
    pub(super) meter: &'m mut Meter<'c>,
    pub(super) expanded: u64,
    /// Whether any node was pruned.
    pub(super) pruned: bool,
    /// Nodes that wait; the last comes first.
    pub(super) stack: Vec<Node>,
    /// Moves that solve.
    pub(super) found: Vec<Vec<Move>>,
    solved: Body,
    halves: MoveSet,
    together: Vec<Node>,
    places: [Places; TOGETHER],
    /// Of each node under way, the moves tried, those of them whose children the cubes that take back do not exclude, and what these say.
    tried: [MoveSet; TOGETHER],
    passing: [MoveSet; TOGETHER],
    bounds: [[u8; TURNS]; TOGETHER],
}

impl<'a, 'm, 'c> Descent<'a, 'm, 'c> {
    pub(super) fn new(ground: &'a Ground, words: &'a MoveAutomaton, meter: &'m mut Meter<'c>) -> Self {
        Descent {
            ground,
            words,
            meter,
            expanded: 0,
            pruned: false,
            stack: Vec::new(),
            found: Vec::new(),
            solved: Body::of(Cube::SOLVED),
            halves: halves(),
            together: Vec::with_capacity(TOGETHER),
            places: [[Place::default(); TURNS]; TOGETHER],
            tried: [MoveSet::EMPTY; TOGETHER],
            passing: [MoveSet::EMPTY; TOGETHER],
            bounds: [[0; TURNS]; TOGETHER],
        }
    }

    /// The least that is left from a cube.
    pub(super) fn least(&self, cube: Cube) -> u8 {
        let parity = u32::from(odd(&cube.corners()));
        let says = |body: Body| self.says(&body, parity);
        says(Body::of(cube)).max(says(Body::back(cube)))
    }

    fn says(&self, body: &Body, parity: u32) -> u8 {
        let reader = &self.ground.reader;
        reader.read(reader.entry(&Seen::of(body), parity))
    }

    /// Puts a subtree on the stack, unless nothing in it is within the bound.
    pub(super) fn enter(&mut self, cube: Cube, tree: &Subtree, bound: usize) {
        let (mut ahead, mut behind) = (Body::of(cube), Body::back(cube));
        let mut parity = u32::from(odd(&cube.corners()));
        for m in &tree.path {
            ahead = self.ground.step(&ahead, m.index(), Side::Normal);
            behind = self.ground.step(&behind, m.index(), Side::Inverse);
            parity ^= u32::from(is_quarter(m.index()));
        }
        let says = self.says(&behind, parity);
        let least = says.max(self.says(&ahead, parity));
        let left = bound.checked_sub(tree.path.len()).filter(|&left| left >= least.into());
        if tree.path.is_empty() && ahead.same(&self.solved) {
            self.found.push(Vec::new());
            return;
        }
        let Some(left) = left.filter(|&left| left > 0) else {
            self.pruned = true;
            return;
        };
        self.stack.push(Node {
            ahead,
            behind,
            path: Path::of(&tree.path),
            moves: MoveSet::narrow(tree.untried),
            trail: self.words.after(&tree.path),
            bound: says,
            left: left as u8,
            parity: parity as u8,
            root: tree.root,
        });
    }

    /// Takes the last nodes from the stack and puts those of their children there that may be solved in time.
    pub(super) fn expand(&mut self, most: usize) {
        let first = self.stack.len().saturating_sub(most.min(TOGETHER));
        self.together.clear();
        self.together.extend(self.stack.drain(first..));
        self.expanded += self.together.len() as u64;
        for at in 0..self.together.len() {
            self.look_back(at);
        }
        for at in 0..self.together.len() {
            self.look_ahead(at);
        }
        for at in 0..self.together.len() {
            self.go_on(at);
        }
    }

    /// Asks for the entries of the cubes that take back the children.
    #[inline(always)]
    fn look_back(&mut self, at: usize) {
        let node = &self.together[at];
        // After a half turn the entry is the same: where no move may be wasted, that excludes it.
        let tried = if node.bound >= node.left { node.moves - self.halves } else { node.moves };
        self.pruned |= tried != node.moves;
        self.tried[at] = tried;
        self.meter.spend(tried.len() as u64);
        let quarters = tried - self.halves;
        self.ground.price(&node.behind, quarters, node.parity.into(), Side::Inverse, &mut self.places[at]);
    }

    /// Asks for the entries of those children that the others do not exclude.
    #[inline(always)]
    fn look_ahead(&mut self, at: usize) {
        let (node, below) = (&self.together[at], self.together[at].left - 1);
        let (places, bounds) = (&mut self.places[at], &mut self.bounds[at]);
        let mut passing = self.tried[at] & self.halves;
        for m in self.tried[at] - self.halves {
            let bound = self.ground.reader.read(places[m.index()]);
            bounds[m.index()] = bound;
            if bound <= below {
                passing = passing.with(m);
            } else if bound > below + 2 {
                // From the node one could go there and back: so it is too far itself.
                passing = MoveSet::EMPTY;
                break;
            }
        }
        self.passing[at] = passing;
        self.ground.price(&node.ahead, passing, node.parity.into(), Side::Normal, places);
    }

    /// Puts the children that no entry excludes on the stack.
    #[inline(always)]
    fn go_on(&mut self, at: usize) {
        let node = self.together[at];
        let below = node.left - 1;
        let promising = self.passing[at]
            .into_iter()
            .filter(|m| self.ground.reader.read(self.places[at][m.index()]) <= below)
            .collect::<MoveSet>();
        self.pruned |= promising != self.tried[at];
        let mut left = promising;
        while let Some(m) = left.pop_last() {
            let turn = m.index();
            let half = !is_quarter(turn);
            let ahead = self.ground.step(&node.ahead, turn, Side::Normal);
            let path = node.path.then(m);
            let bound = if half { node.bound } else { self.bounds[at][turn] };
            if (below == 0 || bound == 0) && ahead.same(&self.solved) {
                self.found.push(path.moves());
                continue;
            }
            if below == 0 {
                self.pruned = true;
                continue;
            }
            let trail = self.words.next(node.trail, m);
            self.stack.push(Node {
                ahead,
                behind: self.ground.step(&node.behind, turn, Side::Inverse),
                path,
                moves: self.words.allowed(trail),
                trail,
                bound,
                left: below,
                parity: node.parity ^ u8::from(!half),
                root: node.root,
            });
        }
    }
}
