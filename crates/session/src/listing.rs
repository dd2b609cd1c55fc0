//! The puzzles there are, and what there is to solve one with.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use untumble_puzzles::catalog;
use untumble_search::frontend::{self, DynPuzzle};
use untumble_search::heuristic::Admissibility;
use untumble_search::registry::{AlgorithmInfo, HeuristicInfo, OptionSpec};
use untumble_search::runtime::Runtime;
use untumble_search::spec::OptionValues;

/// A name and what it stands for.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
}

/// A family of puzzles that differ in size.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Family {
    /// How its names are made, such as `tiles-RxC`.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// How moves are written.
    pub moves: &'static str,
    /// What one can get to.
    pub goals: &'static [&'static str],
    /// How moves can be counted; empty where there is no choice.
    pub metrics: &'static [&'static str],
    /// A puzzle of the family.
    pub example: &'static str,
    /// A position of that puzzle.
    pub position: &'static str,
}

impl Family {
    fn of(family: &catalog::Family) -> Family {
        Family {
            name: family.name,
            what: family.what,
            aliases: family.aliases,
            moves: family.moves,
            goals: family.goals,
            metrics: family.metrics,
            example: family.example,
            position: family.position,
        }
    }
}

/// The families of puzzles.
pub fn families(runtime: &Runtime) -> Vec<Family> {
    let added = runtime.families.iter().map(|family| family.family());
    catalog::families().iter().chain(added).map(Family::of).collect()
}

/// What is known about an algorithm.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Algorithm {
    /// The primary name, which answers carry.
    pub name: String,
    /// Other names that are accepted.
    pub aliases: &'static [&'static str],
    /// What it does.
    pub what: String,
    /// What it promises about its answers.
    pub promise: String,
    /// Whether it takes a heuristic.
    pub heuristic: bool,
    /// Whether a checkpoint can save its proof.
    pub resumable: bool,
    /// Its options.
    pub options: Vec<Setup>,
}

/// What is known about an option of an algorithm.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AlgorithmOption))]
pub struct Setup {
    /// The primary name.
    pub name: &'static str,
    /// Other names that are accepted.
    pub aliases: &'static [&'static str],
    /// What it does.
    pub what: &'static str,
    /// The values it takes, in words.
    pub values: String,
    /// The value where it is not given; null where it must be given.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub default: Option<&'static str>,
    /// The values it takes, for forms. The listing of the command line leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<OptionKind>,
}

/// The values that an option takes.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum OptionKind {
    /// One of these words.
    Choice {
        /// The words.
        values: &'static [&'static str],
    },
    /// A whole number.
    Integer {
        /// No smaller one.
        min: u64,
        /// No larger one.
        max: u64,
    },
    /// A decimal number.
    Number {
        /// No smaller one.
        min: u64,
        /// No larger one.
        max: u64,
        /// Digits behind the point.
        decimals: u8,
    },
}

impl OptionKind {
    fn of(values: OptionValues) -> OptionKind {
        match values {
            OptionValues::Choice(values) => OptionKind::Choice { values },
            OptionValues::Integer { least, most } => OptionKind::Integer { min: least, max: most },
            OptionValues::Number { least, most, decimals } => {
                OptionKind::Number { min: least, max: most, decimals }
            }
        }
    }
}

/// Nothing where there is no text.
fn given(text: &'static str) -> Option<&'static str> {
    (!text.is_empty()).then_some(text)
}

impl Algorithm {
    /// What is known about `algorithm`; with `forms`, its options say which values they take in a way forms can use.
    fn of(algorithm: &AlgorithmInfo, forms: bool) -> Algorithm {
        let setup = |option: &OptionSpec| Setup {
            name: option.name,
            aliases: option.aliases,
            what: option.summary,
            values: option.values.to_string(),
            default: given(option.default),
            kind: forms.then(|| OptionKind::of(option.values)),
        };
        Algorithm {
            name: algorithm.name.to_string(),
            aliases: algorithm.aliases,
            what: algorithm.summary.to_string(),
            promise: algorithm.guarantee_text(),
            heuristic: algorithm.takes_heuristic,
            resumable: algorithm.resumable,
            options: algorithm.options.iter().map(setup).collect(),
        }
    }
}

/// What is known about a heuristic.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Heuristic {
    /// The primary name.
    pub name: String,
    /// Other names that are accepted.
    pub aliases: &'static [&'static str],
    /// What it is.
    pub what: String,
    /// The argument it takes, as in `pdb:7-8`; null where it takes none.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub argument: Option<&'static str>,
    /// Whether answers found by it are proven shortest.
    pub admissible: bool,
    /// Whether it never falls by more than a move costs.
    pub consistent: bool,
}

impl Heuristic {
    fn of(heuristic: &HeuristicInfo) -> Heuristic {
        Heuristic {
            name: heuristic.name.to_string(),
            aliases: heuristic.aliases,
            what: heuristic.summary.to_string(),
            argument: heuristic.argument.values(),
            admissible: heuristic.admissibility != Admissibility::None,
            consistent: heuristic.admissibility == Admissibility::Consistent,
        }
    }
}

/// A heuristic with what it takes to use it.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = DescribedHeuristic))]
pub struct HeuristicHere {
    /// What is known about it.
    #[serde(flatten)]
    pub heuristic: Heuristic,
    /// What holds for its values.
    #[serde(serialize_with = "admissibility_name")]
    #[cfg_attr(feature = "openapi", schema(schema_with = admissibility_schema))]
    pub promise: Admissibility,
    /// The bytes of its tables; null where that depends on the argument or the position.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub memory: Option<u64>,
}

