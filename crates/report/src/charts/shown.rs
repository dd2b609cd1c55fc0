//! The charts of a study, and what each of them shows.

use untumble_search::puzzle::Cost;

use super::super::figure::{Figure, Unit};
use super::super::row::Row;
use super::super::study::{Rows, Solver, Study};
use super::super::tally::{Spread, Tally};
use super::{Axis, Chart, Look, Mark};

/// The names of all charts there may be.
pub(crate) const NAMES: [&str; 11] = [
    "runtime-by-moves",
    "nodes-by-moves",
    "nodes-by-runtime",
    "average-moves",
    "average-nodes",
    "average-runtime",
    "branching",
    "growth",
    "memory",
    "speedup",
    "efficiency",
];

const MOVES: &str = "best known solution (moves)";
const TIME: &str = "time per position (log scale)";
const NODES: &str = "generated nodes (log scale)";

/// Every chart that the study has figures for.
pub(crate) fn all(study: &Study, rows: &Rows<'_>) -> Vec<Chart> {
    let mut charts = scatters(study, rows);
    charts.extend(averages(study));
    charts.extend([branching(study), growth(study), memory(study)]);
    if !study.scaling.is_empty() {
        charts.extend(scaling(study));
    }
    charts
}

fn legend(study: &Study) -> Vec<(Look, String)> {
    let solvers = study.solvers.iter().enumerate();
    solvers
        .filter(|(_, solver)| solver.all.solved > 0)
        .map(|(place, solver)| (Look::of(place), solver.label.clone()))
        .collect()
}

/// Solvers side by side within a length, so that they do not cover each other.
fn aside(place: usize, count: usize) -> f64 {
    const WIDTH: f64 = 0.7;
    (place as f64 + 0.5) / count as f64 * WIDTH - WIDTH / 2.0
}

/// The range of best known lengths, with a margin.
fn moves(study: &Study) -> Axis {
    let lengths = study.solvers.iter().flat_map(|solver| solver.lengths.keys());
    let (least, most) =
        lengths.fold((Cost::MAX, 0), |(least, most), &length| (least.min(length), most.max(length)));
    // Nothing takes fewer than no moves; half of one leaves room for symbols.
    let start = (f64::from(least.min(most)) - 1.0).max(-0.5);
    Axis::linear(MOVES, Unit::Count, start..f64::from(most) + 1.0)
}

