//! Words as products of 3-cycles of pieces, for puzzles of any size.
//!
//! If the supports of two words have one piece in common, their commutator is a 3-cycle of pieces. A short
//! word of the generators first makes all invariants zero; what remains is a product of 3-cycles wherever the
//! group acts on the pieces in every way that its invariants allow.

use super::WordsBudget;
use super::alphabet::{Alphabet, Word, concatenate, inverse};
use super::setups::{Cycle, Setups};
use crate::control::{Control, Stop};
use crate::perm::Permutation;
use crate::perm::abelian::AbelianSubgroup;
use crate::perm::group::{PermutationGroup, Structure};

/// A kind of pieces: the blocks of one orbit.
struct Kind {
    blocks: Vec<Vec<u32>>,
    setups: Option<Setups>,
}

/// Words by 3-cycles.
pub(super) struct CycleWords {
    structure: Structure,
    kinds: Vec<Kind>,
    /// The kinds in the order in which they are solved: the cycles of one do not move earlier ones.
    order: Vec<usize>,
    /// The number of the block of each point within its kind.
    block_of: Vec<u32>,
    /// Generators whose invariants generate those of the group.
    independent: Vec<usize>,
    /// The invariants of the independent generators, each with a coordinate that counts its uses.
    extended: AbelianSubgroup,
}

impl CycleWords {
    pub(super) fn build(
        group: &PermutationGroup,
        alphabet: &Alphabet,
        budget: WordsBudget,
        control: &Control,
    ) -> Result<CycleWords, Stop> {
        let structure = group.structure().clone();
        let mut block_of = vec![u32::MAX; group.degree()];
        let mut kinds = Vec::new();
        for part in &structure.parts {
            for (number, point) in part
                .blocks
                .iter()
                .enumerate()
                .flat_map(|(number, block)| block.iter().map(move |p| (number, p)))
            {
                block_of[*point as usize] = number as u32;
            }
            kinds.push(Kind { blocks: part.blocks.clone(), setups: None });
        }
        let mut order = Vec::new();
        for (kind, cycle) in super::commutators::find(&structure, alphabet, budget.commutators, control)? {
            let points: Vec<u32> = kinds[kind].blocks.iter().flatten().copied().collect();
            if let Some(cycle) = cycle {
                kinds[kind].setups = Setups::new(alphabet, cycle, &points, control)?;
            }
            order.push(kind);
        }
        let (independent, extended) = invariants(&structure, group.generators());
        Ok(CycleWords { structure, kinds, order, block_of, independent, extended })
    }

    pub(super) fn coverage(&self) -> (usize, usize) {
        (self.kinds.iter().filter(|kind| kind.setups.is_some()).count(), self.kinds.len())
    }

    /// A word for an element of the group, if its pieces can be sorted by known 3-cycles.
    pub(super) fn word(&self, alphabet: &Alphabet, element: &Permutation) -> Option<Word> {
        let values = self.structure.values(element).ok()?;
        let count = values.len();
        let rest = self.extended.reduce(&[values, vec![0; self.independent.len()]].concat());
        if rest[..count].iter().any(|&value| value != 0) {
            return None;
        }
        let mut correction = Word::new();
        for (&generator, &times) in self.independent.iter().zip(&rest[count..]) {
            correction.extend(std::iter::repeat_n(2 * generator as u16, times as usize));
        }
        let mut state = Sorting::new(&element.then(&alphabet.product(&correction)));
        for &kind in &self.order {
            self.sort(alphabet, &self.kinds[kind], &mut state)?;
        }
        let word = state.words.iter().rev().fold(Word::new(), |word, next| concatenate(&word, next));
        Some(concatenate(&word, &inverse(&correction)))
    }

