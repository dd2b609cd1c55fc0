//! Repairs of invalid or unsolvable cubes: twist or flip a piece, exchange two, or recolour a few stickers.

use untumble_search::error::PieceKind;
use untumble_search::frontend::{Change, ChangeKind};

use super::error::{piece_at, sticker_at};
use super::face::Face;
use super::pieces::{CORNER_NAMES, Cubie, EDGE_NAMES, find_piece, is_odd, visible_colours};
use super::scheme::{ColourScheme, sticker_name};

/// One step of a repair as text and as data.
pub(crate) type Step = (String, Vec<Change>);

/// Largest number of repairs to offer.
pub(crate) const MAX_REPAIRS: usize = 3;
/// Largest number of stickers that a repair recolours.
const MAX_RECOLOURED: usize = 4;
/// Largest number of missing pieces that a repair replaces.
const MAX_MISSING: usize = 2;

/// The sum of all orientations modulo `orientations`: 0 on a solvable cube.
fn orientation_sum(pieces: &[Cubie], orientations: usize) -> usize {
    pieces.iter().map(|cubie| cubie.orientation).sum::<usize>() % orientations
}

/// Slots by likelihood that their piece is turned wrongly: pieces in their home slot with a wrong
/// orientation first. The slot `fixed` is excluded.
fn slots_by_likelihood(pieces: &[Cubie], fixed: Option<usize>) -> Vec<usize> {
    let mut slots: Vec<usize> = (0..pieces.len()).filter(|&slot| Some(slot) != fixed).collect();
    slots.sort_by_key(|&slot| (pieces[slot].piece != slot, pieces[slot].orientation == 0, slot));
    slots
}

/// Corners with one corner twisted so that the orientation sum is 0, the likeliest first. The corner in
/// slot `fixed` is never twisted.
pub(crate) fn fix_twist(
    corners: &[Cubie; 8],
    side: usize,
    fixed: Option<usize>,
) -> Vec<([Cubie; 8], Option<Step>)> {
    let sum = orientation_sum(corners, 3);
    if sum == 0 {
        return vec![(*corners, None)];
    }
    let (direction, kind) = if sum == 1 {
        ("anticlockwise", ChangeKind::TurnAnticlockwise)
    } else {
        ("clockwise", ChangeKind::TurnClockwise)
    };
    let twist = |slot: usize| {
        let mut repaired = *corners;
        repaired[slot].orientation = (repaired[slot].orientation + 3 - sum) % 3;
        let change = Change { kind, pieces: vec![piece_at(side, PieceKind::Corner, slot)] };
        (
            repaired,
            Some((format!("turn the corner at {} {direction} by a third", CORNER_NAMES[slot]), vec![change])),
        )
    };
    slots_by_likelihood(corners, fixed).into_iter().take(MAX_REPAIRS).map(twist).collect()
}

/// Edges with one edge flipped so that the orientation sum is 0, the likeliest first.
pub(crate) fn fix_flip(edges: &[Cubie; 12]) -> Vec<([Cubie; 12], Option<Step>)> {
    if orientation_sum(edges, 2) == 0 {
        return vec![(*edges, None)];
    }
    let flip = |slot: usize| {
        let mut repaired = *edges;
        repaired[slot].orientation ^= 1;
        let change = Change { kind: ChangeKind::Flip, pieces: vec![piece_at(3, PieceKind::Edge, slot)] };
        (repaired, Some((format!("flip the edge at {}", EDGE_NAMES[slot]), vec![change])))
    };
    slots_by_likelihood(edges, None).into_iter().take(MAX_REPAIRS).map(flip).collect()
}

/// Edges with two edges exchanged so that their permutation parity equals that of the corners. Exchanges
/// that bring edges home come first.
pub(crate) fn fix_parity(corners: &[Cubie; 8], edges: &[Cubie; 12]) -> Vec<([Cubie; 12], Option<Step>)> {
    if is_odd(corners) == is_odd(edges) {
        return vec![(*edges, None)];
    }
    let mut pairs: Vec<(usize, usize)> = (0..12).flat_map(|a| (a + 1..12).map(move |b| (a, b))).collect();
    pairs.sort_by_key(|&(a, b)| {
        let come_home = usize::from(edges[a].piece == b) + usize::from(edges[b].piece == a);
        (2 - come_home, a, b)
    });
    let exchange = |(a, b): (usize, usize)| {
        let mut repaired = *edges;
        (repaired[a].piece, repaired[b].piece) = (edges[b].piece, edges[a].piece);
        let pieces = [a, b].map(|slot| piece_at(3, PieceKind::Edge, slot)).to_vec();
        let what = format!("exchange the edges at {} and {}", EDGE_NAMES[a], EDGE_NAMES[b]);
        (repaired, Some((what, vec![Change { kind: ChangeKind::Exchange, pieces }])))
    };
    pairs.into_iter().take(MAX_REPAIRS).map(exchange).collect()
}

