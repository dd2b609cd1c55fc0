//! Registry entries of the pocket cube's heuristics.

use untumble_search::heuristic::Admissibility;
use untumble_search::registry::{Argument, HeuristicEntry, HeuristicInfo};

use super::Cube2;
use super::full::{self, FullTable};
use super::manhattan::Manhattan;
use super::tiny::{self, TinyTable};

/// The name of the sum of single-corner distances in specs.
pub(super) const MANHATTAN: &str = "manhattan";

/// All heuristics, the default first.
pub(super) fn entries() -> [HeuristicEntry<Cube2>; 3] {
    [
        HeuristicEntry::new(
            HeuristicInfo {
                memory: Some(full::TABLE_BYTES as u64),
                ..HeuristicInfo::new("full", "exact distances of all 3,674,160 positions (3.7 MB)")
            },
            |context, _| FullTable::new(context.puzzle, &*context.runtime.tables, context.control),
        ),
        HeuristicEntry::new(
            HeuristicInfo {
                admissibility: Admissibility::Admissible,
                argument: Argument::Optional {
                    values: "buckets, 1000 to 4000000",
                    default: Some(tiny::DEFAULT_ARGUMENT),
                },
                memory: None,
                ..HeuristicInfo::new(
                    tiny::NAME,
                    "least distance of the positions that hash to a bucket (330,000 buckets, 0.2 MB)",
                )
            },
            |context, buckets| {
                TinyTable::with_argument(
                    context.puzzle,
                    buckets.unwrap_or_default(),
                    &*context.runtime.tables,
                    context.control,
                )
            },
        )
        .with_canonical_argument(|text| Some(tiny::parse_buckets(text)?.to_string())),
        HeuristicEntry::new(
            HeuristicInfo::new(MANHATTAN, "sum of single-corner distances, divided by four"),
            |context, _| Ok(Manhattan::new(context.puzzle)),
        ),
    ]
}
