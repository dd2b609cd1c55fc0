//! Short words for the transversals of a stabiliser chain (Minkwitz, "An algorithm for solving the
//! factorization problem in permutation groups", 1998).
//!
//! Short words are sifted through the chain and replace longer words for the same entry. Products of entries
//! of one level are sifted as well, and what is still missing is filled by images of known entries. The limit
//! of the length of a word grows slowly, so that short words come first.

use super::WordsBudget;
use super::alphabet::{Alphabet, Symbol, Word, concatenate, inverse};
use crate::control::{Control, Reservation, Stop};
use crate::perm::Permutation;
use crate::perm::group::PermutationGroup;

struct Entry {
    word: Word,
    length: usize,
    element: Permutation,
    inverse: Permutation,
    /// Whether the products of the level include the entry.
    multiplied: bool,
}

struct Level {
    base: u32,
    /// The entry of each point of the orbit, by the number of the point in the orbit.
    entries: Vec<Option<Entry>>,
    /// The number of each point in the orbit.
    number: Vec<u32>,
    missing: usize,
}

/// Words for the transversal elements of every level.
pub(super) struct TableWords {
    levels: Vec<Level>,
    /// The bytes of the entries, released with them.
    _memory: Reservation,
}

/// Words between two rounds of improvement.
const ROUND: u64 = 2000;

impl TableWords {
    /// Builds tables; `None` if they would be too large.
    pub(super) fn build(
        group: &PermutationGroup,
        alphabet: &Alphabet,
        budget: WordsBudget,
        control: &Control,
    ) -> Result<Option<TableWords>, Stop> {
        let base = group.base();
        let images: usize = base.iter().map(|(_, size)| 2 * size * group.degree()).sum();
        let letters = alphabet.available();
        if images > budget.table_images || letters.is_empty() {
            return Ok(None);
        }
        let memory = control.reserve(4 * images as u64)?;
        let levels = (0..base.len()).map(|level| {
            let mut number = vec![u32::MAX; group.degree()];
            let orbit = group.transversal(level);
            for (at, (point, _)) in orbit.iter().enumerate() {
                number[*point as usize] = at as u32;
            }
            let entries = orbit.iter().map(|_| None).collect();
            Level { base: base[level].0, entries, number, missing: orbit.len() - 1 }
        });
        let mut tables = TableWords { levels: levels.collect(), _memory: memory };
        let mut source = WordSource::new(letters);
        let mut limit = 12;
        for round in 0..budget.table_words.div_ceil(ROUND) {
            for _ in 0..ROUND {
                let (word, element) = source.next(alphabet);
                tables.sift(alphabet, 0, word, element, limit);
            }
            tables.improve(alphabet, limit, control)?;
            if !tables.is_complete() {
                tables.fill(alphabet, limit, control)?;
            }
            if !tables.is_complete() || round % 8 == 7 {
                limit += limit / 4;
            }
        }
        // The missing entries are filled by words of any length.
        let mut missing = usize::MAX;
        while tables.missing() < missing {
            missing = tables.missing();
            tables.improve(alphabet, usize::MAX, control)?;
            tables.fill(alphabet, usize::MAX, control)?;
        }
        Ok(Some(tables))
    }

    fn missing(&self) -> usize {
        self.levels.iter().map(|level| level.missing).sum()
    }

    pub(super) fn is_complete(&self) -> bool {
        self.missing() == 0
    }

    /// Enters an element, or the rest after division by shorter entries, as long as its word is short.
    fn sift(&mut self, alphabet: &Alphabet, from: usize, word: Word, element: Permutation, limit: usize) {
        let (mut word, mut element) = (word, element);
        for level in &mut self.levels[from..] {
            let image = element.image(level.base);
            if image == level.base {
                continue;
            }
            let length = alphabet.length(&word);
            if length > limit {
                return;
            }
            let Some(known) = level.entry(image) else {
                level.enter(alphabet, &word, &element);
                return;
            };
            let rest = (concatenate(&word, &inverse(&known.word)), element.then(&known.inverse));
            if length < known.length {
                level.enter(alphabet, &word, &element);
            }
            (word, element) = rest;
        }
    }

    /// Sifts the products of the entries of each level.
    fn improve(&mut self, alphabet: &Alphabet, limit: usize, control: &Control) -> Result<(), Stop> {
        for number in 0..self.levels.len() {
            let level = &self.levels[number];
            let present: Vec<(usize, bool)> = (level.entries.iter().enumerate())
                .filter_map(|(at, entry)| entry.as_ref().map(|entry| (at, entry.multiplied)))
                .collect();
            for &(a, old) in &present {
                control.poll()?;
                for &(b, also_old) in &present {
                    let [Some(first), Some(second)] =
                        [a, b].map(|at| self.levels[number].entries[at].as_ref())
                    else {
                        continue;
                    };
                    if old && also_old || first.length.saturating_add(second.length) > limit {
                        continue;
                    }
                    let word = concatenate(&first.word, &second.word);
                    let product = first.element.then(&second.element);
                    self.sift(alphabet, number, word, product, limit);
                }
            }
            for &(at, _) in &present {
                if let Some(entry) = &mut self.levels[number].entries[at] {
                    entry.multiplied = true;
                }
            }
        }
        Ok(())
    }