    /// Sorts the pieces of one kind.
    fn sort(&self, alphabet: &Alphabet, kind: &Kind, state: &mut Sorting) -> Option<()> {
        for _ in 0..4 * kind.blocks.len() + 4 {
            let unsolved: Vec<&Vec<u32>> =
                kind.blocks.iter().filter(|block| block.iter().any(|&point| state.moves(point))).collect();
            if unsolved.is_empty() {
                return Some(());
            }
            let setups = kind.setups.as_ref()?;
            let best = self.best_cycle(alphabet, kind, setups, &unsolved, state)?;
            state.divide(best);
        }
        None
    }

    /// The cycle that solves the most pieces, and among those the one with the shortest word.
    fn best_cycle(
        &self,
        alphabet: &Alphabet,
        kind: &Kind,
        setups: &Setups,
        unsolved: &[&Vec<u32>],
        state: &Sorting,
    ) -> Option<Cycle> {
        let block = |point: u32| self.block_of[point as usize];
        let moved: Vec<&&Vec<u32>> =
            unsolved.iter().filter(|b| block(state.images[b[0] as usize]) != block(b[0])).collect();
        let mut triples: Vec<[u32; 3]> = Vec::new();
        for b in &moved {
            let (x, y, w) = (b[0], state.images[b[0] as usize], state.preimages[b[0] as usize]);
            if block(w) != block(y) {
                triples.push([x, y, w]);
            }
        }
        // Only swaps: join two of them.
        if triples.is_empty() {
            for b in &moved {
                let (x, y) = (b[0], state.images[b[0] as usize]);
                let others = moved.iter().filter(|other| ![block(x), block(y)].contains(&block(other[0])));
                triples.extend(others.flat_map(|other| other.iter().map(|&z| [x, y, z])));
            }
        }
        // Only twisted pieces: cycle two of them with any third one.
        if moved.is_empty()
            && let [first, second, ..] = unsolved
        {
            let third =
                kind.blocks.iter().filter(|b| ![block(first[0]), block(second[0])].contains(&block(b[0])));
            triples.extend(third.map(|third| [first[0], second[0], third[0]]));
        }
        let cycles = triples.into_iter().filter_map(|triple| setups.cycle(alphabet, triple));
        cycles.min_by_key(|cycle| alphabet.length(&cycle.word))
    }
}

/// An element that is divided by cycles until it is the identity.
struct Sorting {
    images: Vec<u32>,
    preimages: Vec<u32>,
    words: Vec<Word>,
}

impl Sorting {
    fn new(element: &Permutation) -> Sorting {
        let preimages = element.inverse().images().to_vec();
        Sorting { images: element.images().to_vec(), preimages, words: Vec::new() }
    }

    fn moves(&self, point: u32) -> bool {
        self.images[point as usize] != point
    }

    /// Multiplies by the inverse of a cycle from the right.
    fn divide(&mut self, cycle: Cycle) {
        let changed: Vec<(u32, u32)> =
            cycle.support.iter().map(|&(from, to)| (self.preimages[to as usize], from)).collect();
        for (point, image) in changed {
            self.images[point as usize] = image;
            self.preimages[image as usize] = point;
        }
        self.words.push(cycle.word);
    }
}

/// Generators whose invariants generate those of the group, and their invariants with counters.
fn invariants(structure: &Structure, generators: &[Permutation]) -> (Vec<usize>, AbelianSubgroup) {
    let mut image = AbelianSubgroup::trivial(&structure.moduli);
    let mut independent: Vec<(usize, Vec<u32>)> = Vec::new();
    for (number, generator) in generators.iter().enumerate() {
        if let Ok(values) = structure.values(generator)
            && image.insert(&values)
        {
            independent.push((number, values));
        }
    }
    let exponent = structure.moduli.iter().fold(1, |multiple, &m| crate::perm::abelian::lcm(multiple, m));
    let counters = vec![exponent; independent.len()];
    let mut extended = AbelianSubgroup::trivial(&[&structure.moduli[..], &counters].concat());
    for (at, (_, values)) in independent.iter().enumerate() {
        let mut row = [&values[..], &vec![0; independent.len()]].concat();
        row[values.len() + at] = 1 % exponent;
        extended.insert(&row);
    }
    (independent.into_iter().map(|(number, _)| number).collect(), extended)
}
