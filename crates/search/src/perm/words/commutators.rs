//! Short commutators that are 3-cycles of pieces.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

use super::alphabet::{Alphabet, Symbol, Word, concatenate, inverse};
use crate::control::{Control, Stop};
use crate::perm::Permutation;
use crate::perm::group::Structure;

/// The most words whose commutators are examined.
const MAX_WORDS: usize = 20_000;

/// A word with the set of pieces that it moves, as bits.
struct Candidate {
    word: Word,
    pieces: Vec<u64>,
}

/// The kinds of pieces in the order in which they are solved, each with a word for a 3-cycle, if one is found.
/// The word moves three pieces of its kind and none of the earlier kinds; those of later kinds it may move.
///
/// Commutators of short words are tried in the order of their length. Kinds without a word that moves nothing
/// else come first, because their words need to be pure least.
pub(super) fn find(
    structure: &Structure,
    alphabet: &Alphabet,
    budget: u64,
    control: &Control,
) -> Result<Vec<(usize, Option<Word>)>, Stop> {
    let pieces = Pieces::new(structure);
    let pool =
        Pool { candidates: candidates(alphabet, &pieces, control)?, alphabet, pieces: &pieces, control };
    // Large puzzles compare more bits per pair.
    let pairs = budget / pieces.kind.len().div_ceil(64).max(1) as u64;
    let kinds = 0..structure.parts.len();
    let pure = pool.pure_cycles(pairs / 4)?;
    let mut order: Vec<usize> = kinds.filter(|&kind| pieces.sizes[kind] >= 3).collect();
    order.sort_by_key(|&kind| (pure[kind].is_some(), pieces.sizes[kind]));
    let mut solved = vec![0; pieces.kind.len().div_ceil(64)];
    let mut found = Vec::new();
    for &kind in &order {
        pieces.add_kind(kind, &mut solved);
        let share = if pure[kind].is_some() { pairs / 4 / order.len() as u64 } else { pairs / 4 };
        let shorter = pool.cycle(kind, &solved, pure[kind].as_ref().map(Vec::len), share)?;
        found.push((kind, shorter.or_else(|| pure[kind].clone())));
    }
    found.extend((0..structure.parts.len()).filter(|kind| !order.contains(kind)).map(|kind| (kind, None)));
    Ok(found)
}

/// The words whose commutators are tried, by increasing length.
struct Pool<'a> {
    candidates: Vec<Candidate>,
    alphabet: &'a Alphabet,
    pieces: &'a Pieces,
    control: &'a Control,
}

