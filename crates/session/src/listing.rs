//! Listings: the families of puzzles, and the algorithms, heuristics and formats of one puzzle.
//!
//! [`Algorithm`], [`AlgorithmOption`] and [`Heuristic`] are the serialised forms of [`AlgorithmInfo`],
//! [`OptionSpec`] and [`HeuristicInfo`], the descriptions in the registry: their fields are the JSON
//! contract. [`Family`], [`FormatInfo`], [`Preset`] and [`Shape`] are serialised as the engine defines them.
//! [`SolverListing`] is what the command line prints, [`Description`] what the service and the browser
//! engine answer.

use serde::{Serialize, Serializer};

use untumble_puzzles::catalog;
use untumble_search::family::Family;
use untumble_search::frontend::{DynPuzzle, FormatInfo, Preset, Shape};
use untumble_search::heuristic::Admissibility;
use untumble_search::registry::{AlgorithmInfo, HeuristicInfo, OptionSpec};
use untumble_search::runtime::Runtime;
use untumble_search::spec::OptionValues;

/// The built-in families of puzzles and those added to the runtime.
pub fn families(runtime: &Runtime) -> Vec<Family> {
    let added = runtime.families.iter().map(|family| family.family());
    catalog::families().iter().chain(added).copied().collect()
}

/// The description of an algorithm.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Algorithm {
    /// The primary name; answers report the algorithm under it.
    pub name: String,
    /// Other names that are accepted.
    pub aliases: &'static [&'static str],
    /// A description.
    pub what: String,
    /// The guarantee on the length of its solutions: `optimal`, `within factor W` or `none`, with remarks.
    pub guarantee: String,
    /// Whether it takes a heuristic.
    pub heuristic: bool,
    /// Whether an interrupted search can be resumed from a checkpoint.
    pub resumable: bool,
    /// Its options.
    pub options: Vec<AlgorithmOption>,
}

/// The description of an option of an algorithm.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AlgorithmOption {
    /// The primary name.
    pub name: &'static str,
    /// Other names that are accepted.
    pub aliases: &'static [&'static str],
    /// A description.
    pub what: &'static str,
    /// The accepted values in words.
    pub values: String,
    /// The default value; null if the option is required.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub default: Option<&'static str>,
    /// The accepted values as data, for forms. The listing of the command line leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<AcceptedValues>,
}

/// The values that an option accepts.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AcceptedValues {
    /// One of these words.
    Choice {
        /// The words.
        values: &'static [&'static str],
    },
    /// A whole number.
    Integer {
        /// The smallest accepted value.
        min: u64,
        /// The largest accepted value.
        max: u64,
    },
    /// A decimal number.
    Number {
        /// The smallest accepted value.
        min: u64,
        /// The largest accepted value.
        max: u64,
        /// The largest accepted number of digits after the decimal point.
        decimals: u8,
    },
}

impl AcceptedValues {
    fn of(values: OptionValues) -> AcceptedValues {
        match values {
            OptionValues::Choice(values) => AcceptedValues::Choice { values },
            OptionValues::Integer { min, max } => AcceptedValues::Integer { min, max },
            OptionValues::Number { min, max, decimals } => AcceptedValues::Number { min, max, decimals },
        }
    }
}

/// The text, unless it is empty.
fn non_empty(text: &'static str) -> Option<&'static str> {
    (!text.is_empty()).then_some(text)
}

impl Algorithm {
    /// The description of an algorithm; `with_values` includes the accepted values of its options as data.
    fn of(algorithm: &AlgorithmInfo, with_values: bool) -> Algorithm {
        let describe_option = |option: &OptionSpec| AlgorithmOption {
            name: option.name,
            aliases: option.aliases,
            what: option.summary,
            values: option.values.to_string(),
            default: non_empty(option.default),
            kind: with_values.then(|| AcceptedValues::of(option.values)),
        };
        Algorithm {
            name: algorithm.name.to_string(),
            aliases: algorithm.aliases,
            what: algorithm.summary.to_string(),
            guarantee: algorithm.guarantee_text(),
            heuristic: algorithm.takes_heuristic,
            resumable: algorithm.resumable,
            options: algorithm.options.iter().map(describe_option).collect(),
        }
    }
}

/// The description of a heuristic.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Heuristic {
    /// The primary name.
    pub name: String,
    /// Other names that are accepted.
    pub aliases: &'static [&'static str],
    /// A description.
    pub what: String,
    /// A description of the accepted argument (the part after the colon in `pdb:7-8`); null if it takes
    /// none.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub argument: Option<&'static str>,
    /// Whether it never overestimates, so that optimal algorithms prove optimality with it.
    pub admissible: bool,
    /// Whether a move never lowers it by more than the cost of the move.
    pub consistent: bool,
}

