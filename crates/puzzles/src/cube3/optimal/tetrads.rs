//! Corners as the group of half turns leaves them: which tetrad each slot's corner belongs to, and how it is twisted.
//!
//! Half turns keep each corner within its tetrad, four corners of which no two share an edge, and twist none. So
//! what half turns before a sequence change is not seen here. The corners of a tetrad are turned alike by all 48 symmetries of the cube, so symmetries act on
//! what is seen: 153,090 arrangements come in 3393 classes. Half turns order both tetrads alike, up to exchanges of
//! two pairs; how the one is ordered as seen from the other, one of six ways, makes 918,540 arrangements in 19,926 classes.

use crate::cube::Face;
use crate::cube::pieces::{CORNERS, Placed, solved};
use crate::cube3::symmetry::{Group, TURNS};
use crate::cube3::symmetry_classes::{Member, SymmetryClasses};

/// Ways to twist the corners.
const TWISTS: usize = 2187;
/// Ways to see one tetrad from the other.
const THIRDS: usize = 6;

/// Three bits for a corner: its tetrad, whether it is below, whether it is left.
pub(super) fn code(corner: usize) -> usize {
    let behind = |face: Face| usize::from(face.index() >= 3);
    let along = |axis: usize| {
        let face = CORNERS[corner].into_iter().find(|face| face.index() % 3 == axis);
        behind(face.expect("a corner has a face on each axis"))
    };
    let (down, left, back) = (along(0), along(1), along(2));
    (down ^ left ^ back) << 2 | down << 1 | left
}

/// How the corners of a tetrad pair up, by their codes in the order of their slots: two of them lie in one layer of one axis, and that is what
/// the difference of their codes says.
pub(super) fn pairs(codes: [u8; 4]) -> [u8; 3] {
    [1, 2, 3].map(|other| (codes[0] ^ codes[other]) & 3)
}

/// How the pairs of one tetrad stand to those of the other.
pub(super) fn third(first: [u8; 4], second: [u8; 4]) -> usize {
    let (first, second) = (pairs(first), pairs(second));
    let of = |pair: u8| first.iter().position(|&other| other == pair).unwrap_or(0);
    let seen = second.map(of);
    2 * seen[0] + usize::from(seen[1] > seen[2])
}

/// The number of an arrangement that is also told by how one tetrad is seen from the other.
#[inline(always)]
pub(super) fn with_third(number: usize, third: usize) -> usize {
    number * THIRDS + third
}

/// Numbers for arrangements of corners.
pub(super) struct Numbers {
    thirds: bool,
    /// The sets of slots that the second tetrad can be in, as bits.
    sets: Vec<u8>,
    /// The place of each among them.
    pub(super) places: Vec<u8>,
}

impl Numbers {
    pub(super) fn new(thirds: bool) -> Numbers {
        let sets: Vec<u8> = (0..=u8::MAX).filter(|set| set.count_ones() == 4).collect();
        let mut places = vec![0; 256];
        (0..).zip(&sets).for_each(|(place, &set)| places[usize::from(set)] = place);
        Numbers { thirds, sets, places }
    }

    /// How many arrangements there are.
    pub(super) fn count(&self) -> usize {
        self.sets.len() * TWISTS * if self.thirds { THIRDS } else { 1 }
    }

    /// The number of an arrangement from its parts, but for thirds.
    pub(super) fn compose(&self, place: usize, twist: usize) -> usize {
        place * TWISTS + twist
    }

    /// The number of the twists; the last corner's follows from the others'.
    fn twist(corners: &[Placed; 8]) -> usize {
        corners[..7].iter().rev().fold(0, |twist, placed| 3 * twist + placed.turn)
    }

    pub(super) fn number(&self, corners: &[Placed; 8]) -> usize {
        let codes = corners.map(|placed| code(placed.piece) as u8);
        let set = (0..8).map(|slot| (codes[slot] >> 2) << slot).sum::<u8>();
        let tetrad = |wanted: u8| {
            let mut codes = codes.into_iter().filter(|code| code >> 2 == wanted);
            std::array::from_fn(|_| codes.next().unwrap_or(0))
        };
        let number = self.compose(self.places[usize::from(set)].into(), Numbers::twist(corners));
        if self.thirds { with_third(number, third(tetrad(0), tetrad(1))) } else { number }
    }

