//! Repairs: the solvable positions nearest to a wrong text, with the changes as sentences and as data.

use crate::error::PieceRef;

/// A solvable position near a wrong text or an unsolvable position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// The position on one line.
    pub position: String,
    /// The changes as a sentence.
    pub what: String,
    /// The changes as data.
    pub changes: Vec<Change>,
}

/// One change of a [`Repair`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The pieces; `found` is the new content of their places.
    pub pieces: Vec<PieceRef>,
}

/// The kind of a [`Change`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// Another colour on a sticker.
    Paint,
    /// A corner turned clockwise by a third.
    TurnClockwise,
    /// A corner turned anticlockwise by a third.
    TurnAnticlockwise,
    /// An edge flipped.
    Flip,
    /// Two pieces exchanged.
    Exchange,
    /// Another tile in a cell.
    Replace,
}

impl ChangeKind {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Paint => "paint",
            ChangeKind::TurnClockwise => "turn-clockwise",
            ChangeKind::TurnAnticlockwise => "turn-anticlockwise",
            ChangeKind::Flip => "flip",
            ChangeKind::Exchange => "exchange",
            ChangeKind::Replace => "replace",
        }
    }
}
