//! Builds a coset table by breadth-first search from the solved coset.
//!
//! A node is a corner class, an edge coset and a lane (a combination of parities). All lanes of a class and
//! edge coset share one word with two bits each: the distance modulo 3 (Cooperman & Finkelstein, 1992), or
//! 3 if unreached. A corner class and a face turn determine the child's class and symmetry, so the search
//! works on one class (row) at a time. Small levels are expanded top-down from the frontier; large ones
//! bottom-up: every unreached node looks for a parent in the last level, all lanes at once
//! (direction-optimizing BFS; Beamer, Asanović & Patterson, SC 2012).

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use untumble_search::control::{Control, Event, Stop, TablePhase};
use untumble_search::threads::run_parallel;

use super::corner_separation::CornerClasses;
use super::edge_separation::{EDGE_COSETS, EdgeTables, TWELVE_SETS};
use super::layout::{self, LINE_BYTES, LINE_ENTRIES, STRIPES};
use super::parity_lanes::LaneMaps;
use super::table_variant::TableVariant;
use crate::cube3::symmetry::{FACE_TURNS, SymmetryGroup};

/// The two-bit states of the lanes of one class and edge coset: all low bits and all high bits.
trait LaneWord: Send + Sync {
    fn new(bits: (u8, u8)) -> Self;
    fn load(&self) -> (u8, u8);
    fn store(&self, bits: (u8, u8));
}

impl LaneWord for AtomicU16 {
    fn new((low, high): (u8, u8)) -> AtomicU16 {
        AtomicU16::new(u16::from_le_bytes([low, high]))
    }

    #[inline(always)]
    fn load(&self) -> (u8, u8) {
        let [low, high] = AtomicU16::load(self, Relaxed).to_le_bytes();
        (low, high)
    }

    #[inline(always)]
    fn store(&self, (low, high): (u8, u8)) {
        AtomicU16::store(self, u16::from_le_bytes([low, high]), Relaxed);
    }
}

impl LaneWord for AtomicU8 {
    fn new((low, high): (u8, u8)) -> AtomicU8 {
        AtomicU8::new(low | high << 4)
    }

    #[inline(always)]
    fn load(&self) -> (u8, u8) {
        let byte = AtomicU8::load(self, Relaxed);
        (byte & 15, byte >> 4)
    }

    #[inline(always)]
    fn store(&self, (low, high): (u8, u8)) {
        AtomicU8::store(self, low | high << 4, Relaxed);
    }
}

/// The lanes of `all` whose distance modulo 3 is `remainder`.
#[inline(always)]
fn lanes_with_remainder((low, high): (u8, u8), remainder: u8, all: u8) -> u8 {
    match remainder {
        0 => !low & !high & all,
        1 => low & !high,
        _ => !low & high,
    }
}

/// Whether a lane word takes two bytes.
fn needs_u16(variant: &TableVariant) -> bool {
    variant.lanes() > 4
}

/// Memory of the build besides the table.
pub(super) fn build_bytes(variant: &TableVariant) -> u64 {
    let words = (variant.classes() * EDGE_COSETS) as u64 * if needs_u16(variant) { 2 } else { 1 };
    words + EdgeTables::BYTES + (64 << 20)
}

/// Output format of the distances; each corner class is one row.
pub(super) trait DistanceSink: Send + Sync {
    /// Bytes of a row.
    fn row_bytes(&self) -> usize;
    /// Initializes a table.
    fn clear(&self, bytes: &mut [u8]);
    /// Writes a distance into the row of its class. The builder calls this in ascending order of distance.
    fn write(&self, row: &mut [u8], edge_coset: usize, lane: usize, distance: u8);
}

/// The two-bit layout of the stored table.
impl DistanceSink for TableVariant {
    fn row_bytes(&self) -> usize {
        TableVariant::row_bytes(self)
    }

    fn clear(&self, bytes: &mut [u8]) {
        layout::clear(bytes);
    }

    #[inline]
    fn write(&self, row: &mut [u8], edge_coset: usize, lane: usize, distance: u8) {
        let (eight_set, set) = (edge_coset / TWELVE_SETS, edge_coset % TWELVE_SETS);
        let line = (eight_set * self.lanes() + lane) * STRIPES + set / LINE_ENTRIES;
        layout::write(&mut row[line * LINE_BYTES..][..LINE_BYTES], set % LINE_ENTRIES, distance, self.base);
    }
}

