//! What `auto` stands for on sliding tiles.
//!
//! Quick solvers come first and thorough ones last; each knows what the others found, and tables are built
//! only when the turn comes to the one that needs them.

use std::time::Duration;

use untumble_search::frontend::{Preset, Stage, Workload};
use untumble_search::spec::{HeuristicExpr, Spec};

use super::heuristics::Walking;
use super::{Goal, Size, table};

/// A* on boards of up to twelve cells needs no more than this for nearly all positions.
const ASTAR_BYTES: u64 = 64 << 20;
/// The tables of walking distance, with room to spare.
const WALKING_BYTES: u64 = 16 << 20;
/// What a beam takes for each state it keeps, with room to spare.
const BEAM_BYTES: u64 = 1000;
/// The widest beams where time is limited, and where it is not.
const WIDEST_BEAM: u64 = 1_000_000;
const WIDEST_UNASKED: u64 = 10_000;
/// Making an answer shorter may take so many nodes for each state that the beam before it kept: about as long as that beam took.
const TUNNEL_NODES: u64 = 1000;
/// A proof of so many nodes takes some milliseconds on 4x4, some more on bigger boards: what is that easy needs no tables.
const EASY_NODES: u64 = 4_000_000;
/// Where tables are to be built first, Manhattan distance on 4x4 may try for about half as long as that takes.
const LONG_NODES: u64 = 200_000_000;
/// A partition of the 15-puzzle's tiles and what its tables ask for, measured on one core of two.
struct Tabled {
    partition: &'static str,
    /// Bytes while they are built, and while they are used.
    building: u64,
    using: u64,
    /// The time in which they are built.
    time: Duration,
    /// The number of positions from which on they are worth being read, and being built.
    reading_pays: usize,
    building_pays: usize,
}

/// The best first. A position takes 3, 10 and 30 ms with them.
const FIFTEEN: [Tabled; 3] = [
    Tabled {
        partition: "7-8",
        building: 2200 << 20,
        using: 200 << 20,
        time: Duration::from_secs(100),
        reading_pays: 50,
        building_pays: 10_000,
    },
    // It is the least a hard position deserves: built within a second or two, once.
    Tabled {
        partition: "6-6-3",
        building: 64 << 20,
        using: 24 << 20,
        time: Duration::from_secs(4),
        reading_pays: 0,
        building_pays: 0,
    },
    Tabled {
        partition: "5-5-5",
        building: 8 << 20,
        using: 4 << 20,
        time: Duration::from_millis(500),
        reading_pays: 0,
        building_pays: 0,
    },
];

/// Tables of more than sixteen cells are worth being built where the proof may take longer than this.
const BIG_TABLES_TIME: Duration = Duration::from_secs(300);
/// What building and using them takes at most.
const BIG_TABLES_BYTES: u64 = 800 << 20;

/// Whether the positions ahead repay measuring all there are first, within the limits. On a busy machine that took
/// 0.02 s against 0.8 ms for each A* on 3x3, 2.8 s against 16 ms on ten cells.
fn table_pays<S>(size: Size, ahead: &Workload<'_, S>) -> bool {
    let (count, time) = match size.cells() {
        0..=9 => (50, Duration::from_secs(1)),
        10 => (500, Duration::from_secs(20)),
        _ => return false,
    };
    let bytes = 10 * table::positions(size);
    ahead.count >= count && takes(ahead, bytes, time)
}

/// Whether the limits leave room for so many bytes and so much time.
fn takes<S>(ahead: &Workload<'_, S>, bytes: u64, time: Duration) -> bool {
    let limits = ahead.limits;
    limits.memory.is_none_or(|most| most >= bytes) && limits.time.is_none_or(|most| most >= time)
}

fn prove(bound: HeuristicExpr) -> Stage {
    Spec::plain("parida", Some(bound)).into()
}

fn pdb(partition: &str) -> HeuristicExpr {
    HeuristicExpr::Named { name: "pdb".to_owned(), argument: Some(partition.to_owned()) }
}

fn conflict() -> HeuristicExpr {
    HeuristicExpr::named("linear-conflict")
}

/// The solvers a knowledgeable person would run in turn. `stands` tells whether the tables of a partition are there.
pub(super) fn choose<S>(goal: &Goal, ahead: &Workload<'_, S>, stands: &dyn Fn(&str) -> bool) -> Vec<Stage> {
    let size = goal.size();
    if table_pays(size, ahead) {
        return vec![Spec::plain(table::NAME, None).into()];
    }
    match size.cells() {
        ..=12 => {
            let algorithm = if takes(ahead, ASTAR_BYTES, Duration::ZERO) { "astar" } else { "ida" };
            vec![Spec::plain(algorithm, Some(conflict())).into()]
        }
        13..=16 if size.rows == size.columns => fifteen(ahead, stands),
        13..=16 => vec![prove(small(goal, ahead))],
        _ if size.rows.max(size.columns) > Size::SEARCHED => vec![Spec::plain("layers", None).into()],
        _ => big(size, ahead, stands),
    }
}

