//! What a whole comparison comes to: each solver over all positions and by length, its growth, what threads gained.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use untumble_search::puzzle::Cost;

use super::figure::{Figure, Unit};
use super::positions::Origin;
use super::row::{Best, Known, Row};
use super::sentences::Sentences;
use super::statistics::Growth;
use super::tally::Tally;
use untumble_session::figures;
use untumble_session::machine::Machine;

/// What was compared, and on what.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Subject {
    /// The version of untumble.
    pub untumble: String,
    /// The puzzle's full name.
    pub puzzle: String,
    /// The goal as asked for.
    pub goal: Option<String>,
    /// The metric as asked for.
    pub metric: Option<String>,
    /// Where the positions come from.
    pub origin: Origin,
    /// The number of positions.
    pub positions: usize,
    /// Limits of each search.
    pub limits: Limits,
    /// Every solver with its threads, in the order in which they are listed.
    pub entrants: Vec<Name>,
}

/// The limits that were asked for.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Seconds.
    pub seconds: Option<f64>,
    /// Generated nodes.
    pub nodes: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
}

/// A solver and its threads.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The solver's text.
    pub solver: String,
    /// Threads of each search.
    pub threads: usize,
}

/// What a solver's tables took.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Preparation {
    /// Seconds.
    pub seconds: Figure,
    /// Bytes.
    pub bytes: Figure,
}

/// All that is known in the end; serialized it is `results.json`.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Study {
    /// What was compared.
    #[serde(flatten)]
    pub subject: Subject,
    /// Where it was measured.
    pub machine: Machine,
    /// Ranges of best known lengths; the last may be for positions that nobody solved.
    pub groups: Vec<Group>,
    /// One entry for each solver.
    pub solvers: Vec<Solver>,
    /// What threads gained, for those who were measured on several numbers of them.
    pub scaling: Vec<Scaling>,
    /// How many positions every solver solved that solved any: the ones on which these are compared.
    pub common: usize,
    /// The labels of those that solved none.
    pub left_out: Vec<String>,
    /// The findings in words.
    pub sentences: Sentences,
}

/// Positions whose best known solutions are about equally long.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The least and the greatest length; nothing for positions that nobody solved.
    pub lengths: Option<(Cost, Cost)>,
    /// The number of positions.
    pub positions: usize,
}

impl Group {
    fn holds(&self, best: Option<Best>) -> bool {
        match (self.lengths, best) {
            (Some((least, most)), Some(best)) => (least..=most).contains(&best.length),
            (None, None) => true,
            _ => false,
        }
    }

    /// What to call it.
    pub fn title(&self) -> String {
        match self.lengths {
            Some((least, most)) if least == most => figures::counted(least.into(), "move"),
            Some((least, most)) => format!("{least}–{most} moves"),
            None => "not solved by any".into(),
        }
    }
}

/// One solver.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Solver {
    /// The name, unique in its list.
    #[serde(flatten)]
    pub name: Name,
    /// What to call it: the solver, and the threads where that tells it from others.
    pub label: String,
    /// What preparation took.
    pub tables: Preparation,
    /// Over all positions.
    pub all: Tally,
    /// Over the positions that every solver solved that solved any.
    pub common: Tally,
    /// In the order of the study's groups.
    pub groups: Vec<Tally>,
    /// How nodes grow with length, where enough is known.
    pub growth: Option<Growing>,
    /// For each best known length.
    #[serde(skip)]
    pub lengths: BTreeMap<Cost, Tally>,
}

/// Nodes as `factor · base^length`.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Growing {
    /// The factor by which nodes grow with each move.
    pub base: Figure,
    /// Nodes at length zero.
    pub factor: Figure,
    /// The coefficient of determination.
    pub determination: Figure,
    #[serde(skip)]
    pub(crate) exact: Growth,
}

/// A solver on more threads against itself on the fewest.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Scaling {
    /// The name, unique in its list.
    #[serde(flatten)]
    pub name: Name,
    /// The fewest threads it was measured on.
    pub against: usize,
    /// How many positions both solved.
    pub positions: usize,
    /// Time on fewer threads by time on these.
    pub speedup: Figure,
    /// The speed-up by the number of times the threads are more.
    pub efficiency: Figure,
}

/// Rows, and the best known solutions of their positions.
pub struct Rows<'a> {
    rows: &'a [Row],
    best: BTreeMap<usize, Best>,
}

impl<'a> Rows<'a> {
    /// Looks for the best of each position.
    pub fn new(rows: &'a [Row]) -> Rows<'a> {
        let mut places: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
        for row in rows {
            places.entry(row.position).or_default().push(row);
        }
        let best = places
            .into_iter()
            .filter_map(|(place, rows)| Some((place, Best::of(rows.iter().copied())?)))
            .collect();
        Rows { rows, best }
    }

    /// The rows, each with the best of its position.
    pub fn iter(&self) -> impl Iterator<Item = Known<'a>> {
        self.rows.iter().map(|row| (row, self.best.get(&row.position).copied()))
    }