impl Heuristic {
    fn of(heuristic: &HeuristicInfo) -> Heuristic {
        Heuristic {
            name: heuristic.name.to_string(),
            aliases: heuristic.aliases,
            what: heuristic.summary.to_string(),
            argument: heuristic.argument.description(),
            admissible: heuristic.admissibility != Admissibility::None,
            consistent: heuristic.admissibility == Admissibility::Consistent,
        }
    }
}

/// The description of a heuristic with its admissibility and the memory of its tables.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeuristicDetails {
    /// The description.
    #[serde(flatten)]
    pub heuristic: Heuristic,
    /// The admissibility of its values.
    #[serde(serialize_with = "admissibility_name")]
    #[cfg_attr(feature = "openapi", schema(schema_with = admissibility_schema))]
    pub admissibility: Admissibility,
    /// The memory of its tables in bytes; null if that depends on the argument or the position.
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

impl HeuristicDetails {
    fn of(heuristic: &HeuristicInfo) -> HeuristicDetails {
        HeuristicDetails {
            heuristic: Heuristic::of(heuristic),
            admissibility: heuristic.admissibility,
            memory: heuristic.memory,
        }
    }
}

/// The algorithms of a puzzle that this runtime can run. A runtime without devices runs no algorithm that
/// needs one.
pub fn available_algorithms(puzzle: &dyn DynPuzzle, runtime: &Runtime) -> Vec<AlgorithmInfo> {
    let can_run = |info: &AlgorithmInfo| !info.needs_device || runtime.devices.is_some();
    puzzle.algorithms().into_iter().filter(can_run).collect()
}

/// The solvers of a puzzle, as the command line lists them.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct SolverListing {
    puzzle: String,
    algorithms: Vec<Algorithm>,
    heuristics: Vec<Heuristic>,
    formats: Vec<FormatInfo>,
}

impl SolverListing {
    /// The solvers of `puzzle` that this runtime can run.
    pub fn of(puzzle: &dyn DynPuzzle, runtime: &Runtime) -> SolverListing {
        SolverListing {
            puzzle: puzzle.title(),
            algorithms: available_algorithms(puzzle, runtime)
                .iter()
                .map(|algorithm| Algorithm::of(algorithm, false))
                .collect(),
            heuristics: puzzle.heuristics().iter().map(Heuristic::of).collect(),
            formats: puzzle.formats(),
        }
    }
}

/// The description of a puzzle.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Description {
    /// The full name, such as `tiles-4x4`.
    pub puzzle: String,
    /// The name of its family in the list of puzzles.
    pub family: &'static str,
    /// A description.
    pub what: &'static str,
    /// The shape, for drawings.
    pub shape: Shape,
    /// The names of all moves.
    pub moves: Vec<String>,
    /// The solved position.
    pub solved: String,
    /// The goals, the default first.
    pub goals: &'static [&'static str],
    /// The metrics, the default first; empty if there is only one.
    pub metrics: &'static [&'static str],
    /// The algorithms that this runtime can run.
    pub algorithms: Vec<Algorithm>,
    /// The heuristics, the default first.
    pub heuristics: Vec<HeuristicDetails>,
    /// The text formats of positions.
    pub formats: Vec<FormatInfo>,
    /// Recommended solvers, `auto` first.
    pub presets: Vec<Preset>,
}

/// Describes an opened puzzle.
pub fn describe(puzzle: &dyn DynPuzzle, runtime: &Runtime) -> Description {
    let title = puzzle.title();
    let id = puzzle.id();
    let added = || runtime.families.iter().map(|added| added.family());
    let family = catalog::family(&title).or_else(|| added().find(|family| family.base_name() == id.family));
    Description {
        family: family.map_or("", |family| family.name),
        what: family.map_or("", |family| family.what),
        goals: family.map_or(&[], |family| family.goals),
        metrics: family.map_or(&[], |family| family.metrics),
        puzzle: title,
        shape: puzzle.shape(),
        moves: puzzle.moves(),
        solved: puzzle.text(&puzzle.solved()),
        algorithms: available_algorithms(puzzle, runtime)
            .iter()
            .map(|algorithm| Algorithm::of(algorithm, true))
            .collect(),
        heuristics: puzzle.heuristics().iter().map(HeuristicDetails::of).collect(),
        formats: puzzle.formats(),
        presets: puzzle.presets(),
    }
}
