//! Heuristics of the sliding-tile puzzle and their registry entries.

mod displacement_sum;
mod learned;
mod linear_conflict;
mod manhattan;
mod nilsson;
mod walking_distance;

use untumble_search::heuristic::{Admissibility, Max};
use untumble_search::registry::{Argument, HeuristicEntry, HeuristicInfo, Registry};

pub use displacement_sum::DisplacementSum;
pub use learned::Learned;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use nilsson::Nilsson;
pub use walking_distance::WalkingDistance;

use super::beam::EvalTables;
use super::pdb::{self, Pdb};
use super::{Cells, Size, Tiles};

/// Names in specs.
pub(super) const MANHATTAN: &str = "manhattan";
pub(super) const LINEAR_CONFLICT: &str = "linear-conflict";
pub(super) const WALKING: &str = "walking";
pub(super) const LEARNED: &str = "learned";

/// Registers the heuristics; the first one, Manhattan distance, is the default.
pub fn register<C: Cells>(registry: Registry<Tiles<C>>, size: Size) -> Registry<Tiles<C>> {
    let info = HeuristicInfo::new;
    let inadmissible = |name, summary| HeuristicInfo {
        admissibility: Admissibility::None,
        ..HeuristicInfo::new(name, summary)
    };
    registry
        .with_heuristics([
            HeuristicEntry::<Tiles<C>>::new(
                info(MANHATTAN, "rows and columns from each tile to its home"),
                |context, _| Ok(Manhattan::new(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                info(
                    LINEAR_CONFLICT,
                    "manhattan, plus 2 for every tile that must leave its home line to let another pass",
                ),
                |context, _| Ok(LinearConflict::new(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo {
                    memory: None,
                    ..info(WALKING, "moves that bring every tile to its home row, plus the same for columns")
                },
                |context, _| WalkingDistance::new(context.puzzle.goal(), context.control),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo {
                    admissibility: Admissibility::Admissible,
                    argument: Argument::Required {
                        values: "5-5-5, 6-6-3, 7-8 … or tiles 1.2.5/3.4.6",
                        example: pdb::example_partition(size),
                    },
                    memory: None,
                    ..info(pdb::NAME, "exact costs of disjoint groups of tiles, summed (up to 25 cells)")
                },
                |context, partition| {
                    let (tables, control) = (&*context.runtime.tables, context.control);
                    Pdb::new(context.puzzle.goal(), partition.unwrap_or_default(), tables, control)
                },
            )
            .with_canonical_argument(pdb::canonical_partition),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo { aliases: &["hamming"], ..info("misplaced", "misplaced tiles") },
                |context, _| Ok(DisplacementSum::misplaced(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                info("euclidean", "Euclidean distances to home, summed and rounded up"),
                |context, _| Ok(DisplacementSum::euclidean(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                info("diagonal", "Chebyshev distances to home (the larger of rows and columns), summed"),
                |context, _| Ok(DisplacementSum::diagonal(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                inadmissible("squared", "squared Euclidean distances to home, summed; for beam search"),
                |context, _| Ok(DisplacementSum::squared(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo {
                    argument: Argument::Optional { values: "a file of trained weights", default: None },
                    reads_file: true,
                    ..inadmissible(
                        LEARNED,
                        "trained ranking by tile displacements and solved neighbours; for beam search",
                    )
                },
                |context, file| {
                    Ok(Learned { tables: EvalTables::load(context.puzzle.goal(), file, context.control)? })
                },
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo {
                    argument: Argument::Optional { values: "place", default: None },
                    ..inadmissible(
                        "nilsson",
                        "manhattan + 3 × Nilsson's sequence score (3x3, blank in the centre)",
                    )
                },
                |context, argument| Nilsson::new(context.puzzle.goal(), argument),
            ),
        ])
        // A statically typed maximum; walking distance first, because it prunes more often.
        .with_pair([WALKING, LINEAR_CONFLICT], |context, _| {
            let goal = context.puzzle.goal();
            Ok(Max(WalkingDistance::new(goal, context.control)?, LinearConflict::new(goal)))
        })
}
