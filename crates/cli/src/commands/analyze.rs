//! `untumble analyze`: a comparison with everything written down.

use std::sync::Arc;

use untumble_report::{
    ExistingResults, FolderState, RESULT_FILES, ResultsFolder, Row, SeriesObserver, result_files,
};
use untumble_search::runtime::Runtime;
use untumble_session::figures;

use super::compare;
use crate::cli::{self, Analyze};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::measuring::{self, Request};
use crate::output::{self, Answers};
use crate::series::SeriesProgress;

/// Measures, writes and prints.
pub(crate) fn run(arguments: &Analyze, runtime: &Runtime) -> Result<Exit, CliError> {
    let measured = &arguments.measured;
    if measured.progress == cli::Progress::Json {
        output::speak_events();
    }
    let Request { experiment, exit } = measuring::request(measured, runtime)?;
    let existing = match (arguments.resume, arguments.force) {
        (true, _) => ExistingResults::Resume,
        (_, true) => ExistingResults::Replace,
        _ => ExistingResults::Keep,
    };
    let opened = ResultsFolder::open(&arguments.out, existing)?;
    interrupt::listen()?;
    let progress = Arc::new(SeriesProgress::new(measured.progress));
    let series: Arc<dyn SeriesObserver> = progress.clone();
    let experiment = experiment.prepare(runtime, &series);
    progress.finish();
    let experiment = experiment?;
    let setup = experiment.setup();
    let mut folder = match opened {
        FolderState::Open(folder) => folder,
        FolderState::Finished(finished) => {
            let stopped = finished.stopped(&setup)?;
            let there = arguments.out.display();
            output::note(&format!(
                "{there} is finished; there is nothing to resume (--force measures again)"
            ));
            return Ok(measuring::exit(exit, stopped, true));
        }
    };
    let mut rows = folder.begin(&setup, experiment.instances())?;
    if !rows.is_empty() {
        output::note(&format!(
            "going on behind {} searches that are done",
            figures::grouped(rows.len() as u64)
        ));
    }
    let complete = experiment.run(&mut rows, &series, |row| folder.append(row));
    progress.finish();
    if !complete? {
        let searches = experiment.instances().len() * setup.configurations.len();
        output::note(&format!(
            "interrupted after {} of {} searches; --resume goes on from there",
            figures::grouped(rows.len() as u64),
            figures::grouped(searches as u64)
        ));
        return Ok(Exit::Interrupted);
    }
    let analysis = experiment.analyze(setup, &rows);
    folder.publish(&result_files(&analysis, &rows, &command())?)?;
    let mut answers = Answers::new();
    compare::print(&analysis, &mut answers)?;
    answers.flush()?;
    output::note(&format!("written: {}", arguments.out.join(RESULT_FILES[0]).display()));
    Ok(measuring::exit(exit, rows.iter().any(Row::stopped), true))
}

/// The command that was given, ready to be given again.
fn command() -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+".contains(c);
    let quoted = |word: String| {
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    ["untumble".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
