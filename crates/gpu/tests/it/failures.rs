//! Tests that provoke rare events: stack overflows, tables in chunks, lost devices, cancelled searches.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::common::{devices, observed, passes_on, passes_on_cpu, scrambled, spec};
use untumble_gpu::{DeviceConfig, GpuDevice, KernelSizes, open};
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube3::{Cube, Cube3, device};
use untumble_search::control::{Control, Limits, ManualClock, MemoryAccount, Silent, Stop};
use untumble_search::device::Device;
use untumble_search::report::Outcome;
use untumble_search::solve::Solver;
use untumble_search::solve::gpu::GpuIda;

type Ida = GpuIda<Cube3, untumble_puzzles::cube3::heuristics::Manhattan<u64>>;

fn load(gpu: Arc<GpuDevice>, cube: &Cube3, solver: &str) -> Ida {
    let spec = solver.parse().expect("a spec");
    GpuIda::new(gpu, &spec, device::manhattan::<u64>(cube), &Control::default()).expect("the program loads")
}

fn reopen(number: usize) -> GpuDevice {
    open(Some(number)).expect("a device can be opened twice")
}

fn scrambled_cube(cube: &Cube3, depth: usize) -> Cube {
    scrambled(cube, Cube::SOLVED, depth, depth as u64)
}

#[test]
fn overflowed_subtrees_are_split_and_counted_exactly() {
    let cube = Cube3::new(Metric::Qtm);
    let start = scrambled_cube(&cube, 9);
    let expected = passes_on_cpu(&cube, &device::manhattan::<u64>(&cube), &start);
    for number in 0..devices().len() {
        let mut cpu_nodes = Vec::new();
        // Stacks in workgroup memory; stacks mostly in storage memory; stacks so small that most subtrees
        // overflow.
        for (shared, capacity) in [(256, 256), (1, 512), (8, 24), (2, 12)] {
            let block = Some(KernelSizes { workgroup_size: 32, shared, capacity });
            let gpu = Arc::new(
                reopen(number)
                    .with_config(DeviceConfig { block_kernel_sizes: block, ..DeviceConfig::default() }),
            );
            let ida = load(gpu, &cube, "gpu-ida:kernel=block,early=off+manhattan");
            let starts = [start];
            let device = ida.device_dfs(&cube, &starts, false);
            let counted = crate::common::passes(device.cpu(), &device);
            cpu_nodes.push(device.last_pass().nodes - device.last_pass().on_device);
            let counts = |passes: &[crate::common::Pass]| {
                passes.iter().map(|pass| (pass.0, pass.1, pass.2, pass.4)).collect::<Vec<_>>()
            };
            assert_eq!(counts(&counted), counts(&expected), "{shared} shared of {capacity} items");
        }
        // The CPU splits overflowed subtrees.
        assert!(cpu_nodes[3] > 2 * cpu_nodes[0], "nodes counted by the CPU: {cpu_nodes:?}");
    }
}

#[test]
fn counts_do_not_depend_on_the_number_of_subtrees() {
    let cube = Cube3::new(Metric::Qtm);
    let start = scrambled_cube(&cube, 10);
    let starts = [start];
    let expected = passes_on_cpu(&cube, &device::manhattan::<u64>(&cube), &start);
    let expected: Vec<_> = expected.iter().map(|pass| (pass.0, pass.1, pass.2, pass.4)).collect();
    for gpu in devices() {
        for kernel in ["block", "thread"] {
            // One subtree; some subtrees; nearly one subtree per node.
            for grain in [u64::MAX, 3000, 1] {
                let ida = load(gpu.clone(), &cube, &spec(kernel, "manhattan").to_string())
                    .with_split_threshold(grain);
                let device = ida.device_dfs(&cube, &starts, false);
                let counted = crate::common::passes(device.cpu(), &device);
                let subtrees = device.subtree_count();
                let counted: Vec<_> = counted.iter().map(|pass| (pass.0, pass.1, pass.2, pass.4)).collect();
                assert_eq!(counted, expected, "{kernel} with {subtrees} subtrees on {}", gpu.name());
                match grain {
                    u64::MAX => assert_eq!(subtrees, 1),
                    1 => assert!(subtrees > 10_000, "{subtrees} subtrees"),
                    _ => assert!((10..1000).contains(&subtrees), "{subtrees} subtrees"),
                }
            }
        }
    }
}

#[test]
fn a_table_in_chunks_gives_the_same_counts() {
    let cube = Cube3::new(Metric::Qtm);
    let start = scrambled_cube(&cube, 8);
    let expected = passes_on_cpu(&cube, &device::manhattan::<u64>(&cube), &start);
    let nodes =
        |passes: &[crate::common::Pass]| passes.iter().map(|pass| (pass.1, pass.2)).collect::<Vec<_>>();
    for number in 0..devices().len() {
        for kernel in ["block", "thread"] {
            let gpu = Arc::new(
                reopen(number)
                    .with_config(DeviceConfig { chunk_words: Some(500), ..DeviceConfig::default() }),
            );
            let ida = load(gpu, &cube, &spec(kernel, "manhattan").to_string());
            assert_eq!(nodes(&passes_on(&ida, &cube, &start)), nodes(&expected), "{kernel}");
        }
    }
}

