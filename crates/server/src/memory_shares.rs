//! The memory of searches and tables, shared among clients.
//!
//! A search may use memory until its client holds three quarters of what the other clients held free when
//! the search started. So the searches of one client never take all memory, and a small search of another
//! client does not fail.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use untumble_search::control::MemoryAccount;

/// The number of clients at which those without memory are forgotten.
const MAX_CLIENTS: usize = 10_000;

/// The bytes of all searches and tables of the service, by client.
pub(super) struct MemoryShares {
    account: MemoryAccount,
    limit: u64,
    clients: Mutex<HashMap<IpAddr, MemoryAccount>>,
}

impl MemoryShares {
    /// Shares `limit` bytes.
    pub(super) fn new(limit: u64) -> MemoryShares {
        MemoryShares { account: MemoryAccount::default(), limit, clients: Mutex::default() }
    }

    /// The bytes in use.
    pub(super) fn used(&self) -> u64 {
        self.account.used()
    }

    /// The largest number of bytes in use.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// An account for one search of a client. Its bytes count in the share of the client and in the total.
    pub(super) fn search_account(&self, client: IpAddr) -> MemoryAccount {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MAX_CLIENTS {
            clients.retain(|_, account| account.used() > 0);
        }
        let own = clients.entry(client).or_insert_with(|| MemoryAccount::within(&self.account, self.limit));
        let others = self.used().saturating_sub(own.used());
        MemoryAccount::within(own, share(self.limit.saturating_sub(others)))
    }
}

/// Three quarters.
fn share(bytes: u64) -> u64 {
    bytes - bytes / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use untumble_search::control::{Control, Limits, Reservation, Silent};

    const A: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 1));
    const B: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));

    /// The memory that a search of this client can reserve.
    fn reserve(shares: &MemoryShares, client: IpAddr, bytes: u64) -> Option<Reservation> {
        let account = shares.search_account(client);
        Control::with_account(&account, Limits::default(), Arc::new(Silent)).reserve(bytes).ok()
    }

    #[test]
    fn the_searches_of_one_client_leave_memory_to_others() {
        let shares = MemoryShares::new(1600);
        let first = reserve(&shares, A, 800).expect("half of the memory");
        let second = reserve(&shares, A, 400).expect("three quarters in all");
        assert!(reserve(&shares, A, 1).is_none(), "a third search of the client");
        let other = reserve(&shares, B, 300).expect("three quarters of the rest");
        assert!(reserve(&shares, B, 1).is_none(), "the next client finds memory as well");
        assert_eq!((shares.used(), shares.limit()), (1500, 1600));
        drop((first, second, other));
        assert_eq!(shares.used(), 0);
        assert!(reserve(&shares, B, 1200).is_some(), "released memory is free for every client");
    }
}
