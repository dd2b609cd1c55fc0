//! Edge pattern databases (Korf, AAAI 1997): the distances of all positions of the first six or seven
//! edges, four bits each.
//!
//! A position is the set of occupied slots, the permutation of the edges within this set, and their flips.
//! A move maps sets to sets, permutes the edges within a set in one of about a hundred ways, and toggles a
//! mask of flips. All flips of one permutation fit one word, so breadth-first search processes whole words.

mod build;

use std::collections::HashMap;
use std::sync::Arc;

use untumble_search::control::{Control, Stop};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::spec::SpecError;
use untumble_search::tables::{Table, TableId, Tables, ValueDistribution, count_nibbles};

use super::permutations::{factorial, rank, unrank};
use crate::cube::pieces::{Cubie, edge_move};
use crate::cube3::{Cube, Cube3};

/// Numbers of edges for which a database exists.
const SIZES: [usize; 2] = [6, 7];
/// The number of edges if the argument is missing.
pub(super) const DEFAULT_ARGUMENT: &str = "7";

/// The pattern database with its move tables.
pub struct Edges {
    table: Arc<Table>,
    pattern: Pattern,
}

/// Move tables of sets, permutations and flips.
pub(super) struct Pattern {
    /// Number of edges in the pattern.
    edges: usize,
    /// Number of moves.
    moves: usize,
    /// By rank: the set of slots as bits.
    sets: Vec<u16>,
    /// By set and move: the effect of the move.
    set_moves: Vec<SetMove>,
    /// By permutation map and permutation: the permutation after the map. A map is the way in which a move
    /// permutes the edges within a set.
    permutation_maps: Vec<u16>,
    /// By flip pattern and permutation: the mask of edges that are flipped. A flip pattern is the set of
    /// places within a set whose edges a move flips.
    flips: Vec<u8>,
}

/// The effect of a move on a set.
#[derive(Clone, Copy, Debug)]
struct SetMove {
    /// Rank of the set after the move.
    set: u16,
    /// Offset of the permutation map in [`Pattern::permutation_maps`].
    permutation_map: u32,
    /// Offset of the flip pattern in [`Pattern::flips`].
    flips: u32,
}

/// A position of the edges and its distance.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    position: EdgePosition,
    bound: u8,
}

/// A position of the edges in the pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct EdgePosition {
    /// Rank of the set of occupied slots.
    set: u16,
    /// Rank of the permutation of the edges within the set.
    permutation: u16,
    /// The orientation of each edge, as bits.
    flips: u8,
}

impl Pattern {
    pub(super) fn new(cube: &Cube3, edges: usize, control: &Control) -> Result<Pattern, Stop> {
        let sets: Vec<u16> = (0..1u16 << 12).filter(|set| set.count_ones() as usize == edges).collect();
        let rank_of: HashMap<u16, u16> = sets.iter().copied().zip(0..).collect();
        let permutations: Vec<Vec<u8>> = (0..factorial(edges)).map(|index| unrank(index, edges)).collect();
        let turns: Vec<[Cubie; 12]> =
            cube.turns().all().iter().map(|&(face, quarters)| edge_move(face, quarters)).collect();
        let mut pattern = Pattern {
            edges,
            moves: turns.len(),
            set_moves: Vec::new(),
            permutation_maps: Vec::new(),
            flips: Vec::new(),
            sets: Vec::new(),
        };
        let (mut permutation_maps, mut flips) = (HashMap::new(), HashMap::new());
        for &set in &sets {
            control.poll()?;
            for turn in &turns {
                // The destination of each slot in the set.
                let slots = (0..12).filter(|slot| set >> slot & 1 == 1);
                let destinations: Vec<usize> = slots
                    .map(|slot| (0..12).find(|&to| turn[to].piece == slot).expect("a turn loses no edge"))
                    .collect();
                let rank_in_set = |slot: usize| destinations.iter().filter(|&&other| other < slot).count();
                // The index of each destination among all destinations.
                let places: Vec<usize> = destinations.iter().map(|&slot| rank_in_set(slot)).collect();
                let flipped: Vec<bool> =
                    destinations.iter().map(|&slot| turn[slot].orientation == 1).collect();
                let permutation_map = *permutation_maps.entry(places.clone()).or_insert_with(|| {
                    let start = pattern.permutation_maps.len() as u32;
                    pattern.permutation_maps.extend(permutations.iter().map(|permutation| {
                        let mut mapped = vec![0; edges];
                        places.iter().zip(permutation).for_each(|(&place, &edge)| mapped[place] = edge);
                        rank(&mapped) as u16
                    }));
                    start
                });
                let flips = *flips.entry(flipped.clone()).or_insert_with(|| {
                    let start = pattern.flips.len() as u32;
                    pattern.flips.extend(permutations.iter().map(|permutation| {
                        let toggled = permutation.iter().zip(&flipped).filter(|(_, flipped)| **flipped);
                        toggled.fold(0, |mask, (edge, _)| mask | 1 << edge)
                    }));
                    start
                });
                let set = rank_of[&destinations.iter().fold(0, |set, slot| set | 1 << slot)];
                pattern.set_moves.push(SetMove { set, permutation_map, flips });
            }
        }
        pattern.sets = sets;
        Ok(pattern)
    }

