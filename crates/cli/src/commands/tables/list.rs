//! `untumble tables list`: the tables on disk with the mean and the distribution of their values.
//!
//! Counting reads a whole table. The result is stored beside the table, so that only the first list takes
//! longer than reading the headers.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use untumble_search::control::{Control, Limits, Observer, Stop};
use untumble_search::disk::{Disk, ReadError, TableFile};
use untumble_search::runtime::Runtime;
use untumble_search::tables::ValueDistribution;
use untumble_session::{cache, machine, number_format, serialize_six_digits, table_statistics, text_table};

use super::{TableLine, select};
use crate::cli::TablesList;
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::output::{self, Answers};
use crate::progress::SearchProgress;

/// The statistics of a table in its line of JSON.
#[derive(Serialize)]
pub(super) struct Statistics {
    /// The mean value.
    #[serde(serialize_with = "serialize_six_digits")]
    mean: Option<f64>,
    /// What a value means.
    value: String,
    /// What is counted.
    counted: String,
    /// Whether a sample was counted.
    sampled: bool,
    /// Element `v` is the number of positions, placements or cosets with value `v`.
    positions: Vec<u64>,
}

impl From<ValueDistribution> for Statistics {
    fn from(distribution: ValueDistribution) -> Statistics {
        Statistics {
            mean: distribution.mean(),
            value: distribution.value.into_owned(),
            counted: distribution.counted.into_owned(),
            sampled: distribution.sampled,
            positions: distribution.counts,
        }
    }
}

/// Prints the list.
pub(super) fn run(arguments: &TablesList, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let disk = cache::disk();
    let tables = select(&disk, &arguments.names)?;
    interrupt::install_handler()?;
    let mut lister = Lister { arguments, runtime, disk: &disk, stopped: None };
    let mut answers = Answers::new();
    if arguments.json {
        for file in &tables {
            let age_seconds = age(file).map(|age| age.as_secs_f64());
            let statistics = lister.statistics(file).map(Statistics::from);
            answers.json(&TableLine { age_seconds, statistics, ..TableLine::of(file) })?;
            answers.flush()?;
        }
    } else if !tables.is_empty() {
        let mut rows = vec![["name", "puzzle", "pattern", "size", "age"].map(str::to_owned)];
        rows.extend(tables.iter().map(row));
        answers.text(&text_table::align_columns(&rows, text_table::Alignment::Left))?;
        answers.flush()?;
        for file in &tables {
            if let Some(distribution) = lister.statistics(file) {
                answers.text(&distribution_text(&file.name, &distribution))?;
                answers.flush()?;
            }
        }
    }
    answers.flush()?;
    if !arguments.json {
        let folder = disk.folder().unwrap_or_else(|_| "".as_ref()).display();
        let bytes = tables.iter().map(|file| file.bytes).sum();
        output::note(&match tables.len() {
            0 => format!("no tables in {folder}"),
            count => {
                let count = number_format::pluralize(count as u64, "table");
                format!("{count}, {} in {folder}", number_format::bytes(bytes))
            }
        });
    }
    Ok(lister.stopped.map_or(Exit::Success, Exit::from))
}

/// Gets the statistics of tables, until Ctrl-C.
struct Lister<'a> {
    arguments: &'a TablesList,
    runtime: &'a Runtime,
    disk: &'a Disk,
    /// Why the values of the remaining tables are not counted.
    stopped: Option<Stop>,
}

impl Lister<'_> {
    /// The statistics of a table; `None` without them, after a message that says why.
    fn statistics(&mut self, file: &TableFile) -> Option<ValueDistribution> {
        if self.arguments.no_stats || self.stopped.is_some() || file.id.is_err() {
            return None;
        }
        let progress = Arc::new(SearchProgress::new(self.arguments.progress.mode));
        let observer: Arc<dyn Observer> = progress.clone();
        let limits = Limits { memory: machine::default_memory_limit(), ..Limits::default() };
        let counted = table_statistics(self.runtime, self.disk, file, &Control::new(limits, observer));
        progress.finish();
        match counted {
            Ok(distribution) => return distribution,
            Err(ReadError::Invalid(damage)) => output::warning(&format!("{}: {damage}", file.name)),
            Err(ReadError::Stopped(Stop::Memory)) => {
                output::warning(&format!("{}: too large for the memory, so not counted", file.name));
            }
            Err(ReadError::Stopped(stop)) => {
                self.stopped = Some(stop);
                output::note(&format!(
                    "stopped by {stop}; the values of {} and the following tables were not counted",
                    file.name
                ));
            }
        }
        None
    }
}

/// The mean and the distribution of the values of a table, on two lines.
fn distribution_text(name: &str, distribution: &ValueDistribution) -> String {
    let mean = distribution.mean().map_or_else(|| "–".into(), |mean| format!("{mean:.3}"));
    let first = distribution.counts.iter().position(|&count| count > 0).unwrap_or(0);
    let counts: Vec<String> =
        distribution.counts[first..].iter().map(|&count| number_format::grouped(count)).collect();
    let sample = if distribution.sampled { " of a sample" } else { "" };
    format!(
        "\n{name}: mean {mean} ({})\n  {}{sample} with value {first}, {}, …: {}\n",
        distribution.value,
        distribution.counted,
        first + 1,
        counts.join(" ")
    )
}

fn age(file: &TableFile) -> Option<Duration> {
    file.written.and_then(|written| written.elapsed().ok())
}

fn row(file: &TableFile) -> [String; 5] {
    let (puzzle, pattern) = match &file.id {
        Ok(id) => (id.puzzle.clone(), format!("{} {}", id.pattern, id.metric).trim_end().to_owned()),
        Err(damage) => ("?".into(), damage.to_string()),
    };
    let age = age(file).map_or_else(|| "?".into(), number_format::age);
    [file.name.clone(), puzzle, pattern, number_format::bytes(file.bytes), age]
}
