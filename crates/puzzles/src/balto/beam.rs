//! Bidirectional beam search: start and goal board move towards each other, for every combination of
//! first directions.
//!
//! The beam is the engine's Euler-tour beam ([`untumble_search::solve::beam`]); the idea of searching
//! from both boards with a learned evaluation is R. Bocquet's ("Balto's Puzzle", Al Zimmermann's
//! Programming Contests, 2024).

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::heuristic::Heuristic;
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::registry::BuildContext;
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::beam::{BeamConfig, NoObserver, run};
use untumble_search::solve::tunnel::{BeamRunner, Tunneling};
use untumble_search::solve::{Solver, beam_options};
use untumble_search::spec::HeuristicExpr;

use super::bidirectional::{BidirectionalState, EvalTables};
use super::heuristics::{LinearEvaluation, TorusDistance, weights};
use super::{Balto, Board, CLOCKWISE_MOVES};

/// Beam search that keeps the best `width` states of each level.
pub struct BidirectionalBeam {
    /// Ranks the states of a level.
    pub evaluation: LinearEvaluation,
    /// States kept per level.
    pub width: usize,
    /// Breaks ties between states of equal score.
    pub seed: u64,
}

/// Replaces `beam` and `tunnel` by their bidirectional versions if the heuristic is a linear evaluation.
pub(super) fn specialized(
    context: &BuildContext<'_, Balto>,
) -> Result<Option<Box<dyn Solver<Balto>>>, Error> {
    let Some(HeuristicExpr::Named { name, argument }) = &context.spec.heuristic else { return Ok(None) };
    let Some(weights) = weights(context.puzzle, name, argument.as_deref())? else { return Ok(None) };
    let (width, seed) = beam_options(context.spec);
    let evaluation = LinearEvaluation::new(context.puzzle, &weights);
    let beam = move |width, seed| BidirectionalBeam { evaluation: evaluation.clone(), width, seed };
    if context.spec.algorithm == "beam" {
        return Ok(Some(Box::new(beam(width, seed))));
    }
    let run_beam: BeamRunner<Balto> = Box::new(move |width, seed, balto: &Balto, starts, control| {
        beam(width, seed).solve(balto, starts, control)
    });
    Ok(Some(Box::new(Tunneling { run_beam, width, seed })))
}

impl BidirectionalBeam {
    /// The parameters of the engine's beam search.
    pub fn beam_config(width: usize, seed: u64) -> BeamConfig {
        BeamConfig {
            width,
            seed,
            max_branching: 2 * usize::from(CLOCKWISE_MOVES),
            min_move_cost: 1,
            admissible: false,
        }
    }
}

/// One state for each combination of the start and goal board's first directions.
pub(super) fn initial_states<'a>(
    balto: &Balto,
    tables: &'a EvalTables,
    starts: &[Board],
) -> Vec<BidirectionalState<'a>> {
    let goals = balto.required_goal_states();
    let pairs = goals.iter().flat_map(|goal| starts.iter().map(move |start| (start, goal)));
    pairs.map(|(start, goal)| BidirectionalState::new(tables, start, goal)).collect()
}

impl Solver<Balto> for BidirectionalBeam {
    fn solve(&self, balto: &Balto, starts: &[Board], control: &Control) -> Report {
        let lower_bound = |board| TorusDistance.cost(&TorusDistance.start(balto, board));
        control.raise_lower_bound(starts.iter().map(lower_bound).min().unwrap_or(0));
        if starts.iter().any(|board| balto.is_goal(board)) {
            control.offer(&[], 0);
            let counts = Counts { generated: 1, ..Counts::default() };
            return Report::from_control(Outcome::Solved, control, counts);
        }
        let states = initial_states(balto, self.evaluation.tables(), starts);
        let config = BidirectionalBeam::beam_config(self.width, self.seed);
        run(&config, &states, &|path: &[Move]| path.len() as Cost, &NoObserver, control)
    }
}
