//! `untumble analyze`: a comparison with a report, charts and raw results in a folder.

use std::sync::Arc;

use untumble_report::{
    ExistingResults, FolderState, RESULT_FILES, ResultsFolder, Row, SeriesObserver, result_files,
};
use untumble_search::runtime::Runtime;
use untumble_session::number_format;

use super::compare;
use crate::cli::Analyze;
use crate::comparison::{self, Request};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::measurement_progress::MeasurementProgress;
use crate::output::{self, Answers};

/// Measures the comparison, writes the results folder and prints the analysis.
pub(crate) fn run(arguments: &Analyze, runtime: &Runtime) -> Result<Exit, CliError> {
    let comparison_args = &arguments.comparison;
    if comparison_args.progress.is_json() {
        output::enable_json_events();
    }
    let Request { experiment, exit } = comparison::parse_request(comparison_args, runtime)?;
    let existing = match (arguments.resume, arguments.force) {
        (true, _) => ExistingResults::Resume,
        (_, true) => ExistingResults::Replace,
        _ => ExistingResults::Keep,
    };
    let opened = ResultsFolder::open(&arguments.out, existing)?;
    interrupt::install_handler()?;
    let progress = Arc::new(MeasurementProgress::new(comparison_args.progress.mode));
    let series: Arc<dyn SeriesObserver> = progress.clone();
    let experiment = experiment.prepare(runtime, &series);
    progress.finish();
    let experiment = experiment?;
    let setup = experiment.setup();
    let mut folder = match opened {
        FolderState::Open(folder) => folder,
        FolderState::Finished(finished) => {
            let stopped = finished.any_search_stopped(&setup)?;
            let path = arguments.out.display();
            output::note(&format!(
                "{path} is complete; there is nothing to resume (measure again with --force)"
            ));
            return Ok(comparison::exit(exit, stopped, true));
        }
    };
    let mut rows = folder.begin(&setup, experiment.instances())?;
    if !rows.is_empty() {
        output::note(&format!(
            "resuming after {} finished searches",
            number_format::grouped(rows.len() as u64)
        ));
    }
    let complete = experiment.run(&mut rows, &series, |row| folder.append(row));
    progress.finish();
    if !complete? {
        let searches = experiment.instances().len() * setup.configurations.len();
        output::note(&format!(
            "interrupted after {} of {} searches; continue with --resume",
            number_format::grouped(rows.len() as u64),
            number_format::grouped(searches as u64)
        ));
        return Ok(Exit::Interrupted);
    }
    let batches = experiment.run_batches(&series);
    progress.finish();
    let Some(batches) = batches? else {
        output::note("interrupted before all batches were measured; continue with --resume");
        return Ok(Exit::Interrupted);
    };
    let analysis = experiment.analyze(setup, &rows, batches);
    folder.publish(&result_files(&analysis, &rows, &quoted_command())?)?;
    let mut answers = Answers::new();
    compare::print(&analysis, comparison_args.summary, &mut answers)?;
    answers.flush()?;
    output::note(&format!("report written to {}", arguments.out.join(RESULT_FILES[0]).display()));
    Ok(comparison::exit(exit, rows.iter().any(Row::stopped), true))
}

/// The command line, quoted for a shell.
fn quoted_command() -> String {
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
