//! What the tests of this crate share.

use std::borrow::Cow;
use std::sync::{Arc, Condvar, Mutex, OnceLock};

use untumble_gpu::{Processor, adapters, open};
use untumble_search::bounded_dfs::{BoundedDfs, GenericDfs, SolutionMode};
use untumble_search::control::{Control, Event, Limits, Observer};
use untumble_search::device::Device;
use untumble_search::executor::{Executor, Sequential};
use untumble_search::heuristic::Heuristic;
use untumble_search::moves::{AutomatonState, Move};
use untumble_search::puzzle::Puzzle;
use untumble_search::solve::gpu::{Counted, DeviceProgram, GpuIda};
use untumble_search::spec::Spec;

/// Every device of this machine. `./test` installs two drivers that run on the processor.
pub(crate) fn processors() -> &'static [Arc<Processor>] {
    static ALL: OnceLock<Vec<Arc<Processor>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let count = adapters().len();
        // `./test` sets the number of drivers that it installed.
        let wanted = std::env::var("UNTUMBLE_DEVICES").ok().and_then(|count| count.parse().ok()).unwrap_or(1);
        assert!(count >= wanted, "{count} devices to test with: install mesa-vulkan-drivers, as ./test does");
        (0..count).map(|number| Arc::new(open(Some(number)).expect("a device that opens"))).collect()
    })
}

pub(crate) fn spec(kernel: &str, bound: &str) -> Spec {
    format!("gpu-ida:kernel={kernel},early=off+{bound}").parse().expect("a spec")
}

/// A walk of words worth trying from `state`.
pub(crate) fn scrambled<P: Puzzle>(puzzle: &P, mut state: P::State, moves: usize, seed: u64) -> P::State {
    let (mut trail, mut random) = (AutomatonState::START, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..moves {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let possible = puzzle.legal(&state) & puzzle.automaton().allowed(trail);
        let moves: Vec<Move> = possible.into_iter().collect();
        let m = moves[(random >> 33) as usize % moves.len()];
        state = puzzle.apply(&state, m);
        trail = puzzle.automaton().next(trail, m);
    }
    state
}

/// What a pass gives: its bound, nodes, next bound and number of solutions; expanded nodes where there is no solution, since the CPU
/// begins a node again behind one.
pub(crate) type Pass = (u32, u64, u32, usize, Option<u64>);

/// The passes up to the first with a solution, all of it searched.
pub(crate) fn passes(dfs: &dyn BoundedDfs, executor: &dyn Executor) -> Vec<Pass> {
    let (observer, control) = observed(Limits::default());
    let (mut bound, mut all) = (dfs.floor(), Vec::new());
    loop {
        let result = executor.run_pass(dfs, dfs.roots(), bound, &control);
        assert_eq!(*observer.warnings.lock().expect("no panic"), [""; 0], "the device does what it should");
        assert!(result.rest.is_empty(), "nothing is left out");
        let solutions = result.found.len();
        all.push((bound, result.nodes, result.next, solutions, (solutions == 0).then_some(result.expanded)));
        if solutions > 0 {
            return all;
        }
        bound = result.next;
    }
}

/// The passes of the CPU's own search: with the automaton of one solution, but all of them counted.
pub(crate) fn passes_on_cpu<P: Puzzle, H: Heuristic<P>>(
    puzzle: &P,
    program: &DeviceProgram<P, H>,
    start: &P::State,
) -> Vec<Pass> {
    let automaton = match &program.words {
        Some([first, _]) => Cow::Borrowed(first),
        None => Cow::Borrowed(puzzle.automaton()),
    };
    let (starts, mode) = ([start.clone()], SolutionMode::Exhaust);
    let heuristic = &program.heuristic;
    let dfs = GenericDfs { puzzle, heuristic, automaton, starts: &starts, bpmx: false, mode };
    passes(&dfs, &Sequential)
}

/// The passes on a device; a device that fails fails the test.
pub(crate) fn passes_on<P: Puzzle, H: Heuristic<P>>(
    ida: &GpuIda<P, H>,
    puzzle: &P,
    start: &P::State,
) -> Vec<Pass> {
    let starts = [start.clone()];
    let device = ida.device_dfs(puzzle, &starts, false);
    let all = passes(device.twin(), &device);
    let Counted { nodes, on_device, solutions } = device.last_pass();
    let found = all.last().map(|pass| pass.3 as u64);
    assert_eq!(found, Some(solutions), "a path is rebuilt for every solution that the device counts");
    assert!(on_device > 0, "{} counted", ida.device().name());
    assert!(
        on_device as f64 >= 0.99 * nodes as f64,
        "the device counts at least 99 % of the last pass: {on_device} of {nodes}"
    );
    all
}

/// Both kernels of every device give what the CPU gives, for each of `starts`.
pub(crate) fn agree<P: Puzzle, H: Heuristic<P>>(
    puzzle: &P,
    bound: &str,
    program: impl Fn() -> DeviceProgram<P, H>,
    starts: &[P::State],
) {
    let twin = program();
    let expected: Vec<Vec<Pass>> = starts.iter().map(|start| passes_on_cpu(puzzle, &twin, start)).collect();
    let control = Control::default();
    for processor in processors() {
        for kernel in ["block", "thread"] {
            let ida = GpuIda::new(processor.clone(), &spec(kernel, bound), program(), &control)
                .expect("a program that loads");
            for (start, expected) in starts.iter().zip(&expected) {
                let (name, got) = (processor.name(), passes_on(&ida, puzzle, start));
                assert_eq!(got, *expected, "{kernel} on {name}, from {start:?}");
            }
        }
    }
}

/// Records warnings, and stops the search once `stop` is set.
#[derive(Default)]
pub(crate) struct WarningRecorder {
    pub(crate) warnings: Mutex<Vec<String>>,
    /// The nodes that the latest progress event gave.
    nodes: Mutex<u64>,
    progress: Condvar,
    pub(crate) stop: std::sync::atomic::AtomicBool,
}

impl WarningRecorder {
    /// Waits until the search has generated so many nodes.
    pub(crate) fn wait_for_nodes(&self, nodes: u64) {
        let seen = self.nodes.lock().expect("no panic");
        drop(self.progress.wait_while(seen, |seen| *seen < nodes).expect("no panic"));
    }
}

impl Observer for WarningRecorder {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Warning(warning) => self.warnings.lock().expect("no panic").push(warning.clone()),
            Event::Progress(progress) => {
                *self.nodes.lock().expect("no panic") = progress.nodes;
                self.progress.notify_all();
            }
            _ => {}
        }
    }

    fn poll(&self) -> std::ops::ControlFlow<untumble_search::control::Stop> {
        if self.stop.load(std::sync::atomic::Ordering::Relaxed) {
            std::ops::ControlFlow::Break(untumble_search::control::Stop::Interrupted)
        } else {
            std::ops::ControlFlow::Continue(())
        }
    }
}

pub(crate) fn observed(limits: Limits) -> (Arc<WarningRecorder>, Control) {
    let recorder = Arc::new(WarningRecorder::default());
    let observer: Arc<dyn Observer> = recorder.clone();
    (recorder, Control::new(limits, observer))
}
