//! Which moves commute, and which products of two moves are moves.

use std::collections::HashMap;

use super::Permutation;

/// The product of two moves, as far as the list of moves shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Product {
    /// The two moves are inverse to each other.
    Identity,
    /// The product is the move with this number.
    Move(usize),
    /// The product is no move.
    Other,
}

/// The commutation relation of a list of moves and the products of commuting moves.
#[derive(Clone, Debug)]
pub struct Commutation {
    count: usize,
    commutes: Vec<bool>,
    products: HashMap<(usize, usize), Product>,
}

impl Commutation {
    /// The relation of these moves. Takes a number of steps proportional to the degree and the square of
    /// the number of moves.
    pub fn new(moves: &[Permutation]) -> Commutation {
        let count = moves.len();
        let mut numbers: HashMap<&Permutation, usize> = HashMap::new();
        for (number, permutation) in moves.iter().enumerate() {
            numbers.entry(permutation).or_insert(number);
        }
        let mut commutes = vec![true; count * count];
        let mut products = HashMap::new();
        for a in 0..count {
            for b in 0..a {
                let both = moves[a].commutes_with(&moves[b]);
                (commutes[a * count + b], commutes[b * count + a]) = (both, both);
            }
        }
        for a in 0..count {
            for b in 0..count {
                let product = moves[a].then(&moves[b]);
                let found = match numbers.get(&product) {
                    Some(&number) => Product::Move(number),
                    None if product.is_identity() => Product::Identity,
                    None => continue,
                };
                products.insert((a, b), found);
            }
        }
        Commutation { count, commutes, products }
    }

    /// Whether two moves commute.
    pub fn commutes(&self, a: usize, b: usize) -> bool {
        self.commutes[a * self.count + b]
    }

    /// The move `a` followed by `b`.
    pub fn product(&self, a: usize, b: usize) -> Product {
        self.products.get(&(a, b)).copied().unwrap_or(Product::Other)
    }

    /// Classes of moves that commute with the same moves and with each other: the layers of one axis of a
    /// cube. Each class is in increasing order; classes are ordered by their smallest move.
    pub fn classes(&self) -> Vec<Vec<usize>> {
        let row = |number: usize| &self.commutes[number * self.count..(number + 1) * self.count];
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for number in 0..self.count {
            match classes.iter_mut().find(|class| row(class[0]) == row(number)) {
                Some(class) => class.push(number),
                None => classes.push(vec![number]),
            }
        }
        classes
    }

    /// Classes of moves that are powers of one move as far as the list shows it: those whose product with
    /// each other is the identity or a move. The turns of one layer of a cube.
    pub fn families(&self) -> Vec<Vec<usize>> {
        let closed = |a: usize, b: usize| self.product(a, b) != Product::Other;
        let mut families: Vec<Vec<usize>> = Vec::new();
        for number in 0..self.count {
            let fits = |family: &&mut Vec<usize>| {
                family.iter().all(|&other| {
                    self.commutes(number, other) && closed(number, other) && closed(other, number)
                })
            };
            match families.iter_mut().find(fits) {
                Some(family) => family.push(number),
                None => families.push(vec![number]),
            }
        }
        families
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perm::test_groups::{cube, powers, topspin};

    #[test]
    fn turns_of_a_cube_commute_by_axis() {
        let moves = powers(&cube(3).1);
        let commutation = Commutation::new(&moves);
        assert_eq!(moves.len(), 18);
        let sizes = |classes: Vec<Vec<usize>>| classes.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(commutation.classes()), [6, 6, 6], "axes");
        assert_eq!(sizes(commutation.families()), [3; 6], "faces");
        assert_eq!(commutation.product(0, 1), Product::Move(2), "a quarter and a half turn");
        assert_eq!(commutation.product(0, 2), Product::Identity);
        assert_eq!(commutation.product(0, 3), Product::Other);
    }

    #[test]
    fn products_agree_with_composition() {
        let moves = powers(&topspin(6, 4));
        let commutation = Commutation::new(&moves);
        for (a, first) in moves.iter().enumerate() {
            for (b, second) in moves.iter().enumerate() {
                let product = first.then(second);
                assert_eq!(commutation.commutes(a, b), product == second.then(first), "{a} {b}");
                match commutation.product(a, b) {
                    Product::Identity => assert!(product.is_identity(), "{a} {b}"),
                    Product::Move(number) => assert_eq!(product, moves[number], "{a} {b}"),
                    Product::Other => assert!(!product.is_identity() && !moves.contains(&product)),
                }
            }
        }
    }
}
