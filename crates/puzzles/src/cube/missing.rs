//! Rubik's cubes with stickers that are not known: what the rest leaves possible.

use super::error::CubeError;
use super::face::Face;
use super::pieces::{CORNERS, EDGES, Placed, corner_stickers, edge_stickers, odd, shown};
use super::reading::UNKNOWN;
use super::scheme::{Scheme, letters, own};

/// Where so much had to be tried, far too little is known.
const MOST_TRIED: usize = 200_000;

/// The pieces of Rubik's cube, if its known stickers allow for one position alone. Only what can be solved counts.
pub(crate) fn rubik(symbols: &[char]) -> Result<([Placed; 8], [Placed; 12]), CubeError> {
    let scheme = centres(symbols)?;
    let strange = |&symbol: &char| symbol != UNKNOWN && scheme.face(symbol).is_none();
    if let Some(sticker) = symbols.iter().position(strange) {
        return Err(CubeError::StrangeColour { sticker, colour: symbols[sticker] });
    }
    let corners = arrangements(&CORNERS, &corner_stickers::<3>(), symbols, &scheme);
    let edges = arrangements(&EDGES, &edge_stickers(), symbols, &scheme);
    let fitting: Option<Vec<_>> = corners.zip(edges).map(|(corners, edges)| {
        let pairs = corners.into_iter().flat_map(|corners| edges.iter().map(move |edges| (corners, *edges)));
        pairs.filter(|(corners, edges)| odd(corners) == odd(edges)).take(2).collect()
    });
    match fitting.as_deref() {
        Some(&[one]) => Ok(one),
        Some([]) => Err(CubeError::Impossible { side: 3 }),
        _ => {
            let open = slots_open(&corner_stickers::<3>(), symbols) + slots_open(&edge_stickers(), symbols);
            Err(CubeError::Ambiguous { pieces: Some(open), unknown: unknown(symbols) })
        }
    }
}

/// The stickers that are not known.
pub(super) fn unknown(symbols: &[char]) -> Vec<usize> {
    (0..symbols.len()).filter(|&sticker| symbols[sticker] == UNKNOWN).collect()
}

/// Slots with a sticker that is not known.
fn slots_open<const N: usize>(slots: &[[usize; N]], symbols: &[char]) -> usize {
    slots.iter().filter(|stickers| stickers.iter().any(|&at| symbols[at] == UNKNOWN)).count()
}

/// The colours of the centres. Those that are not known follow from the others, or are the faces' own letters.
fn centres(symbols: &[char]) -> Result<Scheme, CubeError> {
    let mut scheme = Scheme(std::array::from_fn(|face| symbols[9 * face + 4]));
    let all = letters(symbols);
    let names = if own(&all) { Scheme::OWN.0.to_vec() } else { all };
    let left: Vec<char> = names.into_iter().filter(|letter| !scheme.0.contains(letter)).collect();
    let open: Vec<usize> = (0..6).filter(|&face| scheme.0[face] == UNKNOWN).collect();
    match (&open[..], &left[..]) {
        ([], _) => {}
        (&[face], &[letter]) => scheme.0[face] = letter,
        _ if open.iter().all(|&face| left.contains(&Scheme::OWN.0[face])) => {
            open.iter().for_each(|&face| scheme.0[face] = Scheme::OWN.0[face]);
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

/// Up to two arrangements of each parity that fit, turned by whole turns altogether; none where that is too much to find out.
fn arrangements<const N: usize, const COUNT: usize>(
    all: &[[Face; N]; COUNT],
    slots: &[[usize; N]; COUNT],
    symbols: &[char],
    scheme: &Scheme,
) -> Option<Vec<[Placed; COUNT]>> {
    let fits = |slot: usize, placed: Placed| {
        let known =
            |(face, at): (Face, usize)| symbols[at] == UNKNOWN || scheme.0[face.index()] == symbols[at];
        shown(all, placed).into_iter().zip(slots[slot]).all(known)
    };
    let every = || (0..COUNT).flat_map(|piece| (0..N).map(move |turn| Placed { piece, turn }));
    let mut open: Vec<(usize, Vec<Placed>)> =
        (0..COUNT).map(|slot| (slot, every().filter(|&placed| fits(slot, placed)).collect())).collect();
    // Those with little choice first: they leave little for the others.
    open.sort_by_key(|(_, choices)| choices.len());
    let mut search = Search { open, ways: N, found: Vec::new(), tried: 0 };
    search.fill(0, &mut [None; COUNT]);
    (search.tried <= MOST_TRIED).then_some(search.found)
}

struct Search<const COUNT: usize> {
    /// The slots and what fits into each, in the order in which they are filled.
    open: Vec<(usize, Vec<Placed>)>,
    ways: usize,
    found: Vec<[Placed; COUNT]>,
    tried: usize,
}

impl<const COUNT: usize> Search<COUNT> {
    fn fill(&mut self, place: usize, placed: &mut [Option<Placed>; COUNT]) {
        self.tried += 1;
        if self.found.len() >= 4 || self.tried > MOST_TRIED {
            return;
        }
        let Some((slot, choices)) = self.open.get(place).cloned() else {
            let whole = placed.map(|placed| placed.unwrap_or(Placed { piece: 0, turn: 0 }));
            let turned: usize = whole.iter().map(|placed| placed.turn).sum();
            let alike = self.found.iter().filter(|other| odd(*other) == odd(&whole)).count();
            if turned.is_multiple_of(self.ways) && alike < 2 {
                self.found.push(whole);
            }
            return;
        };
        for choice in choices {
            if placed.iter().flatten().all(|other| other.piece != choice.piece) {
                placed[slot] = Some(choice);
                self.fill(place + 1, placed);
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

    /// The solved cube without these stickers, numbered from 0.
    fn without(unknown: &[usize]) -> Result<([Placed; 8], [Placed; 12]), String> {
        let mut symbols: Vec<char> = SOLVED.chars().collect();
        unknown.iter().for_each(|&at| symbols[at] = UNKNOWN);
        rubik(&symbols).map_err(|why| why.to_string())
    }

    #[test]
    fn what_can_be_one_thing_only_is_known() {
        let solved = Ok((pieces::solved(), pieces::solved()));
        // The corner at UFR and the edge at UF.
        assert_eq!(without(&[8, 9, 20]), solved);
        assert_eq!(without(&[8, 9, 20, 7, 19]), solved);
        assert_eq!(without(&[4, 13, 22, 31, 40, 49]), solved, "all centres");
        // One sticker of every edge and corner of U.
        assert_eq!(without(&[0, 1, 2, 3, 5, 6, 7, 8]), solved);
    }

    #[test]
    fn what_can_be_several_things_is_told() {
        let both: Vec<usize> = (0..54).filter(|at| at % 9 != 4).collect();
        for (unknown, part) in
            [(&[8, 9, 20, 2, 11, 45][..], "2 pieces are not fully known"), (&both, "20 pieces")]
        {
            let why = without(unknown).expect_err("several");
            assert!(why.contains("several positions possible") && why.contains(part), "{why}");
        }
        let mut symbols: Vec<char> = SOLVED.chars().collect();
        (symbols[8], symbols[9]) = (UNKNOWN, 'D');
        assert!(rubik(&symbols).is_err_and(|why| why.to_string().contains("no cube that can be solved")));
    }
}
