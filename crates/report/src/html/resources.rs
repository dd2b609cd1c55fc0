//! The tables of resources: memory, growth of the nodes, scaling with threads.

use super::super::analysis::{Analysis, SolverResult};
use super::super::batch_scaling::BatchScaling;
use super::super::columns::Cell;
use super::super::terminal::schedules;
use super::HtmlWriter;
use untumble_session::number_format::{grouped, pluralize};

pub(super) fn write_resources_table(html: &mut HtmlWriter, analysis: &Analysis) {
    let headings = [
        ("solver", "solver"),
        ("threads", "thread limit of each search"),
        ("tables", "size of the solver's tables"),
        ("prepared in", "time to build or load the tables, not included in the search time"),
        ("peak memory", "largest memory of any search, tables included"),
    ];
    html.begin_table("threads, tables and memory", &headings);
    for solver in &analysis.solvers {
        let peak = solver.all.peak_bytes.map(|distribution| distribution.max);
        html.row(
            &solver.label,
            [
                Cell::Count(solver.configuration.threads as u64),
                Cell::Quantity(solver.tables.bytes),
                Cell::Quantity(solver.tables.seconds),
                peak.into(),
            ],
        );
    }
    html.end_table();
}

/// The exponential growth of the nodes with the solution length d, fitted per solver.
pub(super) fn write_growth_table(html: &mut HtmlWriter, analysis: &Analysis) {
    let headings = [
        ("solver", "solver"),
        ("b", "factor by which one more move multiplies the nodes"),
        ("c", "fitted number of nodes at length 0"),
        ("r²", "coefficient of determination of the fit to the logarithms"),
        ("branching", "mean effective branching factor"),
    ];
    html.begin_table("growth, nodes = c · b^d", &headings);
    for SolverResult { label, growth, all, .. } in &analysis.solvers {
        let growth = growth.as_ref();
        html.row(
            label,
            [
                growth.map(|growth| growth.base).into(),
                growth.map(|growth| growth.factor).into(),
                growth.map(|growth| growth.r_squared).into(),
                all.branching.into(),
            ],
        );
    }
    html.end_table();
}

pub(super) fn write_scaling_table(html: &mut HtmlWriter, analysis: &Analysis) {
    if analysis.scaling.is_empty() {
        return;
    }
    let headings = [
        ("solver", "solver"),
        ("threads", "thread limit of each search"),
        ("baseline", "smallest thread count measured"),
        ("positions", "positions solved on both thread counts"),
        ("speed-up", "time on the baseline divided by time on these threads"),
        ("efficiency", "speed-up divided by the ratio of thread counts"),
    ];
    html.begin_table("scaling with threads", &headings);
    for scaling in &analysis.scaling {
        html.row(
            &scaling.configuration.solver,
            [
                Cell::Count(scaling.configuration.threads as u64),
                Cell::Count(scaling.baseline_threads as u64),
                Cell::Count(scaling.positions as u64),
                Cell::Quantity(scaling.speedup),
                Cell::Quantity(scaling.efficiency),
            ],
        );
    }
    html.end_table();
}

/// Whole batches, a table for each solver: threads in rows, schedules side by side.
pub(super) fn write_batch_tables(html: &mut HtmlWriter, analysis: &Analysis) {
    let schedules = schedules(&analysis.batches);
    for of_solver in analysis.batches.chunk_by(|a, b| a.solver == b.solver) {
        let first = &of_solver[0];
        let titles: Vec<[String; 4]> = schedules
            .iter()
            .map(|schedule| {
                [format!("{} wall", schedule.name()), "CPU".into(), "speed-up".into(), "efficiency".into()]
            })
            .collect();
        let tooltips = [
            "median wall-clock time of a batch".to_owned(),
            "median CPU time of all threads".to_owned(),
            format!("wall time on {} divided by that on these threads", first.baseline_threads),
            "speed-up divided by the ratio of thread counts".to_owned(),
        ];
        let mut headings = vec![("threads", "threads of the batch, each with searches of its own")];
        for titles in &titles {
            headings.extend(titles.iter().map(String::as_str).zip(tooltips.iter().map(String::as_str)));
        }
        html.begin_table(&batch_caption(first), &headings);
        for of_threads in of_solver.chunk_by(|a, b| a.threads == b.threads) {
            let cells = schedules.iter().flat_map(|schedule| {
                let batch = of_threads.iter().find(|batch| batch.schedule == *schedule);
                [
                    batch.map(|batch| batch.seconds).into(),
                    batch.and_then(|batch| batch.cpu_seconds).into(),
                    batch.map(|batch| batch.speedup).into(),
                    batch.map(|batch| batch.efficiency).into(),
                ]
            });
            html.row(&of_threads[0].threads.to_string(), cells);
        }
        html.end_table();
    }
}

fn batch_caption(batch: &BatchScaling) -> String {
    let positions = pluralize(batch.positions as u64, "position");
    let rounds = pluralize(batch.rounds as u64, "round");
    let solved = match batch.solved {
        solved if solved == batch.positions => String::new(),
        solved => format!(", {} solved", grouped(solved as u64)),
    };
    format!("batch of {positions}{solved}, {}, median of {rounds}", batch.solver)
}
