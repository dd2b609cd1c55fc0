//! Colour schemes: the assignment of letters to faces, and the pieces that lettered stickers show.

use untumble_search::error::PieceKind;

use super::error::CubeError;
use super::face::Face;
use super::input::UNKNOWN;
use super::pieces::{CORNERS, Cubie, EDGES, corner_stickers, edge_stickers, find_piece};

/// By face: the letter of its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ColourScheme(pub(super) [char; 6]);

/// The name of a sticker, given by its index, such as U9.
pub(super) fn sticker_name(side: usize, sticker: usize) -> String {
    format!("{}{}", Face::ALL[sticker / (side * side)], sticker % (side * side) + 1)
}

/// The letters that occur, in order of first appearance.
pub(super) fn distinct_letters(symbols: &[char]) -> Vec<char> {
    let mut letters = Vec::new();
    for &symbol in symbols {
        if symbol != UNKNOWN && !letters.contains(&symbol) {
            letters.push(symbol);
        }
    }
    letters
}

impl ColourScheme {
    /// Each colour has the letter of its face.
    pub(crate) const FACE_LETTERS: ColourScheme = ColourScheme(['U', 'R', 'F', 'D', 'L', 'B']);

    /// The face with a colour letter.
    pub(super) fn face(&self, symbol: char) -> Option<Face> {
        Face::ALL.into_iter().find(|face| self.0[face.index()] == symbol)
    }

    /// The scheme of Rubik's cube, given by its centres. Checks all stickers.
    pub(crate) fn from_centres(symbols: &[char]) -> Result<ColourScheme, CubeError> {
        let scheme = ColourScheme(std::array::from_fn(|face| symbols[9 * face + 4]));
        for face in Face::ALL {
            let colour = scheme.0[face.index()];
            if let Some(first) = scheme.face(colour).filter(|&first| first != face) {
                return Err(CubeError::SameCentres { first, second: face, colour });
            }
        }
        if let Some(sticker) = symbols.iter().position(|&symbol| scheme.face(symbol).is_none()) {
            return Err(CubeError::StrangeColour { sticker, colour: symbols[sticker] });
        }
        scheme.check_counts(symbols, 9)?;
        Ok(scheme)
    }

    /// The scheme of a pocket cube, which has no centres. Face letters denote their faces; for other
    /// letters the assignment with the most valid corners is taken.
    pub(crate) fn from_corners(symbols: &[char]) -> Result<ColourScheme, CubeError> {
        let letters = pocket_letters(symbols)?;
        if let Ok(six) = <[char; 6]>::try_from(letters.clone()) {
            ColourScheme(six).check_counts(symbols, 4)?;
        }
        if are_face_letters(&letters) {
            return Ok(ColourScheme::FACE_LETTERS);
        }
        let count_valid_corners = |scheme: &ColourScheme| {
            let mut found: Vec<Option<usize>> = slot_colours(symbols, &corner_stickers::<2>(), scheme)
                .map(|(_, colours)| {
                    colours.and_then(|colours| find_piece(&CORNERS, colours)).map(|cubie| cubie.piece)
                })
                .collect();
            found.sort_unstable();
            found.dedup();
            found.into_iter().flatten().count()
        };
        // Rotations of the cube are equivalent, so let the first letter denote U.
        let best =
            assignments(&letters).filter(|scheme| scheme.0[0] == letters[0]).max_by_key(count_valid_corners);
        best.ok_or(CubeError::ColourNumber { colours: letters })
    }

    /// Checks that every colour occurs `expected` times.
    fn check_counts(&self, symbols: &[char], expected: usize) -> Result<(), CubeError> {
        let stickers_of = |colour: char| -> Vec<usize> {
            (0..symbols.len()).filter(|&sticker| symbols[sticker] == colour).collect()
        };
        let colours = self.0.iter().map(|&colour| (colour, stickers_of(colour)));
        let wrong: Vec<(char, Vec<usize>)> =
            colours.filter(|(_, stickers)| stickers.len() != expected).collect();
        if wrong.is_empty() { Ok(()) } else { Err(CubeError::ColourCounts { each: expected, wrong }) }
    }
}

/// The letters of a pocket cube: six if all stickers are known.
pub(super) fn pocket_letters(symbols: &[char]) -> Result<Vec<char>, CubeError> {
    let letters = distinct_letters(symbols);
    let known = !symbols.contains(&UNKNOWN);
    if letters.len() > 6 || (known && letters.len() < 6) {
        return Err(CubeError::ColourNumber { colours: letters });
    }
    Ok(letters)
}

