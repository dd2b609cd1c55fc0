//! IDA\* on a device: an [`Executor`] that splits a pass on the CPU, lets a [`Device`] search the parts, and
//! gives what the CPU gives, count for count.
//!
//! The device tells what it counted, the bound and in which parts solutions lie, never a move: those parts are searched again on the CPU, so what
//! a device claims is checked before it counts. Where it fails, the CPU goes on from where the pass began.

mod cut;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use crate::bounded_dfs::{BoundedDfs, GenericDfs, PassResult, SolutionMode, Subtree};
use crate::control::{Control, Event, Meter, Pause, Reserved};
use crate::device::{Device, DeviceError, End, Engine, Kernel, Program, Searched, automaton_table};
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

use cut::{Cutter, Plan};

/// Its name.
pub const NAME: &str = "gpu-ida";

/// Kernels take moves back on the way up.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

const KERNEL: OptionSpec = OptionSpec {
    name: "kernel",
    aliases: &[],
    summary: "how lanes share the work: a group of them for each subtree (block), one (thread), or whichever is measured to be faster",
    values: OptionValues::Choice(&["auto", "block", "thread"]),
    default: "auto",
};

/// The entry for a puzzle that has device programs for `heuristics`; `build` loads the one that the solver text names.
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

/// The options of a spec: the kernel, `None` for whichever is faster, and whether to stop early. The registry has checked them.
pub fn options(spec: &Spec) -> (Option<Kernel>, bool) {
    let kernel = match spec.option("kernel") {
        Some("block") => Some(Kernel::Block),
        Some("thread") => Some(Kernel::Thread),
        _ => None,
    };
    (kernel, spec.switch("early", true))
}

/// Writes the words of a state, as the program has them, given the heuristic and its value.
pub type Encode<P, H> =
    Box<dyn Fn(&H, &<P as Puzzle>::State, &<H as Heuristic<P>>::Value, &mut Vec<u32>) + Send + Sync>;

/// A puzzle and a heuristic for devices: the program, and its twin on the CPU.
pub struct DeviceProgram<P: Puzzle, H: Heuristic<P>> {
    /// The rules and the bound for the device.
    pub program: Program,
    /// How a state is written for it.
    pub encode: Encode<P, H>,
    /// The same bound on the CPU.
    pub heuristic: H,
    /// The words of moves to try where all solutions are wanted and where not, if they are not the puzzle's.
    pub words: Option<[MoveAutomaton<P::Moves>; 2]>,
}

/// IDA\* on a device.
pub struct GpuIda<P: Puzzle, H: Heuristic<P>> {
    encode: Encode<P, H>,
    heuristic: H,
    words: Option<[MoveAutomaton<P::Moves>; 2]>,
    device: Arc<dyn Device>,
    engine: Mutex<Box<dyn Engine>>,
    kernel: Option<Kernel>,
    early: bool,
    /// Nodes a second, by kernel, as far as they were measured.
    rates: Mutex<[Option<f64>; 2]>,
    /// Whether the device is of no use any more.
    lost: AtomicBool,
    /// What it was asked for as, and what runs where the device is not.
    spec: Spec,
    instead: String,
    grain: Option<u64>,
    /// Bytes that were accounted for when it was loaded.
    loaded: u64,
    _reserved: Reserved,
}

impl<P: Puzzle, H: Heuristic<P>> GpuIda<P, H> {
    /// Loads a program onto a device.
    pub fn new(
        device: Arc<dyn Device>,
        spec: &Spec,
        offer: DeviceProgram<P, H>,
        control: &Control,
    ) -> Result<GpuIda<P, H>, Error> {
        let (kernel, early) = options(spec);
        let DeviceProgram { program, encode, heuristic, words } = offer;
        let copy = control.reserve(4 * program.table.len() as u64)?;
        let mut engine = device.load(&program)?;
        drop(copy);
        // The one that the first passes use is compiled before anybody looks at the clock.
        engine.ready(kernel.unwrap_or(Kernel::Thread)).map_err(|DeviceError(reason)| {
            let (device, program) = (device.name().to_owned(), program.name.to_owned());
            EnvironmentError::Kernel { device, program, reason }
        })?;
        let loaded = engine.bytes();
        let reserved = control.reserve(loaded)?;
        let bound = spec.heuristic.as_ref().map_or_else(String::new, |bound| format!("+{bound}"));
        Ok(GpuIda {
            encode,
            heuristic,
            words,
            device,
            engine: Mutex::new(engine),
            kernel,
            early,
            rates: Mutex::default(),
            lost: AtomicBool::new(false),
            spec: spec.clone(),
            instead: format!("parida:bpmx=off{bound}"),
            grain: None,
            loaded,
            _reserved: reserved,
        })
    }

