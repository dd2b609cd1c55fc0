//! How the program ends: its exit code, and the failures that decide it.

use std::process::ExitCode;

use untumble_search::control::Stop;
use untumble_search::error::{Diagnostic, EnvironmentError, Error};
use untumble_search::spec::SpecError;
use untumble_search::train::weights::WeightsError;

use crate::explain::explain;

/// The exit codes, from the best to the worst: of several answers the worst counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// All went well.
    Solved,
    /// A limit ended a search.
    Stopped,
    /// A position cannot be solved.
    Unsolvable,
    /// A text is no position.
    Invalid,
    /// Ctrl-C.
    Interrupted,
    /// The command line makes no sense; nothing was begun.
    Usage,
    /// A bug, or the machine said no.
    Internal,
}

impl Exit {
    /// The code that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Solved => 0,
            Exit::Internal => 1,
            Exit::Usage => 2,
            Exit::Invalid => 3,
            Exit::Unsolvable => 4,
            Exit::Stopped => 5,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl From<Stop> for Exit {
    fn from(stop: Stop) -> Exit {
        match stop {
            Stop::Interrupted => Exit::Interrupted,
            Stop::Time | Stop::Nodes | Stop::Memory | Stop::Depth => Exit::Stopped,
        }
    }
}

/// What ends a command before its time.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// A message for the person, and the code for the program.
    #[error("{message}")]
    Told {
        /// The exit code.
        exit: Exit,
        /// What is wrong, where, and the way out.
        message: String,
    },
    /// Whoever read the answers has gone; there is nobody left to talk to.
    #[error("standard output is closed")]
    OutputClosed,
}

impl CliError {
    /// The command line makes no sense.
    pub(crate) fn usage(message: impl Into<String>) -> CliError {
        CliError::Told { exit: Exit::Usage, message: message.into() }
    }

    /// Somebody pressed Ctrl-C before there was anything to tell.
    pub(crate) fn interrupted(message: impl Into<String>) -> CliError {
        CliError::Told { exit: Exit::Interrupted, message: message.into() }
    }

    /// A text is no position or no moves; `place` says which text.
    pub(crate) fn invalid(place: &str, why: &Diagnostic) -> CliError {
        CliError::Told { exit: Exit::Invalid, message: format!("{place}{}", explain(why)) }
    }

    /// The machine said no.
    pub(crate) fn environment(message: impl Into<String>) -> CliError {
        CliError::Told { exit: Exit::Internal, message: message.into() }
    }
}

impl From<Error> for CliError {
    fn from(trouble: Error) -> CliError {
        let exit = match &trouble {
            Error::Spec { .. }
            | Error::Puzzle(_)
            | Error::Training(_)
            | Error::Environment(EnvironmentError::UnknownDevice { .. })
            | Error::Weights(WeightsError::Unreadable { .. }) => Exit::Usage,
            Error::Parse(_) | Error::Weights(_) => Exit::Invalid,
            Error::Unsolvable(_) => Exit::Unsolvable,
            Error::Stopped(stop) => Exit::from(*stop),
            Error::Environment(_) | Error::ForeignPosition { .. } => Exit::Internal,
        };
        CliError::Told { exit, message: explain(&trouble.diagnostic()) }
    }
}

impl From<SpecError> for CliError {
    fn from(error: SpecError) -> CliError {
        Error::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_several_answers_counts() {
        let order = [0, 5, 4, 3, 130, 2, 1];
        let mut all = [
            Exit::Internal,
            Exit::Usage,
            Exit::Invalid,
            Exit::Unsolvable,
            Exit::Stopped,
            Exit::Interrupted,
            Exit::Solved,
        ];
        all.sort();
        assert_eq!(all.map(Exit::code), order);
    }
}
