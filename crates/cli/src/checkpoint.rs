//! `--checkpoint FILE`: saves a proof while it runs and resumes the proof of an earlier run.
//!
//! The file exists as long as there is a proof to resume. It is removed after the final answer is printed. A
//! [`SearchId`] (puzzle, solver and position) says which search a file belongs to; the file of another
//! search is refused.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use untumble_search::checkpoint::file::{CheckpointError, CheckpointFile};
use untumble_search::checkpoint::{Checkpoint, Checkpointer, SearchId};
use untumble_search::identity::{Difference, IdField, RunId};
use untumble_search::puzzle::Cost;
use untumble_search::spec::Spec;
use untumble_session::{EarlierRuns, Record, Session, serialize_six_digits};

use crate::cli;
use crate::exit::CliError;
use crate::explain::{difference_message, has_digest, name_digests, without_digests};
use crate::output;
use untumble_session::number_format;

/// The file of `--checkpoint` and the checkpointer that writes it.
pub(crate) struct CheckpointSession {
    file: CheckpointFile,
    interval: Duration,
    /// The checkpoint of an earlier run, until it is resumed.
    saved: Option<Checkpoint>,
    checkpointer: Option<Arc<Checkpointer>>,
    /// Whether messages are JSON events.
    json_events: bool,
}

/// The events of `--progress json` about the file.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum CheckpointEvent<'a> {
    Resumed {
        file: &'a str,
        solver: &'a str,
        bound: Cost,
        nodes: u64,
        #[serde(serialize_with = "serialize_six_digits")]
        seconds: f64,
    },
    Saved {
        file: &'a str,
    },
}

impl CheckpointSession {
    /// Opens the file of `--checkpoint`, if given. A file that cannot be resumed is an error and stays as
    /// it is.
    pub(crate) fn open(arguments: &cli::Solve) -> Result<Option<CheckpointSession>, CliError> {
        let Some(path) = &arguments.checkpoint else { return Ok(None) };
        let refuse = |why: String| CliError::usage(format!("--checkpoint {}: {why}", path.display()));
        let (file, saved) = CheckpointFile::open(path).map_err(|error| match error {
            CheckpointError::Unreadable(error) => refuse(format!("{error}; name another file")),
            error => refuse(format!("{error}; name another file, or remove it to start again")),
        })?;
        if !file.folder().is_dir() {
            return Err(refuse(format!("there is no folder {}; create it first", file.folder().display())));
        }
        let json_events = arguments.progress.is_json();
        let interval = arguments.checkpoint_every;
        Ok(Some(CheckpointSession { file, interval, saved, checkpointer: None, json_events }))
    }

    fn path(&self) -> &Path {
        self.file.path()
    }

    /// The checkpoint of an earlier run and its solver. Everything in `search` but the solver must match the
    /// checkpoint. A `requested` solver must match as well; `auto` resumes with the solver of the proof.
    pub(crate) fn resumable(
        &self,
        session: &Session,
        search: &SearchId,
        requested: Option<&Spec>,
    ) -> Result<Option<(&Checkpoint, Spec)>, CliError> {
        let Some(saved) = &self.saved else { return Ok(None) };
        let earlier = &saved.search;
        let run = RunId { solver: earlier.run.solver.clone(), ..search.run.clone() };
        if let Some(difference) = session.difference(&earlier.run, &run) {
            return Err(self.refuse(&difference_message("the file", &difference)));
        }
        if earlier.start != search.start {
            return Err(self.refuse(&format!(
                "the file was written for position `{}`, this run solves `{}`",
                earlier.start, search.start
            )));
        }
        let solver = session.puzzle().complete(&earlier.run.solver.parse()?)?;
        let solver_text = without_digests(&solver.to_string());
        if requested.is_none() && has_digest(&earlier.run.solver) {
            return Err(CliError::usage(format!(
                "--checkpoint {}: the file was written with solver {}; name that file with --with {solver_text}, \
                 or name another file for --checkpoint",
                self.path().display(),
                name_digests(&earlier.run.solver)
            )));
        }
        let [id, requested_id] =
            [Some(&solver), requested].map(|spec| spec.map(|spec| session.solver_id(spec)));
        if requested_id.is_some() && requested_id != id {
            let solvers = Difference { field: IdField::Solver, left: id, right: requested_id };
            return Err(CliError::usage(format!(
                "--checkpoint {}: {}; use --with {solver_text}, or name another file for --checkpoint",
                self.path().display(),
                difference_message("the file", &solvers)
            )));
        }
        Ok(Some((saved, requested.cloned().unwrap_or(solver))))
    }

    /// The error of a file that cannot be resumed.
    pub(crate) fn refuse(&self, reason: &str) -> CliError {
        CliError::usage(format!(
            "--checkpoint {}: {reason}; name another file, or remove it to start again",
            self.path().display()
        ))
    }

    /// The time and the nodes that earlier runs spent on the resumed proof.
    pub(crate) fn earlier_runs(&self) -> Option<EarlierRuns> {
        let saved = self.saved.as_ref()?;
        Some(EarlierRuns { seconds: saved.time.as_secs_f64(), generated: saved.generated() })
    }

    /// Makes the checkpointer of this search. It starts with the saved proof, if there is one, and reports
    /// that the proof is resumed.
    pub(crate) fn start_checkpointer(&mut self, search: SearchId) -> Arc<Checkpointer> {
        let (earlier, saved) = (self.earlier_runs(), self.saved.take());
        if let (Some(saved), Some(earlier)) = (&saved, &earlier) {
            self.report_resumed(saved, earlier);
        }
        let store = Arc::new(self.file.clone());
        let checkpointer = Arc::new(Checkpointer::new(search, self.interval, store, saved));
        self.checkpointer = Some(Arc::clone(&checkpointer));
        checkpointer
    }

    fn report_resumed(&self, saved: &Checkpoint, earlier: &EarlierRuns) {
        let (file, solver, bound) =
            (self.path().to_string_lossy(), &saved.search.run.solver, saved.proof.bound);
        let &EarlierRuns { seconds, generated: nodes } = earlier;
        if self.json_events {
            output::event(&CheckpointEvent::Resumed { file: &file, solver, bound, nodes, seconds });
        } else {
            output::note(&format!(
                "resumed from {file}: bound {bound}, {} in {} by {solver} so far",
                number_format::pluralize(nodes, "node"),
                number_format::seconds(seconds)
            ));
        }
    }

    /// Removes the file if the proof is finished, otherwise reports that the proof is saved. Call this after
    /// printing the answer.
    pub(crate) fn finish(&self, record: &Record) {
        let file = self.path().to_string_lossy();
        match &self.checkpointer {
            Some(_) if record.finished() => {
                if let Err(error) = self.file.remove() {
                    output::warning(&format!("{file}: {error}; the proof is finished, remove the file"));
                }
            }
            Some(checkpointer) if checkpointer.is_saved() && self.json_events => {
                output::event(&CheckpointEvent::Saved { file: &file });
            }
            Some(checkpointer) if checkpointer.is_saved() => {
                output::note(&format!("saved to {file}; run the same command to resume"));
            }
            None if self.saved.is_some() && !record.finished() => {
                output::note(&format!("{file} is unchanged; run the same command to resume"));
            }
            _ => {}
        }
    }
}
