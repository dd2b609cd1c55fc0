//! The order of the measurements: all configurations on one position, then the next position.
//!
//! Configurations are interleaved, so that changes of the machine's load and temperature affect all of them
//! alike. The first one rotates, and every second position has the reverse order of the one before: of any
//! two configurations, each searches first on half of the positions, with caches that the other one left.

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
    /// CPU seconds of all threads of the process so far.
    pub(crate) cpu_seconds: fn() -> Option<f64>,
}

impl Schedule<'_> {
    /// The number of searches.
    pub(crate) fn search_count(&self) -> usize {
        self.instances.len() * self.configurations.len()
    }

    /// The indices of instance and configuration of every search, in the order of execution.
    pub(crate) fn order(&self) -> impl Iterator<Item = (usize, usize)> {
        order(self.instances.len(), self.configurations.len())
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
            reference: instance.reference,
        };
        let solver = &configuration.solver;
        if let Err(stop) = &solver.stages {
            return Ok(Some(key.unprepared(*stop)));
        }
        let limits = Limits { threads: configuration.threads, ..self.limits };
        let cpu_start = (self.cpu_seconds)();
        let record = solver.solve(&instance.position, limits, observer)?;
        let cpu_seconds = cpu_start.zip((self.cpu_seconds)()).map(|(start, end)| (end - start).max(0.0));
        Ok(record.map(|record| key.row(&record, cpu_seconds, solver.table_bytes)))
    }
}

/// The indices of instance and configuration of every search, in the order of execution.
fn order(instances: usize, configurations: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..instances).flat_map(move |instance| {
        let first = instance / 2;
        (0..configurations).map(move |turn| {
            let turn = if instance % 2 == 0 { turn } else { configurations - 1 - turn };
            (instance, (first + turn) % configurations)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_searched_in_both_orders_equally_often() {
        for configurations in 1..6 {
            let searches: Vec<(usize, usize)> = order(20, configurations).collect();
            assert_eq!(searches.iter().collect::<HashSet<_>>().len(), 20 * configurations);
            for a in 0..configurations {
                for b in (0..configurations).filter(|b| *b != a) {
                    let place = |search| searches.iter().position(|other| *other == search);
                    let a_first = (0..20).filter(|&i| place((i, a)) < place((i, b))).count();
                    assert_eq!(a_first, 10, "{a} before {b} of {configurations}");
                }
            }
        }
    }
}
