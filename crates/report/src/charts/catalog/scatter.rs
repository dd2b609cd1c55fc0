//! Scatter plots: one marker for each solved position.

use untumble_search::puzzle::Cost;

use super::super::super::analysis::{Analysis, Rows, SolverResult};
use super::super::super::quantity::Unit;
use super::super::super::row::Row;
use super::super::super::summary::{Distribution, Summary};
use super::super::{Axis, Chart, Mark, SeriesStyle};
use super::{ChartClock, NODES_TITLE, legend, length_axis, marks};

/// The horizontal offset of a solver within a length, so that the markers of solvers do not overlap.
fn offset(solver: usize, count: usize) -> f64 {
    const WIDTH: f64 = 0.7;
    (solver as f64 + 0.5) / count as f64 * WIDTH - WIDTH / 2.0
}

/// One marker for each solved position; `x` receives the solver's index, the row and the best known length.
fn points(
    analysis: &Analysis,
    rows: &Rows<'_>,
    x: impl Fn(usize, &Row, Cost) -> f64,
    y: impl Fn(&Row) -> f64,
) -> Vec<Mark> {
    marks(analysis, |(index, solver): (usize, &SolverResult)| {
        let rows = rows.of(&solver.configuration);
        let solved = rows.iter().filter(|(row, _)| row.solved());
        let points = solved.filter_map(|(row, best)| Some((x(index, row, (*best)?.length), y(row))));
        Mark::Points { style: SeriesStyle::of(index), points: points.collect() }
    })
}

/// A line through the medians of each length.
fn medians(analysis: &Analysis, distribution: impl Fn(&Summary) -> Option<Distribution>) -> Vec<Mark> {
    let count = analysis.solvers.len();
    marks(analysis, |(index, solver): (usize, &SolverResult)| {
        let points = solver.lengths.iter().filter_map(|(&length, summary)| {
            Some((f64::from(length) + offset(index, count), distribution(summary)?.median.value()))
        });
        Mark::Line { style: SeriesStyle::of(index), points: points.collect() }
    })
}

pub(super) fn charts(analysis: &Analysis, rows: &Rows<'_>) -> Vec<Chart> {
    let clock = ChartClock::of(analysis);
    let seconds = |row: &Row| clock.seconds(row);
    let nodes = |row: &Row| row.generated as f64;
    let count = analysis.solvers.len();
    let by_length = |index: usize, _: &Row, length: Cost| f64::from(length) + offset(index, count);
    let solved = || rows.iter().filter(|(row, _)| row.solved()).map(|(row, _)| row);
    let time_axis = || Axis::logarithmic(&clock.title(), Unit::Seconds, solved().map(seconds));
    let node_axis = || Axis::logarithmic(NODES_TITLE, Unit::Count, solved().map(nodes));
    let marker_note =
        "One marker per position, solvers side by side within a length; lines join the medians.";
    let with_medians = |mut points: Vec<Mark>, medians: Vec<Mark>| {
        points.extend(medians);
        points
    };
    vec![
        Chart {
            name: "runtime-by-moves",
            title: "Runtime against moves",
            caption: format!("{} for each position. {marker_note}", clock.sentence_name()),
            x: length_axis(analysis),
            y: time_axis(),
            marks: with_medians(
                points(analysis, rows, by_length, seconds),
                medians(analysis, |summary| clock.distribution(summary)),
            ),
            legend: legend(analysis),
        },
        Chart {
            name: "nodes-by-moves",
            title: "Nodes against moves",
            caption: format!("Generated nodes for each position. {marker_note}"),
            x: length_axis(analysis),
            y: node_axis(),
            marks: with_medians(
                points(analysis, rows, by_length, nodes),
                medians(analysis, |summary| summary.generated),
            ),
            legend: legend(analysis),
        },
        Chart {
            name: "nodes-by-runtime",
            title: "Nodes against runtime",
            caption: "One marker per position. A solver with a constant node rate lies on a rising straight \
                      line; markers further to the upper left have a higher rate."
                .into(),
            x: time_axis(),
            y: node_axis(),
            marks: points(analysis, rows, |_, row, _| clock.seconds(row), nodes),
            legend: legend(analysis),
        },
    ]
}
