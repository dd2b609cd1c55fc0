//! `untumble list`: what there is to solve, and to solve with.

use untumble_puzzles::catalog;
use untumble_search::frontend::DynPuzzle;
use untumble_search::heuristic::Admissibility;
use untumble_search::registry::OptionSpec;
use untumble_search::runtime::Runtime;
use untumble_session::{Solvers, available};

use crate::cli::{List, Listed, Puzzle};
use crate::exit::{CliError, Exit};
use crate::open;
use crate::output::{self, Answers};
use untumble_session::layout::Table;

/// The puzzle whose solvers are listed where none is named.
const USUAL: &str = "15-puzzle";

/// Prints the list.
pub(crate) fn run(arguments: &List, runtime: &Runtime) -> Result<Exit, CliError> {
    let mut answers = Answers::new();
    match (arguments.what, &arguments.puzzle) {
        (Listed::Puzzles, None) if arguments.json => {
            answers.json(&untumble_session::families(runtime))?;
        }
        (Listed::Puzzles, None) => answers.text(&families(output::width()))?,
        (Listed::Puzzles, Some(name)) => {
            return Err(CliError::usage(format!(
                "`list puzzles` takes no puzzle; did you mean `untumble list solvers {name}`?"
            )));
        }
        (Listed::Solvers, name) => {
            let name = name.as_deref().unwrap_or(USUAL);
            let named = Puzzle { name: name.to_owned(), goal: None, metric: None };
            let puzzle = open::puzzle(&named)?;
            if arguments.json {
                answers.json(&Solvers::of(&*puzzle, runtime))?;
            } else {
                answers.text(&solvers(&*puzzle, name, output::width(), runtime))?;
                answers.flush()?;
                if arguments.puzzle.is_none() {
                    output::note(&format!(
                        "these are the solvers of the {USUAL}; name another puzzle for its own"
                    ));
                }
            }
        }
    }
    answers.flush()?;
    Ok(Exit::Solved)
}

fn families(width: usize) -> String {
    let mut text = String::new();
    for family in catalog::families() {
        let mut table = Table::default();
        table.row("what", family.what);
        table.row("also", family.aliases.join(", "));
        table.row("moves", family.moves);
        table.row("goals (--goal)", family.goals.join(", "));
        if !family.metrics.is_empty() {
            table.row("metrics (--metric)", family.metrics.join(", "));
        }
        table.row("example", format!("untumble solve {} \"{}\"", family.example, family.position));
        text.push_str(&format!("{}\n{}\n", family.name, table.lines(width)));
    }
    text + "The solvers of a puzzle and the formats of its positions: untumble list solvers PUZZLE\n"
}

fn solvers(puzzle: &dyn DynPuzzle, name: &str, width: usize, runtime: &Runtime) -> String {
    let mut algorithms = Table::default();
    for algorithm in available(puzzle, runtime) {
        let plus = if algorithm.takes_heuristic { "+H" } else { "" };
        algorithms.row(
            format!("{}{plus}", algorithm.name),
            format!(
                "{}. Guarantee: {}{}{}",
                algorithm.summary,
                algorithm.guarantee_text(),
                if algorithm.resumable { ". Resumable" } else { "" },
                aliases(". Also: ", algorithm.aliases),
            ),
        );
        for option in algorithm.options {
            algorithms.row(format!("  :{}=", option.name), described(option));
        }
    }
    let mut heuristics = Table::default();
    for heuristic in puzzle.heuristics() {
        let argument = heuristic.argument.values().map_or_else(String::new, |values| format!("[:{values}]"));
        heuristics.row(
            format!("{}{argument}", heuristic.name),
            format!(
                "{} ({}{})",
                heuristic.summary,
                admissibility(heuristic.admissibility),
                aliases("; also: ", heuristic.aliases)
            ),
        );
    }
    heuristics.row("max(A,B,…)", "the largest of several");
    let mut formats = Table::default();
    for format in puzzle.formats() {
        formats.row(format.name, format.what);
    }
    format!(
        "Algorithms for {title} (+H: takes a heuristic; resumable: --checkpoint saves its proof)\n{}\n\
         Heuristics\n{}\n\
         Formats of positions (--format-in)\n{}\n\
         Example: untumble scramble {name} | untumble solve {name} --with {}\n",
        algorithms.lines(width),
        heuristics.lines(width),
        formats.lines(width),
        example(puzzle),
        title = puzzle.title(),
    )
}

/// A solver to copy, from the puzzle's own lists.
fn example(puzzle: &dyn DynPuzzle) -> String {
    let algorithm = puzzle.algorithms().into_iter().find(|algorithm| algorithm.takes_heuristic);
    let heuristic =
        puzzle.heuristics().into_iter().find(|heuristic| heuristic.admissibility != Admissibility::None);
    match (algorithm, heuristic) {
        (Some(algorithm), Some(heuristic)) => format!("{}+{}", algorithm.name, heuristic.name),
        _ => "auto".into(),
    }
}

fn described(option: &OptionSpec) -> String {
    let default = if option.default.is_empty() {
        "must be given".into()
    } else {
        format!("default {}", option.default)
    };
    format!("{} ({}; {default}{})", option.summary, option.values, aliases("; also: ", option.aliases))
}

/// The other accepted names after a separator; empty if there are none.
fn aliases(separator: &str, names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!("{separator}{}", names.join(", ")) }
}

fn admissibility(promise: Admissibility) -> &'static str {
    match promise {
        Admissibility::Consistent => "admissible, consistent",
        Admissibility::Admissible => "admissible",
        Admissibility::None => "not admissible: results are not proven",
    }
}
