//! Which letter stands for which face, and which pieces the letters then show.

use untumble_search::error::{Diagnostic, invalid};

use super::face::Face;
use super::pieces::{
    CORNER_NAMES, CORNERS, EDGE_NAMES, EDGES, Placed, corner_stickers, edge_stickers, piece,
};
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
    pub(crate) fn of_centres(symbols: &[char]) -> Result<Scheme, Box<Diagnostic>> {
        let scheme = Scheme(std::array::from_fn(|face| symbols[9 * face + 4]));
        for face in Face::ALL {
            let colour = scheme.0[face.index()];
            if let Some(first) = scheme.face(colour).filter(|&first| first != face) {
                return Err(invalid(format!(
                    "the centres of {first} and {face} are both `{colour}`; the six centres have six colours"
                )));
            }
        }
        if let Some(place) = symbols.iter().position(|&symbol| scheme.face(symbol).is_none()) {
            return Err(invalid(format!(
                "sticker {} is `{}`, a colour that no centre has",
                name(3, place),
                symbols[place]
            )));
        }
        scheme.counted(symbols, 9)?;
        Ok(scheme)
    }

    /// A pocket cube has no centres: the letters of the faces mean the faces; others mean whatever makes
    /// the most corners real.
    pub(crate) fn of_corners(symbols: &[char]) -> Result<Scheme, Box<Diagnostic>> {
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
        best.ok_or_else(|| invalid("a cube has six colours"))
    }

    /// Refuses colours that are there too often.
    fn counted(&self, symbols: &[char], each: usize) -> Result<(), Box<Diagnostic>> {
        let count = |colour: char| symbols.iter().filter(|&&symbol| symbol == colour).count();
        let wrong: Vec<String> = self
            .0
            .iter()
            .filter(|&&colour| count(colour) != each)
            .map(|&colour| format!("{} of `{colour}`", count(colour)))
            .collect();
        if wrong.is_empty() {
            return Ok(());
        }
        Err(invalid(format!("expected {each} stickers of each colour, found {}", wrong.join(", "))))
    }
}

/// The letters of a pocket cube, six where all stickers are known.
pub(super) fn six(symbols: &[char]) -> Result<Vec<char>, Box<Diagnostic>> {
    let letters = letters(symbols);
    let known = !symbols.contains(&UNKNOWN);
    if letters.len() > 6 || (known && letters.len() < 6) {
        let named: Vec<String> = letters.iter().take(9).map(|letter| format!("`{letter}`")).collect();
        return Err(invalid(format!(
            "expected stickers of six colours, found {}: {}",
            letters.len(),
            named.join(", ")
        )));
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
) -> Result<[Placed; 8], Box<Diagnostic>> {
    let slots = corner_stickers::<SIDE>();
    let found: Vec<([char; 3], Option<[Face; 3]>)> = shown(symbols, &slots, scheme).collect();
    let mirrored = |colours: Option<[Face; 3]>| {
        colours.is_some_and(|[a, b, c]| {
            piece(&CORNERS, [a, b, c]).is_none() && piece(&CORNERS, [a, c, b]).is_some()
        })
    };
    if found.iter().all(|&(_, colours)| mirrored(colours)) {
        return Err(invalid(
            "every corner runs the wrong way round: this is the mirror image of a cube; \
             the colours of two opposite faces are exchanged, or the faces were read from the wrong side",
        ));
    }
    let mut corners = Vec::with_capacity(8);
    for ((letters, colours), slot) in found.into_iter().zip(CORNER_NAMES) {
        let [a, b, c] = letters;
        match colours.and_then(|colours| piece(&CORNERS, colours)) {
            Some(placed) => corners.push(placed),
            None if mirrored(colours) => {
                return Err(invalid(format!(
                    "the corner at {slot} has colours {a}, {b}, {c} clockwise, which no corner has: \
                     the real one has {a}, {c}, {b}"
                )));
            }
            None => {
                return Err(invalid(format!(
                    "the corner at {slot} has colours {a}, {b}, {c}, which no corner has"
                )));
            }
        }
    }
    once(&corners, &CORNER_NAMES, "corner", |piece| {
        CORNERS[piece].map(|face| scheme.0[face.index()]).to_vec()
    })?;
    corners.try_into().map_err(|_| invalid("a cube has eight corners"))
}

/// The edges that stickers show; the first that is none is named.
pub(crate) fn edges(symbols: &[char], scheme: &Scheme) -> Result<[Placed; 12], Box<Diagnostic>> {
    let slots = edge_stickers();
    let mut edges = Vec::with_capacity(12);
    for (([a, b], colours), slot) in shown(symbols, &slots, scheme).zip(EDGE_NAMES) {
        match colours.and_then(|colours| piece(&EDGES, colours)) {
            Some(placed) => edges.push(placed),
            None => {
                return Err(invalid(format!("the edge at {slot} has colours {a}, {b}, which no edge has")));
            }
        }
    }
    once(&edges, &EDGE_NAMES, "edge", |piece| EDGES[piece].map(|face| scheme.0[face.index()]).to_vec())?;
    edges.try_into().map_err(|_| invalid("a cube has twelve edges"))
}

/// Refuses pieces that are there twice.
fn once(
    placed: &[Placed],
    slots: &[&str],
    kind: &str,
    colours: impl Fn(usize) -> Vec<char>,
) -> Result<(), Box<Diagnostic>> {
    let slot_of =
        |piece: usize, after: usize| (after..placed.len()).find(|&slot| placed[slot].piece == piece);
    let spelled = |piece: usize| colours(piece).iter().map(char::to_string).collect::<Vec<_>>().join(", ");
    let missing = (0..placed.len()).find(|&piece| slot_of(piece, 0).is_none());
    for piece in 0..placed.len() {
        let Some(first) = slot_of(piece, 0) else { continue };
        if let (Some(second), Some(missing)) = (slot_of(piece, first + 1), missing) {
            return Err(invalid(format!(
                "the {kind} with colours {} is there twice, at {} and at {}; the one with {} is missing",
                spelled(piece),
                slots[first],
                slots[second],
                spelled(missing)
            )));
        }
    }
    Ok(())
}
