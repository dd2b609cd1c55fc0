//! The distances of all positions, each with a move that leads nearer: built once, it answers by looking up.

use std::ops::ControlFlow;
use std::sync::Arc;

use untumble_search::control::{Control, Pause, Stop};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::{Move, MoveSet};
use untumble_search::paths::{End, Ways};
use untumble_search::puzzle::{Cost, Edge, Puzzle, Ranked};
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::tables::{Table, TableId, Tables};

use super::{Corners, Cube2, ORDERS, TWISTS, rank};
use crate::cube::grid::{self, Grid};

/// The name of the algorithm that goes down the table.
pub(super) const NAME: &str = "table";

/// The entry of the table of all distances.
pub(super) fn entry() -> AlgorithmEntry<Cube2> {
    let info = AlgorithmInfo::new(NAME, "the distances of all positions once, then down them");
    AlgorithmEntry::new(info, |context| {
        Ok(Box::new(Full::new(context.puzzle, &*context.runtime.tables, context.control)?))
    })
}
/// How many positions there are, and bytes in the table.
pub(super) const LENGTH: usize = ORDERS * TWISTS;
/// Bytes while it is built.
pub(super) const BUILDING: u64 = 2 * LENGTH as u64;

/// A byte for each position: its distance in the lower four bits, a move that leads nearer in the upper four.
#[derive(Clone)]
pub struct Full {
    table: Arc<Table>,
}

pub(super) fn id(cube: &Cube2) -> TableId {
    TableId {
        puzzle: "cube2".into(),
        pattern: "full".into(),
        metric: cube.turns().metric().name().into(),
        version: 1,
    }
}

impl Full {
    /// Made ready, built where `tables` does not have it.
    pub fn new(cube: &Cube2, tables: &dyn Tables, control: &Control) -> Result<Full, Error> {
        let table =
            tables.get(&id(cube), LENGTH, control, &mut |bytes, control| fill(cube, bytes, control))?;
        Ok(Full { table })
    }

    /// How many positions there are at each distance, if the table is there.
    pub(super) fn counts(cube: &Cube2, tables: &dyn Tables, control: &Control) -> Option<Vec<u64>> {
        let table = tables.get(&id(cube), LENGTH, control, &mut refuse).ok()?;
        let mut counts = vec![0; 16];
        table.bytes().iter().for_each(|byte| counts[usize::from(byte & 15)] += 1);
        Some(counts)
    }

    /// Whether it need not be built.
    pub(super) fn stands(cube: &Cube2, tables: &dyn Tables) -> bool {
        tables.has(&id(cube), LENGTH)
    }

    /// The least number of moves from a position to the solved one; none where a corner is twisted.
    #[inline]
    pub fn distance(&self, corners: Corners) -> Option<Cost> {
        (usize::from(corners.twist) < TWISTS).then(|| self.of(corners))
    }

    #[inline]
    fn of(&self, corners: Corners) -> Cost {
        Cost::from(self.table.bytes()[rank(corners)] & 15)
    }

    /// A shortest way from a position that can be solved; the fastest way to answer.
    pub fn way<'a>(&'a self, cube: &'a Cube2, corners: Corners) -> impl Iterator<Item = Move> + 'a {
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

    fn descend(
        &self,
        cube: &Cube2,
        start: Corners,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let distance = self.of(start);
        control.prove(distance);
        let mut meter = control.meter();
        if let ControlFlow::Break(Pause::Stop(stop)) = meter.check() {
            return Err(stop);
        }
        let path: Vec<Move> = self.way(cube, start).inspect(|_| meter.tick()).collect();
        counts.expanded += path.len() as u64;
        counts.generated += path.len() as u64;
        control.offer(&path, distance);
        Ok(())
    }

    fn all(&self, cube: &Cube2, start: Corners, control: &Control) -> Result<Vec<Vec<Move>>, Stop> {
        let cost = |corners: &Corners| self.distance(*corners);
        let mut ways = Ways::new(cube, control, End::Goal, &cost)?.of(&start, self.of(start))?;
        ways.sort();
        Ok(ways)
    }
}

/// Builds nothing: for whoever only wants to look at a table that is there.
pub(super) fn refuse(_bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    Err(control.request_stop(Stop::Interrupted))
}

/// The distance of each position.
pub(super) fn distances(cube: &Cube2, control: &Control) -> Result<Vec<u8>, Stop> {
    let row =
        |order: usize, m: usize| cube.apply(&Corners { order: order as u16, twist: 0 }, Move(m as u8)).order;
    let column =
        |twist: usize, m: usize| cube.apply(&Corners { order: 0, twist: twist as u16 }, Move(m as u8)).twist;
    grid::distances(&Grid::new("full", cube.turns().count(), ORDERS, TWISTS, row, column), control)
}

fn fill(cube: &Cube2, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let _reserved = control.reserve(BUILDING - LENGTH as u64)?;
    let distances = distances(cube, control)?;
    let moves = MoveSet::first(cube.turns().count());
    for (at, (byte, &distance)) in bytes.iter_mut().zip(&distances).enumerate() {
        let corners = cube.unrank(at as u64);
        let nearer = moves.into_iter().find(|&m| distances[rank(cube.apply(&corners, m))] < distance);
        *byte = nearer.map_or(0, |m| m.0) << 4 | distance;
    }
    control.poll()
}

impl Heuristic<Cube2> for Full {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    #[inline]
    fn start(&self, _cube: &Cube2, corners: &Corners) -> Cost {
        // What cannot be solved is refused before any search; a search that is told to try finds no end to it.
        self.distance(*corners).unwrap_or(1)
    }

    #[inline]
    fn step(&self, _value: &Cost, edge: &Edge<'_, Cube2>, left: Cost) -> Result<Cost, Cost> {
        let h = self.start(edge.puzzle, &edge.child());
        if h > left { Err(h) } else { Ok(h) }
    }

    #[inline]
    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

impl Solver<Cube2> for Full {
    fn solve(&self, cube: &Cube2, starts: &[Corners], control: &Control) -> Report {
        let mut counts = Counts { generated: starts.len() as u64, ..Counts::default() };
        let mut solutions = Vec::new();
        let mut outcome = Outcome::Unsolvable;
        for &start in starts.iter().filter(|&&start| self.distance(start).is_some()) {
            let found = self.descend(cube, start, control, &mut counts).and_then(|()| {
                if control.all() {
                    solutions.append(&mut self.all(cube, start, control)?);
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
