//! Decides which stage of a portfolio runs next: an improvement of the incumbent or a slice of a proof.
//!
//! Two laws of IDA\* give the forecast (Korf, Reid & Edelkamp, "Time complexity of iterative-deepening-A\*",
//! Artificial Intelligence 129, 2001): the passes grow by a constant factor, and a stronger heuristic divides
//! the nodes of every pass by a constant. So the passes of one prover forecast those of all others, and a
//! table is built when it saves more time than its construction takes.
//!
//! Work is counted as nodes times the time per node that the puzzle states, not by the clock. So without a
//! time limit the same stages run on every machine and under every load.

use std::collections::VecDeque;
use std::time::Duration;

use crate::puzzle::Cost;
use crate::report::Iteration;

/// When a stage of a portfolio runs, and what it is expected to cost on one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StageCost {
    /// The stage runs at its place in the list: before all scheduled stages, or after them.
    #[default]
    InOrder,
    /// A scheduled search that improves the incumbent, with its expected time.
    Improvement(Duration),
    /// A scheduled optimality proof by iterative deepening.
    Proof(ProofCost),
}

/// The expected cost of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofCost {
    /// The time to build its tables; zero if they exist.
    pub preparation: Duration,
    /// The time per generated node in picoseconds.
    pub node_picos: u64,
    /// The factor by which its passes are smaller than those of the weakest proof of the portfolio.
    pub reduction: u64,
}

impl ProofCost {
    /// Seconds per node of the weakest proof.
    fn seconds_per_reference_node(&self) -> f64 {
        self.node_picos as f64 * 1e-12 / self.reduction.max(1) as f64
    }

    fn seconds(&self, nodes: u64) -> f64 {
        nodes as f64 * self.node_picos as f64 * 1e-12
    }

    fn nodes(&self, seconds: f64) -> u64 {
        (seconds * 1e12 / self.node_picos.max(1) as f64) as u64
    }
}

/// The seconds of the shortest slice of a proof. Each slice may take [`SLICE_SHARE`] of all earlier work
/// on proofs.
const MIN_SLICE: f64 = 0.02;
const SLICE_SHARE: f64 = 0.25;
/// Improvements may take this share of the expected time of the proof, and in any case as much time as the
/// proofs have taken.
const IMPROVEMENT_SHARE: f64 = 0.125;
/// Whatever the forecast, improvements take at most [`FIRST_IMPROVEMENTS`] seconds plus this many times the
/// work spent on proofs.
const MAX_IMPROVEMENT_RATIO: f64 = 3.0;
const FIRST_IMPROVEMENTS: f64 = 1.0;
/// The most passes of a forecast. The incumbents of constructive solvers are far from optimal, so the gap to
/// them overstates the passes to come.
const MAX_PASSES: Cost = 4;
/// The growth of passes before it is measured, and the bounds of measured values.
const DEFAULT_GROWTH: f64 = 6.0;
const GROWTH: (f64, f64) = (1.2, 40.0);

/// A scheduled proof and its progress.
struct Prover {
    /// The index of its stage.
    stage: usize,
    cost: ProofCost,
    prepared: bool,
    /// Whether it can run: its tables fit the memory and it has not ended.
    usable: bool,
    /// The finished passes.
    passes: Vec<Iteration>,
    /// The pass that is not finished.
    partial: Option<Iteration>,
}

/// What the scheduler knows of a search besides the progress of the proofs.
#[derive(Clone, Copy)]
pub(super) struct Situation {
    pub(super) lower: Cost,
    /// The cost of the incumbent.
    pub(super) upper: Option<Cost>,
    /// The work that fits into the remaining time, in seconds of one thread; `None` without a time limit.
    pub(super) remaining: Option<f64>,
}

/// The next action of a portfolio.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Run this stage.
    Improve(usize),
    /// Run this stage for that many nodes; `None` lets it finish.
    Prove(usize, Option<u64>),
}

/// The passes to come, in nodes of the weakest proof.
struct Forecast {
    /// The nodes of the pass at the lower bound.
    pass: f64,
    growth: f64,
    /// The expected number of passes, including that one.
    passes: i32,
}

/// The scheduled stages and the work spent on them, in seconds of one thread.
pub(super) struct Schedule {
    provers: Vec<Prover>,
    improvements: VecDeque<(usize, f64)>,
    proving: f64,
    improving: f64,
}

