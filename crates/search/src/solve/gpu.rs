//! IDA\* on a graphics processor, after BPIDA\* (Horie & Fukunaga, "Block-Parallel IDA\* for GPUs", SoCS
//! 2017).
//!
//! [`DeviceDfs`] is an [`Executor`]: it splits a pass on the CPU into subtrees, lets a [`Device`] search
//! them and counts exactly the nodes that the CPU would count. The device returns counts, bounds and the
//! subtrees that contain solutions, never moves. The CPU searches those subtrees again, so every claim of a
//! device is verified. If the device fails, the CPU repeats the pass and continues.

mod split;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use crate::bounded_dfs::{BoundedDfs, GenericDfs, PassResult, SolutionMode, Subtree};
use crate::control::{Control, Event, Meter, Pause, Reservation};
use crate::device::{
    Device, DeviceError, Engine, Kernel, Program, SubtreeResult, SubtreeStatus, automaton_table,
};
use crate::error::{EnvironmentError, Error};
use crate::executor::{Executor, Threads};
use crate::heuristic::Heuristic;
use crate::locks::lock;
use crate::moves::MoveAutomaton;
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, BuildContext, OptionSpec};
use crate::report::Report;
use crate::solve::Solver;
use crate::solve::ida::{EARLY, automaton, iterative_deepening};
use crate::spec::{OptionValues, Spec, SpecError};

use split::{Splitter, TreeProfile};

/// The name of the algorithm in specs.
pub const NAME: &str = "gpu-ida";

/// Kernels undo moves on the way up.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

const KERNEL: OptionSpec = OptionSpec {
    name: "kernel",
    aliases: &[],
    summary: "lanes per subtree: a group (block), one (thread), or the faster of both as measured (auto)",
    values: OptionValues::Choice(&["auto", "block", "thread"]),
    default: "auto",
};

/// The registry entry of `gpu-ida` for a puzzle with device programs for `heuristics`; `build` loads the
/// program of the heuristic that the spec names.
pub fn entry<P: Puzzle>(
    heuristics: &'static [&'static str],
    build: impl Fn(&BuildContext<'_, P>, Arc<dyn Device>) -> Result<Box<dyn Solver<P>>, Error>
    + Send
    + Sync
    + 'static,
) -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        aliases: &["gpu-ida*", "gpuida"],
        options: &[KERNEL, EARLY],
        requirements: REQUIREMENTS,
        takes_heuristic: true,
        heuristics: Some(heuristics),
        needs_device: true,
        ..AlgorithmInfo::new(NAME, "IDA* on a graphics processor")
    };
    AlgorithmEntry::new(info, move |context| {
        // The device is opened before any table is built.
        let devices = context.runtime.devices.as_deref();
        let devices = devices.ok_or_else(|| SpecError::NoDeviceSupport { algorithm: NAME.into() })?;
        build(context, devices.open()?)
    })
}

/// The options of a completed spec: the kernel, `None` for the faster one, and whether the last pass ends at
/// its first solution.
pub fn options(spec: &Spec) -> (Option<Kernel>, bool) {
    let kernel = match spec.option("kernel") {
        Some("block") => Some(Kernel::Block),
        Some("thread") => Some(Kernel::Thread),
        _ => None,
    };
    (kernel, spec.switch("early", true))
}

/// Appends the 32-bit words of a state in the layout of the device program, given the heuristic and its
/// value.
pub type Encode<P, H> =
    Box<dyn Fn(&H, &<P as Puzzle>::State, &<H as Heuristic<P>>::Value, &mut Vec<u32>) + Send + Sync>;

/// A puzzle and a heuristic for devices: the program, and the same search for the CPU.
pub struct DeviceProgram<P: Puzzle, H: Heuristic<P>> {
    /// The rules and the heuristic in the language of devices.
    pub program: Program,
    /// Encodes a state for the program.
    pub encode: Encode<P, H>,
    /// The heuristic of the program on the CPU.
    pub heuristic: H,
    /// The automata for one solution and for all solutions, where they are not those of the puzzle.
    pub automata: Option<[MoveAutomaton<P::Moves>; 2]>,
}

