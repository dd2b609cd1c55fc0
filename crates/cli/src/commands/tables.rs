//! `untumble tables`: lists, verifies, removes and builds the tables in the cache folder.
//!
//! A [`TableFile`] is a file with the extension `.table`. Its `id` is the identity of the table (puzzle,
//! pattern, metric, version), read from the header; a damaged header gives an error instead.

mod list;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;

use untumble_search::control::{Control, Limits, Observer};
use untumble_search::disk::{Disk, ReadError, TableFile, TableFileError, file_stem};
use untumble_search::error::Error;
use untumble_search::frontend::Workload;
use untumble_search::runtime::Runtime;
use untumble_search::tables::{Build, Table, TableId, Tables};

use crate::cli::{self, TablesBuild, TablesCommand, TablesRemove, TablesVerify};
use crate::exit::{CliError, Exit};
use crate::explain::did_you_mean;
use crate::interrupt;
use crate::output::{self, Answers};
use crate::progress::SearchProgress;
use crate::puzzle_input;
use untumble_session::cache;
use untumble_session::{SearchContext, Session, number_format, serialize_six_digits};

/// Runs the subcommand.
pub(crate) fn run(arguments: &cli::Tables, runtime: &Runtime) -> Result<Exit, CliError> {
    match &arguments.command {
        TablesCommand::List(arguments) => list::run(arguments, runtime),
        TablesCommand::Verify(arguments) => verify(arguments),
        TablesCommand::Remove(arguments) => remove(arguments),
        TablesCommand::Build(arguments) => build(arguments, runtime),
    }
}

/// The files with the extension `.table` that have these names; all of them if `names` is empty.
fn select(disk: &Disk, names: &[String]) -> Result<Vec<TableFile>, CliError> {
    let folder = disk.folder().map_err(CliError::environment)?;
    let all = disk.list().map_err(|error| CliError::environment(format!("{}: {error}", folder.display())))?;
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let stem = name.strip_suffix(".table").unwrap_or(name);
        all.iter().find(|file| file.name == stem).cloned().ok_or_else(|| {
            let suggestion = did_you_mean(stem, all.iter().map(|file| file.name.as_str()));
            CliError::usage(format!("there is no table `{stem}`{suggestion} (`untumble tables list`)"))
        })
    };
    names.iter().map(find).collect()
}

/// A table as a line of JSON on standard output, written by [`Answers`]; each command fills in its own keys.
#[derive(Serialize, Default)]
struct TableLine {
    name: String,
    puzzle: Option<String>,
    pattern: Option<String>,
    metric: Option<String>,
    version: Option<u32>,
    bytes: u64,
    path: String,
    #[serde(serialize_with = "serialize_six_digits", skip_serializing_if = "Option::is_none")]
    age_seconds: Option<f64>,
    #[serde(flatten)]
    statistics: Option<list::Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    built: Option<bool>,
    #[serde(rename = "kept", skip_serializing_if = "Option::is_none")]
    saved: Option<bool>,
    #[serde(serialize_with = "serialize_six_digits", skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl TableLine {
    fn of(file: &TableFile) -> TableLine {
        let line = TableLine {
            name: file.name.clone(),
            bytes: file.bytes,
            path: file.path.display().to_string(),
            ..TableLine::default()
        };
        match &file.id {
            Ok(id) => line.with_id(id),
            Err(damage) => TableLine { error: Some(damage.to_string()), ..line },
        }
    }

    fn with_id(self, id: &TableId) -> TableLine {
        TableLine {
            puzzle: Some(id.puzzle.clone()),
            pattern: Some(id.pattern.clone()),
            metric: Some(id.metric.clone()).filter(|metric| !metric.is_empty()),
            version: Some(id.version),
            ..self
        }
    }
}

fn verify(arguments: &TablesVerify) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let disk = cache::disk();
    let tables = select(&disk, &arguments.names)?;
    interrupt::install_handler()?;
    let mut answers = Answers::new();
    let mut damaged = 0;
    for file in &tables {
        let progress = Arc::new(SearchProgress::new(arguments.progress.mode));
        let observer: Arc<dyn Observer> = progress.clone();
        let verified = disk.verify(file, &Control::new(Limits::default(), observer));
        progress.finish();
        let error = match verified {
            Ok(()) => None,
            Err(ReadError::Invalid(damage)) => Some(damage.to_string()),
            Err(ReadError::Stopped(stop)) => {
                answers.flush()?;
                output::note(&format!(
                    "stopped by {stop}; {} and the following tables were not verified",
                    file.name
                ));
                return Ok(Exit::from(stop));
            }
        };
        damaged += u64::from(error.is_some());
        if arguments.json {
            answers.json(&TableLine { ok: Some(error.is_none()), error, ..TableLine::of(file) })?;
        } else {
            let verdict = error.map_or_else(|| "ok".into(), |error| format!("damaged: {error}"));
            answers.line(&format!("{}: {verdict}", file.name))?;
        }
        answers.flush()?;
    }
    if damaged > 0 {
        let count = number_format::pluralize(tables.len() as u64, "table");
        output::note(&format!(
            "{damaged} of {count} damaged; a damaged table is rebuilt when a solver needs it"
        ));
        return Ok(Exit::Failure);
    }
    Ok(Exit::Success)
}

