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
    let solvable: Option<Vec<_>> = corners.zip(edges).map(|(corners, edges)| {
        let pairs = corners.into_iter().flat_map(|corners| edges.iter().map(move |edges| (corners, *edges)));
        pairs.filter(|(corners, edges)| is_odd(corners) == is_odd(edges)).take(2).collect()
    });
    match solvable.as_deref() {
        Some(&[one]) => Ok(one),
        Some([]) => Err(CubeError::Impossible { side: 3 }),
        _ => {
            let incomplete_pieces =
                unknown_slots(&corner_stickers::<3>(), symbols) + unknown_slots(&edge_stickers(), symbols);
            Err(CubeError::Ambiguous { pieces: Some(incomplete_pieces), unknown: unknown_stickers(symbols) })
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
    let letters = distinct_letters(symbols);
    let candidates = if are_face_letters(&letters) { ColourScheme::FACE_LETTERS.0.to_vec() } else { letters };
    let unused_letters: Vec<char> =
        candidates.into_iter().filter(|letter| !scheme.0.contains(letter)).collect();
    let unknown_faces: Vec<usize> = (0..6).filter(|&face| scheme.0[face] == UNKNOWN).collect();
    match (&unknown_faces[..], &unused_letters[..]) {
        ([], _) => {}
        (&[face], &[letter]) => scheme.0[face] = letter,
        _ if unknown_faces
            .iter()
            .all(|&face| unused_letters.contains(&ColourScheme::FACE_LETTERS.0[face])) =>
        {
            unknown_faces.iter().for_each(|&face| scheme.0[face] = ColourScheme::FACE_LETTERS.0[face]);
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

/// Up to two completions of each permutation parity with a valid orientation sum; `None` if the search
/// exceeds [`MAX_TRIED`] nodes. `home_faces` lists the faces of each piece at home.
fn completions<const N: usize, const COUNT: usize>(
    home_faces: &[[Face; N]; COUNT],
    slots: &[[usize; N]; COUNT],
    symbols: &[char],
    scheme: &ColourScheme,
) -> Option<Vec<[Cubie; COUNT]>> {
    let fits = |slot: usize, cubie: Cubie| {
        let matches = |(face, sticker): (Face, usize)| {
            symbols[sticker] == UNKNOWN || scheme.0[face.index()] == symbols[sticker]
        };
        visible_colours(home_faces, cubie).into_iter().zip(slots[slot]).all(matches)
    };
    let all_cubies =
        || (0..COUNT).flat_map(|piece| (0..N).map(move |orientation| Cubie { piece, orientation }));
    let mut candidates: Vec<(usize, Vec<Cubie>)> =
        (0..COUNT).map(|slot| (slot, all_cubies().filter(|&cubie| fits(slot, cubie)).collect())).collect();
    // Most constrained slots first.
    candidates.sort_by_key(|(_, choices)| choices.len());
    let mut completion =
        Completion { choices_by_slot: candidates, orientations: N, found: Vec::new(), tried: 0 };
    completion.fill(0, &mut [None; COUNT]);
    (completion.tried <= MAX_TRIED).then_some(completion.found)
}

/// The search for completions of the corners or of the edges.
struct Completion<const COUNT: usize> {
    /// The slots, each with the cubies that fit it, in the order in which the search fills them.
    choices_by_slot: Vec<(usize, Vec<Cubie>)>,
    /// Number of orientations of a piece.
    orientations: usize,
    found: Vec<[Cubie; COUNT]>,
    /// Number of search nodes.
    tried: usize,
}

impl<const COUNT: usize> Completion<COUNT> {
    /// Fills the slots from `index` on in every way, up to the limits of [`completions`].
    fn fill(&mut self, index: usize, placed: &mut [Option<Cubie>; COUNT]) {
        self.tried += 1;
        if self.found.len() >= 4 || self.tried > MAX_TRIED {
            return;
        }
        let Some((slot, choices)) = self.choices_by_slot.get(index).cloned() else {
            let completion = placed.map(|cubie| cubie.unwrap_or(Cubie { piece: 0, orientation: 0 }));
            let orientation_sum: usize = completion.iter().map(|cubie| cubie.orientation).sum();
            let same_parity = self.found.iter().filter(|other| is_odd(*other) == is_odd(&completion)).count();
            if orientation_sum.is_multiple_of(self.orientations) && same_parity < 2 {
                self.found.push(completion);
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
        let all_but_centres: Vec<usize> = (0..54).filter(|at| at % 9 != 4).collect();
        for (unknown, part) in
            [(&[8, 9, 20, 2, 11, 45][..], "2 pieces are not fully known"), (&all_but_centres, "20 pieces")]
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
