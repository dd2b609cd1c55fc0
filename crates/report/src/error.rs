//! Why a study or a suite cannot be measured, read or written.

use std::io;
use std::path::PathBuf;

use untumble_search::control::Stop;

/// Why measuring or writing ends early. Paths and causes are data; the front end adds the way out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user interrupted it; the text says when.
    #[error("interrupted{0}")]
    Interrupted(&'static str),
    /// A puzzle, a solver or a search is at fault.
    #[error(transparent)]
    Search(#[from] untumble_search::error::Error),
    /// The study has no positions.
    #[error("no positions to compare on")]
    NoPositions,
    /// The study has more positions than can be measured.
    #[error("at most {} positions at a time", untumble_session::figures::grouped(*most))]
    TooManyPositions {
        /// The largest number of positions.
        most: u64,
    },
    /// The folder of results cannot be used.
    #[error("{}: {error}", path.display())]
    UnusableFolder {
        /// What cannot be opened or created.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A folder or a device has the name of a result.
    #[error("{} is no file", path.display())]
    NotAFile {
        /// Where the result should go.
        path: PathBuf,
    },
    /// The folder holds an unfinished study.
    #[error("{} holds a run that is not finished", folder.display())]
    Unfinished {
        /// The folder of results.
        folder: PathBuf,
    },
    /// Another process writes into the folder.
    #[error("another run is writing into {}", folder.display())]
    Locked {
        /// The folder of results.
        folder: PathBuf,
    },
    /// The folder holds results that would be replaced.
    #[error("{} holds results", folder.display())]
    HoldsResults {
        /// The folder of results.
        folder: PathBuf,
    },
    /// The folder holds a file with the name of a result.
    #[error("{} holds a file {name}, which the results would replace", folder.display())]
    HoldsFile {
        /// The folder of results.
        folder: PathBuf,
        /// The file's name.
        name: String,
    },
    /// The rows or results found belong to another study.
    #[error("{} is from another comparison: {reason}", path.display())]
    OtherStudy {
        /// The file found.
        path: PathBuf,
        /// What differs.
        reason: String,
        /// Whether that study is finished.
        finished: bool,
    },
    /// The rows measured so far cannot be read or extended.
    #[error("{}: {error}", path.display())]
    Rows {
        /// The file of rows.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The results cannot be put in place; the rows remain.
    #[error("{}: {error}; the measurements are kept in {}", path.display(), rows.display())]
    Unpublished {
        /// The result that could not be written.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
        /// The file of rows.
        rows: PathBuf,
    },
    /// A file of an earlier study cannot be removed.
    #[error("{}: {error}", path.display())]
    Unremoved {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A value cannot be written as JSON.
    #[error("{what} does not fit JSON: {error}")]
    Json {
        /// The value.
        what: &'static str,
        /// What the serializer says.
        error: serde_json::Error,
    },
    /// A chart cannot be drawn.
    #[error("the chart {name} cannot be drawn: {reason}")]
    Chart {
        /// The chart's name.
        name: &'static str,
        /// What the backend says.
        reason: String,
    },
    /// The path for figures names no file.
    #[error("{}: names no file to save to", path.display())]
    NoFileName {
        /// The path given.
        path: PathBuf,
    },
    /// Figures cannot be saved there.
    #[error("{}: {error}", path.display())]
    UnwritableFigures {
        /// The path given.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Figures could not be saved although the path is usable.
    #[error("{}: {error}; the figures are not saved", path.display())]
    UnsavedFigures {
        /// The path given.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Figures cannot be read.
    #[error("{}: {error}", path.display())]
    UnreadableFigures {
        /// The path given.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file holds no figures.
    #[error("{}: no figures of a suite ({error})", path.display())]
    NoFigures {
        /// The path given.
        path: PathBuf,
        /// What the parser says.
        error: serde_json::Error,
    },
    /// A file holds the figures of another suite.
    #[error("{}: holds the suite {found}, not {expected}", path.display())]
    OtherSuite {
        /// The path given.
        path: PathBuf,
        /// The suite of the file.
        found: String,
        /// The suite asked for.
        expected: String,
    },
    /// A file holds times that no round takes.
    #[error("{}: no round takes the seconds of `{case}`", path.display())]
    ImplausibleFigures {
        /// The path given.
        path: PathBuf,
        /// The case at fault.
        case: String,
    },
    /// A case of a suite names a puzzle that cannot be opened.
    #[error("{case}: {why}")]
    Case {
        /// The case.
        case: String,
        /// Why the puzzle cannot be opened.
        why: String,
    },
    /// A case of a suite ran into a limit.
    #[error("{case} was stopped by {stop}")]
    StoppedCase {
        /// The case.
        case: String,
        /// The limit.
        stop: Stop,
    },
    /// A case of a suite has an unsolvable position.
    #[error("{case} has a position that no moves solve")]
    UnsolvableCase {
        /// The case.
        case: String,
    },
    /// A case of a suite has a text that is no position.
    #[error("`{text}` is no position of {puzzle}")]
    NoPosition {
        /// The text.
        text: String,
        /// The puzzle's full name.
        puzzle: String,
    },
}
