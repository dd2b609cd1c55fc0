//! What a request for a job comes to: the puzzle open, every position read, the solver known, the limits granted.

use std::sync::Arc;

use untumble_search::control::{Limits, MemoryAccount};
use untumble_search::error::Error;
use untumble_search::family::Settings;
use untumble_search::frontend::{InputFormat, Position, Prepared, Workload};
use untumble_search::identity::RunId;
use untumble_search::spec::Spec;

use crate::asking::{read, solver_from_afar};
use crate::events::{JobObserver, observed};
use crate::jobs::{AnswerEvent, Cap, JobRequest};
use crate::problem::{Kind as ProblemKind, Problem};
use crate::session::{Plan, Session};

/// Positions to be solved, understood.
pub struct Task {
    /// The puzzle and the resources.
    pub session: Session,
    /// The positions.
    pub positions: Vec<Position>,
    /// The solver; `None` is `auto`.
    pub wanted: Option<Spec>,
    /// The solver text of the request, which the spans of errors refer to.
    pub solver_text: String,
    /// What each position may take.
    pub limits: Limits,
    /// Whether every shortest solution is wanted.
    pub all: bool,
}

impl Task {
    /// Understands a request of at most so many positions, none of which is granted more than `cap`. Puzzles are opened by `open`,
    /// which may have them open already.
    pub fn new(
        request: &JobRequest,
        most: usize,
        cap: Cap,
        open: impl FnOnce(&str, &Settings) -> Result<Session, Problem>,
    ) -> Result<Task, Problem> {
        let count = request.texts().count();
        if count == 0 {
            let why = "there is no position; give some in `positions`";
            return Err(Problem::new(ProblemKind::Usage, why));
        }
        if count > most {
            let why = format!("a job has at most {most} positions here, not {count}; begin several");
            return Err(Problem::new(ProblemKind::TooLarge, why));
        }
        let session = open(&request.puzzle, &request.settings())?;
        let puzzle = session.puzzle();
        let solver_text = request.solver.clone().unwrap_or_else(|| "auto".into());
        let wanted = solver_from_afar(&session, &solver_text, request.all)?;
        let form = InputFormat::from(request.kind);
        let position = |(place, text)| {
            read(&**puzzle, text, &form).map_err(|why| {
                let problem = Problem::about(ProblemKind::Invalid, &why).at(place);
                let detail =
                    if count == 1 { problem.detail } else { format!("position {}: {why}", place + 1) };
                Problem { detail, ..problem }
            })
        };
        let positions = request.texts().enumerate().map(position).collect::<Result<_, _>>()?;
        let limits = request.limits.granted(cap, request.max_length);
        Ok(Task { session, positions, wanted, solver_text, limits, all: request.all })
    }

    /// The identity of the run.
    pub fn run_id(&self) -> RunId {
        self.session.run_id(self.wanted.as_ref(), self.all, self.limits)
    }

    /// The plan for one of the positions.
    pub fn plan(&self, place: usize) -> Plan {
        let (position, count) = (&self.positions[place], self.positions.len());
        let (limits, all) = (self.limits, self.all);
        let only = (count == 1).then_some(position);
        self.session.plan(self.wanted.as_ref(), &Workload { position: only, count, limits, all })
    }

    /// Answers one of the positions, with solvers kept from one before; events go to `observer`.
    pub fn answer(
        &self,
        place: usize,
        plan: &Plan,
        kept: &mut Option<Box<dyn Prepared>>,
        account: &MemoryAccount,
        observer: &Arc<dyn JobObserver>,
    ) -> Result<AnswerEvent, Error> {
        let context = observed(&self.session, plan, place, account, observer);
        let answer = self.session.solve(&self.positions[place], plan, kept, &context);
        let answer = answer.map_err(|error| error.locate(&self.solver_text))?;
        Ok(AnswerEvent { position: place, answer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::runtime::Runtime;

    fn task(request: &str) -> Result<Task, (u16, Option<usize>)> {
        let request: JobRequest = serde_json::from_str(request).expect("a request");
        let cap = Cap { time: None, memory: Some(1 << 20), threads: 1 };
        let open = |name: &str, setting: &Settings| Session::open(&Runtime::default(), name, setting);
        Task::new(&request, 2, cap, open).map_err(|problem| (problem.status, problem.position))
    }

    #[test]
    fn a_request_is_understood_or_refused_where_it_is_wrong() {
        let fine = r#"{"puzzle":"8-puzzle","position":"R","positions":["D"],"solver":"ida:raise=off","max_length":9,"all":true}"#;
        let fine = task(fine).expect("a task");
        assert_eq!(
            (fine.session.puzzle().title().as_str(), fine.positions.len(), fine.all),
            ("tiles-3x3", 2, true)
        );
        assert_eq!(fine.wanted.map(|spec| spec.to_string()).as_deref(), Some("ida:bpmx=off+manhattan"));
        assert_eq!((fine.limits.memory, fine.limits.max_length), (Some(1 << 20), Some(9)));
        for (request, refusal) in [
            (r#"{"puzzle":"8-puzzle"}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","positions":["R","R","R"]}"#, (413, None)),
            (r#"{"puzzle":"no-puzzle","position":"R"}"#, (404, None)),
            (r#"{"puzzle":"8-puzzle","position":"R","goal":"nowhere"}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","position":"R","solver":"ida:raise=maybe"}"#, (400, None)),
            (r#"{"puzzle":"balto-3","position":"1A","solver":"beam+learned:x"}"#, (400, None)),
            (r#"{"puzzle":"8-puzzle","positions":["R","1 2 3"]}"#, (422, Some(1))),
        ] {
            assert_eq!(task(request).err(), Some(refusal), "{request}");
        }
    }
}
