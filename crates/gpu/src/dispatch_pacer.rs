//! Chooses the length of a dispatch: long enough to amortise its overhead, short enough for driver
//! watchdogs and for prompt cancellation.

use std::time::Duration;

/// The target duration of a dispatch. Drivers reset devices that seem to hang, and cancellation waits
/// for a dispatch.
const TARGET: Duration = Duration::from_millis(25);
/// Steps of the first dispatch, before anything is measured.
const INITIAL_STEPS: u32 = 64;
/// The largest factor by which the steps change from one dispatch to the next.
const MAX_CHANGE: f64 = 4.0;

/// Feedback control of the steps per dispatch of one kernel.
pub(crate) struct DispatchPacer {
    /// Iterations of the kernel's main loop in the next dispatch.
    steps: u32,
    max_steps: u32,
    /// The most nodes that a lane generates in one step: all children of one node.
    nodes_per_step: u32,
    /// The highest node rate measured so far, per second.
    max_rate: f64,
}

impl DispatchPacer {
    /// A pacer without measurements.
    pub(crate) fn new(max_steps: u32, nodes_per_step: u32) -> DispatchPacer {
        let steps = INITIAL_STEPS.min(max_steps);
        DispatchPacer { steps, max_steps, nodes_per_step: nodes_per_step.max(1), max_rate: 0.0 }
    }

    /// Resets the steps at the start of a pass on `lanes` lanes.
    ///
    /// The last dispatches of the previous pass are no guide: few lanes were busy, so a step took little
    /// time. The highest rate so far gives a safe number of steps, assuming that every lane generates the
    /// most nodes.
    pub(crate) fn begin(&mut self, lanes: u32) {
        let steps = self.max_rate * TARGET.as_secs_f64() / f64::from(self.nodes_per_step);
        let min_steps = INITIAL_STEPS.min(self.max_steps);
        self.steps = ((steps / f64::from(lanes.max(1))) as u32).clamp(min_steps, self.max_steps);
    }

    /// Steps of the next dispatch.
    pub(crate) fn steps(&self) -> u32 {
        self.steps
    }

    /// Records the duration and the generated nodes of a dispatch.
    pub(crate) fn record(&mut self, duration: Duration, nodes: u64) {
        let seconds = duration.as_secs_f64().max(1e-6);
        self.max_rate = self.max_rate.max(nodes as f64 / seconds);
        let factor = (TARGET.as_secs_f64() / seconds).clamp(1.0 / MAX_CHANGE, MAX_CHANGE);
        self.steps = ((f64::from(self.steps) * factor) as u32).clamp(1, self.max_steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a pass on a device with 60 M nodes/s and 0.3 ms per dispatch, where a step of a lane
    /// generates `density` nodes; returns the longest dispatch.
    fn simulate_pass(pacer: &mut DispatchPacer, density: u64, lanes: u32, mut work: u64) -> Duration {
        let mut longest = Duration::ZERO;
        pacer.begin(lanes);
        while work > 0 {
            // Towards the end of a pass, lanes become idle.
            let busy_lanes = u64::from(lanes).min(work / 2000 + 1);
            let nodes = (busy_lanes * density * u64::from(pacer.steps())).min(work);
            let duration = Duration::from_secs_f64(nodes as f64 / 60e6 + 3e-4);
            pacer.record(duration, nodes);
            longest = longest.max(duration);
            work -= nodes;
        }
        longest
    }

    #[test]
    fn small_passes_do_not_lengthen_dispatches_of_large_ones() {
        for density in [1, 4, 12] {
            let mut pacer = DispatchPacer::new(20_000, 12);
            for (lanes, work) in [(64, 20), (64, 2000), (64, 20_000), (256, 200_000), (4096, 2_000_000)] {
                let longest = simulate_pass(&mut pacer, density, lanes, work);
                assert!(longest < 3 * TARGET, "{longest:?} for {work} nodes");
            }
            for _ in 0..3 {
                let longest = simulate_pass(&mut pacer, density, 4096, 200_000_000);
                assert!((TARGET / 2..3 * TARGET).contains(&longest), "{longest:?}");
            }
        }
    }

    #[test]
    fn steps_stay_within_bounds() {
        let mut pacer = DispatchPacer::new(1000, 12);
        pacer.record(Duration::ZERO, u64::MAX);
        for lanes in [0, 1, u32::MAX] {
            pacer.begin(lanes);
            assert!((INITIAL_STEPS..=1000).contains(&pacer.steps()), "{}", pacer.steps());
        }
        for _ in 0..20 {
            pacer.record(Duration::from_secs(100), 1);
        }
        assert_eq!(pacer.steps(), 1);
        for _ in 0..20 {
            pacer.record(Duration::ZERO, 1);
        }
        assert_eq!(pacer.steps(), 1000);
        let mut short = DispatchPacer::new(10, 12);
        short.begin(1);
        assert_eq!(short.steps(), 10);
    }
}
