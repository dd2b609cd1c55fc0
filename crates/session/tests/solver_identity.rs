//! Solver texts with the same meaning give the same run, and texts with another meaning another one.

use std::collections::HashMap;

use untumble_puzzles::catalog::{PuzzleSettings, families};
use untumble_search::control::Limits;
use untumble_search::runtime::Runtime;
use untumble_session::Session;

/// A session for the example of every family in each of its metrics.
fn sessions() -> Vec<Session> {
    let runtime = Runtime::default();
    let open = |name: &str, metric: Option<&str>| {
        let settings = PuzzleSettings { metric: metric.map(str::to_owned), ..PuzzleSettings::default() };
        Session::open(&runtime, name, &settings).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    };
    let mut sessions = Vec::new();
    for family in families() {
        let metrics = family.metrics.iter().map(|&metric| Some(metric));
        sessions.extend(metrics.chain([None]).map(|metric| open(family.example, metric)));
    }
    sessions
}

fn run_id(session: &Session, text: &str) -> String {
    let solver = session.parse_solver(text, false).unwrap_or_else(|error| panic!("{text}: {error}"));
    session.run_id(solver.as_ref(), false, Limits::default()).to_string()
}

#[test]
fn an_argument_equal_to_the_default_gives_the_same_run() {
    let mut checked = Vec::new();
    for session in sessions() {
        for info in session.puzzle().heuristics() {
            let Some(default) = info.argument.default_value() else { continue };
            let name = &info.name;
            let expected = run_id(&session, &format!("ida+{name}"));
            for text in [
                format!("ida+{name}:{default}"),
                format!("ida+max({name}:{default})"),
                format!("ida+max({name},max({name}:{default}))"),
            ] {
                assert_eq!(run_id(&session, &text), expected, "{text}");
            }
            checked.push(name.to_string());
        }
    }
    for name in ["tiny", "edges"] {
        assert!(checked.iter().any(|known| known == name), "{name} has a default argument: {checked:?}");
    }
}

#[test]
fn an_option_equal_to_the_default_gives_the_same_run() {
    for session in sessions() {
        for info in session.puzzle().algorithms().into_iter().filter(|info| !info.needs_device) {
            for option in info.options.iter().filter(|option| option.values.accepts(option.default)) {
                let text = format!("{}:{}={}", info.name, option.name, option.default);
                assert_eq!(run_id(&session, &text), run_id(&session, &info.name), "{text}");
            }
        }
    }
}

/// Each line lists texts with one meaning; different lines differ.
#[test]
fn texts_give_the_same_run_if_and_only_if_they_have_the_same_meaning() {
    for (puzzle, lines) in [
        (
            "cube2",
            &[
                &["ida+tiny", "ida+tiny:330000", "ida+tiny:0330000", "ida:bpmx=on+max(tiny)"][..],
                &["ida+tiny:1000", "ida+tiny:01000"],
                &["ida+max(full,tiny)", "ida+max(tiny:330000,full)", "ida+max(full,max(tiny,full))"],
                &["ida+max(full,tiny:1000)"],
                &["ida", "ida+full"],
                &["parida"],
            ][..],
        ),
        (
            "15-puzzle",
            &[
                &["ida+max(walking,linear-conflict)", "ida+max(linear-conflict,walking)"][..],
                &["ida+walking"],
                &["ida+pdb:5-5-5", "ida+pdb:05-5-5", "ida+max(pdb:5-5-5)"],
                &["ida+pdb:1.2.5/3.4", "ida+pdb:5.2.1/4.3"],
                &["ida+pdb:3.4/1.2.5"],
                &["ida+max(pdb:5-5-5,pdb:7-8)", "ida+max(pdb:7-8,pdb:5-5-5)"],
                &["ida+misplaced", "ida+hamming"],
                &["ida", "ida+manhattan", "IDA*+max(manhattan,manhattan)"],
            ],
        ),
    ] {
        let runtime = Runtime::default();
        let session = Session::open(&runtime, puzzle, &PuzzleSettings::default())
            .unwrap_or_else(|error| panic!("{puzzle}: {error:?}"));
        let mut line_of_run: HashMap<String, usize> = HashMap::new();
        for (number, texts) in lines.iter().enumerate() {
            for text in *texts {
                let run = run_id(&session, text);
                let known = *line_of_run.entry(run.clone()).or_insert(number);
                assert_eq!(known, number, "{text} is the run `{run}`");
            }
        }
        assert_eq!(line_of_run.len(), lines.len(), "one run for each line: {line_of_run:?}");
    }
}
