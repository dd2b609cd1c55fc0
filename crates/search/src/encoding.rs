//! The stable binary encoding of subtrees and pass results, for checkpoints and for distributed workers.
//!
//! ```
//! use untumble_search::bounded_dfs::Subtree;
//! use untumble_search::encoding::{decode_subtrees, encode_subtrees};
//! use untumble_search::moves::{Move, MoveSet256};
//!
//! let subtree = Subtree { root: 0, path: vec![Move(3), Move(1)], untried: MoveSet256::only(Move(2)) };
//! let bytes = encode_subtrees(&[subtree.clone()]);
//! assert_eq!(bytes, [1, 1, 1, 0, 0, 2, 3, 1, 1, 0b100]);
//! assert_eq!(decode_subtrees(&bytes), Ok(vec![subtree]));
//! ```
//!
//! Version 1. A message is
//!
//! ```text
//! offset  size  field
//!      0     1  version, 1
//!      1     1  kind: 1 subtrees, 2 pass result
//!      2        the fields of the kind, without padding, to the end of the message
//!
//! subtrees     varint count, then as many subtrees
//! pass result  varint next (32 bits), varint nodes, varint expanded,
//!              varint count, then as many paths (found),
//!              varint count, then as many subtrees (rest)
//! subtree      1 byte root, path, move set (untried)
//! path         varint s: the first s moves are those of the previous path in the message, initially empty
//!              varint n: n further moves follow, a byte each, below 254
//! move set     1 byte n, at most 32, then n bytes of a bit mask: bit b of byte i is move 8i + b;
//!              the last byte is not 0
//! varint       unsigned LEB128: seven bits per byte, the lowest first, bit 7 set on all bytes but the last,
//!              at most 64 bits, without leading zero bytes
//! ```
//!
//! The subtrees of a pass lie along few branches, so with shared prefixes a path takes a few bytes. A change
//! of this layout requires a new version; messages of other versions are refused.

use crate::bounded_dfs::{PassResult, Subtree};
use crate::moves::{Move, MoveSet256};

/// The version written and read.
pub const VERSION: u8 = 1;

const SUBTREES: u8 = 1;
const PASS_RESULT: u8 = 2;
/// The largest total number of moves of a message; shared prefixes could otherwise expand to excessive
/// memory.
const MAX_TOTAL_MOVES: usize = 1 << 28;

/// The reason why bytes cannot be decoded. `at` is the offset of the byte where decoding ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// The message has another version.
    #[error("encoding version {found} is not supported; this program reads version {VERSION}")]
    Version {
        /// The version of the message.
        found: u8,
    },
    /// The message is of another kind.
    #[error("message of kind {found}, expected kind {expected}")]
    Kind {
        /// The kind of the message.
        found: u8,
        /// The expected kind.
        expected: u8,
    },
    /// The bytes end before the message does.
    #[error("the message is truncated at byte {at}")]
    Truncated {
        /// The offset in bytes.
        at: usize,
    },
    /// The message ends before the bytes do.
    #[error("the message ends at byte {at}, and more bytes follow")]
    TrailingBytes {
        /// The offset in bytes.
        at: usize,
    },
    /// A field has a value that the layout does not allow.
    #[error("invalid value at byte {at}")]
    Invalid {
        /// The offset in bytes.
        at: usize,
    },
    /// The message decodes to too many moves.
    #[error("the message holds more than {MAX_TOTAL_MOVES} moves")]
    TooLarge,
}

/// Encodes subtrees as a message.
pub fn encode_subtrees(subtrees: &[Subtree]) -> Vec<u8> {
    let mut encoder = Encoder::message(SUBTREES);
    encoder.subtrees(subtrees);
    encoder.bytes
}

/// Decodes a message of [`encode_subtrees`].
pub fn decode_subtrees(bytes: &[u8]) -> Result<Vec<Subtree>, DecodeError> {
    let mut decoder = Decoder::message(bytes, SUBTREES)?;
    let subtrees = decoder.subtrees()?;
    decoder.end()?;
    Ok(subtrees)
}

