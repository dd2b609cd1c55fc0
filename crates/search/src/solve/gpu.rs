//! IDA\* on a graphics processor, after BPIDA\* (Horie & Fukunaga, "Block-Parallel IDA\* for GPUs", SoCS
//! 2017).
//!
//! [`DeviceDfs`] is an [`Executor`](crate::executor::Executor): it splits a pass on the CPU into subtrees,
//! lets a [`Device`] search them and counts exactly the nodes that the CPU would count. The device returns
//! counts, bounds and the subtrees that contain solutions, never moves. The CPU searches those subtrees
//! again, so every claim of a device is verified. If the device fails, the CPU repeats the pass and
//! continues.

mod device_dfs;
mod split;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use crate::bounded_dfs::{BoundedDfs, GenericDfs, SolutionMode};
use crate::control::{Control, Reservation};
use crate::device::{Device, DeviceError, Engine, Kernel, Program};
use crate::error::{EnvironmentError, Error};
use crate::heuristic::Heuristic;
use crate::locks::lock;
use crate::moves::MoveAutomaton;
use crate::puzzle::{Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, BuildContext, NamedHeuristic, OptionSpec};
use crate::report::Report;
use crate::solve::Solver;
use crate::solve::ida::{self, EARLY, automaton, iterative_deepening};
use crate::spec::{OptionValues, Spec, SpecError};

pub use device_dfs::{DeviceDfs, PassCounts};

/// The name of the algorithm in specs.
pub const NAME: &str = "gpu-ida";

/// A kernel undoes moves when its depth-first search backtracks.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

const KERNEL: OptionSpec = OptionSpec {
    name: "kernel",
    aliases: &[],
    summary: "lanes per subtree: a group (block), one (thread), or the faster of both as measured (auto)",
    values: OptionValues::Choice(&["auto", "block", "thread"]),
    default: "auto",
};

/// A heuristic with a device program, and the constructor of the solver that runs it.
pub struct ProgramEntry<P: Puzzle> {
    heuristic: &'static str,
    build: Box<BuildProgram<P>>,
}

/// Loads a program onto a device; gets the argument of the heuristic.
type BuildProgram<P> = dyn Fn(&BuildContext<'_, P>, Option<&str>, Arc<dyn Device>) -> Result<Box<dyn Solver<P>>, Error>
    + Send
    + Sync;

impl<P: Puzzle> ProgramEntry<P> {
    /// An entry for the heuristic of that primary name; `program` gets its argument.
    pub fn new<H: Heuristic<P>>(
        heuristic: &'static str,
        program: impl Fn(&BuildContext<'_, P>, Option<&str>) -> Result<DeviceProgram<P, H>, Error>
        + Send
        + Sync
        + 'static,
    ) -> ProgramEntry<P> {
        let build = move |context: &BuildContext<'_, P>, argument: Option<&str>, device: Arc<dyn Device>| {
            let program = program(context, argument)?;
            Ok(Box::new(GpuIda::new(device, context.spec, program, context.control)?) as Box<dyn Solver<P>>)
        };
        ProgramEntry { heuristic, build: Box::new(build) }
    }
}

/// The registry entry of `gpu-ida` for a puzzle with device programs.
pub fn entry<P: Puzzle>(programs: Vec<ProgramEntry<P>>) -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        aliases: &["gpu-ida*", "gpuida"],
        options: &[KERNEL, EARLY],
        requirements: REQUIREMENTS,
        takes_heuristic: true,
        heuristics: Some(programs.iter().map(|program| program.heuristic).collect()),
        needs_device: true,
        ..AlgorithmInfo::new(NAME, "IDA* on a graphics processor")
    };
    AlgorithmEntry::new(info, move |context| {
        // Open the device before any table is built.
        let devices = context.runtime.devices.as_deref();
        let devices = devices.ok_or_else(|| SpecError::NoDeviceSupport { algorithm: NAME.into() })?;
        let device = devices.open()?;
        let heuristic = context.named_heuristic()?;
        let entry = heuristic.and_then(|NamedHeuristic { name, argument }| {
            Some((programs.iter().find(|program| program.heuristic == name)?, argument))
        });
        match entry {
            Some((program, argument)) => (program.build)(context, argument.as_deref(), device),
            None => Err(SpecError::NoHeuristic {
                algorithm: NAME.into(),
                puzzle: context.registry.puzzle().to_owned(),
            }
            .into()),
        }
    })
}

