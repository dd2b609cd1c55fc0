//! Positions to be solved, and what is told while that goes on.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use untumble_search::control::Limits;

use crate::record::{Record, six_digits};
use untumble_search::family::Settings;
use untumble_search::frontend::InputKind;

/// Positions to be solved.
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
    /// The position, where there is just one.
    pub position: Option<String>,
    /// What the texts stand for; without it one finds out.
    #[serde(rename = "as")]
    #[cfg_attr(feature = "openapi", schema(rename = "as", value_type = Option<crate::TextKind>))]
    pub kind: Option<InputKind>,
    /// What to get to.
    pub goal: Option<String>,
    /// How moves are counted.
    pub metric: Option<String>,
    /// The solver's text, `algorithm[:option=value,…][+heuristic]`; `auto` where not given.
    #[cfg_attr(feature = "openapi", schema(example = "auto"))]
    pub solver: Option<String>,
    /// What each position may take; the service's own limits hold in any case.
    #[serde(default)]
    pub limits: JobLimits,
    /// Whether every shortest solution is wanted.
    #[serde(default)]
    pub all: bool,
    /// A solution of at most this length will do.
    pub max_length: Option<u32>,
}

impl JobRequest {
    /// What the puzzle is told.
    pub fn settings(&self) -> Settings {
        Settings { goal: self.goal.clone(), metric: self.metric.clone() }
    }

    /// The texts of the positions.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.position.iter().chain(&self.positions).map(String::as_str)
    }
}

/// What a position may take.
#[derive(Deserialize, Clone, Copy, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobLimits {
    /// Seconds.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub time: Option<f64>,
    /// Generated nodes.
    pub nodes: Option<u64>,
    /// Bytes.
    pub memory: Option<u64>,
    /// Threads.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub threads: Option<usize>,
}

/// The most that may be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cap {
    /// Time for a position; `None` is no limit.
    pub time: Option<Duration>,
    /// Bytes for a position; `None` is no limit.
    pub memory: Option<u64>,
    /// Threads for a position.
    pub threads: usize,
}

impl JobLimits {
    /// What is granted of it: never more than `cap`.
    pub fn granted(&self, cap: Cap, max_length: Option<u32>) -> Limits {
        // A time that is no number or too long for a clock is no limit of its own.
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

/// How far a job has come.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum JobState {
    /// It waits for its turn.
    Queued,
    /// It is being worked on.
    Running,
    /// Every position has its answer.
    Done,
    /// Somebody cancelled it; positions solved before have their answers.
    Cancelled,
    /// It could not be done, for the reason told.
    Failed,
}

impl JobState {
    /// All of them.
    pub const ALL: [JobState; 5] =
        [JobState::Queued, JobState::Running, JobState::Done, JobState::Cancelled, JobState::Failed];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            JobState::Queued => "queued",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Cancelled => "cancelled",
            JobState::Failed => "failed",
        }
    }

    /// Whether nothing will change any more.
    pub fn is_final(self) -> bool {
        matches!(self, JobState::Done | JobState::Cancelled | JobState::Failed)
    }
}

/// A job as it stands.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Job {
    /// Its name in addresses.
    pub id: String,
    /// How far it has come.
    pub state: JobState,
    /// The puzzle's full name.
    pub puzzle: String,
    /// The identity of the run: answers of jobs with the same one are interchangeable.
    pub run: String,
    /// The solver asked for.
    pub solver: String,
    /// How many positions there are.
    pub positions: usize,
    /// How many jobs are before it; 0 unless it is queued.
    pub ahead: usize,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The answers so far, in the order of the positions.
    pub answers: Vec<AnswerEvent>,
}

/// `state`: how far a job has come.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StateEvent {
    /// How far.
    pub state: JobState,
    /// How many positions there are.
    pub positions: usize,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// `progress`: where a search stands, about ten times a second.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProgressEvent {
    /// Which position, from 0.
    pub position: usize,
    /// The solver, or those that run in turn.
    pub solver: String,
    /// No solution is shorter than this, proven.
    pub bound: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes a second since the last event.
    #[serde(serialize_with = "six_digits")]
    pub nodes_per_second: f64,
    /// Seconds so far.
    #[serde(serialize_with = "six_digits")]
    pub seconds: f64,
    /// The length of the best solution so far.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub best: Option<u32>,
    /// What is done instead of searching: a table that is made ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// How much of that stands, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// `best`: a shorter solution than before.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BestEvent {
    /// Which position, from 0.
    pub position: usize,
    /// Its moves.
    pub moves: String,
    /// What they cost.
    pub length: u32,
}

/// `answer`: a position is done with.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnswerEvent {
    /// Which position, from 0.
    pub position: usize,
    /// Its answer.
    #[serde(flatten)]
    pub answer: Record,
}

/// `done`: the last event of a job.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DoneEvent {
    /// How it ended.
    pub state: JobState,
    /// How many positions have answers.
    pub answers: usize,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_more_than_the_cap() {
        let cap = Cap { time: Some(Duration::from_secs(60)), memory: Some(100), threads: 4 };
        let asked = JobLimits { time: Some(1e300), nodes: Some(7), memory: Some(1000), threads: Some(9) };
        let granted = asked.granted(cap, Some(20));
        assert_eq!((granted.time, granted.memory, granted.threads), (cap.time, cap.memory, 4));
        assert_eq!((granted.nodes, granted.max_length), (Some(7), Some(20)));
        let modest = JobLimits { time: Some(0.5), nodes: None, memory: Some(10), threads: Some(0) };
        let granted = modest.granted(cap, None);
        assert_eq!(granted.time, Some(Duration::from_millis(500)));
        assert_eq!((granted.memory, granted.threads), (Some(10), 1));
        for strange in [-1.0, f64::NAN] {
            let granted = JobLimits { time: Some(strange), ..JobLimits::default() }.granted(cap, None);
            assert!(granted.time <= cap.time, "{strange}");
        }
    }
}
