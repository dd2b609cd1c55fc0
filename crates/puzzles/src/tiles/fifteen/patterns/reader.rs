//! What a node carries, and what a step does to it.
//!
//! A sum of tables counts in steps of 2 above Manhattan distance, and a step that takes a tile away from home costs 2. So what counts is
//! how many such twos a node may still *spare*: it is pruned where that falls below 0. In the same word stand the entries of
//! which the sum consists, so that one multiplication puts the new entry in the place of the old one and pays for it.

use untumble_search::heuristic::Heuristic;
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::Cost;

use super::super::cell::neighbours;
use crate::tiles::cells::Places;
use crate::tiles::pdb::{Layout, Pdb, View, Weights};
use crate::tiles::{Board, Cells, Tiles};

/// The entries of a packed board, four bits each, and above them what it may spare.
#[derive(Clone, Copy)]
pub(super) struct Account(i64);

impl Account {
    const SPARE: u32 = 32;
    /// The place of an entry that is always 0: fifteen tiles make at most seven patterns of two.
    const NOTHING: u32 = 28;

    fn new(spare: i64, entries: u32) -> Account {
        Account(spare << Self::SPARE | i64::from(entries))
    }

    #[inline(always)]
    pub(super) fn spare(self) -> i64 {
        self.0 >> Self::SPARE
    }

    #[inline(always)]
    fn overdrawn(self) -> bool {
        self.0 < 0
    }

    #[inline(always)]
    fn pays(self, twos: u64) -> Account {
        Account(self.0 - ((twos as i64) << Self::SPARE))
    }

    #[inline(always)]
    fn plus(self, twos: i64) -> Account {
        Account(self.0 + (twos << Self::SPARE))
    }
}

/// The cells of all tiles, pattern by pattern, and the account of their entries.
#[derive(Clone, Copy)]
pub(super) struct Packed {
    places: u64,
    pub(super) account: Account,
}

/// A node: the board, the board as the tables see it, the same mirrored, and the trail of the word to it.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) cells: u64,
    pub(super) plain: Packed,
    /// The plain one again where the goal has no mirror image: that is simpler than to leave it out, and
    /// its entry is in the nearest cache.
    pub(super) mirrored: Packed,
}

impl Node {
    /// What it may spare by both accounts.
    #[inline(always)]
    pub(super) fn spare(&self) -> i64 {
        self.plain.account.spare().min(self.mirrored.account.spare())
    }
}

/// Where a tile's pattern is looked up.
struct Record<'a> {
    table: &'a [u8],
    /// Where the cells of its pattern begin among the places, and how far they go.
    shift: u32,
    /// Where its entry begins in an account.
    entry: u32,
    mask: u64,
    /// What one more in the entry adds to an account.
    unit: i64,
    layout: Layout,
    weights: Weights,
}

/// What the layouts of a partition's tables have in common.
pub(super) trait Layouts {
    /// Whether tables are so large that all that will be read is asked for first.
    const PREFETCH: bool;

    fn index(layout: Layout, places: u64, mask: u64, weights: &Weights) -> usize;
}

/// All are cells side by side.
pub(super) enum Bits {}

impl Layouts for Bits {
    /// Asking first for what may not be read at all takes 1.07 times as long with 6-6-3, 1.26 times with 5-5-5.
    const PREFETCH: bool = false;

    #[inline(always)]
    fn index(_layout: Layout, places: u64, mask: u64, _weights: &Weights) -> usize {
        (places & mask) as usize
    }
}

/// Some are numbers without holes.
pub(super) enum Mixed {}

impl Layouts for Mixed {
    const PREFETCH: bool = true;

    #[inline(always)]
    fn index(layout: Layout, places: u64, mask: u64, weights: &Weights) -> usize {
        match layout {
            Layout::Bits => (places & mask) as usize,
            Layout::Rank => u64::rank(places, 8, weights),
        }
    }
}