/// All assignments of letters to faces. A face without a letter gets [`UNKNOWN`].
pub(super) fn assignments(letters: &[char]) -> impl Iterator<Item = ColourScheme> {
    let mut all = vec![[UNKNOWN; 6]];
    for &letter in letters {
        let with_letter = |scheme: [char; 6]| {
            let free = (0..6).filter(move |&face| scheme[face] == UNKNOWN);
            free.map(move |face| {
                let mut scheme = scheme;
                scheme[face] = letter;
                scheme
            })
        };
        all = all.into_iter().flat_map(with_letter).collect();
    }
    all.into_iter().map(ColourScheme)
}

/// Whether all letters are face letters.
pub(super) fn are_face_letters(letters: &[char]) -> bool {
    letters.iter().all(|&letter| Face::from_letter(letter).is_some())
}

/// By slot: its letters, and the faces with these colours if all letters are known.
fn slot_colours<'a, const N: usize>(
    symbols: &'a [char],
    slots: &'a [[usize; N]],
    scheme: &'a ColourScheme,
) -> impl Iterator<Item = ([char; N], Option<[Face; N]>)> + 'a {
    slots.iter().map(|stickers| {
        let letters = stickers.map(|at| symbols[at]);
        let faces: Vec<Face> = letters.iter().filter_map(|&letter| scheme.face(letter)).collect();
        (letters, faces.try_into().ok())
    })
}

/// The corners that stickers show. Reports the first invalid one.
pub(crate) fn corners_from_stickers<const SIDE: usize>(
    symbols: &[char],
    scheme: &ColourScheme,
) -> Result<[Cubie; 8], CubeError> {
    let slots = corner_stickers::<SIDE>();
    let found: Vec<([char; 3], Option<[Face; 3]>)> = slot_colours(symbols, &slots, scheme).collect();
    let mirrored = |colours: Option<[Face; 3]>| {
        colours.is_some_and(|[a, b, c]| {
            find_piece(&CORNERS, [a, b, c]).is_none() && find_piece(&CORNERS, [a, c, b]).is_some()
        })
    };
    if found.iter().all(|&(_, colours)| mirrored(colours)) {
        return Err(CubeError::MirrorImage);
    }
    let mut corners = [Cubie { piece: 0, orientation: 0 }; 8];
    for (slot, (colours, faces)) in found.into_iter().enumerate() {
        match faces.and_then(|faces| find_piece(&CORNERS, faces)) {
            Some(cubie) => corners[slot] = cubie,
            None => {
                let mirrored = mirrored(faces);
                return Err(CubeError::NoSuchCorner { side: SIDE, slot, colours, mirrored });
            }
        }
    }
    check_unique(&corners, SIDE, PieceKind::Corner, |piece| {
        CORNERS[piece].map(|face| scheme.0[face.index()]).to_vec()
    })?;
    Ok(corners)
}

/// The edges that stickers show. Reports the first invalid one.
pub(crate) fn edges_from_stickers(symbols: &[char], scheme: &ColourScheme) -> Result<[Cubie; 12], CubeError> {
    let slots = edge_stickers();
    let mut edges = [Cubie { piece: 0, orientation: 0 }; 12];
    for (slot, (colours, faces)) in slot_colours(symbols, &slots, scheme).enumerate() {
        match faces.and_then(|faces| find_piece(&EDGES, faces)) {
            Some(cubie) => edges[slot] = cubie,
            None => return Err(CubeError::NoSuchEdge { slot, colours }),
        }
    }
    check_unique(&edges, 3, PieceKind::Edge, |piece| {
        EDGES[piece].map(|face| scheme.0[face.index()]).to_vec()
    })?;
    Ok(edges)
}

/// Checks that no piece occurs twice. `colours` returns the letters of a piece.
fn check_unique(
    cubies: &[Cubie],
    side: usize,
    kind: PieceKind,
    colours: impl Fn(usize) -> Vec<char>,
) -> Result<(), CubeError> {
    let slot_of =
        |piece: usize, start: usize| (start..cubies.len()).find(|&slot| cubies[slot].piece == piece);
    let missing = (0..cubies.len()).find(|&piece| slot_of(piece, 0).is_none());
    for piece in 0..cubies.len() {
        let Some(first) = slot_of(piece, 0) else { continue };
        if let (Some(second), Some(missing)) = (slot_of(piece, first + 1), missing) {
            let (colours, missing) = (colours(piece), colours(missing));
            return Err(CubeError::DuplicatePiece { side, kind, colours, first, second, missing });
        }
    }
    Ok(())
}
