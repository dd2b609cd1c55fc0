//! Heuristics for sliding tiles, and their registry entries.

mod learned;
mod linear_conflict;
mod manhattan;
mod nilsson;
mod per_tile;
mod walking;

use untumble_search::heuristic::{Admissibility, Max};
use untumble_search::registry::{Argument, HeuristicEntry, HeuristicInfo, Registry};

pub use learned::Learned;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use nilsson::Nilsson;
pub use per_tile::PerTile;
pub use walking::Walking;

use super::beam::Sheet;
use super::pdb::Pdb;
use super::{Cells, Tiles};

/// Adds the heuristics of sliding tiles; Manhattan distance is the default.
pub fn register<C: Cells>(registry: Registry<Tiles<C>>) -> Registry<Tiles<C>> {
    let plain = HeuristicInfo::new;
    let inadmissible = |name, summary| HeuristicInfo {
        admissibility: Admissibility::None,
        ..HeuristicInfo::new(name, summary)
    };
    registry
        .with_heuristics([
            HeuristicEntry::<Tiles<C>>::new(
                plain("manhattan", "rows and columns from each tile to its home"),
                |context, _| Ok(Manhattan::new(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                plain(
                    "linear-conflict",
                    "manhattan, plus 2 for every tile that must leave its home line to let another pass",
                ),
                |context, _| Ok(LinearConflict::new(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo {
                    memory: None,
                    ..plain(
                        "walking",
                        "walking distance: moves to bring every tile to its home row, plus the same for columns",
                    )
                },
                |context, _| Walking::new(context.puzzle.goal(), context.control),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo {
                    admissibility: Admissibility::Admissible,
                    argument: Argument::Required {
                        values: "5-5-5, 6-6-3, 7-8 … or tiles 1.2.5/3.4.6",
                        example: "5-5-5",
                    },
                    memory: None,
                    ..plain(
                        "pdb",
                        "pattern databases: the exact cost of getting groups of tiles home, added up; boards to 25 cells",
                    )
                },
                |context, partition| {
                    let (tables, control) = (&*context.runtime.tables, context.control);
                    Pdb::new(context.puzzle.goal(), partition.unwrap_or_default(), tables, control)
                },
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo { aliases: &["hamming"], ..plain("misplaced", "tiles not at home") },
                |context, _| Ok(PerTile::misplaced(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                plain("euclidean", "straight distances home, summed and rounded up"),
                |context, _| Ok(PerTile::euclidean(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                plain("diagonal", "the larger of the rows and the columns from home, summed"),
                |context, _| Ok(PerTile::diagonal(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                inadmissible("squared", "squared distances home, summed: for beams"),
                |context, _| Ok(PerTile::squared(context.puzzle.goal())),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo {
                    argument: Argument::Optional { values: "a file of trained weights" },
                    reads_file: true,
                    ..inadmissible(
                        "learned",
                        "trained weights for how far tiles are and how unsolved cells lie: for beams",
                    )
                },
                |context, file| Ok(Learned { sheet: Sheet::named(context.puzzle.goal(), file)? }),
            ),
            HeuristicEntry::<Tiles<C>>::new(
                HeuristicInfo {
                    argument: Argument::Optional { values: "place" },
                    ..inadmissible(
                        "nilsson",
                        "manhattan + 3 times Nilsson's sequence score (3x3, gap in the centre); nilsson:place scores places",
                    )
                },
                |context, argument| Nilsson::new(context.puzzle.goal(), argument),
            ),
        ])
        // In the order that prunes sooner.
        .with_pair(["walking", "linear-conflict"], |context, _| {
            let goal = context.puzzle.goal();
            Ok(Max(Walking::new(goal, context.control)?, LinearConflict::new(goal)))
        })
}