    fn permutations(&self) -> usize {
        factorial(self.edges)
    }

    fn bytes(&self) -> usize {
        table_bytes(self.edges)
    }

    /// The position after a move.
    #[inline(always)]
    fn after(&self, position: EdgePosition, m: usize) -> EdgePosition {
        let set_move = self.set_moves[usize::from(position.set) * self.moves + m];
        let permutation = usize::from(position.permutation);
        EdgePosition {
            set: set_move.set,
            permutation: self.permutation_maps[set_move.permutation_map as usize + permutation],
            flips: position.flips ^ self.flips[set_move.flips as usize + permutation],
        }
    }

    /// The index of a position in the table.
    #[inline(always)]
    fn index(&self, position: EdgePosition) -> usize {
        let row = usize::from(position.set) * self.permutations() + usize::from(position.permutation);
        row << self.edges | usize::from(position.flips)
    }

    fn position(&self, cube: Cube) -> EdgePosition {
        let (mut set, mut pieces, mut flips) = (0u16, Vec::with_capacity(self.edges), 0);
        for (slot, cubie) in cube.edges().into_iter().enumerate() {
            if cubie.piece < self.edges {
                set |= 1 << slot;
                pieces.push(cubie.piece as u8);
                flips |= (cubie.orientation as u8) << cubie.piece;
            }
        }
        let set = self.sets.binary_search(&set).expect("every set of slots has a rank");
        EdgePosition { set: set as u16, permutation: rank(&pieces) as u16, flips }
    }
}

/// Bytes of the table for a number of edges.
pub(in crate::cube3) fn table_bytes(edges: usize) -> usize {
    let sets = (0..1u16 << 12).filter(|set| set.count_ones() as usize == edges).count();
    (sets * factorial(edges)) << edges >> 1
}

/// Bytes of memory while the table is built, including the table.
pub(in crate::cube3) fn build_bytes(edges: usize) -> u64 {
    table_bytes(edges) as u64 + build::build_bytes(table_bytes(edges))
}

/// The identifier of the table.
pub(in crate::cube3) fn id(cube: &Cube3, edges: usize) -> TableId {
    TableId {
        puzzle: "cube3".into(),
        pattern: format!("edges-{edges}"),
        metric: cube.turns().metric().name().into(),
        version: 1,
    }
}

impl Edges {
    /// Loads the table from `tables`, or builds it. `argument` is the number of edges.
    pub fn new(cube: &Cube3, argument: &str, tables: &dyn Tables, control: &Control) -> Result<Edges, Error> {
        let Some(edges) = SIZES.into_iter().find(|edges| edges.to_string() == argument) else {
            return Err(SpecError::ArgumentInvalid {
                heuristic: super::EDGES.into(),
                argument: argument.into(),
                reason: "expected 6 or 7 edges".into(),
            }
            .into());
        };
        let pattern = Pattern::new(cube, edges, control)?;
        let table = tables.get(&id(cube, edges), pattern.bytes(), control, &mut |table, control| {
            build::fill(&pattern, table, control)
        })?;
        Ok(Edges { table, pattern })
    }

    /// The number of positions of the edges at each distance; `None` for other tables or contents of another
    /// length.
    pub(in crate::cube3) fn distribution(
        cube: &Cube3,
        table: &TableId,
        contents: &[u8],
    ) -> Option<ValueDistribution> {
        let matches = |&edges: &usize| *table == id(cube, edges) && contents.len() == table_bytes(edges);
        let edges = SIZES.into_iter().find(matches)?;
        let counts = count_nibbles(contents, 2 * contents.len() as u64);
        let counted = "positions of the edges";
        Some(ValueDistribution::new(counted, format!("moves to solve the first {edges} edges"), counts))
    }

    /// The bytes of the table: two distances each, the lower four bits first.
    pub fn bytes(&self) -> &[u8] {
        self.table.bytes()
    }

    #[inline(always)]
    fn bound(&self, position: EdgePosition) -> u8 {
        let index = self.pattern.index(position);
        self.table.bytes()[index / 2] >> (4 * (index % 2)) & 15
    }
}

impl Heuristic<Cube3> for Edges {
    type Value = Value;

    const PREFETCHES: bool = true;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _puzzle: &Cube3, cube: &Cube) -> Value {
        let position = self.pattern.position(*cube);
        Value { position, bound: self.bound(position) }
    }

    #[inline(always)]
    fn step(&self, value: &Value, edge: &Edge<'_, Cube3>, budget: Cost) -> Result<Value, Cost> {
        let position = self.pattern.after(value.position, edge.m.index());
        let bound = self.bound(position);
        if Cost::from(bound) > budget { Err(bound.into()) } else { Ok(Value { position, bound }) }
    }

    #[inline(always)]
    fn prefetch(&self, value: &Value, edge: &Edge<'_, Cube3>, _budget: Cost) {
        let index = self.pattern.index(self.pattern.after(value.position, edge.m.index()));
        prefetch(self.table.bytes(), index / 2);
    }

    #[inline(always)]
    fn cost(&self, value: &Value) -> Cost {
        value.bound.into()
    }
}