/// Fills a table and returns the number of entries at each distance.
pub(super) fn fill<S: DistanceSink>(
    variant: &TableVariant,
    sink: &S,
    group: &SymmetryGroup,
    classes: &CornerClasses,
    bytes: &mut [u8],
    control: &Control,
) -> Result<Vec<u64>, Stop> {
    let _reserved = control.reserve(build_bytes(variant))?;
    if needs_u16(variant) {
        TableBuilder::<AtomicU16, S>::new(variant, sink, group, classes).run(bytes, control)
    } else {
        TableBuilder::<AtomicU8, S>::new(variant, sink, group, classes).run(bytes, control)
    }
}

/// A level is expanded top-down if it has less than one in this many of all nodes.
const TOP_DOWN_SHARE: u64 = 100;

#[derive(Clone, Copy)]
struct Node {
    class: u32,
    edge_coset: u16,
    lane: u8,
}

struct TableBuilder<'a, W, S> {
    variant: &'a TableVariant,
    sink: &'a S,
    classes: &'a CornerClasses,
    edges: EdgeTables,
    lanes: LaneMaps,
    /// The set of all lanes.
    all_lanes: u8,
    /// By class and edge coset: the states of the lanes.
    words: Vec<W>,
}

/// The row that a face turn leads to from a class, and the maps into it.
struct NeighbourRow<'a, W> {
    /// By edge coset: the states of the lanes.
    words: &'a [W],
    /// By edge coset: the edge coset after the turn.
    moves: &'a [u16],
    /// By edge coset: its conjugate under the symmetry to the class representative.
    conjugates: &'a [u16],
    /// By edge coset: see [`EdgeTables::parity_changes`].
    parity_changes: &'a [u8],
    /// The index of the lane map; see [`LaneMaps`].
    lane_map: usize,
}

