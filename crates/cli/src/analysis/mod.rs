//! Solvers measured on the same positions: who is posed what ([`positions`], [`entrants`]), the measuring itself
//! ([`measure`], a [`row`](row::Row) for each search), what the rows come to ([`study`], [`tally`]) and
//! what is said about that ([`sentences`], [`columns`], [`terminal`], [`charts`], [`report`]).
//!
//! Every number that is shown is a [`Figure`](figure::Figure), rounded once, so that terminal and files agree to the
//! last digit. Nothing here knows a puzzle or an algorithm by name.

pub(crate) mod charts;
pub(crate) mod columns;
pub(crate) mod contest;
pub(crate) mod course;
pub(crate) mod entrants;
pub(crate) mod figure;
pub(crate) mod folder;
pub(crate) mod measure;
pub(crate) mod positions;
pub(crate) mod report;
pub(crate) mod row;
pub(crate) mod sentences;
pub(crate) mod statistics;
pub(crate) mod study;
pub(crate) mod tally;
pub(crate) mod terminal;
