//! The charts of an analysis: which data each of them shows.

mod bars;
mod growth;
mod scaling;
mod scatter;

use untumble_search::puzzle::Cost;

use super::super::analysis::{Analysis, Rows, SolverResult};
use super::super::findings::clock;
use super::super::paired::Measure;
use super::super::quantity::Unit;
use super::super::row::Row;
use super::super::summary::{Distribution, Summary};
use super::{Axis, Chart, Mark, SeriesStyle};

/// The file names of all charts, without extension. An analysis may lack the last three.
pub(crate) const NAMES: [&str; 12] = [
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
    "batch-speedup",
];

const LENGTH_TITLE: &str = "best known solution (moves)";
const NODES_TITLE: &str = "generated nodes (log scale)";

/// The clock of the charts: CPU time, or wall time if some solver used several threads or CPU time was not
/// measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ChartClock {
    Cpu,
    Wall,
}

impl ChartClock {
    fn of(analysis: &Analysis) -> ChartClock {
        let parallel = analysis.solvers.iter().any(|solver| solver.configuration.threads > 1);
        let cpu = clock(analysis) == Measure::CpuSeconds;
        if cpu && !parallel { ChartClock::Cpu } else { ChartClock::Wall }
    }

    fn name(self) -> &'static str {
        match self {
            ChartClock::Cpu => "CPU time per position",
            ChartClock::Wall => "wall time per position",
        }
    }

    /// The title of an axis.
    fn title(self) -> String {
        format!("{} (log scale)", self.name())
    }

    /// The beginning of a sentence.
    fn sentence_name(self) -> &'static str {
        match self {
            ChartClock::Cpu => "CPU time",
            ChartClock::Wall => "Wall time",
        }
    }

    fn seconds(self, row: &Row) -> f64 {
        match self {
            ChartClock::Cpu => row.cpu_seconds.unwrap_or(row.seconds),
            ChartClock::Wall => row.seconds,
        }
    }

    fn distribution(self, summary: &Summary) -> Option<Distribution> {
        match self {
            ChartClock::Cpu => summary.cpu_seconds,
            ChartClock::Wall => summary.seconds,
        }
    }
}

/// Every chart that the analysis has data for, in the order of [`NAMES`].
pub(crate) fn all(analysis: &Analysis, rows: &Rows<'_>) -> Vec<Chart> {
    let mut charts = scatter::charts(analysis, rows);
    charts.extend(bars::averages(analysis));
    charts.extend([growth::branching(analysis), growth::growth(analysis), bars::memory(analysis)]);
    if !analysis.scaling.is_empty() {
        charts.extend(scaling::charts(analysis));
    }
    charts.extend(scaling::batches(analysis));
    charts
}

/// One entry for each solver that solved a position.
fn legend(analysis: &Analysis) -> Vec<(SeriesStyle, String)> {
    let solvers = analysis.solvers.iter().enumerate();
    solvers
        .filter(|(_, solver)| solver.all.solved > 0)
        .map(|(index, solver)| (SeriesStyle::of(index), solver.label.clone()))
        .collect()
}

/// The range of best known lengths, with a margin.
fn length_axis(analysis: &Analysis) -> Axis {
    let lengths = analysis.solvers.iter().flat_map(|solver| solver.lengths.keys());
    let (min, max) = lengths.fold((Cost::MAX, 0), |(min, max), &length| (min.min(length), max.max(length)));
    // Lengths are not negative; half a move leaves room for the markers at 0.
    let start = (f64::from(min.min(max)) - 1.0).max(-0.5);
    Axis::linear(LENGTH_TITLE, Unit::Count, start..f64::from(max) + 1.0)
}

