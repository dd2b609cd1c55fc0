// What both kernels share: the subtrees that are handed out, and what comes of them.

const NONE = 0xffffffffu;

struct Priced {
    // The moves whose child is within the bound.
    keep: u32,
    // The least by which another child exceeds it.
    excess: u32,
}

// A price with one more child, which costs so much: the child is kept or pruned, if its move is among those tried.
fn judged(price: Priced, cost: u32, bit: u32, moves: u32, below: u32) -> Priced {
    let tried = (moves & bit) != 0u;
    let within = cost <= below;
    return Priced(
        price.keep | select(0u, bit, tried && within),
        min(price.excess, select(NONE, cost - below, tried && !within)),
    );
}

struct Orders {
    // Turns of the loop in this dispatch.
    steps: u32,
    // Subtrees of the pass.
    count: u32,
    // Lanes that work side by side.
    lanes: u32,
    // Whether no subtree is begun any more once a solution is found.
    first: u32,
}

@group(0) @binding(0) var<uniform> orders: Orders;
@group(0) @binding(1) var<storage, read_write> desk: array<atomic<u32>, 5>;
@group(0) @binding(2) var<storage, read> subtrees: array<u32>;
@group(0) @binding(3) var<storage, read_write> results: array<u32>;
@group(0) @binding(4) var<storage, read_write> memory: array<u32>;
@group(0) @binding(5) var<storage, read> automaton: array<u32>;

// The places of the desk.
const NEXT = 0u;
const DONE = 1u;
const FOUND = 2u;
const NODES = 3u;
const CARRY = 4u;

// How a subtree ended.
const ENDED = 1u;
const OVERFLOWED = 2u;

// Words of a result: nodes and expanded nodes in two words each, the complement of the excess (so that nothing is 0), solutions, end.
const RESULT = 8u;

fn inverse(m: u32) -> u32 {
    return automaton[m];
}

fn allowed(trail: u32) -> u32 {
    return automaton[MOVES + trail * (MOVES + 1u)];
}

fn next_trail(trail: u32, m: u32) -> u32 {
    return automaton[MOVES + trail * (MOVES + 1u) + 1u + m];
}

// The number of the next subtree; NONE where none is left or none is wanted any more.
fn take() -> u32 {
    if (orders.first != 0u && atomicLoad(&desk[FOUND]) != 0u) {
        return NONE;
    }
    if (atomicLoad(&desk[NEXT]) >= orders.count) {
        return NONE;
    }
    let tree = atomicAdd(&desk[NEXT], 1u);
    return select(NONE, tree, tree < orders.count);
}

// Adds to a count of two words.
fn add(at: u32, more: u32) {
    let low = results[at] + more;
    if (low < more) {
        results[at + 1u] += 1u;
    }
    results[at] = low;
}

// Books what was done in a subtree.
fn book(tree: u32, nodes: u32, expanded: u32, excess: u32, solutions: u32, end: u32) {
    let at = tree * RESULT;
    add(at, nodes);
    add(at + 2u, expanded);
    results[at + 4u] = max(results[at + 4u], ~excess);
    results[at + 5u] += solutions;
    results[at + 6u] = end;
    // What was given up is searched again, in parts.
    if (solutions != 0u && end != OVERFLOWED) {
        atomicStore(&desk[FOUND], 1u);
    }
    if (end != 0u) {
        atomicAdd(&desk[DONE], 1u);
    }
}

// Books nodes for those who watch.
fn tell(nodes: u32) {
    let before = atomicAdd(&desk[NODES], nodes);
    if (before + nodes < before) {
        atomicAdd(&desk[CARRY], 1u);
    }
}
