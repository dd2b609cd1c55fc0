//! Which letter stands for which face, and which pieces the letters then show.

use untumble_search::error::PieceKind;

use super::error::CubeError;
use super::face::Face;
use super::pieces::{CORNERS, EDGES, Placed, corner_stickers, edge_stickers, piece};
use super::reading::UNKNOWN;

/// The letter of each face's colour, by face.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scheme(pub(super) [char; 6]);

/// The name of a sticker.
pub(super) fn name(side: usize, number: usize) -> String {
    format!("{}{}", Face::ALL[number / (side * side)], number % (side * side) + 1)
}

/// The letters there are, in order of appearance.
pub(super) fn letters(symbols: &[char]) -> Vec<char> {
    let mut letters = Vec::new();
    for &symbol in symbols {
        if symbol != UNKNOWN && !letters.contains(&symbol) {
            letters.push(symbol);
        }
    }
    letters
}

impl Scheme {
    /// The faces' own letters.
    pub(crate) const OWN: Scheme = Scheme(['U', 'R', 'F', 'D', 'L', 'B']);

    /// The face whose colour a letter is.
    pub(super) fn face(&self, symbol: char) -> Option<Face> {
        Face::ALL.into_iter().find(|face| self.0[face.index()] == symbol)
    }

    /// Rubik's cube says it by its centres.
    pub(crate) fn of_centres(symbols: &[char]) -> Result<Scheme, CubeError> {
        let scheme = Scheme(std::array::from_fn(|face| symbols[9 * face + 4]));
        for face in Face::ALL {
            let colour = scheme.0[face.index()];
            if let Some(first) = scheme.face(colour).filter(|&first| first != face) {
                return Err(CubeError::SameCentres { first, second: face, colour });
            }
        }
        if let Some(sticker) = symbols.iter().position(|&symbol| scheme.face(symbol).is_none()) {
            return Err(CubeError::StrangeColour { sticker, colour: symbols[sticker] });
        }
        scheme.counted(symbols, 9)?;
        Ok(scheme)
    }

    /// A pocket cube has no centres: the letters of the faces mean the faces; others mean whatever makes
    /// the most corners real.
    pub(crate) fn of_corners(symbols: &[char]) -> Result<Scheme, CubeError> {
        let letters = six(symbols)?;
        if let Ok(whole) = <[char; 6]>::try_from(letters.clone()) {
            Scheme(whole).counted(symbols, 4)?;
        }
        if own(&letters) {
            return Ok(Scheme::OWN);
        }
        let real = |scheme: &Scheme| {
            let mut found: Vec<Option<usize>> = shown(symbols, &corner_stickers::<2>(), scheme)
                .map(|(_, colours)| {
                    colours.and_then(|colours| piece(&CORNERS, colours)).map(|placed| placed.piece)
                })
                .collect();
            found.sort_unstable();
            found.dedup();
            found.into_iter().flatten().count()
        };
        // Any cube can be held so that the first letter means U.
        let best = schemes(&letters).filter(|scheme| scheme.0[0] == letters[0]).max_by_key(real);
        best.ok_or(CubeError::ColourNumber { colours: letters })
    }

    /// Refuses colours that are there too often.
    fn counted(&self, symbols: &[char], each: usize) -> Result<(), CubeError> {
        let places = |colour: char| -> Vec<usize> {
            (0..symbols.len()).filter(|&sticker| symbols[sticker] == colour).collect()
        };
        let all = self.0.iter().map(|&colour| (colour, places(colour)));
        let wrong: Vec<(char, Vec<usize>)> = all.filter(|(_, at)| at.len() != each).collect();
        if wrong.is_empty() { Ok(()) } else { Err(CubeError::ColourCounts { each, wrong }) }
    }
}

/// The letters of a pocket cube, six where all stickers are known.
pub(super) fn six(symbols: &[char]) -> Result<Vec<char>, CubeError> {
    let letters = letters(symbols);
    let known = !symbols.contains(&UNKNOWN);
    if letters.len() > 6 || (known && letters.len() < 6) {
        return Err(CubeError::ColourNumber { colours: letters });
    }
    Ok(letters)
}

