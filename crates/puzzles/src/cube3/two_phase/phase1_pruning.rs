//! Pruning tables of phase 1 of the two-phase algorithm, which leads to the subgroup
//! G1 = ⟨U, D, R2, L2, F2, B2⟩.
//!
//! Twist, flip and slice are Kociemba's coordinates: corner orientation, edge orientation and the places of
//! the four slice edges. A class is an orbit of (flip, slice) pairs under the 16 symmetries that map G1 to
//! itself.
//!
//! [`ExactTable`] holds the distance to G1 of all 140,908,410 pairs of a flip-slice class and a twist,
//! modulo 3 in two bits (Cooperman & Finkelstein, 1992; Kociemba's Cube Explorer). Neighbours differ by at
//! most one, so the distance of a child follows from that of its parent. [`PairTables`] takes the maximum
//! of three small tables, one for each pair of twist, flip and slice, and is built in milliseconds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Stop, TablePhase, TableProgress};
use untumble_search::error::Error;
use untumble_search::prefetch::prefetch;
use untumble_search::tables::{Table, TableBuild, TableId, Tables, fill_polled};
use untumble_search::threads::run_parallel;

use super::coordinates::{FLIPS, MoveTable, SLICES, TWISTS, flip_moves, slice_moves, slice_slot_sets};
use super::phase1::{Phase1, Phase1Node};
use crate::cube::Metric;
use crate::cube::coordinate_pair::{self, CoordinatePair};
use crate::cube3::symmetry::FACE_TURNS;

/// A lower bound for the distance to G1. It depends on the flip-slice class and the twist of a node, not on
/// the symmetry that carries the position to the representative of the class.
pub(super) trait Phase1Pruning: Send + Sync {
    /// The bound of a node whose parent's bound is unknown.
    fn start(&self, phase1: &Phase1, node: Phase1Node) -> u8;
    /// The bound of a child, given its parent's bound.
    fn step(&self, parent: u8, class: u16, twist: u16) -> u8;
    /// Whether every node of the class is farther than `remaining` moves from G1.
    fn prunes_class(&self, class: usize, remaining: usize) -> bool;
    /// Prefetches the entry that [`Phase1Pruning::step`] will read.
    fn prefetch(&self, class: usize, twist: u16);
}

/// The number of two-bit entries in a 64-bit word.
const ENTRIES_PER_WORD: usize = 32;
/// The number of words that hold the entries of one class.
const WORDS_PER_CLASS: usize = TWISTS.div_ceil(ENTRIES_PER_WORD);
/// The lower bit of every entry.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;
/// Entry of an unreached node.
const UNREACHED: u64 = 3;
/// The number of flip-slice classes.
const CLASSES: usize = 64_430;
/// Bytes of [`ExactTable`].
pub(in crate::cube3) const TABLE_BYTES: usize = 8 * WORDS_PER_CLASS * CLASSES;
/// Bytes of memory while the table is built, including the table.
pub(in crate::cube3) const BUILD_BYTES: u64 = TABLE_BYTES as u64 + 2 * (FACE_TURNS * 16 * TWISTS) as u64;

pub(in crate::cube3) fn id(metric: Metric) -> TableId {
    // The name of the pattern is stored in table files, so it stays as it is. It means the reduction to G1.
    TableId { puzzle: "cube3".into(), pattern: "reduction".into(), metric: metric.name().into(), version: 1 }
}

/// Exact distances modulo 3.
pub(super) struct ExactTable {
    table: Arc<Table>,
    /// By class: the least distance of its nodes. Small enough for the L2 cache.
    class_distances: Vec<u8>,
    /// The metric's moves, as indices among the 18 face turns.
    turns: Vec<usize>,
}

