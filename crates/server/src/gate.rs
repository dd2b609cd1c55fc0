//! Who may come in: how many requests a second and how many streams each client may have.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;

use untumble_session::ProblemKind;

use super::refusal::Refused;

/// Whoever asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Client(pub(super) IpAddr);

impl Client {
    /// The client at the other end of a connection, or the one that the proxy there speaks for.
    pub(super) fn of(peer: IpAddr, headers: &HeaderMap, proxied: bool) -> Client {
        let told = || {
            // The last one is what the proxy itself saw; anybody can write the others.
            let value = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
            value.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
        };
        Client(told().filter(|_| proxied).unwrap_or(peer))
    }

    /// What counts as one client: whoever has an address of version 6 has 2⁶⁴ of them.
    fn bucket(self) -> IpAddr {
        match self.0 {
            IpAddr::V6(address) => match address.to_ipv4_mapped() {
                Some(address) => address.into(),
                None => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            },
            address @ IpAddr::V4(_) => address,
        }
    }
}

/// Clients that are remembered; then those that have been quiet are forgotten.
const MOST_CLIENTS: usize = 10_000;
/// A client may save up requests for so many seconds.
const SAVED: f64 = 3.0;

/// What a client has left.
struct Purse {
    requests: f64,
    since: Instant,
}

/// The gate.
pub(super) struct Gate {
    /// Requests a second for each client; 0 is no limit.
    rate: u32,
    streams: usize,
    purses: Mutex<HashMap<IpAddr, Purse>>,
    seats: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Gate {
    pub(super) fn new(rate: u32, streams: usize) -> Gate {
        Gate { rate, streams, purses: Mutex::default(), seats: Arc::default() }
    }

    /// Lets a request in, or says when to come back.
    pub(super) fn enter(&self, client: Client) -> Result<(), Refused> {
        if self.rate == 0 {
            return Ok(());
        }
        let (rate, now) = (f64::from(self.rate), Instant::now());
        let full = (SAVED * rate).max(1.0);
        let mut purses = self.purses.lock().unwrap_or_else(PoisonError::into_inner);
        if purses.len() >= MOST_CLIENTS {
            let quiet = Duration::from_secs_f64(SAVED);
            purses.retain(|_, purse| now.duration_since(purse.since) < quiet);
            if purses.len() >= MOST_CLIENTS {
                purses.clear();
            }
        }
        let purse = purses.entry(client.bucket()).or_insert(Purse { requests: full, since: now });
        let earned = now.duration_since(purse.since).as_secs_f64() * rate;
        *purse = Purse { requests: (purse.requests + earned).min(full), since: now };
        if purse.requests < 1.0 {
            let wait = Duration::from_secs_f64((1.0 - purse.requests) / rate);
            return Err(Refused::new(
                ProblemKind::TooMany,
                format!("more than {} requests a second from one client", self.rate),
            )
            .retry_after(wait));
        }
        purse.requests -= 1.0;
        Ok(())
    }

    /// A stream for a client, for as long as the seat is held.
    pub(super) fn sit_down(&self, client: Client) -> Result<Seat, Refused> {
        let who = client.bucket();
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = seats.entry(who).or_default();
        if *taken >= self.streams {
            return Err(Refused::new(
                ProblemKind::TooMany,
                format!("more than {} streams of events to one client; close some", self.streams),
            )
            .retry_after(Duration::from_secs(5)));
        }
        *taken += 1;
        Ok(Seat { seats: Arc::clone(&self.seats), who })
    }

    /// How many streams there are.
    pub(super) fn seated(&self) -> usize {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

/// A client's stream.
pub(super) struct Seat {
    seats: Arc<Mutex<HashMap<IpAddr, usize>>>,
    who: IpAddr,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(taken) = seats.get_mut(&self.who) {
            *taken -= 1;
            if *taken == 0 {
                seats.remove(&self.who);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> Client {
        Client(text.parse().expect("an address"))
    }

    #[test]
    fn a_client_has_its_rate_and_others_theirs() {
        let gate = Gate::new(10, 1);
        let let_in = (0..100).filter(|_| gate.enter(client("10.0.0.1")).is_ok()).count();
        assert!((30..=32).contains(&let_in), "three seconds' worth, {let_in}");
        assert!(gate.enter(client("10.0.0.2")).is_ok());
        let free = Gate::new(0, 1);
        assert!((0..1000).all(|_| free.enter(client("10.0.0.1")).is_ok()));
    }

    #[test]
    fn neighbours_in_version_6_are_one_client() {
        assert_eq!(client("2001:db8::1").bucket(), client("2001:db8::ffff:1").bucket());
        assert_ne!(client("2001:db8::1").bucket(), client("2001:db8:0:1::1").bucket());
        assert_eq!(client("::ffff:10.0.0.1").bucket(), client("10.0.0.1").bucket());
    }

    #[test]
    fn only_a_proxy_speaks_for_others() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 10.1.1.1".parse().expect("a value"));
        let peer: IpAddr = "127.0.0.1".parse().expect("an address");
        assert_eq!(Client::of(peer, &headers, false), client("127.0.0.1"));
        assert_eq!(Client::of(peer, &headers, true), client("10.1.1.1"));
    }

    #[test]
    fn seats_are_given_back() {
        let gate = Gate::new(0, 2);
        let first = gate.sit_down(client("10.0.0.1"));
        let second = gate.sit_down(client("10.0.0.1"));
        assert!(first.is_ok() && second.is_ok() && gate.sit_down(client("10.0.0.1")).is_err());
        drop(first);
        assert!(gate.sit_down(client("10.0.0.1")).is_ok());
        drop(second);
        assert_eq!(gate.seated(), 0);
    }
}
