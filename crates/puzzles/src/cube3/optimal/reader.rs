//! Where a cube's entry lies in a table, and what stands there.

use std::sync::Arc;

use untumble_search::prefetch::{prefetch, prefetch_once};
use untumble_search::tables::Table;

use super::body::Seen;
use super::kind::Kind;
use super::layout::{self, ENTRIES, LINE, STRIPES};
use super::slices::{self, EIGHTS, carried, odd_slots};
use super::tetrads::{self, Classes, Member};
use crate::cube3::symmetry::Group;

/// An entry: its line, and its place there.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Place {
    line: u32,
    entry: u8,
}

/// What a symmetry makes of slices.
struct View {
    /// The slices that become the first and the second.
    slices: [u8; 2],
    /// Where sets of the first six slots and of the last six go.
    halves: [[u16; 64]; 2],
}

/// Everything between a cube and its entry.
pub(super) struct Reader {
    kind: Kind,
    lanes: usize,
    table: Arc<Table>,
    /// The place of the second tetrad's slots among all sets, by the set.
    tetrads: Vec<u8>,
    /// The number of the twists, by seven bits for those twisted once and seven for those twisted twice.
    twists: Vec<u16>,
    members: Vec<Member>,
    numbers: tetrads::Numbers,
    views: Vec<View>,
    /// Stripe and entry of the second slice's slots, by the set.
    sets: Vec<u16>,
    /// The place of the first slice's slots among the others.
    eights: Vec<u8>,
    odd: [u32; 3],
    /// How the pairs of a tetrad lie, by the lower two bits of its corners; six times that for the first tetrad.
    pairs: [Vec<u8>; 2],
    /// How the second tetrad is seen from the first.
    thirds: [u8; 36],
}

/// Halfway to the entry: the slots of the first two slices as the symmetry of the corners shows them, the class of the corners and the lane.
pub(super) struct Half {
    pub(super) first: u32,
    pub(super) second: u32,
    row: u32,
}

impl Reader {
    pub(super) fn new(kind: Kind, group: &Group, classes: Classes, table: Arc<Table>) -> Reader {
        let numbers = slices::Numbers::new();
        let twist = |bits: usize| {
            let turn = |slot: usize| (bits >> slot & 1) + 2 * (bits >> (7 + slot) & 1);
            (0..7).rev().fold(0, |number, slot| 3 * number + turn(slot)) as u16
        };
        let views = group.list.iter().map(|symmetry| {
            let becomes = |axis: usize| (0..3).find(|&slice| symmetry.axis(slice) == axis).unwrap_or(0) as u8;
            let half = |shift: u32| std::array::from_fn(|set| carried(symmetry, (set as u16) << shift));
            View { slices: [becomes(0), becomes(1)], halves: [half(0), half(6)] }
        });
        let stripe = |&place: &u16| place / ENTRIES as u16 * 64 + place % ENTRIES as u16;
        let codes = |bits: usize| std::array::from_fn(|at| (bits >> (2 * at) & 3) as u8);
        let (mut orders, mut pairs) = (Vec::new(), Vec::new());
        for bits in 0..256 {
            let codes: [u8; 4] = codes(bits);
            let known = orders.iter().position(|&other| tetrads::pairs(other) == tetrads::pairs(codes));
            let whole = codes.iter().fold(0, |seen, code| seen | 1 << code) == 15;
            pairs.push(known.filter(|_| whole).unwrap_or(if whole { orders.len() } else { 0 }) as u8);
            if whole && known.is_none() {
                orders.push(codes);
            }
        }
        Reader {
            kind,
            lanes: kind.lanes(),
            table,
            tetrads: classes.numbers.places.clone(),
            // Those twisted once and twice do not occur together.
            twists: (0..1 << 14)
                .map(|bits| if bits & bits >> 7 & 127 == 0 { twist(bits) } else { 0 })
                .collect(),
            members: classes.members,
            numbers: classes.numbers,
            views: views.collect(),
            sets: numbers.places.iter().map(stripe).collect(),
            eights: numbers.eights,
            odd: odd_slots().map(u32::from),
            thirds: std::array::from_fn(|both| tetrads::third(orders[both / 6], orders[both % 6]) as u8),
            pairs: [pairs.iter().map(|pairs| 6 * pairs).collect(), pairs],
        }
    }

    /// The number of the corners' arrangement; it is asked for.
    #[inline(always)]
    pub(super) fn arrangement(&self, seen: &Seen) -> u32 {
        let third = if self.kind.thirds { self.third(seen) } else { 0 };
        let place = self.tetrads[seen.tetrad as usize & 255].into();
        let twist = self.twists[seen.twists as usize & 0x3fff].into();
        let arrangement = self.numbers.compose(place, twist, third);
        prefetch(&self.members, arrangement);
        arrangement as u32
    }

    /// All but the last step; the last needs the slots of the first slice moved together.
    #[inline(always)]
    pub(super) fn half(&self, arrangement: u32, seen: &Seen, parity: u32) -> Half {
        let member = self.members[arrangement as usize];
        let view = &self.views[member.symmetry()];
        let sets = [0xfff ^ seen.second ^ seen.last, seen.second, seen.last, 0];
        let [first, second] = view.slices.map(|slice| sets[usize::from(slice & 3)]);
        let flips = if self.kind.flips {
            let [a, b] = view.slices.map(|slice| {
                let slice = usize::from(slice).min(2);
                ((seen.flipped ^ self.odd[slice]) & sets[slice]).count_ones() & 1
            });
            a | b << 1
        } else {
            0
        };
        let carried = |set: u32| {
            u32::from(view.halves[0][set as usize & 63] | view.halves[1][set as usize >> 6 & 63])
        };
        let lane = self.kind.lane(parity as usize, flips as usize);
        let row = member.class() * EIGHTS * self.lanes + lane;
        Half { first: carried(first), second: carried(second), row: row as u32 }
    }

    #[inline(always)]
    fn third(&self, seen: &Seen) -> usize {
        let [first, second] = [0, 1].map(|tetrad| self.pairs[tetrad][seen.orders[tetrad] as usize & 255]);
        self.thirds[usize::from(first + second).min(35)].into()
    }

    /// The entry, given the slots of the first slice moved together.
    #[inline(always)]
    pub(super) fn place(&self, half: &Half, packed: u32) -> Place {
        let eight = u32::from(self.eights[packed as usize & 255]);
        let set = u32::from(self.sets[half.second as usize & 0xfff]);
        let line = (half.row + eight * self.lanes as u32) * STRIPES as u32 + (set >> 6);
        Place { line, entry: (set & 63) as u8 }
    }

    /// Asks for an entry.
    #[inline(always)]
    pub(super) fn prefetch(&self, place: Place) {
        prefetch_once(self.table.bytes(), place.line as usize * LINE);
    }

    /// What an entry says.
    #[inline(always)]
    pub(super) fn read(&self, place: Place) -> u8 {
        layout::read(self.table.bytes(), place.line as usize, place.entry.into(), self.kind.base)
    }

    /// The entry of a cube, the plain way.
    pub(super) fn entry(&self, seen: &Seen, parity: u32) -> Place {
        let half = self.half(self.arrangement(seen), seen, parity);
        let others = 0xfff ^ half.second;
        self.place(&half, slices::compress(half.first as u16, others as u16).into())
    }
}
