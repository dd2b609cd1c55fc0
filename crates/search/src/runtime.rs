//! Resources shared by searches: tables, devices, the executor. Entry points receive a [`Runtime`]; nothing
//! is global.

use std::sync::Arc;

use crate::device::DeviceProvider;
use crate::executor::{Executor, Threads};
use crate::family::PuzzleFamily;
use crate::tables::{InMemory, Tables};

/// The resources that searches of one process share. Cloning shares them.
#[derive(Clone)]
pub struct Runtime {
    /// The source of tables.
    pub tables: Arc<dyn Tables>,
    /// The source of devices; `None` if the program has no device support.
    pub devices: Option<Arc<dyn DeviceProvider>>,
    /// The executor of parallel iterative deepening.
    pub executor: Arc<dyn Executor>,
    /// Puzzle families besides the built-in ones.
    pub families: Vec<Arc<dyn PuzzleFamily>>,
}

impl Default for Runtime {
    /// Tables in memory, no devices, passes on all threads.
    fn default() -> Runtime {
        Runtime {
            tables: Arc::new(InMemory::default()),
            devices: None,
            executor: Arc::new(Threads),
            families: Vec::new(),
        }
    }
}

impl Runtime {
    /// Replaces the source of tables.
    #[must_use]
    pub fn with_tables(self, tables: Arc<dyn Tables>) -> Runtime {
        Runtime { tables, ..self }
    }

    /// Adds a puzzle family.
    #[must_use]
    pub fn with_family(mut self, family: Arc<dyn PuzzleFamily>) -> Runtime {
        self.families.push(family);
        self
    }

    /// Sets the source of devices.
    #[must_use]
    pub fn with_devices(self, devices: Arc<dyn DeviceProvider>) -> Runtime {
        Runtime { devices: Some(devices), ..self }
    }
}