impl Schedule {
    /// A schedule of the stages with these costs; `prepared` returns whether the solver of a stage is built.
    pub(super) fn new(
        costs: impl IntoIterator<Item = (usize, StageCost)>,
        prepared: &dyn Fn(usize) -> bool,
    ) -> Schedule {
        let mut schedule =
            Schedule { provers: Vec::new(), improvements: VecDeque::new(), proving: 0.0, improving: 0.0 };
        for (stage, cost) in costs {
            match cost {
                StageCost::InOrder => {}
                StageCost::Improvement(time) => {
                    schedule.improvements.push_back((stage, time.as_secs_f64()));
                }
                StageCost::Proof(cost) => schedule.provers.push(Prover {
                    stage,
                    cost,
                    prepared: prepared(stage),
                    usable: true,
                    passes: Vec::new(),
                    partial: None,
                }),
            }
        }
        schedule
    }

    fn prover(&mut self, stage: usize) -> Option<&mut Prover> {
        self.provers.iter_mut().find(|prover| prover.stage == stage)
    }

    /// Records that the solver of a stage is built.
    pub(super) fn record_prepared(&mut self, stage: usize) {
        let Some(prover) = self.prover(stage) else { return };
        let newly = !std::mem::replace(&mut prover.prepared, true);
        let seconds = if newly { prover.cost.preparation.as_secs_f64() } else { 0.0 };
        self.proving += seconds;
    }

    /// Records that a proof cannot go on.
    pub(super) fn withdraw(&mut self, stage: usize) {
        if let Some(prover) = self.prover(stage) {
            prover.usable = false;
        }
    }

    /// Records the passes of a proof, those of earlier slices included, and the nodes of its last slice.
    /// Passes below the lower bound `lower` are finished.
    pub(super) fn record_proof(&mut self, stage: usize, passes: &[Iteration], nodes: u64, lower: Cost) {
        let Some(prover) = self.prover(stage) else { return };
        prover.passes = passes.iter().copied().filter(|pass| pass.bound < lower).collect();
        prover.partial = passes.last().copied().filter(|pass| pass.bound >= lower);
        let seconds = prover.cost.seconds(nodes);
        self.proving += seconds;
    }

    /// The stage that runs next; `None` if no scheduled stage is left.
    pub(super) fn next(&mut self, situation: Situation) -> Option<Step> {
        let forecast = self.forecast(situation);
        // An improvement that does not end in time is left out, unless it is the last one.
        let in_time = |seconds: f64| situation.remaining.is_none_or(|remaining| seconds <= remaining);
        while self.improvements.len() > 1 && !in_time(self.improvements[0].1) {
            self.improvements.pop_front();
        }
        let improvement = self.improvements.front().copied();
        let Some(prover) = self.best_prover(&forecast, situation.lower) else { return self.improve() };
        if let Some((_, seconds)) = improvement {
            let hopeless = !in_time(prover.next_pass(&forecast, situation.lower));
            let share = IMPROVEMENT_SHARE * prover.remaining(&forecast, situation.lower);
            let most = MAX_IMPROVEMENT_RATIO * self.proving + FIRST_IMPROVEMENTS;
            if hopeless || self.improving + seconds <= share.min(most).max(self.proving) {
                return self.improve();
            }
        }
        let rate = prover.cost.seconds_per_reference_node();
        let has_alternatives = improvement.is_some()
            || self.usable().any(|other| other.cost.seconds_per_reference_node() < rate);
        let slice = MIN_SLICE.max(SLICE_SHARE * self.proving);
        Some(Step::Prove(prover.stage, has_alternatives.then(|| prover.cost.nodes(slice).max(1))))
    }

    fn usable(&self) -> impl Iterator<Item = &Prover> {
        self.provers.iter().filter(|prover| prover.usable)
    }

    /// The proof that is expected to end first. Before its tables are built, a cheaper proof is tried if the
    /// next pass of that proof takes no longer than building them, because that pass may already be the last.
    fn best_prover(&self, forecast: &Forecast, lower: Cost) -> Option<&Prover> {
        let remaining = |prover: &Prover| prover.remaining(forecast, lower);
        let next_pass = |prover: &Prover| prover.next_pass(forecast, lower);
        let best = self.usable().min_by(|a, b| remaining(a).total_cmp(&remaining(b)))?;
        let is_cheap = |prover: &&Prover| {
            2.0 * prover.preparation() < best.preparation() && next_pass(prover) <= best.preparation()
        };
        let cheapest = self.usable().filter(is_cheap).min_by(|a, b| next_pass(a).total_cmp(&next_pass(b)));
        Some(cheapest.unwrap_or(best))
    }

