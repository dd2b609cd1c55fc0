//! The portfolio behind `auto` on sliding tiles: which solvers run, in stages, for a board and its limits.
//!
//! A [`Stage`] is a solver with a node limit, after which the next stage begins; a [`Workload`] is the
//! number of positions and the limits of each. Fast solvers come first and proofs last. Every stage knows
//! the incumbent and the lower bound of the stages before it, and tables are built only when the stage that
//! needs them begins.

use std::time::Duration;

use untumble_search::control::Limits;
use untumble_search::frontend::{Stage, Workload};
use untumble_search::solve::{beam, best_first, ida, tunnel};
use untumble_search::spec::{HeuristicExpr, Spec};

use super::heuristics::{self, WalkingDistance};
use super::{Goal, Size, distance_table, layers, local_path, pdb};

/// Memory that suffices for A* on nearly all positions of boards of up to twelve cells.
const ASTAR_BYTES: u64 = 64 << 20;
/// Upper estimate of the memory of the walking-distance tables.
const WALKING_BYTES: u64 = 16 << 20;
/// Upper estimate of the memory of a beam search per unit of width.
const BEAM_BYTES: u64 = 1000;
/// Widest beam if the time is limited.
const MAX_WIDTH_WITH_TIME_LIMIT: u64 = 1_000_000;
/// Widest beam without a time limit; wider beams take longer than most users wait.
const MAX_WIDTH_WITHOUT_TIME_LIMIT: u64 = 10_000;
/// Node limit of a tunnel stage per unit of width of the beam before it: about the time of that beam.
const TUNNEL_NODES: u64 = 1000;
/// Node limit of the first proof attempt: some milliseconds on 4×4, slightly more on larger boards.
const QUICK_PROOF_NODES: u64 = 4_000_000;
/// Node limit of the attempt with Manhattan distance on 4×4 if tables would have to be built: about half the
/// time that building takes.
const NODES_BEFORE_TABLES: u64 = 200_000_000;

/// Cost of the tables of a partition of the 15-puzzle, measured with one thread.
struct PartitionCost {
    partition: &'static str,
    /// Memory while the tables are built.
    build_bytes: u64,
    /// Memory while the tables are used.
    use_bytes: u64,
    build_time: Duration,
    /// Number of positions for which loading existing tables pays.
    min_positions_to_load: usize,
    /// Number of positions for which building the tables pays.
    min_positions_to_build: usize,
}

/// Best partition first. A search with these tables takes about 3, 10 and 30 ms per position.
const FIFTEEN_PARTITIONS: [PartitionCost; 3] = [
    PartitionCost {
        partition: "7-8",
        build_bytes: 480 << 20,
        use_bytes: 280 << 20,
        build_time: Duration::from_secs(100),
        min_positions_to_load: 50,
        min_positions_to_build: 10_000,
    },
    // These tables are worth building even for a single hard position: building takes one or two seconds.
    PartitionCost {
        partition: "6-6-3",
        build_bytes: 64 << 20,
        use_bytes: 24 << 20,
        build_time: Duration::from_secs(4),
        min_positions_to_load: 0,
        min_positions_to_build: 0,
    },
    PartitionCost {
        partition: "5-5-5",
        build_bytes: 8 << 20,
        use_bytes: 4 << 20,
        build_time: Duration::from_millis(500),
        min_positions_to_load: 0,
        min_positions_to_build: 0,
    },
];

/// Rectangles of 14 to 16 cells: an even partition proves random boards in 0.001 to 1.7 s.
const FOURTEEN_CELLS: [PartitionCost; 1] = [rectangle("5-4-4")];
const FIFTEEN_CELLS: [PartitionCost; 1] = [rectangle("5-5-4")];
const SIXTEEN_CELLS: [PartitionCost; 1] = [rectangle("5-5-5")];

