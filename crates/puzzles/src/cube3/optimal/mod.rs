//! Shortest solutions in half-turn metric: IDA\* with one table that looks at a cube up to all 48 symmetries.
//!
//! What half turns cannot change of a cube, seen up to symmetry (`tetrads.rs`, `slices.rs`), has a distance from solved; a table
//! holds all of these (`build.rs`, `layout.rs`). It bounds the cube and the cube that takes it back. Larger
//! tables know a little more of flips and orders (`kind.rs`). The loop is in `descent.rs`, what it costs in `pricing.rs` and `reader.rs`.

mod body;
mod build;
mod descent;
mod kind;
mod lanes;
mod layout;
mod pricing;
mod reader;
mod slices;
mod tasks;
#[cfg(test)]
mod tests;
mod tetrads;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, SolutionMode, Subtree};
use untumble_search::control::{Control, Meter, Reserved};
use untumble_search::error::Error;
use untumble_search::executor::Executor;
use untumble_search::frontend::PuzzleText;
use untumble_search::heuristic::Admissibility;
use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::registry::{
    AlgorithmEntry, AlgorithmInfo, BuildContext, Built, OptionSpec, Unavailable,
};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::solve::ida::iterative_deepening;
use untumble_search::spec::{OptionValues, Spec};
use untumble_search::tables::Tables;

use self::descent::{Descent, Node, Path, TOGETHER};
use self::kind::{KINDS, Kind};
use self::pricing::Ground;
use self::reader::Reader;
use self::tasks::Tasks;
use self::tetrads::Classes;
use super::symmetry::{Group, TURNS};
use super::{Cube, Cube3};

/// Its name.
pub(super) const NAME: &str = "optimal";

const TABLE: OptionSpec = OptionSpec {
    name: "table",
    aliases: &[],
    summary: "how large a table, built once and kept on disk: one of twice the size halves the nodes",
    values: OptionValues::Choice(&["30MB", "61MB", "122MB", "243MB", "714MB"]),
    default: "the largest that fits the limits",
};

/// Why it is not there in quarter turns.
pub(super) const HALF_TURNS_ONLY: Unavailable =
    Unavailable::Metric { only: "htm", instead: "parida+max(corners,edges:7)" };

/// The entry of the optimal solver.
pub(super) fn entry() -> AlgorithmEntry<Cube3> {
    let info = AlgorithmInfo {
        options: &[TABLE],
        resumable: true,
        ..AlgorithmInfo::new(
            NAME,
            "IDA* on all threads with one table up to 48 symmetries, for the position and its inverse; half-turn metric",
        )
    };
    AlgorithmEntry::naming(info, build)
}

/// The table asked for; `None` leaves it to the limits.
fn asked(spec: &Spec) -> Option<Kind> {
    spec.option("table").and_then(Kind::named)
}

/// Bytes of what goes with every table, with room to spare.
const GROUND_BYTES: u64 = 20 << 20;

/// The solver, made ready.
struct Optimal {
    ground: Ground,
    group: Group,
    executor: Arc<dyn Executor>,
    _reserved: Reserved,
}

/// Builds the solver with the table asked for, or with the largest that fits the limits.
fn build(context: &BuildContext<'_, Cube3>) -> Result<Built<Cube3>, Error> {
    let (tables, control) = (&*context.runtime.tables, context.control);
    let mut spec = context.spec.clone();
    let kind = match asked(&spec) {
        Some(kind) => kind,
        None => {
            let kind = largest(control.room(), control.limits().time, tables).unwrap_or(KINDS[0]);
            spec = self::spec(kind);
            kind
        }
    };
    // Accounted for before it is taken.
    let mut reserved = control.reserve(GROUND_BYTES)?;
    let group = Group::all();
    let ground = ground(kind, &group, tables, control)?;
    reserved.shrink(GROUND_BYTES.saturating_sub(ground.bytes() + Tasks::BYTES));
    let executor = Arc::clone(&context.runtime.executor);
    let solver = Box::new(Optimal { ground, group, executor, _reserved: reserved });
    Ok(Built { spec, solver })
}

/// The table and what reads it.
fn ground(kind: Kind, group: &Group, tables: &dyn Tables, control: &Control) -> Result<Ground, Error> {
    let classes = Classes::new(group, kind.thirds);
    let table = tables.get(&kind.id(), kind.length(), control, &mut |bytes, control| {
        build::fill(&kind, &kind, group, &classes, bytes, control).map(drop)
    })?;
    Ok(Ground::new(Reader::new(kind, group, &classes, table), group))
}

/// The largest table within limits; the very large only where it stands.
pub(super) fn largest(room: u64, time: Option<Duration>, tables: &dyn Tables) -> Option<Kind> {
    let fits = |kind: &Kind| {
        if stands(kind, tables) {
            return room >= kind.length() as u64 + GROUND_BYTES;
        }
        let building = kind.length() as u64 + build::extra(kind) + GROUND_BYTES;
        // A table that takes half of the time leaves none for the search.
        !kind.thirds && room >= building && time.is_none_or(|most| most.as_secs() >= 2 * kind.seconds)
    };
    KINDS.into_iter().rev().find(fits)
}

/// A table that is ready sooner than one that has to be built, if there is one that is worth it.
pub(super) fn sooner(kind: Kind, tables: &dyn Tables) -> Option<Kind> {
    let smallest = KINDS[0];
    (kind.seconds > 2 * smallest.seconds && !stands(&kind, tables)).then_some(smallest)
}

