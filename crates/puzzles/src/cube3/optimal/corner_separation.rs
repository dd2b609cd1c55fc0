//! Corner coordinate of the table: corner separation, corner orientation and, optionally, tetrad twist.
//!
//! A *tetrad* is an orbit of the corners under half turns: four corners no two of which share an edge. Half
//! turns keep every corner in its tetrad and twist none, so the coordinate of `s` is the coset `H·s` of a
//! subgroup `H` that contains the half turns. *Corner separation* is the tetrad of the corner in each slot
//! (70 values), called `cocsep` together with orientation in H48 (Tronto). The 48 symmetries act on the
//! 153,090 cosets; there are 3393 classes.
//!
//! Half turns permute both tetrads alike, up to double transpositions. The *tetrad twist* (Thistlethwaite's
//! third stage) is the remaining relation between the two permutations: one of six, which makes 918,540
//! cosets in 19,926 classes. It implies the permutation parity.

use untumble_search::control::{Control, Stop};

use crate::cube::Face;
use crate::cube::pieces::{CORNERS, Cubie, identity};
use crate::cube3::symmetry::{FACE_TURNS, SymmetryGroup};
use crate::cube3::symmetry_classes::{SymCoordinate, SymmetryClasses};

/// Orientations of the corners with sum 0.
const TWISTS: usize = 2187;
/// Values of the tetrad twist.
const TETRAD_TWISTS: usize = 6;

/// Code of a corner: bit 2 is its tetrad, bits 1 and 0 tell whether it belongs on D and on L.
pub(super) fn code(corner: usize) -> usize {
    let is_negative = |face: Face| usize::from(face.index() >= 3);
    let along = |axis: usize| {
        let face = CORNERS[corner].into_iter().find(|face| face.index() % 3 == axis);
        is_negative(face.expect("a corner has a face on each axis"))
    };
    let (down, left, back) = (along(0), along(1), along(2));
    (down ^ left ^ back) << 2 | down << 1 | left
}

/// The pairing of a tetrad's corners, from their codes in slot order: the XOR of the first corner's code
/// with each other code. Double transpositions leave the pairing unchanged.
pub(super) fn pairing(codes: [u8; 4]) -> [u8; 3] {
    [1, 2, 3].map(|other| (codes[0] ^ codes[other]) & 3)
}

/// The tetrad twist: the pairing of the second tetrad relative to that of the first, 0 to 5.
pub(super) fn tetrad_twist(first: [u8; 4], second: [u8; 4]) -> usize {
    let (first, second) = (pairing(first), pairing(second));
    let position = |pair: u8| first.iter().position(|&other| other == pair).unwrap_or(0);
    let relative = second.map(position);
    2 * relative[0] + usize::from(relative[1] > relative[2])
}

/// Extends a coset index by the tetrad twist.
#[inline(always)]
pub(super) fn with_tetrad_twist(coset: usize, tetrad_twist: usize) -> usize {
    coset * TETRAD_TWISTS + tetrad_twist
}

/// Ranking and unranking of corner cosets.
pub(super) struct CornerCosets {
    tetrad_twist: bool,
    /// By rank: a set of slots of the second tetrad, as bits.
    sets: Vec<u8>,
    /// The rank of each set in `sets`.
    pub(super) set_ranks: Vec<u8>,
}

impl CornerCosets {
    pub(super) fn new(tetrad_twist: bool) -> CornerCosets {
        let sets: Vec<u8> = (0..=u8::MAX).filter(|set| set.count_ones() == 4).collect();
        let mut set_ranks = vec![0; 256];
        (0..).zip(&sets).for_each(|(rank, &set)| set_ranks[usize::from(set)] = rank);
        CornerCosets { tetrad_twist, sets, set_ranks }
    }

    pub(super) fn count(&self) -> usize {
        self.sets.len() * TWISTS * if self.tetrad_twist { TETRAD_TWISTS } else { 1 }
    }

    /// The coset index of a separation and an orientation, without the tetrad twist.
    pub(super) fn index(&self, set_rank: usize, twist: usize) -> usize {
        set_rank * TWISTS + twist
    }

    /// The orientation of the first seven corners in base 3; that of the last one follows.
    fn twist(corners: &[Cubie; 8]) -> usize {
        corners[..7].iter().rev().fold(0, |twist, cubie| 3 * twist + cubie.orientation)
    }

    /// The index of the coset of `corners`.
    pub(super) fn rank(&self, corners: &[Cubie; 8]) -> usize {
        let codes = corners.map(|cubie| code(cubie.piece) as u8);
        let set = (0..8).map(|slot| (codes[slot] >> 2) << slot).sum::<u8>();
        let codes_of_tetrad = |tetrad: u8| {
            let mut codes = codes.into_iter().filter(|code| code >> 2 == tetrad);
            std::array::from_fn(|_| codes.next().unwrap_or(0))
        };
        let coset = self.index(self.set_ranks[usize::from(set)].into(), CornerCosets::twist(corners));
        if !self.tetrad_twist {
            return coset;
        }
        with_tetrad_twist(coset, tetrad_twist(codes_of_tetrad(0), codes_of_tetrad(1)))
    }

