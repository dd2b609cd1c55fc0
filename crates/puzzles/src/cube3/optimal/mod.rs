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

use untumble_search::catalogued::Catalogued;
use untumble_search::control::{Control, Meter};
use untumble_search::heuristic::Promise;
use untumble_search::moves::{Move, MoveSet, Words};
use untumble_search::probe::{Probe, Probed, Subtree};
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::ida::deepen;
use untumble_search::solve::{Algorithm, OptionOf, Solver, Takes, Values};
use untumble_search::spec::Spec;
use untumble_search::tables::Tables;
use untumble_search::trouble::Trouble;

use self::descent::{Descent, End};
use self::kind::{KINDS, Kind};
use self::pricing::Ground;
use self::reader::Reader;
use self::tasks::Tasks;
use self::tetrads::Classes;
use super::symmetry::{Group, TURNS};
use super::{Cube, Cube3};
use crate::cube::Metric;

/// Its name.
pub(super) const NAME: &str = "optimal";

/// What is known about it.
pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: NAME,
    what: "IDA* on all threads with one table up to 48 symmetries, for the cube and the cube that takes it back; half-turn metric",
    promise: "shortest",
    takes: Takes::Nothing,
    options: &[OptionOf {
        name: "table",
        what: "how large a table, built once and kept on disk: twice the size, half the nodes",
        values: "30MB, 61MB, 122MB, 243MB or 714MB",
        default: "the largest that limits and positions are worth",
        kind: Values::Choice(&["30MB", "61MB", "122MB", "243MB", "714MB"]),
    }],
    saves: true,
};

/// The table asked for; `None` leaves it to the limits.
pub(super) fn asked(spec: &Spec) -> Result<Option<Kind>, Trouble> {
    let Some(name) = spec.option("table").filter(|_| spec.algorithm == NAME) else { return Ok(None) };
    let names = KINDS.map(|kind| kind.name).join(", ");
    Kind::named(name).map(Some).ok_or_else(|| {
        Trouble::Usage(format!("{NAME}: table={} should be one of {names}", crate::echo::echo(name)))
    })
}

/// Bytes of what goes with every table.
const GROUND_BYTES: u64 = 8 << 20;

/// The solver, made ready.
struct Optimal {
    ground: Ground,
}

/// Makes the solver ready that `spec` names, and says its full name.
pub(super) fn prepare(
    cube: &Cube3,
    mut spec: Spec,
    tables: &dyn Tables,
    control: &Control,
) -> Result<(Spec, Box<dyn Solver<Cube3>>), Trouble> {
    if cube.turns().metric() != Metric::Htm {
        return Err(Trouble::Usage(format!(
            "{NAME} counts half turns as one move; in quarter turns, parida+max(corners,edges:7) proves what is shortest"
        )));
    }
    let kind = match asked(&spec)? {
        Some(kind) => kind,
        None => {
            let kind = largest(control.room(), control.limits().time, tables).unwrap_or(KINDS[0]);
            spec.options.push(("table".into(), kind.name.into()));
            kind
        }
    };
    let ground = ground(kind, tables, control)?;
    Ok((spec, Box::new(Optimal { ground })))
}

/// The table and what reads it.
fn ground(kind: Kind, tables: &dyn Tables, control: &Control) -> Result<Ground, Trouble> {
    let group = Group::all();
    let classes = Classes::new(&group, kind.thirds);
    let table = tables.get(&kind.id(), kind.length(), control, &mut |bytes, control| {
        build::fill(&kind, &group, &classes, bytes, control).map(drop)
    })?;
    Ok(Ground::new(Reader::new(kind, &group, classes, table)))
}

/// The largest table within limits.
pub(super) fn largest(room: u64, time: Option<std::time::Duration>, tables: &dyn Tables) -> Option<Kind> {
    let fits = |kind: &Kind| {
        let stands = tables.has(&kind.id(), kind.length());
        if stands {
            return room >= kind.length() as u64 + GROUND_BYTES;
        }
        let building = kind.length() as u64 + build::extra(kind) + GROUND_BYTES;
        // A table that takes half of the time leaves none for the search.
        room >= building && time.is_none_or(|most| most.as_secs() >= 2 * kind.seconds)
    };
    KINDS.into_iter().rev().filter(|kind| !kind.thirds).find(fits)
}

