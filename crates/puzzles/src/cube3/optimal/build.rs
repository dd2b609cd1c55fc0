//! Builds a coset table by breadth-first search from the solved coset, in the memory of the table.
//!
//! The table has the distance of every coset of a subgroup that contains the half turns. A node is a
//! symmetry class of corner cosets (`corner_separation.rs`), an edge coset (`edge_separation.rs`) and a lane
//! (a combination of parities, `parity_lanes.rs`); the nodes of one corner class form a row of the table.
//! All children of a row by the same face turn lie in one other row, so the search works on one row at a
//! time. Small levels are expanded top-down from the frontier; large ones bottom-up: every unreached node
//! looks for a parent in the last level, all lanes at once (direction-optimizing BFS; Beamer, Asanović &
//! Patterson, SC 2012).
//!
//! Two bits for each node, its code, suffice (`lane_words.rs`). The finished table has code 0 for all
//! distances up to `base`, a parameter of the table, codes 1 and 2 for the next two distances, and code 3
//! for all larger ones. While the levels up to `base` are built, code 3 is an unreached node, and the levels
//! have the codes 1 and 2 in turn: all neighbours of an unreached node are in the last level or unreached,
//! so earlier levels need no code of their own. After level `base` all reached nodes get code 0, and the two
//! levels after it their final codes. Marking a node twice changes nothing, so an interrupted level can be
//! run again.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Stop, TablePhase, TableProgress};
use untumble_search::memory::as_atomic;
use untumble_search::tables::{TableBuild, fill_polled};
use untumble_search::threads::run_parallel;

use super::build_work::BuildWork;
use super::corner_separation::CornerClasses;
use super::edge_separation::{EDGE_COSETS, EdgeTables};
use super::lane_words::LaneWords;
use super::parity_lanes::LaneMaps;
use super::table_variant::TableVariant;
use crate::cube3::symmetry::{FACE_TURNS, SymmetryGroup};

/// The search changes from top-down to bottom-up after the first level that holds at least 1/100 of all
/// nodes.
const BOTTOM_UP_DIVISOR: u64 = 100;
/// The largest frontier kept as a list of nodes. The nodes of a larger one are found by scanning the table
/// for their code.
const MAX_FRONTIER: usize = 1 << 20;
/// The number of rows between two moments at which the state of the build may be saved.
const ROWS_PER_SLICE: usize = 256;
/// The code of an unreached node.
const UNREACHED: u8 = 3;

/// Memory of the build besides the table: move tables, two frontiers and a row for each thread.
pub(super) fn build_bytes(variant: &TableVariant) -> u64 {
    const THREADS: usize = 128;
    EdgeTables::BYTES + (2 * MAX_FRONTIER * size_of::<Node>() + THREADS * variant.row_bytes()) as u64
}

/// Fills a table, or continues an interrupted build of it. Returns the number of nodes at each distance up
/// to `base` + 2; a continued build returns only the numbers of the levels that it expanded itself.
pub(super) fn fill(
    variant: &TableVariant,
    group: &SymmetryGroup,
    classes: &CornerClasses,
    table: &mut TableBuild<'_>,
    control: &Control,
) -> Result<Vec<u64>, Stop> {
    let _reserved = control.reserve(build_bytes(variant))?;
    assert_eq!(classes.count(), variant.classes(), "unexpected number of corner classes");
    let nodes = (classes.count() * EDGE_COSETS * variant.lanes()) as u64;
    let work = BuildWork::new(nodes, variant.base + 2, BOTTOM_UP_DIVISOR, control.threads());
    let name = format!("pruning table {}", variant.id().pattern);
    let progress = control.begin_table(name, TablePhase::Build, work.total());
    let edges = EdgeTables::new(group, control)?;
    let graph = Graph { variant, classes, edges, lanes: LaneMaps::new(variant, group) };
    let counts = match variant.lanes() {
        1 => TableBuilder::<1> { graph }.run(table, (&progress, &work), control),
        2 => TableBuilder::<2> { graph }.run(table, (&progress, &work), control),
        4 => TableBuilder::<4> { graph }.run(table, (&progress, &work), control),
        _ => TableBuilder::<8> { graph }.run(table, (&progress, &work), control),
    }?;
    progress.finish();
    Ok(counts)
}

#[derive(Clone, Copy)]
struct Node {
    class: u32,
    edge_coset: u16,
    lane: u8,
}

/// The coordinates and their moves.
struct Graph<'a> {
    variant: &'a TableVariant,
    classes: &'a CornerClasses,
    edges: EdgeTables,
    lanes: LaneMaps,
}

struct TableBuilder<'a, const LANES: usize> {
    graph: Graph<'a>,
}

