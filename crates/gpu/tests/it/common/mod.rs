//! Helpers of all tests of this crate.

use std::borrow::Cow;
use std::sync::{Arc, Condvar, Mutex, OnceLock};

use untumble_gpu::{GpuDevice, adapters, open};
use untumble_search::bounded_dfs::{BoundedDfs, GenericDfs, SolutionMode};
use untumble_search::control::{Control, Event, Limits, Observer};
use untumble_search::device::Device;
use untumble_search::executor::{Executor, Sequential};
use untumble_search::heuristic::Heuristic;
use untumble_search::moves::{AutomatonState, Move};
use untumble_search::puzzle::Puzzle;
use untumble_search::solve::gpu::{DeviceProgram, GpuIda, PassCounts};
use untumble_search::spec::Spec;

/// All devices of the machine, opened once. `./test` installs two software drivers.
pub(crate) fn devices() -> &'static [Arc<GpuDevice>] {
    static ALL: OnceLock<Vec<Arc<GpuDevice>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let count = adapters().len();
        // `./test` sets the number of installed drivers.
        let expected = std::env::var("UNTUMBLE_DEVICES").ok().and_then(|count| count.parse().ok());
        let expected = expected.unwrap_or(1);
        assert!(count >= expected, "{count} devices found: install mesa-vulkan-drivers, as ./test does");
        (0..count).map(|number| Arc::new(open(Some(number)).expect("the device opens"))).collect()
    })
}

/// `gpu-ida` with a kernel and a heuristic; the last pass is searched completely.
pub(crate) fn spec(kernel: &str, heuristic: &str) -> Spec {
    format!("gpu-ida:kernel={kernel},early=off+{heuristic}").parse().expect("a spec")
}

/// The state after a random canonical sequence of `moves` moves from `state`.
pub(crate) fn scrambled<P: Puzzle>(puzzle: &P, mut state: P::State, moves: usize, seed: u64) -> P::State {
    let mut automaton_state = AutomatonState::START;
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for _ in 0..moves {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let possible = puzzle.legal(&state) & puzzle.automaton().allowed(automaton_state);
        let moves: Vec<Move> = possible.into_iter().collect();
        let m = moves[(random >> 33) as usize % moves.len()];
        state = puzzle.apply(&state, m);
        automaton_state = puzzle.automaton().next(automaton_state, m);
    }
    state
}

/// Bound, generated nodes, next bound, number of solutions and expanded nodes of a pass. Expanded nodes
/// are `None` in a pass with solutions, because the CPU expands a node again after a solution below it.
pub(crate) type Pass = (u32, u64, u32, usize, Option<u64>);

/// All passes up to and including the first with a solution, each searched completely.
pub(crate) fn passes(dfs: &dyn BoundedDfs, executor: &dyn Executor) -> Vec<Pass> {
    let (observer, control) = observed(Limits::default());
    let (mut bound, mut all) = (dfs.first_bound(), Vec::new());
    loop {
        let result = executor.run_pass(dfs, dfs.roots(), bound, &control);
        assert_eq!(*observer.warnings.lock().expect("no panic"), [""; 0], "no warnings");
        assert!(result.unsearched.is_empty(), "the pass is complete");
        let solutions = result.found.len();
        all.push((
            bound,
            result.nodes,
            result.next_bound,
            solutions,
            (solutions == 0).then_some(result.expanded),
        ));
        if solutions > 0 {
            return all;
        }
        bound = result.next_bound;
    }
}

/// The passes on the CPU. They use the automaton for a single solution, but count all solutions.
pub(crate) fn passes_on_cpu<P: Puzzle, H: Heuristic<P>>(
    puzzle: &P,
    program: &DeviceProgram<P, H>,
    start: &P::State,
) -> Vec<Pass> {
    let automaton = match &program.automata {
        Some([first, _]) => Cow::Borrowed(first),
        None => Cow::Borrowed(puzzle.automaton()),
    };
    let (starts, mode) = ([start.clone()], SolutionMode::Exhaust);
    let heuristic = &program.heuristic;
    let dfs = GenericDfs { puzzle, heuristic, automaton, starts: &starts, bpmx: false, mode };
    passes(&dfs, &Sequential)
}

/// The passes on a device; fails if the device fails or counts less than 99 % of the last pass.
pub(crate) fn passes_on<P: Puzzle, H: Heuristic<P>>(
    ida: &GpuIda<P, H>,
    puzzle: &P,
    start: &P::State,
) -> Vec<Pass> {
    let starts = [start.clone()];
    let device = ida.device_dfs(puzzle, &starts, false);
    let all = passes(device.cpu(), &device);
    let PassCounts { nodes, on_device, solutions } = device.last_pass();
    let found = all.last().map(|pass| pass.3 as u64);
    assert_eq!(found, Some(solutions), "the CPU finds every solution that the device counts");
    assert!(on_device > 0, "{} counted no nodes", ida.device().name());
    assert!(
        on_device as f64 >= 0.99 * nodes as f64,
        "the device counts at least 99 % of the last pass: {on_device} of {nodes}"
    );
    all
}

/// Asserts that both kernels on all devices give the passes of the CPU for each of `starts`.
pub(crate) fn assert_kernels_match_cpu<P: Puzzle, H: Heuristic<P>>(
    puzzle: &P,
    heuristic: &str,
    program: impl Fn() -> DeviceProgram<P, H>,
    starts: &[P::State],
) {
    let reference = program();
    let expected: Vec<Vec<Pass>> =
        starts.iter().map(|start| passes_on_cpu(puzzle, &reference, start)).collect();
    let control = Control::default();
    for gpu in devices() {
        for kernel in ["block", "thread"] {
            let ida = GpuIda::new(gpu.clone(), &spec(kernel, heuristic), program(), &control)
                .expect("the program loads");
            for (start, expected) in starts.iter().zip(&expected) {
                let (name, counted) = (gpu.name(), passes_on(&ida, puzzle, start));
                assert_eq!(counted, *expected, "{kernel} on {name}, from {start:?}");
            }
        }
    }
}

/// Records warnings and progress, and stops the search once `stop` is set.
#[derive(Default)]
pub(crate) struct WarningRecorder {
    pub(crate) warnings: Mutex<Vec<String>>,
    /// Nodes of the latest progress event.
    nodes: Mutex<u64>,
    progress: Condvar,
    pub(crate) stop: std::sync::atomic::AtomicBool,
}

impl WarningRecorder {
    /// Blocks until the search has generated `nodes` nodes.
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

/// A control whose events go to the returned recorder.
pub(crate) fn observed(limits: Limits) -> (Arc<WarningRecorder>, Control) {
    let recorder = Arc::new(WarningRecorder::default());
    let observer: Arc<dyn Observer> = recorder.clone();
    (recorder, Control::new(limits, observer))
}
