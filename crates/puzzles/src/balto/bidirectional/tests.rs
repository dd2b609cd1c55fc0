use super::super::Balto;
use super::super::weights::{NeighbourTerm, SCORE_SCALE, WeightTables, Weights};
use super::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_search::frontend::{PuzzleFrontend, below};
use untumble_search::puzzle::Puzzle;

/// Test oracle: two boards moved by the rules of the puzzle.
struct BoardPair {
    boards: [Board; 2],
}

impl BoardPair {
    fn step(&mut self, balto: &Balto, m: Move) {
        let (board, m) = split_move(m);
        assert!(balto.legal(&self.boards[board]).contains(Move(m)), "only legal moves are evaluated");
        self.boards[board] = balto.apply(&self.boards[board], Move(m));
    }

    fn solved(&self) -> bool {
        self.boards[0].cells() == self.boards[1].cells()
            && self.boards[0].next_clockwise() == self.boards[1].next_clockwise()
    }
}

/// The score by its definition: displacements of tiles, and unsolved cells by their solved neighbours.
fn score(balto: &Balto, weights: &Weights, [start, goal]: &[Board; 2]) -> i32 {
    let lattice = balto.lattice();
    let tables = WeightTables::new(lattice, weights);
    let solved = |cell: u16| start.cells()[usize::from(cell)] == goal.cells()[usize::from(cell)];
    let mut score = 0;
    for cell in 0..lattice.cells() as u16 {
        let home = start.cells()[usize::from(cell)];
        let other =
            goal.cells().iter().position(|&other| other == home).expect("every tile is on both") as u16;
        if cell != start.empty_cell() {
            score += tables.distance_weight[usize::from(other + lattice.cells() as u16 - cell)];
        }
        if !solved(cell) {
            let neighbours = lattice.neighbours(cell).into_iter().enumerate();
            let mask: usize = neighbours.map(|(bit, next)| usize::from(solved(next)) << bit).sum();
            score += tables.neighbour_weight[mask];
        }
    }
    score
}

/// The scores and hashes that `score_moves` predicts and `step` maintains equal those computed from scratch
/// and those of the oracle; `undo` reverts `step`.
#[test]
fn incremental_evaluation_equals_evaluation_from_scratch() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for (side, steps) in [(2, 3000), (3, 3000), (6, 2000), (27, 60)] {
        let balto = Balto::new(side);
        let uneven: Vec<f64> = Weights::closed_form(side)
            .to_vec()
            .iter()
            .zip(1u32..)
            .map(|(w, n)| w + 0.37 * f64::from(n % 7))
            .collect();
        let weights = Weights::new(side, &uneven);
        let tables = EvalTables::new(balto.lattice(), &weights);
        // The boards stay near each other, so cells become solved and unsolved again and again.
        let mut oracle = BoardPair { boards: [balto.solved(), balto.solved().with_direction(false)] };
        let mut state = BidirectionalState::new(&tables, &oracle.boards[0], &oracle.boards[1]);
        let mut stack: Vec<(Move, UndoRecord, [Board; 2])> = Vec::new();
        for _ in 0..steps {
            if below(&mut rng, 40) == 0 {
                // Undo records hold scores from before the perturbation.
                stack.clear();
                if state.perturbation.is_some() {
                    state.end_perturbation();
                } else {
                    let levels = state.perturb(0);
                    assert_eq!(levels.is_some(), state.perturbation.is_some());
                }
                assert_eq!(state.score_and_hash(), (state.score, state.hash), "perturbed or not");
            }
            let mut successors = Vec::new();
            state.score_moves(&mut successors);
            if below(&mut rng, 3) == 0 && !stack.is_empty() {
                if let Some((m, undo, boards)) = stack.pop() {
                    state.undo(m, undo);
                    oracle.boards = boards;
                    assert_eq!(state.score_and_hash(), (state.score, state.hash), "undo reverts step");
                }
                continue;
            }
            let successor = successors[below(&mut rng, successors.len())];
            let boards = oracle.boards.clone();
            oracle.step(&balto, successor.m);
            stack.push((successor.m, state.step(successor.m), boards));
            assert_eq!(state.score_and_hash(), (state.score, state.hash), "incremental values");
            assert_eq!(successor.score, state.score as u32, "score of the successor");
            assert_eq!(successor.hash, state.hash.rotate_left(32), "hash of the successor");
            assert_eq!(successor.solved, oracle.solved(), "goal test of the successor");
            let perturbation: i32 =
                (0..2).map(|board| state.perturbation_score(board, state.empty_cell[board])).sum();
            assert_eq!(
                state.score - perturbation,
                score(&balto, &weights, &oracle.boards),
                "the score is that of its definition"
            );
            let fresh = BidirectionalState::new(&tables, &oracle.boards[0], &oracle.boards[1]);
            assert_eq!(
                (&state.relative, &state.solved_masks, state.unsolved),
                (&fresh.relative, &fresh.solved_masks, fresh.unsolved)
            );
            assert_eq!((state.score - perturbation, state.hash), (fresh.score, fresh.hash));
        }
    }
}

