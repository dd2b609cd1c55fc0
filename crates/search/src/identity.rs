//! Identities of problems and runs, with canonical texts.
//!
//! A [`PuzzleId`] names the problem, a [`RunId`] the problem with the solver and the limits that change
//! solutions. Each has one canonical text: equal texts mean equal identities. The text omits defaults, so it
//! is the same whether a request leaves a value out or states the default. The identity of a table is a
//! [`TableId`](crate::tables::TableId); it has fewer fields, because puzzles that differ in the goal may
//! share a table.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::puzzle::Cost;

/// The digest of a canonical puzzle definition, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Digest(pub [u8; 32]);

impl Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Digest, IdError> {
        let wrong = || IdError { text: text.to_owned(), part: "digest" };
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, digit) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[digit..digit + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Digest(bytes))
    }
}

/// The identity of a problem.
///
/// The canonical text starts with the puzzle's name and lists the fields that differ from the default:
///
/// ```
/// use untumble_search::identity::PuzzleId;
///
/// let id: PuzzleId = "tiles-4x4/goal=snail".parse().unwrap();
/// assert_eq!((id.family.as_str(), id.size.as_deref()), ("tiles", Some("4x4")));
/// assert_eq!(id.goal.as_deref(), Some("snail"));
/// assert_eq!(id.to_string(), "tiles-4x4/goal=snail");
/// let quarter_turns = PuzzleId { metric: Some("qtm".into()), ..PuzzleId::of("cube3", None) };
/// assert_eq!(quarter_turns.to_string(), "cube3/qtm");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct PuzzleId {
    /// The family, such as `tiles`; `file` for a puzzle defined in a file.
    pub family: String,
    /// The size within the family, such as `4x4`.
    pub size: Option<String>,
    /// The metric, if it is not the default.
    pub metric: Option<String>,
    /// The canonical text of the goal, if it is not the default.
    pub goal: Option<String>,
    /// The allowed moves, sorted, if not all moves are allowed.
    pub allowed_moves: Option<Vec<String>>,
    /// The costs of moves that differ from the metric's, sorted by move.
    pub costs: Vec<(String, Cost)>,
    /// The digest of the definition, for puzzles from files.
    pub definition: Option<Digest>,
}

impl PuzzleId {
    /// A puzzle of a family with everything else at its default.
    pub fn of(family: &str, size: Option<String>) -> PuzzleId {
        PuzzleId { family: family.to_owned(), size, ..PuzzleId::default() }
    }

    /// The first field that differs from another identity.
    pub fn difference(&self, other: &PuzzleId) -> Option<Difference> {
        let name =
            |id: &PuzzleId| Some(id.definition.map_or_else(|| id.name(), |digest| format!("file:{digest}")));
        let moves = |id: &PuzzleId| id.allowed_moves.as_ref().map(|moves| moves.join(","));
        let costs = |id: &PuzzleId| {
            let costs: Vec<String> = id.costs.iter().map(|(m, cost)| format!("{m}={cost}")).collect();
            Some(costs.join(",")).filter(|text| !text.is_empty())
        };
        Difference::first([
            (IdField::Puzzle, name(self), name(other)),
            (IdField::Metric, self.metric.clone(), other.metric.clone()),
            (IdField::Goal, self.goal.clone(), other.goal.clone()),
            (IdField::AllowedMoves, moves(self), moves(other)),
            (IdField::Costs, costs(self), costs(other)),
        ])
    }

    /// The family with the size, such as `tiles-4x4`.
    pub fn name(&self) -> String {
        match &self.size {
            Some(size) => format!("{}-{size}", self.family),
            None => self.family.clone(),
        }
    }
}

/// Escapes all bytes but letters, digits and some punctuation, so that no separator of the canonical text
/// remains.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'+' | b'\'' => {
                text.push(char::from(byte));
            }
            _ => text.push_str(&format!("%{byte:02x}")),
        }
    }
    text
}

