//! The registry entry of a heuristic, and the way from a heuristic expression to a solver.
//!
//! An entry erases its constructor, not the heuristic: IDA* is compiled for the static type of each
//! heuristic, best-first search uses [`DynHeuristic`].

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::error::Error;
use crate::heuristic::{Admissibility, DynHeuristic, DynMax, Heuristic};
use crate::puzzle::Puzzle;
use crate::registry::{BuildContext, Registry};
use crate::solve::Solver;
use crate::solve::ida::{Ida, IdaOptions};
use crate::spec::{HeuristicExpr, SpecError};

/// Whether a heuristic takes an argument, as in `pdb:7-8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// It takes none.
    None,
    /// The argument is optional.
    Optional {
        /// The accepted arguments in words.
        values: &'static str,
        /// The argument that a constructor gets if none is given; `None` if no text stands for the default.
        default: Option<&'static str>,
    },
    /// The argument is required.
    Required {
        /// The accepted arguments in words.
        values: &'static str,
        /// A valid one.
        example: &'static str,
    },
}

impl Argument {
    /// The accepted arguments in words; `None` if it takes none.
    pub fn description(self) -> Option<&'static str> {
        match self {
            Argument::None => None,
            Argument::Optional { values, .. } | Argument::Required { values, .. } => Some(values),
        }
    }

    /// The argument that a constructor gets if none is given.
    pub fn default_value(self) -> Option<&'static str> {
        match self {
            Argument::Optional { default, .. } => default,
            Argument::None | Argument::Required { .. } => None,
        }
    }
}

/// The description of a heuristic: the entry without its constructor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeuristicInfo {
    /// The primary name.
    pub name: Cow<'static, str>,
    /// Aliases, case-insensitive.
    pub aliases: &'static [&'static str],
    /// A description in one sentence.
    pub summary: Cow<'static, str>,
    /// Admissibility: solutions found with an inadmissible heuristic are not proven optimal.
    pub admissibility: Admissibility,
    /// The argument it takes.
    pub argument: Argument,
    /// Whether the argument names a file, which a remote client must not choose.
    pub reads_file: bool,
    /// The size of its tables in bytes; `None` if it depends on the argument.
    pub memory: Option<u64>,
}

impl HeuristicInfo {
    /// A consistent heuristic without argument and tables.
    pub const fn new(name: &'static str, summary: &'static str) -> HeuristicInfo {
        HeuristicInfo {
            name: Cow::Borrowed(name),
            aliases: &[],
            summary: Cow::Borrowed(summary),
            admissibility: Admissibility::Consistent,
            argument: Argument::None,
            reads_file: false,
            memory: Some(0),
        }
    }

    /// The primary name and the aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().copied().chain([&*self.name])
    }

    /// Whether `name` is one of its names, without regard to case.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Builds solvers around the static type of a heuristic, behind an object-safe interface.
pub trait HeuristicBuilder<P: Puzzle>: Send + Sync {
    /// IDA* around the heuristic, compiled for its type.
    fn ida(
        &self,
        context: &BuildContext<'_, P>,
        arguments: &[Option<&str>],
        options: IdaOptions,
    ) -> Result<Box<dyn Solver<P>>, Error>;

    /// The heuristic with its type erased.
    fn erased(
        &self,
        context: &BuildContext<'_, P>,
        arguments: &[Option<&str>],
    ) -> Result<Box<dyn DynHeuristic<P>>, Error>;
}

/// A builder made of a constructor of the type `H`.
struct TypedBuilder<H, F> {
    construct: F,
    heuristic: PhantomData<fn() -> H>,
}

