//! The measuring: every position for every solver, in turn. Solvers are interleaved and take turns at being first, so that
//! what the machine does meanwhile meets all of them alike.

use std::collections::HashSet;
use std::sync::Arc;

use untumble_search::control::{Limits, Observer};

use super::entrants::Entrant;
use super::positions::Posed;
use super::row::{Asked, Row};
use crate::error::Error;
use crate::progress::SeriesObserver;

/// What is measured.
pub(crate) struct Field<'a> {
    pub(crate) posed: &'a [Posed],
    pub(crate) entrants: &'a [Entrant],
    /// For each search; its threads are those of the entrant.
    pub(crate) limits: Limits,
}

impl Field<'_> {
    /// How many searches there are.
    pub(crate) fn searches(&self) -> usize {
        self.posed.len() * self.entrants.len()
    }

    /// Every search with the places of its position and its entrant, in the order in which they are run.
    pub(crate) fn order(&self) -> impl Iterator<Item = (usize, usize)> {
        let entrants = self.entrants.len();
        (0..self.posed.len())
            .flat_map(move |posed| (0..entrants).map(move |turn| (posed, (posed + turn) % entrants)))
    }

    /// Runs the searches whose places are not among `done` and hands each row to `take`. True if all were run, false if somebody
    /// pressed Ctrl-C first; a search that was interrupted leaves no row.
    pub(crate) fn measure(
        &self,
        done: &HashSet<(usize, usize)>,
        series: &Arc<dyn SeriesObserver>,
        mut take: impl FnMut(Row) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let observer: Arc<dyn Observer> = series.clone();
        for (posed, entrant) in self.order().filter(|search| !done.contains(search)) {
            if series.poll().is_break() {
                return Ok(false);
            }
            let (place, posed, entrant) = (posed + 1, &self.posed[posed], &self.entrants[entrant]);
            series.begin(format_args!("{}, position {place}", entrant.solver));
            let Some(row) = self.search(place, posed, entrant, &observer)? else { return Ok(false) };
            take(row)?;
            series.end();
        }
        Ok(true)
    }

    fn search(
        &self,
        place: usize,
        posed: &Posed,
        entrant: &Entrant,
        observer: &Arc<dyn Observer>,
    ) -> Result<Option<Row>, Error> {
        let asked = Asked {
            position: place,
            start: &posed.text,
            scramble_depth: posed.scramble_depth,
            solver: &entrant.solver,
            threads: entrant.threads,
        };
        if let Err(stop) = &entrant.ready.solvers {
            return Ok(Some(asked.unprepared(*stop)));
        }
        let limits = Limits { threads: entrant.threads, ..self.limits };
        let answer = entrant.ready.solve(&posed.position, limits, observer)?;
        Ok(answer.map(|answer| asked.answered(&answer, entrant.ready.bytes)))
    }
}
