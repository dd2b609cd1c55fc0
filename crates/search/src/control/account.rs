//! Memory accounts: the bytes that searches and the tables they share hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::limits::Stop;

/// Bytes in use. Searches that share tables share an account, so that every one of them counts the bytes of a table,
/// however long the table outlives the search that built it.
#[derive(Clone, Default)]
pub struct Account {
    used: Arc<AtomicU64>,
    /// The account that these bytes are counted in as well, and its limit.
    parent: Option<Arc<(Account, u64)>>,
}

impl Account {
    /// An account of its own whose bytes count in `parent` too, which never holds more than `limit`.
    pub fn within(parent: &Account, limit: u64) -> Account {
        Account { used: Arc::default(), parent: Some(Arc::new((parent.clone(), limit))) }
    }

    /// The bytes in use now.
    pub fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Takes bytes, here and in the parent, and returns the bytes in use here afterwards. A refusal changes nothing.
    fn take(&self, bytes: u64, limit: u64) -> Result<u64, Stop> {
        let used = self.used.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let fits = used <= limit
            && self.parent.as_deref().is_none_or(|(parent, limit)| parent.take(bytes, *limit).is_ok());
        if !fits {
            self.used.fetch_sub(bytes, Relaxed);
            return Err(Stop::Memory);
        }
        Ok(used)
    }

    fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
        if let Some((parent, _)) = self.parent.as_deref() {
            parent.give_back(bytes);
        }
    }

    /// The bytes that could still be taken under a limit.
    pub(super) fn room(&self, limit: u64) -> u64 {
        let own = limit.saturating_sub(self.used());
        self.parent.as_deref().map_or(own, |(parent, limit)| own.min(parent.room(*limit)))
    }
}

/// A part of a memory account, given back when dropped.
pub struct Reserved {
    account: Account,
    peak: Arc<AtomicU64>,
    limit: u64,
    bytes: u64,
}

impl Reserved {
    /// Nothing yet, to be taken from `account` up to its `limit`; `peak` records the most it ever held.
    pub(super) fn empty(account: &Account, peak: &Arc<AtomicU64>, limit: u64) -> Reserved {
        Reserved { account: account.clone(), peak: Arc::clone(peak), limit, bytes: 0 }
    }

    /// Takes more; a refusal changes nothing.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stop> {
        let used = self.account.take(bytes, self.limit)?;
        self.peak.fetch_max(used, Relaxed);
        self.bytes += bytes;
        Ok(())
    }

    /// Gives some back.
    pub fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.account.give_back(bytes);
        self.bytes -= bytes;
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.account.give_back(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Control, Limits, Silent};
    use super::*;

    #[test]
    fn memory_is_summed_refused_and_given_back() {
        let control = Control::new(Limits { memory: Some(100), ..Limits::default() }, Arc::new(Silent));
        let mut first = control.reserve(60).expect("60 of 100");
        assert_eq!(first.grow(41), Err(Stop::Memory));
        assert!(first.grow(40).is_ok());
        drop(first);
        assert!(control.reserve(100).is_ok());
        assert_eq!(control.peak_bytes(), 100);
        assert!(control.reserve(101).is_err());
        assert_eq!(control.stop(), Some(Stop::Memory));
    }

    #[test]
    fn searches_on_one_account_share_its_limit() {
        let account = Account::default();
        let limits = Limits { memory: Some(100), ..Limits::default() };
        let first = Control::charged_to(&account, limits, Arc::new(Silent));
        let _table = first.reserve(60).expect("60 of 100");
        drop(first.reserve(30));
        drop(first);
        let second = Control::charged_to(&account, limits, Arc::new(Silent));
        assert_eq!((second.room(), second.peak_bytes()), (40, 60), "what the first left behind counts");
        assert!(second.reserve(40).is_ok());
        assert_eq!(second.peak_bytes(), 100);
        assert!(second.reserve(41).is_err());
        assert_eq!(account.used(), 60);
    }

    #[test]
    fn accounts_within_another_share_its_limit_and_keep_their_own() {
        let whole = Account::default();
        let limits = Limits { memory: Some(60), ..Limits::default() };
        let control = || Control::charged_to(&Account::within(&whole, 100), limits, Arc::new(Silent));
        let (first, second) = (control(), control());
        let held = first.reserve(60).expect("60 of its own 60");
        assert_eq!(first.reserve(1).err(), Some(Stop::Memory), "beyond its own limit");
        assert_eq!((second.room(), second.peak_bytes()), (40, 0), "what is left of the whole");
        assert_eq!(second.reserve(41).err(), Some(Stop::Memory), "beyond the whole");
        assert_eq!(whole.used(), 60, "what was refused is not counted anywhere");
        drop(held);
        assert!(second.reserve(60).is_ok());
        assert_eq!(whole.used(), 0);
    }
}
