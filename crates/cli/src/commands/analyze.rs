//! `untumble analyze`: a comparison with everything written down.

use crate::analysis::charts;
use crate::analysis::contest::Contest;
use crate::analysis::folder::{Earlier, Folder, Opened, RESULTS};
use crate::analysis::report;
use crate::analysis::row::{self, Row};
use crate::analysis::study::{Rows, Study};
use crate::cli::{self, Analyze};
use crate::exit::{CliError, Exit};
use crate::figures;
use crate::interrupt;
use crate::output::{self, Answers};

use super::compare;

/// Measures, writes and prints.
pub(crate) fn run(arguments: &Analyze) -> Result<Exit, CliError> {
    let measured = &arguments.measured;
    if measured.progress == cli::Progress::Json {
        output::speak_events();
    }
    let mut contest = Contest::read(measured)?;
    let earlier = match (arguments.resume, arguments.force) {
        (true, _) => Earlier::Resume,
        (_, true) => Earlier::Replace,
        _ => Earlier::Keep,
    };
    let opened = Folder::open(&arguments.out, earlier)?;
    interrupt::listen()?;
    contest.make_ready()?;
    let subject = contest.subject(measured);
    let mut folder = match opened {
        Opened::Ready(folder) => folder,
        Opened::Finished(finished) => {
            let stopped = finished.stopped(&subject)?;
            let there = arguments.out.display();
            output::note(&format!(
                "{there} is finished; there is nothing to resume (--force measures again)"
            ));
            return Ok(contest.exit(stopped, true));
        }
    };
    let mut rows = folder.begin(&subject, contest.posed())?;
    if !rows.is_empty() {
        output::note(&format!(
            "going on behind {} searches that are done",
            figures::grouped(rows.len() as u64)
        ));
    }
    let complete = contest.measure(&mut rows, |row| folder.keep(row))?;
    if !complete {
        let searches = contest.posed().len() * subject.entrants.len();
        output::note(&format!(
            "interrupted after {} of {} searches; --resume goes on from there",
            figures::grouped(rows.len() as u64),
            figures::grouped(searches as u64)
        ));
        return Ok(Exit::Interrupted);
    }
    let study = contest.study(subject, &rows);
    folder.publish(&results(&study, &rows)?)?;
    let mut answers = Answers::new();
    compare::print(&study, &mut answers)?;
    answers.flush()?;
    output::note(&format!("written: {}", arguments.out.join(RESULTS[0]).display()));
    Ok(contest.exit(rows.iter().any(Row::stopped), complete))
}

/// Everything to be written, by the names of the files.
fn results(study: &Study, rows: &[Row]) -> Result<Vec<(String, Vec<u8>)>, CliError> {
    let rows = Rows::new(rows);
    let charts = charts::all(study, &rows);
    let mut files = Vec::new();
    for chart in &charts {
        files.push((format!("{}.svg", chart.name), chart.svg()?.into_bytes()));
        files.push((format!("{}.png", chart.name), chart.png()?));
    }
    files.push(("results.csv".into(), row::table(rows.iter())));
    let json = serde_json::to_vec_pretty(study)
        .map_err(|error| CliError::environment(format!("the results do not fit JSON: {error}")))?;
    files.push(("results.json".into(), json));
    files.push(("report.html".into(), report::page(study, &charts, &command())?.into_bytes()));
    Ok(files)
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
