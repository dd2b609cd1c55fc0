//! Lanes: entries of one corner class and edge coset that differ in parities only, and the action of moves
//! and symmetries on them.

use super::table_variant::TableVariant;
use crate::cube3::symmetry::{SymmetryGroup, is_quarter_turn};

/// Number of parity changes. Bits 0 and 1 of a change toggle the flip parities of the first two slices; bit
/// 2 is the flip parity of all edges after the turn (see
/// [`super::edge_separation::EdgeTables::parity_changes`]).
const CHANGES: usize = 8;
/// Permutations of the three axes.
const AXIS_PERMUTATIONS: usize = 6;

/// Lane maps of all moves and symmetries.
pub(super) struct LaneMaps {
    /// By symmetry: the index of its permutation of the axes.
    axis_permutation: Vec<usize>,
    /// By axis permutation, parity change and whether the move is a quarter turn: the image of each lane.
    images: Vec<[u8; 8]>,
    /// Indexed like `images`: the preimage of each set of lanes.
    preimages: Vec<[u8; 256]>,
}

impl LaneMaps {
    pub(super) fn new(variant: &TableVariant, group: &SymmetryGroup) -> LaneMaps {
        let mut permutations: Vec<[usize; 3]> = Vec::new();
        let axis_permutation = group.symmetries.iter().map(|symmetry| {
            let axes = [0, 1, 2].map(|axis| symmetry.axis(axis));
            permutations.iter().position(|&other| other == axes).unwrap_or_else(|| {
                permutations.push(axes);
                permutations.len() - 1
            })
        });
        let axis_permutation = axis_permutation.collect();
        assert_eq!(permutations.len(), AXIS_PERMUTATIONS, "the symmetries permute the axes in every way");
        let count = variant.lanes();
        let (mut images, mut preimages) = (Vec::new(), Vec::new());
        for axes in permutations {
            for change in 0..CHANGES {
                for quarter in 0..2 {
                    let mut image = [0; 8];
                    for parity in 0..2 {
                        for flips in 0..4 {
                            let [first, second] = [0, 1].map(|slice| (flips ^ change) >> slice & 1);
                            let third = first ^ second ^ change >> 2;
                            let mut conjugated = [0; 3];
                            [first, second, third]
                                .into_iter()
                                .zip(axes)
                                .for_each(|(odd, axis)| conjugated[axis] = odd);
                            let to = variant.lane(parity ^ quarter, conjugated[0] | conjugated[1] << 1);
                            image[variant.lane(parity, flips)] = to as u8;
                        }
                    }
                    images.push(image);
                    preimages.push(std::array::from_fn(|set| {
                        (0..count).map(|lane| ((set >> image[lane] & 1) << lane) as u8).sum()
                    }));
                }
            }
        }
        LaneMaps { axis_permutation, images, preimages }
    }

    /// The index of the map of an optional move followed by a symmetry, for parity change 0.
    #[inline(always)]
    pub(super) fn map_index(&self, turn: Option<usize>, symmetry: usize) -> usize {
        let quarter = usize::from(turn.is_some_and(is_quarter_turn));
        self.axis_permutation[symmetry] * CHANGES * 2 + quarter
    }

    /// The image of a lane under a map, given by its index, and a parity change.
    #[inline(always)]
    pub(super) fn image(&self, map_index: usize, change: u8, lane: usize) -> usize {
        self.images[map_index + 2 * usize::from(change)][lane].into()
    }

    /// The lanes whose image lies in a set of lanes.
    #[inline(always)]
    pub(super) fn preimage(&self, map_index: usize, change: u8, set: u8) -> u8 {
        self.preimages[map_index + 2 * usize::from(change)][usize::from(set)]
    }
}
