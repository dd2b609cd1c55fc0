//! WGSL functions shared by the device programs of several puzzles. The GPU crate holds the source that all
//! kernels share.

/// The WGSL function `solved`, which tests whether the first words of a state equal `words`.
pub(crate) fn solved_function(words: &[u32]) -> String {
    let comparisons: Vec<String> =
        words.iter().enumerate().map(|(index, word)| format!("state[{index}] == {word}u")).collect();
    format!("\nfn solved(state: State) -> bool {{\n    return {};\n}}\n", comparisons.join(" && "))
}

/// The WGSL function `legal` of a puzzle whose `moves` moves are always legal.
pub(crate) fn always_legal(moves: usize) -> String {
    format!("\nfn legal(state: State) -> u32 {{\n    return {}u;\n}}\n", (1u64 << moves) - 1)
}
