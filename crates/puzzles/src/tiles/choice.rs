//! What `auto` stands for on sliding tiles.

use untumble_search::catalogued::Turn;
use untumble_search::control::Limits;
use untumble_search::spec::{Bound, Spec};

use super::heuristics::Walking;
use super::{Goal, Size};

/// A* on boards of up to twelve cells needs no more than this for nearly all positions.
const ASTAR_BYTES: u64 = 64 << 20;
/// The tables of walking distance, with room to spare.
const WALKING_BYTES: u64 = 16 << 20;
/// A proof that takes more nodes than this on a big board is not worth waiting for.
const EASY_NODES: u64 = 20_000_000;

/// The solvers a knowledgeable person would run in turn.
pub(super) fn choose(goal: &Goal, limits: Limits, all: bool) -> Vec<Turn> {
    let size = goal.size();
    let room = |bytes: u64| limits.memory.is_none_or(|memory| memory >= bytes);
    let conflict = || Bound::named("linear-conflict");
    let prove = |bound: Bound| Turn::from(Spec::plain("parida", Some(bound)));
    let layers = || Turn::from(Spec::plain("layers", None));
    let cells = size.cells();
    if cells <= 12 {
        let algorithm = if room(ASTAR_BYTES) { "astar" } else { "ida" };
        return vec![Spec::plain(algorithm, Some(conflict())).into()];
    }
    if cells <= 16 {
        let both = || Bound::Max(vec![Bound::named("walking"), conflict()]);
        let walking = room(WALKING_BYTES) && Walking::possible(goal);
        return vec![prove(if walking { both() } else { conflict() })];
    }
    if size.rows.max(size.columns) > Size::SEARCHED {
        return vec![layers()];
    }
    let easy = (cells > 25 && !all).then_some(EASY_NODES);
    let proof = Turn { nodes: easy, ..prove(conflict()) };
    // The constructive answer comes at once, but it lists nothing.
    if all { vec![proof] } else { vec![layers(), proof] }
}
