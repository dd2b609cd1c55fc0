//! Laws of puzzles, heuristics, walkers and solvers, as test functions. A law panics with a description of
//! the state that violates it. A walker makes and undoes moves on one mutable state, for beam search.
//!
//! Every puzzle and heuristic of the workspace, and of other crates, is tested with the same laws.
//!
//! ```
//! use rand::SeedableRng;
//! use untumble_search::example::{Dial, DialDistance};
//! use untumble_search::laws;
//!
//! let (puzzle, mut rng) = (Dial::new(10), rand_chacha::ChaCha8Rng::seed_from_u64(1));
//! laws::puzzle(&puzzle, &mut rng);
//! laws::heuristic(&puzzle, &DialDistance, &mut rng);
//! laws::admissible(&puzzle, &DialDistance, &laws::exact_costs(&puzzle));
//! ```

use std::collections::{BTreeMap, HashMap};

use rand::Rng;

use crate::control::Control;
use crate::frontend::below;
use crate::heuristic::{Admissibility, Heuristic};
use crate::moves::{AutomatonState, Move, MoveMask};
use crate::puzzle::{Cost, Edge, Puzzle, Ranked, Requirements};
use crate::report::{Outcome, Report};
use crate::solve::Solver;
use crate::walker::{HeuristicWalker, Walker};

/// The states and moves of a random walk that starts at a goal state, or at the solved state if goals are
/// not listed.
pub fn random_walk<P: Puzzle>(puzzle: &P, steps: usize, rng: &mut dyn Rng) -> Vec<(P::State, Move)> {
    let goals = puzzle.goal_states().unwrap_or_else(|| vec![puzzle.solved()]);
    // `below` returns a uniform random number below its second argument.
    let mut state = goals[below(rng, goals.len())].clone();
    let mut steps_made = Vec::with_capacity(steps);
    for _ in 0..steps {
        let moves: Vec<Move> = puzzle.legal(&state).into_iter().collect();
        let m = moves[below(rng, moves.len())];
        let next = puzzle.apply(&state, m);
        steps_made.push((state, m));
        state = next;
    }
    steps_made
}

/// The laws of [`Puzzle`]: inverses, goals, packing, and the automaton around two states.
pub fn puzzle<P: Puzzle>(puzzle: &P, rng: &mut dyn Rng) {
    let moves = puzzle.move_count();
    assert_eq!(moves, puzzle.automaton().move_count(), "the automaton has the puzzle's moves");
    assert!(moves <= P::Moves::CAPACITY.min(Move::LIMIT), "{moves} moves exceed the capacity");
    for m in Move::first_n(moves) {
        assert!(puzzle.cost(m) >= 1, "every move costs at least 1");
        if let Some(back) = puzzle.inverse(m) {
            assert!(back.index() < moves, "the inverse of {m:?} is a move of the puzzle");
            assert_eq!(puzzle.inverse(back), Some(m), "the inverse of the inverse is the move");
        }
    }
    assert!(puzzle.is_goal(&puzzle.solved()), "the solved state is a goal");
    if let Some(goals) = puzzle.goal_states() {
        assert!(goals.iter().all(|goal| puzzle.is_goal(goal)), "listed goal states pass the goal test");
        assert!(goals.contains(&puzzle.solved()), "the solved state is listed");
    }
    for (state, m) in random_walk(puzzle, 500, rng) {
        let child = puzzle.apply(&state, m);
        if let Some(back) = puzzle.inverse(m) {
            assert!(puzzle.legal(&child).contains(back), "the inverse is legal after the move");
            assert_eq!(puzzle.apply(&child, back), state, "a move and its inverse cancel");
        }
        assert!(
            puzzle.legal(&state).into_iter().all(|m| m.index() < moves),
            "legal moves are moves of the puzzle"
        );
        assert_eq!(puzzle.unpack(&puzzle.pack(&state)), state, "unpacking restores the state");
        start_states(puzzle, &state);
    }
    let count = (AUTOMATON_EDGES / moves.max(1)).min(AUTOMATON_STATES);
    automaton(puzzle, &puzzle.solved(), count);
    automaton(puzzle, &random_walk(puzzle, 30, rng)[29].0, count);
}

