//! Speed-up and parallel efficiency against the number of threads.

use super::super::super::analysis::Analysis;
use super::super::super::batch_scaling::BatchSchedule;
use super::super::super::quantity::{Quantity, Unit};
use super::super::super::scaling::ThreadScaling;
use super::super::{Axis, Chart, Mark, SeriesStyle};
use untumble_session::number_format::pluralize;

pub(super) fn charts(analysis: &Analysis) -> [Chart; 2] {
    let mut solvers: Vec<&str> = Vec::new();
    let mut threads: Vec<f64> = Vec::new();
    for scaling in &analysis.scaling {
        let configuration = &scaling.configuration;
        if !solvers.contains(&configuration.solver.as_str()) {
            solvers.push(&configuration.solver);
        }
        if !threads.contains(&(configuration.threads as f64)) {
            threads.push(configuration.threads as f64);
        }
    }
    threads.sort_by(f64::total_cmp);
    let (fewest, most) = (threads.first().copied().unwrap_or(1.0), threads.last().copied().unwrap_or(1.0));
    let x = || Axis::with_ticks("threads", Unit::Count, fewest - 0.2..most + 0.2, &threads);
    // The style of the solver's first configuration in the other charts.
    let style = |solver: &str| {
        let index = analysis.solvers.iter().position(|known| known.configuration.solver == solver);
        SeriesStyle::of(index.unwrap_or(0))
    };
    let marks = |quantity: fn(&ThreadScaling) -> Quantity| -> Vec<Mark> {
        let marks_of = |solver: &&str| {
            let scalings = analysis.scaling.iter().filter(|s| s.configuration.solver == **solver);
            let points: Vec<(f64, f64)> =
                scalings.map(|s| (s.configuration.threads as f64, quantity(s).value())).collect();
            let style = style(solver);
            [Mark::Line { style, points: points.clone() }, Mark::Points { style, points }]
        };
        solvers.iter().flat_map(marks_of).collect()
    };
    let legend: Vec<(SeriesStyle, String)> =
        solvers.iter().map(|solver| (style(solver), (*solver).to_owned())).collect();
    let max_speedup = analysis.scaling.iter().map(|s| s.speedup.value()).fold(most / fewest, f64::max);
    let max_efficiency = analysis.scaling.iter().map(|s| s.efficiency.value()).fold(1.0, f64::max);
    let mut speedups = marks(|scaling| scaling.speedup);
    speedups.push(Mark::Guide { from: (fewest, 1.0), to: (most, most / fewest) });
    let mut efficiencies = marks(|scaling| scaling.efficiency);
    efficiencies.push(Mark::Guide { from: (fewest, 1.0), to: (most, 1.0) });
    let cores = pluralize(analysis.machine.cores as u64, "core");
    [
        Chart {
            name: "speedup",
            title: "Speed-up by threads",
            caption: format!(
                "Time on the fewest threads divided by the time on more, over the positions solved by both. \
                 The dashed line is linear speed-up; this machine has {cores}."
            ),
            x: x(),
            y: Axis::linear("speed-up", Unit::Factor, 0.0..max_speedup * 1.05),
            marks: speedups,
            legend: legend.clone(),
        },
        Chart {
            name: "efficiency",
            title: "Parallel efficiency",
            caption: "The speed-up divided by the ratio of thread counts: 100 % is linear speed-up.".into(),
            x: x(),
            y: Axis::linear("efficiency", Unit::Share, 0.0..max_efficiency * 1.05),
            marks: efficiencies,
            legend,
        },
    ]
}

/// The speed-up of whole batches, a line for each solver and schedule; `None` if none was measured.
pub(super) fn batches(analysis: &Analysis) -> Option<Chart> {
    let batches = &analysis.batches;
    let first = batches.first()?;
    let mut series: Vec<(&str, BatchSchedule)> = Vec::new();
    let mut threads: Vec<f64> = Vec::new();
    for batch in batches {
        if !series.contains(&(batch.solver.as_str(), batch.schedule)) {
            series.push((&batch.solver, batch.schedule));
        }
        if !threads.contains(&(batch.threads as f64)) {
            threads.push(batch.threads as f64);
        }
    }
    threads.sort_by(f64::total_cmp);
    let (fewest, most) = (*threads.first()?, *threads.last()?);
    let max_speedup = batches.iter().map(|batch| batch.speedup.value()).fold(most / fewest, f64::max);
    let mut marks = Vec::new();
    for (index, key) in series.iter().enumerate() {
        let of_series = batches.iter().filter(|batch| (batch.solver.as_str(), batch.schedule) == *key);
        let points: Vec<(f64, f64)> =
            of_series.map(|batch| (batch.threads as f64, batch.speedup.value())).collect();
        let style = SeriesStyle::of(index);
        marks.extend([Mark::Line { style, points: points.clone() }, Mark::Points { style, points }]);
    }
    marks.push(Mark::Guide { from: (fewest, 1.0), to: (most, most / fewest) });
    let label = |(solver, schedule): &(&str, BatchSchedule)| format!("{solver}, {}", schedule.name());
    Some(Chart {
        name: "batch-speedup",
        title: "Speed-up of batches by threads",
        caption: format!(
            "All {} as one batch, one thread for each search: wall time on {} divided by that on more, \
             medians of {}. The dashed line is linear speed-up; this machine has {}.",
            pluralize(first.positions as u64, "position"),
            pluralize(first.baseline_threads as u64, "thread"),
            pluralize(first.rounds as u64, "round"),
            pluralize(analysis.machine.cores as u64, "core"),
        ),
        x: Axis::with_ticks("threads", Unit::Count, fewest - 0.2..most + 0.2, &threads),
        y: Axis::linear("speed-up", Unit::Factor, 0.0..max_speedup * 1.05),
        marks,
        legend: series.iter().enumerate().map(|(index, key)| (SeriesStyle::of(index), label(key))).collect(),
    })
}