    /// Multiplies entries by entries of later levels to reach further points.
    fn fill(&mut self, alphabet: &Alphabet, limit: usize, control: &Control) -> Result<(), Stop> {
        for number in 0..self.levels.len() {
            control.poll()?;
            if self.levels[number].missing == 0 {
                continue;
            }
            let (before, later) = self.levels.split_at_mut(number + 1);
            let level = &mut before[number];
            let movers = later.iter().flat_map(|level| level.entries.iter().flatten());
            for mover in movers {
                let known: Vec<usize> =
                    (0..level.entries.len()).filter(|&at| level.entries[at].is_some()).collect();
                for at in known {
                    let Some(entry) = &level.entries[at] else { continue };
                    let image = mover.element.image(entry.element.image(level.base));
                    let short = entry.length.saturating_add(mover.length) <= limit;
                    if image != level.base && level.entry(image).is_none() && short {
                        let word = concatenate(&entry.word, &mover.word);
                        let element = entry.element.then(&mover.element);
                        level.enter(alphabet, &word, &element);
                    }
                }
            }
        }
        Ok(())
    }

    /// A word for an element of the group.
    fn word(&self, element: &Permutation) -> Option<Word> {
        let mut rest = element.clone();
        let mut parts: Vec<&Word> = Vec::new();
        for level in &self.levels {
            let image = rest.image(level.base);
            if image != level.base {
                let entry = level.entry(image)?;
                parts.push(&entry.word);
                rest = rest.then(&entry.inverse);
            }
        }
        let word = parts.iter().rev().fold(Word::new(), |word, part| concatenate(&word, part));
        rest.is_identity().then_some(word)
    }

    /// The shortest of the words found directly, for the inverse, and after each letter.
    pub(super) fn shortest_word(&self, alphabet: &Alphabet, element: &Permutation) -> Option<Word> {
        let direct = self.word(element)?;
        let backwards = self.word(&element.inverse()).map(|word| inverse(&word));
        let after = alphabet.available().into_iter().filter_map(|symbol| {
            let rest = alphabet.permutation(symbol ^ 1).then(element);
            Some(concatenate(&[symbol], &self.word(&rest)?))
        });
        std::iter::once(direct).chain(backwards).chain(after).min_by_key(|word| alphabet.length(word))
    }
}

impl Level {
    fn entry(&self, image: u32) -> Option<&Entry> {
        self.entries.get(self.number[image as usize] as usize)?.as_ref()
    }

    /// Enters an element and its inverse where they are shorter than what is known.
    fn enter(&mut self, alphabet: &Alphabet, word: &[Symbol], element: &Permutation) {
        let back = element.inverse();
        let reverse = inverse(word);
        for (word, element, inverse) in
            [(word.to_vec(), element.clone(), back.clone()), (reverse, back, element.clone())]
        {
            let length = alphabet.length(&word);
            let number = self.number[element.image(self.base) as usize] as usize;
            // Points outside of the orbit do not occur for elements of the group.
            let Some(slot) = self.entries.get_mut(number) else { return };
            if slot.as_ref().is_none_or(|known| length < known.length) {
                self.missing -= usize::from(slot.is_none());
                *slot = Some(Entry { word, length, element, inverse, multiplied: false });
            }
        }
    }
}

/// All words of available letters by increasing length, without a letter after its inverse.
struct WordSource {
    letters: Vec<Symbol>,
    /// The letters of the current word, by their number, and the products of its prefixes.
    word: Vec<usize>,
    products: Vec<Permutation>,
}

impl WordSource {
    fn new(letters: Vec<Symbol>) -> WordSource {
        WordSource { letters, word: Vec::new(), products: Vec::new() }
    }

    fn next(&mut self, alphabet: &Alphabet) -> (Word, Permutation) {
        let mut changed = self.word.len();
        loop {
            if changed == 0 {
                self.word = vec![0; self.word.len() + 1];
                break;
            }
            changed -= 1;
            self.word[changed] += 1;
            if self.word[changed] < self.letters.len() {
                self.word[changed + 1..].fill(0);
                break;
            }
        }
        self.products.truncate(changed);
        for &letter in &self.word[self.products.len()..] {
            let next = alphabet.permutation(self.letters[letter]);
            let product = self.products.last().map_or_else(|| next.clone(), |product| product.then(next));
            self.products.push(product);
        }
        let word = self.word.iter().map(|&letter| self.letters[letter]);
        // Words with inverse pairs shrink here and are found to be known.
        let word = word.fold(Word::new(), |word, symbol| concatenate(&word, &[symbol]));
        (word, self.products[self.products.len() - 1].clone())
    }
}
