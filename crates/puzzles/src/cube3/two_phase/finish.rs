//! The second phase: what is left of a cube once the first is done, and the shortest end of it.

use untumble_search::control::{Control, Stop};

use super::coordinates::{
    FINISHING, MIDDLES, Moves, ORDERS, around_moves, around_order, around_placed, corner_moves, corner_order,
    middle_moves, middle_order, middle_placed,
};
use super::orders::{Classes, Costs, Small};
use crate::cube::{Face, Metric};
use crate::cube3::heuristics::corners::ordered;
use crate::cube3::heuristics::orders::order;
use crate::cube3::symmetry::{Group, turned};

/// How many turns there are.
const COUNT: usize = FINISHING.len();
/// Sets of four of eight slots.
const SETS: usize = 70;
/// Where nothing has been turned yet.
pub(super) const NO_FACE: usize = 6;

/// What the second phase knows of a cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rest {
    /// The order of the corners.
    corners: u16,
    /// The order of the edges around U and D.
    around: u16,
    /// The order of the edges of the middle layer.
    middle: u8,
    /// Which slots hold the corners of U, and which the edges of U.
    corner_set: u8,
    edge_set: u8,
}

/// What turns make of the rest, and how far it is from home.
pub(super) struct Finish {
    pub(super) corner_moves: Moves,
    corners: Vec<u16>,
    around: Vec<u16>,
    middle: Vec<u8>,
    corner_set_moves: Vec<u8>,
    edge_set_moves: Vec<u8>,
    /// The set of each order.
    corner_sets: Vec<u8>,
    edge_sets: Vec<u8>,
    corner_classes: Classes,
    around_classes: Classes,
    /// What it costs to bring home two things at once.
    corners_and_middle: Costs,
    around_and_middle: Costs,
    corners_and_set: Costs,
    around_and_set: Costs,
    /// What each turn counts.
    costs: [u8; COUNT],
    /// The turns worth trying after one of a face, as bits.
    after: [u16; 7],
}

/// The number of the set of slots that hold the first four things of an order, for each order; `slots` tells them.
fn sets(slots: impl Fn(&[u8]) -> u8) -> Vec<u8> {
    let all: Vec<u8> = (0..=u8::MAX).filter(|set| set.count_ones() == 4).collect();
    let number = |set: u8| all.binary_search(&set).expect("four slots") as u8;
    (0..ORDERS).map(|place| number(slots(&order(place, 8)))).collect()
}

/// What turns and symmetries make of sets, from what they make of orders.
fn small_sets(sets: &[u8], moves: &[u16], group: &Group, image: impl Fn(usize, usize) -> usize) -> Small {
    let mut small = Small {
        count: SETS,
        moves: vec![0; SETS * COUNT],
        seen: vec![0; group.count() * SETS],
        home: sets[0],
    };
    let mut known = [false; SETS];
    for (order, &set) in sets.iter().enumerate() {
        let set = usize::from(set);
        if std::mem::replace(&mut known[set], true) {
            continue;
        }
        for turn in 0..COUNT {
            small.moves[set * COUNT + turn] = sets[usize::from(moves[order * COUNT + turn])];
        }
        for symmetry in 0..group.count() {
            small.seen[symmetry * SETS + set] = sets[image(order, symmetry)];
        }
    }
    small
}