/// IDA\* on a device.
pub struct GpuIda<P: Puzzle, H: Heuristic<P>> {
    encode: Encode<P, H>,
    heuristic: H,
    automata: Option<[MoveAutomaton<P::Moves>; 2]>,
    device: Arc<dyn Device>,
    engine: Mutex<Box<dyn Engine>>,
    kernel: Option<Kernel>,
    early: bool,
    /// Nodes per second by kernel, as far as measured.
    rates: Mutex<[Option<f64>; 2]>,
    /// Whether the device has failed.
    failed: AtomicBool,
    /// The spec of this solver.
    spec: Spec,
    /// The spec of the CPU search that replaces a failed device.
    fallback: String,
    /// The grain that a test requires; see [`default_grain`].
    grain: Option<u64>,
    /// Bytes of the loaded program on the device.
    loaded_bytes: u64,
    _reserved: Reservation,
}

impl<P: Puzzle, H: Heuristic<P>> GpuIda<P, H> {
    /// Loads a program onto a device and compiles the kernel of the first passes.
    pub fn new(
        device: Arc<dyn Device>,
        spec: &Spec,
        program: DeviceProgram<P, H>,
        control: &Control,
    ) -> Result<GpuIda<P, H>, Error> {
        let (kernel, early) = options(spec);
        let DeviceProgram { program, encode, heuristic, automata } = program;
        let copy = control.reserve(4 * program.table.len() as u64)?;
        let mut engine = device.load(&program)?;
        drop(copy);
        // Compile the kernel of the first passes now, so that it does not count as search time.
        engine.ready(kernel.unwrap_or(Kernel::Thread)).map_err(|DeviceError(reason)| {
            let (device, program) = (device.name().to_owned(), program.name.to_owned());
            EnvironmentError::Kernel { device, program, reason }
        })?;
        let loaded_bytes = engine.bytes();
        let reserved = control.reserve(loaded_bytes)?;
        let bound = spec.heuristic.as_ref().map_or_else(String::new, |bound| format!("+{bound}"));
        Ok(GpuIda {
            encode,
            heuristic,
            automata,
            device,
            engine: Mutex::new(engine),
            kernel,
            early,
            rates: Mutex::default(),
            failed: AtomicBool::new(false),
            spec: spec.clone(),
            fallback: format!("parida:bpmx=off{bound}"),
            grain: None,
            loaded_bytes,
            _reserved: reserved,
        })
    }

    /// Sets the number of nodes, counted in the previous pass, above which a subtree is split. 0 splits down
    /// to single nodes.
    #[must_use]
    pub fn with_grain(self, grain: u64) -> GpuIda<P, H> {
        GpuIda { grain: Some(grain), ..self }
    }

