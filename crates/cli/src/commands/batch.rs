//! `untumble batch`: many positions on all cores, answered in input order.
//!
//! One [`Plan`] (the solvers that run one after the other, and the limits of each position) serves all
//! positions; its solvers are prepared once, so tables are loaded once. A [`WorkerPool`] solves the
//! positions, a [`ReorderBuffer`] puts the answers back into input order and a [`Sink`] writes them.
//! [`OutcomeCounts`] counts the answers by outcome. The counts decide the exit code: an invalid text
//! outranks a stopped search, and an unsolvable position counts as answered; see [`OutcomeCounts::exit`].

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use untumble_search::control::Limits;
use untumble_search::frontend::{InputFormat, Position, Workload};
use untumble_search::runtime::Runtime;

use super::solve;
use crate::batch::input::Input;
use crate::batch::output::Sink;
use crate::batch::progress::BatchProgress;
use crate::batch::reorder_buffer::{ReorderBuffer, Window};
use crate::batch::resume::{resume, with_header};
use crate::batch::sessions::{BatchSessions, PreparedPuzzle, PuzzleSession};
use crate::batch::task_queue::TaskQueue;
use crate::batch::worker_pool::WorkerPool;
use crate::batch::{OutcomeCounts, StopFlag};
use crate::cli::{Batch, Schedule};
use crate::exit::{CliError, Exit};
use crate::explain::{InputWarnings, auto_stages};
use crate::interrupt;
use crate::output;
use crate::progress::SearchProgress;
use crate::puzzle_input;
use crate::puzzle_set::PuzzleSet;

use untumble_session::{Plan, PreparedSolvers, SearchContext, number_format};

/// The number of positions that are read before `auto` chooses a solver.
const LOOK_AHEAD: usize = 1000;
/// The longest time to wait for these positions on a pipe.
const LOOK_AHEAD_TIME: Duration = Duration::from_millis(200);

/// Answers every position of the input.
pub(crate) fn run(arguments: &Batch, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let BatchConfig { sessions, format, limits } = BatchConfig::new(arguments, runtime)?;
    if let Some(out) = &arguments.out {
        check_distinct(&arguments.file, out)?;
    }
    interrupt::install_handler()?;
    let stop_flag = Arc::new(StopFlag::default());
    let mut input = Input::open(&arguments.file, sessions.puzzles(), &format)?;
    let (sink, earlier) = open_sink(arguments, &sessions, &mut input, &stop_flag)?;
    let mut run = BatchRun { arguments, sessions: &sessions, stop_flag, earlier };
    let remaining = input.remaining_within(LOOK_AHEAD.max(limits.threads), LOOK_AHEAD_TIME, &run.stop_flag);
    if remaining == Some(0) {
        return run.finish_without_positions(sink, &mut input);
    }
    run.solve(sink, input, remaining, limits)
}

/// The validated arguments.
pub(crate) struct BatchConfig {
    pub(crate) sessions: BatchSessions,
    pub(crate) format: InputFormat,
    pub(crate) limits: Limits,
}

impl BatchConfig {
    /// Validates the arguments before any position is read.
    pub(crate) fn new(arguments: &Batch, runtime: &Runtime) -> Result<BatchConfig, CliError> {
        let puzzles = PuzzleSet::open(&arguments.puzzle)?;
        let format = puzzle_input::input_format(&**puzzles.example(), &arguments.format_args)?;
        let limits = solve::limits(&arguments.limits);
        let sessions = BatchSessions::new(arguments, runtime, puzzles, limits)?;
        Ok(BatchConfig { sessions, format, limits })
    }
}

/// Returns an error if the output would overwrite the input.
fn check_distinct(input: &Path, out: &Path) -> Result<(), CliError> {
    let Ok(output) = fs::metadata(out) else { return Ok(()) };
    if output.is_file() && input_metadata(input).is_some_and(|input| same_file(&input, &output)) {
        return Err(CliError::usage(format!("{} is the input file; give another --out", out.display())));
    }
    Ok(())
}

