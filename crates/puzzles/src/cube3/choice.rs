//! What `auto` stands for on Rubik's cube: cubie distances for what is near, then tables as large as the limits allow.

use std::time::Duration;

use untumble_search::catalogued::{Ahead, Turn};
use untumble_search::spec::{Bound, Spec};
use untumble_search::tables::Tables;

use super::heuristics::{corners, edges};
use super::{Cube, Cube3};

/// A proof of so many nodes takes a tenth of a second: what is that near needs no tables.
const NEAR_NODES: u64 = 20_000_000;

/// How many edges go with the corners, and the time in which both tables are built on one core.
const TABLES: [(usize, Duration); 2] = [(7, Duration::from_secs(20)), (6, Duration::from_secs(8))];

/// The solvers a knowledgeable person would run in turn.
pub(super) fn choose(cube: &Cube3, ahead: &Ahead<'_, Cube>, tables: &dyn Tables) -> Vec<Turn> {
    let manhattan = Spec::plain("parida", Some(Bound::named("manhattan")));
    let limits = ahead.limits;
    let room = |bytes: u64| limits.memory.is_none_or(|most| most >= bytes);
    let fits = |&&(count, time): &&(usize, Duration)| {
        let stands = tables.has(&corners::id(cube), corners::LENGTH)
            && tables.has(&edges::id(cube, count), edges::bytes(count));
        if stands {
            return room((corners::LENGTH + edges::bytes(count)) as u64);
        }
        let building = corners::BUILDING.max(corners::LENGTH as u64 + edges::building(count));
        // Tables that take half of the time leave none for the search.
        room(building) && limits.time.is_none_or(|most| most >= 2 * time)
    };
    let Some((count, _)) = TABLES.iter().find(fits) else { return vec![manhattan.into()] };
    let edges = Bound::Named { name: "edges".into(), argument: Some(count.to_string()) };
    let both = Bound::Max(vec![Bound::named("corners"), edges]);
    let near = Turn { spec: manhattan, nodes: Some(NEAR_NODES) };
    vec![near, Spec::plain("parida", Some(both)).into()]
}