/// The options of a completed spec (a parsed solver text): the kernel (`None` selects the faster one), and
/// whether the last pass ends at its first solution.
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
    /// The program loaded on the device; one search uses it at a time.
    engine: Mutex<Box<dyn Engine>>,
    /// The configured kernel; `None` selects the faster one.
    kernel: Option<Kernel>,
    /// Whether the last pass ends at its first solution.
    early: bool,
    /// Nodes per second by kernel, as far as measured.
    rates: Mutex<[Option<f64>; 2]>,
    /// Whether the device has failed.
    failed: AtomicBool,
    /// The spec of this solver.
    spec: Spec,
    /// The spec of the CPU search that replaces a failed device.
    fallback: String,
    /// Replaces the default node count above which a subtree is split, for tests.
    split_threshold: Option<u64>,
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
        // Loading needs a copy of the table.
        let table_copy = control.reserve(4 * program.table.len() as u64)?;
        let mut engine = device.load(&program)?;
        drop(table_copy);
        // Compile the kernel of the first passes now, so that it does not count as search time.
        engine.compile_kernel(kernel.unwrap_or(Kernel::Thread)).map_err(|DeviceError(reason)| {
            let (device, program) = (device.name().to_owned(), program.name.to_owned());
            EnvironmentError::Kernel { device, program, reason }
        })?;
        let loaded_bytes = engine.bytes();
        let reserved = control.reserve(loaded_bytes)?;
        let heuristic_part = spec.heuristic.as_ref().map_or_else(String::new, |expr| format!("+{expr}"));
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
            fallback: format!("{}:bpmx=off{heuristic_part}", ida::PARALLEL_NAME),
            split_threshold: None,
            loaded_bytes,
            _reserved: reserved,
        })
    }

    /// Sets the number of nodes, counted in the previous pass, above which a subtree is split. 0 splits down
    /// to single nodes.
    #[must_use]
    pub fn with_split_threshold(self, nodes: u64) -> GpuIda<P, H> {
        GpuIda { split_threshold: Some(nodes), ..self }
    }

    /// The device that the program is loaded onto.
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    /// The same search on the CPU.
    fn cpu_dfs<'a>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        mode: SolutionMode,
    ) -> GenericDfs<'a, P, H> {
        let automaton = match &self.automata {
            Some(automata) => std::borrow::Cow::Borrowed(&automata[usize::from(mode.lists_all())]),
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
        DeviceDfs::new(self, cpu)
    }

    /// The spec of this search with an explicit kernel.
    fn spec_with_kernel(&self, kernel: Kernel) -> String {
        let mut spec = self.spec.clone();
        spec.options.retain(|(name, _)| name != "kernel");
        spec.options.insert(0, ("kernel".into(), kernel.name().into()));
        spec.to_string()
    }

    /// Waits for exclusive use of the engine; `None` if the search stops first.
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
        let device_dfs = self.device_dfs(puzzle, starts, control.all_solutions());
        let mut report = iterative_deepening(device_dfs.cpu(), control, &device_dfs);
        if self.failed.load(Relaxed) {
            report.solver = Some(self.fallback.clone());
            report.threads = control.threads();
        } else {
            report.device = Some(self.device.name());
            // Report the kernel that `auto` selected in the last pass.
            if let (None, Some(kernel)) = (self.kernel, device_dfs.kernel()) {
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
