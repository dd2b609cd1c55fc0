//! Laws that hold for every puzzle, heuristic and solver. Each puzzle's tests
//! call them; a failure says which law broke and where.

use std::collections::{BTreeMap, HashMap};

use rand::Rng;

use crate::control::Control;
use crate::frontend::below;
use crate::heuristic::{Admissibility, Heuristic};
use crate::moves::{Move, MoveSet};
use crate::puzzle::{Cost, Edge, Puzzle, Ranked};
use crate::report::{Outcome, Report};
use crate::solve::Solver;
use crate::walker::{HeuristicWalker, Walker};

/// States and legal moves met on a random walk from the goals.
pub fn walk<P: Puzzle>(puzzle: &P, steps: usize, rng: &mut dyn Rng) -> Vec<(P::State, Move)> {
    let goals = puzzle.goals();
    let mut state = goals[below(rng, goals.len())].clone();
    let mut met = Vec::with_capacity(steps);
    for _ in 0..steps {
        let moves: Vec<Move> = puzzle.legal(&state).into_iter().collect();
        let m = moves[below(rng, moves.len())];
        let next = puzzle.apply(&state, m);
        met.push((state, m));
        state = next;
    }
    met
}

/// Holds for every puzzle.
pub fn puzzle<P: Puzzle>(puzzle: &P, rng: &mut dyn Rng) {
    let moves = puzzle.automaton().moves();
    assert!(moves <= MoveSet::CAPACITY, "a puzzle has at most 64 moves");
    for m in (0..moves).map(|m| Move(m as u8)) {
        assert!(puzzle.cost(m) >= 1, "every move costs something");
        assert_eq!(puzzle.inverse(puzzle.inverse(m)), m, "the inverse of the inverse is the move");
    }
    assert!(puzzle.goals().iter().all(|goal| puzzle.is_goal(goal)), "goals are goals");
    for (state, m) in walk(puzzle, 500, rng) {
        let child = puzzle.apply(&state, m);
        let back = puzzle.inverse(m);
        assert!(puzzle.legal(&child).contains(back), "a move can be taken back");
        assert_eq!(puzzle.apply(&child, back), state, "a move and its inverse cancel");
        assert_eq!(puzzle.unpack(&puzzle.pack(&state)), state, "packing loses nothing");
        let starts = puzzle.starts(&state);
        assert!(starts.contains(&state) || !starts.is_empty(), "every position can be searched from");
    }
}

/// Holds for every puzzle whose states are numbered.
pub fn ranked<P: Ranked>(puzzle: &P, rng: &mut dyn Rng) {
    for (state, _) in walk(puzzle, 300, rng) {
        let rank = puzzle.rank(&state);
        assert!(rank < puzzle.count(), "{state:?} has number {rank} of {}", puzzle.count());
        assert_eq!(puzzle.unrank(rank), state, "a number stands for one state");
        let mut near = Vec::new();
        puzzle.neighbours(rank, |other| near.push(other));
        let mut plain: Vec<u64> =
            puzzle.legal(&state).into_iter().map(|m| puzzle.rank(&puzzle.apply(&state, m))).collect();
        near.sort_unstable();
        plain.sort_unstable();
        assert_eq!(near, plain, "neighbours of {state:?}");
    }
}

/// The least cost from every state to a goal, by exploring all of a small space backwards.
pub fn truth<P: Puzzle>(puzzle: &P) -> HashMap<P::Key, Cost> {
    let mut costs: HashMap<P::Key, Cost> = HashMap::new();
    let mut levels: BTreeMap<Cost, Vec<P::State>> = BTreeMap::new();
    for goal in puzzle.goals() {
        costs.insert(puzzle.pack(&goal), 0);
        levels.entry(0).or_default().push(goal);
    }
    while let Some((cost, level)) = levels.pop_first() {
        for state in level {
            if costs[&puzzle.pack(&state)] < cost {
                continue;
            }
            for m in puzzle.legal(&state) {
                let before = puzzle.apply(&state, m);
                let total = cost + puzzle.cost(puzzle.inverse(m));
                let known = costs.entry(puzzle.pack(&before)).or_insert(Cost::MAX);
                if total < *known {
                    *known = total;
                    levels.entry(total).or_default().push(before);
                }
            }
        }
    }
    costs
}

/// Holds for every heuristic: it is 0 on goals, `step` agrees with `start`, and
/// what it promises about neighbours is kept.
pub fn heuristic<P: Puzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H, rng: &mut dyn Rng) {
    let scratch = |state: &P::State| heuristic.cost(&heuristic.start(puzzle, state));
    assert!(puzzle.goals().iter().all(|goal| scratch(goal) == 0), "a goal costs nothing more");
    let met = walk(puzzle, 2000, rng);
    let mut value = heuristic.start(puzzle, &met[0].0);
    for (state, m) in &met {
        assert_eq!(heuristic.cost(&value), scratch(state), "carried along the walk, at {state:?}");
        let mut next = None;
        for m2 in puzzle.legal(state) {
            let edge = Edge { puzzle, parent: state, m: m2 };
            heuristic.prefetch(&value, &edge, Cost::MAX);
            let expected = scratch(&edge.child());
            match heuristic.step(&value, &edge, Cost::MAX) {
                Ok(stepped) => {
                    assert_eq!(heuristic.cost(&stepped), expected, "step {m2:?} from {state:?}");
                    if m2 == *m {
                        next = Some(stepped);
                    }
                }
                Err(h) => panic!("{h} is no more than {}", Cost::MAX),
            }
            for left in [0, expected / 2, expected.saturating_sub(1), expected] {
                match heuristic.step(&value, &edge, left) {
                    Ok(stepped) => {
                        assert_eq!(heuristic.cost(&stepped), expected, "kept within {left}");
                        assert!(expected <= left, "{expected} should have been pruned at {left}");
                    }
                    Err(h) => assert!(
                        h > left && h <= expected,
                        "pruned at {left} with {h} where the bound is {expected}"
                    ),
                }
            }
            if heuristic.admissibility() == Admissibility::Consistent {
                let here = scratch(state);
                assert!(here <= expected + puzzle.cost(m2), "consistent at {state:?}");
                assert!(expected <= here + puzzle.cost(puzzle.inverse(m2)), "consistent at {state:?}");
            }
        }
        value = next.expect("the walk makes legal moves");
    }
}