/// The cost of a partition with patterns of at most five tiles on a rectangle of at most 16 cells.
const fn rectangle(partition: &'static str) -> PartitionCost {
    PartitionCost {
        partition,
        build_bytes: 8 << 20,
        use_bytes: 4 << 20,
        build_time: Duration::from_millis(500),
        min_positions_to_load: 0,
        min_positions_to_build: 0,
    }
}

/// Width of the beam on boards of 13 to 16 cells: takes 8 to 95 ms and ends within 10 moves of the optimum.
const MEDIUM_BEAM_WIDTH: u64 = 1000;

/// Least time limit at which tables for boards of more than 16 cells are worth building.
const LARGE_TABLES_TIME: Duration = Duration::from_secs(300);
/// Upper estimate of the memory for building and using these tables.
const LARGE_TABLES_BYTES: u64 = 800 << 20;

/// Whether the table of all distances pays for the number of positions, within the limits. Measured on a
/// busy machine: building takes 0.02 s and an A* search 0.8 ms on 3×3; 2.8 s and 16 ms with ten cells.
fn distance_table_pays<S>(size: Size, workload: &Workload<'_, S>) -> bool {
    let (count, time) = match size.cells() {
        0..=9 => (50, Duration::from_secs(1)),
        10 => (500, Duration::from_secs(20)),
        _ => return false,
    };
    let bytes = 10 * distance_table::position_count(size);
    workload.count >= count && fits_limits(workload, bytes, time)
}

/// Whether the limits allow this much memory and time.
fn fits_limits<S>(workload: &Workload<'_, S>, bytes: u64, time: Duration) -> bool {
    let limits = workload.limits;
    limits.memory.is_none_or(|limit| limit >= bytes) && limits.time.is_none_or(|limit| limit >= time)
}

/// IDA* on all threads.
fn proof(heuristic: HeuristicExpr) -> Stage {
    Spec::plain(ida::PARALLEL_NAME, Some(heuristic)).into()
}

fn pdb(partition: &str) -> HeuristicExpr {
    HeuristicExpr::Named { name: pdb::NAME.to_owned(), argument: Some(partition.to_owned()) }
}

fn linear_conflict() -> HeuristicExpr {
    HeuristicExpr::named(heuristics::LINEAR_CONFLICT)
}

/// The stages for a workload; `tables_exist` returns whether the tables of a partition exist already.
pub(super) fn stages<S>(
    goal: &Goal,
    workload: &Workload<'_, S>,
    tables_exist: &dyn Fn(&str) -> bool,
) -> Vec<Stage> {
    let size = goal.size();
    if distance_table_pays(size, workload) {
        return vec![Spec::plain(distance_table::NAME, None).into()];
    }
    match size.cells() {
        cells @ ..=12 => {
            let algorithm =
                if fits_limits(workload, ASTAR_BYTES, Duration::ZERO) { best_first::NAME } else { ida::NAME };
            let last = Spec::plain(algorithm, Some(linear_conflict())).into();
            // With nine cells the proof takes a millisecond.
            if cells > 9 { [first_solution(workload), vec![last]].concat() } else { vec![last] }
        }
        13..=16 => medium_board(goal, workload, tables_exist),
        _ if size.rows.max(size.columns) > Size::MAX_SEARCH_SIDE => {
            vec![Spec::plain(layers::NAME, None).into(), Spec::plain(local_path::NAME, None).into()]
        }
        _ => large_board(size, workload, tables_exist),
    }
}

/// The constructive solver, where a limit can end the search before its first solution. Only optimal
/// solvers list all solutions.
fn first_solution<S>(workload: &Workload<'_, S>) -> Vec<Stage> {
    let Limits { time, nodes, memory, .. } = workload.limits;
    let may_stop = time.is_some() || nodes.is_some() || memory.is_some();
    let wanted = !workload.all_solutions && (workload.count == 1 || may_stop);
    if wanted { vec![Spec::plain(layers::NAME, None).into()] } else { Vec::new() }
}

