//! The orders in which a pattern's tiles can stand in the cells of a set.

/// All orders of so many tiles, numbered, and what becomes of them when a tile passes others.
///
/// An order is told by each tile's place among the occupied cells. Its number is a sum over tiles i of
/// i! × how many tiles before i stand in earlier cells.
pub(super) struct Orders {
    tiles: usize,
    count: usize,
    /// By rotation (place from × tiles + place to) and order: the order after it.
    rotations: Vec<Vec<u16>>,
}

impl Orders {
    /// # Panics
    /// If there are more than eight tiles: their orders would not fit 16 bits.
    pub(super) fn new(tiles: usize) -> Orders {
        assert!(tiles <= 8, "patterns have at most eight tiles");
        let count = (1..=tiles).product::<usize>().max(1);
        let rotations = (0..tiles * tiles)
            .map(|rotation| {
                let rotate =
                    |order| number(&rotated(&places(order, tiles), rotation / tiles, rotation % tiles));
                (0..count).map(|order| rotate(order) as u16).collect()
            })
            .collect();
        Orders { tiles, count, rotations }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    /// The order in which every tile stands in its own place.
    pub(super) fn solved(&self) -> u32 {
        number(&(0..self.tiles).collect::<Vec<_>>()) as u32
    }

    pub(super) fn rotation(&self, rotation: u16) -> &[u16] {
        &self.rotations[usize::from(rotation)]
    }
}

/// The tile in place `from` goes to place `to`; those between close up.
fn rotated(places: &[usize], from: usize, to: usize) -> Vec<usize> {
    let moved = |place: usize| {
        if place == from {
            to
        } else if from < place && place <= to {
            place - 1
        } else if to <= place && place < from {
            place + 1
        } else {
            place
        }
    };
    places.iter().map(|&place| moved(place)).collect()
}

/// The number of an order, given each tile's place.
fn number(places: &[usize]) -> usize {
    let mut number = 0;
    let mut factorial = 1;
    for (tile, place) in places.iter().enumerate() {
        factorial *= tile.max(1);
        number += factorial * places[..tile].iter().filter(|earlier| *earlier < place).count();
    }
    number
}

/// Each tile's place in an order.
fn places(number: usize, tiles: usize) -> Vec<usize> {
    // The last tile's digit is its place among all; the others' places are counted without it.
    let mut digits = Vec::new();
    let mut rest = number;
    for base in 1..=tiles {
        digits.push(rest % base);
        rest /= base;
    }
    let mut places: Vec<usize> = Vec::new();
    for digit in digits {
        places.iter_mut().filter(|place| **place >= digit).for_each(|place| *place += 1);
        places.push(digit);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_has_a_number() {
        for tiles in 1..=6 {
            let count: usize = (1..=tiles).product();
            for order in 0..count {
                let mut places = places(order, tiles);
                assert_eq!(number(&places), order, "{places:?}");
                places.sort_unstable();
                assert!(places.into_iter().eq(0..tiles), "every place is taken once");
            }
        }
    }
}
