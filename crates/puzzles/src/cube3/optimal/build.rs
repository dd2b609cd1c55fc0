//! Measures how far every entry of a table is from solved, breadth first.
//!
//! A node is a class of corners, an arrangement of slices and a lane. All lanes of an arrangement lie in one word, as two bits each: the distance modulo 3, or
//! that it is not known. A class and a turn decide the class it leads to and the symmetry to look by, so a class is one row after the other: while
//! few nodes are reached, those of the last level tell their neighbours; later, those not reached look for a neighbour that is,
//! all lanes at once.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use untumble_search::control::{Control, Event, Stop};
use untumble_search::threads::run_parallel;

use super::kind::Kind;
use super::lanes::Lanes;
use super::layout::{self, ENTRIES, LINE, STRIPES};
use super::slices::{ARRANGEMENTS, SETS, Slices};
use super::tetrads::Classes;
use crate::cube3::symmetry::{Group, TURNS};

/// The lanes of an arrangement: two bits of each, in two halves.
trait Word: Send + Sync {
    fn new(halves: (u8, u8)) -> Self;
    fn load(&self) -> (u8, u8);
    fn store(&self, halves: (u8, u8));
}

impl Word for AtomicU16 {
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

impl Word for AtomicU8 {
    fn new((low, high): (u8, u8)) -> AtomicU8 {
        AtomicU8::new(low | high << 4)
    }

    #[inline(always)]
    fn load(&self) -> (u8, u8) {
        let both = AtomicU8::load(self, Relaxed);
        (both & 15, both >> 4)
    }

    #[inline(always)]
    fn store(&self, (low, high): (u8, u8)) {
        AtomicU8::store(self, low | high << 4, Relaxed);
    }
}

/// The lanes of `all` whose distance leaves this remainder.
#[inline(always)]
fn with_remainder((low, high): (u8, u8), remainder: u8, all: u8) -> u8 {
    match remainder {
        0 => !low & !high & all,
        1 => low & !high,
        _ => !low & high,
    }
}

/// Whether the words of a table take two bytes each.
fn wide(kind: &Kind) -> bool {
    kind.lanes() > 4
}

/// Bytes that building takes besides the table.
pub(super) fn extra(kind: &Kind) -> u64 {
    let words = (kind.classes() * ARRANGEMENTS) as u64 * if wide(kind) { 2 } else { 1 };
    words + Slices::BYTES + (64 << 20)
}

/// How distances are written down, class by class.
pub(super) trait Sheet: Send + Sync {
    /// Bytes of a class.
    fn row(&self) -> usize;
    /// Makes a table ready.
    fn clear(&self, bytes: &mut [u8]);
    /// Writes the distance of an arrangement and a lane into the row of its class.
    fn write(&self, row: &mut [u8], arrangement: usize, lane: usize, distance: u8);
}

/// As the table keeps them.
impl Sheet for Kind {
    fn row(&self) -> usize {
        Kind::row(self)
    }

    fn clear(&self, bytes: &mut [u8]) {
        layout::clear(bytes);
    }

    #[inline]
    fn write(&self, row: &mut [u8], arrangement: usize, lane: usize, distance: u8) {
        let (eight, set) = (arrangement / SETS, arrangement % SETS);
        let line = (eight * self.lanes() + lane) * STRIPES + set / ENTRIES;
        layout::write(&mut row[line * LINE..][..LINE], set % ENTRIES, distance, self.base);
    }
}

/// Fills a table of some kind, and gives how many entries are at each distance.
pub(super) fn fill<S: Sheet>(
    kind: &Kind,
    sheet: &S,
    group: &Group,
    classes: &Classes,
    bytes: &mut [u8],
    control: &Control,
) -> Result<Vec<u64>, Stop> {
    let _reserved = control.reserve(extra(kind))?;
    if wide(kind) {
        Building::<AtomicU16, S>::new(kind, sheet, group, classes).run(bytes, control)
    } else {
        Building::<AtomicU8, S>::new(kind, sheet, group, classes).run(bytes, control)
    }
}

/// A level below this share of all nodes tells its neighbours.
const FEW: u64 = 100;

/// A class, an arrangement and a lane.
#[derive(Clone, Copy)]
struct Node {
    class: u32,
    arrangement: u16,
    lane: u8,
}

struct Building<'a, W, S> {
    kind: &'a Kind,
    sheet: &'a S,
    classes: &'a Classes,
    slices: Slices,
    lanes: Lanes,
    /// All lanes.
    all: u8,
    words: Vec<W>,
}

