//! The findings of an analysis in words.
//!
//! Sentences are computed from the numbers alone: which solver a sentence names never depends on the order
//! in which the solvers were listed.

mod comparison;
#[cfg(test)]
mod noise_tests;
mod solver;

pub(crate) use comparison::clock;

use serde::Serialize;

use super::analysis::{Analysis, SolverResult};
use super::quantity::{Quantity, Unit};
use super::summary::Summary;

/// One or more sentences about each aspect of an analysis.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// Comparisons between solvers.
    pub general: Vec<String>,
    /// One text for each solver, in the order of the analysis.
    pub solvers: Vec<String>,
}

impl Findings {
    /// States the findings of an analysis.
    pub fn of(analysis: &Analysis) -> Findings {
        Findings {
            general: comparison::sentences(analysis),
            solvers: analysis.solvers.iter().map(solver::sentences).collect(),
        }
    }
}

/// The mean excess of the solutions longer than the best known, as in `by 2 moves on average`.
fn excess(summary: &Summary) -> Option<String> {
    let excess = summary.excess?;
    let moves = if excess.value() == 1.0 { "move" } else { "moves" };
    let average = if summary.solutions.longer > 1 { " on average" } else { "" };
    Some(format!("by {} {moves}{average}", excess.text()))
}

/// The solvers that have the quantity, in ascending order.
fn ranking<'a>(
    solvers: impl IntoIterator<Item = &'a SolverResult>,
    quantity: impl Fn(&SolverResult) -> Option<Quantity>,
) -> Vec<(&'a SolverResult, Quantity)> {
    let mut ranked: Vec<(&SolverResult, Quantity)> =
        solvers.into_iter().filter_map(|solver| Some((solver, quantity(solver)?))).collect();
    ranked.sort_by(|(_, a), (_, b)| a.value().total_cmp(&b.value()));
    ranked
}

/// The solvers that share the first rank.
fn leaders<'a>(ranking: &[(&'a SolverResult, Quantity)]) -> Vec<&'a SolverResult> {
    let first = ranking.first().map(|(_, quantity)| *quantity);
    ranking.iter().filter(|(_, quantity)| Some(*quantity) == first).map(|(solver, _)| *solver).collect()
}

/// The labels as in `a, b and c`, ordered by mean time.
fn list(solvers: &[&SolverResult]) -> String {
    let ranked = ranking(solvers.iter().copied(), |solver| {
        Some(solver.all.seconds.map_or(Quantity::new(Unit::Seconds, f64::MAX), |seconds| seconds.mean))
    });
    let labels: Vec<&str> = ranked.iter().map(|(solver, _)| solver.label.as_str()).collect();
    join(&labels)
}