impl Finish {
    pub(super) fn new(metric: Metric, group: &Group, control: &Control) -> Result<Finish, Stop> {
        let costs = FINISHING.map(|place| match metric {
            Metric::Qtm if turned(place).1 == 2 => 2,
            Metric::Htm | Metric::Qtm => 1,
        });
        let corner_moves = corner_moves();
        let corners: Vec<u16> = (0..ORDERS as u16)
            .flat_map(|order| FINISHING.map(|turn| corner_moves.after(order, turn)))
            .collect();
        control.poll()?;
        let around = around_moves();
        control.poll()?;
        let corner_image = |order: usize, symmetry: usize| {
            usize::from(corner_order(&group.list[symmetry].corners(&ordered(order))))
        };
        let around_image = |order: usize, symmetry: usize| {
            usize::from(around_order(&group.list[symmetry].edges(&around_placed(order))))
        };
        let corner_sets = sets(|order| (0..8).filter(|&slot| order[slot] < 4).map(|slot| 1 << slot).sum());
        let edge_sets = sets(|order| order[..4].iter().map(|slot| 1 << slot).sum());
        let of_corners = small_sets(&corner_sets, &corners, group, corner_image);
        let of_edges = small_sets(&edge_sets, &around, group, around_image);
        let middle_image = |(symmetry, order): (usize, usize)| {
            middle_order(&group.list[symmetry].edges(&middle_placed(order)))
        };
        let pairs = (0..group.count()).flat_map(|symmetry| (0..MIDDLES).map(move |order| (symmetry, order)));
        let of_middle = Small {
            count: MIDDLES,
            moves: middle_moves().into_iter().map(|order| order as u8).collect(),
            seen: pairs.map(middle_image).collect(),
            home: 0,
        };
        control.poll()?;
        let corner_classes = Classes::new(group, ORDERS, corner_image);
        let around_classes = Classes::new(group, ORDERS, around_image);
        let cost = |classes: &Classes, moves: &[u16], small: &Small| {
            control.poll()?;
            Ok::<_, Stop>(Costs::new(classes, moves, small, &costs))
        };
        Ok(Finish {
            corners_and_middle: cost(&corner_classes, &corners, &of_middle)?,
            around_and_middle: cost(&around_classes, &around, &of_middle)?,
            corners_and_set: cost(&corner_classes, &corners, &of_edges)?,
            around_and_set: cost(&around_classes, &around, &of_corners)?,
            after: std::array::from_fn(worth_trying),
            middle: of_middle.moves,
            corner_set_moves: of_corners.moves,
            edge_set_moves: of_edges.moves,
            corner_moves,
            corners,
            around,
            corner_sets,
            edge_sets,
            corner_classes,
            around_classes,
            costs,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        let costs =
            [&self.corners_and_middle, &self.around_and_middle, &self.corners_and_set, &self.around_and_set];
        let moves =
            2 * (self.corners.len() + self.around.len()) + self.corner_sets.len() + self.edge_sets.len();
        self.corner_moves.bytes()
            + moves as u64
            + self.corner_classes.bytes()
            + self.around_classes.bytes()
            + costs.iter().map(|costs| costs.bytes()).sum::<u64>()
    }

    /// What corners and the middle layer cost.
    #[inline(always)]
    pub(super) fn corners_cost(&self, corners: u16, middle: u8) -> u8 {
        self.corners_and_middle.of(self.corner_classes.member(corners), middle)
    }

    /// What the second phase knows of a cube with these orders.
    pub(super) fn rest(&self, corners: u16, around: u16, middle: u8) -> Rest {
        let (corner_set, edge_set) =
            (self.corner_sets[usize::from(corners)], self.edge_sets[usize::from(around)]);
        Rest { corners, around, middle, corner_set, edge_set }
    }

    /// The rest after a turn and what it costs at least, if that is at most `left`.
    #[inline(always)]
    fn step(&self, rest: &Rest, turn: usize, left: u8) -> Option<(Rest, u8)> {
        let middle = self.middle[usize::from(rest.middle) * COUNT + turn];
        let corners = self.corners[usize::from(rest.corners) * COUNT + turn];
        let edge_set = self.edge_set_moves[usize::from(rest.edge_set) * COUNT + turn];
        let member = self.corner_classes.member(corners);
        let cost = self.corners_and_middle.of(member, middle).max(self.corners_and_set.of(member, edge_set));
        if cost > left {
            return None;
        }
        let around = self.around[usize::from(rest.around) * COUNT + turn];
        let corner_set = self.corner_set_moves[usize::from(rest.corner_set) * COUNT + turn];
        let rest = Rest { corners, around, middle, corner_set, edge_set };
        let cost = cost.max(self.edges_cost(&rest));
        (cost <= left).then_some((rest, cost))
    }

    /// What the edges cost, together with the corners' set.
    #[inline(always)]
    fn edges_cost(&self, rest: &Rest) -> u8 {
        let member = self.around_classes.member(rest.around);
        self.around_and_middle.of(member, rest.middle).max(self.around_and_set.of(member, rest.corner_set))
    }

    /// What the rest costs at least.
    pub(super) fn bound(&self, rest: &Rest) -> u8 {
        let member = self.corner_classes.member(rest.corners);
        let corners = self.corners_and_middle.of(member, rest.middle);
        corners.max(self.corners_and_set.of(member, rest.edge_set)).max(self.edges_cost(rest))
    }
}

#[cfg(test)]
impl Finish {
    /// The most that each table asks for.
    pub(super) fn largest(&self) -> [u8; 4] {
        [&self.corners_and_middle, &self.around_and_middle, &self.corners_and_set, &self.around_and_set]
            .map(Costs::largest)
    }
}

/// The turns worth trying after one of `last`: no face twice, opposite faces in one order.
fn worth_trying(last: usize) -> u16 {
    let worth = |&place: &usize| {
        let face = turned(place).0;
        let Some(&last) = Face::ALL.get(last) else { return true };
        face != last && (face.opposite() != last || face > last)
    };
    let set = FINISHING.iter().enumerate().filter(|(_, place)| worth(place));
    set.fold(0, |set, (at, _)| set | 1 << at)
}

/// A search for the end.
pub(super) struct Ending<'a> {
    finish: &'a Finish,
    /// The turns, by place.
    pub(super) path: Vec<u8>,
    /// Nodes priced.
    pub(super) nodes: u64,
}

impl<'a> Ending<'a> {
    pub(super) fn new(finish: &'a Finish) -> Ending<'a> {
        Ending { finish, path: Vec::new(), nodes: 0 }
    }

    /// Looks for an end that costs at most `most`, the cheapest first; `last` is the face turned before. True leaves it in `path`.
    pub(super) fn search(&mut self, rest: Rest, last: usize, most: u8) -> bool {
        self.path.clear();
        let least = self.finish.bound(&rest);
        // The tables know what is home: only that costs nothing.
        least <= most && (least == 0 || (least..=most).any(|left| self.descend(&rest, last, left)))
    }

    fn descend(&mut self, rest: &Rest, last: usize, left: u8) -> bool {
        let finish = self.finish;
        let mut worth = finish.after[last];
        self.nodes += u64::from(worth.count_ones());
        while worth != 0 {
            let turn = worth.trailing_zeros() as usize;
            worth &= worth - 1;
            let Some(left) = left.checked_sub(finish.costs[turn]) else { continue };
            let Some((child, cost)) = finish.step(rest, turn, left) else { continue };
            self.path.push(FINISHING[turn] as u8);
            if cost == 0 || self.descend(&child, turned(FINISHING[turn]).0.index(), left) {
                return true;
            }
            self.path.pop();
        }
        false
    }
}
