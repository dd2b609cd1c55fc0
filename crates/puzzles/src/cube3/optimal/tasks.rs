//! A deep pass is cut into thousands of parts, those first that were largest in the pass before: where much was close to the bound, a
//! solution is more likely. Of parts that symmetries of the start make alike only one is searched.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, Subtree};
use untumble_search::control::Meter;
use untumble_search::puzzle::Cost;

use super::Position;
use super::descent::{Descent, Path};
use crate::cube3::symmetry::TURNS;

/// Parts begin after so many moves.
const DEPTH: usize = 4;
/// A pass that follows one of fewer nodes is over before that pays.
const MANY: u64 = 500_000;

/// How many nodes the pass that is under way has, and each of its parts, by its first moves.
#[derive(Default)]
pub(super) struct Tasks {
    whole: AtomicU64,
    nodes: OnceLock<Vec<AtomicU64>>,
}

/// How many places there are: one for any first moves.
const PLACES: usize = TURNS.pow(DEPTH as u32);

/// The place of a path that is long enough.
#[inline(always)]
fn place(path: Path) -> usize {
    path.first(DEPTH).fold(0, |place, m| place * TURNS + m.index()) % PLACES
}

impl Tasks {
    /// Bytes of the counts and, while a pass is cut, of its parts: at most as many as there are paths that turn no face twice in a row, in a list that
    /// may be twice as long while it grows.
    pub(super) const BYTES: u64 = {
        let parts = TURNS * (TURNS - 3).pow(DEPTH as u32 - 1);
        (PLACES * 8 + parts * (2 * size_of::<(u64, Subtree)>() + 32)) as u64
    };

    /// Counts nodes for the part that a node belongs to.
    #[inline(always)]
    pub(super) fn note(&self, path: Path, nodes: u64) {
        if let Some(all) = self.nodes.get().filter(|_| path.length() >= DEPTH) {
            all[place(path)].fetch_add(nodes, Relaxed);
        }
    }

    /// Counts nodes for the whole.
    pub(super) fn note_all(&self, nodes: u64) {
        self.whole.fetch_add(nodes, Relaxed);
    }

    /// The parts of a pass within `bound`, and the nodes that it took to make them.
    pub(super) fn cut(&self, position: &Position<'_>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        let roots = position.roots();
        // Parts are alike where the start is symmetric; leaving them out always pays, also where the pass before was searched by another run.
        let symmetric = position.symmetries.iter().any(|all| !all.is_empty());
        if self.whole.swap(0, Relaxed) < MANY && !symmetric {
            return PassResult { rest: roots, ..PassResult::nothing() };
        }
        let before = meter.nodes();
        let mut descent = Descent::new(position.ground, &position.words, meter);
        roots.iter().for_each(|root| descent.enter(position.start(root.root), root, bound as usize));
        let all = self.nodes.get_or_init(|| (0..PLACES).map(|_| AtomicU64::new(0)).collect());
        let mut parts = Vec::new();
        while let Some(node) = descent.stack.last() {
            if node.path().length() < DEPTH {
                descent.expand(1);
            } else {
                parts.push((all[place(node.path())].load(Relaxed), node.subtree()));
                descent.stack.pop();
            }
        }
        parts.retain(|(_, part)| position.first_of_its_kind(part));
        parts.sort_by_key(|(nodes, _)| std::cmp::Reverse(*nodes));
        all.iter().for_each(|nodes| nodes.store(0, Relaxed));
        PassResult {
            rest: parts.into_iter().map(|(_, part)| part).collect(),
            nodes: descent.meter.nodes() - before,
            expanded: descent.expanded,
            next: if descent.pruned { bound + 1 } else { Cost::MAX },
            found: descent.found,
        }
    }
}