/// Joins words as in `a, b and c`.
fn join(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::analysis;
    use super::super::row::Row;
    use super::super::row::tests::{solved, stopped};

    /// Three solvers: a fast optimal one, one with longer solutions, and a slow one that is stopped once.
    fn rows(quick: &str, loose: &str, slow: &str) -> Vec<Row> {
        let mut rows = Vec::new();
        for position in 1..=20 {
            let length = 5 + position as u32;
            let nodes = 10 * (1u64 << (position / 2));
            rows.push(solved(position, quick, length, nodes, 1e-6 * nodes as f64));
            let extra = if position % 4 == 0 { 2 } else { 0 };
            rows.push(Row {
                optimal: false,
                lower_bound: 0,
                ..solved(position, loose, length + extra, nodes / 2, 3e-6 * nodes as f64)
            });
            rows.push(if position == 20 {
                stopped(position, slow)
            } else {
                solved(position, slow, length, 40 * nodes, 4e-5 * nodes as f64)
            });
        }
        rows
    }

    #[test]
    fn sentences_state_the_numbers() {
        let analysis = analysis(&["quick", "loose", "slow"], &rows("quick", "loose", "slow"));
        let text = analysis.findings.general.join("\n");
        for part in [
            "Every solution of quick and slow is optimal; 5 of 20 solutions of loose are longer than the best \
             known, by 2 moves",
            "On the 19 positions solved by all solvers, quick is fastest in CPU time (mean ",
            "On the 19 positions solved by all, loose generated the fewest nodes",
            "Fewer nodes did not mean less time: quick generated 1 M nodes/s, loose only",
            "slow was stopped on 1 position",
        ] {
            assert!(text.contains(part), "`{part}` is missing in:\n{text}");
        }
        assert!(
            analysis.findings.solvers[0]
                .starts_with("quick solved all 20 positions; it proved every solution optimal.")
        );
        assert!(analysis.findings.solvers[1].contains(
            "it proved no solution optimal, and 5 of them are longer than the best known, by 2 moves"
        ));
        assert!(
            analysis.findings.solvers[2]
                .starts_with("slow solved 19 of 20 positions (1 stopped by the time limit)")
        );
    }

    #[test]
    fn swapping_two_solvers_rows_swaps_their_sentences() {
        // Names that occur in no other word of the sentences.
        let names = ["alpha", "beta", "gamma"];
        let before = analysis(&names, &rows("alpha", "beta", "gamma")).findings;
        for (a, b) in [("alpha", "beta"), ("beta", "gamma"), ("alpha", "gamma")] {
            let swap = |text: &str| text.replace(a, "\0").replace(b, a).replace('\0', b);
            let swapped: Vec<String> = names.iter().map(|name| swap(name)).collect();
            let after = analysis(&names, &rows(&swapped[0], &swapped[1], &swapped[2])).findings;
            let expected: Vec<String> = before.general.iter().map(|sentence| swap(sentence)).collect();
            assert_eq!(after.general, expected, "{a} and {b} changed places");
            for (name, sentence) in names.iter().zip(&after.solvers) {
                let index = names.iter().position(|other| *other == swap(name)).expect("a name");
                assert_eq!(*sentence, swap(&before.solvers[index]));
            }
        }
    }

    #[test]
    fn without_solutions_only_that_is_stated() {
        let rows: Vec<Row> =
            (1..=3).flat_map(|position| [stopped(position, "a"), stopped(position, "b")]).collect();
        let sentences = analysis(&["a", "b"], &rows).findings;
        assert_eq!(sentences.general.len(), 1, "{:?}", sentences.general);
        assert!(sentences.general[0].starts_with("No solver solved any position"));
        assert_eq!(
            sentences.solvers[0],
            "a solved none of 3 positions (3 stopped by the time limit). Peak memory 15.62 KiB."
        );
    }

    #[test]
    fn a_tie_for_the_fewest_nodes_is_no_contrast_to_time() {
        // Two solvers share the fewest nodes, and one of them is the fastest.
        let rows = |slow: &str, quick: &str| -> Vec<Row> {
            let both = |position: usize| {
                [
                    solved(position, slow, 9, 100, 0.3),
                    solved(position, quick, 9, 100, 0.1),
                    solved(position, "wasteful", 9, 900, 0.2),
                ]
            };
            (1..=12).flat_map(both).collect()
        };
        for (slow, quick) in [("a", "b"), ("b", "a")] {
            let text = analysis(&["a", "b", "wasteful"], &rows(slow, quick)).findings.general.join("\n");
            assert!(text.contains(&format!("{quick} and {slow} generated the fewest nodes")), "{text}");
            assert!(!text.contains("Fewer nodes did not mean less time"), "{text}");
        }
    }

    #[test]
    fn one_exception_among_many_is_counted_exactly() {
        let row = |position: usize| match position {
            1 => [
                solved(1, "exact", 9, 10, 0.1),
                Row { optimal: false, lower_bound: 0, ..solved(1, "nearly", 11, 10, 0.1) },
            ],
            _ => [solved(position, "exact", 9, 10, 0.1), solved(position, "nearly", 9, 10, 0.1)],
        };
        let rows: Vec<Row> = (1..=30_000).flat_map(row).collect();
        let sentences = analysis(&["exact", "nearly"], &rows).findings;
        assert_eq!(
            sentences.general[0],
            "Every solution of exact is optimal; 1 of 30,000 solutions of nearly is longer than the best \
             known, by 2 moves."
        );
        assert!(
            sentences.solvers[1].starts_with(
                "nearly solved all 30,000 positions; it proved 29,999 of its 30,000 solutions optimal, \
                 and 1 of them is longer than the best known, by 2 moves."
            ),
            "{}",
            sentences.solvers[1]
        );
    }

    #[test]
    fn solutions_of_stopped_searches_are_compared() {
        let row = |position, solver: &str, length| Row { length: Some(length), ..stopped(position, solver) };
        let rows = [row(1, "a", 130), row(2, "a", 134), row(1, "b", 132), row(2, "b", 134)];
        let sentences = analysis(&["a", "b"], &rows).findings;
        assert!(sentences.general[0].starts_with("Every search was stopped by a limit, so time"));
        assert_eq!(sentences.general[1], "1 of 2 solutions of b is longer than the best known, by 2 moves.");
        assert!(
            sentences.solvers[1].starts_with(
                "b solved none of 2 positions (2 stopped by the time limit); stopped searches found \
                 2 solutions; it proved no solution optimal, and 1 of them is longer"
            ),
            "{}",
            sentences.solvers[1]
        );
        assert_eq!(sentences.general.len(), 2, "{:?}", sentences.general);
    }

    #[test]
    fn a_solver_without_solutions_is_excluded_by_name() {
        let mut rows = rows("quick", "loose", "slow");
        rows.extend((1..=20).map(|position| stopped(position, "hopeless")));
        let analysis = analysis(&["hopeless", "quick", "loose", "slow"], &rows);
        let text = analysis.findings.general.join("\n");
        assert!(
            text.contains(
                "On the 19 positions solved by all solvers except hopeless, quick is fastest in CPU"
            ),
            "{text}"
        );
        assert!(
            text.contains("On the 19 positions solved by all, loose generated the fewest nodes"),
            "{text}"
        );
        assert_eq!(
            (analysis.common_positions, analysis.excluded.as_slice()),
            (19, &["hopeless".to_owned()][..])
        );
    }

    #[test]
    fn several_stopped_solvers_are_listed() {
        let mut rows = rows("quick", "loose", "slow");
        rows.extend((1..=20).map(|position| match position {
            1..=17 => solved(position, "slower", 5 + position as u32, 1 << 20, 1.0),
            _ => stopped(position, "slower"),
        }));
        let text = analysis(&["slower", "quick", "loose", "slow"], &rows).findings.general.join("\n");
        assert!(
            text.contains(
                "slow was stopped on 1 position and slower on 3 positions: stopped searches are excluded from \
                 the means of time and nodes, so their means are too low"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_slowdown_by_threads_is_explained_if_the_data_explains_it() {
        let text = |threads: usize, seconds: f64| {
            let with = |position: usize, threads: usize, seconds: f64| Row {
                threads,
                ..solved(position, "p", 9, 100, seconds)
            };
            let both = |position| [with(position, 1, seconds), with(position, threads, 2.0 * seconds)];
            let rows: Vec<Row> = (1..=10).flat_map(both).collect();
            analysis(&["p"], &rows).findings.general.join("\n")
        };
        let short = ": the searches are too short for several threads.";
        assert!(
            text(100_000, 1e-4).contains(&format!("takes 2 times as long on 100,000 threads as on 1{short}"))
        );
        assert!(text(100_000, 5.0).contains("as on 1: this machine has "));
        if untumble_session::machine::available_threads() >= 2 {
            assert!(text(2, 5.0).contains("p takes 2 times as long on 2 threads as on 1."));
        }
    }
}
