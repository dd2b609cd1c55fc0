//! Names, solver texts, identities and quantities.

use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::sync::LazyLock;

use untumble_puzzles::catalog;
use untumble_search::error::InputText;
use untumble_search::family::PuzzleSettings;
use untumble_search::identity::{Digest, PuzzleId, RunId};
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::quantity::{parse_duration, parse_size};
use untumble_session::{Session, parse_remote_solver};

use crate::laws::{assert_diagnostic, assert_plain, select};

/// Names of puzzles.
pub fn puzzle_name(data: &[u8]) {
    let name = &String::from_utf8_lossy(data);
    let puzzle = match catalog::open(name, &PuzzleSettings::default()) {
        Ok(puzzle) => puzzle,
        Err(error) => return assert_diagnostic(&error.diagnostic(), name, InputText::Goal),
    };
    let id = puzzle.id();
    assert!(catalog::family(name).is_some(), "{name:?} has no family");
    assert_eq!(id.to_string().parse(), Ok(id.clone()), "{name:?}");
    let again = catalog::open(&id.name(), &PuzzleSettings::default()).map(|puzzle| puzzle.id());
    assert_eq!(again, Ok(id), "{name:?}");
}

static SESSIONS: LazyLock<Vec<Session>> = LazyLock::new(|| {
    let open = |name: &str| Session::open(&Runtime::default(), name, &PuzzleSettings::default());
    ["8-puzzle", "15-puzzle", "24-puzzle", "cube2", "cube3", "balto-3", "balto-5"]
        .map(|name| open(name).expect("a known puzzle"))
        .into()
});

/// Solver texts; the first byte selects the puzzle, the second one `all`.
pub fn solver_text(data: &[u8]) {
    let (index, data) = select(data, SESSIONS.len());
    let (all, data) = select(data, 2);
    let text = &String::from_utf8_lossy(data);
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string(), **text, "{spec:?}");
    }
    let session = &SESSIONS[index];
    match session.parse_solver(text, all == 1) {
        Ok(None) => assert_eq!(&**text, "auto"),
        Ok(Some(spec)) => assert_completed(session, &spec, text),
        Err(error) => assert_diagnostic(&error.diagnostic(), text, InputText::Solver),
    }
    // What a remote client may request, a local one may request too.
    match parse_remote_solver(session, text, all == 1) {
        Ok(spec) => assert_eq!(session.parse_solver(text, all == 1), Ok(spec)),
        Err(error) => assert_diagnostic(&error.diagnostic(), text, InputText::Solver),
    }
}

/// A completed spec is complete, its text is accepted, and canonical specs are fixed points.
fn assert_completed(session: &Session, spec: &Spec, text: &str) {
    let puzzle = session.puzzle();
    assert_eq!(puzzle.complete(spec).as_ref(), Ok(spec), "{text:?}");
    assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(spec), "{text:?}");
    let canonical = puzzle.canonical(spec);
    let completed = puzzle.complete(&canonical);
    let completed = completed.unwrap_or_else(|error| panic!("{canonical} of {text:?} is refused: {error}"));
    assert_eq!(puzzle.canonical(&completed), canonical, "{text:?}");
    assert_eq!(puzzle.guarantee(&completed), puzzle.guarantee(spec), "{text:?} and {canonical}");
}

/// Identities of puzzles and runs, and digests.
pub fn identity(data: &[u8]) {
    let text = &String::from_utf8_lossy(data);
    assert_round_trip::<Digest>(text);
    assert_round_trip::<PuzzleId>(text);
    assert_round_trip::<RunId>(text);
}

/// What parses is written as a text that parses to the same value, and is equal to itself in every field.
fn assert_round_trip<T: FromStr<Err: Display + Debug + PartialEq> + Display + Debug + PartialEq>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>(), Ok(value), "{text:?}"),
        Err(error) => assert_plain(&error.to_string(), text),
    }
}

/// Sizes and durations.
pub fn quantity(data: &[u8]) {
    let text = &String::from_utf8_lossy(data);
    match parse_size(text) {
        Ok(size) => {
            // Sizes are computed with 53 bits.
            let again = parse_size(&size.to_string());
            assert!(size > 0 && again.is_ok_and(|again| again as f64 == size as f64), "{text:?}: {again:?}");
        }
        Err(error) => assert_plain(&error.to_string(), text),
    }
    match parse_duration(text) {
        Ok(duration) => {
            let formatted = format!("{}s {}ns", duration.as_secs(), duration.subsec_nanos());
            assert_eq!(parse_duration(&formatted), Ok(duration), "{text:?}");
        }
        Err(error) => assert_plain(&error.to_string(), text),
    }
}
