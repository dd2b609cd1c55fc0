//! Optimal solver in half-turn metric: IDA\* with one coset table reduced by all 48 symmetries.
//!
//! The table holds the distance of every coset of a subgroup that contains the half turns, as in H48
//! (Tronto, nissy-core) and cube48opt (Chen), in the two-bit layout of nxopt (Rokicki) and vcube (Skalski).
//! Both the entry of the position and that of its inverse are lower bounds.
//!
//! `corner_separation.rs` and `edge_separation.rs` define the coordinates. `table_variant.rs` lists the
//! tables of different sizes; `build.rs` and `lane_words.rs` fill them. `table_reader.rs` and `child_locator.rs` look
//! positions up. `batched_dfs.rs` is the search loop, and `subtree_order.rs` orders the subtrees of a pass
//! by the node counts of the previous one.

mod batched_dfs;
mod build;
mod build_work;
mod child_locator;
mod corner_separation;
mod cube_bytes;
mod edge_separation;
mod lane_words;
mod layout;
mod parity_lanes;
mod subtree_order;
mod table_reader;
mod table_variant;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, SolutionMode, Subtree};
use untumble_search::control::{Control, Meter, Reservation, Stop};
use untumble_search::error::Error;
use untumble_search::executor::Executor;
use untumble_search::frontend::PuzzleText;
use untumble_search::heuristic::Admissibility;
use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::registry::{
    AlgorithmEntry, AlgorithmInfo, BuildContext, BuiltSolver, OptionSpec, Unavailable,
};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::solve::ida::iterative_deepening;
use untumble_search::spec::{OptionValues, Spec};
use untumble_search::tables::{TableId, Tables, ValueDistribution};

use self::batched_dfs::{BATCH, BatchedDfs, Node, Path};
use self::child_locator::ChildLocator;
use self::corner_separation::CornerClasses;
use self::subtree_order::SubtreeCounts;
use self::table_reader::TableReader;
pub(super) use self::table_variant::TableVariant;
use self::table_variant::VARIANTS;
use super::symmetry::{FACE_TURNS, SymmetryGroup};
use super::{Cube, Cube3};

/// Name of the algorithm in solver texts.
pub(super) const NAME: &str = "optimal";

const TABLE: OptionSpec = OptionSpec {
    name: "table",
    aliases: &[],
    summary: "size of the table, built once and stored on disk; twice the size halves the nodes",
    values: OptionValues::Choice(&["30MB", "61MB", "122MB", "243MB", "714MB"]),
    default: "the largest that fits the limits",
};

/// Reported in quarter-turn metric, where the half-turn invariance of the table does not apply.
pub(super) const HALF_TURNS_ONLY: Unavailable =
    Unavailable::Metric { only: "htm", instead: "parida+max(corners,edges:7)" };

/// The registry entry.
pub(super) fn entry() -> AlgorithmEntry<Cube3> {
    let info = AlgorithmInfo {
        options: &[TABLE],
        resumable: true,
        ..AlgorithmInfo::new(
            NAME,
            "parallel IDA* with one coset table reduced by 48 symmetries, for the position and its inverse; half-turn metric",
        )
    };
    AlgorithmEntry::choosing_options(info, build)
}

/// The table that the spec names; `None` leaves the choice to the limits.
fn requested_table(spec: &Spec) -> Option<TableVariant> {
    spec.option("table").and_then(TableVariant::named)
}

/// Upper bound for the memory of everything but the table.
const BASE_BYTES: u64 = 20 << 20;

/// The solver.
struct Optimal {
    /// Looks up the table entries of a node's children.
    locator: ChildLocator,
    group: SymmetryGroup,
    executor: Arc<dyn Executor>,
    _reserved: Reservation,
}

/// Builds the solver with the requested table or the largest one within the limits.
fn build(context: &BuildContext<'_, Cube3>) -> Result<BuiltSolver<Cube3>, Error> {
    let (tables, control) = (&*context.runtime.tables, context.control);
    let mut spec = context.spec.clone();
    let variant = match requested_table(&spec) {
        Some(variant) => variant,
        None => {
            let largest = largest_table(control.available_bytes(), control.limits().time, tables);
            let variant = largest.unwrap_or(VARIANTS[0]);
            spec = self::spec(variant);
            variant
        }
    };
    // Reserve before allocating.
    let mut reserved = control.reserve(BASE_BYTES)?;
    let group = SymmetryGroup::full();
    let locator = build_locator(variant, &group, tables, control)?;
    reserved.shrink(BASE_BYTES.saturating_sub(locator.bytes() + SubtreeCounts::BYTES));
    let executor = Arc::clone(&context.runtime.executor);
    let solver = Box::new(Optimal { locator, group, executor, _reserved: reserved });
    Ok(BuiltSolver { spec, solver })
}

