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
    let batches = if complete { experiment.run_batches(&series) } else { Ok(Some(Vec::new())) };
    progress.finish();
    let batches = batches?;
    let batches_complete = batches.is_some();
    let analysis = experiment.analyze(experiment.setup(), &rows, batches.unwrap_or_default());
    let mut answers = Answers::new();
    if arguments.json {
        answers.json(&analysis)?;
    } else {
        print(&analysis, comparison_args.summary, &mut answers)?;
    }
    answers.flush()?;
    if !batches_complete {
        output::note("interrupted before all batches were measured");
    }
    if !complete {
        let searches = experiment.instances().len() * analysis.solvers.len();
        let (done, searches) =
            (number_format::grouped(rows.len() as u64), number_format::grouped(searches as u64));
        output::note(&format!("interrupted after {done} of {searches} searches"));
    }
    Ok(comparison::exit(exit, rows.iter().any(Row::stopped), complete && batches_complete))
}

/// Prints the analysis: setup, tables, findings; of the tables only totals if `summary`.
pub(super) fn print(analysis: &Analysis, summary: bool, answers: &mut Answers) -> Result<(), CliError> {
    let setup = &analysis.setup;
    let (width, prose_width) = (output::width(), output::prose_width());
    let origin = format!("{}: {}", setup.puzzle, setup.origin.description());
    answers.text(&terminal::paragraph(&origin, prose_width))?;
    let machine = format!("{}, untumble {}", analysis.machine.description(), setup.untumble_version);
    answers.text(&terminal::paragraph(&machine, prose_width))?;
    let devices = analysis.devices();
    if !devices.is_empty() {
        answers.text(&terminal::paragraph(&format!("GPU: {}", devices.join(", ")), prose_width))?;
    }
    if analysis.searched_positions() < setup.positions {
        let [done, all] = [analysis.searched_positions(), setup.positions]
            .map(|count| number_format::grouped(count as u64));
        answers.line(&format!("measured so far: {done} of {all} positions"))?;
    }
    answers.text(&terminal::solvers(analysis, width))?;
    let totals = if summary { terminal::summary } else { terminal::tables };
    let published = if summary { None } else { terminal::published(analysis, width) };
    let tables = [Some(totals(analysis, width)), published, terminal::batches(analysis, width)];
    for table in tables.iter().flatten() {
        answers.line("")?;
        answers.text(table)?;
    }
    answers.line("")?;
    for sentence in &analysis.findings.general {
        answers.text(&terminal::paragraph(sentence, prose_width))?;
    }
    Ok(())
}
