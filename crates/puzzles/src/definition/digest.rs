//! The digest of a definition: SHA-256 of its canonical encoding.
//!
//! It covers everything that gives meaning to positions and answers, and nothing else:
//!
//! - the orbits in their order, with names and sizes; the order matters for `CPOS` positions;
//! - the solved position. Labels are replaced by numbers in order of first occurrence, per orbit, where
//!   pieces with equal labels and different moduli count as different: labels only tell which pieces are
//!   identical. Orientations are reduced by their moduli;
//! - moves, rotations and sequences in their order, with names, roles and transformations. The order matters
//!   because searches try moves in it, and saved searches number them;
//! - forbidden placements, as a set.
//!
//! It leaves out the name of the puzzle, the start position, the way in which a move was defined (listed or
//! by a sequence), and [`SearchedPowers`](super::SearchedPowers). The last is a property of the problem like
//! the metric, so identities state it beside the digest. Hence a definition has the same digest in every
//! format that can hold it.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use untumble_search::identity::Digest;

use super::model::{Definition, MoveKind};
use super::pattern::OrbitPattern;

/// Begins every encoding; a change of the encoding changes it.
const PREFIX: &[u8] = b"untumble definition 1\n";

/// Numbers are little-endian words of four bytes, so that no two encodings coincide.
struct Encoder(Sha256);

impl Encoder {
    fn number(&mut self, number: usize) {
        self.0.update((number as u32).to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.update(bytes);
    }

    fn words(&mut self, words: impl Iterator<Item = u32>) {
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        self.bytes(&bytes);
    }
}

/// The number of each kind of piece of an orbit, in order of first occurrence.
pub(crate) fn canonical_labels(orbit: &OrbitPattern) -> HashMap<(u32, u8), u32> {
    let mut numbers = HashMap::new();
    for (&piece, &modulus) in orbit.pieces().iter().zip(orbit.modulus()) {
        let next = numbers.len() as u32;
        numbers.entry((piece, modulus)).or_insert(next);
    }
    numbers
}

impl Definition {
    /// The digest of the canonical encoding; see the documentation of this module's source for what it
    /// covers. Definitions with equal digests accept the same positions and moves with the same meaning.
    pub fn digest(&self) -> Digest {
        let mut encoder = Encoder(Sha256::new());
        encoder.0.update(PREFIX);
        encoder.number(self.orbits().len());
        let mut labels = Vec::with_capacity(self.orbits().len());
        for (orbit, solved) in self.orbits().iter().zip(self.solved().orbits()) {
            encoder.bytes(orbit.name.as_bytes());
            encoder.number(orbit.pieces);
            encoder.number(orbit.orientations.into());
            let numbers = canonical_labels(solved);
            let pieces = solved.pieces().iter().copied().zip(solved.modulus().iter().copied());
            encoder.words(pieces.map(|piece| numbers[&piece]));
            encoder.bytes(solved.orientation());
            encoder.bytes(solved.modulus());
            labels.push(numbers);
        }
        encoder.number(self.moves().len());
        for named in self.moves() {
            encoder.bytes(named.name.as_bytes());
            encoder.number(match named.kind {
                MoveKind::Move => 0,
                MoveKind::Rotation => 1,
                MoveKind::Sequence => 2,
            });
            for orbit in named.transformation.orbits() {
                encoder.words(orbit.from().iter().map(|&slot| slot.into()));
                encoder.bytes(orbit.twist());
            }
        }
        let mut illegal: Vec<[u32; 3]> = self
            .illegal()
            .iter()
            .flat_map(|illegal| {
                // A label with several moduli stands for several kinds of pieces.
                let kinds = labels[illegal.orbit].iter().filter(|((piece, _), _)| *piece == illegal.piece);
                kinds.map(|(_, &number)| [illegal.orbit as u32, illegal.slot as u32, number])
            })
            .collect();
        illegal.sort_unstable();
        encoder.words(illegal.into_iter().flatten());
        Digest(encoder.0.finalize().into())
    }
}
