//! Processor, threads and memory of this machine.
//!
//! The memory limits of Linux control groups (versions 1 and 2) are respected, so that defaults fit into a
//! container.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use serde::{Deserialize, Serialize};

use crate::number_format;

/// The machine on which measurements were taken.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Machine {
    /// The processor's model name.
    pub processor: String,
    /// The number of threads that run at once.
    pub cores: usize,
    /// Bytes of memory, if known.
    pub memory: Option<u64>,
    /// Operating system and architecture.
    pub system: String,
}

impl Machine {
    /// This machine.
    pub fn detect() -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let model_name = |line: &str| {
            line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim().to_owned())
        };
        Machine {
            processor: read("/proc/cpuinfo")
                .lines()
                .find_map(model_name)
                .unwrap_or_else(|| "unknown processor".into()),
            cores: available_threads(),
            memory: field(&read("/proc/meminfo"), "MemTotal:").map(|kilobytes| kilobytes * 1024),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }

    /// The machine on one line.
    pub fn description(&self) -> String {
        let memory = self
            .memory
            .map_or_else(String::new, |bytes| format!(", {} of memory", number_format::bytes(bytes)));
        format!(
            "{}, {}{memory}, {}",
            self.processor,
            number_format::pluralize(self.cores as u64, "core"),
            self.system
        )
    }
}

/// The number of threads that run at once; 1 if unknown.
pub fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The memory limit of a search that sets none: three quarters of the available memory, in bytes. `None` if
/// the available memory is unknown.
pub fn default_memory_limit() -> Option<u64> {
    available_memory().map(|bytes| bytes / 4 * 3)
}

/// The resident memory of this process in bytes; `None` if the system does not report it.
pub fn resident_memory() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:").map(|kilobytes| kilobytes * 1024)
}

fn available_memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok();
    let machine = meminfo.and_then(|text| field(&text, "MemAvailable:")).map(|kilobytes| kilobytes * 1024);
    machine.into_iter().chain(available_in_cgroups()).min()
}

/// The bytes that the control groups of this process still allow: the minimum over all groups.
fn available_in_cgroups() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().filter_map(available_in_cgroup).min()
}

/// The bytes that one line of `/proc/self/cgroup` still allows: `0::/path` (version 2) or `5:memory:/path`
/// (version 1).
fn available_in_cgroup(line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    let (root, limit, used) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
        _ if controllers.split(',').any(|name| name == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
        }
        _ => return None,
    };
    let group = Path::new(root).join(path.trim_start_matches('/'));
    // A container often sees its own group at the root, regardless of the path.
    let enclosing = group.ancestors().take_while(|folder| folder.starts_with(root));
    enclosing.filter_map(|folder| available_in_folder(folder, limit, used)).min()
}

/// The bytes that the group in a folder still allows; `limit` and `used` are names of its files.
fn available_in_folder(group: &Path, limit: &str, used: &str) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let limit = number(limit)?;
    let statistics = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    // The kernel evicts cached files when memory is needed.
    let cache = field(&statistics, "inactive_file").unwrap_or(0);
    Some(limit.saturating_sub(number(used).unwrap_or(0).saturating_sub(cache)))
}

/// The number after a name at the beginning of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(name)).then(|| words.next()?.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let text = "MemTotal: 100 kB\nMemAvailable:    42 kB\n";
        assert_eq!(field(text, "MemAvailable:"), Some(42));
        assert_eq!(field(text, "Mem"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_reports_available_memory() {
        let bytes = default_memory_limit().expect("/proc/meminfo");
        assert!((1 << 20..1 << 50).contains(&bytes), "{bytes} bytes");
        let resident = resident_memory().expect("/proc/self/status");
        assert!((1 << 20..1 << 40).contains(&resident), "{resident} bytes");
    }
}