/// What a turn makes of a class.
struct Neighbour<'a, W> {
    row: &'a [W],
    after: &'a [u16],
    seen: &'a [u16],
    flips: &'a [u8],
    map: usize,
}

impl<'a, W: Word, S: Sheet> Building<'a, W, S> {
    fn new(kind: &'a Kind, sheet: &'a S, group: &Group, classes: &'a Classes) -> Building<'a, W, S> {
        assert_eq!(classes.count(), kind.classes(), "as many classes as are known");
        let lanes = Lanes::new(kind, group);
        let all = ((1u16 << lanes.count) - 1) as u8;
        let words = (0..classes.count() * ARRANGEMENTS).map(|_| W::new((all, all))).collect();
        Building { kind, sheet, classes, slices: Slices::new(group), lanes, all, words }
    }

    fn row(&self, class: usize) -> &[W] {
        &self.words[class * ARRANGEMENTS..][..ARRANGEMENTS]
    }

    /// Lanes that know flips are told what turns change of them.
    fn change(&self, flips: u8) -> u8 {
        if self.kind.flips { flips } else { 0 }
    }

    fn run(&self, bytes: &mut [u8], control: &Control) -> Result<Vec<u64>, Stop> {
        self.sheet.clear(bytes);
        let whole = (self.words.len() * self.lanes.count) as u64;
        let mut level = Vec::new();
        let home = self.slices.numbers.home();
        // Lane 0 is that of a solved cube, whose edges are in their slices and not flipped.
        self.reach(
            Node { class: self.classes.home as u32, arrangement: home as u16, lane: 0 },
            0,
            bytes,
            &mut level,
        );
        let mut counts = vec![level.len() as u64];
        let (mut reached, mut many) = (counts[0], false);
        while reached < whole {
            let distance = counts.len() as u8;
            // The last levels are small again, but then few nodes are left to look for them.
            many |= counts[counts.len() - 1] >= whole / FEW;
            let fresh = if many {
                level = Vec::new();
                self.pull(distance, bytes, control)?
            } else {
                level = self.push(&level, distance, bytes, control)?;
                level.len() as u64
            };
            assert!(fresh > 0, "every node is reached");
            reached += fresh;
            counts.push(fresh);
            let share = reached as f64 / whole as f64;
            control.emit(&Event::Table { name: self.kind.id().pattern, share });
        }
        Ok(counts)
    }

    /// A node, if it was not known, and those that symmetries of its class show in its place.
    fn reach(&self, node: Node, distance: u8, bytes: &mut [u8], level: &mut Vec<Node>) {
        let class = node.class as usize;
        let row = &mut bytes[class * self.sheet.row()..][..self.sheet.row()];
        let mut fixing = self.classes.fixing[class];
        while fixing != 0 {
            let symmetry = fixing.trailing_zeros() as usize;
            fixing &= fixing - 1;
            let arrangement = self.slices.seen(symmetry)[usize::from(node.arrangement)];
            let odd = self.slices.odd(node.arrangement.into());
            let lane = self.lanes.to(self.lanes.map(None, symmetry), self.change(odd << 2), node.lane.into());
            let word = &self.row(class)[usize::from(arrangement)];
            let (low, high) = word.load();
            let bit = 1u8 << lane;
            if low & high & bit == 0 {
                continue;
            }
            let remainder = distance % 3;
            let low = if remainder & 1 == 0 { low & !bit } else { low };
            let high = if remainder >> 1 == 0 { high & !bit } else { high };
            word.store((low, high));
            self.sheet.write(row, arrangement.into(), lane, distance);
            level.push(Node { class: node.class, arrangement, lane: lane as u8 });
        }
    }

    /// The nodes of the last level tell their neighbours. Gives those that are new.
    fn push(
        &self,
        level: &[Node],
        distance: u8,
        bytes: &mut [u8],
        control: &Control,
    ) -> Result<Vec<Node>, Stop> {
        let mut next = Vec::new();
        for (count, node) in level.iter().enumerate() {
            if count % 4096 == 0 {
                control.poll()?;
            }
            for turn in 0..TURNS {
                let member = self.classes.after(node.class as usize, turn);
                let at = usize::from(node.arrangement);
                let arrangement =
                    self.slices.seen(member.symmetry())[usize::from(self.slices.after(turn)[at])];
                let change = self.change(self.slices.flips(turn)[at]);
                let map = self.lanes.map(Some(turn), member.symmetry());
                let lane = self.lanes.to(map, change, node.lane.into()) as u8;
                let neighbour = Node { class: member.class() as u32, arrangement, lane };
                self.reach(neighbour, distance, bytes, &mut next);
            }
        }
        Ok(next)
    }

    /// The nodes not reached look for a neighbour reached last. Gives how many find one.
    fn pull(&self, distance: u8, bytes: &mut [u8], control: &Control) -> Result<u64, Stop> {
        let rows = Mutex::new(bytes.chunks_mut(self.sheet.row()).enumerate());
        let sum = AtomicU64::new(0);
        let ends = run_parallel(control.threads(), |_| {
            loop {
                control.poll()?;
                let taken = rows.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((class, row)) = taken else { return Ok(()) };
                sum.fetch_add(self.pull_row(class, row, distance), Relaxed);
            }
        });
        ends.into_iter().collect::<Result<Vec<()>, Stop>>()?;
        Ok(sum.into_inner())
    }

    fn pull_row(&self, class: usize, bytes: &mut [u8], distance: u8) -> u64 {
        let neighbours: [Neighbour<'_, W>; TURNS] = std::array::from_fn(|turn| {
            let member = self.classes.after(class, turn);
            Neighbour {
                row: self.row(member.class()),
                after: self.slices.after(turn),
                seen: self.slices.seen(member.symmetry()),
                flips: self.slices.flips(turn),
                map: self.lanes.map(Some(turn), member.symmetry()),
            }
        });
        let (last, remainder) = ((distance + 2) % 3, distance % 3);
        let mut fresh = 0;
        for (arrangement, word) in self.row(class).iter().enumerate() {
            let (low, high) = word.load();
            let unknown = low & high;
            if unknown == 0 {
                continue;
            }
            let mut found = 0;
            for neighbour in &neighbours {
                let to = neighbour.seen[usize::from(neighbour.after[arrangement])];
                let reached = with_remainder(neighbour.row[usize::from(to)].load(), last, self.all);
                if reached != 0 {
                    found |=
                        self.lanes.from(neighbour.map, self.change(neighbour.flips[arrangement]), reached);
                    if found & unknown == unknown {
                        break;
                    }
                }
            }
            let mut found = found & unknown;
            if found == 0 {
                continue;
            }
            let low = if remainder & 1 == 0 { low & !found } else { low };
            let high = if remainder >> 1 == 0 { high & !found } else { high };
            // No other thread writes here, and who reads looks for the last remainder, which this is not.
            word.store((low, high));
            fresh += u64::from(found.count_ones());
            while found != 0 {
                self.sheet.write(bytes, arrangement, found.trailing_zeros() as usize, distance);
                found &= found - 1;
            }
        }
        fresh
    }
}
