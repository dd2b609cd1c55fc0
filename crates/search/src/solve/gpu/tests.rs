//! Tests with a simulated device that searches subtrees on the CPU and fails in configurable ways.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::split::RESERVATION_BYTES;
use super::*;
use crate::control::{Event, Limits, MemoryAccount, Observer, Stop};
use crate::device::{Batch, PassProgress, SubtreeResult, SubtreeStatus};
use crate::heuristic::Zero;
use crate::moves::{Move, MoveSet};
use crate::puzzle::Cost;
use crate::report::Outcome;
use crate::runtime::Runtime;
use crate::solve::ida::{Ida, IdaOptions};

/// Six beads in a row; a move rotates three neighbours in one direction or the other.
struct Beads {
    automaton: MoveAutomaton,
}

type Row = [u8; 6];
const HOME: Row = [0, 1, 2, 3, 4, 5];

impl Beads {
    fn new() -> Beads {
        let inverses: Vec<Move> = (0..8).map(|m| Move(m ^ 1)).collect();
        Beads { automaton: MoveAutomaton::no_undo(&inverses) }
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
        MoveSet::first_n(8)
    }

    fn apply(&self, row: &Row, m: Move) -> Row {
        let mut row = *row;
        let rotated = &mut row[m.index() / 2..][..3];
        rotated.rotate_left(1 + m.index() % 2);
        row
    }

    fn inverse(&self, m: Move) -> Option<Move> {
        Some(Move(m.0 ^ 1))
    }

    fn automaton(&self) -> &MoveAutomaton {
        &self.automaton
    }

    fn pack(&self, row: &Row) -> Row {
        *row
    }

    fn unpack(&self, key: &Row) -> Row {
        *key
    }
}

/// A failure of the simulated device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    /// Call number `.0` of `advance` returns an error.
    ErrorAt(usize),
    /// It reports a solution in every subtree.
    FalseSolutions,
    /// It reports all subtrees as done without searching them.
    Unsearched,
    /// Subtrees with more than one untried move overflow its stack.
    Overflows,
    /// It never makes progress.
    Stalled,
}

struct SimulatedDevice {
    fault: Fault,
    calls: Arc<AtomicUsize>,
    account: MemoryAccount,
    /// The reserved bytes of the account while the device searches each batch.
    reserved: Arc<Mutex<Vec<u64>>>,
}

struct SimulatedEngine {
    fault: Fault,
    calls: Arc<AtomicUsize>,
    account: MemoryAccount,
    reserved: Arc<Mutex<Vec<u64>>>,
    results: Vec<SubtreeResult>,
    /// The state, the untried moves, the automaton state and the budget of each subtree.
    todo: Vec<(Row, MoveSet, u16, Cost)>,
    automaton: MoveAutomaton,
}

impl Device for SimulatedDevice {
    fn name(&self) -> String {
        "simulated".into()
    }

    fn load(&self, _program: &Program) -> Result<Box<dyn Engine>, Error> {
        let (fault, calls) = (self.fault, Arc::clone(&self.calls));
        Ok(Box::new(SimulatedEngine {
            fault,
            calls,
            account: self.account.clone(),
            reserved: Arc::clone(&self.reserved),
            results: Vec::new(),
            todo: Vec::new(),
            automaton: Beads::new().automaton,
        }))
    }
}

impl SimulatedEngine {
    /// Counts the nodes of a subtree by plain recursion.
    fn search(
        &self,
        row: Row,
        untried: MoveSet,
        automaton_state: crate::moves::AutomatonState,
        budget: Cost,
        sum: &mut SubtreeResult,
    ) {
        let beads = Beads::new();
        sum.expanded += 1;
        for m in untried {
            sum.nodes += 1;
            let child = beads.apply(&row, m);
            if child == HOME {
                sum.solutions += 1;
            } else if budget == 1 {
                sum.min_excess = sum.min_excess.min(1);
            } else {
                let automaton_state = self.automaton.next(automaton_state, m);
                self.search(child, self.automaton.allowed(automaton_state), automaton_state, budget - 1, sum);
            }
        }
    }
}

impl Engine for SimulatedEngine {
    fn begin(
        &mut self,
        _kernel: Kernel,
        _automaton: &[u32],
        batch: &Batch,
        _first: bool,
    ) -> Result<(), DeviceError> {
        self.results.clear();
        lock(&self.reserved).push(self.account.used());
        let read = |part: &[u32]| {
            let row = std::array::from_fn(|at| (part[0] >> (4 * at) & 15) as u8);
            let untried = (0..8).map(Move).filter(|m| part[1] >> m.0 & 1 == 1).collect();
            (row, untried, part[2] as u16, part[2] >> 16)
        };
        self.todo = batch.words.chunks_exact(3).map(read).collect();
        Ok(())
    }

    fn advance(&mut self) -> Result<PassProgress, DeviceError> {
        if self.fault == Fault::ErrorAt(self.calls.fetch_add(1, Relaxed)) {
            return Err(DeviceError("simulated failure".into()));
        }
        if self.fault == Fault::Stalled {
            return Ok(PassProgress::default());
        }
        let automaton_states: Vec<_> = self.automaton.states().collect();
        for &(row, untried, automaton_state, budget) in &self.todo {
            let mut sum = SubtreeResult {
                min_excess: Cost::MAX,
                status: SubtreeStatus::Done,
                ..SubtreeResult::default()
            };
            match self.fault {
                Fault::Unsearched => sum.status = SubtreeStatus::Unfinished,
                Fault::Overflows if untried.len() > 1 && budget > 2 => {
                    sum.status = SubtreeStatus::StackOverflowed;
                }
                _ => self.search(
                    row,
                    untried,
                    automaton_states[usize::from(automaton_state)],
                    budget,
                    &mut sum,
                ),
            }
            sum.solutions += u32::from(self.fault == Fault::FalseSolutions);
            self.results.push(sum);
        }
        let nodes = self.results.iter().map(|result| result.nodes).sum();
        Ok(PassProgress {
            finished: self.todo.len(),
            found: self.results.iter().any(|r| r.solutions > 0),
            nodes,
        })
    }

