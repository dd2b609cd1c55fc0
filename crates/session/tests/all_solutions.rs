//! Listing all solutions: a solver without a guarantee is refused, every other one lists the same solutions.

use std::collections::BTreeSet;

use untumble_search::control::Limits;
use untumble_search::frontend::{InputFormat, Workload};
use untumble_search::registry::{Argument, Guarantee};
use untumble_search::runtime::Runtime;
use untumble_session::{PuzzleSettings, SearchContext, Session, available_algorithms};

/// The optimal solutions that a solver lists; `None` if the session refuses to list with it.
fn solutions(session: &Session, position: &str, solver: &str) -> Option<BTreeSet<String>> {
    let position = session.parse(position, &InputFormat::default()).expect("a position");
    let spec = session.parse_solver(solver, true).ok()?;
    let plan = session.plan(spec.as_ref(), &Workload::one(&position, Limits::default(), true));
    let record = session.solve(&position, &plan, &mut None, &SearchContext::default()).expect("an answer");
    assert!(record.optimal, "{solver} lists solutions that are not optimal: {record:?}");
    Some(record.solutions.expect("all solutions were requested").into_iter().collect())
}

#[test]
fn every_solver_lists_all_optimal_solutions_or_is_refused() {
    for (puzzle, position) in [("tiles-2x3", "4 5 0 1 2 3"), ("cube2", "R2 U2 F2"), ("balto-3", "1A4D")] {
        let runtime = Runtime::default();
        let session = Session::open(&runtime, puzzle, &PuzzleSettings::default()).expect("a known puzzle");
        let expected = solutions(&session, position, "bfs").expect("bfs is optimal");
        let heuristics = session.puzzle().heuristics();
        let optional = heuristics.iter().filter(|info| !matches!(info.argument, Argument::Required { .. }));
        let heuristics: Vec<String> =
            [String::new()].into_iter().chain(optional.map(|info| format!("+{}", info.name))).collect();
        let (mut listed, mut refused) = (0, 0);
        for algorithm in available_algorithms(&**session.puzzle(), &runtime) {
            for heuristic in &heuristics {
                let solver = format!("{}{heuristic}", algorithm.name);
                let Ok(Some(spec)) = session.parse_solver(&solver, false) else { continue };
                let optimal = session.puzzle().guarantee(&spec) == Guarantee::Optimal;
                let found = solutions(&session, position, &solver);
                assert_eq!(found.is_some(), optimal, "{puzzle}: {solver}");
                match found {
                    Some(found) => assert_eq!(found, expected, "{puzzle}: {solver}"),
                    None => refused += 1,
                }
                listed += usize::from(optimal);
            }
        }
        assert!(listed > 5 && refused > 2, "{puzzle}: {listed} listed, {refused} refused");
    }
}
