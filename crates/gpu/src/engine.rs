//! A [`Program`] (the rules of a puzzle and a heuristic, in WGSL) loaded on a GPU: its table, buffers,
//! dispatches and results.
//!
//! A pass is one iteration of IDA*: it searches a [`Batch`] of subtrees to a cost bound. There are two
//! kernels: in the block kernel a workgroup shares one subtree, in the thread kernel each lane searches its
//! own. A pass is split into many short dispatches that resume where the previous one stopped: drivers reset
//! devices that seem to hang, and cancellation waits for at most one dispatch.

use std::time::{Duration, Instant};

use untumble_search::device::{
    Batch, DeviceError, Engine, Kernel, PassProgress, Program, SubtreeResult, SubtreeStatus,
};
use wgpu::BufferUsages as Usage;

use crate::device::{DeviceConfig, FirstError, GpuDevice, buffer_bytes, create_buffer};
use crate::dispatch_pacer::DispatchPacer;
use crate::kernel_source::{self, FIRST_TABLE_BINDING, KernelSizes};

/// A program with its table on the device.
pub(crate) struct GpuEngine {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// The first error that wgpu's callbacks reported, shared with the device.
    first_error: FirstError,
    /// Whether the driver runs on the CPU.
    software: bool,
    config: DeviceConfig,
    /// The largest buffer that a kernel can use.
    max_binding_bytes: u64,
    workgroup_memory_bytes: u32,
    /// The program without its table.
    program: Program,
    /// The table in chunks of `chunk_words` words.
    table: Vec<wgpu::Buffer>,
    layout: wgpu::BindGroupLayout,
    /// Indexed by kernel; compiled on first use.
    pipelines: [Option<wgpu::ComputePipeline>; 2],
    /// The pacers that choose the number of steps of each dispatch; indexed by kernel.
    pacers: [DispatchPacer; 2],
    /// The parameters of one dispatch, see `common.wgsl`.
    params: wgpu::Buffer,
    /// The progress of the pass, written by the kernel.
    counters: wgpu::Buffer,
    /// A copy of `counters` that the CPU can map.
    counters_copy: wgpu::Buffer,
    active_pass: Option<ActivePass>,
    table_bytes: u64,
    /// Bytes of all stacks of the last pass.
    stack_bytes: u64,
    chunk_words: usize,
}

/// Parameters, progress and buffers of the running pass.
struct ActivePass {
    kernel: Kernel,
    subtree_count: usize,
    /// The number of concurrent workgroups.
    groups: u32,
    /// The number of lanes (shader invocations) of all workgroups.
    lanes: u32,
    /// Whether the pass ends with the first solution.
    stop_at_first: bool,
    /// Nodes generated so far.
    nodes: u64,
    /// One result per subtree, written by the kernel.
    results: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
}

/// The lengths, in 32-bit words, of the counter buffer and of one result; must match `common.wgsl`. The first
/// counter is the next subtree, used by the kernel only; the last word of a result is padding.
const COUNTER_WORDS: usize = 5;
const RESULT_WORDS: usize = 8;
/// A stack frame of the thread kernel is one word: one bit per move, set while the move is untried;
/// `MOVE_BITS` bits for the move made; the rest for the automaton state. In both kernels that state has at
/// most `MAX_AUTOMATON_BITS` bits.
const FRAME_BITS: usize = 32;
const MOVE_BITS: usize = 5;
const MAX_AUTOMATON_BITS: usize = 16;
/// A device that does not respond for this long counts as lost.
const DEVICE_TIMEOUT: Duration = Duration::from_secs(20);
/// Limit on the loop iterations of a lane in one dispatch. lavapipe, Mesa's Vulkan driver for CPUs, silently
/// ends the loops of an invocation after 65,535 iterations in total.
const MAX_LOOP_ITERATIONS: u32 = 20_000;
/// Concurrent workgroups that keep a GPU busy.
const GPU_GROUPS: u32 = 2048;
/// Concurrent workgroups on a software driver, which runs on a few CPU cores.
const SOFTWARE_GROUPS: u32 = 64;

/// The allowed iterations of a kernel's main loop in one dispatch.
fn max_steps(kernel: Kernel, program: &Program) -> u32 {
    match kernel {
        // Each step may push every move of a node in an inner loop.
        Kernel::Block => MAX_LOOP_ITERATIONS / (1 + program.move_count() as u32),
        Kernel::Thread => MAX_LOOP_ITERATIONS,
    }
}

