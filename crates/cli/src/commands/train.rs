//! `untumble train`: learn weights to rank positions by.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use untumble_search::control::{Control, Limits, Observer};
use untumble_search::draft::{self, Draft};
use untumble_search::error::Error;
use untumble_search::train::weights::WeightsFile;
use untumble_search::train::{TrainingConfig, TrainingContext, TrainingResult, TrainingRound};

use crate::cli::{self, Train};
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::open;
use crate::output::{self, Answers};
use crate::progress::Watch;
use untumble_session::figures;
use untumble_session::machine;

/// Trains, and keeps the best weights in the file from the first round on.
pub(crate) fn run(arguments: &Train) -> Result<Exit, CliError> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let puzzle = open::puzzle(&arguments.puzzle)?;
    replaceable(&arguments.out, arguments.force)?;
    let from = match &arguments.from {
        None => None,
        Some(path) => {
            let name = path.display().to_string();
            let file = WeightsFile::read(&name).map_err(Error::from)?;
            Some((name, file))
        }
    };
    interrupt::listen()?;
    let limits = Limits {
        memory: arguments.memory.or_else(machine::memory),
        threads: arguments.threads.unwrap_or_else(machine::threads),
        ..Limits::default()
    };
    let watch = Arc::new(Watch::new(arguments.progress));
    let observer: Arc<dyn Observer> = watch.clone();
    let control = Control::new(limits, observer);
    let mut generator = untumble_session::generator(arguments.seed);
    let mut desk = Desk { arguments, title: puzzle.title(), answers: Answers::new(), trouble: None };
    let lesson = TrainingConfig {
        budget: arguments.budget,
        width: arguments.width as usize,
        seed: arguments.seed,
        from,
    };
    let mut tell = |round: &TrainingRound, learning: &TrainingResult| {
        watch.finish();
        desk.note(round, learning, &control);
    };
    let pupil = TrainingContext { rng: &mut generator, control: &control, on_round: &mut tell };
    let learning = puzzle.learn(&lesson, pupil);
    watch.finish();
    let learning = learning?;
    desk.finish(&learning)?;
    Ok(control.stop().map_or(Exit::Solved, Exit::from))
}

/// Where rounds are told and weights are kept.
struct Desk<'a> {
    arguments: &'a Train,
    title: String,
    answers: Answers,
    /// What went wrong while a round was told.
    trouble: Option<CliError>,
}

/// A round as a line of JSON.
#[derive(Serialize)]
struct Told {
    round: usize,
    pairs: usize,
    loss_before: Option<f64>,
    loss: Option<f64>,
    length: Option<f64>,
    best: bool,
    seconds: f64,
}

impl Desk<'_> {
    fn note(&mut self, round: &TrainingRound, learning: &TrainingResult, control: &Control) {
        let told = self.tell(round).and_then(|()| {
            if round.best { write(&self.arguments.out, &self.file(learning).text()) } else { Ok(()) }
        });
        if let Err(failure) = told {
            self.trouble.get_or_insert(failure);
            // There is nobody left to learn for.
            control.request_stop(untumble_search::control::Stop::Interrupted);
        }
    }

    fn tell(&mut self, round: &TrainingRound) -> Result<(), CliError> {
        if self.arguments.json {
            self.answers.json(&Told {
                round: round.number,
                pairs: round.pairs,
                loss_before: round.loss.map(|loss| loss.0),
                loss: round.loss.map(|loss| loss.1),
                length: Some(round.length).filter(|length| length.is_finite()),
                best: round.best,
                seconds: round.seconds,
            })?;
        } else {
            let loss = round.loss.map_or_else(
                || "the weights to begin with".into(),
                |(before, after)| {
                    let pairs = figures::grouped(round.pairs as u64);
                    format!("loss {before:.3} → {after:.3} over {pairs} pairs")
                },
            );
            let length = measured(round.length);
            let best = if round.best { ", best so far" } else { "" };
            self.answers.line(&format!(
                "round {}: {loss} · mean length {length}{best} · {:.0} s",
                round.number, round.seconds
            ))?;
        }
        self.answers.flush()
    }

    fn file(&self, learning: &TrainingResult) -> WeightsFile {
        let Train { seed, width, budget, .. } = self.arguments;
        let origin = format!(
            "untumble {} train: seed {seed}, width {width}, budget {} s, {}, mean length {} (before: {})",
            env!("CARGO_PKG_VERSION"),
            budget.as_secs_f64(),
            figures::counted(learning.rounds as u64, "round"),
            measured(learning.length),
            measured(learning.first_length)
        );
        WeightsFile { puzzle: self.title.clone(), origin, values: learning.weights.clone() }
    }

    fn finish(self, learning: &TrainingResult) -> Result<(), CliError> {
        if let Some(failure) = self.trouble {
            return Err(failure);
        }
        write(&self.arguments.out, &self.file(learning).text())?;
        if !learning.length.is_finite() {
            output::warning(
                "no beam found a solution in its share of the budget and memory, so nothing was learned: give a longer --budget, a narrower --width or more --memory",
            );
        }
        let path = self.arguments.out.display();
        output::note(&format!(
            "written: {path} (use it: untumble solve {} … --with beam+learned:{path})",
            self.title
        ));
        Ok(())
    }
}

/// Whether weights may be put there, asked before there are any.
fn replaceable(path: &Path, force: bool) -> Result<(), CliError> {
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(about) if !about.is_file() => {
            Err(CliError::usage(format!("{shown} is no file that can be replaced")))
        }
        Ok(_) if !force => {
            Err(CliError::usage(format!("{shown} exists; name another file, or replace it with --force")))
        }
        _ => {
            // A draft that can be made now can be made later.
            let draft = Draft::new(&draft::follow_links(path));
            draft.map(drop).map_err(|error| CliError::environment(format!("{shown}: {error}")))
        }
    }
}

/// A mean length, unless it could not be measured.
fn measured(length: f64) -> String {
    if length.is_finite() { format!("{length:.1}") } else { "unknown".into() }
}

/// Replaces a file, or the file that a link leads to.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    draft::replace(&draft::follow_links(path), text.as_bytes())
        .map_err(|error| CliError::environment(format!("{}: {error}", path.display())))
}
