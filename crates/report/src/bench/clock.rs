//! The clock of a measurement.
//!
//! A single-threaded case uses the CPU time of the process, which other processes hardly affect. A parallel
//! case uses wall-clock time, the time that its threads are meant to save.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::cpu_time::cpu_seconds;

/// The kind of time that is measured.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// CPU time of all threads of the process.
    Cpu,
    /// Wall-clock time.
    Wall,
}

impl Clock {
    /// The clock for a search on this many threads.
    pub fn for_threads(threads: usize) -> Clock {
        if threads == 1 && cpu_seconds().is_some() { Clock::Cpu } else { Clock::Wall }
    }

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Cpu => "CPU",
            Clock::Wall => "wall",
        }
    }

    /// Runs `work` and returns the seconds it took with its result.
    pub fn time<T>(self, work: impl FnOnce() -> T) -> (f64, T) {
        let (start, cpu_start) = (Instant::now(), cpu_seconds());
        let result = work();
        let wall = start.elapsed().as_secs_f64();
        let cpu = cpu_start.zip(cpu_seconds()).map_or(wall, |(start, end)| end - start);
        (if self == Clock::Cpu { cpu } else { wall }, result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn both_clocks_measure_work() {
        assert!(Clock::Wall.time(|| std::thread::sleep(Duration::from_millis(20))).0 >= 0.02);
        let start = Instant::now();
        let (seconds, turns) =
            Clock::for_threads(1).time(|| (0u64..).take_while(|_| start.elapsed().as_millis() < 20).count());
        assert!(seconds > 0.0 && turns > 0);
        assert_eq!(Clock::for_threads(2), Clock::Wall);
    }
}