impl Solver<Cube3> for Optimal {
    fn solve(&self, cube: &Cube3, starts: &[Cube], control: &Control) -> Report {
        let solvable: Vec<Cube> = starts.iter().copied().filter(|start| cube.check(start).is_ok()).collect();
        if solvable.is_empty() {
            return Report::from_control(Outcome::Unsolvable, control, Counts::default());
        }
        deepen(&self.position(cube, &solvable, control.all()), control, control.threads())
    }

    fn probe<'a>(&'a self, cube: &'a Cube3, starts: &'a [Cube], all: bool) -> Option<Box<dyn Probe + 'a>> {
        Some(Box::new(self.position(cube, starts, all)))
    }
}

impl Optimal {
    fn position<'a>(&'a self, cube: &'a Cube3, starts: &[Cube], all: bool) -> Position<'a> {
        // A shortest solution turns no face twice in a row; where all are wanted, opposite faces come in either order.
        let twice = || {
            let moves = (0..TURNS as u8).map(Move);
            let pairs =
                moves.flat_map(|first| (0..3).map(move |turn| vec![first, Move(first.0 / 3 * 3 + turn)]));
            Words::forbid(TURNS, &pairs.collect::<Vec<_>>())
        };
        let words = if all { Cow::Owned(twice()) } else { Cow::Borrowed(cube.words()) };
        Position { ground: &self.ground, words, starts: starts.to_vec(), all, tasks: Tasks::default() }
    }
}

/// The probe of one position.
struct Position<'a> {
    ground: &'a Ground,
    words: Cow<'a, Words>,
    starts: Vec<Cube>,
    all: bool,
    tasks: Tasks,
}

impl Position<'_> {
    fn start(&self, root: u8) -> Cube {
        self.starts[usize::from(root)]
    }

    /// Searches one subtree; tells why it ended before it was done.
    fn enter(&self, descent: &mut Descent<'_, '_, '_>, tree: &Subtree, bound: Cost) -> Option<End> {
        let (node, least) = descent.node(self.start(tree.root), &tree.path);
        let Some(left) =
            (bound as usize).checked_sub(tree.path.len()).filter(|&left| left >= usize::from(least))
        else {
            descent.pruned = true;
            return None;
        };
        if tree.path.is_empty() && descent.is_solved(&node) {
            return Some(End::Found);
        }
        if left == 0 {
            descent.pruned = true;
            return None;
        }
        descent.expand(&node, tree.untried, left).break_value()
    }
}

impl Probe for Position<'_> {
    fn floor(&self) -> Cost {
        let control = Control::default();
        let mut meter = control.meter();
        let descent = Descent::new(self.ground, &self.words, &mut meter, 0);
        self.starts.iter().map(|&start| descent.node(start, &[]).1.into()).min().unwrap_or(0)
    }

    fn cost(&self, path: &[Move]) -> Cost {
        path.len() as Cost
    }

    fn promise(&self) -> Promise {
        Promise::Admissible
    }

    fn roots(&self) -> Vec<Subtree> {
        let root = |root| Subtree { root, path: Vec::new(), untried: MoveSet::first(TURNS) };
        (0..self.starts.len() as u8).map(root).collect()
    }

    fn cut(&self, bound: Cost, meter: &mut Meter<'_>) -> Probed {
        self.tasks.cut(self, bound, meter)
    }

    fn probe(&self, trees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> Probed {
        let before = meter.nodes();
        let mut descent = Descent::new(self.ground, &self.words, meter, bound as usize);
        let mut probed = Probed::nothing();
        let mut todo = trees;
        todo.reverse();
        while let Some(tree) = todo.pop() {
            let spent = descent.meter.nodes();
            let end = self.enter(&mut descent, &tree, bound);
            self.tasks.note(&tree, descent.meter.nodes() - spent);
            let Some(end) = end else { continue };
            let rest = descent.unwound(&tree);
            if end == End::Found {
                let mut path = tree.path;
                path.extend(descent.path.drain(..).rev());
                probed.found.push(path);
            }
            descent.path.clear();
            todo.extend(rest);
            if end == End::Paused || !self.all {
                break;
            }
        }
        todo.reverse();
        probed.rest = todo;
        probed.expanded = descent.expanded;
        probed.next = if descent.pruned { bound + 1 } else { Cost::MAX };
        probed.nodes = descent.meter.nodes() - before;
        probed
    }
}
