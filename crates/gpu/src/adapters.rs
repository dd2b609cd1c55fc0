//! Enumerates and opens the GPU adapters of the machine.

use std::sync::{Arc, Mutex, PoisonError};

use untumble_search::error::{EnvironmentError, Error};

use crate::device::GpuDevice;

/// Name, driver and limits of an adapter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adapter {
    /// The name that the driver reports.
    pub name: String,
    /// Discrete, integrated, virtual or software, in words.
    pub kind: &'static str,
    /// The graphics API: Vulkan, Metal or DirectX 12.
    pub graphics_api: &'static str,
    /// The driver and its version.
    pub driver: String,
    /// Whether the driver runs on the CPU.
    pub software: bool,
    /// The largest buffer that a kernel can bind. Larger tables are bound in chunks.
    pub max_binding_bytes: u64,
    /// The largest buffer.
    pub max_buffer_bytes: u64,
    /// The number of storage buffers that a kernel can bind.
    pub max_storage_buffers: u32,
    /// The largest number of lanes of a workgroup.
    pub max_workgroup_size: u32,
    /// Bytes of workgroup memory.
    pub workgroup_memory_bytes: u32,
}

/// All adapters, the most capable first.
fn enumerate() -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
    adapters.sort_by_key(|adapter| {
        let info = adapter.get_info();
        // Among software drivers, Mesa's llvmpipe is the fastest.
        (rank(info.device_type), !info.name.starts_with("llvmpipe"))
    });
    adapters
}

/// The rank of a kind of device; the most capable kind has rank 0.
fn rank(kind: wgpu::DeviceType) -> u8 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

/// Reads the properties of an adapter.
pub(crate) fn describe(adapter: &wgpu::Adapter) -> Adapter {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    let driver = [info.driver.trim(), info.driver_info.trim()].into_iter().filter(|part| !part.is_empty());
    Adapter {
        name: info.name.trim().to_owned(),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete GPU",
            wgpu::DeviceType::IntegratedGpu => "integrated GPU",
            wgpu::DeviceType::VirtualGpu => "virtual GPU",
            wgpu::DeviceType::Cpu => "software driver on the CPU",
            wgpu::DeviceType::Other => "unknown",
        },
        graphics_api: match info.backend {
            wgpu::Backend::Vulkan => "Vulkan",
            wgpu::Backend::Metal => "Metal",
            wgpu::Backend::Dx12 => "DirectX 12",
            _ => "unknown",
        },
        driver: driver.collect::<Vec<_>>().join(" "),
        software: info.device_type == wgpu::DeviceType::Cpu,
        max_binding_bytes: limits.max_storage_buffer_binding_size,
        max_buffer_bytes: limits.max_buffer_size,
        max_storage_buffers: limits.max_storage_buffers_per_shader_stage,
        max_workgroup_size: limits.max_compute_invocations_per_workgroup,
        workgroup_memory_bytes: limits.max_compute_workgroup_storage_size,
    }
}

/// All adapters, the most capable first. Every call queries the drivers.
pub fn adapters() -> Vec<Adapter> {
    enumerate().iter().map(describe).collect()
}

/// The reason in [`EnvironmentError::NoDevice`].
const NO_ADAPTER: &str = "gpu-ida needs a driver for Vulkan, Metal or DirectX 12; \
                          the same search on the CPU is parida";

/// Opens the adapter with that index in [`adapters`]; `None` is the first.
pub fn open(number: Option<usize>) -> Result<GpuDevice, Error> {
    let mut adapters = enumerate();
    if adapters.is_empty() {
        return Err(EnvironmentError::NoDevice { reason: NO_ADAPTER.into() }.into());
    }
    let (number, count) = (number.unwrap_or(0), adapters.len());
    if number >= count {
        return Err(EnvironmentError::UnknownDevice { number, last: count - 1 }.into());
    }
    GpuDevice::new(&adapters.swap_remove(number))
}

/// A function that opens the adapter on its first call, returns the same device on later calls, and opens
/// the adapter again if the device is lost.
pub fn opener(number: Option<usize>) -> impl Fn() -> Result<Arc<GpuDevice>, Error> + Send + Sync {
    let opened: Mutex<Option<Arc<GpuDevice>>> = Mutex::default();
    move || {
        let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = opened.as_ref().filter(|device| !device.is_lost()) {
            return Ok(Arc::clone(device));
        }
        let device = Arc::new(open(number)?);
        *opened = Some(Arc::clone(&device));
        Ok(device)
    }
}
