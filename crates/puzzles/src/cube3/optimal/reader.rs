//! Where a cube's entry lies in a table, and what stands there.

use std::sync::Arc;

use untumble_search::prefetch::prefetch;
use untumble_search::tables::Table;

use super::body::Seen;
use super::kind::{Kind, THIRDS};
use super::layout::{self, ENTRIES, LINE, STRIPES};
use super::slices::{self, BITS, EIGHTS, THRICE, carried, odd_slots};
use super::tetrads::{self, Classes};
use crate::cube3::symmetry::Group;

/// An entry: its line, and its place there.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Place {
    line: u32,
    entry: u8,
}

/// What a symmetry makes of slices.
#[derive(Clone, Copy)]
struct View {
    /// How far the slices that become the first and the second are shifted where all three stand in one word.
    shifts: [u8; 2],
    /// Where sets of the first six slots and of the last six go.
    halves: [[u16; 64]; 2],
}

/// Everything between a cube and its entry. Look-ups are as long as their index can be, so that none is checked.
pub(super) struct Reader {
    pub(super) kind: Kind,
    table: Arc<Table>,
    /// The first arrangement of corners whose second tetrad is in a set of slots, but for thirds.
    tetrads: Box<[u32; 256]>,
    /// The number of the twists, by seven bits for those twisted once and seven for those twisted twice.
    twists: Box<[u16; 1 << 14]>,
    /// By arrangement: the first line of its class, and the symmetry to look by.
    members: Vec<u32>,
    views: Box<[View; 64]>,
    /// Stripe and entry of the second slice's slots, by the set.
    sets: Box<[u16; 1 << 12]>,
    /// By the set of the first slice's slots among the others: lines before it.
    eights: Box<[u32; 256]>,
    /// The slots in which edges of each slice that are not turned are flipped.
    odd: u64,
    /// How the pairs of a tetrad lie, by the lower two bits of its corners.
    pairs: Box<[u8; 256]>,
    /// How the second tetrad is seen from the first.
    thirds: [[u8; 8]; 8],
}

/// An array on the heap.
fn boxed<T: Copy, const N: usize>(of: impl FnMut(usize) -> T) -> Box<[T; N]> {
    let all: Vec<T> = (0..N).map(of).collect();
    match all.into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("as many as were made"),
    }
}

impl Reader {
    pub(super) fn new(kind: Kind, group: &Group, classes: &Classes, table: Arc<Table>) -> Reader {
        let numbers = slices::Numbers::new();
        let twist = |bits: usize| {
            let turn = |slot: usize| (bits >> slot & 1) + 2 * (bits >> (7 + slot) & 1);
            (0..7).rev().fold(0, |number, slot| 3 * number + turn(slot)) as u16
        };
        let view = |symmetry: usize| {
            let symmetry = &group.list[symmetry % group.count()];
            let becomes = |axis: usize| (0..3).find(|&slice| symmetry.axis(slice) == axis).unwrap_or(0) as u8;
            let half = |shift: u32| std::array::from_fn(|set| carried(symmetry, (set as u16) << shift));
            View { shifts: [0, 1].map(|axis| BITS as u8 * becomes(axis)), halves: [half(0), half(6)] }
        };
        let stripe = |place: u16| place / ENTRIES as u16 * 64 + place % ENTRIES as u16;
        let lines = (kind.lanes() * STRIPES) as u32;
        let first_line = |class: usize| class as u32 * EIGHTS as u32 * lines;
        let (orders, pairs) = pairs();
        Reader {
            kind,
            table,
            tetrads: boxed(|set| classes.numbers.compose(classes.numbers.places[set].into(), 0) as u32),
            // Those twisted once and twice do not occur together.
            twists: boxed(|bits| if bits & bits >> 7 & 127 == 0 { twist(bits) } else { 0 }),
            members: classes
                .members
                .iter()
                .map(|member| first_line(member.class()) << 6 | member.symmetry() as u32)
                .collect(),
            views: boxed(view),
            sets: boxed(|set| stripe(numbers.places[set])),
            eights: boxed(|set| u32::from(numbers.eights[set]) * lines),
            odd: odd_slots().iter().rev().fold(0, |all, &odd| all << BITS | u64::from(odd)),
            pairs,
            thirds: std::array::from_fn(|first| {
                std::array::from_fn(|second| match (orders.get(first), orders.get(second)) {
                    (Some(&first), Some(&second)) => tetrads::third(first, second) as u8,
                    _ => 0,
                })
            }),
        }
    }

