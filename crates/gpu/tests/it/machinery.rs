//! What is rare, provoked: stacks that overflow, tables in pieces, devices that are lost, searches that are stopped.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::common::{observed, passes_on, passes_on_cpu, processors, scrambled, spec};
use untumble_gpu::{Processor, Setup, Sizes, open};
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube3::{Cube, Cube3, device};
use untumble_search::control::{Account, Control, Limits, ManualClock, Silent, Stop};
use untumble_search::device::Device;
use untumble_search::report::Outcome;
use untumble_search::solve::Solver;
use untumble_search::solve::gpu::GpuIda;

type Ida = GpuIda<Cube3, untumble_puzzles::cube3::heuristics::Manhattan<u64>>;

fn loaded(processor: Arc<Processor>, cube: &Cube3, solver: &str) -> Ida {
    let spec = solver.parse().expect("a spec");
    GpuIda::new(processor, &spec, device::manhattan::<u64>(cube), &Control::default())
        .expect("a program that loads")
}

fn again(number: usize) -> Processor {
    open(Some(number)).expect("a device that opens twice")
}

fn far(cube: &Cube3, depth: usize) -> Cube {
    scrambled(cube, Cube::SOLVED, depth, depth as u64)
}

#[test]
fn a_stack_that_overflows_is_noticed_and_repaired() {
    let cube = Cube3::new(Metric::Qtm);
    let start = far(&cube, 9);
    let expected = passes_on_cpu(&cube, &device::manhattan::<u64>(&cube), &start);
    for number in 0..processors().len() {
        let mut left = Vec::new();
        // Everything near; nearly everything far; so little room that most parts overflow.
        for (shared, capacity) in [(256, 256), (1, 512), (8, 24), (2, 12)] {
            let block = Some(Sizes { group: 32, shared, capacity });
            let processor = Arc::new(again(number).with(Setup { block, ..Setup::default() }));
            let ida = loaded(processor, &cube, "gpu-ida:kernel=block,early=off+manhattan");
            let starts = [start];
            let device = ida.device_dfs(&cube, &starts, false);
            let got = crate::common::passes(device.twin(), &device);
            left.push(device.last_pass().nodes - device.last_pass().on_device);
            let counts = |passes: &[crate::common::Pass]| {
                passes.iter().map(|pass| (pass.0, pass.1, pass.2, pass.4)).collect::<Vec<_>>()
            };
            assert_eq!(counts(&got), counts(&expected), "{shared} near, {capacity} in all");
        }
        // Parts that overflow are cut again, by the CPU.
        assert!(left[3] > 2 * left[0], "nodes that the CPU counted: {left:?}");
    }
}

#[test]
fn any_number_of_subtrees_gives_the_same() {
    let cube = Cube3::new(Metric::Qtm);
    let start = far(&cube, 11);
    let starts = [start];
    let expected = passes_on_cpu(&cube, &device::manhattan::<u64>(&cube), &start);
    let expected: Vec<_> = expected.iter().map(|pass| (pass.0, pass.1, pass.2, pass.4)).collect();
    for processor in processors() {
        for kernel in ["block", "thread"] {
            // One part; some; a part for nearly every node.
            for grain in [u64::MAX, 3000, 1] {
                let ida = loaded(processor.clone(), &cube, &spec(kernel, "manhattan").to_string())
                    .with_grain(grain);
                let device = ida.device_dfs(&cube, &starts, false);
                let got = crate::common::passes(device.twin(), &device);
                let parts = device.parts();
                let got: Vec<_> = got.iter().map(|pass| (pass.0, pass.1, pass.2, pass.4)).collect();
                assert_eq!(got, expected, "{kernel} with {parts} parts on {}", processor.name());
                match grain {
                    u64::MAX => assert_eq!(parts, 1),
                    1 => assert!(parts > 100_000, "{parts} parts"),
                    _ => assert!((10..1000).contains(&parts), "{parts} parts"),
                }
            }
        }
    }
}

#[test]
fn a_table_in_pieces_reads_the_same() {
    let cube = Cube3::new(Metric::Qtm);
    let start = far(&cube, 8);
    let expected = passes_on_cpu(&cube, &device::manhattan::<u64>(&cube), &start);
    let nodes =
        |passes: &[crate::common::Pass]| passes.iter().map(|pass| (pass.1, pass.2)).collect::<Vec<_>>();
    for number in 0..processors().len() {
        for kernel in ["block", "thread"] {
            let processor = Arc::new(again(number).with(Setup { piece: Some(500), ..Setup::default() }));
            let ida = loaded(processor, &cube, &spec(kernel, "manhattan").to_string());
            assert_eq!(nodes(&passes_on(&ida, &cube, &start)), nodes(&expected), "{kernel}");
        }
    }
}

