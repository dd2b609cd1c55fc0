//! The portfolio behind `auto` on sliding tiles: which solvers run, in stages, for a board and its limits.
//!
//! A [`Workload`] is the number of positions and the limits of each. A quick proof and a constructive
//! solution come first. Improvements and proofs follow; a [`ProofCost`] states what a proof costs, and the
//! engine schedules them. Tables are built only when the proof that needs them begins.

use std::time::Duration;

use untumble_search::control::Limits;
use untumble_search::frontend::{ProofCost, Stage, Workload};
use untumble_search::solve::{beam, best_first, ida, tunnel};
use untumble_search::spec::{HeuristicExpr, Spec};

use super::heuristics::{self, WalkingDistance};
use super::proofs::{self, PartitionCost};
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
/// Width of the beam on boards of 13 to 16 cells: takes 8 to 20 ms and ends within 10 moves of the optimum.
const MEDIUM_BEAM_WIDTH: u64 = 1000;
const MEDIUM_BEAM_TIME: Duration = Duration::from_millis(20);
/// Node limit of a tunnel stage per unit of width of the beam before it: about the time of that beam.
const TUNNEL_NODES: u64 = 1000;
/// Node limits of the first proof attempt, each some milliseconds: on 4×4 boards, where SIMD batches are
/// faster, and on other boards.
const QUICK_PROOF_NODES: u64 = 4_000_000;
const QUICK_PROOF_NODES_OTHER_BOARDS: u64 = 100_000;

/// Whether the table of all distances pays off for this many positions, within the limits. Measured on a
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
fn ida(heuristic: HeuristicExpr) -> Spec {
    Spec::plain(ida::PARALLEL_NAME, Some(heuristic))
}

fn pdb(partition: &str) -> HeuristicExpr {
    HeuristicExpr::Named { name: pdb::NAME.to_owned(), argument: Some(partition.to_owned()) }
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
            let linear_conflict = HeuristicExpr::named(heuristics::LINEAR_CONFLICT);
            let last = Spec::plain(algorithm, Some(linear_conflict)).into();
            // With nine cells the proof takes a millisecond.
            if cells > 9 { [first_solution(workload), vec![last]].concat() } else { vec![last] }
        }
        13..=16 => medium_board(goal, workload, tables_exist),
        _ if size.rows.max(size.columns) > Size::MAX_SEARCH_SIDE => {
            vec![Spec::plain(layers::NAME, None).into(), Spec::plain(local_path::NAME, None).into()]
        }
        _ => large_board(goal, workload, tables_exist),
    }
}

/// The constructive solver, for a single position or if a limit may end the search before its first solution.
/// None if all solutions are wanted, since only optimal solvers list them.
fn first_solution<S>(workload: &Workload<'_, S>) -> Vec<Stage> {
    let Limits { time, nodes, memory, .. } = workload.limits;
    let may_stop = time.is_some() || nodes.is_some() || memory.is_some();
    let wanted = !workload.all_solutions && (workload.count == 1 || may_stop);
    if wanted { vec![Spec::plain(layers::NAME, None).into()] } else { Vec::new() }
}

/// The heuristic without pattern databases for boards of 13 to 16 cells.
fn heuristic_without_databases<S>(goal: &Goal, workload: &Workload<'_, S>) -> HeuristicExpr {
    let linear_conflict = HeuristicExpr::named(heuristics::LINEAR_CONFLICT);
    let Size { rows, columns } = goal.size();
    let walking = rows != columns && fits_limits(workload, WALKING_BYTES, Duration::ZERO);
    if walking && WalkingDistance::is_available(goal) {
        HeuristicExpr::Max(vec![HeuristicExpr::named(heuristics::WALKING), linear_conflict])
    } else {
        linear_conflict
    }
}

/// Whether the tables of a partition fit the limits and pay for the number of positions.
fn pays<S>(cost: &PartitionCost, workload: &Workload<'_, S>, exist: bool) -> bool {
    let (count, bytes, time) = if exist {
        (cost.min_positions_to_load, cost.use_bytes, Duration::ZERO)
    } else {
        // At least half of the time is left to the search.
        (cost.min_positions_to_build, cost.build_bytes, 2 * cost.build_time)
    };
    workload.count >= count && fits_limits(workload, bytes, time)
}

