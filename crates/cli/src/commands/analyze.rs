//! `untumble analyze`: a comparison with a report, charts and raw results in a folder.

use std::sync::Arc;

use untumble_report::{Earlier, Folder, Opened, RESULTS, Row, SeriesObserver, results};
use untumble_search::runtime::Runtime;
use untumble_session::number_format;

use super::compare;
use crate::cli::{self, Analyze};
use crate::comparison::{self, Request};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::measurement_progress::MeasurementProgress;
use crate::output::{self, Answers};

/// Measures, writes and prints.
pub(crate) fn run(arguments: &Analyze, runtime: &Runtime) -> Result<Exit, CliError> {
    let comparison_args = &arguments.comparison;
    if comparison_args.progress == cli::Progress::Json {
        output::enable_json_events();
    }
    let Request { contest, exit } = comparison::request(comparison_args, runtime)?;
    let earlier = match (arguments.resume, arguments.force) {
        (true, _) => Earlier::Resume,
        (_, true) => Earlier::Replace,
        _ => Earlier::Keep,
    };
    let opened = Folder::open(&arguments.out, earlier)?;
    interrupt::install_handler()?;
    let progress = Arc::new(MeasurementProgress::new(comparison_args.progress));
    let series: Arc<dyn SeriesObserver> = progress.clone();
    let contest = contest.make_ready(runtime, &series);
    progress.finish();
    let contest = contest?;
    let subject = contest.subject();
    let mut folder = match opened {
        Opened::Ready(folder) => folder,
        Opened::Finished(finished) => {
            let stopped = finished.stopped(&subject)?;
            let there = arguments.out.display();
            output::note(&format!(
                "{there} is complete; there is nothing to resume (measure again with --force)"
            ));
            return Ok(comparison::exit(exit, stopped, true));
        }
    };
    let mut rows = folder.begin(&subject, contest.posed())?;
    if !rows.is_empty() {
        output::note(&format!(
            "resuming after {} finished searches",
            number_format::grouped(rows.len() as u64)
        ));
    }
    let complete = contest.measure(&mut rows, &series, |row| folder.keep(row));
    progress.finish();
    if !complete? {
        let searches = contest.posed().len() * subject.entrants.len();
        output::note(&format!(
            "interrupted after {} of {} searches; continue with --resume",
            number_format::grouped(rows.len() as u64),
            number_format::grouped(searches as u64)
        ));
        return Ok(Exit::Interrupted);
    }
    let study = contest.study(subject, &rows);
    folder.publish(&results(&study, &rows, &command())?)?;
    let mut answers = Answers::new();
    compare::print(&study, &mut answers)?;
    answers.flush()?;
    output::note(&format!("report written to {}", arguments.out.join(RESULTS[0]).display()));
    Ok(comparison::exit(exit, rows.iter().any(Row::stopped), true))
}

/// The command line, quoted for a shell.
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
