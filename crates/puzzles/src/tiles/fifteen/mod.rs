//! IDA* specialised for 4×4 boards (Korf, "Depth-first iterative-deepening: an optimal admissible tree
//! search", Artificial Intelligence 27, 1985), with Manhattan distance, for any goal; `patterns/` contains
//! the variant with pattern databases.
//!
//! It generates exactly the nodes of [`untumble_search::bounded_dfs::GenericDfs`], only faster: the loop is
//! compiled for each cell of the blank and each last move (`dfs.rs`), a node consists of one word and its
//! slack (`manhattan_slack.rs`), and large subtrees are expanded with SIMD instructions (`batch.rs`).
//! Packed states and incremental heuristics follow Burns, Hatem, Leighton & Ruml, "Implementing fast
//! heuristic search code" (SoCS 2012).

mod batch;
mod blank_cell;
mod dfs;
mod manhattan_slack;
mod pass;
mod patterns;

use std::sync::Arc;

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, SolutionMode, Subtree};
use untumble_search::control::{Control, Meter};
use untumble_search::executor::Executor;
use untumble_search::heuristic::Admissibility;
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::registry::Registry;
use untumble_search::report::Report;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::{IdaOptions, VARIANTS, iterative_deepening};

use self::manhattan_slack::ManhattanSlack;
pub use self::patterns::PatternIda;
use super::{Board, Cells, Size, Tiles, heuristics, pdb};

/// IDA\* with Manhattan distance on boards of 4×4.
pub struct Ida {
    evaluator: ManhattanSlack,
    /// Whether the last pass ends at its first solution.
    early: bool,
    executor: Arc<dyn Executor>,
}

impl Ida {
    /// The solver for the goal of `tiles`; `None` if the board is not 4×4.
    pub fn new<C: Cells>(tiles: &Tiles<C>, options: IdaOptions, runtime: &Runtime) -> Option<Ida> {
        let is_4x4 = tiles.size() == Size { rows: 4, columns: 4 };
        let solved = tiles.solved.cells.word().filter(|_| is_4x4)?;
        let slack = ManhattanSlack::new(tiles.goal(), solved);
        Some(Ida { evaluator: slack, early: options.early, executor: options.executor(runtime) })
    }
}

/// Registers the specialised IDA* with Manhattan distance and with one partition of pattern databases. Its
/// constructors return `None` for boards that are not 4×4.
pub(super) fn register<C: Cells>(registry: Registry<Tiles<C>>) -> Registry<Tiles<C>> {
    VARIANTS.into_iter().fold(registry, |registry, (algorithm, parallel)| {
        registry
            .with_specialization(algorithm, heuristics::MANHATTAN, move |context, _| {
                // Manhattan distance is consistent, so BPMX has no effect.
                let options = IdaOptions::of(context.spec, parallel);
                Ok(Ida::new(context.puzzle, options, context.runtime).map(|ida| Box::new(ida) as _))
            })
            .with_specialization(algorithm, pdb::NAME, move |context, partition| {
                let options = IdaOptions::of(context.spec, parallel);
                let partition = partition.unwrap_or_default();
                let (tiles, control) = (context.puzzle, context.control);
                let ida = PatternIda::new(tiles, partition, options, context.runtime, control)?;
                Ok(ida.map(|ida| Box::new(ida) as _))
            })
    })
}

impl<C: Cells> Solver<Tiles<C>> for Ida {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        match self.bounded_dfs(tiles, starts, SolutionMode::of(control.all_solutions(), self.early)) {
            Some(dfs) => iterative_deepening(&*dfs, control, &*self.executor),
            None => unreachable!("a 4×4 board fits one word"),
        }
    }

    fn bounded_dfs<'a>(
        &'a self,
        _tiles: &'a Tiles<C>,
        starts: &'a [Board<C>],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        let starts = starts.iter().map(|board| board.cells.word()).collect::<Option<_>>()?;
        Some(Box::new(ManhattanDfs { evaluator: &self.evaluator, starts, mode }))
    }
}