/// The law of [`Puzzle::start_states`], which lists the start states of the position of `state`. The list
/// contains `state`, is the same for each state in it, and contains either goals only or no goal. A position
/// has several start states if, for example, the direction of its first move is free.
fn start_states<P: Puzzle>(puzzle: &P, state: &P::State) {
    let starts = puzzle.start_states(state);
    assert!(starts.contains(state), "a state is a start state of its position");
    for start in &starts {
        assert_eq!(puzzle.start_states(start), starts, "the start states have the same start states");
        assert_eq!(puzzle.is_goal(start), puzzle.is_goal(state), "all start states are goals, or none is");
    }
}

/// The largest number of states around a start state for which [`puzzle`] checks the automaton.
const AUTOMATON_STATES: usize = 3000;
/// The largest number of moves from these states.
const AUTOMATON_EDGES: usize = 60_000;

/// The law of [`Puzzle::automaton`], the move-pruning automaton: the sequences that it accepts reach about
/// `count` states around `start` at the same least costs as all sequences. Another set of moves or other
/// costs need a check of their own.
pub fn automaton<P: Puzzle>(puzzle: &P, start: &P::State, count: usize) {
    // First, uniform-cost search by all sequences until `count` states are known. After it, the costs up to
    // `limit` are final.
    let mut costs: HashMap<P::Key, Cost> = HashMap::from([(puzzle.pack(start), 0)]);
    let mut levels = BTreeMap::from([(0, vec![start.clone()])]);
    let mut limit = 0;
    while let Some((cost, level)) = levels.pop_first() {
        limit = cost;
        if costs.len() > count {
            break;
        }
        for state in level {
            if costs[&puzzle.pack(&state)] == cost {
                for m in puzzle.legal(&state) {
                    improve(puzzle, puzzle.apply(&state, m), cost + puzzle.cost(m), &mut costs, &mut levels);
                }
            }
        }
    }
    // Second, uniform-cost search by the accepted sequences up to `limit`. A node is a puzzle state with an
    // automaton state.
    let automaton = puzzle.automaton();
    let mut accepted_costs: HashMap<P::Key, Cost> = HashMap::new();
    let mut nodes = HashMap::from([((puzzle.pack(start), AutomatonState::START), 0)]);
    let mut levels = BTreeMap::from([(0, vec![(start.clone(), AutomatonState::START)])]);
    while let Some((cost, level)) = levels.pop_first() {
        for (state, automaton_state) in level {
            let key = puzzle.pack(&state);
            accepted_costs.entry(key.clone()).or_insert(cost);
            if nodes[&(key, automaton_state)] < cost {
                continue;
            }
            for m in puzzle.legal(&state) & automaton.allowed(automaton_state) {
                let total = cost + puzzle.cost(m);
                if total > limit {
                    continue;
                }
                let (child, next) = (puzzle.apply(&state, m), automaton.next(automaton_state, m));
                let known = nodes.entry((puzzle.pack(&child), next)).or_insert(Cost::MAX);
                if total < *known {
                    *known = total;
                    levels.entry(total).or_default().push((child, next));
                }
            }
        }
    }
    for (key, cost) in costs.into_iter().filter(|&(_, cost)| cost <= limit) {
        assert_eq!(
            accepted_costs.get(&key),
            Some(&cost),
            "the automaton loses {key:?}, which costs {cost} from {start:?}"
        );
    }
}

/// Records a path to `state` of cost `cost` if it is cheaper than the known ones.
fn improve<P: Puzzle>(
    puzzle: &P,
    state: P::State,
    cost: Cost,
    costs: &mut HashMap<P::Key, Cost>,
    levels: &mut BTreeMap<Cost, Vec<P::State>>,
) {
    let known = costs.entry(puzzle.pack(&state)).or_insert(Cost::MAX);
    if cost < *known {
        *known = cost;
        levels.entry(cost).or_default().push(state);
    }
}

