//! How far the first phase still has to go, at least.
//!
//! `Exact` knows it: 140,908,410 nodes, two bits each, the distance modulo 3. Neighbours differ by one at most, so
//! whoever knows the distance of a node knows that of its neighbours. `Pairs` takes the largest of three small tables instead, each of two of the three
//! things that the phase knows, and is ready at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Event, Stop};
use untumble_search::error::Error;
use untumble_search::prefetch::prefetch;
use untumble_search::tables::{Table, TableId, Tables};
use untumble_search::threads::run_parallel;

use super::coordinates::{FLIPS, Moves, SLICES, TWISTS, flip_moves, slice_moves, slices};
use super::reduction::{Node, Reduction};
use crate::cube::Metric;
use crate::cube::grid::{self, Grid};
use crate::cube3::symmetry::TURNS;

/// A lower bound for what the first phase still costs.
pub(super) trait Bound: Send + Sync {
    /// For a node that nothing is known about.
    fn start(&self, reduction: &Reduction, node: Node) -> u8;
    /// For a neighbour of a node with the bound `before`.
    fn step(&self, before: u8, class: u16, twist: u16) -> u8;
    /// Whether no node of the class is within `left`.
    fn excludes(&self, class: usize, left: usize) -> bool;
    /// Asks for what [`Bound::step`] will read.
    fn prefetch(&self, class: usize, twist: u16);
}

/// Two bits in each of 32 lanes.
const LANES: usize = 32;
/// Move sequences of a class.
const WIDTH: usize = TWISTS.div_ceil(LANES);
/// The lower bit of every lane.
const EACH: u64 = 0x5555_5555_5555_5555;
/// What stands in a lane that has not been reached.
const UNREACHED: u64 = 3;
/// The number of classes.
const CLASSES: usize = 64_430;
/// Bytes of the table.
pub(in crate::cube3) const LENGTH: usize = 8 * WIDTH * CLASSES;
/// Bytes while it is built.
pub(in crate::cube3) const BUILDING: u64 = 2 * LENGTH as u64 + 2 * (TURNS * 16 * TWISTS) as u64;

/// The name of the table.
pub(in crate::cube3) fn id(metric: Metric) -> TableId {
    TableId { puzzle: "cube3".into(), pattern: "reduction".into(), metric: metric.name().into(), version: 1 }
}

/// The exact distance.
pub(super) struct Exact {
    table: Arc<Table>,
    /// The least distance in each class: small enough for the near caches.
    classes: Vec<u8>,
    /// The turns that count one.
    turns: Vec<usize>,
}

impl Exact {
    pub(super) fn new(
        reduction: &Reduction,
        metric: Metric,
        turns: &[usize],
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Exact, Error> {
        let table = tables.get(&id(metric), LENGTH, control, &mut |bytes, control| {
            fill(reduction, turns, bytes, control)
        })?;
        Ok(Exact { table, classes: class_distances(reduction, turns), turns: turns.to_vec() })
    }

    /// How many nodes, those that look alike one by one, have each remainder.
    #[cfg(test)]
    pub(super) fn remainders(&self, reduction: &Reduction) -> [u64; 4] {
        let mut counts = [0; 4];
        for (class, fixing) in reduction.classes.fixing.iter().enumerate() {
            let alike = u64::from(16 / fixing.count_ones());
            for twist in 0..TWISTS as u16 {
                counts[usize::from(self.remainder(class as u16, twist))] += alike;
            }
        }
        counts
    }

    #[inline(always)]
    fn remainder(&self, class: u16, twist: u16) -> u8 {
        let byte = self.table.bytes()[usize::from(class) * 8 * WIDTH + usize::from(twist / 4)];
        byte >> (2 * (twist % 4)) & 3
    }
}

impl Bound for Exact {
    /// The number of steps down to home.
    fn start(&self, reduction: &Reduction, node: Node) -> u8 {
        let (mut class, mut twist, mut steps) = (node.class, node.twist, 0);
        while !reduction.is_home(Node { class, twist, frame: 0 }) {
            let nearer = (self.remainder(class, twist) + 2) % 3;
            let down = self.turns.iter().map(|&turn| reduction.after(class, twist, turn));
            (class, twist, _) = down
                .into_iter()
                .find(|&(class, twist, _)| self.remainder(class, twist) == nearer)
                .expect("some turn leads nearer home");
            steps += 1;
        }
        steps
    }

    #[inline(always)]
    fn step(&self, before: u8, class: u16, twist: u16) -> u8 {
        // By the remainders of the node before and of this one: one less, the same or one more.
        const STEPS: [u8; 12] = [1, 2, 0, 1, 0, 1, 2, 1, 2, 0, 1, 1];
        let step = STEPS[usize::from(4 * (before % 3) + self.remainder(class, twist))];
        before + step - 1
    }

    #[inline(always)]
    fn excludes(&self, class: usize, left: usize) -> bool {
        usize::from(self.classes[class]) > left
    }

