//! Large tables, such as pattern databases and pruning tables, by identity.
//!
//! Algorithms and heuristics request a table from [`Tables`] by its [`TableId`]. The source builds it, reads
//! it from disk or returns the copy that is already in memory.
//!
//! ```
//! use untumble_search::control::Control;
//! use untumble_search::tables::{InMemory, TableId, Tables};
//!
//! let id = TableId { puzzle: "cube2".into(), pattern: "corners".into(), metric: "htm".into(), version: 1 };
//! let (tables, control) = (InMemory::default(), Control::default());
//! let mut builds = 0;
//! for _ in 0..2 {
//!     let table = tables.get(&id, 3, &control, &mut |bytes, _| {
//!         builds += 1;
//!         bytes.copy_from_slice(&[1, 2, 3]);
//!         Ok(())
//!     });
//!     assert_eq!(table.unwrap().bytes(), [1, 2, 3]);
//! }
//! assert_eq!(builds, 1);
//! assert_eq!(id.to_string(), "cube2 corners htm");
//! ```

mod build;
mod distribution;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use crate::control::{Control, Reservation, Stop, TablePhase};
use crate::error::Error;
use crate::locks::lock;
use crate::memory;

pub(crate) use build::NoStates;
pub use build::{Build, BuildStates, POLL_BYTES, TableBuild, fill_polled};
pub use distribution::{ValueDistribution, count_nibbles};

/// The identity of a table: everything that determines its contents.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TableId {
    /// The family of puzzles it serves, such as `tiles-4x4`.
    pub puzzle: String,
    /// The contents, such as the tiles of a pattern by their home cells.
    pub pattern: String,
    /// The metric, such as `htm`; empty where it does not matter.
    pub metric: String,
    /// The version of the layout and the meaning of the contents.
    pub version: u32,
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.puzzle, self.pattern)?;
        if self.metric.is_empty() { Ok(()) } else { write!(f, " {}", self.metric) }
    }
}

/// A table of bytes. It is counted in the memory account until it is dropped.
pub struct Table {
    /// The contents, in words so that a builder may use them as atomic words.
    words: Vec<u64>,
    /// The number of bytes.
    length: usize,
    _reserved: Reservation,
}

impl Table {
    /// A table of zeros.
    pub fn zeroed(length: usize, control: &Control) -> Result<Table, Stop> {
        let reserved = control.reserve(length as u64)?;
        // The system provides zero pages when they are first written.
        let mut words: Vec<u64> = vec![0; length.div_ceil(8)];
        memory::advise_huge(&mut words);
        Ok(Table { words, length, _reserved: reserved })
    }

    /// The contents.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `zeroed` allocated words for `length` bytes, all of which are initialised, and neither
        // changes; bytes have no alignment.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.length) }
    }

    /// The contents, for the builder.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut memory::as_bytes_mut(&mut self.words)[..self.length]
    }
}

/// A source of tables. Controls that use the same tables should share a
/// [`MemoryAccount`](crate::control::MemoryAccount): a table is counted in the account of its first user.
pub trait Tables: Send + Sync {
    /// The table with this identity and length in bytes; calls `build` if it does not exist yet.
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error>;

    /// Whether [`Tables::get`] would return the table without building it.
    fn is_available(&self, id: &TableId, length: usize) -> bool;

    /// Drops tables in memory that no solver uses.
    fn release_unused(&self) {}
}

/// Tables in memory. An unused table is dropped when another one needs its memory.
#[derive(Default)]
pub struct InMemory {
    cache: TableCache,
}

impl Tables for InMemory {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error> {
        self.cache.get(id, length, control, || {
            let mut table = Table::zeroed(length, control)?;
            build(&mut TableBuild::new(&mut table, &mut NoStates), control)?;
            Ok(table)
        })
    }

    fn is_available(&self, id: &TableId, length: usize) -> bool {
        self.cache.contains(id, length)
    }

    fn release_unused(&self) {
        self.cache.drop_unused();
    }
}

/// The tables of this process, one shared copy of each.
#[derive(Default)]
pub(crate) struct TableCache {
    slots: Mutex<HashMap<(TableId, usize), Arc<Slot>>>,
}

/// The slot of one table. It is locked while the table is built or read, so that this happens once and does
/// not block other tables.
type Slot = Mutex<Option<Arc<Table>>>;

