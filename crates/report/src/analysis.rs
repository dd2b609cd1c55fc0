//! The analysis of an experiment: every solver summarised over all positions and by solution length, the
//! growth of its nodes, and its scaling with threads.
//!
//! An experiment runs configurations (a solver with a thread limit) on the same positions. One search is a
//! [`Row`], and every figure is computed from rows. The best known solution of a position is the shortest
//! that any configuration found; a [`RowWithBest`] is a row together with it. Results are [`Quantity`]s:
//! rounded numbers with a unit.

use std::collections::BTreeMap;

use serde::Serialize;

use untumble_search::puzzle::Cost;
use untumble_session::machine::Machine;

use super::batch_scaling::BatchScaling;
use super::comparisons::Comparisons;
use super::findings::Findings;
use super::length_group::{LengthGroup, group_lengths};
use super::paired::{Measure, PairedComparison, Verdict};
use super::published::PublishedResults;
use super::quantity::{Quantity, Unit};
use super::row::{BestKnown, Row, RowWithBest};
use super::scaling::{ThreadScaling, scaling};
use super::setup::{Configuration, Setup};
use super::statistics::ExponentialFit;
use super::summary::Summary;

/// Time and memory of the tables of a solver.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct TableCost {
    /// Seconds spent on building or loading the tables.
    pub seconds: Quantity,
    /// Bytes of the tables.
    pub bytes: Quantity,
}

/// The results of an experiment; serialised it is `results.json`.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The setup of the experiment.
    #[serde(flatten)]
    pub setup: Setup,
    /// The machine it ran on.
    pub machine: Machine,
    /// Positions grouped by best known length; those without a solution come last.
    pub groups: Vec<LengthGroup>,
    /// One entry for each configuration, in the order of the setup.
    pub solvers: Vec<SolverResult>,
    /// Scaling of the solvers that were measured on several thread counts.
    pub scaling: Vec<ThreadScaling>,
    /// The number of common positions: the positions that every configuration, except the `excluded` ones,
    /// solved before any limit stopped it.
    #[serde(rename = "common")]
    pub common_positions: usize,
    /// Labels of the configurations that solved no position. If they counted, no position would be common.
    #[serde(rename = "left_out")]
    pub excluded: Vec<String>,
    /// Every pair of configurations, compared on the common positions.
    pub comparisons: Vec<PairedComparison>,
    /// Pairs of labels whose nodes grow differently with the length, the slower growth first.
    #[serde(skip)]
    pub(crate) growth_differences: Vec<(String, String)>,
    /// The results beside the published ones, for a published list of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedResults>,
    /// Whole batches of all positions on several numbers of threads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub batches: Vec<BatchScaling>,
    /// The findings in words.
    #[serde(rename = "sentences")]
    pub findings: Findings,
}

/// The results of one configuration.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct SolverResult {
    /// Solver and threads.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// The name in tables and charts, unique in the analysis.
    pub label: String,
    /// The name of the GPU that it used.
    pub device: Option<String>,
    /// Cost of the tables.
    pub tables: TableCost,
    /// Summary over all positions.
    pub all: Summary,
    /// Summary over the common positions (see [`Analysis::common_positions`]).
    pub common: Summary,
    /// Summaries in the order of [`Analysis::groups`].
    pub groups: Vec<Summary>,
    /// Growth of the nodes with the solution length; `None` for too few data points.
    pub growth: Option<Growth>,
    /// Summary for each best known length.
    #[serde(skip)]
    pub lengths: BTreeMap<Cost, Summary>,
}

/// The fit `nodes = factor · base^length`.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    /// The factor by which one more move multiplies the nodes.
    pub base: Quantity,
    /// Nodes at length zero.
    pub factor: Quantity,
    /// The coefficient of determination r².
    #[serde(rename = "determination")]
    pub r_squared: Quantity,
    /// The unrounded fit; a [`Quantity`] is rounded.
    #[serde(skip)]
    pub(crate) fit: ExponentialFit,
}

/// The rows of an experiment, with the best known solution of each position.
pub struct Rows<'a> {
    rows: &'a [Row],
    /// By position number; positions without any known solution are absent.
    best: BTreeMap<usize, BestKnown>,
}

impl<'a> Rows<'a> {
    /// Finds the best known solution of each position.
    pub fn new(rows: &'a [Row]) -> Rows<'a> {
        let mut by_position: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
        for row in rows {
            by_position.entry(row.position).or_default().push(row);
        }
        let best = by_position
            .into_iter()
            .filter_map(|(position, rows)| Some((position, BestKnown::of(rows.iter().copied())?)))
            .collect();
        Rows { rows, best }
    }

    /// All rows, each with the best known solution of its position.
    pub fn iter(&self) -> impl Iterator<Item = RowWithBest<'a>> {
        self.rows.iter().map(|row| (row, self.best.get(&row.position).copied()))
    }

