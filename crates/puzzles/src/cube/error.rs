//! Errors in the text of a cube and in moves.

use std::ops::Range;

use untumble_search::error::{AlternativeKind, Diagnostic, PieceKind, PieceRef};

use super::face::Face;
use super::input::FORMATS;
use super::pieces::{CORNER_NAMES, EDGE_NAMES, corner_stickers, edge_stickers};
use super::scheme::sticker_name;
use crate::sequence::GroupError;

/// Why a text is no valid cube, or a cube is unsolvable. Stickers are given by their index in the order
/// of [`Face::ALL`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CubeError {
    /// The requested format does not exist.
    #[error("unknown format `{name}`")]
    UnknownFormat {
        /// The requested format.
        name: String,
    },
    /// Moves are expected, but the named format holds positions.
    #[error("the format holds a position, but moves are expected")]
    PositionFormatForMoves,
    /// A position is expected, but the named format holds moves.
    #[error("format `moves` holds moves, but a position is expected")]
    MovesFormatForPosition,
    /// A further line follows the line of moves.
    #[error("expected nothing after the line of moves, found `{found}`")]
    TrailingLine {
        /// The line.
        found: String,
        /// Byte range in the text.
        span: Option<Range<usize>>,
    },
    /// Each line could be a row of a net or a text of its own, such as moves; together they are not one cube.
    #[error("these lines do not form one cube")]
    NotOneCube,
    /// The stickers end before the cube is complete: the next line holds something else.
    #[error("expected {expected} stickers, found {found}; the next line is `{next}`")]
    UnfinishedStickers {
        /// Stickers of a complete cube.
        expected: usize,
        /// Stickers before the line.
        found: usize,
        /// The line.
        next: String,
        /// Byte range in the text.
        span: Option<Range<usize>>,
    },
    /// A sticker is not a letter.
    #[error("sticker {number}: expected a letter, found `{found}`")]
    NotALetter {
        /// Number of the sticker in the text, from 1.
        number: usize,
        /// The character.
        found: String,
        /// Byte range in the text.
        span: Option<Range<usize>>,
    },
    /// Wrong number of stickers.
    #[error(
        "expected {} stickers, {} on each face, or moves such as R U2 F', found {found} sticker{}",
        6 * .side * .side, .side * .side, if *.found == 1 { "" } else { "s" }
    )]
    StickerCount {
        /// Number of layers.
        side: usize,
        /// Stickers in the text.
        found: usize,
    },
    /// The lines do not form a net.
    #[error(
        "expected a net: {side} rows of {side} stickers, {side} rows of {}, {side} rows of {side}",
        4 * .side
    )]
    NotANet {
        /// Number of layers.
        side: usize,
    },
    /// Invalid move notation.
    #[error("move {number}: {fault}, found `{found}`")]
    Move {
        /// Number of the move, from 1.
        number: usize,
        /// The kind of mistake.
        fault: MoveFault,
        /// The word found.
        found: String,
        /// The move that the word probably means.
        suggestion: Option<String>,
        /// Byte range in the text.
        span: Option<Range<usize>>,
    },
    /// A mistake in a group of moves.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// Two centres have the same colour.
    #[error("the centres of {first} and {second} are both `{colour}`; the six centres have six colours")]
    SameCentres {
        /// First face.
        first: Face,
        /// Second face.
        second: Face,
        /// Letter of the colour.
        colour: char,
    },
    /// The known centres do not determine the colour scheme.
    #[error("too few centres are known to determine the colours of the faces")]
    UnknownCentres,
    /// A sticker has a colour that no centre has.
    #[error("sticker {} is `{colour}`, a colour that no centre has", sticker_name(3, *.sticker))]
    StrangeColour {
        /// Index of the sticker.
        sticker: usize,
        /// Letter of the colour.
        colour: char,
    },
    /// Wrong numbers of stickers of some colours.
    #[error("expected {each} stickers of each colour, found {}", counts(.wrong))]
    ColourCounts {
        /// Expected stickers of one colour.
        each: usize,
        /// The colours with a wrong number, each with the indices of its stickers.
        wrong: Vec<(char, Vec<usize>)>,
    },
    /// The number of colours is not six.
    #[error("expected stickers of six colours, found {}: {}", .colours.len(), quoted(.colours))]
    ColourNumber {
        /// Letters of the colours found.
        colours: Vec<char>,
    },
    /// All corners are mirrored.
    #[error(
        "every corner is mirrored: this is the mirror image of a cube; \
         the colours of two opposite faces are exchanged, or the faces were read from the wrong side"
    )]
    MirrorImage,
    /// No corner has these colours.
    #[error("the corner at {} has colours {}{}", CORNER_NAMES[*.slot], listed(.colours), no_corner(*.mirrored, *.colours))]
    NoSuchCorner {
        /// Number of layers.
        side: usize,
        /// Index of the slot.
        slot: usize,
        /// Letters found there, clockwise.
        colours: [char; 3],
        /// Whether the mirror image of a corner has these colours.
        mirrored: bool,
    },
    /// No edge has these colours.
    #[error("the edge at {} has colours {}, which no edge has", EDGE_NAMES[*.slot], listed(.colours))]
    NoSuchEdge {
        /// Index of the slot.
        slot: usize,
        /// Letters found there.
        colours: [char; 2],
    },
    /// A piece occurs twice.
    #[error(
        "the {} with colours {} occurs twice, at {} and at {}; the one with {} is missing",
        .kind.name(), listed(.colours), slot_name(*.kind, *.first), slot_name(*.kind, *.second), listed(.missing)
    )]
    DuplicatePiece {
        /// Number of layers.
        side: usize,
        /// Corner or edge.
        kind: PieceKind,
        /// Letters of the piece.
        colours: Vec<char>,
        /// First slot.
        first: usize,
        /// Second slot.
        second: usize,
        /// Letters of the missing piece.
        missing: Vec<char>,
    },
    /// Several positions match the known stickers.
    #[error("several positions match the known stickers; specify more of them{}", open(*.pieces))]
    Ambiguous {
        /// Number of pieces with an unknown sticker; `None` if not counted.
        pieces: Option<usize>,
        /// Indices of the unknown stickers.
        unknown: Vec<usize>,
    },
    /// No position matches the known stickers.
    #[error("{} matches the known stickers", if *.side == 2 { "no pocket cube" } else { "no solvable cube" })]
    Impossible {
        /// Number of layers.
        side: usize,
    },
    /// All positions that match the known stickers have an invalid corner twist.
    #[error("only positions with a twisted corner match the known stickers")]
    OnlyTwisted,
    /// The position is unsolvable: an invariant is violated.
    #[error("no moves solve it: {}", invariants(*.twist, *.flipped, *.exchanged))]
    Unsolvable {
        /// Sum of the corner orientations modulo 3.
        twist: usize,
        /// Whether the sum of the edge orientations is odd.
        flipped: bool,
        /// Whether the permutation parities of corners and edges differ.
        exchanged: bool,
    },
}

