//! Completes a partial solution by inserting a short move sequence at the position where it costs least, as
//! in the insertions of the fewest-moves challenge.
//!
//! The pieces left unsolved may be far from home at the end of the sequence, but two moves from home
//! somewhere in the middle. At every position of the sequence there are two states: the one after the moves
//! so far, and the one that the remaining moves solve. A meet-in-the-middle search of growing radius looks
//! for moves from the first to the second.

use crate::control::{Control, Meter, Stop};
use crate::moves::{Move, MoveMask};
use crate::paths::path_to;
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::state_table::{Insertion, StateTable, hash};

/// [`finish`] undoes the remaining moves from every goal state.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES_AND_GOAL_STATES;

/// The largest number of states in a [`Neighbourhood`].
const MAX_STATES: usize = 1 << 16;

/// A solution made of `moves` with one sequence inserted: the cheapest among the shortest insertions. `None`
/// if no short sequence completes the solution, or if the puzzle does not meet [`REQUIREMENTS`].
pub fn finish<P: Puzzle>(
    puzzle: &P,
    starts: &[P::State],
    moves: &[Move],
    control: &Control,
) -> Result<Option<Vec<Move>>, Stop> {
    if REQUIREMENTS.check(puzzle).is_err() {
        return Ok(None);
    }
    let state_pairs = state_pairs(puzzle, starts, moves);
    let mut meter = control.meter();
    for radius in 0.. {
        let mut best: Option<(Cost, Vec<Move>)> = None;
        let mut searched = false;
        for pairs in &state_pairs {
            for (index, (current, target)) in pairs.iter().enumerate() {
                let Some(target) = target else { continue };
                let Some(sequences) = mitm(puzzle, current, target, radius, control, &mut meter)? else {
                    continue;
                };
                searched = true;
                for sequence in sequences {
                    let solution = concatenate(puzzle, &moves[..index], &sequence, &moves[index..]);
                    let cost = puzzle.path_cost(&solution);
                    if best.as_ref().is_none_or(|(best_cost, _)| cost < *best_cost) {
                        best = Some((cost, solution));
                    }
                }
            }
        }
        if best.is_some() || !searched {
            return Ok(best.map(|(_, solution)| solution));
        }
    }
    Ok(None)
}

/// For each position in a sequence: the state there, and the state that the remaining moves solve, if they
/// are legal from it.
type StatePairs<S> = Vec<(S, Option<S>)>;

/// The state pairs for each start from which the moves are legal, and each goal.
fn state_pairs<P: Puzzle>(puzzle: &P, starts: &[P::State], moves: &[Move]) -> Vec<StatePairs<P::State>> {
    let mut state_pairs = Vec::new();
    for start in starts.iter().filter(|start| puzzle.replay(start, moves).is_ok()) {
        let mut forward = vec![start.clone()];
        for &m in moves {
            forward.push(puzzle.apply(&forward[forward.len() - 1], m));
        }
        for goal in puzzle.required_goal_states() {
            let mut backward = vec![Some(goal)];
            for &m in moves.iter().rev() {
                let inverse = puzzle.required_inverse(m);
                let after = backward[backward.len() - 1].as_ref();
                let undoable = after.filter(|after| puzzle.legal(after).contains(inverse));
                backward.push(undoable.map(|after| puzzle.apply(after, inverse)));
            }
            state_pairs.push(forward.iter().cloned().zip(backward.into_iter().rev()).collect());
        }
    }
    state_pairs
}

