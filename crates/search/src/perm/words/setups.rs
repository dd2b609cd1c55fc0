//! Conjugates of one 3-cycle of pieces: a shortest setup word for every 3-cycle of the same kind.

use std::collections::HashMap;

use super::alphabet::{Alphabet, Symbol, Word, inverse};
use crate::control::{Control, Reservation, Stop};
use crate::perm::Permutation;

/// Kinds with more points are left to the tables.
const MAX_POINTS: usize = 128;
/// No setup is known.
const UNREACHED: Symbol = Symbol::MAX;
/// The 3-cycle itself.
const ROOT: Symbol = Symbol::MAX - 1;

/// Setup words for the 3-cycles of one kind of pieces.
pub(super) struct Setups {
    cycle: Word,
    /// The moved points of the cycle and their images.
    support: Vec<(u32, u32)>,
    index: HashMap<u32, usize>,
    /// The last letter of the setup that takes the cycle to that of three points, by their indices.
    last: Vec<Symbol>,
    /// The bytes of `last`, released with it.
    _memory: Reservation,
}

/// A 3-cycle of pieces with its word.
pub(super) struct Cycle {
    pub(super) word: Word,
    /// The moved points and their images.
    pub(super) support: Vec<(u32, u32)>,
}

impl Setups {
    /// The setups for a word that is a 3-cycle on the pieces with these points; `None` if there are too many.
    pub(super) fn new(
        alphabet: &Alphabet,
        cycle: Word,
        points: &[u32],
        control: &Control,
    ) -> Result<Option<Setups>, Stop> {
        let count = points.len();
        if count > MAX_POINTS {
            return Ok(None);
        }
        let index: HashMap<u32, usize> = points.iter().enumerate().map(|(at, &point)| (point, at)).collect();
        let product = alphabet.product(&cycle);
        let support: Vec<(u32, u32)> = product.support().map(|point| (point, product.image(point))).collect();
        let local = |permutation: &Permutation| -> Vec<usize> {
            points.iter().map(|&point| index[&permutation.image(point)]).collect()
        };
        let available = alphabet.available();
        let letters: Vec<(Symbol, Vec<usize>)> =
            available.iter().map(|&symbol| (symbol, local(alphabet.permutation(symbol)))).collect();
        let memory = control.reserve(2 * (count * count * count) as u64)?;
        let mut last = vec![UNREACHED; count * count * count];
        let mut queue: Vec<[usize; 3]> = Vec::new();
        for &(point, image) in &support {
            if let (Some(&a), Some(&b), Some(&c)) =
                (index.get(&point), index.get(&image), index.get(&product.image(image)))
            {
                last[(a * count + b) * count + c] = ROOT;
                queue.push([a, b, c]);
            }
        }
        let mut next = 0;
        while next < queue.len() {
            if next % 1024 == 0 {
                control.poll()?;
            }
            for (symbol, images) in &letters {
                let [a, b, c] = queue[next].map(|at| images[at]);
                let slot = &mut last[(a * count + b) * count + c];
                if *slot == UNREACHED {
                    *slot = *symbol;
                    queue.push([a, b, c]);
                }
            }
            next += 1;
        }
        Ok(Some(Setups { cycle, support, index, last, _memory: memory }))
    }

    /// The setup word that takes the cycle to that of three points.
    fn setup(&self, alphabet: &Alphabet, triple: [u32; 3]) -> Option<Word> {
        let count = self.index.len();
        let mut word = Word::new();
        let mut at = triple;
        loop {
            let [a, b, c] = at.map(|point| self.index[&point]);
            match self.last[(a * count + b) * count + c] {
                UNREACHED => return None,
                ROOT => break,
                symbol => {
                    word.push(symbol);
                    at = at.map(|point| alphabet.permutation(symbol ^ 1).image(point));
                }
            }
        }
        word.reverse();
        Some(word)
    }

    /// The shorter word for the 3-cycle of pieces that takes the points `x` to `y`, `y` to `z` and `z` to `x`.
    pub(super) fn cycle(&self, alphabet: &Alphabet, [x, y, z]: [u32; 3]) -> Option<Cycle> {
        let forward = self.setup(alphabet, [x, y, z]).map(|setup| (setup, false));
        let backward = self.setup(alphabet, [x, z, y]).map(|setup| (setup, true));
        let weight = |setup: &Word| alphabet.length(setup) + alphabet.length(&inverse(setup));
        let (setup, reversed) =
            [forward, backward].into_iter().flatten().min_by_key(|(setup, _)| weight(setup))?;
        let cycle = if reversed { inverse(&self.cycle) } else { self.cycle.clone() };
        let moved = |point: u32| alphabet.image(&setup, point);
        let support = self
            .support
            .iter()
            .map(|&(from, to)| if reversed { (moved(to), moved(from)) } else { (moved(from), moved(to)) });
        Some(Cycle { support: support.collect(), word: [inverse(&setup), cycle, setup].concat() })
    }
}