    /// The same with parts of about so many nodes, as they were in the pass before; the least makes as many parts as there can be.
    #[must_use]
    pub fn with_grain(self, grain: u64) -> GpuIda<P, H> {
        GpuIda { grain: Some(grain), ..self }
    }

    /// The device it is loaded onto.
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    fn generic<'a>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        mode: SolutionMode,
    ) -> GenericDfs<'a, P, H> {
        let automaton = match &self.words {
            Some(own) => std::borrow::Cow::Borrowed(&own[usize::from(mode.lists_all())]),
            None => automaton(puzzle, mode),
        };
        GenericDfs { puzzle, heuristic: &self.heuristic, automaton, starts, bpmx: false, mode }
    }

    /// The executor of one position's passes.
    pub fn device_dfs<'a>(&'a self, puzzle: &'a P, starts: &'a [P::State], all: bool) -> DeviceDfs<'a, P, H> {
        let twin = self.generic(puzzle, starts, SolutionMode::of(all, self.early));
        let automaton = automaton_table(&twin.automaton);
        DeviceDfs {
            ida: self,
            twin,
            automaton,
            plan: Mutex::default(),
            counted: Mutex::default(),
            parts: Mutex::default(),
            kernel: Mutex::default(),
        }
    }

    /// The name of the search with this kernel.
    fn named(&self, kernel: Kernel) -> String {
        let mut spec = self.spec.clone();
        spec.options.retain(|(name, _)| name != "kernel");
        spec.options.insert(0, ("kernel".into(), kernel.name().into()));
        spec.to_string()
    }

    /// The engine, once nobody else uses it; `None` where the search is stopped before.
    fn engine(&self, control: &Control) -> Option<MutexGuard<'_, Box<dyn Engine>>> {
        loop {
            match self.engine.try_lock() {
                Ok(engine) => return Some(engine),
                Err(TryLockError::Poisoned(engine)) => return Some(engine.into_inner()),
                Err(TryLockError::WouldBlock) if control.poll().is_err() => return None,
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// The kernel for the next pass: the one asked for, else one that was not measured yet, else the faster.
    fn choose(&self) -> Kernel {
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
        let device = self.device_dfs(puzzle, starts, control.all());
        let mut report = iterative_deepening(&device.twin, control, &device);
        if self.lost.load(Relaxed) {
            report.solver = Some(self.instead.clone());
            report.threads = control.threads();
        } else {
            report.device = Some(self.device.name());
            // Which one was taken in the end.
            if let (None, Some(kernel)) = (self.kernel, device.kernel()) {
                report.solver = Some(self.named(kernel));
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
        Some(Box::new(self.generic(puzzle, starts, mode)))
    }
}

/// Runs the passes of one position on a device.
pub struct DeviceDfs<'a, P: Puzzle, H: Heuristic<P>> {
    ida: &'a GpuIda<P, H>,
    /// What the CPU would do.
    twin: GenericDfs<'a, P, H>,
    automaton: Vec<u32>,
    /// What the last pass has taught about the tree.
    plan: Mutex<Plan>,
    counted: Mutex<Counted>,
    /// Parts that the last pass was cut into.
    parts: Mutex<usize>,
    /// The kernel that searched them.
    kernel: Mutex<Option<Kernel>>,
}

/// What was counted in a pass.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counted {
    /// All nodes.
    pub nodes: u64,
    /// Those that the device counted.
    pub on_device: u64,
    /// Solutions, by whoever counted them.
    pub solutions: u64,
}

/// A pass takes at least so long to say how fast a kernel is.
const TELLING: Duration = Duration::from_millis(100);
/// No more parts than this: they take memory, and a device has no use for more.
const MOST_PARTS: u64 = 1_000_000;

/// A part of the tree that took more nodes than this in the pass before is cut. So the CPU makes less than a hundredth of the nodes.
fn grain(kernel: Kernel) -> u64 {
    match kernel {
        // A group is only busy once its stack has grown.
        Kernel::Block => 4000,
        Kernel::Thread => 600,
    }
}

/// What a pass on the device gave.
struct Gathered {
    probed: PassResult,
    on_device: u64,
    solutions: u64,
}

impl Gathered {
    /// What was done before the device begins.
    fn begin(probed: PassResult) -> Gathered {
        Gathered { solutions: probed.found.len() as u64, probed, on_device: 0 }
    }
}

impl<P: Puzzle, H: Heuristic<P>> DeviceDfs<'_, P, H> {
    /// What was counted in the last pass.
    pub fn last_pass(&self) -> Counted {
        *lock(&self.counted)
    }

    /// Parts that the last pass was cut into.
    pub fn parts(&self) -> usize {
        *lock(&self.parts)
    }

    /// The kernel of the last pass.
    fn kernel(&self) -> Option<Kernel> {
        *lock(&self.kernel)
    }

    /// Whether a pass may end at its first solution.
    fn first(&self) -> bool {
        self.twin.mode.stops_at_first()
    }

    /// One pass on the device.
    fn pass(&self, trees: &[Subtree], bound: Cost, meter: &mut Meter<'_>) -> Result<Gathered, DeviceError> {
        let control = meter.control();
        let unbegun = || Gathered::begin(PassResult { rest: trees.to_vec(), ..PassResult::nothing() });
        if matches!(meter.check().break_value(), Some(Pause::Stop(_))) {
            return Ok(unbegun());
        }
        let Some(mut engine) = self.ida.engine(control) else { return Ok(unbegun()) };
        let mut plan = lock(&self.plan);
        let kernel = self.ida.choose();
        engine.ready(kernel)?;
        let limit = self.ida.grain.unwrap_or_else(|| grain(kernel).max(plan.nodes() / MOST_PARTS * 16));
        let mut cutter = Cutter::new(&self.twin, &self.ida.encode, bound, &plan, limit, control);
        for tree in trees {
            cutter.cut(tree);
        }
        let mut cut = cutter.done();
        if control.stop().is_some() {
            // There is no room for so many parts, or no time.
            return Ok(unbegun());
        }
        meter.spend(cut.probed.nodes);
        let mut gathered = Gathered::begin(std::mem::replace(&mut cut.probed, PassResult::nothing()));
        if !gathered.probed.found.is_empty() && self.first() {
            return Ok(gathered);
        }
        let (mut parts, mut batch) = (cut.parts, cut.batch);
        *lock(&self.parts) = batch.count;
        *lock(&self.kernel) = Some(kernel);
        let mut stacks = match control.reserve(0) {
            Ok(nothing) => nothing,
            Err(_) => return Ok(unbegun()),
        };
        let begun = control.clock().now();
        while batch.count > 0 {
            if batch.most_left > Program::MOST_LEFT {
                return Err(DeviceError(format!(
                    "a bound of {bound} is more than devices are programmed for"
                )));
            }
            engine.begin(kernel, &self.automaton, &batch, self.first())?;
            let more = engine.bytes().saturating_sub(self.ida.loaded).saturating_sub(stacks.bytes());
            if let Err(stop) = stacks.grow(more) {
                control.request_stop(stop);
                gathered.probed.rest = trees.to_vec();
                return Ok(gathered);
            }
            let stopped = self.run(&mut **engine, batch.count, meter)?;
            let results = engine.collect()?;
            if results.len() != batch.count {
                return Err(DeviceError("results are missing".into()));
            }
            let mut open = false;
            let mut again = Cutter::new(&self.twin, &self.ida.encode, bound, &plan, limit, control);
            for (part, result) in parts.iter().zip(&results) {
                if result.end == End::Overflowed {
                    again.split(part);
                    continue;
                }
                gathered.add(result, bound);
                cut.plan.learn(part.place, result.nodes);
                if result.solutions > 0 {
                    self.rebuild(&part.tree, result, bound, &mut gathered.probed)?;
                }
                open |= result.end == End::Open;
            }
            let found = !gathered.probed.found.is_empty() && self.first();
            if found || stopped || control.stop().is_some() {
                // Nobody takes up what is left, so it is told in few words.
                gathered.probed.rest = trees.to_vec();
                break;
            }
            if open {
                return Err(DeviceError("parts of the tree were left out".into()));
            }
            let mut again = again.done();
            meter.spend(again.probed.nodes);
            let met = std::mem::replace(&mut again.probed, PassResult::nothing());
            gathered.solutions += met.found.len() as u64;
            gathered.probed.absorb(met);
            (parts, batch) = (again.parts, again.batch);
        }
        let took = control.clock().now().saturating_sub(begun);
        if took >= TELLING {
            let rate = gathered.on_device as f64 / took.as_secs_f64();
            lock(&self.ida.rates)[kernel.index()] = Some(rate);
        }
        cut.plan.sum_up();
        *plan = cut.plan;
        Ok(gathered)
    }

    /// Lets the device work until all parts are done, a solution is found that will do, or the search is stopped; true if it is.
    fn run(&self, engine: &mut dyn Engine, count: usize, meter: &mut Meter<'_>) -> Result<bool, DeviceError> {
        /// A device that gets nowhere so many times in a row is stuck.
        const IDLE: usize = 1000;
        let (mut nodes, mut idle) = (0, 0);
        loop {
            let stand = engine.advance()?;
            let Some(more) = stand.nodes.checked_sub(nodes) else {
                return Err(DeviceError("it counts backwards".into()));
            };
            idle = if more == 0 { idle + 1 } else { 0 };
            nodes = stand.nodes;
            meter.spend(more);
            if stand.done >= count || (stand.found && self.first()) {
                return Ok(false);
            }
            let paused = meter.check().break_value();
            if matches!(paused, Some(Pause::Stop(_))) || meter.control().poll().is_err() {
                return Ok(true);
            }
            if idle > IDLE {
                return Err(DeviceError("it does not get on".into()));
            }
        }
    }

    /// The paths to the solutions that the device found in a part of the tree.
    fn rebuild(
        &self,
        tree: &Subtree,
        result: &Searched,
        bound: Cost,
        probed: &mut PassResult,
    ) -> Result<(), DeviceError> {
        // The device has counted these nodes.
        let apart = Control::default();
        let found = self.twin.run_pass(vec![tree.clone()], bound, &mut apart.meter()).found;
        let agreed = if self.first() { !found.is_empty() } else { found.len() == result.solutions as usize };
        if !agreed {
            return Err(DeviceError("it found a solution where there is none".into()));
        }
        probed.found.extend(found);
        Ok(())
    }
}