/// The laws of [`Ranked`]: ranks are in range and unique, and neighbours match the moves.
pub fn ranked<P: Ranked>(puzzle: &P, rng: &mut dyn Rng) {
    for (state, _) in random_walk(puzzle, 300, rng) {
        let rank = puzzle.rank(&state);
        assert!(rank < puzzle.count(), "{state:?} has rank {rank} of {}", puzzle.count());
        assert_eq!(puzzle.unrank(rank), state, "unranking restores the state");
        let mut neighbours = Vec::new();
        puzzle.neighbours(rank, |other| neighbours.push(other));
        let mut expected: Vec<u64> =
            puzzle.legal(&state).into_iter().map(|m| puzzle.rank(&puzzle.apply(&state, m))).collect();
        neighbours.sort_unstable();
        expected.sort_unstable();
        assert_eq!(neighbours, expected, "neighbours of {state:?}");
    }
}

/// The least cost from every state of a small state space to a goal, by uniform-cost search backwards from
/// the goal states if possible, else by [`exact_costs_by_goal_test`].
pub fn exact_costs<P: Puzzle>(puzzle: &P) -> HashMap<P::Key, Cost> {
    let Some(goals) = puzzle.goal_states().filter(|_| Requirements::INVERSES.check(puzzle).is_ok()) else {
        return exact_costs_by_goal_test(puzzle, &[puzzle.solved()]);
    };
    let mut costs: HashMap<P::Key, Cost> = HashMap::new();
    let mut levels: BTreeMap<Cost, Vec<P::State>> = BTreeMap::new();
    for goal in goals {
        improve(puzzle, goal, 0, &mut costs, &mut levels);
    }
    while let Some((cost, level)) = levels.pop_first() {
        for state in level {
            if costs[&puzzle.pack(&state)] < cost {
                continue;
            }
            for m in puzzle.legal(&state) {
                let total = cost + puzzle.cost(puzzle.required_inverse(m));
                improve(puzzle, puzzle.apply(&state, m), total, &mut costs, &mut levels);
            }
        }
    }
    costs
}

/// The least cost from every state reachable from `starts` to a goal, by moves and the goal test alone:
/// lists all edges forward, then follows them backwards from the states that pass the test.
pub fn exact_costs_by_goal_test<P: Puzzle>(puzzle: &P, starts: &[P::State]) -> HashMap<P::Key, Cost> {
    let mut numbers: HashMap<P::Key, usize> = HashMap::new();
    let mut states: Vec<P::State> = Vec::new();
    // By state: its parents with the costs of the moves from them.
    let mut parents: Vec<Vec<(usize, Cost)>> = Vec::new();
    let mut number = |state: P::State, states: &mut Vec<P::State>, parents: &mut Vec<_>| {
        *numbers.entry(puzzle.pack(&state)).or_insert_with(|| {
            states.push(state);
            parents.push(Vec::new());
            states.len() - 1
        })
    };
    for start in starts {
        number(start.clone(), &mut states, &mut parents);
    }
    let mut index = 0;
    while let Some(state) = states.get(index).cloned() {
        for m in puzzle.legal(&state) {
            let child = number(puzzle.apply(&state, m), &mut states, &mut parents);
            parents[child].push((index, puzzle.cost(m)));
        }
        index += 1;
    }
    let mut costs = vec![Cost::MAX; states.len()];
    let goals: Vec<usize> = (0..states.len()).filter(|&index| puzzle.is_goal(&states[index])).collect();
    goals.iter().for_each(|&goal| costs[goal] = 0);
    let mut levels = BTreeMap::from([(0, goals)]);
    while let Some((cost, level)) = levels.pop_first() {
        for index in level.into_iter().filter(|&index| costs[index] == cost).collect::<Vec<_>>() {
            for &(parent, move_cost) in &parents[index] {
                if cost + move_cost < costs[parent] {
                    costs[parent] = cost + move_cost;
                    levels.entry(cost + move_cost).or_default().push(parent);
                }
            }
        }
    }
    let reached = states.iter().zip(costs).filter(|&(_, cost)| cost < Cost::MAX);
    reached.map(|(state, cost)| (puzzle.pack(state), cost)).collect()
}