fn stands(kind: &Kind, tables: &dyn Tables) -> bool {
    tables.has(&kind.id(), kind.length())
}

/// The text that names the solver with a table.
pub(super) fn spec(kind: Kind) -> Spec {
    let mut spec = Spec::plain(NAME, None);
    spec.options.push(("table".into(), kind.name.into()));
    spec
}

impl Solver<Cube3> for Optimal {
    fn solve(&self, cube: &Cube3, starts: &[Cube], control: &Control) -> Report {
        let solvable: Vec<Cube> = starts.iter().copied().filter(|start| cube.check(start).is_ok()).collect();
        if solvable.is_empty() {
            return Report::from_control(Outcome::Unsolvable, control, Counts::default());
        }
        let mode = SolutionMode::of(control.all(), true);
        iterative_deepening(&self.position(cube, &solvable, mode), control, &*self.executor)
    }

    fn bounded_dfs<'a>(
        &'a self,
        cube: &'a Cube3,
        starts: &'a [Cube],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        Some(Box::new(self.position(cube, starts, mode)))
    }
}

impl Optimal {
    fn position<'a>(&'a self, cube: &'a Cube3, starts: &[Cube], mode: SolutionMode) -> Position<'a> {
        // A shortest solution turns no face twice in a row; where all are wanted, opposite faces come in either order.
        let twice = || {
            let moves = (0..TURNS as u8).map(Move);
            let pairs =
                moves.flat_map(|first| (0..3).map(move |turn| vec![first, Move(first.0 / 3 * 3 + turn)]));
            MoveAutomaton::forbid(TURNS, &pairs.collect::<Vec<_>>())
        };
        let words = if mode.lists_all() { Cow::Owned(twice()) } else { Cow::Borrowed(cube.automaton()) };
        let symmetries = |&start: &Cube| {
            let kept = |&symmetry: &usize| self.group.list[symmetry].cube(start) == start;
            (1..self.group.count()).filter(kept).collect()
        };
        Position {
            ground: &self.ground,
            group: &self.group,
            words,
            symmetries: starts.iter().map(symmetries).collect(),
            starts: starts.to_vec(),
            mode,
            tasks: Tasks::default(),
        }
    }
}

/// The same moves with opposite faces in the order in which words have them.
fn ordered(mut moves: Vec<Move>) -> Vec<Move> {
    for at in 1..moves.len() {
        let (face, next) = (moves[at - 1].0 / 3, moves[at].0 / 3);
        if face == next + 3 {
            moves.swap(at - 1, at);
        }
    }
    moves
}

/// The bounded depth-first search of one position.
struct Position<'a> {
    ground: &'a Ground,
    group: &'a Group,
    words: Cow<'a, MoveAutomaton>,
    starts: Vec<Cube>,
    /// For each start, the symmetries that leave it as it is, but for the one that leaves everything.
    symmetries: Vec<Vec<usize>>,
    mode: SolutionMode,
    tasks: Tasks,
}

impl Position<'_> {
    fn start(&self, root: u8) -> Cube {
        self.starts[usize::from(root)]
    }

    /// Whether no symmetry of the start makes a part of an earlier one; where all solutions are wanted, every part counts.
    fn first_of_its_kind(&self, part: &Subtree) -> bool {
        let earlier = |&symmetry: &usize| {
            let seen = part.path.iter().map(|m| Move(self.group.turn(symmetry, m.index()) as u8));
            ordered(seen.collect()) < part.path
        };
        self.mode.lists_all() || !self.symmetries[usize::from(part.root)].iter().any(earlier)
    }
}

impl BoundedDfs for Position<'_> {
    fn floor(&self) -> Cost {
        let control = Control::default();
        let mut meter = control.meter();
        let descent = Descent::new(self.ground, &self.words, &mut meter);
        self.starts.iter().map(|&start| descent.least(start).into()).min().unwrap_or(0)
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
        let root = |root| Subtree { root, path: Vec::new(), untried: MoveSet::first(TURNS).into() };
        (0..self.starts.len() as u8).map(root).collect()
    }

    fn split(&self, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        self.tasks.cut(self, bound, meter)
    }

    fn run_pass(&self, subtrees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        let before = meter.nodes();
        let bound = (bound as usize).min(Path::LONGEST);
        let mut descent = Descent::new(self.ground, &self.words, meter);
        let mut todo = subtrees;
        todo.reverse();
        loop {
            while descent.stack.len() < TOGETHER
                && let Some(tree) = todo.pop()
            {
                descent.enter(self.start(tree.root), &tree, bound);
            }
            let enough = self.mode.stops_at_first() && !descent.found.is_empty();
            let Some(last) = descent.stack.last() else { break };
            if enough || descent.meter.check().is_break() {
                break;
            }
            let (path, spent) = (last.path(), descent.meter.nodes());
            descent.expand(TOGETHER);
            // The nodes under way together are nearly always of one part.
            self.tasks.note(path, descent.meter.nodes() - spent);
        }
        todo.extend(descent.stack.iter().map(Node::subtree));
        todo.reverse();
        let nodes = descent.meter.nodes() - before;
        self.tasks.note_all(nodes);
        PassResult {
            next: if descent.pruned { bound as Cost + 1 } else { Cost::MAX },
            nodes,
            expanded: descent.expanded,
            found: descent.found,
            rest: todo,
        }
    }
}
