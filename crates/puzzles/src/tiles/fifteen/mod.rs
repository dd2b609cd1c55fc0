//! The 15-puzzle's own bounded depth-first search with Manhattan distance, for every goal.
//!
//! It generates the nodes of [`untumble_search::bounded_dfs::GenericDfs`] one for one and faster: the loop is compiled for each cell
//! of the gap and each last move (`descent.rs`), a node is a word and its slack (`slack.rs`).

mod cell;
mod descent;
mod pass;
mod patterns;
mod slack;
mod sweep;

use std::sync::Arc;

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, SolutionMode, Subtree};
use untumble_search::control::{Control, Meter};
use untumble_search::error::Error;
use untumble_search::executor::Executor;
use untumble_search::heuristic::Admissibility;
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::registry::BuildContext;
use untumble_search::report::Report;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::{IdaOptions, iterative_deepening};
use untumble_search::spec::HeuristicExpr;

pub use self::patterns::PatternIda;
use self::slack::Slack;
use super::{Board, Cells, Size, Tiles};

/// IDA\* with Manhattan distance on boards of 4×4.
pub struct Ida {
    slack: Slack,
    early: bool,
    executor: Arc<dyn Executor>,
}

impl Ida {
    /// For boards that are to become the goal of `tiles`; `None` if they are not 4×4.
    pub fn new<C: Cells>(tiles: &Tiles<C>, options: IdaOptions, runtime: &Runtime) -> Option<Ida> {
        let fits = tiles.size() == Size { rows: 4, columns: 4 };
        let solved = tiles.solved.cells.word().filter(|_| fits)?;
        let slack = Slack::new(tiles.goal(), solved);
        Some(Ida { slack, early: options.early, executor: options.executor(runtime) })
    }
}

/// IDA* on 4×4 boards with Manhattan distance or pattern databases; `None` for anything else.
pub(super) fn specialized<C: Cells>(
    context: &BuildContext<'_, Tiles<C>>,
) -> Result<Option<Box<dyn Solver<Tiles<C>>>>, Error> {
    let (tiles, options) = (context.puzzle, IdaOptions::of(context.spec));
    let Some(HeuristicExpr::Named { name, argument }) = &context.spec.heuristic else { return Ok(None) };
    Ok(match (name.as_str(), argument) {
        // Manhattan distance is consistent, so pathmax changes nothing.
        ("manhattan", None) => Ida::new(tiles, options, context.runtime).map(|own| Box::new(own) as _),
        ("pdb", Some(text)) => {
            let own = PatternIda::new(tiles, text, options, context.runtime, context.control)?;
            own.map(|own| Box::new(own) as _)
        }
        _ => None,
    })
}

impl<C: Cells> Solver<Tiles<C>> for Ida {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        match self.bounded_dfs(tiles, starts, SolutionMode::of(control.all(), self.early)) {
            Some(dfs) => iterative_deepening(&*dfs, control, &*self.executor),
            None => unreachable!("boards of 4x4 are words"),
        }
    }

    fn bounded_dfs<'a>(
        &'a self,
        _tiles: &'a Tiles<C>,
        starts: &'a [Board<C>],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        let starts = starts.iter().map(|board| board.cells.word()).collect::<Option<_>>()?;
        Some(Box::new(Fifteen { slack: &self.slack, starts, mode }))
    }
}

/// The bounded depth-first search of one position.
struct Fifteen<'a> {
    slack: &'a Slack,
    starts: Vec<u64>,
    mode: SolutionMode,
}

impl BoundedDfs for Fifteen<'_> {
    fn floor(&self) -> Cost {
        self.starts.iter().map(|&cells| self.slack.distance(cells)).min().unwrap_or(0)
    }

    fn cost(&self, path: &[Move]) -> Cost {
        path.len() as Cost
    }

    fn mode(&self) -> SolutionMode {
        self.mode
    }

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn roots(&self) -> Vec<Subtree> {
        let roots = (0..).zip(&self.starts).map(|(root, &start)| Subtree {
            root,
            path: Vec::new(),
            untried: cell::moves(start.gap(), cell::NONE).into(),
        });
        roots.collect()
    }

    fn run_pass(&self, subtrees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        pass::run(self, subtrees, bound, meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiles::Goal;
    use untumble_search::frontend::PuzzleFrontend;
    use untumble_search::puzzle::Puzzle;
    use untumble_search::spec::SpecError;

    fn tiles(rows: usize, columns: usize) -> Tiles<u64> {
        Tiles::new(Goal::named(Size { rows, columns }, "blank-last").expect("a goal"))
    }

    /// Whether the heuristic of a solver text has an implementation here.
    fn is_specialized(tiles: &Tiles<u64>, text: &str) -> Result<bool, Error> {
        let registry = tiles.registry();
        let spec = registry.complete(&text.parse()?)?;
        let (runtime, control) = (&Runtime::default(), &Control::default());
        let context = BuildContext { puzzle: tiles, spec: &spec, registry: &registry, runtime, control };
        specialized(&context).map(|solver| solver.is_some())
    }

    #[test]
    fn manhattan_distance_and_a_partition_alone_are_specialized_on_4x4_boards() {
        for (text, expected) in [
            ("ida+manhattan", true),
            ("ida", true),
            ("parida:bpmx=off+manhattan", true),
            ("parida:raise=off+manhattan", true),
            ("ida+linear-conflict", false),
            ("ida+pdb:2-2", true),
            ("parida:raise=off+pdb:2-2", true),
            ("ida+max(pdb:2-2,linear-conflict)", false),
        ] {
            assert_eq!(is_specialized(&tiles(4, 4), text), Ok(expected), "{text}");
            assert_eq!(is_specialized(&tiles(3, 5), text), Ok(false), "{text}");
        }
        let wrong = is_specialized(&tiles(4, 4), "ida+pdb:8-8").expect_err("too many tiles").to_string();
        assert!(wrong.contains("more than 15 tiles"), "{wrong}");
    }

    #[test]
    fn only_iterative_deepening_is_specialized() {
        let (tiles, runtime, control) = (tiles(4, 4), Runtime::default(), Control::default());
        let starts = [tiles.solved()];
        for (text, deepens) in [
            ("ida+manhattan", true),
            ("parida+manhattan", true),
            ("ida+pdb:2-2", true),
            ("astar+manhattan", false),
            ("astar+pdb:2-2", false),
        ] {
            let solver = tiles.solver(text, &runtime, &control).expect(text).solver;
            let dfs = solver.bounded_dfs(&tiles, &starts, SolutionMode::First);
            assert_eq!(dfs.is_some(), deepens, "{text}");
        }
    }

    #[test]
    fn options_are_checked_before_a_specialization_is_built() {
        let wrong = tiles(4, 4).solver("ida:raise=maybe+manhattan", &Runtime::default(), &Control::default());
        let wrong = wrong.err().expect("a switch is on or off");
        assert!(
            matches!(
                &wrong,
                Error::Spec { error: SpecError::OptionValue { option: "bpmx", value, .. }, span: Some(span) }
                    if value == "maybe" && *span == (10..15)
            ),
            "{wrong:?}"
        );
        assert_eq!(wrong.to_string(), "ida: bpmx=maybe should be on or off");
    }
}
