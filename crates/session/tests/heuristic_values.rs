//! The values of heuristics are those that searches use, and only small tables are built for them.

use untumble_search::control::Limits;
use untumble_search::error::Error;
use untumble_search::frontend::{InputFormat, Workload};
use untumble_search::runtime::Runtime;
use untumble_session::{PuzzleSettings, SearchContext, Session, TableBuilding, seeded_rng};

fn open(puzzle: &str, goal: Option<&str>) -> Session {
    let settings = PuzzleSettings { goal: goal.map(str::to_owned), metric: None };
    Session::open(&Runtime::default(), puzzle, &settings)
        .unwrap_or_else(|error| panic!("{puzzle}: {error:?}"))
}

#[test]
fn admissible_heuristics_never_exceed_the_distance_that_a_search_proves() {
    let mut rng = seeded_rng(5);
    for (puzzle, goal) in [("8-puzzle", None), ("8-puzzle", Some("snail")), ("cube2", None)] {
        let session = open(puzzle, goal);
        for _ in 0..10 {
            let position = session.puzzle().scramble(&mut rng, None);
            let context = SearchContext::default();
            let values = session
                .heuristic_values(&position, TableBuilding::Small, Limits::default(), &context)
                .expect("small tables");
            let plan = session.plan(None, &Workload::one(&position, Limits::default(), false));
            let answer = session.solve(&position, &plan, &mut None, &context).expect("a solvable position");
            assert!(answer.optimal, "{puzzle} {}", values.start);
            assert_eq!(values.distance, answer.length, "{puzzle} {}", values.start);
            assert_eq!(values.heuristics.len(), session.puzzle().heuristics().len());
            for value in &values.heuristics {
                assert_eq!(value.h.is_none(), value.reason.is_some(), "{value:?}");
                assert!(
                    !value.admissible || value.h <= values.distance,
                    "{puzzle} {}: {value:?}",
                    values.start
                );
            }
        }
    }
}

#[test]
fn large_tables_are_named_and_not_built() {
    let session = open("cube3", None);
    let position = session.parse("R U2 F'", &InputFormat::default()).expect("moves");
    let values = session
        .heuristic_values(&position, TableBuilding::Small, Limits::default(), &SearchContext::default())
        .expect("no table is needed");
    let missing: Vec<(&str, Option<u64>)> = values
        .heuristics
        .iter()
        .map(|value| (&*value.name, value.missing_table().map(|table| table.bytes)))
        .collect();
    assert_eq!(missing, [("manhattan", None), ("corners", Some(44_089_920)), ("edges", Some(255_467_520))]);
    assert_eq!(values.distance, None);
}

#[test]
fn an_unsolvable_position_has_no_values() {
    let session = open("8-puzzle", None);
    let position = session.parse("1 2 3 4 5 6 8 7 0", &InputFormat::default()).expect("a board");
    let refused = session.heuristic_values(
        &position,
        TableBuilding::Small,
        Limits::default(),
        &SearchContext::default(),
    );
    assert!(matches!(refused, Err(Error::Unsolvable(_))), "{refused:?}");
}
