//! Measures batches. The workers claim positions as those of `untumble batch` do: dynamically one by one,
//! statically from equal shares. The last positions share all threads, if there are fewer than threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use untumble_search::control::{Limits, Observer};
use untumble_search::report::Outcome;

use super::super::configuration::{PreparedConfiguration, PreparedSolver};
use super::super::instances::Instance;
use super::{BatchMeasurement, BatchPlan, BatchSchedule, BatchTime};
use crate::error::Error;
use crate::progress::SeriesObserver;

/// Measurements of each batch; the median of three ignores one disturbance.
const ROUNDS: usize = 3;

/// All batches of an experiment.
pub(crate) struct BatchSeries<'a> {
    pub(crate) plan: &'a BatchPlan,
    pub(crate) instances: &'a [Instance],
    /// All configurations; those of a solver follow each other.
    pub(crate) configurations: &'a [PreparedConfiguration],
    /// Limits of each search; the memory is that of the whole batch.
    pub(crate) limits: Limits,
    /// CPU seconds of all threads of the process so far.
    pub(crate) cpu_seconds: fn() -> Option<f64>,
}

impl BatchSeries<'_> {
    /// Measures every batch; `None` if interrupted. Rounds interleave the batches and alternate in
    /// direction, so that changes of the machine's load affect all batches alike.
    pub(crate) fn run(
        &self,
        series: &Arc<dyn SeriesObserver>,
    ) -> Result<Option<Vec<BatchMeasurement>>, Error> {
        let mut batches: Vec<(&PreparedConfiguration, BatchMeasurement)> = Vec::new();
        let distinct = self.configurations.chunk_by(|a, b| a.name == b.name).filter_map(<[_]>::first);
        for configuration in distinct {
            for &threads in &self.plan.threads {
                for &schedule in &self.plan.schedules {
                    let solver = configuration.name.clone();
                    let times = Vec::new();
                    batches.push((configuration, BatchMeasurement { solver, schedule, threads, times }));
                }
            }
        }
        series.start(batches.len() * ROUNDS * self.instances.len(), 0);
        for round in 0..ROUNDS {
            for turn in 0..batches.len() {
                let index = if round % 2 == 0 { turn } else { batches.len() - 1 - turn };
                let (configuration, batch) = &mut batches[index];
                let name = batch.schedule.name();
                let threads = batch.threads;
                series.begin(format_args!("{}, {name} batch on {threads} threads", configuration.name));
                match self.measure(configuration, batch.schedule, threads, series)? {
                    Some(time) => batch.times.push(time),
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(batches.into_iter().map(|(_, batch)| batch).collect()))
    }

    /// Solves all positions once; `None` if interrupted.
    fn measure(
        &self,
        configuration: &PreparedConfiguration,
        schedule: BatchSchedule,
        threads: usize,
        series: &Arc<dyn SeriesObserver>,
    ) -> Result<Option<BatchTime>, Error> {
        let workers = threads.min(self.instances.len()).max(1);
        let memory = self.limits.memory.map(|memory| memory / workers as u64);
        let batch = Batch {
            instances: self.instances,
            solver: &configuration.solver,
            limits: Limits { memory, ..self.limits },
            threads,
            share: match schedule {
                BatchSchedule::Static => self.instances.len().div_ceil(workers).max(1),
                BatchSchedule::Dynamic => 1,
            },
            next_share: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
        };
        let cpu_start = (self.cpu_seconds)();
        let start = Instant::now();
        let solved = thread::scope(|scope| {
            let started: Result<Vec<_>, _> = (0..workers)
                .map(|_| thread::Builder::new().spawn_scoped(scope, || batch.work(series)))
                .collect();
            let started = started.inspect_err(|_| batch.is_stopped.store(true, Relaxed));
            let handles = started.map_err(|error| Error::Threads { count: workers, error })?;
            let mut solved = Some(0);
            for handle in handles {
                let found = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
                solved = solved.zip(found).map(|(sum, count)| sum + count);
            }
            Ok::<Option<usize>, Error>(solved)
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let cpu_seconds = cpu_start.zip((self.cpu_seconds)()).map(|(start, end)| (end - start).max(0.0));
        Ok(solved.map(|solved| BatchTime { seconds, cpu_seconds, solved }))
    }
}

/// The state that the workers of a batch share.
struct Batch<'a> {
    instances: &'a [Instance],
    solver: &'a PreparedSolver,
    limits: Limits,
    threads: usize,
    /// Consecutive positions that a worker claims at once.
    share: usize,
    next_share: AtomicUsize,
    is_stopped: AtomicBool,
}

impl Batch<'_> {
    /// Solves shares until none is left. Returns the number of solved positions; `None` if interrupted.
    fn work(&self, series: &Arc<dyn SeriesObserver>) -> Result<Option<usize>, Error> {
        let observer: Arc<dyn Observer> = series.clone();
        let mut solved = 0;
        loop {
            let first = self.next_share.fetch_add(1, Relaxed).saturating_mul(self.share);
            let Some(rest) = self.instances.get(first..).filter(|rest| !rest.is_empty()) else {
                return Ok(Some(solved));
            };
            for (index, instance) in rest.iter().enumerate().take(self.share) {
                if self.is_stopped.load(Relaxed) || series.poll().is_break() {
                    self.is_stopped.store(true, Relaxed);
                    return Ok(None);
                }
                let remaining = rest.len() - index;
                let limits = Limits { threads: self.threads.div_ceil(remaining), ..self.limits };
                if self.solver.stages.is_ok() {
                    let record = self.solver.solve(&instance.position, limits, &observer);
                    let record = record.inspect_err(|_| self.is_stopped.store(true, Relaxed))?;
                    let Some(record) = record else {
                        self.is_stopped.store(true, Relaxed);
                        return Ok(None);
                    };
                    solved += usize::from(record.outcome == Outcome::Solved);
                }
                series.end();
            }
        }
    }
}
