//! The arguments of `tables`.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::{ProgressArgs, Puzzle, Resources};
use crate::exit_table;
use crate::value_parsers;

/// Manage the tables that solvers build and store on disk
#[derive(Args, Debug)]
#[command(after_help = "\
Tables (pattern databases, pruning tables) are built when a solver first needs them, and stored in
the folder that UNTUMBLE_CACHE names, by default the user's cache folder (~/.cache/untumble on
Linux, ~/Library/Caches/untumble on macOS, %LOCALAPPDATA%\\untumble on Windows). A damaged file is
reported and rebuilt.

Examples:
  untumble tables list
  untumble tables verify
  untumble tables build 15-puzzle --with ida+pdb:5-5-5
  untumble tables remove --all")]
pub(crate) struct Tables {
    #[command(subcommand)]
    pub(crate) command: TablesCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TablesCommand {
    List(TablesList),
    Verify(TablesVerify),
    Remove(TablesRemove),
    Build(TablesBuild),
}

/// List the tables on disk with size, age, and the mean and distribution of their values
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("tables list", "\
The first list after a table is built reads the whole table to count its values; the result is
stored beside the table, and later lists read only that. Each table states what its values mean:
moves to solve the pieces of the pattern, or the lower bound that a coset table holds.

Examples:
  untumble tables list
  untumble tables list --json --no-stats"))]
pub(crate) struct TablesList {
    /// List only these tables
    #[arg(value_name = "TABLE")]
    pub(crate) names: Vec<String>,

    /// Leave out means and distributions, so that no table is read
    #[arg(long)]
    pub(crate) no_stats: bool,

    /// Print one line of JSON per table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Verify the checksums of the tables on disk
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("tables verify", "\
Examples:
  untumble tables verify
  untumble tables verify --json"))]
pub(crate) struct TablesVerify {
    /// Verify only these tables
    #[arg(value_name = "TABLE")]
    pub(crate) names: Vec<String>,

    /// Print one line of JSON per table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Remove tables from disk; they are rebuilt when a solver needs them
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble tables list
  untumble tables remove --all")]
pub(crate) struct TablesRemove {
    /// Remove these tables (`untumble tables list`)
    #[arg(value_name = "TABLE", required_unless_present = "all")]
    pub(crate) names: Vec<String>,

    /// Remove all tables
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,

    /// Print one line of JSON per table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Build the tables of a solver ahead of time
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("tables build", "\
Examples:
  untumble tables build 15-puzzle --with ida+pdb:5-5-5"))]
pub(crate) struct TablesBuild {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    // Given as a string: in a doc comment the brackets would be a link.
    #[arg(
        long,
        value_name = "SOLVER",
        help = "Build the tables of this solver: algorithm[:option=value,…][+heuristic] (`untumble list solvers`)"
    )]
    pub(crate) with: String,

    /// Stop after this time (2.5 seconds, 500ms, 2m)
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = value_parsers::duration,
        allow_hyphen_values = true,
        help_heading = "Limits"
    )]
    pub(crate) time: Option<Duration>,

    #[command(flatten)]
    pub(crate) resources: Resources,

    /// Print one line of JSON per table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}
