//! Result tables for the terminal: as many sections side by side as the width allows, the others below.

mod layout;

use super::analysis::{Analysis, SolverResult};
use super::batch_scaling::{BatchScaling, BatchSchedule};
use super::columns::SECTIONS;
use super::published::{InstanceResult, PublishedInstance};
use super::quantity::Quantity;
use super::summary::Summary;
use layout::{Column, Section, elided, short_labels, stacked};
use untumble_session::number_format::{grouped, pluralize};
use untumble_session::text_table;

/// The tables of an analysis by solution length and over all positions.
pub fn tables<'a>(analysis: &'a Analysis, width: usize) -> String {
    let labels = labels(analysis, width);
    let mut lines: Vec<(String, Option<&Summary>)> = Vec::new();
    let mut group = |title: &str, positions: usize, summaries: Vec<Option<&'a Summary>>| {
        lines.push((format!("{title} ({})", grouped(positions as u64)), None));
        lines.extend(labels.iter().map(|label| format!("  {label}")).zip(summaries));
    };
    for (index, length) in analysis.groups.iter().enumerate() {
        let summaries = analysis.solvers.iter().map(|solver| solver.groups.get(index));
        group(&length.title(), length.positions, summaries.collect());
    }
    // A single group already contains all positions.
    if analysis.groups.len() != 1 {
        let summaries = analysis.solvers.iter().map(|solver| Some(&solver.all));
        group("all", analysis.searched_positions(), summaries.collect());
    }
    summaries(&lines, width)
}

/// The tables over all positions: one line for each solver.
pub fn summary(analysis: &Analysis, width: usize) -> String {
    let of_all = analysis.solvers.iter().map(|solver| Some(&solver.all));
    let lines: Vec<(String, Option<&Summary>)> = labels(analysis, width).into_iter().zip(of_all).collect();
    summaries(&lines, width)
}

/// All sections with a line for each name; a name without summary is the title of the lines below.
fn summaries(lines: &[(String, Option<&Summary>)], width: usize) -> String {
    let sections = SECTIONS.iter().map(|section| {
        let columns = section.columns.iter().map(|column| {
            let cell = |(_, summary): &(String, Option<&Summary>)| {
                summary.map_or_else(String::new, |summary| (column.cell)(summary).text())
            };
            Column::new(column.title, lines.iter().map(cell).collect())
        });
        Section::new(section.title, columns.collect())
    });
    let names: Vec<String> = lines.iter().map(|(name, _)| name.clone()).collect();
    stacked(sections.collect(), &names, width)
}

/// The solvers with their threads, tables and, if there are several, devices; numbered if the tables number
/// them.
pub fn solvers(analysis: &Analysis, width: usize) -> String {
    let is_numbered = labels(analysis, width) != elided_labels(analysis, width);
    let entry = |(index, solver): (usize, &SolverResult)| {
        let number = if is_numbered { format!("{} ", index + 1) } else { String::new() };
        let mut text =
            format!("{number}{}: {}", solver.label, pluralize(solver.configuration.threads as u64, "thread"));
        if solver.tables.bytes.value() > 0.0 {
            let (bytes, seconds) = (solver.tables.bytes.text(), solver.tables.seconds.text());
            text.push_str(&format!(", tables of {bytes} in {seconds}"));
        }
        if let Some(device) = solver.device.as_ref().filter(|_| analysis.devices().len() > 1) {
            text.push_str(&format!(", on {device}"));
        }
        indented(&text, width)
    };
    analysis.solvers.iter().enumerate().map(entry).collect()
}

/// A paragraph of lines of at most `width` columns.
pub fn paragraph(text: &str, width: usize) -> String {
    broken_lines(text, width).iter().map(|line| format!("{line}\n")).collect()
}

/// Lines broken between words; a word that is wider than a line is broken anywhere.
fn broken_lines(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text_table::wrap(text, width) {
        let letters: Vec<char> = line.chars().collect();
        lines.extend(letters.chunks(width).map(|part| part.iter().collect::<String>()));
    }
    lines
}

/// A paragraph behind two spaces.
fn indented(text: &str, width: usize) -> String {
    let lines = broken_lines(text, width.saturating_sub(4).max(1));
    let indent =
        |(index, line): (usize, &String)| format!("{}{line}\n", if index == 0 { "  " } else { "    " });
    lines.iter().enumerate().map(indent).collect()
}

/// The widest label at this width.
fn max_label_width(width: usize) -> usize {
    (width * 2 / 5).saturating_sub(2).max(12)
}

/// The names of the solvers in the tables.
fn labels(analysis: &Analysis, width: usize) -> Vec<String> {
    let labels: Vec<&str> = analysis.solvers.iter().map(|solver| solver.label.as_str()).collect();
    short_labels(&labels, max_label_width(width))
}

