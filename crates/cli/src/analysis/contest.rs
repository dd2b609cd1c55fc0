//! A comparison from the command line to the study: what `compare` and `analyze` have in common.

use std::collections::HashSet;
use std::sync::Arc;

use untumble_search::control::{Limits, Observer};
use untumble_search::frontend::DynPuzzle;

use super::course::Course;
use super::entrants::{Entrant, Wanted, make_ready};
use super::figure::{Figure, Unit};
use super::measure::Field;
use super::positions::{Collected, Posed, collect};
use super::row::Row;
use super::study::{self, Name, Preparation, Rows, Study, Subject};
use crate::cache;
use crate::cli;
use crate::exit::{CliError, Exit};
use crate::machine::{self, Machine};
use crate::open;
use crate::solvers;

/// Who competes on what.
pub(crate) struct Contest {
    puzzle: Box<dyn DynPuzzle>,
    wanted: Vec<Wanted>,
    collected: Collected,
    limits: Limits,
    threads: Vec<usize>,
    entrants: Vec<Entrant>,
    course: Arc<Course>,
}

impl Contest {
    /// What the command line asks for; nothing is built yet.
    pub(crate) fn read(arguments: &cli::Measured) -> Result<Contest, CliError> {
        let puzzle = open::puzzle(&arguments.puzzle)?;
        let mut wanted: Vec<Wanted> = Vec::new();
        for name in &arguments.with {
            let spec = solvers::wanted(&*puzzle, name, false)?;
            if wanted.iter().any(|other| other.name == *name) {
                return Err(CliError::usage(format!("--with {name} is given twice; once is enough")));
            }
            wanted.push(Wanted { name: name.clone(), spec });
        }
        let mut threads = arguments.threads.clone();
        threads.sort_unstable();
        threads.dedup();
        if threads.is_empty() {
            threads.push(machine::threads());
        }
        let limits = Limits {
            time: arguments.time,
            nodes: arguments.nodes,
            memory: arguments.memory.or_else(machine::memory),
            threads: 1,
            max_length: None,
        };
        let collected = collect(&*puzzle, arguments)?;
        let course = Arc::new(Course::new(arguments.progress));
        Ok(Contest { puzzle, wanted, collected, limits, threads, entrants: Vec::new(), course })
    }

    /// Makes the solvers ready.
    pub(crate) fn make_ready(&mut self) -> Result<(), CliError> {
        let observer: Arc<dyn Observer> = self.course.clone();
        let tables = cache::disk();
        let (limits, posed) = (self.limits, &self.collected.posed);
        let entrants =
            make_ready(&*self.puzzle, &self.wanted, posed, limits, &self.threads, &tables, &observer);
        self.course.finish();
        self.entrants = entrants?;
        Ok(())
    }

    /// The positions.
    pub(crate) fn posed(&self) -> &[Posed] {
        &self.collected.posed
    }

    /// What is compared.
    pub(crate) fn subject(&self, arguments: &cli::Measured) -> Subject {
        let name = |entrant: &Entrant| Name { solver: entrant.solver.clone(), threads: entrant.threads };
        Subject {
            untumble: env!("CARGO_PKG_VERSION").to_owned(),
            puzzle: self.puzzle.title(),
            goal: arguments.puzzle.goal.clone(),
            metric: arguments.puzzle.metric.clone(),
            origin: self.collected.origin.clone(),
            positions: self.collected.posed.len(),
            limits: study::Limits {
                seconds: arguments.time.map(|time| time.as_secs_f64()),
                nodes: arguments.nodes,
                memory: arguments.memory,
            },
            entrants: self.entrants.iter().map(name).collect(),
        }
    }

    /// Measures what `rows` do not hold yet and adds it to them, each row after `keep` has seen it. False if it was interrupted.
    pub(crate) fn measure(
        &self,
        rows: &mut Vec<Row>,
        mut keep: impl FnMut(&Row) -> Result<(), CliError>,
    ) -> Result<bool, CliError> {
        // Tables leave less memory to every search.
        let mut counted: Vec<&Entrant> = Vec::new();
        for entrant in &self.entrants {
            if !counted.iter().any(|other| Arc::ptr_eq(&other.ready, &entrant.ready)) {
                counted.push(entrant);
            }
        }
        let held: u64 = counted.iter().map(|entrant| entrant.ready.own).sum();
        let memory = self.limits.memory.map(|memory| memory.saturating_sub(held));
        let field = Field {
            posed: &self.collected.posed,
            entrants: &self.entrants,
            limits: Limits { memory, ..self.limits },
        };
        let done: HashSet<(usize, usize)> = rows.iter().filter_map(|row| self.place(row)).collect();
        self.course.set_out(field.searches(), done.len());
        let complete = field.measure(&done, &self.course, |row| {
            keep(&row)?;
            rows.push(row);
            Ok(())
        });
        self.course.finish();
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
    pub(crate) fn study(&self, subject: Subject, rows: &[Row]) -> Study {
        let preparation = |entrant: &Entrant| Preparation {
            seconds: Figure::new(Unit::Seconds, entrant.ready.seconds),
            bytes: Figure::new(Unit::Bytes, entrant.ready.bytes as f64),
        };
        let preparations: Vec<Preparation> = self.entrants.iter().map(preparation).collect();
        Study::new(subject, Machine::here(), &preparations, &Rows::new(rows))
    }

    /// What it all means for the exit code: whether a limit stopped a search, whether all were run.
    pub(crate) fn exit(&self, stopped: bool, complete: bool) -> Exit {
        [(true, self.collected.exit), (stopped, Exit::Stopped), (!complete, Exit::Interrupted)]
            .into_iter()
            .filter_map(|(holds, exit)| holds.then_some(exit))
            .max()
            .unwrap_or(Exit::Solved)
    }
}