/// A level of the search.
#[derive(Clone, Copy)]
struct Level {
    distance: u8,
    /// The code of the level before.
    last_code: u8,
    /// The code of this level: 1 or 2.
    code: u8,
    /// A line of the finished table (62 codes in 16 bytes, see `layout.rs`) also stores the least distance in
    /// it. One code stands for all distances up to `base`, so the minima of these levels are recorded while
    /// the levels are built. For larger distances the code determines the minimum.
    records_minima: bool,
}

impl Level {
    fn new(distance: u8, base: u8) -> Level {
        let alternating = |distance: u8| 2 - distance % 2;
        let code = if distance > base { distance - base } else { alternating(distance) };
        let last_code = if distance > base { code - 1 } else { alternating(distance - 1) };
        Level { distance, last_code, code, records_minima: distance <= base }
    }
}

/// Counts the work of a level, which is done in equal parts.
struct LevelProgress<'a> {
    progress: &'a TableProgress<'a>,
    work: u64,
}

impl LevelProgress<'_> {
    /// Counts the work of one part; a level has `parts` parts of equal work.
    fn add_part(&self, parts: usize) {
        self.progress.add(self.work / parts.max(1) as u64);
    }
}

/// The row that a face turn leads to from a class, and the maps into it.
struct NeighbourRow<'a> {
    /// The words of the row.
    words: &'a [AtomicU8],
    /// By edge coset: the edge coset after the turn.
    moves: &'a [u16],
    /// By edge coset: its conjugate under the symmetry to the class representative.
    conjugates: &'a [u16],
    /// By edge coset: bits 0 and 1 are set if the turn toggles the flip parity of the first or second slice;
    /// bit 2 is the flip parity of all edges after the turn.
    parity_changes: &'a [u8],
    /// The index of the lane map; see [`LaneMaps`].
    lane_map: usize,
}

