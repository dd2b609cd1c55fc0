//! What `auto` stands for on Rubik's cube: cubie distances for what is near, an answer in two phases, then a proof with tables as large as
//! the limits allow.

use std::time::Duration;

use untumble_search::frontend::{Preset, Stage, Workload};
use untumble_search::spec::{HeuristicExpr, Spec};
use untumble_search::tables::Tables;

use super::heuristics::{corners, edges};
use super::{Cube, Cube3, optimal, two_phase};
use crate::cube::Metric;

/// A proof of so many nodes takes a hundredth of a second: what is that near needs no tables.
const NEAR_NODES: u64 = 2_000_000;
/// The same where nothing else proves what is a little less near: a tenth of a second.
const LESS_NEAR_NODES: u64 = 20_000_000;

/// A tenth of a second: in that time two phases prove what is near and find nearly always 19 moves or 20.
const FIRST_NODES: u64 = 2_000_000;
/// Some seconds: where two phases are the best there is, they may try for longer.
const LONG_NODES: u64 = 100_000_000;

/// How many edges go with the corners, and the time in which both tables are built on one core.
const TABLES: [(usize, Duration); 2] = [(7, Duration::from_secs(20)), (6, Duration::from_secs(8))];

/// Solvers to offer, the easiest choice first.
pub(super) const PRESETS: &[Preset] = &[
    Preset::AUTO,
    Preset {
        solver: "two-phase",
        title: "Two phases",
        why: "Twenty moves or fewer within milliseconds, and shorter ones while time lasts; not proven.",
    },
    Preset {
        solver: "parida+manhattan",
        title: "IDA* without tables",
        why: "Proves the shortest answer of scrambles up to a dozen moves at once.",
    },
    Preset {
        solver: "optimal:table=30MB",
        title: "Optimal, small table",
        why: "Proves shortest answers of up to sixteen moves in seconds, once its table stands (30 MB).",
    },
    Preset {
        solver: "optimal:table=243MB",
        title: "Optimal, large table",
        why: "Proves the shortest answer of any position in minutes, once its table stands (243 MB).",
    },
    Preset {
        solver: "bibfs",
        title: "From both ends",
        why: "Breadth-first search from the position and from solved until they meet: up to ten moves or so, shortest.",
    },
];

/// What a small table may try before a large one is built: some seconds, enough for sixteen moves.
const SMALL_NODES: u64 = 400_000_000;

/// The proof in half-turn metric: with the largest table that stands and fits; where a larger one is worth being built, with a small one first,
/// which is built sooner and is enough for most scrambles that are not random.
fn proofs(ahead: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
    let Some(kind) = optimal::largest(ahead.limits.memory.unwrap_or(u64::MAX), ahead.limits.time, tables)
    else {
        return Vec::new();
    };
    let last = Stage { spec: optimal::spec(kind), nodes: None };
    match optimal::sooner(kind, tables) {
        Some(small) => vec![Stage { spec: optimal::spec(small), nodes: Some(SMALL_NODES) }, last],
        None => vec![last],
    }
}

/// The solvers a knowledgeable person would run in turn.
pub(super) fn choose(cube: &Cube3, ahead: &Workload<'_, Cube>, tables: &dyn Tables) -> Vec<Stage> {
    let manhattan = Spec::plain("parida", Some(HeuristicExpr::named("manhattan")));
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
    let databases = || {
        TABLES.iter().find(fits).map(|(count, _)| {
            let edges = HeuristicExpr::Named { name: "edges".into(), argument: Some(count.to_string()) };
            Spec::plain("parida", Some(HeuristicExpr::Max(vec![HeuristicExpr::named("corners"), edges])))
                .into()
        })
    };
    let proofs = match cube.turns().metric() {
        Metric::Htm => proofs(ahead, tables),
        Metric::Qtm => databases().into_iter().collect::<Vec<Stage>>(),
    };
    let answers = !ahead.all && room(two_phase::LEAST_MEMORY);
    let near = if answers { NEAR_NODES } else { LESS_NEAR_NODES };
    let mut turns = vec![Stage { spec: manhattan.clone(), nodes: Some(near) }];
    if answers {
        // A proof of what is far takes hours, so whoever has no tables or asks for a length wants short answers.
        let nodes = if proofs.is_empty() || limits.max_length.is_some() { LONG_NODES } else { FIRST_NODES };
        turns.push(Stage { spec: two_phase::quickest(cube, ahead.count, tables), nodes: Some(nodes) });
    } else if proofs.is_empty() {
        turns.clear();
    }
    if proofs.is_empty() {
        turns.push(manhattan.into());
    }
    turns.extend(proofs);
    turns
}