impl<'a, W: LaneWord, S: DistanceSink> TableBuilder<'a, W, S> {
    fn new(
        variant: &'a TableVariant,
        sink: &'a S,
        group: &SymmetryGroup,
        classes: &'a CornerClasses,
    ) -> TableBuilder<'a, W, S> {
        assert_eq!(classes.count(), variant.classes(), "unexpected number of corner classes");
        let lanes = LaneMaps::new(variant, group);
        let all_lanes = ((1u16 << lanes.count) - 1) as u8;
        let words = (0..classes.count() * EDGE_COSETS).map(|_| W::new((all_lanes, all_lanes))).collect();
        TableBuilder { variant, sink, classes, edges: EdgeTables::new(group), lanes, all_lanes, words }
    }

    /// The words of a class.
    fn row(&self, class: usize) -> &[W] {
        &self.words[class * EDGE_COSETS..][..EDGE_COSETS]
    }

    /// The parity change as an argument of the lane maps: 0 for tables without flip parity.
    fn relevant_change(&self, parity_change: u8) -> u8 {
        if self.variant.flip_parity { parity_change } else { 0 }
    }

    /// Fills the table and returns the number of nodes at each distance.
    fn run(&self, bytes: &mut [u8], control: &Control) -> Result<Vec<u64>, Stop> {
        self.sink.clear(bytes);
        let total = (self.words.len() * self.lanes.count) as u64;
        let mut frontier = Vec::new();
        let solved = self.edges.cosets.solved();
        // A solved cube has even parities: lane 0.
        self.reach(
            Node { class: self.classes.solved_class as u32, edge_coset: solved as u16, lane: 0 },
            0,
            bytes,
            &mut frontier,
        );
        let mut counts = vec![frontier.len() as u64];
        let (mut reached, mut bottom_up) = (counts[0], false);
        while reached < total {
            let distance = counts.len() as u8;
            // Never back to top-down: the last levels are small again, but so is the number of unreached
            // nodes.
            bottom_up |= counts[counts.len() - 1] >= total / TOP_DOWN_SHARE;
            let fresh = if bottom_up {
                frontier = Vec::new();
                self.expand_bottom_up(distance, bytes, control)?
            } else {
                frontier = self.expand_top_down(&frontier, distance, bytes, control)?;
                frontier.len() as u64
            };
            assert!(fresh > 0, "every node is reached");
            reached += fresh;
            counts.push(fresh);
            let share = reached as f64 / total as f64;
            let name = format!("pruning table {}", self.variant.id().pattern);
            control.emit(&Event::Table { name, phase: TablePhase::Build, share });
        }
        Ok(counts)
    }

    /// Marks an unreached node and its images under the stabilizer of its class.
    fn reach(&self, node: Node, distance: u8, bytes: &mut [u8], frontier: &mut Vec<Node>) {
        let class = node.class as usize;
        let row = &mut bytes[class * self.sink.row_bytes()..][..self.sink.row_bytes()];
        let mut stabilizer = self.classes.stabilizers[class];
        while stabilizer != 0 {
            let symmetry = stabilizer.trailing_zeros() as usize;
            stabilizer &= stabilizer - 1;
            let edge_coset = self.edges.conjugates(symmetry)[usize::from(node.edge_coset)];
            let change = self.relevant_change(self.edges.flip_parity(node.edge_coset.into()) << 2);
            let lane = self.lanes.image(self.lanes.map_index(None, symmetry), change, node.lane.into());
            let word = &self.row(class)[usize::from(edge_coset)];
            let (low, high) = word.load();
            let bit = 1u8 << lane;
            if low & high & bit == 0 {
                continue;
            }
            let remainder = distance % 3;
            let low = if remainder & 1 == 0 { low & !bit } else { low };
            let high = if remainder >> 1 == 0 { high & !bit } else { high };
            word.store((low, high));
            self.sink.write(row, edge_coset.into(), lane, distance);
            frontier.push(Node { class: node.class, edge_coset, lane: lane as u8 });
        }
    }

    /// Generates the children of the frontier. Returns the unreached ones.
    fn expand_top_down(
        &self,
        frontier: &[Node],
        distance: u8,
        bytes: &mut [u8],
        control: &Control,
    ) -> Result<Vec<Node>, Stop> {
        let mut next = Vec::new();
        for (count, node) in frontier.iter().enumerate() {
            if count % 4096 == 0 {
                control.poll()?;
            }
            for turn in 0..FACE_TURNS {
                let sym = self.classes.after(node.class as usize, turn);
                let parent_coset = usize::from(node.edge_coset);
                let edge_coset =
                    self.edges.conjugates(sym.symmetry())[usize::from(self.edges.after(turn)[parent_coset])];
                let change = self.relevant_change(self.edges.parity_changes(turn)[parent_coset]);
                let lane_map = self.lanes.map_index(Some(turn), sym.symmetry());
                let lane = self.lanes.image(lane_map, change, node.lane.into()) as u8;
                let child = Node { class: sym.class() as u32, edge_coset, lane };
                self.reach(child, distance, bytes, &mut next);
            }
        }
        Ok(next)
    }

    /// Marks all unreached nodes with a neighbour in the last level. Returns their number.
    fn expand_bottom_up(&self, distance: u8, bytes: &mut [u8], control: &Control) -> Result<u64, Stop> {
        let rows = Mutex::new(bytes.chunks_mut(self.sink.row_bytes()).enumerate());
        let sum = AtomicU64::new(0);
        let results = run_parallel(control.threads(), |_| {
            loop {
                control.poll()?;
                let next = rows.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((class, row)) = next else { return Ok(()) };
                sum.fetch_add(self.expand_row_bottom_up(class, row, distance), Relaxed);
            }
        });
        results.into_iter().collect::<Result<Vec<()>, Stop>>()?;
        Ok(sum.into_inner())
    }

    /// Marks the unreached nodes of a class with a neighbour in the last level. Returns their number.
    fn expand_row_bottom_up(&self, class: usize, bytes: &mut [u8], distance: u8) -> u64 {
        let neighbours: [NeighbourRow<'_, W>; FACE_TURNS] = std::array::from_fn(|turn| {
            let sym = self.classes.after(class, turn);
            NeighbourRow {
                words: self.row(sym.class()),
                moves: self.edges.after(turn),
                conjugates: self.edges.conjugates(sym.symmetry()),
                parity_changes: self.edges.parity_changes(turn),
                lane_map: self.lanes.map_index(Some(turn), sym.symmetry()),
            }
        });
        let (last_remainder, remainder) = ((distance + 2) % 3, distance % 3);
        let mut fresh = 0;
        for (edge_coset, word) in self.row(class).iter().enumerate() {
            let (low, high) = word.load();
            let unreached = low & high;
            if unreached == 0 {
                continue;
            }
            let mut found = 0;
            for neighbour in &neighbours {
                let to = neighbour.conjugates[usize::from(neighbour.moves[edge_coset])];
                let word = neighbour.words[usize::from(to)].load();
                let in_last_level = lanes_with_remainder(word, last_remainder, self.all_lanes);
                if in_last_level != 0 {
                    let change = self.relevant_change(neighbour.parity_changes[edge_coset]);
                    found |= self.lanes.preimage(neighbour.lane_map, change, in_last_level);
                    if found & unreached == unreached {
                        break;
                    }
                }
            }
            let mut found = found & unreached;
            if found == 0 {
                continue;
            }
            let low = if remainder & 1 == 0 { low & !found } else { low };
            let high = if remainder >> 1 == 0 { high & !found } else { high };
            // Only this thread writes the word. Concurrent readers look for the remainder of the last level,
            // which differs from the new one.
            word.store((low, high));
            fresh += u64::from(found.count_ones());
            while found != 0 {
                self.sink.write(bytes, edge_coset, found.trailing_zeros() as usize, distance);
                found &= found - 1;
            }
        }
        fresh
    }
}
