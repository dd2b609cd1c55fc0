//! One answer: the line of JSON that the command line, the service and the browser give alike.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde::{Serialize, Serializer};

use untumble_search::control::{Control, Stop};
use untumble_search::error::Diagnostic;
use untumble_search::frontend::{Answer, DynPuzzle};
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::report::{Counts, Outcome, Report};

use crate::details::ErrorDetails;

/// All there is to say about one position. The fields are the JSON line, in its order.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Answer))]
pub struct Record {
    /// The version of this format: [`Record::SCHEMA`].
    pub schema: u32,
    /// The puzzle's full name.
    pub puzzle: String,
    /// How moves are counted.
    pub metric: String,
    /// The canonical text of the goal.
    pub goal: String,
    /// The moves that may be used, where not all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_moves: Option<Vec<String>>,
    /// The costs of moves that differ from the metric's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub costs: BTreeMap<String, u32>,
    /// The position on one line.
    pub start: String,
    /// What really ran; nothing where the position was refused before.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub solver: Option<String>,
    /// How the search ended.
    #[serde(serialize_with = "outcome_name")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::outcome))]
    pub outcome: Outcome,
    /// The moves of the best solution, as the puzzle writes them.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub moves: Option<String>,
    /// What they cost.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub length: Option<u32>,
    /// Whether no solution is shorter, proven.
    pub optimal: bool,
    /// No solution is shorter than this, proven.
    pub lower_bound: u32,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Distinct positions seen, where the solver knows them.
    pub visited: u64,
    /// The most nodes waiting at any time.
    pub peak_open: u64,
    /// The passes of iterative deepening.
    pub iterations: Vec<Pass>,
    /// Seconds of the search.
    #[serde(serialize_with = "six_digits")]
    pub seconds: f64,
    /// Seconds until tables stood.
    #[serde(serialize_with = "six_digits")]
    pub table_seconds: f64,
    /// The most bytes held at any time.
    pub peak_bytes: u64,
    /// Threads used.
    pub threads: usize,
    /// The GPU used.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub device: Option<String>,
    /// The limit that ended the search, or the attempts to shorten what it had found.
    #[serde(serialize_with = "stop_name")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::stop, required = true))]
    pub stop: Option<Stop>,
    /// With a checkpoint: what earlier runs did, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub resumed: Option<Option<Before>>,
    /// Every shortest solution, where all were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Vec<String>>,
    /// Why there is no solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The same for programs.
    #[serde(flatten)]
    pub details: ErrorDetails,
    /// Why the rules alone say that there is no solution.
    #[serde(skip)]
    pub unsolvable: Option<Box<Diagnostic>>,
    /// The length that would have been enough and was not reached.
    #[serde(skip)]
    pub missed: Option<Cost>,
    /// How many moves `moves` has.
    #[serde(skip)]
    pub steps: usize,
    /// The answer as people get it, one line for each solution.
    #[serde(skip)]
    lines: Vec<String>,
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

/// OpenAPI schemas of the engine's types, which know no serialisation.
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

/// Writes a number with at most six significant digits.
pub fn six_digits<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*value))
}

/// The number with at most six significant digits.
pub fn rounded(value: f64) -> f64 {
    if value.is_finite() { format!("{value:.5e}").parse().unwrap_or(value) } else { value }
}

/// One pass of iterative deepening.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pass {
    /// Up to this cost.
    pub bound: u32,
    /// Nodes generated in it.
    pub generated: u64,
}

/// What earlier runs did of a search; its figures include it.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Before {
    /// Seconds they took.
    #[serde(serialize_with = "six_digits")]
    pub seconds: f64,
    /// Nodes they generated.
    pub generated: u64,
}

/// What an answer took beside the search itself.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Took {
    /// Seconds of the search.
    pub seconds: f64,
    /// Seconds until tables stood.
    pub table_seconds: f64,
    /// The most bytes held at any time.
    pub peak_bytes: u64,
}

impl Record {
    /// The version of the format of answers.
    pub const SCHEMA: u32 = 2;