/// Loads or builds the table, and prepares the locator.
fn build_locator(
    variant: TableVariant,
    group: &SymmetryGroup,
    tables: &dyn Tables,
    control: &Control,
) -> Result<ChildLocator, Error> {
    let classes = CornerClasses::new(group, variant.tetrad_twist, control)?;
    let table = tables.get(&variant.id(), variant.bytes(), control, &mut |table, control| {
        build::fill(&variant, group, &classes, table, control).map(drop)
    })?;
    Ok(ChildLocator::new(TableReader::new(variant, group, &classes, table), group))
}

/// The largest table within the limits. The largest of all, which contains the tetrad twist of the
/// corners, takes minutes to build and is chosen only if it exists.
pub(super) fn largest_table(
    memory: u64,
    time: Option<Duration>,
    tables: &dyn Tables,
) -> Option<TableVariant> {
    let fits = |variant: &TableVariant| {
        if is_built(variant, tables) {
            return memory >= variant.bytes() as u64 + BASE_BYTES;
        }
        let peak_bytes = variant.bytes() as u64 + build::build_bytes(variant) + BASE_BYTES;
        // Leave at least half of the time to the search.
        !variant.tetrad_twist
            && memory >= peak_bytes
            && time.is_none_or(|limit| limit.as_secs() >= 2 * variant.build_seconds)
    };
    VARIANTS.into_iter().rev().find(fits)
}

/// The smallest table, for an earlier proof of the portfolio, if `variant` is larger and not built yet.
pub(super) fn table_to_try_first(variant: TableVariant, tables: &dyn Tables) -> Option<TableVariant> {
    let smallest = VARIANTS[0];
    (variant.build_seconds > smallest.build_seconds && !is_built(&variant, tables)).then_some(smallest)
}

/// The expected time until a solver with this table is ready, on one idle core.
pub(super) fn preparation(variant: &TableVariant, tables: &dyn Tables) -> Duration {
    // The build times are those of a busy machine.
    if is_built(variant, tables) { Duration::ZERO } else { Duration::from_secs(variant.build_seconds) / 2 }
}

/// The size of a table relative to the smallest one, rounded.
pub(super) fn relative_size(variant: &TableVariant) -> u64 {
    let smallest = VARIANTS[0].bytes();
    ((variant.bytes() + smallest / 2) / smallest) as u64
}

/// The number of cosets with each lower bound; `None` for other tables or contents of another length.
pub(super) fn distribution(
    id: &TableId,
    contents: &[u8],
    control: &Control,
) -> Result<Option<ValueDistribution>, Stop> {
    let matches = |variant: &TableVariant| variant.id() == *id && variant.bytes() == contents.len();
    let Some(TableVariant { base, .. }) = VARIANTS.into_iter().find(matches) else { return Ok(None) };
    let counts = layout::count_values(contents, base, &mut || control.poll())?;
    let value = format!(
        "lower bound of a coset: exact from {} to {}, {} also stands for more, \
         and the least of 62 entries replaces smaller ones",
        base + 1,
        base + 2,
        base + 3
    );
    Ok(Some(ValueDistribution::new("cosets", value, counts)))
}

fn is_built(variant: &TableVariant, tables: &dyn Tables) -> bool {
    tables.is_available(&variant.id(), variant.bytes())
}

/// The spec of the solver with a given table.
pub(super) fn spec(variant: TableVariant) -> Spec {
    let mut spec = Spec::plain(NAME, None);
    spec.options.push(("table".into(), variant.name.into()));
    spec
}

impl Solver<Cube3> for Optimal {
    fn solve(&self, cube: &Cube3, starts: &[Cube], control: &Control) -> Report {
        let solvable: Vec<Cube> =
            starts.iter().copied().filter(|start| cube.check_solvable(start).is_ok()).collect();
        if solvable.is_empty() {
            return Report::from_control(Outcome::Unsolvable, control, Counts::default());
        }
        let early = true;
        let mode = SolutionMode::of(control.all_solutions(), early);
        iterative_deepening(&self.dfs(cube, &solvable, mode), control, &*self.executor)
    }

    fn bounded_dfs<'a>(
        &'a self,
        cube: &'a Cube3,
        starts: &'a [Cube],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        Some(Box::new(self.dfs(cube, starts, mode)))
    }
}