/// A mark for each solver that has points for it.
fn each<'a>(study: &'a Study, of: impl Fn((usize, &'a Solver)) -> Mark) -> Vec<Mark> {
    let marks = study.solvers.iter().enumerate().map(of);
    marks
        .filter(|mark| !matches!(mark, Mark::Points { at, .. } | Mark::Line { at, .. } if at.is_empty()))
        .collect()
}

fn scatters(study: &Study, rows: &Rows<'_>) -> Vec<Chart> {
    let seconds = |row: &Row| row.seconds;
    let nodes = |row: &Row| row.generated as f64;
    let count = study.solvers.len();
    let points = |value: &dyn Fn(&Row) -> f64, along: &dyn Fn(usize, &Row, Cost) -> f64| -> Vec<Mark> {
        let of = |(place, solver): (usize, &Solver)| {
            let known = rows.about(&solver.name);
            let solved = known.iter().filter(|(row, _)| row.solved());
            let at = solved.filter_map(|(row, best)| Some((along(place, row, (*best)?.length), value(row))));
            Mark::Points { look: Look::of(place), at: at.collect() }
        };
        each(study, of)
    };
    let medians = |spread: fn(&Tally) -> Option<Spread>| -> Vec<Mark> {
        let of = |(place, solver): (usize, &Solver)| {
            let at = solver.lengths.iter().filter_map(|(&length, tally)| {
                Some((f64::from(length) + aside(place, count), spread(tally)?.median.value()))
            });
            Mark::Line { look: Look::of(place), at: at.collect() }
        };
        each(study, of)
    };
    let by_moves = |place: usize, _: &Row, length: Cost| f64::from(length) + aside(place, count);
    let solved = || rows.iter().filter(|(row, _)| row.solved()).map(|(row, _)| row);
    let time = || Axis::logarithmic(TIME, Unit::Seconds, solved().map(seconds));
    let node = || Axis::logarithmic(NODES, Unit::Count, solved().map(nodes));
    let run_parallel =
        "A symbol is a position; solvers stand side by side within a length, and a line joins their medians.";
    vec![
        Chart {
            name: "runtime-by-moves",
            title: "Runtime against moves",
            caption: format!("How long each position took. {run_parallel}"),
            x: moves(study),
            y: time(),
            marks: points(&seconds, &by_moves).into_iter().chain(medians(|tally| tally.seconds)).collect(),
            legend: legend(study),
        },
        Chart {
            name: "nodes-by-moves",
            title: "Nodes against moves",
            caption: format!("How many nodes each position took. {run_parallel}"),
            x: moves(study),
            y: node(),
            marks: points(&nodes, &by_moves).into_iter().chain(medians(|tally| tally.generated)).collect(),
            legend: legend(study),
        },
        Chart {
            name: "nodes-by-runtime",
            title: "Nodes against runtime",
            caption: "A symbol is a position. On a straight line upwards the cost of a node is the same however long the search; \
                      further up and to the left it is lower."
                .into(),
            x: time(),
            y: node(),
            marks: points(&nodes, &|_, row, _| row.seconds),
            legend: legend(study),
        },
    ]
}

/// Bars, one for each solver that has the figure.
fn bars(
    study: &Study,
    spread: impl Fn(&Tally) -> Option<Spread>,
    whisker: fn(&Spread) -> (Figure, Figure),
    axis: impl Fn(&[Spread]) -> Axis,
) -> (Axis, Axis, Vec<Mark>) {
    let found: Vec<(usize, &Solver, Spread)> = study
        .solvers
        .iter()
        .enumerate()
        .filter_map(|(place, solver)| Some((place, solver, spread(&solver.all)?)))
        .collect();
    let spreads: Vec<Spread> = found.iter().map(|(_, _, spread)| *spread).collect();
    let mut marks = Vec::new();
    for (row, (place, _, spread)) in found.iter().enumerate() {
        let (from, to) = whisker(spread);
        marks.push(Mark::Bar { look: Look::of(*place), row, to: spread.mean.value() });
        marks.push(Mark::Whisker { row, from: from.value(), to: to.value() });
        marks.push(Mark::Label { row, at: to.value().max(spread.mean.value()), text: spread.mean.text() });
    }
    let names = Axis::rows(found.iter().map(|(_, solver, _)| solver.label.clone()));
    (axis(&spreads).with_room(), names, marks)
}

fn averages(study: &Study) -> [Chart; 3] {
    let middle = |spread: &Spread| (spread.p05, spread.p95);
    let values = |spreads: &[Spread]| -> Vec<f64> {
        spreads.iter().flat_map(|spread| [spread.p05, spread.mean, spread.p95]).map(Figure::value).collect()
    };
    let chart = |name, title, caption: &str, (x, y, marks)| {
        let caption = format!("{caption} The thin line spans the middle nine tenths of the positions.");
        Chart { name, title, caption, x, y, marks, legend: Vec::new() }
    };
    [
        chart(
            "average-moves",
            "Mean length of solutions",
            "The mean over all solutions that the solver found.",
            bars(
                study,
                |tally| tally.length,
                middle,
                |spreads| {
                    let most = values(spreads).into_iter().fold(1.0, f64::max);
                    Axis::linear("length of its solutions (moves)", Unit::Count, 0.0..most)
                },
            ),
        ),
        chart(
            "average-nodes",
            "Mean number of nodes",
            "The scale is logarithmic: equal steps to the right are equal factors.",
            bars(
                study,
                |tally| tally.generated,
                middle,
                |spreads| Axis::logarithmic(NODES, Unit::Count, values(spreads)),
            ),
        ),
        chart(
            "average-runtime",
            "Mean runtime",
            "The scale is logarithmic: equal steps to the right are equal factors.",
            bars(
                study,
                |tally| tally.seconds,
                middle,
                |spreads| Axis::logarithmic(TIME, Unit::Seconds, values(spreads)),
            ),
        ),
    ]
}

fn memory(study: &Study) -> Chart {
    /// Less than this is drawn as nothing.
    const LEAST: f64 = 1024.0;
    let (x, y, marks) = bars(
        study,
        |tally| tally.peak_bytes,
        |spread| (spread.mean, spread.max),
        |spreads| {
            let most = spreads.iter().map(|spread| spread.max.value()).fold(LEAST * 16.0, f64::max);
            Axis::logarithmic("most memory held (log scale)", Unit::Bytes, [LEAST, most])
        },
    );
    let caption = "The most memory that a search accounted for, tables included: the mean, and by the thin line the most of all. \
                   A solver that only remembers its path holds next to nothing."
        .into();
    Chart {
        name: "memory",
        title: "Peak memory, mean of all searches",
        caption,
        x,
        y,
        marks,
        legend: Vec::new(),
    }
}

fn branching(study: &Study) -> Chart {
    let mut marks = Vec::new();
    for (place, solver) in study.solvers.iter().enumerate() {
        let at: Vec<(f64, f64)> = solver
            .lengths
            .iter()
            .filter_map(|(&length, tally)| Some((f64::from(length), tally.branching?.value())))
            .collect();
        if !at.is_empty() {
            let look = Look::of(place);
            marks.extend([Mark::Line { look, at: at.clone() }, Mark::Points { look, at }]);
        }
    }
    let values =
        study.solvers.iter().flat_map(|solver| solver.lengths.values()).filter_map(|tally| tally.branching);
    let (least, most) = values
        .map(Figure::value)
        .fold((1.0, 1.0), |(least, most): (f64, f64), value| (least.min(value), most.max(value)));
    Chart {
        name: "branching",
        title: "Effective branching factor",
        caption: "The b for which a uniform tree of that depth, 1 + b + b² + … + b^d, has as many nodes as the search \
                  generated; the mean of each length. The nearer to 1, the straighter the way to the goal."
            .into(),
        x: moves(study),
        y: Axis::linear("effective branching factor b", Unit::Factor, least..most * 1.05),
        marks,
        legend: legend(study),
    }
}

fn growth(study: &Study) -> Chart {
    let mut marks = Vec::new();
    let mut values = Vec::new();
    for (place, solver) in study.solvers.iter().enumerate() {
        let look = Look::of(place);
        let medians: Vec<(f64, f64)> = solver
            .lengths
            .iter()
            .filter_map(|(&length, tally)| Some((f64::from(length), tally.generated?.median.value())))
            .collect();
        values.extend(medians.iter().map(|(_, nodes)| *nodes));
        if let (Some(growth), Some(&(first, _)), Some(&(last, _))) =
            (solver.growth, medians.first(), medians.last())
        {
            let ends = [first, last].map(|length| (length, growth.exact.at(length)));
            values.extend(ends.map(|(_, nodes)| nodes));
            marks.push(Mark::Line { look, at: ends.to_vec() });
        }
        if !medians.is_empty() {
            marks.push(Mark::Points { look, at: medians });
        }
    }
    let legend = legend(study).into_iter().map(|(look, label)| {
        let solver = study.solvers.iter().find(|solver| solver.label == label);
        let growth = solver.and_then(|solver| solver.growth);
        let label = growth.map_or(label.clone(), |growth| format!("{label}: b = {}", growth.base.text()));
        (look, label)
    });
    Chart {
        name: "growth",
        title: "Growth of nodes, fitted as c·b^d",
        caption: "Symbols are medians of each length d, lines the least squares fit of the logarithm of the nodes of all \
                  positions solved against d. Each further move multiplies the nodes by b."
            .into(),
        x: moves(study),
        y: Axis::logarithmic(NODES, Unit::Count, values),
        marks,
        legend: legend.collect(),
    }
}

/// Speed-up and efficiency against the number of threads.
fn scaling(study: &Study) -> [Chart; 2] {
    let mut solvers: Vec<&str> = Vec::new();
    let mut threads: Vec<f64> = Vec::new();
    for scaling in &study.scaling {
        if !solvers.contains(&scaling.name.solver.as_str()) {
            solvers.push(&scaling.name.solver);
        }
        if !threads.contains(&(scaling.name.threads as f64)) {
            threads.push(scaling.name.threads as f64);
        }
    }
    threads.sort_by(f64::total_cmp);
    let (fewest, most) = (threads.first().copied().unwrap_or(1.0), threads.last().copied().unwrap_or(1.0));
    let x = || Axis::at("threads", Unit::Count, fewest - 0.2..most + 0.2, &threads);
    // As it looks in the other charts where it is first.
    let look = |solver: &str| {
        Look::of(study.solvers.iter().position(|known| known.name.solver == solver).unwrap_or(0))
    };
    let marks = |figure: fn(&super::super::study::Scaling) -> Figure| -> Vec<Mark> {
        let of = |solver: &&str| {
            let about = study.scaling.iter().filter(|scaling| scaling.name.solver == **solver);
            let at: Vec<(f64, f64)> = about.map(|s| (s.name.threads as f64, figure(s).value())).collect();
            let look = look(solver);
            [Mark::Line { look, at: at.clone() }, Mark::Points { look, at }]
        };
        solvers.iter().flat_map(of).collect()
    };
    let legend: Vec<(Look, String)> =
        solvers.iter().map(|solver| (look(solver), (*solver).to_owned())).collect();
    let fastest = study.scaling.iter().map(|scaling| scaling.speedup.value()).fold(most / fewest, f64::max);
    let highest = study.scaling.iter().map(|scaling| scaling.efficiency.value()).fold(1.0, f64::max);
    let mut speedups = marks(|scaling| scaling.speedup);
    speedups.push(Mark::Guide { from: (fewest, 1.0), to: (most, most / fewest) });
    let mut efficiencies = marks(|scaling| scaling.efficiency);
    efficiencies.push(Mark::Guide { from: (fewest, 1.0), to: (most, 1.0) });
    let cores = study.machine.cores;
    [
        Chart {
            name: "speedup",
            title: "Speed-up by threads",
            caption: format!(
                "The time on the fewest threads by the time on more, over the positions both solved. The dashed line is the ideal; \
                 this machine runs {cores} at once."
            ),
            x: x(),
            y: Axis::linear("speed-up (times as fast)", Unit::Factor, 0.0..fastest * 1.05),
            marks: speedups,
            legend: legend.clone(),
        },
        Chart {
            name: "efficiency",
            title: "Efficiency of threads",
            caption:
                "The speed-up by the factor of threads: 100 % where every thread helps as much as the first."
                    .into(),
            x: x(),
            y: Axis::linear("efficiency", Unit::Share, 0.0..highest * 1.05),
            marks: efficiencies,
            legend,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::super::super::row::tests::{solved, stopped};
    use super::super::super::study::tests::study;
    use super::*;

    fn drawn(rows: &[Row], solvers: &[&str]) -> Vec<(&'static str, String)> {
        let charts = all(&study(solvers, rows), &Rows::new(rows));
        charts
            .iter()
            .map(|chart| {
                let png = chart.png().expect(chart.name);
                assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n", "{}", chart.name);
                (chart.name, chart.svg().expect(chart.name))
            })
            .collect()
    }

    #[test]
    fn every_chart_is_drawn_with_its_title_and_axes() {
        let rows: Vec<Row> = (1..=12)
            .flat_map(|place| {
                let length = place as Cost + 3;
                [1, 2].map(|threads| Row {
                    threads,
                    ..solved(place, "par", length, 7u64 << place, 1e-5 * place as f64 / threads as f64)
                })
            })
            .collect();
        let charts = drawn(&rows, &["par"]);
        assert_eq!(charts.iter().map(|(name, _)| *name).collect::<Vec<_>>(), NAMES);
        for (name, svg) in &charts {
            assert!(svg.contains("par"), "{name} names the solver");
            assert!(svg.ends_with("</svg>\n"), "{name} is complete");
        }
        let (_, svg) = &charts[0];
        assert!(svg.contains(MOVES) && svg.contains(TIME) && svg.contains("Runtime against moves"), "{svg}");
    }

    #[test]
    fn little_or_nothing_is_drawn_all_the_same() {
        for rows in [vec![stopped(1, "a")], vec![solved(1, "a", 0, 1, 0.0)], vec![solved(1, "a", 5, 9, 1e-6)]]
        {
            for (name, svg) in drawn(&rows, &["a"]) {
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}: {svg}");
            }
        }
        let charts = drawn(&[stopped(1, "a")], &["a"]);
        for (name, svg) in charts {
            // A search that was stopped held memory all the same.
            assert_eq!(svg.contains("no position was solved"), name != "memory", "{name}");
        }
    }

    /// The numbers of an attribute of all elements of this name.
    fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
        let begin = format!("<{element} ");
        let elements = svg.split(&begin).skip(1);
        let value =
            |rest: &str| rest.split(&format!(" {attribute}=\"")).nth(1)?.split('"').next()?.parse().ok();
        elements.filter_map(|rest| value(&format!(" {}", rest.split('>').next()?))).collect()
    }

    #[test]
    fn a_long_name_leaves_room_for_the_bars() {
        let long = "ida+max(manhattan,linear-conflict,walking,misplaced,euclidean,diagonal)";
        for name in [long, &long[..56], &long[..43], &long[..25]] {
            let rows: Vec<Row> = (1..=4)
                .flat_map(|place| ["short", name].map(|name| solved(place, name, 9, 900 << place, 1e-3)))
                .collect();
            for (chart, svg) in drawn(&rows, &["short", name]) {
                if !["average-moves", "average-nodes", "average-runtime", "memory"].contains(&chart) {
                    continue;
                }
                let widest = numbers(&svg, "rect", "width")
                    .into_iter()
                    .filter(|width| *width < 640.0)
                    .fold(0.0, f64::max);
                assert!(widest > 200.0, "{chart} of a name of {} letters has bars of {widest}", name.len());
                assert_eq!(svg.matches("\nshort\n").count(), 1, "{chart} names everybody once: {svg}");
                assert!(
                    numbers(&svg, "text", "x").iter().all(|x| (0.0..640.0).contains(x)),
                    "{chart}: {svg}"
                );
            }
        }
    }

    #[test]
    fn a_solver_looks_alike_in_all_charts() {
        let rows: Vec<Row> = (1..=4)
            .flat_map(|place| {
                let par = [1, 2].map(|threads| Row { threads, ..solved(place, "par", 9, 900, 1e-3) });
                [solved(place, "one", 9, 900, 1e-3)].into_iter().chain(par)
            })
            .collect();
        let study = study(&["one", "par"], &rows);
        let charts = all(&study, &Rows::new(&rows));
        let looks = |name: &str| &charts.iter().find(|chart| chart.name == name).expect("a chart").legend;
        assert_eq!(looks("speedup")[0], (looks("growth")[1].0, "par".into()));
    }

    #[test]
    fn no_position_takes_fewer_than_no_moves() {
        let rows = [solved(1, "a", 0, 1, 1e-6), solved(2, "a", 3, 9, 1e-6)];
        let axis = moves(&study(&["a"], &rows));
        assert_eq!(axis.ticks.first().map(|(value, _)| *value), Some(0.0), "{:?}", axis.ticks);
    }

    #[test]
    fn many_points_make_no_huge_file() {
        let rows: Vec<Row> = (1..=20_000)
            .map(|place| solved(place, "a", (place % 20) as Cost + 1, 1 << (place % 14), 1e-6 * place as f64))
            .collect();
        for (name, svg) in drawn(&rows, &["a"]) {
            assert!(svg.len() < 700_000, "{name} takes {} bytes", svg.len());
        }
    }
}
