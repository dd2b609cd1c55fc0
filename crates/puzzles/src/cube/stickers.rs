//! A cube as its stickers: the plain version of the rules, for any side.

use super::face::{Face, clockwise};

/// Which layers turn, counted from the turn's face.
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

/// A turn of some layers, clockwise as seen by someone who looks at the face.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// The face looked at.
    pub face: Face,
    /// What turns.
    pub layers: Layers,
    /// Quarters of a turn: 1 to 3.
    pub quarters: u8,
}

impl Turn {
    /// The turn of a face.
    pub fn of(face: Face, quarters: u8) -> Turn {
        Turn { face, layers: Layers::Outer, quarters }
    }
}

/// A cube of `SIDE` layers as the colour of each sticker, colours being named by the faces they belong on. Stickers stand
/// in the order U R F D L B, each face row by row as one looks at it in the usual net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stickers<const SIDE: usize> {
    /// The colours.
    pub colours: Vec<Face>,
}

/// Where a sticker is: its cubie, counted in halves of a layer from the centre, and the face it is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    place: [i8; 3],
    face: Face,
}

/// The spots of all stickers, in order.
pub(super) fn spots<const SIDE: usize>() -> Vec<Spot> {
    let far = SIDE as i8 - 1;
    let mut spots = Vec::new();
    for face in Face::ALL {
        for row in 0..SIDE as i8 {
            for column in 0..SIDE as i8 {
                let (down, right) = (2 * row - far, 2 * column - far);
                let place = match face {
                    Face::U => [right, far, down],
                    Face::R => [far, -down, -right],
                    Face::F => [right, -down, far],
                    Face::D => [right, -far, -down],
                    Face::L => [-far, -down, right],
                    Face::B => [-right, -down, -far],
                };
                spots.push(Spot { place, face });
            }
        }
    }
    spots
}

/// The number of the sticker that a cubie at the meeting of `faces` has on the first of them.
pub(super) fn sticker<const SIDE: usize>(faces: &[Face]) -> usize {
    let far = SIDE as i8 - 1;
    let mut place = [0; 3];
    for face in faces {
        for (at, part) in place.iter_mut().zip(face.normal()) {
            *at += far * part;
        }
    }
    let spots = spots::<SIDE>();
    let number = spots.iter().position(|spot| *spot == Spot { place, face: faces[0] });
    number.unwrap_or_else(|| panic!("no cubie lies at {faces:?}"))
}

impl<const SIDE: usize> Stickers<SIDE> {
    /// How many there are.
    pub const COUNT: usize = 6 * SIDE * SIDE;

    /// The solved cube.
    pub fn solved() -> Stickers<SIDE> {
        Stickers { colours: spots::<SIDE>().iter().map(|spot| spot.face).collect() }
    }

    /// The cube after a turn.
    #[must_use]
    pub fn turned(&self, turn: Turn) -> Stickers<SIDE> {
        let spots = spots::<SIDE>();
        let mut colours = self.colours.clone();
        for (from, spot) in spots.iter().enumerate() {
            if !moves::<SIDE>(spot, turn) {
                continue;
            }
            let mut end = *spot;
            for _ in 0..turn.quarters {
                end = Spot { place: clockwise(end.place, turn.face), face: end.face.carried(turn.face, 1) };
            }
            let to = spots.iter().position(|other| *other == end);
            colours[to.expect("a turn carries stickers to stickers")] = self.colours[from];
        }
        Stickers { colours }
    }
}

/// Whether a turn moves what is at a spot.
fn moves<const SIDE: usize>(spot: &Spot, turn: Turn) -> bool {
    let depth: i8 = spot.place.iter().zip(turn.face.normal()).map(|(at, part)| at * part).sum();
    let far = SIDE as i8 - 1;
    match turn.layers {
        Layers::Outer => depth == far,
        Layers::Wide => depth >= far - 2,
        Layers::Slice => depth == 0,
        Layers::Whole => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_quarters_are_nothing_and_layers_add_up() {
        let turn = |face, layers, quarters| Turn { face, layers, quarters };
        for face in Face::ALL {
            for layers in [Layers::Outer, Layers::Wide, Layers::Slice, Layers::Whole] {
                let mixed = Stickers::<3>::solved().turned(turn(Face::F, Layers::Outer, 1));
                let mixed = mixed.turned(turn(Face::R, Layers::Wide, 1));
                let mut cube = mixed.clone();
                for _ in 0..4 {
                    cube = cube.turned(turn(face, layers, 1));
                }
                assert_eq!(cube, mixed);
                let half = mixed.turned(turn(face, layers, 1)).turned(turn(face, layers, 1));
                assert_eq!(mixed.turned(turn(face, layers, 2)), half);
                let parts = mixed
                    .turned(turn(face, Layers::Outer, 1))
                    .turned(turn(face, Layers::Slice, 1))
                    .turned(turn(face.opposite(), Layers::Outer, 3));
                assert_eq!(mixed.turned(turn(face, Layers::Whole, 1)), parts);
            }
        }
    }

    #[test]
    fn a_known_position() {
        // Written down from a cube in hand: R U on a solved one.
        let cube = Stickers::<3>::solved().turned(Turn::of(Face::R, 1)).turned(Turn::of(Face::U, 1));
        let text: String = cube.colours.iter().map(|face| face.letter()).collect();
        assert_eq!(text, "UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB");
    }
}
