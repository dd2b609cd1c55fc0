//! Results of writing a definition: the text, what the format cannot hold, and why it cannot be written.

use std::fmt;

use super::model::{Definition, MoveKind, SearchedPowers};
use crate::sanitize::sanitize;

/// A written definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The content of the file.
    pub text: String,
    /// What a reader of the file does not learn. If no loss [changes the digest](Loss::changes_digest), the
    /// text reads back as a definition with the same digest.
    pub losses: Vec<Loss>,
}

/// A part of a definition that a format cannot hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Readers of the format search other powers of the moves by default.
    SearchedPowers {
        /// What the definition searches.
        from: SearchedPowers,
        /// What readers of the format search.
        to: SearchedPowers,
    },
    /// The start position is left out.
    Start,
    /// The forbidden placements are left out.
    Illegal {
        /// Their number.
        count: usize,
    },
    /// Names of sequences are left out, because they would become searched moves or cannot be expressed.
    Sequences {
        /// The names.
        names: Vec<String>,
    },
    /// Rotations become sequences that are accepted and not searched.
    Rotations {
        /// The names.
        names: Vec<String>,
    },
    /// Pieces become stickers of one orbit.
    Orbits,
    /// The moves are listed in another order.
    MoveOrder,
}

impl Loss {
    /// Whether the text reads back as a definition with another digest.
    pub fn changes_digest(&self) -> bool {
        !matches!(self, Loss::SearchedPowers { .. } | Loss::Start)
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[String]| {
            const SHOWN: usize = 5;
            let mut text = names.iter().take(SHOWN).map(|name| sanitize(name)).collect::<Vec<_>>().join(", ");
            if names.len() > SHOWN {
                text.push_str(&format!(" and {} more", names.len() - SHOWN));
            }
            text
        };
        match self {
            Loss::SearchedPowers { from, to } => {
                write!(f, "readers search the moves `{}` instead of `{}`", to.name(), from.name())
            }
            Loss::Start => f.write_str("the start position is left out"),
            Loss::Illegal { count } => write!(f, "{count} Illegal placements are left out"),
            Loss::Sequences { names } => write!(f, "sequences are left out: {}", list(names)),
            Loss::Rotations { names } => write!(f, "rotations become sequences: {}", list(names)),
            Loss::Orbits => f.write_str("pieces become stickers of one orbit"),
            Loss::MoveOrder => f.write_str("the moves are listed in another order"),
        }
    }
}

/// The losses that concern every format that searches `searched` by default.
pub(crate) fn common_losses(definition: &Definition, searched: SearchedPowers) -> Vec<Loss> {
    let mut losses = Vec::new();
    if definition.searched() != searched {
        losses.push(Loss::SearchedPowers { from: definition.searched(), to: searched });
    }
    if definition.start().is_some() {
        losses.push(Loss::Start);
    }
    losses
}

/// The names of all moves of a kind.
pub(crate) fn names_of(definition: &Definition, kind: MoveKind) -> Vec<String> {
    let moves = definition.moves().iter().filter(|named| named.kind == kind);
    moves.map(|named| named.name.clone()).collect()
}

/// Numbers separated by a text.
pub(crate) fn joined<T: fmt::Display>(numbers: impl IntoIterator<Item = T>, separator: &str) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for number in numbers {
        if !text.is_empty() {
            text.push_str(separator);
        }
        write!(text, "{number}").expect("writing to memory succeeds");
    }
    text
}

/// Why a definition cannot be written in a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// The format cannot hold a name.
    #[error("the {what} `{name}` cannot be written: {reason}")]
    Name {
        /// The kind of name.
        what: &'static str,
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// The format cannot hold a puzzle of this size.
    #[error("{what} {found} exceeds the limit of the format, {max}")]
    TooLarge {
        /// The quantity.
        what: &'static str,
        /// Its value.
        found: usize,
        /// The limit of the format.
        max: usize,
    },
    /// A position holds other pieces than the solved position.
    #[error("the orbit {orbit} holds other pieces, or other known orientations, than when solved")]
    ForeignPieces {
        /// The orbit.
        orbit: String,
    },
    /// The format knows orientations only completely or not at all.
    #[error("in {orbit}, {reason}")]
    Orientation {
        /// The orbit.
        orbit: String,
        /// The reason.
        reason: &'static str,
    },
}
