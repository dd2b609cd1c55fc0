//! Clients, and their shares of connections and event streams.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::HeaderMap;

use untumble_session::ProblemKind;

use super::error_response::ErrorResponse;
use super::fair_queue::has_place;

/// The address of the client that sent a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Client(pub(super) IpAddr);

impl Client {
    /// The client at the other end of a connection; behind a proxy, the address that the proxy forwards.
    pub(super) fn of(peer: IpAddr, headers: &HeaderMap, proxied: bool) -> Client {
        let forwarded = || {
            // The proxy itself appends the last address; the client can write the others.
            let value = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
            value.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
        };
        Client(forwarded().filter(|_| proxied).unwrap_or(peer))
    }

    /// The network that the limits apply to: an IPv4 address, or an IPv6 /64 network, which usually belongs
    /// to one client.
    pub(super) fn network(self) -> IpAddr {
        match self.0 {
            IpAddr::V6(address) => match address.to_ipv4_mapped() {
                Some(address) => address.into(),
                None => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            },
            address @ IpAddr::V4(_) => address,
        }
    }
}

/// The numbers of permits that clients hold.
#[derive(Default)]
struct Permits {
    by_client: HashMap<IpAddr, usize>,
    total: usize,
}

/// Counts the permits of every client.
#[derive(Clone, Default)]
struct PermitCounter(Arc<Mutex<Permits>>);

impl PermitCounter {
    fn permits(&self) -> MutexGuard<'_, Permits> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a permit if `admits` accepts the number of permits of this client and the total; otherwise
    /// returns the number of permits of this client.
    fn acquire(
        &self,
        client: Client,
        admits: impl FnOnce(usize, usize) -> bool,
    ) -> Result<ClientPermit, usize> {
        let network = client.network();
        let mut permits = self.permits();
        let own = permits.by_client.get(&network).copied().unwrap_or(0);
        if !admits(own, permits.total) {
            return Err(own);
        }
        permits.by_client.insert(network, own + 1);
        permits.total += 1;
        Ok(ClientPermit { counter: self.clone(), network })
    }
}

/// Permission for one connection or stream, until it is dropped.
pub(super) struct ClientPermit {
    counter: PermitCounter,
    network: IpAddr,
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        let mut permits = self.counter.permits();
        permits.total -= 1;
        if let Some(own) = permits.by_client.get_mut(&self.network) {
            *own -= 1;
            if *own == 0 {
                permits.by_client.remove(&self.network);
            }
        }
    }
}

/// Limits the open event streams of every client.
pub(super) struct StreamLimiter {
    /// The largest number of open streams per client.
    max: usize,
    open: PermitCounter,
}

impl StreamLimiter {
    pub(super) fn new(max: usize) -> StreamLimiter {
        StreamLimiter { max, open: PermitCounter::default() }
    }

    /// Permits one stream until the permit is dropped.
    pub(super) fn acquire(&self, client: Client) -> Result<ClientPermit, ErrorResponse> {
        self.open.acquire(client, |own, _| own < self.max).map_err(|_| {
            let detail = format!("event streams per client are limited to {}; close some", self.max);
            ErrorResponse::new(ProblemKind::TooMany, detail).retry_after(Duration::from_secs(5))
        })
    }

    /// The number of open streams of all clients.
    pub(super) fn count(&self) -> usize {
        self.open.permits().total
    }
}

/// Why a connection is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConnectionRefusal {
    /// The client has its share of connections.
    ClientShare,
    /// All connections are in use.
    Full,
}

/// Shares the connections among clients: a client may hold as many as are free.
pub(super) struct ConnectionLimiter {
    max: usize,
    /// Whether all connections come from one proxy, which may hold all of them.
    behind_proxy: bool,
    open: PermitCounter,
}

impl ConnectionLimiter {
    pub(super) fn new(max: usize, behind_proxy: bool) -> ConnectionLimiter {
        ConnectionLimiter { max, behind_proxy, open: PermitCounter::default() }
    }

    /// Permits a connection from this address until the permit is dropped.
    pub(super) fn acquire(&self, peer: IpAddr) -> Result<ClientPermit, ConnectionRefusal> {
        let admits = |own, total| match self.behind_proxy {
            true => total < self.max,
            false => has_place(own, total, self.max),
        };
        self.open.acquire(Client(peer), admits).map_err(|own| match own > 0 && !self.behind_proxy {
            true => ConnectionRefusal::ClientShare,
            false => ConnectionRefusal::Full,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> Client {
        Client(text.parse().expect("an address"))
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_client() {
        assert_eq!(client("2001:db8::1").network(), client("2001:db8::ffff:1").network());
        assert_ne!(client("2001:db8::1").network(), client("2001:db8:0:1::1").network());
        assert_eq!(client("::ffff:10.0.0.1").network(), client("10.0.0.1").network());
    }

    #[test]
    fn forwarded_addresses_are_used_only_behind_a_proxy() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 10.1.1.1".parse().expect("a value"));
        let peer: IpAddr = "127.0.0.1".parse().expect("an address");
        assert_eq!(Client::of(peer, &headers, false), client("127.0.0.1"));
        assert_eq!(Client::of(peer, &headers, true), client("10.1.1.1"));
    }

    #[test]
    fn dropping_a_permit_releases_it() {
        let limiter = StreamLimiter::new(2);
        let first = limiter.acquire(client("10.0.0.1"));
        let second = limiter.acquire(client("10.0.0.1"));
        assert!(first.is_ok() && second.is_ok() && limiter.acquire(client("10.0.0.1")).is_err());
        drop(first);
        assert!(limiter.acquire(client("10.0.0.1")).is_ok());
        drop(second);
        assert_eq!(limiter.count(), 0);
        assert!(limiter.open.permits().by_client.is_empty());
    }

    #[test]
    fn one_client_cannot_hold_all_connections() {
        let limiter = ConnectionLimiter::new(1000, false);
        let open = |text: &str| {
            let address = client(text).0;
            let mut held = Vec::new();
            loop {
                match limiter.acquire(address) {
                    Ok(permit) => held.push(permit),
                    Err(refusal) => return (held, refusal),
                }
            }
        };
        let (first, refusal) = open("10.0.0.1");
        assert_eq!((first.len(), refusal), (500, ConnectionRefusal::ClientShare));
        let (second, refusal) = open("10.0.0.2");
        assert_eq!((second.len(), refusal), (250, ConnectionRefusal::ClientShare));
        let proxied = ConnectionLimiter::new(3, true);
        let held: Vec<_> = (0..3).map(|_| proxied.acquire(client("10.0.0.1").0)).collect();
        assert!(held.iter().all(Result::is_ok), "a proxy may hold all connections");
        assert_eq!(proxied.acquire(client("10.0.0.1").0).err(), Some(ConnectionRefusal::Full));
    }
}
