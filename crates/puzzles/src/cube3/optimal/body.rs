//! A cube as 32 bytes, one for each slot, so that a turn is one shuffle of them.
//!
//! Twelve bytes for edges: two bits for the slice, two for which of its edges, one for the flip. From the seventeenth on eight for
//! corners: three bits as in [`tetrads::code`], two for the twist. Turns of the cube move bytes; turns of the cube that takes it back rename them.

use super::{slices, tetrads};
use crate::cube::pieces::{Placed, inverse, turned_corners, turned_edges};
use crate::cube3::Cube;
use crate::cube3::symmetry::{Group, TURNS, turned};

/// Bytes, aligned as vectors are.
#[repr(C, align(32))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Body(pub(super) [u8; 32]);

/// Where corners begin.
pub(super) const CORNERS: usize = 16;
/// One more flip or twist.
pub(super) const TURN: u8 = 16;
/// The bits that say how a piece is turned.
pub(super) const TURNED: u8 = 0x30;
/// Not a byte: shuffles make 0 of it.
const NONE: u8 = 0x80;

/// The byte of an edge that is not flipped.
fn edge(piece: usize) -> u8 {
    let slice = slices::slice(piece);
    let among = (0..piece).filter(|&other| slices::slice(other) == slice).count();
    (4 * slice + among) as u8
}

/// The byte of a corner that is not twisted.
fn corner(piece: usize) -> u8 {
    tetrads::code(piece) as u8
}

impl Body {
    /// The cube as bytes.
    pub(super) fn of(cube: Cube) -> Body {
        Body::from(&cube.corners(), &cube.edges())
    }

    /// The cube that takes it back.
    pub(super) fn back(cube: Cube) -> Body {
        Body::from(&inverse(&cube.corners(), 3), &inverse(&cube.edges(), 2))
    }

    fn from(corners: &[Placed; 8], edges: &[Placed; 12]) -> Body {
        let mut bytes = [0; 32];
        for (slot, placed) in edges.iter().enumerate() {
            bytes[slot] = edge(placed.piece) + TURN * placed.turn as u8;
        }
        for (slot, placed) in corners.iter().enumerate() {
            bytes[CORNERS + slot] = corner(placed.piece) + TURN * placed.turn as u8;
        }
        Body(bytes)
    }

    /// Whether two cubes are the same: bytes that are no slot's may differ.
    #[inline(always)]
    pub(super) fn same(&self, other: &Body) -> bool {
        self.0[..12] == other.0[..12] && self.0[CORNERS..][..8] == other.0[CORNERS..][..8]
    }
}

/// All turns, ready for bytes.
pub(super) struct Steps {
    /// The byte that comes to each place, and how it is turned by that.
    pub(super) from: [Body; TURNS],
    pub(super) turn: [Body; TURNS],
    /// What each byte becomes, by its lower four bits, on the cube that takes back.
    pub(super) renamed: [Body; TURNS],
    /// Bytes of so much and more begin again: 32 for edges, 48 for corners.
    pub(super) wrap: Body,
}

impl Steps {
    pub(super) fn new() -> Steps {
        let mut steps = Steps {
            from: [Body([NONE; 32]); TURNS],
            turn: [Body([0; 32]); TURNS],
            renamed: [Body([0; 32]); TURNS],
            wrap: Body([0; 32]),
        };
        steps.wrap.0[..12].fill(2 * TURN);
        steps.wrap.0[CORNERS..][..8].fill(3 * TURN);
        for turn in 0..TURNS {
            let (face, quarters) = turned(turn);
            let (from, add, renamed) =
                (&mut steps.from[turn].0, &mut steps.turn[turn].0, &mut steps.renamed[turn].0);
            for (slot, placed) in turned_edges(face, quarters).iter().enumerate() {
                from[slot] = placed.piece as u8;
                add[slot] = TURN * placed.turn as u8;
                renamed[usize::from(edge(placed.piece))] = edge(slot) + TURN * placed.turn as u8;
            }
            for (slot, placed) in turned_corners(face, quarters).iter().enumerate() {
                from[CORNERS + slot] = placed.piece as u8;
                add[CORNERS + slot] = TURN * placed.turn as u8;
                let back = TURN * ((3 - placed.turn as u8) % 3);
                renamed[CORNERS + usize::from(corner(placed.piece))] = corner(slot) + back;
            }
        }
        steps
    }

    /// The cube after a turn.
    pub(super) fn ahead(&self, body: &Body, turn: usize) -> Body {
        let (from, add) = (&self.from[turn].0, &self.turn[turn].0);
        self.wrapped(|at| {
            let half = at & CORNERS;
            if from[at] == NONE { 0 } else { body.0[half + usize::from(from[at])] + add[at] }
        })
    }

