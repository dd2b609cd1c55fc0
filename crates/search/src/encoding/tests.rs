use proptest::prelude::*;

use super::strategies::pass_result;
use super::*;

fn moves(moves: &[u8]) -> Vec<Move> {
    moves.iter().copied().map(Move).collect()
}

fn subtree(root: u8, path: &[u8], untried: &[u8]) -> Subtree {
    Subtree { root, path: moves(path), untried: moves(untried).into_iter().collect() }
}

fn example() -> (PassResult, Vec<u8>) {
    let result = PassResult {
        next_bound: 33,
        nodes: 300,
        expanded: 128,
        found: vec![moves(&[1, 2, 3])],
        unsearched: vec![subtree(0, &[1, 2, 200], &[0, 9]), subtree(1, &[], &[253]), subtree(0, &[4], &[])],
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
    assert_eq!(encode_subtrees(&result.unsearched), subtrees);
    assert_eq!(decode_subtrees(&subtrees), Ok(result.unsearched));
}

#[test]
fn errors_have_the_kind_and_the_offset() {
    let (_, bytes) = example();
    let error_with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        decode_pass_result(&bytes).err()
    };
    assert_eq!(error_with(0, 2), Some(DecodeError::Version { found: 2 }));
    assert_eq!(error_with(1, 1), Some(DecodeError::Kind { found: 1, expected: 2 }));
    assert_eq!(error_with(10, 254), Some(DecodeError::Invalid { at: 10 }), "no such move");
    assert_eq!(error_with(6, 0), Some(DecodeError::Invalid { at: 5 }), "a leading zero byte");
    assert_eq!(
        error_with(15, 4),
        Some(DecodeError::Invalid { at: 15 }),
        "a shared prefix longer than the previous path"
    );
    assert_eq!(error_with(20, 0), Some(DecodeError::Invalid { at: 20 }), "a mask that ends in 0");
    assert_eq!(error_with(24, 33), Some(DecodeError::Invalid { at: 24 }), "a mask too long");
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(decode_pass_result(&longer), Err(DecodeError::TrailingBytes { at: bytes.len() }));
    for length in 0..bytes.len() {
        let cut = decode_pass_result(&bytes[..length]);
        assert_eq!(cut, Err(DecodeError::Truncated { at: length }), "cut to {length} bytes");
    }
}

/// Subtrees that share one long path take a few hundred kilobytes, but would decode to gigabytes.
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

proptest! {
    #[test]
    fn values_survive_the_round_trip(result in pass_result()) {
        prop_assert_eq!(decode_subtrees(&encode_subtrees(&result.unsearched)), Ok(result.unsearched.clone()));
        prop_assert_eq!(decode_pass_result(&encode_pass_result(&result)), Ok(result));
    }

    /// An encoder is free only in the choice of shared prefixes.
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
    fn damaged_messages_never_panic(
        result in pass_result(),
        at in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        let mut bytes = encode_pass_result(&result);
        let place = at.index(bytes.len());
        bytes[place] = value;
        let _ = decode_pass_result(&bytes);
        let _ = decode_pass_result(&bytes[..place]);
    }
}