    #[inline(always)]
    fn prefetch(&self, class: usize, twist: u16) {
        prefetch(self.table.bytes(), class * 8 * WIDTH + usize::from(twist / 4));
    }
}

/// The least distance in each class: twists are left alone.
fn class_distances(reduction: &Reduction, turns: &[usize]) -> Vec<u8> {
    let classes = &reduction.classes;
    distances(classes.count(), classes.home.into(), turns, |class, turn| classes.after(class, turn).class())
}

/// Fills the table level by level. While few are reached, those of the last level tell their neighbours; later those that are not
/// reached look for a neighbour that is.
fn fill(reduction: &Reduction, turns: &[usize], bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let _reserved = control.reserve(BUILDING - LENGTH as u64)?;
    let building = Building::new(reduction, turns);
    let (mut level, mut left) = (1, (CLASSES * TWISTS) as u64 - 1);
    let mut distance = 0;
    while left > 0 {
        distance += 1;
        assert!(level > 0, "every node is reached");
        let pull = level > left / 4;
        let (cursor, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
        let ends = run_parallel(control.threads(), |worker| {
            let alone = worker.count == 1;
            loop {
                control.poll()?;
                let first = cursor.fetch_add(CHUNK, Relaxed);
                if first >= CLASSES {
                    return Ok(());
                }
                for class in first..CLASSES.min(first + CHUNK) {
                    let fresh = if pull {
                        building.pull(class, distance)
                    } else {
                        building.push(class, distance, alone)
                    };
                    sum.fetch_add(fresh, Relaxed);
                }
            }
        });
        ends.into_iter().collect::<Result<Vec<()>, Stop>>()?;
        level = sum.into_inner();
        left -= level;
        let share = 1.0 - left as f64 / (CLASSES * TWISTS) as f64;
        control.emit(&Event::Table { name: "reduction".into(), share });
    }
    for (eight, word) in bytes.chunks_mut(8).zip(&building.words) {
        eight.copy_from_slice(&word.load(Relaxed).to_le_bytes());
    }
    Ok(())
}

/// Classes that a thread takes at a time.
const CHUNK: usize = 64;

/// The table while it is filled.
struct Building<'a> {
    reduction: &'a Reduction,
    turns: &'a [usize],
    words: Vec<AtomicU64>,
    /// Twists after a turn, seen by a symmetry.
    twists: Vec<[u16; TWISTS]>,
}

/// Where a twist stands in the words of its class.
#[inline(always)]
fn lane(twist: usize) -> (usize, u32) {
    (twist / LANES, 2 * (twist % LANES) as u32)
}

impl<'a> Building<'a> {
    fn new(reduction: &'a Reduction, turns: &'a [usize]) -> Building<'a> {
        assert_eq!(reduction.classes.count(), CLASSES, "as many classes as are known");
        let words = (0..WIDTH * CLASSES).map(|_| AtomicU64::new(u64::MAX)).collect();
        let twists = (0..TURNS * 16).map(|place| {
            std::array::from_fn(|twist| {
                reduction.seen(reduction.twisted(twist as u16, place / 16), place % 16)
            })
        });
        let building = Building { reduction, turns, words, twists: twists.collect() };
        building.set(reduction.classes.home.into(), 0, 0, true);
        building
    }

    fn words(&self, class: usize) -> &[AtomicU64] {
        &self.words[class * WIDTH..][..WIDTH]
    }

    /// Says that a node is reached; false if that was known.
    #[inline(always)]
    fn set(&self, class: usize, twist: usize, remainder: u64, alone: bool) -> bool {
        let (word, shift) = lane(twist);
        let word = &self.words(class)[word];
        let before = word.load(Relaxed);
        if before >> shift & 3 != UNREACHED {
            return false;
        }
        let mask = (UNREACHED ^ remainder) << shift;
        if alone {
            word.store(before ^ mask, Relaxed);
            return true;
        }
        // Two threads may meet here; only one of them may count it. Both clear the same bits.
        word.fetch_and(!mask, Relaxed) >> shift & 3 == UNREACHED
    }

    /// The nodes of a class reached last tell their neighbours. Gives how many of those are new.
    fn push(&self, class: usize, distance: u64, alone: bool) -> u64 {
        let mut fresh = 0;
        let wanted = ((distance + 2) % 3) * EACH;
        for (place, word) in self.words(class).iter().enumerate() {
            let other = word.load(Relaxed) ^ wanted;
            // Nodes of earlier levels with the same remainder are few.
            let mut found = !(other | other >> 1) & EACH;
            while found != 0 {
                let twist = place * LANES + found.trailing_zeros() as usize / 2;
                found &= found - 1;
                for &turn in self.turns {
                    let member = self.reduction.classes.after(class, turn);
                    let seen = self.twists[turn * 16 + member.symmetry()][twist];
                    fresh += self.reach(member.class(), seen, distance % 3, alone);
                }
            }
        }
        fresh
    }

