//! WGSL functions shared by the device programs of several puzzles. The kernels' common text is in the
//! GPU crate.

/// The goal test: whether the first words of a state equal `words`.
pub(crate) fn solved_function(words: &[u32]) -> String {
    let equal: Vec<String> =
        words.iter().enumerate().map(|(index, word)| format!("state[{index}] == {word}u")).collect();
    format!("\nfn solved(state: State) -> bool {{\n    return {};\n}}\n", equal.join(" && "))
}

/// The set of legal moves of a puzzle in which all `moves` moves are always legal.
pub(crate) fn always_legal(moves: usize) -> String {
    format!("\nfn legal(state: State) -> u32 {{\n    return {}u;\n}}\n", (1u64 << moves) - 1)
}
