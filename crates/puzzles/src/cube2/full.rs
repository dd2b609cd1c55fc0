//! The table of all distances, with an optimal move for each position: a solution is a sequence of look-ups.

use std::ops::ControlFlow;
use std::sync::Arc;

use untumble_search::control::{BreakReason, Control, Stop};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::{Move, MoveSet};
use untumble_search::paths::{PathEnd, PathEnumerator};
use untumble_search::puzzle::{Cost, Edge, Puzzle, Ranked};
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::tables::{Table, TableId, Tables, ValueDistribution};

use super::{Corners, Cube2, PERMUTATIONS, TWISTS, rank};
use crate::cube::coordinate_pair::{self, CoordinatePair};

/// Name of the algorithm in solver texts.
pub(super) const NAME: &str = "table";

/// The registry entry of the algorithm.
pub(super) fn entry() -> AlgorithmEntry<Cube2> {
    let info = AlgorithmInfo::new(NAME, "table of all distances, built once; every solution is a look-up");
    AlgorithmEntry::new(info, |context| {
        Ok(Box::new(FullTable::new(context.puzzle, &*context.runtime.tables, context.control)?))
    })
}

/// Bytes of the table: one for each position.
pub(super) const TABLE_BYTES: usize = PERMUTATIONS * TWISTS;
/// Bytes of memory while the table is built, including the table.
pub(super) const BUILD_BYTES: u64 = 2 * TABLE_BYTES as u64;

/// One byte for each position: its distance in the lower four bits, an optimal move in the upper four.
#[derive(Clone)]
pub struct FullTable {
    table: Arc<Table>,
}

/// The identifier of the table.
pub(super) fn id(cube: &Cube2) -> TableId {
    TableId {
        puzzle: "cube2".into(),
        pattern: "full".into(),
        metric: cube.turns().metric().name().into(),
        version: 1,
    }
}

impl FullTable {
    /// Loads the table from `tables`, or builds it.
    pub fn new(cube: &Cube2, tables: &dyn Tables, control: &Control) -> Result<FullTable, Error> {
        let table =
            tables.get(&id(cube), TABLE_BYTES, control, &mut |bytes, control| fill(cube, bytes, control))?;
        Ok(FullTable { table })
    }

    /// The number of positions at each distance; `None` for contents of another length.
    pub(super) fn distribution(contents: &[u8]) -> Option<ValueDistribution> {
        let mut counts = vec![0; 16];
        contents.iter().for_each(|byte| counts[usize::from(byte & 15)] += 1);
        (contents.len() == TABLE_BYTES)
            .then(|| ValueDistribution::new("positions", "moves to solved", counts))
    }

    pub(super) fn is_built(cube: &Cube2, tables: &dyn Tables) -> bool {
        tables.is_available(&id(cube), TABLE_BYTES)
    }

    /// The number of moves of an optimal solution; `None` for an unsolvable position.
    #[inline]
    pub fn distance(&self, corners: Corners) -> Option<Cost> {
        (usize::from(corners.twist) < TWISTS).then(|| self.solvable_distance(corners))
    }

    /// The distance of a solvable position.
    #[inline]
    fn solvable_distance(&self, corners: Corners) -> Cost {
        Cost::from(self.table.bytes()[rank(corners)] & 15)
    }

    /// An optimal solution of a solvable position, move by move.
    pub fn shortest_path<'a>(&'a self, cube: &'a Cube2, corners: Corners) -> impl Iterator<Item = Move> + 'a {
        let mut corners = corners;
        std::iter::from_fn(move || {
            let byte = self.table.bytes()[rank(corners)];
            let m = Move(byte >> 4);
            (byte & 15 > 0).then(|| {
                corners = cube.apply(&corners, m);
                m
            })
        })
    }

