//! Generators and their inverses as letters, and operations on words.

use super::Letter;
use crate::perm::Permutation;

/// A letter: twice the number of the generator, plus one for its inverse.
pub(super) type Symbol = u16;

/// A word, read from left to right.
pub(super) type Word = Vec<Symbol>;

/// Longer words are not written.
const MAX_LENGTH: usize = 1 << 24;

/// The generators with their inverses. Inverses that are not available are written as other words in the end.
pub(super) struct Alphabet {
    degree: usize,
    permutations: Vec<Permutation>,
    /// The order of each generator.
    orders: Vec<usize>,
    /// The available letters of each letter.
    spelling: Vec<Spelling>,
}

/// How a letter is written.
#[derive(Clone, Copy)]
enum Spelling {
    Itself,
    /// As another generator.
    Generator(usize),
    /// As a power of the generator.
    Power,
}

impl Alphabet {
    pub(super) fn new(degree: usize, generators: &[Permutation], invertible: &[bool]) -> Alphabet {
        let inverses: Vec<Permutation> = generators.iter().map(Permutation::inverse).collect();
        let mut spelling = Vec::new();
        for (number, inverse) in inverses.iter().enumerate() {
            let other = || generators.iter().position(|generator| generator == inverse);
            spelling.push(Spelling::Itself);
            spelling.push(match (invertible.get(number), other()) {
                (Some(true), _) => Spelling::Itself,
                (_, Some(other)) => Spelling::Generator(other),
                _ => Spelling::Power,
            });
        }
        let order = |generator: &Permutation| {
            let order = crate::perm::order(degree, |point| generator.image(point as u32) as usize);
            order.and_then(|order| usize::try_from(order).ok()).unwrap_or(usize::MAX)
        };
        let permutations = generators.iter().cloned().zip(inverses).flat_map(|(g, i)| [g, i]).collect();
        Alphabet { degree, permutations, orders: generators.iter().map(order).collect(), spelling }
    }

    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    /// All letters, without those of identities.
    pub(super) fn symbols(&self) -> impl Iterator<Item = Symbol> + Clone {
        let moves = |symbol: &Symbol| self.orders[usize::from(symbol / 2)] > 1;
        (0..self.permutations.len() as Symbol).filter(moves)
    }

    /// The letters that are written as one letter.
    pub(super) fn available(&self) -> Vec<Symbol> {
        let single = |symbol: &Symbol| matches!(self.spelling[usize::from(*symbol)], Spelling::Itself);
        let mut letters: Vec<Symbol> = self.symbols().filter(single).collect();
        // A generator may be the inverse of itself or equal to another one.
        let mut seen = std::collections::HashSet::new();
        letters.retain(|&symbol| seen.insert(self.permutation(symbol).clone()));
        letters
    }

    pub(super) fn permutation(&self, symbol: Symbol) -> &Permutation {
        &self.permutations[usize::from(symbol)]
    }

    pub(super) fn image(&self, word: &[Symbol], point: u32) -> u32 {
        word.iter().fold(point, |point, &symbol| self.permutation(symbol).image(point))
    }

    pub(super) fn product(&self, word: &[Symbol]) -> Permutation {
        let images = (0..self.degree as u32).map(|point| self.image(word, point));
        Permutation::from_images(images.collect())
    }

    /// The number of letters that a word takes when it is written.
    pub(super) fn length(&self, word: &[Symbol]) -> usize {
        word.iter().fold(0usize, |length, &symbol| {
            length.saturating_add(match self.spelling[usize::from(symbol)] {
                Spelling::Itself | Spelling::Generator(_) => 1,
                Spelling::Power => self.orders[usize::from(symbol / 2)] - 1,
            })
        })
    }

    /// The word with available letters only; `None` if it is very long. Powers of a generator are reduced
    /// modulo its order.
    pub(super) fn letters(&self, word: &[Symbol]) -> Option<Vec<Letter>> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for &symbol in word {
            let generator = usize::from(symbol / 2);
            let order = self.orders[generator];
            let exponent = if symbol % 2 == 0 { 1 } else { order - 1 };
            match runs.last_mut() {
                Some((last, sum)) if *last == generator => {
                    // Equal to (sum + exponent) modulo the order, without overflow.
                    *sum = if *sum >= order - exponent { *sum - (order - exponent) } else { *sum + exponent };
                    if *sum == 0 {
                        runs.pop();
                    }
                }
                _ if exponent % order == 0 => {}
                _ => runs.push((generator, exponent)),
            }
        }
        let mut letters = Vec::new();
        for (generator, exponent) in runs {
            let back = self.orders[generator] - exponent;
            let plain = Letter { generator, inverse: false };
            let (letter, times) = match self.spelling[2 * generator + 1] {
                Spelling::Itself if back < exponent => (Letter { generator, inverse: true }, back),
                Spelling::Generator(other) if back < exponent => (Letter { generator: other, ..plain }, back),
                _ => (plain, exponent),
            };
            // A generator without an inverse may have an enormous order.
            if times > MAX_LENGTH - letters.len() {
                return None;
            }
            letters.extend(std::iter::repeat_n(letter, times));
        }
        Some(letters)
    }
}

/// The inverse of a word.
pub(super) fn inverse(word: &[Symbol]) -> Word {
    word.iter().rev().map(|symbol| symbol ^ 1).collect()
}

/// Two words after each other, without pairs of inverse letters at the seam.
pub(super) fn concatenate(first: &[Symbol], second: &[Symbol]) -> Word {
    let pairs = first.iter().rev().zip(second);
    let cancelled = pairs.take_while(|(a, b)| **a == **b ^ 1).count();
    [&first[..first.len() - cancelled], &second[cancelled..]].concat()
}
