//! `untumble tables`: what is kept on disk, whether it is whole, and how to have more or less of it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use untumble_puzzles::catalog::{self, Settings};
use untumble_search::control::{Control, Limits, Observer};
use untumble_search::disk::{Disk, ReadError, TableFile, TableFileError, file_stem};
use untumble_search::error::Error;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_search::tables::{Build, Table, TableId, Tables};

use crate::cli::{self, TablesBuild, TablesCommand, TablesList, TablesRemove, TablesVerify};
use crate::exit::{CliError, Exit};
use crate::explain::did_you_mean;
use crate::interrupt;
use crate::open;
use crate::output::{self, Answers};
use crate::progress::Watch;
use untumble_session::cache;
use untumble_session::figures;
use untumble_session::layout;
use untumble_session::machine;

/// Does what was asked for.
pub(crate) fn run(arguments: &cli::Tables, runtime: &Runtime) -> Result<Exit, CliError> {
    match &arguments.command {
        TablesCommand::List(arguments) => list(arguments),
        TablesCommand::Verify(arguments) => verify(arguments),
        TablesCommand::Remove(arguments) => remove(arguments),
        TablesCommand::Build(arguments) => build(arguments, runtime),
    }
}

/// The tables of these names; all of them where there are none.
fn select(disk: &Disk, names: &[String]) -> Result<Vec<TableFile>, CliError> {
    let folder = disk.folder().map_err(CliError::environment)?;
    let all = disk.list().map_err(|error| CliError::environment(format!("{}: {error}", folder.display())))?;
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let stem = name.strip_suffix(".table").unwrap_or(name);
        all.iter().find(|kept| kept.name == stem).cloned().ok_or_else(|| {
            let near = did_you_mean(stem, all.iter().map(|kept| kept.name.as_str()));
            CliError::usage(format!("there is no table `{stem}`{near} (`untumble tables list`)"))
        })
    };
    names.iter().map(find).collect()
}

/// A table for programs; what does not concern a command is left out.
#[derive(Serialize, Default)]
struct Line {
    name: String,
    puzzle: Option<String>,
    pattern: Option<String>,
    metric: Option<String>,
    version: Option<u32>,
    bytes: u64,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    age_seconds: Option<f64>,
    /// The mean bound over all positions, and how many positions have each, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    built: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Line {
    fn of(kept: &TableFile) -> Line {
        let line = Line {
            name: kept.name.clone(),
            bytes: kept.bytes,
            path: kept.path.display().to_string(),
            ..Line::default()
        };
        match &kept.id {
            Ok(id) => line.about(id),
            Err(damage) => Line { error: Some(damage.to_string()), ..line },
        }
    }

    fn about(self, id: &TableId) -> Line {
        Line {
            puzzle: Some(id.puzzle.clone()),
            pattern: Some(id.pattern.clone()),
            metric: Some(id.metric.clone()).filter(|metric| !metric.is_empty()),
            version: Some(id.version),
            ..self
        }
    }
}

fn list(arguments: &TablesList) -> Result<Exit, CliError> {
    let disk = cache::disk();
    let tables = select(&disk, &arguments.names)?;
    let mut answers = Answers::new();
    if arguments.json {
        for kept in &tables {
            let age_seconds = age(kept).map(|age| age.as_secs_f64());
            let positions = bounds(&disk, kept);
            let mean = positions.as_deref().map(mean);
            answers.json(&Line { age_seconds, mean, positions, ..Line::of(kept) })?;
        }
    } else if !tables.is_empty() {
        let mut rows = vec![["name", "puzzle", "pattern", "size", "age"].map(str::to_owned)];
        rows.extend(tables.iter().map(row));
        answers.text(&layout::columns(&rows, layout::Side::Left))?;
        for kept in &tables {
            if let Some(positions) = bounds(&disk, kept) {
                answers.line(&spread(&kept.name, &positions))?;
            }
        }
    }
    answers.flush()?;
    if !arguments.json {
        let folder = disk.folder().unwrap_or_else(|_| "".as_ref()).display();
        let bytes = tables.iter().map(|kept| kept.bytes).sum();
        output::note(&match tables.len() {
            0 => format!("no tables in {folder}"),
            count => {
                format!("{}, {} in {folder}", figures::counted(count as u64, "table"), figures::bytes(bytes))
            }
        });
    }
    Ok(Exit::Solved)
}

