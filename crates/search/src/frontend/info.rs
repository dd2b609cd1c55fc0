//! Descriptions of a puzzle: its shape, its formats, its presets.

/// The shape of a puzzle, for drawings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The kind of drawing: `tiles`, `cube`, `balto` or `text`.
    pub kind: &'static str,
    /// Sizes by name, such as `("rows", 4)`.
    pub sizes: Vec<(&'static str, usize)>,
}

/// Serialised as one object: `kind`, and the sizes by name.
#[cfg(feature = "serde")]
impl serde::Serialize for Shape {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;

        let mut map = serializer.serialize_map(Some(1 + self.sizes.len()))?;
        map.serialize_entry("kind", self.kind)?;
        self.sizes.iter().try_for_each(|(name, size)| map.serialize_entry(name, size))?;
        map.end()
    }
}

#[cfg(feature = "openapi")]
mod schema {
    use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Type};
    use utoipa::openapi::{RefOr, Schema};

    impl utoipa::PartialSchema for super::Shape {
        fn schema() -> RefOr<Schema> {
            let text = ObjectBuilder::new().schema_type(Type::String).description(Some(
                "The kind of drawing: `tiles` with `rows` and `columns`, `cube` with `size`, \
                 `balto` with `side`.",
            ));
            ObjectBuilder::new()
                .description(Some("The shape of the puzzle, for drawings: the kind, and sizes by name."))
                .property("kind", text)
                .required("kind")
                .additional_properties(Some(AdditionalProperties::FreeForm(true)))
                .into()
        }
    }

    impl utoipa::ToSchema for super::Shape {
        fn name() -> std::borrow::Cow<'static, str> {
            "Shape".into()
        }
    }
}

/// A recommended solver of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preset {
    /// The solver text.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TextFormat))]
pub struct FormatInfo {
    /// The name by which a format is chosen.
    pub name: &'static str,
    /// A description with an example.
    pub what: &'static str,
}
