//! The order of the measurements: all configurations on one position, then the next position.
//!
//! Configurations are interleaved, and the first one rotates from position to position (a cyclic Latin
//! square), so that changes of the machine's load and temperature affect all of them alike.

use std::collections::HashSet;
use std::sync::Arc;

use untumble_search::control::{Limits, Observer};

use super::configuration::PreparedConfiguration;
use super::instances::Instance;
use super::row::{Row, RowKey};
use crate::error::Error;
use crate::progress::SeriesObserver;

/// The searches of an experiment.
pub(crate) struct Schedule<'a> {
    pub(crate) instances: &'a [Instance],
    pub(crate) configurations: &'a [PreparedConfiguration],
    /// Limits of each search; the configuration replaces the thread count.
    pub(crate) limits: Limits,
}

impl Schedule<'_> {
    /// The number of searches.
    pub(crate) fn search_count(&self) -> usize {
        self.instances.len() * self.configurations.len()
    }

    /// The indices of instance and configuration of every search, in the order of execution.
    pub(crate) fn order(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = self.configurations.len();
        (0..self.instances.len())
            .flat_map(move |instance| (0..count).map(move |turn| (instance, (instance + turn) % count)))
    }

    /// Runs the searches whose indices are not in `done` and passes each row to `on_row`. Returns false if
    /// the observer interrupted the series; an interrupted search produces no row.
    pub(crate) fn run(
        &self,
        done: &HashSet<(usize, usize)>,
        series: &Arc<dyn SeriesObserver>,
        mut on_row: impl FnMut(Row) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let observer: Arc<dyn Observer> = series.clone();
        for (instance, configuration) in self.order().filter(|search| !done.contains(search)) {
            if series.poll().is_break() {
                return Ok(false);
            }
            let number = instance + 1;
            let configuration = &self.configurations[configuration];
            series.begin(format_args!("{}, position {number}", configuration.name));
            let row = self.search(number, &self.instances[instance], configuration, &observer)?;
            let Some(row) = row else { return Ok(false) };
            on_row(row)?;
            series.end();
        }
        Ok(true)
    }

    fn search(
        &self,
        number: usize,
        instance: &Instance,
        configuration: &PreparedConfiguration,
        observer: &Arc<dyn Observer>,
    ) -> Result<Option<Row>, Error> {
        let key = RowKey {
            position: number,
            start: &instance.text,
            scramble_depth: instance.scramble_depth,
            solver: &configuration.name,
            threads: configuration.threads,
        };
        let solver = &configuration.solver;
        if let Err(stop) = &solver.stages {
            return Ok(Some(key.unprepared(*stop)));
        }
        let limits = Limits { threads: configuration.threads, ..self.limits };
        let record = solver.solve(&instance.position, limits, observer)?;
        Ok(record.map(|record| key.row(&record, solver.table_bytes)))
    }
}
