//! The six faces, as the cube is held.

use std::fmt;

/// A face.
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
    /// All of them in the order in which stickers are written. Opposite faces are three apart.
    pub const ALL: [Face; 6] = [Face::U, Face::R, Face::F, Face::D, Face::L, Face::B];

    /// Its place in [`Face::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The face on the other side.
    pub const fn opposite(self) -> Face {
        Face::ALL[(self.index() + 3) % 6]
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        ['U', 'R', 'F', 'D', 'L', 'B'][self.index()]
    }

    /// The face of a letter.
    pub fn of(letter: char) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.letter() == letter)
    }

    /// The direction it looks in: right, up, to the front.
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

    /// Where it goes when the whole cube is turned clockwise around `axis`, so many quarters.
    pub fn carried(self, axis: Face, quarters: u8) -> Face {
        let end = (0..quarters).fold(self.normal(), |normal, _| clockwise(normal, axis));
        Face::ALL.into_iter().find(|face| face.normal() == end).unwrap_or(self)
    }
}

/// All 24 ways to hold a cube: which face each one goes to.
pub(crate) fn rotations() -> Vec<[Face; 6]> {
    let mut all = vec![Face::ALL];
    let mut at = 0;
    while let Some(&held) = all.get(at) {
        at += 1;
        for axis in [Face::U, Face::R] {
            let next = held.map(|face| face.carried(axis, 1));
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

/// A point after a quarter turn around `axis`, clockwise as seen by someone who looks at that face.
pub(super) fn clockwise(point: [i8; 3], axis: Face) -> [i8; 3] {
    let ([x, y, z], [a, b, c]) = (point, axis.normal());
    let along = a * x + b * y + c * z;
    [along * a + y * c - z * b, along * b + z * a - x * c, along * c + x * b - y * a]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_carries_faces_as_hands_do() {
        use Face::*;
        for (axis, ring) in [(U, [F, L, B, R]), (R, [F, U, B, D]), (F, [U, R, D, L])] {
            for (place, face) in ring.into_iter().enumerate() {
                assert_eq!(face.carried(axis, 1), ring[(place + 1) % 4], "{face} around {axis}");
                assert_eq!(face.carried(axis.opposite(), 1), ring[(place + 3) % 4]);
                assert_eq!(face.carried(axis, 2), face.opposite());
            }
            assert_eq!(axis.carried(axis, 1), axis);
        }
    }
}
