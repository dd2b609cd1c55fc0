//! Descriptions of a puzzle: its shape, its formats, its presets.

/// The shape of a puzzle, for drawings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The kind of drawing: `tiles`, `cube`, `balto` or `text`.
    pub kind: &'static str,
    /// Sizes by name, such as `("rows", 4)`.
    pub sizes: Vec<(&'static str, usize)>,
}

/// A recommended solver of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The solver text, see [`Spec`](crate::spec::Spec).
    pub solver: &'static str,
    /// A heading of a few words.
    pub title: &'static str,
    /// When to choose it, in a sentence.
    pub why: &'static str,
}

impl Preset {
    /// The default preset: `auto`.
    pub const AUTO: Preset = Preset {
        solver: "auto",
        title: "Automatic",
        why: "Chooses the solvers for this position and these limits.",
    };
}

/// A text format of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormatInfo {
    /// The name by which a format is chosen.
    pub name: &'static str,
    /// A description with an example.
    pub what: &'static str,
}