/// The kind of mistake in a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveFault {
    /// The first letter is no face, slice or rotation.
    #[error("expected a turn such as R, U2 or F'")]
    Unknown,
    /// A slice turn of a pocket cube.
    #[error("a pocket cube has no middle layer to turn")]
    NoSlice,
    /// More than one count or prime.
    #[error("expected one count and one prime at most")]
    Suffix,
    /// A count of zero, or one with too many digits.
    #[error("expected a count of 1 to 999999999")]
    Quarters,
    /// A number that stands for no layer, because no letter follows it.
    #[error("expected the letter of a turn after the number")]
    NumberAlone,
    /// A layer number that the cube does not have.
    #[error("a {side}x{side}x{side} cube has layers 1 to {side}")]
    Layer {
        /// Number of layers.
        side: usize,
    },
    /// A range of layers before the turn of a single layer.
    #[error("a range of layers needs a wide turn such as 2-3Rw")]
    RangeNeedsWide,
    /// A layer number before a slice turn or a rotation.
    #[error("only the turn of a face takes a layer number")]
    LayerOfSlice,
}

impl MoveFault {
    /// The notation that the message expects.
    fn expected(self) -> Option<&'static str> {
        match self {
            MoveFault::Unknown => Some("a turn such as R, U2 or F'"),
            MoveFault::Suffix => Some("one count and one prime at most"),
            MoveFault::Quarters => Some("a count of 1 to 999999999"),
            MoveFault::NumberAlone => Some("the letter of a turn after the number"),
            MoveFault::RangeNeedsWide => Some("a wide turn such as 2-3Rw"),
            MoveFault::NoSlice | MoveFault::Layer { .. } | MoveFault::LayerOfSlice => None,
        }
    }
}

fn listed(letters: &[char]) -> String {
    letters.iter().map(char::to_string).collect::<Vec<_>>().join(", ")
}

fn quoted(letters: &[char]) -> String {
    letters.iter().take(9).map(|letter| format!("`{letter}`")).collect::<Vec<_>>().join(", ")
}

fn counts(wrong: &[(char, Vec<usize>)]) -> String {
    wrong.iter().map(|(colour, at)| format!("{} of `{colour}`", at.len())).collect::<Vec<_>>().join(", ")
}

