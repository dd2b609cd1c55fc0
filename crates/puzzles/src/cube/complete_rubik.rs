//! Completes Rubik's cubes with unknown stickers, if the known ones determine the position.

use super::error::CubeError;
use super::face::Face;
use super::input::UNKNOWN;
use super::pieces::{CORNERS, Cubie, EDGES, corner_stickers, edge_stickers, is_odd, visible_colours};
use super::scheme::{ColourScheme, are_face_letters, distinct_letters};

/// Search nodes after which the position counts as ambiguous.
const MAX_TRIED: usize = 200_000;

/// The pieces of Rubik's cube, if its known stickers determine one solvable position.
pub(crate) fn complete_rubiks_cube(symbols: &[char]) -> Result<([Cubie; 8], [Cubie; 12]), CubeError> {
    let scheme = centres(symbols)?;
    let is_unknown_colour = |&symbol: &char| symbol != UNKNOWN && scheme.face(symbol).is_none();
    if let Some(sticker) = symbols.iter().position(is_unknown_colour) {
        return Err(CubeError::StrangeColour { sticker, colour: symbols[sticker] });
    }
    let corners = completions(&CORNERS, &corner_stickers::<3>(), symbols, &scheme);
    let edges = completions(&EDGES, &edge_stickers(), symbols, &scheme);
    let fitting: Option<Vec<_>> = corners.zip(edges).map(|(corners, edges)| {
        let pairs = corners.into_iter().flat_map(|corners| edges.iter().map(move |edges| (corners, *edges)));
        pairs.filter(|(corners, edges)| is_odd(corners) == is_odd(edges)).take(2).collect()
    });
    match fitting.as_deref() {
        Some(&[one]) => Ok(one),
        Some([]) => Err(CubeError::Impossible { side: 3 }),
        _ => {
            let open =
                unknown_slots(&corner_stickers::<3>(), symbols) + unknown_slots(&edge_stickers(), symbols);
            Err(CubeError::Ambiguous { pieces: Some(open), unknown: unknown_stickers(symbols) })
        }
    }
}

pub(super) fn unknown_stickers(symbols: &[char]) -> Vec<usize> {
    (0..symbols.len()).filter(|&sticker| symbols[sticker] == UNKNOWN).collect()
}

/// The number of slots with an unknown sticker.
fn unknown_slots<const N: usize>(slots: &[[usize; N]], symbols: &[char]) -> usize {
    slots.iter().filter(|stickers| stickers.iter().any(|&at| symbols[at] == UNKNOWN)).count()
}

/// The colours of the centres. Unknown ones follow from the others, or default to the face letters.
fn centres(symbols: &[char]) -> Result<ColourScheme, CubeError> {
    let mut scheme = ColourScheme(std::array::from_fn(|face| symbols[9 * face + 4]));
    let all = distinct_letters(symbols);
    let names = if are_face_letters(&all) { ColourScheme::FACE_LETTERS.0.to_vec() } else { all };
    let left: Vec<char> = names.into_iter().filter(|letter| !scheme.0.contains(letter)).collect();
    let open: Vec<usize> = (0..6).filter(|&face| scheme.0[face] == UNKNOWN).collect();
    match (&open[..], &left[..]) {
        ([], _) => {}
        (&[face], &[letter]) => scheme.0[face] = letter,
        _ if open.iter().all(|&face| left.contains(&ColourScheme::FACE_LETTERS.0[face])) => {
            open.iter().for_each(|&face| scheme.0[face] = ColourScheme::FACE_LETTERS.0[face]);
        }
        _ => return Err(CubeError::UnknownCentres),
    }
    for face in Face::ALL {
        let colour = scheme.0[face.index()];
        if let Some(first) = scheme.face(colour).filter(|&first| first != face) {
            return Err(CubeError::SameCentres { first, second: face, colour });
        }
    }
    Ok(scheme)
}

