// One lane per subtree: the thread-parallel IDA* that Horie & Fukunaga (SoCS 2017) compare with BPIDA*.
//
// A lane descends by a move and backtracks by its inverse, so the stack holds no states. A stack frame
// packs the untried moves, the move made and the automaton state before it. There is one frame per
// remaining move, so the stack cannot overflow.

// Rows before the stack frames: the subtree number plus 1, the depth, the untried moves, a word with the
// automaton state and the remaining moves, and the state.
const HEADER_ROWS = 4u + WORDS;
const MOVE_BITS = 5u;

// Index in `memory` of a lane's row; rows are interleaved so that lanes access adjacent words.
fn row(number: u32, lane: u32) -> u32 {
    return number * params.lanes + lane;
}

@compute @workgroup_size(GROUP)
fn search(@builtin(global_invocation_id) id: vec3<u32>) {
    let lane = id.x;
    if (lane >= params.lanes) {
        return;
    }
    // Resume from the previous dispatch. Subtree numbers are stored plus 1, so zeroed memory means none.
    var tree = memory[row(0u, lane)] - 1u;
    var depth = memory[row(1u, lane)];
    var moves = memory[row(2u, lane)];
    var automaton_state = memory[row(3u, lane)] & 0xffffu;
    var remaining = memory[row(3u, lane)] >> 16u;
    var state = load_state(row(4u, lane), params.lanes);

    var nodes = 0u;
    var expanded = 0u;
    var excess = NONE;
    var solutions = 0u;
    var reported = 0u;

    for (var step = 0u; step < params.steps; step += 1u) {
        // Backtrack.
        if (moves == 0u && depth > 0u) {
            depth -= 1u;
            let frame = memory[row(HEADER_ROWS + depth, lane)];
            moves = frame & MOVE_MASK;
            automaton_state = frame >> (MOVES + MOVE_BITS);
            remaining += 1u;
            state = apply_move(state, inverse((frame >> MOVES) & 31u));
        }
        var untried = 0u;
        if (moves != 0u) {
            // Descend by the first untried move.
            let m = firstTrailingBit(moves);
            moves &= moves - 1u;
            memory[row(HEADER_ROWS + depth, lane)] =
                moves | (m << MOVES) | (automaton_state << (MOVES + MOVE_BITS));
            depth += 1u;
            moves = 0u;
            automaton_state = next_automaton_state(automaton_state, m);
            remaining -= 1u;
            state = apply_move(state, m);
            if (solved(state)) {
                solutions += 1u;
            } else if (remaining == 0u) {
                excess = min(excess, 1u);
            } else {
                untried = allowed(automaton_state) & legal(state);
                expanded += 1u;
            }
        } else if (depth == 0u) {
            // The subtree is finished: record it and start the next one.
            if (tree != NONE) {
                record(tree, nodes, expanded, excess, solutions, FINISHED);
                reported += nodes;
                nodes = 0u;
                expanded = 0u;
                excess = NONE;
                solutions = 0u;
            }
            tree = claim_subtree();
            if (tree == NONE) {
                break;
            }
            let at = tree * (WORDS + 2u);
            state = subtree_state(at);
            untried = subtrees[at + WORDS];
            automaton_state = subtrees[at + WORDS + 1u] & 0xffffu;
            remaining = subtrees[at + WORDS + 1u] >> 16u;
            expanded += 1u;
        }
        if (untried != 0u) {
            nodes += countOneBits(untried);
            let children = evaluate_children(state, untried, remaining - 1u);
            moves = children.keep;
            excess = min(excess, children.excess);
        }
    }

    if (tree != NONE) {
        record(tree, nodes, expanded, excess, solutions, 0u);
        reported += nodes;
    }
    report_nodes(reported);
    memory[row(0u, lane)] = tree + 1u;
    memory[row(1u, lane)] = depth;
    memory[row(2u, lane)] = moves;
    memory[row(3u, lane)] = automaton_state | (remaining << 16u);
    store_state(row(4u, lane), params.lanes, state);
}