    /// A node and those that symmetries of its class show in its place. Gives how many are new.
    #[inline(always)]
    fn reach(&self, class: usize, twist: u16, remainder: u64, alone: bool) -> u64 {
        let mut fresh = u64::from(self.set(class, twist.into(), remainder, alone));
        let mut fixing = self.reduction.classes.fixing[class] & !1;
        while fixing != 0 {
            let symmetry = fixing.trailing_zeros() as usize;
            fixing &= fixing - 1;
            let image = self.reduction.seen(twist, symmetry);
            fresh += u64::from(self.set(class, image.into(), remainder, alone));
        }
        fresh
    }

    /// The nodes of a class not reached look for a neighbour reached last. Gives how many find one.
    fn pull(&self, class: usize, distance: u64) -> u64 {
        let (last, remainder) = ((distance + 2) % 3, distance % 3);
        let neighbours: Vec<(&[AtomicU64], &[u16; TWISTS])> = self
            .turns
            .iter()
            .map(|&turn| {
                let member = self.reduction.classes.after(class, turn);
                (self.words(member.class()), &self.twists[turn * 16 + member.symmetry()])
            })
            .collect();
        let mut fresh = 0;
        for (place, word) in self.words(class).iter().enumerate() {
            let before = word.load(Relaxed);
            let mut unreached = before & before >> 1 & EACH;
            let mut change = 0;
            while unreached != 0 {
                let shift = unreached.trailing_zeros();
                unreached &= unreached - 1;
                let twist = place * LANES + shift as usize / 2;
                if twist >= TWISTS {
                    break;
                }
                let reached = neighbours.iter().any(|(words, twists)| {
                    let (word, shift) = lane(twists[twist].into());
                    words[word].load(Relaxed) >> shift & 3 == last
                });
                if reached {
                    fresh += 1;
                    change |= (UNREACHED ^ remainder) << shift;
                }
            }
            if change != 0 {
                // No other thread writes here while all pull.
                word.store(before ^ change, Relaxed);
            }
        }
        fresh
    }
}

/// The largest of three distances, each blind to one of flips, twists and slots.
pub(super) struct Pairs {
    /// Of each class.
    flips: Vec<u8>,
    /// Of slots and twists.
    slices: Vec<u8>,
    /// Of flips and twists.
    both: Vec<u8>,
    /// The combination that stands for each class.
    chosen: Vec<u32>,
}

impl Pairs {
    pub(super) fn new(reduction: &Reduction, turns: &[usize], control: &Control) -> Result<Pairs, Stop> {
        let sets = slices();
        let classes = &reduction.classes;
        let (flips, slots) = (flip_moves(), slice_moves(&sets));
        let home = classes.chosen[usize::from(classes.home)] as usize;
        Ok(Pairs {
            flips: class_distances(reduction, turns),
            slices: with_twists(reduction, &slots, SLICES, home / FLIPS, turns, control)?,
            both: with_twists(reduction, &flips, FLIPS, home % FLIPS, turns, control)?,
            chosen: classes.chosen.clone(),
        })
    }

    pub(super) const BYTES: u64 = (5 * CLASSES + (SLICES + FLIPS) * TWISTS) as u64;
}

/// The number of turns that bring home each of some things and all twists: those of a thing side by side.
fn with_twists(
    reduction: &Reduction,
    moves: &Moves,
    count: usize,
    home: usize,
    turns: &[usize],
    control: &Control,
) -> Result<Vec<u8>, Stop> {
    let row = |thing: usize, m: usize| moves.after(thing as u16, turns[m]);
    let column = |twist: usize, m: usize| reduction.twisted(twist as u16, turns[m]);
    let grid = Grid::new("two-phase", turns.len(), count, TWISTS, row, column).at_home_in(home);
    grid::distances(&grid, control)
}

/// The number of turns from `home` to each of `count` places.
fn distances(count: usize, home: usize, turns: &[usize], after: impl Fn(usize, usize) -> usize) -> Vec<u8> {
    let mut distances = vec![u8::MAX; count];
    distances[home] = 0;
    let mut level = vec![home];
    for distance in 1.. {
        let mut next = Vec::new();
        for &place in &level {
            for &turn in turns {
                let to = after(place, turn);
                if distances[to] == u8::MAX {
                    distances[to] = distance;
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    distances
}

impl Bound for Pairs {
    fn start(&self, _reduction: &Reduction, node: Node) -> u8 {
        self.step(0, node.class, node.twist)
    }

    #[inline(always)]
    fn step(&self, _before: u8, class: u16, twist: u16) -> u8 {
        let (class, twist) = (usize::from(class), usize::from(twist));
        let combination = self.chosen[class] as usize;
        let (slice, flip) = (combination / FLIPS, combination % FLIPS);
        let bound = self.flips[class].max(self.slices[slice * TWISTS + twist]);
        bound.max(self.both[flip * TWISTS + twist])
    }

    #[inline(always)]
    fn excludes(&self, class: usize, left: usize) -> bool {
        usize::from(self.flips[class]) > left
    }

    #[inline(always)]
    fn prefetch(&self, _class: usize, _twist: u16) {}
}