/// How many positions have each bound in a table, where its puzzle can tell.
fn bounds(disk: &Disk, kept: &TableFile) -> Option<Vec<u64>> {
    let id = kept.id.as_ref().ok()?;
    let metric = Some(id.metric.clone()).filter(|metric| !metric.is_empty());
    let puzzle = catalog::open(&id.puzzle, &Settings { goal: None, metric }).ok()?;
    let mut positions = puzzle.bounds_in(id, disk, &Control::default())?;
    positions.truncate(positions.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
    Some(positions)
}

/// The mean of bounds of which there are so many each, from 0.
fn mean(positions: &[u64]) -> f64 {
    let sum: u64 = (0..).zip(positions).map(|(bound, count)| bound * count).sum();
    sum as f64 / positions.iter().sum::<u64>().max(1) as f64
}

/// A sentence about the bounds of a table.
fn spread(name: &str, positions: &[u64]) -> String {
    let counts: Vec<String> = positions.iter().map(|&count| figures::grouped(count)).collect();
    format!("{name}: mean bound {:.2}; positions with bound 0, 1, 2 …: {}", mean(positions), counts.join(" "))
}

fn age(kept: &TableFile) -> Option<Duration> {
    kept.written.and_then(|written| written.elapsed().ok())
}

fn row(kept: &TableFile) -> [String; 5] {
    let (puzzle, pattern) = match &kept.id {
        Ok(id) => (id.puzzle.clone(), format!("{} {}", id.pattern, id.metric).trim_end().to_owned()),
        Err(damage) => ("?".into(), damage.to_string()),
    };
    let age = age(kept).map_or_else(|| "?".into(), figures::age);
    [kept.name.clone(), puzzle, pattern, figures::bytes(kept.bytes), age]
}

fn verify(arguments: &TablesVerify) -> Result<Exit, CliError> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let disk = cache::disk();
    let tables = select(&disk, &arguments.names)?;
    interrupt::listen()?;
    let mut answers = Answers::new();
    let mut damaged = 0;
    for kept in &tables {
        let watch = Arc::new(Watch::new(arguments.progress));
        let observer: Arc<dyn Observer> = watch.clone();
        let verified = disk.verify(kept, &Control::new(Limits::default(), observer));
        watch.finish();
        let error = match verified {
            Ok(()) => None,
            Err(ReadError::Invalid(damage)) => Some(damage.to_string()),
            Err(ReadError::Stopped(stop)) => {
                answers.flush()?;
                output::note(&format!("stopped by {stop}; {} and those after it were not read", kept.name));
                return Ok(Exit::from(stop));
            }
        };
        damaged += u64::from(error.is_some());
        if arguments.json {
            answers.json(&Line { ok: Some(error.is_none()), error, ..Line::of(kept) })?;
        } else {
            let verdict = error.map_or_else(|| "ok".into(), |error| format!("damaged: {error}"));
            answers.line(&format!("{}: {verdict}", kept.name))?;
        }
        answers.flush()?;
    }
    if damaged > 0 {
        let count = figures::counted(tables.len() as u64, "table");
        output::note(&format!("{damaged} of {count} damaged; what is needed again is rebuilt"));
        return Ok(Exit::Internal);
    }
    Ok(Exit::Solved)
}

