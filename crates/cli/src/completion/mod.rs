//! Completion of a partial command line: commands, flags and the values of arguments.
//!
//! The scripts for bash, zsh and fish run `untumble complete -- WORD…` with the words before the cursor. So
//! the values depend on the puzzle that was typed and on the tables that exist, and a script never becomes
//! outdated. The commands and flags are those of clap.

mod solver;
mod values;

use clap::builder::ValueHint;
use clap::{Arg, ArgAction, Command};

use values::Context;

/// A completion of the last word.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Candidate {
    /// The whole word.
    pub(crate) word: String,
    /// A description; may be empty.
    pub(crate) what: String,
}

impl Candidate {
    fn new(word: impl Into<String>, what: impl Into<String>) -> Candidate {
        Candidate { word: word.into(), what: what.into() }
    }
}

/// The possible completions of the last word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Completion {
    /// One of these words.
    Words(Vec<Candidate>),
    /// A file: the shell completes its path, which begins after this many bytes of the word.
    File(usize),
    /// A folder, likewise.
    Folder(usize),
}

/// The completions of the last of `words`, which follow the name of the program.
pub(crate) fn complete(mut command: Command, words: &[String]) -> Completion {
    command.build();
    let Some((current, before)) = words.split_last() else { return Completion::Words(Vec::new()) };
    let line = ParsedLine::new(&command, before);
    let completion = line.complete(current);
    match completion {
        Completion::Words(mut candidates) => {
            candidates.retain(|candidate| candidate.word.starts_with(&**current));
            Completion::Words(candidates)
        }
        other => other,
    }
}

/// The words before the last one, assigned to arguments.
struct ParsedLine<'a> {
    /// The subcommand.
    command: &'a Command,
    /// The option whose value the last word is.
    pending: Option<&'a Arg>,
    /// The number of positional arguments.
    positionals: usize,
    /// Whether `--` ended the options.
    only_positionals: bool,
    /// The values that completions depend on.
    context: Context,
}

impl<'a> ParsedLine<'a> {
    fn new(command: &'a Command, before: &[String]) -> ParsedLine<'a> {
        let mut line = ParsedLine {
            command,
            pending: None,
            positionals: 0,
            only_positionals: false,
            context: Context::default(),
        };
        before.iter().for_each(|word| line.read(word));
        line
    }

    fn read(&mut self, word: &str) {
        if let Some(option) = self.pending.take() {
            self.context.set(option, word);
        } else if self.only_positionals {
            self.read_positional(word);
        } else if word == "--" {
            self.only_positionals = true;
        } else if let Some(long) = word.strip_prefix("--") {
            match long.split_once('=') {
                Some((name, value)) => {
                    if let Some(option) = self.option(name) {
                        self.context.set(option, value);
                    }
                }
                None => self.pending = self.option(long).filter(|option| takes_value(option)),
            }
        } else if let Some(subcommand) = self.command.find_subcommand(word) {
            self.command = subcommand;
            self.positionals = 0;
        } else {
            self.read_positional(word);
        }
    }

    fn read_positional(&mut self, word: &str) {
        if let Some(argument) = self.positional() {
            self.context.set(argument, word);
        }
        self.positionals += 1;
    }

    fn option(&self, long: &str) -> Option<&'a Arg> {
        self.command.get_opts().chain(self.command.get_arguments()).find(|arg| arg.get_long() == Some(long))
    }

    /// The next positional argument; the last one may take many words.
    fn positional(&self) -> Option<&'a Arg> {
        let mut positionals: Vec<&Arg> = self.command.get_positionals().collect();
        positionals.sort_by_key(|arg| arg.get_index());
        let many = positionals.last().copied().filter(|arg| {
            arg.get_num_args().is_some_and(|range| range.max_values() > 1)
                || matches!(arg.get_action(), ArgAction::Append)
        });
        positionals.get(self.positionals).copied().or(many)
    }

    fn complete(&self, current: &str) -> Completion {
        if let Some(option) = self.pending {
            return self.context.values(option, current, 0);
        }
        if !self.only_positionals {
            if let Some((name, value)) = current.strip_prefix("--").and_then(|long| long.split_once('=')) {
                let start = current.len() - value.len();
                return match self.option(name) {
                    Some(option) => self.context.values(option, value, start).after(&current[..start]),
                    None => Completion::Words(Vec::new()),
                };
            }
            if current.starts_with('-') {
                return Completion::Words(self.flags());
            }
            let subcommands: Vec<Candidate> = self.subcommands().collect();
            if !subcommands.is_empty() {
                return Completion::Words(subcommands);
            }
        }
        match self.positional() {
            Some(argument) => self.context.values(argument, current, 0),
            None => Completion::Words(self.flags()),
        }
    }

    fn subcommands(&self) -> impl Iterator<Item = Candidate> {
        let visible = self.command.get_subcommands().filter(|command| !command.is_hide_set());
        visible.map(|command| Candidate::new(command.get_name(), text(command.get_about())))
    }

    fn flags(&self) -> Vec<Candidate> {
        let visible = self.command.get_arguments().filter(|arg| !arg.is_hide_set());
        let flag = |arg: &Arg| Some(Candidate::new(format!("--{}", arg.get_long()?), text(arg.get_help())));
        visible.filter_map(flag).collect()
    }
}

