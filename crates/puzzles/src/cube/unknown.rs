//! Pocket cubes with stickers that are not known: what the rest leaves possible.

use super::error::CubeError;
use super::face::{Face, rotations};
use super::missing::unknown;
use super::pieces::{CORNERS, Placed, corner_stickers, shown};
use super::reading::UNKNOWN;
use super::scheme::{Scheme, corners, own, schemes, six};

/// The slot whose corner says how the cube is held.
const HELD: usize = 6;

/// The corners of a pocket cube of which every sticker is known.
fn known(symbols: &[char]) -> Result<[Placed; 8], CubeError> {
    corners::<2>(symbols, &Scheme::of_corners(symbols)?)
}

/// The corners of a pocket cube, if its known stickers allow for one position alone. What can be solved goes first: it is
/// taken where it is the only one, whatever twisted corners would allow as well.
pub(crate) fn pocket(symbols: &[char]) -> Result<[Placed; 8], CubeError> {
    if !symbols.contains(&UNKNOWN) {
        return known(symbols);
    }
    let letters = six(symbols)?;
    let mut search =
        Search { symbols, slots: corner_stickers::<2>(), solvable: Vec::new(), twisted: Vec::new() };
    for scheme in schemes(&letters).filter(|scheme| !own(&letters) || rotated(scheme)) {
        search.fill(&scheme, &mut Vec::new());
        if search.solvable.len() > 1 {
            return Err(CubeError::Ambiguous { pieces: None, unknown: unknown(symbols) });
        }
    }
    match (&search.solvable[..], &search.twisted[..]) {
        ([one], _) | ([], [one]) => Ok(*one),
        ([], []) => Err(CubeError::Impossible { side: 2 }),
        _ => Err(CubeError::OnlyTwisted),
    }
}

/// Whether a scheme is how the letters of the faces look from some side.
fn rotated(scheme: &Scheme) -> bool {
    rotations().iter().any(|held| {
        let fits = |(letter, face): (&char, &Face)| *letter == UNKNOWN || *letter == face.letter();
        scheme.0.iter().zip(held).all(fits)
    })
}

struct Search<'a> {
    symbols: &'a [char],
    slots: [[usize; 3]; 8],
    solvable: Vec<[Placed; 8]>,
    twisted: Vec<[Placed; 8]>,
}

impl Search<'_> {
    /// Fills the slots after those that have their corners in every way that fits, until two positions are found.
    fn fill(&mut self, scheme: &Scheme, placed: &mut Vec<Placed>) {
        let slot = placed.len();
        if let Ok(whole) = <[Placed; 8]>::try_from(placed.as_slice()) {
            let twist: usize = whole.iter().map(|placed| placed.turn).sum();
            let list = if twist.is_multiple_of(3) { &mut self.solvable } else { &mut self.twisted };
            if !list.contains(&whole) && list.len() < 2 {
                list.push(whole);
            }
            return;
        }
        for piece in 0..8 {
            if placed.iter().any(|other| other.piece == piece) || (slot == HELD) != (piece == HELD) {
                continue;
            }
            for turn in 0..if slot == HELD { 1 } else { 3 } {
                let candidate = Placed { piece, turn };
                if self.solvable.len() < 2 && self.fits(scheme, slot, candidate) {
                    placed.push(candidate);
                    self.fill(scheme, placed);
                    placed.pop();
                }
            }
        }
    }

    fn fits(&self, scheme: &Scheme, slot: usize, candidate: Placed) -> bool {
        shown(&CORNERS, candidate)
            .into_iter()
            .zip(self.slots[slot])
            .all(|(face, at)| self.symbols[at] == UNKNOWN || scheme.0[face.index()] == self.symbols[at])
    }
}