impl<'a> Record<'a> {
    fn new(pdb: &'a Pdb<u64>, view: &View<u64>, name: usize) -> Record<'a> {
        match pdb.lookup(view, name) {
            Some((number, lookup)) => Record {
                table: lookup.table.bytes(),
                shift: lookup.first_bit,
                entry: 4 * number as u32,
                mask: (1 << (4 * lookup.tiles)) - 1,
                unit: (1 << (4 * number)) - (1 << Account::SPARE),
                layout: lookup.layout,
                weights: lookup.weights,
            },
            // A tile that counts by itself: its entry is always 0.
            None => Record {
                table: &[0],
                shift: 0,
                entry: Account::NOTHING,
                mask: 0,
                unit: 0,
                layout: Layout::Bits,
                weights: Weights::default(),
            },
        }
    }

    #[inline(always)]
    fn index<L: Layouts>(&self, places: u64) -> usize {
        L::index(self.layout, places >> self.shift, self.mask, &self.weights)
    }

    #[inline(always)]
    fn read(&self, index: usize) -> i64 {
        i64::from(self.table[index / 2] >> (4 * (index % 2)) & 15)
    }

    #[inline(always)]
    fn old(&self, packed: &Packed) -> i64 {
        packed.account.0 >> self.entry & 15
    }

    /// The account once the entry aimed at stands in the place of the old one, or what is missing.
    #[inline(always)]
    fn settled(&self, sight: &Sight) -> Result<Packed, i64> {
        let account = Account(sight.account.0 + (self.read(sight.index) - sight.old) * self.unit);
        if account.overdrawn() {
            return Err(account.spare());
        }
        Ok(Packed { places: sight.places, account })
    }
}

/// All that pricing a step takes.
pub(super) struct Reader<'a> {
    tiles: &'a Tiles<u64>,
    pdb: &'a Pdb<u64>,
    pub(super) solved: u64,
    /// Which tiles go away from home, one bit each, by the gap's cell and the move.
    farther: [[u16; 4]; 16],
    /// What changes in the places of both views, by the two cells and the tile.
    change: [[[u64; 2]; 16]; EDGES],
    records: [[Record<'a>; 16]; 2],
}

/// Pairs of neighbouring cells.
const EDGES: usize = 24;

/// The number of a pair of neighbouring cells, in any order.
const fn edge(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if high - low == 4 { 12 + low } else { low / 4 * 3 + low % 4 }
}

/// A step that may be affordable: what remains is to read two entries.
pub(super) struct Aim {
    tile: usize,
    plain: Sight,
    mirrored: Sight,
}

struct Sight {
    places: u64,
    /// What the step itself leaves of the account.
    account: Account,
    old: i64,
    index: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(tiles: &'a Tiles<u64>, pdb: &'a Pdb<u64>) -> Reader<'a> {
        let goal = tiles.goal();
        let far = |name: usize, cell: usize| goal.size().distance(cell, goal.home(name));
        let views = pdb.views();
        let mut farther = [[0; 4]; 16];
        let mut change = [[[0; 2]; 16]; EDGES];
        for to in 0..16 {
            for (m, from) in neighbours(to).into_iter().enumerate() {
                let Some(from) = from else { continue };
                let leaves = |&name: &usize| far(name, to) > far(name, from);
                farther[to][m] = (1..16).filter(leaves).map(|name| 1 << name).sum();
                for (name, change) in change[edge(from, to)].iter_mut().enumerate() {
                    *change = views.map(|view| view.place(name, from) ^ view.place(name, to));
                }
            }
        }
        let records = views.map(|view| std::array::from_fn(|name| Record::new(pdb, view, name)));
        Reader { tiles, pdb, solved: tiles.solved.cells, farther, change, records }
    }

    /// The node of a board that may still cost `left`, or by how much its bound exceeds that.
    pub(super) fn start(&self, cells: u64, left: i64) -> Result<Node, Cost> {
        let board = Board { cells, gap: cells.gap() as u16 };
        let value = self.pdb.start(self.tiles, &board);
        let cost = i64::from(self.pdb.cost(&value));
        if cost > left {
            return Err((cost - left) as Cost);
        }
        let spare = (left - i64::from(value.distance)) / 2;
        let [plain, mirrored] = self.pdb.packed(&value).map(|view| Packed {
            places: view.places,
            account: Account::new(spare - i64::from(view.sum), view.entries),
        });
        Ok(Node { cells, plain, mirrored })
    }

    /// The bound of a board.
    pub(super) fn cost(&self, cells: u64) -> i64 {
        let board = Board { cells, gap: cells.gap() as u16 };
        i64::from(self.pdb.cost(&self.pdb.start(self.tiles, &board)))
    }

    /// Where to look for the price of sliding the tile in cell `from` to the gap in cell `to` by move number
    /// `m`, all three constants where it counts; nothing if it cannot be paid whatever is found there.
    #[inline(always)]
    pub(super) fn aim<L: Layouts>(&self, node: &Node, from: usize, to: usize, m: usize) -> Option<Aim> {
        let tile = (node.cells >> (4 * from) & 15) as usize;
        let farther = u64::from(self.farther[to][m] >> tile & 1);
        let [plain, mirrored] = [&self.records[0][tile], &self.records[1][tile]];
        let (old, old_mirrored) = (plain.old(&node.plain), mirrored.old(&node.mirrored));
        let (account, account_mirrored) =
            (node.plain.account.pays(farther), node.mirrored.account.pays(farther));
        if account.plus(old).overdrawn() || account_mirrored.plus(old_mirrored).overdrawn() {
            return None;
        }
        let [change, change_mirrored] = self.change[edge(from, to)][tile];
        let places = node.plain.places ^ change;
        let places_mirrored = node.mirrored.places ^ change_mirrored;
        let aim = Aim {
            tile,
            plain: Sight { places, account, old, index: plain.index::<L>(places) },
            mirrored: Sight {
                places: places_mirrored,
                account: account_mirrored,
                old: old_mirrored,
                index: mirrored.index::<L>(places_mirrored),
            },
        };
        if L::PREFETCH {
            prefetch(plain.table, aim.plain.index / 2);
            prefetch(mirrored.table, aim.mirrored.index / 2);
        }
        Some(aim)
    }

    /// The node after a step, or what it may spare where that is less than nothing.
    #[inline(always)]
    pub(super) fn take(&self, node: &Node, aim: &Aim, from: usize, to: usize) -> Result<Node, i64> {
        let plain = self.records[0][aim.tile].settled(&aim.plain)?;
        let mirrored = self.records[1][aim.tile].settled(&aim.mirrored)?;
        let tile = aim.tile as u64;
        Ok(Node { cells: node.cells ^ (tile << (4 * from) | tile << (4 * to)), plain, mirrored })
    }
}
