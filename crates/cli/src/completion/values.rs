//! The values of an argument, which depend on the words before it.

use clap::Arg;
use untumble_puzzles::catalog::{self, PuzzleSettings};
use untumble_puzzles::suites;
use untumble_search::family::Family;
use untumble_search::frontend::DynPuzzle;
use untumble_session::cache;

use super::{Candidate, Completion, path_completion, solver};

/// The values of earlier arguments.
#[derive(Default)]
pub(super) struct Context {
    puzzle: Option<String>,
    goal: Option<String>,
    metric: Option<String>,
}

/// The name of an argument's value in the help.
fn value_name(argument: &Arg) -> &str {
    argument.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str())
}

impl Context {
    /// Records the value of an argument.
    pub(super) fn set(&mut self, argument: &Arg, value: &str) {
        let place = match value_name(argument) {
            "PUZZLE" => &mut self.puzzle,
            "GOAL" => &mut self.goal,
            "METRIC" => &mut self.metric,
            _ => return,
        };
        *place = Some(value.to_owned());
    }

    /// The completions of a value that begins after `start` bytes of its word.
    pub(super) fn values(&self, argument: &Arg, current: &str, start: usize) -> Completion {
        let possible = argument.get_possible_values();
        if !possible.is_empty() {
            let shown = possible.iter().filter(|value| !value.is_hide_set());
            let words = shown.map(|value| Candidate::new(value.get_name(), super::text(value.get_help())));
            return Completion::Words(words.collect());
        }
        if let Some(path) = path_completion(argument, start) {
            return path;
        }
        Completion::Words(match value_name(argument) {
            "PUZZLE" => puzzles(),
            "GOAL" => self.of_families(|family| family.goal_names),
            "METRIC" => self.of_families(|family| family.metrics),
            "FORMAT" => self.formats(),
            "SUITE" => benchmark_suites(),
            "TABLE" => tables(),
            "SOLVER" => return solver::complete(&self.opened(), current, start),
            _ => Vec::new(),
        })
    }

    /// The puzzle of the line; without one, a puzzle of every family.
    fn opened(&self) -> Vec<Box<dyn DynPuzzle>> {
        if let Some(name) = &self.puzzle {
            let settings = PuzzleSettings { goal: self.goal.clone(), metric: self.metric.clone() };
            let with_settings = catalog::open(name, &settings);
            let opened = with_settings.or_else(|_| catalog::open(name, &PuzzleSettings::default()));
            if let Ok(puzzle) = opened {
                return vec![puzzle];
            }
        }
        let example = |family: &Family| catalog::open(family.example, &PuzzleSettings::default()).ok();
        catalog::families().iter().filter_map(example).collect()
    }

    /// Values of the family of the line's puzzle; without one, those of all families.
    fn of_families(&self, values: fn(&Family) -> &'static [&'static str]) -> Vec<Candidate> {
        let family = self.puzzle.as_deref().and_then(catalog::family);
        let mut words: Vec<Candidate> = match family {
            Some(family) => plain(values(family)),
            None => catalog::families().iter().flat_map(|family| plain(values(family))).collect(),
        };
        words.sort();
        words.dedup();
        words
    }

    fn formats(&self) -> Vec<Candidate> {
        let formats = self.opened().into_iter().flat_map(|puzzle| puzzle.formats());
        let mut words: Vec<Candidate> =
            formats.map(|format| Candidate::new(format.name, format.what)).collect();
        words.sort();
        words.dedup_by(|a, b| a.word == b.word);
        words
    }
}

fn plain(words: &[&str]) -> Vec<Candidate> {
    words.iter().map(|&word| Candidate::new(word, "")).collect()
}

/// The puzzles by name and alias.
fn puzzles() -> Vec<Candidate> {
    let mut words = Vec::new();
    for family in catalog::families() {
        let listed = family.puzzles.iter().map(|puzzle| puzzle.name);
        let names = listed.chain([family.example]).chain(family.aliases.iter().copied());
        words.extend(names.map(|name| Candidate::new(name, family.title)));
    }
    words.sort();
    words.dedup();
    words
}

/// The benchmark suites.
fn benchmark_suites() -> Vec<Candidate> {
    suites::all().iter().map(|suite| Candidate::new(suite.name, suite.what)).collect()
}

/// The tables in the cache folder, with their puzzle and pattern.
fn tables() -> Vec<Candidate> {
    let files = cache::disk().list().unwrap_or_default();
    files
        .into_iter()
        .map(|file| {
            Candidate::new(file.name, file.id.map_or_else(|error| error.to_string(), |id| id.to_string()))
        })
        .collect()
}
