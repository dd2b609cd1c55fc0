//! A name that an error message suggests is also data: it is in `alternatives` or `expected`.

use std::collections::BTreeSet;

use untumble_puzzles::catalog::{self, PuzzleSettings};
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{DynPuzzle, InputFormat};
use untumble_search::runtime::Runtime;
use untumble_session::Session;

/// Names that are also ordinary words of messages.
const ORDINARY_WORDS: &[&str] = &[
    "auto", "closed", "corners", "edges", "full", "layers", "learned", "optimal", "solved", "tiny", "uniform",
];

/// The words of a text; a word may contain hyphens, as names do.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-').collect()
}

/// The names of goals, metrics, algorithms and heuristics of a puzzle.
fn known_names(puzzle: &dyn DynPuzzle, family: &catalog::Family) -> BTreeSet<String> {
    let settings = family.goal_names.iter().chain(family.metrics).map(|name| (*name).to_owned());
    let algorithms = puzzle.algorithms().into_iter().map(|info| info.name.to_string());
    let heuristics = puzzle.heuristics().into_iter().map(|info| info.name.to_string());
    let mut names: BTreeSet<String> = settings.chain(algorithms).chain(heuristics).collect();
    names.retain(|name| !ORDINARY_WORDS.contains(&name.as_str()));
    names
}

/// The names that the message of an error about `input` contains, but neither the input nor the data do.
fn missing<'a>(names: &'a BTreeSet<String>, input: &str, diagnostic: &Diagnostic) -> Vec<&'a str> {
    let values: Vec<&str> =
        diagnostic.alternatives.iter().map(|alternative| alternative.value.as_str()).collect();
    let data = format!("{input} {} {}", values.join(" "), diagnostic.expected.as_deref().unwrap_or_default());
    // A solver text may be repeated with its default heuristic, which is no suggestion.
    let is_input = |word: &&str| word.trim_start_matches('`').starts_with(input);
    let message =
        diagnostic.message().split(' ').filter(|word| !is_input(word)).collect::<Vec<_>>().join(" ");
    let (message, data) = (words(&message), words(&data));
    names.iter().map(String::as_str).filter(|name| message.contains(name) && !data.contains(name)).collect()
}

#[test]
fn names_in_messages_are_alternatives_or_expected() {
    let mut suggested = 0;
    for family in catalog::families() {
        let open = |settings: &PuzzleSettings| catalog::open(family.example, settings);
        let puzzle = open(&PuzzleSettings::default()).expect("the example of the catalog");
        let names = known_names(&*puzzle, family);
        let mut check = |input: &str, error: &Error| {
            let diagnostic = error.diagnostic();
            let missing = missing(&names, input, &diagnostic);
            assert!(missing.is_empty(), "{}, {input}: {diagnostic:?} lacks {missing:?}", family.name);
            suggested += usize::from(words(diagnostic.message()).iter().any(|word| names.contains(*word)));
        };
        for wrong in ["snial", "blank", "hmt", "x"] {
            let goal = PuzzleSettings { goal: Some(wrong.into()), ..PuzzleSettings::default() };
            let metric = PuzzleSettings { metric: Some(wrong.into()), ..PuzzleSettings::default() };
            for settings in [goal, metric] {
                check(wrong, &open(&settings).err().expect("no goal or metric has that name"));
            }
        }
        let session = Session::new(&Runtime::default(), puzzle.into());
        let algorithms = session.puzzle().algorithms();
        let algorithms = algorithms.iter().map(|info| info.name.to_string()).chain(["stara".into()]);
        for algorithm in algorithms {
            for rest in
                ["", ":depth=x", ":w=x", ":table=1MB", ":kernel=x", "+manhatan", "+pdb", "+learned:x/y"]
            {
                for all_solutions in [false, true] {
                    let solver = format!("{algorithm}{rest}");
                    if let Err(error) = session.parse_solver(&solver, all_solutions) {
                        check(&solver, &error);
                    }
                }
            }
        }
    }
    assert!(suggested > 10, "only {suggested} messages contained a name");
}

/// Texts that are refused, for each family.
const WRONG_TEXTS: &[(&str, &[&str])] = &[
    (
        "tiles-3x3",
        &[
            "x",
            "R X",
            "R9",
            "1 2 3",
            "1 2 3\n4 5 6\n7 8 0\nR",
            "1 2 3 4 5 6 7 8 9",
            "1 2 3 4 5 6 7 8 8",
            "1 2 3/4 5/6 7 8 0",
            "1 2 3/4 5 6",
            "12345678",
            "1 2 3 4 5 6 7 8 0 1 2",
            "x 1 2 3 4 5 6 7 8 0",
        ],
    ),
    (
        "cube3",
        &[
            "R Q",
            "R2'2",
            "R7",
            "R U\nF",
            "UUUUUUUUU",
            "UUUUUUUUU\nRRRRRRRRR\n\nR U",
            "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBB1",
            "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBU",
            "UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU",
        ],
    ),
    ("balto-3", &["x y", "1G", "12", "3\n1 2\n", "0 1 2 3 4 5 6 7 x", "3\n3 2 1\n4 5 6\n7 8 9\nx"]),
];

#[test]
fn what_a_message_expects_is_also_data() {
    for (name, texts) in WRONG_TEXTS {
        let session = Session::open(&Runtime::default(), name, &PuzzleSettings::default()).expect("a puzzle");
        let formats = session.puzzle().formats();
        let formats = formats.iter().map(|format| Some(format.name.to_string())).chain([None]);
        let (mut codes, mut refused) = (BTreeSet::new(), 0);
        for format in formats.map(|format| InputFormat { format, ..InputFormat::default() }) {
            for text in *texts {
                let Err(why) = session.parse(text, &format) else { continue };
                refused += 1;
                if why.message().contains("expected ") {
                    assert!(why.expected.is_some(), "{name}, {format:?}, {text:?}: {why:?}");
                    codes.insert(why.code);
                }
            }
        }
        assert!(refused >= texts.len() && codes.len() >= 4, "{name}: {refused} texts, {codes:?}");
    }
}
