//! `untumble gpu`: which graphics processors there are, and whether they count right.

use std::sync::Arc;

use serde::Serialize;

use untumble_gpu::{Adapter, adapters, open};
use untumble_puzzles::catalog::{self, Settings};
use untumble_puzzles::suites::{self, Case, Positions};
use untumble_search::control::{Control, Limits, Observer};
use untumble_search::frontend::{DynPuzzle, InputFormat, Parsed, Prepared};
use untumble_search::report::{Outcome, Report};
use untumble_search::runtime::Runtime;
use untumble_search::solve::gpu;
use untumble_search::spec::Spec;

use crate::cli::Gpu;
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::output::{self, Answers};
use crate::progress::Watch;
use untumble_session::figures;
use untumble_session::layout::Table;

/// An adapter for programs.
#[derive(Serialize)]
struct Line<'a> {
    number: usize,
    name: &'a str,
    kind: &'a str,
    interface: &'a str,
    driver: &'a str,
    software: bool,
    most_binding_bytes: u64,
    most_buffer_bytes: u64,
    most_buffers: u32,
    most_lanes: u32,
    group_bytes: u32,
    /// What is wrong with it; nothing where it counts right.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Option<String>>,
}

/// Lists them, and checks each unless told not to.
pub(crate) fn run(arguments: &Gpu) -> Result<Exit, CliError> {
    interrupt::listen()?;
    let all = adapters();
    if all.is_empty() {
        return Err(CliError::environment(open(None).err().map_or_else(String::new, |why| why.to_string())));
    }
    let mut answers = Answers::new();
    let mut exit = Exit::Solved;
    for (number, adapter) in all.iter().enumerate() {
        let fault = if arguments.no_check { None } else { Some(check(number)?) };
        if matches!(fault, Some(Some(_))) {
            exit = Exit::Internal;
        }
        if arguments.json {
            answers.json(&line(number, adapter, fault))?;
        } else {
            answers.text(&described(number, adapter, fault.as_ref()))?;
        }
        answers.flush()?;
    }
    Ok(exit)
}

fn line(number: usize, adapter: &Adapter, fault: Option<Option<String>>) -> Line<'_> {
    Line {
        number,
        name: &adapter.name,
        kind: adapter.kind,
        interface: adapter.interface,
        driver: &adapter.driver,
        software: adapter.software,
        most_binding_bytes: adapter.max_binding_bytes,
        most_buffer_bytes: adapter.max_buffer_bytes,
        most_buffers: adapter.max_storage_buffers,
        most_lanes: adapter.max_workgroup_size,
        group_bytes: adapter.workgroup_memory_bytes,
        fault,
    }
}

fn described(number: usize, adapter: &Adapter, fault: Option<&Option<String>>) -> String {
    let mut table = Table::default();
    table.row("what", adapter.kind);
    table.row("through", format!("{}, {}", adapter.interface, adapter.driver));
    table.row(
        "tables",
        format!(
            "up to {} in one piece, {} pieces and buffers",
            figures::bytes(adapter.max_binding_bytes),
            adapter.max_storage_buffers
        ),
    );
    table.row(
        "groups",
        format!(
            "up to {} lanes, {} of their own",
            adapter.max_workgroup_size,
            figures::bytes(adapter.workgroup_memory_bytes.into())
        ),
    );
    match fault {
        None => {}
        Some(None) => table.row("check", "counts as the processor does"),
        Some(Some(why)) => table.row("check", format!("FAILED: {why}")),
    }
    format!("{number}: {}\n{}", adapter.name, table.lines(output::width()))
}

/// What is wrong with the adapter of a number, as far as short searches tell.
fn check(number: usize) -> Result<Option<String>, CliError> {
    let devices = crate::gpu::provider(Some(number));
    if let Err(why) = devices.open() {
        return Ok(Some(why.to_string()));
    }
    let runtime = Runtime::default().with_devices(devices);
    let suites = suites::all();
    let cases = suites.iter().flat_map(|suite| &suite.cases).filter(|case| case.with.starts_with(gpu::NAME));
    let mut tried: Vec<&str> = Vec::new();
    for case in cases {
        // One position of each solver tells enough.
        if tried.contains(&case.with) {
            continue;
        }
        tried.push(case.with);
        if let Some(why) = compare(case, &runtime)? {
            return Ok(Some(format!("{}: {why}", case.with)));
        }
    }
    Ok(None)
}

/// How a case differs from what one thread makes of it.
fn compare(case: &Case, runtime: &Runtime) -> Result<Option<String>, CliError> {
    let settings = Settings { goal: case.goal.map(Into::into), metric: case.metric.map(Into::into) };
    let puzzle = catalog::open(case.puzzle, &settings)?;
    let Positions::Listed(texts) = &case.positions else { return Ok(None) };
    let spec: Spec = case.with.parse()?;
    let options = [("bpmx", "off"), ("early", "off")].map(|(name, value)| (name.into(), value.into()));
    let plain = Spec { algorithm: "ida".into(), options: options.into(), ..spec.clone() };
    for text in texts {
        let reports = [solved(&*puzzle, &spec, text, runtime)?, solved(&*puzzle, &plain, text, runtime)?];
        let [lanes, thread] = reports;
        if lanes.device.is_none() {
            return Ok(Some("it failed while it searched".into()));
        }
        let length = |report: &Report| report.best.as_ref().map(|best| best.cost);
        if length(&lanes) != length(&thread) || lanes.iterations != thread.iterations {
            return Ok(Some(format!("{:?} where it should be {:?}", lanes.iterations, thread.iterations)));
        }
    }
    Ok(None)
}

fn solved(puzzle: &dyn DynPuzzle, spec: &Spec, text: &str, runtime: &Runtime) -> Result<Report, CliError> {
    let Ok(Parsed::Position(position)) = puzzle.parse(text, true, &InputFormat::default()) else {
        return Err(CliError::environment(format!("`{text}` is no position of {}", puzzle.title())));
    };
    let observer: Arc<dyn Observer> = Arc::new(Watch::new(crate::cli::Progress::None));
    let control = Control::new(Limits::default(), observer);
    let prepared: Box<dyn Prepared> = puzzle.prepare(&[spec.clone().into()], runtime, &control)?;
    let report = prepared.solve(&position, &control)?.report;
    match report.outcome {
        Outcome::Stopped(_) => Err(CliError::interrupted("interrupted")),
        _ => Ok(report),
    }
}