    fn improve(&mut self) -> Option<Step> {
        let (stage, seconds) = self.improvements.pop_front()?;
        self.improving += seconds;
        Some(Step::Improve(stage))
    }

    /// Extrapolates the passes of the prover that has finished the largest bound.
    fn forecast(&self, situation: Situation) -> Forecast {
        let Situation { lower, upper, .. } = situation;
        let finished = self.provers.iter().filter(|prover| !prover.passes.is_empty());
        let source =
            finished.max_by_key(|prover| (prover.passes.last().map(|pass| pass.bound), prover.passes.len()));
        let (mut pass, mut growth, mut step) = (0.0, DEFAULT_GROWTH, 1);
        if let Some(source) = source {
            let scale = source.cost.reduction as f64;
            if let [.., before, last] = source.passes[..] {
                step = last.bound.saturating_sub(before.bound).max(1);
                growth = last.generated as f64 / before.generated.max(1) as f64;
                growth = growth.clamp(GROWTH.0, GROWTH.1);
            }
            if let Some(last) = source.passes.last() {
                let steps = lower.saturating_sub(last.bound).div_ceil(step).max(1);
                pass = last.generated as f64 * scale * growth.powi(steps as i32);
            }
        }
        // An incumbent is rarely optimal. On average the last pass lies halfway between the bounds.
        let gap = upper.map_or(step, |upper| upper.saturating_sub(lower)).div_ceil(step);
        Forecast { pass, growth, passes: gap.div_ceil(2).clamp(1, MAX_PASSES) as i32 }
    }
}

impl Prover {
    /// The nodes of the pass at the lower bound, and the part of them that is searched already.
    fn current_pass(&self, forecast: &Forecast, lower: Cost) -> (f64, f64) {
        let searched =
            self.partial.filter(|pass| pass.bound == lower).map_or(0.0, |pass| pass.generated as f64);
        let expected = forecast.pass / self.cost.reduction.max(1) as f64;
        // A pass that exceeds its forecast is expected to take as long again.
        let nodes = if searched > 0.9 * expected { 2.0 * searched } else { expected };
        (nodes, searched)
    }

    fn preparation(&self) -> f64 {
        if self.prepared { 0.0 } else { self.cost.preparation.as_secs_f64() }
    }

    /// The seconds until the pass at the lower bound is finished.
    fn next_pass(&self, forecast: &Forecast, lower: Cost) -> f64 {
        let (nodes, searched) = self.current_pass(forecast, lower);
        self.preparation() + self.cost.seconds(1) * (nodes - searched)
    }

