//! The registry: one entry describes and constructs an algorithm or a heuristic of a puzzle.
//!
//! Listings, help, validation, forms and the construction of solvers all follow from the entries, so that
//! adding an algorithm or a heuristic is one file and one entry. A solver text such as
//! `ida:bpmx=off+manhattan` names an algorithm, its options and a heuristic; parsed, it is a [`Spec`].
//! [`Registry::complete`] checks a `Spec` and fills in what is omitted; [`Registry::build`] makes a solver
//! of the complete one.
//!
//! Heuristics keep their static types inside IDA*: an entry erases the constructor, not the heuristic, and
//! knows how to build IDA* around its own type ([`HeuristicEntry::new`]).

mod algorithm;
mod completion;
mod heuristic;

pub use algorithm::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec, Unavailable};
pub use heuristic::{Argument, HeuristicBuilder, HeuristicEntry, HeuristicInfo, ResolvedHeuristic};

use std::sync::Arc;

use crate::control::Control;
use crate::error::Error;
use crate::heuristic::{Admissibility, DynHeuristic};
use crate::puzzle::Puzzle;
use crate::runtime::Runtime;
use crate::solve::Solver;
use crate::spec::{HeuristicExpr, Spec, SpecError};

/// The inputs of the constructor of an algorithm or a heuristic.
pub struct BuildContext<'a, P: Puzzle> {
    /// The rules.
    pub puzzle: &'a P,
    /// The completed solver text: names are primary names, options are valid.
    pub spec: &'a Spec,
    /// The entries of the puzzle.
    pub registry: &'a Registry<P>,
    /// Tables, devices and the executor.
    pub runtime: &'a Runtime,
    /// Limits and the memory account of the search that waits for the solver.
    pub control: &'a Control,
}

impl<'a, P: Puzzle> BuildContext<'a, P> {
    /// The heuristic that the solver text names, if it is not a maximum.
    pub fn named_heuristic(&self) -> Result<Option<NamedHeuristic>, Error> {
        let Some(expr) = &self.spec.heuristic else { return Ok(None) };
        let HeuristicExpr::Named { name, argument } = self.registry.canonical_heuristic(expr)? else {
            return Ok(None);
        };
        let argument = self.registry.heuristic(&name)?.argument_or_default(argument.as_ref());
        Ok(Some(NamedHeuristic { name, argument }))
    }

    /// The heuristic that the solver text names.
    pub fn heuristic(&self) -> Result<ResolvedHeuristic<'a, P>, Error> {
        let expr = self.spec.heuristic.as_ref().or(self.registry.default_heuristic.as_ref());
        match expr {
            Some(expr) => {
                Ok(ResolvedHeuristic::of(&self.registry.canonical_heuristic(expr)?, self.registry)?)
            }
            None => {
                let algorithm = self.spec.algorithm.clone();
                Err(SpecError::NoHeuristic { algorithm, puzzle: self.registry.puzzle.clone() }.into())
            }
        }
    }
}

/// A heuristic of the registry with its argument.
pub struct NamedHeuristic {
    /// The primary name.
    pub name: String,
    /// The argument in canonical form, or the default argument.
    pub argument: Option<String>,
}

/// A solver with its full name, which includes the options that the limits decided.
pub struct BuiltSolver<P: Puzzle> {
    /// The full name.
    pub spec: Spec,
    /// The solver, tables loaded.
    pub solver: Box<dyn Solver<P>>,
}

/// See [`Registry::with_specialization`].
struct Specialization<P: Puzzle> {
    algorithm: &'static str,
    heuristic: &'static str,
    build: Arc<BuildSpecialization<P>>,
}

