// Shared by both kernels: distribution of subtrees, results and progress counters.

const NONE = 0xffffffffu;

struct Children {
    // The moves whose child is within the bound.
    keep: u32,
    // The least amount by which a pruned child exceeds the bound; NONE if no child is pruned.
    excess: u32,
}

// Adds a child with heuristic value `h` to `children`: the child is kept if `h <= max_h`, else pruned.
// Children whose `bit` is not in `moves` are ignored.
fn add_child(children: Children, h: u32, bit: u32, moves: u32, max_h: u32) -> Children {
    let tried = (moves & bit) != 0u;
    let within = h <= max_h;
    return Children(
        children.keep | select(0u, bit, tried && within),
        min(children.excess, select(NONE, h - max_h, tried && !within)),
    );
}

struct Params {
    // Iterations of the main loop in this dispatch.
    steps: u32,
    // Number of subtrees of the pass.
    count: u32,
    // Number of concurrent lanes.
    lanes: u32,
    // Nonzero: start no further subtree once a solution is found.
    first: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> counters: array<atomic<u32>, 5>;
@group(0) @binding(2) var<storage, read> subtrees: array<u32>;
@group(0) @binding(3) var<storage, read_write> results: array<u32>;
@group(0) @binding(4) var<storage, read_write> memory: array<u32>;
@group(0) @binding(5) var<storage, read> automaton: array<u32>;

// Indices of `counters`: next subtree, finished subtrees, whether a solution is found, nodes (low and
// high word).
const NEXT = 0u;
const DONE = 1u;
const FOUND = 2u;
const NODES_LOW = 3u;
const NODES_HIGH = 4u;

// Status of a subtree in `results`; 0 is unfinished.
const FINISHED = 1u;
const OVERFLOWED = 2u;

// Words of a result: nodes and expanded nodes (two words each), the complement of the least excess (so that 0
// means no excess), solutions, status, one unused.
const RESULT_WORDS = 8u;

fn inverse(m: u32) -> u32 {
    return automaton[m];
}

// The moves that the automaton allows in a state.
fn allowed(automaton_state: u32) -> u32 {
    return automaton[MOVES + automaton_state * (MOVES + 1u)];
}

fn next_automaton_state(automaton_state: u32, m: u32) -> u32 {
    return automaton[MOVES + automaton_state * (MOVES + 1u) + 1u + m];
}

// Claims the next subtree; NONE if no subtree is left, or if a solution is found and the pass may end with
// it.
fn claim_subtree() -> u32 {
    if (params.first != 0u && atomicLoad(&counters[FOUND]) != 0u) {
        return NONE;
    }
    // The counter is read before it is incremented, so that lanes without work do not make it wrap around.
    if (atomicLoad(&counters[NEXT]) >= params.count) {
        return NONE;
    }
    let tree = atomicAdd(&counters[NEXT], 1u);
    return select(NONE, tree, tree < params.count);
}

// Adds to a 64-bit count in `results`.
fn add_wide(at: u32, amount: u32) {
    let low = results[at] + amount;
    if (low < amount) {
        results[at + 1u] += 1u;
    }
    results[at] = low;
}

// Adds counts to the result of a subtree and sets its status.
fn record(tree: u32, nodes: u32, expanded: u32, excess: u32, solutions: u32, status: u32) {
    let at = tree * RESULT_WORDS;
    add_wide(at, nodes);
    add_wide(at + 2u, expanded);
    results[at + 4u] = max(results[at + 4u], ~excess);
    results[at + 5u] += solutions;
    results[at + 6u] = status;
    // An overflowed subtree is split and searched again, so its solutions do not count.
    if (solutions != 0u && status != OVERFLOWED) {
        atomicStore(&counters[FOUND], 1u);
    }
    if (status != 0u) {
        atomicAdd(&counters[DONE], 1u);
    }
}

// Adds nodes to the progress counter.
fn report_nodes(nodes: u32) {
    let before = atomicAdd(&counters[NODES_LOW], nodes);
    if (before + nodes < before) {
        atomicAdd(&counters[NODES_HIGH], 1u);
    }
}
