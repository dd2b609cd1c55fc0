//! `--checkpoint FILE`: a proof that is saved while it runs and goes on where an earlier run left it.
//!
//! The file is there as long as there is something to go on with: it goes when the answer has been printed, not before.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use untumble_search::checkpoint::file::{CheckpointError, CheckpointFile};
use untumble_search::checkpoint::{Checkpoint, Checkpointer, SearchId};
use untumble_search::identity::{Difference, IdField, RunId};
use untumble_search::puzzle::Cost;
use untumble_search::spec::Spec;
use untumble_session::{Before, Record, Session, six_digits};

use crate::cli;
use crate::exit::CliError;
use crate::explain::mismatch;
use crate::output;
use untumble_session::figures;

/// The file of `--checkpoint`, and what becomes of it.
pub(crate) struct CheckpointHandle {
    file: CheckpointFile,
    every: Duration,
    /// What an earlier run left, until it is taken up.
    left: Option<Checkpoint>,
    checkpointer: Option<Arc<Checkpointer>>,
    /// Whether standard error speaks JSON.
    events: bool,
}

/// What is said about the file.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Told<'a> {
    Resumed {
        file: &'a str,
        solver: &'a str,
        bound: Cost,
        nodes: u64,
        #[serde(serialize_with = "six_digits")]
        seconds: f64,
    },
    Checkpoint {
        file: &'a str,
    },
}

impl CheckpointHandle {
    /// Opens the file asked for, if one is. What cannot be gone on with is refused and left as it is.
    pub(crate) fn open(arguments: &cli::Solve) -> Result<Option<CheckpointHandle>, CliError> {
        let Some(path) = &arguments.checkpoint else { return Ok(None) };
        let refuse = |why: String| CliError::usage(format!("--checkpoint {}: {why}", path.display()));
        let (file, left) = CheckpointFile::open(path).map_err(|flaw| match flaw {
            CheckpointError::Unreadable(why) => refuse(format!("{why}; name another file")),
            flaw => refuse(format!("{flaw}; name another file, or remove it to start afresh")),
        })?;
        if !file.folder().is_dir() {
            return Err(refuse(format!("there is no folder {}; make it first", file.folder().display())));
        }
        let events = arguments.progress == cli::Progress::Json;
        let every = arguments.checkpoint_every;
        Ok(Some(CheckpointHandle { file, every, left, checkpointer: None, events }))
    }

    fn path(&self) -> &Path {
        self.file.path()
    }

    /// The proof that an earlier run left, and its solver. `search` is compared but for its solver: with `wanted`
    /// the solvers must be the same, and `auto` goes on with the one whose proof it is.
    pub(crate) fn left(
        &self,
        session: &Session,
        search: &SearchId,
        wanted: Option<&Spec>,
    ) -> Result<Option<(&Checkpoint, Spec)>, CliError> {
        let Some(left) = &self.left else { return Ok(None) };
        let saved = &left.search;
        let run = RunId { solver: saved.run.solver.clone(), ..search.run.clone() };
        if let Some(difference) = session.difference(&saved.run, &run) {
            return Err(self.refuse(&mismatch("the file", &difference)));
        }
        if saved.start != search.start {
            return Err(self.refuse(&format!(
                "the file was written for position `{}`, this run solves `{}`",
                saved.start, search.start
            )));
        }
        let solver = session.puzzle().complete(&saved.run.solver.parse()?)?;
        let [id, wanted_id] = [Some(&solver), wanted].map(|spec| spec.map(|spec| session.solver_id(spec)));
        if wanted_id.is_some() && wanted_id != id {
            let solvers = Difference { field: IdField::Solver, left: id, right: wanted_id };
            return Err(CliError::usage(format!(
                "--checkpoint {}: {}; go on with --with {solver}, or name another file",
                self.path().display(),
                mismatch("the file", &solvers)
            )));
        }
        Ok(Some((left, wanted.cloned().unwrap_or(solver))))
    }

    /// The refusal of a file that cannot be gone on with.
    pub(crate) fn refuse(&self, what: &str) -> CliError {
        CliError::usage(format!(
            "--checkpoint {}: {what}; name another file, or remove it to start afresh",
            self.path().display()
        ))
    }

    /// What earlier runs did.
    pub(crate) fn before(&self) -> Option<Before> {
        let left = self.left.as_ref()?;
        Some(Before { seconds: left.time.as_secs_f64(), generated: left.generated() })
    }

    /// Who saves this search from now on and hands it what was left of it. That is said, and what was done before is told.
    pub(crate) fn checkpointer(&mut self, search: SearchId) -> Arc<Checkpointer> {
        let (before, left) = (self.before(), self.left.take());
        if let (Some(left), Some(before)) = (&left, &before) {
            self.say_resumed(left, before);
        }
        let checkpointer = Arc::new(Checkpointer::new(search, self.every, Arc::new(self.file.clone()), left));
        self.checkpointer = Some(Arc::clone(&checkpointer));
        checkpointer
    }

    fn say_resumed(&self, left: &Checkpoint, before: &Before) {
        let (file, solver, bound) =
            (self.path().to_string_lossy(), &left.search.run.solver, left.proof.bound);
        let &Before { seconds, generated: nodes } = before;
        if self.events {
            output::event(&Told::Resumed { file: &file, solver, bound, nodes, seconds });
        } else {
            output::note(&format!(
                "resumed from {file}: bound {bound}, {} and {} done before by {solver}",
                figures::counted(nodes, "node"),
                figures::seconds(seconds)
            ));
        }
    }

    /// Once the answer is printed: removes the file where the proof is finished, else says what it holds.
    pub(crate) fn settle(&self, record: &Record) {
        let file = self.path().to_string_lossy();
        match &self.checkpointer {
            Some(_) if record.finished() => {
                if let Err(error) = self.file.remove() {
                    output::warning(&format!("{file}: {error}; the proof is finished, and the file can go"));
                }
            }
            Some(checkpointer) if checkpointer.is_saved() && self.events => {
                output::event(&Told::Checkpoint { file: &file });
            }
            Some(checkpointer) if checkpointer.is_saved() => {
                output::note(&format!("saved to {file}; the same command goes on from there"));
            }
            None if self.left.is_some() && !record.finished() => {
                output::note(&format!("{file} is as it was; the same command goes on from there"));
            }
            _ => {}
        }
    }
}