impl Optimal {
    /// The bounded depth-first search from `starts`.
    fn dfs<'a>(&'a self, cube: &'a Cube3, starts: &[Cube], mode: SolutionMode) -> OptimalDfs<'a> {
        // To list all solutions, allow opposite faces in either order; only a repeated face is redundant.
        let no_repeated_face = || {
            let moves = (0..FACE_TURNS as u8).map(Move);
            let pairs =
                moves.flat_map(|first| (0..3).map(move |turn| vec![first, Move(first.0 / 3 * 3 + turn)]));
            MoveAutomaton::forbid(FACE_TURNS, &pairs.collect::<Vec<_>>())
        };
        let automaton =
            if mode.lists_all() { Cow::Owned(no_repeated_face()) } else { Cow::Borrowed(cube.automaton()) };
        let stabilizer = |&start: &Cube| {
            let fixes = |&symmetry: &usize| self.group.symmetries[symmetry].conjugate(start) == start;
            (1..self.group.order()).filter(fixes).collect()
        };
        OptimalDfs {
            locator: &self.locator,
            group: &self.group,
            automaton,
            stabilizers: starts.iter().map(stabilizer).collect(),
            starts: starts.to_vec(),
            mode,
            counts: SubtreeCounts::default(),
        }
    }
}

/// Sorts adjacent turns of opposite faces into the order of canonical sequences.
fn sort_opposite_faces(mut moves: Vec<Move>) -> Vec<Move> {
    for index in 1..moves.len() {
        let (face, next_face) = (moves[index - 1].0 / 3, moves[index].0 / 3);
        if face == next_face + 3 {
            moves.swap(index - 1, index);
        }
    }
    moves
}

/// The bounded depth-first search of one instance.
struct OptimalDfs<'a> {
    locator: &'a ChildLocator,
    group: &'a SymmetryGroup,
    automaton: Cow<'a, MoveAutomaton>,
    starts: Vec<Cube>,
    /// By start: its stabilizer without the identity.
    stabilizers: Vec<Vec<usize>>,
    mode: SolutionMode,
    counts: SubtreeCounts,
}

impl OptimalDfs<'_> {
    fn start(&self, root: u8) -> Cube {
        self.starts[usize::from(root)]
    }

    /// Whether a subtree's path is the least among its images under the stabilizer of the start. Always true
    /// if the search lists all solutions.
    fn is_symmetry_representative(&self, subtree: &Subtree) -> bool {
        let has_smaller_image = |&symmetry: &usize| {
            let image =
                subtree.path.iter().map(|m| Move(self.group.conjugate_turn(symmetry, m.index()) as u8));
            sort_opposite_faces(image.collect()) < subtree.path
        };
        self.mode.lists_all() || !self.stabilizers[usize::from(subtree.root)].iter().any(has_smaller_image)
    }
}

impl BoundedDfs for OptimalDfs<'_> {
    fn first_bound(&self) -> Cost {
        let control = Control::default();
        let mut meter = control.meter();
        let dfs = BatchedDfs::new(self.locator, &self.automaton, &mut meter);
        self.starts.iter().map(|&start| dfs.heuristic_value(start).into()).min().unwrap_or(0)
    }

    fn cost(&self, path: &[Move]) -> Cost {
        path.len() as Cost
    }

    fn mode(&self) -> SolutionMode {
        self.mode
    }

    fn admissibility(&self) -> Admissibility {
        Admissibility::Admissible
    }

    fn roots(&self) -> Vec<Subtree> {
        let root = |root| Subtree { root, path: Vec::new(), untried: MoveSet::first_n(FACE_TURNS).into() };
        (0..self.starts.len() as u8).map(root).collect()
    }

    fn split(&self, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        self.counts.split(self, bound, meter)
    }

    fn run_pass(&self, subtrees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        let nodes_before = meter.nodes();
        let bound = (bound as usize).min(Path::MAX_LENGTH);
        let mut dfs = BatchedDfs::new(self.locator, &self.automaton, meter);
        let mut remaining = subtrees;
        remaining.reverse();
        loop {
            while dfs.stack.len() < BATCH
                && let Some(subtree) = remaining.pop()
            {
                dfs.push_subtree(self.start(subtree.root), &subtree, bound);
            }
            let solved = self.mode.stops_at_first() && !dfs.found.is_empty();
            let Some(last) = dfs.stack.last() else { break };
            if solved || dfs.meter.check().is_break() {
                break;
            }
            let (path, nodes_before_batch) = (last.path(), dfs.meter.nodes());
            dfs.expand(BATCH);
            // Count all nodes of the batch for one subtree: nearly always they belong to the same one.
            self.counts.add(path, dfs.meter.nodes() - nodes_before_batch);
        }
        remaining.extend(dfs.stack.iter().map(Node::subtree));
        remaining.reverse();
        let nodes = dfs.meter.nodes() - nodes_before;
        self.counts.add_total(nodes);
        PassResult {
            next_bound: if dfs.pruned { bound as Cost + 1 } else { Cost::MAX },
            nodes,
            expanded: dfs.expanded,
            found: dfs.found,
            unsearched: remaining,
        }
    }
}
