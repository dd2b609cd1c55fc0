//! One run of a portfolio on one position.
//!
//! Proofs run in slices. A slice that ends keeps its [`ProofState`], and the next one continues from it, so a
//! proof loses no work to the stages that run in between.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::schedule::{Schedule, Situation, StageCost, Step};
use super::{Answer, Portfolio, StageSlot, skipping};
use crate::bounded_dfs::{PassResult, Subtree};
use crate::checkpoint::{Checkpoint, CheckpointStore, Checkpointer, ProofState, SearchId};
use crate::control::{Control, Event, Limits, Stop};
use crate::error::Error;
use crate::frontend::PuzzleFrontend;
use crate::locks::lock;
use crate::moves::MoveMask;
use crate::puzzle::Cost;
use crate::registry::BuiltSolver;
use crate::report::{Counts, Outcome, Report};

/// The factor by which the node limit of a stage grows while there is no solution.
const NODE_LIMIT_GROWTH: u64 = 4;

/// The state of a proof between two slices.
#[derive(Default)]
struct SavedProof(Mutex<Option<Checkpoint>>);

impl CheckpointStore for SavedProof {
    fn save(&self, checkpoint: &Checkpoint) -> Result<(), String> {
        *lock(&self.0) = Some(checkpoint.clone());
        Ok(())
    }
}

/// The progress of a stage that runs in slices.
#[derive(Default, Clone)]
struct SliceState {
    saved: Arc<SavedProof>,
    /// The nodes of all its slices.
    counts: Counts,
}

/// See the module.
pub(super) struct Run<'a, P: PuzzleFrontend> {
    portfolio: &'a Portfolio<P>,
    starts: &'a [P::State],
    control: &'a Control,
    schedule: Schedule,
    /// By stage.
    slices: Vec<SliceState>,
    /// The nodes of the finished stages and of earlier runs that a checkpoint continues, without the slices.
    counts: Counts,
    answer: Option<Answer>,
    /// The error of the last stage that could not be built.
    error: Option<Error>,
    preparation_time: Duration,
    best_cost: Cost,
    found_by: Option<String>,
    /// A position that is not solved needs a move, so a solution of one move is optimal. The control does not
    /// receive this bound: it would change the first pass of a search without heuristic.
    least_cost: Cost,
}

impl<'a, P: PuzzleFrontend> Run<'a, P> {
    pub(super) fn new(portfolio: &'a Portfolio<P>, starts: &'a [P::State], control: &'a Control) -> Self {
        let slots = &portfolio.slots;
        // With a checkpoint nothing is scheduled: the stages run in order, and of the proofs only the last
        // one, which writes the checkpoint.
        let costs = slots.iter().enumerate().filter(|_| control.checkpointer().is_none());
        let schedule = Schedule::new(costs.map(|(index, slot)| (index, slot.stage.cost)), &|index| {
            slots[index].built.get().is_some()
        });
        let solved = starts.iter().any(|start| portfolio.puzzle.is_goal(start));
        Run {
            portfolio,
            starts,
            control,
            schedule,
            slices: vec![SliceState::default(); slots.len()],
            // The counts of a resumed proof include the stages that earlier runs finished.
            counts: control.checkpointer().map_or_else(Counts::default, Checkpointer::earlier_counts),
            answer: None,
            error: None,
            preparation_time: Duration::ZERO,
            best_cost: control.upper_bound(),
            found_by: None,
            least_cost: if solved { 0 } else { portfolio.puzzle.min_move_cost() },
        }
    }

    /// Runs the stages; returns the answer of the last one that ran, with the counts of all. The error is
    /// that of the last stage if none could be built.
    pub(super) fn run(mut self) -> Result<Answer, Error> {
        let _ended = self.stages();
        let Some(mut answer) = self.answer else {
            return Err(self.error.expect("a portfolio has a stage, which ran or could not be built"));
        };
        answer.preparation_time = self.preparation_time;
        answer.found_by = self.found_by;
        // A search too short to poll has not noticed that its lower bound exceeds the maximum length.
        let lower_bound = answer.report.lower_bound;
        if self.control.limits().max_length.is_some_and(|max_length| max_length < lower_bound) {
            answer.report.outcome = Outcome::Stopped(self.control.request_stop(Stop::MaxLength));
        }
        Ok(answer)
    }

    /// Runs the stages in three groups: before the scheduled ones, the scheduled ones, after them.
    fn stages(&mut self) -> ControlFlow<()> {
        let slots = &self.portfolio.slots;
        if self.control.checkpointer().is_some() {
            let last = slots.len() - 1;
            let runs =
                |&index: &usize| index == last || !matches!(slots[index].stage.cost, StageCost::Proof(_));
            return (0..slots.len()).filter(runs).try_for_each(|index| self.in_order(index));
        }
        let is_scheduled = |slot: &StageSlot<P>| slot.stage.cost != StageCost::InOrder;
        let begin = slots.iter().position(is_scheduled).unwrap_or(slots.len());
        let end = slots.iter().rposition(is_scheduled).map_or(begin, |last| last + 1);
        (0..begin).try_for_each(|index| self.in_order(index))?;
        while let Some(step) = self.schedule.next(self.situation()) {
            match step {
                Step::Improve(index) => self.in_order(index)?,
                Step::Prove(index, nodes) => self.prove(index, nodes)?,
            }
        }
        (end..slots.len()).try_for_each(|index| self.in_order(index))
    }

