//! ARCHITECTURE.md names files and functions that exist, and stays within its limits.

use std::fs;
use std::path::{Path, PathBuf};

/// The largest number of lines of ARCHITECTURE.md.
const MAX_LINES: usize = 250;
/// The largest number of steps in the path of one position through the program.
const MAX_STEPS: usize = 20;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document() -> String {
    fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md")
}

/// The source file that the document calls `search/puzzle.rs`.
fn source(name: &str) -> Option<String> {
    let (package, file) = name.split_once('/')?;
    fs::read_to_string(repository().join("crates").join(package).join("src").join(file)).ok()
}

/// The code spans of a text: the parts between backticks.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a file defines an item: a function, a type, or with `Type::method` a method beside an `impl`.
fn defines(code: &str, item: &str) -> bool {
    let words = |line: &str| -> Vec<String> {
        line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
    };
    let (owner, name) = item.split_once("::").map_or((None, item), |(owner, name)| (Some(owner), name));
    let keywords = ["fn", "struct", "enum", "trait", "type"];
    let is_definition = |line: &str| {
        words(line).windows(2).any(|pair| keywords.contains(&pair[0].as_str()) && pair[1] == name)
    };
    let is_impl =
        |line: &str| line.starts_with("impl") && words(line).iter().any(|word| Some(&**word) == owner);
    code.lines().any(is_definition) && (owner.is_none() || code.lines().any(is_impl))
}

#[test]
fn named_files_and_functions_exist() {
    let document = document();
    let (mut files, mut items, mut wrong) = (0, 0, Vec::new());
    for span in code_spans(&document) {
        let (file, item) = span.split_once(": ").map_or((span, None), |(file, item)| (file, Some(item)));
        let is_path = file.ends_with(".rs") && file.contains('/') && !file.starts_with("crates/");
        if !is_path || file.contains(' ') {
            continue;
        }
        files += 1;
        match (source(file), item) {
            (None, _) => wrong.push(format!("there is no file {file}")),
            (Some(code), Some(item)) => {
                items += 1;
                if !defines(&code, item) {
                    wrong.push(format!("{file} does not define {item}"));
                }
            }
            (Some(_), None) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files > 50 && items >= MAX_STEPS, "{files} files, {items} items");
}

#[test]
fn the_document_and_the_path_of_a_position_stay_short() {
    let document = document();
    let lines = document.lines().count();
    assert!(lines <= MAX_LINES, "{lines} lines");
    let (_, path) = document.split_once("### The path of one position").expect("the path of one position");
    let path = path.split("\n## ").next().expect("a section");
    let is_step = |line: &&str| {
        line.trim_start().split_once(". `").is_some_and(|(number, _)| number.parse::<usize>().is_ok())
    };
    let steps = path.lines().filter(is_step).count();
    assert!((15..=MAX_STEPS).contains(&steps), "{steps} steps");
}

#[test]
fn a_missing_definition_is_noticed() {
    let code = "impl Registry<P> {\n    pub fn complete(&self) {}\n}\npub(crate) fn run() {}";
    assert!(defines(code, "run") && defines(code, "Registry::complete"));
    assert!(!defines(code, "complet") && !defines(code, "Session::complete") && !defines(code, "Registry"));
}
