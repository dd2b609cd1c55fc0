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
            Argument::Optional { values } | Argument::Required { values, .. } => Some(values),
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
    builder: Arc<dyn HeuristicBuilder<P>>,
}

impl<P: Puzzle> HeuristicEntry<P> {
    /// An entry; `construct` gets the argument, which has been checked against `info.argument`.
    pub fn new<H: Heuristic<P>>(
        info: HeuristicInfo,
        construct: impl Fn(&BuildContext<'_, P>, Option<&str>) -> Result<H, Error> + Send + Sync + 'static,
    ) -> HeuristicEntry<P> {
        let construct = move |context: &BuildContext<'_, P>, arguments: &[Option<&str>]| {
            construct(context, arguments.first().copied().flatten())
        };
        HeuristicEntry { info, builder: Arc::new(TypedBuilder { construct, heuristic: PhantomData }) }
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
            construct(context, [0, 1].map(|place| arguments.get(place).copied().flatten()))
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
    pub(super) fn of(
        expr: &HeuristicExpr,
        registry: &'r Registry<P>,
    ) -> Result<ResolvedHeuristic<'r, P>, SpecError> {
        let parts = match expr {
            HeuristicExpr::Named { name, argument } => {
                let builder = &*registry.heuristic(name)?.builder;
                return Ok(ResolvedHeuristic::Static { builder, arguments: vec![argument.clone()] });
            }
            HeuristicExpr::Max(parts) => parts,
        };
        match &parts[..] {
            [only] => return ResolvedHeuristic::of(only, registry),
            [
                HeuristicExpr::Named { name: a, argument: x },
                HeuristicExpr::Named { name: b, argument: y },
            ] => {
                for pair in &registry.pairs {
                    let arguments = match pair.names {
                        names if names == [a, b] => vec![x.clone(), y.clone()],
                        names if names == [b, a] => vec![y.clone(), x.clone()],
                        _ => continue,
                    };
                    return Ok(ResolvedHeuristic::Static { builder: &*pair.builder, arguments });
                }
            }
            _ => {}
        }
        let parts = parts.iter().map(|part| ResolvedHeuristic::of(part, registry));
        Ok(ResolvedHeuristic::Max(parts.collect::<Result<_, _>>()?))
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
            ResolvedHeuristic::Max(parts) => {
                Ok(Box::new(Ida::new(build_max(parts, context)?, options, context.runtime)))
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
            ResolvedHeuristic::Max(parts) => Ok(Box::new(build_max(parts, context)?)),
        }
    }
}

/// Builds the maximum of several heuristics.
fn build_max<P: Puzzle>(
    parts: &[ResolvedHeuristic<'_, P>],
    context: &BuildContext<'_, P>,
) -> Result<DynMax<P>, Error> {
    Ok(DynMax(parts.iter().map(|part| part.build_dyn(context)).collect::<Result<_, _>>()?))
}
