//! Cubes near one that is none or cannot be solved: a piece is turned or exchanged, a wrong sticker painted over.

use untumble_search::error::PieceKind;
use untumble_search::frontend::{Change, ChangeKind};

use super::error::{piece_at, sticker_at};
use super::face::Face;
use super::pieces::{CORNER_NAMES, EDGE_NAMES, Placed, odd, piece, shown};
use super::scheme::{Scheme, name};

/// A step of a repair, in words and as data.
pub(crate) type Step = (String, Vec<Change>);

/// More would be no help.
pub(crate) const MOST: usize = 3;
/// With more stickers wrong, nobody knows what was meant.
const MOST_PAINTED: usize = 4;
/// With more pieces missing, nobody knows either.
const MOST_MISSING: usize = 2;

/// Turned by so much altogether: what is left of full turns.
fn left(pieces: &[Placed], ways: usize) -> usize {
    pieces.iter().map(|placed| placed.turn).sum::<usize>() % ways
}

/// The slots whose pieces are the likeliest to be turned wrongly: those at home but for their turn come first.
fn turned(pieces: &[Placed], held: Option<usize>) -> Vec<usize> {
    let mut slots: Vec<usize> = (0..pieces.len()).filter(|&slot| Some(slot) != held).collect();
    slots.sort_by_key(|&slot| (pieces[slot].piece != slot, pieces[slot].turn == 0, slot));
    slots
}

/// The ways to have corners turned by whole turns altogether, the likeliest first, each with what is done. The corner in
/// slot `held` stays.
pub(crate) fn untwisted(
    corners: &[Placed; 8],
    side: usize,
    held: Option<usize>,
) -> Vec<([Placed; 8], Option<Step>)> {
    let left = left(corners, 3);
    if left == 0 {
        return vec![(*corners, None)];
    }
    let (way, kind) = if left == 1 {
        ("anticlockwise", ChangeKind::TurnAnticlockwise)
    } else {
        ("clockwise", ChangeKind::TurnClockwise)
    };
    let turn = |slot: usize| {
        let mut other = *corners;
        other[slot].turn = (other[slot].turn + 3 - left) % 3;
        let change = Change { kind, pieces: vec![piece_at(side, PieceKind::Corner, slot)] };
        (other, Some((format!("turn the corner at {} {way} by a third", CORNER_NAMES[slot]), vec![change])))
    };
    turned(corners, held).into_iter().take(MOST).map(turn).collect()
}

/// The same for edges.
pub(crate) fn unflipped(edges: &[Placed; 12]) -> Vec<([Placed; 12], Option<Step>)> {
    if left(edges, 2) == 0 {
        return vec![(*edges, None)];
    }
    let flip = |slot: usize| {
        let mut other = *edges;
        other[slot].turn ^= 1;
        let change = Change { kind: ChangeKind::Flip, pieces: vec![piece_at(3, PieceKind::Edge, slot)] };
        (other, Some((format!("flip the edge at {}", EDGE_NAMES[slot]), vec![change])))
    };
    turned(edges, None).into_iter().take(MOST).map(flip).collect()
}

/// The ways to have edges in an order that fits the corners', the likeliest first: pairs that come home by it.
pub(crate) fn unexchanged(corners: &[Placed; 8], edges: &[Placed; 12]) -> Vec<([Placed; 12], Option<Step>)> {
    if odd(corners) == odd(edges) {
        return vec![(*edges, None)];
    }
    let mut pairs: Vec<(usize, usize)> = (0..12).flat_map(|a| (a + 1..12).map(move |b| (a, b))).collect();
    pairs.sort_by_key(|&(a, b)| {
        let home = usize::from(edges[a].piece == b) + usize::from(edges[b].piece == a);
        (2 - home, a, b)
    });
    let exchange = |(a, b): (usize, usize)| {
        let mut other = *edges;
        (other[a].piece, other[b].piece) = (edges[b].piece, edges[a].piece);
        let pieces = [a, b].map(|slot| piece_at(3, PieceKind::Edge, slot)).to_vec();
        let what = format!("exchange the edges at {} and {}", EDGE_NAMES[a], EDGE_NAMES[b]);
        (other, Some((what, vec![Change { kind: ChangeKind::Exchange, pieces }])))
    };
    pairs.into_iter().take(MOST).map(exchange).collect()
}