    /// The seconds until the proof is complete.
    fn remaining(&self, forecast: &Forecast, lower: Cost) -> f64 {
        let (nodes, _) = self.current_pass(forecast, lower);
        let later: f64 = (1..forecast.passes).map(|pass| nodes * forecast.growth.powi(pass)).sum();
        self.next_pass(forecast, lower) + self.cost.seconds(1) * later
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A proof without tables at 10 ns per node.
    const WEAK: ProofCost = ProofCost { preparation: Duration::ZERO, node_picos: 10_000, reduction: 1 };
    /// Tables that take two seconds and divide the nodes by 100, at 20 ns per node.
    const STRONG: ProofCost =
        ProofCost { preparation: Duration::from_secs(2), node_picos: 20_000, reduction: 100 };

    fn schedule(costs: &[StageCost], prepared: &[usize]) -> Schedule {
        Schedule::new(costs.iter().copied().enumerate(), &|stage| prepared.contains(&stage))
    }

    fn situation(lower: Cost, upper: Cost, remaining: Option<f64>) -> Situation {
        Situation { lower, upper: Some(upper), remaining }
    }

    fn passes(list: &[(Cost, u64)]) -> Vec<Iteration> {
        list.iter().map(|&(bound, generated)| Iteration { bound, generated }).collect()
    }

    fn stage_of(step: Option<Step>) -> usize {
        match step {
            Some(Step::Improve(stage) | Step::Prove(stage, _)) => stage,
            None => panic!("the schedule has ended"),
        }
    }

    #[test]
    fn tables_are_built_when_they_save_more_time_than_they_take() {
        let proofs = [StageCost::Proof(WEAK), StageCost::Proof(STRONG)];
        let chosen = |nodes: u64, prepared: &[usize]| {
            let mut schedule = schedule(&proofs, prepared);
            schedule.record_proof(0, &passes(&[(10, nodes / 5), (12, nodes)]), nodes, 14);
            stage_of(schedule.next(situation(14, 30, None)))
        };
        // The next pass takes five times the nodes of the last one.
        assert_eq!(chosen(39_000_000, &[]), 0, "1.95 s without tables, which take 2 s");
        assert_eq!(chosen(42_000_000, &[]), 1, "2.1 s without tables");
        assert_eq!(chosen(39_000, &[1]), 1, "existing tables are used at once");
    }

    #[test]
    fn a_pass_that_exceeds_its_forecast_is_given_up_for_tables() {
        let mut schedule = schedule(&[StageCost::Proof(WEAK), StageCost::Proof(STRONG)], &[]);
        let mut spent = 0;
        let history = [(10, 1_000), (12, 5_000)];
        let mut list = passes(&history);
        schedule.record_proof(0, &list, 6_000, 14);
        list.push(Iteration { bound: 14, generated: 0 });
        while let Some(Step::Prove(0, Some(nodes))) = schedule.next(situation(14, 16, None)) {
            spent += nodes;
            list[2].generated = spent;
            schedule.record_proof(0, &list, nodes, 14);
        }
        let seconds = WEAK.seconds(spent);
        assert!((2.0..2.7).contains(&seconds), "given up after {seconds} s; the tables take 2 s");
        assert_eq!(schedule.next(situation(14, 16, None)), Some(Step::Prove(1, None)), "nothing is better");
    }

    #[test]
    fn improvements_and_proofs_share_the_time() {
        let beam = |seconds| StageCost::Improvement(Duration::from_secs(seconds));
        let mut schedule = schedule(&[beam(1), beam(10), beam(100), StageCost::Proof(WEAK)], &[3]);
        // A proof of hours: 1 s and 10 s of improvement alternate with the proof.
        let mut list = passes(&[(10, 1_000_000_000), (12, 5_000_000_000)]);
        schedule.record_proof(3, &list, 0, 14);
        list.push(Iteration { bound: 14, generated: 0 });
        let mut improvements = Vec::new();
        while improvements.len() < 3 {
            match schedule.next(situation(14, 40, None)) {
                Some(Step::Improve(stage)) => improvements.push((stage, schedule.proving)),
                Some(Step::Prove(_, Some(nodes))) => {
                    list[2].generated += nodes;
                    schedule.record_proof(3, &list, nodes, 14);
                }
                step => panic!("{step:?}"),
            }
        }
        let (stages, proving): (Vec<_>, Vec<_>) = improvements.into_iter().unzip();
        assert_eq!(stages, [0, 1, 2]);
        assert_eq!(proving[0], 0.0, "a second of improvement comes first");
        assert!((3.0..5.0).contains(&proving[1]), "a quarter of the time goes to the proof: {proving:?}");
        assert!((36.0..50.0).contains(&proving[2]), "{proving:?}");
        // The forecast of a short proof leaves no time for improvements.
        let mut short = self::schedule(&[beam(1), StageCost::Proof(WEAK)], &[1]);
        short.record_proof(1, &passes(&[(10, 1_000), (12, 5_000)]), 0, 14);
        assert_eq!(stage_of(short.next(situation(14, 16, None))), 1);
    }

    #[test]
    fn a_deadline_rules_out_hopeless_proofs_and_wide_beams() {
        let beam = |seconds| StageCost::Improvement(Duration::from_secs(seconds));
        let stages = [StageCost::Proof(WEAK), beam(1), beam(100), beam(1000), StageCost::Proof(STRONG)];
        let mut schedule = schedule(&stages, &[0]);
        schedule.record_proof(0, &passes(&[(10, 1 << 30), (12, 1 << 33)]), 1 << 33, 14);
        let steps: Vec<_> = (0..2).map(|_| schedule.next(situation(14, 40, Some(8.0)))).collect();
        assert_eq!(steps, [Some(Step::Improve(1)), Some(Step::Improve(3))], "the last one fills the time");
        assert_eq!(stage_of(schedule.next(situation(14, 40, Some(8.0)))), 4);
        schedule.withdraw(4);
        assert_eq!(stage_of(schedule.next(situation(14, 40, Some(8.0)))), 0);
        schedule.withdraw(0);
        assert_eq!(schedule.next(situation(14, 40, Some(8.0))), None);
    }
}