impl Completion {
    /// The completion of a word that begins with `prefix`, given that of the rest.
    fn after(self, prefix: &str) -> Completion {
        match self {
            Completion::Words(candidates) => {
                let whole = |candidate: Candidate| Candidate {
                    word: format!("{prefix}{}", candidate.word),
                    ..candidate
                };
                Completion::Words(candidates.into_iter().map(whole).collect())
            }
            other => other,
        }
    }
}

fn takes_value(option: &Arg) -> bool {
    option.get_action().takes_values()
}

/// The first line of a help text.
fn text(help: Option<&clap::builder::StyledStr>) -> String {
    help.map(ToString::to_string).unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

/// The files or folders that an argument names; `None` if it names none.
fn path_completion(argument: &Arg, start: usize) -> Option<Completion> {
    match argument.get_value_hint() {
        ValueHint::FilePath | ValueHint::AnyPath => Some(Completion::File(start)),
        ValueHint::DirPath => Some(Completion::Folder(start)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn words(line: &str) -> Vec<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        match complete(Cli::command(), &words) {
            Completion::Words(candidates) => candidates.into_iter().map(|candidate| candidate.word).collect(),
            other => vec![format!("{other:?}")],
        }
    }

    #[track_caller]
    fn assert_offers(line: &str, expected: &[&str], unexpected: &[&str]) {
        let offered = words(line);
        for word in expected {
            assert!(offered.iter().any(|offer| offer == word), "`{line}` offers {offered:?}, not {word}");
        }
        for word in unexpected {
            assert!(!offered.iter().any(|offer| offer == word), "`{line}` offers {word}: {offered:?}");
        }
    }

    #[test]
    fn commands_and_flags_are_offered() {
        assert_offers("so", &["solve"], &["shorten"]);
        assert_offers("", &["solve", "heuristics", "tables"], &["complete"]);
        assert_offers("tables ", &["list", "verify", "remove", "build"], &["solve"]);
        assert_offers("solve cube3 --me", &["--metric", "--memory"], &["--goal"]);
    }

    #[test]
    fn puzzles_goals_and_metrics_are_offered() {
        assert_offers("solve cu", &["cube2", "cube3"], &["15-puzzle"]);
        assert_offers("solve 15-puzzle --goal ", &["blank-last", "snail"], &["solved"]);
        assert_offers("solve --goal=sn", &["--goal=snail"], &[]);
        assert_offers("solve cube3 --metric ", &["htm", "qtm"], &[]);
        assert_offers("list solvers balto-", &["balto-5"], &["cube3"]);
    }

    #[test]
    fn solvers_are_those_of_the_puzzle() {
        assert_offers("solve cube3 --with opt", &["optimal", "optimal:"], &["optimal+"]);
        assert_offers("solve cube3 --with optimal:", &["optimal:table="], &[]);
        assert_offers("solve cube3 --with optimal:table=", &["optimal:table=243MB"], &[]);
        assert_offers("solve cube3 --with ida+", &["ida+corners", "ida+max("], &["ida+walking"]);
        assert_offers(
            "solve 15-puzzle --with ida+",
            &["ida+walking", "ida+pdb:"],
            &["ida+corners", "ida+pdb"],
        );
        assert_offers("solve 15-puzzle --with=ida:bpmx=off+man", &["--with=ida:bpmx=off+manhattan"], &[]);
        assert_offers(
            "solve 15-puzzle --with ida:bpmx=off,",
            &["ida:bpmx=off,early="],
            &["ida:bpmx=off,bpmx="],
        );
        assert_offers(
            "solve 15-puzzle --with ida+max(walking,lin",
            &["ida+max(walking,linear-conflict"],
            &[],
        );
        assert_offers("solve 15-puzzle --with ida+pdb:", &["ida+pdb:5-5-5"], &[]);
        assert_offers(
            "solve balto-5 --with beam+closed:",
            &["beam+closed:h2=hamming", "beam+closed:h2=off"],
            &[],
        );
        assert_offers("solve 15-puzzle --with aut", &["auto"], &["auto+"]);
        let file = words("solve balto-5 --with beam+learned:six");
        assert_eq!(file, ["File(13)"], "the path begins after `beam+learned:`");
    }

    #[test]
    fn files_and_fixed_values_are_offered() {
        assert_eq!(words("solve cube3 --file "), ["File(0)"]);
        assert_eq!(words("solve cube3 --file=x"), ["File(7)"]);
        assert_eq!(words("man --out "), ["Folder(0)"]);
        assert_offers("solve cube3 --progress ", &["auto", "json"], &[]);
        assert_offers("completions ", &["bash", "zsh", "fish"], &[]);
        assert!(words("solve cube3 --time ").is_empty() && words("scramble cube3 --seed 1").is_empty());
    }
}
