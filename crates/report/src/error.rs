//! Errors of experiments and benchmark suites.

use std::io;
use std::path::PathBuf;

use untumble_search::control::Stop;

/// Why an experiment or a suite cannot be run, read or written. Messages name no command-line flag; the
/// front end adds the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user interrupted the run. The text continues the message: when, or with which consequence.
    #[error("interrupted{0}")]
    Interrupted(&'static str),
    /// An error of a puzzle, a solver or a search.
    #[error(transparent)]
    Search(#[from] untumble_search::error::Error),
    /// The experiment has no positions.
    #[error("no positions to compare on")]
    NoPositions,
    /// The experiment has too many positions.
    #[error("at most {} positions", untumble_session::number_format::grouped(*max))]
    TooManyPositions {
        /// The largest number of positions.
        max: u64,
    },
    /// The results folder cannot be created or opened.
    #[error("{}: {error}", path.display())]
    UnusableFolder {
        /// The folder or file at fault.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A directory or a device has the name of a result file.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// The path of the result file.
        path: PathBuf,
    },
    /// The folder contains an unfinished run.
    #[error("{} contains an unfinished run", folder.display())]
    Unfinished {
        /// The results folder.
        folder: PathBuf,
    },
    /// Another process writes into the folder.
    #[error("another run is writing to {}", folder.display())]
    Locked {
        /// The results folder.
        folder: PathBuf,
    },
    /// The folder contains results that would be overwritten.
    #[error("{} already contains results", folder.display())]
    HoldsResults {
        /// The results folder.
        folder: PathBuf,
    },
    /// The folder contains another file with the name of a result file.
    #[error("{} already contains a file {name}, which the results would overwrite", folder.display())]
    HoldsFile {
        /// The results folder.
        folder: PathBuf,
        /// The file's name.
        name: String,
    },
    /// The rows or results in the folder cannot be continued.
    #[error("{} cannot be resumed: {reason}", path.display())]
    CannotResume {
        /// The file found.
        path: PathBuf,
        /// The difference or the failure.
        reason: String,
        /// Whether the file belongs to a finished experiment.
        finished: bool,
    },
    /// The file of rows cannot be read or extended.
    #[error("{}: {error}", path.display())]
    Rows {
        /// The file of rows.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The results cannot be renamed into place; the rows remain.
    #[error("{}: {error}; the measurements are kept in {}", path.display(), rows.display())]
    Unpublished {
        /// The result file that could not be written.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
        /// The file of rows.
        rows: PathBuf,
    },
    /// A file of an earlier run cannot be removed.
    #[error("{}: {error}", path.display())]
    Unremoved {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A value cannot be serialised.
    #[error("cannot write {value} as JSON: {error}")]
    Json {
        /// A phrase for the value.
        value: &'static str,
        /// The error of the serializer.
        error: serde_json::Error,
    },
    /// A chart cannot be drawn.
    #[error("cannot draw the chart {name}: {reason}")]
    Chart {
        /// The chart's name.
        name: &'static str,
        /// The error of the backend.
        reason: String,
    },
    /// The path for a baseline has no file name.
    #[error("{} is not a file name", path.display())]
    NoFileName {
        /// The path given.
        path: PathBuf,
    },
    /// A check before the measurements shows that the baseline cannot be written.
    #[error("{}: {error}", path.display())]
    UnwritableBaseline {
        /// The path given.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Writing a baseline failed after the path had been checked.
    #[error("{}: {error}; the results are not saved", path.display())]
    UnsavedBaseline {
        /// The path given.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A baseline cannot be read.
    #[error("{}: {error}", path.display())]
    UnreadableBaseline {
        /// The path given.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A file is not a baseline.
    #[error("{} does not contain suite results ({})", path.display(), untumble_session::json_error(error))]
    InvalidBaseline {
        /// The path given.
        path: PathBuf,
        /// The error of the parser.
        error: serde_json::Error,
    },
    /// A baseline is of another suite.
    #[error("{} contains results of the suite {found}, not {expected}", path.display())]
    OtherSuite {
        /// The path given.
        path: PathBuf,
        /// The suite of the file.
        found: String,
        /// The suite to compare.
        expected: String,
    },
    /// A baseline contains impossible times.
    #[error("{}: the times of `{case}` are impossible", path.display())]
    ImplausibleBaseline {
        /// The path given.
        path: PathBuf,
        /// The case at fault.
        case: String,
    },
    /// The system does not start the threads of a batch.
    #[error("{count} threads cannot be started: {error}")]
    Threads {
        /// The number of threads.
        count: usize,
        /// The error of the system.
        error: io::Error,
    },
    /// The puzzle of a suite's case cannot be opened.
    #[error("{case}: {reason}")]
    InvalidCase {
        /// The case.
        case: String,
        /// Why the puzzle cannot be opened.
        reason: String,
    },
    /// A search of a suite's case was stopped by a limit.
    #[error("{case} was stopped by {stop}")]
    StoppedCase {
        /// The case.
        case: String,
        /// The limit.
        stop: Stop,
    },
    /// A position of a suite's case was not solved.
    #[error("{case} contains an unsolvable position")]
    UnsolvableCase {
        /// The case.
        case: String,
    },
    /// A suite's case contains a text that is not a position.
    #[error("`{text}` is not a position of {puzzle}")]
    NotAPosition {
        /// The text.
        text: String,
        /// The puzzle's full name.
        puzzle: String,
    },
}
