//! Path reconstruction from the nodes and costs that a graph search stored.

use crate::control::{Control, Reservation, Stop};
use crate::moves::Move;
use crate::puzzle::{Cost, Puzzle};
use crate::state_table::Node;

/// Finds the node of a packed state.
pub type NodeLookup<'f, 'a, K> = &'f dyn Fn(&K) -> Option<&'a Node<K>>;

/// The best known path to `state`, found by undoing the last move of each node. Requires inverses.
pub fn path_to<'a, P: Puzzle>(
    puzzle: &P,
    state: &P::State,
    find_node: NodeLookup<'_, 'a, P::Key>,
) -> Vec<Move>
where
    P::Key: 'a,
{
    let mut state = state.clone();
    let mut path = Vec::new();
    while let Some(m) = find_node(&puzzle.pack(&state)).and_then(Node::last_move) {
        path.push(m);
        state = puzzle.undo_move(&state, m);
    }
    path.reverse();
    path
}

/// The end of a path from which costs are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathEnd {
    /// The start states.
    Start,
    /// The goal states.
    Goal,
}

/// Enumerates all optimal paths between a state and one end: the start states or the goal states. It needs
/// the least cost between each state on these paths and that end. A neighbour lies on an optimal path if its
/// cost plus the cost of the move is the cost of the state, so no list of parents is stored.
pub struct PathEnumerator<'a, P: Puzzle> {
    puzzle: &'a P,
    control: &'a Control,
    end: PathEnd,
    cost: &'a dyn Fn(&P::Key) -> Option<Cost>,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
    reserved: Reservation,
}

impl<'a, P: Puzzle> PathEnumerator<'a, P> {
    /// An enumerator; `cost` is the least cost between a state and `end`, `None` for unknown states.
    pub fn new(
        puzzle: &'a P,
        control: &'a Control,
        end: PathEnd,
        cost: &'a dyn Fn(&P::Key) -> Option<Cost>,
    ) -> Result<Self, Stop> {
        let reserved = control.reserve(0)?;
        Ok(PathEnumerator { puzzle, control, end, cost, path: Vec::new(), found: Vec::new(), reserved })
    }

    /// All paths of cost `length` between `state` and the end, each in the order of its moves.
    pub fn paths_of(&mut self, state: &P::State, length: Cost) -> Result<Vec<Vec<Move>>, Stop> {
        self.visit(state, length)?;
        Ok(std::mem::take(&mut self.found))
    }

    fn visit(&mut self, state: &P::State, length: Cost) -> Result<(), Stop> {
        if length == 0 {
            if self.found.len().is_multiple_of(1024) {
                self.control.poll()?;
            }
            self.reserved.grow((size_of::<Vec<Move>>() + self.path.len()) as u64)?;
            let mut path = self.path.clone();
            if self.end == PathEnd::Start {
                path.reverse();
            }
            self.found.push(path);
            return Ok(());
        }
        for step in self.puzzle.legal(state) {
            // Towards the start states, the path contains the inverse of each step.
            let path_move =
                if self.end == PathEnd::Start { self.puzzle.required_inverse(step) } else { step };
            let Some(remaining) = length.checked_sub(self.puzzle.cost(path_move)) else { continue };
            let next = self.puzzle.apply(state, step);
            if (self.cost)(&self.puzzle.pack(&next)) == Some(remaining) {
                self.path.push(path_move);
                self.visit(&next, remaining)?;
                self.path.pop();
            }
        }
        Ok(())
    }
}

/// Every path of cost `length` from the start states to `goals`, sorted and without duplicates. `cost` is
/// the least cost from the start states to a state.
pub fn all_paths<P: Puzzle>(
    puzzle: &P,
    goals: Vec<P::State>,
    length: Cost,
    control: &Control,
    cost: &dyn Fn(&P::Key) -> Option<Cost>,
) -> Result<Vec<Vec<Move>>, Stop> {
    let mut all = Vec::new();
    let mut paths = PathEnumerator::new(puzzle, control, PathEnd::Start, cost)?;
    for goal in goals {
        if cost(&puzzle.pack(&goal)) == Some(length) {
            all.append(&mut paths.paths_of(&goal, length)?);
        }
    }
    all.sort();
    all.dedup();
    Ok(all)
}

/// The goal states for [`all_paths`]: all goal states of the puzzle or, if it has only a goal test, those
/// among `nodes` of cost `length`.
pub fn goals_reached<'a, P: Puzzle>(
    puzzle: &P,
    nodes: impl IntoIterator<Item = &'a Node<P::Key>>,
    length: Cost,
) -> Vec<P::State>
where
    P::Key: 'a,
{
    puzzle.goal_states().unwrap_or_else(|| {
        let nearest = nodes.into_iter().filter(|node| node.cost() == length);
        nearest.map(|node| puzzle.unpack(&node.key)).filter(|state| puzzle.is_goal(state)).collect()
    })
}
