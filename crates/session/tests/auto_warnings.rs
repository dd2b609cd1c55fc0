//! `auto` leaves out solvers that the registry of a puzzle lacks, and the observer is warned.

use std::sync::{Arc, Mutex};

use untumble_puzzles::tiles::{Goal, Size, Tiles};
use untumble_search::control::{Event, Limits, Observer};
use untumble_search::frontend::{InputFormat, Workload, erase_with};
use untumble_search::registry::Registry;
use untumble_search::runtime::Runtime;
use untumble_search::solve;
use untumble_session::{SearchContext, Session};

#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Observer for Warnings {
    fn on_event(&self, event: &Event) {
        if let Event::Warning(warning) = event {
            self.0.lock().expect("no panic").push(warning.clone());
        }
    }
}

#[test]
fn a_solver_that_the_registry_lacks_is_skipped_with_a_warning() {
    let goal = Goal::named(Size { rows: 3, columns: 3 }, "blank-last").expect("a known goal");
    // The engine's algorithms without any heuristic of the puzzle.
    let registry = Registry::new("tiles-3x3").with_algorithms(solve::entries());
    let puzzle = Arc::from(erase_with(Tiles::<u64>::new(goal), registry));
    let session = Session::new(&Runtime::default(), puzzle);
    let position = session.parse("1 2 3 4 5 6 0 7 8", &InputFormat::default()).expect("a board");
    let plan = session.plan(None, &Workload::one(&position, Limits::default(), false));
    assert_eq!(plan.solvers(), "bibfs", "the default replaces the missing solvers");
    for prepared in [false, true] {
        let warnings = Arc::new(Warnings::default());
        let context = SearchContext::observed_by(warnings.clone());
        let record = if prepared {
            let solvers = session.prepare(&plan, &context).expect("bibfs needs no tables");
            session.solve_with(&*solvers.portfolio, &position, &plan, &context)
        } else {
            session.solve(&position, &plan, &mut None, &context)
        };
        assert_eq!(record.expect("its own position").length, Some(2));
        let warnings = warnings.0.lock().expect("no panic").clone();
        assert_eq!(warnings, plan.warnings, "prepared: {prepared}");
        assert!(warnings[0].starts_with("skipping astar+linear-conflict: "), "{warnings:?}");
    }
}
