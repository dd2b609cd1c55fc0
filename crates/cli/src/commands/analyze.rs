//! `untumble analyze`: a comparison with everything written down.

use std::sync::Arc;

use untumble_report::{Earlier, Folder, Opened, RESULTS, Row, SeriesObserver, results};
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
    let Request { contest, exit } = measuring::request(measured, runtime)?;
    let earlier = match (arguments.resume, arguments.force) {
        (true, _) => Earlier::Resume,
        (_, true) => Earlier::Replace,
        _ => Earlier::Keep,
    };
    let opened = Folder::open(&arguments.out, earlier)?;
    interrupt::listen()?;
    let progress = Arc::new(SeriesProgress::new(measured.progress));
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
                "{there} is finished; there is nothing to resume (--force measures again)"
            ));
            return Ok(measuring::exit(exit, stopped, true));
        }
    };
    let mut rows = folder.begin(&subject, contest.posed())?;
    if !rows.is_empty() {
        output::note(&format!(
            "going on behind {} searches that are done",
            figures::grouped(rows.len() as u64)
        ));
    }
    let complete = contest.measure(&mut rows, &series, |row| folder.keep(row));
    progress.finish();
    if !complete? {
        let searches = contest.posed().len() * subject.entrants.len();
        output::note(&format!(
            "interrupted after {} of {} searches; --resume goes on from there",
            figures::grouped(rows.len() as u64),
            figures::grouped(searches as u64)
        ));
        return Ok(Exit::Interrupted);
    }
    let study = contest.study(subject, &rows);
    folder.publish(&results(&study, &rows, &command())?)?;
    let mut answers = Answers::new();
    compare::print(&study, &mut answers)?;
    answers.flush()?;
    output::note(&format!("written: {}", arguments.out.join(RESULTS[0]).display()));
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
