//! Golden outputs: commands, exit codes and outputs of version 0.1.0 in `tests/golden/*.ndjson` must not
//! change.

use std::path::Path;

use crate::common::untumble;
use serde_json::Value;

/// The first value of `golden` that `actual` lacks or changes, with its path below `path`. Objects of
/// `actual` may have further keys.
fn difference(golden: &Value, actual: &Value, path: &str) -> Option<String> {
    match (golden, actual) {
        (Value::Object(golden), Value::Object(actual)) => golden.iter().find_map(|(key, value)| {
            let path = format!("{path}.{key}");
            match actual.get(key) {
                Some(found) => difference(value, found, &path),
                None => Some(format!("{path} is missing, expected {value}")),
            }
        }),
        (Value::Array(golden), Value::Array(actual)) if golden.len() == actual.len() => golden
            .iter()
            .zip(actual)
            .enumerate()
            .find_map(|(i, (golden, actual))| difference(golden, actual, &format!("{path}[{i}]"))),
        (Value::Number(a), Value::Number(b)) if a.is_f64() || b.is_f64() => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            ((a - b).abs() > 1e-5 * a.abs()).then(|| format!("{path} is {b}, expected {a}"))
        }
        _ => (golden != actual).then(|| format!("{path} is {actual}, expected {golden}")),
    }
}

/// Runs the commands of a file in order on an empty table cache and compares all of them.
fn compare(family: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{family}.ndjson"));
    let cases = std::fs::read_to_string(&file).expect("a golden file");
    let cache = tempfile::tempdir().expect("a folder");
    let mut differences = Vec::new();
    for case in cases.lines() {
        let case: Value = serde_json::from_str(case).expect(case);
        let arguments: Vec<&str> =
            case["args"].as_array().expect("arguments").iter().filter_map(Value::as_str).collect();
        let output = untumble(&arguments)
            .env("UNTUMBLE_CACHE", cache.path())
            .write_stdin(case["stdin"].as_str().unwrap_or_default())
            .output()
            .expect("the program starts");
        let text = String::from_utf8(output.stdout).expect("output is UTF-8");
        let stdout = match &case["stdout"] {
            Value::Array(_) => text
                .lines()
                .map(|line| serde_json::from_str(line).unwrap_or_else(|_| Value::from(line)))
                .collect(),
            _ => Value::from(text.as_str()),
        };
        let exit = output.status.code();
        let difference = if exit == case["exit"].as_i64().map(|code| code as i32) {
            difference(&case["stdout"], &stdout, "stdout")
        } else {
            Some(format!("the exit code is {exit:?}, expected {}", case["exit"]))
        };
        if let Some(difference) = difference {
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            differences.push(format!("untumble {}\n  {difference}\n{text}{errors}", arguments.join(" ")));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn sliding_tiles_answer_as_recorded() {
    compare("tiles");
}

#[test]
fn the_pocket_cube_answers_as_recorded() {
    compare("cube2");
}

#[test]
fn rubiks_cube_answers_as_recorded() {
    compare("cube3");
}

#[test]
fn baltos_puzzle_answers_as_recorded() {
    compare("balto");
}

#[test]
fn differences_are_found() {
    let golden = serde_json::json!({"length": 3, "passes": [{"bound": 1}], "mean": 2.5});
    let same =
        serde_json::json!({"length": 3, "passes": [{"bound": 1, "new": 0}], "mean": 2.500_001, "new": 1});
    assert_eq!(difference(&golden, &same, "stdout"), None);
    for (key, value) in [
        ("length", Value::from(4)),
        ("passes", serde_json::json!([])),
        ("passes", serde_json::json!([{"bound": 2}])),
        ("mean", Value::from(2.51)),
        ("mean", Value::Null),
    ] {
        let mut other = same.clone();
        other[key] = value;
        assert!(difference(&golden, &other, "stdout").is_some(), "{other}");
    }
}
