// A lane for each subtree: down by a move, up by its inverse, so that no state is kept on the way. A frame is the moves still to make, the
// move made, and the trail. There is a frame for each move that the bound allows, so the stack cannot overflow.

const LANE_ROWS = 4u + WORDS;
const MOVE_BITS = 5u;

// A place in the rows that each lane has of the memory.
fn row(number: u32, lane: u32) -> u32 {
    return number * orders.lanes + lane;
}

@compute @workgroup_size(GROUP)
fn search(@builtin(global_invocation_id) id: vec3<u32>) {
    let lane = id.x;
    if (lane >= orders.lanes) {
        return;
    }
    // What the last dispatch left. A tree is kept as its number plus 1, so that memory of zeros means none.
    var tree = memory[row(0u, lane)] - 1u;
    var depth = memory[row(1u, lane)];
    var moves = memory[row(2u, lane)];
    var trail = memory[row(3u, lane)] & 0xffffu;
    var left = memory[row(3u, lane)] >> 16u;
    var state = remembered(row(4u, lane), orders.lanes);

    var nodes = 0u;
    var expanded = 0u;
    var excess = NONE;
    var solutions = 0u;
    var told = 0u;

    for (var step = 0u; step < orders.steps; step += 1u) {
        if (moves == 0u && depth > 0u) {
            depth -= 1u;
            let frame = memory[row(LANE_ROWS + depth, lane)];
            moves = frame & MOVE_MASK;
            trail = frame >> (MOVES + MOVE_BITS);
            left += 1u;
            state = turned(state, inverse((frame >> MOVES) & 31u));
        }
        var untried = 0u;
        if (moves != 0u) {
            let m = firstTrailingBit(moves);
            moves &= moves - 1u;
            memory[row(LANE_ROWS + depth, lane)] = moves | (m << MOVES) | (trail << (MOVES + MOVE_BITS));
            depth += 1u;
            moves = 0u;
            trail = next_trail(trail, m);
            left -= 1u;
            state = turned(state, m);
            if (solved(state)) {
                solutions += 1u;
            } else if (left == 0u) {
                excess = min(excess, 1u);
            } else {
                untried = allowed(trail) & legal(state);
                expanded += 1u;
            }
        } else if (depth == 0u) {
            if (tree != NONE) {
                book(tree, nodes, expanded, excess, solutions, ENDED);
                told += nodes;
                nodes = 0u;
                expanded = 0u;
                excess = NONE;
                solutions = 0u;
            }
            tree = take();
            if (tree == NONE) {
                break;
            }
            let at = tree * (WORDS + 2u);
            state = given(at);
            untried = subtrees[at + WORDS];
            trail = subtrees[at + WORDS + 1u] & 0xffffu;
            left = subtrees[at + WORDS + 1u] >> 16u;
            expanded += 1u;
        }
        if (untried != 0u) {
            nodes += countOneBits(untried);
            let price = priced(state, untried, left - 1u);
            moves = price.keep;
            excess = min(excess, price.excess);
        }
    }

    if (tree != NONE) {
        book(tree, nodes, expanded, excess, solutions, 0u);
        told += nodes;
    }
    tell(told);
    memory[row(0u, lane)] = tree + 1u;
    memory[row(1u, lane)] = depth;
    memory[row(2u, lane)] = moves;
    memory[row(3u, lane)] = trail | (left << 16u);
    remember(row(4u, lane), orders.lanes, state);
}
