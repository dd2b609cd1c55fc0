//! The results on a published list of positions beside the published ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use untumble_puzzles::instance_sets::Reference;
use untumble_search::puzzle::Cost;
use untumble_session::number_format::{grouped, pluralize};

use super::analysis::{Rows, SolverResult};
use super::instances::Origin;
use super::quantity::{Quantity, Unit};
use super::row::Row;

/// The results of every solver beside the published ones.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct PublishedResults {
    /// The published list.
    pub source: String,
    /// The solver of the published node counts.
    pub nodes_of: String,
    /// One entry for each position.
    pub instances: Vec<PublishedInstance>,
}

/// A position with its published results.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct PublishedInstance {
    /// The number in the published list.
    pub instance: u32,
    /// The published optimal length.
    pub length: Cost,
    /// The published number of generated nodes.
    pub nodes: Option<u64>,
    /// The results in the order of the solvers; `None` if a search was not run.
    pub results: Vec<Option<InstanceResult>>,
}

/// The result of one solver on such a position.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct InstanceResult {
    /// The length of the solution, if any.
    pub length: Option<Cost>,
    /// The length compared with the published one.
    pub agreement: Agreement,
    /// Nodes generated.
    pub nodes: u64,
    /// The number of nodes divided by the published one; `None` for a stopped search.
    pub nodes_ratio: Option<Quantity>,
}

/// A solution compared with the published optimal length.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// The length is the published one.
    Equal,
    /// The solution is longer, and not called optimal.
    Longer,
    /// The solution is shorter than the published optimum, or the proven lower bound exceeds it.
    Contradiction,
    /// There is no solution.
    Unsolved,
}

impl InstanceResult {
    pub(crate) fn of(reference: Reference, row: &Row) -> InstanceResult {
        let agreement = Agreement::of(reference.optimal, row.length, row.lower_bound);
        let ratio = |nodes: u64| Quantity::new(Unit::Factor, row.generated as f64 / nodes as f64);
        InstanceResult {
            length: row.length,
            agreement,
            nodes: row.generated,
            nodes_ratio: reference.nodes.filter(|nodes| *nodes > 0 && row.solved()).map(ratio),
        }
    }
}

impl Agreement {
    /// Compares a solution and a proven lower bound with the published length.
    pub fn of(published: Cost, length: Option<Cost>, lower_bound: Cost) -> Agreement {
        match length {
            _ if lower_bound > published => Agreement::Contradiction,
            None => Agreement::Unsolved,
            Some(length) if length < published => Agreement::Contradiction,
            Some(length) if length == published => Agreement::Equal,
            Some(_) => Agreement::Longer,
        }
    }

    /// The mark beside a length: nothing if it is equal.
    pub fn mark(self, published: Cost, length: Option<Cost>) -> String {
        match (self, length) {
            (Agreement::Equal | Agreement::Unsolved, _) => String::new(),
            (Agreement::Contradiction, _) => " ≠".into(),
            (Agreement::Longer, length) => format!(" +{}", length.unwrap_or(published).abs_diff(published)),
        }
    }
}

impl PublishedResults {
    /// The results on the positions of a published list; `None` for other positions.
    pub(crate) fn of(origin: &Origin, solvers: &[SolverResult], rows: &Rows<'_>) -> Option<PublishedResults> {
        let Origin::Set { source, nodes_of, .. } = origin else { return None };
        let by_solver: Vec<BTreeMap<usize, &Row>> = solvers
            .iter()
            .map(|solver| rows.of(&solver.configuration))
            .map(|rows| rows.into_iter().map(|(row, _)| (row.position, row)).collect())
            .collect();
        let mut references: BTreeMap<usize, Reference> = BTreeMap::new();
        for (row, _) in rows.iter() {
            references.extend(row.reference().map(|reference| (row.position, reference)));
        }
        let instances = references.into_iter().map(|(position, reference)| PublishedInstance {
            instance: reference.id,
            length: reference.optimal,
            nodes: reference.nodes,
            results: by_solver
                .iter()
                .map(|rows| Some(InstanceResult::of(reference, rows.get(&position)?)))
                .collect(),
        });
        Some(PublishedResults {
            source: source.clone(),
            nodes_of: nodes_of.clone(),
            instances: instances.collect(),
        })
    }