/// Escapes the spaces and control characters of a solver text, which may contain file names.
fn escaped_solver(solver: &str) -> String {
    let mut text = String::with_capacity(solver.len());
    for c in solver.chars() {
        match c {
            '%' | ' ' => text.push_str(&format!("%{:02x}", u32::from(c))),
            c if c.is_control() => c.to_string().bytes().for_each(|b| text.push_str(&format!("%{b:02x}"))),
            c => text.push(c),
        }
    }
    text
}

/// Reverts [`escaped`] and [`escaped_solver`]; `None` if an escape is invalid.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let pair = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

impl Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.definition {
            Some(digest) => write!(f, "file:{digest}")?,
            None => f.write_str(&self.name())?,
        }
        if let Some(metric) = &self.metric {
            write!(f, "/{}", escaped(metric))?;
        }
        if let Some(goal) = &self.goal {
            write!(f, "/goal={}", escaped(goal))?;
        }
        if let Some(moves) = &self.allowed_moves {
            let moves: Vec<String> = moves.iter().map(|m| escaped(m)).collect();
            write!(f, "/moves={}", moves.join(","))?;
        }
        if !self.costs.is_empty() {
            let costs: Vec<String> =
                self.costs.iter().map(|(m, cost)| format!("{}:{cost}", escaped(m))).collect();
            write!(f, "/costs={}", costs.join(","))?;
        }
        Ok(())
    }
}

impl FromStr for PuzzleId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<PuzzleId, IdError> {
        let wrong = |part| IdError { text: text.to_owned(), part };
        let mut parts = text.split('/');
        let name = parts.next().filter(|name| !name.is_empty()).ok_or_else(|| wrong("puzzle"))?;
        let mut id = match name.strip_prefix("file:") {
            Some(digest) => PuzzleId { definition: Some(digest.parse()?), ..PuzzleId::of("file", None) },
            None => match name.split_once('-') {
                Some((family, size)) => PuzzleId::of(family, Some(size.to_owned())),
                None => PuzzleId::of(name, None),
            },
        };
        for part in parts {
            // The metric is the only part without a key.
            let (key, value) = part.split_once('=').unwrap_or(("metric", part));
            let list = || value.split(',').map(|item| unescaped(item).ok_or_else(|| wrong("moves")));
            match key {
                "metric" => id.metric = Some(unescaped(value).ok_or_else(|| wrong("metric"))?),
                "goal" => id.goal = Some(unescaped(value).ok_or_else(|| wrong("goal"))?),
                "moves" => id.allowed_moves = Some(list().collect::<Result<_, _>>()?),
                "costs" => {
                    for item in value.split(',') {
                        let (m, cost) = item.split_once(':').ok_or_else(|| wrong("costs"))?;
                        let m = unescaped(m).ok_or_else(|| wrong("costs"))?;
                        id.costs.push((m, cost.parse().map_err(|_| wrong("costs"))?));
                    }
                }
                _ => return Err(wrong("puzzle")),
            }
        }
        Ok(id)
    }
}

/// The identity of a run: the problem, the requested solver and the limits that change solutions. Runs with
/// the same identity may share results. Limits of time, memory and threads are not part of the identity,
/// since their effect depends on the machine.
///
/// ```
/// use untumble_search::identity::{IdField, RunId};
///
/// let run: RunId = "cube3 ida+corners nodes=1000".parse().unwrap();
/// assert_eq!((run.solver.as_str(), run.nodes), ("ida+corners", Some(1000)));
/// let other: RunId = "cube3/qtm ida+corners nodes=1000".parse().unwrap();
/// assert_eq!(run.difference(&other).unwrap().field, IdField::Metric);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct RunId {
    /// The problem.
    pub puzzle: PuzzleId,
    /// `auto`, or the canonical text of the solver
    /// ([`Registry::canonical`](crate::registry::Registry::canonical)), with digests in place of file names.
    pub solver: String,
    /// Whether every optimal solution is listed.
    pub all_solutions: bool,
    /// The node limit of each position.
    pub nodes: Option<u64>,
    /// The solution length that ends the search.
    pub max_length: Option<Cost>,
}

