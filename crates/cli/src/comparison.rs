//! The comparison that the arguments of `compare` and `analyze` describe, and the hints for its errors.

use std::path::Path;

use untumble_report::{
    BatchPlan, BatchSchedule, DepthRange, Error, Experiment, Instance, InstanceSet, Origin, SolverRequest,
    generate,
};
use untumble_search::control::Limits;
use untumble_search::error::Error as SearchError;
use untumble_search::frontend::DynPuzzle;
use untumble_search::runtime::Runtime;
use untumble_session::machine;

use crate::cli;
use crate::exit::{CliError, Exit};
use crate::explain::explain;
use crate::input_text::InputText;
use crate::output::LimitedErrors;
use crate::position_set;
use crate::puzzle_input;

/// The default of `--count`.
const DEFAULT_COUNT: u64 = 100;
/// The default of `--seed`: fixed, so that runs of different users are comparable.
const DEFAULT_SEED: u64 = 1;

/// The comparison that the arguments request.
pub(crate) struct Request {
    pub(crate) experiment: Experiment,
    /// The exit code of the worst position that was skipped.
    pub(crate) exit: Exit,
}

/// Parses solvers and positions; builds no tables.
pub(crate) fn parse_request(arguments: &cli::ComparisonArgs, runtime: &Runtime) -> Result<Request, CliError> {
    let set = arguments.set.as_deref().map(position_set::find).transpose()?;
    let puzzle = puzzle_input::open_puzzle(&puzzle_args(arguments, set.as_ref())?)?;
    let mut solvers: Vec<SolverRequest> = Vec::new();
    for name in &arguments.with {
        let spec = untumble_session::parse_solver(&*puzzle, runtime, name, false)?;
        if solvers.iter().any(|other| other.name == *name) {
            return Err(CliError::usage(format!("--with {name} is given twice")));
        }
        solvers.push(SolverRequest { name: name.clone(), spec });
    }
    let (threads, batches) = threads_and_batches(arguments);
    let limits = Limits {
        time: arguments.time,
        nodes: arguments.nodes,
        memory: cli::search_memory(arguments.memory),
        threads: 1,
        max_length: None,
    };
    let (instances, exit) = match (&arguments.file, &set) {
        (Some(file), _) => read_positions(&*puzzle, arguments, file)?,
        (None, Some(set)) => (position_set::instances(&*puzzle, set, arguments.count)?, Exit::Success),
        (None, None) => (scramble_positions(&*puzzle, arguments)?, Exit::Success),
    };
    let (goal, metric) = (Some(puzzle.goal_text()), Some(puzzle.metric().to_owned()));
    let requested_memory = arguments.memory;
    let experiment =
        Experiment { puzzle, goal, metric, solvers, instances, limits, requested_memory, threads, batches };
    Ok(Request { experiment, exit })
}

/// The puzzle of the arguments. A published list implies puzzle and goal.
fn puzzle_args(
    arguments: &cli::ComparisonArgs,
    set: Option<&position_set::NamedSet>,
) -> Result<cli::Puzzle, CliError> {
    let cli::ComparisonArgs { name, goal, metric, .. } = arguments;
    match set {
        Some(set) => position_set::puzzle_args(set, name.as_deref(), goal.as_deref(), metric.as_deref()),
        None => Ok(cli::Puzzle {
            name: name.clone().unwrap_or_default(),
            goal: goal.clone(),
            metric: metric.clone(),
        }),
    }
}

/// The thread counts of the searches and the batches. With schedules, the threads are those of the batches
/// and every search runs on one.
fn threads_and_batches(arguments: &cli::ComparisonArgs) -> (Vec<usize>, Option<BatchPlan>) {
    let available = machine::available_threads();
    let mut threads = arguments.threads.clone();
    if threads.is_empty() && arguments.schedule.is_empty() {
        threads.push(available);
    } else if threads.is_empty() {
        threads = std::iter::successors(Some(1), |count| Some(count * 2))
            .take_while(|count| *count < available)
            .chain([available])
            .collect();
    }
    threads.sort_unstable();
    threads.dedup();
    if arguments.schedule.is_empty() {
        return (threads, None);
    }
    let mut schedules: Vec<BatchSchedule> = Vec::new();
    for schedule in &arguments.schedule {
        let schedule = match schedule {
            cli::Schedule::Dynamic => BatchSchedule::Dynamic,
            cli::Schedule::Static => BatchSchedule::Static,
        };
        if !schedules.contains(&schedule) {
            schedules.push(schedule);
        }
    }
    (vec![1], Some(BatchPlan { threads, schedules }))
}

