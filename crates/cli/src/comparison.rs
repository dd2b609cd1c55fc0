//! From the arguments of `compare` and `analyze` to a comparison, and from its errors to messages with flags.

use std::path::Path;

use untumble_report::{
    DepthRange, Error, Experiment, Instance, InstanceSet, Origin, SolverRequest, generate,
};
use untumble_search::control::Limits;
use untumble_search::error::Error as SearchError;
use untumble_search::frontend::DynPuzzle;
use untumble_search::runtime::Runtime;
use untumble_session::machine;

use crate::cli;
use crate::exit::{CliError, Exit};
use crate::explain::explain;
use crate::open;
use crate::reading::{Complaints, Text};

/// Positions where `--count` is not given.
const DEFAULT_COUNT: u64 = 100;
/// The seed where `--seed` is not given: the same positions for everybody, so that runs can be compared.
const DEFAULT_SEED: u64 = 1;

/// A comparison that was asked for.
pub(crate) struct Request {
    pub(crate) experiment: Experiment,
    /// The worst of the positions that were left out.
    pub(crate) exit: Exit,
}

/// Reads the arguments; nothing is built yet.
pub(crate) fn request(arguments: &cli::Measured, runtime: &Runtime) -> Result<Request, CliError> {
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let mut solvers: Vec<SolverRequest> = Vec::new();
    for name in &arguments.with {
        let spec = untumble_session::solver(&*puzzle, runtime, name, false)?;
        if solvers.iter().any(|other| other.name == *name) {
            return Err(CliError::usage(format!("--with {name} is given twice; once is enough")));
        }
        solvers.push(SolverRequest { name: name.clone(), spec });
    }
    let mut threads = arguments.threads.clone();
    threads.sort_unstable();
    threads.dedup();
    if threads.is_empty() {
        threads.push(machine::threads());
    }
    let limits = Limits {
        time: arguments.time,
        nodes: arguments.nodes,
        memory: arguments.memory.or_else(machine::memory),
        threads: 1,
        max_length: None,
    };
    let (instances, exit) = match &arguments.file {
        Some(file) => read(&*puzzle, arguments, file)?,
        None => (make(&*puzzle, arguments)?, Exit::Solved),
    };
    let (goal, metric) = (Some(puzzle.goal_text()), Some(puzzle.metric().to_owned()));
    let requested_memory = arguments.memory;
    let experiment =
        Experiment { puzzle, goal, metric, solvers, instances, limits, requested_memory, threads };
    Ok(Request { experiment, exit })
}

fn make(puzzle: &dyn DynPuzzle, arguments: &cli::Measured) -> Result<InstanceSet, CliError> {
    let depths = arguments.depths.or(arguments.depth.map(|depth| DepthRange { min: depth, max: depth }));
    let count = arguments.count.unwrap_or(DEFAULT_COUNT);
    Ok(generate(puzzle, depths, count, arguments.seed.unwrap_or(DEFAULT_SEED))?)
}

fn read(
    puzzle: &dyn DynPuzzle,
    arguments: &cli::Measured,
    file: &Path,
) -> Result<(InstanceSet, Exit), CliError> {
    let form = open::form(puzzle, &arguments.reading)?;
    let text = Text::obtain(&[], Some(file), |_| false)?;
    let mut complaints = Complaints::default();
    let mut instances = Vec::new();
    let mut exit = Exit::Solved;
    for item in text.positions(puzzle, &form) {
        let checked =
            item.found.map_err(|bad| (Exit::Invalid, bad.message)).and_then(|position| {
                match puzzle.check(&position) {
                    Ok(()) => Ok(position),
                    Err(why @ SearchError::Unsolvable(_)) => {
                        Err((Exit::Unsolvable, explain(&why.diagnostic())))
                    }
                    Err(why) => Err((Exit::Invalid, explain(&why.diagnostic()))),
                }
            });
        match checked {
            Ok(position) => {
                instances.push(Instance { text: puzzle.text(&position), position, scramble_depth: None });
            }
            Err((kind, why)) => {
                complaints.add(&format!("{}{why}; left out", text.place(item.line)));
                exit = exit.max(kind);
            }
        }
    }
    let name = text.name();
    if instances.is_empty() {
        drop(complaints);
        // The complaints decide the exit code; a text without any position is invalid.
        let exit = if exit == Exit::Solved { Exit::Invalid } else { exit };
        let message = format!("{name} holds no position that can be solved; there is nothing to compare");
        return Err(CliError::Told { exit, message });
    }
    Ok((InstanceSet { origin: Origin::File { name }, instances }, exit))
}

/// The exit code of a comparison: the worst of the positions left out, a search that a limit stopped, an interruption.
pub(crate) fn exit(left_out: Exit, stopped: bool, complete: bool) -> Exit {
    [(true, left_out), (stopped, Exit::Stopped), (!complete, Exit::Interrupted)]
        .into_iter()
        .filter_map(|(holds, exit)| holds.then_some(exit))
        .max()
        .unwrap_or(Exit::Solved)
}

impl From<Error> for CliError {
    fn from(error: Error) -> CliError {
        let hint = match &error {
            Error::NoPositions => {
                return CliError::usage("--count 0 leaves nothing to compare; it is at least 1");
            }
            Error::InvalidBaseline { path, error } => {
                let path = path.display();
                return CliError::usage(format!(
                    "{path} does not contain suite results as written by --save ({error})"
                ));
            }
            Error::UnusableFolder { .. } => "; name a folder that can be written to with --out",
            Error::NotAFile { .. } => {
                "; results are written there, so move it or name another folder with --out"
            }
            Error::Unfinished { .. } => "; --resume goes on with it, --force begins anew",
            Error::Locked { .. } => "; wait for it or name another folder",
            Error::HoldsResults { .. } => "; --force replaces them, or name another folder with --out",
            Error::HoldsFile { .. } => "; --force does that, or name another folder with --out",
            Error::OtherExperiment { finished: false, .. } => {
                "; --resume needs the same command, --force begins anew"
            }
            Error::OtherExperiment { finished: true, .. } => {
                "; --resume needs the same command, --force measures again"
            }
            Error::Rows { .. } => "; what stands there is kept, and --resume goes on with it",
            Error::Unpublished { .. } => ", and --resume writes the results from them",
            Error::ImplausibleBaseline { .. } => "; write a new file with --save",
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
            | Error::OtherExperiment { .. }
            | Error::NoFileName { .. }
            | Error::UnwritableBaseline { .. }
            | Error::UnreadableBaseline { .. }
            | Error::OtherSuite { .. }
            | Error::ImplausibleBaseline { .. } => CliError::usage(message),
            _ => CliError::environment(message),
        }
    }
}