/// With `closed:h2=hamming` and `closed:h2=off` the incremental score is that of Bocquet's first definition:
/// F1 of every displaced tile, plus the number of solved neighbours of every unsolved cell or nothing.
#[test]
fn the_original_neighbour_terms_follow_their_definition() {
    let f1 = |x: i32, y: i32| 3 * (x * x + x * y + y * y) + 7 * (x + y);
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for (term, counted) in [(NeighbourTerm::SolvedNeighbours, 1), (NeighbourTerm::Off, 0)] {
        for side in [2, 3, 6, 12] {
            let balto = Balto::new(side);
            let lattice = balto.lattice();
            let tables = EvalTables::new(lattice, &Weights::closed_form_with(side, term));
            let mut boards = [balto.solved(), balto.solved().with_direction(false)];
            let mut state = BidirectionalState::new(&tables, &boards[0], &boards[1]);
            for step in 0..300 {
                let mut successors = Vec::new();
                state.score_moves(&mut successors);
                let m = successors[below(&mut rng, successors.len())].m;
                let mut pair = BoardPair { boards };
                pair.step(&balto, m);
                boards = pair.boards;
                state.step(m);
                let [start, goal] = &boards;
                let solved = |cell: u16| start.cells()[usize::from(cell)] == goal.cells()[usize::from(cell)];
                let (mut h1, mut h2) = (0, 0);
                for (cell, home) in (0..).zip(start.cells()) {
                    let other = goal.cells().iter().position(|other| other == home).expect("on both boards");
                    let displacement = lattice.displacement(cell, other as u16);
                    if cell != start.empty_cell() {
                        h1 += f1(displacement.long.into(), displacement.short.into());
                    }
                    if !solved(cell) {
                        h2 +=
                            lattice.neighbours(cell).into_iter().filter(|&next| solved(next)).count() as i32;
                    }
                }
                let expected = SCORE_SCALE as i32 * (h1 + counted * h2);
                assert_eq!(state.score(), expected, "side {side}, step {step}, {term:?}");
            }
        }
    }
}

/// `solution` recovers a path that is split anywhere and whose second part the goal board walks backwards.
#[test]
fn answer_joins_the_moves_of_both_boards() {
    let balto = Balto::new(3);
    let tables = EvalTables::new(balto.lattice(), &Weights::closed_form(3));
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..200 {
        let start = balto.random(&mut rng).with_direction(below(&mut rng, 2) == 0);
        let mut board = start.clone();
        let mut path = Vec::new();
        for _ in 0..8 {
            let moves: Vec<Move> =
                (balto.legal(&board) - balto.undo_set(path.last().copied())).into_iter().collect();
            let m = moves[below(&mut rng, moves.len())];
            board = balto.apply(&board, m);
            path.push(m);
        }
        let split = below(&mut rng, path.len() + 1);
        let goal_moves = path[split..].iter().rev().map(|&m| Move(inverse_move(m).0 + MOVES_PER_BOARD));
        let walked: Vec<Move> = path[..split].iter().copied().chain(goal_moves).collect();
        let state = BidirectionalState::new(&tables, &start, &board);
        assert_eq!(state.solution(&walked), path);
    }
}