    /// One sentence for each solver: agreement in lengths and nodes, and every contradiction.
    pub(crate) fn sentences(&self, labels: &[&str]) -> Vec<String> {
        labels.iter().enumerate().filter_map(|(index, label)| self.sentence(index, label)).collect()
    }

    fn sentence(&self, solver: usize, label: &str) -> Option<String> {
        let results: Vec<(&PublishedInstance, InstanceResult)> = self
            .instances
            .iter()
            .filter_map(|instance| Some((instance, (*instance.results.get(solver)?)?)))
            .collect();
        let with = |agreement: Agreement| results.iter().filter(move |(_, r)| r.agreement == agreement);
        let (equal, longer) = (with(Agreement::Equal).count(), with(Agreement::Longer).count());
        let contradictions: Vec<String> =
            with(Agreement::Contradiction).map(|(instance, _)| instance.instance.to_string()).collect();
        let found = equal + longer + contradictions.len();
        if found == 0 {
            return None;
        }
        let mut text = match (equal, found) {
            (equal, found) if equal == found => {
                format!("{label}: {} of the published length", count_of(found, "solution"))
            }
            _ => format!("{label}: {equal} of {found} solutions have the published length"),
        };
        if longer > 0 {
            text.push_str(&format!(", {longer} longer"));
        }
        let with_nodes: Vec<u64> = results
            .iter()
            .filter(|(_, result)| result.nodes_ratio.is_some())
            .filter_map(|(instance, result)| Some(result.nodes.abs_diff(instance.nodes?)))
            .collect();
        let equal_nodes = with_nodes.iter().filter(|difference| **difference == 0).count();
        if equal_nodes > 0 {
            let [equal, all] = [equal_nodes, with_nodes.len()].map(|count| grouped(count as u64));
            text.push_str(&format!("; {equal} of {all} node counts equal those of {}", self.nodes_of));
        }
        if !contradictions.is_empty() {
            text.push_str(&format!(
                "; CONTRADICTION: another optimal length at instance {}",
                contradictions.join(", ")
            ));
        }
        Some(text + ".")
    }
}

fn count_of(count: usize, noun: &str) -> String {
    match count {
        1 => format!("the only {noun} is"),
        count => format!("all {} are", pluralize(count as u64, noun)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::analysis_of_set;
    use super::super::row::tests::{solved, stopped};
    use super::*;

    fn published(row: Row, length: Cost, nodes: u64) -> Row {
        let instance = Some(row.position as u32);
        Row { instance, reference_length: Some(length), reference_nodes: Some(nodes), ..row }
    }

    #[test]
    fn lengths_and_nodes_are_compared_with_the_published_ones() {
        let longer = Row { optimal: false, lower_bound: 0, ..solved(1, "b", 11, 30, 0.1) };
        let rows = [
            published(solved(1, "a", 9, 100, 0.1), 9, 100),
            published(solved(2, "a", 10, 50, 0.1), 10, 100),
            published(longer, 9, 100),
            published(solved(2, "b", 12, 7, 0.1), 10, 100),
            published(stopped(3, "a"), 12, 100),
        ];
        let analysis = analysis_of_set(&["a", "b"], &rows);
        let results = analysis.published.as_ref().expect("published results");
        let agreements: Vec<Vec<Option<Agreement>>> = results
            .instances
            .iter()
            .map(|instance| instance.results.iter().map(|result| result.map(|r| r.agreement)).collect())
            .collect();
        use Agreement::{Contradiction, Equal, Longer, Unsolved};
        assert_eq!(
            agreements,
            [[Some(Equal), Some(Longer)], [Some(Equal), Some(Contradiction)], [Some(Unsolved), None]]
        );
        let text = analysis.findings.general.join("\n");
        for part in [
            "a: all 2 solutions are of the published length; 1 of 2 node counts equal those of IDA*.",
            "b: 0 of 2 solutions have the published length, 1 longer; CONTRADICTION: another optimal length \
             at instance 2.",
        ] {
            assert!(text.contains(part), "`{part}` is missing in:\n{text}");
        }
    }

    #[test]
    fn a_lower_bound_above_the_published_length_is_a_contradiction() {
        assert_eq!(Agreement::of(10, None, 11), Agreement::Contradiction);
        assert_eq!(Agreement::of(10, Some(10), 10), Agreement::Equal);
        assert_eq!(Agreement::of(10, Some(12), 9), Agreement::Longer);
        assert_eq!(Agreement::Longer.mark(10, Some(12)), " +2");
    }
}
