//! `untumble list`: the puzzles, or the solvers and formats of one puzzle.

use untumble_puzzles::catalog;
use untumble_search::frontend::DynPuzzle;
use untumble_search::heuristic::Admissibility;
use untumble_search::registry::OptionSpec;
use untumble_search::runtime::Runtime;
use untumble_session::text_table::DefinitionTable;
use untumble_session::{SolverListing, available_algorithms};

use crate::cli::{List, ListKind, Puzzle};
use crate::exit::{CliError, Exit};
use crate::output::{self, Answers};
use crate::puzzle_input;

/// The default puzzle of `list solvers`.
const DEFAULT_PUZZLE: &str = "15-puzzle";

/// Prints the list.
pub(crate) fn run(arguments: &List, runtime: &Runtime) -> Result<Exit, CliError> {
    let mut answers = Answers::new();
    match (arguments.what, &arguments.puzzle) {
        (ListKind::Puzzles, None) if arguments.json => {
            answers.json(&untumble_session::families(runtime))?;
        }
        (ListKind::Puzzles, None) => {
            answers.text(&families(output::width()))?;
            #[cfg(feature = "report")]
            answers.text(&format!("\n{}", crate::position_set::listing(output::width())))?;
        }
        (ListKind::Puzzles, Some(name)) => {
            return Err(CliError::usage(format!(
                "`list puzzles` takes no puzzle; did you mean `untumble list solvers {name}`?"
            )));
        }
        (ListKind::Solvers, name) => {
            let name = name.as_deref().unwrap_or(DEFAULT_PUZZLE);
            let puzzle_args = Puzzle { name: name.to_owned(), goal: None, metric: None };
            let puzzle = puzzle_input::open_puzzle(&puzzle_args)?;
            if arguments.json {
                answers.json(&SolverListing::of(&*puzzle, runtime))?;
            } else {
                answers.text(&solvers(&*puzzle, name, output::width(), runtime))?;
                answers.flush()?;
                if arguments.puzzle.is_none() {
                    output::note(&format!(
                        "solvers of the {DEFAULT_PUZZLE}; another puzzle: `untumble list solvers PUZZLE`"
                    ));
                }
            }
        }
    }
    answers.flush()?;
    Ok(Exit::Success)
}

/// The text of `list puzzles`.
fn families(width: usize) -> String {
    let mut text = String::new();
    for family in catalog::families() {
        let mut table = DefinitionTable::default();
        table.row("description", family.what);
        table.row("aliases", family.aliases.join(", "));
        table.row("moves", family.moves);
        table.row("goals (--goal)", family.goals.join(", "));
        if !family.metrics.is_empty() {
            table.row("metrics (--metric)", family.metrics.join(", "));
        }
        table.row("example", format!("untumble solve {} \"{}\"", family.example, family.example_position));
        text.push_str(&format!("{}\n{}\n", family.name, table.render(width)));
    }
    text + "Solvers and position formats of a puzzle: untumble list solvers PUZZLE\n"
}

/// The text of `list solvers`.
fn solvers(puzzle: &dyn DynPuzzle, name: &str, width: usize, runtime: &Runtime) -> String {
    let mut algorithms = DefinitionTable::default();
    for algorithm in available_algorithms(puzzle, runtime) {
        let suffix = if algorithm.takes_heuristic { "+H" } else { "" };
        algorithms.row(
            format!("{}{suffix}", algorithm.name),
            format!(
                "{}. Guarantee: {}{}{}",
                algorithm.summary,
                algorithm.guarantee_text(),
                if algorithm.resumable { ". Resumable" } else { "" },
                aliases(". Also: ", algorithm.aliases),
            ),
        );
        for option in algorithm.options {
            algorithms.row(format!("  :{}=", option.name), option_text(option));
        }
    }
    let mut heuristics = DefinitionTable::default();
    for heuristic in puzzle.heuristics() {
        let argument =
            heuristic.argument.description().map_or_else(String::new, |values| format!("[:{values}]"));
        heuristics.row(
            format!("{}{argument}", heuristic.name),
            format!(
                "{} ({}{})",
                heuristic.summary,
                admissibility_text(heuristic.admissibility),
                aliases("; also: ", heuristic.aliases)
            ),
        );
    }
    heuristics.row("max(A,B,…)", "the maximum of several heuristics");
    let mut formats = DefinitionTable::default();
    for format in puzzle.formats() {
        formats.row(format.name, format.what);
    }
    format!(
        "Algorithms for {title} (+H: takes a heuristic; resumable: supports --checkpoint)\n{}\n\
         Heuristics\n{}\n\
         Position formats (--format-in)\n{}\n\
         Example: untumble scramble {name} | untumble solve {name} --with {}\n",
        algorithms.render(width),
        heuristics.render(width),
        formats.render(width),
        example(puzzle),
        title = puzzle.title(),
    )
}

/// An example solver: the first algorithm with a heuristic, and the first admissible heuristic.
fn example(puzzle: &dyn DynPuzzle) -> String {
    let algorithm = puzzle.algorithms().into_iter().find(|algorithm| algorithm.takes_heuristic);
    let heuristic =
        puzzle.heuristics().into_iter().find(|heuristic| heuristic.admissibility != Admissibility::None);
    match (algorithm, heuristic) {
        (Some(algorithm), Some(heuristic)) => format!("{}+{}", algorithm.name, heuristic.name),
        _ => "auto".into(),
    }
}

fn option_text(option: &OptionSpec) -> String {
    let default =
        if option.default.is_empty() { "required".into() } else { format!("default {}", option.default) };
    format!("{} ({}; {default}{})", option.summary, option.values, aliases("; also: ", option.aliases))
}

/// The aliases after a separator; empty if there are none.
fn aliases(separator: &str, names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!("{separator}{}", names.join(", ")) }
}

fn admissibility_text(admissibility: Admissibility) -> &'static str {
    match admissibility {
        Admissibility::Consistent => "admissible, consistent",
        Admissibility::Admissible => "admissible",
        Admissibility::None => "inadmissible: solutions are not proven optimal",
    }
}
