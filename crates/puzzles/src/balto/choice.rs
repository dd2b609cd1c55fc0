//! What `auto` stands for on Balto's puzzle.

use std::time::Duration;

use untumble_search::frontend::{Preset, Stage, Workload};
use untumble_search::spec::{HeuristicExpr, Spec};

use super::beam::TwoEnded;
use super::meet;

/// A proof of so many nodes takes about a second: what is that easy needs no beam.
const EASY_NODES: u64 = 2_000_000;
/// On boards of a longer side hardly anything is that easy.
const EASY_SIDE: usize = 6;
/// Children that a thread prices in a second, at least.
const RATE: f64 = 5e6;
/// The effort where no time was given.
const USUAL: Duration = Duration::from_secs(20);
/// What beams find within a second or two before the shortest solution is proven.
const PROVABLE_WIDTHS: [usize; 2] = [1000, 10_000];
/// Making an answer shorter takes some seconds with so many.
const TUNNEL_NODES: u64 = 20_000_000;
/// Narrower beams are not worth their levels, wider ones not their time.
const WIDTHS: std::ops::RangeInclusive<usize> = 10..=1_000_000;

/// Beams that are narrower than this are stuck again and again on boards of that side and take longer than wider ones.
fn steady(side: usize) -> usize {
    match side {
        ..=10 => *WIDTHS.start(),
        11..=15 => 100,
        _ => 300,
    }
}

/// Solvers to offer for a side, the easiest choice first.
pub(super) fn presets(side: usize) -> Vec<Preset> {
    let mut all = vec![Preset::AUTO];
    let mut add = |solver, title, why| all.push(Preset { solver, title, why });
    add(
        "beam:width=1000",
        "Beam",
        "Keeps the best thousand positions of each level; short answers, not proven.",
    );
    add(
        "beam:width=10000",
        "Wide beam",
        "Ten times as many positions of each level: shorter answers, later.",
    );
    add("tunnel", "Tunnels", "Makes one answer shorter and shorter as long as time lasts.");
    if side <= meet::LONGEST_SIDE {
        add(meet::NAME, "From both ends", "Proves the shortest answer; on side 3 that takes minutes.");
    }
    add("parida+torus", "IDA* on all threads", "Proves the shortest answer of positions that are near.");
    all
}

/// The solvers a knowledgeable person would run in turn: an answer soon, then the widest beam that fits the time, and where
/// time was given wider ones as long as it lasts.
pub(super) fn choose<S>(side: usize, ahead: &Workload<'_, S>) -> Vec<Stage> {
    let prove = |nodes| Stage { spec: Spec::plain("parida", Some(HeuristicExpr::named("torus"))), nodes };
    if side == 2 || (ahead.all && side > meet::LONGEST_SIDE) {
        return vec![prove(None)];
    }
    if ahead.all {
        return vec![Spec::plain(meet::NAME, None).into()];
    }
    let time = ahead.limits.time.unwrap_or(USUAL);
    let mut widths = vec![affordable(side, ahead, time / 20), affordable(side, ahead, time / 2)];
    let provable = side <= meet::LONGEST_SIDE;
    if provable {
        widths = PROVABLE_WIDTHS.to_vec();
    } else if ahead.limits.time.is_some() {
        let last = widths[1];
        widths.extend((1..=6).map(|times| last << times));
    }
    let fits = |width: usize| {
        let bytes = TwoEnded::plan(width, 0).bytes(width);
        ahead.limits.memory.is_none_or(|most| most >= 2 * bytes)
    };
    let narrowest = *WIDTHS.start();
    let narrowed = |mut width: usize| {
        while width > narrowest && !fits(width) {
            width = (width / 2).max(narrowest);
        }
        width
    };
    let mut widths: Vec<usize> = widths.into_iter().map(narrowed).collect();
    widths.dedup();
    let mut turns: Vec<Stage> = Vec::new();
    if side <= EASY_SIDE {
        turns.push(prove(Some(EASY_NODES)));
    }
    let beam = |width: usize| Spec {
        options: vec![("width".to_owned(), width.to_string())],
        ..Spec::plain("beam", Some(HeuristicExpr::named("learned")))
    };
    let tunnel = Spec::plain("tunnel", Some(HeuristicExpr::named("learned")));
    let single = widths.len() == 1;
    for (place, width) in widths.into_iter().enumerate() {
        turns.push(beam(width).into());
        if (place > 0 || single) && !provable {
            turns.push(Stage { spec: tunnel.clone(), nodes: Some(TUNNEL_NODES) });
        }
    }
    if provable {
        turns.push(Spec::plain(meet::NAME, None).into());
    } else if ahead.limits.time.is_some() {
        turns.push(tunnel.into());
    }
    turns
}

/// The widest beam that takes about that long, rounded down to one digit.
fn affordable<S>(side: usize, ahead: &Workload<'_, S>, time: Duration) -> usize {
    // Solutions are about 1.65 n³ moves long; each level has ten children for every state, and there are four beams.
    let children = 4.0 * 10.0 * 1.65 * (side as f64).powi(3);
    let threads = ahead.limits.threads.clamp(1, 4) as f64;
    let width = (time.as_secs_f64() * RATE * threads / children) as usize;
    let digit = 10usize.pow(width.max(1).ilog10());
    (width / digit * digit).clamp(steady(side), *WIDTHS.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::control::Limits;

    fn names(side: usize, limits: Limits, all: bool) -> Vec<String> {
        let ahead: Workload<'_, ()> = Workload { position: None, count: 1, limits, all };
        choose(side, &ahead).iter().map(|turn| turn.spec.to_string()).collect()
    }

    #[test]
    fn beams_are_as_wide_as_time_side_and_memory_allow() {
        let free = Limits::default();
        let timed = |seconds| Limits { time: Some(Duration::from_secs(seconds)), ..free };
        assert_eq!(names(2, free, false), ["parida+torus"]);
        assert_eq!(names(9, free, true), ["parida+torus"], "only proofs list all there is");
        let tunnel = "tunnel+learned";
        let six = ["parida+torus", "beam:width=300+learned", "beam:width=3000+learned", tunnel];
        assert_eq!(names(6, free, false), six);
        assert_eq!(names(10, free, false), ["beam:width=70+learned", "beam:width=700+learned", tunnel]);
        assert_eq!(names(27, free, false), ["beam:width=300+learned", tunnel], "narrower ones are stuck");
        let more = names(10, timed(60), false);
        let first = ["beam:width=200+learned", "beam:width=2000+learned", tunnel, "beam:width=4000+learned"];
        assert_eq!(more[..4], first);
        assert_eq!(more.last().map(String::as_str), Some(tunnel), "while time remains");
        let short = names(10, Limits { memory: Some(500_000), ..timed(60) }, false);
        let widest = ["beam:width=200+learned", "beam:width=2000+learned", tunnel, tunnel];
        assert_eq!(short, widest, "what does not fit is as wide as fits, and once will do");
        let small = names(6, Limits { memory: Some(20_000), ..timed(5) }, false);
        assert!(small.iter().any(|name| name.starts_with("beam:width=")), "{small:?}");
        assert_eq!(names(27, Limits { memory: Some(1), ..free }, false), ["beam:width=10+learned", tunnel]);
    }
}
