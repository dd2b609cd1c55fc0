//! The algorithms, what is known about each, and how a name becomes one.

pub mod beam;
pub mod best_first;
pub mod bidirectional;
pub mod breadth;
pub mod gpu;
pub mod ida;
pub mod insertion;
#[cfg(test)]
mod tests;
pub mod tunnel;
#[cfg(test)]
mod wide_tests;

use crate::bounded_dfs::BoundedDfs;
use crate::control::Control;
use crate::error::{Error, did_you_mean};
use crate::heuristic::{Heuristic, Zero};
use crate::puzzle::{Cost, Puzzle};
use crate::report::Report;
use crate::spec::{HeuristicExpr, Spec, Values};

/// A prepared algorithm: tables loaded, ready for any number of positions.
pub trait Solver<P: Puzzle>: Send + Sync {
    /// Searches from `starts` within what `control` allows. Every path found
    /// has been offered to `control` when this returns.
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report;

    /// The bounded search inside, for drivers that cut and spread it.
    fn probe<'a>(
        &'a self,
        _puzzle: &'a P,
        _starts: &'a [P::State],
        _all: bool,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        None
    }
}

/// Whether an algorithm takes a heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// It has no use for one.
    Nothing,
    /// It needs one; the puzzle's default where none is named.
    Heuristic,
}

/// What is known about an algorithm: enough to list it, to offer it in a form and to check its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Algorithm {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// What it promises.
    pub promise: &'static str,
    /// Whether it takes a heuristic.
    pub takes: Takes,
    /// Its options.
    pub options: &'static [OptionOf],
    /// Whether its proof can be saved and taken up again: [`ida::iterative_deepening`] runs it.
    pub saves: bool,
}

/// What is known about an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionOf {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// The values it takes.
    pub values: Values,
    /// The value where it is not given; empty where it must be given.
    pub default: &'static str,
}

const RAISE: OptionOf = OptionOf {
    name: "raise",
    what: "a child's bound raises its parent's and cuts the remaining siblings",
    values: Values::SWITCH,
    default: "on",
};

const WEIGHT: OptionOf = OptionOf {
    name: "w",
    what: "weight of the heuristic; the answer is at most w times as long as the shortest",
    values: Values::Number { least: 1, most: 100, decimals: 2 },
    default: "1",
};

const WIDTH: OptionOf = OptionOf {
    name: "width",
    what: "how many states are kept of a level",
    values: Values::Integer { least: 1, most: beam::Beam::WIDEST as u64 },
    default: "1000",
};

const SEED: OptionOf = OptionOf {
    name: "seed",
    what: "decides between states of equal score",
    values: Values::Integer { least: 0, most: Values::LARGEST },
    default: "0",
};

/// The algorithms that work for every puzzle.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "bfs",
        what: "breadth-first search on one thread",
        promise: "shortest",
        takes: Takes::Nothing,
        options: &[],
        saves: false,
    },
    Algorithm {
        name: "parbfs",
        what: "breadth-first search on all threads, with a barrier at every level",
        promise: "shortest (barrier=off: none)",
        takes: Takes::Nothing,
        options: &[OptionOf {
            name: "barrier",
            what: "whether threads wait for each other at every level; off shows what happens without",
            values: Values::SWITCH,
            default: "on",
        }],
        saves: false,
    },
    Algorithm {
        name: "bibfs",
        what: "breadth-first search from both ends",
        promise: "shortest",
        takes: Takes::Nothing,
        options: &[],
        saves: false,
    },
    Algorithm {
        name: "dfs",
        what: "depth-first search to a depth",
        promise: "none",
        takes: Takes::Nothing,
        options: &[OptionOf {
            name: "depth",
            what: "how deep to look",
            values: Values::Integer { least: 0, most: MOST_DEPTH as u64 },
            default: "",
        }],
        saves: false,
    },
    Algorithm {
        name: "iddfs",
        what: "iterative deepening without a heuristic",
        promise: "shortest",
        takes: Takes::Nothing,
        options: &[],
        saves: true,
    },
    Algorithm {
        name: "astar",
        what: "A*; nodes are reopened where the heuristic is inconsistent",
        promise: "shortest (w>1: within a factor w)",
        takes: Takes::Heuristic,
        options: &[WEIGHT],
        saves: false,
    },
    Algorithm {
        name: "parastar",
        what: "A* on all threads, states owned by hash",
        promise: "shortest (w>1: within a factor w)",
        takes: Takes::Heuristic,
        options: &[WEIGHT],
        saves: false,
    },
    Algorithm {
        name: "greedy",
        what: "best-first search by the heuristic alone",
        promise: "none",
        takes: Takes::Heuristic,
        options: &[],
        saves: false,
    },
    Algorithm {
        name: "uniform",
        what: "best-first search by cost alone",
        promise: "shortest",
        takes: Takes::Nothing,
        options: &[],
        saves: false,
    },
    Algorithm {
        name: "ida",
        what: "IDA* on one thread",
        promise: "shortest",
        takes: Takes::Heuristic,
        options: &[RAISE],
        saves: true,
    },
    Algorithm {
        name: "parida",
        what: "IDA* on all threads; uneven subtrees are split again",
        promise: "shortest",
        takes: Takes::Heuristic,
        options: &[RAISE],
        saves: true,
    },
    Algorithm {
        name: "beam",
        what: "beam search on all threads: the best states of every level; widens where it is stuck",
        promise: "none",
        takes: Takes::Heuristic,
        options: &[WIDTH, SEED],
        saves: false,
    },
    Algorithm {
        name: "tunnel",
        what: "makes an answer shorter: the shortest way among the states near it, ever wider, and beams from places along it; a beam's answer where none is known",
        promise: "none",
        takes: Takes::Heuristic,
        options: &[WIDTH, SEED],
        saves: false,
    },
];

