//! Flips and the middle layer's slots together, and which of their 1,013,760 combinations look alike.
//!
//! Sixteen symmetries leave the upright axis where it is, so 64,430 classes stand for all combinations. A node of the first phase is always
//! looked at in the *frame* in which its combination is the one that stands for its class.

use super::coordinates::{
    FLIPS, Moves, SLICES, edges_of, flip, flip_moves, slice_moves, slice_number, slice_set, slices,
};
use crate::cube::pieces::Placed;
use crate::cube3::symmetry::{Group, TURNS};
use crate::cube3::symmetry_classes::{Member, SymmetryClasses};

/// The classes, and what turns make of them.
pub(super) struct Classes {
    sets: Vec<u16>,
    /// For each combination its class, and the symmetry that carries it to the one that stands for it.
    class_of: Vec<Member>,
    /// For each class, the members that the turns of the one that stands for it lead to.
    moves: Vec<Member>,
    /// The combination that stands for each class.
    pub(super) chosen: Vec<u32>,
    /// The symmetries that leave it as it is, as bits.
    pub(super) fixing: Vec<u64>,
    pub(super) home: u16,
}

/// What symmetries make of combinations.
struct Images {
    slices: Vec<u16>,
    /// Flips are carried bit by bit; edges of the middle layer outside of it, and others in it, may be flipped on top.
    flips: Vec<u16>,
    on_top: Vec<u16>,
}

impl Images {
    fn new(group: &Group, sets: &[u16]) -> Images {
        let home = 0b1111 << 8;
        let (mut slices, mut flips, mut on_top) = (Vec::new(), Vec::new(), Vec::new());
        for symmetry in &group.list {
            for &set in sets {
                let edges = symmetry.edges(&edges_of(set, 0));
                slices.push(slice_number(sets, slice_set(&edges)));
                on_top.push(flip(&edges));
            }
            let bits: Vec<u16> =
                (0..11).map(|bit| flip(&symmetry.edges(&edges_of(home, 1 << bit)))).collect();
            let image = |flip: u16| {
                let set = bits.iter().enumerate().filter(|&(bit, _)| flip >> bit & 1 == 1);
                set.fold(0, |image, (_, bits)| image ^ bits)
            };
            flips.extend((0..FLIPS as u16).map(image));
        }
        Images { slices, flips, on_top }
    }

    fn of(&self, combination: usize, symmetry: usize) -> usize {
        let (slice, flip) = (combination / FLIPS, combination % FLIPS);
        let place = symmetry * SLICES + slice;
        let flip = self.flips[symmetry * FLIPS + flip] ^ self.on_top[place];
        usize::from(self.slices[place]) * FLIPS + usize::from(flip)
    }
}

impl Classes {
    pub(super) fn new(group: &Group) -> Classes {
        let sets = slices();
        let images = Images::new(group, &sets);
        let alike = SymmetryClasses::new(group, SLICES * FLIPS, |combination| {
            let images = &images;
            (0..group.count()).map(move |symmetry| images.of(combination, symmetry))
        });
        let SymmetryClasses { members: class_of, chosen, fixing } = alike;
        let (flips, slices) = (flip_moves(), slice_moves(&sets));
        let lead = |&combination: &u32| after(&flips, &slices, combination as usize);
        let moves = chosen.iter().flat_map(lead).map(|combination| class_of[combination]).collect();
        let home = usize::from(slice_number(&sets, 0b1111 << 8)) * FLIPS;
        let home = class_of[home].class() as u16;
        Classes { sets, class_of, moves, chosen, fixing, home }
    }

    pub(super) fn count(&self) -> usize {
        self.chosen.len()
    }

    /// The class of some edges.
    pub(super) fn of(&self, edges: &[Placed; 12]) -> Member {
        let slice = usize::from(slice_number(&self.sets, slice_set(edges)));
        self.class_of[slice * FLIPS + usize::from(flip(edges))]
    }

    /// Where a turn of the combination that stands for a class leads.
    #[inline(always)]
    pub(super) fn after(&self, class: usize, turn: usize) -> Member {
        self.moves[class * TURNS + turn]
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * (self.class_of.len() + self.moves.len()) as u64 + 12 * self.chosen.len() as u64
    }
}

/// The combinations that turns lead to.
fn after(flips: &Moves, slices: &Moves, combination: usize) -> [usize; TURNS] {
    let (slice, flip) = ((combination / FLIPS) as u16, (combination % FLIPS) as u16);
    std::array::from_fn(|turn| {
        usize::from(slices.after(slice, turn)) * FLIPS + usize::from(flips.after(flip, turn))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_symmetries_leave_64430_classes() {
        let group = Group::upright();
        let classes = Classes::new(&group);
        assert_eq!(classes.count(), 64_430);
        assert!(classes.class_of.iter().all(|member| member.class() < 64_430));
        let members: u32 = classes.fixing.iter().map(|fixing| 16 / fixing.count_ones()).sum();
        assert_eq!(members as usize, SLICES * FLIPS, "each combination is counted once");
    }

    #[test]
    fn a_frame_shows_the_combination_that_stands_for_the_class() {
        let group = Group::upright();
        let classes = Classes::new(&group);
        for combination in (0..SLICES * FLIPS).step_by(977) {
            let edges = edges_of(classes.sets[combination / FLIPS], (combination % FLIPS) as u16);
            let member = classes.of(&edges);
            let seen = group.list[member.symmetry()].edges(&edges);
            let slice = usize::from(slice_number(&classes.sets, slice_set(&seen)));
            let shown = slice * FLIPS + usize::from(flip(&seen));
            assert_eq!(shown, classes.chosen[member.class()] as usize);
        }
    }
}
