//! What the machine has to offer.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use serde::{Deserialize, Serialize};

use crate::figures;

/// What measurements were taken on.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Machine {
    /// The processor's model name.
    pub processor: String,
    /// How many threads run at once.
    pub cores: usize,
    /// Bytes of memory, where that is known.
    pub memory: Option<u64>,
    /// Operating system and architecture.
    pub system: String,
}

impl Machine {
    /// This one.
    pub fn here() -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let named = |line: &str| {
            line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim().to_owned())
        };
        Machine {
            processor: read("/proc/cpuinfo")
                .lines()
                .find_map(named)
                .unwrap_or_else(|| "unknown processor".into()),
            cores: threads(),
            memory: field(&read("/proc/meminfo"), "MemTotal:").map(|kilobytes| kilobytes * 1024),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }

    /// In a line.
    pub fn text(&self) -> String {
        let memory =
            self.memory.map_or_else(String::new, |bytes| format!(", {} of memory", figures::bytes(bytes)));
        format!(
            "{}, {}{memory}, {}",
            self.processor,
            figures::counted(self.cores as u64, "core"),
            self.system
        )
    }
}

/// How many threads run at once.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The memory limit where none is given: three quarters of what is free, so
/// that the rest of the machine can breathe. `None` where that is not known.
pub fn memory() -> Option<u64> {
    free().map(|bytes| bytes / 4 * 3)
}

fn free() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok();
    let machine = meminfo.and_then(|text| field(&text, "MemAvailable:")).map(|kilobytes| kilobytes * 1024);
    machine.into_iter().chain(left_in_group()).min()
}

/// What the control groups around this process leave it, the tightest of them.
fn left_in_group() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().filter_map(left_on_line).min()
}

/// `0::/path` (version 2) or `5:memory:/path` (version 1).
fn left_on_line(line: &str) -> Option<u64> {
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
    // A container often sees its own group at the root, whatever the path says.
    let around = group.ancestors().take_while(|folder| folder.starts_with(root));
    around.filter_map(|folder| left(folder, limit, used)).min()
}

fn left(group: &Path, limit: &str, used: &str) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let limit = number(limit)?;
    let statistics = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    // Cached files give way when memory is needed.
    let cache = field(&statistics, "inactive_file").unwrap_or(0);
    Some(limit.saturating_sub(number(used).unwrap_or(0).saturating_sub(cache)))
}

/// The number that follows a name at the beginning of a line.
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
    fn fields_are_found_by_their_whole_name() {
        let text = "MemTotal: 100 kB\nMemAvailable:    42 kB\n";
        assert_eq!(field(text, "MemAvailable:"), Some(42));
        assert_eq!(field(text, "Mem"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_knows_its_free_memory() {
        let bytes = memory().expect("/proc/meminfo");
        assert!((1 << 20..1 << 50).contains(&bytes), "{bytes} bytes");
    }
}
