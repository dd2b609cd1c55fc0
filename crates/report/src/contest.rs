//! A comparison from the request to the study.

use std::collections::HashSet;
use std::sync::Arc;

use untumble_search::control::{Limits, Observer};
use untumble_search::frontend::DynPuzzle;
use untumble_search::runtime::Runtime;
use untumble_session::machine::Machine;

use super::entrants::{Entrant, Wanted, make_ready};
use super::figure::{Figure, Unit};
use super::measure::Field;
use super::positions::{Collected, Posed};
use super::row::Row;
use super::study::{self, Name, Preparation, Rows, Study, Subject};
use crate::error::Error;
use crate::progress::SeriesObserver;

/// What is compared.
pub struct Contest {
    /// The puzzle.
    pub puzzle: Arc<dyn DynPuzzle>,
    /// The goal as asked for.
    pub goal: Option<String>,
    /// The metric as asked for.
    pub metric: Option<String>,
    /// The solvers, all of different names.
    pub wanted: Vec<Wanted>,
    /// The positions.
    pub collected: Collected,
    /// Limits of each search; its threads are those of the solver.
    pub limits: Limits,
    /// The memory limit as asked for; `limits` hold the one that applies.
    pub memory_asked: Option<u64>,
    /// Numbers of threads to measure on, ascending.
    pub threads: Vec<usize>,
}

/// A comparison whose solvers and tables are ready.
pub struct ReadyContest {
    contest: Contest,
    entrants: Vec<Entrant>,
}

impl Contest {
    /// Makes the solvers ready.
    pub fn make_ready(
        self,
        runtime: &Runtime,
        series: &Arc<dyn SeriesObserver>,
    ) -> Result<ReadyContest, Error> {
        let observer: Arc<dyn Observer> = series.clone();
        let entrants = make_ready(
            &self.puzzle,
            &self.wanted,
            &self.collected.posed,
            self.limits,
            &self.threads,
            runtime,
            &observer,
        )?;
        Ok(ReadyContest { contest: self, entrants })
    }
}

impl ReadyContest {
    /// The positions.
    pub fn posed(&self) -> &[Posed] {
        &self.contest.collected.posed
    }

    /// What is compared.
    pub fn subject(&self) -> Subject {
        let limits = self.contest.limits;
        let name = |entrant: &Entrant| Name { solver: entrant.solver.clone(), threads: entrant.threads };
        Subject {
            untumble: env!("CARGO_PKG_VERSION").to_owned(),
            puzzle: self.contest.puzzle.title(),
            goal: self.contest.goal.clone(),
            metric: self.contest.metric.clone(),
            origin: self.contest.collected.origin.clone(),
            positions: self.contest.collected.posed.len(),
            limits: study::Limits {
                seconds: limits.time.map(|time| time.as_secs_f64()),
                nodes: limits.nodes,
                memory: self.contest.memory_asked,
            },
            entrants: self.entrants.iter().map(name).collect(),
        }
    }

    /// Measures what `rows` do not hold yet and adds it to them, each row after `keep` has seen it. False if it was interrupted.
    pub fn measure(
        &self,
        rows: &mut Vec<Row>,
        series: &Arc<dyn SeriesObserver>,
        mut keep: impl FnMut(&Row) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        // Tables leave less memory to every search.
        let mut counted: Vec<&Entrant> = Vec::new();
        for entrant in &self.entrants {
            if !counted.iter().any(|other| Arc::ptr_eq(&other.ready, &entrant.ready)) {
                counted.push(entrant);
            }
        }
        let held: u64 = counted.iter().map(|entrant| entrant.ready.own).sum();
        let memory = self.contest.limits.memory.map(|memory| memory.saturating_sub(held));
        let field = Field {
            posed: &self.contest.collected.posed,
            entrants: &self.entrants,
            limits: Limits { memory, ..self.contest.limits },
        };
        let done: HashSet<(usize, usize)> = rows.iter().filter_map(|row| self.place(row)).collect();
        series.start(field.searches(), done.len());
        let complete = field.measure(&done, series, |row| {
            keep(&row)?;
            rows.push(row);
            Ok(())
        });
        // In the order of the lists, whoever's turn it was.
        rows.sort_by_key(|row| self.place(row));
        complete
    }

    /// The places of a row's position and entrant.
    fn place(&self, row: &Row) -> Option<(usize, usize)> {
        let same = |entrant: &Entrant| entrant.solver == row.solver && entrant.threads == row.threads;
        Some((row.position.checked_sub(1)?, self.entrants.iter().position(same)?))
    }

    /// What the rows come to.
    pub fn study(&self, subject: Subject, rows: &[Row]) -> Study {
        let preparation = |entrant: &Entrant| Preparation {
            seconds: Figure::new(Unit::Seconds, entrant.ready.seconds),
            bytes: Figure::new(Unit::Bytes, entrant.ready.bytes as f64),
        };
        let preparations: Vec<Preparation> = self.entrants.iter().map(preparation).collect();
        Study::new(subject, Machine::here(), &preparations, &Rows::new(rows))
    }
}
