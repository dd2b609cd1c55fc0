//! How much work goes into one dispatch: so much that it is worth the trip, and so little that nobody waits for it.

use std::time::Duration;

/// A dispatch should take this long: drivers end what seems to hang, and people wait.
const AIM: Duration = Duration::from_millis(25);
/// Steps of the first dispatch, when nothing is known.
const FIRST: u32 = 64;
/// By how much the steps change at most from one dispatch to the next.
const CHANGE: f64 = 4.0;

/// The pace of a kernel.
pub(crate) struct Pace {
    /// Turns of the kernel's main loop in the next dispatch.
    steps: u32,
    /// No more than this.
    most: u32,
    /// The most nodes that a step of a lane makes: it counts all children of one.
    nodes: u32,
    /// The most nodes a second that were seen.
    rate: f64,
}

impl Pace {
    /// Nothing is known yet.
    pub(crate) fn new(most: u32, nodes: u32) -> Pace {
        Pace { steps: FIRST.min(most), most, nodes: nodes.max(1), rate: 0.0 }
    }

    /// A pass begins with so many lanes.
    ///
    /// The end of the pass before says nothing about it: few lanes were busy then, so that many steps took no time. But the most nodes that were ever
    /// made in so much time, by lanes that all make as many as they can, are steps that there is time for in any case.
    pub(crate) fn begin(&mut self, lanes: u32) {
        let steps = self.rate * AIM.as_secs_f64() / f64::from(self.nodes);
        self.steps = ((steps / f64::from(lanes.max(1))) as u32).clamp(FIRST.min(self.most), self.most);
    }

    /// Steps of the next dispatch.
    pub(crate) fn steps(&self) -> u32 {
        self.steps
    }

    /// What a dispatch took and made.
    pub(crate) fn learn(&mut self, took: Duration, nodes: u64) {
        let seconds = took.as_secs_f64().max(1e-6);
        self.rate = self.rate.max(nodes as f64 / seconds);
        let factor = (AIM.as_secs_f64() / seconds).clamp(1.0 / CHANGE, CHANGE);
        self.steps = ((f64::from(self.steps) * factor) as u32).clamp(1, self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A processor that stands in for a device: so many nodes a second, whoever makes them, and a moment for each dispatch. A step of a lane makes `dense`.
    fn pass(pace: &mut Pace, dense: u64, lanes: u32, mut work: u64) -> Duration {
        let mut longest = Duration::ZERO;
        pace.begin(lanes);
        while work > 0 {
            // Towards the end, lanes have nothing to do.
            let busy = u64::from(lanes).min(work / 2000 + 1);
            let nodes = (busy * dense * u64::from(pace.steps())).min(work);
            let took = Duration::from_secs_f64(nodes as f64 / 60e6 + 3e-4);
            pace.learn(took, nodes);
            longest = longest.max(took);
            work -= nodes;
        }
        longest
    }

    #[test]
    fn small_passes_do_not_make_large_ones_slow() {
        for dense in [1, 4, 12] {
            let mut pace = Pace::new(20_000, 12);
            for (lanes, work) in [(64, 20), (64, 2000), (64, 20_000), (256, 200_000), (4096, 2_000_000)] {
                let longest = pass(&mut pace, dense, lanes, work);
                assert!(longest < 3 * AIM, "{longest:?} for {work} nodes");
            }
            for _ in 0..3 {
                let longest = pass(&mut pace, dense, 4096, 200_000_000);
                assert!((AIM / 2..3 * AIM).contains(&longest), "{longest:?}");
            }
        }
    }

    #[test]
    fn steps_stay_within_bounds() {
        let mut pace = Pace::new(1000, 12);
        pace.learn(Duration::ZERO, u64::MAX);
        for lanes in [0, 1, u32::MAX] {
            pace.begin(lanes);
            assert!((FIRST..=1000).contains(&pace.steps()), "{}", pace.steps());
        }
        for _ in 0..20 {
            pace.learn(Duration::from_secs(100), 1);
        }
        assert_eq!(pace.steps(), 1);
        for _ in 0..20 {
            pace.learn(Duration::ZERO, 1);
        }
        assert_eq!(pace.steps(), 1000);
        let mut short = Pace::new(10, 12);
        short.begin(1);
        assert_eq!(short.steps(), 10);
    }
}
