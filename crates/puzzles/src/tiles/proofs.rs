//! What optimality proofs of sliding tiles cost: measured on one core, for the choice of `auto`.
//!
//! The reductions compare passes with the same bound. They grow with the bound, so they are rounded down.

use std::time::Duration;

use untumble_search::frontend::ProofCost;

use super::Size;
use super::heuristics::{LINEAR_CONFLICT, MANHATTAN};

/// Boards with more cells are not proven, except near the goal.
pub(super) const MAX_CELLS: usize = 25;

/// The cost of the tables of a partition and of a proof with them.
pub(super) struct PartitionCost {
    pub(super) partition: String,
    /// Memory while the tables are built.
    pub(super) build_bytes: u64,
    /// Memory while the tables are used.
    pub(super) use_bytes: u64,
    pub(super) build_time: Duration,
    /// Number of positions for which loading existing tables pays.
    pub(super) min_positions_to_load: usize,
    /// Number of positions for which building the tables pays.
    pub(super) min_positions_to_build: usize,
    /// The cost of a proof. Its preparation is the build time, or zero if the tables exist.
    pub(super) proof: ProofCost,
}

impl PartitionCost {
    fn new(partition: &str, [build, use_]: [u64; 2], build_millis: u64, proof: ProofCost) -> PartitionCost {
        PartitionCost {
            partition: partition.to_owned(),
            build_bytes: build << 20,
            use_bytes: use_ << 20,
            build_time: Duration::from_millis(build_millis),
            min_positions_to_load: 0,
            min_positions_to_build: 0,
            proof,
        }
    }
}

const fn proof(node_picos: u64, reduction: u64) -> ProofCost {
    ProofCost { preparation: Duration::ZERO, node_picos, reduction }
}

/// The heuristic of the proof without tables, and its cost. On 4×4 vector batches search Manhattan distance.
pub(super) fn without_tables(size: Size) -> (&'static str, ProofCost) {
    if size.rows == 4 && size.columns == 4 {
        (MANHATTAN, proof(540, 1))
    } else {
        (LINEAR_CONFLICT, proof(70_000, 1))
    }
}

/// The partitions of a board of 13 cells or more, the weakest first.
pub(super) fn partitions(size: Size) -> Vec<PartitionCost> {
    if size.rows == 4 && size.columns == 4 {
        return fifteen();
    }
    let small = |partition| PartitionCost::new(partition, [8, 4], 150, proof(22_000, 150));
    let large = |partition| PartitionCost::new(partition, [64, 24], 750, proof(25_000, 700));
    match size.cells() {
        14 => vec![small("5-4-4"), large("6-6-1")],
        15 => vec![small("5-5-4"), large("6-6-2")],
        16 => vec![small("5-5-5"), large("6-6-3")],
        cells @ 17..=MAX_CELLS => {
            vec![even(cells, 5, [160, 100], proof(40_000, 12)), even(cells, 6, [800, 400], proof(55_000, 60))]
        }
        _ => Vec::new(),
    }
}

/// The 15-puzzle. With the largest tables, a search takes about 3 ms.
fn fifteen() -> Vec<PartitionCost> {
    let many = PartitionCost::new("7-8", [480, 280], 100_000, proof(30_000, 10_000));
    vec![
        PartitionCost::new("5-5-5", [8, 4], 200, proof(10_000, 90)),
        PartitionCost::new("6-6-3", [64, 24], 1000, proof(20_000, 1600)),
        PartitionCost { min_positions_to_load: 50, min_positions_to_build: 10_000, ..many },
    ]
}

/// A partition into the fewest patterns of at most `most` tiles.
fn even(cells: usize, most: usize, megabytes: [u64; 2], proof: ProofCost) -> PartitionCost {
    // A table is searched backwards from the goal: each placement of its tiles, with the blank anywhere.
    const NANOS_PER_PLACEMENT_AND_CELL: f64 = 1.2;
    let placements: f64 = (0..most).map(|tile| (cells - tile) as f64).product();
    let patterns = (cells - 1).div_ceil(most) as f64;
    let nanos = placements * cells as f64 * patterns * NANOS_PER_PLACEMENT_AND_CELL;
    PartitionCost::new(&even_partition(cells - 1, most), megabytes, (nanos / 1e6) as u64, proof)
}

/// The partition of `tiles` tiles into the fewest patterns of at most `most`, as even as possible.
fn even_partition(tiles: usize, most: usize) -> String {
    let patterns = tiles.div_ceil(most);
    let sizes = (0..patterns).map(|index| ((tiles + patterns - 1 - index) / patterns).to_string());
    sizes.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_even_and_stronger_ones_cost_more() {
        for (rows, columns) in [(4, 4), (2, 7), (3, 5), (2, 8), (4, 5), (5, 5), (3, 8), (3, 6)] {
            let size = Size { rows, columns };
            let partitions = partitions(size);
            assert!(!partitions.is_empty(), "{rows}x{columns}");
            for PartitionCost { partition, .. } in &partitions {
                let tiles: usize =
                    partition.split('-').map(|tiles| tiles.parse::<usize>().expect("a number")).sum();
                assert_eq!(tiles, size.cells() - 1, "{partition}");
            }
            for [weak, strong] in partitions.array_windows() {
                assert!(weak.proof.reduction < strong.proof.reduction && weak.build_time < strong.build_time);
                assert!(weak.build_bytes < strong.build_bytes && weak.use_bytes < strong.use_bytes);
            }
        }
        assert_eq!(partitions(Size { rows: 5, columns: 5 })[1].partition, "6-6-6-6");
        assert!(partitions(Size { rows: 6, columns: 6 }).is_empty());
    }
}
