//! What the figures show, said in sentences. They are made from the figures alone: who is named where follows from who
//! did what, never from the order in which solvers were listed.

use serde::Serialize;

use super::figure::{Figure, Unit};
use super::study::{Scaling, Solver, Study};
use super::tally::{Solutions, Tally};
use untumble_session::figures::{counted, grouped};

/// A sentence, or two, on everything.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentences {
    /// On what the figures show.
    pub general: Vec<String>,
    /// On each solver, in the study's order.
    pub solvers: Vec<String>,
}

impl Sentences {
    /// What is to be said about a study.
    pub fn about(study: &Study) -> Sentences {
        let general = [
            nothing_solved(study),
            lengths(study),
            fastest(study),
            fewest_nodes(study),
            growth(study),
            memory(study),
            stopped(study),
        ];
        let general = general.into_iter().flatten().chain(threads(study)).collect();
        Sentences { general, solvers: study.solvers.iter().map(solver).collect() }
    }
}

/// One solver's sentences.
fn solver(solver: &Solver) -> String {
    let all = &solver.all;
    let solutions = all.solutions;
    let mut text = format!("{} solved {}", solver.label, solved(all));
    let in_hand = solutions.found.saturating_sub(all.solved);
    if in_hand > 0 {
        let more = if all.solved > 0 { " more" } else { "" };
        text.push_str(&format!(
            ", but had a solution of {}{more} in hand when it was stopped",
            grouped(in_hand)
        ));
    }
    if solutions.found > 0 {
        text.push_str(&format!("; {}", verdict(all)));
    }
    text.push('.');
    if let (Some(seconds), Some(nodes)) = (all.seconds, all.generated) {
        text.push_str(&format!(
            " A position took it {} and {} nodes on average (median {}, 95 % within {}).",
            seconds.mean.text(),
            nodes.mean.text(),
            seconds.median.text(),
            seconds.p95.text(),
        ));
    }
    if let Some(growth) = &solver.growth {
        text.push_str(&format!(
            " Each further move multiplies its nodes by {} (r² = {}).",
            growth.base.text(),
            growth.determination.text()
        ));
    }
    if let Some(bytes) = all.peak_bytes.filter(|bytes| bytes.max.value() > 0.0) {
        text.push_str(&format!(" It held {} of memory at most.", bytes.max.text()));
    }
    text
}

/// How many positions it solved, and what stopped it on the others.
fn solved(tally: &Tally) -> String {
    let positions = counted(tally.positions, "position");
    match (tally.solved, tally.positions) {
        (1, 1) => "the one position".into(),
        (solved, all) if solved == all => format!("all {positions}"),
        (0, _) => format!("none of {positions}{}", stops(tally)),
        (solved, _) => format!("{} of {positions}{}", grouped(solved), stops(tally)),
    }
}

/// Whether its solutions are shortest; there is at least one.
fn verdict(tally: &Tally) -> String {
    let Solutions { found, proven, longer, .. } = tally.solutions;
    let longer = match (longer, excess(tally)) {
        (1, Some(excess)) => format!("1 of them is longer than the best known, {excess}"),
        (2.., Some(excess)) => {
            format!("{} of them are longer than the best known, {excess}", grouped(longer))
        }
        _ => "none is longer than the best known".into(),
    };
    match proven {
        _ if proven == found => "it proved every solution shortest".into(),
        0 if tally.all_shortest() => {
            "it proved no solution shortest, yet every one is (others proved it)".into()
        }
        0 => format!("it proved no solution shortest, and {longer}"),
        _ => format!(
            "it proved {} of its {} shortest, and {longer}",
            grouped(proven),
            counted(found, "solution")
        ),
    }
}

/// By how much the longer ones of its solutions are longer.
fn excess(tally: &Tally) -> Option<String> {
    let excess = tally.excess?;
    let moves = if excess.value() == 1.0 { "move" } else { "moves" };
    let average = if tally.solutions.longer > 1 { " on average" } else { "" };
    Some(format!("by {} {moves}{average}", excess.text()))
}

