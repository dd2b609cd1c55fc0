//! `untumble shorten`: makes a solution shorter.

use std::sync::Arc;
use std::time::{Duration, Instant};

use untumble_search::control::{Control, Limits, Observer, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position, Stage, Workload};
use untumble_search::moves::Move;
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Record, Took};

use super::check::read_moves;
use super::solve::limits;
use crate::answer::Told;
use crate::cli::{self, Shorten};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::open;
use crate::output::{self, Answers};
use crate::progress::Watch;
use crate::solvers;
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
    let wanted = solvers::wanted(&*puzzle, &arguments.with, false)?;
    let moves = read_moves(&*puzzle, &arguments.moves)?;
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
    let record = shorten(arguments, &*puzzle, &position, &moves, wanted, limits, runtime)?;
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

/// Who tries: those asked for, or the surroundings of the path, what `auto` would do, and the surroundings again.
fn turns(
    puzzle: &dyn DynPuzzle,
    position: &Position,
    wanted: Option<Spec>,
    limits: Limits,
    runtime: &Runtime,
) -> Vec<Stage> {
    if let Some(spec) = wanted {
        return vec![spec.into()];
    }
    let tunnel = Spec::plain("tunnel", None);
    let ahead = Workload { position: Some(position), count: 1, limits, all: false };
    let auto = puzzle.auto(&ahead, &*runtime.tables);
    let searched = puzzle.algorithms().iter().any(|algorithm| algorithm.name == tunnel.algorithm);
    if !searched {
        return auto;
    }
    let first = Stage { spec: tunnel.clone(), nodes: Some(AT_FIRST) };
    [first].into_iter().chain(auto).chain([tunnel.into()]).collect()
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
    puzzle: &dyn DynPuzzle,
    position: &Position,
    moves: &[Move],
    wanted: Option<Spec>,
    limits: Limits,
    runtime: &Runtime,
) -> Result<Record, CliError> {
    let watch = Arc::new(Watch::new(arguments.progress));
    let observer: Arc<dyn Observer> = watch.clone();
    let control = Control::new(limits, observer);
    if !puzzle.offer(position, moves, &control) {
        let finished = if arguments.finish { puzzle.finish(position, moves, &control) } else { Ok(None) };
        let finished = finished.map_err(|stop| {
            watch.finish();
            CliError::from(Error::Stopped(stop))
        })?;
        let Some(finished) = finished.filter(|path| puzzle.offer(position, path, &control)) else {
            watch.finish();
            return Err(CliError::Told { exit: Exit::Invalid, message: unsolved(arguments.finish).into() });
        };
        if !arguments.json {
            let moves = figures::counted(control.upper().into(), "move");
            output::note(&format!("finished with {moves}: {}", puzzle.format_moves(&finished)));
        }
    }
    let given = control.upper();
    let begun = Instant::now();
    let prepared =
        puzzle.prepare_lazily(&turns(puzzle, position, wanted, limits, runtime), runtime, &control);
    let mut took = Took { table_seconds: begun.elapsed().as_secs_f64(), ..Took::default() };
    let solvers = prepared.inspect_err(|_| watch.finish())?;
    let begun = Instant::now();
    let mut answer = solvers.solve(position, &control);
    took.seconds = (begun.elapsed() - answer.preparing).as_secs_f64();
    took.table_seconds += answer.preparing.as_secs_f64();
    took.peak_bytes = control.peak_bytes();
    watch.finish();
    if matches!(answer.report.outcome, Outcome::Stopped(stop) if stop != Stop::Interrupted) {
        // There was a solution from the beginning; a limit only ends the attempts.
        answer.report.outcome = Outcome::Solved;
    }
    if !arguments.json {
        let left = control.upper();
        output::note(&if left < given {
            format!("{} instead of {given}", figures::counted(left.into(), "move"))
        } else {
            format!("no way shorter than {} was found", figures::counted(given.into(), "move"))
        });
    }
    let start = puzzle.text(position);
    Ok(Record::of(puzzle, start, answer, took, &control))
}
