//! Error messages of the command line: the library's message and the flag or command that helps.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use untumble_puzzles::catalog::is_family;
use untumble_search::error::{AlternativeKind, Diagnostic, similar};
use untumble_search::identity::{Difference, IdField};
use untumble_session::Plan;

/// The message of a diagnostic with a hint.
pub(crate) fn explain(diagnostic: &Diagnostic) -> String {
    format!("{}{}", diagnostic.message(), hint(diagnostic))
}

/// Prints the first warning about a text unless the user chose the goal that it concerns.
#[derive(Default)]
pub(crate) struct InputWarnings {
    printed: AtomicBool,
}

impl InputWarnings {
    /// Passes the warning of a position to `print` if it is the first one. `goal` is the goal that the user
    /// chose.
    pub(crate) fn add(&self, warning: Option<&Diagnostic>, goal: Option<&str>, print: impl FnOnce(&str)) {
        let Some(warning) = warning.filter(|_| goal.is_none()) else { return };
        if !self.printed.swap(true, Relaxed) {
            print(&explain(warning));
        }
    }
}

/// The solvers of `auto` for people. Of many, the first ones and the last one are named.
pub(crate) fn auto_stages(plan: &Plan) -> String {
    const WIDTH: usize = 70;
    let all = plan.solvers();
    let stages = plan.stage_solvers();
    let Some((last, others)) = stages.split_last().filter(|_| all.len() > WIDTH && stages.len() > 2) else {
        return all;
    };
    let mut text = others[0].clone();
    // The last one named stands after the ellipsis, so at least one is left out.
    for stage in &others[1..others.len() - 1] {
        if text.len() + stage.len() + last.len() > WIDTH {
            break;
        }
        text += &format!(", then {stage}");
    }
    format!("{text}, … then {last} ({} solvers)", stages.len())
}

/// "; did you mean `x`?" for the most similar known word; empty if none is similar.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    similar(word, known).first().map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The message that `subject`, a file or one of its answers, differs from this run. The left value of
/// `difference` belongs to the subject.
pub(crate) fn difference_message(subject: &str, difference: &Difference) -> String {
    let Difference { field, left, right } = difference;
    let (left, right) = (left.as_deref(), right.as_deref());
    let value = |value: Option<&str>| match (field, value) {
        (IdField::AllowedMoves, None) => "all moves allowed".to_owned(),
        (IdField::AllowedMoves, Some(moves)) => format!("only the moves {moves} allowed"),
        (IdField::Costs, None) => "the costs of the metric".into(),
        (IdField::Costs, Some(costs)) => format!("the costs {costs}"),
        (IdField::NodeLimit | IdField::MaxLength, None) => format!("no {field}"),
        (IdField::Solver, Some(solver)) => format!("solver {}", name_digests(solver)),
        (_, None) => format!("the default {field}"),
        (_, Some(value)) => format!("{field} {value}"),
    };
    match field {
        IdField::Puzzle => {
            let [left, right] = [left, right].map(Option::unwrap_or_default);
            format!("{subject} was written for {left}, this run solves {right}")
        }
        IdField::Solutions if right == Some("all") => {
            format!("{subject} was written with one solution per position, this run lists all of them")
        }
        IdField::Solutions => {
            format!("{subject} was written with all solutions per position, this run lists one")
        }
        IdField::NodeLimit | IdField::MaxLength | IdField::AllowedMoves => {
            format!("{subject} was written with {}, this run has {}", value(left), value(right))
        }
        _ => format!("{subject} was written with {}, this run uses {}", value(left), value(right)),
    }
}

/// The prefix of a digest that stands for a file in the identity of a solver.
const DIGEST: &str = "sha256-";

/// Whether the identity of a solver has the digest of a file instead of its name.
pub(crate) fn has_digest(solver: &str) -> bool {
    solver.contains(DIGEST)
}

/// The identity of a solver with `FILE` instead of digests, as in a command.
pub(crate) fn without_digests(solver: &str) -> String {
    let mut parts = solver.split(DIGEST);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("FILE");
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    text
}

/// The identity of a solver for messages: `ida+learned:FILE (FILE has the digest sha256-…)`.
pub(crate) fn name_digests(solver: &str) -> String {
    let digests: Vec<String> = solver
        .split(DIGEST)
        .skip(1)
        .map(|part| {
            let end = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
            format!("{DIGEST}{}", &part[..end])
        })
        .collect();
    match digests.is_empty() {
        true => solver.to_owned(),
        false => format!("{} (FILE has the digest {})", without_digests(solver), digests.join(", ")),
    }
}

