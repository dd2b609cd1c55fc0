//! `untumble compare`: solvers on the same positions, compared in a table.

use std::sync::Arc;

use untumble_report::{Row, SeriesObserver, Study, terminal};
use untumble_search::runtime::Runtime;
use untumble_session::number_format;

use crate::cli::{self, Compare};
use crate::comparison::{self, Request};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::measurement_progress::MeasurementProgress;
use crate::output::{self, Answers};

/// Measures and prints.
pub(crate) fn run(arguments: &Compare, runtime: &Runtime) -> Result<Exit, CliError> {
    let comparison_args = &arguments.comparison;
    if comparison_args.progress == cli::Progress::Json {
        output::enable_json_events();
    }
    let Request { contest, exit } = comparison::request(comparison_args, runtime)?;
    interrupt::install_handler()?;
    let progress = Arc::new(MeasurementProgress::new(comparison_args.progress));
    let series: Arc<dyn SeriesObserver> = progress.clone();
    let contest = contest.make_ready(runtime, &series);
    progress.finish();
    let contest = contest?;
    let mut rows = Vec::new();
    let complete = contest.measure(&mut rows, &series, |_| Ok(()));
    progress.finish();
    let complete = complete?;
    if rows.is_empty() {
        return Err(CliError::interrupted("interrupted before the first search was finished"));
    }
    let study = contest.study(contest.subject(), &rows);
    let mut answers = Answers::new();
    if arguments.json {
        answers.json(&study)?;
    } else {
        print(&study, &mut answers)?;
    }
    answers.flush()?;
    if !complete {
        let searches = contest.posed().len() * study.solvers.len();
        let (done, searches) =
            (number_format::grouped(rows.len() as u64), number_format::grouped(searches as u64));
        output::note(&format!("interrupted after {done} of {searches} searches"));
    }
    Ok(comparison::exit(exit, rows.iter().any(Row::stopped), complete))
}

/// Prints the study: subject, tables, conclusions.
pub(super) fn print(study: &Study, answers: &mut Answers) -> Result<(), CliError> {
    let subject = &study.subject;
    answers.line(&format!("{}: {}", subject.puzzle, subject.origin.text()))?;
    answers.line(&format!("{}, untumble {}", study.machine.description(), subject.untumble))?;
    if study.measured() < subject.positions {
        let [done, all] =
            [study.measured(), subject.positions].map(|count| number_format::grouped(count as u64));
        answers.line(&format!("measured so far: {done} of {all} positions"))?;
    }
    for solver in &study.solvers {
        let threads = number_format::counted(solver.name.threads as u64, "thread");
        let tables = if solver.tables.bytes.value() > 0.0 {
            format!(", tables of {} in {}", solver.tables.bytes.text(), solver.tables.seconds.text())
        } else {
            String::new()
        };
        answers.line(&format!("  {}: {threads}{tables}", solver.label))?;
    }
    answers.line("")?;
    answers.text(&terminal::tables(study, output::width()))?;
    answers.line("")?;
    for sentence in &study.sentences.general {
        answers.line(sentence)?;
    }
    Ok(())
}
