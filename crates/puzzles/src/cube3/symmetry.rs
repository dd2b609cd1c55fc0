//! The 48 ways to look at a cube, mirrors included, and what they make of pieces and turns.

use crate::cube::pieces::{CORNERS, EDGES, Placed, solved};
use crate::cube::{Face, rotations};
use crate::cube3::Cube;

/// How many turns there are, half turns included.
pub(in crate::cube3) const TURNS: usize = 18;

/// The place of a turn: its face, then its quarters.
pub(in crate::cube3) const fn turn(face: Face, quarters: u8) -> usize {
    3 * face.index() + quarters as usize - 1
}

/// The turn of a place.
pub(in crate::cube3) const fn turned(place: usize) -> (Face, u8) {
    (Face::ALL[place / 3], place as u8 % 3 + 1)
}

/// The turns by a quarter, as bits.
pub(in crate::cube3) const QUARTERS: u32 = {
    let (mut set, mut place) = (0, 0);
    while place < TURNS {
        set |= ((turned(place).1 != 2) as u32) << place;
        place += 1;
    }
    set
};

/// Whether a turn is by a quarter.
#[inline(always)]
pub(in crate::cube3) const fn is_quarter(place: usize) -> bool {
    QUARTERS >> place & 1 == 1
}

/// A rotation of the whole cube, or a rotation in a mirror, after which pieces are renamed by where they went.
#[derive(Clone, Debug)]
pub(in crate::cube3) struct Symmetry {
    faces: [Face; 6],
    mirrored: bool,
    /// The slot each corner slot goes to, and which of its faces the first face becomes.
    corners: [Placed; 8],
    edges: [Placed; 12],
}

/// Where each slot goes.
fn slots<const N: usize, const COUNT: usize>(all: &[[Face; N]; COUNT], to: &[Face; 6]) -> [Placed; COUNT] {
    std::array::from_fn(|slot| {
        let faces = all[slot].map(|face| to[face.index()]);
        let holds = |other: &[Face; N]| faces.iter().all(|face| other.contains(face));
        let piece = all.iter().position(holds).expect("a symmetry keeps pieces whole");
        let turn = all[piece].iter().position(|&face| face == faces[0]);
        Placed { piece, turn: turn.expect("it holds all of them") }
    })
}

/// Pieces on a cube that is carried as a whole and then renamed.
fn carried<const COUNT: usize>(
    pieces: &[Placed; COUNT],
    slots: &[Placed; COUNT],
    ways: usize,
    mirrored: bool,
) -> [Placed; COUNT] {
    let mut carried = solved::<COUNT>();
    for (slot, placed) in pieces.iter().enumerate() {
        let (to, piece) = (slots[slot], slots[placed.piece]);
        // In a mirror clockwise becomes anticlockwise.
        let turn = if mirrored { ways - placed.turn } else { placed.turn };
        carried[to.piece] = Placed { piece: piece.piece, turn: (to.turn + turn + ways - piece.turn) % ways };
    }
    carried
}

impl Symmetry {
    fn of(faces: [Face; 6], mirrored: bool) -> Symmetry {
        Symmetry { corners: slots(&CORNERS, &faces), edges: slots(&EDGES, &faces), faces, mirrored }
    }

    /// All of them; the first leaves everything where it is.
    pub(in crate::cube3) fn all() -> Vec<Symmetry> {
        let mirror = |face: Face| match face {
            Face::R | Face::L => face.opposite(),
            _ => face,
        };
        let rotations = rotations();
        let mirrored = rotations.iter().map(|faces| Symmetry::of(faces.map(mirror), true));
        rotations.iter().map(|&faces| Symmetry::of(faces, false)).chain(mirrored).collect()
    }

    /// Those that leave the axis from U to D where it is.
    pub(in crate::cube3) fn upright() -> Vec<Symmetry> {
        let upright = |symmetry: &Symmetry| matches!(symmetry.faces[0], Face::U | Face::D);
        Symmetry::all().into_iter().filter(upright).collect()
    }

    /// Rotations that bring each axis upright in turn; the first leaves everything where it is.
    pub(in crate::cube3) fn axes() -> Vec<Symmetry> {
        let third = |n: usize| {
            let goes = move |faces: &[Face; 6]| {
                [Face::U, Face::R, Face::F].map(|face| faces[face.index()])
                    == [0, 1, 2].map(|place| Face::ALL[(place + n) % 3])
            };
            rotations().into_iter().find(goes).expect("a cube can be turned around a corner")
        };
        (0..3).map(|n| Symmetry::of(third(n), false)).collect()
    }

    /// What becomes of a turn.
    pub(in crate::cube3) fn turn(&self, place: usize) -> usize {
        let (face, quarters) = turned(place);
        turn(self.faces[face.index()], if self.mirrored { 4 - quarters } else { quarters })
    }

