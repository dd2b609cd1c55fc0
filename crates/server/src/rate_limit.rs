//! Requests per second and client: the generic cell rate algorithm, from the crate `governor`.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{PoisonError, RwLock};

use governor::Quota;
use governor::clock::{Clock, MonotonicClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;

use untumble_session::ProblemKind;

use super::client_limits::Client;
use super::error_response::ErrorResponse;

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

#[cfg(test)]
mod tests {
    use super::*;
    use governor::clock::FakeRelativeClock;
    use std::time::Duration;

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
}
