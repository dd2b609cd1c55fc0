//! One answer, as the command line, the service and the browser engine serialise it.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde::{Serialize, Serializer};

use untumble_search::control::{Control, Stop};
use untumble_search::error::Diagnostic;
use untumble_search::frontend::{Answer, DynPuzzle};
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::report::{Counts, Iteration, Outcome, Report};

use crate::error_details::ErrorDetails;
use crate::rounding::serialize_six_digits;

/// The answer to one position. The serialised fields are the keys of the JSON line, in this order.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Answer))]
pub struct Record {
    /// The version of this format: [`Record::SCHEMA`].
    pub schema: u32,
    /// The puzzle's full name.
    pub puzzle: String,
    /// The metric in which `length` is counted.
    pub metric: String,
    /// The canonical text of the goal.
    pub goal: String,
    /// The allowed moves, if not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_moves: Option<Vec<String>>,
    /// The moves whose costs differ from the metric's, with their costs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub costs: BTreeMap<String, u32>,
    /// The position on one line.
    pub start: String,
    /// The solver that ran, never `auto`. A portfolio runs solvers in stages; then this is the solver of the
    /// last stage that ran. Null if the position was rejected before a search.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub solver: Option<String>,
    /// How the search ended.
    #[serde(serialize_with = "outcome_name")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::outcome))]
    pub outcome: Outcome,
    /// The moves of the best solution in the puzzle's notation.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub moves: Option<String>,
    /// The cost of these moves in the metric.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub length: Option<u32>,
    /// Whether the solution is proven optimal.
    pub optimal: bool,
    /// The proven lower bound on the length of any solution.
    pub lower_bound: u32,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Distinct states visited, if the solver counts them; otherwise 0.
    pub visited: u64,
    /// The largest size of the open list.
    pub peak_open: u64,
    /// The passes of iterative deepening, in order.
    pub iterations: Vec<Iteration>,
    /// The duration of the search in seconds, without building tables.
    #[serde(serialize_with = "serialize_six_digits")]
    pub seconds: f64,
    /// The duration of building or loading tables in seconds.
    #[serde(serialize_with = "serialize_six_digits")]
    pub table_seconds: f64,
    /// The largest number of bytes allocated at any time, tables included.
    pub peak_bytes: u64,
    /// Threads used.
    pub threads: usize,
    /// The name of the GPU used.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub device: Option<String>,
    /// The limit that ended the search or the improvement of its solution.
    #[serde(serialize_with = "stop_name")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::stop, required = true))]
    pub stop: Option<Stop>,
    /// The work of earlier runs of this search. Absent without a checkpoint, null in the first run with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub resumed: Option<Option<EarlierRuns>>,
    /// All optimal solutions, if all were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Vec<String>>,
    /// Why the position has no solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error in machine-readable form.
    #[serde(flatten)]
    pub details: ErrorDetails,
    /// The diagnostic of a position that an invariant, such as the parity, shows to be unsolvable.
    #[serde(skip)]
    pub unsolvable: Option<Box<Diagnostic>>,
    /// The requested maximum length, if every solution found is longer.
    #[serde(skip)]
    pub unmet_max_length: Option<Cost>,
    /// The number of moves in `moves`.
    #[serde(skip)]
    pub move_count: usize,
    /// The solver of the stage that found the solution; `None` if it was known before the search.
    #[serde(skip)]
    pub found_by: Option<String>,
    /// See [`Record::solution_lines`].
    #[serde(skip)]
    solution_lines: Vec<String>,
}

fn outcome_name<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.name())
}

fn stop_name<S: Serializer>(stop: &Option<Stop>, serializer: S) -> Result<S::Ok, S::Error> {
    match stop {
        Some(stop) => serializer.serialize_some(stop.name()),
        None => serializer.serialize_none(),
    }
}

/// OpenAPI schemas of the engine's types, which are defined in a crate without OpenAPI.
#[cfg(feature = "openapi")]
mod schema {
    use untumble_search::control::Stop;
    use untumble_search::report::Outcome;
    use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};

    pub(super) fn outcome() -> Object {
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(Outcome::NAMES)).build()
    }

    pub(super) fn stop() -> Object {
        let names = Stop::ALL.map(|stop| Some(stop.name())).into_iter().chain([None]);
        let types = SchemaType::Array(vec![Type::String, Type::Null]);
        ObjectBuilder::new().schema_type(types).enum_values(Some(names)).build()
    }
}

/// The part of a resumed search that earlier runs did; the counts of the record include it.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct EarlierRuns {
    /// Their duration in seconds.
    #[serde(serialize_with = "serialize_six_digits")]
    pub seconds: f64,
    /// Nodes that they generated.
    pub generated: u64,
}

/// The time and memory that an answer took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ResourceUsage {
    /// The duration of the search in seconds.
    pub seconds: f64,
    /// The duration of building or loading tables in seconds.
    pub table_seconds: f64,
    /// The largest number of bytes allocated at any time.
    pub peak_bytes: u64,
}

impl Record {
    /// The version of the format of answers.
    pub const SCHEMA: u32 = 2;