/// Holds for every heuristic that promises to be admissible, over a whole space.
pub fn admissible<P: Puzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H, truth: &HashMap<P::Key, Cost>) {
    assert!(heuristic.admissibility() >= Admissibility::Admissible, "only promises are checked");
    for (key, &cost) in truth {
        let h = heuristic.cost(&heuristic.start(puzzle, &puzzle.unpack(key)));
        assert!(h <= cost, "{key:?} costs {cost}, the bound says {h}");
    }
}

/// Every shortest sequence from any of `starts`, told by the truth alone.
pub fn shortest_sequences<P: Puzzle>(
    puzzle: &P,
    starts: &[P::State],
    truth: &HashMap<P::Key, Cost>,
) -> Vec<Vec<Move>> {
    fn follow<P: Puzzle>(
        puzzle: &P,
        state: &P::State,
        truth: &HashMap<P::Key, Cost>,
        path: &mut Vec<Move>,
        all: &mut Vec<Vec<Move>>,
    ) {
        let cost = truth[&puzzle.pack(state)];
        if cost == 0 {
            all.push(path.clone());
            return;
        }
        for m in puzzle.legal(state) {
            let child = puzzle.apply(state, m);
            if truth[&puzzle.pack(&child)] + puzzle.cost(m) == cost {
                path.push(m);
                follow(puzzle, &child, truth, path, all);
                path.pop();
            }
        }
    }
    let cost = |start: &P::State| truth[&puzzle.pack(start)];
    let least = starts.iter().map(cost).min();
    let mut all = Vec::new();
    for start in starts.iter().filter(|start| Some(cost(start)) == least) {
        follow(puzzle, start, truth, &mut Vec::new(), &mut all);
    }
    all.sort();
    all.dedup();
    all
}

/// Replays a report's path from `starts` by the rules alone.
pub fn replays<P: Puzzle>(puzzle: &P, starts: &[P::State], path: &[Move]) -> bool {
    starts.iter().any(|start| puzzle.replay(start, path).is_ok_and(|end| puzzle.is_goal(&end)))
}

/// Holds for every solver that promises shortest paths, at any number of threads.
pub fn shortest<P: Puzzle>(
    puzzle: &P,
    solver: &dyn Solver<P>,
    position: &P::State,
    truth: &HashMap<P::Key, Cost>,
    control: &Control,
    name: &str,
) -> Report {
    let starts = puzzle.starts(position);
    let report = solver.solve(puzzle, &starts, control);
    let least = starts.iter().map(|start| truth[&puzzle.pack(start)]).min();
    let best = report.best.as_ref().unwrap_or_else(|| panic!("{name} found nothing from {position:?}"));
    assert_eq!(report.outcome, Outcome::Solved, "{name} from {position:?}");
    assert!(replays(puzzle, &starts, &best.moves), "{name} from {position:?} ends elsewhere");
    assert_eq!(puzzle.path_cost(&best.moves), best.cost, "{name} knows what its path costs");
    assert_eq!(Some(best.cost), least, "{name} from {position:?} is shortest");
    assert!(report.optimal(), "{name} from {position:?} proved it");
    assert!(report.counts.generated >= 1, "{name} counts the root");
    if control.all() {
        let expected = shortest_sequences(puzzle, &starts, truth);
        assert_eq!(report.solutions, expected, "{name} lists every shortest sequence from {position:?}");
    }
    report
}

/// Holds for every walker made of a puzzle and a heuristic: prices come true, and steps can be taken back.
pub fn stroll<P: Puzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H, rng: &mut dyn Rng) {
    let mut walker = HeuristicWalker::new(puzzle, heuristic, &puzzle.goals()[0]);
    let mut undos = Vec::new();
    for _ in 0..300 {
        let mut prices = Vec::new();
        walker.price(&mut prices);
        if prices.is_empty() || (below(rng, 3) == 0 && !undos.is_empty()) {
            let Some((m, undo, before)) = undos.pop() else { break };
            walker.back(m, undo);
            assert_eq!(*walker.state(), before, "back undoes step");
            continue;
        }
        let price = prices[below(rng, prices.len())];
        let before = walker.state().clone();
        undos.push((price.m, walker.step(price.m), before));
        let state = walker.state();
        let score = heuristic.cost(&heuristic.start(puzzle, state));
        assert_eq!(price.score, score, "a price comes true");
        assert_eq!(price.hash, crate::states::hash(&puzzle.pack(state)), "so does a hash");
        assert_eq!(price.solved, puzzle.is_goal(state), "so does being solved");
    }
}
