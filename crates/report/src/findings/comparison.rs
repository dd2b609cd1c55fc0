//! Sentences that compare the solvers of an analysis.

use untumble_session::number_format::{grouped, pluralize};

use super::super::analysis::{Analysis, SolverResult, ThreadScaling};
use super::super::quantity::{Quantity, Unit};
use super::super::summary::SolutionCounts;
use super::{excess, join, leaders, list, ranking};

/// All comparisons that the data supports.
pub(super) fn sentences(analysis: &Analysis) -> Vec<String> {
    let sentences = [
        nothing_solved(analysis),
        solution_quality(analysis),
        time(analysis),
        nodes(analysis),
        growth(analysis),
        memory(analysis),
        stopped(analysis),
    ];
    sentences.into_iter().flatten().chain(scaling(analysis)).collect()
}

/// The solvers that share the best or the worst value of a ranking.
struct Rank {
    /// Their labels as in `a, b and c`.
    labels: String,
    value: Quantity,
    /// `is` or `are`.
    verb: &'static str,
}

/// The smallest and the largest value of a ranking; `None` if all are equal.
fn extremes(ranking: &[(&SolverResult, Quantity)]) -> Option<[Rank; 2]> {
    let (smallest, largest) = (ranking.first()?.1, ranking.last()?.1);
    let reversed: Vec<(&SolverResult, Quantity)> = ranking.iter().rev().copied().collect();
    let rank = |ranking: &[(&SolverResult, Quantity)], value| {
        let leaders = leaders(ranking);
        Rank { labels: list(&leaders), value, verb: if leaders.len() == 1 { "is" } else { "are" } }
    };
    (smallest != largest).then(|| [rank(ranking, smallest), rank(&reversed, largest)])
}

fn ratio(larger: Quantity, smaller: Quantity) -> String {
    Quantity::new(Unit::Factor, larger.value() / smaller.value()).text()
}

fn nothing_solved(analysis: &Analysis) -> Option<String> {
    const REMEDY: &str = "raise the time, node or memory limit, or choose easier positions.";
    if analysis.solvers.iter().any(|solver| solver.all.solved > 0) {
        return None;
    }
    let found = analysis.solvers.iter().any(|solver| solver.all.solutions.found > 0);
    Some(if found {
        format!("Every search was stopped by a limit, so time and nodes cannot be compared; {REMEDY}")
    } else {
        format!("No solver solved any position within its limits, so there is nothing to compare; {REMEDY}")
    })
}

/// The solvers with only optimal solutions, then the solvers with longer solutions in ascending order of the
/// share of the longer ones.
fn solution_quality(analysis: &Analysis) -> Option<String> {
    let optimal: Vec<&SolverResult> =
        analysis.solvers.iter().filter(|solver| solver.all.all_optimal()).collect();
    let mut longer: Vec<&SolverResult> =
        analysis.solvers.iter().filter(|solver| solver.all.solutions.longer > 0).collect();
    let share = |solver: &SolverResult| {
        let SolutionCounts { longer, found, .. } = solver.all.solutions;
        longer as f64 / found as f64
    };
    longer.sort_by(|a, b| share(a).total_cmp(&share(b)));
    let longer = longer.into_iter().filter_map(|solver| {
        let SolutionCounts { longer, found, .. } = solver.all.solutions;
        let verb = if longer == 1 { "is" } else { "are" };
        Some(format!(
            "{} of {} of {} {verb} longer than the best known, {}",
            grouped(longer),
            pluralize(found, "solution"),
            solver.label,
            excess(&solver.all)?
        ))
    });
    let all_optimal = match optimal.as_slice() {
        [] => None,
        [solver] => Some(format!("Every solution of {} is optimal", solver.label)),
        several if several.len() == analysis.solvers.len() => {
            Some("Every solution of every solver is optimal".into())
        }
        several => Some(format!("Every solution of {} is optimal", list(several))),
    };
    let parts: Vec<String> = all_optimal.into_iter().chain(longer).collect();
    (!parts.is_empty()).then(|| parts.join("; ") + ".")
}

fn mean_seconds(solver: &SolverResult) -> Option<Quantity> {
    solver.common.seconds.map(|seconds| seconds.mean)
}

fn mean_nodes(solver: &SolverResult) -> Option<Quantity> {
    solver.common.generated.map(|nodes| nodes.mean)
}

/// The fastest and the slowest solver on the common positions.
fn time(analysis: &Analysis) -> Option<String> {
    let [fastest, slowest] = extremes(&ranking(&analysis.solvers, mean_seconds))?;
    let excluded: Vec<&str> = analysis.excluded.iter().map(String::as_str).collect();
    let exception = if excluded.is_empty() { String::new() } else { format!(" except {}", join(&excluded)) };
    Some(format!(
        "On the {} solved by all solvers{exception}, {} {} fastest (mean {}) and {} {} slowest (mean {}, {} \
         times as long).",
        pluralize(analysis.common_positions as u64, "position"),
        fastest.labels,
        fastest.verb,
        fastest.value.text(),
        slowest.labels,
        slowest.verb,
        slowest.value.text(),
        ratio(slowest.value, fastest.value)
    ))
}