    /// The record of the answer of a solver or a portfolio that ran under `control`.
    pub fn from_answer(
        puzzle: &dyn DynPuzzle,
        start: String,
        answer: Answer,
        usage: ResourceUsage,
        control: &Control,
    ) -> Record {
        let Answer { report, solver, found_by, .. } = answer;
        let optimal = report.optimal();
        let stop = stop_reason(&report, control);
        let solution_lines = match &report.solutions[..] {
            [] => report.best.iter().map(|best| puzzle.answer_line(&best.moves)).collect(),
            all => distinct_texts(all, |path| puzzle.answer_line(path)),
        };
        let id = puzzle.id();
        Record {
            schema: Record::SCHEMA,
            metric: puzzle.metric().to_owned(),
            goal: puzzle.goal_text(),
            allowed_moves: id.allowed_moves,
            costs: id.costs.into_iter().collect(),
            puzzle: puzzle.title(),
            start,
            solver: Some(solver),
            outcome: report.outcome,
            moves: report.best.as_ref().map(|best| puzzle.format_moves(&best.moves)),
            length: report.best.as_ref().map(|best| best.cost),
            optimal,
            lower_bound: report.lower_bound,
            generated: report.counts.generated,
            expanded: report.counts.expanded,
            visited: report.counts.visited,
            peak_open: report.counts.peak_open,
            iterations: report.iterations,
            seconds: usage.seconds,
            table_seconds: usage.table_seconds,
            peak_bytes: usage.peak_bytes,
            threads: report.threads,
            device: report.device,
            stop,
            resumed: None,
            solutions: control
                .all_solutions()
                .then(|| distinct_texts(&report.solutions, |path| puzzle.format_moves(path))),
            error: None,
            details: ErrorDetails::default(),
            unsolvable: None,
            unmet_max_length: control.limits().max_length.filter(|_| !control.max_length_reached()),
            move_count: report.best.map_or(0, |best| best.moves.len()),
            found_by,
            solution_lines,
        }
    }

    /// The record of a search with a checkpoint: `earlier` is the work of earlier runs, `None` in the first
    /// run.
    #[must_use]
    pub fn with_earlier_runs(self, earlier: Option<EarlierRuns>) -> Record {
        Record { resumed: Some(earlier), ..self }
    }

    /// The record of a search that a limit stopped while tables were built.
    pub fn stopped_before_search(
        puzzle: &dyn DynPuzzle,
        start: String,
        solver: String,
        stop: Stop,
        usage: ResourceUsage,
        control: &Control,
    ) -> Record {
        let report = Report::from_control(Outcome::Stopped(stop), control, Counts::default());
        let answer = Answer { report, solver, found_by: None, preparation_time: Duration::ZERO };
        Record::from_answer(puzzle, start, answer, usage, control)
    }

    /// The record of a position that an invariant shows to be unsolvable, without a search.
    pub fn unsolvable(
        puzzle: &dyn DynPuzzle,
        start: String,
        why: &Diagnostic,
        all_solutions: bool,
    ) -> Record {
        let control = Control::default().with_all_solutions(all_solutions);
        let report = Report::from_control(Outcome::Unsolvable, &control, Counts::default());
        let answer =
            Answer { report, solver: String::new(), found_by: None, preparation_time: Duration::ZERO };
        let record = Record::from_answer(puzzle, start, answer, ResourceUsage::default(), &control);
        let unsolvable = Some(Box::new(why.clone()));
        Record { solver: None, error: Some(why.to_string()), details: why.into(), unsolvable, ..record }
    }

    /// The same record with the outcome `solved`, for a search that was given a known solution: a limit ended
    /// only the attempt to improve it.
    #[must_use]
    pub fn into_solved(mut self) -> Record {
        self.outcome = Outcome::Solved;
        if self.optimal {
            self.stop = None;
        }
        self
    }

    /// Whether no limit stopped the search.
    pub fn finished(&self) -> bool {
        self.stop.is_none()
    }

    /// Whether the search was interrupted.
    pub fn interrupted(&self) -> bool {
        self.stop == Some(Stop::Interrupted)
    }

    /// Whether a search ran: false for a position that an invariant shows to be unsolvable.
    pub fn search_ran(&self) -> bool {
        self.solver.is_some()
    }

    /// The solutions, each as one line: for a puzzle from a contest the line to submit, otherwise the moves
    /// in the puzzle's notation.
    pub fn solution_lines(&self) -> &[String] {
        &self.solution_lines
    }
}

/// Paths as texts without duplicates: in the quarter-turn metric, two paths that turn a face by half in
/// opposite directions have the same text.
fn distinct_texts(paths: &[Vec<Move>], text: impl Fn(&[Move]) -> String) -> Vec<String> {
    let mut seen = HashSet::new();
    paths.iter().map(|path| text(path)).filter(|text| seen.insert(text.clone())).collect()
}

/// The limit that ended a search or the improvement of its solution.
pub fn stop_reason(report: &Report, control: &Control) -> Option<Stop> {
    match report.outcome {
        Outcome::Stopped(stop) => Some(stop),
        Outcome::Solved if !report.optimal() => control.stop_reason(),
        Outcome::Solved | Outcome::Unsolvable => None,
    }
}
