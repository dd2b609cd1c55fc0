//! `untumble compare`: several solvers on the same positions, in a table.

use std::sync::Arc;

use untumble_report::{Row, SeriesObserver, Study, terminal};
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
    let Request { contest, exit } = measuring::request(measured, runtime)?;
    interrupt::listen()?;
    let progress = Arc::new(SeriesProgress::new(measured.progress));
    let series: Arc<dyn SeriesObserver> = progress.clone();
    let contest = contest.make_ready(runtime, &series);
    progress.finish();
    let contest = contest?;
    let mut rows = Vec::new();
    let complete = contest.measure(&mut rows, &series, |_| Ok(()));
    progress.finish();
    let complete = complete?;
    if rows.is_empty() {
        return Err(CliError::interrupted("interrupted before anything was measured"));
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
        let (done, searches) = (figures::grouped(rows.len() as u64), figures::grouped(searches as u64));
        output::note(&format!("interrupted after {done} of {searches} searches"));
    }
    Ok(measuring::exit(exit, rows.iter().any(Row::stopped), complete))
}

/// The study for people: what was compared, the tables, what they show.
pub(super) fn print(study: &Study, answers: &mut Answers) -> Result<(), CliError> {
    let subject = &study.subject;
    answers.line(&format!("{}: {}", subject.puzzle, subject.origin.text()))?;
    answers.line(&format!("{}, untumble {}", study.machine.text(), subject.untumble))?;
    if study.measured() < subject.positions {
        let [done, all] = [study.measured(), subject.positions].map(|count| figures::grouped(count as u64));
        answers.line(&format!("measured so far: {done} of {all} positions"))?;
    }
    for solver in &study.solvers {
        let threads = figures::counted(solver.name.threads as u64, "thread");
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
