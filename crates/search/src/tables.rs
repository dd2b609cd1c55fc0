//! Where big tables come from: the algorithms and heuristics ask for one by name
//! and do not care whether it was built just now, kept in memory or read from disk.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use crate::control::{Control, Reserved, Stop};
use crate::locks::lock;
use crate::trouble::Trouble;

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
        Ok(Table { bytes: vec![0; length], _reserved: reserved })
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

/// Fills a table with what its [`TableId`] says.
pub type Build<'a> = dyn FnMut(&mut [u8], &Control) -> Result<(), Stop> + 'a;

/// Where tables come from.
pub trait Tables: Send + Sync {
    /// The table of that name and length, built if need be.
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Trouble>;

    /// Whether [`Tables::get`] would not have to build it.
    fn has(&self, id: &TableId, length: usize) -> bool;
}

/// Tables that live as long as the program.
#[derive(Default)]
pub struct InMemory {
    tables: Mutex<HashMap<(TableId, usize), Arc<Table>>>,
}

impl Tables for InMemory {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Trouble> {
        // Held while building, so that nobody builds the same table twice.
        let mut tables = lock(&self.tables);
        let key = (id.clone(), length);
        if let Some(table) = tables.get(&key) {
            return Ok(Arc::clone(table));
        }
        let mut table = Table::zeroed(length, control)?;
        build(table.bytes_mut(), control)?;
        let table = Arc::new(table);
        tables.insert(key, Arc::clone(&table));
        Ok(table)
    }

    fn has(&self, id: &TableId, length: usize) -> bool {
        lock(&self.tables).contains_key(&(id.clone(), length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Limits, Silent};

    fn id() -> TableId {
        TableId { puzzle: "test".into(), pattern: "p".into(), metric: String::new(), version: 1 }
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
        assert_eq!(got.err(), Some(Trouble::Stopped(Stop::Memory)));
    }
}
