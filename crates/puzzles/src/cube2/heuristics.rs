//! Registry entries of the pocket cube's heuristics.

use untumble_search::heuristic::Admissibility;
use untumble_search::registry::{Argument, HeuristicEntry, HeuristicInfo};

use super::Cube2;
use super::full::{self, Full};
use super::manhattan::Manhattan;
use super::tiny::Tiny;

/// The heuristics of the pocket cube; the table of all distances is the default.
pub(super) fn entries() -> [HeuristicEntry<Cube2>; 3] {
    [
        HeuristicEntry::new(
            HeuristicInfo {
                memory: Some(full::LENGTH as u64),
                ..HeuristicInfo::new("full", "the distances of all 3,674,160 positions (3.7 MB)")
            },
            |context, _| Full::new(context.puzzle, &*context.runtime.tables, context.control),
        ),
        HeuristicEntry::new(
            HeuristicInfo {
                admissibility: Admissibility::Admissible,
                argument: Argument::Optional { values: "buckets, 1000 to 4000000" },
                memory: None,
                ..HeuristicInfo::new(
                    "tiny",
                    "the least distance of the positions that share a bucket (330,000 buckets, 0.2 MB)",
                )
            },
            |context, buckets| {
                Tiny::sized(context.puzzle, buckets, &*context.runtime.tables, context.control)
            },
        ),
        HeuristicEntry::new(
            HeuristicInfo::new(
                "manhattan",
                "the moves each corner needs by itself; a move serves four of them",
            ),
            |context, _| Ok(Manhattan::new(context.puzzle)),
        ),
    ]
}
