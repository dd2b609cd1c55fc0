//! The exact cost of bringing six or seven of the edges home, tabulated, four bits each.
//!
//! A position is the set of slots the edges are in, their order in it, and which are flipped. All orders of a set move
//! alike, so a move is one step from set to set, one of some hundred ways to change an order, and one mask of flips. The flips of a
//! row of positions fit one word, which makes a level of breadth-first search a matter of looking at neighbours' words.

mod build;

use std::collections::HashMap;
use std::sync::Arc;

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::spec::SpecError;
use untumble_search::tables::{Table, TableId, Tables};

use super::orders::{factorial, number, order};
use crate::cube::pieces::{Placed, turned_edges};
use crate::cube3::{Cube, Cube3};

/// How many edges a table may be about.
const SIZES: [usize; 2] = [6, 7];
/// How many where none are named.
const USUAL: usize = 7;

/// The table, and what moves make of positions.
pub struct Edges {
    table: Arc<Table>,
    pattern: Pattern,
}

/// What moves make of sets, orders and flips.
pub(super) struct Pattern {
    /// How many edges: the first ones.
    edges: usize,
    moves: usize,
    /// Their slots, a bit each, by number.
    sets: Vec<u16>,
    /// By set and move.
    steps: Vec<Step>,
    /// What becomes of an order, by way to change it and order.
    changes: Vec<u16>,
    /// Which edges are flipped, by which places of an order are and order.
    flips: Vec<u8>,
}

/// What a move makes of a set.
#[derive(Clone, Copy, Debug)]
struct Step {
    set: u16,
    /// Where the way to change an order begins in [`Pattern::changes`].
    change: u32,
    /// Where the flips begin in [`Pattern::flips`].
    flips: u32,
}

/// Where the edges are, and what they need.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    at: Position,
    bound: u8,
}

/// Where the edges are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Position {
    set: u16,
    order: u16,
    flips: u8,
}

impl Pattern {
    pub(super) fn new(cube: &Cube3, edges: usize) -> Pattern {
        let sets: Vec<u16> = (0..1u16 << 12).filter(|set| set.count_ones() as usize == edges).collect();
        let number_of: HashMap<u16, u16> = sets.iter().copied().zip(0..).collect();
        let orders: Vec<Vec<u8>> = (0..factorial(edges)).map(|place| order(place, edges)).collect();
        let turns: Vec<[Placed; 12]> =
            cube.turns().list().iter().map(|&(face, quarters)| turned_edges(face, quarters)).collect();
        let mut pattern = Pattern {
            edges,
            moves: turns.len(),
            steps: Vec::new(),
            changes: Vec::new(),
            flips: Vec::new(),
            sets: Vec::new(),
        };
        let (mut changes, mut flips) = (HashMap::new(), HashMap::new());
        for &set in &sets {
            for turn in &turns {
                // Where what is in each slot of the set goes, and whether it is flipped on the way.
                let slots = (0..12).filter(|slot| set >> slot & 1 == 1);
                let to: Vec<usize> = slots
                    .map(|slot| (0..12).find(|&to| turn[to].piece == slot).expect("a turn loses no edge"))
                    .collect();
                let place = |slot: usize| to.iter().filter(|&&other| other < slot).count();
                let places: Vec<usize> = to.iter().map(|&slot| place(slot)).collect();
                let flipped: Vec<bool> = to.iter().map(|&slot| turn[slot].turn == 1).collect();
                let change = *changes.entry(places.clone()).or_insert_with(|| {
                    let start = pattern.changes.len() as u32;
                    pattern.changes.extend(orders.iter().map(|order| {
                        let mut changed = vec![0; edges];
                        places.iter().zip(order).for_each(|(&place, &edge)| changed[place] = edge);
                        number(&changed) as u16
                    }));
                    start
                });
                let flips = *flips.entry(flipped.clone()).or_insert_with(|| {
                    let start = pattern.flips.len() as u32;
                    pattern.flips.extend(orders.iter().map(|order| {
                        let turned = order.iter().zip(&flipped).filter(|(_, flipped)| **flipped);
                        turned.fold(0, |mask, (edge, _)| mask | 1 << edge)
                    }));
                    start
                });
                let set = number_of[&to.iter().fold(0, |set, slot| set | 1 << slot)];
                pattern.steps.push(Step { set, change, flips });
            }
        }
        pattern.sets = sets;
        pattern
    }

