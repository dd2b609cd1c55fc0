use super::*;
use proptest::prelude::*;

#[test]
fn canonical_texts_survive_the_round_trip() {
    for text in [
        "cube3",
        "cube3/qtm",
        "tiles-4x4/goal=snail",
        "tiles-3x3/goal=3%200%207%201%208%202%205%204%206",
        "cube3/moves=R,U,U'",
        "cube3/costs=R:2,U:3",
        "balto-5",
        &format!("file:{}/moves=U,R", "3f".repeat(32)),
    ] {
        assert_eq!(text.parse::<PuzzleId>().map(|id| id.to_string()), Ok(text.to_owned()));
    }
    for text in ["", "/qtm", "file:12", "cube3/colour=red", "cube3/costs=R", "tiles-3x3/goal=%zz"] {
        assert!(text.parse::<PuzzleId>().is_err(), "{text}");
    }
}

#[test]
fn a_difference_has_the_field_and_both_values() {
    let run = |text: &str| text.parse::<RunId>().expect(text);
    for (left, right, field, values) in [
        ("cube3 auto", "cube3/qtm auto", IdField::Metric, (None, Some("qtm"))),
        ("cube3 auto", "cube2 auto", IdField::Puzzle, (Some("cube3"), Some("cube2"))),
        ("tiles-3x3 auto", "tiles-3x3/goal=snail auto", IdField::Goal, (None, Some("snail"))),
        ("cube3/moves=R,U auto", "cube3 auto", IdField::AllowedMoves, (Some("R,U"), None)),
        ("cube3/costs=R:2 auto", "cube3 auto", IdField::Costs, (Some("R=2"), None)),
        ("cube3 auto", "cube3 ida+zero", IdField::Solver, (Some("auto"), Some("ida+zero"))),
        ("cube3 auto all", "cube3 auto", IdField::Solutions, (Some("all"), Some("one"))),
        ("cube3 auto nodes=5", "cube3 auto", IdField::NodeLimit, (Some("5"), None)),
        ("cube3 auto", "cube3 auto max-length=20", IdField::MaxLength, (None, Some("20"))),
    ] {
        let difference = run(left).difference(&run(right)).expect(left);
        let (left_value, right_value) = (values.0.map(str::to_owned), values.1.map(str::to_owned));
        assert_eq!(difference, Difference { field, left: left_value, right: right_value });
        assert_eq!(run(left).difference(&run(left)), None);
    }
}

fn some_text() -> impl Strategy<Value = String> {
    "[a-zé/,:=% ']{1,12}"
}

proptest! {
    #[test]
    fn texts_parse_back_and_are_equal_only_for_equal_identities(
        size in proptest::option::of("[0-9x]{1,5}"),
        metric in proptest::option::of(some_text()),
        goal in proptest::option::of(some_text()),
        moves in proptest::option::of(proptest::collection::vec(some_text(), 1..4)),
        costs in proptest::collection::vec((some_text(), 1u32..9), 0..3),
        solver in some_text(),
        nodes in proptest::option::of(0u64..9),
    ) {
        let id = PuzzleId {
            family: "puzzle".into(), size, metric, goal, allowed_moves: moves, costs, definition: None,
        };
        let run = RunId { puzzle: id, solver, nodes, ..RunId::default() };
        prop_assert_eq!(run.to_string().parse::<RunId>(), Ok(run.clone()));
        let other = RunId { puzzle: PuzzleId { goal: None, ..run.puzzle.clone() }, ..run.clone() };
        prop_assert_eq!(run == other, run.to_string() == other.to_string());
        prop_assert_eq!(run == other, run.difference(&other).is_none());
    }
}
