//! Finishing what moves have left undone: a short word put in at the place of them where that costs least.
//!
//! What is left at the end may look far from solved there and be two moves' work somewhere in the middle. So at every place the
//! board as the moves until there have left it is compared with the board that the moves from there on would solve: states around the one are
//! met with states around the other, the near ones first.

use crate::control::{Control, Meter, Stop};
use crate::moves::{Move, MoveMask};
use crate::paths::path_to;
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::states::{Entered, States, hash};

/// The moves are taken back from the goal states.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES_AND_GOAL_STATES;

/// So many states are kept around one board.
const ROOM: usize = 1 << 16;

/// A solution made of `moves` and a short word put in somewhere, the cheapest there is with the shortest words that will do. `None` where
/// no short word will, or where the puzzle does not meet [`REQUIREMENTS`].
pub fn finish<P: Puzzle>(
    puzzle: &P,
    starts: &[P::State],
    moves: &[Move],
    control: &Control,
) -> Result<Option<Vec<Move>>, Stop> {
    if REQUIREMENTS.check(puzzle).is_err() {
        return Ok(None);
    }
    let lines = lines(puzzle, starts, moves);
    let mut meter = control.meter();
    for radius in 0.. {
        let mut best: Option<(Cost, Vec<Move>)> = None;
        let mut room = false;
        for line in &lines {
            for (place, (here, there)) in line.iter().enumerate() {
                let Some(there) = there else { continue };
                let Some(met) = meet(puzzle, here, there, radius, control, &mut meter)? else { continue };
                room = true;
                for word in met {
                    let solution = joined(puzzle, &moves[..place], &word, &moves[place..]);
                    let cost = puzzle.path_cost(&solution);
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, solution));
                    }
                }
            }
        }
        if best.is_some() || !room {
            return Ok(best.map(|(_, solution)| solution));
        }
    }
    Ok(None)
}

/// A board at each place of some moves, and the one that the moves from there on solve, if they are legal there.
type Line<S> = Vec<(S, Option<S>)>;

/// The boards for each start from which the moves are legal, and each goal.
fn lines<P: Puzzle>(puzzle: &P, starts: &[P::State], moves: &[Move]) -> Vec<Line<P::State>> {
    let mut lines = Vec::new();
    for start in starts.iter().filter(|start| puzzle.replay(start, moves).is_ok()) {
        let mut forth = vec![start.clone()];
        for &m in moves {
            forth.push(puzzle.apply(&forth[forth.len() - 1], m));
        }
        for goal in puzzle.required_goal_states() {
            let mut back = vec![Some(goal)];
            for &m in moves.iter().rev() {
                let undo = puzzle.required_inverse(m);
                let after = back[back.len() - 1].as_ref();
                let before = after.filter(|after| puzzle.legal(after).contains(undo));
                back.push(before.map(|after| puzzle.apply(after, undo)));
            }
            lines.push(forth.iter().cloned().zip(back.into_iter().rev()).collect());
        }
    }
    lines
}

/// The words that lead from one board to another over a state `radius` moves from the first and as many from the other, or one
/// less. `None` where there are too many states, or none that far away.
fn meet<P: Puzzle>(
    puzzle: &P,
    here: &P::State,
    there: &P::State,
    radius: usize,
    control: &Control,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Vec<Move>>>, Stop> {
    let Some((from_here, _)) = around(puzzle, here, radius, control, meter)? else { return Ok(None) };
    let Some((from_there, outer)) = around(puzzle, there, radius, control, meter)? else { return Ok(None) };
    if outer.is_empty() {
        return Ok(None);
    }
    let mut words = Vec::new();
    for number in outer {
        let key = &from_there.node(number).key;
        if from_here.find(hash(key), key).is_some() {
            let state = puzzle.unpack(key);
            let way = |states: &States<P::Key>| {
                path_to(puzzle, &state, &|key: &P::Key| {
                    states.find(hash(key), key).map(|number| states.node(number))
                })
            };
            let back = way(&from_there).into_iter().rev().map(|m| puzzle.required_inverse(m));
            words.push(way(&from_here).into_iter().chain(back).collect());
        }
    }
    Ok(Some(words))
}

/// The states within so many moves of a board, and the numbers of the outermost.
type Around<K> = (States<K>, Vec<u32>);

fn around<P: Puzzle>(
    puzzle: &P,
    board: &P::State,
    radius: usize,
    control: &Control,
    meter: &mut Meter<'_>,
) -> Result<Option<Around<P::Key>>, Stop> {
    let mut states = States::new(control, puzzle.key_heap())?;
    let mut outer = Vec::new();
    let key = puzzle.pack(board);
    if let Entered::New(number) = states.enter(hash(&key), key, 0, None)? {
        outer.push(number);
    }
    for level in 1..=radius {
        for number in std::mem::take(&mut outer) {
            if meter.check().is_break() {
                return Err(control.stop().unwrap_or(Stop::Interrupted));
            }
            let state = puzzle.unpack(&states.node(number).key);
            for m in puzzle.legal(&state) {
                meter.tick();
                let key = puzzle.pack(&puzzle.apply(&state, m));
                if let Entered::New(number) = states.enter(hash(&key), key, level as Cost, Some(m))? {
                    outer.push(number);
                }
            }
            if states.len() > ROOM {
                return Ok(None);
            }
        }
    }
    Ok(Some((states, outer)))
}

/// Three stretches as one path, without moves that are taken back at once.
fn joined<P: Puzzle>(puzzle: &P, before: &[Move], word: &[Move], after: &[Move]) -> Vec<Move> {
    let mut path: Vec<Move> = Vec::with_capacity(before.len() + word.len() + after.len());
    for &m in before.iter().chain(word).chain(after) {
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
    fn what_is_missing_anywhere_is_put_back() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for costs in [&[1][..], &[1, 3, 2, 5, 2, 2, 4, 1]] {
            let puzzle = TestPuzzle::new(6, costs);
            for gap in 0..9 {
                let (start, whole) = solved(&puzzle, 10, &mut rng);
                let moves = [&whole[..gap], &whole[gap + 2..]].concat();
                let found = finish(&puzzle, std::slice::from_ref(&start), &moves, &Control::default());
                let found = found.expect("no limit").expect("the two moves left out will do");
                assert!(puzzle.is_goal(&puzzle.replay(&start, &found).expect("legal")));
                assert!(puzzle.path_cost(&found) <= puzzle.path_cost(&whole), "{found:?} for {whole:?}");
            }
        }
    }

    #[test]
    fn what_no_word_can_mend_is_given_up() {
        let puzzle = TestPuzzle::new(5, &[1]);
        let (start, moves) = solved(&puzzle, 3, &mut ChaCha8Rng::seed_from_u64(2));
        // The wrong way round they are not legal from here.
        let wrong: Vec<Move> = moves.iter().map(|&m| puzzle.required_inverse(m)).collect();
        assert_eq!(finish(&puzzle, &[start], &wrong, &Control::default()), Ok(None));
    }
}