    /// The device that the program is loaded onto.
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    fn cpu_dfs<'a>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        mode: SolutionMode,
    ) -> GenericDfs<'a, P, H> {
        let automaton = match &self.automata {
            Some(own) => std::borrow::Cow::Borrowed(&own[usize::from(mode.lists_all())]),
            None => automaton(puzzle, mode),
        };
        GenericDfs { puzzle, heuristic: &self.heuristic, automaton, starts, bpmx: false, mode }
    }

    /// The executor of the passes of one position.
    pub fn device_dfs<'a>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        all_solutions: bool,
    ) -> DeviceDfs<'a, P, H> {
        let cpu = self.cpu_dfs(puzzle, starts, SolutionMode::of(all_solutions, self.early));
        let automaton = automaton_table(&cpu.automaton);
        DeviceDfs {
            ida: self,
            cpu,
            automaton,
            profile: Mutex::default(),
            counts: Mutex::default(),
            subtrees: Mutex::default(),
            kernel: Mutex::default(),
        }
    }

    /// The spec of this search with an explicit kernel.
    fn spec_with_kernel(&self, kernel: Kernel) -> String {
        let mut spec = self.spec.clone();
        spec.options.retain(|(name, _)| name != "kernel");
        spec.options.insert(0, ("kernel".into(), kernel.name().into()));
        spec.to_string()
    }

    /// Waits for exclusive use of the engine; `None` if the search is stopped before.
    fn lock_engine(&self, control: &Control) -> Option<MutexGuard<'_, Box<dyn Engine>>> {
        loop {
            match self.engine.try_lock() {
                Ok(engine) => return Some(engine),
                Err(TryLockError::Poisoned(engine)) => return Some(engine.into_inner()),
                Err(TryLockError::WouldBlock) if control.poll().is_err() => return None,
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// The kernel of the next pass: the configured one, else one not measured yet, else the faster one.
    fn choose_kernel(&self) -> Kernel {
        self.kernel.unwrap_or_else(|| match *lock(&self.rates) {
            [_, None] => Kernel::Thread,
            [None, _] => Kernel::Block,
            [Some(block), Some(thread)] if block > thread => Kernel::Block,
            _ => Kernel::Thread,
        })
    }
}

impl<P: Puzzle, H: Heuristic<P>> Solver<P> for GpuIda<P, H> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let device = self.device_dfs(puzzle, starts, control.all_solutions());
        let mut report = iterative_deepening(&device.cpu, control, &device);
        if self.failed.load(Relaxed) {
            report.solver = Some(self.fallback.clone());
            report.threads = control.threads();
        } else {
            report.device = Some(self.device.name());
            // Report the kernel that `auto` selected in the last pass.
            if let (None, Some(kernel)) = (self.kernel, device.kernel()) {
                report.solver = Some(self.spec_with_kernel(kernel));
            }
        }
        report
    }

    fn bounded_dfs<'a>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        Some(Box::new(self.cpu_dfs(puzzle, starts, mode)))
    }
}

/// Runs the passes of one position on a device.
pub struct DeviceDfs<'a, P: Puzzle, H: Heuristic<P>> {
    ida: &'a GpuIda<P, H>,
    /// The same search on the CPU.
    cpu: GenericDfs<'a, P, H>,
    /// The automaton as a table for the device.
    automaton: Vec<u32>,
    /// Node counts of the subtrees of the last pass.
    profile: Mutex<TreeProfile>,
    counts: Mutex<PassCounts>,
    /// The number of subtrees of the last pass.
    subtrees: Mutex<usize>,
    /// The kernel of the last pass.
    kernel: Mutex<Option<Kernel>>,
}

/// The counts of one pass.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PassCounts {
    /// All generated nodes.
    pub nodes: u64,
    /// The nodes that the device generated.
    pub on_device: u64,
    /// The solutions found on the device and on the CPU.
    pub solutions: u64,
}

/// The least duration of a pass that measures the speed of a kernel.
const MIN_TIMED_PASS: Duration = Duration::from_millis(100);
/// The largest number of subtrees of a pass; more take memory without making a device faster.
const MAX_SUBTREES: u64 = 1_000_000;

/// A subtree with more nodes than this in the previous pass is split. With these values the CPU generates
/// less than a hundredth of the nodes.
fn default_grain(kernel: Kernel) -> u64 {
    match kernel {
        // A group of lanes is busy only once its stack has grown.
        Kernel::Block => 4000,
        Kernel::Thread => 600,
    }
}

/// The result of a pass on the device.
struct DevicePass {
    result: PassResult,
    on_device: u64,
    solutions: u64,
}

impl DevicePass {
    /// A pass whose `result` was found on the CPU while splitting.
    fn new(result: PassResult) -> DevicePass {
        DevicePass { solutions: result.found.len() as u64, result, on_device: 0 }
    }
}

