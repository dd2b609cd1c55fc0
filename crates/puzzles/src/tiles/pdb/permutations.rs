//! Ranked permutations of a pattern's tiles over the cells of a set, and tables of the rotations that moves
//! cause.

/// All permutations of a number of tiles.
///
/// A permutation lists the position of each tile among the occupied cells. Its rank is the sum over tiles i
/// of i! × the number of tiles j < i at smaller positions.
pub(super) struct Permutations {
    tiles: usize,
    count: usize,
    /// By `from * tiles + to` and rank: the rank after the tile at position `from` moves to position `to`.
    rotations: Vec<Vec<u16>>,
}

impl Permutations {
    /// # Panics
    /// If there are more than eight tiles: ranks would not fit 16 bits.
    pub(super) fn new(tiles: usize) -> Permutations {
        assert!(tiles <= 8, "patterns have at most eight tiles");
        let count = (1..=tiles).product::<usize>().max(1);
        let rotations = (0..tiles * tiles)
            .map(|rotation| {
                let (from, to) = (rotation / tiles, rotation % tiles);
                (0..count).map(|number| rank(&rotate(&unrank(number, tiles), from, to)) as u16).collect()
            })
            .collect();
        Permutations { tiles, count, rotations }
    }

    /// The number of permutations.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The number of tiles.
    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    /// The rank of the identity.
    pub(super) fn identity(&self) -> u32 {
        rank(&(0..self.tiles).collect::<Vec<_>>()) as u32
    }

    /// The rank after a rotation, by the rank before it.
    pub(super) fn rotation(&self, rotation: u16) -> &[u16] {
        &self.rotations[usize::from(rotation)]
    }
}

/// Moves the tile at position `from` to position `to`; the tiles in between shift by one position.
fn rotate(positions: &[usize], from: usize, to: usize) -> Vec<usize> {
    let moved = |position: usize| {
        if position == from {
            to
        } else if from < position && position <= to {
            position - 1
        } else if to <= position && position < from {
            position + 1
        } else {
            position
        }
    };
    positions.iter().map(|&position| moved(position)).collect()
}

/// The rank of a permutation, given the position of each tile.
fn rank(positions: &[usize]) -> usize {
    let mut rank = 0;
    let mut factorial = 1;
    for (tile, position) in positions.iter().enumerate() {
        factorial *= tile.max(1);
        rank += factorial * positions[..tile].iter().filter(|earlier| *earlier < position).count();
    }
    rank
}

/// The position of each tile in the permutation with this rank.
fn unrank(rank: usize, tiles: usize) -> Vec<usize> {
    let mut digits = Vec::new();
    let mut quotient = rank;
    for base in 1..=tiles {
        digits.push(quotient % base);
        quotient /= base;
    }
    // Digit i is the position of tile i among tiles 0 to i.
    let mut positions: Vec<usize> = Vec::new();
    for digit in digits {
        positions.iter_mut().filter(|position| **position >= digit).for_each(|position| *position += 1);
        positions.push(digit);
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
                let mut positions = unrank(number, tiles);
                assert_eq!(rank(&positions), number, "{positions:?}");
                positions.sort_unstable();
                assert!(positions.into_iter().eq(0..tiles), "every position occurs once");
            }
        }
    }
}