/// The constructor of a specialisation, which gets the argument of the heuristic.
type BuildSpecialization<P> =
    dyn Fn(&BuildContext<'_, P>, Option<&str>) -> Result<Option<Box<dyn Solver<P>>>, Error> + Send + Sync;

/// The algorithms and heuristics of one puzzle.
pub struct Registry<P: Puzzle> {
    /// The name of the puzzle in messages.
    puzzle: String,
    algorithms: Vec<AlgorithmEntry<P>>,
    heuristics: Vec<HeuristicEntry<P>>,
    /// Pairs of heuristics whose maximum is a static type of its own.
    pairs: Vec<heuristic::PairEntry<P>>,
    /// Faster implementations of an algorithm with a heuristic.
    specializations: Vec<Specialization<P>>,
    default_heuristic: Option<HeuristicExpr>,
    /// The algorithms of the family that cannot solve the puzzle, and why.
    unavailable: Vec<(AlgorithmInfo, Unavailable)>,
}

impl<P: Puzzle> Registry<P> {
    /// A registry without entries; `puzzle` is the name of the puzzle in messages.
    pub fn new(puzzle: impl Into<String>) -> Registry<P> {
        Registry {
            puzzle: puzzle.into(),
            algorithms: Vec::new(),
            heuristics: Vec::new(),
            pairs: Vec::new(),
            specializations: Vec::new(),
            default_heuristic: None,
            unavailable: Vec::new(),
        }
    }

    /// The name of the puzzle in messages.
    pub fn puzzle(&self) -> &str {
        &self.puzzle
    }

    /// Adds algorithms.
    #[must_use]
    pub fn with_algorithms(mut self, entries: impl IntoIterator<Item = AlgorithmEntry<P>>) -> Registry<P> {
        self.algorithms.extend(entries);
        self
    }

    /// Adds heuristics. The first one ever added is the default.
    #[must_use]
    pub fn with_heuristics(mut self, entries: impl IntoIterator<Item = HeuristicEntry<P>>) -> Registry<P> {
        self.heuristics.extend(entries);
        if let (None, Some(first)) = (&self.default_heuristic, self.heuristics.first()) {
            self.default_heuristic = Some(HeuristicExpr::named(&first.info.name));
        }
        self
    }

    /// Sets the default heuristic.
    #[must_use]
    pub fn with_default_heuristic(self, name: &str) -> Registry<P> {
        Registry { default_heuristic: Some(HeuristicExpr::named(name)), ..self }
    }

    /// Sets the default heuristic of some algorithms.
    #[must_use]
    pub fn with_default_heuristic_for(mut self, algorithms: &[&str], heuristic: &str) -> Registry<P> {
        for entry in &mut self.algorithms {
            if algorithms.contains(&&*entry.info.name) {
                entry.info.default_heuristic = Some(HeuristicExpr::named(heuristic));
            }
        }
        self
    }

    /// Adds a static type for the maximum of two heuristics, in either order of their names.
    #[must_use]
    pub fn with_pair<H: crate::heuristic::Heuristic<P>>(
        mut self,
        names: [&'static str; 2],
        build: impl Fn(&BuildContext<'_, P>, [Option<&str>; 2]) -> Result<H, Error> + Send + Sync + 'static,
    ) -> Registry<P> {
        self.pairs.push(heuristic::PairEntry::new(names, build));
        self
    }

    /// Adds a faster implementation of an algorithm with one heuristic, both given by their primary names.
    /// `build` gets the argument of the heuristic; if it returns `None`, the entry's constructor is used.
    #[must_use]
    pub fn with_specialization<F>(
        mut self,
        algorithm: &'static str,
        heuristic: &'static str,
        build: F,
    ) -> Registry<P>
    where
        F: Fn(&BuildContext<'_, P>, Option<&str>) -> Result<Option<Box<dyn Solver<P>>>, Error>
            + Send
            + Sync
            + 'static,
    {
        self.specializations.push(Specialization { algorithm, heuristic, build: Arc::new(build) });
        self
    }

    /// Withdraws an algorithm of the family that cannot solve this puzzle, and records why.
    #[must_use]
    pub fn without(mut self, algorithm: &str, why: Unavailable) -> Registry<P> {
        if let Some(index) = self.algorithms.iter().position(|entry| entry.info.name == algorithm) {
            self.unavailable.push((self.algorithms.remove(index).info, why));
        }
        self
    }

    /// Withdraws the algorithms whose requirements `puzzle` does not meet.
    #[must_use]
    pub fn supported_by(mut self, puzzle: &P) -> Registry<P> {
        let unavailable = &mut self.unavailable;
        self.algorithms.retain(|entry| match entry.info.requirements.check(puzzle) {
            Ok(()) => true,
            Err(why) => {
                unavailable.push((entry.info.clone(), Unavailable::Unsupported(why)));
                false
            }
        });
        self
    }

    /// The algorithms, in the order of listings.
    pub fn algorithms(&self) -> impl Iterator<Item = &AlgorithmInfo> {
        self.algorithms.iter().map(|entry| &entry.info)
    }

    /// The heuristics, in the order of listings.
    pub fn heuristics(&self) -> impl Iterator<Item = &HeuristicInfo> {
        self.heuristics.iter().map(|entry| &entry.info)
    }

    /// The entry of an algorithm by any of its names.
    fn algorithm(&self, name: &str) -> Result<&AlgorithmEntry<P>, SpecError> {
        if let Some(entry) = self.algorithms.iter().find(|entry| entry.info.is_called(name)) {
            return Ok(entry);
        }
        if let Some((info, why)) = self.unavailable.iter().find(|(info, _)| info.is_called(name)) {
            let (algorithm, puzzle) = (info.name.to_string(), self.puzzle.clone());
            return Err(SpecError::Unavailable { algorithm, puzzle, why: Box::new(why.clone()) });
        }
        // Suggest every similar algorithm once, by its primary name.
        let names = self.algorithms.iter().flat_map(|entry| entry.info.names());
        let mut alternatives: Vec<String> = Vec::new();
        for similar in crate::error::similar(name, names.chain(["auto"])) {
            let entry = self.algorithms.iter().find(|entry| entry.info.is_called(&similar));
            let primary = entry.map_or(similar, |entry| entry.info.name.to_string());
            if !alternatives.contains(&primary) {
                alternatives.push(primary);
            }
        }
        Err(SpecError::UnknownAlgorithm { name: name.to_owned(), puzzle: self.puzzle.clone(), alternatives })
    }

    fn heuristic(&self, name: &str) -> Result<&HeuristicEntry<P>, SpecError> {
        Ok(&self.heuristics[self.heuristic_index(name)?])
    }

    fn heuristic_index(&self, name: &str) -> Result<usize, SpecError> {
        self.heuristics.iter().position(|entry| entry.info.is_called(name)).ok_or_else(|| {
            let names = self.heuristics.iter().flat_map(|entry| entry.info.names());
            let alternatives = crate::error::similar(name, names);
            SpecError::UnknownHeuristic { name: name.to_owned(), puzzle: self.puzzle.clone(), alternatives }
        })
    }

    /// The guarantee of a solver: the algorithm's, or none if the heuristic is inadmissible.
    pub fn guarantee(&self, spec: &Spec) -> Guarantee {
        let Ok(entry) = self.algorithm(&spec.algorithm) else { return Guarantee::None };
        let admissible = |name: &str| {
            self.heuristic(name).is_ok_and(|heuristic| heuristic.info.admissibility != Admissibility::None)
        };
        let all_admissible = spec.heuristic.iter().flat_map(HeuristicExpr::names).all(admissible);
        if all_admissible { (entry.info.guarantee)(spec) } else { Guarantee::None }
    }

    /// The admissible heuristics without required argument and without tables.
    pub(crate) fn quick_bounds(&self, puzzle: &P, runtime: &Runtime) -> Vec<Box<dyn DynHeuristic<P>>> {
        let quick = |info: &HeuristicInfo| {
            let no_argument = !matches!(info.argument, Argument::Required { .. });
            info.admissibility != Admissibility::None && info.memory == Some(0) && no_argument
        };
        let build = |info: &HeuristicInfo| {
            let spec = Spec::plain("ida", Some(HeuristicExpr::named(&info.name)));
            let control = Control::default();
            let context = BuildContext { puzzle, spec: &spec, registry: self, runtime, control: &control };
            // A heuristic that does not support the goal gives no bound.
            context.heuristic().and_then(|heuristic| heuristic.build_dyn(&context)).ok()
        };
        self.heuristics().filter(|info| quick(info)).filter_map(build).collect()
    }

    /// Parses, completes and builds the solver of a text.
    pub fn solver(
        &self,
        puzzle: &P,
        text: &str,
        runtime: &Runtime,
        control: &Control,
    ) -> Result<BuiltSolver<P>, Error> {
        let complete = || self.complete(&text.parse()?);
        let spec = complete().map_err(|error| Error::from(error).locate(text))?;
        self.build(puzzle, &spec, runtime, control).map_err(|error| error.locate(text))
    }

    /// Builds the solver of a completed spec: a specialisation if one applies, otherwise the entry's.
    pub fn build(
        &self,
        puzzle: &P,
        spec: &Spec,
        runtime: &Runtime,
        control: &Control,
    ) -> Result<BuiltSolver<P>, Error> {
        let context = BuildContext { puzzle, spec, registry: self, runtime, control };
        match self.specialized(&context)? {
            Some(solver) => Ok(BuiltSolver { spec: spec.clone(), solver }),
            None => (self.algorithm(&spec.algorithm)?.build)(&context),
        }
    }

    /// Validates and builds a heuristic with its type erased.
    pub fn build_heuristic(
        &self,
        puzzle: &P,
        heuristic: &HeuristicExpr,
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Box<dyn DynHeuristic<P>>, Error> {
        let expr = self.complete_heuristic(heuristic)?;
        // A heuristic depends on its own expression only, not on an algorithm.
        let spec = Spec::plain("", Some(expr));
        let context = BuildContext { puzzle, spec: &spec, registry: self, runtime, control };
        context.heuristic()?.build_dyn(&context)
    }

    /// Builds the specialisation of a completed spec; `None` if none applies.
    pub fn specialized(&self, context: &BuildContext<'_, P>) -> Result<Option<Box<dyn Solver<P>>>, Error> {
        let Some(NamedHeuristic { name, argument }) = context.named_heuristic()? else { return Ok(None) };
        let matches = |known: &&Specialization<P>| {
            (known.algorithm, known.heuristic) == (&*context.spec.algorithm, &*name)
        };
        match self.specializations.iter().find(matches) {
            Some(specialization) => (specialization.build)(context, argument.as_deref()),
            None => Ok(None),
        }
    }
}
