//! What the rows of one solver come to, over all positions or those of some length.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figure::{Figure, Unit};
use super::row::{Best, Known, Row};
use super::statistics::{branching, deviation, mean, quantile};

/// How numbers are spread.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The mean.
    pub mean: Figure,
    /// The median.
    pub median: Figure,
    /// The 5th percentile.
    pub p05: Figure,
    /// The 95th percentile.
    pub p95: Figure,
    /// The maximum.
    pub max: Figure,
    /// The standard deviation; nothing for a single number.
    pub deviation: Option<Figure>,
}

impl Spread {
    /// Of these numbers; nothing where there are none.
    pub fn of(unit: Unit, values: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let figure = |value: f64| Figure::new(unit, value);
        let quantile = |share: f64| quantile(&values, share).map(figure);
        Some(Spread {
            mean: figure(mean(&values)?),
            median: quantile(0.5)?,
            p05: quantile(0.05)?,
            p95: quantile(0.95)?,
            max: quantile(1.0)?,
            deviation: deviation(&values).map(figure),
        })
    }
}

/// How many solutions there are, and of what kind. These decide what is said; shares are rounded and only shown.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solutions {
    /// All of them, also those in hand when a limit stopped the search.
    pub found: u64,
    /// Proven shortest by the solver itself.
    pub proven: u64,
    /// Shortest, whoever proved it.
    pub shortest: u64,
    /// Longer than the best known.
    pub longer: u64,
}

/// Everything that is counted and averaged. What a search took is averaged over the positions that were solved: how long one
/// would have taken that was stopped is not known. What is said about solutions is about all that were found.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Tally {
    /// The number of positions.
    pub positions: u64,
    /// Positions solved.
    pub solved: u64,
    /// Ended by a limit, and by which.
    pub stopped: u64,
    /// Stopped searches by limit.
    pub stops: BTreeMap<String, u64>,
    /// The solutions found.
    pub solutions: Solutions,
    /// Seconds.
    pub seconds: Option<Spread>,
    /// Nodes generated.
    pub generated: Option<Spread>,
    /// Distinct states seen.
    pub visited: Option<Spread>,
    /// All nodes by all seconds.
    pub rate: Option<Figure>,
    /// Cost of the solution.
    pub length: Option<Spread>,
    /// The share of the solutions that the solver itself proved shortest.
    pub proven: Option<Figure>,
    /// The share that is shortest, whoever proved it.
    pub shortest: Option<Figure>,
    /// The share that is longer than the best known.
    pub longer: Option<Figure>,
    /// By how many moves those are longer, on average.
    pub excess: Option<Figure>,
    /// Of all searches that were begun, those that were stopped too.
    pub peak_bytes: Option<Spread>,
    /// The mean effective branching factor.
    pub branching: Option<Figure>,
}

