//! `untumble train`: trains the weights of the heuristic `learned`.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use untumble_search::control::{Control, Limits, Observer};
use untumble_search::draft::{self, Draft};
use untumble_search::error::Error;
use untumble_search::train::weights::WeightsFile;
use untumble_search::train::{TrainingConfig, TrainingContext, TrainingResult, TrainingRound};

use crate::cli::Train;
use crate::exit::{CliError, Exit};
use crate::interrupt;
use crate::output::{self, Answers};
use crate::progress::SearchProgress;
use crate::puzzle_input;
use untumble_session::{number_format, serialize_six_digits};

/// Trains the weights. From the first round on, the file holds the best weights so far.
pub(crate) fn run(arguments: &Train) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let puzzle = puzzle_input::open_puzzle(&arguments.puzzle)?;
    check_writable(&arguments.out, arguments.force)?;
    let from = match &arguments.from {
        None => None,
        Some(path) => {
            let name = path.display().to_string();
            let file = WeightsFile::read(&name).map_err(Error::from)?;
            Some((name, file))
        }
    };
    interrupt::install_handler()?;
    let limits = Limits {
        memory: arguments.resources.memory(),
        threads: arguments.resources.threads(),
        ..Limits::default()
    };
    let progress = Arc::new(SearchProgress::new(arguments.progress.mode));
    let observer: Arc<dyn Observer> = progress.clone();
    let control = Control::new(limits, observer);
    let mut rng = untumble_session::seeded_rng(arguments.seed);
    let mut log = TrainingLog { arguments, title: puzzle.title(), answers: Answers::new(), error: None };
    let config = TrainingConfig {
        budget: arguments.budget,
        widths: arguments.widths().iter().map(|&width| width as usize).collect(),
        samples_per_level: arguments.samples as usize,
        seed: arguments.seed,
        from,
    };
    let mut on_round = |round: &TrainingRound, result: &TrainingResult| {
        progress.finish();
        log.record(round, result, &control);
    };
    let context = TrainingContext { rng: &mut rng, control: &control, on_round: &mut on_round };
    let result = puzzle.learn(&config, context);
    progress.finish();
    log.finish(&result?)?;
    Ok(control.stop_reason().map_or(Exit::Success, Exit::from))
}

/// Prints the rounds and writes the best weights.
struct TrainingLog<'a> {
    arguments: &'a Train,
    title: String,
    answers: Answers,
    /// The first error of printing or writing.
    error: Option<CliError>,
}

/// A round as a line of JSON.
#[derive(Serialize)]
struct RoundLine {
    round: usize,
    pairs: usize,
    #[serde(serialize_with = "serialize_six_digits")]
    loss_before: Option<f64>,
    #[serde(serialize_with = "serialize_six_digits")]
    loss: Option<f64>,
    #[serde(serialize_with = "serialize_six_digits")]
    length: Option<f64>,
    best: bool,
    #[serde(serialize_with = "serialize_six_digits")]
    seconds: f64,
}

impl TrainingLog<'_> {
    /// Prints a round and writes its weights if they are the best so far.
    fn record(&mut self, round: &TrainingRound, result: &TrainingResult, control: &Control) {
        let recorded = self.print(round).and_then(|()| {
            if round.best { write(&self.arguments.out, &self.weights_file(result).text()) } else { Ok(()) }
        });
        if let Err(error) = recorded {
            self.error.get_or_insert(error);
            control.request_stop(untumble_search::control::Stop::Interrupted);
        }
    }

    fn print(&mut self, round: &TrainingRound) -> Result<(), CliError> {
        if self.arguments.json {
            self.answers.json(&RoundLine {
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
                || "initial weights".into(),
                |(before, after)| {
                    let pairs = number_format::grouped(round.pairs as u64);
                    format!("loss {before:.3} → {after:.3} over {pairs} pairs")
                },
            );
            let length = length_text(round.length);
            let best = if round.best { ", best so far" } else { "" };
            self.answers.line(&format!(
                "round {}: {loss} · mean length {length}{best} · {:.0} s",
                round.number, round.seconds
            ))?;
        }
        self.answers.flush()
    }

    /// The weights with the arguments and the results of the training.
    fn weights_file(&self, result: &TrainingResult) -> WeightsFile {
        let Train { seed, samples, budget, .. } = self.arguments;
        let widths: Vec<String> = self.arguments.widths().iter().map(u64::to_string).collect();
        let samples = match *samples as usize {
            TrainingConfig::SAMPLES_PER_LEVEL => String::new(),
            samples => format!("{samples} samples per level, "),
        };
        let origin = format!(
            "untumble {} train: seed {seed}, width {}, {samples}budget {} s, {}, mean length {} (before: {})",
            env!("CARGO_PKG_VERSION"),
            widths.join(" "),
            budget.as_secs_f64(),
            number_format::pluralize(result.rounds as u64, "round"),
            length_text(result.length),
            length_text(result.first_length)
        );
        WeightsFile { puzzle: self.title.clone(), origin, values: result.weights.clone() }
    }

    fn finish(self, result: &TrainingResult) -> Result<(), CliError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        write(&self.arguments.out, &self.weights_file(result).text())?;
        if !result.length.is_finite() {
            output::warning(
                "no beam found a solution within its share of the budget and memory, so no weights were trained; \
                 increase --budget or --memory, or decrease --width",
            );
        }
        let path = self.arguments.out.display();
        output::note(&format!(
            "weights written to {path} (use them with `untumble solve {} … --with beam+learned:{path}`)",
            self.title
        ));
        Ok(())
    }
}

/// Checks before training that the file can be written.
fn check_writable(path: &Path, force: bool) -> Result<(), CliError> {
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(CliError::usage(format!("{shown} is not a regular file"))),
        Ok(_) if !force => {
            Err(CliError::usage(format!("{shown} exists; choose another file, or replace it with --force")))
        }
        _ => {
            let target = draft::follow_links(path);
            if let (Some(folder), Some(stem)) = (target.parent(), target.file_stem()) {
                // Drafts of trainings that were killed.
                draft::remove_abandoned(folder, |found| *found == *stem);
            }
            // If a draft can be created now, it can be created later.
            let draft = Draft::new(&target);
            draft.map(drop).map_err(|error| CliError::environment(format!("{shown}: {error}")))
        }
    }
}

/// The text of a mean length; `unknown` if no position was solved.
fn length_text(length: f64) -> String {
    if length.is_finite() { format!("{length:.1}") } else { "unknown".into() }
}

/// Replaces a file, or the target of a link.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    draft::replace(&draft::follow_links(path), text.as_bytes())
        .map_err(|error| CliError::environment(format!("{}: {error}", path.display())))
}
