//! A program on a graphics processor: buffers, dispatches, and what is read back after each.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use untumble_search::device::{Batch, Device, DeviceError, End, Engine, Kernel, Program, Searched, Stand};
use untumble_search::error::{EnvironmentError, Error};

use crate::adapters::{Adapter, described};
use crate::pace::Pace;
use crate::source::{self, FIRST_PIECE, Sizes};

/// A graphics processor, ready for programs.
pub struct Processor {
    about: Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
    fault: Fault,
    setup: Setup,
}

/// What tests set to provoke what is rare; the usual values serve everybody else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// Sizes of the block kernel.
    pub block: Option<Sizes>,
    /// Groups that work side by side.
    pub groups: Option<u32>,
    /// The most words of the table in one piece.
    pub piece: Option<usize>,
}

/// What went wrong on the device, told from wherever it was noticed.
#[derive(Clone, Default)]
struct Fault(Arc<Mutex<Option<String>>>);

impl Fault {
    fn note(&self, what: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
    }

    fn check(&self) -> Result<(), DeviceError> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(what) => Err(DeviceError(what.clone())),
        }
    }
}

impl Processor {
    pub(crate) fn new(adapter: &wgpu::Adapter) -> Result<Processor, Error> {
        let about = described(adapter);
        let usual = adapter.limits();
        // What tables and buffers need, and nothing that only drawing needs.
        let required_limits = wgpu::Limits {
            max_storage_buffer_binding_size: usual.max_storage_buffer_binding_size,
            max_buffer_size: usual.max_buffer_size,
            max_storage_buffers_per_shader_stage: usual.max_storage_buffers_per_shader_stage,
            max_compute_workgroup_storage_size: usual.max_compute_workgroup_storage_size,
            max_compute_invocations_per_workgroup: usual.max_compute_invocations_per_workgroup,
            max_compute_workgroup_size_x: usual.max_compute_workgroup_size_x,
            max_compute_workgroups_per_dimension: usual.max_compute_workgroups_per_dimension,
            ..wgpu::Limits::downlevel_defaults().using_resolution(usual)
        };
        let descriptor =
            wgpu::DeviceDescriptor { label: Some("untumble"), required_limits, ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|why| {
            EnvironmentError::Device { device: about.name.clone(), reason: why.to_string() }
        })?;
        let fault = Fault::default();
        let (errors, losses) = (fault.clone(), fault.clone());
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| errors.note(error.to_string())));
        device.set_device_lost_callback(move |_, what| {
            losses.note(if what.is_empty() { "the device was lost".into() } else { what });
        });
        Ok(Processor { about, device, queue, fault, setup: Setup::default() })
    }

    /// The same with other sizes.
    #[must_use]
    pub fn with(self, setup: Setup) -> Processor {
        Processor { setup, ..self }
    }

    /// What is known about it.
    pub fn about(&self) -> &Adapter {
        &self.about
    }

    /// Whether anything went wrong on it; nothing runs there any more.
    pub fn is_lost(&self) -> bool {
        self.fault.check().is_err()
    }

    /// Takes the device away from all who use it, as a driver does that restarts.
    pub fn lose(&self) {
        self.device.destroy();
    }

    fn buffer(&self, label: &str, words: u64, usage: Usage) -> wgpu::Buffer {
        created(&self.device, label, words, usage)
    }
}

/// Bytes of a buffer for so many words: none may be empty.
fn buffer_bytes(words: u64) -> u64 {
    4 * words.max(1)
}

fn created(device: &wgpu::Device, label: &str, words: u64, usage: Usage) -> wgpu::Buffer {
    let size = buffer_bytes(words);
    let label = Some(label);
    device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
}

