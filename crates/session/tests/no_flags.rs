//! String literals of the libraries name no command-line flag and no command: only a front end knows how its
//! user chooses another goal, solver or limit.

use std::fs;
use std::path::{Path, PathBuf};

/// Collects the Rust files below a folder.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The string literals of Rust code outside comments, each with its line number.
fn string_literals(code: &str) -> Vec<(usize, String)> {
    let (mut found, mut line) = (Vec::new(), 1);
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '\'' => character_length(rest),
            'r' if raw_string(rest).is_some() => {
                let (text, length) = raw_string(rest).expect("checked above");
                found.push((line, text));
                length
            }
            '"' => {
                let length = string_length(rest);
                found.push((line, rest[1..length - 1].to_owned()));
                length
            }
            c => c.len_utf8(),
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// The length of a character literal; 1 for the quote of a lifetime.
fn character_length(rest: &str) -> usize {
    let mut inside = rest[1..].char_indices();
    match inside.next() {
        Some((_, '\\')) => {
            rest[2..].char_indices().skip(1).find(|&(_, c)| c == '\'').map_or(1, |(at, _)| at + 3)
        }
        Some((_, c)) if rest[1 + c.len_utf8()..].starts_with('\'') => c.len_utf8() + 2,
        _ => 1,
    }
}

/// The length of a string literal, quotes included.
fn string_length(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The contents of a raw string literal and its whole length.
fn raw_string(rest: &str) -> Option<(String, usize)> {
    let hashes = rest[1..].bytes().take_while(|&byte| byte == b'#').count();
    let body = rest[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end)?;
    Some((body[..length].to_owned(), 2 + hashes + length + end.len()))
}

/// Whether a text contains `--flag` or `untumble COMMAND`.
fn mentions_the_command_line(text: &str) -> bool {
    let flag = |at: usize| text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase());
    const COMMANDS: [&str; 12] = [
        "solve", "batch", "shorten", "check", "scramble", "tables", "train", "list", "gpu", "compare",
        "bench", "serve",
    ];
    let command = |name: &&str| text.contains(&format!("untumble {name}"));
    text.match_indices("--").any(|(at, _)| flag(at)) || COMMANDS.iter().any(command)
}

#[test]
fn no_library_message_mentions_the_command_line() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of crates");
    let mut files = Vec::new();
    for name in ["search", "puzzles", "session"] {
        rust_files(&crates.join(name).join("src"), &mut files);
    }
    assert!(files.len() > 100, "only {} files", files.len());
    let mut hits = Vec::new();
    for file in files {
        let code = fs::read_to_string(&file).expect("a source file");
        let mentions = string_literals(&code).into_iter().filter(|(_, text)| mentions_the_command_line(text));
        hits.extend(mentions.map(|(line, text)| format!("{}:{line}: {text}", file.display())));
    }
    assert!(hits.is_empty(), "{}", hits.join("\n"));
}

#[test]
fn the_scanner_finds_literals_and_skips_comments() {
    let code = "// \"--no\"\n\
                let a = '\"'; let b = \"x \\\" --yes\"; fn f<'a>() {} /* \"--no\" */ r#\"raw \"--flag\"\"#";
    let texts: Vec<String> = string_literals(code).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["x \\\" --yes", "raw \"--flag\""]);
    assert!(
        mentions_the_command_line("add --goal snail") && mentions_the_command_line("`untumble list solvers`")
    );
    assert!(!mentions_the_command_line("a -- b") && !mentions_the_command_line("untumble weights 1"));
}
