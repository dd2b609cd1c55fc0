//! Presets: the solvers that a front end offers by title for a board of some size.

use untumble_search::frontend::Preset;

use super::{Size, distance_table};

const LAYERS: Preset = Preset {
    solver: "layers",
    title: "Line by line",
    why: "Solves any board at once, with far more moves than needed.",
};
const BEAM: Preset = Preset {
    solver: "beam:width=1000",
    title: "Beam search",
    why: "Keeps the best thousand positions of each level: short solutions without proof.",
};

/// The presets for boards of a size, the recommended one first.
pub(super) fn presets(size: Size) -> Vec<Preset> {
    let presets = match size.cells() {
        _ if size.rows.max(size.columns) > Size::MAX_SEARCH_SIDE => vec![LAYERS],
        ..=12 => up_to_12_cells(size),
        13..=16 => up_to_16_cells(size),
        _ => more_than_16_cells(size),
    };
    [vec![Preset::AUTO], presets].concat()
}

fn up_to_12_cells(size: Size) -> Vec<Preset> {
    let table = Preset {
        solver: "table",
        title: "All distances",
        why: "Computes the distance of every position once; then each optimal solution is immediate.",
    };
    let mut presets = if distance_table::is_available(size) { vec![table] } else { Vec::new() };
    presets.extend([
        Preset {
            solver: "astar+linear-conflict",
            title: "A*",
            why: "Stores all positions it has seen and expands few of them; optimal.",
        },
        Preset {
            solver: "ida+manhattan",
            title: "IDA*",
            why: "Depth-first with an increasing bound: hardly any memory; optimal.",
        },
        Preset {
            solver: "bfs",
            title: "Breadth-first search",
            why: "Expands all positions level by level, without a heuristic; optimal.",
        },
        Preset {
            solver: "greedy+manhattan",
            title: "Greedy",
            why: "Expands the position that looks closest to the goal: a quick, long solution.",
        },
    ]);
    presets
}

fn up_to_16_cells(size: Size) -> Vec<Preset> {
    let pattern_databases = Preset {
        solver: "parida+pdb:6-6-3",
        title: "Pattern databases",
        why: "Optimal solutions of the hardest positions within moments, once its tables are built (16 MB).",
    };
    let mut presets = if size.rows == size.columns { vec![pattern_databases] } else { Vec::new() };
    presets.extend([
        Preset {
            solver: "parida+manhattan",
            title: "IDA* on all threads",
            why: "Optimal solutions without tables; hard positions take some seconds.",
        },
        Preset {
            solver: "astar:w=2+linear-conflict",
            title: "Weighted A*",
            why: "A good solution quickly: at most twice as long as the optimal one.",
        },
        BEAM,
        LAYERS,
    ]);
    presets
}

fn more_than_16_cells(size: Size) -> Vec<Preset> {
    let mut presets = vec![
        BEAM,
        Preset {
            solver: "beam:width=10000",
            title: "Wide beam search",
            why: "Ten times as many positions of each level: shorter solutions, later.",
        },
        Preset {
            solver: "tunnel",
            title: "Tunneling",
            why: "Shortens one solution again and again while time remains.",
        },
        LAYERS,
    ];
    if size.cells() <= 25 {
        presets.push(Preset {
            solver: "parida+linear-conflict",
            title: "IDA* on all threads",
            why: "Proves the optimal solution; hard positions take hours.",
        });
    }
    presets
}