/// Solvers to offer for boards of a size, the easiest choice first.
pub(super) fn presets(size: Size) -> Vec<Preset> {
    let mut all = vec![Preset::AUTO];
    let mut add = |solver, title, why| all.push(Preset { solver, title, why });
    if size.rows.max(size.columns) > Size::SEARCHED {
        add("layers", "Line by line", "Solves a board of any size at once, with far more moves than needed.");
        return all;
    }
    match size.cells() {
        ..=12 => {
            if table::possible(size) {
                add(
                    "table",
                    "All distances",
                    "Measures every position once; then each answer is immediate and shortest.",
                );
            }
            add(
                "astar+linear-conflict",
                "A*",
                "Remembers what it has seen and expands few positions; shortest.",
            );
            add(
                "ida+manhattan",
                "IDA*",
                "Needs hardly any memory; deepens until it finds the shortest answer.",
            );
            add(
                "bfs",
                "Breadth-first",
                "Looks at all positions level by level, without any knowledge; shortest.",
            );
            add(
                "greedy+manhattan",
                "Greedy",
                "Runs towards the goal and takes the first answer, however long.",
            );
        }
        13..=16 => {
            if size.rows == size.columns {
                add(
                    "parida+pdb:6-6-3",
                    "Pattern databases",
                    "Shortest answers to the hardest positions within moments, once its tables stand (16 MB).",
                );
            }
            add(
                "parida+manhattan",
                "IDA* on all threads",
                "Fast and without tables; hard positions take some seconds.",
            );
            add(
                "astar:w=2+linear-conflict",
                "Weighted A*",
                "A good answer quickly: at most twice as long as the shortest.",
            );
            add(
                "beam:width=1000",
                "Beam",
                "Keeps the best thousand positions of each level; short answers, not proven.",
            );
            add("layers", "Line by line", "An answer at once, with more moves than needed.");
        }
        _ => {
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
            add("layers", "Line by line", "An answer at once, with far more moves than needed.");
            if size.cells() <= 25 {
                add(
                    "parida+linear-conflict",
                    "IDA* on all threads",
                    "Proves the shortest answer; from far away that takes hours.",
                );
            }
        }
    }
    all
}

/// Boards of 13 to 16 cells that are not square.
fn small<S>(goal: &Goal, ahead: &Workload<'_, S>) -> HeuristicExpr {
    if takes(ahead, WALKING_BYTES, Duration::ZERO) && Walking::possible(goal) {
        HeuristicExpr::Max(vec![HeuristicExpr::named("walking"), conflict()])
    } else {
        conflict()
    }
}

/// The 15-puzzle: Manhattan distance, whose probe is by far the fastest, as long as no table would be faster; then the best
/// tables that the limits allow and the work repays.
fn fifteen<S>(ahead: &Workload<'_, S>, stands: &dyn Fn(&str) -> bool) -> Vec<Stage> {
    let pays = |tables: &&Tabled| {
        let ready = stands(tables.partition);
        let (count, bytes, time) = if ready {
            (tables.reading_pays, tables.using, Duration::ZERO)
        } else {
            (tables.building_pays, tables.building, tables.time)
        };
        ahead.count >= count && takes(ahead, bytes, time)
    };
    let Some(tables) = FIFTEEN.iter().find(pays) else { return vec![prove(conflict())] };
    let proof = prove(pdb(tables.partition));
    let nodes = if stands(tables.partition) { EASY_NODES } else { LONG_NODES };
    let easy = Stage { nodes: Some(nodes), ..prove(HeuristicExpr::named("manhattan")) };
    // For many positions the tables stand before the first is looked at.
    if ahead.count > 1 { vec![proof] } else { vec![easy, proof] }
}

/// Boards of more than sixteen cells: an answer at once, better ones by wider and wider beams, and a proof where one may come.
fn big<S>(size: Size, ahead: &Workload<'_, S>, stands: &dyn Fn(&str) -> bool) -> Vec<Stage> {
    let cells = size.cells();
    let provable = cells <= 25;
    let partition = even_sixes(cells - 1);
    let time = if stands(&partition) { Duration::ZERO } else { BIG_TABLES_TIME };
    let tables = provable && takes(ahead, BIG_TABLES_BYTES, time);
    let proof = prove(if tables { pdb(&partition) } else { conflict() });
    let easy = Stage { nodes: Some(EASY_NODES), ..prove(conflict()) };
    if ahead.all {
        // Only proofs list all there is.
        return if tables { vec![easy, proof] } else { vec![proof] };
    }
    // Wider beams take longer than most people wait who set no limit.
    let widest = if ahead.limits.time.is_some() { WIDEST_BEAM } else { WIDEST_UNASKED };
    let fits = |width: &u64| *width <= widest && takes(ahead, width * BEAM_BYTES, Duration::ZERO);
    let widths: Vec<u64> = [100, 1000, 10_000, 100_000, 1_000_000].into_iter().filter(fits).collect();
    let mut turns: Vec<Stage> = vec![Spec::plain("layers", None).into()];
    for (place, &width) in widths.iter().enumerate() {
        turns.push(beam(width).into());
        if place == 0 {
            // After the quickest of them, so that even a busy machine has something better by then.
            turns.push(easy.clone());
        } else {
            turns.push(Stage { spec: tunnel(), nodes: Some(width * TUNNEL_NODES) });
        }
    }
    if widths.is_empty() {
        turns.push(easy);
    }
    turns.push(if provable { proof } else { tunnel().into() });
    turns
}

