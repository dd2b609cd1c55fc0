//! The passes of one position on a device, with the CPU as fallback.
//!
//! The CPU splits a pass into parts (subtrees of similar size), and the device searches all of them at once,
//! as in the GPU IDA\* of Horie & Fukunaga (SoCS 2017). The device counts solutions but returns no paths;
//! the CPU searches the parts with solutions again. A part whose stack overflows on the device is split
//! again.

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::GpuIda;
use super::split::{Splitter, TreeProfile};
use crate::bounded_dfs::{BoundedDfs, GenericDfs, PassResult, Subtree};
use crate::control::{BreakReason, Control, Event, Meter};
use crate::device::{DeviceError, Engine, Kernel, Program, SubtreeResult, SubtreeStatus, automaton_table};
use crate::executor::{Executor, Threads};
use crate::heuristic::Heuristic;
use crate::locks::lock;
use crate::puzzle::{Cost, Puzzle};

/// Runs the passes of one position on a device.
pub struct DeviceDfs<'a, P: Puzzle, H: Heuristic<P>> {
    ida: &'a GpuIda<P, H>,
    /// The same search on the CPU.
    cpu: GenericDfs<'a, P, H>,
    /// The automaton as a table for the device.
    automaton: Vec<u32>,
    /// Node counts of the subtrees of the last pass, by which the next pass is split.
    profile: Mutex<TreeProfile>,
    /// The counts of the last pass.
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
fn default_split_threshold(kernel: Kernel) -> u64 {
    match kernel {
        // A group of lanes is busy only once its stack has grown.
        Kernel::Block => 4000,
        Kernel::Thread => 600,
    }
}

/// The result of a pass on the device.
struct DevicePass {
    result: PassResult,
    /// The nodes that the device generated.
    on_device: u64,
    /// The solutions found on the device and on the CPU.
    solutions: u64,
}

impl DevicePass {
    /// A pass before the device has begun; `result` is what the CPU found while splitting.
    fn new(result: PassResult) -> DevicePass {
        DevicePass { solutions: result.found.len() as u64, result, on_device: 0 }
    }

    /// Adds the result of a subtree.
    fn add(&mut self, result: &SubtreeResult, bound: Cost) {
        self.result.nodes += result.nodes;
        self.result.expanded += result.expanded;
        self.result.next_bound = self.result.next_bound.min(bound.saturating_add(result.min_excess));
        self.on_device += result.nodes;
        self.solutions += u64::from(result.solutions);
    }
}

