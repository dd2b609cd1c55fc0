//! Sentences that compare the solvers of an analysis.

use untumble_session::number_format::{grouped, pluralize};

use super::super::analysis::{Analysis, SolverResult};
use super::super::paired::{Measure, Verdict};
use super::super::quantity::{Quantity, Unit};
use super::super::scaling::ThreadScaling;
use super::super::setup::Configuration;
use super::super::summary::{Distribution, SolutionCounts};
use super::{excess, join, leaders, list, ranking};

/// All comparisons that the data supports.
pub(super) fn sentences(analysis: &Analysis) -> Vec<String> {
    let sentences = [
        nothing_solved(analysis),
        solution_quality(analysis),
        time(analysis, clock(analysis)),
        wall_time(analysis),
        nodes(analysis),
        growth(analysis),
        memory(analysis),
        stopped(analysis),
    ];
    let published = analysis.published.iter().flat_map(|published| {
        let labels: Vec<&str> = analysis.solvers.iter().map(|solver| solver.label.as_str()).collect();
        published.sentences(&labels)
    });
    sentences.into_iter().flatten().chain(scaling(analysis)).chain(published).collect()
}

/// The solvers at one end of a ranking. Differences within a group are noise.
struct Rank<'a> {
    solvers: Vec<&'a SolverResult>,
    /// Their labels as in `a, b and c`.
    labels: String,
    /// `is` or `are`.
    verb: &'static str,
}

impl Rank<'_> {
    /// The values of the group, as in `3 ms` or `3 ms to 4 ms`.
    fn values(&self, quantity: impl Fn(&SolverResult) -> Option<Quantity>) -> String {
        let ranked = ranking(self.solvers.iter().copied(), quantity);
        match (ranked.first(), ranked.last()) {
            (Some((_, low)), Some((_, high))) if low != high => format!("{} to {}", low.text(), high.text()),
            (Some((_, value)), _) => value.text(),
            _ => "–".into(),
        }
    }
}

/// Whether the first solver has the smaller values, and not by chance. Counts of single-threaded searches are
/// exact; times, and counts of several threads, are tested.
fn is_less(
    analysis: &Analysis,
    measure: Measure,
    a: (&SolverResult, Quantity),
    b: (&SolverResult, Quantity),
) -> bool {
    let ((first, first_value), (second, second_value)) = (a, b);
    let is_count = matches!(measure, Measure::Generated | Measure::PeakBytes);
    if is_count && first.configuration.threads == 1 && second.configuration.threads == 1 {
        return first_value.value() < second_value.value();
    }
    first.label != second.label && analysis.verdict(measure, &first.label, &second.label) == Verdict::Less
}

