//! What time is taken with. The CPU time of a process hardly minds what else the machine does, so one thread is
//! measured with that; several threads are there to save time on the wall.

use std::time::Instant;

use serde::{Deserialize, Serialize};

/// A way to take time.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// What all threads of the process took.
    Cpu,
    /// What went by.
    Wall,
}

impl Kind {
    /// The one for a search on so many threads.
    pub fn of(threads: usize) -> Kind {
        if threads == 1 && cpu().is_some() { Kind::Cpu } else { Kind::Wall }
    }

    /// Its name.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Cpu => "CPU",
            Kind::Wall => "wall",
        }
    }

    /// The seconds that some work takes, and what it gives.
    pub fn time<T>(self, work: impl FnOnce() -> T) -> (f64, T) {
        let (begun, before) = (Instant::now(), cpu());
        let done = work();
        let wall = begun.elapsed().as_secs_f64();
        let spent = before.zip(cpu()).map_or(wall, |(before, after)| after - before);
        (if self == Kind::Cpu { spent } else { wall }, done)
    }
}

/// CPU seconds of this process so far, where the system tells.
#[cfg(unix)]
fn cpu() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(unix))]
fn cpu() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn work_takes_time_by_either_clock() {
        assert!(Kind::Wall.time(|| std::thread::sleep(Duration::from_millis(20))).0 >= 0.02);
        let begun = Instant::now();
        let (seconds, turns) =
            Kind::of(1).time(|| (0u64..).take_while(|_| begun.elapsed().as_millis() < 20).count());
        assert!(seconds > 0.0 && turns > 0);
        assert_eq!(Kind::of(2), Kind::Wall);
    }
}