fn remove(arguments: &TablesRemove) -> Result<Exit, CliError> {
    let disk = cache::disk();
    let mut answers = Answers::new();
    for file in select(&disk, &arguments.names)? {
        // Files that are not tables are removed only if the user names them.
        if arguments.names.is_empty() && file.id == Err(TableFileError::NotATable) {
            output::note(&format!("{}: {}; not removed", file.path.display(), TableFileError::NotATable));
            continue;
        }
        disk.remove(&file)
            .map_err(|error| CliError::environment(format!("{}: {error}", file.path.display())))?;
        if arguments.json {
            answers.json(&TableLine { removed: Some(true), ..TableLine::of(&file) })?;
        } else {
            answers.line(&format!("removed {} ({})", file.name, number_format::bytes(file.bytes)))?;
        }
    }
    answers.flush()?;
    Ok(Exit::Success)
}

fn build(arguments: &TablesBuild, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let puzzle = puzzle_input::open_puzzle(&arguments.puzzle)?;
    let disk = Arc::new(cache::disk());
    let tables = Arc::new(RecordingTables { disk: Arc::clone(&disk), requested: Mutex::default() });
    let runtime = runtime.clone().with_tables(Arc::clone(&tables) as Arc<dyn Tables>);
    let session = Session::new(&runtime, puzzle);
    let Some(solver) = session.parse_solver(&arguments.with, false)? else {
        return Err(CliError::usage(
            "`auto` chooses a solver for each position; name the solver whose tables should be built \
             (`untumble list solvers`)",
        ));
    };
    let limits = Limits {
        time: arguments.time,
        nodes: None,
        memory: arguments.resources.memory(),
        threads: arguments.resources.threads(),
        max_length: None,
    };
    let workload = Workload { position: None, count: 1, limits, all_solutions: false };
    let plan = session.plan(Some(&solver), &workload);
    interrupt::install_handler()?;
    let progress = Arc::new(SearchProgress::new(arguments.progress.mode));
    let prepared = session.build_tables(&plan, &SearchContext::observed_by(progress.clone()));
    progress.finish();

    let requested = std::mem::take(&mut *tables.requested.lock().unwrap_or_else(PoisonError::into_inner));
    let mut answers = Answers::new();
    for table in &requested {
        if arguments.json {
            answers.json(&table.line(&disk))?;
        } else {
            answers.line(&table.summary())?;
        }
    }
    answers.flush()?;
    // The limit or signal that ended the building of tables, if any.
    let stop = prepared?.stop;
    if requested.is_empty() {
        output::note(&format!("{solver} needs no tables"));
    }
    if requested.iter().all(|table| table.saved) {
        return Ok(Exit::Success);
    }
    // `Disk` has already emitted a warning that says why a table is not saved.
    Ok(stop.map_or(Exit::Failure, Exit::from))
}

/// Gets tables from the disk and records which of them a solver requests.
struct RecordingTables {
    disk: Arc<Disk>,
    requested: Mutex<Vec<RequestedTable>>,
}

/// A table that a solver requested.
struct RequestedTable {
    id: TableId,
    /// The length in bytes.
    length: usize,
    /// Whether the table was built and not read from its file.
    built: bool,
    /// Whether the table is saved on disk.
    saved: bool,
    /// The time to build or read the table.
    seconds: f64,
}

impl Tables for RecordingTables {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error> {
        let start = Instant::now();
        let mut built = false;
        let table = self.disk.get(id, length, control, &mut |bytes, control| {
            built = true;
            build(bytes, control)
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let mut requested = self.requested.lock().unwrap_or_else(PoisonError::into_inner);
        if !requested.iter().any(|known| known.id == *id && known.length == length) {
            let saved = self.disk.has_file(id, length);
            requested.push(RequestedTable { id: id.clone(), length, built, saved, seconds });
        }
        Ok(table)
    }

    fn is_available(&self, id: &TableId, length: usize) -> bool {
        self.disk.is_available(id, length)
    }
}

impl RequestedTable {
    fn line(&self, disk: &Disk) -> TableLine {
        let path = disk.path(&self.id).map(|path| path.display().to_string()).unwrap_or_default();
        let line = TableLine {
            name: file_stem(&self.id),
            bytes: self.length as u64,
            path,
            built: Some(self.built),
            saved: Some(self.saved),
            seconds: Some(self.seconds),
            ..TableLine::default()
        };
        line.with_id(&self.id)
    }

    fn summary(&self) -> String {
        let name = file_stem(&self.id);
        let size = number_format::bytes(self.length as u64);
        let seconds = number_format::seconds(self.seconds);
        match (self.built, self.saved) {
            (true, true) => format!("built {name} ({size}) in {seconds}"),
            (true, false) => format!("built {name} ({size}) in {seconds}, not saved"),
            (false, _) => format!("{name} ({size}) exists, read in {seconds}"),
        }
    }
}