/// A beam by the trained ranking.
fn beam(width: u64) -> Spec {
    Spec {
        options: vec![("width".to_owned(), width.to_string())],
        ..Spec::plain("beam", Some(HeuristicExpr::named("learned")))
    }
}

/// What makes the best answer so far shorter.
fn tunnel() -> Spec {
    Spec::plain("tunnel", Some(HeuristicExpr::named("learned")))
}

/// So many tiles in patterns of at most six, as even as can be.
fn even_sixes(tiles: usize) -> String {
    let patterns = tiles.div_ceil(6);
    let sizes = (0..patterns).map(|number| ((tiles + patterns - 1 - number) / patterns).to_string());
    sizes.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::control::Limits;

    fn names(size: (usize, usize), count: usize, limits: Limits, cached: &[&str]) -> Vec<String> {
        let goal = Goal::named(Size { rows: size.0, columns: size.1 }, "blank-last").expect("a known goal");
        let ahead: Workload<'_, ()> = Workload { position: None, count, limits, all: false };
        let turns = choose(&goal, &ahead, &|partition| cached.contains(&partition));
        turns.iter().map(|turn| turn.spec.to_string()).collect()
    }

    fn limits(megabytes: Option<u64>, seconds: Option<u64>) -> Limits {
        let (memory, time) = (megabytes.map(|m| m << 20), seconds.map(Duration::from_secs));
        Limits { memory, time, ..Limits::default() }
    }

    #[test]
    fn the_pick_for_a_15_puzzle_follows_memory_time_cache_and_count() {
        let free = limits(None, None);
        let last =
            |count, limits, cached: &[&str]| names((4, 4), count, limits, cached).pop().expect("a solver");
        assert_eq!(names((4, 4), 1, free, &[]), ["parida+manhattan", "parida+pdb:6-6-3"]);
        assert_eq!(last(1, limits(Some(20), None), &[]), "parida+pdb:5-5-5");
        assert_eq!(last(1, limits(Some(30), None), &["6-6-3"]), "parida+pdb:6-6-3");
        assert_eq!(last(1, limits(None, Some(1)), &[]), "parida+pdb:5-5-5");
        assert_eq!(last(1, limits(Some(2), None), &[]), "parida+linear-conflict");
        assert_eq!(last(1, free, &["7-8"]), "parida+pdb:6-6-3");
        assert_eq!(names((4, 4), 100, free, &["7-8"]), ["parida+pdb:7-8"]);
        assert_eq!(last(100, limits(Some(100), None), &["7-8"]), "parida+pdb:6-6-3");
        assert_eq!(last(9_999, free, &[]), "parida+pdb:6-6-3");
        assert_eq!(last(10_000, free, &[]), "parida+pdb:7-8");
        assert_eq!(last(10_000, limits(Some(1000), None), &[]), "parida+pdb:6-6-3");
    }

    #[test]
    fn big_boards_get_an_answer_first_and_a_proof_last() {
        let (free, minute) = (limits(None, None), limits(None, Some(60)));
        let begin = ["layers", "beam:width=100+learned", "parida+linear-conflict"];
        let wider =
            ["beam:width=1000+learned", "tunnel+learned", "beam:width=10000+learned", "tunnel+learned"];
        let turns = names((5, 5), 1, free, &[]);
        assert_eq!(turns[..3], begin);
        assert_eq!(turns[3..7], wider);
        assert_eq!(turns[7..], ["parida+pdb:6-6-6-6"]);
        let hurried = names((5, 5), 1, minute, &[]);
        assert_eq!(hurried[..7], turns[..7]);
        assert!(hurried.contains(&"beam:width=1000000+learned".to_owned()));
        assert_eq!(hurried.last().map(String::as_str), Some("parida+linear-conflict"));
        let cached = names((4, 5), 1, limits(None, Some(10)), &["5-5-5-4"]);
        assert_eq!(cached.last().map(String::as_str), Some("parida+pdb:5-5-5-4"));
        for size in [(6, 6), (9, 16)] {
            assert_eq!(names(size, 1, free, &[])[..7], turns[..7]);
            assert_eq!(names(size, 1, free, &[]).last().map(String::as_str), Some("tunnel+learned"));
        }
        let narrow = names((6, 6), 1, limits(Some(5), Some(60)), &[]);
        assert_eq!(narrow, [&begin[..], &wider[..2], &["tunnel+learned"]].concat());
        assert_eq!(names((9, 40), 1, free, &[]), ["layers"]);
    }
}