impl Tally {
    /// What these rows of one solver come to.
    pub fn of(rows: &[Known<'_>]) -> Tally {
        let solved: Vec<&Known<'_>> = rows.iter().filter(|(row, _)| row.solved()).collect();
        let values = |value: fn(&Row) -> f64| solved.iter().map(move |(row, _)| value(row));
        let count = |holds: fn(&Row, Best) -> bool| {
            rows.iter().filter(|(row, best)| best.is_some_and(|best| holds(row, best))).count() as u64
        };
        let solutions = Solutions {
            found: count(|row, _| row.length.is_some()),
            proven: count(|row, _| row.length.is_some() && row.optimal),
            shortest: count(|row, best| best.proven && row.length == Some(best.length)),
            longer: count(|row, best| row.length > Some(best.length)),
        };
        let share = |count: u64| {
            (solutions.found > 0).then(|| Figure::new(Unit::Share, count as f64 / solutions.found as f64))
        };
        let mut stops = BTreeMap::new();
        for (row, _) in rows.iter().filter(|(row, _)| row.stopped()) {
            *stops.entry(row.stop.clone().unwrap_or_default()).or_insert(0) += 1;
        }
        let seconds: f64 = values(|row| row.seconds).sum();
        let excess: Vec<f64> = rows.iter().filter_map(|(row, best)| excess(row, *best)).collect();
        let branchings: Vec<f64> =
            solved.iter().filter_map(|(row, best)| branching(row.generated, (*best)?.length)).collect();
        Tally {
            positions: rows.len() as u64,
            solved: solved.len() as u64,
            stopped: stops.values().sum(),
            stops,
            solutions,
            seconds: Spread::of(Unit::Seconds, values(|row| row.seconds)),
            generated: Spread::of(Unit::Count, values(|row| row.generated as f64)),
            visited: Spread::of(Unit::Count, values(|row| row.visited as f64)),
            rate: (seconds > 0.0).then(|| {
                Figure::new(Unit::PerSecond, values(|row| row.generated as f64).sum::<f64>() / seconds)
            }),
            length: Spread::of(Unit::Count, rows.iter().filter_map(|(row, _)| row.length.map(f64::from))),
            proven: share(solutions.proven),
            shortest: share(solutions.shortest),
            longer: share(solutions.longer),
            excess: mean(&excess).map(|mean| Figure::new(Unit::Count, mean)),
            peak_bytes: Spread::of(
                Unit::Bytes,
                rows.iter().filter(|(row, _)| row.begun()).map(|(row, _)| row.peak_bytes as f64),
            ),
            branching: mean(&branchings).map(|mean| Figure::new(Unit::Factor, mean)),
        }
    }

    /// Whether there are solutions and every one is shortest.
    pub fn all_shortest(&self) -> bool {
        self.solutions.found > 0 && self.solutions.shortest == self.solutions.found
    }
}

/// By how many moves a solution is longer than the best known; nothing where it is not.
fn excess(row: &Row, best: Option<Best>) -> Option<f64> {
    let excess = row.length?.checked_sub(best?.length)?;
    (excess > 0).then(|| f64::from(excess))
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::{solved, stopped};
    use super::*;

    #[test]
    fn stopped_searches_spoil_no_average() {
        let best = Some(Best { length: 10, proven: true });
        let long = Row { length: Some(14), optimal: false, ..solved(2, "a", 14, 300, 0.3) };
        let rows = [solved(1, "a", 10, 100, 0.1), long, stopped(3, "a")];
        let rows: Vec<Known<'_>> = rows.iter().map(|row| (row, best)).collect();
        let tally = Tally::of(&rows);
        assert_eq!((tally.positions, tally.solved, tally.stopped), (3, 2, 1));
        assert_eq!(tally.stops.get("time"), Some(&1));
        let value = |figure: Option<Figure>| figure.map(Figure::value);
        assert_eq!(tally.seconds.map(|spread| spread.mean.value()), Some(0.2));
        assert_eq!(tally.generated.map(|spread| spread.max.value()), Some(300.0));
        assert_eq!(value(tally.rate), Some(1000.0));
        assert_eq!(value(tally.proven), Some(0.5));
        assert_eq!(value(tally.shortest), Some(0.5));
        assert_eq!((value(tally.longer), value(tally.excess)), (Some(0.5), Some(4.0)));
    }

    #[test]
    fn a_solution_in_hand_counts_though_the_search_was_stopped() {
        let best = Some(Best { length: 10, proven: false });
        let rows = [
            Row { length: Some(12), peak_bytes: 1 << 20, ..stopped(1, "a") },
            Row { optimal: false, lower_bound: 0, ..solved(2, "a", 10, 100, 0.1) },
        ];
        let rows: Vec<Known<'_>> = rows.iter().map(|row| (row, best)).collect();
        let tally = Tally::of(&rows);
        assert_eq!((tally.solved, tally.stopped), (1, 1));
        assert_eq!(tally.solutions, Solutions { found: 2, proven: 0, shortest: 0, longer: 1 });
        assert_eq!(tally.length.map(|spread| spread.mean.value()), Some(11.0));
        assert_eq!(tally.longer.map(Figure::value), Some(0.5));
        assert_eq!(tally.excess.map(Figure::value), Some(2.0));
        assert_eq!(tally.seconds.map(|spread| spread.max.value()), Some(0.1), "what it took is not known");
        assert_eq!(tally.peak_bytes.map(|spread| spread.max.value()), Some(f64::from(1 << 20)));
    }

    #[test]
    fn shares_of_many_positions_are_not_all_by_rounding() {
        let best = Some(Best { length: 10, proven: true });
        let long = Row { optimal: false, ..solved(1, "a", 12, 100, 0.1) };
        let short = solved(2, "a", 10, 100, 0.1);
        let mut rows: Vec<Known<'_>> = vec![(&short, best); 29_999];
        rows.push((&long, best));
        let tally = Tally::of(&rows);
        assert!(!tally.all_shortest());
        let text = |figure: Option<Figure>| figure.map(Figure::text).expect("a share");
        assert_eq!([tally.proven, tally.shortest, tally.longer].map(text), ["99.99 %", "99.99 %", "0.01 %"]);
    }

    #[test]
    fn nothing_solved_is_nothing_averaged() {
        let row = stopped(1, "a");
        let tally = Tally::of(&[(&row, None)]);
        assert_eq!((tally.seconds, tally.rate, tally.proven, tally.excess), (None, None, None, None));
        assert!(!tally.all_shortest());
    }
}
