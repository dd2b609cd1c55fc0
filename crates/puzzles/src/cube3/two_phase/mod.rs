//! Kociemba's two-phase algorithm: near-optimal solutions in milliseconds (Kociemba, *Close to God's
//! Algorithm*, Cubism For Fun 28, 1992; Cube Explorer).
//!
//! Phase 1 reduces the position to the subgroup G1 = ⟨U, D, R2, L2, F2, B2⟩ (`phase1.rs`); phase 2 solves it
//! within G1 (`phase2.rs`). There are six variants of a position: rotated to each of the three axes, and
//! inverted or not (`variant.rs`). A pass tries all phase-1 sequences of one length from all variants; the
//! next pass tries longer ones. Phase 2 accepts only solutions that improve the incumbent. A phase-1
//! sequence never ends with a move of G1, since phase 2 already covers such a solution.
//!
//! Every solution begins with a phase-1 sequence that is no longer than itself. So when all phase-1
//! sequences up to a length are exhausted, no solution of that length is left. This proves optimality of
//! short solutions.

mod coordinates;
mod distribution;
mod flip_slice;
mod phase1;
mod phase1_pruning;
mod phase1_search;
mod phase2;
mod phase2_pruning;
#[cfg(test)]
mod tests;
mod variant;

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use untumble_search::control::{BreakReason, Control, Meter, Reservation, WorkPool};
use untumble_search::error::Error;
use untumble_search::frontend::PuzzleText;
use untumble_search::puzzle::Cost;
use untumble_search::registry::{
    AlgorithmEntry, AlgorithmInfo, BuildContext, BuiltSolver, Guarantee, OptionSpec,
};
use untumble_search::report::{Counts, Iteration, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::spec::{OptionValues, Spec};
use untumble_search::tables::Tables;
use untumble_search::threads::run_parallel;

pub(super) use self::distribution::distribution;
use self::phase1_pruning::{ExactTable, PairTables, Phase1Pruning};
pub(super) use self::phase1_search::gods_number;
use self::phase1_search::{MAX_PHASE1, PassEnd, Phase1Search, TwoPhaseTables};
use self::variant::Variant;
use super::{Cube, Cube3};
use crate::cube3::symmetry::{FACE_TURNS, Symmetry, turn_index};

/// Name of the algorithm in solver texts.
pub(super) const NAME: &str = "two-phase";

const TABLES: OptionSpec = OptionSpec {
    name: "tables",
    aliases: &[],
    summary: "large (36 MB, stored on disk) or small (8 MB, built in milliseconds)",
    values: OptionValues::Choice(&["large", "small"]),
    default: "large, or small if the limits are tight",
};

/// The registry entry.
pub(super) fn entry() -> AlgorithmEntry<Cube3> {
    let info = AlgorithmInfo {
        aliases: &["twophase", "kociemba"],
        options: &[TABLES],
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new(
            NAME,
            "Kociemba's two-phase algorithm from six variants of the position; improves until a time or node limit",
        )
    };
    AlgorithmEntry::choosing_options(info, build)
}

/// Phase 2 searches for solutions of at most this cost.
const MAX_PHASE2: u8 = 11;

/// The solver. The type `B` is the pruning table of phase 1: [`ExactTable`] or [`PairTables`].
struct TwoPhase<B> {
    tables: TwoPhaseTables,
    pruning: B,
    axis_rotations: Vec<Symmetry>,
    _reserved: Reservation,
}

/// Phase-1 lengths up to this take milliseconds and are always searched: a position near the goal gets its
/// optimal solution, with the proof, although the first solution found is longer.
const ALWAYS_SEARCHED: usize = 8;
/// Phase-1 lengths from this on are searched in parallel; shorter passes end before a thread has started.
const PARALLEL_FROM: usize = 11;
/// Least time limit with which the large tables are built; that takes about 3 s of CPU time.
const MIN_TIME_FOR_LARGE: Duration = Duration::from_secs(5);
/// Least number of positions for which building the large tables pays off.
const MIN_POSITIONS_FOR_LARGE: usize = 50;
/// Upper bound for the memory of everything but the pruning table of phase 1.
const BASE_BYTES: u64 = 20 << 20;

/// Whether the spec requests large tables; `None` leaves the choice to the limits.
fn requests_large(spec: &Spec) -> Option<bool> {
    spec.option("tables").map(|tables| tables == "large")
}

/// Builds the solver with the requested tables, or with the largest ones within the limits.
fn build(context: &BuildContext<'_, Cube3>) -> Result<BuiltSolver<Cube3>, Error> {
    let (cube, table_store, control) = (context.puzzle, &*context.runtime.tables, context.control);
    let mut spec = context.spec.clone();
    let requested = requests_large(&spec);
    let large = requested.unwrap_or_else(|| {
        large_tables_fit(cube, control.available_bytes(), control.limits().time, table_store)
    });
    if !large && requested.is_none() {
        spec.options.push(("tables".into(), "small".into()));
    }
    // Reserve before allocating.
    let mut reserved = control.reserve(BASE_BYTES)?;
    let tables = TwoPhaseTables::new(cube.turns(), control)?;
    reserved.shrink(BASE_BYTES.saturating_sub(tables.bytes()));
    let turns: Vec<usize> =
        cube.turns().all().iter().map(|&(face, quarters)| turn_index(face, quarters)).collect();
    let axis_rotations = Symmetry::axis_rotations();
    if large {
        let pruning = ExactTable::new(&tables.phase1, cube.turns().metric(), &turns, table_store, control)?;
        Ok(BuiltSolver {
            spec,
            solver: Box::new(TwoPhase { tables, pruning, axis_rotations, _reserved: reserved }),
        })
    } else {
        reserved.grow(PairTables::BYTES)?;
        let pruning = PairTables::new(&tables.phase1, &turns, control)?;
        Ok(BuiltSolver {
            spec,
            solver: Box::new(TwoPhase { tables, pruning, axis_rotations, _reserved: reserved }),
        })
    }
}

/// Least memory limit: bytes for the small tables.
pub(super) const MIN_MEMORY: u64 = BASE_BYTES + PairTables::BYTES;

/// The solver with the earliest answer. It uses large tables only if they are already built, or if building
/// them pays off for `count` positions.
pub(super) fn quickest_spec(cube: &Cube3, count: usize, tables: &dyn Tables) -> Spec {
    let mut spec = Spec::plain(NAME, None);
    if !large_table_is_built(cube, tables) && count < MIN_POSITIONS_FOR_LARGE {
        spec.options.push(("tables".into(), "small".into()));
    }
    spec
}

fn large_table_is_built(cube: &Cube3, tables: &dyn Tables) -> bool {
    tables.is_available(&phase1_pruning::id(cube.turns().metric()), phase1_pruning::TABLE_BYTES)
}

/// Whether the large tables are within the limits.
fn large_tables_fit(cube: &Cube3, memory: u64, time: Option<Duration>, tables: &dyn Tables) -> bool {
    if large_table_is_built(cube, tables) {
        return memory >= phase1_pruning::TABLE_BYTES as u64 + BASE_BYTES;
    }
    memory >= phase1_pruning::BUILD_BYTES + BASE_BYTES && time.is_none_or(|limit| limit >= MIN_TIME_FOR_LARGE)
}

/// A variant of the position and its lower bound for phase 1.
struct Root {
    variant: Variant,
    distance: u8,
}

impl<B: Phase1Pruning> TwoPhase<B> {
    /// The variants of a position with their lower bounds.
    fn roots(&self, start: Cube) -> Vec<Root> {
        let phase1 = &self.tables.phase1;
        let root = |variant: Variant| Root { distance: self.pruning.start(phase1, variant.node), variant };
        Variant::all(phase1, &self.axis_rotations, start).into_iter().map(root).collect()
    }

    /// Searches all phase-1 sequences of one length from each root.
    fn run_pass(
        &self,
        cube: &Cube3,
        roots: &[Root],
        length: usize,
        max_length: Cost,
        meter: &mut Meter<'_>,
    ) -> (u64, ControlFlow<PassEnd>) {
        let mut expanded = 0;
        for root in roots {
            let mut search = Phase1Search::new(
                &self.tables,
                &self.pruning,
                cube.turns(),
                &root.variant,
                meter,
                max_length,
            );
            let end = search.search(length, root.distance, ALL_TURNS);
            expanded += search.expanded;
            if end.is_break() {
                return (expanded, end);
            }
        }
        (expanded, Continue(()))
    }

    /// Like `run_pass`, in parallel. A worker claims all sequences with the same first two turns at a time.
    fn run_parallel_pass(
        &self,
        cube: &Cube3,
        roots: &[Root],
        length: usize,
        max_length: Cost,
        control: &Control,
    ) -> (Counts, ControlFlow<PassEnd>) {
        let (pool, cursor) = (WorkPool::default(), AtomicUsize::new(0));
        let parts = run_parallel(control.threads(), |_| {
            let mut meter = control.meter().in_pool(&pool);
            let mut counts = Counts::default();
            let end = loop {
                let part = cursor.fetch_add(1, Relaxed);
                let Some(root) = roots.get(part / (FACE_TURNS * FACE_TURNS)) else { break Continue(()) };
                let first_turns = [1 << (part / FACE_TURNS % FACE_TURNS), 1 << (part % FACE_TURNS)];
                let mut search = Phase1Search::new(
                    &self.tables,
                    &self.pruning,
                    cube.turns(),
                    &root.variant,
                    &mut meter,
                    max_length,
                );
                let end = search.search(length, root.distance, first_turns);
                counts.expanded += search.expanded;
                if end.is_break() {
                    pool.done.store(true, Relaxed);
                    break end;
                }
            };
            counts.generated = meter.nodes();
            (counts, end)
        });
        let mut total = (Counts::default(), Continue(()));
        for (counts, end) in parts {
            total.0 += counts;
            // A worker that stops because another one ended the pass does not determine the result.
            if !matches!(end, Continue(()) | Break(PassEnd::Pause(BreakReason::Done))) {
                total.1 = end;
            }
        }
        total
    }
}

/// No restriction of the first two turns.
const ALL_TURNS: [u32; 2] = [u32::MAX; 2];

impl<B: Phase1Pruning> Solver<Cube3> for TwoPhase<B> {
    fn solve(&self, cube: &Cube3, starts: &[Cube], control: &Control) -> Report {
        let solvable = starts.iter().filter(|start| cube.check_solvable(start).is_ok());
        let by_start: Vec<Vec<Root>> = solvable.map(|&start| self.roots(start)).collect();
        let bound_of = |roots: &Vec<Root>| roots.iter().map(|root| Cost::from(root.distance)).max();
        let Some(lower_bound) = by_start.iter().filter_map(bound_of).min() else {
            return Report::from_control(Outcome::Unsolvable, control, Counts::default());
        };
        control.raise_lower_bound(lower_bound);
        let roots: Vec<Root> = by_start.into_iter().flatten().collect();
        let mut meter = control.meter();
        let mut counts = Counts { generated: 1, ..Counts::default() };
        let (mut iterations, mut threads) = (Vec::new(), 1);
        for length in 0..MAX_PHASE1 {
            let max_length = sufficient_length(cube, length, control);
            if control.upper_bound() <= max_length.max(control.lower_bound()).max(length as Cost) {
                break;
            }
            let (pass_counts, end) = if length >= PARALLEL_FROM && control.threads() > 1 {
                threads = control.threads();
                self.run_parallel_pass(cube, &roots, length, max_length, control)
            } else {
                let nodes_before = meter.nodes();
                let (expanded, end) = self.run_pass(cube, &roots, length, max_length, &mut meter);
                (Counts { generated: meter.nodes() - nodes_before, expanded, ..Counts::default() }, end)
            };
            counts += pass_counts;
            iterations.push(Iteration { bound: length as Cost, generated: pass_counts.generated });
            if end.is_break() {
                break;
            }
            let proven = (length as Cost).min(MAX_PHASE2.into()) + 1;
            control.raise_lower_bound(proven.min(control.upper_bound()));
        }
        counts.visited = counts.expanded;
        let outcome = match control.stop_reason() {
            Some(stop) if control.best().is_none() => Outcome::Stopped(stop),
            _ => Outcome::Solved,
        };
        Report { iterations, threads, ..Report::from_control(outcome, control, counts) }
    }
}

/// The solution length that ends the search: the requested length while the lower bound admits it; under a
/// time or node limit, and in the passes that are always searched, 0, so that only an optimal solution ends
/// it; otherwise God's number.
fn sufficient_length(cube: &Cube3, length: usize, control: &Control) -> Cost {
    let limits = control.limits();
    let limited = limits.time.is_some() || limits.nodes.is_some();
    let always_searched = length <= ALWAYS_SEARCHED;
    match limits.max_length.filter(|&requested| always_searched || control.lower_bound() <= requested) {
        Some(requested) => requested,
        None if limited || always_searched => 0,
        None => gods_number(cube.turns().metric()),
    }
}