impl Device for Processor {
    fn name(&self) -> String {
        let Adapter { name, interface, driver, .. } = &self.about;
        [name.as_str(), *interface, driver]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn load(&self, program: &Program) -> Result<Box<dyn Engine>, Error> {
        Loaded::new(self, program).map(|loaded| Box::new(loaded) as _).map_err(|DeviceError(reason)| {
            let (device, program) = (self.about.name.clone(), program.name.to_owned());
            EnvironmentError::Kernel { device, program, reason }.into()
        })
    }
}

/// A program with its table on the device.
struct Loaded {
    device: wgpu::Device,
    queue: wgpu::Queue,
    fault: Fault,
    software: bool,
    setup: Setup,
    most_binding: u64,
    group_bytes: u32,
    /// The program; its table is on the device.
    program: Program,
    table: Vec<wgpu::Buffer>,
    layout: wgpu::BindGroupLayout,
    /// Compiled when first needed.
    pipelines: [Option<wgpu::ComputePipeline>; 2],
    /// How much goes into a dispatch, by kernel.
    paces: [Pace; 2],
    orders: wgpu::Buffer,
    desk: wgpu::Buffer,
    heard: wgpu::Buffer,
    pass: Option<Pass>,
    /// Bytes of the table, and of the stacks of the last pass.
    table_bytes: u64,
    stack_bytes: u64,
    piece: usize,
}

/// The buffers of a pass.
struct Pass {
    kernel: Kernel,
    count: usize,
    groups: u32,
    lanes: u32,
    first: bool,
    /// Nodes so far.
    nodes: u64,
    results: wgpu::Buffer,
    bindings: wgpu::BindGroup,
}

/// Move sequences of the desk and of a result, as the kernels have them.
const DESK: usize = 5;
const RESULT: usize = 8;
/// A driver that does not answer for so long is lost.
const PATIENCE: Duration = Duration::from_secs(20);
/// Turns of all loops of a lane in one dispatch. Mesa's software driver ends loops after 65,535 turns and says nothing.
const MOST_TURNS: u32 = 20_000;

use wgpu::BufferUsages as Usage;

/// Turns of a kernel's main loop that are allowed in one dispatch.
fn most_steps(kernel: Kernel, program: &Program) -> u32 {
    match kernel {
        // The moves that are put on the stack are turns of a loop as well.
        Kernel::Block => MOST_TURNS / (1 + program.inverses.len() as u32),
        Kernel::Thread => MOST_TURNS,
    }
}

impl Loaded {
    fn new(processor: &Processor, program: &Program) -> Result<Loaded, DeviceError> {
        assert!(program.inverses.len() <= Program::MOST_MOVES, "{} has too many moves", program.name);
        let (about, setup) = (&processor.about, processor.setup);
        let piece = setup.piece.unwrap_or((about.most_binding / 4) as usize);
        let pieces = source::pieces(program, piece);
        let bindings = FIRST_PIECE as usize - 1 + pieces;
        if bindings > about.most_buffers as usize {
            return Err(DeviceError(format!(
                "its table takes {bindings} buffers; the device allows {}",
                about.most_buffers
            )));
        }
        let entry = |binding: u32| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match binding {
                    0 => wgpu::BufferBindingType::Uniform,
                    1 | 3 | 4 => wgpu::BufferBindingType::Storage { read_only: false },
                    _ => wgpu::BufferBindingType::Storage { read_only: true },
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let entries: Vec<_> = (0..FIRST_PIECE + pieces as u32).map(entry).collect();
        let layout = processor
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let mut table = Vec::new();
        for number in 0..pieces {
            let words = program.table.get(number * piece..).unwrap_or_default();
            let words = &words[..words.len().min(piece)];
            let buffer = processor.buffer("table", words.len() as u64, Usage::STORAGE | Usage::COPY_DST);
            processor.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
            table.push(buffer);
        }
        processor.fault.check()?;
        let moves = program.inverses.len() as u32;
        Ok(Loaded {
            device: processor.device.clone(),
            queue: processor.queue.clone(),
            fault: processor.fault.clone(),
            software: about.software,
            setup,
            most_binding: about.most_binding,
            group_bytes: about.group_bytes,
            table_bytes: 4 * program.table.len() as u64,
            stack_bytes: 0,
            program: program.without_table(),
            table,
            layout,
            pipelines: [None, None],
            paces: Kernel::ALL.map(|kernel| Pace::new(most_steps(kernel, program), moves)),
            orders: processor.buffer("orders", 4, Usage::UNIFORM | Usage::COPY_DST),
            desk: processor.buffer("desk", DESK as u64, Usage::STORAGE | Usage::COPY_DST | Usage::COPY_SRC),
            heard: processor.buffer("heard", DESK as u64, Usage::MAP_READ | Usage::COPY_DST),
            pass: None,
            piece,
        })
    }

    fn sizes(&self, kernel: Kernel) -> Sizes {
        let usual = Sizes::usual(kernel, &self.program, self.group_bytes);
        if kernel == Kernel::Block { self.setup.block.unwrap_or(usual) } else { usual }
    }

    fn compile(&mut self, kernel: Kernel) -> Result<(), DeviceError> {
        if self.pipelines[kernel.index()].is_some() {
            return Ok(());
        }
        let text = source::in_pieces(kernel, &self.program, self.sizes(kernel), self.piece, self.table.len());
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
        self.fault.check()?;
        self.pipelines[kernel.index()] = Some(pipeline);
        Ok(())
    }

    fn buffer(&self, label: &str, words: u64, usage: Usage) -> Result<wgpu::Buffer, DeviceError> {
        let size = buffer_bytes(words);
        if size > self.most_binding {
            return Err(DeviceError(format!("{label} of {size} bytes do not fit a buffer")));
        }
        Ok(created(&self.device, label, words, usage))
    }

    /// Groups that work side by side, and words of memory for all of them.
    fn crew(&self, kernel: Kernel, batch: &Batch) -> (u32, u64) {
        let sizes = self.sizes(kernel);
        let (trees_of_group, words) = match kernel {
            Kernel::Block => (1, u64::from(source::group_words(&self.program, sizes))),
            Kernel::Thread => {
                (sizes.group, u64::from(sizes.group * source::lane_words(&self.program, batch.most_left)))
            }
        };
        // Enough to keep a card busy; a driver on the processor has a few cores only.
        let usual = if self.software { 64 } else { 2048 };
        let needed = batch.count.div_ceil(trees_of_group as usize) as u64;
        let room = self.most_binding / 4 / words;
        let groups = u64::from(self.setup.groups.unwrap_or(usual)).min(needed).min(room).max(1);
        (groups as u32, groups * words)
    }

    /// Waits until what was submitted is done, and reads a buffer.
    fn read<T>(
        &self,
        buffer: &wgpu::Buffer,
        submitted: wgpu::SubmissionIndex,
        take: impl FnOnce(&[u32]) -> T,
    ) -> Result<T, DeviceError> {
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        let wait = wgpu::PollType::Wait { submission_index: Some(submitted), timeout: Some(PATIENCE) };
        if let Err(why) = self.device.poll(wait) {
            self.fault.note(format!("the device does not answer: {why}"));
        }
        self.fault.check()?;
        let taken = {
            let view = buffer.get_mapped_range(..).map_err(|why| DeviceError(why.to_string()))?;
            take(bytemuck::cast_slice(&view))
        };
        buffer.unmap();
        Ok(taken)
    }
}

fn long(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

impl Engine for Loaded {
    fn begin(
        &mut self,
        kernel: Kernel,
        automaton: &[u32],
        batch: &Batch,
        first: bool,
    ) -> Result<(), DeviceError> {
        self.fault.check()?;
        self.pass = None;
        let moves = self.program.inverses.len();
        let trails = automaton.len() / (moves + 1);
        if trails > 1 << (27 - moves).min(16) {
            return Err(DeviceError(format!("{trails} trails of words are more than a frame has room for")));
        }
        self.compile(kernel)?;
        let (groups, memory_words) = self.crew(kernel, batch);
        let lanes = groups * self.sizes(kernel).group;
        let inverses: Vec<u32> = self.program.inverses.iter().map(|m| u32::from(m.0)).collect();
        let subtrees = self.buffer("subtrees", batch.words.len() as u64, Usage::STORAGE | Usage::COPY_DST)?;
        let trails = self.buffer(
            "words",
            (inverses.len() + automaton.len()) as u64,
            Usage::STORAGE | Usage::COPY_DST,
        )?;
        // New buffers are zeros.
        let results =
            self.buffer("results", (batch.count * RESULT) as u64, Usage::STORAGE | Usage::COPY_SRC)?;
        let memory = self.buffer("stacks", memory_words, Usage::STORAGE)?;
        self.stack_bytes = 4 * memory_words;
        self.queue.write_buffer(&subtrees, 0, bytemuck::cast_slice(&batch.words));
        self.queue.write_buffer(&trails, 0, bytemuck::cast_slice(&inverses));
        self.queue.write_buffer(&trails, 4 * inverses.len() as u64, bytemuck::cast_slice(automaton));
        self.queue.write_buffer(&self.desk, 0, bytemuck::cast_slice(&[0u32; DESK]));
        let parts = [&self.orders, &self.desk, &subtrees, &results, &memory, &trails];
        let entries: Vec<_> = (0..)
            .zip(parts.into_iter().chain(&self.table))
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let bindings = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        });
        self.paces[kernel.index()].begin(lanes);
        self.pass =
            Some(Pass { kernel, count: batch.count, groups, lanes, first, nodes: 0, results, bindings });
        self.fault.check()
    }