/// The heuristic without pattern databases for boards of 13 to 16 cells.
fn heuristic_without_databases<S>(goal: &Goal, workload: &Workload<'_, S>) -> HeuristicExpr {
    let Size { rows, columns } = goal.size();
    let walking = rows != columns && fits_limits(workload, WALKING_BYTES, Duration::ZERO);
    if walking && WalkingDistance::is_available(goal) {
        HeuristicExpr::Max(vec![HeuristicExpr::named(heuristics::WALKING), linear_conflict()])
    } else {
        linear_conflict()
    }
}

/// The best partition whose tables fit the limits and pay for the number of positions.
fn partition_of_medium_board<S>(
    size: Size,
    workload: &Workload<'_, S>,
    tables_exist: &dyn Fn(&str) -> bool,
) -> Option<&'static PartitionCost> {
    let pays = |cost: &&PartitionCost| {
        let (count, bytes, time) = if tables_exist(cost.partition) {
            (cost.min_positions_to_load, cost.use_bytes, Duration::ZERO)
        } else {
            // At least half of the time is left to the search.
            (cost.min_positions_to_build, cost.build_bytes, 2 * cost.build_time)
        };
        workload.count >= count && fits_limits(workload, bytes, time)
    };
    let partitions = match size.cells() {
        _ if size.rows == size.columns => &FIFTEEN_PARTITIONS[..],
        14 => &FOURTEEN_CELLS,
        15 => &FIFTEEN_CELLS,
        16 => &SIXTEEN_CELLS,
        _ => &[],
    };
    partitions.iter().find(pays)
}

/// Boards of 13 to 16 cells: a quick proof, a solution at once and a better one, then the best tables that
/// fit the limits and pay for the number of positions. On 4×4 the search with Manhattan distance, which
/// generates the most nodes per second, goes on up to the point where tables would be faster.
fn medium_board<S>(
    goal: &Goal,
    workload: &Workload<'_, S>,
    tables_exist: &dyn Fn(&str) -> bool,
) -> Vec<Stage> {
    let size = goal.size();
    let square = size.rows == size.columns;
    let partition = partition_of_medium_board(size, workload, tables_exist).map(|cost| cost.partition);
    let last = match partition {
        Some(partition) => proof(pdb(partition)),
        None => proof(heuristic_without_databases(goal, workload)),
    };
    // For many positions the tables are built before the first search.
    if workload.count > 1 {
        return [first_solution(workload), vec![last]].concat();
    }
    let quick_heuristic = if square { heuristics::MANHATTAN } else { heuristics::LINEAR_CONFLICT };
    let without_tables =
        |nodes| Stage { node_limit: Some(nodes), ..proof(HeuristicExpr::named(quick_heuristic)) };
    let mut stages = vec![without_tables(QUICK_PROOF_NODES)];
    stages.extend(first_solution(workload));
    if !workload.all_solutions && fits_limits(workload, BEAM_BYTES * MEDIUM_BEAM_WIDTH, Duration::ZERO) {
        stages.push(beam(MEDIUM_BEAM_WIDTH).into());
    }
    if square && partition.is_some_and(|partition| !tables_exist(partition)) {
        stages.push(without_tables(NODES_BEFORE_TABLES));
    }
    stages.push(last);
    stages
}

