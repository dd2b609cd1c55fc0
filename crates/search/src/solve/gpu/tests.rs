//! A device that is no device: it searches subtrees by the rules, and fails as it is told to.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::*;
use crate::control::{Limits, Observer, Stop};
use crate::device::{Batch, Stand};
use crate::heuristic::Zero;
use crate::moves::{Move, MoveSet};
use crate::report::Outcome;
use crate::runtime::Runtime;
use crate::solve::ida::{Ida, IdaOptions};

/// Six beads in a row; a move takes three neighbours around, one way or the other.
struct Beads {
    words: MoveAutomaton,
}

type Row = [u8; 6];
const HOME: Row = [0, 1, 2, 3, 4, 5];

impl Beads {
    fn new() -> Beads {
        let inverses: Vec<Move> = (0..8).map(|m| Move(m ^ 1)).collect();
        Beads { words: MoveAutomaton::no_undo(&inverses) }
    }
}

impl Puzzle for Beads {
    type State = Row;
    type Key = Row;
    type Moves = MoveSet;

    fn solved(&self) -> Row {
        HOME
    }

    fn goal_states(&self) -> Option<Vec<Row>> {
        Some(vec![HOME])
    }

    fn is_goal(&self, row: &Row) -> bool {
        *row == HOME
    }

    fn legal(&self, _row: &Row) -> MoveSet {
        MoveSet::first(8)
    }

    fn apply(&self, row: &Row, m: Move) -> Row {
        let mut row = *row;
        let three = &mut row[m.index() / 2..][..3];
        three.rotate_left(1 + m.index() % 2);
        row
    }

    fn inverse(&self, m: Move) -> Option<Move> {
        Some(Move(m.0 ^ 1))
    }

    fn automaton(&self) -> &MoveAutomaton {
        &self.words
    }

    fn pack(&self, row: &Row) -> Row {
        *row
    }

    fn unpack(&self, key: &Row) -> Row {
        *key
    }
}

/// How a device fails, if it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    /// When it has worked so many times.
    DeviceError(usize),
    /// It claims a solution in every part.
    Lies,
    /// It says that all is done when nothing is.
    Lazy,
    /// Parts with more than one move to try are too much for it.
    Overflows,
    /// It never gets on.
    Slow,
}

struct Abacus {
    fault: Fault,
    worked: Arc<AtomicUsize>,
}

struct Searching {
    fault: Fault,
    worked: Arc<AtomicUsize>,
    results: Vec<Searched>,
    todo: Vec<(Row, MoveSet, u16, Cost)>,
    words: MoveAutomaton,
}

impl Device for Abacus {
    fn name(&self) -> String {
        "an abacus".into()
    }

    fn load(&self, _program: &Program) -> Result<Box<dyn Engine>, Error> {
        let (fault, worked) = (self.fault, Arc::clone(&self.worked));
        Ok(Box::new(Searching {
            fault,
            worked,
            results: Vec::new(),
            todo: Vec::new(),
            words: Beads::new().words,
        }))
    }
}

impl Searching {
    /// Counts a subtree by the rules, plainly.
    fn search(
        &self,
        row: Row,
        untried: MoveSet,
        trail: crate::moves::AutomatonState,
        left: Cost,
        sum: &mut Searched,
    ) {
        let beads = Beads::new();
        sum.expanded += 1;
        for m in untried {
            sum.nodes += 1;
            let child = beads.apply(&row, m);
            if child == HOME {
                sum.solutions += 1;
            } else if left == 1 {
                sum.excess = sum.excess.min(1);
            } else {
                let trail = self.words.next(trail, m);
                self.search(child, self.words.allowed(trail), trail, left - 1, sum);
            }
        }
    }
}

impl Engine for Searching {
    fn begin(
        &mut self,
        _kernel: Kernel,
        _automaton: &[u32],
        batch: &Batch,
        _first: bool,
    ) -> Result<(), DeviceError> {
        self.results.clear();
        let read = |part: &[u32]| {
            let row = std::array::from_fn(|at| (part[0] >> (4 * at) & 15) as u8);
            let untried = (0..8).map(Move).filter(|m| part[1] >> m.0 & 1 == 1).collect();
            (row, untried, part[2] as u16, part[2] >> 16)
        };
        self.todo = batch.words.chunks_exact(3).map(read).collect();
        Ok(())
    }

