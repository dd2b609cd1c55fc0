//! The ways through the states a search has seen, from the costs it kept.

use crate::control::{Control, Reserved, Stop};
use crate::moves::Move;
use crate::puzzle::{Cost, Puzzle};
use crate::states::Node;

/// Finds what a search kept of a state.
pub type Finds<'f, 'a, K> = &'f dyn Fn(&K) -> Option<&'a Node<K>>;

/// The best way known to `state`; `node` finds what is kept of each state on it. Requires inverses.
pub fn path_to<'a, P: Puzzle>(puzzle: &P, state: &P::State, node: Finds<'_, 'a, P::Key>) -> Vec<Move>
where
    P::Key: 'a,
{
    let mut state = state.clone();
    let mut path = Vec::new();
    while let Some(m) = node(&puzzle.pack(&state)).and_then(Node::last) {
        path.push(m);
        state = puzzle.take_back(&state, m);
    }
    path.reverse();
    path
}

/// Where the costs that a search kept are counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The starts.
    Start,
    /// The goals.
    Goal,
}

/// Every cheapest way between states and one end, given the least cost between each state on them and that end.
/// Any neighbour whose cost and move add up is a parent, so all parents are kept without a list of them.
pub struct Ways<'a, P: Puzzle> {
    puzzle: &'a P,
    control: &'a Control,
    end: End,
    cost: &'a dyn Fn(&P::Key) -> Option<Cost>,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
    reserved: Reserved,
}

impl<'a, P: Puzzle> Ways<'a, P> {
    /// No ways yet; `cost` tells what the search kept.
    pub fn new(
        puzzle: &'a P,
        control: &'a Control,
        end: End,
        cost: &'a dyn Fn(&P::Key) -> Option<Cost>,
    ) -> Result<Self, Stop> {
        let reserved = control.reserve(0)?;
        Ok(Ways { puzzle, control, end, cost, path: Vec::new(), found: Vec::new(), reserved })
    }

    /// The ways between `state` and the end, which cost `length`, each in the order its moves are made.
    pub fn of(&mut self, state: &P::State, length: Cost) -> Result<Vec<Vec<Move>>, Stop> {
        self.walk(state, length)?;
        Ok(std::mem::take(&mut self.found))
    }

    fn walk(&mut self, state: &P::State, length: Cost) -> Result<(), Stop> {
        if length == 0 {
            if self.found.len().is_multiple_of(1024) {
                self.control.poll()?;
            }
            self.reserved.grow((size_of::<Vec<Move>>() + self.path.len()) as u64)?;
            let mut way = self.path.clone();
            if self.end == End::Start {
                way.reverse();
            }
            self.found.push(way);
            return Ok(());
        }
        for step in self.puzzle.legal(state) {
            let used = if self.end == End::Start { self.puzzle.required_inverse(step) } else { step };
            let Some(rest) = length.checked_sub(self.puzzle.cost(used)) else { continue };
            let next = self.puzzle.apply(state, step);
            if (self.cost)(&self.puzzle.pack(&next)) == Some(rest) {
                self.path.push(used);
                self.walk(&next, rest)?;
                self.path.pop();
            }
        }
        Ok(())
    }
}

/// Every shortest way to `goals`, the goal states reached, given the least cost of each state on them.
pub fn all_paths<P: Puzzle>(
    puzzle: &P,
    goals: Vec<P::State>,
    length: Cost,
    control: &Control,
    cost: &dyn Fn(&P::Key) -> Option<Cost>,
) -> Result<Vec<Vec<Move>>, Stop> {
    let mut all = Vec::new();
    let mut ways = Ways::new(puzzle, control, End::Start, cost)?;
    for goal in goals {
        if cost(&puzzle.pack(&goal)) == Some(length) {
            all.append(&mut ways.of(&goal, length)?);
        }
    }
    all.sort();
    all.dedup();
    Ok(all)
}

/// The goal states to list paths to: all of them, or those among the states kept where the goal is only a test.
pub fn goals_reached<'a, P: Puzzle>(
    puzzle: &P,
    kept: impl IntoIterator<Item = &'a Node<P::Key>>,
    length: Cost,
) -> Vec<P::State>
where
    P::Key: 'a,
{
    puzzle.goal_states().unwrap_or_else(|| {
        let nearest = kept.into_iter().filter(|node| node.cost() == length);
        nearest.map(|node| puzzle.unpack(&node.key)).filter(|state| puzzle.is_goal(state)).collect()
    })
}