/// Boards of more than 16 cells: a constructive solution at once, then ever wider beams that improve it, and
/// last a proof if the board is small enough for one.
fn large_board<S>(size: Size, workload: &Workload<'_, S>, tables_exist: &dyn Fn(&str) -> bool) -> Vec<Stage> {
    let cells = size.cells();
    let is_provable = cells <= 25;
    let partition = even_partition(cells - 1);
    let time = if tables_exist(&partition) { Duration::ZERO } else { LARGE_TABLES_TIME };
    let uses_tables = is_provable && fits_limits(workload, LARGE_TABLES_BYTES, time);
    let last_proof = proof(if uses_tables { pdb(&partition) } else { linear_conflict() });
    let quick_proof = Stage { node_limit: Some(QUICK_PROOF_NODES), ..proof(linear_conflict()) };
    if workload.all_solutions {
        // Only IDA* lists all optimal solutions.
        return if uses_tables { vec![quick_proof, last_proof] } else { vec![last_proof] };
    }
    let max_width =
        if workload.limits.time.is_some() { MAX_WIDTH_WITH_TIME_LIMIT } else { MAX_WIDTH_WITHOUT_TIME_LIMIT };
    let fits = |width: &u64| *width <= max_width && fits_limits(workload, width * BEAM_BYTES, Duration::ZERO);
    let widths: Vec<u64> = [100, 1000, 10_000, 100_000, 1_000_000].into_iter().filter(fits).collect();
    let mut stages: Vec<Stage> = vec![Spec::plain(layers::NAME, None).into()];
    for (index, &width) in widths.iter().enumerate() {
        stages.push(beam(width).into());
        if index == 0 {
            // The proof attempt follows the first beam, so that it starts with a better incumbent.
            stages.push(quick_proof.clone());
        } else {
            stages.push(Stage { spec: tunnel(), node_limit: Some(width * TUNNEL_NODES) });
        }
    }
    if widths.is_empty() {
        stages.push(quick_proof);
    }
    stages.push(if is_provable { last_proof } else { tunnel().into() });
    stages
}

/// Beam search with the trained ranking.
fn beam(width: u64) -> Spec {
    Spec {
        options: vec![("width".to_owned(), width.to_string())],
        ..Spec::plain(beam::NAME, Some(HeuristicExpr::named(heuristics::LEARNED)))
    }
}

/// Iterative tunneling, which shortens the incumbent.
fn tunnel() -> Spec {
    Spec::plain(tunnel::NAME, Some(HeuristicExpr::named(heuristics::LEARNED)))
}

