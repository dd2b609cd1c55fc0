//! An estimate of the work of each level of a table build, so that its progress is proportional to time.
//!
//! The reached nodes are no measure: the level in which one node in twenty is reached takes most of the time.

/// Nodes at distance 7 in a table of any size, about: each stands for the cube positions of its coset.
const NODES_AT_7: f64 = 500_000.0;
/// The number of children of a node that no other node has, about.
const GROWTH: f64 = 10.0;
/// The number of neighbours of a node.
const NEIGHBOURS: f64 = 18.0;
/// The time of a top-down expansion of one node, which is done by a single thread, in look-ups of a
/// neighbour.
const TOP_DOWN: f64 = 300.0;
/// The time of converting a node to the layout of the finished table, in look-ups of a neighbour.
const CONVERT: f64 = 1.5;

/// The work of a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BuildWork {
    /// By distance: the work of a level, in look-ups of a neighbour by all threads.
    levels: Vec<u64>,
    /// The work of converting the table.
    pub(super) conversion: u64,
}

impl BuildWork {
    /// An estimate for a table of `nodes` that is built up to distance `last`. A level is expanded top-down
    /// if the level before it has less than one in `top_down_share` of all nodes.
    pub(super) fn new(nodes: u64, last: u8, top_down_share: u64, threads: usize) -> BuildWork {
        let nodes = nodes as f64;
        let (mut frontier, mut unreached) = (NODES_AT_7, nodes - NODES_AT_7);
        // Earlier levels take no time worth mentioning.
        let mut levels = vec![1; 8];
        for _ in 8..=last {
            let share = frontier / nodes;
            let work = if share * (top_down_share as f64) < 1.0 {
                frontier * TOP_DOWN * threads as f64
            } else {
                // A node is looked up until a neighbour is in the frontier, at most `NEIGHBOURS` times.
                unreached * (1.0 - (1.0 - share).powf(NEIGHBOURS)) / share
            };
            levels.push(work as u64);
            frontier = unreached * (1.0 - (-GROWTH * share).exp());
            unreached -= frontier;
        }
        levels.truncate(usize::from(last) + 1);
        BuildWork { levels, conversion: (CONVERT * nodes) as u64 }
    }

    /// The work of the level at a distance.
    pub(super) fn level(&self, distance: u8) -> u64 {
        self.levels.get(usize::from(distance)).copied().unwrap_or(0)
    }

    /// The work before the level at a distance.
    pub(super) fn before(&self, distance: u8) -> u64 {
        self.levels.iter().take(usize::from(distance)).sum()
    }

    /// All work.
    pub(super) fn total(&self) -> u64 {
        self.levels.iter().sum::<u64>() + self.conversion
    }
}