/// The sequences from `current` to `target` through a state exactly `radius` moves from `target` and at most
/// `radius` moves from `current`. `None` if there are too many states, or none that far from `target`.
fn mitm<P: Puzzle>(
    puzzle: &P,
    current: &P::State,
    target: &P::State,
    radius: usize,
    control: &Control,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Vec<Move>>>, Stop> {
    let Some((near_current, _)) = neighbourhood(puzzle, current, radius, control, meter)? else {
        return Ok(None);
    };
    let Some((near_target, frontier)) = neighbourhood(puzzle, target, radius, control, meter)? else {
        return Ok(None);
    };
    if frontier.is_empty() {
        return Ok(None);
    }
    let mut sequences = Vec::new();
    for number in frontier {
        let key = &near_target.node(number).key;
        if near_current.find(hash(key), key).is_some() {
            let state = puzzle.unpack(key);
            let path = |states: &StateTable<P::Key>| {
                path_to(puzzle, &state, &|key: &P::Key| {
                    states.find(hash(key), key).map(|number| states.node(number))
                })
            };
            let to_target = path(&near_target).into_iter().rev().map(|m| puzzle.required_inverse(m));
            sequences.push(path(&near_current).into_iter().chain(to_target).collect());
        }
    }
    Ok(Some(sequences))
}

/// The states within a radius of a state, and the node numbers of those at exactly that radius.
type Neighbourhood<K> = (StateTable<K>, Vec<u32>);

/// The neighbourhood of `center`; `None` if it has more than [`MAX_STATES`] states.
fn neighbourhood<P: Puzzle>(
    puzzle: &P,
    center: &P::State,
    radius: usize,
    control: &Control,
    meter: &mut Meter<'_>,
) -> Result<Option<Neighbourhood<P::Key>>, Stop> {
    let mut states = StateTable::new(control, puzzle.key_heap_bytes())?;
    let mut frontier = Vec::new();
    let key = puzzle.pack(center);
    if let Insertion::New(number) = states.insert(hash(&key), key, 0, None)? {
        frontier.push(number);
    }
    for distance in 1..=radius {
        for number in std::mem::take(&mut frontier) {
            if meter.check().is_break() {
                return Err(control.stop_reason().unwrap_or(Stop::Interrupted));
            }
            let state = puzzle.unpack(&states.node(number).key);
            for m in puzzle.legal(&state) {
                meter.tick();
                let key = puzzle.pack(&puzzle.apply(&state, m));
                if let Insertion::New(number) = states.insert(hash(&key), key, distance as Cost, Some(m))? {
                    frontier.push(number);
                }
            }
            if states.len() > MAX_STATES {
                return Ok(None);
            }
        }
    }
    Ok(Some((states, frontier)))
}

/// Concatenates three sequences and cancels moves that are undone immediately.
fn concatenate<P: Puzzle>(puzzle: &P, before: &[Move], inserted: &[Move], after: &[Move]) -> Vec<Move> {
    let mut path: Vec<Move> = Vec::with_capacity(before.len() + inserted.len() + after.len());
    for &m in before.iter().chain(inserted).chain(after) {
        if path.last().is_some_and(|&last| puzzle.inverse(last) == Some(m)) {
            path.pop();
        } else {
            path.push(m);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::below;
    use crate::test_puzzle::TestPuzzle;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// A start and moves that solve it.
    fn solved(
        puzzle: &TestPuzzle,
        length: usize,
        rng: &mut ChaCha8Rng,
    ) -> (<TestPuzzle as Puzzle>::State, Vec<Move>) {
        let mut state = puzzle.required_goal_states().swap_remove(below(rng, 2));
        let mut moves = Vec::new();
        for _ in 0..length {
            let legal: Vec<Move> = puzzle.legal(&state).into_iter().collect();
            let m = legal[below(rng, legal.len())];
            state = puzzle.apply(&state, m);
            moves.push(puzzle.required_inverse(m));
        }
        moves.reverse();
        (state, moves)
    }

    #[test]
    fn two_missing_moves_are_inserted_wherever_they_were() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for costs in [&[1][..], &[1, 3, 2, 5, 2, 2, 4, 1]] {
            let puzzle = TestPuzzle::new(6, costs);
            for gap in 0..9 {
                let (start, whole) = solved(&puzzle, 10, &mut rng);
                let moves = [&whole[..gap], &whole[gap + 2..]].concat();
                let found = finish(&puzzle, std::slice::from_ref(&start), &moves, &Control::default());
                let found = found.expect("no limit").expect("the two missing moves complete the solution");
                assert!(puzzle.is_goal(&puzzle.replay(&start, &found).expect("legal")));
                assert!(puzzle.path_cost(&found) <= puzzle.path_cost(&whole), "{found:?} for {whole:?}");
            }
        }
    }

    #[test]
    fn moves_that_are_illegal_from_the_start_are_refused() {
        let puzzle = TestPuzzle::new(5, &[1]);
        let (start, moves) = solved(&puzzle, 3, &mut ChaCha8Rng::seed_from_u64(2));
        // The inverses of the moves are not legal from the start.
        let wrong: Vec<Move> = moves.iter().map(|&m| puzzle.required_inverse(m)).collect();
        assert_eq!(finish(&puzzle, &[start], &wrong, &Control::default()), Ok(None));
    }
}
