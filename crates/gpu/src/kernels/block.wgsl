// One workgroup per subtree: block-parallel IDA* (BPIDA*; Horie & Fukunaga, "Block-Parallel IDA* for
// GPUs", SoCS 2017).
//
// The group shares a stack of edges, each a parent state with one move to make. Every step pops as many
// edges as the group has lanes and pushes the children's edges, so no lane is idle while the stack holds
// enough edges, whatever the branching factor. The bottom of the stack is in workgroup memory, the rest in
// storage memory. If the stack exceeds both, the group gives the subtree up with the status OVERFLOWED; the
// CPU splits it.
//
// The stack size is loaded by `workgroupUniformLoad`, because control flow around barriers must be
// uniform.

const EDGE_WORDS = WORDS + 1u;
const GROUP_WORDS = 2u + CAPACITY * EDGE_WORDS;

var<workgroup> shared_stack: array<u32, SHARED * EDGE_WORDS>;
// The number of edges pushed in the current step.
var<workgroup> pushed: atomic<u32>;
var<workgroup> stack_size: u32;
// The subtree that the group searches.
var<workgroup> current: u32;
var<workgroup> sum_nodes: atomic<u32>;
var<workgroup> sum_expanded: atomic<u32>;
var<workgroup> sum_solutions: atomic<u32>;
// The maximum of the complements is the complement of the least excess.
var<workgroup> max_inverted_excess: atomic<u32>;

// Index in `memory` of a word of a stack item.
fn storage_index(group: u32, item: u32, word: u32) -> u32 {
    return group * GROUP_WORDS + 2u + word * CAPACITY + item;
}

@compute @workgroup_size(GROUP)
fn search(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = id.x;
    let header = group * GROUP_WORDS;
    // Resume from the previous dispatch. Subtree numbers are stored plus 1, so zeroed memory means none.
    if (lane == 0u) {
        current = memory[header] - 1u;
        stack_size = memory[header + 1u];
        atomicStore(&pushed, 0u);
        atomicStore(&sum_nodes, 0u);
        atomicStore(&sum_expanded, 0u);
        atomicStore(&sum_solutions, 0u);
        atomicStore(&max_inverted_excess, 0u);
    }
    var tree = workgroupUniformLoad(&current);
    var size = workgroupUniformLoad(&stack_size);
    for (var item = lane; item < min(size, SHARED); item += GROUP) {
        let edge = memory[storage_index(group, item, WORDS)];
        store_shared(item, load_state(storage_index(group, item, 0u), CAPACITY), edge);
    }
    workgroupBarrier();

    var nodes = 0u;
    var expanded = 0u;
    var excess = NONE;
    var solutions = 0u;

    for (var step = 0u; step <= params.steps; step += 1u) {
        let overflowed = size > CAPACITY;
        let finished = size == 0u || overflowed;
        if (finished || step == params.steps) {
            // Sum up the counts of all lanes and record them for the subtree.
            atomicAdd(&sum_nodes, nodes);
            atomicAdd(&sum_expanded, expanded);
            atomicAdd(&sum_solutions, solutions);
            atomicMax(&max_inverted_excess, ~excess);
            nodes = 0u;
            expanded = 0u;
            excess = NONE;
            solutions = 0u;
            workgroupBarrier();
            if (lane == 0u) {
                let all_nodes = atomicExchange(&sum_nodes, 0u);
                if (tree != NONE) {
                    let status = select(select(0u, FINISHED, finished), OVERFLOWED, overflowed);
                    let least_excess = ~atomicExchange(&max_inverted_excess, 0u);
                    let all_expanded = atomicExchange(&sum_expanded, 0u);
                    let all_solutions = atomicExchange(&sum_solutions, 0u);
                    record(tree, all_nodes, all_expanded, least_excess, all_solutions, status);
                    report_nodes(all_nodes);
                }
                if (finished && step == params.steps) {
                    current = NONE;
                } else if (finished) {
                    current = claim_subtree();
                }
            }
            tree = workgroupUniformLoad(&current);
            if (finished) {
                size = 0u;
            }
            if (tree == NONE || step == params.steps) {
                break;
            }
        }

        var state: State;
        var automaton_state = 0u;
        var remaining = 0u;
        var untried = 0u;
        var base = 0u;
        if (size == 0u) {
            // A new subtree: one lane expands its root.
            if (lane == 0u) {
                let at = tree * (WORDS + 2u);
                state = subtree_state(at);
                untried = subtrees[at + WORDS];
                automaton_state = subtrees[at + WORDS + 1u] & 0xffffu;
                remaining = subtrees[at + WORDS + 1u] >> 16u;
                expanded += 1u;
            }
        } else {
            // Each lane pops one edge and makes its move.
            let popped = min(size, GROUP);
            base = size - popped;
            if (lane < popped) {
                let item = size - 1u - lane;
                var edge = 0u;
                if (item < SHARED) {
                    state = load_shared(item);
                    edge = shared_stack[WORDS * SHARED + item];
                } else {
                    state = load_state(storage_index(group, item, 0u), CAPACITY);
                    edge = memory[storage_index(group, item, WORDS)];
                }
                let m = edge & 31u;
                automaton_state = next_automaton_state((edge >> 5u) & 0xffffu, m);
                remaining = (edge >> 21u) - 1u;
                state = apply_move(state, m);
                if (solved(state)) {
                    solutions += 1u;
                } else if (remaining == 0u) {
                    excess = min(excess, 1u);
                } else {
                    untried = allowed(automaton_state) & legal(state);
                    expanded += 1u;
                }
            }
        }
        // All lanes pop before any lane pushes.
        storageBarrier();
        workgroupBarrier();
        if (untried != 0u) {
            nodes += countOneBits(untried);
            let children = evaluate_children(state, untried, remaining - 1u);
            excess = min(excess, children.excess);
            var keep = children.keep;
            if (keep != 0u) {
                var item = base + atomicAdd(&pushed, countOneBits(keep));
                while (keep != 0u) {
                    let edge = firstTrailingBit(keep) | (automaton_state << 5u) | (remaining << 21u);
                    keep &= keep - 1u;
                    if (item < SHARED) {
                        store_shared(item, state, edge);
                    } else if (item < CAPACITY) {
                        store_state(storage_index(group, item, 0u), CAPACITY, state);
                        memory[storage_index(group, item, WORDS)] = edge;
                    }
                    item += 1u;
                }
            }
        }
        // Pushed edges must be visible to the lanes that pop them.
        storageBarrier();
        workgroupBarrier();
        if (lane == 0u) {
            stack_size = base + atomicExchange(&pushed, 0u);
        }
        size = workgroupUniformLoad(&stack_size);
    }

    for (var item = lane; item < min(size, SHARED); item += GROUP) {
        store_state(storage_index(group, item, 0u), CAPACITY, load_shared(item));
        memory[storage_index(group, item, WORDS)] = shared_stack[WORDS * SHARED + item];
    }
    if (lane == 0u) {
        memory[header] = tree + 1u;
        memory[header + 1u] = size;
    }
}