impl Pool<'_> {
    /// Visits pairs of words by their total length, at most `budget`, with their common piece among those of
    /// `mask` if there is exactly one. Stops if `visit` breaks.
    fn pairs(
        &self,
        mask: &[u64],
        budget: u64,
        mut visit: impl FnMut(usize, &Candidate, &Candidate) -> ControlFlow<()>,
    ) -> Result<(), Stop> {
        let longest = self.candidates.last().map_or(0, |last| last.word.len());
        let of_length = |length: usize| {
            let start = self.candidates.partition_point(|candidate| candidate.word.len() < length);
            let end = self.candidates.partition_point(|candidate| candidate.word.len() <= length);
            &self.candidates[start..end]
        };
        let mut left = budget;
        for total in 2..=2 * longest {
            for first in (1..=total / 2).filter(|first| total - first <= longest) {
                for a in of_length(first) {
                    self.control.poll()?;
                    for b in of_length(total - first) {
                        if left == 0 {
                            return Ok(());
                        }
                        left -= 1;
                        if let Some(piece) = common_piece(&a.pieces, &b.pieces, mask)
                            && visit(piece, a, b).is_break()
                        {
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// For each kind a word that is a 3-cycle of pieces and moves nothing else.
    fn pure_cycles(&self, budget: u64) -> Result<Vec<Option<Word>>, Stop> {
        let all = vec![u64::MAX; self.pieces.kind.len().div_ceil(64)];
        let mut found: Vec<Option<Word>> = vec![None; self.pieces.sizes.len()];
        let mut missing = self.pieces.sizes.iter().filter(|&&size| size >= 3).count();
        self.pairs(&all, budget, |piece, a, b| {
            let kind = self.pieces.kind[piece];
            if found[kind].is_none() {
                let word = commutator(&a.word, &b.word);
                if self.pieces.is_three_cycle(&self.alphabet.product(&word), kind, &all) {
                    found[kind] = Some(word);
                    missing -= 1;
                }
            }
            if missing == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(found)
    }

    /// A word that is a 3-cycle on the pieces of `mask`, shorter than `limit`.
    fn cycle(
        &self,
        kind: usize,
        mask: &[u64],
        limit: Option<usize>,
        budget: u64,
    ) -> Result<Option<Word>, Stop> {
        let mut found = None;
        self.pairs(mask, budget, |piece, a, b| {
            let longest = 2 * (a.word.len() + b.word.len());
            if limit.is_some_and(|limit| longest >= limit) {
                return ControlFlow::Break(());
            }
            if self.pieces.kind[piece] == kind {
                let word = commutator(&a.word, &b.word);
                if self.pieces.is_three_cycle(&self.alphabet.product(&word), kind, mask) {
                    found = Some(word);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }
}

fn commutator(a: &[Symbol], b: &[Symbol]) -> Word {
    let left = concatenate(&inverse(a), &inverse(b));
    concatenate(&left, &concatenate(a, b))
}

/// The only common member of three sets.
fn common_piece(a: &[u64], b: &[u64], mask: &[u64]) -> Option<usize> {
    let mut common = None;
    for (at, ((&a, &b), &mask)) in a.iter().zip(b).zip(mask).enumerate() {
        let both = a & b & mask;
        if both != 0 {
            if common.is_some() || !both.is_power_of_two() {
                return None;
            }
            common = Some(64 * at + both.trailing_zeros() as usize);
        }
    }
    common
}

/// The pieces of all kinds with common numbers.
struct Pieces {
    /// The piece of each point; `None` for fixed points.
    of: Vec<Option<u32>>,
    kind: Vec<usize>,
    /// The number of pieces of each kind.
    sizes: Vec<usize>,
}

impl Pieces {
    fn new(structure: &Structure) -> Pieces {
        let mut pieces = Pieces { of: vec![None; structure.degree()], kind: Vec::new(), sizes: Vec::new() };
        for (kind, part) in structure.parts.iter().enumerate() {
            for (number, block) in part.blocks.iter().enumerate() {
                let linked = part.links.iter().flat_map(|partners| &partners[number]);
                for &point in block.iter().chain(linked) {
                    pieces.of[point as usize] = Some(pieces.kind.len() as u32);
                }
                pieces.kind.push(kind);
            }
            pieces.sizes.push(part.blocks.len());
        }
        pieces
    }

    fn moved(&self, permutation: &Permutation) -> Vec<u64> {
        let mut moved = vec![0; self.kind.len().div_ceil(64)];
        for piece in permutation.support().filter_map(|point| self.of[point as usize]) {
            moved[piece as usize / 64] |= 1 << (piece % 64);
        }
        moved
    }

    /// Adds the pieces of a kind to a set.
    fn add_kind(&self, kind: usize, set: &mut [u64]) {
        for piece in (0..self.kind.len()).filter(|&piece| self.kind[piece] == kind) {
            set[piece / 64] |= 1 << (piece % 64);
        }
    }

    /// Whether a permutation cycles three pieces of one kind and moves no other piece of the mask.
    fn is_three_cycle(&self, permutation: &Permutation, kind: usize, mask: &[u64]) -> bool {
        let moved = self.moved(permutation);
        let count: u32 = moved.iter().zip(mask).map(|(moved, mask)| (moved & mask).count_ones()).sum();
        let piece = |point: u32| self.of[point as usize];
        let of_kind = |point: &u32| piece(*point).is_some_and(|piece| self.kind[piece as usize] == kind);
        let cycles = |point: u32| {
            let (second, third) = (permutation.image(point), permutation.image(permutation.image(point)));
            piece(second) != piece(point) && permutation.image(third) == point
        };
        count == 3
            && permutation.support().find(of_kind).is_some()
            && permutation.support().filter(of_kind).all(cycles)
    }
}

/// Short words with different products, ordered by their length: all words up to some length, and conjugates
/// of letters.
fn candidates(alphabet: &Alphabet, pieces: &Pieces, control: &Control) -> Result<Vec<Candidate>, Stop> {
    let letters = alphabet.available();
    let mut seen = HashSet::new();
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |word: Word, found: &mut Vec<Candidate>| {
        let product = alphabet.product(&word);
        let mut hasher = DefaultHasher::new();
        product.hash(&mut hasher);
        if seen.insert(hasher.finish()) && !product.is_identity() {
            found.push(Candidate { word, pieces: pieces.moved(&product) });
        }
    };
    let mut last: Vec<Word> = vec![Word::new()];
    while last.len() * letters.len() <= MAX_WORDS {
        let before = found.len();
        for word in &last {
            control.poll()?;
            for &letter in &letters {
                add(concatenate(word, &[letter]), &mut found);
            }
        }
        last = found[before..].iter().map(|candidate| candidate.word.clone()).collect();
        if last.is_empty() {
            break;
        }
    }
    if letters.len() * letters.len() <= 2 * MAX_WORDS {
        for &by in &letters {
            control.poll()?;
            for &letter in &letters {
                add(vec![by ^ 1, letter, by], &mut found);
            }
        }
    }
    found.sort_by_key(|candidate| candidate.word.len());
    Ok(found)
}
