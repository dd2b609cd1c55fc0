//! `untumble heuristics`: the values of all heuristics for a position, and its distance if that is known.

use std::sync::Arc;

use untumble_search::control::{Limits, MemoryAccount};
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position};
use untumble_search::registry::AlgorithmInfo;
use untumble_search::runtime::Runtime;
use untumble_session::text_table::{Alignment, align_columns};
use untumble_session::{
    HeuristicValue, HeuristicValues, SearchContext, Session, TableBuilding, number_format,
};

use crate::answer::{InvalidLine, unsolvable};
use crate::cli::Heuristics;
use crate::exit::{CliError, Exit};
use crate::explain::explain;
use crate::interrupt;
use crate::output::{self, Answers, LimitedErrors};
use crate::progress::SearchProgress;
use crate::puzzle_input;

/// Evaluates every position of the input in turn.
pub(crate) fn run(arguments: &Heuristics, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let puzzle = puzzle_input::open_puzzle(&arguments.puzzle)?;
    let format = puzzle_input::input_format(&*puzzle, &arguments.input.format_args)?;
    let text = puzzle_input::read_input(&*puzzle, &format, &arguments.input)?;
    interrupt::install_handler()?;
    let session = Session::new(runtime, Arc::clone(&puzzle));
    let mut evaluation = Evaluation {
        arguments,
        session,
        account: MemoryAccount::default(),
        answers: Answers::new(),
        shown: 0,
    };
    let mut errors = LimitedErrors::default();
    let mut worst = None;
    for item in text.positions(&*puzzle, &format) {
        let location = text.location(item.line);
        if interrupt::requested() {
            output::note(&format!(
                "{location}interrupted; this position and the following ones were skipped"
            ));
            worst = worst.max(Some(Exit::Interrupted));
            break;
        }
        let exit = match item.result {
            Ok(position) => evaluation.answer(&*puzzle, &position, &location, &mut errors)?,
            Err(invalid) => {
                evaluation.answers.flush()?;
                errors.add(&format!("{location}{}", invalid.message));
                if arguments.json {
                    evaluation.answers.json(&InvalidLine::new(&*puzzle, item.line, &invalid))?;
                }
                Exit::Invalid
            }
        };
        worst = worst.max(Some(exit));
    }
    evaluation.answers.flush()?;
    worst.ok_or_else(|| text.no_position(&*puzzle, &arguments.puzzle.name, "heuristics"))
}

/// The state shared by the positions of one command.
struct Evaluation<'a> {
    arguments: &'a Heuristics,
    session: Session,
    /// Shared by all positions, because they share tables.
    account: MemoryAccount,
    answers: Answers,
    /// The number of positions printed.
    shown: u64,
}

impl Evaluation<'_> {
    /// Evaluates a position and prints the values.
    fn answer(
        &mut self,
        puzzle: &dyn DynPuzzle,
        position: &Position,
        location: &str,
        errors: &mut LimitedErrors,
    ) -> Result<Exit, CliError> {
        let building = if self.arguments.build { TableBuilding::All } else { TableBuilding::Small };
        let resources = &self.arguments.resources;
        let limits = Limits { memory: resources.memory(), threads: resources.threads(), ..Limits::default() };
        let progress = Arc::new(SearchProgress::new(self.arguments.progress.mode));
        let context =
            SearchContext { account: self.account.clone(), ..SearchContext::observed_by(progress.clone()) };
        let values = self.session.heuristic_values(position, building, limits, &context);
        progress.finish();
        match values {
            Ok(values) if self.arguments.json => self.answers.json(&values)?,
            Ok(values) => self.print(puzzle, &values)?,
            Err(Error::Unsolvable(why)) => {
                self.answers.flush()?;
                errors.add(&format!("{location}{}", explain(&why)));
                if self.arguments.json {
                    self.answers.json(&unsolvable(puzzle, puzzle.text(position), &why, false))?;
                }
                return Ok(Exit::Unsolvable);
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Exit::Success)
    }

    fn print(&mut self, puzzle: &dyn DynPuzzle, values: &HeuristicValues) -> Result<(), CliError> {
        // The text of a position may have many lines; a separator is enough to tell several apart.
        if self.shown > 0 {
            self.answers.line("")?;
        }
        self.shown += 1;
        let mut rows = vec![["heuristic", "h", "guarantee", "table"].map(str::to_owned)];
        rows.extend(values.heuristics.iter().map(|value| row(puzzle, value)));
        if let Some(distance) = values.distance {
            rows.push(["true distance".into(), distance.to_string(), "exact".into(), String::new()]);
        }
        self.answers.text(&align_columns(&rows, Alignment::Left))
    }
}

fn row(puzzle: &dyn DynPuzzle, value: &HeuristicValue) -> [String; 4] {
    let guarantee = match (value.consistent, value.admissible) {
        (true, _) => "consistent",
        (false, true) => "admissible",
        (false, false) => "inadmissible",
    };
    let h = value.h.map_or_else(|| "–".into(), |h| h.to_string());
    [value.name.clone(), h, guarantee.into(), table_text(puzzle, value)]
}

/// The tables of a heuristic, or why it has no value.
fn table_text(puzzle: &dyn DynPuzzle, value: &HeuristicValue) -> String {
    if let Some(missing) = value.missing_table() {
        let size = number_format::bytes(missing.bytes);
        return format!("needs a table of {size}: `{}`", build_command(puzzle, &value.name));
    }
    if let Some(reason) = &value.reason {
        return reason.clone();
    }
    match value.tables.len() {
        0 => String::new(),
        count => {
            let bytes = value.tables.iter().map(|table| table.bytes).sum();
            format!("{}, {}", number_format::pluralize(count as u64, "table"), number_format::bytes(bytes))
        }
    }
}

/// The command that builds the tables of a heuristic.
fn build_command(puzzle: &dyn DynPuzzle, heuristic: &str) -> String {
    let algorithms = puzzle.algorithms();
    let takes_any = |info: &&AlgorithmInfo| info.takes_heuristic && info.heuristics.is_none();
    let takers: Vec<&str> = algorithms.iter().filter(takes_any).map(|info| &*info.name).collect();
    let algorithm = takers.iter().find(|name| **name == "ida").or(takers.first()).copied().unwrap_or("ida");
    let id = puzzle.id();
    let setting = |flag: &str, value: Option<String>| match value {
        Some(value) if value.contains(' ') => format!(" {flag} \"{value}\""),
        Some(value) => format!(" {flag} {value}"),
        None => String::new(),
    };
    let (goal, metric) = (setting("--goal", id.goal), setting("--metric", id.metric));
    format!("untumble tables build {} --with {algorithm}+{heuristic}{goal}{metric}", puzzle.title())
}
