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
//! pass result  varint next_bound (32 bits), varint nodes, varint expanded,
//!              varint count, then as many paths (found),
//!              varint count, then as many subtrees (unsearched)
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
/// The largest total number of moves of a message. Without this limit, a short message of shared prefixes
/// could take excessive memory.
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
    let PassResult { next_bound, nodes, expanded, found, unsearched } = result;
    let mut encoder = Encoder::message(PASS_RESULT);
    encoder.number(*next_bound);
    encoder.number(*nodes);
    encoder.number(*expanded);
    encoder.paths(found);
    encoder.subtrees(unsearched);
    encoder.bytes
}

/// Decodes a message of [`encode_pass_result`].
pub fn decode_pass_result(bytes: &[u8]) -> Result<PassResult, DecodeError> {
    let mut decoder = Decoder::message(bytes, PASS_RESULT)?;
    let result = PassResult {
        next_bound: decoder.number()?,
        nodes: decoder.number()?,
        expanded: decoder.number()?,
        found: decoder.paths()?,
        unsearched: decoder.subtrees()?,
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
    /// Starts a message.
    fn message(kind: u8) -> Encoder {
        Encoder { bytes: vec![VERSION, kind], ..Encoder::default() }
    }

    /// Appends a varint.
    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        let mut number = number.into();
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Appends a length as a varint.
    pub(crate) fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    /// Appends a length and that many bytes.
    pub(crate) fn block(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend(bytes);
    }

    /// Appends a path without the prefix that it shares with the previous path.
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
        let length = mask.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.push(length as u8);
        self.bytes.extend(&mask[..length]);
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
    /// The offset of the next byte.
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

    /// Starts to read a message, which must be of the kind `expected`.
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

    /// Reads a varint that fits `N`.
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

    /// Reads a length and that many bytes.
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
        if let Some(index) = moves.iter().position(|&m| usize::from(m) >= Move::LIMIT) {
            return Err(DecodeError::Invalid { at: self.at - moves.len() + index });
        }
        self.moves += shared + moves.len();
        if self.moves > MAX_TOTAL_MOVES {
            return Err(DecodeError::TooLarge);
        }
        self.path.truncate(shared);
        self.path.extend(moves.iter().map(|&m| Move(m)));
        Ok(self.path.clone())
    }

    /// Reads a count and that many values. Each value takes at least a byte, so the length of the input
    /// limits the length of the list.
    pub(crate) fn list<T>(
        &mut self,
        mut read_value: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let count: u64 = self.number()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(read_value(self)?);
        }
        Ok(list)
    }

    pub(crate) fn paths(&mut self) -> Result<Vec<Vec<Move>>, DecodeError> {
        self.list(Self::path)
    }

    fn move_set(&mut self) -> Result<MoveSet256, DecodeError> {
        let begin = self.at;
        let length = usize::from(self.byte()?);
        if length > 32 {
            return Err(DecodeError::Invalid { at: begin });
        }
        let mut mask = [0; 32];
        mask[..length].copy_from_slice(self.take(length)?);
        if length > 0 && mask[length - 1] == 0 {
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
pub(crate) mod strategies;
#[cfg(test)]
mod tests;
