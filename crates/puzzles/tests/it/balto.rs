//! Balto's puzzle: the whole of the smallest board, beams on bigger ones, and learning.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::balto::heuristics::{Rating, Torus};
use untumble_puzzles::balto::weights::Weights;
use untumble_puzzles::balto::{Balto, Board};
use untumble_search::control::{Account, Control, Limits, ManualClock, Silent};
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

/// The hexagon by its definition, sharing nothing with the search: rows of tiles, and rows and columns modulo the lattice.
struct Plain {
    side: i64,
    tiles: HashMap<(i64, i64), usize>,
    hole: (i64, i64),
}

impl Plain {
    fn cells(side: i64) -> impl Iterator<Item = (i64, i64)> {
        (0..2 * side - 1).flat_map(move |u| {
            ((u - side + 1).max(0)..=(2 * side - 2).min(u + side - 1)).map(move |v| (u, v))
        })
    }

    fn new(side: usize, tiles: &str) -> Plain {
        let side = side as i64;
        let tiles: HashMap<_, _> =
            Plain::cells(side).zip(tiles.split(' ').map(|tile| tile.parse().expect("a tile"))).collect();
        let hole = *tiles.iter().find(|(_, tile)| **tile == 0).expect("a hole").0;
        Plain { side, tiles, hole }
    }

    /// The cell of the hexagon that (u, v) is, by trying all vectors of the lattice near it.
    fn wrapped(&self, (u, v): (i64, i64)) -> (i64, i64) {
        let n = self.side;
        let near = (-2..=2).flat_map(|a| (-2..=2).map(move |b| (a, b)));
        let images = near.map(|(a, b)| (u + a * (2 * n - 1) + b * n, v + a * (n - 1) + b * (2 * n - 1)));
        images.into_iter().find(|cell| self.tiles.contains_key(cell)).expect("every cell has an image")
    }

    fn turn(&mut self, letter: char) {
        let direction = |name: &str| match name {
            "E" => (0, 1),
            "SE" => (1, 1),
            "SW" => (1, 0),
            "W" => (0, -1),
            "NW" => (-1, -1),
            _ => (-1, 0),
        };
        let (b, c) = match letter {
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
            other => panic!("{other} is no turn"),
        };
        let [b, c] = [b, c].map(|name| {
            let (u, v) = direction(name);
            self.wrapped((self.hole.0 + u, self.hole.1 + v))
        });
        let (first, second) = (self.tiles[&b], self.tiles[&c]);
        self.tiles.insert(c, first);
        self.tiles.insert(self.hole, second);
        self.tiles.insert(b, 0);
        self.hole = b;
    }

    fn solved(&self) -> bool {
        let mut expected = 1;
        Plain::cells(self.side).all(|cell| {
            let tile = self.tiles[&cell];
            if cell == (self.side - 1, self.side - 1) {
                return tile == 0;
            }
            expected += 1;
            tile == expected - 1
        })
    }
}