    /// Bytes it takes, but for the table.
    pub(super) fn bytes(&self) -> u64 {
        let boxes = size_of_val(&*self.tetrads) + size_of_val(&*self.twists) + size_of_val(&*self.views);
        let smaller = size_of_val(&*self.sets) + size_of_val(&*self.eights) + size_of_val(&*self.pairs);
        (boxes + smaller + size_of_val(&*self.members)) as u64
    }

    /// The number of the corners' arrangement, for a table that knows as much as the bits of `KIND` say.
    #[inline(always)]
    pub(super) fn arrangement<const KIND: u8>(&self, tetrad: u32, twists: u32, orders: [u32; 2]) -> usize {
        let corners = self.tetrads[tetrad as usize & 255] + u32::from(self.twists[twists as usize & 0x3fff]);
        if KIND & THIRDS == 0 {
            return corners as usize;
        }
        let [first, second] = orders.map(|order| usize::from(self.pairs[order as usize & 255] & 7));
        tetrads::with_third(corners as usize, self.thirds[first][second].into())
    }

    /// Asks for what is known of an arrangement of corners.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn prefetch_member(&self, arrangement: usize) {
        prefetch(&self.members, arrangement);
    }

    /// The first line of the class of an arrangement of corners, and the symmetry to look by.
    #[inline(always)]
    pub(super) fn member(&self, arrangement: usize) -> (u32, usize) {
        let member = self.members[arrangement];
        (member >> 6, member as usize & 63)
    }

    /// The entry, given the first line of its class and lane, the slots of the second slice, and those of the first moved together.
    #[inline(always)]
    pub(super) fn place(&self, line: u32, second: u32, first: u32) -> Place {
        let set = u32::from(self.sets[second as usize & 0xfff]);
        Place { line: line + self.eights[first as usize & 255] + (set >> 6), entry: (set & 63) as u8 }
    }

    /// Asks for an entry.
    #[inline(always)]
    pub(super) fn prefetch(&self, place: Place) {
        prefetch(self.table.bytes(), place.line as usize * LINE);
    }

    /// What an entry says.
    #[inline(always)]
    pub(super) fn read(&self, place: Place) -> u8 {
        layout::read(self.table.bytes(), place.line as usize, place.entry.into(), self.kind.base)
    }

    /// The entry of a cube, the plain way.
    pub(super) fn entry(&self, seen: &Seen, parity: u32) -> Place {
        let Seen { slices, turned, tetrad, twists, orders } = *seen;
        let arrangement = match self.kind.thirds {
            false => self.arrangement::<0>(tetrad, twists, orders),
            true => self.arrangement::<THIRDS>(tetrad, twists, orders),
        };
        let (line, symmetry) = self.member(arrangement);
        let View { shifts, halves } = &self.views[symmetry];
        let flipped = ((u64::from(turned) * THRICE) ^ self.odd) & slices;
        let [first, second] = shifts.map(|shift| ((flipped >> shift) & 0xfff).count_ones() as usize & 1);
        let lane = self.kind.lane(parity as usize, first | second << 1);
        let [first, second] = shifts.map(|shift| {
            let set = (slices >> shift) as usize;
            halves[0][set & 63] | halves[1][set >> 6 & 63]
        });
        let first = slices::compress(first, 0xfff ^ second);
        self.place(line + (lane * STRIPES) as u32, second.into(), first.into())
    }
}

/// How the pairs of a tetrad lie, by the lower two bits of its four corners: one of six ways, and corners for each way.
fn pairs() -> (Vec<[u8; 4]>, Box<[u8; 256]>) {
    let mut orders: Vec<[u8; 4]> = Vec::new();
    let ways = boxed(|bits| {
        let codes: [u8; 4] = std::array::from_fn(|at| (bits >> (2 * at) & 3) as u8);
        if codes.iter().fold(0, |seen, code| seen | 1 << code) != 15 {
            return 0;
        }
        let known = orders.iter().position(|&other| tetrads::pairs(other) == tetrads::pairs(codes));
        let way = known.unwrap_or(orders.len());
        if known.is_none() {
            orders.push(codes);
        }
        way as u8
    });
    (orders, ways)
}
