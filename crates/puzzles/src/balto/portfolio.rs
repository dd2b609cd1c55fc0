//! The presets of Balto's puzzle and the portfolio of stages that `auto` runs.
//!
//! A quick beam gives a first incumbent, wider beams and tunneling shorten it while time remains, and on
//! side 3 a meet in the middle proves the optimum.

use std::time::Duration;

use untumble_search::frontend::{Preset, Stage, Workload};
use untumble_search::solve::{beam, ida, tunnel};
use untumble_search::spec::{HeuristicExpr, Spec};

use super::beam::BidirectionalBeam;
use super::heuristics::{LEARNED, TORUS};
use super::mitm;

/// Node budgets of IDA* before the first beam, some hundredths of a second, and after it, about a second.
const QUICK_IDA_NODES: u64 = 100_000;
const IDA_NODES: u64 = 2_000_000;
/// On longer sides IDA* solves almost no position within [`IDA_NODES`].
const MAX_IDA_SIDE: usize = 6;
/// A conservative estimate of the states that a thread evaluates per second.
const STATES_PER_SECOND: f64 = 5e6;
/// Assumed time limit if none is given.
const DEFAULT_TIME: Duration = Duration::from_secs(20);
/// Widths of the beams before an optimality proof; they take a second or two.
const WIDTHS_BEFORE_PROOF: [usize; 2] = [1000, 10_000];
/// Node budget of a tunnel stage, some seconds.
const TUNNEL_NODES: u64 = 20_000_000;
const MIN_WIDTH: usize = 10;
const MAX_WIDTH: usize = 1_000_000;
/// With a time limit, each of this many further beams is twice as wide as the one before.
const DOUBLINGS: usize = 6;

/// The least useful width of a side: narrower beams stagnate repeatedly and take longer than wider ones.
fn min_width(side: usize) -> usize {
    match side {
        ..=10 => MIN_WIDTH,
        11..=15 => 100,
        _ => 300,
    }
}

/// Presets of a side, the default first.
pub(super) fn presets(side: usize) -> Vec<Preset> {
    let mut presets = vec![Preset::AUTO];
    let mut add = |solver, title, why| presets.push(Preset { solver, title, why });
    add(
        "beam:width=1000",
        "Beam",
        "Keeps the best 1000 positions of each level. Short solutions, not optimal.",
    );
    add("beam:width=10000", "Wide beam", "Keeps ten times as many positions: shorter solutions, slower.");
    add("tunnel", "Tunneling", "Shortens one solution as long as time remains.");
    if side <= mitm::MAX_SIDE {
        add(mitm::NAME, "Meet in the middle", "Finds an optimal solution; takes minutes on side 3.");
    }
    add("parida+torus", "IDA* on all threads", "Finds an optimal solution of positions near the goal.");
    presets
}

fn ida(nodes: Option<u64>) -> Stage {
    Stage { node_limit: nodes, ..Spec::plain(ida::PARALLEL_NAME, Some(HeuristicExpr::named(TORUS))).into() }
}

fn beam(width: usize) -> Stage {
    let spec = Spec {
        options: vec![("width".to_owned(), width.to_string())],
        ..Spec::plain(beam::NAME, Some(HeuristicExpr::named(LEARNED)))
    };
    spec.into()
}

fn tunnel(nodes: Option<u64>) -> Stage {
    Stage { node_limit: nodes, ..Spec::plain(tunnel::NAME, Some(HeuristicExpr::named(LEARNED))).into() }
}

/// The stages of `auto`.
pub(super) fn choose<S>(side: usize, workload: &Workload<'_, S>) -> Vec<Stage> {
    let all_solutions = workload.all_solutions;
    let provable = side <= mitm::MAX_SIDE;
    if side == 2 || (all_solutions && !provable) {
        return vec![ida(None)];
    }
    if all_solutions {
        return vec![Spec::plain(mitm::NAME, None).into()];
    }
    let widths = beam_widths(side, workload);
    let mut stages: Vec<Stage> = Vec::new();
    if side <= MAX_IDA_SIDE {
        stages.push(ida(Some(QUICK_IDA_NODES)));
    }
    let single = widths.len() == 1;
    for (index, width) in widths.into_iter().enumerate() {
        stages.push(beam(width));
        if index == 0 && side <= MAX_IDA_SIDE {
            stages.push(ida(Some(IDA_NODES)));
        }
        if (index > 0 || single) && !provable {
            stages.push(tunnel(Some(TUNNEL_NODES)));
        }
    }
    if provable {
        stages.push(Spec::plain(mitm::NAME, None).into());
    } else if workload.limits.time.is_some() {
        stages.push(tunnel(None));
    }
    stages
}

