//! `untumble gpu`: lists GPUs and compares their node counts with the CPU.

use std::sync::Arc;

use serde::Serialize;

use untumble_gpu::{Adapter, adapters, open};
use untumble_puzzles::catalog::{self, PuzzleSettings};
use untumble_puzzles::suites::{self, Case, Positions};
use untumble_search::control::{Limits, Observer};
use untumble_search::error::Error;
use untumble_search::frontend::{InputFormat, Workload};
use untumble_search::runtime::Runtime;
use untumble_search::solve::gpu;
use untumble_search::spec::Spec;

use crate::cli::Gpu;
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::output::{self, Answers};
use crate::progress::SearchProgress;
use untumble_session::text_table::DefinitionTable;
use untumble_session::{Record, SearchContext, Session, number_format};

/// A GPU as a line of JSON.
#[derive(Serialize)]
struct AdapterLine<'a> {
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
    /// The failure of the check; null if the check passed, absent if it did not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Option<String>>,
}

/// Lists all GPUs and checks each of them.
pub(crate) fn run(arguments: &Gpu) -> Result<Exit, CliError> {
    interrupt::install_handler()?;
    let all = adapters();
    if all.is_empty() {
        return Err(CliError::environment(open(None).err().map_or_else(String::new, |why| why.to_string())));
    }
    let mut answers = Answers::new();
    let mut exit = Exit::Success;
    for (number, adapter) in all.iter().enumerate() {
        let fault = if arguments.no_check { None } else { Some(check(number)?) };
        if matches!(fault, Some(Some(_))) {
            exit = Exit::Failure;
        }
        if arguments.json {
            answers.json(&line(number, adapter, fault))?;
        } else {
            answers.text(&description(number, adapter, fault.as_ref()))?;
        }
        answers.flush()?;
    }
    Ok(exit)
}

fn line(number: usize, adapter: &Adapter, fault: Option<Option<String>>) -> AdapterLine<'_> {
    AdapterLine {
        number,
        name: &adapter.name,
        kind: adapter.kind,
        interface: adapter.graphics_api,
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

fn description(number: usize, adapter: &Adapter, fault: Option<&Option<String>>) -> String {
    let mut table = DefinitionTable::default();
    table.row("type", adapter.kind);
    table.row("interface", format!("{}, {}", adapter.graphics_api, adapter.driver));
    table.row(
        "tables",
        format!(
            "up to {} per binding, {} storage buffers",
            number_format::bytes(adapter.max_binding_bytes),
            adapter.max_storage_buffers
        ),
    );
    table.row(
        "workgroups",
        format!(
            "up to {} invocations, {} of shared memory",
            adapter.max_workgroup_size,
            number_format::bytes(adapter.workgroup_memory_bytes.into())
        ),
    );
    match fault {
        None => {}
        Some(None) => table.row("check", "node counts agree with the CPU"),
        Some(Some(why)) => table.row("check", format!("FAILED: {why}")),
    }
    format!("{number}: {}\n{}", adapter.name, table.render(output::width()))
}

/// Compares short searches on a GPU with the CPU; returns the failure, if any.
fn check(number: usize) -> Result<Option<String>, CliError> {
    let devices = crate::gpu::provider(Some(number));
    if let Err(why) = devices.open() {
        return Ok(Some(why.to_string()));
    }
    let runtime = Runtime::default().with_devices(devices);
    let suites = suites::all();
    let cases =
        suites.iter().flat_map(|suite| &suite.cases).filter(|case| case.solver.starts_with(gpu::NAME));
    let mut checked: Vec<&str> = Vec::new();
    for case in cases {
        // One case per solver is enough.
        if checked.contains(&case.solver.as_str()) {
            continue;
        }
        checked.push(&case.solver);
        if let Some(why) = compare(case, &runtime)? {
            return Ok(Some(format!("{}: {why}", case.solver)));
        }
    }
    Ok(None)
}

/// Compares a case with IDA* on one thread of the CPU; returns the difference, if any.
fn compare(case: &Case, runtime: &Runtime) -> Result<Option<String>, CliError> {
    let settings = PuzzleSettings { goal: case.goal.map(Into::into), metric: case.metric.map(Into::into) };
    let session = Session::new(runtime, catalog::open(case.puzzle, &settings)?.into());
    let Positions::Listed(texts) = &case.positions else { return Ok(None) };
    let spec: Spec = case.solver.parse()?;
    let options = [("bpmx", "off"), ("early", "off")].map(|(name, value)| (name.into(), value.into()));
    let cpu_spec = Spec { algorithm: "ida".into(), options: options.into(), ..spec.clone() };
    for text in texts {
        let gpu = solve(&session, &spec, text)?;
        let cpu = solve(&session, &cpu_spec, text)?;
        if gpu.device.is_none() {
            return Ok(Some("the device failed during the search".into()));
        }
        if gpu.length != cpu.length || gpu.iterations != cpu.iterations {
            let counts = |record: &Record| {
                let nodes: Vec<String> =
                    record.iterations.iter().map(|pass| number_format::grouped(pass.generated)).collect();
                nodes.join(" ")
            };
            return Ok(Some(format!("nodes per pass {}, expected {}", counts(&gpu), counts(&cpu))));
        }
    }
    Ok(None)
}

fn solve(session: &Session, spec: &Spec, text: &str) -> Result<Record, CliError> {
    let position = session.parse(text, &InputFormat::default()).map_err(Error::from)?;
    let plan = session.plan(Some(spec), &Workload::one(&position, Limits::default(), false));
    let observer: Arc<dyn Observer> = Arc::new(SearchProgress::new(crate::cli::Progress::None));
    let record = session.solve(&position, &plan, &mut None, &SearchContext::observed_by(observer))?;
    if record.finished() { Ok(record) } else { Err(CliError::interrupted("interrupted")) }
}
