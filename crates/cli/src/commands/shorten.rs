//! `untumble shorten`: improves a given solution, by tunneling (the search of a neighbourhood of the path,
//! see `search/solve/tunnel.rs`) and by the solvers of `auto`.

use std::sync::Arc;
use std::time::Duration;

use untumble_search::control::{Control, Limits, Stop};
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{DynPuzzle, Position, Stage, Workload};
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Plan, Record, SearchContext, Session};

use super::check::{parse_moves, reject_moves};
use super::solve::limits;
use crate::answer::{InvalidLine, RecordExt, unsolvable};
use crate::cli::Shorten;
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::output::{self, Answers};
use crate::progress::SearchProgress;
use crate::puzzle_input;

use untumble_session::number_format;

/// The time limit if neither time nor nodes are limited.
const DEFAULT_TIME: Duration = Duration::from_secs(10);
/// The node limit of the first tunneling stage, about one second.
const FIRST_STAGE_NODES: u64 = 4_000_000;

/// Shortens the solution of one position.
pub(crate) fn run(arguments: &Shorten, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let puzzle = puzzle_input::open_puzzle(&arguments.puzzle)?;
    let session = Session::new(runtime, Arc::clone(&puzzle));
    let solver = session.parse_solver(&arguments.solver.with, false)?;
    let moves = parse_moves(&*puzzle, &arguments.moves, arguments.json)?;
    let position = read_position(arguments, &*puzzle)?;
    interrupt::install_handler()?;
    let mut limits = limits(&arguments.limits);
    if limits.nodes.is_none() {
        limits.time = limits.time.or(Some(DEFAULT_TIME));
    }
    let record = shorten(arguments, &session, &position, &moves, solver.as_ref(), limits)?;
    let mut answers = Answers::new();
    if arguments.json {
        answers.json(&record)?;
    } else {
        record.solution_lines().iter().try_for_each(|solution| answers.line(solution))?;
    }
    answers.flush()?;
    if arguments.progress.is_json() {
        output::event(&record.done_event());
    } else if !arguments.json {
        output::note(&record.summary());
    }
    Ok(if interrupt::requested() { Exit::Interrupted } else { record.exit() })
}

/// Reads the position, which must be a single solvable one. With `--json`, an error of the position is also
/// printed as an answer.
fn read_position(arguments: &Shorten, puzzle: &dyn DynPuzzle) -> Result<Position, CliError> {
    let format = puzzle_input::input_format(puzzle, &arguments.input.format_args)?;
    let text = puzzle_input::read_input(puzzle, &format, &arguments.input)?;
    let mut items = text.positions(puzzle, &format);
    let Some(item) = items.next() else {
        return Err(text.no_position(puzzle, &arguments.puzzle.name, "shorten"));
    };
    if items.next().is_some() {
        return Err(CliError::usage(
            "--moves is the solution of one position, but the input has several; shorten them one by one",
        ));
    }
    let mut answers = Answers::new();
    let position = match item.result {
        Ok(position) => position,
        Err(invalid) => {
            if arguments.json {
                answers.json(&InvalidLine::new(puzzle, item.line, &invalid))?;
                answers.flush()?;
            }
            return Err(CliError::invalid(&text.location(item.line), &invalid.diagnostic));
        }
    };
    let solvable = puzzle.check_solvable(&position);
    if let (Err(Error::Unsolvable(why)), true) = (&solvable, arguments.json) {
        answers.json(&unsolvable(puzzle, puzzle.text(&position), why, false))?;
        answers.flush()?;
    }
    solvable?;
    Ok(position)
}

/// The plan of the given solver. For `auto`: a short tunneling stage, the stages of `auto`, then tunneling
/// again.
fn plan(session: &Session, position: &Position, solver: Option<&Spec>, limits: Limits) -> Plan {
    let workload = Workload::one(position, limits, false);
    let plan = session.plan(solver, &workload);
    if solver.is_some() {
        return plan;
    }
    let Ok(tunnel) = session.puzzle().complete(&Spec::plain("tunnel", None)) else { return plan };
    let first = Stage::within(FIRST_STAGE_NODES, tunnel.clone());
    let stages = [first].into_iter().chain(plan.stages).chain([tunnel.into()]).collect();
    session.plan_with_stages(stages, None, &workload)
}

/// The error of moves that do not solve the position.
fn not_a_solution(tried_to_finish: bool) -> Diagnostic {
    let message = if tried_to_finish {
        "these moves do not solve the position, and no short insertion completes them \
         (`untumble check … --moves` shows where they lead; use `untumble solve` instead)"
    } else {
        "these moves do not solve the position (`untumble check … --moves` shows where they lead; \
         if only a few pieces are unsolved, --finish inserts the missing moves)"
    };
    Diagnostic::new("not-a-solution", message)
}

fn shorten(
    arguments: &Shorten,
    session: &Session,
    position: &Position,
    moves: &[Move],
    solver: Option<&Spec>,
    limits: Limits,
) -> Result<Record, CliError> {
    let progress = Arc::new(SearchProgress::new(arguments.progress.mode));
    let initial = initial_solution(arguments, session, position, moves, limits, &progress);
    let (path, given_length, limits) = initial.inspect_err(|_| progress.finish())?;
    let context = SearchContext { incumbent: Some(path), ..SearchContext::observed_by(progress.clone()) };
    let plan = plan(session, position, solver, limits);
    let record = session.solve(position, &plan, &mut None, &context);
    progress.finish();
    let mut record = record?;
    if matches!(record.outcome, Outcome::Stopped(stop) if stop != Stop::Interrupted) {
        // The search had a solution from the start; a limit only ended its improvement.
        record = record.into_solved();
    }
    if !arguments.json {
        let length = record.length.unwrap_or(given_length);
        output::note(&if length < given_length {
            format!("{} instead of {given_length}", number_format::pluralize(length.into(), "move"))
        } else {
            let moves = number_format::pluralize(given_length.into(), "move");
            format!("no solution shorter than {moves} found")
        });
    }
    Ok(record)
}

/// The initial solution, its length, and the remaining limits. The solution is the given moves, or with
/// `--finish` the given moves completed by insertions.
fn initial_solution(
    arguments: &Shorten,
    session: &Session,
    position: &Position,
    moves: &[Move],
    limits: Limits,
    progress: &Arc<SearchProgress>,
) -> Result<(Vec<Move>, Cost, Limits), CliError> {
    let puzzle = session.puzzle();
    let control = Control::new(limits, progress.clone());
    if puzzle.offer(position, moves, &control)? {
        return Ok((moves.to_vec(), control.upper_bound(), limits));
    }
    let finished = if arguments.finish { puzzle.finish(position, moves, &control)? } else { None };
    let solves = |path: &Vec<Move>| puzzle.offer(position, path, &control) == Ok(true);
    let Some(finished) = finished.filter(solves) else {
        let (why, start) = (not_a_solution(arguments.finish), puzzle.text(position));
        return Err(reject_moves(&**puzzle, Some(&start), &arguments.moves, &why, arguments.json)?);
    };
    if !arguments.json {
        let moves = number_format::pluralize(control.upper_bound().into(), "move");
        output::note(&format!("completed to {moves}: {}", puzzle.format_moves(&finished)));
    }
    let time = limits.time.map(|time| time.saturating_sub(control.elapsed()));
    Ok((finished, control.upper_bound(), Limits { time, ..limits }))
}
