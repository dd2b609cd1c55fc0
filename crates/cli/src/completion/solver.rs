//! Completion of a solver text: `algorithm:option=value+heuristic:argument`, piece by piece.

use untumble_search::frontend::DynPuzzle;
use untumble_search::registry::{AlgorithmInfo, Argument, HeuristicInfo, OptionSpec};
use untumble_search::spec::OptionValues;

use super::{Candidate, Completion};

/// The completions of the solver text `current`, which begins after `start` bytes of its word.
pub(super) fn complete(puzzles: &[Box<dyn DynPuzzle>], current: &str, start: usize) -> Completion {
    let algorithms: Vec<AlgorithmInfo> = puzzles.iter().flat_map(|puzzle| puzzle.algorithms()).collect();
    if let Some((head, heuristic)) = current.split_once('+') {
        let name = head.split(':').next().unwrap_or_default();
        let allowed = algorithms.iter().find(|info| info.is_called(name));
        let is_allowed = |info: &HeuristicInfo| {
            let list = allowed.and_then(|algorithm| algorithm.heuristics.as_ref());
            list.is_none_or(|names| names.contains(&&*info.name))
        };
        let mut heuristics: Vec<HeuristicInfo> =
            puzzles.iter().flat_map(|puzzle| puzzle.heuristics()).collect();
        heuristics.retain(is_allowed);
        return in_heuristic(&heuristics, current, current.len() - heuristic.len(), start);
    }
    let words = match current.split_once(':') {
        Some((name, options)) => match algorithms.iter().find(|info| info.is_called(name)) {
            Some(algorithm) => in_options(algorithm, current, options),
            None => Vec::new(),
        },
        None => in_algorithm(&algorithms),
    };
    Completion::Words(unique(words))
}

/// The words without repetitions, which several puzzles may cause.
fn unique(mut words: Vec<Candidate>) -> Vec<Candidate> {
    words.sort();
    words.dedup_by(|a, b| a.word == b.word);
    words
}

/// The algorithms, each also with the character that continues its text.
fn in_algorithm(algorithms: &[AlgorithmInfo]) -> Vec<Candidate> {
    let mut words = vec![Candidate::new("auto", "choose a solver for each position")];
    for info in algorithms {
        let required = info.options.iter().any(|option| option.default.is_empty());
        if !required {
            words.push(Candidate::new(&*info.name, &*info.summary));
        }
        if !info.options.is_empty() {
            words.push(Candidate::new(format!("{}:", info.name), "with options"));
        }
        if info.takes_heuristic && !required {
            words.push(Candidate::new(format!("{}+", info.name), "with a heuristic"));
        }
    }
    words
}

/// The names of options that are not given yet, or the values of the last one.
fn in_options(algorithm: &AlgorithmInfo, current: &str, options: &str) -> Vec<Candidate> {
    let last = options.rsplit(',').next().unwrap_or_default();
    let before = &current[..current.len() - last.len()];
    let given: Vec<&str> = options[..options.len() - last.len()]
        .split(',')
        .filter_map(|option| option.split_once('=').map(|(name, _)| name))
        .collect();
    let Some((name, _)) = last.split_once('=') else {
        let is_new = |option: &&OptionSpec| !given.contains(&option.name);
        let new = algorithm.options.iter().filter(is_new);
        return new
            .map(|option| Candidate::new(format!("{before}{}=", option.name), option.summary))
            .collect();
    };
    let Some(option) =
        algorithm.options.iter().find(|option| option.name == name || option.aliases.contains(&name))
    else {
        return Vec::new();
    };
    let values: Vec<&str> = match option.values {
        OptionValues::Choice(values) => values.to_vec(),
        // The default of a number is an example of its form.
        OptionValues::Integer { .. } | OptionValues::Number { .. } => {
            [option.default].into_iter().filter(|text| text.parse::<f64>().is_ok()).collect()
        }
    };
    let word = |value: &str| format!("{before}{name}={value}");
    values.into_iter().map(|value| Candidate::new(word(value), "")).collect()
}

/// The heuristics, or the arguments of the last one. The expression begins at byte `begin` of `current`.
fn in_heuristic(heuristics: &[HeuristicInfo], current: &str, begin: usize, start: usize) -> Completion {
    // A term of a maximum begins after `(` or `,`.
    let term = current[begin..].rfind(['(', ',']).map_or(begin, |place| begin + place + 1);
    let (before, text) = current.split_at(term);
    if let Some((name, argument)) = text.split_once(':') {
        let Some(info) = heuristics.iter().find(|info| info.is_called(name)) else {
            return Completion::Words(Vec::new());
        };
        if info.reads_file {
            return Completion::File(start + current.len() - argument.len());
        }
        let word = |value: &str| Candidate::new(format!("{before}{name}:{value}"), "");
        return Completion::Words(arguments(info).map(word).collect());
    }
    let mut words = Vec::new();
    for info in heuristics {
        let name = format!("{before}{}", info.name);
        if !matches!(info.argument, Argument::Required { .. }) {
            words.push(Candidate::new(&*name, &*info.summary));
        }
        if let Some(values) = info.argument.description() {
            words.push(Candidate::new(format!("{name}:"), values));
        }
    }
    words.push(Candidate::new(format!("{before}max("), "the maximum of several heuristics"));
    Completion::Words(unique(words))
}

/// Arguments of a heuristic that are offered: its default, its example, and words of its description that
/// have the form of an argument.
fn arguments(info: &HeuristicInfo) -> impl Iterator<Item = &'static str> {
    let example = match info.argument {
        Argument::Required { example, .. } => Some(example),
        Argument::Optional { .. } | Argument::None => None,
    };
    let described = info.argument.description().unwrap_or_default().split([' ', ',']);
    let literal = |word: &&str| word.contains('=') || word.bytes().any(|byte| byte.is_ascii_digit());
    let mut values: Vec<&str> = example.into_iter().chain(info.argument.default_value()).collect();
    values.extend(described.filter(literal));
    values.sort_unstable();
    values.dedup();
    values.into_iter()
}