/// All ways to give letters to the faces; a face that gets none has the letter [`UNKNOWN`].
pub(super) fn schemes(letters: &[char]) -> impl Iterator<Item = Scheme> {
    let mut all = vec![[UNKNOWN; 6]];
    for &letter in letters {
        let with = |scheme: [char; 6]| {
            let free = (0..6).filter(move |&face| scheme[face] == UNKNOWN);
            free.map(move |face| {
                let mut scheme = scheme;
                scheme[face] = letter;
                scheme
            })
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all.into_iter().map(Scheme)
}

/// Whether letters mean the faces they name.
pub(super) fn own(letters: &[char]) -> bool {
    letters.iter().all(|&letter| Face::of(letter).is_some())
}

/// The letters in each slot, and the colours they stand for where all are known.
fn shown<'a, const N: usize>(
    symbols: &'a [char],
    slots: &'a [[usize; N]],
    scheme: &'a Scheme,
) -> impl Iterator<Item = ([char; N], Option<[Face; N]>)> + 'a {
    slots.iter().map(|stickers| {
        let letters = stickers.map(|at| symbols[at]);
        let faces: Vec<Face> = letters.iter().filter_map(|&letter| scheme.face(letter)).collect();
        (letters, faces.try_into().ok())
    })
}

/// The corners that stickers show; the first that is none is named.
pub(crate) fn corners<const SIDE: usize>(
    symbols: &[char],
    scheme: &Scheme,
) -> Result<[Placed; 8], CubeError> {
    let slots = corner_stickers::<SIDE>();
    let found: Vec<([char; 3], Option<[Face; 3]>)> = shown(symbols, &slots, scheme).collect();
    let mirrored = |colours: Option<[Face; 3]>| {
        colours.is_some_and(|[a, b, c]| {
            piece(&CORNERS, [a, b, c]).is_none() && piece(&CORNERS, [a, c, b]).is_some()
        })
    };
    if found.iter().all(|&(_, colours)| mirrored(colours)) {
        return Err(CubeError::MirrorImage);
    }
    let mut corners = [Placed { piece: 0, turn: 0 }; 8];
    for (slot, (colours, faces)) in found.into_iter().enumerate() {
        match faces.and_then(|faces| piece(&CORNERS, faces)) {
            Some(placed) => corners[slot] = placed,
            None => {
                let mirrored = mirrored(faces);
                return Err(CubeError::NoSuchCorner { side: SIDE, slot, colours, mirrored });
            }
        }
    }
    once(&corners, SIDE, PieceKind::Corner, |piece| {
        CORNERS[piece].map(|face| scheme.0[face.index()]).to_vec()
    })?;
    Ok(corners)
}

/// The edges that stickers show; the first that is none is named.
pub(crate) fn edges(symbols: &[char], scheme: &Scheme) -> Result<[Placed; 12], CubeError> {
    let slots = edge_stickers();
    let mut edges = [Placed { piece: 0, turn: 0 }; 12];
    for (slot, (colours, faces)) in shown(symbols, &slots, scheme).enumerate() {
        match faces.and_then(|faces| piece(&EDGES, faces)) {
            Some(placed) => edges[slot] = placed,
            None => return Err(CubeError::NoSuchEdge { slot, colours }),
        }
    }
    once(&edges, 3, PieceKind::Edge, |piece| EDGES[piece].map(|face| scheme.0[face.index()]).to_vec())?;
    Ok(edges)
}

/// Refuses pieces that are there twice.
fn once(
    placed: &[Placed],
    side: usize,
    kind: PieceKind,
    colours: impl Fn(usize) -> Vec<char>,
) -> Result<(), CubeError> {
    let slot_of =
        |piece: usize, after: usize| (after..placed.len()).find(|&slot| placed[slot].piece == piece);
    let missing = (0..placed.len()).find(|&piece| slot_of(piece, 0).is_none());
    for piece in 0..placed.len() {
        let Some(first) = slot_of(piece, 0) else { continue };
        if let (Some(second), Some(missing)) = (slot_of(piece, first + 1), missing) {
            let (colours, missing) = (colours(piece), colours(missing));
            return Err(CubeError::DuplicatePiece { side, kind, colours, first, second, missing });
        }
    }
    Ok(())
}
