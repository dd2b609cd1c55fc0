//! The flip-slice coordinate of phase 1, reduced by symmetry (Kociemba's FlipUDSlice sym-coordinate).
//!
//! The 16 symmetries that fix the U-D axis divide its 1,013,760 values into 64,430 classes.

use untumble_search::control::{Control, Stop};

use super::coordinates::{
    FLIPS, MoveTable, SLICES, SOLVED_SLICE, edges_with, flip, flip_moves, slice_moves, slice_rank, slice_set,
    slice_slot_sets,
};
use crate::cube::pieces::Cubie;
use crate::cube3::symmetry::{FACE_TURNS, SymmetryGroup};
use crate::cube3::symmetry_classes::{SymCoordinate, SymmetryClasses};

/// The classes of flip-slice (`slice * FLIPS + flip`) and their moves.
pub(super) struct FlipSliceClasses {
    /// Slot sets of the slice edges by rank.
    slices: Vec<u16>,
    /// By flip-slice: its class and symmetry.
    sym_coordinates: Vec<SymCoordinate>,
    /// By class and face turn: the sym-coordinate of the representative after the turn.
    moves: Vec<SymCoordinate>,
    /// By class: the flip-slice of its representative.
    pub(super) representatives: Vec<u32>,
    /// By class: the stabilizer of its representative, as bits.
    pub(super) stabilizers: Vec<u64>,
    pub(super) solved_class: u16,
}

/// The action of the symmetries on flip-slice.
struct Conjugation {
    /// By symmetry and slice: the conjugate slice.
    slices: Vec<u16>,
    /// By symmetry and flip: the conjugate flip, if the slice edges are in the slice.
    flips: Vec<u16>,
    /// By symmetry and slice: the flips to toggle in addition. A symmetry may flip slice edges outside of
    /// the slice and other edges in it.
    extra_flips: Vec<u16>,
}

impl Conjugation {
    fn new(group: &SymmetryGroup, sets: &[u16]) -> Conjugation {
        let (mut slices, mut flips, mut extra_flips) = (Vec::new(), Vec::new(), Vec::new());
        for symmetry in &group.symmetries {
            for &set in sets {
                let edges = symmetry.conjugate_edges(&edges_with(set, 0));
                slices.push(slice_rank(sets, slice_set(&edges)));
                extra_flips.push(flip(&edges));
            }
            let bit_images: Vec<u16> = (0..11)
                .map(|bit| flip(&symmetry.conjugate_edges(&edges_with(SOLVED_SLICE, 1 << bit))))
                .collect();
            let image = |flip: u16| {
                let set = bit_images.iter().enumerate().filter(|&(bit, _)| flip >> bit & 1 == 1);
                set.fold(0, |image, (_, bit_image)| image ^ bit_image)
            };
            flips.extend((0..FLIPS as u16).map(image));
        }
        Conjugation { slices, flips, extra_flips }
    }

    /// The conjugate of a flip-slice under a symmetry.
    fn conjugate(&self, flip_slice: usize, symmetry: usize) -> usize {
        let (slice, flip) = (flip_slice / FLIPS, flip_slice % FLIPS);
        let index = symmetry * SLICES + slice;
        let flip = self.flips[symmetry * FLIPS + flip] ^ self.extra_flips[index];
        usize::from(self.slices[index]) * FLIPS + usize::from(flip)
    }
}

impl FlipSliceClasses {
    pub(super) fn new(group: &SymmetryGroup, control: &Control) -> Result<FlipSliceClasses, Stop> {
        let sets = slice_slot_sets();
        let conjugation = Conjugation::new(group, &sets);
        let classes = SymmetryClasses::new(group, SLICES * FLIPS, control, |flip_slice| {
            let conjugation = &conjugation;
            (0..group.order()).map(move |symmetry| conjugation.conjugate(flip_slice, symmetry))
        })?;
        let SymmetryClasses { sym_coordinates, representatives, stabilizers } = classes;
        let (flips, slices) = (flip_moves(), slice_moves(&sets));
        let after_turns = |&flip_slice: &u32| after_all_turns(&flips, &slices, flip_slice as usize);
        let moves = representatives
            .iter()
            .flat_map(after_turns)
            .map(|flip_slice| sym_coordinates[flip_slice])
            .collect();
        let solved = usize::from(slice_rank(&sets, SOLVED_SLICE)) * FLIPS;
        let solved_class = sym_coordinates[solved].class() as u16;
        let slices = sets;
        Ok(FlipSliceClasses { slices, sym_coordinates, moves, representatives, stabilizers, solved_class })
    }

    pub(super) fn count(&self) -> usize {
        self.representatives.len()
    }

    /// The sym-coordinate of the flip-slice of edges.
    pub(super) fn of(&self, edges: &[Cubie; 12]) -> SymCoordinate {
        let slice = usize::from(slice_rank(&self.slices, slice_set(edges)));
        self.sym_coordinates[slice * FLIPS + usize::from(flip(edges))]
    }

    /// The sym-coordinate of a class's representative after a face turn.
    #[inline(always)]
    pub(super) fn after(&self, class: usize, turn: usize) -> SymCoordinate {
        self.moves[class * FACE_TURNS + turn]
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * (self.sym_coordinates.len() + self.moves.len()) as u64 + 12 * self.representatives.len() as u64
    }
}

/// The flip-slice after each face turn.
fn after_all_turns(flips: &MoveTable, slices: &MoveTable, flip_slice: usize) -> [usize; FACE_TURNS] {
    let (slice, flip) = ((flip_slice / FLIPS) as u16, (flip_slice % FLIPS) as u16);
    std::array::from_fn(|turn| {
        usize::from(slices.after(slice, turn)) * FLIPS + usize::from(flips.after(flip, turn))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flip_slice_has_64430_classes() {
        let group = SymmetryGroup::fixing_ud_axis();
        let classes = FlipSliceClasses::new(&group, &Control::default()).expect("no limit");
        assert_eq!(classes.count(), 64_430);
        assert!(classes.sym_coordinates.iter().all(|sym| sym.class() < 64_430));
        let members: u32 = classes.stabilizers.iter().map(|stabilizer| 16 / stabilizer.count_ones()).sum();
        assert_eq!(members as usize, SLICES * FLIPS, "the orbits partition the coordinate");
    }

    #[test]
    fn the_symmetry_of_a_sym_coordinate_leads_to_the_representative() {
        let group = SymmetryGroup::fixing_ud_axis();
        let classes = FlipSliceClasses::new(&group, &Control::default()).expect("no limit");
        for flip_slice in (0..SLICES * FLIPS).step_by(977) {
            let edges = edges_with(classes.slices[flip_slice / FLIPS], (flip_slice % FLIPS) as u16);
            let sym = classes.of(&edges);
            let conjugate = group.symmetries[sym.symmetry()].conjugate_edges(&edges);
            let slice = usize::from(slice_rank(&classes.slices, slice_set(&conjugate)));
            let image = slice * FLIPS + usize::from(flip(&conjugate));
            assert_eq!(image, classes.representatives[sym.class()] as usize);
        }
    }
}