impl<const LANES: usize> TableBuilder<'_, LANES> {
    const ROW_BYTES: usize = LaneWords::<LANES>::ROW_BYTES;

    /// The row of a class.
    fn row<'b>(&self, rows: &'b [AtomicU8], class: usize) -> &'b [AtomicU8] {
        &rows[class * Self::ROW_BYTES..][..Self::ROW_BYTES]
    }

    /// The parity change to pass to the lane maps: 0 for tables without flip parity, whose lanes do not
    /// depend on it.
    fn relevant_change(&self, parity_change: u8) -> u8 {
        if self.graph.variant.flip_parity { parity_change } else { 0 }
    }

    /// Fills the table; see [`fill`].
    fn run(
        &self,
        table: &mut TableBuild<'_>,
        (progress, work): (&TableProgress<'_>, &BuildWork),
        control: &Control,
    ) -> Result<Vec<u64>, Stop> {
        let (base, total) =
            (self.graph.variant.base, (self.graph.classes.count() * EDGE_COSETS * LANES) as u64);
        let (mut counts, mut frontier) = (Vec::new(), None);
        let first = match table.restore(&mut [], control)? {
            Some(level) if (1..=u32::from(base) + 2).contains(&level) => level as u8,
            _ => {
                let solved = self.start(table, control)?;
                counts.push(solved.len() as u64);
                frontier = Some(solved);
                1
            }
        };
        let mut last_count = match counts.last() {
            Some(&count) => count,
            None => self.count(table, Level::new(first, base).last_code, control)?,
        };
        let mut bottom_up = false;
        progress.add_earlier(work.before(first));
        for distance in first..=base + 2 {
            let level = Level::new(distance, base);
            // Never back to top-down: the last levels are small again, but so is the number of unreached
            // nodes.
            bottom_up |= last_count >= total / BOTTOM_UP_DIVISOR;
            let level_progress = LevelProgress { progress, work: work.level(distance) };
            let fresh = if bottom_up {
                self.expand_bottom_up(level, table, &level_progress, control)?
            } else {
                let (fresh, next) =
                    self.expand_top_down(level, frontier.take(), table, &level_progress, control)?;
                frontier = next;
                fresh
            };
            // From now on code 0 stands for all distances up to `base`.
            if distance == base {
                self.for_each_row(table, control, &|_, row| LaneWords::<LANES>::merge_reached(row))?;
            }
            last_count = fresh;
            counts.push(fresh);
            if distance < base + 2 {
                table.save_if_due(u32::from(distance) + 1, &[], control)?;
            }
        }
        // Convert every row from words to the lines of the finished table.
        let rows = self.graph.classes.count() as u64;
        self.for_each_row(table, control, &|scratch, row| {
            scratch.copy_from_slice(row);
            LaneWords::<LANES>::finish(as_atomic(scratch), base, row);
            progress.add(work.conversion / rows);
        })?;
        Ok(counts)
    }

    /// Clears the table and marks the solved node and its images. Returns them.
    fn start(&self, table: &mut TableBuild<'_>, control: &Control) -> Result<Vec<Node>, Stop> {
        fill_polled(table, 0xff, control)?;
        let Graph { variant, classes, edges, .. } = &self.graph;
        let solved = edges.cosets.solved() as u16;
        let mut frontier = Vec::new();
        let level = Level { distance: 0, last_code: UNREACHED, code: 2, records_minima: true };
        debug_assert_eq!(Level::new(1, variant.base).last_code, level.code);
        // A solved cube has even parities: lane 0.
        let node = Node { class: classes.solved_class as u32, edge_coset: solved, lane: 0 };
        self.reach(as_atomic(table), node, level, &mut |node| frontier.push(node));
        Ok(frontier)
    }

    /// The number of nodes with a code.
    fn count(&self, table: &mut TableBuild<'_>, code: u8, control: &Control) -> Result<u64, Stop> {
        let rows = as_atomic(table);
        let counts = (0..self.graph.classes.count()).map(|class| {
            control.poll()?;
            Ok(LaneWords::<LANES>::count(self.row(rows, class), code))
        });
        counts.sum()
    }

    /// Runs `work` for every row, with a scratch row, on all threads.
    fn for_each_row(
        &self,
        table: &mut TableBuild<'_>,
        control: &Control,
        work: &(dyn Fn(&mut [u8], &mut [u8]) + Sync),
    ) -> Result<(), Stop> {
        let rows = std::sync::Mutex::new(table.chunks_mut(Self::ROW_BYTES));
        let results = run_parallel(control.threads(), |_| {
            let mut scratch = vec![0; Self::ROW_BYTES];
            loop {
                control.poll()?;
                let next = rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
                let Some(row) = next else { return Ok(()) };
                work(&mut scratch, row);
            }
        });
        results.into_iter().collect()
    }

    /// Marks an unreached node and its images under the stabilizer of its class; calls `found` for each.
    #[inline]
    fn reach(&self, rows: &[AtomicU8], node: Node, level: Level, found: &mut impl FnMut(Node)) {
        let Graph { classes, edges, lanes, .. } = &self.graph;
        let class = node.class as usize;
        let row = self.row(rows, class);
        let mut stabilizer = classes.stabilizers[class];
        while stabilizer != 0 {
            let symmetry = stabilizer.trailing_zeros() as usize;
            stabilizer &= stabilizer - 1;
            let edge_coset = edges.conjugates(symmetry)[usize::from(node.edge_coset)];
            // Without a turn no slice changes its flip parity, so bits 0 and 1 are 0; bit 2 is the flip
            // parity of all edges of the coset, which gives the parity of the third slice, and a symmetry may
            // move that slice to the first place.
            let change = self.relevant_change(edges.flip_parity(node.edge_coset.into()) << 2);
            let lane = lanes.image(lanes.map_index(None, symmetry), change, node.lane.into());
            let (low, high) = LaneWords::<LANES>::load(row, edge_coset.into());
            let bit = 1u8 << lane;
            if low & high & bit == 0 {
                continue;
            }
            LaneWords::<LANES>::store(row, edge_coset.into(), bit, level.code);
            if level.records_minima {
                LaneWords::<LANES>::note_minimum(row, edge_coset.into(), lane, level.distance);
            }
            found(Node { class: node.class, edge_coset, lane: lane as u8 });
        }
    }

    /// Marks the unreached children of the last level: the nodes of `frontier` or, without one, all nodes
    /// with its code. Older levels with the same code have no unreached children. Returns the number of
    /// nodes marked and, if they are at most [`MAX_FRONTIER`], the nodes.
    fn expand_top_down(
        &self,
        level: Level,
        frontier: Option<Vec<Node>>,
        table: &mut TableBuild<'_>,
        progress: &LevelProgress<'_>,
        control: &Control,
    ) -> Result<(u64, Option<Vec<Node>>), Stop> {
        let rows = as_atomic(table);
        let (mut next, mut fresh) = (Vec::new(), 0);
        let mut found = |node: Node| {
            fresh += 1;
            if next.len() <= MAX_FRONTIER {
                next.push(node);
            }
        };
        if let Some(frontier) = frontier {
            let chunks = frontier.len().div_ceil(1024);
            for nodes in frontier.chunks(1024) {
                control.poll()?;
                progress.add_part(chunks);
                nodes.iter().for_each(|&node| self.expand(rows, node, level, &mut found));
            }
        } else {
            for class in 0..self.graph.classes.count() {
                control.poll()?;
                progress.add_part(self.graph.classes.count());
                for edge_coset in 0..EDGE_COSETS {
                    let word = LaneWords::<LANES>::load(self.row(rows, class), edge_coset);
                    let mut lanes = LaneWords::<LANES>::lanes_with_code(word, level.last_code);
                    while lanes != 0 {
                        let lane = lanes.trailing_zeros() as u8;
                        lanes &= lanes - 1;
                        let node = Node { class: class as u32, edge_coset: edge_coset as u16, lane };
                        self.expand(rows, node, level, &mut found);
                    }
                }
            }
        }
        Ok((fresh, (next.len() <= MAX_FRONTIER).then_some(next)))
    }

    /// Marks the unreached children of a node.
    #[inline]
    fn expand(&self, rows: &[AtomicU8], node: Node, level: Level, found: &mut impl FnMut(Node)) {
        let Graph { classes, edges, lanes, .. } = &self.graph;
        for turn in 0..FACE_TURNS {
            // The child's corner class, and the symmetry that carries the child to the class representative.
            let child = classes.after(node.class as usize, turn);
            let parent_coset = usize::from(node.edge_coset);
            let edge_coset = edges.conjugates(child.symmetry())[usize::from(edges.after(turn)[parent_coset])];
            let change = self.relevant_change(edges.parity_changes(turn)[parent_coset]);
            let lane_map = lanes.map_index(Some(turn), child.symmetry());
            let lane = lanes.image(lane_map, change, node.lane.into()) as u8;
            self.reach(rows, Node { class: child.class() as u32, edge_coset, lane }, level, found);
        }
    }

    /// Marks all unreached nodes with a neighbour in the last level. Returns their number.
    fn expand_bottom_up(
        &self,
        level: Level,
        table: &mut TableBuild<'_>,
        progress: &LevelProgress<'_>,
        control: &Control,
    ) -> Result<u64, Stop> {
        let classes = self.graph.classes.count();
        let sum = AtomicU64::new(0);
        for first in (0..classes).step_by(ROWS_PER_SLICE) {
            let (cursor, end) = (AtomicUsize::new(first), classes.min(first + ROWS_PER_SLICE));
            let rows = as_atomic(table);
            let results = run_parallel(control.threads(), |_| {
                loop {
                    control.poll()?;
                    let class = cursor.fetch_add(1, Relaxed);
                    if class >= end {
                        return Ok(());
                    }
                    sum.fetch_add(self.expand_row_bottom_up(rows, class, level), Relaxed);
                    progress.add_part(classes);
                }
            });
            results.into_iter().collect::<Result<(), Stop>>()?;
            table.save_if_due(level.distance.into(), &[], control)?;
        }
        Ok(sum.into_inner())
    }

    /// Marks the unreached nodes of a class with a neighbour in the last level. Returns their number.
    fn expand_row_bottom_up(&self, rows: &[AtomicU8], class: usize, level: Level) -> u64 {
        let Graph { classes, edges, lanes, .. } = &self.graph;
        let neighbours: [NeighbourRow<'_>; FACE_TURNS] = std::array::from_fn(|turn| {
            let neighbour = classes.after(class, turn);
            NeighbourRow {
                words: self.row(rows, neighbour.class()),
                moves: edges.after(turn),
                conjugates: edges.conjugates(neighbour.symmetry()),
                parity_changes: edges.parity_changes(turn),
                lane_map: lanes.map_index(Some(turn), neighbour.symmetry()),
            }
        });
        let row = self.row(rows, class);
        let mut fresh = 0;
        for edge_coset in 0..EDGE_COSETS {
            let (low, high) = LaneWords::<LANES>::load(row, edge_coset);
            let unreached = low & high;
            if unreached == 0 {
                continue;
            }
            let mut found = 0;
            for neighbour in &neighbours {
                let to = neighbour.conjugates[usize::from(neighbour.moves[edge_coset])];
                let word = LaneWords::<LANES>::load(neighbour.words, to.into());
                let in_last_level = LaneWords::<LANES>::lanes_with_code(word, level.last_code);
                if in_last_level != 0 {
                    let change = self.relevant_change(neighbour.parity_changes[edge_coset]);
                    found |= lanes.preimage(neighbour.lane_map, change, in_last_level);
                    if found & unreached == unreached {
                        break;
                    }
                }
            }
            let mut found = found & unreached;
            if found == 0 {
                continue;
            }
            // Only this thread writes to the row. Concurrent readers look for the code of the last level,
            // which differs from the new one.
            LaneWords::<LANES>::store(row, edge_coset, found, level.code);
            fresh += u64::from(found.count_ones());
            while level.records_minima && found != 0 {
                let lane = found.trailing_zeros() as usize;
                LaneWords::<LANES>::note_minimum(row, edge_coset, lane, level.distance);
                found &= found - 1;
            }
        }
        fresh
    }
}