/// The scheduled proofs, the weakest first: without tables, and with the tables that fit the limits.
fn proof_stages<S>(
    goal: &Goal,
    workload: &Workload<'_, S>,
    tables_exist: &dyn Fn(&str) -> bool,
) -> Vec<Stage> {
    let (heuristic, cost) = proofs::without_tables(goal.size());
    let weakest = Stage::proof(cost, ida(HeuristicExpr::named(heuristic)));
    let with_tables = proofs::partitions(goal.size()).into_iter().filter_map(|partition| {
        let exist = tables_exist(&partition.partition);
        let preparation = if exist { Duration::ZERO } else { partition.build_time };
        let cost = ProofCost { preparation, ..partition.proof };
        pays(&partition, workload, exist).then(|| Stage::proof(cost, ida(pdb(&partition.partition))))
    });
    [weakest].into_iter().chain(with_tables).collect()
}

/// Boards of 13 to 16 cells.
fn medium_board<S>(
    goal: &Goal,
    workload: &Workload<'_, S>,
    tables_exist: &dyn Fn(&str) -> bool,
) -> Vec<Stage> {
    // For many positions the tables are built before the first search.
    if workload.count > 1 {
        let fits = |partition: &&PartitionCost| pays(partition, workload, tables_exist(&partition.partition));
        let heuristic = proofs::partitions(goal.size()).iter().rfind(fits).map_or_else(
            || heuristic_without_databases(goal, workload),
            |partition| pdb(&partition.partition),
        );
        return [first_solution(workload), vec![ida(heuristic).into()]].concat();
    }
    let mut stages = vec![quick_proof(goal.size())];
    stages.extend(first_solution(workload));
    if !workload.all_solutions && fits_limits(workload, BEAM_BYTES * MEDIUM_BEAM_WIDTH, Duration::ZERO) {
        stages.push(Stage::improvement(MEDIUM_BEAM_TIME, beam(MEDIUM_BEAM_WIDTH)));
    }
    stages.extend(proof_stages(goal, workload, tables_exist));
    stages
}

/// The first nodes of the weakest proof, before the first solution: enough for positions near the goal.
fn quick_proof(size: Size) -> Stage {
    let square = size.rows == size.columns && size.cells() == 16;
    let nodes = if square { QUICK_PROOF_NODES } else { QUICK_PROOF_NODES_OTHER_BOARDS };
    Stage::within(nodes, ida(HeuristicExpr::named(proofs::without_tables(size).0)))
}

/// Boards of more than 16 cells: a constructive solution at once, then ever wider beams that improve it, and
/// proofs if the board is small enough for them.
fn large_board<S>(
    goal: &Goal,
    workload: &Workload<'_, S>,
    tables_exist: &dyn Fn(&str) -> bool,
) -> Vec<Stage> {
    let size = goal.size();
    let provable = size.cells() <= proofs::MAX_CELLS;
    if workload.all_solutions {
        // Only IDA* lists all optimal solutions.
        return proof_stages(goal, workload, tables_exist);
    }
    let max_width =
        if workload.limits.time.is_some() { MAX_WIDTH_WITH_TIME_LIMIT } else { MAX_WIDTH_WITHOUT_TIME_LIMIT };
    let fits = |width: &u64| *width <= max_width && fits_limits(workload, width * BEAM_BYTES, Duration::ZERO);
    let widths: Vec<u64> = [100, 1000, 10_000, 100_000, 1_000_000].into_iter().filter(fits).collect();
    let mut stages: Vec<Stage> = vec![Spec::plain(layers::NAME, None).into(), quick_proof(size)];
    for (index, &width) in widths.iter().enumerate() {
        let time = beam_time(size, width);
        stages.push(Stage::improvement(time, beam(width)));
        if index > 0 {
            stages
                .push(Stage { node_limit: Some(width * TUNNEL_NODES), ..Stage::improvement(time, tunnel()) });
        }
    }
    // A last tunnel fills the time that is left; without a time limit it ends when it finds no improvement,
    // and on boards with a proof the proof follows instead.
    if !provable || workload.limits.time.is_some() {
        stages.push(Stage::improvement(UNLIMITED, tunnel()));
    }
    if provable {
        stages.extend(proof_stages(goal, workload, tables_exist));
    }
    stages
}

/// The expected time of a stage that ends with the time limit.
const UNLIMITED: Duration = Duration::from_secs(1 << 20);