/// A puzzle's own heuristics by name. Static types reach the hot loops through
/// `visit`, so none is erased there.
pub trait HeuristicFactory<P: Puzzle> {
    /// Makes the heuristic ready and hands it to `visitor`.
    fn resolve<V: HeuristicVisitor<P>>(&self, bound: &HeuristicExpr, visitor: V) -> Result<V::Out, Error>;
    /// The one used where none is named.
    fn default_heuristic(&self) -> HeuristicExpr;
}

/// Whoever wants a heuristic of a type not known before.
pub trait HeuristicVisitor<P: Puzzle> {
    /// What becomes of it.
    type Out;
    /// Takes the heuristic.
    fn visit<H: Heuristic<P>>(self, heuristic: H) -> Result<Self::Out, Error>;
}

/// Checks a spec's options and heuristic against what is known about its
/// algorithm, and fills in the default heuristic.
pub fn complete<'a>(
    spec: &Spec,
    known: impl IntoIterator<Item = &'a Algorithm> + Clone,
    default_heuristic: impl FnOnce() -> HeuristicExpr,
) -> Result<Spec, Error> {
    let Some(algorithm) = known.clone().into_iter().find(|a| a.name == spec.algorithm) else {
        let near = did_you_mean(&spec.algorithm, known.into_iter().map(|a| a.name).chain(["auto"]));
        return Err(Error::Usage(format!(
            "there is no algorithm `{}`{near} (`untumble list solvers`)",
            spec.algorithm
        )));
    };
    for (name, _) in &spec.options {
        let option = algorithm.options.iter().find(|option| option.name == name);
        if option.is_none() {
            let names: Vec<&str> = algorithm.options.iter().map(|option| option.name).collect();
            let way_out = if names.is_empty() {
                format!("; {} takes none", algorithm.name)
            } else {
                match did_you_mean(name, names.iter().copied()) {
                    near if near.is_empty() => format!("; it takes {}", names.join(", ")),
                    near => near,
                }
            };
            return Err(Error::Usage(format!("{} has no option `{name}`{way_out}", algorithm.name)));
        }
        option.map_or(Ok(()), |option| spec.validate(name, option.values))?;
    }
    if let Some(option) =
        algorithm.options.iter().find(|o| o.default.is_empty() && spec.option(o.name).is_none())
    {
        return Err(Error::Usage(format!(
            "{} needs {}: {} ({}), as in {}:{}=20",
            algorithm.name, option.name, option.what, option.values, algorithm.name, option.name
        )));
    }
    let mut spec = spec.clone();
    match (algorithm.takes, &spec.heuristic) {
        (Takes::Nothing, Some(bound)) => {
            Err(Error::Usage(format!("{} uses no heuristic; leave out `+{bound}`", algorithm.name)))
        }
        (Takes::Heuristic, None) => {
            spec.heuristic = Some(default_heuristic());
            Ok(spec)
        }
        _ => Ok(spec),
    }
}