/// The laws of [`Heuristic`]: it is 0 on goals, `step` (incremental) agrees with `start` (from scratch), and
/// a heuristic that claims to be consistent is consistent.
pub fn heuristic<P: Puzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H, rng: &mut dyn Rng) {
    let h_from_scratch = |state: &P::State| heuristic.cost(&heuristic.start(puzzle, state));
    let goals = puzzle.goal_states().unwrap_or_else(|| vec![puzzle.solved()]);
    assert!(goals.iter().all(|goal| h_from_scratch(goal) == 0), "h is 0 on goals");
    let walk = random_walk(puzzle, 2000, rng);
    let mut value = heuristic.start(puzzle, &walk[0].0);
    for (state, m) in &walk {
        assert_eq!(
            heuristic.cost(&value),
            h_from_scratch(state),
            "the h carried along the walk to {state:?}"
        );
        let mut next = None;
        for m2 in puzzle.legal(state) {
            let edge = Edge { puzzle, parent: state, m: m2 };
            heuristic.prefetch(&value, &edge, Cost::MAX);
            let expected = h_from_scratch(&edge.child());
            match heuristic.step(&value, &edge, Cost::MAX) {
                Ok(stepped) => {
                    assert_eq!(heuristic.cost(&stepped), expected, "step {m2:?} from {state:?}");
                    if m2 == *m {
                        next = Some(stepped);
                    }
                }
                Err(h) => panic!("{h} does not exceed the budget {}", Cost::MAX),
            }
            for budget in [0, expected / 2, expected.saturating_sub(1), expected] {
                match heuristic.step(&value, &edge, budget) {
                    Ok(stepped) => {
                        assert_eq!(heuristic.cost(&stepped), expected, "within budget {budget}");
                        assert!(expected <= budget, "{expected} should have been pruned at {budget}");
                    }
                    Err(h) => assert!(
                        h > budget && h <= expected,
                        "pruned at {budget} with {h} where h is {expected}"
                    ),
                }
            }
            if heuristic.admissibility() == Admissibility::Consistent {
                let here = h_from_scratch(state);
                assert!(here <= expected + puzzle.cost(m2), "consistent at {state:?}");
                if let Some(back) = puzzle.inverse(m2) {
                    assert!(expected <= here + puzzle.cost(back), "consistent at {state:?}");
                }
            }
        }
        value = next.expect("the walk makes legal moves");
    }
}

/// The law of admissible heuristics, checked on a whole state space with the exact costs of [`exact_costs`].
pub fn admissible<P: Puzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H, exact: &HashMap<P::Key, Cost>) {
    assert!(heuristic.admissibility() >= Admissibility::Admissible, "the heuristic claims to be admissible");
    for (key, &cost) in exact {
        let h = heuristic.cost(&heuristic.start(puzzle, &puzzle.unpack(key)));
        assert!(h <= cost, "{key:?} costs {cost}, but h is {h}");
    }
}

