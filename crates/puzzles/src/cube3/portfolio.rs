//! The solver portfolio that `auto` runs on Rubik's cube: IDA\* with the Manhattan distance for short
//! scrambles, the two-phase algorithm for an early solution, then an optimal solver with the largest table
//! within the limits.

use std::time::Duration;

use untumble_search::frontend::{Preset, Stage, Workload};
use untumble_search::solve::ida;
use untumble_search::spec::{HeuristicExpr, Spec};
use untumble_search::tables::Tables;

use super::heuristics::{self, corners, edges};
use super::{Cube, Cube3, optimal, two_phase};
use crate::cube::Metric;

/// Node budget of IDA* with the Manhattan distance, about 10 ms: proves short scrambles without tables.
const MANHATTAN_NODES: u64 = 2_000_000;
/// Like [`MANHATTAN_NODES`], if the two-phase algorithm does not run; about 100 ms.
const MANHATTAN_NODES_ALONE: u64 = 20_000_000;

/// Node budget of the two-phase algorithm, about 100 ms: proves short scrambles and nearly always finds 19
/// or 20 moves.
const TWO_PHASE_NODES: u64 = 2_000_000;
/// Node budget of the two-phase algorithm, some seconds, if no optimal solver follows.
const LONG_TWO_PHASE_NODES: u64 = 100_000_000;

/// For the quarter-turn metric: numbers of edges in the edge database, each with the time to build the
/// corner and edge databases on one core.
const TABLES: [(usize, Duration); 2] = [(7, Duration::from_secs(20)), (6, Duration::from_secs(8))];

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

/// Node budget of the smallest table before a larger one is built: some seconds, enough for 16 moves.
const SMALL_TABLE_NODES: u64 = 400_000_000;

/// The stages of optimal solving in half-turn metric, with the largest table within the limits. If that
/// table must be built, the smallest table is tried first: it is built sooner and suffices for most
/// scrambles that are not random states.
fn optimal_stages(workload: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
    let Some(table) =
        optimal::largest_table(workload.limits.memory.unwrap_or(u64::MAX), workload.limits.time, tables)
    else {
        return Vec::new();
    };
    let last = Stage { spec: optimal::spec(table), node_limit: None };
    match optimal::table_to_try_first(table, tables) {
        Some(small) => vec![Stage { spec: optimal::spec(small), node_limit: Some(SMALL_TABLE_NODES) }, last],
        None => vec![last],
    }
}

/// The portfolio of a workload, in the order in which its stages run.
pub(super) fn stages(cube: &Cube3, workload: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
    let manhattan = Spec::plain(ida::PARALLEL_NAME, Some(HeuristicExpr::named(heuristics::MANHATTAN)));
    let limits = workload.limits;
    let fits_memory = |bytes: u64| limits.memory.is_none_or(|limit| limit >= bytes);
    let databases_fit = |&&(count, time): &&(usize, Duration)| {
        let built = tables.is_available(&corners::id(cube), corners::TABLE_BYTES)
            && tables.is_available(&edges::id(cube, count), edges::table_bytes(count));
        if built {
            return fits_memory((corners::TABLE_BYTES + edges::table_bytes(count)) as u64);
        }
        let build_bytes = corners::BUILD_BYTES.max(corners::TABLE_BYTES as u64 + edges::build_bytes(count));
        // Leave at least half of the time to the search.
        fits_memory(build_bytes) && limits.time.is_none_or(|limit| limit >= 2 * time)
    };
    let database_stage = || {
        TABLES.iter().find(databases_fit).map(|(count, _)| {
            let edges =
                HeuristicExpr::Named { name: heuristics::EDGES.into(), argument: Some(count.to_string()) };
            Spec::plain(
                ida::PARALLEL_NAME,
                Some(HeuristicExpr::Max(vec![HeuristicExpr::named(heuristics::CORNERS), edges])),
            )
            .into()
        })
    };
    let optimal_stages = match cube.turns().metric() {
        Metric::Htm => optimal_stages(workload, tables),
        Metric::Qtm => database_stage().into_iter().collect::<Vec<Stage>>(),
    };
    let two_phase_fits = !workload.all_solutions && fits_memory(two_phase::MIN_MEMORY);
    let manhattan_nodes = if two_phase_fits { MANHATTAN_NODES } else { MANHATTAN_NODES_ALONE };
    let mut stages = vec![Stage { spec: manhattan.clone(), node_limit: Some(manhattan_nodes) }];
    if two_phase_fits {
        // A shorter solution is worth more time if no optimal solver follows, or if a length is requested.
        let nodes = if optimal_stages.is_empty() || limits.max_length.is_some() {
            LONG_TWO_PHASE_NODES
        } else {
            TWO_PHASE_NODES
        };
        stages.push(Stage {
            spec: two_phase::quickest_spec(cube, workload.count, tables),
            node_limit: Some(nodes),
        });
    } else if optimal_stages.is_empty() {
        stages.clear();
    }
    if optimal_stages.is_empty() {
        stages.push(manhattan.into());
    }
    stages.extend(optimal_stages);
    stages
}
