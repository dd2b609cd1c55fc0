//! The state of an unfinished build, in a file beside the table: `NAME.build`.
//!
//! A state is a file of its own that replaces the one before atomically, so a process killed at any moment
//! leaves the last complete state. The builder holds the lock of the table's draft, so there is one writer.
//! The contents are a prelude (the level, the length of each part) and the parts; the header names the table
//! and a checksum covers every byte. A state that does not match is reported, removed and never used.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file::{self, Header, Kind, ReadError, TableFileError, WriteError};
use super::open;
use crate::control::{Control, Event, Stop};
use crate::draft::Draft;
use crate::tables::{BuildStates, TableId, fill_polled};

/// The extension of the file.
const STATE: &str = "build";
/// The least time between two saves.
const MIN_INTERVAL: Duration = Duration::from_secs(5);
/// Saving takes at most one in this many parts of the time.
const TIME_SHARE: u32 = 20;
/// The assumed rate of writing, in bytes per second, before the first save.
const ASSUMED_RATE: f64 = 300e6;
/// Shortly before the time limit, a state is saved if at least this many times its saving time has passed
/// since the last one.
const FINAL_SHARE: u32 = 4;

/// The file with the state of one build.
pub(super) struct StateFile<'a> {
    path: PathBuf,
    id: &'a TableId,
    /// Whether states are written.
    enabled: bool,
    /// The clock reading after the last save, or at the start of the build.
    last_save: Duration,
    /// The time that the last save took, and its bytes.
    measured: Option<(Duration, u64)>,
}

/// The path of the state for the table at `table`.
fn state_path(table: &Path) -> PathBuf {
    table.with_extension(STATE)
}

/// Removes the state for the table at `table`, if there is one.
pub(super) fn remove(table: &Path) {
    // The next build reports and removes what could not be removed now.
    let _ = fs::remove_file(state_path(table));
}

impl<'a> StateFile<'a> {
    /// The state for the table at `table`; it is written only if `enabled`.
    pub(super) fn new(table: &Path, id: &'a TableId, enabled: bool, control: &Control) -> StateFile<'a> {
        let last_save = control.clock().now();
        StateFile { path: state_path(table), id, enabled, last_save, measured: None }
    }

    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }

    /// The time that saving `bytes` is expected to take.
    fn save_time(&self, bytes: u64) -> Duration {
        let rate = match self.measured {
            Some((time, bytes)) => bytes as f64 / time.as_secs_f64().max(1e-3),
            None => ASSUMED_RATE,
        };
        Duration::from_secs_f64(bytes as f64 / rate)
    }

    /// Reads the state into `parts`; `None` if there is no file.
    fn read(&self, parts: &mut [&mut [u8]], control: &Control) -> Result<Option<u32>, ReadError> {
        let mut file = match open(&self.path) {
            Ok(file) => file,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(TableFileError::from(error).into()),
        };
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let expected = prelude(0, &lengths);
        let header = Header::read(&mut file, Kind::State)?;
        header.check_matches(self.id, expected.len() + lengths.iter().sum::<usize>())?;
        let mut found = vec![0; expected.len()];
        let mut all: Vec<&mut [u8]> = vec![&mut found];
        all.extend(parts.iter_mut().map(|part| &mut **part));
        file::read(&mut file, &header, &mut all, control)?;
        let level = u32::from_le_bytes([found[0], found[1], found[2], found[3]]);
        if found[4..] == expected[4..] { Ok(Some(level)) } else { Err(TableFileError::Contents.into()) }
    }

    fn write(&self, level: u32, parts: &[&[u8]], control: &Control) -> Result<(), WriteError> {
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let prelude = prelude(level, &lengths);
        let all: Vec<&[u8]> = [&[&prelude[..]], parts].concat();
        let mut draft = Draft::new(&self.path)?;
        file::write(&mut draft.file, Kind::State, self.id, &all, control)?;
        Ok(draft.publish()?)
    }
}