/// The layout of all buffers of a kernel: the bindings 0 to 5 of `common.wgsl` (parameters, counters,
/// subtrees, results, stacks, automaton), then one binding per chunk of the table.
fn bind_group_layout(device: &wgpu::Device, chunks: usize) -> wgpu::BindGroupLayout {
    let entry = |binding: u32| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match binding {
                0 => wgpu::BufferBindingType::Uniform,
                // The kernel writes counters, results and stacks.
                1 | 3 | 4 => wgpu::BufferBindingType::Storage { read_only: false },
                _ => wgpu::BufferBindingType::Storage { read_only: true },
            },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<_> = (0..FIRST_TABLE_BINDING + chunks as u32).map(entry).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
}

impl GpuEngine {
    pub(crate) fn new(gpu: &GpuDevice, program: &Program) -> Result<GpuEngine, DeviceError> {
        assert!(program.move_count() <= Program::MAX_MOVES, "{} has too many moves", program.name);
        let (adapter, config) = (&gpu.adapter, gpu.config);
        let chunk_words = config.chunk_words.unwrap_or((adapter.max_binding_bytes / 4) as usize);
        let chunks = kernel_source::table_chunks(program, chunk_words);
        // Every binding except the parameters is a storage buffer.
        let storage_buffers = FIRST_TABLE_BINDING as usize - 1 + chunks;
        if storage_buffers > adapter.max_storage_buffers as usize {
            return Err(DeviceError(format!(
                "the search needs {storage_buffers} buffers; the device allows {}",
                adapter.max_storage_buffers
            )));
        }
        let layout = bind_group_layout(&gpu.device, chunks);
        let mut table = Vec::new();
        for chunk in 0..chunks {
            let words = program.table.get(chunk * chunk_words..).unwrap_or_default();
            let words = &words[..words.len().min(chunk_words)];
            let buffer = gpu.buffer("table", words.len() as u64, Usage::STORAGE | Usage::COPY_DST);
            gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
            table.push(buffer);
        }
        gpu.first_error.check()?;
        let moves = program.move_count() as u32;
        let counter_usage = Usage::STORAGE | Usage::COPY_DST | Usage::COPY_SRC;
        Ok(GpuEngine {
            device: gpu.device.clone(),
            queue: gpu.queue.clone(),
            first_error: gpu.first_error.clone(),
            software: adapter.software,
            config,
            max_binding_bytes: adapter.max_binding_bytes,
            workgroup_memory_bytes: adapter.workgroup_memory_bytes,
            table_bytes: 4 * program.table.len() as u64,
            stack_bytes: 0,
            program: program.without_table(),
            table,
            layout,
            pipelines: [None, None],
            pacers: Kernel::ALL.map(|kernel| DispatchPacer::new(max_steps(kernel, program), moves)),
            params: gpu.buffer("params", 4, Usage::UNIFORM | Usage::COPY_DST),
            counters: gpu.buffer("counters", COUNTER_WORDS as u64, counter_usage),
            counters_copy: gpu.buffer(
                "counters copy",
                COUNTER_WORDS as u64,
                Usage::MAP_READ | Usage::COPY_DST,
            ),
            active_pass: None,
            chunk_words,
        })
    }

    /// The sizes that a kernel is compiled for.
    fn sizes(&self, kernel: Kernel) -> KernelSizes {
        let default = KernelSizes::default_for(kernel, &self.program, self.workgroup_memory_bytes);
        if kernel == Kernel::Block { self.config.block_kernel_sizes.unwrap_or(default) } else { default }
    }

