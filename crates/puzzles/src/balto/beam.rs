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
use untumble_search::registry::{BuildContext, Registry};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::beam::{self, BeamConfig, NoObserver, run};
use untumble_search::solve::tunnel::{self, BeamRunner, Tunneling};
use untumble_search::solve::{Solver, beam_options};

use super::bidirectional::{BidirectionalState, EvalTables};
use super::heuristics::{self, CLOSED, LEARNED, LinearEvaluation, TorusDistance};
use super::weights::Weights;
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

/// Reads the weights of a linear evaluation, given the argument of its heuristic.
type LoadWeights = fn(&BuildContext<'_, Balto>, Option<&str>) -> Result<Weights, Error>;

/// Registers the bidirectional versions of `beam` and `tunnel` for the linear evaluations.
pub(super) fn register(registry: Registry<Balto>) -> Registry<Balto> {
    let evaluations: [(&str, LoadWeights); 2] =
        [(LEARNED, heuristics::trained_weights), (CLOSED, heuristics::closed_form_weights)];
    evaluations.into_iter().fold(registry, |registry, (heuristic, load)| {
        let evaluation = move |context: &BuildContext<'_, Balto>, argument: Option<&str>| {
            Ok::<_, Error>(LinearEvaluation::new(context.puzzle, &load(context, argument)?))
        };
        registry
            .with_specialization(beam::NAME, heuristic, move |context, argument| {
                let (width, seed) = beam_options(context.spec);
                let evaluation = evaluation(context, argument)?;
                Ok(Some(Box::new(BidirectionalBeam { evaluation, width, seed })))
            })
            .with_specialization(tunnel::NAME, heuristic, move |context, argument| {
                let (width, seed) = beam_options(context.spec);
                let evaluation = evaluation(context, argument)?;
                let run_beam: BeamRunner<Balto> = Box::new(move |width, seed, balto, starts, control| {
                    let beam = BidirectionalBeam { evaluation: evaluation.clone(), width, seed };
                    beam.solve(balto, starts, control)
                });
                Ok(Some(Box::new(Tunneling { run_beam, width, seed })))
            })
    })
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