impl<P: Puzzle, H: Heuristic<P>> DeviceDfs<'_, P, H> {
    /// The counts of the last pass.
    pub fn last_pass(&self) -> PassCounts {
        *lock(&self.counts)
    }

    /// The number of subtrees of the last pass.
    pub fn subtree_count(&self) -> usize {
        *lock(&self.subtrees)
    }

    /// The kernel of the last pass.
    fn kernel(&self) -> Option<Kernel> {
        *lock(&self.kernel)
    }

    /// Whether a pass may end at its first solution.
    fn stops_at_first(&self) -> bool {
        self.cpu.mode.stops_at_first()
    }

    /// One pass on the device.
    fn device_pass(
        &self,
        trees: &[Subtree],
        bound: Cost,
        meter: &mut Meter<'_>,
    ) -> Result<DevicePass, DeviceError> {
        let control = meter.control();
        let not_started = || DevicePass::new(PassResult { rest: trees.to_vec(), ..PassResult::empty() });
        if matches!(meter.check().break_value(), Some(Pause::Stop(_))) {
            return Ok(not_started());
        }
        let Some(mut engine) = self.ida.lock_engine(control) else { return Ok(not_started()) };
        let mut profile = lock(&self.profile);
        let kernel = self.ida.choose_kernel();
        engine.ready(kernel)?;
        let limit =
            self.ida.grain.unwrap_or_else(|| default_grain(kernel).max(profile.nodes() / MAX_SUBTREES * 16));
        let mut splitter = Splitter::new(&self.cpu, &self.ida.encode, bound, &profile, limit, control);
        for tree in trees {
            splitter.split(tree);
        }
        let mut split = splitter.finish();
        if control.stop().is_some() {
            // The memory limit or the time limit was reached while splitting.
            return Ok(not_started());
        }
        meter.spend(split.result.nodes);
        let mut pass = DevicePass::new(std::mem::replace(&mut split.result, PassResult::empty()));
        if !pass.result.found.is_empty() && self.stops_at_first() {
            return Ok(pass);
        }
        let (mut parts, mut batch) = (split.parts, split.batch);
        *lock(&self.subtrees) = batch.count;
        *lock(&self.kernel) = Some(kernel);
        let mut stack_memory = match control.reserve(0) {
            Ok(reservation) => reservation,
            Err(_) => return Ok(not_started()),
        };
        let started = control.clock().now();
        while batch.count > 0 {
            if batch.max_budget > Program::MAX_BUDGET {
                return Err(DeviceError(format!("bound {bound} exceeds the limit of device programs")));
            }
            engine.begin(kernel, &self.automaton, &batch, self.stops_at_first())?;
            let more =
                engine.bytes().saturating_sub(self.ida.loaded_bytes).saturating_sub(stack_memory.bytes());
            if let Err(stop) = stack_memory.grow(more) {
                control.request_stop(stop);
                pass.result.rest = trees.to_vec();
                return Ok(pass);
            }
            let stopped = self.run_device(&mut **engine, batch.count, meter)?;
            let results = engine.collect()?;
            if results.len() != batch.count {
                return Err(DeviceError("results are missing".into()));
            }
            let mut unfinished = false;
            let mut again = Splitter::new(&self.cpu, &self.ida.encode, bound, &profile, limit, control);
            for (part, result) in parts.iter().zip(&results) {
                if result.status == SubtreeStatus::Overflowed {
                    again.split_part(part);
                    continue;
                }
                pass.add(result, bound);
                split.profile.add_nodes(part.branch, result.nodes);
                if result.solutions > 0 {
                    self.recover_paths(&part.tree, result, bound, &mut pass.result)?;
                }
                unfinished |= result.status == SubtreeStatus::Unfinished;
            }
            let found = !pass.result.found.is_empty() && self.stops_at_first();
            if found || stopped || control.stop().is_some() {
                // The pass is over, so the exact remaining subtrees do not matter.
                pass.result.rest = trees.to_vec();
                break;
            }
            if unfinished {
                return Err(DeviceError("some subtrees were not searched".into()));
            }
            let mut again = again.finish();
            meter.spend(again.result.nodes);
            let on_cpu = std::mem::replace(&mut again.result, PassResult::empty());
            pass.solutions += on_cpu.found.len() as u64;
            pass.result.absorb(on_cpu);
            (parts, batch) = (again.parts, again.batch);
        }
        let took = control.clock().now().saturating_sub(started);
        if took >= MIN_TIMED_PASS {
            let rate = pass.on_device as f64 / took.as_secs_f64();
            lock(&self.ida.rates)[kernel.index()] = Some(rate);
        }
        split.profile.accumulate();
        *profile = split.profile;
        Ok(pass)
    }

    /// Advances the device until all subtrees are done, a solution ends the pass, or the search is stopped.
    /// True if it is stopped.
    fn run_device(
        &self,
        engine: &mut dyn Engine,
        count: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, DeviceError> {
        /// A device that makes no progress in this many calls is stuck.
        const MAX_IDLE: usize = 1000;
        let (mut nodes, mut idle) = (0, 0);
        loop {
            let progress = engine.advance()?;
            let Some(more) = progress.nodes.checked_sub(nodes) else {
                return Err(DeviceError("its node count decreased".into()));
            };
            idle = if more == 0 { idle + 1 } else { 0 };
            nodes = progress.nodes;
            meter.spend(more);
            if progress.done >= count || (progress.found && self.stops_at_first()) {
                return Ok(false);
            }
            let paused = meter.check().break_value();
            if matches!(paused, Some(Pause::Stop(_))) || meter.control().poll().is_err() {
                return Ok(true);
            }
            if idle > MAX_IDLE {
                return Err(DeviceError("it makes no progress".into()));
            }
        }
    }

    /// Searches a subtree in which the device found solutions again on the CPU, for their paths.
    fn recover_paths(
        &self,
        tree: &Subtree,
        result: &SubtreeResult,
        bound: Cost,
        pass: &mut PassResult,
    ) -> Result<(), DeviceError> {
        // The device has counted these nodes already, so the search's own meter must not.
        let uncounted = Control::default();
        let found = self.cpu.run_pass(vec![tree.clone()], bound, &mut uncounted.meter()).found;
        let agreed =
            if self.stops_at_first() { !found.is_empty() } else { found.len() == result.solutions as usize };
        if !agreed {
            return Err(DeviceError("it reported a solution that does not exist".into()));
        }
        pass.found.extend(found);
        Ok(())
    }
}

