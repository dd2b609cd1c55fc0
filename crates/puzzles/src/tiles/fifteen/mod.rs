//! The 15-puzzle's own IDA\* probe with Manhattan distance, for every goal.
//!
//! It generates the nodes of [`untumble_search::probe::Generic`] one for one and faster: the loop is compiled for each cell
//! of the gap and each last move ([`descent`]), a node is a word and its slack ([`slack`]).

mod cell;
mod descent;
mod slack;

use untumble_search::control::{Control, Meter};
use untumble_search::heuristic::Promise;
use untumble_search::moves::Move;
use untumble_search::probe::{Probe, Probed, Subtree};
use untumble_search::puzzle::Cost;
use untumble_search::report::Report;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::deepen;
use untumble_search::spec::{Bound, Spec};
use untumble_search::trouble::Trouble;

use self::descent::{Descent, End, Purse};
use self::slack::{Node, Slack};
use super::{Board, Cells, Size, Tiles};

/// IDA\* with Manhattan distance on boards of 4×4.
pub struct Ida {
    slack: Slack,
    parallel: bool,
}

impl Ida {
    /// For boards that are to become the goal of `tiles`, on all threads or on one;
    /// nothing if they are not 4×4.
    pub fn new<C: Cells>(tiles: &Tiles<C>, parallel: bool) -> Option<Ida> {
        let fits = tiles.size() == Size { rows: 4, columns: 4 };
        let solved = tiles.solved.cells.word().filter(|_| fits)?;
        Some(Ida { slack: Slack::new(tiles.goal(), solved), parallel })
    }

    /// The solver a completed spec names, if it is this one. Manhattan distance is
    /// consistent, so raising parents changes nothing.
    pub fn named<C: Cells>(tiles: &Tiles<C>, spec: &Spec) -> Result<Option<Ida>, Trouble> {
        let parallel = match spec.algorithm.as_str() {
            "ida" => false,
            "parida" => true,
            _ => return Ok(None),
        };
        spec.switch("raise", true)?;
        let manhattan = spec.heuristic.as_ref() == Some(&Bound::named("manhattan"));
        Ok(if manhattan { Ida::new(tiles, parallel) } else { None })
    }
}

impl<C: Cells> Solver<Tiles<C>> for Ida {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        match self.probe(tiles, starts, control.all()) {
            Some(probe) => deepen(&*probe, control, threads),
            None => unreachable!("boards of 4x4 are words"),
        }
    }

    fn probe<'a>(
        &'a self,
        _tiles: &'a Tiles<C>,
        starts: &'a [Board<C>],
        all: bool,
    ) -> Option<Box<dyn Probe + 'a>> {
        let starts = starts.iter().map(|board| board.cells.word()).collect::<Option<_>>()?;
        Some(Box::new(Fifteen { slack: &self.slack, starts, all }))
    }
}

/// The probe of one position.
struct Fifteen<'a> {
    slack: &'a Slack,
    starts: Vec<u64>,
    all: bool,
}

/// The board after `path`, and the gap's cell.
fn walk(start: u64, path: &[Move]) -> (u64, usize) {
    path.iter().fold((start, start.gap()), |(cells, gap), m| match cell::neighbours(gap)[m.index()] {
        Some(from) => (cells.slide(from, gap), from),
        None => unreachable!("paths are legal"),
    })
}

/// A part of the tree, and whether entering it expands its node; not if it is the rest
/// of what the purse did not last for.
struct Part {
    tree: Subtree,
    fresh: bool,
}

impl Probe for Fifteen<'_> {
    fn floor(&self) -> Cost {
        self.starts.iter().map(|&cells| self.slack.distance(cells)).min().unwrap_or(0)
    }

    fn cost(&self, path: &[Move]) -> Cost {
        path.len() as Cost
    }

    fn promise(&self) -> Promise {
        Promise::Consistent
    }

    fn roots(&self) -> Vec<Subtree> {
        let roots = (0..).zip(&self.starts).map(|(root, &start)| Subtree {
            root,
            path: Vec::new(),
            untried: cell::moves(start.gap(), cell::NONE),
        });
        roots.collect()
    }

    fn probe(&self, trees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> Probed {
        let mut probed = Probed::nothing();
        let mut descent = Descent::new(self.slack);
        let mut todo: Vec<Part> = trees.into_iter().rev().map(|tree| Part { tree, fresh: true }).collect();
        while let Some(Part { tree, fresh }) = todo.pop() {
            let (cells, gap) = walk(self.starts[usize::from(tree.root)], &tree.path);
            let distance = self.slack.distance(cells);
            let least = tree.path.len() as Cost + distance;
            if least > bound {
                probed.next = probed.next.min(least);
                continue;
            }
            if tree.path.is_empty() && distance == 0 {
                probed.found.push(Vec::new());
                if self.all { continue } else { break }
            }
            if least == bound && distance == 0 {
                probed.next = probed.next.min(bound.saturating_add(1));
                continue;
            }
            if meter.check().is_break() {
                if !tree.untried.is_empty() {
                    todo.push(Part { tree, fresh });
                }
                break;
            }
            let node = Node { cells, slack: i64::from(bound - least) };
            let allowance = meter.left() as i64;
            let purse = descent.enter(gap, node, tree.untried, Purse::new(allowance));
            let (nodes, expanded) = purse.spent(allowance);
            meter.spend(nodes as u64);
            probed.nodes += nodes as u64;
            probed.expanded += expanded - u64::from(!fresh);
            // Every child is pruned, expanded, the goal, or waits for the next purse.
            let ended = u64::from(descent.end.is_some());
            if nodes as u64 > expanded - 1 + ended {
                let parity = (bound - least) % 2;
                probed.next = probed.next.min(bound.saturating_add(2 - parity));
            }
            let Some(end) = descent.end.take() else { continue };
            if end == End::Found {
                probed.found.push(tree.path.iter().chain(descent.path.iter().rev()).copied().collect());
                // Whoever searches on after a goal begins anew with every part.
                todo.iter_mut().for_each(|part| part.fresh = true);
            }
            let paused = tree.path.len() + descent.path.len();
            let parts = descent.unwound(&tree).into_iter().map(|tree| {
                let fresh = end == End::Found || tree.path.len() == paused;
                Part { tree, fresh }
            });
            todo.extend(parts);
            if end == End::Found && !self.all {
                break;
            }
        }
        probed.rest = todo.into_iter().rev().map(|part| part.tree).collect();
        probed
    }
}
