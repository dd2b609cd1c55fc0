//! What `auto` stands for on sliding tiles.

use std::time::Duration;

use untumble_search::catalogued::{Ahead, Turn};
use untumble_search::spec::{Bound, Spec};

use super::heuristics::Walking;
use super::{Goal, Size, table};

/// A* on boards of up to twelve cells needs no more than this for nearly all positions.
const ASTAR_BYTES: u64 = 64 << 20;
/// The tables of walking distance, with room to spare.
const WALKING_BYTES: u64 = 16 << 20;
/// A proof that takes more nodes than this on a big board is not worth waiting for.
const EASY_NODES: u64 = 20_000_000;

/// Whether the positions ahead repay measuring all there are first, within the limits. On a busy machine that took
/// 0.02 s against 0.8 ms for each A* on 3x3, 2.8 s against 16 ms on ten cells.
fn table_pays<S>(size: Size, ahead: &Ahead<'_, S>) -> bool {
    let (count, time) = match size.cells() {
        0..=9 => (50, Duration::from_secs(1)),
        10 => (500, Duration::from_secs(20)),
        _ => return false,
    };
    let bytes = 10 * table::positions(size);
    ahead.count >= count
        && ahead.limits.time.is_none_or(|most| most >= time)
        && ahead.limits.memory.is_none_or(|most| most >= bytes)
}

/// The solvers a knowledgeable person would run in turn.
pub(super) fn choose<S>(goal: &Goal, ahead: &Ahead<'_, S>) -> Vec<Turn> {
    let Ahead { limits, all, .. } = *ahead;
    let size = goal.size();
    let room = |bytes: u64| limits.memory.is_none_or(|memory| memory >= bytes);
    let conflict = || Bound::named("linear-conflict");
    let prove = |bound: Bound| Turn::from(Spec::plain("parida", Some(bound)));
    let layers = || Turn::from(Spec::plain("layers", None));
    let cells = size.cells();
    if table_pays(size, ahead) {
        return vec![Spec::plain(table::NAME, None).into()];
    }
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