    pub(in crate::cube3) fn corners(&self, corners: &[Placed; 8]) -> [Placed; 8] {
        carried(corners, &self.corners, 3, self.mirrored)
    }

    /// The edge slot that an edge slot goes to.
    pub(in crate::cube3) fn edge_slot(&self, slot: usize) -> usize {
        self.edges[slot].piece
    }

    /// The axis that an axis goes to: from U to D, from R to L, from F to B.
    pub(in crate::cube3) fn axis(&self, axis: usize) -> usize {
        self.faces[axis].index() % 3
    }

    pub(in crate::cube3) fn edges(&self, edges: &[Placed; 12]) -> [Placed; 12] {
        carried(edges, &self.edges, 2, self.mirrored)
    }

    pub(in crate::cube3) fn cube(&self, cube: Cube) -> Cube {
        Cube::of(&self.corners(&cube.corners()), &self.edges(&cube.edges()))
    }

    /// This one after `other`.
    fn after(&self, other: &Symmetry) -> [Face; 6] {
        other.faces.map(|face| self.faces[face.index()])
    }
}

/// A group of symmetries by number: turns, products and inverses.
pub(in crate::cube3) struct Group {
    pub(in crate::cube3) list: Vec<Symmetry>,
    /// What each makes of each turn.
    turns: Vec<[u8; TURNS]>,
    products: Vec<u8>,
    inverses: Vec<u8>,
}

impl Group {
    /// All 48.
    pub(in crate::cube3) fn all() -> Group {
        Group::of(Symmetry::all())
    }

    /// The sixteen that leave the upright axis where it is.
    pub(in crate::cube3) fn upright() -> Group {
        Group::of(Symmetry::upright())
    }

    fn of(list: Vec<Symmetry>) -> Group {
        let find = |faces: [Face; 6]| {
            let place = list.iter().position(|symmetry| symmetry.faces == faces);
            place.expect("products stay in the group") as u8
        };
        let products: Vec<u8> =
            list.iter().flat_map(|a| list.iter().map(|b| find(a.after(b))).collect::<Vec<_>>()).collect();
        let undoes = |row: &[u8]| row.iter().position(|&product| product == 0);
        let inverses = products.chunks(list.len()).map(|row| undoes(row).expect("a group") as u8).collect();
        let turns = list.iter().map(|one| std::array::from_fn(|place| one.turn(place) as u8)).collect();
        Group { list, turns, products, inverses }
    }

    pub(in crate::cube3) fn count(&self) -> usize {
        self.list.len()
    }

    /// `a` after `b`.
    #[inline(always)]
    pub(in crate::cube3) fn product(&self, a: usize, b: usize) -> usize {
        self.products[a * self.inverses.len() + b].into()
    }

    #[inline(always)]
    pub(in crate::cube3) fn inverse(&self, a: usize) -> usize {
        self.inverses[a].into()
    }

    /// What becomes of a turn.
    #[inline(always)]
    pub(in crate::cube3) fn turn(&self, a: usize, place: usize) -> usize {
        self.turns[a][place].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces::{after, turned_corners, turned_edges};

    fn turned_cube(cube: Cube, place: usize) -> Cube {
        let (face, quarters) = turned(place);
        Cube::of(
            &after(&cube.corners(), &turned_corners(face, quarters), 3),
            &after(&cube.edges(), &turned_edges(face, quarters), 2),
        )
    }

    #[test]
    fn whoever_looks_another_way_sees_other_turns() {
        assert_eq!((Symmetry::all().len(), Symmetry::upright().len()), (48, 16));
        for symmetry in Symmetry::all() {
            let (mut cube, mut seen) = (Cube::SOLVED, Cube::SOLVED);
            assert_eq!(symmetry.cube(cube), cube, "a solved cube looks the same from everywhere");
            for step in 0..100 {
                let place = step * step * 7 % 55 % TURNS;
                (cube, seen) = (turned_cube(cube, place), turned_cube(seen, symmetry.turn(place)));
                assert_eq!(symmetry.cube(cube), seen);
            }
        }
    }

    #[test]
    fn numbers_multiply_as_symmetries_do() {
        let group = Group::upright();
        let cube = (0..TURNS).fold(Cube::SOLVED, turned_cube);
        for a in 0..group.count() {
            assert_eq!(group.product(a, group.inverse(a)), 0);
            for b in 0..group.count() {
                let product = group.product(a, b);
                assert_eq!(group.list[product].cube(cube), group.list[a].cube(group.list[b].cube(cube)));
                for place in 0..TURNS {
                    assert_eq!(group.turn(product, place), group.turn(a, group.turn(b, place)));
                }
            }
        }
        for (n, axis) in Symmetry::axes().iter().enumerate() {
            assert_eq!(axis.turn(0), 3 * n);
        }
    }
}