    fn orders(&self) -> usize {
        factorial(self.edges)
    }

    /// Bytes of the table.
    fn bytes(&self) -> usize {
        bytes(self.edges)
    }

    #[inline(always)]
    fn after(&self, at: Position, m: usize) -> Position {
        let step = self.steps[usize::from(at.set) * self.moves + m];
        let order = usize::from(at.order);
        Position {
            set: step.set,
            order: self.changes[step.change as usize + order],
            flips: at.flips ^ self.flips[step.flips as usize + order],
        }
    }

    #[inline(always)]
    fn place(&self, at: Position) -> usize {
        let row = usize::from(at.set) * self.orders() + usize::from(at.order);
        row << self.edges | usize::from(at.flips)
    }

    fn of(&self, cube: Cube) -> Position {
        let (mut set, mut pieces, mut flips) = (0u16, Vec::with_capacity(self.edges), 0);
        for (slot, placed) in cube.edges().into_iter().enumerate() {
            if placed.piece < self.edges {
                set |= 1 << slot;
                pieces.push(placed.piece as u8);
                flips |= (placed.turn as u8) << placed.piece;
            }
        }
        let set = self.sets.binary_search(&set).expect("every set of slots has a number");
        Position { set: set as u16, order: number(&pieces) as u16, flips }
    }
}

/// Bytes of the table of so many edges.
pub(in crate::cube3) fn bytes(edges: usize) -> usize {
    let sets = (0..1u16 << 12).filter(|set| set.count_ones() as usize == edges).count();
    (sets * factorial(edges)) << edges >> 1
}

/// Bytes while it is built.
pub(in crate::cube3) fn building(edges: usize) -> u64 {
    let words = 3 * 16 * ((2 * bytes(edges)) >> edges);
    (bytes(edges) + words) as u64
}

pub(in crate::cube3) fn id(cube: &Cube3, edges: usize) -> TableId {
    TableId {
        puzzle: "cube3".into(),
        pattern: format!("edges-{edges}"),
        metric: cube.turns().metric().name().into(),
        version: 1,
    }
}

impl Edges {
    /// Made ready for as many edges as `argument` says, built where `tables` does not have it.
    pub fn new(
        cube: &Cube3,
        argument: Option<&str>,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Edges, Error> {
        let asked =
            argument.map_or(Some(USUAL), |text| SIZES.into_iter().find(|edges| edges.to_string() == text));
        let Some(edges) = asked else {
            return Err(SpecError::ArgumentInvalid {
                heuristic: "edges".into(),
                argument: argument.unwrap_or_default().into(),
                reason: "expected 6 or 7 edges".into(),
            }
            .into());
        };
        let pattern = Pattern::new(cube, edges);
        let table = tables.get(&id(cube, edges), pattern.bytes(), control, &mut |bytes, control| {
            build::fill(&pattern, bytes, control)
        })?;
        Ok(Edges { table, pattern })
    }

    /// The table itself: four bits for each position, the lower ones first.
    pub fn bytes(&self) -> &[u8] {
        self.table.bytes()
    }

    #[inline(always)]
    fn bound(&self, at: Position) -> u8 {
        let place = self.pattern.place(at);
        self.table.bytes()[place / 2] >> (4 * (place % 2)) & 15
    }
}

impl Heuristic<Cube3> for Edges {
    type Value = Value;

    const PREFETCHES: bool = true;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _puzzle: &Cube3, cube: &Cube) -> Value {
        let at = self.pattern.of(*cube);
        Value { at, bound: self.bound(at) }
    }

    #[inline(always)]
    fn step(&self, value: &Value, edge: &Edge<'_, Cube3>, left: Cost) -> Result<Value, Cost> {
        let at = self.pattern.after(value.at, edge.m.index());
        let bound = self.bound(at);
        if Cost::from(bound) > left { Err(bound.into()) } else { Ok(Value { at, bound }) }
    }

    #[inline(always)]
    fn prefetch(&self, value: &Value, edge: &Edge<'_, Cube3>, _left: Cost) {
        let place = self.pattern.place(self.pattern.after(value.at, edge.m.index()));
        prefetch(self.table.bytes(), place / 2);
    }

    #[inline(always)]
    fn cost(&self, value: &Value) -> Cost {
        value.bound.into()
    }
}