    /// Compiles a kernel unless it is compiled already.
    fn ensure_pipeline(&mut self, kernel: Kernel) -> Result<(), DeviceError> {
        if self.pipelines[kernel.index()].is_some() {
            return Ok(());
        }
        let text = kernel_source::kernel_source_with_chunks(
            kernel,
            &self.program,
            self.sizes(kernel),
            self.chunk_words,
            self.table.len(),
        );
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(kernel.name()),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&self.layout)],
            ..Default::default()
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(kernel.name()),
            layout: Some(&layout),
            module: &module,
            entry_point: Some("search"),
            compilation_options: Default::default(),
            cache: None,
        });
        self.first_error.check()?;
        self.pipelines[kernel.index()] = Some(pipeline);
        Ok(())
    }

    /// Creates a buffer of 32-bit words.
    fn buffer(&self, label: &str, words: u64, usage: Usage) -> Result<wgpu::Buffer, DeviceError> {
        let size = buffer_bytes(words);
        if size > self.max_binding_bytes {
            return Err(DeviceError(format!("{label}: {size} bytes exceed the largest buffer")));
        }
        Ok(create_buffer(&self.device, label, words, usage))
    }

    /// The number of concurrent workgroups, and the length in words of all their stacks. In the
    /// thread kernel each lane has a stack for its longest path, at most `batch.max_budget` moves; in the
    /// block kernel the lanes of a workgroup share one stack of fixed size.
    fn workgroups(&self, kernel: Kernel, batch: &Batch) -> (u32, u64) {
        let sizes = self.sizes(kernel);
        let (subtrees_per_group, words_per_group) = match kernel {
            Kernel::Block => (1, u64::from(kernel_source::group_stack_words(&self.program, sizes))),
            Kernel::Thread => (
                sizes.workgroup_size,
                u64::from(
                    sizes.workgroup_size * kernel_source::lane_stack_words(&self.program, batch.max_budget),
                ),
            ),
        };
        let default_groups = if self.software { SOFTWARE_GROUPS } else { GPU_GROUPS };
        let needed = batch.count.div_ceil(subtrees_per_group as usize) as u64;
        let fitting = self.max_binding_bytes / 4 / words_per_group;
        let max_groups = u64::from(self.config.max_groups.unwrap_or(default_groups));
        let groups = max_groups.min(needed).min(fitting).max(1);
        (groups as u32, groups * words_per_group)
    }

    /// Waits for a submission, maps the buffer and passes its words to `parse`.
    fn read<T>(
        &self,
        buffer: &wgpu::Buffer,
        submitted: wgpu::SubmissionIndex,
        parse: impl FnOnce(&[u32]) -> T,
    ) -> Result<T, DeviceError> {
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        let wait = wgpu::PollType::Wait { submission_index: Some(submitted), timeout: Some(DEVICE_TIMEOUT) };
        if let Err(error) = self.device.poll(wait) {
            self.first_error.record(format!("the device does not respond: {error}"));
        }
        self.first_error.check()?;
        let parsed = {
            let view = buffer.get_mapped_range(..).map_err(|error| DeviceError(error.to_string()))?;
            parse(bytemuck::cast_slice(&view))
        };
        buffer.unmap();
        Ok(parsed)
    }
}

