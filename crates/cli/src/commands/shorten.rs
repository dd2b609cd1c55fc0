//! `untumble shorten`: makes a solution shorter.

use std::sync::Arc;
use std::time::Duration;

use untumble_search::control::{Control, Limits, Stop};
use untumble_search::frontend::{Position, Stage, Workload};
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Plan, Record, SearchContext, Session};

use super::check::parse_moves;
use super::solve::limits;
use crate::answer::Told;
use crate::cli::{self, Shorten};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::open;
use crate::output::{self, Answers};
use crate::progress::Watch;
use untumble_session::figures;

/// How long it takes where no limit was set.
const TIME: Duration = Duration::from_secs(10);
/// Nodes with which the surroundings of the path are searched before other solvers have a try, about a second's.
const AT_FIRST: u64 = 4_000_000;

/// Shortens the solution of one position.
pub(crate) fn run(arguments: &Shorten, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let form = open::form(&*puzzle, &arguments.input.reading)?;
    let session = Session::new(runtime, Arc::clone(&puzzle));
    let wanted = session.solver(&arguments.with, false)?;
    let moves = parse_moves(&*puzzle, &arguments.moves)?;
    let text = open::text(&*puzzle, &form, &arguments.input)?;
    let mut items = text.positions(&*puzzle, &form);
    let Some(item) = items.next() else {
        return Err(text.empty(&*puzzle, &arguments.puzzle.name, "shorten"));
    };
    let position = item.found.map_err(|bad| CliError::invalid(&text.place(item.line), &bad.diagnostic))?;
    if items.next().is_some() {
        return Err(CliError::usage(
            "the moves of --moves solve one position, and there are several; shorten them one by one",
        ));
    }
    puzzle.check(&position)?;
    interrupt::listen()?;
    let mut limits = limits(&arguments.limits);
    if limits.nodes.is_none() {
        limits.time = limits.time.or(Some(TIME));
    }
    let record = shorten(arguments, &session, &position, &moves, wanted.as_ref(), limits)?;
    let mut answers = Answers::new();
    if arguments.json {
        answers.json(&record)?;
    } else {
        record.paths().iter().try_for_each(|path| answers.line(path))?;
    }
    answers.flush()?;
    if arguments.progress == cli::Progress::Json {
        output::event(&record.done());
    } else if !arguments.json {
        output::note(&record.summary());
    }
    Ok(record.exit())
}

/// The solvers asked for, or the surroundings of the path, what `auto` would do, and the surroundings again.
fn plan(session: &Session, position: &Position, wanted: Option<&Spec>, limits: Limits) -> Plan {
    let workload = Workload::one(position, limits, false);
    let plan = session.plan(wanted, &workload);
    if wanted.is_some() {
        return plan;
    }
    let Ok(tunnel) = session.puzzle().complete(&Spec::plain("tunnel", None)) else { return plan };
    let first = Stage { spec: tunnel.clone(), nodes: Some(AT_FIRST) };
    let stages = [first].into_iter().chain(plan.stages).chain([tunnel.into()]).collect();
    session.plan_of(stages, None, &workload)
}

/// Why moves that leave something unsolved are no answer.
fn unsolved(tried_to_finish: bool) -> &'static str {
    if tried_to_finish {
        "--moves: these moves do not solve the position, and nothing short that is put in makes them \
         (`untumble check … --moves` shows where they lead, `untumble solve` begins anew)"
    } else {
        "--moves: these moves do not solve the position (`untumble check … --moves` shows where they lead; where few pieces \
         are left, --finish puts in what solves them)"
    }
}

fn shorten(
    arguments: &Shorten,
    session: &Session,
    position: &Position,
    moves: &[Move],
    wanted: Option<&Spec>,
    limits: Limits,
) -> Result<Record, CliError> {
    let watch = Arc::new(Watch::new(arguments.progress));
    let known = known(arguments, session, position, moves, limits, &watch);
    let (path, given, left) = known.inspect_err(|_| watch.finish())?;
    let context = SearchContext { incumbent: Some(path), ..SearchContext::observed_by(watch.clone()) };
    let plan = plan(session, position, wanted, left);
    let record = session.solve(position, &plan, &mut None, &context);
    watch.finish();
    let mut record = record?;
    if matches!(record.outcome, Outcome::Stopped(stop) if stop != Stop::Interrupted) {
        // There was a solution from the beginning; a limit only ends the attempts.
        record = record.solved();
    }
    if !arguments.json {
        let left = record.length.unwrap_or(given);
        output::note(&if left < given {
            format!("{} instead of {given}", figures::counted(left.into(), "move"))
        } else {
            format!("no way shorter than {} was found", figures::counted(given.into(), "move"))
        });
    }
    Ok(record)
}

/// The solution to begin with, its length, and the limits that are left: the moves given, or the moves with what
/// solves the rest of the position put in.
fn known(
    arguments: &Shorten,
    session: &Session,
    position: &Position,
    moves: &[Move],
    limits: Limits,
    watch: &Arc<Watch>,
) -> Result<(Vec<Move>, Cost, Limits), CliError> {
    let puzzle = session.puzzle();
    let control = Control::new(limits, watch.clone());
    if puzzle.offer(position, moves, &control)? {
        return Ok((moves.to_vec(), control.upper(), limits));
    }
    let finished = if arguments.finish { puzzle.finish(position, moves, &control)? } else { None };
    let solves = |path: &Vec<Move>| puzzle.offer(position, path, &control) == Ok(true);
    let Some(finished) = finished.filter(solves) else {
        return Err(CliError::Told { exit: Exit::Invalid, message: unsolved(arguments.finish).into() });
    };
    if !arguments.json {
        let moves = figures::counted(control.upper().into(), "move");
        output::note(&format!("finished with {moves}: {}", puzzle.format_moves(&finished)));
    }
    let time = limits.time.map(|time| time.saturating_sub(control.elapsed()));
    Ok((finished, control.upper(), Limits { time, ..limits }))
}