/// Replays an answer by the plain rules alone: turns alternate, and all tiles are home in the end.
fn replays(balto: &Balto, board: &Board, path: &[Move]) -> bool {
    let mut plain = Plain::new(balto.lattice().side(), &balto.text(board));
    let moves: Vec<char> = balto.format_moves(path).chars().collect();
    let alternate = moves.windows(2).all(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
    moves.iter().for_each(|&letter| plain.turn(letter));
    alternate && plain.solved()
}

fn solve(balto: &Balto, board: &Board, name: &str, control: &Control) -> Report {
    let report = solver(balto, name).solve(balto, &balto.starts(board), control);
    let best = report.best.as_ref().unwrap_or_else(|| panic!("{name} found nothing"));
    assert!(replays(balto, board, &best.moves), "{name}: {}", balto.format_moves(&best.moves));
    assert!(best.cost >= report.lower_bound);
    report
}

#[test]
fn every_solver_is_shortest_on_the_whole_smallest_board() {
    let balto = Balto::new(2);
    let truth = laws::truth(&balto);
    assert_eq!(truth.len(), 5040);
    laws::admissible(&balto, &Torus, &truth);
    let least = |board: &Board| {
        balto.starts(board).iter().map(|start| truth[&balto.pack(start)]).min().expect("two starts")
    };
    let boards: Vec<Board> = truth.keys().map(|key| balto.unpack(key)).filter(Board::clockwise).collect();
    // How many boards take so many turns; the hardest take six.
    let mut census = [0; 7];
    boards.iter().for_each(|board| census[least(board) as usize] += 1);
    assert_eq!(census.iter().sum::<usize>(), 2520);
    for name in ["bfs", "bibfs", "astar+torus", "ida+torus", "parida+torus", "parastar", "iddfs", "uniform"] {
        let solver = solver(&balto, name);
        for board in boards.iter().step_by(7) {
            laws::shortest(&balto, &*solver, board, &truth, &control(2).for_all(true), name);
        }
    }
    for board in boards.iter().step_by(101) {
        let report = solve(&balto, board, "beam+learned", &control(1));
        assert!(report.best.is_some_and(|best| best.cost >= least(board)));
    }
}

#[test]
fn bounds_and_ratings_keep_the_laws() {
    for side in [2, 3, 4] {
        let balto = Balto::new(side);
        laws::heuristic(&balto, &Torus, &mut rng(1));
        laws::stroll(&balto, &Torus, &mut rng(2));
        for weights in [Weights::closed(side), Weights::hamming(side), Weights::learned(side)] {
            laws::heuristic(&balto, &Rating::new(&balto, &weights), &mut rng(3));
        }
    }
}

#[test]
fn easy_boards_are_solved_the_shortest_way() {
    let balto = Balto::new(4);
    let mut rng = rng(5);
    for depth in 1..=7 {
        let mut board = balto.required_goal_states()[below(&mut rng, 2)].clone();
        let mut last = None;
        for _ in 0..depth {
            let moves: Vec<Move> = (balto.legal(&board) - balto.undo(last)).into_iter().collect();
            let m = moves[below(&mut rng, moves.len())];
            board = balto.apply(&board, m);
            last = Some(m);
        }
        let [bibfs, ida] = ["bibfs", "ida+torus"].map(|name| solve(&balto, &board, name, &control(1)));
        let (length, other) = (bibfs.best.map(|best| best.cost), ida.best.map(|best| best.cost));
        assert_eq!(length, other);
        assert!(length.is_some_and(|length| length <= depth));
        let beam = solve(&balto, &board, "beam:width=300+closed", &control(1)).best.map(|best| best.cost);
        assert!(beam >= length);
    }
}

#[test]
fn beams_solve_random_boards_and_a_seed_repeats_them() {
    let mut rng = rng(8);
    for (side, width, most) in [(3, 300, 60), (5, 100, 260), (8, 30, 1300)] {
        let balto = Balto::new(side);
        let board = balto.random(&mut rng);
        for heuristic in ["closed", "learned"] {
            let name = format!("beam:width={width},seed=3+{heuristic}");
            let reports =
                [control(1), control(1), control(3)].map(|control| solve(&balto, &board, &name, &control));
            let lengths: Vec<Cost> =
                reports.iter().filter_map(|report| report.best.as_ref()).map(|best| best.cost).collect();
            assert_eq!(reports[0].best, reports[1].best, "one thread repeats itself");
            assert_eq!(reports[0].counts, reports[1].counts);
            assert!(lengths.iter().all(|&length| length <= most), "{name} on side {side}: {lengths:?}");
            assert!(!reports[0].optimal());
        }
    }
}

/// A beam that is much too narrow gets stuck again and again, goes back, widens or goes elsewhere, and gets through.
#[test]
fn a_beam_that_is_stuck_goes_on() {
    let mut stuck = 0;
    for (side, width) in [(3, 2), (6, 3), (12, 8)] {
        let balto = Balto::new(side);
        let board = balto.random(&mut rng(4));
        let report = solve(&balto, &board, &format!("beam:width={width}+closed"), &control(1));
        stuck += usize::from(report.counts.peak_open > width);
        assert!(report.best.is_some_and(|best| best.cost < 5 * (side * side * side) as Cost));
    }
    assert!(stuck > 0, "some of them had to widen");
}

#[test]
fn beams_keep_to_their_memory() {
    let balto = Balto::new(4);
    let board = balto.random(&mut rng(4));
    let limits = Limits { memory: Some(100_000), ..Limits::default() };
    let control = Control::new(limits, Arc::new(Silent));
    let report = solver(&balto, "beam:width=100000").solve(&balto, &balto.starts(&board), &control);
    assert!(report.best.is_none() && control.peak_bytes() <= 100_000);
    let narrow = Control::new(Limits { memory: Some(2_000_000), threads: 4, ..limits }, Arc::new(Silent));
    solve(&balto, &board, "beam:width=1000", &narrow);
    assert!(narrow.peak_bytes() <= 2_000_000);
}

#[test]
fn random_boards_are_even_and_exchanged_tiles_are_refused() {
    let balto = Balto::new(2);
    let mut rng = rng(6);
    let mut seen: HashMap<Box<[u16]>, u32> = HashMap::new();
    for _ in 0..126_000 {
        let board = balto.random(&mut rng);
        *seen.entry(balto.pack(&board)).or_default() += 1;
    }
    assert_eq!(seen.len(), 2520, "every board that can be solved is drawn");
    assert!(seen.values().all(|&count| (15..=100).contains(&count)), "about 50 of each");
    let board = balto.random(&mut rng);
    assert!(balto.check(&board).is_ok());
    let mut cells: Box<[u16]> = board.cells().into();
    let mut tiles = (0..cells.len()).filter(|&cell| cell as u16 != board.hole());
    let (a, b) = (tiles.next().expect("a tile"), tiles.next().expect("another"));
    cells.swap(a, b);
    let why = balto.check(&balto.board(cells)).expect_err("an odd arrangement");
    assert!(matches!(&why, Error::Unsolvable(why) if why.message().contains("its parity is odd")), "{why}");
}

#[test]
fn learning_tells_rounds_and_ranks_better() {
    let balto = Balto::new(3);
    // Every look at the clock takes 0.1 ms: the budget is spent after a fixed number of looks.
    let clock = Arc::new(ManualClock::stepping(Duration::from_micros(100)));
    let limits = Limits { threads: 2, ..Limits::default() };
    let control = Control::with_clock(clock, &Account::default(), limits, Arc::new(Silent));
    let lesson = TrainingConfig { budget: Duration::from_secs(20), width: 30, seed: 1, from: None };
    let mut rounds = Vec::new();
    let mut tell = |round: &_, _: &_| rounds.push(*round);
    let pupil = TrainingContext { rng: &mut rng(1), control: &control, tell: &mut tell };
    let learning = balto.learn(&lesson, pupil).expect("balto can be trained");
    assert_eq!(rounds[0].number, 0);
    assert!(rounds.len() > 1, "at least one round");
    assert!(rounds[1..].iter().all(|round| round.pairs > 0));
    for (before, after) in rounds.iter().filter_map(|round| round.loss) {
        assert!(after < before, "a fit makes the loss smaller: {before} → {after}");
    }
    assert!(learning.length <= learning.first_length);
    let weights: Vec<f64> = learning.weights.iter().map(|(_, weight)| *weight).collect();
    assert_eq!(weights[0], 0.0);
    assert!(weights.iter().all(|&weight| weight >= 0.0));
}