impl ColourScheme {
    /// The colours of the centres, if they are distinct. Other stickers are not checked.
    pub(crate) fn from_distinct_centres(symbols: &[char]) -> Option<ColourScheme> {
        let scheme = ColourScheme(std::array::from_fn(|face| symbols[9 * face + 4]));
        let is_distinct = |face: &Face| scheme.face(scheme.0[face.index()]) == Some(*face);
        Face::ALL.iter().all(is_distinct).then_some(scheme)
    }
}

/// Completes the pieces: valid pieces stay, one of two equal pieces is replaced, and slots without a valid
/// piece get the missing ones in every permutation and orientation. Empty if more than [`MAX_MISSING`]
/// pieces are missing.
pub(crate) fn fill_slots<const N: usize, const COUNT: usize>(
    home_faces: &[[Face; N]; COUNT],
    slots: &[[usize; N]; COUNT],
    symbols: &[char],
    scheme: &ColourScheme,
) -> Vec<[Cubie; COUNT]> {
    let found = slots.map(|stickers| {
        let faces: Vec<Face> = stickers.iter().filter_map(|&at| scheme.face(symbols[at])).collect();
        faces.try_into().ok().and_then(|colours| find_piece(home_faces, colours))
    });
    let missing =
        (0..COUNT).filter(|&piece| found.iter().flatten().all(|cubie| cubie.piece != piece)).count();
    let mut completions = Vec::new();
    if missing <= MAX_MISSING {
        fill_from(&found, &mut Vec::new(), MAX_MISSING, N, &mut completions);
    }
    completions
}

/// Fills the slots after those in `placed`, with at most `changes` missing pieces, and collects all results.
fn fill_from<const COUNT: usize>(
    found: &[Option<Cubie>; COUNT],
    placed: &mut Vec<Cubie>,
    changes: usize,
    orientations: usize,
    completions: &mut Vec<[Cubie; COUNT]>,
) {
    if let Ok(completion) = <[Cubie; COUNT]>::try_from(placed.as_slice()) {
        completions.push(completion);
        return;
    }
    let slot = placed.len();
    let is_unused = |piece: usize, placed: &[Cubie]| placed.iter().all(|other| other.piece != piece);
    let is_duplicated =
        |piece: usize| found.iter().flatten().filter(|other| other.piece == piece).count() > 1;
    if let Some(valid) = found[slot] {
        if is_unused(valid.piece, placed) {
            placed.push(valid);
            fill_from(found, placed, changes, orientations, completions);
            placed.pop();
        }
        if !is_duplicated(valid.piece) {
            return;
        }
    }
    if changes == 0 {
        return;
    }
    let is_missing = |piece: &usize| found.iter().flatten().all(|other| other.piece != *piece);
    for piece in (0..COUNT).filter(is_missing) {
        for turn in 0..orientations {
            if is_unused(piece, placed) {
                placed.push(Cubie { piece, orientation: turn });
                fill_from(found, placed, changes - 1, orientations, completions);
                placed.pop();
            }
        }
    }
}

/// The stickers that differ from the given pieces: index and correct letter.
pub(crate) fn recoloured_stickers<const N: usize>(
    home_faces: &[[Face; N]],
    slots: &[[usize; N]],
    pieces: &[Cubie],
    symbols: &[char],
    scheme: &ColourScheme,
) -> Vec<(usize, char)> {
    let mut changed = Vec::new();
    for (stickers, &cubie) in slots.iter().zip(pieces) {
        for (&at, face) in stickers.iter().zip(visible_colours(home_faces, cubie)) {
            let letter = scheme.0[face.index()];
            if symbols[at] != letter {
                changed.push((at, letter));
            }
        }
    }
    changed
}

/// A repair that recolours stickers; `None` for no stickers or more than [`MAX_RECOLOURED`].
pub(crate) fn describe_recolouring(side: usize, mut stickers: Vec<(usize, char)>) -> Option<Step> {
    if stickers.is_empty() || stickers.len() > MAX_RECOLOURED {
        return None;
    }
    stickers.sort_unstable();
    let names: Vec<String> =
        stickers.iter().map(|&(at, letter)| format!("{} {letter}", sticker_name(side, at))).collect();
    let pieces = stickers.iter().map(|&(at, letter)| sticker_at(side, at, letter)).collect();
    Some((format!("paint {}", names.join(", ")), vec![Change { kind: ChangeKind::Paint, pieces }]))
}