/// The metadata of the input file, also if it is redirected to standard input.
fn input_metadata(input: &Path) -> Option<fs::Metadata> {
    if input != Path::new("-") {
        return fs::metadata(input).ok();
    }
    #[cfg(unix)]
    return {
        use std::os::fd::AsFd;
        let file = std::io::stdin().as_fd().try_clone_to_owned().map(fs::File::from);
        file.and_then(|file| file.metadata()).ok()
    };
    #[cfg(not(unix))]
    None
}

/// Whether both metadata belong to the same file.
fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return {
        use std::os::unix::fs::MetadataExt;
        (a.dev(), a.ino()) == (b.dev(), b.ino())
    };
    #[cfg(not(unix))]
    return a.len() == b.len()
        && a.modified().ok() == b.modified().ok()
        && a.created().ok() == b.created().ok();
}

/// Opens the output; returns it with the counts of the answers that it already holds.
pub(crate) fn open_sink(
    arguments: &Batch,
    sessions: &BatchSessions,
    input: &mut Input<'_>,
    stop_flag: &StopFlag,
) -> Result<(Sink, OutcomeCounts), CliError> {
    let sink = match &arguments.out {
        None => Sink::standard_output(),
        Some(out) if arguments.resume => {
            let resumed = resume(out, sessions, input, stop_flag)?;
            let removed = match resumed.removed_bytes {
                0 => String::new(),
                bytes => format!(" ({} of an incomplete last line removed)", number_format::bytes(bytes)),
            };
            let answers = number_format::pluralize(resumed.answers.total(), "answer");
            output::note(&format!("resumed after {answers}{removed}"));
            return Ok((resumed.sink, resumed.answers));
        }
        Some(out) => Sink::create(out, arguments.force)?,
    };
    Ok((with_header(sink, &sessions.base().encoder)?, OutcomeCounts::default()))
}

/// One run of a batch.
struct BatchRun<'a> {
    arguments: &'a Batch,
    sessions: &'a BatchSessions,
    stop_flag: Arc<StopFlag>,
    /// The answers of earlier runs in the output.
    earlier: OutcomeCounts,
}

impl<'a> BatchRun<'a> {
    /// Chooses the solvers of a puzzle and prepares them for all of its positions; `count` is the number of
    /// positions, `single_position` the only one. The limits of each position are those of `limits`.
    fn prepare(
        &self,
        puzzle: &PuzzleSession,
        count: usize,
        single_position: Option<&Position>,
        limits: Limits,
    ) -> Result<(Plan, PreparedSolvers), CliError> {
        // With fewer positions than threads, one search may use several threads.
        let threads = if count < limits.threads { limits.threads } else { 1 };
        let position_limits = Limits { threads, ..limits };
        // What `auto` knows when it chooses solvers.
        let workload = Workload {
            position: single_position,
            count,
            limits: position_limits,
            all_solutions: self.arguments.all,
        };
        let plan = puzzle.session.plan(puzzle.solver.as_ref(), &workload).with_limits(limits);
        if puzzle.solver.is_none() {
            output::note(&format!("auto: {}", auto_stages(&plan)));
        }
        let progress = Arc::new(SearchProgress::new(self.arguments.progress.mode));
        let solvers = puzzle.session.prepare(&plan, &SearchContext::observed_by(progress.clone()));
        progress.finish();
        Ok((plan, solvers?))
    }

    /// The number of all positions, or an estimate from the part that is read. Answered positions are included, so
    /// that a resumed batch continues with the same solver. A pipe that has not ended counts as at least
    /// [`LOOK_AHEAD`] positions.
    fn position_count(&self, input: &Input<'_>, remaining: Option<usize>) -> usize {
        let earlier = self.earlier.total() as usize;
        let seen = earlier + input.parsed_ahead();
        match (remaining, input.size) {
            (Some(remaining), _) => earlier + remaining,
            (None, Some(_)) => input.progress.expected_positions(input.size).unwrap_or(0.0) as usize,
            (None, None) => seen.max(LOOK_AHEAD),
        }
    }