/// Up to two completions of each permutation parity with a valid orientation sum; `None` after
/// [`MAX_TRIED`] nodes.
fn completions<const N: usize, const COUNT: usize>(
    all: &[[Face; N]; COUNT],
    slots: &[[usize; N]; COUNT],
    symbols: &[char],
    scheme: &ColourScheme,
) -> Option<Vec<[Cubie; COUNT]>> {
    let fits = |slot: usize, cubie: Cubie| {
        let known =
            |(face, at): (Face, usize)| symbols[at] == UNKNOWN || scheme.0[face.index()] == symbols[at];
        visible_colours(all, cubie).into_iter().zip(slots[slot]).all(known)
    };
    let every = || (0..COUNT).flat_map(|piece| (0..N).map(move |turn| Cubie { piece, turn }));
    let mut open: Vec<(usize, Vec<Cubie>)> =
        (0..COUNT).map(|slot| (slot, every().filter(|&cubie| fits(slot, cubie)).collect())).collect();
    // Most constrained slots first.
    open.sort_by_key(|(_, choices)| choices.len());
    let mut completion = Completion { open, orientations: N, found: Vec::new(), tried: 0 };
    completion.fill(0, &mut [None; COUNT]);
    (completion.tried <= MAX_TRIED).then_some(completion.found)
}

struct Completion<const COUNT: usize> {
    /// The slots and the cubies that fit each, in the order in which they are filled.
    open: Vec<(usize, Vec<Cubie>)>,
    orientations: usize,
    found: Vec<[Cubie; COUNT]>,
    tried: usize,
}

impl<const COUNT: usize> Completion<COUNT> {
    fn fill(&mut self, index: usize, placed: &mut [Option<Cubie>; COUNT]) {
        self.tried += 1;
        if self.found.len() >= 4 || self.tried > MAX_TRIED {
            return;
        }
        let Some((slot, choices)) = self.open.get(index).cloned() else {
            let whole = placed.map(|cubie| cubie.unwrap_or(Cubie { piece: 0, turn: 0 }));
            let orientation_sum: usize = whole.iter().map(|cubie| cubie.turn).sum();
            let same_parity = self.found.iter().filter(|other| is_odd(*other) == is_odd(&whole)).count();
            if orientation_sum.is_multiple_of(self.orientations) && same_parity < 2 {
                self.found.push(whole);
            }
            return;
        };
        for choice in choices {
            if placed.iter().flatten().all(|other| other.piece != choice.piece) {
                placed[slot] = Some(choice);
                self.fill(index + 1, placed);
                placed[slot] = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces;

    const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

    /// The solved cube with these stickers unknown.
    fn without(unknown: &[usize]) -> Result<([Cubie; 8], [Cubie; 12]), String> {
        let mut symbols: Vec<char> = SOLVED.chars().collect();
        unknown.iter().for_each(|&at| symbols[at] = UNKNOWN);
        complete_rubiks_cube(&symbols).map_err(|error| error.to_string())
    }

    #[test]
    fn unknown_stickers_that_the_rest_determines_are_completed() {
        let solved = Ok((pieces::identity(), pieces::identity()));
        // The corner at UFR and the edge at UF.
        assert_eq!(without(&[8, 9, 20]), solved);
        assert_eq!(without(&[8, 9, 20, 7, 19]), solved);
        assert_eq!(without(&[4, 13, 22, 31, 40, 49]), solved, "all centres");
        // One sticker of every edge and corner of U.
        assert_eq!(without(&[0, 1, 2, 3, 5, 6, 7, 8]), solved);
    }

    #[test]
    fn ambiguous_and_impossible_stickers_are_reported() {
        let both: Vec<usize> = (0..54).filter(|at| at % 9 != 4).collect();
        for (unknown, part) in
            [(&[8, 9, 20, 2, 11, 45][..], "2 pieces are not fully known"), (&both, "20 pieces")]
        {
            let error = without(unknown).expect_err("several");
            assert!(error.contains("several positions match") && error.contains(part), "{error}");
        }
        let mut symbols: Vec<char> = SOLVED.chars().collect();
        (symbols[8], symbols[9]) = (UNKNOWN, 'D');
        assert!(
            complete_rubiks_cube(&symbols).is_err_and(|error| error.to_string().contains("no solvable cube"))
        );
    }
}
