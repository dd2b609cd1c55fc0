//! The exit codes of every command with their meanings. The help texts are made from this table, and
//! `docs/reference/exit-codes.md` from the help texts.

use crate::exit::Exit::{
    self, Failure, Interrupted, Invalid, OutputClosed, Stopped, Success, Unsolvable, Usage,
};

/// The exit codes of one command.
struct CommandExits {
    /// The name of the command; empty for the program, whose codes hold for every command.
    command: &'static str,
    /// The codes and their meanings.
    codes: &'static [(Exit, &'static str)],
    /// Whether the command answers several positions and the worst one decides.
    worst_of_several: bool,
}

const fn exits(command: &'static str, codes: &'static [(Exit, &'static str)]) -> CommandExits {
    CommandExits { command, codes, worst_of_several: false }
}

const USAGE: (Exit, &str) = (Usage, "wrong usage");
const INTERRUPTED: (Exit, &str) = (Interrupted, "interrupted");
const INVALID_LINE: (Exit, &str) = (Invalid, "some line is invalid");
const UNSOLVABLE_LINE: (Exit, &str) = (Unsolvable, "some position is unsolvable");
const STOPPED_SEARCH: (Exit, &str) = (Stopped, "some search was stopped by a limit");
const CONTINUE: (Exit, &str) = (Interrupted, "interrupted (continue with --resume)");

/// The table. Commands that are not listed exit with 0, 1, 2 or 130 as the program does.
const TABLE: &[CommandExits] = &[
    exits(
        "",
        &[
            (Success, "solved"),
            (Failure, "internal failure"),
            USAGE,
            (Invalid, "invalid position"),
            (Unsolvable, "unsolvable"),
            (Stopped, "stopped by a limit (the best solution so far is printed)"),
            (Interrupted, "interrupted (likewise)"),
            (OutputClosed, "standard output was closed before all answers were written"),
        ],
    ),
    CommandExits {
        worst_of_several: true,
        ..exits(
            "solve",
            &[
                (Success, "solved"),
                USAGE,
                (Invalid, "invalid position"),
                (Unsolvable, "unsolvable"),
                (Stopped, "stopped by a limit"),
                INTERRUPTED,
            ],
        )
    },
    exits(
        "batch",
        &[
            (Success, "all lines answered (unsolvable ones included)"),
            USAGE,
            INVALID_LINE,
            STOPPED_SEARCH,
            CONTINUE,
        ],
    ),
    exits(
        "compare",
        &[
            (Success, "measured"),
            USAGE,
            INVALID_LINE,
            UNSOLVABLE_LINE,
            STOPPED_SEARCH,
            (Interrupted, "interrupted (finished searches are shown)"),
        ],
    ),
    exits(
        "analyze",
        &[
            (Success, "written"),
            (Failure, "the files could not be written"),
            USAGE,
            INVALID_LINE,
            UNSOLVABLE_LINE,
            STOPPED_SEARCH,
            CONTINUE,
        ],
    ),
    exits(
        "check",
        &[
            (Success, "solvable (by these moves or others)"),
            USAGE,
            (Invalid, "invalid position or move"),
            (Unsolvable, "unsolvable"),
        ],
    ),
    exits(
        "shorten",
        &[
            (Success, "solved"),
            USAGE,
            (Invalid, "invalid position, or moves that do not solve it"),
            (Unsolvable, "unsolvable"),
            (Interrupted, "interrupted (the best solution so far is printed)"),
        ],
    ),
    exits("bench", &[(Success, "measured"), (Failure, "the results could not be saved"), USAGE, INTERRUPTED]),
    exits(
        "train",
        &[
            (Success, "trained"),
            (Failure, "the file could not be written"),
            USAGE,
            (Invalid, "invalid weights in --from"),
            (Interrupted, "interrupted (the best weights so far are saved)"),
        ],
    ),
    exits("serve", &[(Success, "shut down"), (Failure, "the address cannot be used"), USAGE]),
    exits(
        "gpu",
        &[(Success, "all checks passed"), (Failure, "a check failed or there is no GPU"), USAGE, INTERRUPTED],
    ),
    exits(
        "heuristics",
        &[
            (Success, "evaluated"),
            USAGE,
            (Invalid, "invalid position"),
            (Unsolvable, "unsolvable"),
            INTERRUPTED,
        ],
    ),
    exits(
        "tables list",
        &[
            (Success, "listed"),
            USAGE,
            (Interrupted, "interrupted (the remaining tables are listed without statistics)"),
        ],
    ),
    exits("tables verify", &[(Success, "all are valid"), (Failure, "some are damaged"), USAGE, INTERRUPTED]),
    exits(
        "tables build",
        &[
            (Success, "built and saved"),
            (Failure, "not saved"),
            USAGE,
            (Stopped, "stopped by a limit"),
            INTERRUPTED,
        ],
    ),
];

/// The exit codes of a command on one line: `0 solved, 2 wrong usage`.
fn sentence(exits: &CommandExits) -> String {
    let codes: Vec<String> =
        exits.codes.iter().map(|(exit, meaning)| format!("{} {meaning}", exit.code())).collect();
    let mut text = codes.join(", ");
    if exits.worst_of_several {
        let mut order: Vec<Exit> = exits.codes.iter().map(|&(exit, _)| exit).collect();
        // A wrong command line solves nothing; every command may fail.
        order.retain(|&exit| exit != Usage);
        order.push(Failure);
        order.sort_unstable_by(|a, b| b.cmp(a));
        let order: Vec<String> = order.iter().map(|exit| exit.code().to_string()).collect();
        text += &format!("; several positions: the worst of them ({})", order.join(", "));
    }
    text
}

/// The help text of a command with its exit codes at the end.
///
/// # Panics
/// If the command is not in the table.
pub(crate) fn append(command: &str, help: &str) -> String {
    const WIDTH: usize = 100;
    const HEADING: &str = "Exit codes: ";
    let exits = TABLE.iter().find(|exits| exits.command == command).expect("a command of the table");
    let mut text = format!("{help}\n\n{HEADING}");
    let mut column = HEADING.len();
    // A line ends before a code, so that a code and its meaning stay together.
    for (index, part) in sentence(exits).split_inclusive(", ").enumerate() {
        let starts_with_code = part.starts_with(|c: char| c.is_ascii_digit());
        if index > 0 && starts_with_code && column + part.trim_end().len() > WIDTH {
            text.truncate(text.trim_end().len());
            text += &format!("\n{:1$}", "", HEADING.len());
            column = HEADING.len();
        }
        text += part;
        column += part.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    /// The help of a command, as one line.
    fn help_of(command: &str) -> Option<String> {
        let mut program = Cli::command();
        program.build();
        let mut names = command.split(' ').filter(|name| !name.is_empty());
        let found = names.try_fold(program, |program, name| program.find_subcommand(name).cloned());
        let help = found?.render_long_help().to_string();
        Some(help.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn every_help_text_ends_with_its_row_of_the_table() {
        for exits in TABLE {
            // Some commands belong to features.
            let Some(help) = help_of(exits.command) else { continue };
            let codes = format!("Exit codes: {}", sentence(exits));
            assert!(help.ends_with(&codes), "{}: {help}", exits.command);
        }
    }

    #[test]
    fn the_codes_of_a_row_are_in_order_and_listed_for_the_program() {
        let general: Vec<u8> = TABLE[0].codes.iter().map(|(exit, _)| exit.code()).collect();
        assert_eq!(general, [0, 1, 2, 3, 4, 5, 130, 141], "every exit code has a meaning");
        for exits in TABLE {
            let codes: Vec<u8> = exits.codes.iter().map(|(exit, _)| exit.code()).collect();
            assert!(codes.is_sorted(), "{}: {codes:?}", exits.command);
            assert!(codes.iter().all(|code| general.contains(code)), "{}: {codes:?}", exits.command);
        }
    }

    #[test]
    fn the_reference_page_has_the_rows_of_the_table() {
        let page =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/exit-codes.md");
        let page = std::fs::read_to_string(page).expect("a readable page");
        for exits in TABLE {
            let rows = match exits.command {
                "" => {
                    exits.codes.iter().map(|(exit, what)| format!("| {} | {what} |", exit.code())).collect()
                }
                command => vec![format!("| `untumble {command}` | {} |", sentence(exits))],
            };
            for row in rows {
                assert!(page.lines().any(|line| line == row), "missing in the page: {row}");
            }
        }
    }
}