impl ExactTable {
    pub(super) fn new(
        phase1: &Phase1,
        metric: Metric,
        turns: &[usize],
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<ExactTable, Error> {
        let table = tables.get(&id(metric), TABLE_BYTES, control, &mut |table, control| {
            fill(phase1, turns, table, control)
        })?;
        Ok(ExactTable::with_contents(phase1, turns, table))
    }

    /// The table with these contents, which must have [`TABLE_BYTES`] bytes.
    pub(super) fn with_contents(phase1: &Phase1, turns: &[usize], table: Arc<Table>) -> ExactTable {
        ExactTable { table, class_distances: class_distances(phase1, turns), turns: turns.to_vec() }
    }

    /// The number of phase-1 positions, not reduced by symmetry, with each remainder of the distance modulo
    /// 3; index 3 counts unreached positions.
    #[cfg(test)]
    pub(super) fn remainder_counts(&self, phase1: &Phase1) -> [u64; 4] {
        let mut counts = [0; 4];
        for (class, stabilizer) in phase1.classes.stabilizers.iter().enumerate() {
            let orbit = u64::from(16 / stabilizer.count_ones());
            for twist in 0..TWISTS as u16 {
                counts[usize::from(self.remainder(class as u16, twist))] += orbit;
            }
        }
        counts
    }

    #[inline(always)]
    fn remainder(&self, class: u16, twist: u16) -> u8 {
        let byte = self.table.bytes()[usize::from(class) * 8 * WORDS_PER_CLASS + usize::from(twist / 4)];
        byte >> (2 * (twist % 4)) & 3
    }
}

impl Phase1Pruning for ExactTable {
    /// Counts the moves of a shortest path to G1.
    fn start(&self, phase1: &Phase1, node: Phase1Node) -> u8 {
        let (mut class, mut twist, mut distance) = (node.class, node.twist, 0);
        while !phase1.is_goal(Phase1Node { class, twist, symmetry: 0 }) {
            // The remainder of distance − 1.
            let nearer = (self.remainder(class, twist) + 2) % 3;
            // The third item is the symmetry to the representative, which does not affect the distance.
            let children = self.turns.iter().map(|&turn| phase1.after(class, twist, turn));
            (class, twist, _) = children
                .into_iter()
                .find(|&(class, twist, _)| self.remainder(class, twist) == nearer)
                .expect("some move decreases the distance");
            distance += 1;
        }
        distance
    }

    #[inline(always)]
    fn step(&self, parent: u8, class: u16, twist: u16) -> u8 {
        // By remainder of the parent and of the child: the change of the distance, plus one. The fourth
        // column is never read: no child has the remainder 3.
        const CHANGES: [u8; 12] = [1, 2, 0, 1, 0, 1, 2, 1, 2, 0, 1, 1];
        let change = CHANGES[usize::from(4 * (parent % 3) + self.remainder(class, twist))];
        parent + change - 1
    }

    #[inline(always)]
    fn prunes_class(&self, class: usize, remaining: usize) -> bool {
        usize::from(self.class_distances[class]) > remaining
    }

