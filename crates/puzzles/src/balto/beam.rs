//! Beam search from both ends, in all ways the first turns can go.

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::heuristic::Heuristic;
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::registry::BuildContext;
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::beam::{Plan, Unwatched, run};
use untumble_search::solve::tunnel::{Beams, Tunnel};
use untumble_search::solve::{Solver, beam_options};
use untumble_search::spec::HeuristicExpr;

use super::ends::{Ends, Sheet};
use super::heuristics::{Rating, Torus, weights};
use super::{Balto, Board, TURNS};

/// A beam that keeps `width` states of each level.
pub struct TwoEnded {
    /// What states are ranked by.
    pub rating: Rating,
    /// How many are kept.
    pub width: usize,
    /// Decides between states of equal score.
    pub seed: u64,
}

/// Beam search and tunneling with the board's own walker, where the heuristic is a sum of weights.
pub(super) fn specialized(
    context: &BuildContext<'_, Balto>,
) -> Result<Option<Box<dyn Solver<Balto>>>, Error> {
    let Some(HeuristicExpr::Named { name, argument }) = &context.spec.heuristic else { return Ok(None) };
    let Some(weights) = weights(context.puzzle, name, argument.as_deref())? else { return Ok(None) };
    let (width, seed) = beam_options(context.spec);
    let rating = Rating::new(context.puzzle, &weights);
    let beam = move |width, seed| TwoEnded { rating: rating.clone(), width, seed };
    if context.spec.algorithm == "beam" {
        return Ok(Some(Box::new(beam(width, seed))));
    }
    let beams: Beams<Balto> = Box::new(move |width, seed, balto: &Balto, starts, control| {
        beam(width, seed).solve(balto, starts, control)
    });
    Ok(Some(Box::new(Tunnel { beams, width, seed })))
}

impl TwoEnded {
    /// What the engine's beam goes by.
    pub fn plan(width: usize, seed: u64) -> Plan {
        Plan { width, seed, moves: 2 * usize::from(TURNS), cheapest: 1, admissible: false }
    }
}

/// A walker for each way the first turns can go, of the board and of the one it is to become.
pub(super) fn walkers<'a>(balto: &Balto, sheet: &'a Sheet, starts: &[Board]) -> Vec<Ends<'a>> {
    let goals = balto.required_goal_states();
    let pairs = goals.iter().flat_map(|goal| starts.iter().map(move |start| (start, goal)));
    pairs.map(|(start, goal)| Ends::new(sheet, start, goal)).collect()
}

impl Solver<Balto> for TwoEnded {
    fn solve(&self, balto: &Balto, starts: &[Board], control: &Control) -> Report {
        let floor = |board| Torus.cost(&Torus.start(balto, board));
        control.prove(starts.iter().map(floor).min().unwrap_or(0));
        if starts.iter().any(|board| balto.is_goal(board)) {
            control.offer(&[], 0);
            let counts = Counts { generated: 1, ..Counts::default() };
            return Report::from_control(Outcome::Solved, control, counts);
        }
        let walkers = walkers(balto, self.rating.sheet(), starts);
        let plan = TwoEnded::plan(self.width, self.seed);
        run(&plan, &walkers, &|path: &[Move]| path.len() as Cost, &Unwatched, control)
    }
}
