use super::super::bidirectional::{BidirectionalState, EvalTables};
use super::*;
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_search::frontend::below;
use untumble_search::walker::Walker;

use crate::balto::weights::Weights;

/// The solved board after up to `count` random 3-cycles of tiles.
fn with_random_three_cycles(balto: &Balto, count: usize, rng: &mut ChaCha8Rng) -> Board {
    let mut cells: Vec<u16> = (0..balto.lattice().cells() as u16).collect();
    let centre = balto.lattice().centre();
    for _ in 0..count {
        let mut pick = || loop {
            let cell = below(rng, cells.len());
            if cells[cell] != centre {
                return cell;
            }
        };
        let (a, b, c) = (pick(), pick(), pick());
        if a != b && b != c && a != c {
            (cells[a], cells[b], cells[c]) = (cells[c], cells[a], cells[b]);
        }
    }
    balto.board(cells.into())
}

/// Checks that `finish` completes the moves that `walk` makes.
fn check_finish(balto: &Balto, board: &Board, walk: impl Fn(&mut BidirectionalState<'_>) -> Vec<Move>) {
    let tables = EvalTables::new(balto.lattice(), &Weights::closed_form(balto.lattice().side()));
    for goal in balto.required_goal_states() {
        let mut state = BidirectionalState::new(&tables, board, &goal);
        let walked = walk(&mut state);
        let solution = state.finish(&walked, &Control::default()).expect("few tiles are unsolved");
        let end = balto.start_states(board).iter().find_map(|start| balto.replay(start, &solution).ok());
        assert!(end.is_some_and(|end| balto.is_goal(&end)), "{solution:?}");
    }
}

#[test]
fn a_three_cycle_anywhere_is_solved() {
    for side in [3, 4, 6, 10, 15, 27] {
        let balto = Balto::new(side);
        let mut rng = ChaCha8Rng::seed_from_u64(side as u64);
        for _ in 0..3 {
            check_finish(&balto, &with_random_three_cycles(&balto, 1, &mut rng), |_| Vec::new());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]
    /// The state results from any moves of either board that leave few tiles unsolved.
    #[test]
    fn a_few_unsolved_tiles_are_solved_from_any_state(
        side in 3usize..8, cycle_count in 0usize..5, seed in any::<u64>(), steps in 0usize..24
    ) {
        let balto = Balto::new(side);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let board = with_random_three_cycles(&balto, cycle_count, &mut rng);
        check_finish(&balto, &board, |state| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 1);
            let (mut walked, mut successors) = (Vec::new(), Vec::new());
            for _ in 0..steps {
                successors.clear();
                state.score_moves(&mut successors);
                let m = successors[below(&mut rng, successors.len())].m;
                state.step(m);
                walked.push(m);
            }
            // Undo half of the moves, so that few tiles are unsolved.
            for index in (0..walked.len()).rev().take(steps / 2) {
                let m = walked[index];
                let undo = Move(m.0 / 12 * 12 + inverse_move(Move(m.0 % 12)).0);
                state.step(undo);
                walked.push(undo);
            }
            walked
        });
    }
}

#[test]
fn adjacent_inverse_moves_cancel() {
    let inverse = |m| inverse_move(Move(m));
    let sequence = [Move(0), Move(7), Move(2)];
    assert_eq!(cancellations(&[], &sequence, &[]), 0);
    assert_eq!(cancellations(&[Move(3), inverse(0)], &sequence, &[inverse(2), inverse(7), Move(1)]), 3);
    assert_eq!(cancellations(&[], &[], &[Move(1)]), 0);
}
