//! A validated job: puzzle opened, positions and solver parsed, limits capped.

use std::sync::Arc;

use untumble_search::control::{Limits, MemoryAccount};
use untumble_search::error::Error;
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::{InputFormat, Position, PreparedPortfolio, Workload};
use untumble_search::identity::RunId;
use untumble_search::spec::Spec;

use crate::input::parse_position;
use crate::job::{AnswerEvent, JobRequest, LimitCap};
use crate::job_events::{JobObserver, observed_context};
use crate::problem::{ProblemDetails, ProblemKind};
use crate::session::{Plan, Session};
use crate::solver_request::parse_remote_solver;

/// A [`JobRequest`] that passed validation, ready to run.
pub struct ValidatedJob {
    /// The opened puzzle with its runtime.
    pub session: Session,
    /// The positions.
    pub positions: Vec<Position>,
    /// The solver; `None` is `auto`.
    pub solver: Option<Spec>,
    /// The solver text of the request, which the spans of errors refer to.
    pub solver_text: String,
    /// The limits of each position.
    pub limits: Limits,
    /// Whether to list all optimal solutions.
    pub all_solutions: bool,
}

impl ValidatedJob {
    /// Validates a request of 1 to `max_positions` positions and reduces its limits to `cap`. `open` opens
    /// the puzzle, or returns it from a cache.
    pub fn new(
        request: &JobRequest,
        max_positions: usize,
        cap: LimitCap,
        open: impl FnOnce(&str, &PuzzleSettings) -> Result<Session, ProblemDetails>,
    ) -> Result<ValidatedJob, ProblemDetails> {
        let count = request.texts().count();
        if count == 0 {
            let message = "there is no position in the request; list at least one in `positions`";
            return Err(ProblemDetails::new(ProblemKind::Usage, message));
        }
        if count > max_positions {
            let message = format!("a job has at most {max_positions} positions, not {count}; split them");
            return Err(ProblemDetails::new(ProblemKind::TooLarge, message));
        }
        request.limits.validate()?;
        let session = open(&request.puzzle, &request.settings())?;
        let puzzle = session.puzzle();
        let solver_text = request.solver.clone().unwrap_or_else(|| "auto".into());
        // A client cannot name files of this machine.
        let solver = parse_remote_solver(&session, &solver_text, request.all)?;
        let format = InputFormat::from(request.kind);
        let parse = |(index, text)| {
            parse_position(&**puzzle, text, &format).map_err(|why| {
                let problem = ProblemDetails::about(ProblemKind::Invalid, &why).at(index);
                let detail =
                    if count == 1 { problem.detail } else { format!("position {}: {why}", index + 1) };
                ProblemDetails { detail, ..problem }
            })
        };
        let positions = request.texts().enumerate().map(parse).collect::<Result<_, _>>()?;
        let limits = request.limits.capped(cap, request.max_length);
        Ok(ValidatedJob { session, positions, solver, solver_text, limits, all_solutions: request.all })
    }

    /// The identity of the run.
    pub fn run_id(&self) -> RunId {
        self.session.run_id(self.solver.as_ref(), self.all_solutions, self.limits)
    }

    /// Which solvers run on the position at `index`, and within which limits.
    pub fn plan(&self, index: usize) -> Plan {
        let (position, count) = (&self.positions[index], self.positions.len());
        let (limits, all) = (self.limits, self.all_solutions);
        // `auto` considers the position itself only if there is no other, so that all positions of a job have
        // the same plan.
        let single = (count == 1).then_some(position);
        self.session
            .plan(self.solver.as_ref(), &Workload { position: single, count, limits, all_solutions: all })
    }

    /// Solves the position at `index`; `prepared` keeps the solvers for the next position, see
    /// [`Session::solve`]. Events go to `observer`.
    pub fn solve_position(
        &self,
        index: usize,
        plan: &Plan,
        prepared: &mut Option<Box<dyn PreparedPortfolio>>,
        account: &MemoryAccount,
        observer: &Arc<dyn JobObserver>,
    ) -> Result<AnswerEvent, Error> {
        let context = observed_context(&self.session, plan, index, account, observer);
        let answer = self.session.solve(&self.positions[index], plan, prepared, &context);
        let answer = answer.map_err(|error| error.locate(&self.solver_text))?;
        Ok(AnswerEvent {
            position: index,
            found_by: answer.found_by.clone(),
            stages: plan.stage_solvers(),
            answer,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::runtime::Runtime;

    fn validate(request: &str) -> Result<ValidatedJob, (u16, Option<usize>)> {
        let request: JobRequest = serde_json::from_str(request).expect("a request");
        let cap = LimitCap { time: None, memory: Some(1 << 20), threads: 1 };
        let open = |name: &str, setting: &PuzzleSettings| Session::open(&Runtime::default(), name, setting);
        ValidatedJob::new(&request, 2, cap, open).map_err(|problem| (problem.status, problem.position))
    }

    /// Drops the events and never cancels.
    struct Silent;

    impl JobObserver for Silent {
        fn on_event(&self, _: crate::JobEvent) {}

        fn cancelled(&self) -> bool {
            false
        }
    }

    #[test]
    fn an_answer_lists_the_stages_and_names_the_one_that_found_it() {
        let requests = [
            (r#"{"puzzle":"8-puzzle","position":"R","solver":"ida+manhattan"}"#, true),
            (r#"{"puzzle":"8-puzzle","position":"1 2 3 4 5 6 8 7 0","solver":"ida+manhattan"}"#, false),
        ];
        for (request, solvable) in requests {
            let job = validate(request).expect("a valid request");
            let observer: Arc<dyn JobObserver> = Arc::new(Silent);
            let answer = job.solve_position(0, &job.plan(0), &mut None, &MemoryAccount::default(), &observer);
            let json = serde_json::to_value(answer.expect("an answer")).expect("JSON");
            let solver = "ida+manhattan";
            assert_eq!(json["stages"], serde_json::json!([solver]), "{request}");
            assert_eq!(json["found_by"].as_str(), solvable.then_some(solver), "{request}");
        }
    }

    #[test]
    fn an_invalid_request_is_refused_with_its_status_and_position() {
        let valid = r#"{"puzzle":"8-puzzle","position":"R","positions":["D"],
            "solver":"ida:raise=off","max_length":9,"all":true}"#;
        let job = validate(valid).expect("a valid request");
        assert_eq!(
            (job.session.puzzle().title().as_str(), job.positions.len(), job.all_solutions),
            ("tiles-3x3", 2, true)
        );
        assert_eq!(job.solver.map(|spec| spec.to_string()).as_deref(), Some("ida:bpmx=off+manhattan"));
        assert_eq!((job.limits.memory, job.limits.max_length), (Some(1 << 20), Some(9)));
        for (request, expected) in [
            (r#"{"puzzle":"8-puzzle"}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","positions":["R","R","R"]}"#, (413, None)),
            (r#"{"puzzle":"no-puzzle","position":"R"}"#, (404, None)),
            (r#"{"puzzle":"8-puzzle","position":"R","goal":"nowhere"}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","position":"R","solver":"ida:raise=maybe"}"#, (400, None)),
            (r#"{"puzzle":"balto-3","position":"1A","solver":"beam+learned:x"}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","positions":["R","1 2 3"]}"#, (422, Some(1))),
            (r#"{"puzzle":"8-puzzle","position":"R","limits":{"time":-1}}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","position":"R","limits":{"time":-0.0}}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","position":"R","limits":{"memory":0}}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","position":"R","limits":{"threads":0}}"#, (400, None)),
        ] {
            assert_eq!(validate(request).err(), Some(expected), "{request}");
        }
    }
}
