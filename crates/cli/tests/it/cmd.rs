//! Runs the console blocks of `tests/cmd/*.md` and compares what they print.
//!
//! The form is that of trycmd: a line `$ command`, then `? code` if it exits with another code than 0, then
//! its output. `[..]` stands for any text within a line, a line `...` for any lines. trycmd runs one program
//! per command; these documents show pipelines, so a shell runs them here. Each document has a folder and a
//! cache folder of its own, both empty at first. `TRYCMD=overwrite` writes the real output into blocks that
//! differ, `TRYCMD_FILE=output` runs one document.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, thread};

/// A command of a document with the lines that it should print.
#[derive(Default)]
struct Case {
    /// The number of its line in the document, from 1.
    line: usize,
    command: String,
    code: i32,
    output: Vec<String>,
}

#[test]
fn documented_commands_print_what_their_documents_show() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let only = env::var("TRYCMD_FILE").ok();
    let mut documents: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of documents")
        .map(|entry| entry.expect("a folder entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter(|path| only.as_ref().is_none_or(|only| path.file_stem().is_some_and(|stem| stem == &**only)))
        .collect();
    documents.sort();
    assert!(!documents.is_empty(), "no documents in {}", folder.display());
    let failures: Vec<String> = thread::scope(|scope| {
        let runs: Vec<_> = documents.iter().map(|path| scope.spawn(|| run_document(path))).collect();
        runs.into_iter().filter_map(|run| run.join().expect("no panic")).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Runs the commands of a document in order; returns the differences, if there are any.
fn run_document(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("a readable document");
    let cases = parse(&text);
    let name = path.file_name().expect("a file name").to_string_lossy();
    assert!(!cases.is_empty(), "{name} has no commands");
    let (folder, cache) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut failures = String::new();
    let mut actual = Vec::new();
    for case in &cases {
        let (code, output) = run_command(&case.command, folder.path(), cache.path());
        let matched = code == case.code && matches(&case.output, &output);
        if !matched {
            let shown = block(case.code, &case.output);
            let (line, command, printed) = (case.line, &case.command, block(code, &output));
            writeln!(failures, "{name}:{line}: $ {command}\n-- document\n{shown}-- program\n{printed}")
                .expect("text");
        }
        actual.push(if matched { (case.code, case.output.clone()) } else { (code, output) });
    }
    if env::var("TRYCMD").is_ok_and(|mode| mode == "overwrite") && !failures.is_empty() {
        fs::write(path, overwritten(&text, &actual)).expect("a writable document");
    }
    (!failures.is_empty()).then_some(failures)
}

/// The exit code and the lines of a command, standard error included.
fn run_command(command: &str, folder: &Path, cache: &Path) -> (i32, Vec<String>) {
    let binary = Path::new(env!("CARGO_BIN_EXE_untumble")).parent().expect("the folder of the binary");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([binary.to_owned()].into_iter().chain(env::split_paths(&path)));
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("PATH", path.expect("a search path"))
        .env("UNTUMBLE_CACHE", cache)
        .env("COLUMNS", "100")
        .env("TERM", "dumb")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    assert!(!text.contains("This is a bug"), "{command}\n{text}");
    (output.status.code().unwrap_or(-1), text.lines().map(|line| line.trim_end().to_owned()).collect())
}

/// The commands in the console blocks of a document.
fn parse(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ if line.starts_with("$ ") => {
                cases.push(Case { line: index + 1, command: line[2..].into(), ..Case::default() });
            }
            _ => {
                let case = cases.last_mut().expect("a block begins with a command");
                match (line.strip_prefix("> "), line.strip_prefix("? ")) {
                    (Some(more), _) if case.output.is_empty() => case.command += &format!("\n{more}"),
                    (_, Some(code)) if case.output.is_empty() => case.code = code.parse().expect("a code"),
                    _ => case.output.push(line.trim_end().to_owned()),
                }
            }
        }
    }
    // An empty line may separate two commands of a block.
    for case in &mut cases {
        while case.output.last().is_some_and(String::is_empty) {
            case.output.pop();
        }
    }
    cases
}

/// Whether the lines of a document match those of the program.
fn matches(document: &[String], program: &[String]) -> bool {
    let end = program.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let program = &program[..end];
    match document.split_first() {
        None => program.is_empty(),
        Some((any, rest)) if any == "..." => (0..=program.len()).any(|skip| matches(rest, &program[skip..])),
        Some((line, rest)) => {
            program.first().is_some_and(|first| line_matches(line, first)) && matches(rest, &program[1..])
        }
    }
}

/// Whether a line matches a pattern with `[..]`.
fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            let mut ends = line.char_indices().map(|(index, _)| index).chain([line.len()]);
            ends.any(|skip| line_matches(rest, &line[skip..]))
        }),
    }
}

/// A code and lines as in a document.
fn block(code: i32, output: &[String]) -> String {
    let code = if code == 0 { String::new() } else { format!("? {code}\n") };
    output.iter().fold(code, |text, line| text + line + "\n")
}

/// The document with these codes and lines after its commands.
fn overwritten(text: &str, actual: &[(i32, Vec<String>)]) -> String {
    let mut actual = actual.iter();
    let (mut result, mut inside, mut in_command) = (String::new(), false, false);
    for line in text.lines() {
        let continued = in_command && line.starts_with("> ");
        in_command = inside && (line.starts_with("$ ") || continued);
        if !inside || in_command || line == "```" {
            result += &format!("{line}\n");
        }
        inside = (inside || line == "```console") && line != "```";
        if in_command {
            // Continuation lines come before the output.
            let next = text[line.as_ptr() as usize - text.as_ptr() as usize + line.len()..].lines().nth(1);
            if next.is_none_or(|next| !next.starts_with("> ")) {
                let (code, output) = actual.next().expect("one result per command");
                result += &block(*code, output);
            }
        }
    }
    result
}

#[test]
fn elisions_stand_for_text_and_lines() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    assert!(matches(&lines("a [..] c\n...\nend"), &lines("a b c\nx\ny\nend\n")));
    assert!(matches(&lines("a\n..."), &lines("a")));
    for program in ["a b d\nend", "a b c\nx", "a b c\nend\nx", ""] {
        assert!(!matches(&lines("a [..] c\n...\nend"), &lines(program)), "{program:?}");
    }
}
