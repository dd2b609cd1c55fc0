//! The registry: one entry describes and constructs an algorithm or a heuristic of a puzzle.
//!
//! Listings, help, validation, forms and the construction of solvers all follow from the entries, so that
//! adding an algorithm or a heuristic is one file and one entry. A solver text is checked and completed by
//! one function, [`Registry::complete`]; [`Registry::build`] makes a solver of the completed text.
//!
//! Heuristics keep their static types inside IDA*: an entry erases the constructor, not the heuristic, and
//! knows how to build IDA* around its own type ([`HeuristicEntry::new`]).

mod algorithm;
mod heuristic;

pub use algorithm::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec, Unavailable};
pub use heuristic::{Argument, HeuristicBuilder, HeuristicEntry, HeuristicInfo, ResolvedHeuristic};

use std::sync::Arc;

use crate::control::Control;
use crate::error::Error;
use crate::heuristic::Admissibility;
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
    /// The heuristic that the solver text names.
    pub fn heuristic(&self) -> Result<ResolvedHeuristic<'a, P>, Error> {
        let expr = self.spec.heuristic.as_ref().or(self.registry.default_heuristic.as_ref());
        match expr {
            Some(expr) => Ok(self.registry.resolve(expr)?),
            None => {
                let algorithm = self.spec.algorithm.clone();
                Err(SpecError::NoHeuristic { algorithm, puzzle: self.registry.puzzle.clone() }.into())
            }
        }
    }
}

/// A solver with its full name, which includes the options that the limits decided.
pub struct BuiltSolver<P: Puzzle> {
    /// The full name.
    pub spec: Spec,
    /// The solver, tables loaded.
    pub solver: Box<dyn Solver<P>>,
}

/// A constructor that replaces that of an algorithm if it returns a solver.
type Specialization<P> =
    dyn Fn(&BuildContext<'_, P>) -> Result<Option<Box<dyn Solver<P>>>, Error> + Send + Sync;

/// The algorithms and heuristics of one puzzle.
pub struct Registry<P: Puzzle> {
    /// The name of the puzzle in messages.
    puzzle: String,
    algorithms: Vec<AlgorithmEntry<P>>,
    heuristics: Vec<HeuristicEntry<P>>,
    /// The maxima of two heuristics that have a static type.
    pairs: Vec<heuristic::PairEntry<P>>,
    /// Faster constructors, each with the names of the algorithms that it replaces.
    specializations: Vec<(&'static [&'static str], Arc<Specialization<P>>)>,
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

    /// Adds a faster implementation of `algorithms`, used if `build` returns a solver.
    #[must_use]
    pub fn with_specialization(
        mut self,
        algorithms: &'static [&'static str],
        build: impl Fn(&BuildContext<'_, P>) -> Result<Option<Box<dyn Solver<P>>>, Error> + Send + Sync + 'static,
    ) -> Registry<P> {
        self.specializations.push((algorithms, Arc::new(build)));
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
        for near in crate::error::similar(name, names.chain(["auto"])) {
            let entry = self.algorithms.iter().find(|entry| entry.info.is_called(&near));
            let primary = entry.map_or(near, |entry| entry.info.name.to_string());
            if !alternatives.contains(&primary) {
                alternatives.push(primary);
            }
        }
        Err(SpecError::UnknownAlgorithm { name: name.to_owned(), puzzle: self.puzzle.clone(), alternatives })
    }

    fn heuristic(&self, name: &str) -> Result<&HeuristicEntry<P>, SpecError> {
        self.heuristics.iter().find(|entry| entry.info.is_called(name)).ok_or_else(|| {
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

    /// Checks a solver text against the entries and completes it: primary names instead of aliases, the
    /// default heuristic where none is named, options in the order of the entry. Builds nothing.
    pub fn complete(&self, spec: &Spec) -> Result<Spec, SpecError> {
        let entry = self.algorithm(&spec.algorithm)?;
        let info = &entry.info;
        let mut complete = Spec::plain(&info.name, None);
        for (name, value) in &spec.options {
            let option = info.option(name).ok_or_else(|| SpecError::UnknownOption {
                algorithm: info.name.to_string(),
                option: name.clone(),
                known: info.options.iter().map(|option| option.name).collect(),
                alternatives: crate::error::similar(name, info.options.iter().map(|option| option.name)),
            })?;
            if !option.values.accepts(value) {
                return Err(SpecError::OptionValue {
                    algorithm: info.name.to_string(),
                    option: option.name,
                    value: value.clone(),
                    expected: option.values,
                });
            }
            if complete.option(option.name).is_some() {
                let (option, given) = (option.name.to_owned(), name.clone());
                return Err(SpecError::RepeatedOption { option, given });
            }
            complete.options.push((option.name.to_owned(), option.canonical(value)));
        }
        let missing =
            |option: &&OptionSpec| option.default.is_empty() && complete.option(option.name).is_none();
        if let Some(option) = info.options.iter().find(missing) {
            return Err(SpecError::MissingOption { algorithm: info.name.to_string(), option });
        }
        complete.options.sort_by_key(|(name, _)| info.options.iter().position(|option| option.name == name));
        complete.heuristic = match &spec.heuristic {
            Some(expr) if !info.takes_heuristic => {
                let (algorithm, heuristic) = (info.name.to_string(), expr.to_string());
                return Err(SpecError::HeuristicNotTaken { algorithm, heuristic });
            }
            Some(expr) => Some(self.complete_heuristic(expr)?),
            None if info.takes_heuristic => {
                info.default_heuristic.clone().or_else(|| self.default_heuristic.clone())
            }
            None => None,
        };
        if let (Some(allowed), Some(expr)) = (info.heuristics, &complete.heuristic) {
            let supported = matches!(expr, HeuristicExpr::Named { name, .. } if allowed.contains(&&**name));
            if !supported {
                return Err(SpecError::HeuristicNotSupported {
                    algorithm: info.name.to_string(),
                    puzzle: self.puzzle.clone(),
                    heuristic: expr.to_string(),
                    supported: allowed.to_vec(),
                });
            }
        }
        Ok(complete)
    }

    fn complete_heuristic(&self, expr: &HeuristicExpr) -> Result<HeuristicExpr, SpecError> {
        match expr {
            HeuristicExpr::Max(parts) => {
                let parts = parts.iter().map(|part| self.complete_heuristic(part));
                parts.collect::<Result<_, _>>().map(HeuristicExpr::Max)
            }
            HeuristicExpr::Named { name, argument } => {
                let info = &self.heuristic(name)?.info;
                let name = info.name.to_string();
                match (info.argument, argument) {
                    (Argument::None, Some(argument)) => {
                        Err(SpecError::ArgumentNotTaken { heuristic: name, argument: argument.clone() })
                    }
                    (Argument::Required { example, .. }, None) => {
                        Err(SpecError::ArgumentMissing { heuristic: name, example })
                    }
                    _ => Ok(HeuristicExpr::Named { name, argument: argument.clone() }),
                }
            }
        }
    }

    /// The entry, pair or maximum that a completed expression names.
    fn resolve(&self, expr: &HeuristicExpr) -> Result<ResolvedHeuristic<'_, P>, SpecError> {
        ResolvedHeuristic::of(expr, self)
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
        for (algorithms, build) in &self.specializations {
            if algorithms.contains(&&*spec.algorithm)
                && let Some(solver) = build(&context)?
            {
                return Ok(BuiltSolver { spec: spec.clone(), solver });
            }
        }
        (self.algorithm(&spec.algorithm)?.build)(&context)
    }
}