/// Encodes a pass result as a message.
pub fn encode_pass_result(result: &PassResult) -> Vec<u8> {
    let PassResult { next, nodes, expanded, found, rest } = result;
    let mut encoder = Encoder::message(PASS_RESULT);
    encoder.number(*next);
    encoder.number(*nodes);
    encoder.number(*expanded);
    encoder.paths(found);
    encoder.subtrees(rest);
    encoder.bytes
}

/// Decodes a message of [`encode_pass_result`].
pub fn decode_pass_result(bytes: &[u8]) -> Result<PassResult, DecodeError> {
    let mut decoder = Decoder::message(bytes, PASS_RESULT)?;
    let result = PassResult {
        next: decoder.number()?,
        nodes: decoder.number()?,
        expanded: decoder.number()?,
        found: decoder.paths()?,
        rest: decoder.subtrees()?,
    };
    decoder.end()?;
    Ok(result)
}

/// Appends fields to a byte vector.
#[derive(Default)]
pub(crate) struct Encoder {
    pub(crate) bytes: Vec<u8>,
    /// The previous path, whose prefix the next one may share.
    path: Vec<Move>,
}

impl Encoder {
    fn message(kind: u8) -> Encoder {
        Encoder { bytes: vec![VERSION, kind], ..Encoder::default() }
    }

    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        let mut number = number.into();
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub(crate) fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    /// A length and that many bytes.
    pub(crate) fn block(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend(bytes);
    }

    fn path(&mut self, path: &[Move]) {
        let shared = self.path.iter().zip(path).take_while(|(a, b)| a == b).count();
        self.length(shared);
        self.block(&path[shared..].iter().map(|m| m.0).collect::<Vec<u8>>());
        self.path.clear();
        self.path.extend_from_slice(path);
    }

    pub(crate) fn paths(&mut self, paths: &[Vec<Move>]) {
        self.length(paths.len());
        paths.iter().for_each(|path| self.path(path));
    }

    fn move_set(&mut self, set: MoveSet256) {
        let mask: Vec<u8> = set.words().into_iter().flat_map(u64::to_le_bytes).collect();
        let used = mask.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.push(used as u8);
        self.bytes.extend(&mask[..used]);
    }

    fn subtrees(&mut self, subtrees: &[Subtree]) {
        self.length(subtrees.len());
        for Subtree { root, path, untried } in subtrees {
            self.bytes.push(*root);
            self.path(path);
            self.move_set(*untried);
        }
    }
}

