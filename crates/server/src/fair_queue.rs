//! A bounded queue that shares its places and its running slots among clients.
//!
//! Places follow a dynamic threshold (Choudhury & Hahne 1998): a client may hold as many places as are free.
//! A lone client fills half of the queue, and a new client always finds a place. A slot goes to the client
//! with the fewest running items, in turn among equals. Reserve slots serve only clients without a running
//! item, so that the long items of one client never block the first item of another.
//!
//! If no waiting item can start, one push or one finish lets at most one item start. So a new item wakes one
//! worker, and a worker that finishes an item takes the next one itself.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

/// Whether a client that holds `own` of the `used` places may take one more.
pub(super) fn has_place(own: usize, used: usize, capacity: usize) -> bool {
    own < capacity.saturating_sub(used)
}

/// The number of reserve slots of a queue with `slots` ordinary slots.
pub(super) fn reserve_slots(slots: usize) -> usize {
    slots.max(4)
}

/// Waiting items by client, and the numbers of running ones.
pub(super) struct FairQueue<T> {
    /// The number of places for waiting items.
    capacity: usize,
    /// The number of ordinary slots, open to all clients.
    slots: usize,
    clients: HashMap<IpAddr, ClientItems<T>>,
    /// Clients with waiting items; the next in turn first.
    turn: VecDeque<IpAddr>,
    waiting: usize,
    running: usize,
}

struct ClientItems<T> {
    waiting: VecDeque<T>,
    running: usize,
}

impl<T> FairQueue<T> {
    /// An empty queue.
    pub(super) fn new(capacity: usize, slots: usize) -> FairQueue<T> {
        let (clients, turn) = (HashMap::new(), VecDeque::new());
        FairQueue { capacity, slots, clients, turn, waiting: 0, running: 0 }
    }

    /// The number of waiting items.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// The number of running items.
    pub(super) fn running(&self) -> usize {
        self.running
    }

