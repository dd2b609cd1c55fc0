//! The 100 random instances of Korf, "Depth-first iterative-deepening" (Artificial Intelligence 27, 1985):
//! optimal lengths and node counts.

use std::sync::Arc;

use untumble_puzzles::tiles::heuristics::{LinearConflict, Manhattan, WalkingDistance};
use untumble_puzzles::tiles::{Board, Goal, Size, Tiles};
use untumble_search::control::{Control, Limits, Silent};
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::heuristic::Max;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::{Ida, IdaOptions};

struct Instance {
    id: u32,
    /// The optimal length.
    optimal: u32,
    /// The published number of nodes that IDA* with Manhattan distance generates.
    nodes: u64,
    board: Board<u64>,
}

fn tiles() -> Tiles<u64> {
    Tiles::new(Goal::named(Size { rows: 4, columns: 4 }, "blank-first").expect("a known goal"))
}

fn instances(tiles: &Tiles<u64>) -> Vec<Instance> {
    let parse = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |field: usize| fields[field].parse::<u64>().expect("a number");
        let ids: Vec<u16> = fields[4].split(' ').map(|tile| tile.parse().expect("a tile")).collect();
        Instance {
            id: number(0) as u32,
            optimal: number(2) as u32,
            nodes: number(3),
            board: tiles.board(&ids),
        }
    };
    let all: Vec<Instance> =
        include_str!("../golden/korf-15-puzzle.csv").lines().skip(2).map(parse).collect();
    assert_eq!(all.len(), 100);
    all
}

fn control(threads: usize) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent))
}

/// The solver that a solver text selects, with its specialisations.
fn solver(tiles: &Tiles<u64>, text: &str) -> Box<dyn Solver<Tiles<u64>>> {
    tiles.solver(text, &Runtime::default(), &Control::default()).expect(text).solver
}

/// With the operator order up, left, right, down of the blank, IDA* generates exactly the published number
/// of nodes. On several threads all iterations but the last generate the same nodes; those of the last
/// iteration depend on timing.
#[test]
fn ida_star_generates_the_published_numbers_of_nodes() {
    let tiles = tiles();
    let generic = |parallel| {
        let options = IdaOptions { bpmx: false, parallel, early: true };
        Ida::new(Manhattan::new(tiles.goal()), options, &Runtime::default())
    };
    let (specialized, parallel) =
        (solver(&tiles, "ida+manhattan"), solver(&tiles, "parida:raise=off+manhattan"));
    let easy: Vec<Instance> = instances(&tiles).into_iter().filter(|i| i.nodes < 50_000_000).collect();
    assert_eq!(easy.len(), 49);
    for Instance { id, optimal, nodes, board } in easy {
        let report = specialized.solve(&tiles, &[board], &control(1));
        assert_eq!(report.counts.generated, nodes, "instance {id}");
        assert_eq!(report.best.as_ref().map(|best| best.cost), Some(optimal), "instance {id}");
        assert!(report.optimal());
        if nodes > 10_000_000 {
            continue;
        }
        assert_eq!(generic(false).solve(&tiles, &[board], &control(1)), report, "instance {id}");
        let last = report.iterations.len() - 1;
        for threads in [2, 4, 8] {
            let solvers: [&dyn Solver<_>; 2] = [&generic(true), &*parallel];
            for solver in &solvers[usize::from(nodes > 3_000_000)..] {
                let many = solver.solve(&tiles, &[board], &control(threads));
                assert_eq!(many.best.as_ref().map(|best| best.cost), Some(optimal), "instance {id}");
                let passes = (&many.iterations[..last], &report.iterations[..last]);
                assert_eq!(passes.0, passes.1, "instance {id}, {threads} threads");
            }
        }
    }
}

/// Uses heuristics that need no pattern database. `./accept` checks all 100 instances.
#[test]
fn solutions_have_the_published_optimal_lengths() {
    let tiles = tiles();
    let walking = WalkingDistance::new(tiles.goal(), &Control::default()).expect("a small table");
    let heuristic = Max(LinearConflict::new(tiles.goal()), walking);
    let ida = Ida::new(heuristic, IdaOptions::default(), &Runtime::default());
    for Instance { id, optimal, board, .. } in instances(&tiles).into_iter().filter(|i| i.nodes < 100_000_000)
    {
        let report = ida.solve(&tiles, &[board], &control(1));
        assert_eq!(report.best.as_ref().map(|best| best.cost), Some(optimal), "instance {id}");
        assert!(report.optimal());
    }
}