/// Reads the fields of an [`Encoder`].
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The previous path, whose prefix the next one may share.
    path: Vec<Move>,
    /// The number of moves of all paths so far.
    moves: usize,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder { bytes, at: 0, path: Vec::new(), moves: 0 }
    }

    fn message(bytes: &'a [u8], expected: u8) -> Result<Decoder<'a>, DecodeError> {
        let mut decoder = Decoder::new(bytes);
        match [decoder.byte()?, decoder.byte()?] {
            [VERSION, found] if found == expected => Ok(decoder),
            [VERSION, found] => Err(DecodeError::Kind { found, expected }),
            [found, _] => Err(DecodeError::Version { found }),
        }
    }

    /// An error if bytes follow the last field.
    pub(crate) fn end(&self) -> Result<(), DecodeError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(DecodeError::TrailingBytes { at: self.at }) }
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let truncated = DecodeError::Truncated { at: self.bytes.len() };
        let end = self.at.checked_add(count).ok_or(truncated)?;
        let taken = self.bytes.get(self.at..end).ok_or(truncated)?;
        self.at = end;
        Ok(taken)
    }

    /// A number that fits `N`.
    pub(crate) fn number<N: TryFrom<u64>>(&mut self) -> Result<N, DecodeError> {
        let begin = self.at;
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            let leading_zero = byte == 0 && shift > 0;
            if bits << shift >> shift != bits || leading_zero {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return N::try_from(number).map_err(|_| DecodeError::Invalid { at: begin });
            }
        }
        Err(DecodeError::Invalid { at: begin })
    }

    /// A length and that many bytes.
    pub(crate) fn block(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.number()?;
        self.take(length)
    }

    fn path(&mut self) -> Result<Vec<Move>, DecodeError> {
        let begin = self.at;
        let shared = self.number()?;
        if shared > self.path.len() {
            return Err(DecodeError::Invalid { at: begin });
        }
        let moves = self.block()?;
        if let Some(place) = moves.iter().position(|&m| usize::from(m) >= Move::LIMIT) {
            return Err(DecodeError::Invalid { at: self.at - moves.len() + place });
        }
        self.moves += shared + moves.len();
        if self.moves > MAX_TOTAL_MOVES {
            return Err(DecodeError::TooLarge);
        }
        self.path.truncate(shared);
        self.path.extend(moves.iter().map(|&m| Move(m)));
        Ok(self.path.clone())
    }

    /// A count and that many values. Each value takes at least a byte, so the input bounds the length of the
    /// list.
    pub(crate) fn list<T>(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let count: u64 = self.number()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(each(self)?);
        }
        Ok(list)
    }

    pub(crate) fn paths(&mut self) -> Result<Vec<Vec<Move>>, DecodeError> {
        self.list(Self::path)
    }

    fn move_set(&mut self) -> Result<MoveSet256, DecodeError> {
        let begin = self.at;
        let used = usize::from(self.byte()?);
        if used > 32 {
            return Err(DecodeError::Invalid { at: begin });
        }
        let mut mask = [0; 32];
        mask[..used].copy_from_slice(self.take(used)?);
        if used > 0 && mask[used - 1] == 0 {
            return Err(DecodeError::Invalid { at: self.at - 1 });
        }
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(mask.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Ok(MoveSet256::from_words(words))
    }

    fn subtrees(&mut self) -> Result<Vec<Subtree>, DecodeError> {
        self.list(|decoder| {
            Ok(Subtree { root: decoder.byte()?, path: decoder.path()?, untried: decoder.move_set()? })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Cost;
    use proptest::prelude::*;

    fn moves(moves: &[u8]) -> Vec<Move> {
        moves.iter().copied().map(Move).collect()
    }

    fn subtree(root: u8, path: &[u8], untried: &[u8]) -> Subtree {
        Subtree { root, path: moves(path), untried: moves(untried).into_iter().collect() }
    }

    fn example() -> (PassResult, Vec<u8>) {
        let result = PassResult {
            next: 33,
            nodes: 300,
            expanded: 128,
            found: vec![moves(&[1, 2, 3])],
            rest: vec![subtree(0, &[1, 2, 200], &[0, 9]), subtree(1, &[], &[253]), subtree(0, &[4], &[])],
        };
        let mask = [&[32][..], &[0; 31], &[0x20]].concat();
        let bytes = [
            &[1, 2, 33, 0xac, 0x02, 0x80, 0x01][..],
            &[1, 0, 3, 1, 2, 3],
            &[3],
            &[0, 2, 1, 200, 2, 0x01, 0x02],
            &[1, 0, 0],
            &mask,
            &[0, 0, 1, 4, 0],
        ];
        (result, bytes.concat())
    }

    /// These bytes are version 1. A change that breaks this test needs a new version.
    #[test]
    fn the_layout_of_version_1_is_frozen() {
        let (result, bytes) = example();
        assert_eq!(encode_pass_result(&result), bytes);
        assert_eq!(decode_pass_result(&bytes), Ok(result.clone()));
        let subtrees =
            [&[1, 1, 3][..], &[0, 0, 3, 1, 2, 200, 2, 0x01, 0x02], &bytes[bytes.len() - 41..]].concat();
        assert_eq!(encode_subtrees(&result.rest), subtrees);
        assert_eq!(decode_subtrees(&subtrees), Ok(result.rest));
    }

    #[test]
    fn errors_have_the_kind_and_the_offset() {
        let (_, bytes) = example();
        let with = |at: usize, value: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            decode_pass_result(&bytes).err()
        };
        assert_eq!(with(0, 2), Some(DecodeError::Version { found: 2 }));
        assert_eq!(with(1, 1), Some(DecodeError::Kind { found: 1, expected: 2 }));
        assert_eq!(with(10, 254), Some(DecodeError::Invalid { at: 10 }), "no such move");
        assert_eq!(with(6, 0), Some(DecodeError::Invalid { at: 5 }), "a leading zero byte");
        assert_eq!(
            with(15, 4),
            Some(DecodeError::Invalid { at: 15 }),
            "a shared prefix longer than the previous path"
        );
        assert_eq!(with(20, 0), Some(DecodeError::Invalid { at: 20 }), "a mask that ends in 0");
        assert_eq!(with(24, 33), Some(DecodeError::Invalid { at: 24 }), "a mask too long");
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(decode_pass_result(&longer), Err(DecodeError::TrailingBytes { at: bytes.len() }));
        for length in 0..bytes.len() {
            let cut = decode_pass_result(&bytes[..length]);
            assert_eq!(cut, Err(DecodeError::Truncated { at: length }), "cut to {length} bytes");
        }
    }

    /// A few hundred kilobytes that share one long path would decode to gigabytes.
    #[test]
    fn shared_prefixes_cannot_exhaust_memory() {
        let mut encoder = Encoder::message(SUBTREES);
        encoder.length(40_000);
        for tree in 0..40_000 {
            encoder.bytes.push(0);
            encoder.length(if tree == 0 { 0 } else { 100_000 });
            encoder.block(if tree == 0 { &[7; 100_000] } else { &[] });
            encoder.move_set(MoveSet256::EMPTY);
        }
        assert_eq!(decode_subtrees(&encoder.bytes), Err(DecodeError::TooLarge));
    }

    fn any_path() -> impl Strategy<Value = Vec<Move>> {
        prop::collection::vec((0..Move::LIMIT as u8).prop_map(Move), 0..40)
    }

    fn any_subtree() -> impl Strategy<Value = Subtree> {
        let untried = any::<[u64; 4]>().prop_map(MoveSet256::from_words);
        (any::<u8>(), any_path(), untried).prop_map(|(root, path, untried)| Subtree { root, path, untried })
    }

    fn any_result() -> impl Strategy<Value = PassResult> {
        let paths = prop::collection::vec(any_path(), 0..3);
        let trees = prop::collection::vec(any_subtree(), 0..30);
        (any::<(Cost, u64, u64)>(), paths, trees).prop_map(|((next, nodes, expanded), found, rest)| {
            PassResult { next, nodes, expanded, found, rest }
        })
    }

    proptest! {
        #[test]
        fn values_survive_the_round_trip(result in any_result()) {
            prop_assert_eq!(decode_subtrees(&encode_subtrees(&result.rest)), Ok(result.rest.clone()));
            prop_assert_eq!(decode_pass_result(&encode_pass_result(&result)), Ok(result));
        }

        /// Only the choice of shared prefixes is free.
        #[test]
        fn arbitrary_bytes_are_refused_or_decode_uniquely(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for kind in [SUBTREES, PASS_RESULT] {
                let bytes = [&[VERSION, kind], &bytes[..]].concat();
                if let Ok(subtrees) = decode_subtrees(&bytes) {
                    prop_assert_eq!(decode_subtrees(&encode_subtrees(&subtrees)), Ok(subtrees));
                }
                if let Ok(result) = decode_pass_result(&bytes) {
                    prop_assert_eq!(decode_pass_result(&encode_pass_result(&result)), Ok(result));
                }
            }
        }

        #[test]
        fn damaged_messages_never_panic(result in any_result(), at in any::<prop::sample::Index>(), with in any::<u8>()) {
            let mut bytes = encode_pass_result(&result);
            let place = at.index(bytes.len());
            bytes[place] = with;
            let _ = decode_pass_result(&bytes);
            let _ = decode_pass_result(&bytes[..place]);
        }
    }
}
