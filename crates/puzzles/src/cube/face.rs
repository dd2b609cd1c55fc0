//! The six faces and the rotations of the cube.

use std::fmt;

/// A face of the cube in a fixed orientation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Face {
    /// Up.
    U,
    /// Right.
    R,
    /// Front.
    F,
    /// Down.
    D,
    /// Left.
    L,
    /// Back.
    B,
}

impl Face {
    /// All faces in sticker order (Kociemba's facelet order). Opposite faces are three apart.
    pub const ALL: [Face; 6] = [Face::U, Face::R, Face::F, Face::D, Face::L, Face::B];

    /// The index in [`Face::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opposite face.
    pub const fn opposite(self) -> Face {
        Face::ALL[(self.index() + 3) % 6]
    }

    /// The letter of the face in sticker texts and notation.
    pub const fn letter(self) -> char {
        ['U', 'R', 'F', 'D', 'L', 'B'][self.index()]
    }

    /// The face that has this upper-case letter.
    pub fn from_letter(letter: char) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.letter() == letter)
    }

    /// The outward normal in coordinates right, up, front.
    pub(super) const fn normal(self) -> [i8; 3] {
        match self {
            Face::U => [0, 1, 0],
            Face::R => [1, 0, 0],
            Face::F => [0, 0, 1],
            Face::D => [0, -1, 0],
            Face::L => [-1, 0, 0],
            Face::B => [0, 0, -1],
        }
    }

    /// The image of the face when the whole cube is rotated clockwise about `axis` by a number of quarter
    /// turns.
    pub fn rotated(self, axis: Face, quarters: u8) -> Face {
        let end = (0..quarters).fold(self.normal(), |normal, _| rotate_clockwise(normal, axis));
        Face::ALL.into_iter().find(|face| face.normal() == end).unwrap_or(self)
    }
}

/// The 24 rotations of the cube as images of the faces.
pub(crate) fn rotations() -> Vec<[Face; 6]> {
    let mut all = vec![Face::ALL];
    let mut expanded = 0;
    while let Some(&rotation) = all.get(expanded) {
        expanded += 1;
        for axis in [Face::U, Face::R] {
            let next = rotation.map(|face| face.rotated(axis, 1));
            if !all.contains(&next) {
                all.push(next);
            }
        }
    }
    all
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A point after a quarter turn about `axis`, clockwise as seen from outside that face.
pub(super) fn rotate_clockwise(point: [i8; 3], axis: Face) -> [i8; 3] {
    let ([x, y, z], [a, b, c]) = (point, axis.normal());
    let along = a * x + b * y + c * z;
    [along * a + y * c - z * b, along * b + z * a - x * c, along * c + x * b - y * a]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_permute_the_faces_clockwise() {
        use Face::*;
        for (axis, ring) in [(U, [F, L, B, R]), (R, [F, U, B, D]), (F, [U, R, D, L])] {
            for (index, face) in ring.into_iter().enumerate() {
                assert_eq!(face.rotated(axis, 1), ring[(index + 1) % 4], "{face} around {axis}");
                assert_eq!(face.rotated(axis.opposite(), 1), ring[(index + 3) % 4]);
                assert_eq!(face.rotated(axis, 2), face.opposite());
            }
            assert_eq!(axis.rotated(axis, 1), axis);
        }
    }
}
