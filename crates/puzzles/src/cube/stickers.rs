//! A cube as its stickers, for any number of layers: the reference model of the rules.

use super::face::{Face, rotate_clockwise};

/// The layers that a turn moves, counted from its face.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layers {
    /// The face itself.
    Outer,
    /// The face and the layer behind it.
    Wide,
    /// The middle layer alone.
    Slice,
    /// The whole cube.
    Whole,
}

/// A turn of some layers, clockwise as seen from outside the face.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// The face that defines the axis and the direction.
    pub face: Face,
    /// The layers that move.
    pub layers: Layers,
    /// Number of clockwise quarter turns, 1 to 3.
    pub quarters: u8,
}

impl Turn {
    /// A turn of the outer layer.
    pub fn outer(face: Face, quarters: u8) -> Turn {
        Turn { face, layers: Layers::Outer, quarters }
    }
}

/// A cube of `SIDE` layers as the colour of each sticker. A colour is named by the face it belongs to.
/// Faces are in the order U R F D L B, each row by row as in the usual net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stickers<const SIDE: usize> {
    /// The colour of each sticker.
    pub colours: Vec<Face>,
}

/// The position of a sticker: the coordinates of its cubie in half layers from the centre, and its face.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StickerPosition {
    cubie: [i8; 3],
    face: Face,
}

/// The positions of all stickers.
pub(super) fn sticker_positions<const SIDE: usize>() -> Vec<StickerPosition> {
    let outer = SIDE as i8 - 1;
    let mut sticker_positions = Vec::new();
    for face in Face::ALL {
        for row in 0..SIDE as i8 {
            for column in 0..SIDE as i8 {
                let (down, right) = (2 * row - outer, 2 * column - outer);
                let cubie = match face {
                    Face::U => [right, outer, down],
                    Face::R => [outer, -down, -right],
                    Face::F => [right, -down, outer],
                    Face::D => [right, -outer, -down],
                    Face::L => [-outer, -down, right],
                    Face::B => [-right, -down, -outer],
                };
                sticker_positions.push(StickerPosition { cubie, face });
            }
        }
    }
    sticker_positions
}

/// The index of the sticker on the first of `faces`, on the cubie where all of them meet.
pub(super) fn sticker<const SIDE: usize>(faces: &[Face]) -> usize {
    let outer = SIDE as i8 - 1;
    let mut cubie = [0; 3];
    for face in faces {
        for (coordinate, component) in cubie.iter_mut().zip(face.normal()) {
            *coordinate += outer * component;
        }
    }
    let sticker_positions = sticker_positions::<SIDE>();
    let number =
        sticker_positions.iter().position(|position| *position == StickerPosition { cubie, face: faces[0] });
    number.unwrap_or_else(|| panic!("no cubie lies at {faces:?}"))
}

impl<const SIDE: usize> Stickers<SIDE> {
    /// Number of stickers.
    pub const COUNT: usize = 6 * SIDE * SIDE;

    /// The solved cube.
    pub fn solved() -> Stickers<SIDE> {
        Stickers { colours: sticker_positions::<SIDE>().iter().map(|position| position.face).collect() }
    }

    /// The cube after a turn.
    #[must_use]
    pub fn apply(&self, turn: Turn) -> Stickers<SIDE> {
        let sticker_positions = sticker_positions::<SIDE>();
        let mut colours = self.colours.clone();
        for (from, position) in sticker_positions.iter().enumerate() {
            if !is_moved::<SIDE>(position, turn) {
                continue;
            }
            let mut end = *position;
            for _ in 0..turn.quarters {
                end = StickerPosition {
                    cubie: rotate_clockwise(end.cubie, turn.face),
                    face: end.face.rotated(turn.face, 1),
                };
            }
            let to = sticker_positions.iter().position(|other| *other == end);
            colours[to.expect("a turn carries stickers to stickers")] = self.colours[from];
        }
        Stickers { colours }
    }
}

/// Whether a turn moves the sticker at a position.
fn is_moved<const SIDE: usize>(position: &StickerPosition, turn: Turn) -> bool {
    let depth: i8 = position
        .cubie
        .iter()
        .zip(turn.face.normal())
        .map(|(coordinate, component)| coordinate * component)
        .sum();
    let outer = SIDE as i8 - 1;
    match turn.layers {
        Layers::Outer => depth == outer,
        Layers::Wide => depth >= outer - 2,
        Layers::Slice => depth == 0,
        Layers::Whole => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_quarter_turns_are_the_identity_and_layers_add_up() {
        let turn = |face, layers, quarters| Turn { face, layers, quarters };
        for face in Face::ALL {
            for layers in [Layers::Outer, Layers::Wide, Layers::Slice, Layers::Whole] {
                let mixed = Stickers::<3>::solved().apply(turn(Face::F, Layers::Outer, 1));
                let mixed = mixed.apply(turn(Face::R, Layers::Wide, 1));
                let mut cube = mixed.clone();
                for _ in 0..4 {
                    cube = cube.apply(turn(face, layers, 1));
                }
                assert_eq!(cube, mixed);
                let half = mixed.apply(turn(face, layers, 1)).apply(turn(face, layers, 1));
                assert_eq!(mixed.apply(turn(face, layers, 2)), half);
                let parts = mixed
                    .apply(turn(face, Layers::Outer, 1))
                    .apply(turn(face, Layers::Slice, 1))
                    .apply(turn(face.opposite(), Layers::Outer, 3));
                assert_eq!(mixed.apply(turn(face, Layers::Whole, 1)), parts);
            }
        }
    }

    #[test]
    fn r_u_gives_the_known_stickers() {
        // Verified on a physical cube: R U from solved.
        let cube = Stickers::<3>::solved().apply(Turn::outer(Face::R, 1)).apply(Turn::outer(Face::U, 1));
        let text: String = cube.colours.iter().map(|face| face.letter()).collect();
        assert_eq!(text, "UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB");
    }
}