impl DevicePass {
    fn add(&mut self, result: &SubtreeResult, bound: Cost) {
        self.result.nodes += result.nodes;
        self.result.expanded += result.expanded;
        self.result.next = self.result.next.min(bound.saturating_add(result.excess));
        self.on_device += result.nodes;
        self.solutions += u64::from(result.solutions);
    }
}

impl<P: Puzzle, H: Heuristic<P>> DeviceDfs<'_, P, H> {
    /// The same search on the CPU.
    pub fn cpu(&self) -> &dyn BoundedDfs {
        &self.cpu
    }
}

impl<P: Puzzle, H: Heuristic<P>> Executor for DeviceDfs<'_, P, H> {
    fn run_pass(
        &self,
        dfs: &dyn BoundedDfs,
        subtrees: Vec<Subtree>,
        bound: Cost,
        control: &Control,
    ) -> PassResult {
        if !self.ida.failed.load(Relaxed) {
            match self.device_pass(&subtrees, bound, &mut control.meter()) {
                Ok(DevicePass { result, on_device, solutions }) => {
                    *lock(&self.counts) = PassCounts { nodes: result.nodes, on_device, solutions };
                    return result;
                }
                Err(DeviceError(reason)) => {
                    self.ida.failed.store(true, Relaxed);
                    let (device, fallback) = (self.ida.device.name(), &self.ida.fallback);
                    control.emit(&Event::Warning(format!(
                        "{device} failed: {reason}; continuing on the CPU with {fallback}"
                    )));
                }
            }
        }
        let result = Threads.run_pass(dfs, subtrees, bound, control);
        let solutions = result.found.len() as u64;
        *lock(&self.counts) = PassCounts { nodes: result.nodes, on_device: 0, solutions };
        result
    }

    fn workers(&self, _control: &Control) -> usize {
        1
    }
}
