//! Bodies of HTTP requests, validated as the service validates them.

use std::time::Duration;

use serde::de::DeserializeOwned;
use untumble_search::error::InputText;
use untumble_search::family::PuzzleSettings;
use untumble_search::runtime::Runtime;
use untumble_session::{
    ApplyRequest, CheckRequest, JobRequest, LimitCap, ProblemDetails, ScrambleRequest, Session, ValidatedJob,
    apply, check, json_error, scramble,
};

use crate::laws::{assert_diagnostic, assert_plain, select};

const MAX_POSITIONS: usize = 10;
const CAP: LimitCap = LimitCap { time: Some(Duration::from_secs(60)), memory: Some(1 << 30), threads: 2 };

/// Requests. The first byte selects the route: jobs, or check, apply and scramble of the puzzle that the
/// second byte selects.
pub fn request(data: &[u8]) {
    let (route, data) = select(data, 4);
    if route == 0 {
        return parse::<JobRequest>(data).iter().for_each(validate_job);
    }
    const PUZZLES: [&str; 5] = ["8-puzzle", "15-puzzle", "cube2", "cube3", "balto-3"];
    let (index, data) = select(data, PUZZLES.len());
    match route {
        1 => parse::<CheckRequest>(data).iter().for_each(|request| {
            let Some(session) = open(PUZZLES[index], &request.settings()) else { return };
            match check(&**session.puzzle(), request) {
                Ok(result) => assert!(result.repairs.is_empty() || result.reason.is_some(), "{result:?}"),
                Err(error) => assert_diagnostic(&error.why, &request.position, InputText::Position),
            }
        }),
        2 => parse::<ApplyRequest>(data).iter().for_each(|request| {
            let Some(session) = open(PUZZLES[index], &request.settings()) else { return };
            match apply(&**session.puzzle(), request) {
                Ok(result) => {
                    let again = ApplyRequest { position: Some(result.start.clone()), ..request.clone() };
                    assert_eq!(apply(&**session.puzzle(), &again), Ok(result));
                }
                Err(error) => assert_json(&ProblemDetails::from(error)),
            }
        }),
        _ => parse::<ScrambleRequest>(data).iter().for_each(|request| {
            let Some(session) = open(PUZZLES[index], &request.settings()) else { return };
            // The service limits the work of a request before this call.
            if request.count.unwrap_or(1).saturating_mul(request.depth.unwrap_or(1)) > 10_000
                || request.count.unwrap_or(1) > 100
            {
                return;
            }
            if let Ok(result) = scramble(&**session.puzzle(), request, 1) {
                assert_eq!(result.positions.len() as u64, request.count.unwrap_or(1));
                for text in &result.positions {
                    assert!(session.parse(text, &Default::default()).is_ok(), "{text}");
                }
            }
        }),
    }
}

/// Parses a body; an error is worded for clients.
fn parse<T: DeserializeOwned>(data: &[u8]) -> Option<T> {
    match serde_json::from_slice(data) {
        Ok(value) => Some(value),
        Err(error) => {
            assert_plain(&json_error(&error), &String::from_utf8_lossy(data));
            None
        }
    }
}

fn open(name: &str, settings: &PuzzleSettings) -> Option<Session> {
    Session::open(&Runtime::default(), name, settings).map_err(|problem| assert_json(&problem)).ok()
}

/// A problem has a message, an error status and a text in JSON.
fn assert_json(problem: &ProblemDetails) {
    assert!((400..500).contains(&problem.status), "{problem:?}");
    assert!(!problem.detail.is_empty(), "{problem:?}");
    assert!(serde_json::to_string(problem).is_ok(), "{problem:?}");
}

fn validate_job(request: &JobRequest) {
    let open = |name: &str, settings: &PuzzleSettings| Session::open(&Runtime::default(), name, settings);
    let job = match ValidatedJob::new(request, MAX_POSITIONS, CAP, open) {
        Ok(job) => job,
        Err(problem) => {
            assert_json(&problem);
            let text = match (problem.details.span_in, problem.position) {
                (Some(InputText::Position), Some(index)) => request.texts().nth(index),
                (Some(InputText::Solver), _) => request.solver.as_deref(),
                (Some(InputText::Goal), _) => request.goal.as_deref(),
                _ => None,
            };
            if let (Some([begin, end]), Some(text)) = (problem.details.span, text) {
                assert!(text.get(begin..end).is_some(), "{begin}..{end} is not a part of {text:?}");
            }
            return;
        }
    };
    assert!((1..=MAX_POSITIONS).contains(&job.positions.len()));
    assert!(job.limits.time <= CAP.time && job.limits.time.is_some(), "{:?}", job.limits);
    assert!(job.limits.memory <= CAP.memory && job.limits.memory.is_some(), "{:?}", job.limits);
    assert!((1..=CAP.threads).contains(&job.limits.threads), "{:?}", job.limits);
    let run = job.run_id();
    assert_eq!(run.to_string().parse(), Ok(run), "{request:?}");
    assert!(!job.plan(0).stages.is_empty());
}
