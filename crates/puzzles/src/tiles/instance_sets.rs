//! Published lists of sliding-tile positions.

use crate::instance_sets::{InstanceSet, Reference};

/// Korf, Depth-first iterative-deepening, Artificial Intelligence 27 (1985), 97–109.
const KORF: &str = include_str!("../../tests/golden/korf-15-puzzle.csv");
/// Korf & Felner, Disjoint pattern database heuristics, Artificial Intelligence 134 (2002), 9–22.
const KORF_FELNER: &str = include_str!("korf-felner-24-puzzle.csv");

/// The lists of sliding tiles.
pub fn instance_sets() -> Vec<InstanceSet> {
    vec![
        InstanceSet {
            name: "korf-100",
            aliases: &["korf-15"],
            source: "100 random 15-puzzles of Korf (1985)",
            puzzle: "15-puzzle",
            goal: "blank-first",
            nodes_of: "IDA* with Manhattan distance",
            instances: korf_instances(),
        },
        InstanceSet {
            name: "korf-felner-50",
            aliases: &["korf-50", "korf-24"],
            source: "50 random 24-puzzles of Korf & Felner (2002)",
            puzzle: "24-puzzle",
            goal: "blank-first",
            nodes_of: "IDA* with the pattern databases 6-6-6-6 and their reflections",
            instances: instances(KORF_FELNER, ["id", "optimal", "nodes", "tiles"]),
        },
    ]
}

/// Korf's instances in order.
pub(super) fn korf_instances() -> Vec<(String, Reference)> {
    instances(KORF, ["id", "optimal", "ida_nodes", "tiles"])
}

/// The lines of an embedded file; `columns` names number, length, nodes and tiles.
fn instances(text: &str, columns: [&str; 4]) -> Vec<(String, Reference)> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let places = columns.map(|column| header.iter().position(|name| *name == column));
    let instance = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [id, optimal, nodes, tiles] =
            places.map(|place| place.and_then(|place| fields.get(place)).copied().unwrap_or_default());
        let reference =
            Reference { id: id.parse().ok()?, optimal: optimal.parse().ok()?, nodes: nodes.parse().ok() };
        Some((tiles.to_owned(), reference))
    };
    lines.filter_map(instance).collect()
}
