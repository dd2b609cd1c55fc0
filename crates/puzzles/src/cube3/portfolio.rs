//! The solver portfolio that `auto` runs on Rubik's cube: IDA\* with the Manhattan distance for short
//! scrambles, the two-phase algorithm for an early solution, then an optimal solver with the largest table
//! within the limits.

use std::time::Duration;

use untumble_search::frontend::{Preset, ProofCost, Stage, Workload};
use untumble_search::solve::ida;
use untumble_search::spec::{HeuristicExpr, Spec};
use untumble_search::tables::Tables;

use super::heuristics::{self, corners, edges};
use super::optimal::{self, TableVariant};
use super::{Cube, Cube3, three_cycles, two_phase};
use crate::cube::Metric;

/// Node budget of IDA* with the Manhattan distance, about 10 ms: proves short scrambles without tables.
const MANHATTAN_NODES: u64 = 2_000_000;

/// Node budget of the two-phase algorithm: nearly always finds 19 or 20 moves. The time includes its tables.
const TWO_PHASE_NODES: u64 = 2_000_000;
const TWO_PHASE_TIME: Duration = Duration::from_millis(300);
/// Node budget of the two-phase algorithm if no optimal solver follows, and its time on one thread.
const LONG_TWO_PHASE_NODES: u64 = 100_000_000;
const LONG_TWO_PHASE_TIME: Duration = Duration::from_secs(8);

/// IDA* with the Manhattan distance. Its passes are those that the reductions below refer to.
const MANHATTAN_COST: ProofCost = ProofCost { preparation: Duration::ZERO, node_picos: 4_000, reduction: 1 };
/// With the smallest table: its passes are about 300,000 times smaller. Twice the table halves the nodes.
const OPTIMAL_NODE_PICOS: u64 = 8_500;
const SMALL_TABLE_REDUCTION: u64 = 300_000;

/// For the quarter-turn metric: numbers of edges in the edge database, each with the time to build the
/// corner and edge databases on one core, and the factor by which they reduce the nodes.
const TABLES: [(usize, Duration, u64); 2] =
    [(6, Duration::from_secs(8), 10_000), (7, Duration::from_secs(20), 40_000)];
const DATABASE_NODE_PICOS: u64 = 40_000;

/// Presets, the default first.
pub(super) const PRESETS: &[Preset] = &[
    Preset::AUTO,
    Preset {
        solver: "two-phase",
        title: "Two-phase algorithm",
        why: "20 moves or fewer within milliseconds, shorter ones while time remains; not proven optimal.",
    },
    Preset {
        solver: "parida+manhattan",
        title: "IDA* without tables",
        why: "Optimal solutions of scrambles up to about 12 moves without any table.",
    },
    Preset {
        solver: "optimal:table=30MB",
        title: "Optimal, small table",
        why: "Optimal solutions of up to 16 moves in seconds, after its table (30 MB) is built.",
    },
    Preset {
        solver: "optimal:table=243MB",
        title: "Optimal, large table",
        why: "Optimal solution of any position in minutes, after its table (243 MB) is built.",
    },
    Preset {
        solver: "bibfs",
        title: "Bidirectional search",
        why: "Breadth-first search from both ends until they meet; optimal up to about ten moves.",
    },
];

/// The proofs in half-turn metric: the smallest table, if the largest one within the limits is not built, and
/// the largest one.
fn optimal_stages(workload: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
    let Some(table) =
        optimal::largest_table(workload.limits.memory.unwrap_or(u64::MAX), workload.limits.time, tables)
    else {
        return Vec::new();
    };
    let stage = |table: TableVariant| {
        let cost = ProofCost {
            preparation: optimal::preparation(&table, tables),
            node_picos: OPTIMAL_NODE_PICOS,
            reduction: SMALL_TABLE_REDUCTION * optimal::relative_size(&table),
        };
        Stage::proof(cost, optimal::spec(table))
    };
    optimal::table_to_try_first(table, tables).into_iter().chain([table]).map(stage).collect()
}