    /// The rows of one configuration.
    pub fn of(&self, configuration: &Configuration) -> Vec<RowWithBest<'a>> {
        let Configuration { solver, threads } = configuration;
        self.iter().filter(|(row, _)| row.solver == *solver && row.threads == *threads).collect()
    }

    /// The best known solution of a position.
    pub(crate) fn best_known(&self, position: usize) -> Option<BestKnown> {
        self.best.get(&position).copied()
    }

    /// The numbers of the positions that each of the configurations solved, ascending.
    pub(crate) fn solved_by_all(&self, configurations: &[&Configuration]) -> Vec<usize> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for configuration in configurations {
            for (row, _) in self.of(configuration).iter().filter(|(row, _)| row.solved()) {
                *counts.entry(row.position).or_default() += 1;
            }
        }
        let all = configurations.len();
        counts.into_iter().filter(|(_, count)| *count == all).map(|(position, _)| position).collect()
    }

    fn groups(&self) -> Vec<LengthGroup> {
        let lengths: Vec<Cost> = self.best.values().map(|best| best.length).collect();
        let mut unsolved: Vec<usize> =
            self.iter().filter(|(_, best)| best.is_none()).map(|(row, _)| row.position).collect();
        unsolved.sort_unstable();
        unsolved.dedup();
        group_lengths(&lengths, unsolved.len())
    }
}

impl Analysis {
    /// Summarises the rows; `table_costs` are in the order of the setup's configurations.
    pub fn new(setup: Setup, machine: Machine, table_costs: &[TableCost], rows: &Rows<'_>) -> Analysis {
        let groups = rows.groups();
        // A configuration that solves nothing must not empty the set of common positions.
        let (successful, excluded): (Vec<&Configuration>, Vec<&Configuration>) = setup
            .configurations
            .iter()
            .partition(|configuration| rows.of(configuration).iter().any(|(row, _)| row.solved()));
        let common_positions =
            if successful.is_empty() { Vec::new() } else { rows.solved_by_all(&successful) };
        let excluded = excluded.into_iter().map(|configuration| setup.label(configuration)).collect();
        let solvers: Vec<SolverResult> = setup
            .configurations
            .iter()
            .zip(table_costs)
            .map(|(configuration, tables)| {
                SolverResult::new(configuration, &setup, *tables, &groups, &common_positions, rows)
            })
            .collect();
        let scaling = scaling(&setup.configurations, rows);
        let Comparisons { paired: comparisons, growth_differences } =
            Comparisons::of(&solvers, &common_positions, rows);
        let published = PublishedResults::of(&setup.origin, &solvers, rows);
        let common_positions = common_positions.len();
        // The findings are derived from the rest of the analysis, so they are added last.
        let findings = Findings::default();
        let analysis = Analysis {
            setup,
            machine,
            groups,
            solvers,
            scaling,
            common_positions,
            excluded,
            comparisons,
            growth_differences,
            published,
            batches: Vec::new(),
            findings,
        };
        Analysis { findings: Findings::of(&analysis), ..analysis }
    }

    /// The names of the GPUs that the solvers used, each once.
    pub fn devices(&self) -> Vec<&str> {
        let mut devices: Vec<&str> = Vec::new();
        for device in self.solvers.iter().filter_map(|solver| solver.device.as_deref()) {
            if !devices.contains(&device) {
                devices.push(device);
            }
        }
        devices
    }

    /// The verdict on two configurations, given by their labels.
    pub(crate) fn verdict(&self, measure: Measure, first: &str, second: &str) -> Verdict {
        let found = self.comparisons.iter().filter(|pair| pair.measure == measure).find_map(|pair| {
            match (pair.first == first && pair.second == second, pair.first == second && pair.second == first)
            {
                (true, _) => Some(pair.verdict),
                (_, true) => Some(pair.verdict.reversed()),
                _ => None,
            }
        });
        found.unwrap_or(Verdict::Noise)
    }

    /// The number of positions with at least one row. After an interruption it is smaller than the number in
    /// the setup.
    pub fn searched_positions(&self) -> usize {
        self.groups.iter().map(|group| group.positions).sum()
    }
}

