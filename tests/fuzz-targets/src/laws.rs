//! Laws that several targets share.

use untumble_search::error::{Diagnostic, InputText};

/// Names of types of the program, which mean nothing to a user.
const TYPE_NAMES: [&str; 23] = [
    "bool", "char", "enum", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "newtype", "option",
    "result", "str", "struct", "u128", "u16", "u32", "u64", "u8", "usize", "vec",
];

/// Splits off the first byte, which selects one of `count` variants: `0` is the first.
pub(crate) fn select(data: &[u8], count: usize) -> (usize, &[u8]) {
    match data.split_first() {
        Some((&byte, rest)) => (usize::from(byte.wrapping_sub(b'0')) % count, rest),
        None => (0, data),
    }
}

/// A message names no type of the program, unless it quotes `input`.
pub(crate) fn assert_plain(message: &str, input: &str) {
    let lower = input.to_lowercase();
    // An escape of JSON can spell any word.
    if lower.contains('\\') {
        return;
    }
    for word in message.split(|c: char| !c.is_alphanumeric()) {
        // `option` and `result` are also English; the generic types are not.
        let generic = ["Option", "Result", "Vec", "Box"].contains(&word);
        let known = TYPE_NAMES.contains(&word) && !["option", "result"].contains(&word);
        let quoted = lower.contains(&word.to_lowercase());
        assert!(quoted || !(generic || known), "the message names the type `{word}`: {message}");
    }
    assert!(!message.contains("::") || input.contains("::"), "the message has a Rust path: {message}");
}

/// A diagnostic has a stable code, a plain message, and a span that lies in `input` on character boundaries.
pub(crate) fn assert_diagnostic(diagnostic: &Diagnostic, input: &str, expected: InputText) {
    let code = diagnostic.code;
    let kebab_case = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    assert!(!code.is_empty() && code.chars().all(kebab_case), "the code `{code}` is not kebab-case");
    assert!(!diagnostic.message().is_empty(), "{code} has no message");
    assert_plain(diagnostic.message(), input);
    if let Some(span) = &diagnostic.span {
        assert!(diagnostic.span_in == Some(expected), "{code}: {:?}", diagnostic.span_in);
        assert!(input.get(span.clone()).is_some(), "{code}: span {span:?} is not a part of {input:?}");
    }
}