/// A solution counted in an overflowed subtree must not end the pass, because the subtree is searched again.
#[test]
fn solutions_in_overflowed_subtrees_are_found() {
    let cube = Cube3::new(Metric::Qtm);
    for number in 0..devices().len() {
        let block = Some(KernelSizes { workgroup_size: 32, shared: 2, capacity: 12 });
        let gpu = Arc::new(
            reopen(number).with_config(DeviceConfig { block_kernel_sizes: block, ..DeviceConfig::default() }),
        );
        let ida = load(gpu, &cube, "gpu-ida:kernel=block+manhattan");
        for depth in 5..=10 {
            let (observer, control) = observed(Limits::default());
            let report = ida.solve(&cube, &[scrambled_cube(&cube, depth)], &control);
            assert!(report.optimal() && report.best.is_some_and(|best| best.cost as usize <= depth));
            assert_eq!(*observer.warnings.lock().expect("no panic"), [""; 0], "no warnings");
            assert!(report.device.is_some());
        }
    }
}

/// The report names the kernel that `auto` chose, and a search that waits for a busy device respects its
/// time limit.
#[test]
fn kernel_is_reported_and_waiting_respects_the_time_limit() {
    let cube = Cube3::new(Metric::Qtm);
    let ida = load(devices()[0].clone(), &cube, "gpu-ida+manhattan");
    let report = ida.solve(&cube, &[scrambled_cube(&cube, 8)], &Control::default());
    assert_eq!(report.solver.as_deref(), Some("gpu-ida:kernel=thread+manhattan"));
    std::thread::scope(|scope| {
        let (observer, long) = observed(Limits::default());
        let (ida, cube) = (&ida, &cube);
        let first = scope.spawn(move || ida.solve(cube, &[scrambled_cube(cube, 20)], &long).outcome);
        observer.wait_for_nodes(100_000);
        // The device is busy; every reading of this clock advances it by 10 ms.
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let clock = Arc::new(ManualClock::stepping(Duration::from_millis(10)));
        let short = Control::with_clock(clock, &MemoryAccount::default(), limits, Arc::new(Silent));
        let report = ida.solve(cube, &[scrambled_cube(cube, 20)], &short);
        observer.stop.store(true, Relaxed);
        assert_eq!(report.outcome, Outcome::Stopped(Stop::Time));
        assert_eq!(first.join().expect("no panic"), Outcome::Stopped(Stop::Interrupted));
    });
}

#[test]
fn a_lost_device_is_reported_and_the_cpu_continues() {
    let cube = Cube3::new(Metric::Qtm);
    let start = scrambled_cube(&cube, 9);
    for number in 0..devices().len() {
        let gpu = Arc::new(reopen(number));
        let ida = load(gpu.clone(), &cube, "gpu-ida+manhattan");
        gpu.lose();
        let (observer, control) = observed(Limits { threads: 2, ..Limits::default() });
        let report = ida.solve(&cube, &[start], &control);
        assert_eq!(report.outcome, Outcome::Solved);
        assert!(report.optimal() && report.device.is_none(), "{report:?}");
        assert_eq!(report.solver.as_deref(), Some("parida:bpmx=off+manhattan"));
        let warnings = observer.warnings.lock().expect("no panic");
        assert!(warnings.len() == 1 && warnings[0].contains("continuing on the CPU"), "{warnings:?}");
    }
}

#[test]
fn searches_are_cancelled_in_passes_of_every_size() {
    let cube = Cube3::new(Metric::Qtm);
    for gpu in devices() {
        for kernel in ["block", "thread"] {
            let ida = load(gpu.clone(), &cube, &format!("gpu-ida:kernel={kernel}+manhattan"));
            for nodes in [10_000, 300_000, 3_000_000, 20_000_000] {
                let (observer, control) = observed(Limits::default());
                let report = std::thread::scope(|scope| {
                    let search = scope.spawn(|| ida.solve(&cube, &[scrambled_cube(&cube, 20)], &control));
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
fn solutions_are_optimal_and_name_the_device() {
    let cube = Cube3::new(Metric::Qtm);
    for gpu in devices() {
        let ida = load(gpu.clone(), &cube, "gpu-ida+manhattan");
        for depth in [0, 1, 5, 9] {
            let report = ida.solve(&cube, &[scrambled_cube(&cube, depth)], &Control::default());
            let best = report.best.clone().expect("a path");
            assert!(report.optimal() && best.cost as usize <= depth, "{report:?}");
            assert_eq!(report.device.as_deref(), Some(gpu.name().as_str()));
        }
    }
}

#[test]
fn an_unknown_device_is_refused() {
    let error = open(Some(99)).err().map(|error| error.to_string()).expect("no hundred devices");
    assert!(error.contains("there is no GPU 99"), "{error}");
}
