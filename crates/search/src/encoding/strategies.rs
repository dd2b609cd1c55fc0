//! Generators of arbitrary paths, subtrees and results of a pass, for property tests.

use proptest::prelude::*;

use crate::bounded_dfs::{PassResult, Subtree};
use crate::moves::{Move, MoveSet256};
use crate::puzzle::Cost;

pub(crate) fn path() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec((0..Move::LIMIT as u8).prop_map(Move), 0..40)
}

fn subtree() -> impl Strategy<Value = Subtree> {
    let untried = any::<[u64; 4]>().prop_map(MoveSet256::from_words);
    (any::<u8>(), path(), untried).prop_map(|(root, path, untried)| Subtree { root, path, untried })
}

pub(crate) fn pass_result() -> impl Strategy<Value = PassResult> {
    let paths = prop::collection::vec(path(), 0..3);
    let trees = prop::collection::vec(subtree(), 0..30);
    (any::<(Cost, u64, u64)>(), paths, trees).prop_map(
        |((next_bound, nodes, expanded), found, unsearched)| PassResult {
            next_bound,
            nodes,
            expanded,
            found,
            unsearched,
        },
    )
}
