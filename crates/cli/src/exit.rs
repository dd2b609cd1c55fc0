//! Exit codes, and the errors that decide them.

use std::process::ExitCode;

use untumble_search::control::Stop;
use untumble_search::error::{Diagnostic, EnvironmentError, Error};
use untumble_search::spec::SpecError;
use untumble_search::train::weights::WeightsError;

use crate::explain::explain;

/// The exit codes from best to worst; the worst of several answers decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// Success.
    Success,
    /// A limit stopped a search.
    Stopped,
    /// A position is unsolvable.
    Unsolvable,
    /// A text is not a position.
    Invalid,
    /// Ctrl-C.
    Interrupted,
    /// The reader of standard output ended before all answers were written.
    OutputClosed,
    /// The command line is wrong; nothing was done.
    Usage,
    /// An internal error, or an error of the system.
    Failure,
}

impl Exit {
    /// The code returned to the shell.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Invalid => 3,
            Exit::Unsolvable => 4,
            Exit::Stopped => 5,
            Exit::Interrupted => 130,
            // As of a process that ends by SIGPIPE, the usual end before a closed pipe.
            Exit::OutputClosed => 141,
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
            Stop::Time | Stop::Nodes | Stop::Memory | Stop::Depth | Stop::MaxLength => Exit::Stopped,
        }
    }
}

/// The error that ends a command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// A failure with a message.
    #[error("{message}")]
    Failed {
        /// The exit code.
        exit: Exit,
        /// The error with a hint.
        message: String,
    },
    /// The reader of standard output has ended; the program ends without a message, with
    /// [`Exit::OutputClosed`].
    #[error("standard output is closed")]
    OutputClosed,
}

impl CliError {
    /// A wrong command line.
    pub(crate) fn usage(message: impl Into<String>) -> CliError {
        CliError::Failed { exit: Exit::Usage, message: message.into() }
    }

    /// An interruption before there was an answer.
    pub(crate) fn interrupted(message: impl Into<String>) -> CliError {
        CliError::Failed { exit: Exit::Interrupted, message: message.into() }
    }

    /// A text that is not a position or not moves; `location` is the prefix of the message.
    pub(crate) fn invalid(location: &str, why: &Diagnostic) -> CliError {
        CliError::Failed { exit: Exit::Invalid, message: format!("{location}{}", explain(why)) }
    }

    /// An error of the system.
    pub(crate) fn environment(message: impl Into<String>) -> CliError {
        CliError::Failed { exit: Exit::Failure, message: message.into() }
    }
}

impl From<Error> for CliError {
    fn from(error: Error) -> CliError {
        let exit = match &error {
            Error::Spec { .. }
            | Error::Puzzle(_)
            | Error::Training(_)
            | Error::Environment(EnvironmentError::UnknownDevice { .. })
            | Error::Weights(WeightsError::Unreadable { .. }) => Exit::Usage,
            Error::Parse(_) | Error::Weights(_) => Exit::Invalid,
            Error::Unsolvable(_) => Exit::Unsolvable,
            Error::Stopped(stop) => Exit::from(*stop),
            Error::Environment(_) | Error::ForeignPosition { .. } => Exit::Failure,
        };
        CliError::Failed { exit, message: explain(&error.diagnostic()) }
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
    fn exit_codes_are_ordered_from_best_to_worst() {
        let order = [0, 5, 4, 3, 130, 2, 1];
        let mut all = [
            Exit::Failure,
            Exit::Usage,
            Exit::Invalid,
            Exit::Unsolvable,
            Exit::Stopped,
            Exit::Interrupted,
            Exit::Success,
        ];
        all.sort();
        assert_eq!(all.map(Exit::code), order);
    }
}
