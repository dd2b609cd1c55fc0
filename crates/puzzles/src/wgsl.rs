//! Functions in WGSL that programs of several puzzles share. What every program needs stands in the kernels' common text.

/// A function that says whether the first words of a state are these.
pub(crate) fn solved_function(words: &[u32]) -> String {
    let equal: Vec<String> =
        words.iter().enumerate().map(|(at, word)| format!("state[{at}] == {word}u")).collect();
    format!("\nfn solved(state: State) -> bool {{\n    return {};\n}}\n", equal.join(" && "))
}

/// A function that says that every move is legal.
pub(crate) fn always_legal(moves: usize) -> String {
    format!("\nfn legal(state: State) -> u32 {{\n    return {}u;\n}}\n", (1u64 << moves) - 1)
}