impl Scheme {
    /// The colours of the centres, if they are six, whatever the other stickers are.
    pub(crate) fn of_centres_alone(symbols: &[char]) -> Option<Scheme> {
        let scheme = Scheme(std::array::from_fn(|face| symbols[9 * face + 4]));
        let once = |face: &Face| scheme.face(scheme.0[face.index()]) == Some(*face);
        Face::ALL.iter().all(once).then_some(scheme)
    }
}

/// Pieces for all slots: real ones stay where they are; of those that are there twice one goes, and slots without a real one get
/// those that are missing, in every order and turned in every way. Nothing where too much is wrong.
pub(crate) fn filled<const N: usize, const COUNT: usize>(
    all: &[[Face; N]; COUNT],
    slots: &[[usize; N]; COUNT],
    symbols: &[char],
    scheme: &Scheme,
) -> Vec<[Placed; COUNT]> {
    let found = slots.map(|stickers| {
        let faces: Vec<Face> = stickers.iter().filter_map(|&at| scheme.face(symbols[at])).collect();
        faces.try_into().ok().and_then(|colours| piece(all, colours))
    });
    let missing =
        (0..COUNT).filter(|&piece| found.iter().flatten().all(|placed| placed.piece != piece)).count();
    let mut whole = Vec::new();
    if missing <= MOST_MISSING {
        fill(&found, &mut Vec::new(), MOST_MISSING, N, &mut whole);
    }
    whole
}

fn fill<const COUNT: usize>(
    found: &[Option<Placed>; COUNT],
    placed: &mut Vec<Placed>,
    changes: usize,
    ways: usize,
    whole: &mut Vec<[Placed; COUNT]>,
) {
    if let Ok(done) = <[Placed; COUNT]>::try_from(placed.as_slice()) {
        whole.push(done);
        return;
    }
    let slot = placed.len();
    let free = |piece: usize, placed: &[Placed]| placed.iter().all(|other| other.piece != piece);
    let again = |piece: usize| found.iter().flatten().filter(|other| other.piece == piece).count() > 1;
    if let Some(real) = found[slot] {
        if free(real.piece, placed) {
            placed.push(real);
            fill(found, placed, changes, ways, whole);
            placed.pop();
        }
        if !again(real.piece) {
            return;
        }
    }
    if changes == 0 {
        return;
    }
    let lost = |piece: &usize| found.iter().flatten().all(|other| other.piece != *piece);
    for piece in (0..COUNT).filter(lost) {
        for turn in 0..ways {
            if free(piece, placed) {
                placed.push(Placed { piece, turn });
                fill(found, placed, changes - 1, ways, whole);
                placed.pop();
            }
        }
    }
}

/// The stickers that are otherwise on pieces in slots: their numbers, and the letters they should have.
pub(crate) fn painted<const N: usize>(
    all: &[[Face; N]],
    slots: &[[usize; N]],
    pieces: &[Placed],
    symbols: &[char],
    scheme: &Scheme,
) -> Vec<(usize, char)> {
    let mut changed = Vec::new();
    for (stickers, &placed) in slots.iter().zip(pieces) {
        for (&at, face) in stickers.iter().zip(shown(all, placed)) {
            let letter = scheme.0[face.index()];
            if symbols[at] != letter {
                changed.push((at, letter));
            }
        }
    }
    changed
}

/// What painting these stickers over is called, unless they are too many.
pub(crate) fn called(side: usize, mut painted: Vec<(usize, char)>) -> Option<Step> {
    if painted.is_empty() || painted.len() > MOST_PAINTED {
        return None;
    }
    painted.sort_unstable();
    let each: Vec<String> =
        painted.iter().map(|&(at, letter)| format!("{} {letter}", name(side, at))).collect();
    let pieces = painted.iter().map(|&(at, letter)| sticker_at(side, at, letter)).collect();
    Some((format!("paint {}", each.join(", ")), vec![Change { kind: ChangeKind::Paint, pieces }]))
}