/// Whether a solver promises shortest solutions, if its heuristic keeps the promise.
pub fn promises_shortest(spec: &Spec, known: &[Algorithm]) -> bool {
    let promised = known.iter().any(|a| a.name == spec.algorithm && a.promise.starts_with("shortest"));
    let weighted = spec.option("w").is_some_and(|w| w.parse() != Ok(1.0));
    promised && !weighted && spec.option("barrier") != Some("off")
}

/// Refuses a solver that cannot list every shortest sequence, because it promises none.
pub fn lists_all(spec: &Spec, known: &[Algorithm]) -> Result<(), Error> {
    if promises_shortest(spec, known) {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "--all needs a solver that promises shortest solutions; {spec} does not (ida, astar, bibfs … do)"
    )))
}

/// Refuses a solver whose proof cannot be saved.
pub fn saves(spec: &Spec, known: &[Algorithm]) -> Result<(), Error> {
    if known.iter().any(|a| a.name == spec.algorithm && a.saves) {
        return Ok(());
    }
    let names: Vec<&str> = known.iter().filter(|a| a.saves).map(|a| a.name).collect();
    let way_out = if names.is_empty() {
        "no solver of this puzzle can; leave --checkpoint out".into()
    } else {
        format!("name one that can ({}), or leave --checkpoint out", names.join(", "))
    };
    Err(Error::Usage(format!("the work of {spec} cannot be saved; {way_out}")))
}

/// Makes one of [`ALGORITHMS`] from a completed spec.
pub fn assemble<P: Puzzle>(
    spec: &Spec,
    bounds: &impl HeuristicFactory<P>,
) -> Result<Box<dyn Solver<P>>, Error> {
    match spec.algorithm.as_str() {
        "bfs" => Ok(Box::new(breadth::Breadth { parallel: false })),
        "parbfs" if !spec.switch("barrier", true) => Ok(Box::new(breadth::Unordered)),
        "parbfs" => Ok(Box::new(breadth::Breadth { parallel: true })),
        "bibfs" => Ok(Box::new(bidirectional::Bidirectional)),
        "iddfs" => Ok(Box::new(ida::Ida::blind())),
        "dfs" => Ok(Box::new(ida::Dfs { depth: spec.number("depth", 0) })),
        "uniform" => Ok(Box::new(best_first::BestFirst::new(Zero, best_first::Weights::UNIFORM))),
        _ => {
            let bound = spec.heuristic.clone().unwrap_or_else(|| bounds.default_heuristic());
            bounds.resolve(&bound, Assemble { spec })
        }
    }
}

/// The width and the seed of a beam.
pub fn beam_options(spec: &Spec) -> (usize, u64) {
    (spec.number("width", 1000), spec.number("seed", 0))
}

/// Recursions this deep still fit the stacks we ask for.
const MOST_DEPTH: Cost = 10_000;

struct Assemble<'a> {
    spec: &'a Spec,
}

impl<P: Puzzle> HeuristicVisitor<P> for Assemble<'_> {
    type Out = Box<dyn Solver<P>>;

    fn visit<H: Heuristic<P>>(self, heuristic: H) -> Result<Self::Out, Error> {
        use best_first::{BestFirst, Weights};
        let spec = self.spec;
        match spec.algorithm.as_str() {
            "ida" | "parida" => {
                let (raise, parallel) = (spec.switch("raise", true), spec.algorithm == "parida");
                Ok(Box::new(ida::Ida { heuristic, raise, parallel }))
            }
            "astar" | "parastar" => {
                let weights = Weights::weighted(spec.number("w", 1.0));
                let parallel = spec.algorithm == "parastar";
                Ok(Box::new(BestFirst { heuristic: Box::new(heuristic), weights, parallel }))
            }
            "greedy" => Ok(Box::new(BestFirst::new(heuristic, Weights::GREEDY))),
            "beam" | "tunnel" => {
                let (width, seed) = beam_options(spec);
                if spec.algorithm == "beam" {
                    return Ok(Box::new(beam::Beam { heuristic, width, seed }));
                }
                let beams: tunnel::Beams<P> = Box::new(move |width, seed, puzzle: &P, starts, control| {
                    beam::by_heuristic(&heuristic, width, seed, puzzle, starts, control)
                });
                Ok(Box::new(tunnel::Tunnel { beams, width, seed }))
            }
            other => Err(Error::Usage(format!("there is no algorithm `{other}`"))),
        }
    }
}