impl SolverResult {
    fn new(
        configuration: &Configuration,
        setup: &Setup,
        tables: TableCost,
        groups: &[LengthGroup],
        common_positions: &[usize],
        rows: &Rows<'_>,
    ) -> SolverResult {
        let rows = rows.of(configuration);
        let summary_where = |condition: &dyn Fn(&RowWithBest<'_>) -> bool| {
            Summary::of(&rows.iter().copied().filter(|row| condition(row)).collect::<Vec<_>>())
        };
        let mut by_length: BTreeMap<Cost, Vec<RowWithBest<'_>>> = BTreeMap::new();
        for &(row, best) in &rows {
            if let Some(best_known) = best {
                by_length.entry(best_known.length).or_default().push((row, best));
            }
        }
        // Solution length and generated nodes.
        let points: Vec<(f64, f64)> = rows
            .iter()
            .filter(|(row, _)| row.solved())
            .filter_map(|(row, best)| Some((f64::from((*best)?.length), row.generated as f64)))
            .collect();
        SolverResult {
            configuration: configuration.clone(),
            label: setup.label(configuration),
            device: rows.iter().find_map(|(row, _)| row.device.clone()),
            tables,
            all: Summary::of(&rows),
            common: summary_where(&|(row, _)| common_positions.binary_search(&row.position).is_ok()),
            groups: groups.iter().map(|group| summary_where(&|(_, best)| group.contains(*best))).collect(),
            growth: ExponentialFit::fit(&points).map(|fit| Growth {
                base: Quantity::new(Unit::Factor, fit.base),
                factor: Quantity::new(Unit::Factor, fit.factor),
                r_squared: Quantity::new(Unit::Factor, fit.r_squared),
                fit,
            }),
            lengths: by_length.into_iter().map(|(length, rows)| (length, Summary::of(&rows))).collect(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::instances::Origin;
    use super::super::row::tests::{solved, stopped};
    use super::super::setup::RequestedLimits;
    use super::*;

    /// The analysis of these rows; each pair of solver and threads is one configuration.
    pub(crate) fn analysis(solvers: &[&str], rows: &[Row]) -> Analysis {
        analysis_of(Origin::Random { count: 1, seed: 1 }, solvers, rows)
    }

    /// The same for positions of a published list.
    pub(crate) fn analysis_of_set(solvers: &[&str], rows: &[Row]) -> Analysis {
        let text = str::to_owned;
        let origin = Origin::Set { name: text("list"), source: text("a paper"), nodes_of: text("IDA*") };
        analysis_of(origin, solvers, rows)
    }

    fn analysis_of(origin: Origin, solvers: &[&str], rows: &[Row]) -> Analysis {
        let mut configurations: Vec<Configuration> = Vec::new();
        for solver in solvers {
            for row in rows.iter().filter(|row| row.solver == *solver) {
                let configuration = Configuration { solver: row.solver.clone(), threads: row.threads };
                if !configurations.contains(&configuration) {
                    configurations.push(configuration);
                }
            }
        }
        let none =
            TableCost { seconds: Quantity::new(Unit::Seconds, 0.0), bytes: Quantity::new(Unit::Bytes, 0.0) };
        let table_costs = vec![none; configurations.len()];
        let setup = Setup {
            untumble_version: "0".into(),
            puzzle: "a puzzle".into(),
            goal: None,
            metric: None,
            origin,
            batch_plan: None,
            positions: rows.iter().map(|row| row.position).max().unwrap_or(0),
            limits: RequestedLimits { seconds: None, nodes: None, memory: None },
            configurations,
        };
        Analysis::new(setup, Machine::detect(), &table_costs, &Rows::new(rows))
    }

    #[test]
    fn every_position_belongs_to_one_length_group() {
        let rows: Vec<Row> = (1..=31)
            .map(|position| solved(position, "a", position as Cost, 10, 0.1))
            .chain([stopped(32, "a")])
            .collect();
        let analysis = analysis(&["a"], &rows);
        assert!(analysis.groups.len() <= 11, "{:?}", analysis.groups);
        assert_eq!(analysis.groups.iter().map(|group| group.positions).sum::<usize>(), 32);
        let counted: u64 = analysis.solvers[0].groups.iter().map(|summary| summary.positions).sum();
        assert_eq!(counted, 32);
        assert_eq!(analysis.groups.last().map(LengthGroup::title).as_deref(), Some("unsolved"));
        assert_eq!(analysis.groups[0].title(), "1–4 moves");
    }

    #[test]
    fn few_distinct_lengths_have_one_group_each() {
        let rows: Vec<Row> = [1, 20, 300].map(|length| solved(length as usize, "a", length, 10, 0.1)).into();
        let titles: Vec<String> = analysis(&["a"], &rows).groups.iter().map(LengthGroup::title).collect();
        assert_eq!(titles, ["1 move", "20 moves", "300 moves"]);
    }

    #[test]
    fn speedup_is_relative_to_the_smallest_thread_count() {
        let with = |threads: usize, seconds: f64| Row { threads, ..solved(1, "p", 9, 100, seconds) };
        let analysis =
            analysis(&["p", "one"], &[with(1, 4.0), with(2, 2.5), with(4, 2.0), solved(1, "one", 9, 5, 1.0)]);
        let found: Vec<(usize, f64, f64)> = analysis
            .scaling
            .iter()
            .map(|s| (s.configuration.threads, s.speedup.value(), s.efficiency.value()))
            .collect();
        assert_eq!(found, [(1, 1.0, 1.0), (2, 1.6, 0.8), (4, 2.0, 0.5)]);
        let labels: Vec<&str> = analysis.solvers.iter().map(|solver| solver.label.as_str()).collect();
        assert_eq!(labels, ["p (1 thread)", "p (2 threads)", "p (4 threads)", "one"]);
    }
}
