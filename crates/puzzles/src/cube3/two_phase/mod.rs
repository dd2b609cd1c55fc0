//! Kociemba's two phases: near-optimal solutions in milliseconds.
//!
//! Move sequences of one length that lead into the group of half turns (`reduction.rs`) are all tried, from six views of the cube (`view.rs`), before
//! longer ones are. Each is finished by turns of that group (`finish.rs`), which may only cost what makes the whole better than the best so far. A word of the first
//! phase never ends in a turn of the second, which would have it tried twice.
//!
//! When all words of a length are done, so are all solutions of that length: that proves near positions.

mod bound;
mod classes;
mod coordinates;
mod finish;
mod orders;
mod reduction;
mod search;
#[cfg(test)]
mod tests;
mod view;

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use untumble_search::control::{Control, Meter, Pause, Reserved, WorkPool};
use untumble_search::error::Error;
use untumble_search::frontend::PuzzleText;
use untumble_search::puzzle::Cost;
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo, BuildContext, Built, Guarantee, OptionSpec};
use untumble_search::report::{Counts, Iteration, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::spec::{OptionValues, Spec};
use untumble_search::tables::Tables;
use untumble_search::threads::run_parallel;

use self::bound::{Bound, Exact, Pairs};
use self::search::{End, Ground, LONGEST, Search, gods_number};
use self::view::View;
use super::{Cube, Cube3};
use crate::cube3::symmetry::{Symmetry, TURNS, turn};

/// Its name.
pub(super) const NAME: &str = "two-phase";

const TABLES: OptionSpec = OptionSpec {
    name: "tables",
    aliases: &[],
    summary: "large ones (36 MB, kept on disk) or small ones (8 MB, made at once)",
    values: OptionValues::Choice(&["large", "small"]),
    default: "large, or small where limits are tight",
};

/// The entry of the two-phase algorithm.
pub(super) fn entry() -> AlgorithmEntry<Cube3> {
    let info = AlgorithmInfo {
        aliases: &["twophase", "kociemba"],
        options: &[TABLES],
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new(
            NAME,
            "Kociemba's two phases from six views, in milliseconds; goes on improving while a time or node limit lasts",
        )
    };
    AlgorithmEntry::naming(info, build)
}

/// The most that the second phase may cost while nothing better is known.
const CAP: u8 = 11;

/// The solver, made ready.
struct TwoPhase<B> {
    ground: Ground,
    bound: B,
    axes: Vec<Symmetry>,
    _reserved: Reserved,
}

/// Move sequences of at most this length are tried in any case.
const QUICK: usize = 8;
/// Move sequences of this length are shared out among threads: shorter ones are done before a thread has begun.
const SHARED_FROM: usize = 11;
/// A search that has less time than this does not build the large tables, which take some 3 s of CPU time.
const TIME_FOR_LARGE: Duration = Duration::from_secs(5);
/// The number of positions from which on they are worth being built for a quick answer.
const LARGE_PAYS: usize = 50;
/// Bytes of everything but the bound of the first phase, with room to spare.
const GROUND_BYTES: u64 = 20 << 20;

/// Whether large tables are asked for; `None` leaves it to the limits.
fn large(spec: &Spec) -> Option<bool> {
    spec.option("tables").map(|tables| tables == "large")
}

/// Builds the solver with the tables asked for, or with those that the limits allow.
fn build(context: &BuildContext<'_, Cube3>) -> Result<Built<Cube3>, Error> {
    let (cube, tables, control) = (context.puzzle, &*context.runtime.tables, context.control);
    let mut spec = context.spec.clone();
    let asked = large(&spec);
    let large = asked.unwrap_or_else(|| fits(cube, control.room(), control.limits().time, tables));
    if !large && asked.is_none() {
        spec.options.push(("tables".into(), "small".into()));
    }
    // Accounted for before it is taken.
    let mut reserved = control.reserve(GROUND_BYTES)?;
    let ground = Ground::new(cube.turns(), control)?;
    reserved.shrink(GROUND_BYTES.saturating_sub(ground.bytes()));
    let turns: Vec<usize> =
        cube.turns().list().iter().map(|&(face, quarters)| turn(face, quarters)).collect();
    let axes = Symmetry::axes();
    if large {
        let bound = Exact::new(&ground.reduction, cube.turns().metric(), &turns, tables, control)?;
        Ok(Built { spec, solver: Box::new(TwoPhase { ground, bound, axes, _reserved: reserved }) })
    } else {
        reserved.grow(Pairs::BYTES)?;
        let bound = Pairs::new(&ground.reduction, &turns, control)?;
        Ok(Built { spec, solver: Box::new(TwoPhase { ground, bound, axes, _reserved: reserved }) })
    }
}

/// Limits of memory below this leave no room for the small tables.
pub(super) const LEAST_MEMORY: u64 = GROUND_BYTES + Pairs::BYTES;

/// The solver that answers first: nobody waits for large tables that few positions repay.
pub(super) fn quickest(cube: &Cube3, count: usize, tables: &dyn Tables) -> Spec {
    let mut spec = Spec::plain(NAME, None);
    let stands = tables.has(&bound::id(cube.turns().metric()), bound::LENGTH);
    if !stands && count < LARGE_PAYS {
        spec.options.push(("tables".into(), "small".into()));
    }
    spec
}

/// Whether the large tables are within limits.
fn fits(cube: &Cube3, room: u64, time: Option<Duration>, tables: &dyn Tables) -> bool {
    if tables.has(&bound::id(cube.turns().metric()), bound::LENGTH) {
        return room >= bound::LENGTH as u64 + GROUND_BYTES;
    }
    room >= bound::BUILDING + GROUND_BYTES && time.is_none_or(|most| most >= TIME_FOR_LARGE)
}

/// A view, and the least that its first phase costs.
struct Root {
    view: View,
    distance: u8,
}

impl<B: Bound> TwoPhase<B> {
    fn roots(&self, start: Cube) -> Vec<Root> {
        let views = View::all(&self.ground.reduction, &self.axes, start);
        let root = |view: View| Root { distance: self.bound.start(&self.ground.reduction, view.node), view };
        views.into_iter().map(root).collect()
    }

    /// Tries all words of one length from each root.
    fn pass(
        &self,
        cube: &Cube3,
        roots: &[Root],
        length: usize,
        max_length: Cost,
        meter: &mut Meter<'_>,
    ) -> (u64, ControlFlow<End>) {
        let mut expanded = 0;
        for root in roots {
            let mut search =
                Search::new(&self.ground, &self.bound, cube.turns(), &root.view, meter, max_length);
            let end = search.words(length, root.distance, ALL);
            expanded += search.expanded;
            if end.is_break() {
                return (expanded, end);
            }
        }
        (expanded, Continue(()))
    }

    /// The same on several threads, which take the words that begin with two given turns at a time.
    fn shared_pass(
        &self,
        cube: &Cube3,
        roots: &[Root],
        length: usize,
        max_length: Cost,
        control: &Control,
    ) -> (Counts, ControlFlow<End>) {
        let (crowd, cursor) = (WorkPool::default(), AtomicUsize::new(0));
        let parts = run_parallel(control.threads(), |_| {
            let mut meter = control.meter().among(&crowd);
            let mut counts = Counts::default();
            let end = loop {
                let part = cursor.fetch_add(1, Relaxed);
                let Some(root) = roots.get(part / (TURNS * TURNS)) else { break Continue(()) };
                let begin = [1 << (part / TURNS % TURNS), 1 << (part % TURNS)];
                let mut search =
                    Search::new(&self.ground, &self.bound, cube.turns(), &root.view, &mut meter, max_length);
                let end = search.words(length, root.distance, begin);
                counts.expanded += search.expanded;
                if end.is_break() {
                    crowd.done.store(true, Relaxed);
                    break end;
                }
            };
            counts.generated = meter.nodes();
            (counts, end)
        });
        let mut whole = (Counts::default(), Continue(()));
        for (counts, end) in parts {
            whole.0 += counts;
            // Those who were told to end know no reason.
            if !matches!(end, Continue(()) | Break(End::Pause(Pause::Done))) {
                whole.1 = end;
            }
        }
        whole
    }
}

/// Move sequences may begin with any turns.
const ALL: [u32; 2] = [u32::MAX; 2];

impl<B: Bound> Solver<Cube3> for TwoPhase<B> {
    fn solve(&self, cube: &Cube3, starts: &[Cube], control: &Control) -> Report {
        let solvable = starts.iter().filter(|start| cube.check(start).is_ok());
        let each: Vec<Vec<Root>> = solvable.map(|&start| self.roots(start)).collect();
        let nearest = |roots: &Vec<Root>| roots.iter().map(|root| Cost::from(root.distance)).max();
        let Some(least) = each.iter().filter_map(nearest).min() else {
            return Report::from_control(Outcome::Unsolvable, control, Counts::default());
        };
        control.prove(least);
        let roots: Vec<Root> = each.into_iter().flatten().collect();
        let mut meter = control.meter();
        let mut counts = Counts { generated: 1, ..Counts::default() };
        let (mut iterations, mut threads) = (Vec::new(), 1);
        for length in 0..LONGEST {
            let max_length = max_length(cube, length, control);
            if control.upper() <= max_length.max(control.bound()).max(length as Cost) {
                break;
            }
            let (part, end) = if length >= SHARED_FROM && control.threads() > 1 {
                threads = control.threads();
                self.shared_pass(cube, &roots, length, max_length, control)
            } else {
                let before = meter.nodes();
                let (expanded, end) = self.pass(cube, &roots, length, max_length, &mut meter);
                (Counts { generated: meter.nodes() - before, expanded, ..Counts::default() }, end)
            };
            counts += part;
            iterations.push(Iteration { bound: length as Cost, generated: part.generated });
            if end.is_break() {
                break;
            }
            let proven = (length as Cost).min(CAP.into()) + 1;
            control.prove(proven.min(control.upper()));
        }
        counts.visited = counts.expanded;
        let outcome = match control.stop() {
            Some(stop) if control.best().is_none() => Outcome::Stopped(stop),
            _ => Outcome::Solved,
        };
        Report { iterations, threads, ..Report::from_control(outcome, control, counts) }
    }
}

/// The length of an answer that ends the search: what was asked for, unless there is none; where there is a limit instead,
/// none but the shortest; else what every cube can be solved in.
fn max_length(cube: &Cube3, length: usize, control: &Control) -> Cost {
    let limits = control.limits();
    let limited = limits.time.is_some() || limits.nodes.is_some();
    // Move sequences this short take milliseconds, and near cubes are proven by them.
    let quick = length <= QUICK;
    match limits.max_length.filter(|&most| quick || control.bound() <= most) {
        Some(most) => most,
        None if limited => 0,
        None => gods_number(cube.turns().metric()),
    }
}
