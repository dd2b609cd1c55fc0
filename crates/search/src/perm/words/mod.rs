//! Words: group elements as products of generators.
//!
//! Two methods, of which [`Words::word`] returns the shorter word. Tables of short words for a stabiliser
//! chain (Minkwitz 1998) suit small groups of any kind. Products of 3-cycles suit puzzles of any size: a
//! commutator that moves three pieces of one kind, conjugated by setup moves.

mod alphabet;
mod commutators;
mod cycles;
mod minkwitz;
mod setups;

use self::alphabet::Alphabet;
use self::cycles::CycleWords;
use self::minkwitz::TableWords;
use super::Permutation;
use super::group::PermutationGroup;
use crate::control::{Control, Stop};

/// A generator, by its number, or its inverse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Letter {
    /// The number of the generator.
    pub generator: usize,
    /// Whether its inverse is meant.
    pub inverse: bool,
}

/// How much work [`Words::build`] does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordsBudget {
    /// Words that are sifted into the tables; more of them make words shorter.
    pub table_words: u64,
    /// Tables with more images of points are not built.
    pub table_images: usize,
    /// Pairs of short words that are compared, times the number of pieces in units of 64.
    pub commutators: u64,
}

impl Default for WordsBudget {
    fn default() -> WordsBudget {
        WordsBudget { table_words: 200_000, table_images: 4_000_000, commutators: 300_000_000 }
    }
}

/// A factorisation of group elements into generators.
///
/// ```
/// use untumble_search::control::Control;
/// use untumble_search::perm::{Permutation, PermutationGroup, Words, WordsBudget};
///
/// let new = |images: [u32; 5]| Permutation::new(images).unwrap();
/// let generators = [new([1, 2, 3, 4, 0]), new([1, 0, 2, 3, 4])];
/// let group = PermutationGroup::new(5, &generators, &Control::default()).unwrap();
/// let words = Words::build(&group, &[true, true], WordsBudget::default(), &Control::default()).unwrap();
/// let element = new([4, 3, 2, 1, 0]);
/// let word = words.word(&element).unwrap();
/// let product = word.iter().fold(Permutation::identity(5), |product, letter| {
///     let generator = &generators[letter.generator];
///     product.then(&if letter.inverse { generator.inverse() } else { generator.clone() })
/// });
/// assert_eq!(product, element);
/// ```
pub struct Words {
    alphabet: Alphabet,
    tables: Option<TableWords>,
    cycles: CycleWords,
}

impl Words {
    /// Prepares words for the elements of a group. `invertible` says for each generator whether words may
    /// contain its inverse; missing entries count as false.
    pub fn build(
        group: &PermutationGroup,
        invertible: &[bool],
        budget: WordsBudget,
        control: &Control,
    ) -> Result<Words, Stop> {
        let alphabet = Alphabet::new(group.degree(), group.generators(), invertible);
        let tables = TableWords::build(group, &alphabet, budget, control)?;
        let cycles = CycleWords::build(group, &alphabet, budget, control)?;
        Ok(Words { alphabet, tables, cycles })
    }

    /// A word for an element; `None` if the element is not in the group, no method covers it, or the
    /// word is longer than 16 million letters.
    pub fn word(&self, element: &Permutation) -> Option<Vec<Letter>> {
        if element.degree() != self.alphabet.degree() {
            return None;
        }
        let table = self.tables.as_ref().and_then(|tables| tables.shortest_word(&self.alphabet, element));
        let cycles = self.cycles.word(&self.alphabet, element);
        let words = [table, cycles].into_iter().flatten();
        let words = words.filter(|word| self.alphabet.product(word) == *element);
        words.filter_map(|word| self.alphabet.letters(&word)).min_by_key(Vec::len)
    }

    /// Whether the tables have a word for every element of the group.
    pub fn has_tables(&self) -> bool {
        self.tables.as_ref().is_some_and(TableWords::is_complete)
    }

    /// The numbers of kinds of pieces with a known 3-cycle, and of all kinds.
    pub fn cycle_coverage(&self) -> (usize, usize) {
        self.cycles.coverage()
    }
}

#[cfg(test)]
mod tests;
