//! The adapters of this machine.

use std::sync::{Arc, Mutex, PoisonError};

use untumble_search::error::{EnvironmentError, Error};

use crate::engine::Processor;

/// What is known about an adapter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adapter {
    /// What it is called.
    pub name: String,
    /// Whether it is a processor of its own, a part of the main one, or a driver that runs on that.
    pub kind: &'static str,
    /// What speaks to it: Vulkan, Metal or DirectX 12.
    pub interface: &'static str,
    /// The driver and its version.
    pub driver: String,
    /// Whether its driver runs on the main processor.
    pub software: bool,
    /// The most bytes of a table in one piece.
    pub most_binding: u64,
    /// The most bytes of a buffer.
    pub most_buffer: u64,
    /// Tables and buffers that a kernel may read.
    pub most_buffers: u32,
    /// The most lanes of a group.
    pub most_lanes: u32,
    /// Bytes of memory that a group has for itself.
    pub group_bytes: u32,
}

fn all() -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
    // Those that are worth more come first; what drivers report last stays behind.
    adapters.sort_by_key(|adapter| {
        let info = adapter.get_info();
        // Of drivers that run on the processor Mesa's is the faster one.
        (rank(info.device_type), !info.name.starts_with("llvmpipe"))
    });
    adapters
}

fn rank(kind: wgpu::DeviceType) -> u8 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

pub(crate) fn described(adapter: &wgpu::Adapter) -> Adapter {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    let driver = [info.driver.trim(), info.driver_info.trim()].into_iter().filter(|part| !part.is_empty());
    Adapter {
        name: info.name.trim().to_owned(),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "a card of its own",
            wgpu::DeviceType::IntegratedGpu => "part of the processor",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software on the processor",
            wgpu::DeviceType::Other => "unknown",
        },
        interface: match info.backend {
            wgpu::Backend::Vulkan => "Vulkan",
            wgpu::Backend::Metal => "Metal",
            wgpu::Backend::Dx12 => "DirectX 12",
            _ => "unknown",
        },
        driver: driver.collect::<Vec<_>>().join(" "),
        software: info.device_type == wgpu::DeviceType::Cpu,
        most_binding: limits.max_storage_buffer_binding_size,
        most_buffer: limits.max_buffer_size,
        most_buffers: limits.max_storage_buffers_per_shader_stage,
        most_lanes: limits.max_compute_invocations_per_workgroup,
        group_bytes: limits.max_compute_workgroup_storage_size,
    }
}

/// The adapters there are, the most promising first. Drivers are asked anew each time.
pub fn adapters() -> Vec<Adapter> {
    all().iter().map(described).collect()
}

/// What is said where there is none.
const NO_ADAPTER: &str = "gpu-ida needs a driver for Vulkan, Metal or DirectX 12; \
                          the same search on the processor is parida";

/// The adapter of a number, the first where none is chosen, made ready.
pub fn open(number: Option<usize>) -> Result<Processor, Error> {
    let mut adapters = all();
    if adapters.is_empty() {
        return Err(EnvironmentError::NoDevice { reason: NO_ADAPTER.into() }.into());
    }
    let (number, count) = (number.unwrap_or(0), adapters.len());
    if number >= count {
        return Err(EnvironmentError::UnknownDevice { number, last: count - 1 }.into());
    }
    Processor::new(&adapters.swap_remove(number))
}

/// The same, opened once and kept: whoever asks later gets the same one, and another only where it was lost.
pub fn opener(number: Option<usize>) -> impl Fn() -> Result<Arc<Processor>, Error> + Send + Sync {
    let opened: Mutex<Option<Arc<Processor>>> = Mutex::default();
    move || {
        let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(processor) = opened.as_ref().filter(|processor| !processor.is_lost()) {
            return Ok(Arc::clone(processor));
        }
        let processor = Arc::new(open(number)?);
        *opened = Some(Arc::clone(&processor));
        Ok(processor)
    }
}
