//! Where big tables come from: the algorithms and heuristics ask for one by name
//! and do not care whether it was built just now, kept in memory or read from disk.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use crate::control::{Control, Reserved, Stop};
use crate::error::Error;
use crate::locks::lock;
use crate::memory;

/// What a table is: everything that decides its contents.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TableId {
    /// The family of puzzles it serves, such as `tiles-4x4`.
    pub puzzle: String,
    /// What it holds, such as the pattern in home cells.
    pub pattern: String,
    /// How moves are counted.
    pub metric: String,
    /// Changes whenever the layout or the meaning does.
    pub version: u32,
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.puzzle, self.pattern)?;
        if self.metric.is_empty() { Ok(()) } else { write!(f, " {}", self.metric) }
    }
}

/// A table of bytes, counted in the memory account while it lives.
pub struct Table {
    bytes: Vec<u8>,
    _reserved: Reserved,
}

impl Table {
    /// A table of zeros to be filled.
    pub fn zeroed(length: usize, control: &Control) -> Result<Table, Stop> {
        let reserved = control.reserve(length as u64)?;
        let bytes = vec![0; length];
        memory::advise_huge(bytes.as_ptr(), length);
        Ok(Table { bytes, _reserved: reserved })
    }

    /// The contents.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The contents, to be filled.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

/// Fills a table of zeros with what its [`TableId`] says.
pub type Build<'a> = dyn FnMut(&mut [u8], &Control) -> Result<(), Stop> + 'a;

/// Where tables come from. Controls that use the same tables should share an
/// [`Account`](crate::control::Account): a table is counted in the account of whoever asked first.
pub trait Tables: Send + Sync {
    /// The table of that name and length, built if need be.
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error>;

    /// Whether [`Tables::get`] would not have to build it.
    fn has(&self, id: &TableId, length: usize) -> bool;
}

/// Tables that live as long as the program, or until memory runs short and nobody uses them.
#[derive(Default)]
pub struct InMemory {
    shelf: Shelf,
}

impl Tables for InMemory {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error> {
        self.shelf.get(id, length, control, || {
            let mut table = Table::zeroed(length, control)?;
            build(table.bytes_mut(), control)?;
            Ok(table)
        })
    }

    fn has(&self, id: &TableId, length: usize) -> bool {
        self.shelf.holds(id, length)
    }
}

/// The tables of this process: one copy of each for all who ask.
#[derive(Default)]
pub(crate) struct Shelf {
    places: Mutex<HashMap<(TableId, usize), Arc<Place>>>,
}

/// Locked while its table is made ready, so that nobody does that twice, and other tables do not have to wait.
type Place = Mutex<Option<Arc<Table>>>;

impl Shelf {
    /// The table, made if nobody has asked for it before.
    pub(crate) fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        make: impl FnOnce() -> Result<Table, Error>,
    ) -> Result<Arc<Table>, Error> {
        let place = Arc::clone(self.places().entry((id.clone(), length)).or_default());
        let mut place = occupy(&place, control)?;
        if let Some(table) = &*place {
            return Ok(Arc::clone(table));
        }
        if control.room() < length as u64 {
            self.forget_unused();
        }
        let table = Arc::new(make()?);
        *place = Some(Arc::clone(&table));
        Ok(table)
    }

    /// Whether the table stands ready.
    pub(crate) fn holds(&self, id: &TableId, length: usize) -> bool {
        let place = self.places().get(&(id.clone(), length)).map(Arc::clone);
        place.is_some_and(|place| place.try_lock().is_ok_and(|table| table.is_some()))
    }

    /// Gives back the memory of tables that no solver uses.
    fn forget_unused(&self) {
        for place in self.places().values() {
            // Those being made ready are left alone.
            if let Ok(mut table) = place.try_lock()
                && table.as_ref().is_some_and(|table| Arc::strong_count(table) == 1)
            {
                *table = None;
            }
        }
    }

    fn places(&self) -> MutexGuard<'_, HashMap<(TableId, usize), Arc<Place>>> {
        lock(&self.places)
    }
}

/// Waits for a place, but no longer than `control` allows.
fn occupy<'a>(place: &'a Place, control: &Control) -> Result<MutexGuard<'a, Option<Arc<Table>>>, Stop> {
    loop {
        match place.try_lock() {
            Ok(table) => return Ok(table),
            // Whoever panicked had put nothing there.
            Err(TryLockError::Poisoned(table)) => {
                place.clear_poison();
                return Ok(table.into_inner());
            }
            Err(TryLockError::WouldBlock) => {
                control.poll()?;
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Account, Limits, Silent};
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
        assert!(tables.has(&id(), 4) && !tables.has(&id(), 5));
    }

    #[test]
    fn a_table_beyond_the_memory_limit_is_refused() {
        let control = Control::new(Limits { memory: Some(10), ..Limits::default() }, Arc::new(Silent));
        let got = InMemory::default().get(&id(), 11, &control, &mut |_, _| Ok(()));
        assert_eq!(got.err(), Some(Error::Stopped(Stop::Memory)));
    }

    #[test]
    fn tables_nobody_uses_make_room_and_others_do_not() {
        let limits = Limits { memory: Some(10), ..Limits::default() };
        let account = Account::default();
        let control = || Control::charged_to(&account, limits, Arc::new(Silent));
        let tables = InMemory::default();
        let get = |name: &str| tables.get(&named(name), 6, &control(), &mut |_, _| Ok(()));
        drop(get("a").expect("6 of 10"));
        assert_eq!(account.used(), 6, "it stays for whoever asks next");
        let used = get("b").expect("the first one gives way");
        assert_eq!(account.used(), 6);
        assert!(!tables.has(&named("a"), 6) && tables.has(&named("b"), 6));
        assert_eq!(get("c").err(), Some(Error::Stopped(Stop::Memory)), "one in use stays");
        drop(used);
    }

    #[test]
    fn whoever_waits_for_a_table_may_give_up_or_build_it_instead() {
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
            assert!(!tables.has(&id(), 1));
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