    fn situation(&self) -> Situation {
        let control = self.control;
        let upper = control.upper_bound();
        Situation {
            lower: control.lower_bound(),
            upper: (upper != Cost::MAX).then_some(upper),
            remaining: control.remaining_time().map(|time| time.as_secs_f64() * control.threads() as f64),
        }
    }

    /// The solver of a stage; `None` if the stage is left out.
    fn build(&mut self, index: usize) -> ControlFlow<(), Option<&'a BuiltSolver<P>>> {
        let (slot, control) = (&self.portfolio.slots[index], self.control);
        let begun = control.clock().now();
        let built = self.portfolio.build(slot, control);
        self.preparation_time += control.clock().now().saturating_sub(begun);
        self.adopt_build(index, built)
    }

    /// The result of building the solver of a stage: a limit ends the portfolio, another error skips the
    /// stage.
    fn adopt_build(
        &mut self,
        index: usize,
        built: Result<&'a BuiltSolver<P>, Error>,
    ) -> ControlFlow<(), Option<&'a BuiltSolver<P>>> {
        let spec = &self.portfolio.slots[index].stage.spec;
        match built {
            Ok(built) => ControlFlow::Continue(Some(built)),
            // Keep the answer of the earlier stages, if there is one.
            Err(Error::Stopped(stop)) => {
                let stop = self.control.request_stop(stop);
                let (control, counts) = (self.control, self.counts);
                let answer = self.answer.get_or_insert_with(|| {
                    let report = Report::from_control(Outcome::Stopped(stop), control, counts);
                    let (solver, preparation_time) = (spec.to_string(), Duration::ZERO);
                    Answer { report, solver, found_by: None, preparation_time }
                });
                answer.report.outcome = self.portfolio.outcome_if_stopped(&answer.report, stop);
                ControlFlow::Break(())
            }
            Err(error) => {
                self.control.emit(&Event::Warning(skipping(spec, &error)));
                self.error = Some(error);
                ControlFlow::Continue(None)
            }
        }
    }

    /// Runs a stage to its end or its node limit.
    fn in_order(&mut self, index: usize) -> ControlFlow<()> {
        let (portfolio, control) = (self.portfolio, self.control);
        let slot = &portfolio.slots[index];
        // If the same proof is scheduled later, this stage runs as its first slice.
        let is_same_proof = |other: &usize| {
            let stage = &portfolio.slots[*other].stage;
            matches!(stage.cost, StageCost::Proof(_)) && stage.spec == slot.stage.spec
        };
        if let (None, Some(limit)) = (control.checkpointer(), slot.stage.node_limit)
            && let Some(scheduled) = (index + 1..portfolio.slots.len()).find(is_same_proof)
        {
            return self.prove(scheduled, Some(limit));
        }
        let Some(BuiltSolver { spec, solver }) = self.build(index)? else {
            return ControlFlow::Continue(());
        };
        let last = index + 1 == portfolio.slots.len();
        if let Some(checkpointer) = control.checkpointer() {
            checkpointer.set_earlier_counts(self.counts);
        }
        let search = |control: &Control| solver.solve(&*portfolio.puzzle, self.starts, control);
        let report = match portfolio.stage_limits(slot, last, control) {
            None => search(control),
            Some(limits) if portfolio.proves(slot) => run_within(limits, control, &search).0,
            Some(limits) => run_until_solved(limits, slot.stage.target, control, &search),
        };
        self.counts += report.counts;
        // If the last stage is an improvement, its outcome is not that of the portfolio.
        let last = last && !matches!(slot.stage.cost, StageCost::Improvement(_));
        self.record(report, spec.to_string(), last)
    }

    /// Runs a slice of a proof.
    fn prove(&mut self, index: usize, nodes: Option<u64>) -> ControlFlow<()> {
        let control = self.control;
        let Some(BuiltSolver { spec, solver }) = self.build_proof(index)? else {
            return ControlFlow::Continue(());
        };
        self.schedule.record_prepared(index);
        let slice = self.slices[index].clone();
        let restored = lock(&slice.saved.0).take();
        let (search_id, store) = (SearchId::default(), Arc::clone(&slice.saved));
        let phase = control.phase(Limits { nodes, ..control.limits() });
        phase.set_checkpointer(Arc::new(Checkpointer::new(search_id, Duration::MAX, store, restored)));
        let mut report = solver.solve(&*self.portfolio.puzzle, self.starts, &phase);
        let spent = report.counts.generated.saturating_sub(slice.counts.generated);
        self.slices[index].counts = report.counts;
        self.schedule.record_proof(index, &report.iterations, spent, control.lower_bound());
        control.charge(spent);
        let stopped = adopt_stop(&mut report, &phase, control);
        if stopped.is_none() {
            self.schedule.withdraw(index);
        }
        let unsolvable = report.outcome == Outcome::Unsolvable;
        self.record(report, spec.to_string(), false)?;
        if unsolvable { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The solver of a scheduled proof; `None` withdraws the proof.
    fn build_proof(&mut self, index: usize) -> ControlFlow<(), Option<&'a BuiltSolver<P>>> {
        let slot = &self.portfolio.slots[index];
        if let Some(built) = slot.built.get() {
            return ControlFlow::Continue(Some(built));
        }
        // A table that exceeds the memory limit stops the phase, not the portfolio.
        let phase = self.control.phase(Limits { nodes: None, ..self.control.limits() });
        let begun = phase.clock().now();
        let built = self.portfolio.build(slot, &phase);
        self.preparation_time += phase.clock().now().saturating_sub(begun);
        if let Err(error) = &built {
            self.schedule.withdraw(index);
            if *error == Error::Stopped(Stop::Memory) {
                self.control.emit(&Event::Warning(skipping(&slot.stage.spec, error)));
                self.error = Some(error.clone());
                return ControlFlow::Continue(None);
            }
        }
        self.adopt_build(index, built)
    }

    /// Records the report of a stage; breaks if the portfolio has ended.
    fn record(&mut self, mut report: Report, spec: String, last: bool) -> ControlFlow<()> {
        let control = self.control;
        let solver = report.solver.take().unwrap_or(spec);
        if let Some(best) = report.best.as_ref().filter(|best| best.cost < self.best_cost) {
            self.best_cost = best.cost;
            self.found_by = Some(solver.clone());
        }
        report.counts = self.slices.iter().fold(self.counts, |mut sum, slice| {
            sum += slice.counts;
            sum
        });
        if report.best.as_ref().is_some_and(|best| best.cost <= self.least_cost) {
            report.lower_bound = report.lower_bound.max(self.least_cost);
        }
        let listing_done = !control.all_solutions() || !report.solutions.is_empty();
        let done = report.optimal() && listing_done || control.max_length_reached();
        if !done && !last {
            if let Some(stop) = control.stop_reason() {
                report.outcome = self.portfolio.outcome_if_stopped(&report, stop);
            }
            if let Some(checkpointer) = control.checkpointer() {
                checkpointer.set_earlier_counts(report.counts);
                checkpointer.save(&self.unstarted_proof(), control);
            }
        }
        self.answer = Some(Answer { report, solver, found_by: None, preparation_time: Duration::ZERO });
        if done || control.stop_reason().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The state of the last stage's search before its first node. A checkpoint of it preserves the
    /// incumbent and the lower bound so far.
    fn unstarted_proof(&self) -> ProofState {
        let legal = |start| self.portfolio.puzzle.legal(start).to_set256();
        let subtree = |(root, start)| Subtree { root, path: Vec::new(), untried: legal(start) };
        let unsearched = (0..).zip(self.starts).map(subtree).collect();
        ProofState::new(self.control.lower_bound(), PassResult { unsearched, ..PassResult::empty() })
    }
}

/// Runs a stage that guarantees nothing: it stops at its node limit only once the incumbent costs at most
/// `target`, or, without a target, once there is an incumbent. Until then it runs again with a larger limit,
/// since the next stage may take much longer to find such a solution.
fn run_until_solved(
    mut limits: Limits,
    target: Option<Cost>,
    control: &Control,
    search: &dyn Fn(&Control) -> Report,
) -> Report {
    let mut earlier = Counts::default();
    loop {
        let (mut report, stop) = run_within(limits, control, search);
        report.counts += earlier;
        let reached = control.best().is_some() && target.is_none_or(|target| control.upper_bound() <= target);
        if reached || control.stop_reason().is_some() || stop != Some(Stop::Nodes) {
            return report;
        }
        earlier = report.counts;
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(NODE_LIMIT_GROWTH));
    }
}

/// Runs a stage within limits of its own. The portfolio continues if the stage reaches its node limit. Also
/// returns the reason why the stage stopped.
fn run_within(
    limits: Limits,
    control: &Control,
    search: &dyn Fn(&Control) -> Report,
) -> (Report, Option<Stop>) {
    // A phase shares incumbent, bound and observer with `control`; its limits are its own.
    let phase = control.phase(limits);
    let mut report = search(&phase);
    // The nodes of the stage count against the node limit of the portfolio.
    control.charge(report.counts.generated);
    let stop = adopt_stop(&mut report, &phase, control);
    (report, stop)
}

/// Passes the stop of a phase on to the portfolio, unless the phase reached only its own node limit. Returns
/// the reason why the phase stopped.
fn adopt_stop(report: &mut Report, phase: &Control, control: &Control) -> Option<Stop> {
    let stop = phase.stop_reason()?;
    let only_this_stage = stop == Stop::Nodes && control.poll().is_ok();
    if !only_this_stage {
        control.request_stop(stop);
    } else if report.best.is_some() {
        report.outcome = Outcome::Solved;
    }
    Some(stop)
}
