//! Orders of the second phase that look alike, and what it costs to bring them home together with something small.
//!
//! Of the 40,320 orders of eight pieces the sixteen symmetries leave 2,768 classes, so the tables stay in the near caches.

use crate::cube3::symmetry::Group;
use crate::cube3::symmetry_classes::{self, SymmetryClasses};

/// The classes of some orders.
pub(super) struct Classes {
    /// For each order its class, and below that the symmetry that carries it to the one that stands for it.
    members: Vec<Member>,
    /// The order that stands for each class.
    chosen: Vec<u16>,
    /// The symmetries that leave it as it is, as bits.
    fixing: Vec<u16>,
}

impl Classes {
    /// `image` tells what a symmetry makes of an order.
    pub(super) fn new(group: &Group, count: usize, image: impl Fn(usize, usize) -> usize) -> Classes {
        let image = &image;
        let alike = SymmetryClasses::new(group, count, |order| {
            (0..group.count()).map(move |symmetry| image(order, symmetry))
        });
        // In half the room they stay in nearer caches.
        let narrow =
            |member: &symmetry_classes::Member| Member((member.class() << 4 | member.symmetry()) as u16);
        Classes {
            members: alike.members.iter().map(narrow).collect(),
            chosen: alike.chosen.iter().map(|&order| order as u16).collect(),
            fixing: alike.fixing.iter().map(|&set| set as u16).collect(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        2 * (self.members.len() + 2 * self.chosen.len()) as u64
    }

    #[inline(always)]
    pub(super) fn member(&self, order: u16) -> Member {
        self.members[usize::from(order)]
    }
}

/// A class, and the symmetry that carries an order to the one that stands for it.
#[derive(Clone, Copy)]
pub(super) struct Member(u16);

/// Something small that turns change whatever the order: what they and the symmetries make of it.
pub(super) struct Small {
    pub(super) count: usize,
    /// After each turn of the second phase, side by side.
    pub(super) moves: Vec<u8>,
    /// Seen by each symmetry; those of one symmetry side by side.
    pub(super) seen: Vec<u8>,
    pub(super) home: u8,
}

/// What it costs to bring home an order and something small.
pub(super) struct Costs {
    cells: Vec<u8>,
    seen: Vec<u8>,
    width: usize,
}

impl Costs {
    /// `moves` are the orders after each turn, side by side; `costs` what the turns count: one or two.
    pub(super) fn new(classes: &Classes, moves: &[u16], small: &Small, costs: &[u8]) -> Costs {
        let width = small.count;
        let blank =
            Costs { cells: vec![u8::MAX; classes.chosen.len() * width], seen: small.seen.clone(), width };
        let mut filling = Filling { costs: blank, fixing: &classes.fixing };
        let mut level = Vec::new();
        filling.reach(classes.member(0), small.home, 0, &mut level);
        // Turns cost one or two, so a level only needs the two before it.
        let mut before = Vec::new();
        for cost in 1.. {
            if before.is_empty() && level.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for (from, step) in [(&level, 1), (&before, 2)] {
                for &cell in from {
                    let (order, thing) = (usize::from(classes.chosen[cell / width]), cell % width);
                    for turn in (0..costs.len()).filter(|&turn| costs[turn] == step) {
                        let to = classes.member(moves[order * costs.len() + turn]);
                        filling.reach(to, small.moves[thing * costs.len() + turn], cost, &mut next);
                    }
                }
            }
            (before, level) = (level, next);
        }
        filling.costs
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.cells.len() + self.seen.len()) as u64
    }

    #[inline(always)]
    fn cell(&self, member: Member, thing: u8) -> usize {
        let (class, symmetry) = (usize::from(member.0 >> 4), usize::from(member.0 & 15));
        class * self.width + usize::from(self.seen[symmetry * self.width + usize::from(thing)])
    }

    /// The cost for an order of this class.
    #[inline(always)]
    pub(super) fn of(&self, member: Member, thing: u8) -> u8 {
        self.cells[self.cell(member, thing)]
    }

    /// The most that anything costs.
    #[cfg(test)]
    pub(super) fn largest(&self) -> u8 {
        self.cells.iter().copied().max().unwrap_or(0)
    }
}

/// A table that is being filled.
struct Filling<'a> {
    costs: Costs,
    fixing: &'a [u16],
}

impl Filling<'_> {
    /// Notes what is reached, and what symmetries of its class show in its place.
    fn reach(&mut self, member: Member, thing: u8, cost: u8, level: &mut Vec<usize>) {
        let width = self.costs.width;
        let cell = self.costs.cell(member, thing);
        if self.costs.cells[cell] != u8::MAX {
            return;
        }
        let class = cell / width;
        for symmetry in (0..16).filter(|symmetry| self.fixing[class] >> symmetry & 1 == 1) {
            let image = class * width + usize::from(self.costs.seen[symmetry * width + cell % width]);
            if self.costs.cells[image] == u8::MAX {
                self.costs.cells[image] = cost;
                level.push(image);
            }
        }
    }
}