fn scramble_positions(
    puzzle: &dyn DynPuzzle,
    arguments: &cli::ComparisonArgs,
) -> Result<InstanceSet, CliError> {
    let depths = arguments.depths.or(arguments.depth.map(|depth| DepthRange { min: depth, max: depth }));
    let count = arguments.count.unwrap_or(DEFAULT_COUNT);
    Ok(generate(puzzle, depths, count, arguments.seed.unwrap_or(DEFAULT_SEED))?)
}

/// Reads the positions of a file; invalid and unsolvable ones are reported and skipped.
fn read_positions(
    puzzle: &dyn DynPuzzle,
    arguments: &cli::ComparisonArgs,
    file: &Path,
) -> Result<(InstanceSet, Exit), CliError> {
    let format = puzzle_input::input_format(puzzle, &arguments.format_args)?;
    let text = InputText::read(&[], Some(file), |_| false)?;
    let mut errors = LimitedErrors::default();
    let mut instances = Vec::new();
    let mut exit = Exit::Success;
    for item in text.positions(puzzle, &format) {
        let checked =
            item.result.map_err(|invalid| (Exit::Invalid, invalid.message)).and_then(|position| match puzzle
                .check_solvable(&position)
            {
                Ok(()) => Ok(position),
                Err(error @ SearchError::Unsolvable(_)) => {
                    Err((Exit::Unsolvable, explain(&error.diagnostic())))
                }
                Err(error) => Err((Exit::Invalid, explain(&error.diagnostic()))),
            });
        match checked {
            Ok(position) => {
                instances.push(Instance {
                    text: puzzle.text(&position),
                    position,
                    scramble_depth: None,
                    reference: None,
                });
            }
            Err((code, message)) => {
                errors.add(&format!("{}{message}; skipped", text.location(item.line)));
                exit = exit.max(code);
            }
        }
    }
    let name = text.name();
    if instances.is_empty() {
        drop(errors);
        // The skipped positions decide the exit code; a text without any position is invalid.
        let exit = if exit == Exit::Success { Exit::Invalid } else { exit };
        let message = format!("{name} holds no solvable position; there is nothing to compare");
        return Err(CliError::Failed { exit, message });
    }
    Ok((InstanceSet { origin: Origin::File { name }, instances }, exit))
}

/// The exit code of a comparison, the worst of these: that of the skipped positions, that of a stopped
/// search (if any was stopped), and that of an interruption (unless the comparison is complete).
pub(crate) fn exit(skipped: Exit, stopped: bool, complete: bool) -> Exit {
    [(true, skipped), (stopped, Exit::Stopped), (!complete, Exit::Interrupted)]
        .into_iter()
        .filter_map(|(applies, exit)| applies.then_some(exit))
        .max()
        .unwrap_or(Exit::Success)
}

impl From<Error> for CliError {
    fn from(error: Error) -> CliError {
        let hint = match &error {
            Error::NoPositions => {
                return CliError::usage("--count must be at least 1");
            }
            Error::InvalidBaseline { path, error } => {
                let path = path.display();
                let error = untumble_session::json_error(error);
                return CliError::usage(format!("{path}: not a file written by --save ({error})"));
            }
            Error::UnusableFolder { .. } => "; choose a writable folder with --out",
            Error::NotAFile { .. } => "; move it, or choose another folder with --out",
            Error::Unfinished { .. } => "; continue it with --resume, or start again with --force",
            Error::Locked { .. } => "; wait for it, or choose another folder with --out",
            Error::HoldsResults { .. } => "; replace them with --force, or choose another folder with --out",
            Error::HoldsFile { .. } => "; replace it with --force, or choose another folder with --out",
            Error::CannotResume { finished: false, .. } => {
                "; --resume needs the same command; --force starts again"
            }
            Error::CannotResume { finished: true, .. } => {
                "; --resume needs the same command; --force measures again"
            }
            Error::Rows { .. } => "; the rows written so far are kept; continue with --resume",
            Error::Unpublished { .. } => "; --resume writes the results from them",
            Error::ImplausibleBaseline { .. } => "; write new ones with --save",
            _ => "",
        };
        let message = format!("{error}{hint}");
        match error {
            Error::Search(error) => error.into(),
            Error::Interrupted(_) => CliError::interrupted(message),
            Error::TooManyPositions { .. }
            | Error::UnusableFolder { .. }
            | Error::NotAFile { .. }
            | Error::Unfinished { .. }
            | Error::Locked { .. }
            | Error::HoldsResults { .. }
            | Error::HoldsFile { .. }
            | Error::CannotResume { .. }
            | Error::NoFileName { .. }
            | Error::UnwritableBaseline { .. }
            | Error::UnreadableBaseline { .. }
            | Error::OtherSuite { .. }
            | Error::ImplausibleBaseline { .. } => CliError::usage(message),
            _ => CliError::environment(message),
        }
    }
}
