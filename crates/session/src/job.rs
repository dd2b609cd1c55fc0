//! Jobs: requests, limits, states and the data of events. The HTTP service and the WebAssembly engine of the
//! page share them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use untumble_search::control::Limits;
use untumble_search::error::Error;
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::InputKind;

use crate::error_details::ErrorDetails;
use crate::problem::{ProblemDetails, ProblemKind};
use crate::record::Record;
use crate::rounding::serialize_six_digits;

/// A request to solve positions one after the other.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobRequest {
    /// The puzzle's name.
    #[cfg_attr(feature = "openapi", schema(example = "8-puzzle"))]
    pub puzzle: String,
    /// The positions, each in any of the puzzle's formats, or moves from solved.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(example = json!(["8 6 7 2 5 4 3 0 1"])))]
    pub positions: Vec<String>,
    /// A single position; comes before `positions`.
    pub position: Option<String>,
    /// Whether the texts are positions or moves from solved; detected if omitted.
    #[serde(rename = "as")]
    #[cfg_attr(feature = "openapi", schema(rename = "as"))]
    pub kind: Option<InputKind>,
    /// The goal: a name or a position; the puzzle's default if omitted.
    pub goal: Option<String>,
    /// The metric in which moves are counted; the puzzle's default if omitted.
    pub metric: Option<String>,
    /// The solver's text, `algorithm[:option=value,…][+heuristic]`; `auto` if omitted.
    #[cfg_attr(feature = "openapi", schema(example = "auto"))]
    pub solver: Option<String>,
    /// The limits of each position; never more than the limits of the service.
    #[serde(default)]
    pub limits: JobLimits,
    /// Whether to list all optimal solutions.
    #[serde(default)]
    pub all: bool,
    /// Stop at the first solution of at most this length.
    pub max_length: Option<u32>,
}

impl JobRequest {
    /// The goal and the metric, for opening the puzzle.
    pub fn settings(&self) -> PuzzleSettings {
        PuzzleSettings { goal: self.goal.clone(), metric: self.metric.clone() }
    }

    /// The texts of all positions in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.position.iter().chain(&self.positions).map(String::as_str)
    }
}

/// The requested limits of each position.
#[derive(Deserialize, Clone, Copy, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobLimits {
    /// Time in seconds.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub time: Option<f64>,
    /// Generated nodes.
    pub nodes: Option<u64>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Threads.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub threads: Option<usize>,
}

/// The largest limits that a request is granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitCap {
    /// Time per position; `None` is no limit.
    pub time: Option<Duration>,
    /// Bytes per position; `None` is no limit.
    pub memory: Option<u64>,
    /// Threads per position.
    pub threads: usize,
}

impl JobLimits {
    /// Refuses limits that no search can have, as the command line does: a negative time, no memory, no
    /// thread.
    pub fn validate(&self) -> Result<(), ProblemDetails> {
        let reason = match self {
            JobLimits { time: Some(time), .. } if time.is_sign_negative() || time.is_nan() => {
                format!("limits.time is {time}; expected seconds that are not negative")
            }
            JobLimits { memory: Some(0), .. } => "limits.memory is 0; no search fits into 0 bytes".into(),
            JobLimits { threads: Some(0), .. } => {
                "limits.threads is 0; a search needs at least 1 thread".into()
            }
            _ => return Ok(()),
        };
        Err(ProblemDetails::new(ProblemKind::Usage, reason))
    }

    /// The limits of the search: the requested ones, reduced to `cap`.
    pub fn capped(&self, cap: LimitCap, max_length: Option<u32>) -> Limits {
        // For a time beyond the range of `Duration` the limit of `cap` applies. Negative times and NaN,
        // which `validate` refuses, become 0.
        let time = self.time.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        Limits {
            time: time.into_iter().chain(cap.time).min(),
            nodes: self.nodes,
            memory: self.memory.into_iter().chain(cap.memory).min(),
            threads: self.threads.map_or(cap.threads, |threads| threads.clamp(1, cap.threads)),
            max_length,
        }
    }
}

/// The state of a job.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum JobState {
    /// Waiting in the queue.
    Queued,
    /// Being solved.
    Running,
    /// Every position has an answer.
    Done,
    /// Cancelled by a client or at shutdown; positions solved before have answers.
    Cancelled,
    /// Failed with an error.
    Failed,
}