    /// The answer of a solver; `control` is what led it.
    pub fn of(
        puzzle: &dyn DynPuzzle,
        start: String,
        answer: Answer,
        took: Took,
        control: &Control,
    ) -> Record {
        let Answer { report, solver, .. } = answer;
        let optimal = report.optimal();
        let stop = stop_of(&report, control);
        let lines = match &report.solutions[..] {
            [] => report.best.iter().map(|best| puzzle.answer_line(&best.moves)).collect(),
            all => told_once(all, |path| puzzle.answer_line(path)),
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
            iterations: report
                .iterations
                .iter()
                .map(|pass| Pass { bound: pass.bound, generated: pass.generated })
                .collect(),
            seconds: took.seconds,
            table_seconds: took.table_seconds,
            peak_bytes: took.peak_bytes,
            threads: report.threads,
            device: report.device,
            stop,
            resumed: None,
            solutions: control
                .all_solutions()
                .then(|| told_once(&report.solutions, |path| puzzle.format_moves(path))),
            error: None,
            details: ErrorDetails::default(),
            unsolvable: None,
            missed: control.limits().max_length.filter(|_| !control.max_length_reached()),
            steps: report.best.map_or(0, |best| best.moves.len()),
            lines,
        }
    }

    /// The same with what earlier runs did, told because it was a search with a checkpoint.
    #[must_use]
    pub fn after(self, before: Option<Before>) -> Record {
        Record { resumed: Some(before), ..self }
    }

    /// The answer where a limit was reached before the search could begin.
    pub fn unprepared(
        puzzle: &dyn DynPuzzle,
        start: String,
        solver: String,
        stop: Stop,
        took: Took,
        control: &Control,
    ) -> Record {
        let report = Report::from_control(Outcome::Stopped(stop), control, Counts::default());
        let answer = Answer { report, solver, preparing: Duration::ZERO };
        Record::of(puzzle, start, answer, took, control)
    }

    /// The answer where the rules already say that there is no solution.
    pub fn unsolvable(puzzle: &dyn DynPuzzle, start: String, why: &Diagnostic, all: bool) -> Record {
        let control = Control::default().with_all_solutions(all);
        let report = Report::from_control(Outcome::Unsolvable, &control, Counts::default());
        let answer = Answer { report, solver: String::new(), preparing: Duration::ZERO };
        let record = Record::of(puzzle, start, answer, Took::default(), &control);
        let unsolvable = Some(Box::new(why.clone()));
        Record { solver: None, error: Some(why.to_string()), details: why.into(), unsolvable, ..record }
    }

    /// The same as an answer: a limit only ended attempts to improve a solution.
    #[must_use]
    pub fn solved(mut self) -> Record {
        self.outcome = Outcome::Solved;
        if self.optimal {
            self.stop = None;
        }
        self
    }

    /// Whether the search came to its end.
    pub fn finished(&self) -> bool {
        self.stop.is_none()
    }

    /// Whether the search was interrupted before it was done.
    pub fn interrupted(&self) -> bool {
        self.stop == Some(Stop::Interrupted)
    }

    /// Whether a search ran, so that there is something to sum up.
    pub fn searched(&self) -> bool {
        self.solver.is_some()
    }

    /// The sequences of moves as people get them, a line for each.
    pub fn paths(&self) -> &[String] {
        &self.lines
    }
}

/// Paths as text, each text once: where quarter turns are counted, both ways to turn a face by half are spelled alike.
fn told_once(paths: &[Vec<Move>], text: impl Fn(&[Move]) -> String) -> Vec<String> {
    let mut seen = HashSet::new();
    paths.iter().map(|path| text(path)).filter(|text| seen.insert(text.clone())).collect()
}

/// The limit that ended a search, or that ended the attempts to shorten what it had found.
pub fn stop_of(report: &Report, control: &Control) -> Option<Stop> {
    match report.outcome {
        Outcome::Stopped(stop) => Some(stop),
        Outcome::Solved if !report.optimal() => control.stop(),
        Outcome::Solved | Outcome::Unsolvable => None,
    }
}