fn elided_labels(analysis: &Analysis, width: usize) -> Vec<String> {
    analysis.solvers.iter().map(|solver| elided(&solver.label, max_label_width(width))).collect()
}

/// The results beside the published ones, a line for each position; `None` without published results.
pub fn published(analysis: &Analysis, width: usize) -> Option<String> {
    let published = analysis.published.as_ref()?;
    let instances = &published.instances;
    let column = |title: &str, cell: &dyn Fn(&PublishedInstance) -> String| {
        Column::new(title, instances.iter().map(cell).collect())
    };
    let nodes = |nodes: Option<u64>| nodes.map_or_else(|| "–".into(), grouped);
    let mut sections = vec![Section::new(
        "published",
        vec![
            column("length", &|instance| instance.length.to_string()),
            column("nodes", &|instance| nodes(instance.nodes)),
        ],
    )];
    for (index, label) in labels(analysis, width).iter().enumerate() {
        let cell = |instance: &PublishedInstance, text: &dyn Fn(&InstanceResult) -> Option<String>| {
            instance.results[index].as_ref().and_then(text).unwrap_or_else(|| "–".into())
        };
        let length = |instance: &PublishedInstance| {
            let text = |result: &InstanceResult| {
                let mark = result.agreement.mark(instance.length, result.length);
                Some(format!("{}{mark}", result.length.map_or_else(|| "–".into(), |l| l.to_string())))
            };
            cell(instance, &text)
        };
        sections.push(Section::new(
            label,
            vec![
                column("length", &length),
                column("nodes", &|instance| cell(instance, &|result| Some(grouped(result.nodes)))),
                column("ratio", &|instance| cell(instance, &|result| result.nodes_ratio.map(Quantity::text))),
            ],
        ));
    }
    let names: Vec<String> = instances.iter().map(|instance| format!("  {}", instance.instance)).collect();
    let heading = format!(
        "Published: {}; nodes of {}. Ratio: nodes divided by the published ones; +n: longer by n moves, not \
         proven optimal; ≠: contradicts the published optimal length.",
        published.source, published.nodes_of
    );
    Some(paragraph(&heading, width) + &stacked(sections, &names, width))
}

/// Whole batches: threads in lines, schedules side by side; `None` if none was measured.
pub fn batches(analysis: &Analysis, width: usize) -> Option<String> {
    let batches = &analysis.batches;
    let first = batches.first()?;
    let mut lines: Vec<(String, Option<(&str, usize)>)> = Vec::new();
    for of_solver in batches.chunk_by(|a, b| a.solver == b.solver) {
        let solver = of_solver[0].solver.as_str();
        lines.push((elided(solver, max_label_width(width)), None));
        lines.extend(of_solver.chunk_by(|a, b| a.threads == b.threads).map(|of_threads| {
            let threads = of_threads[0].threads;
            (format!("  {}", pluralize(threads as u64, "thread")), Some((solver, threads)))
        }));
    }
    let sections = schedules(batches).into_iter().map(|schedule| {
        let column = |title: &str, text: &dyn Fn(&BatchScaling) -> String| {
            let cell = |(_, key): &(String, Option<(&str, usize)>)| {
                let Some((solver, threads)) = *key else { return String::new() };
                let found = batches.iter().find(|batch| {
                    batch.schedule == schedule && batch.solver == solver && batch.threads == threads
                });
                found.map_or_else(|| "–".into(), text)
            };
            Column::new(title, lines.iter().map(cell).collect())
        };
        let mut columns = vec![
            column("wall", &|batch| batch.seconds.text()),
            column("CPU", &|batch| batch.cpu_seconds.map_or_else(|| "–".into(), Quantity::text)),
            column("speed-up", &|batch| batch.speedup.text()),
            column("efficiency", &|batch| batch.efficiency.text()),
        ];
        if batches.iter().any(|batch| batch.solved < batch.positions) {
            columns.push(column("solved", &|batch| grouped(batch.solved as u64)));
        }
        Section::new(schedule.name(), columns)
    });
    let names: Vec<String> = lines.iter().map(|(name, _)| name.clone()).collect();
    let heading = format!(
        "Batches of {}: one thread for each search, median of {}, speed-up against {}.",
        pluralize(first.positions as u64, "position"),
        pluralize(first.rounds as u64, "round"),
        pluralize(first.baseline_threads as u64, "thread"),
    );
    Some(paragraph(&heading, width) + &stacked(sections.collect(), &names, width))
}