impl JobState {
    /// All states.
    pub const ALL: [JobState; 5] =
        [JobState::Queued, JobState::Running, JobState::Done, JobState::Cancelled, JobState::Failed];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            JobState::Queued => "queued",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Cancelled => "cancelled",
            JobState::Failed => "failed",
        }
    }

    /// Whether the state never changes again.
    pub fn is_final(self) -> bool {
        matches!(self, JobState::Done | JobState::Cancelled | JobState::Failed)
    }
}

/// Why a job failed or ended early: the message, and the error as data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobError {
    /// The error message.
    pub message: String,
    /// The error as data.
    pub details: ErrorDetails,
}

impl JobError {
    /// The message of an optional error.
    pub fn message_of(error: Option<&JobError>) -> Option<String> {
        error.map(|error| error.message.clone())
    }

    /// The data of an optional error.
    pub fn details_of(error: Option<&JobError>) -> ErrorDetails {
        error.map_or_else(ErrorDetails::default, |error| error.details.clone())
    }
}

impl From<ProblemDetails> for JobError {
    fn from(problem: ProblemDetails) -> JobError {
        // `detail` is the sentence (RFC 9457), `details` the error as data.
        JobError { message: problem.detail, details: problem.details }
    }
}

impl From<Error> for JobError {
    fn from(error: Error) -> JobError {
        let diagnostic = error.diagnostic();
        JobError { message: error.to_string(), details: (&diagnostic).into() }
    }
}

/// A snapshot of a job.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Job {
    /// The identifier of the job in URLs.
    pub id: String,
    /// The state.
    pub state: JobState,
    /// The puzzle's full name.
    pub puzzle: String,
    /// The puzzle, the solver and the limits that affect answers, as text. Two jobs with the same `run` give
    /// interchangeable answers to the same position.
    pub run: String,
    /// The requested solver.
    pub solver: String,
    /// The number of positions.
    pub positions: usize,
    /// The number of jobs ahead in the queue; 0 unless queued.
    pub ahead: usize,
    /// The error of a failed job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error in machine-readable form.
    #[serde(flatten)]
    pub details: ErrorDetails,
    /// The answers so far, in the order of the positions.
    pub answers: Vec<AnswerEvent>,
}

/// The data of the event `state`: the state of the job changed.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StateEvent {
    /// The new state.
    pub state: JobState,
    /// The number of positions.
    pub positions: usize,
    /// The error of a failed job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error in machine-readable form.
    #[serde(flatten)]
    pub details: ErrorDetails,
}

impl StateEvent {
    /// The event of a job with this number of positions; `error` says why it failed.
    pub fn new(state: JobState, positions: usize, error: Option<&JobError>) -> StateEvent {
        let details = JobError::details_of(error);
        StateEvent { state, positions, error: JobError::message_of(error), details }
    }
}

/// The data of the event `progress`, about ten times a second.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProgressEvent {
    /// The index of the position, from 0.
    pub position: usize,
    /// The solvers in the order in which they run, as text for people: `beam+learned, then ida+manhattan`.
    pub solver: String,
    /// The same solvers as a list.
    pub stages: Vec<String>,
    /// The proven lower bound.
    pub bound: u32,
    /// Nodes generated so far.
    pub nodes: u64,
    /// Nodes per second since the previous event.
    #[serde(serialize_with = "serialize_six_digits")]
    pub nodes_per_second: f64,
    /// Seconds since the search began.
    #[serde(serialize_with = "serialize_six_digits")]
    pub seconds: f64,
    /// The length of the incumbent.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub best: Option<u32>,
    /// What the search waits for, in words: `building pattern database 6-6-3`; omitted during the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// The finished share of that activity, from 0 to 1.
    #[serde(serialize_with = "serialize_six_digits", skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// An estimate of the remaining seconds of that activity.
    #[serde(serialize_with = "serialize_six_digits", skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
}

/// The data of the event `best`: a new incumbent.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BestEvent {
    /// The index of the position, from 0.
    pub position: usize,
    /// The moves of the incumbent.
    pub moves: String,
    /// Their cost in the metric.
    pub length: u32,
}

/// The data of the event `answer`: one position is finished.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnswerEvent {
    /// The index of the position, from 0.
    pub position: usize,
    /// The solver that found the solution; null without a solution.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub found_by: Option<String>,
    /// The solvers in the order in which they run, the stages of the search; a search that ends early does
    /// not reach all.
    pub stages: Vec<String>,
    /// The answer: outcome, solution and counts.
    #[serde(flatten)]
    pub answer: Record,
}

