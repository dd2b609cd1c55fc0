//! `untumble bench`: measures a suite of searches and compares it with a saved run.

use std::sync::Arc;

use serde::Serialize;

use untumble_puzzles::suites::{self, Suite};
use untumble_report::SeriesObserver;
use untumble_report::bench::baseline::{self, CaseComparison};
use untumble_report::bench::{self, OutputFile, SuiteResults};
use untumble_search::runtime::Runtime;
use untumble_session::number_format;
use untumble_session::text_table::DefinitionTable;

use crate::cli::Bench;
use crate::exit::{CliError, Exit};
use crate::explain::did_you_mean;
use crate::interrupt;
use crate::measurement_progress::MeasurementProgress;
use crate::output::{self, Answers};
use crate::position_set;
use crate::puzzle_input;

/// One line of JSON.
#[derive(Serialize)]
struct BenchLine<'a> {
    #[serde(flatten)]
    results: &'a SuiteResults,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<&'a [CaseComparison]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remarks: Option<&'a [String]>,
}

/// Measures a suite, or lists all suites.
pub(crate) fn run(arguments: &Bench, runtime: &Runtime) -> Result<Exit, CliError> {
    let Some(suite) = &find_suite(arguments, runtime)? else { return list(runtime) };
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let before = arguments.against.as_deref().map(|path| baseline::read(path, suite.name)).transpose()?;
    let save = arguments.save.as_deref().map(OutputFile::check_writable).transpose()?;
    interrupt::install_handler()?;
    let progress = Arc::new(MeasurementProgress::new(arguments.progress.mode));
    let series: Arc<dyn SeriesObserver> = progress.clone();
    let results = bench::run(suite, arguments.rounds, runtime, &series);
    progress.finish();
    let results = results?;
    let compared = before.as_ref().map(|before| baseline::compare(&results, before));
    let remarks = before.as_ref().map(|before| baseline::remarks(&results, before));
    let mut answers = Answers::new();
    if arguments.json {
        let (compared, remarks) = (compared.as_deref(), remarks.as_deref());
        answers.json(&BenchLine { results: &results, compared, remarks })?;
    } else {
        print(suite, &results, &mut answers)?;
        if let Some(compared) = &compared {
            answers.line("")?;
            answers.text(&baseline::table(compared))?;
            remarks.iter().flatten().try_for_each(|remark| answers.line(remark))?;
        }
    }
    answers.flush()?;
    if let Some(target) = save {
        target.write(&results)?;
        output::note(&format!("saved to {}", target.path().display()));
    }
    Ok(Exit::Success)
}

/// The suites that this program and its devices can run.
fn available(runtime: &Runtime) -> Vec<Suite> {
    let mut suites = suites::all();
    suites.retain(|suite| !suite.needs_device || runtime.devices.is_some());
    suites
}

/// The suite that the arguments name, or the solvers on a published list; `None` without a name.
fn find_suite(arguments: &Bench, runtime: &Runtime) -> Result<Option<Suite>, CliError> {
    if let Some(name) = &arguments.set {
        let set = position_set::find(name)?;
        // Solver texts are checked before any table is built.
        let puzzle = position_set::puzzle_args(&set, None, None, None)?;
        let puzzle = puzzle_input::open_puzzle(&puzzle)?;
        for solver in &arguments.with {
            untumble_session::parse_solver(&*puzzle, runtime, solver, false)?;
        }
        let threads = arguments.threads.unwrap_or(1);
        return position_set::suite(&set, &arguments.with, arguments.count, threads).map(Some);
    }
    let Some(name) = &arguments.suite else { return Ok(None) };
    let suites = available(runtime);
    let suggestion = did_you_mean(name, suites.iter().map(|suite| suite.name));
    let suite = suites.into_iter().find(|suite| suite.name == name);
    let unknown = || CliError::usage(format!("there is no suite `{name}`{suggestion} (`untumble bench`)"));
    suite.ok_or_else(unknown).map(Some)
}

fn list(runtime: &Runtime) -> Result<Exit, CliError> {
    let mut table = DefinitionTable::default();
    for suite in available(runtime) {
        table.row(
            suite.name,
            format!("{} ({})", suite.what, number_format::pluralize(suite.cases.len() as u64, "case")),
        );
    }
    let width = output::width();
    let mut answers = Answers::new();
    answers.text(&table.render(width))?;
    answers.line("")?;
    answers.text(&position_set::listing(width))?;
    answers.flush()?;
    Ok(Exit::Success)
}

fn print(suite: &Suite, results: &SuiteResults, answers: &mut Answers) -> Result<(), CliError> {
    answers.line(&format!("{}: {}", suite.name, suite.what))?;
    let rounds = number_format::pluralize(results.rounds as u64, "round");
    answers.line(&format!("{}, untumble {}, {rounds}", results.machine.description(), results.untumble))?;
    if let Some(device) = &results.device {
        answers.line(&format!("on {device}"))?;
    }
    answers.line("")?;
    answers.text(&results.table())?;
    results.published_sentences().iter().try_for_each(|sentence| answers.line(sentence))
}