fn join_words(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

impl Engine for GpuEngine {
    fn begin(
        &mut self,
        kernel: Kernel,
        automaton: &[u32],
        batch: &Batch,
        stop_at_first: bool,
    ) -> Result<(), DeviceError> {
        self.first_error.check()?;
        self.active_pass = None;
        let moves = self.program.move_count();
        // `automaton` holds for each state a word whose bits are the allowed moves, then for each move a word
        // with the next state (see `device::automaton_table`).
        let automaton_states = automaton.len() / (moves + 1);
        let max_states = 1 << (FRAME_BITS - MOVE_BITS - moves).min(MAX_AUTOMATON_BITS);
        if automaton_states > max_states {
            return Err(DeviceError(format!(
                "the move automaton has {automaton_states} states; the kernel supports at most {max_states}"
            )));
        }
        self.ensure_pipeline(kernel)?;
        let (groups, stack_words) = self.workgroups(kernel, batch);
        let lanes = groups * self.sizes(kernel).workgroup_size;
        let subtrees = self.buffer("subtrees", batch.words.len() as u64, Usage::STORAGE | Usage::COPY_DST)?;
        // The buffer holds the inverse of each move, then the words of the automaton, see `common.wgsl`.
        let inverses: Vec<u32> = self.program.inverses.iter().map(|m| u32::from(m.0)).collect();
        let automaton_words = (inverses.len() + automaton.len()) as u64;
        let automaton_buffer = self.buffer("automaton", automaton_words, Usage::STORAGE | Usage::COPY_DST)?;
        // wgpu zeroes new buffers.
        let results =
            self.buffer("results", (batch.count * RESULT_WORDS) as u64, Usage::STORAGE | Usage::COPY_SRC)?;
        let stacks = self.buffer("stacks", stack_words, Usage::STORAGE)?;
        self.stack_bytes = 4 * stack_words;
        self.queue.write_buffer(&subtrees, 0, bytemuck::cast_slice(&batch.words));
        self.queue.write_buffer(&automaton_buffer, 0, bytemuck::cast_slice(&inverses));
        self.queue.write_buffer(
            &automaton_buffer,
            4 * inverses.len() as u64,
            bytemuck::cast_slice(automaton),
        );
        self.queue.write_buffer(&self.counters, 0, bytemuck::cast_slice(&[0u32; COUNTER_WORDS]));
        let buffers = [&self.params, &self.counters, &subtrees, &results, &stacks, &automaton_buffer];
        let entries: Vec<_> = (0..)
            .zip(buffers.into_iter().chain(&self.table))
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let bind_group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        });
        self.pacers[kernel.index()].begin(lanes);
        self.active_pass = Some(ActivePass {
            kernel,
            subtree_count: batch.count,
            groups,
            lanes,
            stop_at_first,
            nodes: 0,
            results,
            bind_group,
        });
        self.first_error.check()
    }

    fn advance(&mut self) -> Result<PassProgress, DeviceError> {
        let Some(pass) = &self.active_pass else { return Err(DeviceError("no pass has begun".into())) };
        let Some(pipeline) = &self.pipelines[pass.kernel.index()] else {
            return Err(DeviceError("no kernel was compiled".into()));
        };
        let steps = self.pacers[pass.kernel.index()].steps();
        let params = [steps, pass.subtree_count as u32, pass.lanes, u32::from(pass.stop_at_first)];
        self.queue.write_buffer(&self.params, 0, bytemuck::cast_slice(&params));
        let begun = Instant::now();
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            compute.set_pipeline(pipeline);
            compute.set_bind_group(0, &pass.bind_group, &[]);
            compute.dispatch_workgroups(pass.groups, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&self.counters, 0, &self.counters_copy, 0, 4 * COUNTER_WORDS as u64);
        let submitted = self.queue.submit([encoder.finish()]);
        let progress = self.read(&self.counters_copy, submitted, |counters| PassProgress {
            finished: counters[1] as usize,
            found: counters[2] != 0,
            nodes: join_words(counters[3], counters[4]),
        })?;
        if let Some(pass) = &mut self.active_pass {
            let new_nodes = progress.nodes.saturating_sub(std::mem::replace(&mut pass.nodes, progress.nodes));
            self.pacers[pass.kernel.index()].record(begun.elapsed(), new_nodes);
        }
        Ok(progress)
    }

    fn collect(&mut self) -> Result<Vec<SubtreeResult>, DeviceError> {
        let Some(pass) = self.active_pass.take() else { return Err(DeviceError("no pass has begun".into())) };
        let words = (pass.subtree_count * RESULT_WORDS) as u64;
        let copy = self.buffer("copy", words, Usage::MAP_READ | Usage::COPY_DST)?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&pass.results, 0, &copy, 0, 4 * words);
        let submitted = self.queue.submit([encoder.finish()]);
        self.read(&copy, submitted, |words| {
            let parse_result = |result: &[u32]| SubtreeResult {
                nodes: join_words(result[0], result[1]),
                expanded: join_words(result[2], result[3]),
                // The least excess of a pruned f-value over the bound. It is stored as a complement, so that
                // zeroed memory means `Cost::MAX`: no pruned node.
                min_excess: !result[4],
                solutions: result[5],
                status: match result[6] {
                    0 => SubtreeStatus::Unfinished,
                    1 => SubtreeStatus::Done,
                    _ => SubtreeStatus::StackOverflowed,
                },
            };
            words.chunks_exact(RESULT_WORDS).map(parse_result).collect()
        })
    }

    fn compile_kernel(&mut self, kernel: Kernel) -> Result<(), DeviceError> {
        if self.pipelines[kernel.index()].is_none() {
            // Some drivers compile at the first dispatch: run the kernel on an empty batch.
            self.begin(kernel, &[], &Batch::default(), false)?;
            self.advance()?;
            self.active_pass = None;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.table_bytes + self.stack_bytes
    }
}
