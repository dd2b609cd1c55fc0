//! Published lists of positions by name (`--set`).

use untumble_puzzles::catalog::{self, PuzzleSettings};
use untumble_puzzles::instance_sets;
use untumble_puzzles::suites::{Case, Positions, Suite};
use untumble_report::{Instance, InstanceSet, Origin};
use untumble_search::frontend::{DynPuzzle, InputFormat, Parsed};
use untumble_session::text_table::DefinitionTable;

use crate::cli;
use crate::exit::CliError;
use crate::explain::did_you_mean;

/// A published list of positions.
pub(crate) type NamedSet = instance_sets::InstanceSet;

/// The list of this name.
pub(crate) fn find(name: &str) -> Result<NamedSet, CliError> {
    instance_sets::find(name).ok_or_else(|| {
        let sets = instance_sets::all();
        let names: Vec<&str> = sets.iter().map(|set| set.name).collect();
        let suggestion = did_you_mean(name, names.iter().copied());
        CliError::usage(format!("there is no set `{name}`{suggestion} (sets: {})", names.join(", ")))
    })
}

/// The puzzle of a list. Another puzzle or goal than that of the list is refused.
pub(crate) fn puzzle_args(
    set: &NamedSet,
    name: Option<&str>,
    goal: Option<&str>,
    metric: Option<&str>,
) -> Result<cli::Puzzle, CliError> {
    let open = |name: &str, goal: Option<&str>| {
        catalog::open(name, &PuzzleSettings { goal: goal.map(Into::into), metric: None })
    };
    let own = open(set.puzzle, Some(set.goal))?;
    if let Some(name) = name
        && open(name, None)?.title() != own.title()
    {
        return Err(CliError::usage(format!(
            "--set {} is for the {}, not for {name}; leave out the puzzle",
            set.name, set.puzzle
        )));
    }
    if let Some(goal) = goal
        && open(set.puzzle, Some(goal))?.goal_text() != own.goal_text()
    {
        return Err(CliError::usage(format!(
            "--set {} is for the goal {}, and so are its published results; leave out --goal",
            set.name, set.goal
        )));
    }
    Ok(cli::Puzzle {
        name: set.puzzle.to_owned(),
        goal: Some(set.goal.to_owned()),
        metric: metric.map(Into::into),
    })
}

/// The positions of a list, or the first `count` of them.
pub(crate) fn instances(
    puzzle: &dyn DynPuzzle,
    set: &NamedSet,
    count: Option<u64>,
) -> Result<InstanceSet, CliError> {
    let taken = usize::try_from(count.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    if taken == 0 {
        return Err(untumble_report::Error::NoPositions.into());
    }
    let mut instances = Vec::new();
    for (text, reference) in set.instances.iter().take(taken) {
        let Ok(Parsed::Position(position)) = puzzle.parse(text, true, &InputFormat::default()) else {
            return Err(CliError::environment(format!("{}: {text} is not a position", set.name)));
        };
        let text = puzzle.text(&position);
        instances.push(Instance { text, position, scramble_depth: None, reference: Some(*reference) });
    }
    let source = match instances.len() {
        count if count == set.instances.len() => set.source.to_owned(),
        count => format!("the first {count} of the {}", set.source),
    };
    let origin = Origin::Set { name: set.name.to_owned(), source, nodes_of: set.nodes_of.to_owned() };
    Ok(InstanceSet { origin, instances })
}

/// The searches of these solvers on a list, or on the first `count` positions, as a benchmark suite.
pub(crate) fn suite(
    set: &NamedSet,
    solvers: &[String],
    count: Option<u64>,
    threads: usize,
) -> Result<Suite, CliError> {
    let taken = usize::try_from(count.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    let published: Vec<_> = set.instances.iter().take(taken).cloned().collect();
    if published.is_empty() {
        return Err(untumble_report::Error::NoPositions.into());
    }
    let numbers = match published.len() {
        1 => "1".to_owned(),
        count => format!("1–{count}"),
    };
    let case = |(index, solver): (usize, &String)| {
        if solvers[..index].contains(solver) {
            return Err(CliError::usage(format!("--with {solver} is given twice")));
        }
        Ok(Case {
            name: format!("{} {numbers}, {solver}", set.name),
            puzzle: set.puzzle,
            goal: Some(set.goal),
            metric: None,
            solver: solver.clone(),
            threads,
            positions: Positions::Published(published.clone()),
        })
    };
    let cases: Result<Vec<Case>, CliError> = solvers.iter().enumerate().map(case).collect();
    Ok(Suite { name: set.name, what: set.source, cases: cases?, needs_device: false })
}

/// The lists with their sources, for `untumble list`.
pub(crate) fn listing(width: usize) -> String {
    let mut table = DefinitionTable::default();
    for set in instance_sets::all() {
        table.row(set.name, format!("{}; goal {}; node counts of {}", set.source, set.goal, set.nodes_of));
    }
    format!("Published positions (--set of compare, analyze and bench)\n{}", table.render(width))
}