/// The solvers with the smallest and with the largest values; `None` if they do not differ beyond noise.
fn extremes<'a>(
    ranking: &[(&'a SolverResult, Quantity)],
    is_less: impl Fn((&SolverResult, Quantity), (&SolverResult, Quantity)) -> bool,
) -> Option<[Rank<'a>; 2]> {
    let (&smallest, &largest) = (ranking.first()?, ranking.last()?);
    if !is_less(smallest, largest) {
        return None;
    }
    let rank = |belongs: &dyn Fn((&'a SolverResult, Quantity)) -> bool| {
        let solvers: Vec<&SolverResult> =
            ranking.iter().filter(|entry| belongs(**entry)).map(|(solver, _)| *solver).collect();
        let verb = if solvers.len() == 1 { "is" } else { "are" };
        Rank { labels: list(&solvers), solvers, verb }
    };
    Some([
        rank(&|entry| !is_less(smallest, entry) && is_less(entry, largest)),
        rank(&|entry| !is_less(entry, largest) && is_less(smallest, entry)),
    ])
}

/// The extremes of the means of a measure.
fn extreme_means<'a>(
    analysis: &'a Analysis,
    measure: Measure,
    mean: impl Fn(&SolverResult) -> Option<Quantity>,
) -> Option<[Rank<'a>; 2]> {
    extremes(&ranking(&analysis.solvers, mean), |a, b| is_less(analysis, measure, a, b))
}

fn ratio(larger: Option<Quantity>, smaller: Option<Quantity>) -> Option<String> {
    let ratio = larger?.value() / smaller?.value();
    Some(Quantity::new(Unit::Factor, ratio).text())
}

/// The ratio of the largest to the smallest mean, if each of the two groups has one solver.
fn ratio_of(
    [smallest, largest]: [&Rank<'_>; 2],
    mean: impl Fn(&SolverResult) -> Option<Quantity>,
    words: &str,
) -> String {
    match (smallest.solvers.as_slice(), largest.solvers.as_slice()) {
        ([small], [large]) => {
            ratio(mean(large), mean(small)).map_or_else(String::new, |ratio| format!(", {ratio} {words}"))
        }
        _ => String::new(),
    }
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

/// The solvers with only optimal solutions, then those with solutions longer than the best known, the
/// smallest share of such solutions first.
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

fn seconds(measure: Measure, solver: &SolverResult) -> Option<Distribution> {
    if measure == Measure::CpuSeconds { solver.common.cpu_seconds } else { solver.common.seconds }
}

fn mean_nodes(solver: &SolverResult) -> Option<Quantity> {
    solver.common.generated.map(|nodes| nodes.mean)
}

/// The time that the findings compare: CPU time if it was measured for every solver that solved a position,
/// otherwise wall time. The work of a GPU takes no CPU time, so with a GPU it is wall time.
pub(crate) fn clock(analysis: &Analysis) -> Measure {
    let mut solvers = analysis.solvers.iter().filter(|solver| solver.common.solved > 0);
    let measured = solvers.all(|solver| solver.common.cpu_seconds.is_some() && solver.device.is_none());
    if measured { Measure::CpuSeconds } else { Measure::Seconds }
}

/// The fastest and the slowest solver on the common positions.
fn time(analysis: &Analysis, measure: Measure) -> Option<String> {
    let mean = |solver: &SolverResult| seconds(measure, solver).map(|seconds| seconds.mean);
    let median = |solver: &SolverResult| seconds(measure, solver).map(|seconds| seconds.median);
    let [fastest, slowest] = extreme_means(analysis, measure, mean)?;
    let excluded: Vec<&str> = analysis.excluded.iter().map(String::as_str).collect();
    let exception = if excluded.is_empty() { String::new() } else { format!(" except {}", join(&excluded)) };
    let clock = if measure == Measure::CpuSeconds { "CPU" } else { "wall" };
    Some(format!(
        "On the {} solved by all solvers{exception}, {} {} fastest in {clock} time (mean {}, median {}) and \
         {} {} slowest (mean {}, median {}{}).",
        pluralize(analysis.common_positions as u64, "position"),
        fastest.labels,
        fastest.verb,
        fastest.values(mean),
        fastest.values(median),
        slowest.labels,
        slowest.verb,
        slowest.values(mean),
        slowest.values(median),
        ratio_of([&fastest, &slowest], mean, "times as long")
    ))
}

/// Wall time, if several threads make it differ from CPU time.
fn wall_time(analysis: &Analysis) -> Option<String> {
    let parallel = analysis.solvers.iter().any(|solver| solver.configuration.threads > 1);
    if parallel && clock(analysis) == Measure::CpuSeconds { time(analysis, Measure::Seconds) } else { None }
}

/// The solvers with the fewest and the most nodes on the common positions.
fn nodes(analysis: &Analysis) -> Option<String> {
    let [fewest, most] = extreme_means(analysis, Measure::Generated, mean_nodes)?;
    let median = |solver: &SolverResult| solver.common.generated.map(|nodes| nodes.median);
    let mut text = format!(
        "On the {} solved by all, {} generated the fewest nodes (mean {}, median {}) and {} the most (mean \
         {}, median {}{}).",
        pluralize(analysis.common_positions as u64, "position"),
        fewest.labels,
        fewest.values(mean_nodes),
        fewest.values(median),
        most.labels,
        most.values(mean_nodes),
        most.values(median),
        ratio_of([&fewest, &most], mean_nodes, "times as many")
    );
    if let Some(contrast) = nodes_against_time(analysis, &fewest.solvers) {
        text.push_str(&contrast);
    }
    Some(text)
}

/// Node rates, if none of the solvers with the fewest nodes is among the fastest.
fn nodes_against_time(analysis: &Analysis, fewest_nodes: &[&SolverResult]) -> Option<String> {
    let clock = clock(analysis);
    let mean = |solver: &SolverResult| seconds(clock, solver).map(|seconds| seconds.mean);
    let [fastest, _] = extreme_means(analysis, clock, mean)?;
    // Of the solvers with the fewest nodes the fastest, and of the fastest the one with the fewest nodes: the
    // choice does not depend on the order of the solvers.
    let with_fewest_nodes = *leaders(&ranking(fewest_nodes.iter().copied(), mean)).first()?;
    let fast = *leaders(&ranking(fastest.solvers.iter().copied(), mean_nodes)).first()?;
    let (fast_rate, other_rate) = (fast.common.rate?, with_fewest_nodes.common.rate?);
    let is_faster = analysis.verdict(clock, &fast.label, &with_fewest_nodes.label) == Verdict::Less;
    if !is_faster || fast_rate.value() <= other_rate.value() {
        return None;
    }
    let rate = |rate: Quantity| rate.text().replace("/s", " nodes/s");
    Some(format!(
        " Fewer nodes did not mean less time: {} generated {}, {} only {}.",
        fast.label,
        rate(fast_rate),
        with_fewest_nodes.label,
        rate(other_rate)
    ))
}

/// The slowest and the fastest growth of nodes with the solution length.
fn growth(analysis: &Analysis) -> Option<String> {
    let base = |solver: &SolverResult| solver.growth.map(|growth| growth.base);
    let grows_slower = |(a, _): (&SolverResult, Quantity), (b, _): (&SolverResult, Quantity)| {
        analysis.growth_differences.iter().any(|(slow, fast)| *slow == a.label && *fast == b.label)
    };
    let [slowest, fastest] = extremes(&ranking(&analysis.solvers, base), grows_slower)?;
    Some(format!(
        "Nodes grow most slowly with the solution length for {} (by a factor of {} per move) and fastest \
         for {} (by {}).",
        slowest.labels,
        slowest.values(base),
        fastest.labels,
        fastest.values(base)
    ))
}

/// The smallest and the largest peak memory.
fn memory(analysis: &Analysis) -> Option<String> {
    let peak = |solver: &SolverResult| solver.all.peak_bytes.map(|bytes| bytes.max);
    let [least, most] = extreme_means(analysis, Measure::PeakBytes, peak)?;
    Some(format!(
        "{} used the least memory (peak {}) and {} the most (peak {}).",
        least.labels,
        least.values(peak),
        most.labels,
        most.values(peak)
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
             too low; compare positions of the same solution length instead.",
            join(&parts)
        )
    })
}

/// Speed-up and efficiency of every thread count, the largest speed-up first. Wall times that differ only by
/// noise make no sentence.
fn scaling(analysis: &Analysis) -> impl Iterator<Item = String> {
    let mut scalings: Vec<&ThreadScaling> = analysis
        .scaling
        .iter()
        .filter(|scaling| scaling.configuration.threads != scaling.baseline_threads)
        .filter(|scaling| differs_from_baseline(analysis, scaling))
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
        let (speedup, efficiency) = (scaling.speedup.text(), scaling.efficiency.text());
        format!(
            "{solver} is {speedup} times as fast on {threads} as on {baseline} (efficiency {efficiency})."
        )
    })
}

/// Whether the wall time on this number of threads differs from that of the baseline by more than noise.
fn differs_from_baseline(analysis: &Analysis, scaling: &ThreadScaling) -> bool {
    let label = |threads: usize| {
        let solver = scaling.configuration.solver.clone();
        analysis.setup.label(&Configuration { solver, threads })
    };
    let [these, baseline] = [scaling.configuration.threads, scaling.baseline_threads].map(label);
    matches!(analysis.verdict(Measure::Seconds, &these, &baseline), Verdict::Less | Verdict::Greater)
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