    #[inline(always)]
    fn prefetch(&self, class: usize, twist: u16) {
        prefetch(self.table.bytes(), class * 8 * WORDS_PER_CLASS + usize::from(twist / 4));
    }
}

/// By flip-slice class: the distance to the solved class, ignoring the twist.
fn class_distances(phase1: &Phase1, turns: &[usize]) -> Vec<u8> {
    let classes = &phase1.classes;
    distances(classes.count(), classes.solved_class.into(), turns, |class, turn| {
        classes.after(class, turn).class()
    })
}

/// Fills the table by breadth-first search. The table itself serves as frontier and closed list; no queue is
/// kept. Small levels are expanded top-down: each node of the previous level reaches its children. Large
/// levels are expanded bottom-up: each unreached node looks for a parent (direction-optimizing BFS; Beamer,
/// Asanović & Patterson, SC 2012).
fn fill(phase1: &Phase1, turns: &[usize], table: &mut TableBuild<'_>, control: &Control) -> Result<(), Stop> {
    let _reserved = control.reserve(BUILD_BYTES - TABLE_BYTES as u64)?;
    let total = (CLASSES * TWISTS) as u64;
    let progress = control.begin_table("pruning table of phase 1", TablePhase::Build, total);
    let builder = TableBuilder::new(phase1, turns);
    // The distance of the next level: the table holds all nodes that are nearer. A saved build consists of
    // the table and this number, see `save_if_due` below.
    let mut next_distance = match table.restore(&mut [], control)? {
        Some(saved @ 1..) => u64::from(saved),
        _ => {
            fill_polled(table, 0xff, control)?;
            mark(class_words(table.atomic_words(), phase1.classes.solved_class.into()), 0, 0, true);
            1
        }
    };
    // After a restore this also counts nodes of earlier levels with the same remainder. The number only
    // selects the direction of the next expansion.
    let mut frontier_size = count(table.atomic_words(), (next_distance - 1) % 3, control)?;
    let mut unreached = count(table.atomic_words(), UNREACHED, control)?;
    progress.add_earlier(total - unreached);
    while unreached > 0 {
        assert!(frontier_size > 0, "the frontier is empty, but some nodes are unreached");
        let bottom_up = frontier_size > unreached / 4;
        frontier_size =
            builder.expand_level(table.atomic_words(), next_distance, bottom_up, &progress, control)?;
        unreached -= frontier_size;
        next_distance += 1;
        table.save_if_due(next_distance as u32, &[], control)?;
    }
    Ok(())
}

/// The number of nodes whose entry equals `entry`.
fn count(words: &[AtomicU64], entry: u64, control: &Control) -> Result<u64, Stop> {
    let mut count = 0;
    for (class, words) in words.chunks(WORDS_PER_CLASS).enumerate() {
        if class.is_multiple_of(1 << 10) {
            control.poll()?;
        }
        for (index, word) in words.iter().enumerate() {
            let difference = load(word) ^ (entry * LOW_BITS);
            // The last word of a class has unused entries.
            let entries = TWISTS.saturating_sub(index * ENTRIES_PER_WORD).min(ENTRIES_PER_WORD) as u32;
            let used = if entries == 32 { u64::MAX } else { (1 << (2 * entries)) - 1 };
            // The lower bit of each entry whose two bits do not differ.
            let equal = !(difference | difference >> 1) & LOW_BITS;
            count += u64::from((equal & used).count_ones());
        }
    }
    Ok(count)
}

/// Reads a word of the table, which is little-endian in memory.
#[inline(always)]
fn load(word: &AtomicU64) -> u64 {
    u64::from_le(word.load(Relaxed))
}

#[inline(always)]
fn class_words(words: &[AtomicU64], class: usize) -> &[AtomicU64] {
    &words[class * WORDS_PER_CLASS..][..WORDS_PER_CLASS]
}

/// Marks a node, given the words of its class, as reached. Returns false if it was reached before. With
/// `single_thread` no other thread writes to the table.
#[inline(always)]
fn mark(class_words: &[AtomicU64], twist: usize, remainder: u64, single_thread: bool) -> bool {
    let (word, shift) = entry_position(twist);
    let word = &class_words[word];
    let old_word = load(word);
    if old_word >> shift & 3 != UNREACHED {
        return false;
    }
    let mask = (UNREACHED ^ remainder) << shift;
    if single_thread {
        word.store((old_word ^ mask).to_le(), Relaxed);
        return true;
    }
    // Two threads may reach the node at once: both clear the same bits, and only the first counts it.
    u64::from_le(word.fetch_and(!mask.to_le(), Relaxed)) >> shift & 3 == UNREACHED
}

/// Classes that a worker claims at a time.
const CHUNK: usize = 64;

/// Expands the levels of the breadth-first search that fills the table.
struct TableBuilder<'a> {
    phase1: &'a Phase1,
    /// The face-turn indices of the metric's moves.
    turns: &'a [usize],
    /// Indexed by `16 * turn + symmetry`, then by twist: the twist after the turn, conjugated by the
    /// symmetry that maps the child to the representative of its class.
    twists: Vec<[u16; TWISTS]>,
}

/// Word and bit offset of a twist within its class.
#[inline(always)]
fn entry_position(twist: usize) -> (usize, u32) {
    (twist / ENTRIES_PER_WORD, 2 * (twist % ENTRIES_PER_WORD) as u32)
}

