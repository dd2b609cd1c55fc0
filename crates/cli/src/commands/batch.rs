//! `untumble batch`: many positions on all cores, answered in input order.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use untumble_search::control::Limits;
use untumble_search::frontend::{InputFormat, Workload};
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;

use super::solve;
use crate::batch::crew::Crew;
use crate::batch::input::Input;
use crate::batch::order::{Order, Window};
use crate::batch::output::{Layout, Sink};
use crate::batch::pace::Pace;
use crate::batch::resume::{resume, with_header};
use crate::batch::supply::Supply;
use crate::batch::{Alarm, Tally};
use crate::cli::{self, Batch, Schedule};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::open;
use crate::output;
use crate::progress::Watch;
use untumble_session::{Plan, PreparedSolvers, SearchContext, Session, figures};

/// How many positions are looked at before a solver is chosen.
const LOOK_AHEAD: usize = 1000;
/// How long a pipe may take to show them.
const LOOK_FOR: Duration = Duration::from_millis(200);

/// Answers every position of the input.
pub(crate) fn run(arguments: &Batch, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let Setup { session, form, wanted, limits, layout } = Setup::new(arguments, runtime)?;
    if let Some(out) = &arguments.out {
        refuse_the_same(&arguments.file, out)?;
    }
    interrupt::listen()?;
    let alarm = Arc::new(Alarm::default());
    let puzzle = Arc::clone(session.puzzle());
    let mut input = Input::open(&arguments.file, &*puzzle, &form)?;
    let (sink, held) = sink(arguments, &layout, &mut input, &session, &alarm)?;
    let mut job = Job { arguments, session, layout, alarm, held };
    let left = input.left_within(LOOK_AHEAD.max(limits.threads), LOOK_FOR, &job.alarm);
    if left == Some(0) {
        return job.nothing_left(sink, &mut input);
    }
    let (plan, ready) = job.make_ready(wanted.as_ref(), &input, left, limits)?;
    job.work(sink, input, left, &plan, &ready)
}

/// What the arguments ask for, validated before any position is read.
pub(crate) struct Setup {
    pub(crate) session: Session,
    pub(crate) form: InputFormat,
    /// The solver; `None` is `auto`.
    pub(crate) wanted: Option<Spec>,
    pub(crate) limits: Limits,
    pub(crate) layout: Layout,
}

impl Setup {
    pub(crate) fn new(arguments: &Batch, runtime: &Runtime) -> Result<Setup, CliError> {
        let puzzle = open::puzzle(&arguments.puzzle)?;
        let form = open::form(&*puzzle, &arguments.reading)?;
        let session = Session::new(runtime, puzzle);
        let wanted = session.solver(&arguments.with, arguments.all)?;
        let limits = solve::limits(&arguments.limits);
        let run = session.run_id(wanted.as_ref(), arguments.all, limits);
        Ok(Setup { session, form, wanted, limits, layout: Layout::new(arguments.format, run) })
    }
}

/// Answers written over their own questions help nobody.
fn refuse_the_same(input: &Path, out: &Path) -> Result<(), CliError> {
    let Ok(there) = fs::metadata(out) else { return Ok(()) };
    if there.is_file() && read_from(input).is_some_and(|from| same_file(&from, &there)) {
        return Err(CliError::usage(format!("{} holds the positions; give another --out", out.display())));
    }
    Ok(())
}

/// What is known of the file that the positions come from.
fn read_from(input: &Path) -> Option<fs::Metadata> {
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

/// Whether two names, which may be links, are names of one file.
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

/// Where the answers go, and those that are there already.
pub(crate) fn sink(
    arguments: &Batch,
    layout: &Layout,
    input: &mut Input<'_>,
    session: &Session,
    alarm: &Alarm,
) -> Result<(Sink, Tally), CliError> {
    let sink = match &arguments.out {
        None => Sink::standard_output(),
        Some(out) if arguments.resume => {
            let resumed = resume(out, layout, input, session, alarm)?;
            let torn = match resumed.torn {
                0 => String::new(),
                bytes => format!(" ({} of a torn last line cut off)", figures::bytes(bytes)),
            };
            let answers = figures::counted(resumed.held.answers(), "answer");
            output::note(&format!("resumed after {answers}{torn}"));
            return Ok((resumed.sink, resumed.held));
        }
        Some(out) => Sink::create(out, arguments.force)?,
    };
    Ok((with_header(sink, layout)?, Tally::default()))
}

/// A batch and what it has to do.
struct Job<'a> {
    arguments: &'a Batch,
    session: Session,
    layout: Layout,
    alarm: Arc<Alarm>,
    /// The answers of earlier runs.
    held: Tally,
}