/// Every optimal sequence from any of `starts`, derived from exact costs.
pub fn optimal_sequences<P: Puzzle>(
    puzzle: &P,
    starts: &[P::State],
    exact: &HashMap<P::Key, Cost>,
) -> Vec<Vec<Move>> {
    fn follow<P: Puzzle>(
        puzzle: &P,
        state: &P::State,
        exact: &HashMap<P::Key, Cost>,
        path: &mut Vec<Move>,
        all: &mut Vec<Vec<Move>>,
    ) {
        let cost = exact[&puzzle.pack(state)];
        if cost == 0 {
            all.push(path.clone());
            return;
        }
        for m in puzzle.legal(state) {
            let child = puzzle.apply(state, m);
            if exact[&puzzle.pack(&child)] + puzzle.cost(m) == cost {
                path.push(m);
                follow(puzzle, &child, exact, path, all);
                path.pop();
            }
        }
    }
    let cost = |start: &P::State| exact[&puzzle.pack(start)];
    let optimum = starts.iter().map(cost).min();
    let mut all = Vec::new();
    for start in starts.iter().filter(|start| Some(cost(start)) == optimum) {
        follow(puzzle, start, exact, &mut Vec::new(), &mut all);
    }
    all.sort();
    all.dedup();
    all
}

/// Whether `path` is legal from one of `starts` and reaches a goal.
pub fn is_solution<P: Puzzle>(puzzle: &P, starts: &[P::State], path: &[Move]) -> bool {
    starts.iter().any(|start| puzzle.replay(start, path).is_ok_and(|end| puzzle.is_goal(&end)))
}

/// The law of solvers with an optimality guarantee: the solution is legal, optimal and proven optimal; all
/// optimal solutions are listed if [`Control::all_solutions`] is set.
pub fn solver_is_optimal<P: Puzzle>(
    puzzle: &P,
    solver: &dyn Solver<P>,
    position: &P::State,
    exact: &HashMap<P::Key, Cost>,
    control: &Control,
    name: &str,
) -> Report {
    let starts = puzzle.start_states(position);
    let report = solver.solve(puzzle, &starts, control);
    let optimum = starts.iter().map(|start| exact[&puzzle.pack(start)]).min();
    let best = report.best.as_ref().unwrap_or_else(|| panic!("{name} found nothing from {position:?}"));
    assert_eq!(report.outcome, Outcome::Solved, "{name} from {position:?}");
    assert!(is_solution(puzzle, &starts, &best.moves), "{name} from {position:?} is not a solution");
    assert_eq!(puzzle.path_cost(&best.moves), best.cost, "{name} reports the cost of its path");
    assert_eq!(Some(best.cost), optimum, "{name} from {position:?} is optimal");
    assert!(report.optimal(), "{name} from {position:?} proves optimality");
    assert!(report.counts.generated >= 1, "{name} counts the root");
    if control.all_solutions() {
        let expected = optimal_sequences(puzzle, &starts, exact);
        assert_eq!(report.solutions, expected, "{name} lists every optimal sequence from {position:?}");
    }
    report
}

/// The laws of [`HeuristicWalker`]: scores are those of the resulting states, and `undo` restores the state.
pub fn heuristic_walker<P: Puzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H, rng: &mut dyn Rng) {
    let mut walker = HeuristicWalker::new(puzzle, heuristic, &puzzle.solved());
    let mut undos = Vec::new();
    for _ in 0..300 {
        let mut scored = Vec::new();
        walker.score_moves(&mut scored);
        if scored.is_empty() || (below(rng, 3) == 0 && !undos.is_empty()) {
            let Some((m, undo, state_before)) = undos.pop() else { break };
            walker.undo(m, undo);
            assert_eq!(*walker.state(), state_before, "undo restores the state");
            continue;
        }
        let chosen = scored[below(rng, scored.len())];
        let state_before = walker.state().clone();
        undos.push((chosen.m, walker.step(chosen.m), state_before));
        let state = walker.state();
        let score = heuristic.cost(&heuristic.start(puzzle, state));
        assert_eq!(chosen.score, score, "the score is that of the child");
        assert_eq!(
            chosen.hash,
            crate::state_table::hash(&puzzle.pack(state)),
            "the hash is that of the child"
        );
        assert_eq!(chosen.solved, puzzle.is_goal(state), "the goal test is that of the child");
    }
}

#[cfg(test)]
mod tests;