/// The bounded depth-first search of one problem.
struct ManhattanDfs<'a> {
    evaluator: &'a ManhattanSlack,
    starts: Vec<u64>,
    mode: SolutionMode,
}

impl BoundedDfs for ManhattanDfs<'_> {
    fn first_bound(&self) -> Cost {
        self.starts.iter().map(|&cells| self.evaluator.distance(cells)).min().unwrap_or(0)
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
            untried: blank_cell::moves(start.blank(), blank_cell::NO_MOVE).into(),
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
    use untumble_search::error::Error;
    use untumble_search::frontend::PuzzleFrontend;
    use untumble_search::puzzle::Puzzle;
    use untumble_search::registry::BuildContext;
    use untumble_search::spec::SpecError;

    fn tiles(rows: usize, columns: usize) -> Tiles<u64> {
        Tiles::new(Goal::named(Size { rows, columns }, "blank-last").expect("a goal"))
    }

    /// Whether a solver text selects the specialised implementation.
    fn is_specialized(tiles: &Tiles<u64>, text: &str) -> Result<bool, Error> {
        let registry = tiles.registry();
        let spec = registry.complete(&text.parse()?)?;
        let (runtime, control) = (&Runtime::default(), &Control::default());
        let context = BuildContext { puzzle: tiles, spec: &spec, registry: &registry, runtime, control };
        registry.specialized(&context).map(|solver| solver.is_some())
    }

    #[test]
    fn only_manhattan_distance_and_single_partitions_are_specialized_on_4x4_boards() {
        for (text, expected) in [
            ("ida+manhattan", true),
            ("ida", true),
            ("parida:bpmx=off+manhattan", true),
            ("parida:raise=off+manhattan", true),
            ("ida+linear-conflict", false),
            ("ida+pdb:2-2", true),
            ("parida:raise=off+pdb:2-2", true),
            ("ida+max(pdb:2-2,linear-conflict)", false),
            // A maximum of one heuristic is that heuristic.
            ("ida+max(manhattan,max(manhattan))", true),
            ("astar+manhattan", false),
        ] {
            assert_eq!(is_specialized(&tiles(4, 4), text), Ok(expected), "{text}");
            assert_eq!(is_specialized(&tiles(3, 5), text), Ok(false), "{text}");
        }
        let error = is_specialized(&tiles(4, 4), "ida+pdb:8-8").expect_err("too many tiles").to_string();
        assert!(error.contains("more than 15 tiles"), "{error}");
    }

    #[test]
    fn only_iterative_deepening_is_specialized() {
        let (tiles, runtime, control) = (tiles(4, 4), Runtime::default(), Control::default());
        let starts = [tiles.solved()];
        for (text, is_ida) in [
            ("ida+manhattan", true),
            ("parida+manhattan", true),
            ("ida+pdb:2-2", true),
            ("astar+manhattan", false),
            ("astar+pdb:2-2", false),
        ] {
            let solver = tiles.solver(text, &runtime, &control).expect(text).solver;
            let dfs = solver.bounded_dfs(&tiles, &starts, SolutionMode::First);
            assert_eq!(dfs.is_some(), is_ida, "{text}");
        }
    }

    #[test]
    fn options_are_checked_before_a_specialization_is_built() {
        let result =
            tiles(4, 4).solver("ida:raise=maybe+manhattan", &Runtime::default(), &Control::default());
        let error = result.err().expect("the option is neither on nor off");
        assert!(
            matches!(
                &error,
                Error::Spec { error: SpecError::OptionValue { option: "bpmx", value, .. }, span: Some(span) }
                    if value == "maybe" && *span == (10..15)
            ),
            "{error:?}"
        );
        assert_eq!(error.to_string(), "ida: bpmx=maybe should be on or off");
    }
}