impl<'a> TableBuilder<'a> {
    fn new(phase1: &'a Phase1, turns: &'a [usize]) -> TableBuilder<'a> {
        assert_eq!(phase1.classes.count(), CLASSES, "unexpected number of flip-slice classes");
        let twists = (0..FACE_TURNS * 16).map(|index| {
            std::array::from_fn(|twist| {
                phase1.conjugate_twist(phase1.twist_after(twist as u16, index / 16), index % 16)
            })
        });
        TableBuilder { phase1, turns, twists: twists.collect() }
    }

    /// Marks the nodes at `distance`. Returns their number.
    fn expand_level(
        &self,
        words: &[AtomicU64],
        distance: u64,
        bottom_up: bool,
        progress: &TableProgress<'_>,
        control: &Control,
    ) -> Result<u64, Stop> {
        let (cursor, newly_reached) = (AtomicUsize::new(0), AtomicU64::new(0));
        let results = run_parallel(control.threads(), |worker| {
            let single_thread = worker.count == 1;
            loop {
                control.poll()?;
                let first = cursor.fetch_add(CHUNK, Relaxed);
                if first >= CLASSES {
                    return Ok(());
                }
                for class in first..CLASSES.min(first + CHUNK) {
                    let reached = if bottom_up {
                        self.expand_bottom_up(words, class, distance)
                    } else {
                        self.expand_top_down(words, class, distance, single_thread)
                    };
                    newly_reached.fetch_add(reached, Relaxed);
                    progress.add(reached);
                }
            }
        });
        results.into_iter().collect::<Result<(), Stop>>()?;
        Ok(newly_reached.into_inner())
    }

    /// Marks the children of the class's nodes in the previous level. Returns the number of newly reached
    /// nodes.
    fn expand_top_down(&self, words: &[AtomicU64], class: usize, distance: u64, single_thread: bool) -> u64 {
        let mut reached = 0;
        // The remainder of distance − 1 in every entry.
        let previous_level_word = ((distance + 2) % 3) * LOW_BITS;
        for (index, word) in class_words(words, class).iter().enumerate() {
            let difference = load(word) ^ previous_level_word;
            // This also finds nodes of earlier levels with the same remainder. They are few, and their
            // children are reached already.
            let mut found = !(difference | difference >> 1) & LOW_BITS;
            while found != 0 {
                let twist = index * ENTRIES_PER_WORD + found.trailing_zeros() as usize / 2;
                found &= found - 1;
                for &turn in self.turns {
                    // The sym-coordinate (Kociemba) of the child: its class and the symmetry to its
                    // representative.
                    let child = self.phase1.classes.after(class, turn);
                    let child_twist = self.twists[turn * 16 + child.symmetry()][twist];
                    reached += self.reach(words, child.class(), child_twist, distance % 3, single_thread);
                }
            }
        }
        reached
    }

    /// Marks a node and its images under the stabilizer of its class. Returns the number of newly
    /// reached nodes.
    #[inline(always)]
    fn reach(
        &self,
        words: &[AtomicU64],
        class: usize,
        twist: u16,
        remainder: u64,
        single_thread: bool,
    ) -> u64 {
        let words = class_words(words, class);
        let mut reached = u64::from(mark(words, twist.into(), remainder, single_thread));
        // The symmetries that fix the representative, a bit each; bit 0 is the identity.
        let mut stabilizer = self.phase1.classes.stabilizers[class] & !1;
        while stabilizer != 0 {
            let symmetry = stabilizer.trailing_zeros() as usize;
            stabilizer &= stabilizer - 1;
            let image = self.phase1.conjugate_twist(twist, symmetry);
            reached += u64::from(mark(words, image.into(), remainder, single_thread));
        }
        reached
    }

    /// Marks the unreached nodes of a class that have a neighbour in the previous level. Returns their
    /// number.
    fn expand_bottom_up(&self, words: &[AtomicU64], class: usize, distance: u64) -> u64 {
        let (previous_remainder, remainder) = ((distance + 2) % 3, distance % 3);
        let neighbours: Vec<(&[AtomicU64], &[u16; TWISTS])> = self
            .turns
            .iter()
            .map(|&turn| {
                let child = self.phase1.classes.after(class, turn);
                (class_words(words, child.class()), &self.twists[turn * 16 + child.symmetry()])
            })
            .collect();
        let mut newly_reached = 0;
        for (index, word) in class_words(words, class).iter().enumerate() {
            let old_word = load(word);
            let mut unreached = old_word & old_word >> 1 & LOW_BITS;
            let mut change = 0;
            while unreached != 0 {
                let shift = unreached.trailing_zeros();
                unreached &= unreached - 1;
                let twist = index * ENTRIES_PER_WORD + shift as usize / 2;
                if twist >= TWISTS {
                    // The rest are unused entries.
                    break;
                }
                let reached = neighbours.iter().any(|(words, twists)| {
                    let (word, shift) = entry_position(twists[twist].into());
                    load(&words[word]) >> shift & 3 == previous_remainder
                });
                if reached {
                    newly_reached += 1;
                    change |= (UNREACHED ^ remainder) << shift;
                }
            }
            if change != 0 {
                // Only this thread writes the words of its class while all threads work bottom-up.
                word.store((old_word ^ change).to_le(), Relaxed);
            }
        }
        newly_reached
    }
}