fn admissibility_name<S: Serializer>(value: &Admissibility, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.name())
}

#[cfg(feature = "openapi")]
fn admissibility_schema() -> utoipa::openapi::schema::Object {
    use utoipa::openapi::schema::{ObjectBuilder, Type};
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(Admissibility::ALL.map(Admissibility::name)))
        .build()
}

impl HeuristicHere {
    fn of(heuristic: &HeuristicInfo) -> HeuristicHere {
        HeuristicHere {
            heuristic: Heuristic::of(heuristic),
            promise: heuristic.admissibility,
            memory: heuristic.memory,
        }
    }
}

/// The algorithms of a puzzle that this runtime can run: those for devices only where it has support for them.
pub fn available(puzzle: &dyn DynPuzzle, runtime: &Runtime) -> Vec<AlgorithmInfo> {
    let runs = |info: &AlgorithmInfo| !info.needs_device || runtime.devices.is_some();
    puzzle.algorithms().into_iter().filter(runs).collect()
}

/// The solvers of a puzzle, as the command line lists them.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Solvers {
    puzzle: String,
    algorithms: Vec<Algorithm>,
    heuristics: Vec<Heuristic>,
    formats: Vec<Named>,
}

impl Solvers {
    /// Those of `puzzle`.
    pub fn of(puzzle: &dyn DynPuzzle, runtime: &Runtime) -> Solvers {
        Solvers {
            puzzle: puzzle.title(),
            algorithms: available(puzzle, runtime)
                .iter()
                .map(|algorithm| Algorithm::of(algorithm, false))
                .collect(),
            heuristics: puzzle.heuristics().iter().map(Heuristic::of).collect(),
            formats: formats(puzzle),
        }
    }
}

fn formats(puzzle: &dyn DynPuzzle) -> Vec<Named> {
    puzzle.formats().iter().map(|format| Named { name: format.name, what: format.what }).collect()
}

/// What a drawing needs to know: `kind`, and sizes by name, such as `rows` and `columns`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape(frontend::Shape);

impl Serialize for Shape {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(1 + self.0.sizes.len()))?;
        map.serialize_entry("kind", self.0.kind)?;
        self.0.sizes.iter().try_for_each(|(name, size)| map.serialize_entry(name, size))?;
        map.end()
    }
}

#[cfg(feature = "openapi")]
mod schema {
    use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Type};
    use utoipa::openapi::{RefOr, Schema};

    impl utoipa::PartialSchema for super::Shape {
        fn schema() -> RefOr<Schema> {
            let text = ObjectBuilder::new()
                .schema_type(Type::String)
                .description(Some("How it is drawn: `tiles` with `rows` and `columns`, `cube` with `size`, `balto` with `side`."));
            ObjectBuilder::new()
                .description(Some("What a drawing needs to know: the kind, and sizes by name."))
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

/// A solver that fits a puzzle, for those who do not want to choose among all.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preset {
    /// Its text.
    pub solver: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Who should take it, in a sentence.
    pub why: &'static str,
}

/// All that is known about a puzzle.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Description {
    /// Its full name, such as `tiles-4x4`.
    pub puzzle: String,
    /// The family it belongs to, as the list of puzzles names it.
    pub family: &'static str,
    /// What it is.
    pub what: &'static str,
    /// What a drawing needs to know.
    pub shape: Shape,
    /// The names of all moves.
    pub moves: Vec<String>,
    /// The solved position.
    pub solved: String,
    /// What one can get to; the first is the default.
    pub goals: &'static [&'static str],
    /// How moves can be counted, the default first; empty where there is no choice.
    pub metrics: &'static [&'static str],
    /// The algorithms that solve it.
    pub algorithms: Vec<Algorithm>,
    /// The heuristics it has, the default first.
    pub heuristics: Vec<HeuristicHere>,
    /// The ways to write its positions.
    pub formats: Vec<Named>,
    /// Solvers that fit it, the easiest choice first.
    pub presets: Vec<Preset>,
}

/// All that is known about a puzzle that was opened by this name.
pub fn describe(puzzle: &dyn DynPuzzle, runtime: &Runtime) -> Description {
    let title = puzzle.title();
    let id = puzzle.id();
    let added = || runtime.families.iter().map(|added| added.family());
    let family = catalog::family(&title).or_else(|| added().find(|family| family.stem() == id.family));
    Description {
        family: family.map_or("", |family| family.name),
        what: family.map_or("", |family| family.what),
        goals: family.map_or(&[], |family| family.goals),
        metrics: family.map_or(&[], |family| family.metrics),
        puzzle: title,
        shape: Shape(puzzle.shape()),
        moves: puzzle.moves(),
        solved: puzzle.text(&puzzle.solved()),
        algorithms: available(puzzle, runtime)
            .iter()
            .map(|algorithm| Algorithm::of(algorithm, true))
            .collect(),
        heuristics: puzzle.heuristics().iter().map(HeuristicHere::of).collect(),
        formats: formats(puzzle),
        presets: puzzle
            .presets()
            .iter()
            .map(|preset| Preset { solver: preset.solver, title: preset.title, why: preset.why })
            .collect(),
    }
}
