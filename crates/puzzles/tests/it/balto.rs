//! Balto's puzzle: all positions of side 2, beam search on larger boards, and training.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::balto::heuristics::{LinearEvaluation, TorusDistance};
use untumble_puzzles::balto::weights::{NeighbourTerm, Weights};
use untumble_puzzles::balto::{Balto, Board};
use untumble_search::control::{Control, Limits, ManualClock, MemoryAccount, Silent};
use untumble_search::error::Error;
use untumble_search::frontend::{PuzzleFrontend, PuzzleText, below};
use untumble_search::laws;
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::report::Report;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::train::{TrainingConfig, TrainingContext};

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn control(threads: usize) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent))
}

fn solver(balto: &Balto, name: &str) -> Box<dyn Solver<Balto>> {
    balto.solver(name, &Runtime::default(), &Control::default()).expect(name).solver
}

/// Test oracle: the board by the rules of the contest, with cells as (row, column) pairs modulo the
/// torus. It shares no code with the search.
struct ReferenceBoard {
    side: i64,
    tiles: HashMap<(i64, i64), usize>,
    empty_cell: (i64, i64),
}

impl ReferenceBoard {
    fn cells(side: i64) -> impl Iterator<Item = (i64, i64)> {
        (0..2 * side - 1).flat_map(move |u| {
            ((u - side + 1).max(0)..=(2 * side - 2).min(u + side - 1)).map(move |v| (u, v))
        })
    }

    fn new(side: usize, tiles: &str) -> ReferenceBoard {
        let side = side as i64;
        let tiles: HashMap<_, _> = ReferenceBoard::cells(side)
            .zip(tiles.split(' ').map(|tile| tile.parse().expect("a tile")))
            .collect();
        let empty_cell = *tiles.iter().find(|(_, tile)| **tile == 0).expect("an empty cell").0;
        ReferenceBoard { side, tiles, empty_cell }
    }

    /// The cell of the hexagon congruent to (u, v), found by trying all short lattice vectors.
    fn reduce(&self, (u, v): (i64, i64)) -> (i64, i64) {
        let n = self.side;
        let coefficients = (-2..=2).flat_map(|a| (-2..=2).map(move |b| (a, b)));
        let images =
            coefficients.map(|(a, b)| (u + a * (2 * n - 1) + b * n, v + a * (n - 1) + b * (2 * n - 1)));
        images.into_iter().find(|cell| self.tiles.contains_key(cell)).expect("every cell has an image")
    }

    fn apply(&mut self, name: char) {
        let direction = |name: &str| match name {
            "E" => (0, 1),
            "SE" => (1, 1),
            "SW" => (1, 0),
            "W" => (0, -1),
            "NW" => (-1, -1),
            _ => (-1, 0),
        };
        let (b, c) = match name {
            '1' => ("NE", "E"),
            '2' => ("E", "SE"),
            '3' => ("SE", "SW"),
            '4' => ("SW", "W"),
            '5' => ("W", "NW"),
            '6' => ("NW", "NE"),
            'A' => ("E", "NE"),
            'B' => ("SE", "E"),
            'C' => ("SW", "SE"),
            'D' => ("W", "SW"),
            'E' => ("NW", "W"),
            'F' => ("NE", "NW"),
            other => panic!("{other} is not a move"),
        };
        let [b, c] = [b, c].map(|name| {
            let (u, v) = direction(name);
            self.reduce((self.empty_cell.0 + u, self.empty_cell.1 + v))
        });
        let (first, second) = (self.tiles[&b], self.tiles[&c]);
        self.tiles.insert(c, first);
        self.tiles.insert(self.empty_cell, second);
        self.tiles.insert(b, 0);
        self.empty_cell = b;
    }

    fn solved(&self) -> bool {
        let mut expected = 1;
        ReferenceBoard::cells(self.side).all(|cell| {
            let tile = self.tiles[&cell];
            if cell == (self.side - 1, self.side - 1) {
                return tile == 0;
            }
            expected += 1;
            tile == expected - 1
        })
    }
}

