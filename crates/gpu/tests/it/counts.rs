//! Node counts, next bounds and numbers of solutions of both kernels equal those of the CPU, pass by pass.

use crate::common::{assert_kernels_match_cpu, devices, passes, scrambled, spec};
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube2::{Corners as Pocket, Cube2, device as cube2_device};
use untumble_puzzles::cube3::heuristics::Corners;
use untumble_puzzles::cube3::{Cube, Cube3, device as cube3_device};
use untumble_puzzles::tiles::pdb::Pdb;
use untumble_puzzles::tiles::{Board, Goal, Size, Tiles, device as tiles_device};
use untumble_search::bounded_dfs::{GenericDfs, SolutionMode};
use untumble_search::control::Control;
use untumble_search::executor::Sequential;
use untumble_search::moves::MoveAutomaton;
use untumble_search::puzzle::Puzzle;
use untumble_search::solve::gpu::GpuIda;
use untumble_search::tables::InMemory;

fn cubes(cube: &Cube3, depths: std::ops::RangeInclusive<usize>) -> Vec<Cube> {
    depths.map(|depth| scrambled(cube, Cube::SOLVED, depth, depth as u64)).collect()
}

#[test]
fn rubiks_cube_qtm_matches() {
    let cube = Cube3::new(Metric::Qtm);
    assert_kernels_match_cpu(
        &cube,
        "manhattan",
        || cube3_device::manhattan::<u64>(&cube),
        &cubes(&cube, 4..=11),
    );
}

#[test]
fn rubiks_cube_htm_matches() {
    let cube = Cube3::new(Metric::Htm);
    assert_kernels_match_cpu(
        &cube,
        "manhattan",
        || cube3_device::manhattan::<u128>(&cube),
        &cubes(&cube, 4..=8),
    );
}

#[test]
fn rubiks_cube_corner_database_matches() {
    let cube = Cube3::new(Metric::Qtm);
    let (tables, control) = (InMemory::default(), Control::default());
    let corners = || Corners::new(&cube, &tables, &control).expect("memory for a table");
    assert_kernels_match_cpu(
        &cube,
        "corners",
        || cube3_device::corners(&cube, corners()),
        &cubes(&cube, 9..=12),
    );
}

#[test]
fn pocket_cube_matches() {
    for metric in [Metric::Htm, Metric::Qtm] {
        let cube = Cube2::new(metric);
        let solved = Pocket { permutation: 0, twist: 0 };
        let starts: Vec<Pocket> =
            (4..=9).map(|depth| scrambled(&cube, solved, depth, depth as u64)).collect();
        assert_kernels_match_cpu(&cube, "manhattan", || cube2_device::manhattan(&cube), &starts);
    }
}

fn board(rows: usize, columns: usize, goal: &str) -> Tiles<u64> {
    Tiles::new(Goal::named(Size { rows, columns }, goal).expect("a known goal"))
}

/// Korf's instances with fewer than `max_nodes` nodes, sorted by nodes.
fn korf(tiles: &Tiles<u64>, max_nodes: u64) -> Vec<(u64, Board<u64>)> {
    let parse = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let tile_numbers: Vec<u16> = fields[4].split(' ').map(|tile| tile.parse().expect("a tile")).collect();
        (fields[3].parse::<u64>().expect("a number"), tiles.board(&tile_numbers))
    };
    let all = include_str!("../../../puzzles/tests/golden/korf-15-puzzle.csv");
    let mut easy: Vec<_> = all.lines().skip(2).map(parse).filter(|(nodes, _)| *nodes < max_nodes).collect();
    easy.sort_by_key(|(nodes, _)| *nodes);
    easy
}

#[test]
fn easy_15_puzzles_match() {
    let tiles = board(4, 4, "blank-first");
    let easy: Vec<Board<u64>> = korf(&tiles, 2_000_000).into_iter().map(|(_, board)| board).take(3).collect();
    assert_eq!(easy.len(), 3);
    assert_kernels_match_cpu(&tiles, "manhattan", || tiles_device::manhattan(&tiles), &easy);
}

/// Takes seven minutes on two software drivers: `cargo test -p untumble-gpu -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn all_15_puzzles_below_20_million_nodes_match() {
    let tiles = board(4, 4, "blank-first");
    let easy: Vec<Board<u64>> = korf(&tiles, 20_000_000).into_iter().map(|(_, board)| board).collect();
    assert_eq!(easy.len(), 37);
    assert_kernels_match_cpu(&tiles, "manhattan", || tiles_device::manhattan(&tiles), &easy);
}

#[test]
fn small_tile_boards_match() {
    for (rows, columns, goal) in [(3, 3, "snail"), (2, 5, "blank-last"), (3, 4, "blank-first")] {
        let tiles = board(rows, columns, goal);
        let solved = tiles.solved();
        let starts: Vec<Board<u64>> = (1..=3).map(|seed| scrambled(&tiles, solved, 60, seed)).collect();
        assert_kernels_match_cpu(&tiles, "manhattan", || tiles_device::manhattan(&tiles), &starts);
    }
}

#[test]
fn pattern_databases_match() {
    let (tables, control) = (InMemory::default(), Control::default());
    // Goals with and without a reflection, and a pattern so large that its placements are ranked.
    let cases = [
        (4, 4, "blank-first", "5-5-5"),
        (4, 4, "blank-last", "3-3-3-3-3"),
        (3, 4, "blank-last", "7-4"),
        (3, 3, "snail", "4-4"),
    ];
    for (rows, columns, goal, partition) in cases {
        let tiles = board(rows, columns, goal);
        let starts: Vec<Board<u64>> = if goal == "blank-first" {
            korf(&tiles, 1_000_000).into_iter().map(|(_, board)| board).take(2).collect()
        } else {
            let solved = tiles.solved();
            (1..=2).map(|seed| scrambled(&tiles, solved, 44, seed)).collect()
        };
        let pdb = || Pdb::new(tiles.goal(), partition, &tables, &control).expect("memory for tables");
        assert_kernels_match_cpu(
            &tiles,
            &format!("pdb:{partition}"),
            || tiles_device::patterns(&tiles, pdb()),
            &starts,
        );
    }
}

/// The automaton for all solutions forbids only immediate undos.
#[test]
fn all_solutions_are_found() {
    let cube = Cube3::new(Metric::Qtm);
    let program = cube3_device::manhattan::<u64>(&cube);
    let no_undo = MoveAutomaton::no_undo(&cube.inverses());
    for start in cubes(&cube, 5..=7) {
        let starts = [start];
        let automaton = std::borrow::Cow::Borrowed(&no_undo);
        let (puzzle, heuristic, mode) = (&cube, &program.heuristic, SolutionMode::All);
        let dfs = GenericDfs { puzzle, heuristic, automaton, starts: &starts, bpmx: false, mode };
        let expected = passes(&dfs, &Sequential);
        assert!(expected.last().is_some_and(|pass| pass.3 > 0));
        for gpu in devices() {
            for kernel in ["block", "thread"] {
                let ida = GpuIda::new(
                    gpu.clone(),
                    &spec(kernel, "manhattan"),
                    cube3_device::manhattan::<u64>(&cube),
                    &Control::default(),
                );
                let ida = ida.expect("a program that loads");
                let device = ida.device_dfs(&cube, &starts, true);
                assert_eq!(passes(device.cpu(), &device), expected, "{kernel}");
            }
        }
    }
}