/// The first bytes of the contents: the level, the number of parts and the length of each.
fn prelude(level: u32, lengths: &[usize]) -> Vec<u8> {
    let mut bytes = [level, lengths.len() as u32].map(u32::to_le_bytes).concat();
    lengths.iter().for_each(|&length| bytes.extend((length as u64).to_le_bytes()));
    bytes
}

impl BuildStates for StateFile<'_> {
    fn restore(&mut self, parts: &mut [&mut [u8]], control: &Control) -> Result<Option<u32>, Stop> {
        let restored = match self.read(parts, control) {
            Ok(level) => level,
            Err(ReadError::Stopped(stop)) => return Err(stop),
            Err(ReadError::Invalid(error)) => {
                let path = self.path.display();
                control.emit(&Event::Warning(format!("{path}: {error}; the table is built from the start")));
                self.remove();
                for part in parts {
                    fill_polled(part, 0, control)?;
                }
                None
            }
        };
        self.last_save = control.clock().now();
        Ok(restored)
    }

    fn is_due(&self, bytes: u64, control: &Control) -> bool {
        if !self.enabled {
            return false;
        }
        let now = control.clock().now();
        let (passed, save_time) = (now.saturating_sub(self.last_save), self.save_time(bytes));
        if passed >= MIN_INTERVAL.max(TIME_SHARE * save_time) {
            return true;
        }
        // The last chance before the time limit, with as much time again to spare.
        passed >= FINAL_SHARE * save_time
            && control.remaining_time().is_some_and(|left| left < 3 * save_time && left > 2 * save_time)
    }

    fn save(&mut self, level: u32, parts: &[&[u8]], control: &Control) -> Result<(), Stop> {
        let begun = control.clock().now();
        match self.write(level, parts, control) {
            Ok(()) => {}
            Err(WriteError::Stopped(stop)) => return Err(stop),
            Err(WriteError::Failed(error)) => {
                self.enabled = false;
                let path = self.path.display();
                control.emit(&Event::Warning(format!("{path}: {error}; an interrupted build starts over")));
            }
        }
        self.last_save = control.clock().now();
        let bytes = parts.iter().map(|part| part.len() as u64).sum();
        self.measured = Some((self.last_save.saturating_sub(begun), bytes));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Limits, ManualClock, MemoryAccount, Silent};
    use std::sync::Arc;

    #[test]
    fn states_are_due_at_intervals_and_shortly_before_the_time_limit() {
        let seconds = Duration::from_secs;
        let clock = Arc::new(ManualClock::new());
        let limits = Limits { time: Some(seconds(60)), ..Limits::default() };
        let control = Control::with_clock(clock.clone(), &MemoryAccount::default(), limits, Arc::new(Silent));
        let [puzzle, pattern, metric] = ["p", "q", ""].map(String::from);
        let id = TableId { puzzle, pattern, metric, version: 1 };
        let begin = || StateFile::new(Path::new("p-q-v1.table"), &id, true, &control);
        let (early, disabled) = (begin(), StateFile { enabled: false, ..begin() });
        // Saving is expected to take 10 ms and 2 s.
        let (small, large) = (3_000_000, 600_000_000);
        let mut due = Vec::new();
        let mut late = None;
        for second in 1..60 {
            clock.advance(seconds(1));
            let late = late.get_or_insert_with(begin);
            if second == 30 {
                *late = begin();
            }
            due.push([
                early.is_due(small, &control),
                early.is_due(large, &control),
                late.is_due(large, &control),
            ]);
            assert!(!disabled.is_due(small, &control));
        }
        let first = |column: usize| due.iter().position(|due| due[column]).map(|at| at + 1);
        assert_eq!(first(0), Some(5), "the least interval");
        assert_eq!(first(1), Some(40), "twenty times the expected time");
        let late: Vec<usize> = (30..60).filter(|second| due[second - 1][2]).collect();
        assert_eq!(late, [55], "between two and three times the expected time before the limit");
    }
}
