//! What the figures show, said in sentences. They are made from the figures alone: who is named where follows from who
//! did what, never from the order in which solvers were listed.

use serde::Serialize;

use super::figure::{Figure, Unit};
use super::study::{Scaling, Solver, Study};
use super::tally::Tally;
use crate::figures::counted;

/// A sentence, or two, on everything.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sentences {
    /// On what the figures show.
    pub(crate) general: Vec<String>,
    /// On each solver, in the study's order.
    pub(crate) solvers: Vec<String>,
}

impl Sentences {
    /// What is to be said about a study.
    pub(crate) fn about(study: &Study) -> Sentences {
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
    let (Some(seconds), Some(nodes)) = (all.seconds, all.generated) else {
        return format!(
            "{} solved none of {}{}.",
            solver.label,
            counted(all.positions, "position"),
            stops(all)
        );
    };
    let solved = if all.solved == all.positions {
        match all.positions {
            1 => "the one position".into(),
            count => format!("all {}", counted(count, "position")),
        }
    } else {
        format!("{} of {}{}", all.solved, counted(all.positions, "position"), stops(all))
    };
    let mut text = format!("{} solved {solved}; {}.", solver.label, verdict(all));
    text.push_str(&format!(
        " A position took it {} and {} nodes on average (median {}, 95 % within {}).",
        seconds.mean.text(),
        nodes.mean.text(),
        seconds.median.text(),
        seconds.p95.text(),
    ));
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

/// Whether its solutions are shortest.
fn verdict(tally: &Tally) -> String {
    let share = |figure: Option<Figure>| figure.map_or(0.0, Figure::value);
    let text = |figure: Option<Figure>| figure.map_or_else(|| "0 %".into(), Figure::text);
    let longer = match (share(tally.longer), tally.excess) {
        (longer, Some(excess)) if longer > 0.0 => format!(
            "{} of them are longer than the best known, by {} moves on average",
            text(tally.longer),
            excess.text()
        ),
        _ => "none is longer than the best known".into(),
    };
    match share(tally.proven) {
        1.0 => "it proved every solution shortest".into(),
        0.0 if tally.all_shortest() => {
            "it proved no solution shortest, yet every one is (others proved it)".into()
        }
        0.0 => format!("it proved no solution shortest, and {longer}"),
        _ => format!("it proved {} of its solutions shortest, and {longer}", text(tally.proven)),
    }
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
    let parts: Vec<String> =
        tally.stops.iter().map(|(name, count)| format!("{count} stopped by {}", limit(name))).collect();
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

/// The best and the worst of a ranking, each a list of those who share the place; nothing where all do.
fn extremes(ranking: &[(&Solver, Figure)]) -> Option<[(String, Figure); 2]> {
    let (best, worst) = (ranking.first()?.1, ranking.last()?.1);
    let with = |figure: Figure| -> Vec<&Solver> {
        ranking.iter().filter(|(_, other)| *other == figure).map(|(solver, _)| *solver).collect()
    };
    (best != worst).then(|| [(list(&with(best)), best), (list(&with(worst)), worst)])
}

/// Labels as in `a, b and c`, the quicker ones first.
fn list(solvers: &[&Solver]) -> String {
    let ranked = ranking(solvers.iter().copied(), |solver| {
        Some(solver.all.seconds.map_or(Figure::new(Unit::Seconds, f64::MAX), |seconds| seconds.mean))
    });
    let labels: Vec<&str> = ranked.iter().map(|(solver, _)| solver.label.as_str()).collect();
    match labels.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

fn times(more: Figure, less: Figure) -> String {
    Figure::new(Unit::Factor, more.value() / less.value()).text()
}

fn nothing_solved(study: &Study) -> Option<String> {
    let none = study.solvers.iter().all(|solver| solver.all.solved == 0);
    none.then(|| {
        "No solver solved any position within its limits, so there is nothing to compare; raise --time, --nodes or --memory, \
         or pose easier positions with --depth."
            .into()
    })
}

/// Who found shortest solutions and who did not.
fn lengths(study: &Study) -> Option<String> {
    let solving: Vec<&Solver> = study.solvers.iter().filter(|solver| solver.all.solved > 0).collect();
    let shortest: Vec<&Solver> = solving.iter().copied().filter(|solver| solver.all.all_shortest()).collect();
    let longer =
        ranking(solving.iter().copied(), |solver| solver.all.longer.filter(|share| share.value() > 0.0));
    let longer: Vec<String> = longer
        .iter()
        .filter_map(|(solver, share)| {
            let excess = solver.all.excess?;
            Some(format!(
                "{} is longer than the best known on {} of them, by {} moves on average",
                solver.label,
                share.text(),
                excess.text()
            ))
        })
        .collect();
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

/// Who took the least time on what all solved.
fn fastest(study: &Study) -> Option<String> {
    let ranked = ranking(&study.solvers, |solver| solver.common.seconds.map(|seconds| seconds.mean));
    let [(best, least), (worst, most)] = extremes(&ranked)?;
    Some(format!(
        "On the {} that all solved, {best} took the least time, {} on average, and {worst} the most, {}: {} times as much.",
        counted(study.common as u64, "position"),
        least.text(),
        most.text(),
        times(most, least)
    ))
}

/// Who generated the fewest nodes there, and whether that was the fastest.
fn fewest_nodes(study: &Study) -> Option<String> {
    let nodes = ranking(&study.solvers, |solver| solver.common.generated.map(|nodes| nodes.mean));
    let [(best, least), (worst, most)] = extremes(&nodes)?;
    let mut text = format!(
        "There {best} generated the fewest nodes, {} on average, and {worst} the most, {}: {} times as many.",
        least.text(),
        most.text(),
        times(most, least)
    );
    let time = ranking(&study.solvers, |solver| solver.common.seconds.map(|seconds| seconds.mean));
    if let (Some((thrifty, _)), Some((quick, _))) = (nodes.first(), time.first())
        && thrifty.label != quick.label
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
        "With every further move the nodes of {best} grow by a factor of {}, the least, and those of {worst} by {}, the most.",
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
    let stopped = ranking(&study.solvers, |solver| {
        (solver.all.stopped > 0 && solver.all.solved > 0)
            .then(|| Figure::new(Unit::Count, solver.all.stopped as f64))
    });
    let parts: Vec<String> = stopped
        .iter()
        .map(|(solver, count)| {
            format!("{} was stopped on {}", solver.label, counted(count.value() as u64, "position"))
        })
        .collect();
    (!parts.is_empty()).then(|| {
        format!("{}: those were hard ones, so its averages flatter it; compare by length.", parts.join(", "))
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
            return format!("On {threads} {solver} takes {longer} times as long as on {against}: searches this short do not repay the threads.");
        }
        let (speedup, efficiency) = (scaling.speedup.text(), scaling.efficiency.text());
        format!("On {threads} {solver} is {speedup} times as fast as on {against}: an efficiency of {efficiency}.")
    })
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
            "Every solution of quick and slow is shortest; loose is longer than the best known on 25 % of them, by 2 moves",
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
                .contains("it proved no solution shortest, and 25 % of them are longer")
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
        assert_eq!(sentences.solvers[0], "a solved none of 3 positions (3 stopped by the time limit).");
    }
}