/// The widths of the beam stages, reduced to the memory limit.
fn beam_widths<S>(side: usize, workload: &Workload<'_, S>) -> Vec<usize> {
    let time = workload.limits.time.unwrap_or(DEFAULT_TIME);
    let mut widths = vec![width_for(side, workload, time / 20), width_for(side, workload, time / 2)];
    if side <= mitm::MAX_SIDE {
        widths = WIDTHS_BEFORE_PROOF.to_vec();
    } else if workload.limits.time.is_some() {
        let last = widths[1];
        widths.extend((1..=DOUBLINGS).map(|doublings| last << doublings));
    }
    let fits = |width: usize| {
        let bytes = BidirectionalBeam::beam_config(width, 0).bytes(width);
        workload.limits.memory.is_none_or(|limit| limit >= 2 * bytes)
    };
    let reduce = |mut width: usize| {
        while width > MIN_WIDTH && !fits(width) {
            width = (width / 2).max(MIN_WIDTH);
        }
        width
    };
    let mut widths: Vec<usize> = widths.into_iter().map(reduce).collect();
    widths.dedup();
    widths
}

/// The widest beam that takes about `time`, rounded down to one significant digit.
fn width_for<S>(side: usize, workload: &Workload<'_, S>, time: Duration) -> usize {
    // One level per move, about 1.65 n³ moves for side n; ten successors per state; four beams, one per pair
    // of directions.
    let states_per_width = 4.0 * 10.0 * 1.65 * (side as f64).powi(3);
    let threads = workload.limits.threads.clamp(1, 4) as f64;
    let width = (time.as_secs_f64() * STATES_PER_SECOND * threads / states_per_width) as usize;
    let digit = 10usize.pow(width.max(1).ilog10());
    (width / digit * digit).clamp(min_width(side), MAX_WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::control::Limits;

    fn names(side: usize, limits: Limits, all: bool) -> Vec<String> {
        let workload: Workload<'_, ()> = Workload { position: None, count: 1, limits, all_solutions: all };
        choose(side, &workload).iter().map(|stage| stage.spec.to_string()).collect()
    }

    #[test]
    fn beam_widths_follow_time_side_and_memory() {
        let unlimited = Limits::default();
        let timed = |seconds| Limits { time: Some(Duration::from_secs(seconds)), ..unlimited };
        assert_eq!(names(2, unlimited, false), ["parida+torus"]);
        assert_eq!(names(9, unlimited, true), ["parida+torus"], "only optimal solvers list all solutions");
        let tunnel = "tunnel+learned";
        let ida = "parida+torus";
        let six = [ida, "beam:width=300+learned", ida, "beam:width=3000+learned", tunnel];
        assert_eq!(names(6, unlimited, false), six);
        assert_eq!(names(10, unlimited, false), ["beam:width=70+learned", "beam:width=700+learned", tunnel]);
        assert_eq!(
            names(27, unlimited, false),
            ["beam:width=300+learned", tunnel],
            "narrower beams stagnate"
        );
        let wider = names(10, timed(60), false);
        let first = ["beam:width=200+learned", "beam:width=2000+learned", tunnel, "beam:width=4000+learned"];
        assert_eq!(wider[..4], first);
        assert_eq!(wider.last().map(String::as_str), Some(tunnel), "while time remains");
        let short = names(10, Limits { memory: Some(500_000), ..timed(60) }, false);
        let widest = ["beam:width=200+learned", "beam:width=2000+learned", tunnel, tunnel];
        assert_eq!(short, widest, "widths are reduced to the memory limit, without repeats");
        let small = names(6, Limits { memory: Some(20_000), ..timed(5) }, false);
        assert!(small.iter().any(|name| name.starts_with("beam:width=")), "{small:?}");
        assert_eq!(
            names(27, Limits { memory: Some(1), ..unlimited }, false),
            ["beam:width=10+learned", tunnel]
        );
    }
}
