//! An opened GPU: device, queue and the first error that occurred on it. It loads a [`Program`] (rules
//! and heuristic of one puzzle in WGSL, with their table) and returns the [`Engine`] that searches with it.

use std::sync::{Arc, Mutex, PoisonError};

use untumble_search::device::{Device, DeviceError, Engine, Program};
use untumble_search::error::{EnvironmentError, Error};
use wgpu::BufferUsages;

use crate::adapters::{Adapter, describe};
use crate::engine::GpuEngine;
use crate::kernel_source::KernelSizes;

/// An opened GPU.
pub struct GpuDevice {
    pub(crate) adapter: Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) first_error: FirstError,
    pub(crate) config: DeviceConfig,
}

/// Overrides of default sizes. Tests use them to provoke overflows and split tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DeviceConfig {
    /// Sizes of workgroup and stack of the block kernel, in which a workgroup shares one subtree (BPIDA\*).
    pub block_kernel_sizes: Option<KernelSizes>,
    /// The largest number of concurrent workgroups.
    pub max_groups: Option<u32>,
    /// The lookup table of a [`Program`] is split into buffers of this many 32-bit words.
    pub chunk_words: Option<usize>,
}

/// The first error of a device, shared with the callbacks of wgpu.
#[derive(Clone, Default)]
pub(crate) struct FirstError(Arc<Mutex<Option<String>>>);

impl FirstError {
    /// Records an error unless an earlier one is recorded.
    pub(crate) fn record(&self, message: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(message);
    }

    /// Fails with the recorded error, if any.
    pub(crate) fn check(&self) -> Result<(), DeviceError> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(message) => Err(DeviceError(message.clone())),
        }
    }
}

impl GpuDevice {
    /// Opens the device of an adapter (wgpu's term for a GPU with its driver).
    pub(crate) fn new(adapter: &wgpu::Adapter) -> Result<GpuDevice, Error> {
        let limits = adapter.limits();
        // The adapter's limits for compute, the minimum limits for everything else.
        let required_limits = wgpu::Limits {
            max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
            max_buffer_size: limits.max_buffer_size,
            max_storage_buffers_per_shader_stage: limits.max_storage_buffers_per_shader_stage,
            max_compute_workgroup_storage_size: limits.max_compute_workgroup_storage_size,
            max_compute_invocations_per_workgroup: limits.max_compute_invocations_per_workgroup,
            max_compute_workgroup_size_x: limits.max_compute_workgroup_size_x,
            max_compute_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
            ..wgpu::Limits::downlevel_defaults().using_resolution(limits)
        };
        let descriptor =
            wgpu::DeviceDescriptor { label: Some("untumble"), required_limits, ..Default::default() };
        let requested = pollster::block_on(adapter.request_device(&descriptor));
        let adapter = describe(adapter);
        let (device, queue) = requested.map_err(|error| EnvironmentError::Device {
            device: adapter.name.clone(),
            reason: error.to_string(),
        })?;
        let first_error = FirstError::default();
        let (on_error, on_loss) = (first_error.clone(), first_error.clone());
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| on_error.record(error.to_string())));
        device.set_device_lost_callback(move |_, message| {
            on_loss.record(if message.is_empty() { "the device was lost".into() } else { message });
        });
        Ok(GpuDevice { adapter, device, queue, first_error, config: DeviceConfig::default() })
    }

    /// The same device with another configuration.
    #[must_use]
    pub fn with_config(self, config: DeviceConfig) -> GpuDevice {
        GpuDevice { config, ..self }
    }

    /// The adapter's name, driver and limits.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// Whether the device is unusable. Any error counts as loss, and nothing runs on the device afterwards.
    pub fn is_lost(&self) -> bool {
        self.first_error.check().is_err()
    }

    /// Destroys the device, as a driver reset does. For tests.
    pub fn lose(&self) {
        self.device.destroy();
    }

    /// Creates a buffer of 32-bit words.
    pub(crate) fn buffer(&self, label: &str, words: u64, usage: BufferUsages) -> wgpu::Buffer {
        create_buffer(&self.device, label, words, usage)
    }
}

/// The size of a buffer in bytes: at least one word, because buffers must not be empty.
pub(crate) fn buffer_bytes(words: u64) -> u64 {
    4 * words.max(1)
}

pub(crate) fn create_buffer(
    device: &wgpu::Device,
    label: &str,
    words: u64,
    usage: BufferUsages,
) -> wgpu::Buffer {
    let (label, size) = (Some(label), buffer_bytes(words));
    device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
}

impl Device for GpuDevice {
    fn name(&self) -> String {
        let Adapter { name, graphics_api, driver, .. } = &self.adapter;
        [name.as_str(), *graphics_api, driver]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn load(&self, program: &Program) -> Result<Box<dyn Engine>, Error> {
        GpuEngine::new(self, program).map(|engine| Box::new(engine) as _).map_err(|DeviceError(reason)| {
            let (device, program) = (self.adapter.name.clone(), program.name.to_owned());
            EnvironmentError::Kernel { device, program, reason }.into()
        })
    }
}
