//! Heuristics for Rubik's cube, and their registry entries.

pub(super) mod corners;
pub(super) mod edges;
pub(super) mod manhattan;
pub(super) mod permutations;

use untumble_search::heuristic::Max;
use untumble_search::registry::{Argument, BuildContext, HeuristicEntry, HeuristicInfo, Registry};

pub use corners::Corners;
pub use edges::Edges;
pub use manhattan::{Manhattan, MoveNibbles};

use untumble_search::error::Error;

use super::Cube3;
use crate::cube::Metric;

/// Names in specs.
pub(super) const MANHATTAN: &str = "manhattan";
pub(super) const CORNERS: &str = "corners";
pub(super) const EDGES: &str = "edges";

/// Registers the heuristics, the default first.
pub(super) fn register(registry: Registry<Cube3>, metric: Metric) -> Registry<Cube3> {
    let info = HeuristicInfo::new(
        MANHATTAN,
        "larger sum of single-corner or single-edge distances, divided by four",
    );
    // The packed sums of all moves fit `u64` in quarter-turn metric and `u128` in half-turn metric.
    let manhattan = match metric {
        Metric::Htm => HeuristicEntry::new(info, |context, _| Ok(Manhattan::<u128>::new(context.puzzle))),
        Metric::Qtm => HeuristicEntry::new(info, |context, _| Ok(Manhattan::<u64>::new(context.puzzle))),
    };
    let corners_info = HeuristicInfo {
        memory: Some(corners::TABLE_BYTES as u64),
        ..HeuristicInfo::new(CORNERS, "pattern database of all corners (44 MB)")
    };
    let edges_info = HeuristicInfo {
        argument: Argument::Optional {
            values: "6 or 7, the default",
            default: Some(edges::DEFAULT_ARGUMENT),
        },
        memory: None,
        ..HeuristicInfo::new(EDGES, "pattern database of six (21 MB) or seven (255 MB) edges")
    };
    registry
        .with_heuristics([
            manhattan,
            HeuristicEntry::new(corners_info, |context, _| corner_table(context)),
            HeuristicEntry::new(edges_info, edge_table),
        ])
        // The corner database comes first because it prunes more.
        .with_pair([CORNERS, EDGES], |context, [_, edges]| {
            Ok(Max(corner_table(context)?, edge_table(context, edges)?))
        })
}

fn corner_table(context: &BuildContext<'_, Cube3>) -> Result<Corners, Error> {
    Corners::new(context.puzzle, &*context.runtime.tables, context.control)
}

fn edge_table(context: &BuildContext<'_, Cube3>, count: Option<&str>) -> Result<Edges, Error> {
    Edges::new(context.puzzle, count.unwrap_or_default(), &*context.runtime.tables, context.control)
}
