//! Ranked permutations of a pattern's tiles over the cells of a set, and tables of the rotations that moves
//! cause.

use untumble_search::control::{Control, Stop};

/// The position of each tile; unused tiles have position 0.
type Positions = [u8; Permutations::MAX_TILES];

/// All permutations of a number of tiles.
///
/// A permutation lists the position of each tile among the occupied cells. Its rank is the sum over tiles i
/// of i! × the number of tiles j < i at smaller positions.
pub(super) struct Permutations {
    tiles: usize,
    /// By rank: the position of each tile.
    positions: Vec<Positions>,
    /// By `from * tiles + to` and rank: the rank after the tile at position `from` moves to position `to`.
    rotations: Vec<Vec<u16>>,
}

impl Permutations {
    /// The largest number of tiles; ranks fit 16 bits.
    pub(super) const MAX_TILES: usize = 8;

    /// # Panics
    /// If there are more than eight tiles.
    pub(super) fn new(tiles: usize, control: &Control) -> Result<Permutations, Stop> {
        assert!(tiles <= Permutations::MAX_TILES, "patterns have at most eight tiles");
        let count = (1..=tiles).product::<usize>().max(1);
        let poll_at = |number: usize| if number.is_multiple_of(1 << 12) { control.poll() } else { Ok(()) };
        let position = |number: usize| poll_at(number).map(|()| unrank(number, tiles));
        let positions = (0..count).map(position).collect::<Result<Vec<_>, Stop>>()?;
        // Exchanges of neighbouring positions; a rotation is a product of them.
        let exchange = |first: usize| {
            let exchanged = |(number, positions): (usize, &Positions)| {
                poll_at(number)?;
                let moved = positions.map(|position| match usize::from(position) {
                    position if position == first => first as u8 + 1,
                    position if position == first + 1 => first as u8,
                    _ => position,
                });
                Ok(rank(&moved[..tiles]) as u16)
            };
            positions.iter().enumerate().map(exchanged).collect::<Result<Vec<u16>, Stop>>()
        };
        let exchanges = (1..tiles).map(|second| exchange(second - 1)).collect::<Result<Vec<_>, Stop>>()?;
        let mut rotations: Vec<Vec<u16>> = Vec::with_capacity(tiles * tiles);
        for from in 0..tiles {
            let mut row = vec![Vec::new(); tiles];
            row[from] = (0..count).map(|number| number as u16).collect();
            let after = |rotation: &[u16], exchange: &[u16]| {
                control.poll()?;
                Ok::<Vec<u16>, Stop>(rotation.iter().map(|&number| exchange[usize::from(number)]).collect())
            };
            for to in from + 1..tiles {
                row[to] = after(&row[to - 1], &exchanges[to - 1])?;
            }
            for to in (0..from).rev() {
                row[to] = after(&row[to + 1], &exchanges[to])?;
            }
            rotations.append(&mut row);
        }
        Ok(Permutations { tiles, positions, rotations })
    }

    /// The number of permutations.
    pub(super) fn count(&self) -> usize {
        self.positions.len()
    }

    /// The rank of the identity.
    pub(super) fn identity(&self) -> usize {
        rank(&(0..self.tiles as u8).collect::<Vec<_>>())
    }

    /// The position of each tile in the permutation with this rank.
    #[inline]
    pub(super) fn positions(&self, rank: usize) -> &[u8] {
        &self.positions[rank][..self.tiles]
    }

    /// By tile: the number of earlier tiles at smaller positions.
    pub(super) fn smaller_before(&self, rank: usize) -> Vec<u8> {
        smaller_before(self.positions(rank)).collect()
    }

    /// The rank after a rotation, by the rank before it.
    pub(super) fn rotation(&self, rotation: usize) -> &[u16] {
        &self.rotations[rotation]
    }
}

/// By tile: the number of earlier tiles at smaller positions.
fn smaller_before(positions: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let smaller = |(tile, position)| positions[..tile].iter().filter(|&other| other < position).count() as u8;
    positions.iter().enumerate().map(smaller)
}

/// The rank of a permutation, given the position of each tile.
fn rank(positions: &[u8]) -> usize {
    let (mut rank, mut factorial) = (0, 1);
    for (tile, smaller) in smaller_before(positions).enumerate() {
        factorial *= tile.max(1);
        rank += factorial * usize::from(smaller);
    }
    rank
}

/// The position of each tile in the permutation with this rank.
fn unrank(rank: usize, tiles: usize) -> Positions {
    let mut positions = Positions::default();
    let mut quotient = rank;
    for tile in 0..tiles {
        // Digit i is the position of tile i among tiles 0 to i.
        let digit = (quotient % (tile + 1)) as u8;
        quotient /= tile + 1;
        let earlier = positions[..tile].iter_mut();
        earlier.filter(|position| **position >= digit).for_each(|position| *position += 1);
        positions[tile] = digit;
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_inverts_unrank() {
        for tiles in 1..=6 {
            let count: usize = (1..=tiles).product();
            for number in 0..count {
                let mut positions = unrank(number, tiles)[..tiles].to_vec();
                assert_eq!(rank(&positions), number, "{positions:?}");
                positions.sort_unstable();
                assert!(positions.into_iter().eq(0..tiles as u8), "every position occurs once");
            }
        }
    }

    /// Moves the tile at position `from` to position `to`; the tiles in between shift by one position.
    fn rotate(positions: &[u8], from: u8, to: u8) -> Vec<u8> {
        let moved = |position: u8| match position {
            _ if position == from => to,
            _ if from < position && position <= to => position - 1,
            _ if to <= position && position < from => position + 1,
            _ => position,
        };
        positions.iter().map(|&position| moved(position)).collect()
    }

    #[test]
    fn rotations_shift_the_tiles_in_between() {
        for tiles in 1..=6 {
            let permutations = Permutations::new(tiles, &Control::default()).expect("no limit");
            for (from, to) in (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to))) {
                for (number, &after) in permutations.rotation(from * tiles + to).iter().enumerate() {
                    let expected = rotate(permutations.positions(number), from as u8, to as u8);
                    assert_eq!(permutations.positions(after.into()), expected, "{number} {from} {to}");
                }
            }
        }
    }
}