/// Which limits ended how many searches, as an aside.
fn stops(tally: &Tally) -> String {
    let limit = |name: &str| match name {
        "time" => "the time limit",
        "nodes" => "the node limit",
        "memory" => "the memory limit",
        "depth" => "its depth limit",
        _ => "a limit",
    };
    let parts: Vec<String> = tally
        .stops
        .iter()
        .map(|(name, count)| format!("{} stopped by {}", grouped(*count), limit(name)))
        .collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// Those who have the figure, best first.
fn ranking<'a>(
    solvers: impl IntoIterator<Item = &'a Solver>,
    figure: impl Fn(&Solver) -> Option<Figure>,
) -> Vec<(&'a Solver, Figure)> {
    let mut found: Vec<(&Solver, Figure)> =
        solvers.into_iter().filter_map(|solver| Some((solver, figure(solver)?))).collect();
    found.sort_by(|(_, a), (_, b)| a.value().total_cmp(&b.value()));
    found
}

/// Those who share the first place of a ranking.
fn leaders<'a>(ranking: &[(&'a Solver, Figure)]) -> Vec<&'a Solver> {
    let best = ranking.first().map(|(_, figure)| *figure);
    ranking.iter().filter(|(_, figure)| Some(*figure) == best).map(|(solver, _)| *solver).collect()
}

/// The best and the worst of a ranking, each a list of those who share the place; nothing where all do.
fn extremes(ranking: &[(&Solver, Figure)]) -> Option<[(String, Figure); 2]> {
    let (best, worst) = (ranking.first()?.1, ranking.last()?.1);
    let last: Vec<(&Solver, Figure)> = ranking.iter().rev().copied().collect();
    (best != worst).then(|| [(list(&leaders(ranking)), best), (list(&leaders(&last)), worst)])
}

/// Labels as in `a, b and c`, the quicker ones first.
fn list(solvers: &[&Solver]) -> String {
    let ranked = ranking(solvers.iter().copied(), |solver| {
        Some(solver.all.seconds.map_or(Figure::new(Unit::Seconds, f64::MAX), |seconds| seconds.mean))
    });
    let labels: Vec<&str> = ranked.iter().map(|(solver, _)| solver.label.as_str()).collect();
    joined(&labels)
}