/// The end of the message of [`CubeError::NoSuchCorner`].
fn no_corner(mirrored: bool, [a, b, c]: [char; 3]) -> String {
    if mirrored {
        format!(" clockwise, which no corner has: the real one has {a}, {c}, {b}")
    } else {
        ", which no corner has".into()
    }
}

/// The note on pieces with unknown stickers in the message of [`CubeError::Ambiguous`].
fn open(pieces: Option<usize>) -> String {
    match pieces {
        None => String::new(),
        Some(1) => " (1 piece is not fully known)".into(),
        Some(count) => format!(" ({count} pieces are not fully known)"),
    }
}

/// The violated invariants, each with a remedy.
fn invariants(twist: usize, flipped: bool, exchanged: bool) -> String {
    let mut broken = Vec::new();
    match twist % 3 {
        0 => {}
        1 => broken.push("a corner is twisted (turn any one corner anticlockwise by a third)"),
        _ => broken.push("a corner is twisted (turn any one corner clockwise by a third)"),
    }
    if flipped {
        broken.push("an edge is flipped (flip any one edge)");
    }
    if exchanged {
        broken.push("two pieces are exchanged (exchange any two corners or any two edges)");
    }
    broken.join("; ")
}

fn slot_name(kind: PieceKind, slot: usize) -> &'static str {
    if kind == PieceKind::Edge { EDGE_NAMES[slot] } else { CORNER_NAMES[slot] }
}

/// A reference to the piece in a slot.
pub(crate) fn piece_at(side: usize, kind: PieceKind, slot: usize) -> PieceRef {
    let stickers: Vec<usize> = match (kind, side) {
        (PieceKind::Edge, _) => edge_stickers()[slot].to_vec(),
        (_, 2) => corner_stickers::<2>()[slot].to_vec(),
        _ => corner_stickers::<3>()[slot].to_vec(),
    };
    PieceRef::new(kind, slot_name(kind, slot), stickers)
}

/// A reference to a sticker and its letter.
pub(crate) fn sticker_at(side: usize, sticker: usize, letter: char) -> PieceRef {
    PieceRef::new(PieceKind::Sticker, sticker_name(side, sticker), [sticker]).showing(letter)
}

