//! Memory accounts: the bytes held by searches and by the tables they share.
//!
//! Memory is counted explicitly because an allocator limit cannot stop a search in an orderly way.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::limits::Stop;

/// A counter of bytes in use. Searches that share tables share an account, so that each of them counts the
/// bytes of a table, even if the table outlives the search that built it.
#[derive(Clone, Default)]
pub struct MemoryAccount {
    used: Arc<AtomicU64>,
    /// The account that also counts these bytes, and its limit.
    parent: Option<Arc<(MemoryAccount, u64)>>,
}

impl MemoryAccount {
    /// An account whose bytes count in `parent` too; a reservation that takes the parent beyond `limit`
    /// fails.
    pub fn within(parent: &MemoryAccount, limit: u64) -> MemoryAccount {
        MemoryAccount { used: Arc::default(), parent: Some(Arc::new((parent.clone(), limit))) }
    }

    /// The number of bytes in use.
    pub fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Adds bytes here and in the parent. Returns the bytes in use here afterwards. A failure changes
    /// nothing.
    fn allocate(&self, bytes: u64, limit: u64) -> Result<u64, Stop> {
        let used = self.used.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let fits = used <= limit
            && self.parent.as_deref().is_none_or(|(parent, limit)| parent.allocate(bytes, *limit).is_ok());
        if !fits {
            self.used.fetch_sub(bytes, Relaxed);
            return Err(Stop::Memory);
        }
        Ok(used)
    }

    fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
        if let Some((parent, _)) = self.parent.as_deref() {
            parent.release(bytes);
        }
    }

    /// The number of bytes that can still be allocated under `limit`.
    pub(super) fn available(&self, limit: u64) -> u64 {
        let here = limit.saturating_sub(self.used());
        self.parent.as_deref().map_or(here, |(parent, limit)| here.min(parent.available(*limit)))
    }
}

/// Reserved bytes of a memory account, released on drop.
pub struct Reservation {
    account: MemoryAccount,
    peak: Arc<AtomicU64>,
    limit: u64,
    bytes: u64,
}

impl Reservation {
    /// An empty reservation in `account`, which may hold up to `limit` bytes; `peak` records the largest
    /// size of the account.
    pub(super) fn empty(account: &MemoryAccount, peak: &Arc<AtomicU64>, limit: u64) -> Reservation {
        Reservation { account: account.clone(), peak: Arc::clone(peak), limit, bytes: 0 }
    }

    /// Reserves more bytes; a failure changes nothing.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stop> {
        let used = self.account.allocate(bytes, self.limit)?;
        self.peak.fetch_max(used, Relaxed);
        self.bytes += bytes;
        Ok(())
    }

    /// Releases some bytes.
    pub fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.account.release(bytes);
        self.bytes -= bytes;
    }

    /// The number of reserved bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.account.release(self.bytes);
    }
}

/// The time that freeing memory of a search is expected to take. The search stops earlier by this time, less
/// 20 ms, so that its end is within the time limit too.
pub struct ReleaseTime {
    total: Arc<AtomicU64>,
    nanos: u64,
}

impl ReleaseTime {
    /// No time yet; `total` is the sum of the search in nanoseconds.
    pub(super) fn none(total: &Arc<AtomicU64>) -> ReleaseTime {
        ReleaseTime { total: Arc::clone(total), nanos: 0 }
    }

    /// Adds nanoseconds.
    pub fn grow(&mut self, nanos: u64) {
        self.total.fetch_add(nanos, Relaxed);
        self.nanos += nanos;
    }
}

impl Drop for ReleaseTime {
    fn drop(&mut self) {
        self.total.fetch_sub(self.nanos, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Control, Limits, Silent};
    use super::*;

    #[test]
    fn reservations_are_limited_and_released() {
        let control = Control::new(Limits { memory: Some(100), ..Limits::default() }, Arc::new(Silent));
        let mut first = control.reserve(60).expect("60 of 100");
        assert_eq!(first.grow(41), Err(Stop::Memory));
        assert!(first.grow(40).is_ok());
        drop(first);
        assert!(control.reserve(100).is_ok());
        assert_eq!(control.peak_bytes(), 100);
        assert!(control.reserve(101).is_err());
        assert_eq!(control.stop_reason(), Some(Stop::Memory));
    }

    #[test]
    fn searches_on_one_account_share_its_limit() {
        let account = MemoryAccount::default();
        let limits = Limits { memory: Some(100), ..Limits::default() };
        let first = Control::with_account(&account, limits, Arc::new(Silent));
        let _table = first.reserve(60).expect("60 of 100");
        drop(first.reserve(30));
        drop(first);
        let second = Control::with_account(&account, limits, Arc::new(Silent));
        assert_eq!(
            (second.available_bytes(), second.peak_bytes()),
            (40, 60),
            "bytes that outlive the first search count"
        );
        assert!(second.reserve(40).is_ok());
        assert_eq!(second.peak_bytes(), 100);
        assert!(second.reserve(41).is_err());
        assert_eq!(account.used(), 60);
    }

    #[test]
    fn nested_accounts_obey_both_limits() {
        let parent = MemoryAccount::default();
        let limits = Limits { memory: Some(60), ..Limits::default() };
        let control =
            || Control::with_account(&MemoryAccount::within(&parent, 100), limits, Arc::new(Silent));
        let (first, second) = (control(), control());
        let held = first.reserve(60).expect("60 of its own 60");
        assert_eq!(first.reserve(1).err(), Some(Stop::Memory), "beyond the limit of the search");
        assert_eq!((second.available_bytes(), second.peak_bytes()), (40, 0), "what the parent has left");
        assert_eq!(second.reserve(41).err(), Some(Stop::Memory), "beyond the limit of the parent");
        assert_eq!(parent.used(), 60, "a failed reservation is not counted");
        drop(held);
        assert!(second.reserve(60).is_ok());
        assert_eq!(parent.used(), 0);
    }
}