/// One mark for each solver, without the marks that have no points.
fn marks<'a>(analysis: &'a Analysis, mark: impl Fn((usize, &'a SolverResult)) -> Mark) -> Vec<Mark> {
    let marks = analysis.solvers.iter().enumerate().map(mark);
    marks
        .filter(|mark| !matches!(mark, Mark::Points { points, .. } | Mark::Line { points, .. } if points.is_empty()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::analysis::tests::analysis;
    use super::super::super::batch_scaling::BatchSchedule;
    use super::super::super::batch_scaling::tests::batches;
    use super::super::super::row::tests::{solved, stopped};
    use super::*;

    fn drawn(rows: &[Row], solvers: &[&str]) -> Vec<(&'static str, String)> {
        drawn_of(&analysis(solvers, rows), rows)
    }

    fn drawn_of(analysis: &Analysis, rows: &[Row]) -> Vec<(&'static str, String)> {
        let charts = all(analysis, &Rows::new(rows));
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
            .flat_map(|position| {
                let length = position as Cost + 3;
                [1, 2].map(|threads| Row {
                    threads,
                    ..solved(
                        position,
                        "par",
                        length,
                        7u64 << position,
                        1e-5 * position as f64 / threads as f64,
                    )
                })
            })
            .collect();
        use BatchSchedule::{Dynamic, Static};
        let mut analysis = analysis(&["par"], &rows);
        analysis.batches = batches(
            "par",
            &[(Static, 1, [4.0; 3]), (Dynamic, 1, [4.0; 3]), (Static, 2, [3.0; 3]), (Dynamic, 2, [2.0; 3])],
        );
        let charts = drawn_of(&analysis, &rows);
        assert_eq!(charts.iter().map(|(name, _)| *name).collect::<Vec<_>>(), NAMES);
        for (name, svg) in &charts {
            assert!(svg.contains("par"), "{name} names the solver");
            assert!(svg.ends_with("</svg>\n"), "{name} is complete");
        }
        let (_, svg) = &charts[0];
        assert!(
            svg.contains(LENGTH_TITLE)
                && svg.contains("wall time per position (log scale)")
                && svg.contains("Runtime against moves"),
            "{svg}"
        );
    }

    #[test]
    fn charts_of_little_or_no_data_are_drawn() {
        for rows in [vec![stopped(1, "a")], vec![solved(1, "a", 0, 1, 0.0)], vec![solved(1, "a", 5, 9, 1e-6)]]
        {
            for (name, svg) in drawn(&rows, &["a"]) {
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}: {svg}");
            }
        }
        let charts = drawn(&[stopped(1, "a")], &["a"]);
        for (name, svg) in charts {
            // Stopped searches count for memory only.
            assert_eq!(svg.contains("no data: no position was solved"), name != "memory", "{name}");
        }
    }

    /// The values of a numeric attribute of all elements of this name.
    fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
        let begin = format!("<{element} ");
        let elements = svg.split(&begin).skip(1);
        let value =
            |rest: &str| rest.split(&format!(" {attribute}=\"")).nth(1)?.split('"').next()?.parse().ok();
        elements.filter_map(|rest| value(&format!(" {}", rest.split('>').next()?))).collect()
    }

    #[test]
    fn long_names_leave_room_for_the_bars() {
        let long = "ida+max(manhattan,linear-conflict,walking,misplaced,euclidean,diagonal)";
        for name in [long, &long[..56], &long[..43], &long[..25]] {
            let rows: Vec<Row> = (1..=4)
                .flat_map(|position| {
                    ["short", name].map(|name| solved(position, name, 9, 900 << position, 1e-3))
                })
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
                assert_eq!(svg.matches("\nshort\n").count(), 1, "{chart} names each solver once: {svg}");
                assert!(
                    numbers(&svg, "text", "x").iter().all(|x| (0.0..640.0).contains(x)),
                    "{chart}: {svg}"
                );
            }
        }
    }

    #[test]
    fn a_solver_has_the_same_style_in_all_charts() {
        let rows: Vec<Row> = (1..=4)
            .flat_map(|position| {
                let par = [1, 2].map(|threads| Row { threads, ..solved(position, "par", 9, 900, 1e-3) });
                [solved(position, "one", 9, 900, 1e-3)].into_iter().chain(par)
            })
            .collect();
        let analysis = analysis(&["one", "par"], &rows);
        let charts = all(&analysis, &Rows::new(&rows));
        let legend_of = |name: &str| &charts.iter().find(|chart| chart.name == name).expect("a chart").legend;
        assert_eq!(legend_of("speedup")[0], (legend_of("growth")[1].0, "par".into()));
    }

    #[test]
    fn the_length_axis_has_no_negative_ticks() {
        let rows = [solved(1, "a", 0, 1, 1e-6), solved(2, "a", 3, 9, 1e-6)];
        let axis = length_axis(&analysis(&["a"], &rows));
        assert_eq!(axis.ticks.first().map(|(value, _)| *value), Some(0.0), "{:?}", axis.ticks);
    }

    #[test]
    fn overlapping_points_are_drawn_once() {
        let rows: Vec<Row> = (1..=20_000)
            .map(|position| {
                solved(
                    position,
                    "a",
                    (position % 20) as Cost + 1,
                    1 << (position % 14),
                    1e-6 * position as f64,
                )
            })
            .collect();
        for (name, svg) in drawn(&rows, &["a"]) {
            assert!(svg.len() < 700_000, "{name} takes {} bytes", svg.len());
        }
    }
}