impl CubeError {
    fn code(&self) -> &'static str {
        match self {
            CubeError::UnknownFormat { .. } => "unknown-format",
            CubeError::PositionFormatForMoves | CubeError::MovesFormatForPosition => "wrong-format",
            CubeError::TrailingLine { .. } => "trailing-line",
            CubeError::NotOneCube | CubeError::UnfinishedStickers { .. } => "incomplete-position",
            CubeError::NotALetter { .. } => "not-a-sticker",
            CubeError::StickerCount { .. } => "sticker-count",
            CubeError::NotANet { .. } => "not-a-net",
            CubeError::Move { .. } => "unknown-move",
            CubeError::Group(error) => error.fault.code(),
            CubeError::SameCentres { .. } => "same-centres",
            CubeError::UnknownCentres => "unknown-centres",
            CubeError::StrangeColour { .. } => "strange-colour",
            CubeError::ColourCounts { .. } => "colour-count",
            CubeError::ColourNumber { .. } => "colour-number",
            CubeError::MirrorImage => "mirror-image",
            CubeError::NoSuchCorner { mirrored: true, .. } => "mirrored-corner",
            CubeError::NoSuchCorner { .. } => "no-such-corner",
            CubeError::NoSuchEdge { .. } => "no-such-edge",
            CubeError::DuplicatePiece { .. } => "duplicate-piece",
            CubeError::Ambiguous { .. } => "ambiguous-stickers",
            CubeError::Impossible { .. } => "impossible-stickers",
            CubeError::OnlyTwisted => "twisted-corner",
            CubeError::Unsolvable { twist: 1.., .. } => "twisted-corner",
            CubeError::Unsolvable { flipped: true, .. } => "flipped-edge",
            CubeError::Unsolvable { .. } => "exchanged-pieces",
        }
    }

    /// The pieces that the error refers to.
    fn pieces(&self) -> Vec<PieceRef> {
        match self {
            CubeError::SameCentres { first, second, colour } => [first, second]
                .into_iter()
                .map(|face| {
                    let centre = PieceRef::new(PieceKind::Centre, face.to_string(), [9 * face.index() + 4]);
                    centre.showing(*colour)
                })
                .collect(),
            CubeError::StrangeColour { sticker, colour } => vec![sticker_at(3, *sticker, *colour)],
            CubeError::ColourCounts { wrong, .. } => {
                let colour = |(letter, at): &(char, Vec<usize>)| {
                    PieceRef::new(PieceKind::Colour, *letter, at.iter().copied())
                };
                wrong.iter().map(colour).collect()
            }
            CubeError::NoSuchCorner { side, slot, colours, .. } => {
                vec![piece_at(*side, PieceKind::Corner, *slot).showing(String::from_iter(colours))]
            }
            CubeError::NoSuchEdge { slot, colours } => {
                vec![piece_at(3, PieceKind::Edge, *slot).showing(String::from_iter(colours))]
            }
            CubeError::DuplicatePiece { side, kind, colours, first, second, missing } => {
                let at = |slot| piece_at(*side, *kind, slot).showing(String::from_iter(colours));
                let missing_piece = PieceRef::new(*kind, "", []).showing(String::from_iter(missing));
                vec![at(*first), at(*second), missing_piece]
            }
            CubeError::Ambiguous { unknown, .. } => {
                vec![PieceRef::new(PieceKind::Colour, "unknown", unknown.iter().copied())]
            }
            CubeError::Move { number, found, .. } => {
                vec![PieceRef::new(PieceKind::Move, found.clone(), [number - 1])]
            }
            _ => Vec::new(),
        }
    }

    fn span(&self) -> Option<Range<usize>> {
        match self {
            CubeError::TrailingLine { span, .. }
            | CubeError::UnfinishedStickers { span, .. }
            | CubeError::NotALetter { span, .. }
            | CubeError::Move { span, .. } => span.clone(),
            CubeError::Group(error) => Some(error.span.clone()),
            _ => None,
        }
    }

    /// The sticker to point at, if a single one is wrong.
    fn sticker(&self) -> Option<usize> {
        match self {
            CubeError::StrangeColour { sticker, .. } => Some(*sticker),
            CubeError::SameCentres { second, .. } => Some(9 * second.index() + 4),
            CubeError::NoSuchCorner { .. } | CubeError::NoSuchEdge { .. } => {
                self.pieces().first().and_then(|piece| piece.places.first().copied())
            }
            CubeError::DuplicatePiece { .. } => {
                self.pieces().get(1).and_then(|piece| piece.places.first().copied())
            }
            _ => None,
        }
    }

    /// The diagnostic with a span; `offsets` are the byte offsets of the stickers in `text`.
    pub(crate) fn located(self, text: &str, offsets: &[usize]) -> Box<Diagnostic> {
        let sticker = self.sticker();
        let mut diagnostic: Box<Diagnostic> = self.into();
        diagnostic.span = sticker.and_then(|sticker| {
            let start = *offsets.get(sticker)?;
            let letter = text.get(start..)?.chars().next()?;
            Some(start..start + letter.len_utf8())
        });
        diagnostic
    }

    /// The input that the message expects.
    fn expected(&self) -> Option<String> {
        Some(match self {
            CubeError::TrailingLine { .. } => "nothing after the line of moves".into(),
            CubeError::UnfinishedStickers { expected, .. } => format!("{expected} stickers"),
            CubeError::NotALetter { .. } => "a letter".into(),
            CubeError::StickerCount { side, .. } => format!("{} stickers", 6 * side * side),
            CubeError::NotANet { side } => {
                format!(
                    "a net: {side} rows of {side} stickers, {side} rows of {}, {side} rows of {side}",
                    4 * side
                )
            }
            CubeError::Move { fault, .. } => fault.expected()?.into(),
            CubeError::Group(error) => error.fault.expected()?,
            CubeError::ColourCounts { each, .. } => format!("{each} of each colour"),
            CubeError::ColourNumber { .. } => "stickers of six colours".into(),
            _ => return None,
        })
    }
}

impl From<CubeError> for Box<Diagnostic> {
    fn from(error: CubeError) -> Box<Diagnostic> {
        let mut diagnostic =
            Diagnostic::new(error.code(), error.to_string()).at(error.span()).about(error.pieces());
        diagnostic.expected = error.expected();
        Box::new(match &error {
            CubeError::UnknownFormat { .. } => diagnostic
                .with_alternatives(AlternativeKind::Format, FORMATS.iter().map(|format| format.name)),
            CubeError::Move { suggestion, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Move, suggestion.clone())
            }
            CubeError::StickerCount { side, found } => {
                let other = [("cube2", 2), ("cube3", 3)]
                    .into_iter()
                    .filter(|&(_, other)| other != *side && 6 * other * other == *found);
                diagnostic.with_alternatives(AlternativeKind::Puzzle, other.map(|(name, _)| name))
            }
            _ => diagnostic,
        })
    }
}
