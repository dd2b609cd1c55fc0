//! An experiment: solvers, positions and limits, from the request to the analysis.

use std::collections::HashSet;
use std::sync::Arc;

use untumble_search::control::{Limits, Observer};
use untumble_search::frontend::DynPuzzle;
use untumble_search::runtime::Runtime;
use untumble_session::machine::Machine;

use super::analysis::{Analysis, Rows, TableCost};
use super::batch_scaling::{BatchPlan, BatchScaling, BatchSeries, scalings};
use super::configuration::{PreparedConfiguration, SolverRequest, prepare_all};
use super::instances::{Instance, InstanceSet};
use super::quantity::{Quantity, Unit};
use super::row::Row;
use super::schedule::Schedule;
use super::setup::{RequestedLimits, Setup};
use crate::error::Error;
use crate::progress::SeriesObserver;

/// Everything that defines an experiment.
pub struct Experiment {
    /// The puzzle that all positions belong to.
    pub puzzle: Arc<dyn DynPuzzle>,
    /// The goal as requested; `None` is the default goal of the puzzle.
    pub goal: Option<String>,
    /// The metric as requested; `None` is the default metric of the puzzle.
    pub metric: Option<String>,
    /// The solvers to compare, with distinct names.
    pub solvers: Vec<SolverRequest>,
    /// The positions to solve.
    pub instances: InstanceSet,
    /// Limits of each search. The thread count comes from the configuration instead.
    pub limits: Limits,
    /// The memory limit as requested, in bytes; `limits.memory` is the effective limit.
    pub requested_memory: Option<u64>,
    /// Thread counts to measure on, ascending.
    pub threads: Vec<usize>,
    /// Whole batches to measure besides the searches, on other thread counts.
    pub batches: Option<BatchPlan>,
}

/// An experiment whose solvers and tables are prepared.
pub struct PreparedExperiment {
    experiment: Experiment,
    configurations: Vec<PreparedConfiguration>,
}

impl Experiment {
    /// Builds or loads all tables and warms up every solver.
    pub fn prepare(
        self,
        runtime: &Runtime,
        series: &Arc<dyn SeriesObserver>,
    ) -> Result<PreparedExperiment, Error> {
        let observer: Arc<dyn Observer> = series.clone();
        let configurations = prepare_all(
            &self.puzzle,
            &self.solvers,
            &self.instances.instances,
            self.limits,
            &self.threads,
            runtime,
            &observer,
        )?;
        Ok(PreparedExperiment { experiment: self, configurations })
    }
}

impl PreparedExperiment {
    /// The positions to solve, in order.
    pub fn instances(&self) -> &[Instance] {
        &self.experiment.instances.instances
    }

    /// The experimental setup, as written into the results.
    pub fn setup(&self) -> Setup {
        let experiment = &self.experiment;
        let limits = experiment.limits;
        Setup {
            untumble_version: env!("CARGO_PKG_VERSION").to_owned(),
            puzzle: experiment.puzzle.title(),
            goal: experiment.goal.clone(),
            metric: experiment.metric.clone(),
            origin: experiment.instances.origin.clone(),
            positions: experiment.instances.instances.len(),
            limits: RequestedLimits {
                seconds: limits.time.map(|time| time.as_secs_f64()),
                nodes: limits.nodes,
                memory: experiment.requested_memory,
            },
            configurations: self.configurations.iter().map(PreparedConfiguration::id).collect(),
            batch_plan: experiment.batches.clone(),
        }
    }

    /// Runs every search that `rows` does not contain yet. Each new row is passed to `save` and then added
    /// to `rows`, which ends up sorted by position and configuration. Returns false if interrupted.
    pub fn run(
        &self,
        rows: &mut Vec<Row>,
        series: &Arc<dyn SeriesObserver>,
        mut save: impl FnMut(&Row) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let schedule = Schedule {
            instances: self.instances(),
            configurations: &self.configurations,
            limits: self.search_limits(),
            cpu_seconds: crate::cpu_time::cpu_seconds,
        };
        let done: HashSet<(usize, usize)> = rows.iter().filter_map(|row| self.index(row)).collect();
        series.start(schedule.search_count(), done.len());
        let complete = schedule.run(&done, series, |row| {
            save(&row)?;
            rows.push(row);
            Ok(())
        });
        rows.sort_by_key(|row| self.index(row));
        complete
    }

    /// Measures the batches of the experiment; `None` if interrupted. Without batches the list is empty.
    pub fn run_batches(&self, series: &Arc<dyn SeriesObserver>) -> Result<Option<Vec<BatchScaling>>, Error> {
        let Some(plan) = &self.experiment.batches else { return Ok(Some(Vec::new())) };
        let batches = BatchSeries {
            plan,
            instances: self.instances(),
            configurations: &self.configurations,
            limits: self.search_limits(),
            cpu_seconds: crate::cpu_time::cpu_seconds,
        };
        Ok(batches.run(series)?.map(|measurements| scalings(&measurements, self.instances().len())))
    }

    /// The limits of all searches that run at a time.
    fn search_limits(&self) -> Limits {
        let limits = self.experiment.limits;
        let memory = limits.memory.map(|memory| memory.saturating_sub(self.table_bytes()));
        Limits { memory, ..limits }
    }

    /// Bytes of all tables, which reduce the memory left to every search. Shared tables count once.
    fn table_bytes(&self) -> u64 {
        let mut counted: Vec<&PreparedConfiguration> = Vec::new();
        for configuration in &self.configurations {
            if !counted.iter().any(|other| Arc::ptr_eq(&other.solver, &configuration.solver)) {
                counted.push(configuration);
            }
        }
        counted.iter().map(|configuration| configuration.solver.new_table_bytes).sum()
    }

    /// The indices of a row's instance and configuration; `None` if either is not part of this experiment.
    fn index(&self, row: &Row) -> Option<(usize, usize)> {
        let matches = |configuration: &PreparedConfiguration| {
            configuration.name == row.solver && configuration.threads == row.threads
        };
        Some((row.position.checked_sub(1)?, self.configurations.iter().position(matches)?))
    }

    /// Summarises rows and batches.
    pub fn analyze(&self, setup: Setup, rows: &[Row], batches: Vec<BatchScaling>) -> Analysis {
        let cost = |configuration: &PreparedConfiguration| TableCost {
            seconds: Quantity::new(Unit::Seconds, configuration.solver.table_seconds),
            bytes: Quantity::new(Unit::Bytes, configuration.solver.table_bytes as f64),
        };
        let table_costs: Vec<TableCost> = self.configurations.iter().map(cost).collect();
        let analysis = Analysis::new(setup, Machine::detect(), &table_costs, &Rows::new(rows));
        Analysis { batches, ..analysis }
    }
}
