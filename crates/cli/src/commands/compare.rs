//! `untumble compare`: solvers on the same positions, compared in a table.

use std::sync::Arc;

use untumble_report::{Analysis, Row, SeriesObserver, terminal};
use untumble_search::runtime::Runtime;
use untumble_session::number_format;

use crate::cli::Compare;
use crate::comparison::{self, Request};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::measurement_progress::MeasurementProgress;
use crate::output::{self, Answers};

/// Measures the comparison and prints the analysis.
pub(crate) fn run(arguments: &Compare, runtime: &Runtime) -> Result<Exit, CliError> {
    let comparison_args = &arguments.comparison;
    if comparison_args.progress.is_json() {
        output::enable_json_events();
    }
    let Request { experiment, exit } = comparison::parse_request(comparison_args, runtime)?;
    interrupt::install_handler()?;
    let progress = Arc::new(MeasurementProgress::new(comparison_args.progress.mode));
    let series: Arc<dyn SeriesObserver> = progress.clone();
    let experiment = experiment.prepare(runtime, &series);
    progress.finish();
    let experiment = experiment?;
    let mut rows = Vec::new();
    let complete = experiment.run(&mut rows, &series, |_| Ok(()));
    progress.finish();
    let complete = complete?;
    if rows.is_empty() {
        return Err(CliError::interrupted("interrupted before the first search was finished"));
    }
    let analysis = experiment.analyze(experiment.setup(), &rows);
    let mut answers = Answers::new();
    if arguments.json {
        answers.json(&analysis)?;
    } else {
        print(&analysis, &mut answers)?;
    }
    answers.flush()?;
    if !complete {
        let searches = experiment.instances().len() * analysis.solvers.len();
        let (done, searches) =
            (number_format::grouped(rows.len() as u64), number_format::grouped(searches as u64));
        output::note(&format!("interrupted after {done} of {searches} searches"));
    }
    Ok(comparison::exit(exit, rows.iter().any(Row::stopped), complete))
}

/// Prints the analysis: setup, tables, findings.
pub(super) fn print(analysis: &Analysis, answers: &mut Answers) -> Result<(), CliError> {
    let setup = &analysis.setup;
    answers.line(&format!("{}: {}", setup.puzzle, setup.origin.description()))?;
    answers.line(&format!("{}, untumble {}", analysis.machine.description(), setup.untumble_version))?;
    if analysis.searched_positions() < setup.positions {
        let [done, all] = [analysis.searched_positions(), setup.positions]
            .map(|count| number_format::grouped(count as u64));
        answers.line(&format!("measured so far: {done} of {all} positions"))?;
    }
    for solver in &analysis.solvers {
        let threads = number_format::pluralize(solver.configuration.threads as u64, "thread");
        let tables = if solver.tables.bytes.value() > 0.0 {
            format!(", tables of {} in {}", solver.tables.bytes.text(), solver.tables.seconds.text())
        } else {
            String::new()
        };
        answers.line(&format!("  {}: {threads}{tables}", solver.label))?;
    }
    answers.line("")?;
    answers.text(&terminal::tables(analysis, output::width()))?;
    answers.line("")?;
    for sentence in &analysis.findings.general {
        answers.line(sentence)?;
    }
    Ok(())
}
