//! Limits per client: requests per second (the generic cell rate algorithm, from the crate `governor`) and
//! open event streams.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use axum::http::HeaderMap;
use governor::Quota;
use governor::clock::{Clock, MonotonicClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;

use untumble_session::ProblemKind;

use super::error_response::ErrorResponse;

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
    fn network(self) -> IpAddr {
        match self.0 {
            IpAddr::V6(address) => match address.to_ipv4_mapped() {
                Some(address) => address.into(),
                None => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            },
            address @ IpAddr::V4(_) => address,
        }
    }
}

/// The largest number of clients whose rates are stored.
const MAX_CLIENTS: usize = 10_000;
/// The burst size: an idle client may send the requests of this many seconds at once.
const BURST_SECONDS: NonZeroU32 = NonZeroU32::new(3).expect("not zero");

/// The limiter of `governor` with one state per client network.
type KeyedLimiter<C> =
    governor::RateLimiter<IpAddr, HashMapStateStore<IpAddr>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// Limits the requests per second of every client.
pub(super) struct RateLimiter<C: Clock = MonotonicClock> {
    /// 0 is no limit.
    rate: u32,
    clock: C,
    clients: RwLock<KeyedLimiter<C>>,
}

impl RateLimiter {
    /// Allows `rate` requests per second; 0 is no limit.
    pub(super) fn new(rate: u32) -> RateLimiter {
        RateLimiter::with_clock(rate, MonotonicClock)
    }
}

impl<C: Clock + Clone> RateLimiter<C> {
    fn with_clock(rate: u32, clock: C) -> RateLimiter<C> {
        let clients = RwLock::new(keyed_limiter(rate, &clock));
        RateLimiter { rate, clock, clients }
    }

    /// Counts a request, or refuses it with the time until the next one is allowed.
    pub(super) fn check(&self, client: Client) -> Result<(), ErrorResponse> {
        if self.rate == 0 {
            return Ok(());
        }
        self.remove_idle();
        let clients = self.clients.read().unwrap_or_else(PoisonError::into_inner);
        clients.check_key(&client.network()).map_err(|denied| {
            let detail = format!("more than {} requests per second from one client", self.rate);
            ErrorResponse::new(ProblemKind::TooMany, detail)
                .retry_after(denied.wait_time_from(self.clock.now()))
        })
    }

    /// Bounds the memory: removes idle clients, or all clients if too many are active.
    fn remove_idle(&self) {
        let full = |clients: &KeyedLimiter<C>| clients.len() >= MAX_CLIENTS;
        let clients = self.clients.read().unwrap_or_else(PoisonError::into_inner);
        if !full(&clients) {
            return;
        }
        clients.retain_recent();
        drop(clients);
        let mut clients = self.clients.write().unwrap_or_else(PoisonError::into_inner);
        if full(&clients) {
            *clients = keyed_limiter(self.rate, &self.clock);
        }
    }
}

/// A limiter without any client.
fn keyed_limiter<C: Clock + Clone>(rate: u32, clock: &C) -> KeyedLimiter<C> {
    let rate = NonZeroU32::new(rate).unwrap_or(NonZeroU32::MIN);
    let quota = Quota::per_second(rate).allow_burst(rate.saturating_mul(BURST_SECONDS));
    governor::RateLimiter::hashmap_with_clock(quota, clock.clone())
}

/// Limits the open event streams of every client.
pub(super) struct StreamLimiter {
    /// The largest number of open streams per client.
    max: usize,
    /// The number of open streams by client network.
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl StreamLimiter {
    pub(super) fn new(max: usize) -> StreamLimiter {
        StreamLimiter { max, open: Arc::default() }
    }

    /// Permits one stream until the permit is dropped.
    pub(super) fn acquire(&self, client: Client) -> Result<StreamPermit, ErrorResponse> {
        let network = client.network();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let streams = open.get(&network).copied().unwrap_or(0);
        if streams >= self.max {
            return Err(ErrorResponse::new(
                ProblemKind::TooMany,
                format!("event streams per client are limited to {}; close some", self.max),
            )
            .retry_after(Duration::from_secs(5)));
        }
        open.insert(network, streams + 1);
        Ok(StreamPermit { open: Arc::clone(&self.open), network })
    }

    /// The number of open streams of all clients.
    pub(super) fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

/// Permission for one event stream.
pub(super) struct StreamPermit {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    network: IpAddr,
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(streams) = open.get_mut(&self.network) {
            *streams -= 1;
            if *streams == 0 {
                open.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use governor::clock::FakeRelativeClock;

    fn client(text: &str) -> Client {
        Client(text.parse().expect("an address"))
    }

    fn limiter(rate: u32) -> (RateLimiter<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (RateLimiter::with_clock(rate, clock.clone()), clock)
    }

    #[test]
    fn every_client_has_its_own_rate() {
        let (limiter, clock) = limiter(10);
        let allowed = |text| (0..100).filter(|_| limiter.check(client(text)).is_ok()).count();
        assert_eq!(allowed("10.0.0.1"), 30, "the burst of three seconds");
        assert_eq!(allowed("10.0.0.2"), 30, "another client");
        clock.advance(Duration::from_millis(500));
        assert_eq!(allowed("10.0.0.1"), 5, "half a second later");
        clock.advance(Duration::from_secs(60));
        assert_eq!(allowed("10.0.0.1"), 30, "never more than the burst");
    }

    #[test]
    fn a_rate_of_zero_is_no_limit() {
        let (limiter, _) = limiter(0);
        assert!((0..1000).all(|_| limiter.check(client("10.0.0.1")).is_ok()));
    }

    #[test]
    fn the_number_of_stored_clients_is_bounded() {
        let (limiter, clock) = limiter(1);
        let address = |number: u32| Client(std::net::Ipv4Addr::from_bits(number).into());
        let stored = || limiter.clients.read().expect("a lock").len();
        for number in 0..MAX_CLIENTS as u32 {
            assert!(limiter.check(address(number)).is_ok());
        }
        assert_eq!(stored(), MAX_CLIENTS);
        clock.advance(Duration::from_secs(10));
        assert!(limiter.check(address(0)).is_ok());
        assert_eq!(stored(), 1, "idle clients are removed");
        for number in 1..=MAX_CLIENTS as u32 {
            assert!(limiter.check(address(number)).is_ok());
        }
        assert_eq!(stored(), 1, "all clients are removed if too many are active");
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
    }
}