impl<P, H, F> HeuristicBuilder<P> for TypedBuilder<H, F>
where
    P: Puzzle,
    H: Heuristic<P>,
    F: Fn(&BuildContext<'_, P>, &[Option<&str>]) -> Result<H, Error> + Send + Sync,
{
    fn ida(
        &self,
        context: &BuildContext<'_, P>,
        arguments: &[Option<&str>],
        options: IdaOptions,
    ) -> Result<Box<dyn Solver<P>>, Error> {
        let heuristic = (self.construct)(context, arguments)?;
        Ok(Box::new(Ida::new(heuristic, options, context.runtime)))
    }

    fn erased(
        &self,
        context: &BuildContext<'_, P>,
        arguments: &[Option<&str>],
    ) -> Result<Box<dyn DynHeuristic<P>>, Error> {
        Ok(Box::new((self.construct)(context, arguments)?))
    }
}

/// A heuristic: its description and its constructor.
pub struct HeuristicEntry<P: Puzzle> {
    /// The description.
    pub info: HeuristicInfo,
    /// See [`HeuristicEntry::with_canonical_argument`].
    canonical: fn(&str) -> Option<String>,
    builder: Arc<dyn HeuristicBuilder<P>>,
}

impl<P: Puzzle> HeuristicEntry<P> {
    /// An entry; `construct` gets the argument, which has been checked against `info.argument`, or the
    /// default argument.
    pub fn new<H: Heuristic<P>>(
        info: HeuristicInfo,
        construct: impl Fn(&BuildContext<'_, P>, Option<&str>) -> Result<H, Error> + Send + Sync + 'static,
    ) -> HeuristicEntry<P> {
        let construct = move |context: &BuildContext<'_, P>, arguments: &[Option<&str>]| {
            construct(context, arguments.first().copied().flatten())
        };
        let builder = Arc::new(TypedBuilder { construct, heuristic: PhantomData });
        HeuristicEntry { info, canonical: |_| None, builder }
    }

    /// The same with a function that returns the canonical text of an argument, so that texts with the same
    /// meaning identify the same solver; `None` keeps the text.
    #[must_use]
    pub fn with_canonical_argument(self, canonical: fn(&str) -> Option<String>) -> HeuristicEntry<P> {
        HeuristicEntry { canonical, ..self }
    }

    /// The canonical text of an argument; `None` for the default.
    pub(super) fn canonical_argument(&self, argument: &str) -> Option<String> {
        let canonical = (self.canonical)(argument).unwrap_or_else(|| argument.to_owned());
        Some(canonical).filter(|text| self.info.argument.default_value() != Some(text))
    }

    /// The argument of the constructor: the given one, or the default.
    pub(super) fn argument_or_default(&self, argument: Option<&String>) -> Option<String> {
        argument.cloned().or_else(|| self.info.argument.default_value().map(str::to_owned))
    }
}

/// A maximum of two heuristics with a static type of its own.
pub(super) struct PairEntry<P: Puzzle> {
    names: [&'static str; 2],
    builder: Arc<dyn HeuristicBuilder<P>>,
}

impl<P: Puzzle> PairEntry<P> {
    pub(super) fn new<H: Heuristic<P>>(
        names: [&'static str; 2],
        construct: impl Fn(&BuildContext<'_, P>, [Option<&str>; 2]) -> Result<H, Error> + Send + Sync + 'static,
    ) -> PairEntry<P> {
        let construct = move |context: &BuildContext<'_, P>, arguments: &[Option<&str>]| {
            construct(context, [0, 1].map(|index| arguments.get(index).copied().flatten()))
        };
        PairEntry { names, builder: Arc::new(TypedBuilder { construct, heuristic: PhantomData }) }
    }
}

/// A heuristic expression resolved to the builders of its heuristics.
pub enum ResolvedHeuristic<'r, P: Puzzle> {
    /// A heuristic or a pair of heuristics with a static type.
    Static {
        /// The builder of the heuristic.
        builder: &'r dyn HeuristicBuilder<P>,
        /// The argument of each named heuristic.
        arguments: Vec<Option<String>>,
    },
    /// The maximum of several heuristics, each computed from scratch.
    Max(Vec<ResolvedHeuristic<'r, P>>),
}

impl<'r, P: Puzzle> ResolvedHeuristic<'r, P> {
    /// Resolves a canonical expression, see [`Registry::canonical`].
    pub(super) fn of(
        expr: &HeuristicExpr,
        registry: &'r Registry<P>,
    ) -> Result<ResolvedHeuristic<'r, P>, SpecError> {
        let terms = match expr {
            HeuristicExpr::Named { name, argument } => {
                let entry = registry.heuristic(name)?;
                let arguments = vec![entry.argument_or_default(argument.as_ref())];
                return Ok(ResolvedHeuristic::Static { builder: &*entry.builder, arguments });
            }
            HeuristicExpr::Max(terms) => terms,
        };
        if let [
            HeuristicExpr::Named { name: a, argument: x },
            HeuristicExpr::Named { name: b, argument: y },
        ] = &terms[..]
        {
            let [x, y] = [(a, x), (b, y)].map(|(name, argument)| {
                registry.heuristic(name).map(|entry| entry.argument_or_default(argument.as_ref()))
            });
            let (x, y) = (x?, y?);
            for pair in &registry.pairs {
                let arguments = match pair.names {
                    names if names == [a, b] => vec![x, y],
                    names if names == [b, a] => vec![y, x],
                    _ => continue,
                };
                return Ok(ResolvedHeuristic::Static { builder: &*pair.builder, arguments });
            }
        }
        let terms = terms.iter().map(|term| ResolvedHeuristic::of(term, registry));
        Ok(ResolvedHeuristic::Max(terms.collect::<Result<_, _>>()?))
    }

    /// IDA* around the heuristic.
    pub fn ida(
        &self,
        context: &BuildContext<'_, P>,
        options: IdaOptions,
    ) -> Result<Box<dyn Solver<P>>, Error> {
        match self {
            ResolvedHeuristic::Static { builder, arguments } => {
                let arguments: Vec<Option<&str>> = arguments.iter().map(Option::as_deref).collect();
                builder.ida(context, &arguments, options)
            }
            ResolvedHeuristic::Max(terms) => {
                Ok(Box::new(Ida::new(build_max(terms, context)?, options, context.runtime)))
            }
        }
    }

    /// The heuristic with its type erased.
    pub fn build_dyn(&self, context: &BuildContext<'_, P>) -> Result<Box<dyn DynHeuristic<P>>, Error> {
        match self {
            ResolvedHeuristic::Static { builder, arguments } => {
                let arguments: Vec<Option<&str>> = arguments.iter().map(Option::as_deref).collect();
                builder.erased(context, &arguments)
            }
            ResolvedHeuristic::Max(terms) => Ok(Box::new(build_max(terms, context)?)),
        }
    }
}

/// Builds the maximum of several heuristics.
fn build_max<P: Puzzle>(
    terms: &[ResolvedHeuristic<'_, P>],
    context: &BuildContext<'_, P>,
) -> Result<DynMax<P>, Error> {
    Ok(DynMax(terms.iter().map(|term| term.build_dyn(context)).collect::<Result<_, _>>()?))
}