fn remove(arguments: &TablesRemove) -> Result<Exit, CliError> {
    let disk = cache::disk();
    let mut answers = Answers::new();
    for kept in select(&disk, &arguments.names)? {
        // Somebody may keep other files in the folder; those must be named.
        if arguments.names.is_empty() && kept.id == Err(TableFileError::NotATable) {
            output::note(&format!("{}: {}; left alone", kept.path.display(), TableFileError::NotATable));
            continue;
        }
        disk.remove(&kept)
            .map_err(|error| CliError::environment(format!("{}: {error}", kept.path.display())))?;
        if arguments.json {
            answers.json(&Line { removed: Some(true), ..Line::of(&kept) })?;
        } else {
            answers.line(&format!("removed {} ({})", kept.name, figures::bytes(kept.bytes)))?;
        }
    }
    answers.flush()?;
    Ok(Exit::Solved)
}

fn build(arguments: &TablesBuild, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let spec: Spec = arguments.with.parse()?;
    if spec.algorithm == "auto" {
        return Err(CliError::usage(
            "auto chooses by the position; name the solver whose tables to build (`untumble list solvers`)",
        ));
    }
    let spec = puzzle.complete(&spec)?;
    interrupt::listen()?;
    let watch = Arc::new(Watch::new(arguments.progress));
    let observer: Arc<dyn Observer> = watch.clone();
    let limits = Limits {
        time: arguments.time,
        nodes: None,
        memory: arguments.memory.or_else(machine::memory),
        threads: arguments.threads.unwrap_or_else(machine::threads),
        max_length: None,
    };
    let control = Control::new(limits, observer);
    let disk = Arc::new(cache::disk());
    let ledger = Arc::new(Ledger { disk: Arc::clone(&disk), asked: Mutex::default() });
    let runtime = runtime.clone().with_tables(Arc::clone(&ledger) as Arc<dyn Tables>);
    let prepared = puzzle.prepare(&[spec.clone().into()], &runtime, &control).map(drop);
    watch.finish();

    let asked = std::mem::take(&mut *ledger.asked.lock().unwrap_or_else(PoisonError::into_inner));
    let mut answers = Answers::new();
    for table in &asked {
        if arguments.json {
            answers.json(&table.line(&disk))?;
        } else {
            answers.line(&table.sentence())?;
        }
    }
    answers.flush()?;
    prepared?;
    if asked.is_empty() {
        output::note(&format!("{spec} needs no tables"));
    }
    if asked.iter().all(|table| table.kept) {
        return Ok(Exit::Solved);
    }
    // Why was told when it happened.
    Ok(control.stop().map_or(Exit::Internal, Exit::from))
}

/// Tables from disk, and a note of each.
struct Ledger {
    disk: Arc<Disk>,
    asked: Mutex<Vec<Asked>>,
}

/// A table that a solver asked for.
struct Asked {
    id: TableId,
    length: usize,
    built: bool,
    kept: bool,
    seconds: f64,
}

impl Tables for Ledger {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error> {
        let begun = Instant::now();
        let mut built = false;
        let table = self.disk.get(id, length, control, &mut |bytes, control| {
            built = true;
            build(bytes, control)
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if !asked.iter().any(|known| known.id == *id && known.length == length) {
            let kept = self.disk.has_file(id, length);
            asked.push(Asked { id: id.clone(), length, built, kept, seconds });
        }
        Ok(table)
    }

    fn has(&self, id: &TableId, length: usize) -> bool {
        self.disk.has(id, length)
    }
}

impl Asked {
    fn line(&self, disk: &Disk) -> Line {
        let path = disk.path(&self.id).map(|path| path.display().to_string()).unwrap_or_default();
        let line = Line {
            name: file_stem(&self.id),
            bytes: self.length as u64,
            path,
            built: Some(self.built),
            kept: Some(self.kept),
            seconds: Some(self.seconds),
            ..Line::default()
        };
        line.about(&self.id)
    }

    fn sentence(&self) -> String {
        let name = file_stem(&self.id);
        let size = figures::bytes(self.length as u64);
        let seconds = figures::seconds(self.seconds);
        match (self.built, self.kept) {
            (true, true) => format!("built {name} ({size}) in {seconds}"),
            (true, false) => format!("built {name} ({size}) in {seconds}, but it is not kept"),
            (false, _) => format!("{name} ({size}) was there, read in {seconds}"),
        }
    }
}