/// The partition of `tiles` tiles into the fewest patterns of at most six, as even as possible.
fn even_partition(tiles: usize) -> String {
    let patterns = tiles.div_ceil(6);
    let sizes = (0..patterns).map(|index| ((tiles + patterns - 1 - index) / patterns).to_string());
    sizes.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(size: (usize, usize), count: usize, limits: Limits, existing: &[&str]) -> Vec<String> {
        let goal = Goal::named(Size { rows: size.0, columns: size.1 }, "blank-last").expect("a known goal");
        let workload: Workload<'_, ()> = Workload { position: None, count, limits, all_solutions: false };
        let stages = stages(&goal, &workload, &|partition| existing.contains(&partition));
        stages.iter().map(|stage| stage.spec.to_string()).collect()
    }

    fn limits(megabytes: Option<u64>, seconds: Option<u64>) -> Limits {
        let (memory, time) = (megabytes.map(|m| m << 20), seconds.map(Duration::from_secs));
        Limits { memory, time, ..Limits::default() }
    }

    #[test]
    fn the_15_puzzle_portfolio_depends_on_memory_time_tables_and_count() {
        let unlimited = limits(None, None);
        let last =
            |count, limits, existing: &[&str]| specs((4, 4), count, limits, existing).pop().expect("a stage");
        let first = ["parida+manhattan", "layers", "beam:width=1000+learned"];
        let tables = ["parida+manhattan", "parida+pdb:6-6-3"];
        assert_eq!(specs((4, 4), 1, unlimited, &[]), [&first[..], &tables].concat());
        assert_eq!(specs((4, 4), 1, unlimited, &["6-6-3"]), [&first[..], &tables[1..]].concat());
        assert_eq!(last(1, limits(Some(20), None), &[]), "parida+pdb:5-5-5");
        assert_eq!(last(1, limits(Some(30), None), &["6-6-3"]), "parida+pdb:6-6-3");
        assert_eq!(last(1, limits(None, Some(1)), &[]), "parida+pdb:5-5-5");
        assert_eq!(last(1, limits(Some(2), None), &[]), "parida+linear-conflict");
        assert_eq!(last(1, unlimited, &["7-8"]), "parida+pdb:6-6-3");
        assert_eq!(specs((4, 4), 100, unlimited, &["7-8"]), ["parida+pdb:7-8"]);
        assert_eq!(last(100, limits(Some(100), None), &["7-8"]), "parida+pdb:6-6-3");
        assert_eq!(last(9_999, unlimited, &[]), "parida+pdb:6-6-3");
        assert_eq!(last(10_000, unlimited, &[]), "parida+pdb:7-8");
        assert_eq!(last(10_000, limits(Some(400), None), &[]), "parida+pdb:6-6-3");
        // Building leaves at least half of the time limit.
        assert_eq!(last(1, limits(None, Some(7)), &[]), "parida+pdb:5-5-5");
        assert_eq!(last(1, limits(None, Some(8)), &[]), "parida+pdb:6-6-3");
        assert_eq!(last(1, limits(None, Some(1)), &["6-6-3"]), "parida+pdb:6-6-3");
    }

    #[test]
    fn boards_of_13_to_16_cells_get_a_solution_before_tables() {
        let (unlimited, two_seconds) = (limits(None, None), limits(None, Some(2)));
        for (size, last) in
            [((2, 7), "parida+pdb:5-4-4"), ((5, 3), "parida+pdb:5-5-4"), ((2, 8), "parida+pdb:5-5-5")]
        {
            let expected = ["parida+linear-conflict", "layers", "beam:width=1000+learned", last];
            assert_eq!(specs(size, 1, unlimited, &[]), expected);
            assert_eq!(specs(size, 1, two_seconds, &[]), expected);
            assert_eq!(specs(size, 9, unlimited, &[]), expected[3..], "a batch without limits never stops");
            assert_eq!(specs(size, 9, two_seconds, &[]), ["layers", last]);
            let little_memory = specs(size, 1, limits(Some(2), None), &[]);
            assert_eq!(little_memory[..3], expected[..3]);
            assert!(!little_memory[3].contains("pdb"), "{little_memory:?}");
        }
        assert_eq!(specs((3, 4), 1, unlimited, &[]), ["layers", "astar+linear-conflict"]);
    }

    #[test]
    fn large_boards_get_a_solution_first_and_a_proof_last() {
        let (unlimited, minute) = (limits(None, None), limits(None, Some(60)));
        let begin = ["layers", "beam:width=100+learned", "parida+linear-conflict"];
        let wider =
            ["beam:width=1000+learned", "tunnel+learned", "beam:width=10000+learned", "tunnel+learned"];
        let without_limits = specs((5, 5), 1, unlimited, &[]);
        assert_eq!(without_limits[..3], begin);
        assert_eq!(without_limits[3..7], wider);
        assert_eq!(without_limits[7..], ["parida+pdb:6-6-6-6"]);
        let within_a_minute = specs((5, 5), 1, minute, &[]);
        assert_eq!(within_a_minute[..7], without_limits[..7]);
        assert!(within_a_minute.contains(&"beam:width=1000000+learned".to_owned()));
        assert_eq!(within_a_minute.last().map(String::as_str), Some("parida+linear-conflict"));
        let with_tables = specs((4, 5), 1, limits(None, Some(10)), &["5-5-5-4"]);
        assert_eq!(with_tables.last().map(String::as_str), Some("parida+pdb:5-5-5-4"));
        for size in [(6, 6), (9, 16)] {
            assert_eq!(specs(size, 1, unlimited, &[])[..7], without_limits[..7]);
            assert_eq!(specs(size, 1, unlimited, &[]).last().map(String::as_str), Some("tunnel+learned"));
        }
        let little_memory = specs((6, 6), 1, limits(Some(5), Some(60)), &[]);
        assert_eq!(little_memory, [&begin[..], &wider[..2], &["tunnel+learned"]].concat());
        assert_eq!(specs((9, 40), 1, unlimited, &[]), ["layers", "local-path"]);
    }
}