/// Whether a path has alternating directions and solves the reference board.
fn is_solution(balto: &Balto, board: &Board, path: &[Move]) -> bool {
    let mut reference = ReferenceBoard::new(balto.lattice().side(), &balto.text(board));
    let moves: Vec<char> = balto.format_moves(path).chars().collect();
    let alternates = moves.windows(2).all(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
    moves.iter().for_each(|&name| reference.apply(name));
    alternates && reference.solved()
}

fn solve(balto: &Balto, board: &Board, name: &str, control: &Control) -> Report {
    let report = solver(balto, name).solve(balto, &balto.start_states(board), control);
    let best = report.best.as_ref().unwrap_or_else(|| panic!("{name} found no solution"));
    assert!(is_solution(balto, board, &best.moves), "{name}: {}", balto.format_moves(&best.moves));
    assert!(best.cost >= report.lower_bound);
    report
}

#[test]
fn optimal_solvers_are_optimal_on_all_positions_of_side_2() {
    let balto = Balto::new(2);
    let distances = laws::exact_costs(&balto);
    assert_eq!(distances.len(), 5040);
    laws::admissible(&balto, &TorusDistance, &distances);
    let optimal = |board: &Board| {
        balto.start_states(board).iter().map(|start| distances[&balto.pack(start)]).min().expect("two starts")
    };
    let boards: Vec<Board> =
        distances.keys().map(|key| balto.unpack(key)).filter(Board::next_clockwise).collect();
    // The number of boards by optimal length; the largest is six.
    let mut histogram = [0; 7];
    boards.iter().for_each(|board| histogram[optimal(board) as usize] += 1);
    assert_eq!(histogram.iter().sum::<usize>(), 2520);
    for name in ["bfs", "bibfs", "astar+torus", "ida+torus", "parida+torus", "parastar", "iddfs", "uniform"] {
        let solver = solver(&balto, name);
        for board in boards.iter().step_by(7) {
            laws::solver_is_optimal(
                &balto,
                &*solver,
                board,
                &distances,
                &control(2).with_all_solutions(true),
                name,
            );
        }
    }
    for board in boards.iter().step_by(101) {
        let report = solve(&balto, board, "beam+learned", &control(1));
        assert!(report.best.is_some_and(|best| best.cost >= optimal(board)));
    }
}

#[test]
fn heuristics_satisfy_the_heuristic_laws() {
    for side in [2, 3, 4] {
        let balto = Balto::new(side);
        laws::heuristic(&balto, &TorusDistance, &mut rng(1));
        laws::heuristic_walker(&balto, &TorusDistance, &mut rng(2));
        let [hamming, off] = [NeighbourTerm::SolvedNeighbours, NeighbourTerm::Off]
            .map(|term| Weights::closed_form_with(side, term));
        for weights in [Weights::closed_form(side), hamming, off, Weights::learned(side)] {
            laws::heuristic(&balto, &LinearEvaluation::new(&balto, &weights), &mut rng(3));
        }
    }
}

#[test]
fn bibfs_and_ida_star_agree_near_the_goal() {
    let balto = Balto::new(4);
    let mut rng = rng(5);
    for depth in 1..=7 {
        let mut board = balto.required_goal_states()[below(&mut rng, 2)].clone();
        let mut last = None;
        for _ in 0..depth {
            let moves: Vec<Move> = (balto.legal(&board) - balto.undo_set(last)).into_iter().collect();
            let m = moves[below(&mut rng, moves.len())];
            board = balto.apply(&board, m);
            last = Some(m);
        }
        let [bibfs, ida] = ["bibfs", "ida+torus"].map(|name| solve(&balto, &board, name, &control(1)));
        let length = bibfs.best.map(|best| best.cost);
        assert_eq!(length, ida.best.map(|best| best.cost));
        assert!(length.is_some_and(|length| length <= depth));
        let beam = solve(&balto, &board, "beam:width=300+closed", &control(1)).best.map(|best| best.cost);
        assert!(beam >= length);
    }
}

#[test]
fn beams_solve_random_boards_and_are_deterministic_on_one_thread() {
    let mut rng = rng(8);
    for (side, width, max_length) in [(3, 300, 60), (5, 100, 260), (8, 30, 1300)] {
        let balto = Balto::new(side);
        let board = balto.random(&mut rng);
        for heuristic in ["closed", "learned"] {
            let name = format!("beam:width={width},seed=3+{heuristic}");
            let reports =
                [control(1), control(1), control(3)].map(|control| solve(&balto, &board, &name, &control));
            let lengths: Vec<Cost> =
                reports.iter().filter_map(|report| report.best.as_ref()).map(|best| best.cost).collect();
            assert_eq!(reports[0].best, reports[1].best, "one thread is deterministic");
            assert_eq!(reports[0].counts, reports[1].counts);
            assert!(lengths.iter().all(|&length| length <= max_length), "{name} on side {side}: {lengths:?}");
            assert!(!reports[0].optimal());
        }
    }
}

/// A beam that is much too narrow stagnates repeatedly; it backs up, widens or perturbs until it finds a
/// solution.
#[test]
fn stagnating_beams_still_find_solutions() {
    let mut widened = 0;
    for (side, width) in [(3, 2), (6, 3), (12, 8)] {
        let balto = Balto::new(side);
        let board = balto.random(&mut rng(4));
        let report = solve(&balto, &board, &format!("beam:width={width}+closed"), &control(1));
        widened += usize::from(report.counts.peak_open > width);
        assert!(report.best.is_some_and(|best| best.cost < 5 * (side * side * side) as Cost));
    }
    assert!(widened > 0, "at least one beam widened");
}

#[test]
fn beams_respect_the_memory_limit() {
    let balto = Balto::new(4);
    let board = balto.random(&mut rng(4));
    let limits = Limits { memory: Some(100_000), ..Limits::default() };
    let control = Control::new(limits, Arc::new(Silent));
    let report = solver(&balto, "beam:width=100000").solve(&balto, &balto.start_states(&board), &control);
    assert!(report.best.is_none() && control.peak_bytes() <= 100_000);
    let narrow = Control::new(Limits { memory: Some(2_000_000), threads: 4, ..limits }, Arc::new(Silent));
    solve(&balto, &board, "beam:width=1000", &narrow);
    assert!(narrow.peak_bytes() <= 2_000_000);
}

#[test]
fn random_boards_are_uniform_and_odd_permutations_are_refused() {
    let balto = Balto::new(2);
    let mut rng = rng(6);
    let mut seen: HashMap<Box<[u16]>, u32> = HashMap::new();
    for _ in 0..126_000 {
        let board = balto.random(&mut rng);
        *seen.entry(balto.pack(&board)).or_default() += 1;
    }
    assert_eq!(seen.len(), 2520, "every solvable board is drawn");
    assert!(seen.values().all(|&count| (15..=100).contains(&count)), "each about 50 times");
    let board = balto.random(&mut rng);
    assert!(balto.check_solvable(&board).is_ok());
    let mut cells: Box<[u16]> = board.cells().into();
    let mut tiles = (0..cells.len()).filter(|&cell| cell as u16 != board.empty_cell());
    let (a, b) = (tiles.next().expect("a tile"), tiles.next().expect("another"));
    cells.swap(a, b);
    let error = balto.check_solvable(&balto.board(cells)).expect_err("an odd permutation");
    let Error::Unsolvable(diagnostic) = &error else { panic!("{error}") };
    assert!(diagnostic.message().contains("its parity is odd"), "{error}");
}

#[test]
fn training_reports_rounds_and_reduces_the_loss() {
    let balto = Balto::new(3);
    // Every reading advances the clock by 0.1 ms, so the budget ends after a fixed number of readings.
    let clock = Arc::new(ManualClock::stepping(Duration::from_micros(100)));
    let limits = Limits { threads: 2, ..Limits::default() };
    let control = Control::with_clock(clock, &MemoryAccount::default(), limits, Arc::new(Silent));
    let config = TrainingConfig {
        budget: Duration::from_secs(20),
        widths: vec![30, 20],
        samples_per_level: 4,
        seed: 1,
        from: None,
    };
    let mut rounds = Vec::new();
    let mut record_round = |round: &_, _: &_| rounds.push(*round);
    let context = TrainingContext { rng: &mut rng(1), control: &control, on_round: &mut record_round };
    let result = balto.learn(&config, context).expect("balto can be trained");
    assert_eq!(rounds[0].number, 0);
    assert!(rounds.len() > 1, "at least one round");
    assert!(rounds[1..].iter().all(|round| round.pairs > 0));
    for (before, after) in rounds.iter().filter_map(|round| round.loss) {
        assert!(after < before, "the loss decreases: {before} → {after}");
    }
    assert!(result.length <= result.first_length);
    let weights: Vec<f64> = result.weights.iter().map(|(_, weight)| *weight).collect();
    assert_eq!(weights[0], 0.0);
    assert!(weights.iter().all(|&weight| weight >= 0.0));
}