impl TableCache {
    /// The table; calls `make` if it is not in the cache.
    pub(crate) fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        make: impl FnOnce() -> Result<Table, Error>,
    ) -> Result<Arc<Table>, Error> {
        let slot = Arc::clone(self.slots().entry((id.clone(), length)).or_default());
        let mut slot = lock_slot(&slot, id, control)?;
        if let Some(table) = &*slot {
            return Ok(Arc::clone(table));
        }
        if control.available_bytes() < length as u64 {
            self.drop_unused();
        }
        let table = Arc::new(make()?);
        *slot = Some(Arc::clone(&table));
        Ok(table)
    }

    /// Whether the table is in the cache.
    pub(crate) fn contains(&self, id: &TableId, length: usize) -> bool {
        let slot = self.slots().get(&(id.clone(), length)).map(Arc::clone);
        slot.is_some_and(|slot| slot.try_lock().is_ok_and(|table| table.is_some()))
    }

    /// Drops the tables that no solver uses.
    pub(crate) fn drop_unused(&self) {
        self.slots().retain(|_, slot| {
            // A locked slot is being filled.
            let Ok(mut table) = slot.try_lock() else { return true };
            if table.as_ref().is_some_and(|table| Arc::strong_count(table) == 1) {
                *table = None;
            }
            // Another thread may be about to fill an empty slot.
            table.is_some() || Arc::strong_count(slot) > 1
        });
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<(TableId, usize), Arc<Slot>>> {
        lock(&self.slots)
    }
}

/// Locks a slot, or returns the reason why `control` stops the wait.
fn lock_slot<'a>(
    slot: &'a Slot,
    id: &TableId,
    control: &Control,
) -> Result<MutexGuard<'a, Option<Arc<Table>>>, Stop> {
    let mut waiting = None;
    loop {
        match slot.try_lock() {
            Ok(table) => return Ok(table),
            // A builder that panicked has stored nothing.
            Err(TryLockError::Poisoned(table)) => {
                slot.clear_poison();
                return Ok(table.into_inner());
            }
            Err(TryLockError::WouldBlock) => {
                waiting
                    .get_or_insert_with(|| control.begin_table(format!("table {id}"), TablePhase::Wait, 1));
                control.poll()?;
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Limits, MemoryAccount, Silent};
    use std::sync::Barrier;

    fn named(pattern: &str) -> TableId {
        TableId { puzzle: "test".into(), pattern: pattern.into(), metric: String::new(), version: 1 }
    }

    fn id() -> TableId {
        named("p")
    }

    #[test]
    fn a_table_is_built_once() {
        let tables = InMemory::default();
        let control = Control::default();
        let mut builds = 0;
        for _ in 0..2 {
            let table = tables.get(&id(), 4, &control, &mut |bytes, _| {
                builds += 1;
                bytes.fill(7);
                Ok(())
            });
            assert_eq!(table.expect("built").bytes(), [7; 4]);
        }
        assert_eq!(builds, 1);
        assert!(tables.is_available(&id(), 4) && !tables.is_available(&id(), 5));
    }

    #[test]
    fn a_table_beyond_the_memory_limit_is_refused() {
        let control = Control::new(Limits { memory: Some(10), ..Limits::default() }, Arc::new(Silent));
        let got = InMemory::default().get(&id(), 11, &control, &mut |_, _| Ok(()));
        assert_eq!(got.err(), Some(Error::Stopped(Stop::Memory)));
    }

    #[test]
    fn unused_tables_are_dropped_for_memory_and_used_ones_are_not() {
        let limits = Limits { memory: Some(10), ..Limits::default() };
        let account = MemoryAccount::default();
        let control = || Control::with_account(&account, limits, Arc::new(Silent));
        let tables = InMemory::default();
        let get = |name: &str| tables.get(&named(name), 6, &control(), &mut |_, _| Ok(()));
        drop(get("a").expect("6 of 10"));
        assert_eq!(account.used(), 6, "an unused table stays cached");
        let used = get("b").expect("the first one is dropped");
        assert_eq!(account.used(), 6);
        assert!(!tables.is_available(&named("a"), 6) && tables.is_available(&named("b"), 6));
        assert_eq!(get("c").err(), Some(Error::Stopped(Stop::Memory)), "a used table stays");
        tables.release_unused();
        assert_eq!(account.used(), 6, "the table is in use");
        drop(used);
        tables.release_unused();
        assert_eq!((account.used(), tables.cache.slots().len()), (0, 0));
    }

    #[test]
    fn a_waiting_caller_may_time_out_or_build_the_table_itself() {
        let tables = InMemory::default();
        let (begun, over) = (Barrier::new(2), Barrier::new(2));
        thread::scope(|scope| {
            let first = scope.spawn(|| {
                tables.get(&id(), 1, &Control::default(), &mut |_, control| {
                    begun.wait();
                    over.wait();
                    Err(control.request_stop(Stop::Interrupted))
                })
            });
            begun.wait();
            let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
            let hasty = Control::new(limits, Arc::new(Silent));
            let got = tables.get(&id(), 1, &hasty, &mut |_, _| Ok(()));
            assert_eq!(got.err(), Some(Error::Stopped(Stop::Time)));
            let other = tables.get(&named("other"), 1, &Control::default(), &mut |_, _| Ok(()));
            assert!(other.is_ok(), "another table does not wait");
            assert!(!tables.is_available(&id(), 1));
            over.wait();
            let got = tables.get(&id(), 1, &Control::default(), &mut |bytes, _| {
                bytes.fill(3);
                Ok(())
            });
            assert_eq!(got.expect("built by the second").bytes(), [3]);
            let first = first.join().expect("no panic");
            assert_eq!(first.err(), Some(Error::Stopped(Stop::Interrupted)));
        });
    }
}