/// The expected time of a beam search on one thread. It grows with the number of levels, about the length of
/// a solution: the cells to the power of 1.5.
fn beam_time(size: Size, width: u64) -> Duration {
    const NANOS_PER_WIDTH_AND_LEVEL: f64 = 200.0;
    let levels = (size.cells() as f64).powf(1.5);
    Duration::from_nanos((levels * width as f64 * NANOS_PER_WIDTH_AND_LEVEL) as u64)
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
        let single =
            ["parida+manhattan", "layers", "beam:width=1000+learned", "parida+manhattan", "parida+pdb:5-5-5"];
        assert_eq!(specs((4, 4), 1, unlimited, &[]), [&single[..], &["parida+pdb:6-6-3"]].concat());
        assert_eq!(specs((4, 4), 1, limits(Some(20), None), &[]), single);
        assert_eq!(last(1, limits(Some(30), None), &["6-6-3"]), "parida+pdb:6-6-3");
        assert_eq!(last(1, limits(None, Some(1)), &[]), "parida+pdb:5-5-5");
        assert_eq!(last(1, limits(Some(2), None), &[]), "parida+manhattan");
        assert_eq!(last(1, unlimited, &["7-8"]), "parida+pdb:6-6-3");
        assert_eq!(specs((4, 4), 100, unlimited, &["7-8"]), ["parida+pdb:7-8"]);
        assert_eq!(last(100, limits(Some(100), None), &["7-8"]), "parida+pdb:6-6-3");
        assert_eq!(last(9_999, unlimited, &[]), "parida+pdb:6-6-3");
        assert_eq!(last(10_000, unlimited, &[]), "parida+pdb:7-8");
        assert_eq!(last(10_000, limits(Some(400), None), &[]), "parida+pdb:6-6-3");
        // Building leaves at least half of the time limit.
        assert_eq!(last(1, limits(None, Some(1)), &[]), "parida+pdb:5-5-5");
        assert_eq!(last(1, limits(None, Some(2)), &[]), "parida+pdb:6-6-3");
        assert_eq!(last(1, limits(None, Some(1)), &["6-6-3"]), "parida+pdb:6-6-3");
    }

    #[test]
    fn boards_of_13_to_16_cells_get_a_solution_before_tables() {
        let (unlimited, two_seconds) = (limits(None, None), limits(None, Some(2)));
        for (size, small, large) in [
            ((2, 7), "parida+pdb:5-4-4", "parida+pdb:6-6-1"),
            ((5, 3), "parida+pdb:5-5-4", "parida+pdb:6-6-2"),
            ((2, 8), "parida+pdb:5-5-5", "parida+pdb:6-6-3"),
        ] {
            let weak = "parida+linear-conflict";
            let expected = [weak, "layers", "beam:width=1000+learned", weak, small, large];
            assert_eq!(specs(size, 1, unlimited, &[]), expected);
            assert_eq!(specs(size, 1, two_seconds, &[]), expected);
            assert_eq!(
                specs(size, 9, unlimited, &[]),
                expected[5..],
                "no limit can stop a batch before its first solution"
            );
            assert_eq!(specs(size, 9, two_seconds, &[]), ["layers", large]);
            assert_eq!(specs(size, 1, limits(Some(2), None), &[]), expected[..4]);
        }
        assert_eq!(specs((3, 4), 1, unlimited, &[]), ["layers", "astar+linear-conflict"]);
    }

    #[test]
    fn large_boards_get_a_solution_first_and_a_proof_last() {
        let (unlimited, minute) = (limits(None, None), limits(None, Some(60)));
        let (weak, tunnel) = ("parida+linear-conflict", "tunnel+learned");
        let begin = [
            "layers",
            weak,
            "beam:width=100+learned",
            "beam:width=1000+learned",
            tunnel,
            "beam:width=10000+learned",
            tunnel,
        ];
        let proofs = [weak, "parida+pdb:5-5-5-5-4", "parida+pdb:6-6-6-6"];
        assert_eq!(specs((5, 5), 1, unlimited, &[]), [&begin[..], &proofs].concat());
        let within_a_minute = specs((5, 5), 1, minute, &[]);
        assert_eq!(within_a_minute[..7], begin);
        assert!(within_a_minute.contains(&"beam:width=1000000+learned".to_owned()));
        assert_eq!(within_a_minute[within_a_minute.len() - 4..], [&[tunnel], &proofs[..]].concat());
        let three_seconds = specs((5, 5), 1, limits(None, Some(3)), &[]);
        assert_eq!(three_seconds.last().map(String::as_str), Some(proofs[1]));
        let with_tables = specs((4, 5), 1, limits(None, Some(1)), &["5-5-5-4", "7-6-6"]);
        assert_eq!(with_tables.last().map(String::as_str), Some("parida+pdb:5-5-5-4"));
        for size in [(6, 6), (9, 16)] {
            assert_eq!(specs(size, 1, unlimited, &[]), [&begin[..], &[tunnel]].concat());
        }
        let little_memory = specs((6, 6), 1, limits(Some(5), Some(60)), &[]);
        assert_eq!(little_memory, [&begin[..5], &[tunnel]].concat());
        assert_eq!(specs((9, 40), 1, unlimited, &[]), ["layers", "local-path"]);
    }
}