/// The family of a puzzle: `tiles` of `tiles-4x4`.
fn base_name(puzzle: &str) -> &str {
    puzzle.split('-').next().unwrap_or_default()
}

fn hint(diagnostic: &Diagnostic) -> String {
    let values = |kind: AlternativeKind| -> Vec<&str> {
        let matching = diagnostic.alternatives.iter().filter(|alternative| alternative.kind == kind);
        matching.map(|alternative| alternative.value.as_str()).collect()
    };
    let first = diagnostic.alternatives.first();
    let suggestion = || first.map_or_else(String::new, |first| format!("; did you mean `{}`?", first.value));
    let all_suggestions = || {
        let quoted = diagnostic.alternatives.iter().map(|name| format!("`{}`", name.value));
        let names: Vec<String> = quoted.collect();
        if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(" or ")) }
    };
    match diagnostic.code {
        "unknown-puzzle" => format!("{} (`untumble list puzzles`)", all_suggestions()),
        "several-solvers" => "; `untumble compare` compares solvers, each with a --with of its own".into(),
        "unknown-algorithm" | "unknown-heuristic" => {
            format!(
                "{} (`untumble list solvers {}`)",
                suggestion(),
                diagnostic.expected.as_deref().unwrap_or_default()
            )
        }
        "ambiguous-size" => "; write the rows as in 1 2 3/4 5 0, or name a size, as in tiles-3x4".into(),
        "usual-goal" => match values(AlternativeKind::Goal)[..] {
            [goal, ..] => format!("; select it with --goal {goal}, or name the goal to hide this warning"),
            [] => String::new(),
        },
        "unknown-device" => " (`untumble gpu`)".into(),
        "heuristic-too-large" | "algorithm-unavailable" => match values(AlternativeKind::Solver)[..] {
            [solver, ..] => format!("; use {solver}"),
            [] => String::new(),
        },
        "auto-takes-nothing" => " (`untumble list solvers`)".into(),
        "not-optimal" => match values(AlternativeKind::Solver).join(", ") {
            none if none.is_empty() => "; leave out --all".into(),
            solvers => format!("; leave out --all, or use a solver that does ({solvers})"),
        },
        "not-resumable" => match values(AlternativeKind::Solver).join(", ") {
            none if none.is_empty() => {
                "; no solver of this puzzle supports checkpoints; leave out --checkpoint".into()
            }
            solvers => format!("; use a resumable solver ({solvers}), or leave out --checkpoint"),
        },
        "heuristic-not-supported" | "argument-missing" | "option-value" => String::new(),
        "unknown-format" => format!(" (formats: {})", values(AlternativeKind::Format).join(", ")),
        "only-one-goal" => "; leave out --goal".into(),
        "only-one-metric" => "; leave out --metric".into(),
        "depth-too-large" => "; leave out --depth to draw positions uniformly".into(),
        "not-weights" => "; `untumble train` writes weights files".into(),
        "weights-of-another-puzzle" => {
            let puzzle = diagnostic.expected.as_deref().unwrap_or("PUZZLE");
            format!("; `untumble train {puzzle} --out FILE` trains weights for this puzzle")
        }
        "wrong-parity" if !values(AlternativeKind::Goal).is_empty() => {
            format!("; it is solvable with --goal {}", values(AlternativeKind::Goal)[0])
        }
        "wrong-goal-for-heuristic" => match first.map(|first| (first.kind, &first.value)) {
            Some((AlternativeKind::Goal, goal)) => format!("; add --goal {goal}"),
            Some((_, heuristic)) => format!("; use {heuristic}"),
            None => String::new(),
        },
        _ => match first.map(|first| (first.kind, &first.value)) {
            Some((AlternativeKind::Input, kind)) => format!(" (to read it as {kind}, add --as {kind})"),
            Some((AlternativeKind::Move, _)) | None => String::new(),
            Some((AlternativeKind::Puzzle, name)) if is_family(base_name(name)) => {
                format!("{} (`{}` accepts boards of every size)", suggestion(), base_name(name))
            }
            Some(_) => suggestion(),
        },
    }
}