    /// Those of one solver.
    pub fn about(&self, name: &Name) -> Vec<Known<'a>> {
        self.iter().filter(|(row, _)| row.solver == name.solver && row.threads == name.threads).collect()
    }

    /// The positions that each of `names` solved, in order.
    fn solved_by_all(&self, names: &[&Name]) -> Vec<usize> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for name in names {
            for (row, _) in self.about(name).iter().filter(|(row, _)| row.solved()) {
                *counts.entry(row.position).or_default() += 1;
            }
        }
        counts.into_iter().filter(|(_, count)| *count == names.len()).map(|(place, _)| place).collect()
    }
}

/// More lines than this under each other say less.
const MOST_GROUPS: u32 = 10;

impl Study {
    /// What the rows come to; `preparations` are those of the subject's entrants.
    pub fn new(subject: Subject, machine: Machine, preparations: &[Preparation], rows: &Rows<'_>) -> Study {
        let groups = groups(rows);
        // One that solves nothing must not keep the others from being compared.
        let (names, idle): (Vec<&Name>, Vec<&Name>) =
            subject.entrants.iter().partition(|name| rows.about(name).iter().any(|(row, _)| row.solved()));
        let common = if names.is_empty() { Vec::new() } else { rows.solved_by_all(&names) };
        let left_out = idle.into_iter().map(|name| subject.label(name)).collect();
        let solvers: Vec<Solver> = subject
            .entrants
            .iter()
            .zip(preparations)
            .map(|(name, tables)| Solver::new(name, &subject, *tables, &groups, &common, rows))
            .collect();
        let scaling = scaling(&subject.entrants, rows);
        let common = common.len();
        let sentences = Sentences::default();
        let study = Study { subject, machine, groups, solvers, scaling, common, left_out, sentences };
        Study { sentences: Sentences::about(&study), ..study }
    }

    /// How many positions at least one solver was measured on.
    pub fn measured(&self) -> usize {
        self.groups.iter().map(|group| group.positions).sum()
    }
}

impl Solver {
    fn new(
        name: &Name,
        subject: &Subject,
        tables: Preparation,
        groups: &[Group],
        common: &[usize],
        rows: &Rows<'_>,
    ) -> Solver {
        let rows = rows.about(name);
        let of = |holds: &dyn Fn(&Known<'_>) -> bool| {
            Tally::of(&rows.iter().copied().filter(|row| holds(row)).collect::<Vec<_>>())
        };
        let mut by_length: BTreeMap<Cost, Vec<Known<'_>>> = BTreeMap::new();
        for &(row, best) in &rows {
            if let Some(known) = best {
                by_length.entry(known.length).or_default().push((row, best));
            }
        }
        let points: Vec<(f64, f64)> = rows
            .iter()
            .filter(|(row, _)| row.solved())
            .filter_map(|(row, best)| Some((f64::from((*best)?.length), row.generated as f64)))
            .collect();
        Solver {
            name: name.clone(),
            label: subject.label(name),
            tables,
            all: Tally::of(&rows),
            common: of(&|(row, _)| common.binary_search(&row.position).is_ok()),
            groups: groups.iter().map(|group| of(&|(_, best)| group.holds(*best))).collect(),
            growth: Growth::fit(&points).map(|exact| Growing {
                base: Figure::new(Unit::Factor, exact.base),
                factor: Figure::new(Unit::Factor, exact.factor),
                determination: Figure::new(Unit::Factor, exact.determination),
                exact,
            }),
            lengths: by_length.into_iter().map(|(length, rows)| (length, Tally::of(&rows))).collect(),
        }
    }
}

impl Subject {
    /// What to call a solver: by its threads, too, where it was measured on several numbers of them.
    pub fn label(&self, name: &Name) -> String {
        let alike = self.entrants.iter().filter(|other| other.solver == name.solver).count();
        match (alike, name.threads) {
            (0 | 1, _) => name.solver.clone(),
            (_, 1) => format!("{} (1 thread)", name.solver),
            (_, threads) => format!("{} ({threads} threads)", name.solver),
        }
    }
}

/// Ranges of equal width over all lengths known.
fn groups(rows: &Rows<'_>) -> Vec<Group> {
    let lengths: Vec<Cost> = rows.best.values().map(|best| best.length).collect();
    let mut groups = Vec::new();
    if let (Some(&least), Some(&most)) = (lengths.iter().min(), lengths.iter().max()) {
        let mut known: Vec<Cost> = lengths.clone();
        known.sort_unstable();
        known.dedup();
        let ranges: Vec<(Cost, Cost)> = if known.len() <= MOST_GROUPS as usize {
            known.iter().map(|&length| (length, length)).collect()
        } else {
            let width = (most - least) / MOST_GROUPS + 1;
            let starts = (least..=most).step_by(width as usize);
            starts.map(|from| (from, from.saturating_add(width - 1).min(most))).collect()
        };
        groups.extend(ranges.into_iter().map(|(from, to)| Group {
            lengths: Some((from, to)),
            positions: lengths.iter().filter(|length| (from..=to).contains(*length)).count(),
        }));
        groups.retain(|group| group.positions > 0);
    }
    let mut unsolved: Vec<usize> =
        rows.iter().filter(|(_, best)| best.is_none()).map(|(row, _)| row.position).collect();
    unsolved.sort_unstable();
    unsolved.dedup();
    if !unsolved.is_empty() {
        groups.push(Group { lengths: None, positions: unsolved.len() });
    }
    groups
}

