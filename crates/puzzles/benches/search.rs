//! Time per search, measured by criterion: `cargo bench --bench search`.

mod common;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use untumble_search::control::Control;
use untumble_search::puzzle::Ranked;
use untumble_search::ranked::distances;

/// Korf's instance 30: two million nodes with Manhattan distance, fewer with the other heuristics.
const MEDIUM: usize = 30;

fn searches(c: &mut Criterion) {
    let tiles = common::fifteen();
    let board = common::instance(&tiles, MEDIUM).board;
    let mut group = c.benchmark_group("15-puzzle, nodes");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for name in [
        "ida+manhattan",
        "ida+linear-conflict",
        "ida+walking",
        "ida+max(walking,linear-conflict)",
        "astar+manhattan",
    ] {
        let solver = common::solver(&tiles, name);
        let nodes = common::solve(&tiles, &*solver, board).counts.generated;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |b| b.iter(|| common::solve(&tiles, &*solver, black_box(board))));
    }
    group.finish();
}

fn full_bfs(c: &mut Criterion) {
    let tiles = common::eight();
    let mut group = c.benchmark_group("8-puzzle, states");
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(tiles.count()));
    group.bench_function("distances", |b| b.iter(|| distances(black_box(&tiles), &Control::default())));
    group.finish();
}

criterion_group!(benches, searches, full_bfs);
criterion_main!(benches);