/// The schedules of the batches, in their order.
pub(crate) fn schedules(batches: &[BatchScaling]) -> Vec<BatchSchedule> {
    let mut schedules = Vec::new();
    for batch in batches {
        if !schedules.contains(&batch.schedule) {
            schedules.push(batch.schedule);
        }
    }
    schedules
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::{analysis, analysis_of_set};
    use super::super::batch_scaling::tests::batches as measured;
    use super::super::row::Row;
    use super::super::row::tests::solved;
    use super::*;
    use untumble_session::text_table::display_width;

    fn widest(text: &str) -> usize {
        text.lines().map(display_width).max().unwrap_or(0)
    }

    #[test]
    fn sections_are_side_by_side_if_the_width_allows() {
        let rows = [solved(1, "a", 9, 1234, 0.5), solved(2, "a", 10, 99, 0.25)];
        let analysis = analysis(&["a"], &rows);
        let wide = tables(&analysis, 1000);
        let narrow = tables(&analysis, 60);
        assert_eq!(wide.lines().filter(|line| line.contains('─')).count(), 1, "{wide}");
        assert!(narrow.lines().filter(|line| line.contains('─')).count() >= SECTIONS.len(), "{narrow}");
        let words = |text: &str| {
            let mut words: Vec<String> = text
                .split_whitespace()
                .filter(|word| word.contains(char::is_numeric))
                .map(str::to_owned)
                .collect();
            words.sort();
            words.dedup();
            words
        };
        assert_eq!(words(&wide), words(&narrow), "the numbers do not depend on the width");
        assert!(wide.contains("1,234") && wide.contains("375 ms"), "{wide}");
    }

    /// 80 columns with the longest solver texts and large numbers.
    #[test]
    fn nothing_exceeds_80_columns() {
        let long = "ida:bpmx=off+max(manhattan,linear-conflict,walking,misplaced,euclidean,diagonal)";
        let other = long.replace("walking", "wakling");
        let rows: Vec<Row> = (1..=40)
            .flat_map(|position| {
                [long, &other]
                    .map(|name| solved(position, name, position as u32, 1 << (position % 37), 12345.6789))
            })
            .collect();
        let mut analysis = analysis(&[long, &other], &rows);
        use BatchSchedule::{Dynamic, Static};
        analysis.batches =
            measured(long, &[(Static, 1, [4.0; 3]), (Dynamic, 1, [4.0; 3]), (Dynamic, 16, [4.0; 3])]);
        for text in [
            tables(&analysis, 80),
            summary(&analysis, 80),
            solvers(&analysis, 80),
            batches(&analysis, 80).expect("batches"),
        ] {
            assert!(widest(&text) <= 80, "{} columns:\n{text}", widest(&text));
        }
        let listed = solvers(&analysis, 80);
        let words: String = listed.split_whitespace().collect();
        assert!(words.contains(&format!("2{other}:1thread")), "the list explains the numbers:\n{listed}");
        assert_eq!(
            summary(&analysis, 80).matches("1 ida").count(),
            summary(&analysis, 80).matches("2 ida").count()
        );
    }

    #[test]
    fn batches_are_one_table_of_threads_and_schedules() {
        use BatchSchedule::{Dynamic, Static};
        let mut analysis = analysis(&["a"], &[solved(1, "a", 9, 5, 0.5)]);
        assert_eq!(batches(&analysis, 100), None);
        analysis.batches = measured(
            "a",
            &[(Static, 1, [4.0; 3]), (Dynamic, 1, [4.2; 3]), (Static, 2, [2.5; 3]), (Dynamic, 2, [2.1; 3])],
        );
        let text = batches(&analysis, 100).expect("batches");
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(
            lines[4..],
            [
                vec![
                    "1", "thread", "4", "s", "8", "s", "1", "100", "%", "9", "4.2", "s", "8.4", "s", "1",
                    "100", "%", "9"
                ],
                vec![
                    "2", "threads", "2.5", "s", "5", "s", "1.6", "80", "%", "9", "2.1", "s", "4.2", "s", "2",
                    "100", "%", "9"
                ],
            ],
            "{text}"
        );
    }

    #[test]
    fn published_results_have_a_line_for_each_instance() {
        let published = |row: Row, length, nodes| Row {
            instance: Some(row.position as u32),
            reference_length: Some(length),
            reference_nodes: Some(nodes),
            ..row
        };
        let longer = Row { optimal: false, lower_bound: 0, ..solved(2, "a", 12, 30, 0.1) };
        let rows = [published(solved(1, "a", 9, 100, 0.1), 9, 100), published(longer, 10, 120)];
        let text = super::published(&analysis_of_set(&["a"], &rows), 80).expect("a table");
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(
            lines.ends_with(&[
                vec!["1", "9", "100", "9", "100", "1"],
                vec!["2", "10", "120", "12", "+2", "30", "0.25"]
            ]),
            "{text}"
        );
        assert!(widest(&text) <= 80, "{text}");
    }
}
