//! Generated nodes per CPU second: the specialised 15-puzzle search against the generic one, interleaved.
//!
//! `cargo bench -p untumble-puzzles --bench fifteen [ROUNDS]`

#![allow(clippy::print_stdout)]

use std::fs::read_to_string;

use untumble_puzzles::tiles::heuristics::Manhattan;
use untumble_puzzles::tiles::{Board, Goal, Size, Tiles, fifteen};
use untumble_search::control::Control;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::{Ida, IdaOptions};

/// CPU seconds of this thread.
fn cpu_seconds() -> f64 {
    let text = read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanos.unwrap_or(f64::NAN) / 1e9
}

/// Millions of generated nodes per CPU second.
fn rate(solver: &dyn Solver<Tiles<u64>>, tiles: &Tiles<u64>, board: Board<u64>, nodes: u64) -> f64 {
    let begin = cpu_seconds();
    let report = solver.solve(tiles, &[board], &Control::default());
    assert_eq!(report.counts.generated, nodes, "the published count");
    nodes as f64 / (cpu_seconds() - begin) / 1e6
}

fn main() {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(3);
    let tiles = Tiles::new(Goal::named(Size { rows: 4, columns: 4 }, "blank-first").expect("a known goal"));
    let (options, runtime) = (IdaOptions { bpmx: false, ..IdaOptions::default() }, Runtime::default());
    let generic = Ida::new(Manhattan::new(tiles.goal()), options, &runtime);
    let specialized = fifteen::Ida::new(&tiles, options, &runtime).expect("a 4x4 board");
    for line in include_str!("../tests/golden/korf-15-puzzle.csv").lines().skip(2) {
        let fields: Vec<&str> = line.split(',').collect();
        let nodes: u64 = fields[3].parse().expect("a number");
        if !(100_000_000..300_000_000).contains(&nodes) || fields[0].ends_with(['2', '4', '6', '8']) {
            continue;
        }
        let tile_numbers: Vec<u16> = fields[4].split(' ').map(|tile| tile.parse().expect("a tile")).collect();
        let board = tiles.board(&tile_numbers);
        print!("#{:3} {nodes:>10} ", fields[0]);
        for _ in 0..rounds {
            let [generic_rate, specialized_rate] =
                [&generic as &dyn Solver<_>, &specialized].map(|solver| rate(solver, &tiles, board, nodes));
            let ratio = specialized_rate / generic_rate;
            print!("  {generic_rate:4.0} {specialized_rate:4.0} M/s {ratio:.2}x");
        }
        println!();
    }
}
