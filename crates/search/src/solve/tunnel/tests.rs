//! Tests of the beam searches inside tunneling: they see interruptions and keep to the node limit.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::*;
use crate::control::Observer;
use crate::example::Dial;

/// Stops the search as soon as a beam search runs.
#[derive(Default)]
struct StopInBeam {
    in_beam: AtomicBool,
    /// Whether to stop.
    stops: bool,
}

impl Observer for StopInBeam {
    fn poll(&self) -> ControlFlow<Stop> {
        match self.stops && self.in_beam.load(Relaxed) {
            true => ControlFlow::Break(Stop::Interrupted),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Runs the beam searches of the first round with a beam that only generates nodes until it is stopped.
/// Returns the reason to stop and the number of nodes.
fn run_endless_beams(observer: Arc<StopInBeam>, nodes: Option<u64>) -> (Option<Stop>, u64) {
    let generated = Arc::new(AtomicU64::new(0));
    let (counter, state) = (Arc::clone(&generated), Arc::clone(&observer));
    let run_beam: BeamRunner<Dial> = Box::new(move |_, _, _, _, control| {
        state.in_beam.store(true, Relaxed);
        let mut meter = control.meter();
        while meter.check().is_continue() {
            meter.tick();
        }
        counter.fetch_add(meter.nodes(), Relaxed);
        let counts = Counts { generated: meter.nodes(), ..Counts::default() };
        Report::from_control(Outcome::Solved, control, counts)
    });
    let tunneling = Tunneling { run_beam, width: 10, seed: 0 };
    let (puzzle, start) = (Dial::new(1000), 80);
    let control = Control::new(Limits { nodes, ..Limits::default() }, observer);
    control.offer(&[Move(1); 80], 80);
    let mut path = StatePath::incumbent(&puzzle, &[start], &control).expect("a solution");
    let stop = tunneling.run_beams(&mut path, 0, 1 << 10, &puzzle, &control, &mut Counts::default()).err();
    (stop, generated.load(Relaxed))
}

#[test]
fn a_beam_search_inside_sees_an_interruption() {
    let observer = Arc::new(StopInBeam { stops: true, ..StopInBeam::default() });
    assert_eq!(run_endless_beams(observer, None), (Some(Stop::Interrupted), 0));
}

#[test]
fn beam_searches_inside_keep_to_the_node_limit() {
    let limit = BEAM_NODES_PER_STATE << 10;
    for nodes in [1, 1000, limit - 1, 3 * limit + 1] {
        let (stop, generated) = run_endless_beams(Arc::default(), Some(nodes));
        assert_eq!((stop, generated), (Some(Stop::Nodes), nodes));
    }
    let (stop, generated) = run_endless_beams(Arc::default(), None);
    assert_eq!((stop, generated), (None, BEAM_STARTS.len() as u64 * limit));
}