    /// Corners that are arranged so.
    fn corners(&self, number: usize) -> [Placed; 8] {
        let (number, third) = if self.thirds { (number / THIRDS, number % THIRDS) } else { (number, 0) };
        let set = self.sets[number / TWISTS];
        let first = third / 2;
        let (second, last) = ((first + 1) % 3, (first + 2) % 3);
        let (low, high) = (second.min(last), second.max(last));
        let order = if third % 2 == 1 { [first, high, low] } else { [first, low, high] };
        let codes = [[0, 1, 2, 3], [4, 5 + order[0], 5 + order[1], 5 + order[2]]];
        let mut next = [0; 2];
        let mut corners = solved::<8>();
        for (slot, placed) in corners.iter_mut().enumerate() {
            let tetrad = usize::from(set >> slot & 1);
            let wanted = codes[tetrad][next[tetrad]];
            next[tetrad] += 1;
            placed.piece = (0..8).find(|&piece| code(piece) == wanted).expect("every code is a corner's");
        }
        let (mut rest, mut sum) = (number % TWISTS, 0);
        for placed in &mut corners[..7] {
            placed.turn = rest % 3;
            sum += placed.turn;
            rest /= 3;
        }
        corners[7].turn = (21 - sum) % 3;
        corners
    }
}

/// All arrangements by class.
pub(super) struct Classes {
    pub(super) numbers: Numbers,
    /// The class of each arrangement.
    pub(super) members: Vec<Member>,
    /// The symmetries that leave the arrangement that stands for a class as it is, as bits.
    pub(super) fixing: Vec<u64>,
    /// What each turn makes of the arrangement that stands for a class.
    after: Vec<[Member; TURNS]>,
    /// The class of solved corners.
    pub(super) home: usize,
}

impl Classes {
    pub(super) fn new(group: &Group, thirds: bool) -> Classes {
        use crate::cube::pieces::{after, turned_corners};
        use crate::cube3::symmetry::turned;
        let numbers = Numbers::new(thirds);
        let SymmetryClasses { members, chosen, fixing } =
            SymmetryClasses::new(group, numbers.count(), |number| {
                let (numbers, corners) = (&numbers, numbers.corners(number));
                group.list.iter().map(move |symmetry| numbers.number(&symmetry.corners(&corners)))
            });
        let moved = |&chosen: &u32| {
            let corners = numbers.corners(chosen as usize);
            std::array::from_fn(|turn| {
                let (face, quarters) = turned(turn);
                members[numbers.number(&after(&corners, &turned_corners(face, quarters), 3))]
            })
        };
        let after = chosen.iter().map(moved).collect();
        let home = members[numbers.number(&solved())].class();
        Classes { numbers, members, fixing, after, home }
    }

    pub(super) fn count(&self) -> usize {
        self.fixing.len()
    }

    /// Where a turn leads from the arrangement that stands for a class.
    #[inline(always)]
    pub(super) fn after(&self, class: usize, turn: usize) -> Member {
        self.after[class][turn]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces::{after, turned_corners};
    use crate::cube3::symmetry::turned;

    #[test]
    fn arrangements_have_numbers_and_classes() {
        let group = Group::all();
        for (thirds, classes) in [(false, 3393), (true, 19_926)] {
            let found = Classes::new(&group, thirds);
            assert_eq!(found.count(), classes);
            let numbers = &found.numbers;
            for number in (0..numbers.count()).step_by(61) {
                let corners = numbers.corners(number);
                assert_eq!(numbers.number(&corners), number);
                let member = found.members[number];
                let seen = numbers.number(&group.list[member.symmetry()].corners(&corners));
                assert_eq!(found.members[seen].class(), member.class());
                assert_eq!(found.members[seen].symmetry(), 0, "it stands for its class");
            }
        }
        let mut sizes = [0; 49];
        Classes::new(&group, false).fixing.iter().for_each(|set| sizes[set.count_ones() as usize] += 1);
        let known =
            [(1, 3020), (2, 311), (3, 8), (4, 35), (6, 9), (8, 6), (12, 1), (16, 1), (24, 1), (48, 1)];
        assert!(known.iter().all(|&(order, count)| sizes[order] == count), "{sizes:?}");
    }

    /// Half turns before a sequence are not seen, and symmetries act on what is seen.
    #[test]
    fn half_turns_before_and_symmetries_are_as_promised() {
        let group = Group::all();
        let mut corners = solved::<8>();
        for step in 0..500usize {
            let (face, quarters) = turned(step * step * 7 % 55 % TURNS);
            corners = after(&corners, &turned_corners(face, quarters), 3);
            for thirds in [false, true] {
                let numbers = Numbers::new(thirds);
                let number = numbers.number(&corners);
                for face in Face::ALL {
                    let before = after(&turned_corners(face, 2), &corners, 3);
                    assert_eq!(numbers.number(&before), number);
                }
                for symmetry in &group.list {
                    let alike = numbers.corners(number);
                    let seen = numbers.number(&symmetry.corners(&alike));
                    assert_eq!(numbers.number(&symmetry.corners(&corners)), seen);
                }
            }
        }
    }
}
