//! The requested format of a text, and the result of parsing its lines so far.

use crate::error::{Diagnostic, InputText};

/// The requested format of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InputFormat {
    /// A position or moves from solved; `None` detects which.
    pub kind: Option<InputKind>,
    /// One of the puzzle's formats; `None` detects which.
    pub format: Option<String>,
}

impl From<Option<InputKind>> for InputFormat {
    fn from(kind: Option<InputKind>) -> InputFormat {
        InputFormat { kind, format: None }
    }
}

/// Whether a text is a position or moves from solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TextKind))]
pub enum InputKind {
    /// A position.
    Position,
    /// Moves from solved.
    Moves,
}

/// The result of parsing the lines read so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parsed<S> {
    /// Only blank lines and comments.
    Nothing,
    /// The beginning of a position, which more lines must complete.
    More,
    /// A whole position.
    Position(S),
    /// The lines before the last one are an unfinished position, which the last line does not continue.
    Unfinished(Box<Diagnostic>),
    /// Each line is a position of its own. The diagnostic is for a caller that expects one position.
    Separate(Box<Diagnostic>),
}

impl<S> Parsed<S> {
    /// The same with a converted position. Diagnostics name the position as their text.
    pub(super) fn map<T>(self, convert: impl FnOnce(S) -> T) -> Parsed<T> {
        let located = |why: Box<Diagnostic>| Box::new(why.in_text(InputText::Position));
        match self {
            Parsed::Nothing => Parsed::Nothing,
            Parsed::More => Parsed::More,
            Parsed::Position(state) => Parsed::Position(convert(state)),
            Parsed::Unfinished(why) => Parsed::Unfinished(located(why)),
            Parsed::Separate(why) => Parsed::Separate(located(why)),
        }
    }
}
