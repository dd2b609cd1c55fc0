//! The cache never gives one run the puzzle or the solvers of another.

use std::sync::Arc;

use untumble_search::control::{Control, Limits};
use untumble_search::error::Error;
use untumble_search::frontend::{Answer, Position, Prepared, Workload};
use untumble_search::runtime::Runtime;
use untumble_session::{Plan, Settings};

use super::puzzle_cache::{Opened, PuzzleCache};

/// Solvers that only know which request they were made for.
struct Labelled(String);

impl Prepared for Labelled {
    fn names(&self) -> String {
        self.0.clone()
    }

    fn solve(&self, _position: &Position, _control: &Control) -> Result<Answer, Error> {
        panic!("nothing is solved here")
    }
}

/// Name, goal, metric and solver of requests. Those of one group are one run, written in several ways.
const GROUPS: &[&[[&str; 4]]] = &[
    &[["8-puzzle", "", "", "ida"], ["Tiles-3x3", "blank-last", "", "IDA*+manhattan"]],
    &[["8-puzzle", "", "", "ida:bpmx=off"], ["8-puzzle", "1,2,3,4,5,6,7,8,0", "", "ida:raise=off"]],
    &[["8-puzzle", "", "", "astar"], ["8-puzzle", "", "", "A*"]],
    &[["8-puzzle", "", "", "astar:w=2"], ["8-puzzle", "", "", "astar:w=2.0"]],
    &[["8-puzzle", "", "", "beam:width=9,seed=7"], ["8-puzzle", "", "", "beam:seed=7,width=9"]],
    &[["8-puzzle", "", "", "beam:width=9,seed=8"]],
    &[["8-puzzle", "snail", "", "ida"], ["8-puzzle", "1,2,3/8,0,4/7,6,5", "", "ida"]],
    &[["8-puzzle", "blank-first", "", "ida"]],
    &[["tiles-2x3", "", "", "ida"]],
    &[["tiles-3x2", "", "", "ida"]],
    &[["cube2", "", "", "ida"], ["pocket", "solved", "HTM", "ida"], ["2x2x2", "", "htm", "ida"]],
    &[["cube2", "", "qtm", "ida"], ["cube2", "solved", "QTM", "idastar"]],
    &[["cube3", "", "", "ida"], ["rubik", "", "htm", "ida"]],
    &[["cube3", "", "qtm", "ida"]],
    &[["balto-2", "", "", "iddfs"], ["Balto-2", "solved", "", "iddfs"]],
    &[["balto-3", "", "", "iddfs"]],
];

/// The puzzle and the plan of a request.
fn open(cache: &PuzzleCache, request: &[&str; 4]) -> (Arc<Opened>, Plan) {
    let [name, goal, metric, solver] = *request;
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let opened = cache.open(name, &Settings { goal: given(goal), metric: given(metric) });
    let opened = opened.unwrap_or_else(|problem| panic!("{request:?}: {}", problem.detail));
    let wanted = opened.session.solver(solver, false).expect(solver);
    let position = opened.session.puzzle().solved();
    let workload = Workload::one(&position, Limits::default(), false);
    let plan = opened.session.plan(wanted.as_ref(), &workload);
    (opened, plan)
}

#[test]
fn cached_solvers_of_different_runs_are_never_mixed() {
    let cache = PuzzleCache::new(Runtime::default());
    for (place, group) in GROUPS.iter().enumerate() {
        for request in *group {
            let (opened, plan) = open(&cache, request);
            let kept = opened.ready(&plan).map(|solvers| solvers.names());
            let first = request == &group[0];
            assert_eq!(kept, (!first).then(|| place.to_string()), "{request:?}: {}", plan.run);
            if first {
                opened.keep(plan, Arc::new(Labelled(place.to_string())));
            }
        }
    }
    let all =
        || GROUPS.iter().enumerate().flat_map(|(place, group)| group.iter().map(move |one| (place, one)));
    for (left_place, left) in all() {
        let (left_puzzle, left_plan) = open(&cache, left);
        let kept = left_puzzle.ready(&left_plan).map(|solvers| solvers.names());
        assert_eq!(kept, Some(left_place.to_string()), "{left:?}");
        for (right_place, right) in all() {
            let (right_puzzle, right_plan) = open(&cache, right);
            assert_eq!(left_plan.run == right_plan.run, left_place == right_place, "{left:?}, {right:?}");
            let shared = Arc::ptr_eq(&left_puzzle, &right_puzzle);
            let same_puzzle = left_plan.run.puzzle == right_plan.run.puzzle;
            assert_eq!(shared, same_puzzle, "{left:?}, {right:?}: {}, {}", left_plan.run, right_plan.run);
            if left_place != right_place && !shared {
                // Even asked for a plan of another puzzle, a puzzle has no solvers for it.
                assert!(left_puzzle.ready(&right_plan).is_none(), "{left:?}, {right:?}");
            }
        }
    }
}