impl<'a> Job<'a> {
    /// Chooses the solvers and makes them ready for all positions.
    fn make_ready(
        &self,
        wanted: Option<&Spec>,
        input: &Input<'_>,
        left: Option<usize>,
        limits: Limits,
    ) -> Result<(Plan, PreparedSolvers), CliError> {
        let count = self.count(input, left);
        let only = input.peek().filter(|_| count == 1).and_then(|item| item.found.as_ref().ok());
        let threads = if count < limits.threads { limits.threads } else { 1 };
        let share = Limits { threads, ..limits };
        let workload = Workload { position: only, count, limits: share, all: self.arguments.all };
        let plan = self.session.plan(wanted, &workload).within(limits);
        if wanted.is_none() {
            output::note(&format!("auto: {}", plan.solvers()));
        }
        let watch = Arc::new(Watch::new(self.arguments.progress));
        let solvers = self.session.prepare(&plan, &SearchContext::observed_by(watch.clone()));
        watch.finish();
        Ok((plan, solvers?))
    }

    /// How many positions there are in all, or about how many. It does not depend on how many are answered
    /// already, so that a resumed batch goes on with the same solver. A pipe that goes on is taken for a long one.
    fn count(&self, input: &Input<'_>, left: Option<usize>) -> usize {
        let held = self.held.answers() as usize;
        let seen = held + input.read();
        match (left, input.size) {
            (Some(left), _) => held + left,
            (None, Some(size)) => {
                let read = input.gauge.read.load(Relaxed).max(1) as f64;
                (seen as f64 * (size as f64 / read)) as usize
            }
            (None, None) => seen.max(LOOK_AHEAD),
        }
    }

    /// Solves what is left.
    fn work(
        &mut self,
        sink: Sink,
        input: Input<'_>,
        left: Option<usize>,
        plan: &Plan,
        ready: &PreparedSolvers,
    ) -> Result<Exit, CliError> {
        let limits = plan.limits;
        let threads = limits.threads.min(left.unwrap_or(usize::MAX));
        let memory = limits.memory.map(|memory| memory.saturating_sub(ready.bytes) / threads as u64);
        let (gauge, size, source) = (Arc::clone(&input.gauge), input.size, input.source.clone());
        let share = || size.map(|size| gauge.read.load(Relaxed) as f64 / size.max(1) as f64);
        let pace = Arc::new(Pace::new(self.arguments.progress, share().unwrap_or(0.0)));
        let supply = Supply::new(input, self.held.answers(), limits.threads);
        let (supply, window) = match self.arguments.schedule {
            Schedule::Dynamic => (supply, Window::USUAL),
            // The last part is answered long before the first one is written.
            Schedule::Static => (supply.in_parts(&self.alarm), Window::UNBOUNDED),
        };
        let crew = Crew {
            session: &self.session,
            plan: plan.within(Limits { memory, ..limits }),
            solvers: &*ready.prepared,
            held: ready.bytes,
            table_seconds: Mutex::new(ready.seconds),
            layout: self.layout.clone(),
            supply,
            order: Order::new(sink, self.held, window),
            alarm: &self.alarm,
            pace: &pace,
            source,
            gauge: Arc::clone(&gauge),
            complaints: Mutex::default(),
            ended: Mutex::new(0),
            end: Condvar::new(),
            failure: Mutex::new(None),
        };
        crew.run(threads, || pace.show(crew.order.standing().answers() - self.held.answers(), share()));
        let Crew { order, supply, complaints, failure, .. } = crew;
        drop(complaints);
        if let Some(failure) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        self.finish(order, &pace, supply.failure())
    }

    fn nothing_left(&self, sink: Sink, input: &mut Input<'_>) -> Result<Exit, CliError> {
        if self.held.answers() == 0 {
            output::note(&format!("{} holds no position", input.source.name()));
        }
        let order = Order::new(sink, self.held, Window::USUAL);
        self.finish(order, &Pace::new(self.arguments.progress, 0.0), input.failure())
    }

    /// Says how it ended.
    fn finish(&self, order: Order, pace: &Pace, unread: Option<CliError>) -> Result<Exit, CliError> {
        let written = order.finish()?;
        pace.finish(written.answers() - self.held.answers(), written);
        if interrupt::asked() {
            let way = if self.arguments.out.is_some() { "; --resume goes on from there" } else { "" };
            let answers = figures::counted(written.answers(), "answer");
            output::note(&format!("interrupted after {answers}{way}"));
            return Ok(Exit::Interrupted);
        }
        unread.map_or_else(|| Ok(written.exit()), Err)
    }
}