/// The data of the event `done`, the last event of a job.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DoneEvent {
    /// The final state.
    pub state: JobState,
    /// The number of positions that have answers.
    pub answers: usize,
    /// The error of a failed job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error in machine-readable form.
    #[serde(flatten)]
    pub details: ErrorDetails,
}

impl DoneEvent {
    /// The event of a job with this number of answers; `error` says why it failed.
    pub fn new(state: JobState, answers: usize, error: Option<&JobError>) -> DoneEvent {
        let details = JobError::details_of(error);
        DoneEvent { state, answers, error: JobError::message_of(error), details }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::error::{AlternativeKind, Diagnostic, InputText, PieceKind, PieceRef};

    #[test]
    fn the_error_of_a_failed_job_is_sent_as_data() {
        let why = Diagnostic::new("duplicate-tile", "tile 7 appears twice")
            .at(Some(14..15))
            .in_text(InputText::Position)
            .expecting("every tile once")
            .about([PieceRef::new(PieceKind::Tile, "7", [6, 7])])
            .with_alternatives(AlternativeKind::Position, ["123456780"]);
        let error = JobError::from(Error::Parse(Box::new(why)));
        let data = serde_json::json!({
            "error": "tile 7 appears twice",
            "code": "duplicate-tile",
            "span": [14, 15],
            "span_in": "position",
            "pieces": [{"kind": "tile", "name": "7", "places": [6, 7]}],
            "expected": "every tile once",
            "alternatives": [{"kind": "position", "value": "123456780"}],
        });
        let assert_event_has_error = |event: serde_json::Value, mut rest: serde_json::Value| {
            let rest = rest.as_object_mut().expect("an object");
            rest.extend(data.as_object().expect("an object").clone());
            assert_eq!(event.as_object(), Some(&*rest));
        };
        let json = |value| serde_json::to_value(value).expect("JSON");
        let state = StateEvent::new(JobState::Failed, 2, Some(&error));
        assert_event_has_error(json(state), serde_json::json!({"state": "failed", "positions": 2}));
        let done = DoneEvent::new(JobState::Failed, 1, Some(&error));
        let done = serde_json::to_value(done).expect("JSON");
        assert_event_has_error(done, serde_json::json!({"state": "failed", "answers": 1}));
        let state = json(StateEvent::new(JobState::Done, 2, None));
        assert_eq!(state, serde_json::json!({"state": "done", "positions": 2}), "no error, no keys");
    }

    #[test]
    fn the_share_of_a_table_has_six_digits() {
        let event = ProgressEvent {
            position: 0,
            solver: "ida+pdb".into(),
            stages: vec!["ida+pdb".into()],
            bound: 1,
            nodes: 0,
            nodes_per_second: 0.0,
            seconds: 0.1,
            best: None,
            what: Some("building pdb".into()),
            share: Some(1.0 / 3.0),
            left: Some(2.0 / 3.0),
        };
        let json = serde_json::to_string(&event).expect("JSON");
        assert!(json.ends_with(r#""what":"building pdb","share":0.333333,"left":0.666667}"#), "{json}");
    }

    #[test]
    fn no_request_is_granted_more_than_the_cap() {
        let cap = LimitCap { time: Some(Duration::from_secs(60)), memory: Some(100), threads: 4 };
        let large = JobLimits { time: Some(1e300), nodes: Some(7), memory: Some(1000), threads: Some(9) };
        let granted = large.capped(cap, Some(20));
        assert_eq!((granted.time, granted.memory, granted.threads), (cap.time, cap.memory, 4));
        assert_eq!((granted.nodes, granted.max_length), (Some(7), Some(20)));
        let modest = JobLimits { time: Some(0.5), nodes: None, memory: Some(10), threads: Some(0) };
        let granted = modest.capped(cap, None);
        assert_eq!(granted.time, Some(Duration::from_millis(500)));
        assert_eq!((granted.memory, granted.threads), (Some(10), 1));
        for invalid in [-1.0, f64::NAN] {
            let granted = JobLimits { time: Some(invalid), ..JobLimits::default() }.capped(cap, None);
            assert_eq!(granted.time, Some(Duration::ZERO), "{invalid}");
        }
    }
}
