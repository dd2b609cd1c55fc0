//! A deep pass is cut into thousands of parts, those first that were largest in the pass before: where much was close to the bound, a
//! solution is more likely.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use untumble_search::control::Meter;
use untumble_search::moves::Move;
use untumble_search::probe::{Probe, Probed, Subtree};
use untumble_search::puzzle::Cost;

use super::Position;
use super::descent::{Descent, Node};
use crate::cube3::symmetry::TURNS;

/// Parts begin after so many moves.
const DEPTH: usize = 4;
/// Passes within less are over before that pays.
const DEEP: Cost = 13;

/// How many nodes each part had in the pass that is under way, by its first moves.
#[derive(Default)]
pub(super) struct Tasks {
    nodes: OnceLock<Vec<AtomicU64>>,
}

/// The place of a part.
fn place(path: &[Move]) -> usize {
    path[..DEPTH].iter().fold(0, |place, m| place * TURNS + m.index())
}

impl Tasks {
    /// Counts nodes for the part that a subtree belongs to.
    pub(super) fn note(&self, tree: &Subtree, nodes: u64) {
        if let Some(all) = self.nodes.get().filter(|_| tree.path.len() >= DEPTH) {
            all[place(&tree.path)].fetch_add(nodes, Relaxed);
        }
    }

    /// The parts of a pass within `bound`, and the nodes that it took to make them.
    pub(super) fn cut(&self, position: &Position<'_>, bound: Cost, meter: &mut Meter<'_>) -> Probed {
        let roots = position.roots();
        if bound < DEEP {
            return Probed { rest: roots, ..Probed::nothing() };
        }
        let before = meter.nodes();
        let mut descent = Descent::new(position.ground, &position.words, meter, bound as usize);
        let mut parts = Vec::new();
        for root in roots {
            let (node, least) = descent.node(position.start(root.root), &[]);
            if Cost::from(least) <= bound {
                spread(&mut descent, &node, &root, bound as usize, &mut parts);
            } else {
                descent.pruned = true;
            }
        }
        let all =
            self.nodes.get_or_init(|| (0..TURNS.pow(DEPTH as u32)).map(|_| AtomicU64::new(0)).collect());
        parts.sort_by_cached_key(|part: &Subtree| std::cmp::Reverse(all[place(&part.path)].load(Relaxed)));
        all.iter().for_each(|nodes| nodes.store(0, Relaxed));
        Probed {
            rest: parts,
            nodes: descent.meter.nodes() - before,
            expanded: descent.expanded,
            next: if descent.pruned { bound + 1 } else { Cost::MAX },
            found: Vec::new(),
        }
    }
}

/// All parts below a node.
fn spread(
    descent: &mut Descent<'_, '_, '_>,
    node: &Node,
    tree: &Subtree,
    left: usize,
    parts: &mut Vec<Subtree>,
) {
    if tree.path.len() == DEPTH {
        parts.push(tree.clone());
        return;
    }
    for (m, child) in descent.children(node, left) {
        let mut path = tree.path.clone();
        path.push(m);
        let tree = Subtree { root: tree.root, path, untried: descent.allowed(&child) };
        spread(descent, &child, &tree, left - 1, parts);
    }
}
