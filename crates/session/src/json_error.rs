//! Errors of JSON in the words of JSON: the parser names the types of the program, which mean nothing to a
//! client.

use std::fmt::Display;

/// The message of an error of `serde_json`, without names of Rust types.
pub fn json_error(error: &impl Display) -> String {
    let text = error.to_string();
    let (message, place) = match text.rfind(" at line ") {
        Some(at) => text.split_at(at),
        None => (&*text, ""),
    };
    let message = match message.rsplit_once(", expected ") {
        Some((found, expected)) => format!("{}, expected {}", plain_found(found), plain_expected(expected)),
        None => message.to_owned(),
    };
    format!("{message}{place}")
}

/// The value that was found.
fn plain_found(found: &str) -> String {
    found
        .replace("invalid type: map", "invalid type: object")
        .replace("invalid type: sequence", "invalid type: array")
        .replace("floating point `", "number `")
        .replace("integer `", "number `")
        .replace("unknown variant `", "unknown value `")
}

/// The value that was expected.
fn plain_expected(expected: &str) -> &str {
    let first = expected.split(' ').next().unwrap_or_default();
    match first {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number that is not negative",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "struct" | "internally" | "adjacently" => "an object",
        "enum" | "variant" | "newtype" => "a string",
        "tuple" => "an array",
        "unit" => "null",
        _ => match expected {
            "a map" => "an object",
            "a sequence" => "an array",
            other if other.starts_with("a tuple ") => "an array",
            other => other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        One,
        Two,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only errors are tested")]
    struct Request {
        name: String,
        nodes: Option<u64>,
        time: Option<f64>,
        kind: Option<Kind>,
        list: Option<Vec<i32>>,
        pair: Option<(u8, u8)>,
        flag: Option<bool>,
    }

    #[test]
    fn messages_name_no_rust_types() {
        for (text, message) in [
            ("3", "invalid type: number `3`, expected an object at line 1 column 1"),
            ("[1]", "invalid type: number `1`, expected a string at line 1 column 2"),
            (
                "{\"name\":\"x\",\"nodes\":-1}",
                "invalid value: number `-1`, expected a whole number that is not negative at line 1 column 22",
            ),
            (
                "{\"name\":\"x\",\"nodes\":\"3\"}",
                "invalid type: string \"3\", expected a whole number that is not negative at line 1 column 23",
            ),
            ("{\"name\":\"x\",\"time\":{}}", "invalid type: object, expected a number at line 1 column 19"),
            (
                "{\"name\":\"x\",\"kind\":\"three\"}",
                "unknown value `three`, expected `one` or `two` at line 1 column 26",
            ),
            ("{\"name\":\"x\",\"list\":{}}", "invalid type: object, expected an array at line 1 column 19"),
            (
                "{\"name\":\"x\",\"pair\":3}",
                "invalid type: number `3`, expected an array at line 1 column 20",
            ),
            ("{\"name\":\"x\",\"flag\":[]}", "invalid type: array, expected a boolean at line 1 column 19"),
            ("{\"nodes\":1}", "missing field `name` at line 1 column 11"),
            ("{\"name\":", "EOF while parsing a value at line 1 column 8"),
        ] {
            let error = serde_json::from_str::<Request>(text).expect_err(text);
            assert_eq!(json_error(&error), message, "{text}");
        }
        let error = serde_json::from_str::<Request>("{\"names\":1}").expect_err("an unknown field");
        assert!(json_error(&error).starts_with("unknown field `names`, expected one of `name`, `nodes`"));
    }
}
