//! Both kernels count what the CPU counts: nodes, the next bound and solutions, pass by pass.

use crate::common::{agree, passes, processors, scrambled, spec};
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube2::{Corners as Pocket, Cube2, device as pocket};
use untumble_puzzles::cube3::heuristics::Corners;
use untumble_puzzles::cube3::{Cube, Cube3, device as rubik};
use untumble_puzzles::tiles::pdb::Pdb;
use untumble_puzzles::tiles::{Board, Goal, Size, Tiles, device as slides};
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
fn rubiks_cube_in_quarter_turns() {
    let cube = Cube3::new(Metric::Qtm);
    agree(&cube, "manhattan", || rubik::manhattan::<u64>(&cube), &cubes(&cube, 4..=11));
}

#[test]
fn rubiks_cube_in_half_turns() {
    let cube = Cube3::new(Metric::Htm);
    agree(&cube, "manhattan", || rubik::manhattan::<u128>(&cube), &cubes(&cube, 4..=8));
}

#[test]
fn rubiks_cube_by_its_corners() {
    let cube = Cube3::new(Metric::Qtm);
    let (tables, control) = (InMemory::default(), Control::default());
    let corners = || Corners::new(&cube, &tables, &control).expect("memory for a table");
    agree(&cube, "corners", || rubik::corners(&cube, corners()), &cubes(&cube, 9..=12));
}

#[test]
fn the_pocket_cube() {
    for metric in [Metric::Htm, Metric::Qtm] {
        let cube = Cube2::new(metric);
        let solved = Pocket { order: 0, twist: 0 };
        let starts: Vec<Pocket> =
            (4..=9).map(|depth| scrambled(&cube, solved, depth, depth as u64)).collect();
        agree(&cube, "manhattan", || pocket::manhattan(&cube), &starts);
    }
}

fn board(rows: usize, columns: usize, goal: &str) -> Tiles<u64> {
    Tiles::new(Goal::named(Size { rows, columns }, goal).expect("a known goal"))
}

/// Korf's instances that take less than so many nodes, the easiest first.
fn korf(tiles: &Tiles<u64>, most: u64) -> Vec<(u64, Board<u64>)> {
    let read = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let names: Vec<u16> = fields[4].split(' ').map(|tile| tile.parse().expect("a tile")).collect();
        (fields[3].parse::<u64>().expect("a number"), tiles.board(&names))
    };
    let all = include_str!("../../../puzzles/tests/golden/korf-15-puzzle.csv");
    let mut easy: Vec<_> = all.lines().skip(2).map(read).filter(|(nodes, _)| *nodes < most).collect();
    easy.sort_by_key(|(nodes, _)| *nodes);
    easy
}

#[test]
fn the_15_puzzle() {
    let tiles = board(4, 4, "blank-first");
    let easy: Vec<Board<u64>> = korf(&tiles, 2_000_000).into_iter().map(|(_, board)| board).collect();
    assert!(easy.len() >= 5, "{} instances", easy.len());
    agree(&tiles, "manhattan", || slides::manhattan(&tiles), &easy);
}

/// Takes seven minutes on two drivers that run on the processor: `cargo test -p untumble-gpu -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn the_15_puzzle_up_to_twenty_million_nodes() {
    let tiles = board(4, 4, "blank-first");
    let easy: Vec<Board<u64>> = korf(&tiles, 20_000_000).into_iter().map(|(_, board)| board).collect();
    assert_eq!(easy.len(), 37);
    agree(&tiles, "manhattan", || slides::manhattan(&tiles), &easy);
}

#[test]
fn small_boards_of_tiles() {
    for (rows, columns, goal) in [(3, 3, "snail"), (2, 5, "blank-last"), (3, 4, "blank-first")] {
        let tiles = board(rows, columns, goal);
        let solved = tiles.solved();
        let starts: Vec<Board<u64>> = (1..=3).map(|seed| scrambled(&tiles, solved, 60, seed)).collect();
        agree(&tiles, "manhattan", || slides::manhattan(&tiles), &starts);
    }
}

#[test]
fn pattern_databases() {
    let (tables, control) = (InMemory::default(), Control::default());
    // With the mirror image; without; a pattern so large that its placements have numbers.
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
        agree(&tiles, &format!("pdb:{partition}"), || slides::patterns(&tiles, pdb()), &starts);
    }
}

/// Where every solution is wanted, each of them is found, by an automaton that only forbids taking a move back.
#[test]
fn every_solution_is_found() {
    let cube = Cube3::new(Metric::Qtm);
    let program = rubik::manhattan::<u64>(&cube);
    let undone = MoveAutomaton::no_undo(&cube.inverses());
    for start in cubes(&cube, 5..=7) {
        let starts = [start];
        let automaton = std::borrow::Cow::Borrowed(&undone);
        let (puzzle, heuristic, mode) = (&cube, &program.heuristic, SolutionMode::All);
        let dfs = GenericDfs { puzzle, heuristic, automaton, starts: &starts, bpmx: false, mode };
        let expected = passes(&dfs, &Sequential);
        assert!(expected.last().is_some_and(|pass| pass.3 > 0));
        for processor in processors() {
            for kernel in ["block", "thread"] {
                let ida = GpuIda::new(
                    processor.clone(),
                    &spec(kernel, "manhattan"),
                    rubik::manhattan::<u64>(&cube),
                    &Control::default(),
                );
                let ida = ida.expect("a program that loads");
                let device = ida.device_dfs(&cube, &starts, true);
                assert_eq!(passes(device.twin(), &device), expected, "{kernel}");
            }
        }
    }
}
