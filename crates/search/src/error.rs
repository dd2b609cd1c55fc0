//! What can go wrong, by whose doing.

use crate::control::Stop;

/// A text that is no position, no moves: names the item, the place, the way out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub String);

/// Why a solver could not be made ready.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// An unknown name, a wrong option, a combination that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// The position or the moves are not well-formed.
    #[error("{0}")]
    Invalid(#[from] Invalid),
    /// The position is well-formed and no moves solve it.
    #[error("{0}")]
    Unsolvable(String),
    /// A limit was reached while tables were built.
    #[error("stopped by {0} while tables were made ready")]
    Stopped(Stop),
    /// The machine said no.
    #[error("{0}")]
    Environment(String),
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Error {
        Error::Stopped(stop)
    }
}

/// "; did you mean `x`?" where one of the known words is near.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(word, name), name))
        .filter(|&(distance, name)| distance <= 2.max(name.len() / 3))
        .min();
    near.map_or_else(String::new, |(_, name)| format!("; did you mean `{name}`?"))
}