    /// The cube that takes back, after a turn of the cube that it takes back.
    pub(super) fn behind(&self, body: &Body, turn: usize) -> Body {
        let renamed = &self.renamed[turn].0;
        self.wrapped(|at| {
            let half = at & CORNERS;
            renamed[half + usize::from(body.0[at] & 15)] + (body.0[at] & TURNED)
        })
    }

    fn wrapped(&self, byte: impl Fn(usize) -> u8) -> Body {
        Body(std::array::from_fn(|at| {
            let byte = byte(at);
            byte.min(byte.wrapping_sub(self.wrap.0[at]))
        }))
    }
}

/// As many bytes, aligned as vectors of so many are.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(super) struct Sixteen(pub(super) [u8; 16]);

/// What symmetries make of the bytes of edges.
pub(super) struct Carrying {
    /// By symmetry, the slot that each slot's edge comes from.
    pub(super) from: Box<[Sixteen; 64]>,
    /// By symmetry, for each edge by its lower four bits: 128 if its slice becomes the second, 64 if the first.
    pub(super) marks: Box<[Sixteen; 64]>,
    /// For each edge a bit for its slice, and for each slot those of the slices whose edges are flipped there where they are not turned.
    pub(super) slices: Sixteen,
    pub(super) odd: Sixteen,
}

impl Carrying {
    pub(super) fn new(group: &Group) -> Carrying {
        let symmetry = |number: usize| &group.list[number % group.count()];
        let mut carrying = Carrying {
            from: Box::new([Sixteen([NONE; 16]); 64]),
            marks: Box::new([Sixteen([0; 16]); 64]),
            slices: Sixteen([0; 16]),
            odd: Sixteen([0; 16]),
        };
        for number in 0..64 {
            for edge in 0..12 {
                carrying.from[number].0[symmetry(number).edge_slot(edge)] = edge as u8;
                let mark = [64, 128, 0][symmetry(number).axis(edge / 4)];
                carrying.marks[number].0[edge] = mark;
            }
        }
        for edge in 0..12 {
            carrying.slices.0[edge] = 1 << (edge / 4);
        }
        for (slice, slots) in slices::odd_slots().into_iter().enumerate() {
            (0..12).for_each(|slot| carrying.odd.0[slot] |= ((slots >> slot & 1) as u8) << slice);
        }
        carrying
    }
}

/// What the bytes say that a table wants to know: sets of slots, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    /// Slots of the three slices' edges, [`slices::BITS`] for each.
    pub(super) slices: u64,
    /// Slots of edges turned.
    pub(super) turned: u32,
    /// Slots of the second tetrad's corners.
    pub(super) tetrad: u32,
    /// Slots of corners twisted once, and twice: seven bits each.
    pub(super) twists: u32,
    /// The lower two bits of the first tetrad's corners, and of the second's, in the order of their slots.
    pub(super) orders: [u32; 2],
}

impl Seen {
    /// Read off byte by byte.
    pub(super) fn of(body: &Body) -> Seen {
        let bits = |bit: u32, first: usize, count: usize| {
            (0..count).map(|slot| u32::from(body.0[first + slot] >> bit & 1) << slot).sum::<u32>()
        };
        Seen {
            slices: slices::packed(bits(2, 0, 12), bits(3, 0, 12)),
            turned: bits(4, 0, 12),
            tetrad: bits(2, CORNERS, 8),
            twists: bits(4, CORNERS, 7) | bits(5, CORNERS, 7) << 7,
            orders: [0, 1].map(|tetrad| {
                let corners = body.0[CORNERS..][..8].iter().rev().filter(|&byte| byte >> 2 & 1 == tetrad);
                corners.fold(0, |order, byte| order << 2 | u32::from(byte & 3))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube3::packed::Packed;

    #[test]
    fn bytes_turn_as_cubes_do() {
        let steps = Steps::new();
        let (mut cube, mut body, mut back) = (Cube::SOLVED, Body::of(Cube::SOLVED), Body::back(Cube::SOLVED));
        for step in 0..2000usize {
            let turn = step * step * 7 % 55 % TURNS;
            let (face, quarters) = turned(turn);
            cube = Packed::new(face, quarters).turn(cube);
            (body, back) = (steps.ahead(&body, turn), steps.behind(&back, turn));
            assert!(body.same(&Body::of(cube)), "after {step}");
            assert!(back.same(&Body::back(cube)), "after {step}");
        }
    }
}