    fn collect(&mut self) -> Result<Vec<SubtreeResult>, DeviceError> {
        Ok(std::mem::take(&mut self.results))
    }

    fn bytes(&self) -> u64 {
        0
    }
}

/// Records warnings.
#[derive(Default)]
struct WarningRecorder(Mutex<Vec<String>>);

impl Observer for WarningRecorder {
    fn on_event(&self, event: &Event) {
        if let Event::Warning(warning) = event {
            lock(&self.0).push(warning.clone());
        }
    }
}

/// Solves one position on a simulated device. Returns the report, the report of IDA\* on the CPU, and the
/// warnings.
fn solved(fault: Fault, split_threshold: u64, limits: Limits) -> (Report, Report, Vec<String>) {
    let (account, reserved) = Default::default();
    let device = SimulatedDevice { fault, calls: Arc::default(), account, reserved };
    solved_on(device, split_threshold, limits)
}

fn solved_on(device: SimulatedDevice, split_threshold: u64, limits: Limits) -> (Report, Report, Vec<String>) {
    let beads = Beads::new();
    let account = device.account.clone();
    let device = Arc::new(device);
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
    let program = DeviceProgram { program, encode, heuristic: Zero, automata: None };
    let spec = "gpu-ida:early=off".parse().expect("a spec");
    let ida = GpuIda::new(device, &spec, program, &Control::default()).expect("it loads");
    let ida = ida.with_split_threshold(split_threshold);
    let recorder = Arc::new(WarningRecorder::default());
    let observer: Arc<dyn Observer> = recorder.clone();
    let start = [0, 4, 2, 7].into_iter().map(Move).fold(HOME, |row, m| beads.apply(&row, m));
    let report = ida.solve(&beads, &[start], &Control::with_account(&account, limits, observer));
    let options = IdaOptions { bpmx: false, early: false, ..IdaOptions::default() };
    let plain = Ida::new(Zero, options, &Runtime::default());
    let expected = plain.solve(&beads, &[start], &Control::default());
    let warnings = lock(&recorder.0).clone();
    (report, expected, warnings)
}

fn cost(report: &Report) -> Option<Cost> {
    report.best.as_ref().map(|best| best.cost)
}

#[test]
fn a_device_counts_the_nodes_of_one_thread() {
    for threshold in [u64::MAX, 100, 1, 0] {
        let (report, expected, warnings) = solved(Fault::None, threshold, Limits::default());
        assert_eq!(warnings, [""; 0]);
        assert_eq!(report.device.as_deref(), Some("simulated"));
        assert_eq!(cost(&report), cost(&expected));
        let last = expected.iterations.len() - 1;
        assert!(last > 2, "{expected:?}");
        assert_eq!(report.iterations, expected.iterations, "split threshold {threshold}");
    }
}

#[test]
fn subtrees_that_overflow_are_split_until_they_fit() {
    let (report, expected, warnings) = solved(Fault::Overflows, 100, Limits::default());
    assert_eq!(warnings, [""; 0]);
    assert_eq!(report.iterations, expected.iterations);
    assert!(report.optimal() && report.device.is_some());
}

#[test]
fn subtrees_that_are_split_again_stay_reserved() {
    let (account, reserved): (_, Arc<Mutex<Vec<u64>>>) = Default::default();
    let batches = Arc::clone(&reserved);
    let device = SimulatedDevice { fault: Fault::Overflows, calls: Arc::default(), account, reserved };
    let account = device.account.clone();
    solved_on(device, 100, Limits::default());
    // The passes with bounds 1 to 4. Subtrees overflow in the last two and are searched in a second batch,
    // with a reservation beside that of the pass.
    let reservations: Vec<u64> = lock(&batches).iter().map(|bytes| bytes / RESERVATION_BYTES).collect();
    assert_eq!(reservations, [1, 1, 1, 2, 1, 2]);
    assert_eq!(account.used(), 0, "everything is released in the end");
}

#[test]
fn a_faulty_device_is_replaced_and_the_solution_is_optimal() {
    for (fault, reason) in [
        (Fault::ErrorAt(0), "simulated failure"),
        (Fault::ErrorAt(3), "simulated failure"),
        (Fault::FalseSolutions, "reported a solution that does not exist"),
        (Fault::Unsearched, "some subtrees were not searched"),
        (Fault::Stalled, "makes no progress"),
    ] {
        let (report, expected, warnings) = solved(fault, 100, Limits::default());
        assert_eq!((report.outcome, report.device.as_deref()), (Outcome::Solved, None), "{fault:?}");
        assert_eq!(cost(&report), cost(&expected));
        assert_eq!(report.lower_bound, expected.lower_bound);
        assert_eq!(report.solver.as_deref(), Some("parida:bpmx=off"));
        assert!(warnings.len() == 1 && warnings[0].contains(reason), "{fault:?}: {warnings:?}");
    }
}

#[test]
fn a_node_limit_stops_a_device_search() {
    let (report, ..) = solved(Fault::None, 100, Limits { nodes: Some(500), ..Limits::default() });
    assert_eq!(report.outcome, Outcome::Stopped(Stop::Nodes));
    assert!(report.lower_bound > 0);
}