    /// Offers an optimal solution of a solvable position to `control`.
    fn offer_solution(
        &self,
        cube: &Cube2,
        start: Corners,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let distance = self.solvable_distance(start);
        control.raise_lower_bound(distance);
        let mut meter = control.meter();
        if let ControlFlow::Break(BreakReason::Stop(stop)) = meter.check() {
            return Err(stop);
        }
        let path: Vec<Move> = self.shortest_path(cube, start).inspect(|_| meter.tick()).collect();
        counts.expanded += path.len() as u64;
        counts.generated += path.len() as u64;
        control.offer(&path, distance);
        Ok(())
    }

    /// All optimal solutions of a solvable position, sorted.
    fn all_paths(&self, cube: &Cube2, start: Corners, control: &Control) -> Result<Vec<Vec<Move>>, Stop> {
        let cost = |corners: &Corners| self.distance(*corners);
        let mut paths = PathEnumerator::new(cube, control, PathEnd::Goal, &cost)?
            .paths_of(&start, self.solvable_distance(start))?;
        paths.sort();
        Ok(paths)
    }
}

/// The distances of all positions by rank.
pub(super) fn distances(cube: &Cube2, control: &Control) -> Result<Vec<u8>, Stop> {
    let row = |permutation: usize, m: usize| {
        cube.apply(&Corners { permutation: permutation as u16, twist: 0 }, Move(m as u8)).permutation
    };
    let column = |twist: usize, m: usize| {
        cube.apply(&Corners { permutation: 0, twist: twist as u16 }, Move(m as u8)).twist
    };
    let moves = cube.turns().count();
    let pair = CoordinatePair::new("full", moves, PERMUTATIONS, TWISTS, control, row, column)?;
    coordinate_pair::distances(&pair, control)
}

/// Fills the table with distances and optimal moves.
fn fill(cube: &Cube2, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let _reserved = control.reserve(BUILD_BYTES - TABLE_BYTES as u64)?;
    let distances = distances(cube, control)?;
    let moves = MoveSet::first_n(cube.turns().count());
    for (index, (byte, &distance)) in bytes.iter_mut().zip(&distances).enumerate() {
        if index.is_multiple_of(1 << 14) {
            control.poll()?;
        }
        let corners = cube.unrank(index as u64);
        let nearer = moves.into_iter().find(|&m| distances[rank(cube.apply(&corners, m))] < distance);
        *byte = nearer.map_or(0, |m| m.0) << 4 | distance;
    }
    Ok(())
}

impl Heuristic<Cube2> for FullTable {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    #[inline]
    fn start(&self, _cube: &Cube2, corners: &Corners) -> Cost {
        // Callers reject unsolvable positions before a search. If one searches them anyway, the value 1
        // never counts as solved.
        self.distance(*corners).unwrap_or(1)
    }

    #[inline]
    fn step(&self, _value: &Cost, edge: &Edge<'_, Cube2>, budget: Cost) -> Result<Cost, Cost> {
        let h = self.start(edge.puzzle, &edge.child());
        if h > budget { Err(h) } else { Ok(h) }
    }

    #[inline]
    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

impl Solver<Cube2> for FullTable {
    fn solve(&self, cube: &Cube2, starts: &[Corners], control: &Control) -> Report {
        let mut counts = Counts { generated: starts.len() as u64, ..Counts::default() };
        let mut solutions = Vec::new();
        let mut outcome = Outcome::Unsolvable;
        for &start in starts.iter().filter(|&&start| self.distance(start).is_some()) {
            let found = self.offer_solution(cube, start, control, &mut counts).and_then(|()| {
                if control.all_solutions() {
                    solutions.append(&mut self.all_paths(cube, start, control)?);
                }
                Ok(())
            });
            outcome = match found {
                Ok(()) => Outcome::Solved,
                Err(stop) => Outcome::Stopped(stop),
            };
        }
        counts.visited = counts.generated;
        Report { solutions, ..Report::from_control(outcome, control, counts) }
    }
}