    /// One member of the coset.
    fn unrank(&self, coset: usize) -> [Cubie; 8] {
        let (coset, tetrad_twist) =
            if self.tetrad_twist { (coset / TETRAD_TWISTS, coset % TETRAD_TWISTS) } else { (coset, 0) };
        let set = self.sets[coset / TWISTS];
        let first = tetrad_twist / 2;
        let (second, third) = ((first + 1) % 3, (first + 2) % 3);
        let (low, high) = (second.min(third), second.max(third));
        let relative = if tetrad_twist % 2 == 1 { [first, high, low] } else { [first, low, high] };
        let codes = [[0, 1, 2, 3], [4, 5 + relative[0], 5 + relative[1], 5 + relative[2]]];
        let mut placed = [0; 2];
        let mut corners = identity::<8>();
        for (slot, cubie) in corners.iter_mut().enumerate() {
            let tetrad = usize::from(set >> slot & 1);
            let piece_code = codes[tetrad][placed[tetrad]];
            placed[tetrad] += 1;
            cubie.piece =
                (0..8).find(|&piece| code(piece) == piece_code).expect("every code belongs to a corner");
        }
        let (mut digits, mut sum) = (coset % TWISTS, 0);
        for cubie in &mut corners[..7] {
            cubie.orientation = digits % 3;
            sum += cubie.orientation;
            digits /= 3;
        }
        corners[7].orientation = (21 - sum) % 3;
        corners
    }
}

/// The symmetry classes of corner cosets.
pub(super) struct CornerClasses {
    pub(super) cosets: CornerCosets,
    /// The sym-coordinate of each coset.
    pub(super) sym_coordinates: Vec<SymCoordinate>,
    /// The stabilizer of each representative, as bits.
    pub(super) stabilizers: Vec<u64>,
    /// By class and face turn: the sym-coordinate of the representative's coset after the turn.
    moves: Vec<[SymCoordinate; FACE_TURNS]>,
    /// The class of solved corners.
    pub(super) solved_class: usize,
}

impl CornerClasses {
    pub(super) fn new(
        group: &SymmetryGroup,
        tetrad_twist: bool,
        control: &Control,
    ) -> Result<CornerClasses, Stop> {
        use crate::cube::pieces::{compose, corner_move};
        use crate::cube3::symmetry::face_turn;
        let cosets = CornerCosets::new(tetrad_twist);
        let SymmetryClasses { sym_coordinates, representatives, stabilizers } =
            SymmetryClasses::new(group, cosets.count(), control, |coset| {
                let (cosets, corners) = (&cosets, cosets.unrank(coset));
                group
                    .symmetries
                    .iter()
                    .map(move |symmetry| cosets.rank(&symmetry.conjugate_corners(&corners)))
            })?;
        let turns: [[Cubie; 8]; FACE_TURNS] = std::array::from_fn(|turn| {
            let (face, quarters) = face_turn(turn);
            corner_move(face, quarters)
        });
        let after_all_turns = |(index, &representative): (usize, &u32)| {
            if index.is_multiple_of(256) {
                control.poll()?;
            }
            let corners = cosets.unrank(representative as usize);
            Ok(turns.map(|turn| sym_coordinates[cosets.rank(&compose(&corners, &turn, 3))]))
        };
        let moves = representatives.iter().enumerate().map(after_all_turns).collect::<Result<_, Stop>>()?;
        let solved_class = sym_coordinates[cosets.rank(&identity())].class();
        Ok(CornerClasses { cosets, sym_coordinates, stabilizers, moves, solved_class })
    }

    pub(super) fn count(&self) -> usize {
        self.stabilizers.len()
    }

    /// The sym-coordinate of a class's representative after a face turn.
    #[inline(always)]
    pub(super) fn after(&self, class: usize, turn: usize) -> SymCoordinate {
        self.moves[class][turn]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces::{compose, corner_move};
    use crate::cube3::symmetry::face_turn;

    #[test]
    fn corner_cosets_have_the_published_numbers_of_classes_and_stabilizers() {
        let group = SymmetryGroup::full();
        for (tetrad_twist, count) in [(false, 3393), (true, 19_926)] {
            let classes = CornerClasses::new(&group, tetrad_twist, &Control::default()).expect("no limit");
            assert_eq!(classes.count(), count);
            let cosets = &classes.cosets;
            for coset in (0..cosets.count()).step_by(61) {
                let corners = cosets.unrank(coset);
                assert_eq!(cosets.rank(&corners), coset);
                let sym = classes.sym_coordinates[coset];
                let conjugate = cosets.rank(&group.symmetries[sym.symmetry()].conjugate_corners(&corners));
                assert_eq!(classes.sym_coordinates[conjugate].class(), sym.class());
                assert_eq!(
                    classes.sym_coordinates[conjugate].symmetry(),
                    0,
                    "the conjugate is the representative"
                );
            }
        }
        let mut orders = [0; 49];
        let classes = CornerClasses::new(&group, false, &Control::default()).expect("no limit");
        classes.stabilizers.iter().for_each(|set| orders[set.count_ones() as usize] += 1);
        let known =
            [(1, 3020), (2, 311), (3, 8), (4, 35), (6, 9), (8, 6), (12, 1), (16, 1), (24, 1), (48, 1)];
        assert!(known.iter().all(|&(order, count)| orders[order] == count), "{orders:?}");
    }

    #[test]
    fn cosets_ignore_leading_half_turns_and_commute_with_symmetries() {
        let group = SymmetryGroup::full();
        let mut corners = identity::<8>();
        for step in 0..500usize {
            let (face, quarters) = face_turn(step * step * 7 % 55 % FACE_TURNS);
            corners = compose(&corners, &corner_move(face, quarters), 3);
            for tetrad_twist in [false, true] {
                let cosets = CornerCosets::new(tetrad_twist);
                let coset = cosets.rank(&corners);
                for face in Face::ALL {
                    let half_turn_first = compose(&corner_move(face, 2), &corners, 3);
                    assert_eq!(cosets.rank(&half_turn_first), coset);
                }
                for symmetry in &group.symmetries {
                    let member = cosets.unrank(coset);
                    let conjugate = cosets.rank(&symmetry.conjugate_corners(&member));
                    assert_eq!(cosets.rank(&symmetry.conjugate_corners(&corners)), conjugate);
                }
            }
        }
    }
}