/// The solvers with the fewest and the most nodes on the common positions.
fn nodes(analysis: &Analysis) -> Option<String> {
    let ranked = ranking(&analysis.solvers, mean_nodes);
    let [fewest, most] = extremes(&ranked)?;
    let mut text = format!(
        "On the same positions, {} generated the fewest nodes (mean {}) and {} the most (mean {}, {} times \
         as many).",
        fewest.labels,
        fewest.value.text(),
        most.labels,
        most.value.text(),
        ratio(most.value, fewest.value)
    );
    if let Some(contrast) = nodes_against_time(analysis, &leaders(&ranked)) {
        text.push_str(&contrast);
    }
    Some(text)
}

/// Node rates, if none of the solvers with the fewest nodes is among the fastest.
fn nodes_against_time(analysis: &Analysis, fewest_nodes: &[&SolverResult]) -> Option<String> {
    let fastest = leaders(&ranking(&analysis.solvers, mean_seconds));
    if fastest.iter().any(|solver| fewest_nodes.contains(solver)) {
        return None;
    }
    // Ties are broken by the other quantity, so that the order of the solvers has no influence.
    let with_fewest_nodes = *leaders(&ranking(fewest_nodes.iter().copied(), mean_seconds)).first()?;
    let fast = *leaders(&ranking(fastest.iter().copied(), mean_nodes)).first()?;
    let rate = |rate: Quantity| rate.text().replace("/s", " nodes/s");
    Some(format!(
        " Fewer nodes did not mean less time: {} generated {}, {} only {}.",
        fast.label,
        rate(fast.common.rate?),
        with_fewest_nodes.label,
        rate(with_fewest_nodes.common.rate?)
    ))
}

/// The slowest and the fastest growth of nodes with the solution length.
fn growth(analysis: &Analysis) -> Option<String> {
    let ranked = ranking(&analysis.solvers, |solver| solver.growth.map(|growth| growth.base));
    let [slowest, fastest] = extremes(&ranked)?;
    Some(format!(
        "Nodes grow most slowly with the solution length for {} (by a factor of {} per move) and fastest \
         for {} (by {}).",
        slowest.labels,
        slowest.value.text(),
        fastest.labels,
        fastest.value.text()
    ))
}

/// The smallest and the largest peak memory.
fn memory(analysis: &Analysis) -> Option<String> {
    let ranked = ranking(&analysis.solvers, |solver| solver.all.peak_bytes.map(|bytes| bytes.max));
    let [least, most] = extremes(&ranked)?;
    Some(format!(
        "{} used the least memory (peak {}) and {} the most (peak {}).",
        least.labels,
        least.value.text(),
        most.labels,
        most.value.text()
    ))
}

/// A warning that the means exclude stopped searches.
fn stopped(analysis: &Analysis) -> Option<String> {
    let mut stopped: Vec<&SolverResult> =
        analysis.solvers.iter().filter(|solver| solver.all.stopped > 0 && solver.all.solved > 0).collect();
    stopped.sort_by_key(|solver| solver.all.stopped);
    let parts: Vec<String> = stopped
        .iter()
        .enumerate()
        .map(|(index, solver)| {
            let was_stopped = if index == 0 { " was stopped" } else { "" };
            format!("{}{was_stopped} on {}", solver.label, pluralize(solver.all.stopped, "position"))
        })
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let whose = if parts.len() == 1 { "its" } else { "their" };
    (!parts.is_empty()).then(|| {
        format!(
            "{}: stopped searches are excluded from the means of time and nodes, so {whose} means are \
             too low; compare by solution length.",
            join(&parts)
        )
    })
}

/// Speed-up and efficiency of every thread count, the largest speed-up first.
fn scaling(analysis: &Analysis) -> impl Iterator<Item = String> {
    let mut scalings: Vec<&ThreadScaling> = analysis
        .scaling
        .iter()
        .filter(|scaling| scaling.configuration.threads != scaling.baseline_threads)
        .collect();
    scalings.sort_by(|a, b| b.speedup.value().total_cmp(&a.speedup.value()));
    scalings.into_iter().map(|scaling| {
        let solver = &scaling.configuration.solver;
        let threads = pluralize(scaling.configuration.threads as u64, "thread");
        let (baseline, speedup) = (scaling.baseline_threads, scaling.speedup.value());
        if speedup < 1.0 {
            let slowdown = Quantity::new(Unit::Factor, 1.0 / speedup).text();
            let reason = slowdown_reason(analysis, scaling);
            return format!("{solver} takes {slowdown} times as long on {threads} as on {baseline}{reason}.");
        }
        if speedup == 1.0 {
            return format!("{solver} takes as long on {threads} as on {baseline}.");
        }
        let (speedup, efficiency) = (scaling.speedup.text(), scaling.efficiency.text());
        format!(
            "{solver} is {speedup} times as fast on {threads} as on {baseline} (efficiency {efficiency})."
        )
    })
}

/// Why more threads took longer, if the data explains it.
fn slowdown_reason(analysis: &Analysis, scaling: &ThreadScaling) -> String {
    /// Seconds; starting and joining threads takes tenths of a millisecond.
    const SHORT_SEARCH: f64 = 0.01;
    let baseline = analysis.solvers.iter().find(|solver| {
        solver.configuration.solver == scaling.configuration.solver
            && solver.configuration.threads == scaling.baseline_threads
    });
    let mean = baseline.and_then(|solver| solver.all.seconds).map(|seconds| seconds.mean.value());
    let cores = analysis.machine.cores;
    if mean.is_some_and(|mean| mean < SHORT_SEARCH) {
        ": the searches are too short for several threads".into()
    } else if scaling.configuration.threads > cores {
        format!(": this machine has {}", pluralize(cores as u64, "core"))
    } else {
        String::new()
    }
}