    /// Solves the remaining positions.
    fn solve(
        &mut self,
        sink: Sink,
        input: Input<'_>,
        remaining: Option<usize>,
        limits: Limits,
    ) -> Result<Exit, CliError> {
        let count = self.position_count(&input, remaining);
        let threads = limits.threads.min(remaining.unwrap_or(usize::MAX));
        let prepare = |puzzle: &Arc<PuzzleSession>, single: Option<&Position>, table_bytes: u64| {
            let memory = limits.memory.map(|memory| memory.saturating_sub(table_bytes));
            let (plan, solvers) = self.prepare(puzzle, count, single, Limits { memory, ..limits })?;
            // What the tables leave is divided among the threads.
            let memory = memory.map(|memory| memory.saturating_sub(solvers.bytes) / threads as u64);
            let plan = plan.with_limits(Limits { memory, ..limits });
            Ok(PreparedPuzzle { puzzle: Arc::clone(puzzle), plan, solvers })
        };
        let mut prepared = HashMap::new();
        let mut table_seconds = 0.0;
        if !self.sessions.puzzles().is_family() {
            let single = input.peek().filter(|_| count == 1).and_then(|item| item.result.as_ref().ok());
            let puzzle = prepare(self.sessions.base(), single, 0)?;
            table_seconds = puzzle.solvers.seconds;
            prepared.insert(puzzle.puzzle.session.puzzle().id(), Arc::new(puzzle));
        }
        let (input_progress, size, source) = (Arc::clone(&input.progress), input.size, input.source.clone());
        let progress = Arc::new(BatchProgress::new(self.arguments.progress.mode, self.earlier.total()));
        let task_queue = TaskQueue::new(input, self.earlier.total(), limits.threads);
        let (task_queue, window) = match self.arguments.schedule {
            Schedule::Dynamic => (task_queue, Window::DEFAULT),
            // The answers of the last share exist long before those of the first share are written, so the
            // reorder buffer must have room for all of them.
            Schedule::Static => (task_queue.with_static_shares(&self.stop_flag), Window::UNBOUNDED),
        };
        let pool = WorkerPool {
            sessions: self.sessions,
            prepare: &|puzzle: &Arc<PuzzleSession>, table_bytes| prepare(puzzle, None, table_bytes),
            prepared: Mutex::new(prepared),
            table_seconds: Mutex::new(table_seconds),
            task_queue,
            reorder_buffer: ReorderBuffer::new(sink, self.earlier, window),
            stop_flag: &self.stop_flag,
            progress: &progress,
            source,
            input_progress: Arc::clone(&input_progress),
            errors: Mutex::default(),
            goal: self.arguments.puzzle.goal.clone(),
            warnings: InputWarnings::default(),
            ended: Mutex::new(0),
            worker_ended: Condvar::new(),
            error: Mutex::new(None),
        };
        pool.run(threads, || {
            let answers = pool.reorder_buffer.counts().found();
            progress.show(answers, input_progress.expected_positions(size));
        });
        let WorkerPool { reorder_buffer, task_queue, errors, error, .. } = pool;
        drop(errors);
        if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        self.finish(reorder_buffer, &progress, task_queue.read_error())
    }

    fn finish_without_positions(&self, sink: Sink, input: &mut Input<'_>) -> Result<Exit, CliError> {
        if self.earlier.total() == 0 {
            output::note(&format!("{} holds no position", input.source.name()));
        }
        let reorder_buffer = ReorderBuffer::new(sink, self.earlier, Window::DEFAULT);
        self.finish(
            reorder_buffer,
            &BatchProgress::new(self.arguments.progress.mode, self.earlier.total()),
            input.read_error(),
        )
    }

    /// Flushes the output and prints the summary.
    fn finish(
        &self,
        reorder_buffer: ReorderBuffer,
        progress: &BatchProgress,
        read_error: Option<CliError>,
    ) -> Result<Exit, CliError> {
        let written = reorder_buffer.finish()?;
        progress.finish(written.total() - self.earlier.total(), written);
        if interrupt::requested() {
            let hint = if self.arguments.out.is_some() { "; continue with --resume" } else { "" };
            let answers = number_format::pluralize(written.total(), "answer");
            output::note(&format!("interrupted after {answers}{hint}"));
            return Ok(Exit::Interrupted);
        }
        read_error.map_or_else(|| Ok(written.exit()), Err)
    }
}