/// The proofs in quarter-turn metric: the smallest and the largest databases within the limits.
fn database_stages(cube: &Cube3, workload: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
    let limits = workload.limits;
    let stage = |&(count, time, reduction): &(usize, Duration, u64)| {
        let built = tables.is_available(&corners::id(cube), corners::TABLE_BYTES)
            && tables.is_available(&edges::id(cube, count), edges::table_bytes(count));
        let (bytes, preparation) = if built {
            ((corners::TABLE_BYTES + edges::table_bytes(count)) as u64, Duration::ZERO)
        } else {
            let edges_bytes = corners::TABLE_BYTES as u64 + edges::build_bytes(count);
            (corners::BUILD_BYTES.max(edges_bytes), time)
        };
        // Leave at least half of the time to the search.
        let fits = limits.memory.is_none_or(|limit| limit >= bytes)
            && limits.time.is_none_or(|limit| limit >= 2 * preparation);
        let edges =
            HeuristicExpr::Named { name: heuristics::EDGES.into(), argument: Some(count.to_string()) };
        let heuristic = HeuristicExpr::Max(vec![HeuristicExpr::named(heuristics::CORNERS), edges]);
        let cost = ProofCost { preparation, node_picos: DATABASE_NODE_PICOS, reduction };
        fits.then(|| (built, Stage::proof(cost, Spec::plain(ida::PARALLEL_NAME, Some(heuristic)))))
    };
    let mut stages: Vec<(bool, Stage)> = TABLES.iter().filter_map(stage).collect();
    // A smaller database is of no use once a larger one is built, or for many positions.
    if workload.count > 1 || stages.last().is_some_and(|(built, _)| *built) {
        stages.drain(..stages.len().saturating_sub(1));
    }
    stages.into_iter().map(|(_, stage)| stage).collect()
}

/// The portfolio of a workload: a short proof attempt, a solution, then the scheduled proofs.
pub(super) fn stages(cube: &Cube3, workload: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
    let manhattan = Spec::plain(ida::PARALLEL_NAME, Some(HeuristicExpr::named(heuristics::MANHATTAN)));
    let limits = workload.limits;
    let table_proofs = match cube.turns().metric() {
        Metric::Htm => optimal_stages(workload, tables),
        Metric::Qtm => database_stages(cube, workload, tables),
    };
    let two_phase_fits =
        !workload.all_solutions && limits.memory.is_none_or(|limit| limit >= two_phase::MIN_MEMORY);
    let mut stages = Vec::new();
    let one_position = workload.count == 1 && !workload.all_solutions && limits.max_length.is_none();
    if two_phase_fits || one_position {
        stages.push(Stage::within(MANHATTAN_NODES, manhattan.clone()));
    }
    if one_position {
        // A first solution before the tables of the two-phase algorithm are built.
        stages.push(Spec::plain(three_cycles::NAME, None).into());
    }
    if two_phase_fits {
        let two_phase = two_phase::quickest_spec(cube, workload.count, tables);
        if limits.max_length.is_some() {
            stages.push(Stage::within(LONG_TWO_PHASE_NODES, two_phase.clone()));
        } else if workload.count > 1 {
            stages.push(Stage::within(TWO_PHASE_NODES, two_phase.clone()));
        } else {
            let short = Stage::improvement(TWO_PHASE_TIME, two_phase.clone());
            let target = Some(two_phase::gods_number(cube.turns().metric()));
            stages.push(Stage { node_limit: Some(TWO_PHASE_NODES), target, ..short });
        }
        if table_proofs.is_empty() && limits.max_length.is_none() {
            let longer = Stage::improvement(LONG_TWO_PHASE_TIME, two_phase);
            stages.push(Stage { node_limit: Some(LONG_TWO_PHASE_NODES), ..longer });
        }
    }
    stages.push(Stage::proof(MANHATTAN_COST, manhattan));
    stages.extend(table_proofs);
    stages
}