/// A part that is given up may hold a solution: that does not end the pass.
#[test]
fn solutions_in_parts_that_overflow_are_found() {
    let cube = Cube3::new(Metric::Qtm);
    for number in 0..processors().len() {
        let block = Some(Sizes { group: 32, shared: 2, capacity: 12 });
        let processor = Arc::new(again(number).with(Setup { block, ..Setup::default() }));
        let ida = loaded(processor, &cube, "gpu-ida:kernel=block+manhattan");
        for depth in 5..=10 {
            let (observer, control) = observed(Limits::default());
            let report = ida.solve(&cube, &[far(&cube, depth)], &control);
            assert!(report.optimal() && report.best.is_some_and(|best| best.cost as usize <= depth));
            assert_eq!(
                *observer.warnings.lock().expect("no panic"),
                [""; 0],
                "the device does what it should"
            );
            assert!(report.device.is_some());
        }
    }
}

/// `auto` says which kernel it took, and who waits for a device is stopped in time.
#[test]
fn kernels_are_named_and_who_waits_is_stopped() {
    let cube = Cube3::new(Metric::Qtm);
    let ida = loaded(processors()[0].clone(), &cube, "gpu-ida+manhattan");
    let report = ida.solve(&cube, &[far(&cube, 8)], &Control::default());
    assert_eq!(report.solver.as_deref(), Some("gpu-ida:kernel=thread+manhattan"));
    std::thread::scope(|scope| {
        let (observer, long) = observed(Limits::default());
        let (ida, cube) = (&ida, &cube);
        let first = scope.spawn(move || ida.solve(cube, &[far(cube, 20)], &long).outcome);
        observer.wait_for_nodes(100_000);
        // The device is taken; every look at this clock takes 10 ms.
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let clock = Arc::new(ManualClock::stepping(Duration::from_millis(10)));
        let short = Control::with_clock(clock, &Account::default(), limits, Arc::new(Silent));
        let report = ida.solve(cube, &[far(cube, 20)], &short);
        observer.stop.store(true, Relaxed);
        assert_eq!(report.outcome, Outcome::Stopped(Stop::Time));
        assert_eq!(first.join().expect("no panic"), Outcome::Stopped(Stop::Interrupted));
    });
}

#[test]
fn a_lost_device_is_told_and_the_processor_goes_on() {
    let cube = Cube3::new(Metric::Qtm);
    let start = far(&cube, 9);
    for number in 0..processors().len() {
        let processor = Arc::new(again(number));
        let ida = loaded(processor.clone(), &cube, "gpu-ida+manhattan");
        processor.lose();
        let (observer, control) = observed(Limits { threads: 2, ..Limits::default() });
        let report = ida.solve(&cube, &[start], &control);
        assert_eq!(report.outcome, Outcome::Solved);
        assert!(report.optimal() && report.device.is_none(), "{report:?}");
        assert_eq!(report.solver.as_deref(), Some("parida:bpmx=off+manhattan"));
        let warnings = observer.warnings.lock().expect("no panic");
        assert!(warnings.len() == 1 && warnings[0].contains("goes on without it"), "{warnings:?}");
    }
}

#[test]
fn a_search_is_stopped_in_passes_of_every_size() {
    let cube = Cube3::new(Metric::Qtm);
    for processor in processors() {
        for kernel in ["block", "thread"] {
            let ida = loaded(processor.clone(), &cube, &format!("gpu-ida:kernel={kernel}+manhattan"));
            for nodes in [10_000, 300_000, 3_000_000, 20_000_000] {
                let (observer, control) = observed(Limits::default());
                let report = std::thread::scope(|scope| {
                    let search = scope.spawn(|| ida.solve(&cube, &[far(&cube, 20)], &control));
                    observer.wait_for_nodes(nodes);
                    observer.stop.store(true, Relaxed);
                    search.join().expect("no panic")
                });
                assert_eq!(report.outcome, Outcome::Stopped(Stop::Interrupted));
                assert!(report.lower_bound > 5 && report.counts.generated >= nodes, "{report:?}");
            }
        }
    }
}

#[test]
fn answers_are_shortest_and_the_device_is_named() {
    let cube = Cube3::new(Metric::Qtm);
    for processor in processors() {
        let ida = loaded(processor.clone(), &cube, "gpu-ida+manhattan");
        for depth in [0, 1, 5, 9] {
            let report = ida.solve(&cube, &[far(&cube, depth)], &Control::default());
            let best = report.best.clone().expect("a path");
            assert!(report.optimal() && best.cost as usize <= depth, "{report:?}");
            assert_eq!(report.device.as_deref(), Some(processor.name().as_str()));
        }
    }
}

#[test]
fn a_device_that_is_not_there_is_refused() {
    let why = open(Some(99)).err().map(|why| why.to_string()).expect("no hundred devices");
    assert!(why.contains("there is no graphics processor 99"), "{why}");
}
