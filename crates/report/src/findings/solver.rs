//! Sentences about a single solver.

use untumble_session::number_format::{grouped, pluralize};

use super::super::analysis::SolverResult;
use super::super::summary::{SolutionCounts, Summary};
use super::excess;

/// The paragraph about one solver.
pub(super) fn sentences(solver: &SolverResult) -> String {
    let all = &solver.all;
    let solutions = all.solutions;
    let mut text = format!("{} solved {}", solver.label, solved(all));
    let unfinished = solutions.found.saturating_sub(all.solved);
    if unfinished > 0 {
        text.push_str(&format!("; stopped searches found {}", pluralize(unfinished, "solution")));
    }
    if solutions.found > 0 {
        text.push_str(&format!("; {}", quality(all)));
    }
    text.push('.');
    if let (Some(seconds), Some(nodes)) = (all.seconds, all.generated) {
        text.push_str(&format!(
            " Time per position: {}wall mean {}, median {}, 95th percentile {}. Generated nodes: mean {}, median \
             {}.",
            all.cpu_seconds.map_or_else(String::new, |cpu| format!(
                "CPU mean {}, median {}, 95th percentile {}; ",
                cpu.mean.text(),
                cpu.median.text(),
                cpu.p95.text()
            )),
            seconds.mean.text(),
            seconds.median.text(),
            seconds.p95.text(),
            nodes.mean.text(),
            nodes.median.text(),
        ));
    }
    if let Some(growth) = &solver.growth {
        text.push_str(&format!(
            " Each additional move multiplies its nodes by {} (r² = {}).",
            growth.base.text(),
            growth.r_squared.text()
        ));
    }
    if let Some(bytes) = all.peak_bytes.filter(|bytes| bytes.max.value() > 0.0) {
        text.push_str(&format!(" Peak memory {}.", bytes.max.text()));
    }
    text
}

/// The number of positions solved and the limits that stopped the other searches.
fn solved(summary: &Summary) -> String {
    let positions = pluralize(summary.positions, "position");
    match (summary.solved, summary.positions) {
        (1, 1) => "the only position".into(),
        (solved, all) if solved == all => format!("all {positions}"),
        (0, _) => format!("none of {positions}{}", stops(summary)),
        (solved, _) => format!("{} of {positions}{}", grouped(solved), stops(summary)),
    }
}

/// The quality of the solutions as a clause; the summary has at least one solution.
fn quality(summary: &Summary) -> String {
    let SolutionCounts { found, proven, longer, .. } = summary.solutions;
    let longer = match (longer, excess(summary)) {
        (1, Some(excess)) => format!("1 of them is longer than the best known, {excess}"),
        (2.., Some(excess)) => {
            format!("{} of them are longer than the best known, {excess}", grouped(longer))
        }
        _ => "none is longer than the best known".into(),
    };
    match proven {
        _ if proven == found => "it proved every solution optimal".into(),
        0 if summary.all_optimal() => {
            "it proved no solution optimal, but other solvers proved all of them optimal".into()
        }
        0 => format!("it proved no solution optimal, and {longer}"),
        _ => format!(
            "it proved {} of its {} optimal, and {longer}",
            grouped(proven),
            pluralize(found, "solution")
        ),
    }
}

/// The numbers of stopped searches by limit, in parentheses.
fn stops(summary: &Summary) -> String {
    let limit = |name: &str| match name {
        "time" => "the time limit",
        "nodes" => "the node limit",
        "memory" => "the memory limit",
        "depth" => "its depth limit",
        _ => "a limit",
    };
    let parts: Vec<String> = summary
        .stops
        .iter()
        .map(|(name, count)| format!("{} stopped by {}", grouped(*count), limit(name)))
        .collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}
