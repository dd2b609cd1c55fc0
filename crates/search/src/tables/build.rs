//! A table while it is built, and the states from which an interrupted build continues.
//!
//! Builders are breadth-first searches that work in the memory of the table, level by level. Between two
//! steps of a level the bytes, a few scratch bytes and the number of the level are all that a build needs to
//! continue, so this is what is saved.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

use super::Table;
use crate::control::{Control, Stop};
use crate::memory;

/// Fills a table of zeros. An error is a stop of the control, after which the table is discarded.
pub type Build<'a> = dyn FnMut(&mut TableBuild<'_>, &Control) -> Result<(), Stop> + 'a;

/// Keeps the last saved state of a build.
pub trait BuildStates {
    /// Reads the saved state into `parts` and returns its level. `None` if there is none or if it is
    /// damaged; then the parts are zero.
    fn restore(&mut self, parts: &mut [&mut [u8]], control: &Control) -> Result<Option<u32>, Stop>;

    /// Whether a state of `bytes` should be saved now.
    fn is_due(&self, bytes: u64, control: &Control) -> bool;

    /// Saves a state. A failure of the system is reported as a warning and ends the saving.
    fn save(&mut self, level: u32, parts: &[&[u8]], control: &Control) -> Result<(), Stop>;
}

/// Saves nothing.
pub(crate) struct NoStates;

impl BuildStates for NoStates {
    fn restore(&mut self, _parts: &mut [&mut [u8]], _control: &Control) -> Result<Option<u32>, Stop> {
        Ok(None)
    }

    fn is_due(&self, _bytes: u64, _control: &Control) -> bool {
        false
    }

    fn save(&mut self, _level: u32, _parts: &[&[u8]], _control: &Control) -> Result<(), Stop> {
        Ok(())
    }
}

/// A table of zeros that a builder fills; dereferences to its bytes.
///
/// ```
/// use untumble_search::control::Control;
/// use untumble_search::tables::{InMemory, TableId, Tables};
///
/// let id = TableId { puzzle: "p".into(), pattern: "squares".into(), metric: String::new(), version: 1 };
/// let table = InMemory::default().get(&id, 4, &Control::default(), &mut |build, control| {
///     // Continue with the level after the last saved one.
///     let first = build.restore(&mut [], control)?.map_or(0, |level| level + 1);
///     for level in first..4 {
///         build[level as usize] = (level * level) as u8;
///         build.save_if_due(level, &[], control)?;
///     }
///     Ok(())
/// });
/// assert_eq!(table.unwrap().bytes(), [0, 1, 4, 9]);
/// ```
pub struct TableBuild<'a> {
    table: &'a mut Table,
    states: &'a mut dyn BuildStates,
}

impl<'a> TableBuild<'a> {
    /// A build that saves its states to `states`; `table` is all zeros.
    pub fn new(table: &'a mut Table, states: &'a mut dyn BuildStates) -> TableBuild<'a> {
        TableBuild { table, states }
    }

    /// The table as atomic words, for a table whose length is a multiple of eight.
    ///
    /// # Panics
    /// If the length is no multiple of eight.
    pub fn atomic_words(&mut self) -> &[AtomicU64] {
        assert!(self.table.length.is_multiple_of(8), "the table consists of whole words");
        memory::as_atomic_words(&mut self.table.words)
    }

    /// Continues an interrupted build: reads the saved bytes of the table and of `scratch`, and returns the
    /// level that was saved with them. `None` if the build starts from the beginning.
    pub fn restore(&mut self, scratch: &mut [u8], control: &Control) -> Result<Option<u32>, Stop> {
        self.states.restore(&mut [self.table.bytes_mut(), scratch], control)
    }

    /// Saves the table and `scratch` with the number of a level, if the last save is long enough ago.
    /// [`TableBuild::restore`] must be able to continue from them.
    pub fn save_if_due(&mut self, level: u32, scratch: &[u8], control: &Control) -> Result<(), Stop> {
        let bytes = (self.table.length + scratch.len()) as u64;
        if self.states.is_due(bytes, control) {
            self.states.save(level, &[self.table.bytes(), scratch], control)?;
        }
        Ok(())
    }
}

impl Deref for TableBuild<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.table.bytes()
    }
}

impl DerefMut for TableBuild<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.table.bytes_mut()
    }
}

/// The number of bytes that are filled or copied between two polls: far less than a millisecond of work,
/// and a few milliseconds if the system has to provide the pages.
pub const POLL_BYTES: usize = 1 << 20;

/// Fills an array with `value`, polling in between.
pub fn fill_polled(bytes: &mut [u8], value: u8, control: &Control) -> Result<(), Stop> {
    for chunk in bytes.chunks_mut(POLL_BYTES) {
        control.poll()?;
        chunk.fill(value);
    }
    Ok(())
}