/// Move sequences as in `a, b and c`.
fn joined(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

fn times(more: Figure, less: Figure) -> String {
    Figure::new(Unit::Factor, more.value() / less.value()).text()
}

fn nothing_solved(study: &Study) -> Option<String> {
    const WAY_OUT: &str = "raise --time, --nodes or --memory, or pose easier positions with --depth.";
    if study.solvers.iter().any(|solver| solver.all.solved > 0) {
        return None;
    }
    let found = study.solvers.iter().any(|solver| solver.all.solutions.found > 0);
    Some(if found {
        format!(
            "Every search was stopped by a limit: solutions were found, but what they would have taken to the end is not known; {WAY_OUT}"
        )
    } else {
        format!("No solver solved any position within its limits, so there is nothing to compare; {WAY_OUT}")
    })
}

/// Who found shortest solutions and who did not.
fn lengths(study: &Study) -> Option<String> {
    let shortest: Vec<&Solver> = study.solvers.iter().filter(|solver| solver.all.all_shortest()).collect();
    let mut longer: Vec<&Solver> =
        study.solvers.iter().filter(|solver| solver.all.solutions.longer > 0).collect();
    let share = |solver: &Solver| {
        let Solutions { longer, found, .. } = solver.all.solutions;
        longer as f64 / found as f64
    };
    longer.sort_by(|a, b| share(a).total_cmp(&share(b)));
    let longer = longer.into_iter().filter_map(|solver| {
        let Solutions { longer, found, .. } = solver.all.solutions;
        Some(format!(
            "{} is longer than the best known on {} of its {}, {}",
            solver.label,
            grouped(longer),
            counted(found, "solution"),
            excess(&solver.all)?
        ))
    });
    let all = match shortest.as_slice() {
        [] => None,
        [one] => Some(format!("Every solution of {} is shortest", one.label)),
        several if several.len() == study.solvers.len() => {
            Some("Every solution of every solver is shortest".into())
        }
        several => Some(format!("Every solution of {} is shortest", list(several))),
    };
    let parts: Vec<String> = all.into_iter().chain(longer).collect();
    (!parts.is_empty()).then(|| parts.join("; ") + ".")
}

fn mean_seconds(solver: &Solver) -> Option<Figure> {
    solver.common.seconds.map(|seconds| seconds.mean)
}

fn mean_nodes(solver: &Solver) -> Option<Figure> {
    solver.common.generated.map(|nodes| nodes.mean)
}

/// Who took the least time on what all solved that solved anything.
fn fastest(study: &Study) -> Option<String> {
    let ranked = ranking(&study.solvers, mean_seconds);
    let [(best, least), (worst, most)] = extremes(&ranked)?;
    let left_out: Vec<&str> = study.left_out.iter().map(String::as_str).collect();
    let but = if left_out.is_empty() { String::new() } else { format!(" but {}", joined(&left_out)) };
    Some(format!(
        "On the {} that all{but} solved, {best} took the least time, {} on average, and {worst} the most, {}: {} times as much.",
        counted(study.common as u64, "position"),
        least.text(),
        most.text(),
        times(most, least)
    ))
}

/// Who generated the fewest nodes there, and whether that was the fastest.
fn fewest_nodes(study: &Study) -> Option<String> {
    let nodes = ranking(&study.solvers, mean_nodes);
    let [(best, least), (worst, most)] = extremes(&nodes)?;
    let mut text = format!(
        "There {best} generated the fewest nodes, {} on average, and {worst} the most, {}: {} times as many.",
        least.text(),
        most.text(),
        times(most, least)
    );
    let thrifty = leaders(&nodes);
    let quick = leaders(&ranking(&study.solvers, mean_seconds));
    // Of those who share a place the best at the other thing, so that nobody is named by the order of the list.
    let thriftiest = leaders(&ranking(thrifty.iter().copied(), mean_seconds));
    let quickest = leaders(&ranking(quick.iter().copied(), mean_nodes));
    if !quick.iter().any(|solver| thrifty.contains(solver))
        && let (Some(thrifty), Some(quick)) = (thriftiest.first(), quickest.first())
        && let (Some(slow), Some(fast)) = (thrifty.common.rate, quick.common.rate)
    {
        text.push_str(&format!(
            " Fewer nodes were not less time: {} generates {}, {} only {}.",
            quick.label,
            fast.text().replace("/s", " a second"),
            thrifty.label,
            slow.text().replace("/s", " a second")
        ));
    }
    Some(text)
}

/// Whose nodes grow slowest.
fn growth(study: &Study) -> Option<String> {
    let ranked = ranking(&study.solvers, |solver| solver.growth.map(|growth| growth.base));
    let [(best, least), (worst, most)] = extremes(&ranked)?;
    Some(format!(
        "With every further move the nodes of {best} are multiplied by {}, the least, and those of {worst} by {}, the most.",
        least.text(),
        most.text()
    ))
}

/// Who needs how much memory.
fn memory(study: &Study) -> Option<String> {
    let ranked = ranking(&study.solvers, |solver| solver.all.peak_bytes.map(|bytes| bytes.max));
    let [(best, least), (worst, most)] = extremes(&ranked)?;
    Some(format!(
        "{best} held at most {} of memory, the least, and {worst} {}, the most.",
        least.text(),
        most.text()
    ))
}

/// Whose averages are not to be trusted blindly.
fn stopped(study: &Study) -> Option<String> {
    let mut stopped: Vec<&Solver> =
        study.solvers.iter().filter(|solver| solver.all.stopped > 0 && solver.all.solved > 0).collect();
    stopped.sort_by_key(|solver| solver.all.stopped);
    let parts: Vec<String> = stopped
        .iter()
        .enumerate()
        .map(|(place, solver)| {
            let was = if place == 0 { " was stopped" } else { "" };
            format!("{}{was} on {}", solver.label, counted(solver.all.stopped, "position"))
        })
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let whom = if parts.len() == 1 { ["its", "it"] } else { ["their", "them"] };
    (!parts.is_empty()).then(|| {
        format!(
            "{}: those count in no average of time or nodes, so {} averages flatter {}; compare by length.",
            joined(&parts),
            whom[0],
            whom[1]
        )
    })
}

/// What threads gained.
fn threads(study: &Study) -> impl Iterator<Item = String> {
    let mut found: Vec<&Scaling> =
        study.scaling.iter().filter(|scaling| scaling.name.threads != scaling.against).collect();
    found.sort_by(|a, b| b.speedup.value().total_cmp(&a.speedup.value()));
    found.into_iter().map(|scaling| {
        let (threads, solver) = (counted(scaling.name.threads as u64, "thread"), &scaling.name.solver);
        let (against, speedup) = (scaling.against, scaling.speedup.value());
        if speedup < 1.0 {
            let longer = Figure::new(Unit::Factor, 1.0 / speedup).text();
            let why = reason(study, scaling);
            return format!("On {threads} {solver} takes {longer} times as long as on {against}{why}.");
        }
        if speedup == 1.0 {
            return format!("On {threads} {solver} takes as long as on {against}.");
        }
        let (speedup, efficiency) = (scaling.speedup.text(), scaling.efficiency.text());
        format!(
            "On {threads} {solver} is {speedup} times as fast as on {against}: an efficiency of {efficiency}."
        )
    })
}

/// Why more threads took longer, where the figures tell.
fn reason(study: &Study, scaling: &Scaling) -> String {
    /// Beginning and ending threads takes some tenths of a millisecond.
    const SHORT: f64 = 0.01;
    let fewest = study
        .solvers
        .iter()
        .find(|solver| solver.name.solver == scaling.name.solver && solver.name.threads == scaling.against);
    let short =
        fewest.and_then(|solver| solver.all.seconds).is_some_and(|seconds| seconds.mean.value() < SHORT);
    if short {
        ": searches this short do not repay the threads".into()
    } else if scaling.name.threads > study.machine.cores {
        format!(": this machine runs {} at once", study.machine.cores)
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Row;
    use super::super::row::tests::{solved, stopped};
    use super::super::study::tests::study;

    /// Three solvers: one quick and exact, one that finds longer ways, one slow that gives up.
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
    fn the_figures_are_said() {
        let study = study(&["quick", "loose", "slow"], &rows("quick", "loose", "slow"));
        let text = study.sentences.general.join("\n");
        for part in [
            "Every solution of quick and slow is shortest; loose is longer than the best known on 5 of its 20 solutions, by 2 moves",
            "On the 19 positions that all solved, quick took the least time",
            "There loose generated the fewest nodes",
            "Fewer nodes were not less time: quick generates 1 M a second, loose only",
            "slow was stopped on 1 position",
        ] {
            assert!(text.contains(part), "`{part}` is missing in:\n{text}");
        }
        assert!(
            study.sentences.solvers[0]
                .starts_with("quick solved all 20 positions; it proved every solution shortest.")
        );
        assert!(
            study.sentences.solvers[1]
                .contains("it proved no solution shortest, and 5 of them are longer than the best known, by 2 moves on average")
        );
        assert!(
            study.sentences.solvers[2]
                .starts_with("slow solved 19 of 20 positions (1 stopped by the time limit)")
        );
    }

    #[test]
    fn swapping_two_solvers_rows_swaps_their_sentences() {
        let names = ["quick", "loose", "slow"];
        let before = study(&names, &rows("quick", "loose", "slow")).sentences;
        for (a, b) in [("quick", "loose"), ("loose", "slow"), ("quick", "slow")] {
            let swap = |text: &str| text.replace(a, "\0").replace(b, a).replace('\0', b);
            let swapped: Vec<String> = names.iter().map(|name| swap(name)).collect();
            let after = study(&names, &rows(&swapped[0], &swapped[1], &swapped[2])).sentences;
            let expected: Vec<String> = before.general.iter().map(|sentence| swap(sentence)).collect();
            assert_eq!(after.general, expected, "{a} and {b} changed places");
            for (name, sentence) in names.iter().zip(&after.solvers) {
                let place = names.iter().position(|other| *other == swap(name)).expect("a name");
                assert_eq!(*sentence, swap(&before.solvers[place]));
            }
        }
    }

    #[test]
    fn nothing_solved_is_said_and_nothing_else() {
        let rows: Vec<Row> = (1..=3).flat_map(|place| [stopped(place, "a"), stopped(place, "b")]).collect();
        let sentences = study(&["a", "b"], &rows).sentences;
        assert_eq!(sentences.general.len(), 1, "{:?}", sentences.general);
        assert!(sentences.general[0].starts_with("No solver solved any position"));
        assert_eq!(
            sentences.solvers[0],
            "a solved none of 3 positions (3 stopped by the time limit). It held 15.62 KiB of memory at most."
        );
    }

    #[test]
    fn a_tie_is_no_contradiction() {
        // Two share the fewest nodes, and one of them is the quickest.
        let rows = |slow: &str, quick: &str| -> Vec<Row> {
            let both = |position: usize| {
                [
                    solved(position, slow, 9, 100, 0.3),
                    solved(position, quick, 9, 100, 0.1),
                    solved(position, "wasteful", 9, 900, 0.2),
                ]
            };
            (1..=4).flat_map(both).collect()
        };
        for (slow, quick) in [("a", "b"), ("b", "a")] {
            let text = study(&["a", "b", "wasteful"], &rows(slow, quick)).sentences.general.join("\n");
            assert!(text.contains(&format!("There {quick} and {slow} generated the fewest nodes")), "{text}");
            assert!(!text.contains("Fewer nodes were not less time"), "{text}");
        }
    }

    #[test]
    fn one_of_many_is_neither_none_nor_all() {
        let row = |position: usize| match position {
            1 => [
                solved(1, "exact", 9, 10, 0.1),
                Row { optimal: false, lower_bound: 0, ..solved(1, "nearly", 11, 10, 0.1) },
            ],
            _ => [solved(position, "exact", 9, 10, 0.1), solved(position, "nearly", 9, 10, 0.1)],
        };
        let rows: Vec<Row> = (1..=30_000).flat_map(row).collect();
        let sentences = study(&["exact", "nearly"], &rows).sentences;
        assert_eq!(
            sentences.general[0],
            "Every solution of exact is shortest; nearly is longer than the best known on 1 of its 30,000 solutions, by 2 moves."
        );
        assert!(
            sentences.solvers[1].starts_with(
                "nearly solved all 30,000 positions; it proved 29,999 of its 30,000 solutions shortest, \
                 and 1 of them is longer than the best known, by 2 moves."
            ),
            "{}",
            sentences.solvers[1]
        );
    }

    #[test]
    fn solutions_in_hand_are_compared_though_nothing_was_finished() {
        let row = |position, solver: &str, length| Row { length: Some(length), ..stopped(position, solver) };
        let rows = [row(1, "a", 130), row(2, "a", 134), row(1, "b", 132), row(2, "b", 134)];
        let sentences = study(&["a", "b"], &rows).sentences;
        assert!(
            sentences.general[0].starts_with("Every search was stopped by a limit: solutions were found")
        );
        assert_eq!(
            sentences.general[1],
            "b is longer than the best known on 1 of its 2 solutions, by 2 moves."
        );
        assert!(
            sentences.solvers[1].starts_with(
                "b solved none of 2 positions (2 stopped by the time limit), but had a solution of 2 in hand when it was \
                 stopped; it proved no solution shortest, and 1 of them is longer"
            ),
            "{}",
            sentences.solvers[1]
        );
        assert_eq!(sentences.general.len(), 2, "{:?}", sentences.general);
    }

    #[test]
    fn one_that_solves_nothing_is_left_out_by_name() {
        let mut rows = rows("quick", "loose", "slow");
        rows.extend((1..=20).map(|position| stopped(position, "hopeless")));
        let study = study(&["hopeless", "quick", "loose", "slow"], &rows);
        let text = study.sentences.general.join("\n");
        assert!(
            text.contains("On the 19 positions that all but hopeless solved, quick took the least time"),
            "{text}"
        );
        assert!(text.contains("There loose generated the fewest nodes"), "{text}");
        assert_eq!((study.common, study.left_out.as_slice()), (19, &["hopeless".to_owned()][..]));
    }

    #[test]
    fn several_that_were_stopped_are_spoken_of_as_several() {
        let mut rows = rows("quick", "loose", "slow");
        rows.extend((1..=20).map(|position| match position {
            1..=17 => solved(position, "slower", 5 + position as u32, 1 << 20, 1.0),
            _ => stopped(position, "slower"),
        }));
        let text = study(&["slower", "quick", "loose", "slow"], &rows).sentences.general.join("\n");
        assert!(
            text.contains("slow was stopped on 1 position and slower on 3 positions: those count in no average of time or nodes, so their averages flatter them"),
            "{text}"
        );
    }

    #[test]
    fn the_reason_for_slow_threads_is_given_where_it_is_known() {
        let text = |threads: usize, seconds: f64| {
            let with = |threads: usize, seconds: f64| Row { threads, ..solved(1, "p", 9, 100, seconds) };
            let rows = [with(1, seconds), with(threads, 2.0 * seconds)];
            study(&["p"], &rows).sentences.general.join("\n")
        };
        let short = ": searches this short do not repay the threads.";
        assert!(text(100_000, 1e-4).contains(&format!("takes 2 times as long as on 1{short}")));
        assert!(text(100_000, 5.0).contains("takes 2 times as long as on 1: this machine runs "));
        if untumble_session::machine::threads() >= 2 {
            assert!(text(2, 5.0).contains("On 2 threads p takes 2 times as long as on 1."));
        }
    }
}
