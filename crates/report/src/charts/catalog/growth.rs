//! Effective branching factor and fitted growth against the solution length.

use super::super::super::analysis::Analysis;
use super::super::super::quantity::{Quantity, Unit};
use super::super::{Axis, Chart, Mark, SeriesStyle};
use super::{NODES_TITLE, legend, length_axis};

pub(super) fn branching(analysis: &Analysis) -> Chart {
    let mut marks = Vec::new();
    for (index, solver) in analysis.solvers.iter().enumerate() {
        let points: Vec<(f64, f64)> = solver
            .lengths
            .iter()
            .filter_map(|(&length, summary)| Some((f64::from(length), summary.branching?.value())))
            .collect();
        if !points.is_empty() {
            let style = SeriesStyle::of(index);
            marks.extend([Mark::Line { style, points: points.clone() }, Mark::Points { style, points }]);
        }
    }
    let summaries = analysis.solvers.iter().flat_map(|solver| solver.lengths.values());
    let (min, max) = summaries
        .filter_map(|summary| summary.branching)
        .map(Quantity::value)
        .fold((1.0, 1.0), |(min, max): (f64, f64), value| (min.min(value), max.max(value)));
    Chart {
        name: "branching",
        title: "Effective branching factor",
        caption: "The b for which a uniform tree of depth d has as many nodes as the search generated, \
                  1 + b + b² + … + b^d; the mean for each length. A factor of 1 is a search without detours."
            .into(),
        x: length_axis(analysis),
        y: Axis::linear("effective branching factor b", Unit::Factor, min..max * 1.05),
        marks,
        legend: legend(analysis),
    }
}

pub(super) fn growth(analysis: &Analysis) -> Chart {
    let mut marks = Vec::new();
    let mut values = Vec::new();
    for (index, solver) in analysis.solvers.iter().enumerate() {
        let style = SeriesStyle::of(index);
        let medians: Vec<(f64, f64)> = solver
            .lengths
            .iter()
            .filter_map(|(&length, summary)| Some((f64::from(length), summary.generated?.median.value())))
            .collect();
        values.extend(medians.iter().map(|(_, nodes)| *nodes));
        if let (Some(growth), Some(&(first, _)), Some(&(last, _))) =
            (solver.growth, medians.first(), medians.last())
        {
            let ends = [first, last].map(|length| (length, growth.fit.at(length)));
            values.extend(ends.map(|(_, nodes)| nodes));
            marks.push(Mark::Line { style, points: ends.to_vec() });
        }
        if !medians.is_empty() {
            marks.push(Mark::Points { style, points: medians });
        }
    }
    let legend = legend(analysis).into_iter().map(|(style, label)| {
        let solver = analysis.solvers.iter().find(|solver| solver.label == label);
        let growth = solver.and_then(|solver| solver.growth);
        let label = growth.map_or(label.clone(), |growth| format!("{label}: b = {}", growth.base.text()));
        (style, label)
    });
    Chart {
        name: "growth",
        title: "Growth of nodes, fitted as c·b^d",
        caption:
            "Markers are the medians for each length d. Lines are the least-squares fit of the logarithm \
                  of the nodes of all solved positions against d; one more move multiplies the nodes by b."
                .into(),
        x: length_axis(analysis),
        y: Axis::logarithmic(NODES_TITLE, Unit::Count, values),
        marks,
        legend: legend.collect(),
    }
}
