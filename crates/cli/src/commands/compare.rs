//! `untumble compare`: several solvers on the same positions, in a table.

use std::sync::Arc;

use untumble_report::{Analysis, Row, SeriesObserver, terminal};
use untumble_search::runtime::Runtime;
use untumble_session::figures;

use crate::cli::{self, Compare};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::measuring::{self, Request};
use crate::output::{self, Answers};
use crate::series::SeriesProgress;

/// Measures and prints.
pub(crate) fn run(arguments: &Compare, runtime: &Runtime) -> Result<Exit, CliError> {
    let measured = &arguments.measured;
    if measured.progress == cli::Progress::Json {
        output::speak_events();
    }
    let Request { experiment, exit } = measuring::request(measured, runtime)?;
    interrupt::listen()?;
    let progress = Arc::new(SeriesProgress::new(measured.progress));
    let series: Arc<dyn SeriesObserver> = progress.clone();
    let experiment = experiment.prepare(runtime, &series);
    progress.finish();
    let experiment = experiment?;
    let mut rows = Vec::new();
    let complete = experiment.run(&mut rows, &series, |_| Ok(()));
    progress.finish();
    let complete = complete?;
    if rows.is_empty() {
        return Err(CliError::interrupted("interrupted before anything was measured"));
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
        let (done, searches) = (figures::grouped(rows.len() as u64), figures::grouped(searches as u64));
        output::note(&format!("interrupted after {done} of {searches} searches"));
    }
    Ok(measuring::exit(exit, rows.iter().any(Row::stopped), complete))
}

/// Prints setup, tables and findings.
pub(super) fn print(analysis: &Analysis, answers: &mut Answers) -> Result<(), CliError> {
    let setup = &analysis.setup;
    answers.line(&format!("{}: {}", setup.puzzle, setup.origin.description()))?;
    answers.line(&format!("{}, untumble {}", analysis.machine.text(), setup.untumble))?;
    if analysis.measured() < setup.positions {
        let [done, all] = [analysis.measured(), setup.positions].map(|count| figures::grouped(count as u64));
        answers.line(&format!("measured so far: {done} of {all} positions"))?;
    }
    for solver in &analysis.solvers {
        let threads = figures::counted(solver.configuration.threads as u64, "thread");
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