    fn advance(&mut self) -> Result<Stand, DeviceError> {
        let Some(pass) = &self.pass else { return Err(DeviceError("no pass was begun".into())) };
        let Some(pipeline) = &self.pipelines[pass.kernel.index()] else {
            return Err(DeviceError("no kernel was compiled".into()));
        };
        let steps = self.paces[pass.kernel.index()].steps();
        let orders = [steps, pass.count as u32, pass.lanes, u32::from(pass.first)];
        self.queue.write_buffer(&self.orders, 0, bytemuck::cast_slice(&orders));
        let begun = Instant::now();
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            compute.set_pipeline(pipeline);
            compute.set_bind_group(0, &pass.bindings, &[]);
            compute.dispatch_workgroups(pass.groups, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&self.desk, 0, &self.heard, 0, 4 * DESK as u64);
        let submitted = self.queue.submit([encoder.finish()]);
        let stand = self.read(&self.heard, submitted, |desk| Stand {
            done: desk[1] as usize,
            found: desk[2] != 0,
            nodes: long(desk[3], desk[4]),
        })?;
        if let Some(pass) = &mut self.pass {
            let more = stand.nodes.saturating_sub(std::mem::replace(&mut pass.nodes, stand.nodes));
            self.paces[pass.kernel.index()].learn(begun.elapsed(), more);
        }
        Ok(stand)
    }

    fn collect(&mut self) -> Result<Vec<Searched>, DeviceError> {
        let Some(pass) = self.pass.take() else { return Err(DeviceError("no pass was begun".into())) };
        let words = (pass.count * RESULT) as u64;
        let copy = self.buffer("copy", words, Usage::MAP_READ | Usage::COPY_DST)?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&pass.results, 0, &copy, 0, 4 * words);
        let submitted = self.queue.submit([encoder.finish()]);
        self.read(&copy, submitted, |words| {
            let searched = |result: &[u32]| Searched {
                nodes: long(result[0], result[1]),
                expanded: long(result[2], result[3]),
                excess: !result[4],
                solutions: result[5],
                end: match result[6] {
                    0 => End::Open,
                    1 => End::Done,
                    _ => End::Overflowed,
                },
            };
            words.chunks_exact(RESULT).map(searched).collect()
        })
    }

    fn ready(&mut self, kernel: Kernel) -> Result<(), DeviceError> {
        if self.pipelines[kernel.index()].is_none() {
            // Some drivers compile when a kernel is first run: so it runs, on nothing.
            self.begin(kernel, &[], &Batch::default(), false)?;
            self.advance()?;
            self.pass = None;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.table_bytes + self.stack_bytes
    }
}
