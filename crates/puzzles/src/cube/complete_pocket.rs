//! Completes pocket cubes with unknown stickers, if the known ones determine the position.

use super::complete_rubik::unknown_stickers;
use super::error::CubeError;
use super::face::{Face, rotations};
use super::input::UNKNOWN;
use super::pieces::{CORNERS, Cubie, corner_stickers, visible_colours};
use super::scheme::{ColourScheme, are_face_letters, assignments, corners_from_stickers, pocket_letters};

/// The slot of the corner that fixes the orientation of the cube.
const FIXED_SLOT: usize = 6;

/// The corners of a pocket cube whose stickers are all known.
fn from_known_stickers(symbols: &[char]) -> Result<[Cubie; 8], CubeError> {
    corners_from_stickers::<2>(symbols, &ColourScheme::from_corners(symbols)?)
}

/// The corners of a pocket cube, if its known stickers determine one position. A single solvable completion
/// is accepted even if unsolvable ones exist.
pub(crate) fn complete_pocket_cube(symbols: &[char]) -> Result<[Cubie; 8], CubeError> {
    if !symbols.contains(&UNKNOWN) {
        return from_known_stickers(symbols);
    }
    let letters = pocket_letters(symbols)?;
    let mut completion =
        Completion { symbols, slots: corner_stickers::<2>(), solvable: Vec::new(), twisted: Vec::new() };
    for scheme in assignments(&letters).filter(|scheme| !are_face_letters(&letters) || is_rotation(scheme)) {
        completion.fill(&scheme, &mut Vec::new());
        if completion.solvable.len() > 1 {
            return Err(CubeError::Ambiguous { pieces: None, unknown: unknown_stickers(symbols) });
        }
    }
    match (&completion.solvable[..], &completion.twisted[..]) {
        ([one], _) | ([], [one]) => Ok(*one),
        ([], []) => Err(CubeError::Impossible { side: 2 }),
        _ => Err(CubeError::OnlyTwisted),
    }
}

/// Whether the known letters of a scheme are the face letters of a rotated cube.
fn is_rotation(scheme: &ColourScheme) -> bool {
    rotations().iter().any(|rotation| {
        let fits = |(letter, face): (&char, &Face)| *letter == UNKNOWN || *letter == face.letter();
        scheme.0.iter().zip(rotation).all(fits)
    })
}

/// The search for completions of the known stickers.
struct Completion<'a> {
    /// By sticker: its letter, or [`UNKNOWN`].
    symbols: &'a [char],
    /// By slot: the indices of its stickers.
    slots: [[usize; 3]; 8],
    /// Completions found with a valid corner twist.
    solvable: Vec<[Cubie; 8]>,
    /// Completions found with an invalid corner twist.
    twisted: Vec<[Cubie; 8]>,
}

impl Completion<'_> {
    /// Fills the remaining slots in every way that fits the known stickers, until two positions are found.
    fn fill(&mut self, scheme: &ColourScheme, placed: &mut Vec<Cubie>) {
        let slot = placed.len();
        if let Ok(corners) = <[Cubie; 8]>::try_from(placed.as_slice()) {
            let twist: usize = corners.iter().map(|cubie| cubie.orientation).sum();
            let list = if twist.is_multiple_of(3) { &mut self.solvable } else { &mut self.twisted };
            if !list.contains(&corners) && list.len() < 2 {
                list.push(corners);
            }
            return;
        }
        for piece in 0..8 {
            if placed.iter().any(|other| other.piece == piece)
                || (slot == FIXED_SLOT) != (piece == FIXED_SLOT)
            {
                continue;
            }
            for orientation in 0..if slot == FIXED_SLOT { 1 } else { 3 } {
                let candidate = Cubie { piece, orientation };
                if self.solvable.len() < 2 && self.fits(scheme, slot, candidate) {
                    placed.push(candidate);
                    self.fill(scheme, placed);
                    placed.pop();
                }
            }
        }
    }

    /// Whether a cubie in a slot matches the known stickers there.
    fn fits(&self, scheme: &ColourScheme, slot: usize, candidate: Cubie) -> bool {
        visible_colours(&CORNERS, candidate).into_iter().zip(self.slots[slot]).all(|(face, sticker)| {
            self.symbols[sticker] == UNKNOWN || scheme.0[face.index()] == self.symbols[sticker]
        })
    }
}
