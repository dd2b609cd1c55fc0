//! Tests that the cache never returns the puzzle or the solvers of a different run.

use std::sync::Arc;

use untumble_search::control::{Control, Limits};
use untumble_search::error::Error;
use untumble_search::frontend::{Answer, Position, PreparedPortfolio, Workload};
use untumble_search::runtime::Runtime;
use untumble_session::{Plan, PuzzleSettings};

use super::puzzle_cache::{CachedPuzzle, PuzzleCache};

/// Fake solvers, labelled with the request they were made for.
struct LabelledSolvers(String);

impl PreparedPortfolio for LabelledSolvers {
    fn names(&self) -> String {
        self.0.clone()
    }

    fn solve(&self, _position: &Position, _control: &Control) -> Result<Answer, Error> {
        unreachable!("the test solves nothing")
    }
}

/// Name, goal, metric and solver of requests. All requests of a group are spellings of the same run.
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
fn open(cache: &PuzzleCache, request: &[&str; 4]) -> (Arc<CachedPuzzle>, Plan) {
    let [name, goal, metric, solver] = *request;
    let non_empty = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let puzzle = cache.open(name, &PuzzleSettings { goal: non_empty(goal), metric: non_empty(metric) });
    let puzzle = puzzle.unwrap_or_else(|problem| panic!("{request:?}: {}", problem.detail));
    let spec = puzzle.session.parse_solver(solver, false).expect(solver);
    let position = puzzle.session.puzzle().solved();
    let workload = Workload::one(&position, Limits::default(), false);
    let plan = puzzle.session.plan(spec.as_ref(), &workload);
    (puzzle, plan)
}

#[test]
fn cached_solvers_of_different_runs_are_never_mixed() {
    let cache = PuzzleCache::new(Runtime::default());
    for (index, group) in GROUPS.iter().enumerate() {
        for request in *group {
            let (puzzle, plan) = open(&cache, request);
            let cached = puzzle.solvers(&plan).map(|solvers| solvers.names());
            let first = request == &group[0];
            assert_eq!(cached, (!first).then(|| index.to_string()), "{request:?}: {}", plan.run_id);
            if first {
                puzzle.insert_solvers(plan, Arc::new(LabelledSolvers(index.to_string())));
            }
        }
    }
    let all = || {
        GROUPS.iter().enumerate().flat_map(|(index, group)| group.iter().map(move |request| (index, request)))
    };
    for (left_group, left) in all() {
        let (left_puzzle, left_plan) = open(&cache, left);
        let cached = left_puzzle.solvers(&left_plan).map(|solvers| solvers.names());
        assert_eq!(cached, Some(left_group.to_string()), "{left:?}");
        for (right_group, right) in all() {
            let (right_puzzle, right_plan) = open(&cache, right);
            assert_eq!(
                left_plan.run_id == right_plan.run_id,
                left_group == right_group,
                "{left:?}, {right:?}"
            );
            let shared = Arc::ptr_eq(&left_puzzle, &right_puzzle);
            let same_puzzle = left_plan.run_id.puzzle == right_plan.run_id.puzzle;
            assert_eq!(
                shared, same_puzzle,
                "{left:?}, {right:?}: {}, {}",
                left_plan.run_id, right_plan.run_id
            );
            if left_group != right_group && !shared {
                // A plan of another puzzle has no solvers here.
                assert!(left_puzzle.solvers(&right_plan).is_none(), "{left:?}, {right:?}");
            }
        }
    }
}