impl RunId {
    /// The first field that differs from another run.
    pub fn difference(&self, other: &RunId) -> Option<Difference> {
        let listed = |run: &RunId| Some(if run.all_solutions { "all" } else { "one" }.to_owned());
        let nodes = |run: &RunId| run.nodes.map(|nodes| nodes.to_string());
        let length = |run: &RunId| run.max_length.map(|length| length.to_string());
        self.puzzle.difference(&other.puzzle).or_else(|| {
            Difference::first([
                (IdField::Solver, Some(self.solver.clone()), Some(other.solver.clone())),
                (IdField::Solutions, listed(self), listed(other)),
                (IdField::NodeLimit, nodes(self), nodes(other)),
                (IdField::MaxLength, length(self), length(other)),
            ])
        })
    }
}

impl Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.puzzle, escaped_solver(&self.solver))?;
        if self.all_solutions {
            f.write_str(" all")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes={nodes}")?;
        }
        self.max_length.map_or(Ok(()), |length| write!(f, " max-length={length}"))
    }
}

impl FromStr for RunId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<RunId, IdError> {
        let wrong = |part| IdError { text: text.to_owned(), part };
        let mut words = text.split(' ');
        let puzzle = words.next().unwrap_or_default().parse()?;
        let solver = words.next().filter(|solver| !solver.is_empty()).and_then(unescaped);
        let solver = solver.ok_or_else(|| wrong("solver"))?;
        let mut run = RunId { puzzle, solver, ..RunId::default() };
        for word in words {
            match word.split_once('=') {
                None if word == "all" => run.all_solutions = true,
                Some(("nodes", nodes)) => run.nodes = Some(nodes.parse().map_err(|_| wrong("nodes"))?),
                Some(("max-length", length)) => {
                    run.max_length = Some(length.parse().map_err(|_| wrong("max-length"))?);
                }
                _ => return Err(wrong("limits")),
            }
        }
        Ok(run)
    }
}

/// A text that is not a valid identity.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a valid identity: invalid {part}")]
pub struct IdError {
    /// The text.
    pub text: String,
    /// The name of the invalid part.
    pub part: &'static str,
}

/// A field of a [`PuzzleId`] or a [`RunId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IdField {
    /// Family and size, or the digest of the definition.
    Puzzle,
    /// The metric.
    Metric,
    /// The goal.
    Goal,
    /// The allowed moves.
    AllowedMoves,
    /// Costs that differ from the metric's.
    Costs,
    /// The solver text.
    Solver,
    /// The number of listed optimal solutions: `one` or `all`.
    Solutions,
    /// The node limit of each position.
    NodeLimit,
    /// The solution length that ends the search.
    MaxLength,
}

impl Display for IdField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IdField::Puzzle => "puzzle",
            IdField::Metric => "metric",
            IdField::Goal => "goal",
            IdField::AllowedMoves => "allowed moves",
            IdField::Costs => "costs",
            IdField::Solver => "solver",
            IdField::Solutions => "solutions",
            IdField::NodeLimit => "node limit",
            IdField::MaxLength => "maximum length",
        })
    }
}

/// The first field in which two identities differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The field that differs.
    pub field: IdField,
    /// The value of the first identity; `None` is the default of the puzzle, or no limit.
    pub left: Option<String>,
    /// The value of the second identity.
    pub right: Option<String>,
}

impl Difference {
    /// The first of the pairs whose two values differ.
    fn first<const N: usize>(pairs: [(IdField, Option<String>, Option<String>); N]) -> Option<Difference> {
        let different = pairs.into_iter().find(|(_, left, right)| left != right);
        different.map(|(field, left, right)| Difference { field, left, right })
    }
}

#[cfg(test)]
mod tests;