/// What threads gained.
fn scaling(entrants: &[Name], rows: &Rows<'_>) -> Vec<Scaling> {
    let mut found = Vec::new();
    for name in entrants {
        let alike = entrants.iter().filter(|other| other.solver == name.solver);
        let Some(fewest) = alike.clone().min_by_key(|other| other.threads) else { continue };
        if alike.count() < 2 {
            continue;
        }
        let both = rows.solved_by_all(&[name, fewest]);
        let seconds = |name: &Name| -> f64 {
            let about = rows.about(name);
            about
                .iter()
                .filter(|(row, _)| both.binary_search(&row.position).is_ok())
                .map(|(row, _)| row.seconds)
                .sum()
        };
        let (one, many) = (seconds(fewest), seconds(name));
        if many <= 0.0 {
            continue;
        }
        let speedup = one / many;
        let times = name.threads as f64 / fewest.threads as f64;
        found.push(Scaling {
            name: name.clone(),
            against: fewest.threads,
            positions: both.len(),
            speedup: Figure::new(Unit::Factor, speedup),
            efficiency: Figure::new(Unit::Share, speedup / times),
        });
    }
    found
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::row::tests::{solved, stopped};
    use super::*;

    /// The study of these rows; solvers whose rows differ in threads are told apart.
    pub(crate) fn study(solvers: &[&str], rows: &[Row]) -> Study {
        let mut entrants: Vec<Name> = Vec::new();
        for solver in solvers {
            for row in rows.iter().filter(|row| row.solver == *solver) {
                let name = Name { solver: row.solver.clone(), threads: row.threads };
                if !entrants.contains(&name) {
                    entrants.push(name);
                }
            }
        }
        let none =
            Preparation { seconds: Figure::new(Unit::Seconds, 0.0), bytes: Figure::new(Unit::Bytes, 0.0) };
        let preparations = vec![none; entrants.len()];
        let subject = Subject {
            untumble: "0".into(),
            puzzle: "a puzzle".into(),
            goal: None,
            metric: None,
            origin: Origin::Random { count: 1, seed: 1 },
            positions: rows.iter().map(|row| row.position).max().unwrap_or(0),
            limits: Limits { seconds: None, nodes: None, memory: None },
            entrants,
        };
        Study::new(subject, Machine::here(), &preparations, &Rows::new(rows))
    }

    #[test]
    fn lengths_are_grouped_and_none_is_lost() {
        let rows: Vec<Row> = (1..=31)
            .map(|place| solved(place, "a", place as Cost, 10, 0.1))
            .chain([stopped(32, "a")])
            .collect();
        let study = study(&["a"], &rows);
        assert!(study.groups.len() <= 11, "{:?}", study.groups);
        assert_eq!(study.groups.iter().map(|group| group.positions).sum::<usize>(), 32);
        let counted: u64 = study.solvers[0].groups.iter().map(|tally| tally.positions).sum();
        assert_eq!(counted, 32);
        assert_eq!(study.groups.last().map(Group::title).as_deref(), Some("not solved by any"));
        assert_eq!(study.groups[0].title(), "1–4 moves");
    }

    #[test]
    fn few_lengths_have_a_group_each() {
        let rows: Vec<Row> = [1, 20, 300].map(|length| solved(length as usize, "a", length, 10, 0.1)).into();
        let titles: Vec<String> = study(&["a"], &rows).groups.iter().map(Group::title).collect();
        assert_eq!(titles, ["1 move", "20 moves", "300 moves"]);
    }

    #[test]
    fn threads_are_compared_with_the_fewest() {
        let with = |threads: usize, seconds: f64| Row { threads, ..solved(1, "p", 9, 100, seconds) };
        let study =
            study(&["p", "one"], &[with(1, 4.0), with(2, 2.5), with(4, 2.0), solved(1, "one", 9, 5, 1.0)]);
        let found: Vec<(usize, f64, f64)> =
            study.scaling.iter().map(|s| (s.name.threads, s.speedup.value(), s.efficiency.value())).collect();
        assert_eq!(found, [(1, 1.0, 1.0), (2, 1.6, 0.8), (4, 2.0, 0.5)]);
        let labels: Vec<&str> = study.solvers.iter().map(|solver| solver.label.as_str()).collect();
        assert_eq!(labels, ["p (1 thread)", "p (2 threads)", "p (4 threads)", "one"]);
    }
}
