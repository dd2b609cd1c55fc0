// A group of lanes for each subtree. What waits on its stack is one move of one parent, so lanes take as many as they are from the top, whatever the number
// of moves and parents, and none is idle while enough wait. The lowest places of the stack are in the group's own memory, the others in
// memory that all share; a subtree that fits neither is given up and told.
//
// The size of the stack is the same for all lanes, read by `workgroupUniformLoad`: barriers depend on it.

const ITEM = WORDS + 1u;
const GROUP_WORDS = 2u + CAPACITY * ITEM;

var<workgroup> nearby: array<u32, SHARED * ITEM>;
var<workgroup> pushed: atomic<u32>;
var<workgroup> stack_size: u32;
var<workgroup> current: u32;
var<workgroup> sum_nodes: atomic<u32>;
var<workgroup> sum_expanded: atomic<u32>;
var<workgroup> sum_solutions: atomic<u32>;
var<workgroup> most_inverted: atomic<u32>;

// The place in the memory of a word of an item.
fn far(group: u32, item: u32, word: u32) -> u32 {
    return group * GROUP_WORDS + 2u + word * CAPACITY + item;
}

@compute @workgroup_size(GROUP)
fn search(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = id.x;
    let home = group * GROUP_WORDS;
    // What the last dispatch left. A tree is kept as its number plus 1, so that memory of zeros means none.
    if (lane == 0u) {
        current = memory[home] - 1u;
        stack_size = memory[home + 1u];
        atomicStore(&pushed, 0u);
        atomicStore(&sum_nodes, 0u);
        atomicStore(&sum_expanded, 0u);
        atomicStore(&sum_solutions, 0u);
        atomicStore(&most_inverted, 0u);
    }
    var tree = workgroupUniformLoad(&current);
    var size = workgroupUniformLoad(&stack_size);
    for (var item = lane; item < min(size, SHARED); item += GROUP) {
        put_near(item, remembered(far(group, item, 0u), CAPACITY), memory[far(group, item, WORDS)]);
    }
    workgroupBarrier();

    var nodes = 0u;
    var expanded = 0u;
    var excess = NONE;
    var solutions = 0u;

    for (var step = 0u; step <= orders.steps; step += 1u) {
        let over = size > CAPACITY;
        let ended = size == 0u || over;
        if (ended || step == orders.steps) {
            // Everybody's counts become the subtree's.
            atomicAdd(&sum_nodes, nodes);
            atomicAdd(&sum_expanded, expanded);
            atomicAdd(&sum_solutions, solutions);
            atomicMax(&most_inverted, ~excess);
            nodes = 0u;
            expanded = 0u;
            excess = NONE;
            solutions = 0u;
            workgroupBarrier();
            if (lane == 0u) {
                let counted = atomicExchange(&sum_nodes, 0u);
                if (tree != NONE) {
                    let end = select(select(0u, ENDED, ended), OVERFLOWED, over);
                    let excess_of_all = ~atomicExchange(&most_inverted, 0u);
                    book(tree, counted, atomicExchange(&sum_expanded, 0u), excess_of_all, atomicExchange(&sum_solutions, 0u), end);
                    tell(counted);
                }
                if (ended && step == orders.steps) {
                    current = NONE;
                } else if (ended) {
                    current = take();
                }
            }
            tree = workgroupUniformLoad(&current);
            if (ended) {
                size = 0u;
            }
            if (tree == NONE || step == orders.steps) {
                break;
            }
        }

        var state: State;
        var trail = 0u;
        var left = 0u;
        var untried = 0u;
        var base = 0u;
        if (size == 0u) {
            if (lane == 0u) {
                let at = tree * (WORDS + 2u);
                state = given(at);
                untried = subtrees[at + WORDS];
                trail = subtrees[at + WORDS + 1u] & 0xffffu;
                left = subtrees[at + WORDS + 1u] >> 16u;
                expanded += 1u;
            }
        } else {
            let taken = min(size, GROUP);
            base = size - taken;
            if (lane < taken) {
                let item = size - 1u - lane;
                var edge = 0u;
                if (item < SHARED) {
                    state = near(item);
                    edge = nearby[WORDS * SHARED + item];
                } else {
                    state = remembered(far(group, item, 0u), CAPACITY);
                    edge = memory[far(group, item, WORDS)];
                }
                let m = edge & 31u;
                trail = next_trail((edge >> 5u) & 0xffffu, m);
                left = (edge >> 21u) - 1u;
                state = turned(state, m);
                if (solved(state)) {
                    solutions += 1u;
                } else if (left == 0u) {
                    excess = min(excess, 1u);
                } else {
                    untried = allowed(trail) & legal(state);
                    expanded += 1u;
                }
            }
        }
        // All have taken, from wherever it was, before anybody puts.
        storageBarrier();
        workgroupBarrier();
        if (untried != 0u) {
            nodes += countOneBits(untried);
            let price = priced(state, untried, left - 1u);
            excess = min(excess, price.excess);
            var keep = price.keep;
            if (keep != 0u) {
                var item = base + atomicAdd(&pushed, countOneBits(keep));
                while (keep != 0u) {
                    let edge = firstTrailingBit(keep) | (trail << 5u) | (left << 21u);
                    keep &= keep - 1u;
                    if (item < SHARED) {
                        put_near(item, state, edge);
                    } else if (item < CAPACITY) {
                        remember(far(group, item, 0u), CAPACITY, state);
                        memory[far(group, item, WORDS)] = edge;
                    }
                    item += 1u;
                }
            }
        }
        // What is put into shared memory must be seen by the lane that takes it.
        storageBarrier();
        workgroupBarrier();
        if (lane == 0u) {
            stack_size = base + atomicExchange(&pushed, 0u);
        }
        size = workgroupUniformLoad(&stack_size);
    }

    for (var item = lane; item < min(size, SHARED); item += GROUP) {
        remember(far(group, item, 0u), CAPACITY, near(item));
        memory[far(group, item, WORDS)] = nearby[WORDS * SHARED + item];
    }
    if (lane == 0u) {
        memory[home] = tree + 1u;
        memory[home + 1u] = size;
    }
}
