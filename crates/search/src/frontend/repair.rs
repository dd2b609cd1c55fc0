//! Repairs: the solvable positions nearest to a wrong text, with the changes as sentences and as data.

use crate::error::PieceRef;

/// A solvable position near a wrong text or an unsolvable position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Repair {
    /// The position on one line.
    pub position: String,
    /// The changes as a sentence.
    pub what: String,
    /// The changes as data.
    pub changes: Vec<Change>,
}

/// One change of a repair.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RepairChange))]
pub struct Change {
    /// The kind of change.
    #[cfg_attr(feature = "openapi", schema(inline, example = "flip"))]
    pub kind: ChangeKind,
    /// The pieces; `found` is the new content of their places.
    pub pieces: Vec<PieceRef>,
}

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
