//! Bar charts: the mean of each solver with a whisker for its distribution.

use super::super::super::analysis::{Analysis, SolverResult};
use super::super::super::quantity::{Quantity, Unit};
use super::super::super::summary::{Distribution, Summary};
use super::super::{Axis, Chart, Mark, SeriesStyle};
use super::ChartClock;

/// Axes and marks of a bar chart, with one bar for each solver that has the distribution.
fn bars(
    analysis: &Analysis,
    distribution: impl Fn(&Summary) -> Option<Distribution>,
    whisker: fn(&Distribution) -> (Quantity, Quantity),
    axis: impl Fn(&[Distribution]) -> Axis,
) -> (Axis, Axis, Vec<Mark>) {
    let available: Vec<(usize, &SolverResult, Distribution)> = analysis
        .solvers
        .iter()
        .enumerate()
        .filter_map(|(index, solver)| Some((index, solver, distribution(&solver.all)?)))
        .collect();
    let distributions: Vec<Distribution> =
        available.iter().map(|(_, _, distribution)| *distribution).collect();
    let mut marks = Vec::new();
    for (row, (index, _, distribution)) in available.iter().enumerate() {
        let mean = distribution.mean;
        let (from, to) = whisker(distribution);
        marks.push(Mark::Bar { style: SeriesStyle::of(*index), row, to: mean.value() });
        marks.push(Mark::Whisker { row, from: from.value(), to: to.value() });
        marks.push(Mark::Label { row, x: to.value().max(mean.value()), text: mean.text() });
    }
    let names = Axis::categories(available.iter().map(|(_, solver, _)| solver.label.clone()));
    (axis(&distributions).with_label_margin(), names, marks)
}

/// Mean solution length, nodes and time.
pub(super) fn averages(analysis: &Analysis) -> [Chart; 3] {
    let percentiles = |distribution: &Distribution| (distribution.p05, distribution.p95);
    let values = |distributions: &[Distribution]| -> Vec<f64> {
        distributions.iter().flat_map(|d| [d.p05, d.mean, d.p95]).map(Quantity::value).collect()
    };
    let clock = ChartClock::of(analysis);
    let chart = |name, title, caption: &str, (x, y, marks)| {
        let caption = format!("{caption} Whiskers span the 5th to the 95th percentile.");
        Chart { name, title, caption, x, y, marks, legend: Vec::new() }
    };
    [
        chart(
            "average-moves",
            "Mean solution length",
            "Mean over all solutions of the solver.",
            bars(
                analysis,
                |summary| summary.length,
                percentiles,
                |distributions| {
                    let max = values(distributions).into_iter().fold(1.0, f64::max);
                    Axis::linear("solution length (moves)", Unit::Count, 0.0..max)
                },
            ),
        ),
        chart(
            "average-nodes",
            "Mean generated nodes",
            "Mean over the positions solved.",
            bars(
                analysis,
                |summary| summary.generated,
                percentiles,
                |distributions| Axis::for_log_bars("generated nodes", Unit::Count, values(distributions)),
            ),
        ),
        chart(
            "average-runtime",
            "Mean runtime",
            "Mean over the positions solved.",
            bars(
                analysis,
                |summary| clock.distribution(summary),
                percentiles,
                |distributions| Axis::for_log_bars(clock.name(), Unit::Seconds, values(distributions)),
            ),
        ),
    ]
}

/// Mean and maximum of the peak memory.
pub(super) fn memory(analysis: &Analysis) -> Chart {
    let (x, y, marks) = bars(
        analysis,
        |summary| summary.peak_bytes,
        |distribution| (distribution.mean, distribution.max),
        |distributions| {
            let values = distributions.iter().flat_map(|d| [d.mean, d.max]).map(Quantity::value);
            Axis::for_log_bars("peak memory", Unit::Bytes, values)
        },
    );
    let caption = "Peak memory of a search, tables included: bars show the mean, whiskers extend to the \
                   maximum. Depth-first solvers store only the current path."
        .into();
    Chart {
        name: "memory",
        title: "Peak memory, mean of all searches",
        caption,
        x,
        y,
        marks,
        legend: Vec::new(),
    }
}