impl Gathered {
    fn add(&mut self, result: &Searched, bound: Cost) {
        self.probed.nodes += result.nodes;
        self.probed.expanded += result.expanded;
        self.probed.next = self.probed.next.min(bound.saturating_add(result.excess));
        self.on_device += result.nodes;
        self.solutions += u64::from(result.solutions);
    }
}

impl<P: Puzzle, H: Heuristic<P>> DeviceDfs<'_, P, H> {
    /// The same search on the CPU.
    pub fn twin(&self) -> &dyn BoundedDfs {
        &self.twin
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
        if !self.ida.lost.load(Relaxed) {
            match self.pass(&subtrees, bound, &mut control.meter()) {
                Ok(Gathered { probed, on_device, solutions }) => {
                    *lock(&self.counted) = Counted { nodes: probed.nodes, on_device, solutions };
                    return probed;
                }
                Err(DeviceError(why)) => {
                    self.ida.lost.store(true, Relaxed);
                    let (device, instead) = (self.ida.device.name(), &self.ida.instead);
                    control.emit(&Event::Warning(format!(
                        "{device} failed: {why}; {instead} goes on without it"
                    )));
                }
            }
        }
        let result = Threads.run_pass(dfs, subtrees, bound, control);
        let solutions = result.found.len() as u64;
        *lock(&self.counted) = Counted { nodes: result.nodes, on_device: 0, solutions };
        result
    }

    fn workers(&self, _control: &Control) -> usize {
        1
    }
}