/// Distances in three tables, one for each pair of flip, slice and twist. The bound is their maximum.
pub(super) struct PairTables {
    /// By flip-slice class.
    flip_slice: Vec<u8>,
    /// By slice and twist.
    slice_twist: Vec<u8>,
    /// By flip and twist.
    flip_twist: Vec<u8>,
    /// By class: the flip-slice of its representative.
    representatives: Vec<u32>,
}

impl PairTables {
    pub(super) fn new(phase1: &Phase1, turns: &[usize], control: &Control) -> Result<PairTables, Stop> {
        let classes = &phase1.classes;
        let (flips, slices) = (flip_moves(), slice_moves(&slice_slot_sets()));
        let solved = classes.representatives[usize::from(classes.solved_class)] as usize;
        Ok(PairTables {
            flip_slice: class_distances(phase1, turns),
            slice_twist: distances_with_twist(phase1, &slices, SLICES, solved / FLIPS, turns, control)?,
            flip_twist: distances_with_twist(phase1, &flips, FLIPS, solved % FLIPS, turns, control)?,
            representatives: classes.representatives.clone(),
        })
    }

    /// Bytes of memory of all tables.
    pub(super) const BYTES: u64 = (5 * CLASSES + (SLICES + FLIPS) * TWISTS) as u64;
}

/// Distances of all pairs of a coordinate and the twist, by coordinate, then twist. The solved pair is
/// `solved` with twist 0.
fn distances_with_twist(
    phase1: &Phase1,
    moves: &MoveTable,
    count: usize,
    solved: usize,
    turns: &[usize],
    control: &Control,
) -> Result<Vec<u8>, Stop> {
    let row = |coordinate: usize, m: usize| moves.after(coordinate as u16, turns[m]);
    let column = |twist: usize, m: usize| phase1.twist_after(twist as u16, turns[m]);
    let pair = CoordinatePair::new("two-phase", turns.len(), count, TWISTS, control, row, column)?;
    coordinate_pair::distances(&pair.with_solved_row(solved), control)
}

/// Distances of `count` values from `solved` by breadth-first search.
fn distances(count: usize, solved: usize, turns: &[usize], after: impl Fn(usize, usize) -> usize) -> Vec<u8> {
    let mut distances = vec![u8::MAX; count];
    distances[solved] = 0;
    let mut frontier = vec![solved];
    for distance in 1.. {
        let mut next = Vec::new();
        for &value in &frontier {
            for &turn in turns {
                let child = after(value, turn);
                if distances[child] == u8::MAX {
                    distances[child] = distance;
                    next.push(child);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        frontier = next;
    }
    distances
}

impl Phase1Pruning for PairTables {
    fn start(&self, _phase1: &Phase1, node: Phase1Node) -> u8 {
        self.step(0, node.class, node.twist)
    }

    #[inline(always)]
    fn step(&self, _parent: u8, class: u16, twist: u16) -> u8 {
        let (class, twist) = (usize::from(class), usize::from(twist));
        let flip_slice = self.representatives[class] as usize;
        let (slice, flip) = (flip_slice / FLIPS, flip_slice % FLIPS);
        let bound = self.flip_slice[class].max(self.slice_twist[slice * TWISTS + twist]);
        bound.max(self.flip_twist[flip * TWISTS + twist])
    }

    #[inline(always)]
    fn prunes_class(&self, class: usize, remaining: usize) -> bool {
        usize::from(self.flip_slice[class]) > remaining
    }

    #[inline(always)]
    fn prefetch(&self, _class: usize, _twist: u16) {}
}
