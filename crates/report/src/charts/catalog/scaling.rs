//! Speed-up and parallel efficiency against the number of threads.

use super::super::super::analysis::{Analysis, ThreadScaling};
use super::super::super::quantity::{Quantity, Unit};
use super::super::{Axis, Chart, Mark, SeriesStyle};

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
    let cores = untumble_session::number_format::pluralize(analysis.machine.cores as u64, "core");
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