impl<'a, P: Puzzle, H: Heuristic<P>> DeviceDfs<'a, P, H> {
    pub(super) fn new(ida: &'a GpuIda<P, H>, cpu: GenericDfs<'a, P, H>) -> DeviceDfs<'a, P, H> {
        DeviceDfs {
            ida,
            automaton: automaton_table(&cpu.automaton),
            cpu,
            profile: Mutex::default(),
            counts: Mutex::default(),
            subtrees: Mutex::default(),
            kernel: Mutex::default(),
        }
    }

    /// The counts of the last pass.
    pub fn last_pass(&self) -> PassCounts {
        *lock(&self.counts)
    }

    /// The number of subtrees of the last pass.
    pub fn subtree_count(&self) -> usize {
        *lock(&self.subtrees)
    }

    /// The same search on the CPU.
    pub fn cpu(&self) -> &dyn BoundedDfs {
        &self.cpu
    }

    /// The kernel of the last pass.
    pub(super) fn kernel(&self) -> Option<Kernel> {
        *lock(&self.kernel)
    }

    /// Whether a pass may end at its first solution.
    fn stops_at_first(&self) -> bool {
        self.cpu.mode.stops_at_first()
    }

    /// Runs one pass on the device.
    fn device_pass(
        &self,
        trees: &[Subtree],
        bound: Cost,
        meter: &mut Meter<'_>,
    ) -> Result<DevicePass, DeviceError> {
        let control = meter.control();
        let not_started =
            || DevicePass::new(PassResult { unsearched: trees.to_vec(), ..PassResult::empty() });
        if matches!(meter.check().break_value(), Some(BreakReason::Stop(_))) {
            return Ok(not_started());
        }
        let Some(mut engine) = self.ida.lock_engine(control) else { return Ok(not_started()) };
        let mut profile = lock(&self.profile);
        let kernel = self.ida.choose_kernel();
        engine.compile_kernel(kernel)?;
        let threshold = self
            .ida
            .split_threshold
            .unwrap_or_else(|| default_split_threshold(kernel).max(profile.nodes() / MAX_SUBTREES * 16));
        let mut splitter = Splitter::new(&self.cpu, &self.ida.encode, bound, &profile, threshold, control);
        for tree in trees {
            splitter.split(tree);
        }
        let mut split = splitter.finish();
        if control.stop_reason().is_some() {
            // The memory limit or the time limit was reached while splitting.
            return Ok(not_started());
        }
        meter.count_nodes(split.result.nodes);
        let mut pass = DevicePass::new(std::mem::replace(&mut split.result, PassResult::empty()));
        if !pass.result.found.is_empty() && self.stops_at_first() {
            return Ok(pass);
        }
        let (mut parts, mut batch) = (split.parts, split.batch);
        // The reservation of `split` also covers the profile, so it is kept to the end of the pass. Subtrees
        // that are split again are reserved beside it, for as long as they are searched.
        let mut _resplit_memory = None;
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
            let new_bytes =
                engine.bytes().saturating_sub(self.ida.loaded_bytes).saturating_sub(stack_memory.bytes());
            if let Err(stop) = stack_memory.grow(new_bytes) {
                control.request_stop(stop);
                pass.result.unsearched = trees.to_vec();
                return Ok(pass);
            }
            let stopped = self.run_device(&mut **engine, batch.count, meter)?;
            let results = engine.collect()?;
            if results.len() != batch.count {
                return Err(DeviceError("results are missing".into()));
            }
            let mut unfinished = false;
            let mut resplitter =
                Splitter::new(&self.cpu, &self.ida.encode, bound, &profile, threshold, control);
            for (part, result) in parts.iter().zip(&results) {
                if result.status == SubtreeStatus::StackOverflowed {
                    resplitter.split_part(part);
                    continue;
                }
                pass.add(result, bound);
                split.profile.add_nodes(part.branch, result.nodes);
                if result.solutions > 0 {
                    self.recover_paths(&part.tree, result, bound, &mut pass.result)?;
                }
                unfinished |= result.status == SubtreeStatus::Unfinished;
            }
            let ended_by_solution = !pass.result.found.is_empty() && self.stops_at_first();
            if ended_by_solution || stopped || control.stop_reason().is_some() {
                // The pass is over, so it does not matter which subtrees are left.
                pass.result.unsearched = trees.to_vec();
                break;
            }
            if unfinished {
                return Err(DeviceError("some subtrees were not searched".into()));
            }
            let mut resplit = resplitter.finish();
            meter.count_nodes(resplit.result.nodes);
            let on_cpu = std::mem::replace(&mut resplit.result, PassResult::empty());
            pass.solutions += on_cpu.found.len() as u64;
            pass.result.absorb(on_cpu);
            (parts, batch, _resplit_memory) = (resplit.parts, resplit.batch, resplit.memory);
        }
        let elapsed = control.clock().now().saturating_sub(started);
        if elapsed >= MIN_TIMED_PASS {
            let rate = pass.on_device as f64 / elapsed.as_secs_f64();
            lock(&self.ida.rates)[kernel.index()] = Some(rate);
        }
        split.profile.accumulate();
        *profile = split.profile;
        Ok(pass)
    }

    /// Advances the device until all `count` subtrees are done, a solution ends the pass, or the search is
    /// stopped. Returns whether the search was stopped.
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
            let Some(new_nodes) = progress.nodes.checked_sub(nodes) else {
                return Err(DeviceError("its node count decreased".into()));
            };
            idle = if new_nodes == 0 { idle + 1 } else { 0 };
            nodes = progress.nodes;
            meter.count_nodes(new_nodes);
            if progress.finished >= count || (progress.found && self.stops_at_first()) {
                return Ok(false);
            }
            let paused = meter.check().break_value();
            if matches!(paused, Some(BreakReason::Stop(_))) || meter.control().poll().is_err() {
                return Ok(true);
            }
            if idle > MAX_IDLE {
                return Err(DeviceError("it makes no progress".into()));
            }
        }
    }

    /// Searches a subtree again on the CPU, for the paths of the solutions that the device found in it.
    fn recover_paths(
        &self,
        tree: &Subtree,
        result: &SubtreeResult,
        bound: Cost,
        pass: &mut PassResult,
    ) -> Result<(), DeviceError> {
        // The device has counted these nodes already, so the meter of the search must not count them again.
        let separate_control = Control::default();
        let found = self.cpu.run_pass(vec![tree.clone()], bound, &mut separate_control.meter()).found;
        let confirmed =
            if self.stops_at_first() { !found.is_empty() } else { found.len() == result.solutions as usize };
        if !confirmed {
            return Err(DeviceError("it reported a solution that does not exist".into()));
        }
        pass.found.extend(found);
        Ok(())
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
