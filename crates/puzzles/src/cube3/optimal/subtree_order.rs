//! Splits a deep pass into thousands of subtrees and orders them by their node counts in the previous pass:
//! a subtree with many nodes within the last bound is more likely to contain a solution. Only one of
//! several subtrees that are equivalent under a symmetry of the start is searched.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, Subtree};
use untumble_search::control::Meter;
use untumble_search::puzzle::Cost;

use super::OptimalDfs;
use super::batched_dfs::{BatchedDfs, Path};
use crate::cube3::symmetry::FACE_TURNS;

/// Length of the paths at which a pass is split.
const SPLIT_DEPTH: usize = 4;
/// A pass is split if the previous one had at least this many nodes.
const MIN_NODES: u64 = 500_000;

/// Node counts of the current pass, in total and by the first [`SPLIT_DEPTH`] moves.
#[derive(Default)]
pub(super) struct SubtreeCounts {
    total: AtomicU64,
    by_prefix: OnceLock<Vec<AtomicU64>>,
}

/// Number of sequences of [`SPLIT_DEPTH`] moves.
const PREFIXES: usize = FACE_TURNS.pow(SPLIT_DEPTH as u32);

/// The index of a path's first [`SPLIT_DEPTH`] moves. The path must be at least that long.
#[inline(always)]
fn prefix_index(path: Path) -> usize {
    path.prefix(SPLIT_DEPTH).fold(0, |index, m| index * FACE_TURNS + m.index()) % PREFIXES
}

impl SubtreeCounts {
    /// Upper bound for the memory of the counts and, while a pass is split, of its subtrees. There is one
    /// subtree for each path that never turns a face twice in a row, and the vector may have twice that
    /// capacity while it grows.
    pub(super) const BYTES: u64 = {
        let subtrees = FACE_TURNS * (FACE_TURNS - 3).pow(SPLIT_DEPTH as u32 - 1);
        (PREFIXES * 8 + subtrees * (2 * size_of::<(u64, Subtree)>() + 32)) as u64
    };

    /// Adds nodes to the subtree that a path belongs to.
    #[inline(always)]
    pub(super) fn add(&self, path: Path, nodes: u64) {
        if let Some(counts) = self.by_prefix.get().filter(|_| path.length() >= SPLIT_DEPTH) {
            counts[prefix_index(path)].fetch_add(nodes, Relaxed);
        }
    }

    /// Adds nodes to the total.
    pub(super) fn add_total(&self, nodes: u64) {
        self.total.fetch_add(nodes, Relaxed);
    }

    /// The subtrees of a pass within `bound`, and the nodes generated to split it. Resets the counts.
    pub(super) fn split(&self, search: &OptimalDfs<'_>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        let roots = search.roots();
        // Always split symmetric starts: this also removes equivalent subtrees in a resumed run, which has
        // no counts of the previous pass.
        let symmetric = search.stabilizers.iter().any(|symmetries| !symmetries.is_empty());
        if self.total.swap(0, Relaxed) < MIN_NODES && !symmetric {
            return PassResult { unsearched: roots, ..PassResult::empty() };
        }
        let nodes_before = meter.nodes();
        let mut dfs = BatchedDfs::new(search.locator, &search.automaton, meter);
        roots.iter().for_each(|root| dfs.push_subtree(search.start(root.root), root, bound as usize));
        let counts = self.by_prefix.get_or_init(|| (0..PREFIXES).map(|_| AtomicU64::new(0)).collect());
        let mut subtrees = Vec::new();
        while let Some(node) = dfs.stack.last() {
            if node.path().length() < SPLIT_DEPTH {
                dfs.expand(1);
            } else {
                subtrees.push((counts[prefix_index(node.path())].load(Relaxed), node.subtree()));
                dfs.stack.pop();
            }
        }
        subtrees.retain(|(_, subtree)| search.is_symmetry_representative(subtree));
        subtrees.sort_by_key(|(nodes, _)| std::cmp::Reverse(*nodes));
        counts.iter().for_each(|nodes| nodes.store(0, Relaxed));
        PassResult {
            unsearched: subtrees.into_iter().map(|(_, subtree)| subtree).collect(),
            nodes: dfs.meter.nodes() - nodes_before,
            expanded: dfs.expanded,
            next_bound: if dfs.pruned { bound + 1 } else { Cost::MAX },
            found: dfs.found,
        }
    }
}