    fn advance(&mut self) -> Result<Stand, DeviceError> {
        if self.fault == Fault::DeviceError(self.worked.fetch_add(1, Relaxed)) {
            return Err(DeviceError("it fell off the table".into()));
        }
        if self.fault == Fault::Slow {
            return Ok(Stand::default());
        }
        let trails: Vec<_> = self.words.states().collect();
        for &(row, untried, trail, left) in &self.todo {
            let mut sum = Searched { excess: Cost::MAX, end: End::Done, ..Searched::default() };
            match self.fault {
                Fault::Lazy => sum.end = End::Open,
                Fault::Overflows if untried.len() > 1 && left > 2 => sum.end = End::Overflowed,
                _ => self.search(row, untried, trails[usize::from(trail)], left, &mut sum),
            }
            sum.solutions += u32::from(self.fault == Fault::Lies);
            self.results.push(sum);
        }
        let nodes = self.results.iter().map(|result| result.nodes).sum();
        Ok(Stand { done: self.todo.len(), found: self.results.iter().any(|r| r.solutions > 0), nodes })
    }

    fn collect(&mut self) -> Result<Vec<Searched>, DeviceError> {
        Ok(std::mem::take(&mut self.results))
    }

    fn bytes(&self) -> u64 {
        0
    }
}

/// Keeps warnings.
#[derive(Default)]
struct Ear(Mutex<Vec<String>>);

impl Observer for Ear {
    fn on_event(&self, event: &Event) {
        if let Event::Warning(warning) = event {
            lock(&self.0).push(warning.clone());
        }
    }
}

fn solved(fault: Fault, grain: u64, limits: Limits) -> (Report, Report, Vec<String>) {
    let beads = Beads::new();
    let device = Arc::new(Abacus { fault, worked: Arc::default() });
    let program = Program {
        name: "beads".into(),
        words: 1,
        inverses: (0..8).map(|m| Move(m ^ 1)).collect(),
        source: String::new(),
        table: Vec::new(),
    };
    let encode: Encode<Beads, Zero> = Box::new(|_, row, (), words| {
        words.push((0..6).map(|at| u32::from(row[at]) << (4 * at)).sum());
    });
    let offer = DeviceProgram { program, encode, heuristic: Zero, words: None };
    let spec = "gpu-ida:early=off".parse().expect("a spec");
    let ida = GpuIda::new(device, &spec, offer, &Control::default()).expect("it loads").with_grain(grain);
    let ear = Arc::new(Ear::default());
    let observer: Arc<dyn Observer> = ear.clone();
    let start = [0, 4, 2, 7].into_iter().map(Move).fold(HOME, |row, m| beads.apply(&row, m));
    let report = ida.solve(&beads, &[start], &Control::new(limits, observer));
    let options = IdaOptions { bpmx: false, early: false, ..IdaOptions::default() };
    let plain = Ida::new(Zero, options, &Runtime::default());
    let expected = plain.solve(&beads, &[start], &Control::default());
    let warnings = lock(&ear.0).clone();
    (report, expected, warnings)
}

fn cost(report: &Report) -> Option<Cost> {
    report.best.as_ref().map(|best| best.cost)
}

#[test]
fn passes_are_those_of_one_thread() {
    for grain in [u64::MAX, 100, 1, 0] {
        let (report, expected, warnings) = solved(Fault::None, grain, Limits::default());
        assert_eq!(warnings, [""; 0]);
        assert_eq!(report.device.as_deref(), Some("an abacus"));
        assert_eq!(cost(&report), cost(&expected));
        let last = expected.iterations.len() - 1;
        assert!(last > 2, "{expected:?}");
        assert_eq!(report.iterations, expected.iterations, "grain {grain}");
    }
}

#[test]
fn parts_that_do_not_fit_are_cut_until_they_do() {
    let (report, expected, warnings) = solved(Fault::Overflows, 100, Limits::default());
    assert_eq!(warnings, [""; 0]);
    assert_eq!(report.iterations, expected.iterations);
    assert!(report.optimal() && report.device.is_some());
}

#[test]
fn whatever_a_device_does_the_answer_is_right() {
    for (fault, what) in [
        (Fault::DeviceError(0), "fell off the table"),
        (Fault::DeviceError(3), "fell off the table"),
        (Fault::Lies, "found a solution where there is none"),
        (Fault::Lazy, "parts of the tree were left out"),
        (Fault::Slow, "does not get on"),
    ] {
        let (report, expected, warnings) = solved(fault, 100, Limits::default());
        assert_eq!((report.outcome, report.device.as_deref()), (Outcome::Solved, None), "{fault:?}");
        assert_eq!(cost(&report), cost(&expected));
        assert_eq!(report.lower_bound, expected.lower_bound);
        assert_eq!(report.solver.as_deref(), Some("parida:bpmx=off"));
        assert!(warnings.len() == 1 && warnings[0].contains(what), "{fault:?}: {warnings:?}");
    }
}

#[test]
fn a_node_limit_stops_it() {
    let (report, ..) = solved(Fault::None, 100, Limits { nodes: Some(500), ..Limits::default() });
    assert_eq!(report.outcome, Outcome::Stopped(Stop::Nodes));
    assert!(report.lower_bound > 0);
}