    /// The waiting items.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.clients.values().flat_map(|items| &items.waiting)
    }

    /// Queues an item, or returns it if the client has no place.
    pub(super) fn push(&mut self, client: IpAddr, item: T) -> Result<(), T> {
        let own = self.clients.get(&client).map_or(0, |items| items.waiting.len());
        if !has_place(own, self.waiting, self.capacity) {
            return Err(item);
        }
        let items =
            self.clients.entry(client).or_insert(ClientItems { waiting: VecDeque::new(), running: 0 });
        items.waiting.push_back(item);
        self.waiting += 1;
        if own == 0 {
            self.turn.push_back(client);
        }
        Ok(())
    }

    /// Takes the next item for which a slot is free; it occupies the slot until [`FairQueue::finish`].
    pub(super) fn pop(&mut self) -> Option<(IpAddr, T)> {
        let running = |client: &IpAddr| self.clients.get(client).map_or(0, |items| items.running);
        let index = (0..self.turn.len()).min_by_key(|&index| running(&self.turn[index]))?;
        let reserved = running(&self.turn[index]) == 0;
        let slots = if reserved { self.slots + reserve_slots(self.slots) } else { self.slots };
        if self.running >= slots {
            return None;
        }
        let client = self.turn.remove(index)?;
        let items = self.clients.get_mut(&client)?;
        let item = items.waiting.pop_front()?;
        items.running += 1;
        if !items.waiting.is_empty() {
            self.turn.push_back(client);
        }
        self.waiting -= 1;
        self.running += 1;
        Some((client, item))
    }

    /// Frees the slot of an item of this client.
    pub(super) fn finish(&mut self, client: IpAddr) {
        if let Some(items) = self.clients.get_mut(&client) {
            items.running -= 1;
            self.running -= 1;
        }
        self.forget_idle(client);
    }

    /// Removes the waiting item of this client that `matches`.
    pub(super) fn remove(&mut self, client: IpAddr, matches: impl Fn(&T) -> bool) -> Option<T> {
        let items = self.clients.get_mut(&client)?;
        let index = items.waiting.iter().position(matches)?;
        let item = items.waiting.remove(index)?;
        self.waiting -= 1;
        if items.waiting.is_empty() {
            self.turn.retain(|other| *other != client);
        }
        self.forget_idle(client);
        Some(item)
    }

    /// Removes all waiting items.
    pub(super) fn drain(&mut self) -> Vec<T> {
        self.turn.clear();
        self.waiting = 0;
        let items = self.clients.values_mut().flat_map(|items| items.waiting.drain(..)).collect();
        self.clients.retain(|_, items| items.running > 0);
        items
    }

    /// The number of waiting items that start before the item of this client that `matches`, if clients
    /// simply take turns. Reserve slots are ignored, so this is an estimate.
    pub(super) fn ahead(&self, client: IpAddr, matches: impl Fn(&T) -> bool) -> Option<usize> {
        let own = self.clients.get(&client)?.waiting.iter().position(matches)?;
        let place = self.turn.iter().position(|other| *other == client)?;
        let others = self.turn.iter().enumerate().filter(|(_, other)| **other != client);
        // In each round every client has one turn, in the order of `turn`.
        let before = others.map(|(index, other)| {
            let waiting = self.clients.get(other).map_or(0, |items| items.waiting.len());
            waiting.min(own + usize::from(index < place))
        });
        Some(own + before.sum::<usize>())
    }

    fn forget_idle(&mut self, client: IpAddr) {
        if self.clients.get(&client).is_some_and(|items| items.running == 0 && items.waiting.is_empty()) {
            self.clients.remove(&client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 1));
    const B: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
    const C: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 3));

    /// Queues items of a client until one is refused; returns the number of queued items.
    fn fill(queue: &mut FairQueue<usize>, client: IpAddr) -> usize {
        (0..1000).find(|&item| queue.push(client, item).is_err()).expect("the queue is bounded")
    }

    #[test]
    fn every_new_client_finds_a_place() {
        let mut queue = FairQueue::new(100, 2);
        assert_eq!([A, B, C].map(|client| fill(&mut queue, client)), [50, 25, 13]);
        assert_eq!(queue.waiting(), 88);
        let mut single = FairQueue::new(1, 1);
        assert_eq!((fill(&mut single, A), fill(&mut single, B)), (1, 0), "no place is left");
    }

    #[test]
    fn a_client_with_running_items_leaves_reserve_slots_to_others() {
        let mut queue = FairQueue::new(100, 2);
        fill(&mut queue, A);
        assert_eq!((queue.pop(), queue.pop(), queue.pop()), (Some((A, 0)), Some((A, 1)), None));
        for item in 0..3 {
            queue.push(B, item).expect("a place");
        }
        assert_eq!((queue.pop(), queue.pop()), (Some((B, 0)), None), "one reserve slot for each client");
        queue.finish(A);
        assert_eq!(queue.pop(), None, "two items still run, as many as there are slots");
        queue.finish(A);
        assert_eq!(queue.pop(), Some((A, 2)), "the client with the fewest running items");
    }

    #[test]
    fn clients_take_turns() {
        let mut queue = FairQueue::new(100, 100);
        for (client, items) in [(A, 4), (B, 2), (C, 1)] {
            (0..items).for_each(|item| queue.push(client, item).expect("a place"));
        }
        assert_eq!(queue.ahead(A, |item| *item == 3), Some(6));
        assert_eq!(queue.ahead(B, |item| *item == 1), Some(4));
        assert_eq!(queue.ahead(C, |item| *item == 0), Some(2));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [(A, 0), (B, 0), (C, 0), (A, 1), (B, 1), (A, 2), (A, 3)]);
        for (client, _) in order {
            queue.finish(client);
        }
        assert_eq!((queue.running(), queue.clients.len()), (0, 0), "idle clients are forgotten");
    }

    #[test]
    fn one_change_gives_a_slot_to_at_most_one_item() {
        let mut seed = 1u32;
        let mut random = |bound: usize| {
            // A linear congruential generator; its upper bits are the better ones.
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) as usize % bound
        };
        let clients: [IpAddr; 8] = std::array::from_fn(|last| [127, 0, 0, last as u8].into());
        for slots in 1..=3 {
            let mut queue = FairQueue::new(40, slots);
            let mut running: Vec<IpAddr> = Vec::new();
            for step in 0..10_000 {
                if running.is_empty() || random(2) == 0 {
                    let _ = queue.push(clients[random(8)], step);
                } else {
                    queue.finish(running.swap_remove(random(running.len())));
                }
                running.extend(queue.pop().map(|(client, _)| client));
                assert_eq!(queue.pop(), None, "step {step}, {slots} slots");
            }
        }
    }

    #[test]
    fn items_are_removed() {
        let mut queue = FairQueue::new(100, 1);
        for client in [A, B] {
            (0..3).for_each(|item| queue.push(client, item).expect("a place"));
        }
        assert_eq!(queue.remove(A, |item| *item == 1), Some(1));
        assert_eq!((queue.remove(A, |item| *item == 1), queue.remove(C, |_| true)), (None, None));
        assert_eq!((queue.pop(), queue.iter().count()), (Some((A, 0)), 4));
        assert_eq!((queue.drain().len(), queue.waiting(), queue.pop()), (4, 0, None));
        queue.finish(A);
        assert!(queue.clients.is_empty() && queue.turn.is_empty());
    }
}
