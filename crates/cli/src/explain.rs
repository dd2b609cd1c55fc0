//! Error messages of the command line: the library's message and the flag or command that helps.

use untumble_search::error::{AlternativeKind, Diagnostic, nearest};
use untumble_search::identity::{Difference, IdField};

/// The message of a diagnostic with a hint.
pub(crate) fn explain(diagnostic: &Diagnostic) -> String {
    format!("{}{}", diagnostic.message(), hint(diagnostic))
}

/// "; did you mean `x`?" for the most similar known word; empty if none is similar.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The message that `subject`, a file or one of its answers, differs from this run. The left value of
/// `difference` belongs to the subject.
pub(crate) fn mismatch(subject: &str, difference: &Difference) -> String {
    let Difference { field, left, right } = difference;
    let (left, right) = (left.as_deref(), right.as_deref());
    let value = |value: Option<&str>| match (field, value) {
        (IdField::AllowedMoves, None) => "all moves allowed".to_owned(),
        (IdField::AllowedMoves, Some(moves)) => format!("only the moves {moves} allowed"),
        (IdField::Costs, None) => "the costs of the metric".into(),
        (IdField::Costs, Some(costs)) => format!("the costs {costs}"),
        (IdField::NodeLimit | IdField::MaxLength, None) => format!("no {field}"),
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

fn hint(diagnostic: &Diagnostic) -> String {
    let values = |kind: AlternativeKind| -> Vec<&str> {
        let matching = diagnostic.alternatives.iter().filter(|alternative| alternative.kind == kind);
        matching.map(|alternative| alternative.value.as_str()).collect()
    };
    let first = diagnostic.alternatives.first();
    let suggestion = || first.map_or_else(String::new, |first| format!("; did you mean `{}`?", first.value));
    match diagnostic.code {
        "unknown-puzzle" => format!("{} (`untumble list puzzles`)", suggestion()),
        "unknown-algorithm" | "unknown-heuristic" => {
            format!(
                "{} (`untumble list solvers {}`)",
                suggestion(),
                diagnostic.expected.as_deref().unwrap_or_default()
            )
        }
        "unknown-device" => " (`untumble gpu`)".into(),
        "heuristic-too-large" => match values(AlternativeKind::Solver)[..] {
            [heuristic, ..] => format!("; use {heuristic}"),
            [] => String::new(),
        },
        "auto-takes-nothing" => " (`untumble list solvers`)".into(),
        "not-optimal" => {
            let solvers = values(AlternativeKind::Solver).join(", ");
            format!("; leave out --all, or use a solver that does ({solvers})")
        }
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
        "wrong-goal-for-heuristic" => match values(AlternativeKind::Goal)[..] {
            [goal, ..] => format!("; add --goal {goal}"),
            [] => suggestion(),
        },
        _ => match first.map(|first| (first.kind, &first.value)) {
            Some((AlternativeKind::Input, kind)) => format!(" (to read it as {kind}, add --as {kind})"),
            Some((AlternativeKind::Move, _)) | None => String::new(),
            Some(_) => suggestion(),
        },
    }
}
