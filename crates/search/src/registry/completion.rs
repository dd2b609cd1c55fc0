//! The completed and the canonical form of a solver text.
//!
//! The completed form has primary names, valid options and a heuristic; it is what answers show. The canonical
//! form also leaves out defaults and fixes an order; it is what identifies a solver.

use super::{Argument, OptionSpec, Registry};
use crate::puzzle::Puzzle;
use crate::spec::{HeuristicExpr, Spec, SpecError};

impl<P: Puzzle> Registry<P> {
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
        if let (Some(allowed), Some(expr)) = (&info.heuristics, &complete.heuristic) {
            let supported = matches!(expr, HeuristicExpr::Named { name, .. } if allowed.contains(&&**name));
            if !supported {
                return Err(SpecError::HeuristicNotSupported {
                    algorithm: info.name.to_string(),
                    puzzle: self.puzzle.clone(),
                    heuristic: expr.to_string(),
                    supported: allowed.clone(),
                });
            }
        }
        Ok(complete)
    }

    pub(super) fn complete_heuristic(&self, expr: &HeuristicExpr) -> Result<HeuristicExpr, SpecError> {
        match expr {
            HeuristicExpr::Max(terms) => {
                let terms = terms.iter().map(|term| self.complete_heuristic(term));
                terms.collect::<Result<_, _>>().map(HeuristicExpr::Max)
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

    /// The canonical form of a completed spec, which identifies the solver: without options and arguments
    /// that have their default value, and with one order of the heuristics in a maximum. Solvers are built
    /// from the canonical form of the heuristic, so equal forms search the same nodes.
    pub fn canonical(&self, spec: &Spec) -> Spec {
        let known = self.algorithm(&spec.algorithm);
        let mut canonical = known.map_or_else(|_| spec.clone(), |entry| entry.info.without_defaults(spec));
        let heuristic = spec.heuristic.as_ref().map(|expr| self.canonical_heuristic(expr));
        if let Some(Ok(heuristic)) = heuristic {
            canonical.heuristic = Some(heuristic);
        }
        canonical
    }

    /// A completed heuristic in canonical form: a maximum names each heuristic once, in the order of the
    /// registry, and never another maximum.
    pub(super) fn canonical_heuristic(&self, expr: &HeuristicExpr) -> Result<HeuristicExpr, SpecError> {
        let mut terms = Vec::new();
        self.collect_canonical(expr, &mut terms)?;
        terms.sort_unstable();
        terms.dedup();
        let mut named = terms.into_iter().map(|(index, argument)| HeuristicExpr::Named {
            name: self.heuristics[index].info.name.to_string(),
            argument,
        });
        match (named.next(), named.len()) {
            (Some(only), 0) => Ok(only),
            (first, _) => Ok(HeuristicExpr::Max(first.into_iter().chain(named).collect())),
        }
    }

    /// Appends each heuristic of the expression as its index in the registry and its canonical argument.
    fn collect_canonical(
        &self,
        expr: &HeuristicExpr,
        terms: &mut Vec<(usize, Option<String>)>,
    ) -> Result<(), SpecError> {
        match expr {
            HeuristicExpr::Max(inner) => {
                inner.iter().try_for_each(|term| self.collect_canonical(term, terms))
            }
            HeuristicExpr::Named { name, argument } => {
                let index = self.heuristic_index(name)?;
                let entry = &self.heuristics[index];
                let argument = argument.as_ref().and_then(|argument| entry.canonical_argument(argument));
                terms.push((index, argument));
                Ok(())
            }
        }
    }
}
