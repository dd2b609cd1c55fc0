//! What searches share: tables, devices, the executor. Every entry point is handed one; nothing is global.

use std::sync::Arc;

use crate::device::DeviceProvider;
use crate::executor::{Executor, Threads};
use crate::family::PuzzleFamily;
use crate::tables::{InMemory, Tables};

/// The resources that searches of one process share. Cloning shares them.
#[derive(Clone)]
pub struct Runtime {
    /// Where tables come from.
    pub tables: Arc<dyn Tables>,
    /// Where devices come from; `None` where the program has no support for them.
    pub devices: Option<Arc<dyn DeviceProvider>>,
    /// What runs the passes of parallel iterative deepening.
    pub executor: Arc<dyn Executor>,
    /// Families of puzzles beside the built-in ones.
    pub families: Vec<Arc<dyn PuzzleFamily>>,
}

impl Default for Runtime {
    /// Tables in memory, no devices, threads.
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
    /// The same with tables from elsewhere.
    #[must_use]
    pub fn with_tables(self, tables: Arc<dyn Tables>) -> Runtime {
        Runtime { tables, ..self }
    }

    /// The same with another family of puzzles.
    #[must_use]
    pub fn with_family(mut self, family: Arc<dyn PuzzleFamily>) -> Runtime {
        self.families.push(family);
        self
    }

    /// The same with devices.
    #[must_use]
    pub fn with_devices(self, devices: Arc<dyn DeviceProvider>) -> Runtime {
        Runtime { devices: Some(devices), ..self }
    }
}
