//! The tables on the terminal: as many sections side by side as fit, the rest below.

use super::columns::{SECTIONS, Section};
use super::study::Study;
use super::tally::Tally;
use untumble_session::figures;
use untumble_session::layout::{length, pad};

/// Between two columns.
const GAP: usize = 2;

/// All tables of a study, no wider than `width` where that can be.
pub fn tables(study: &Study, width: usize) -> String {
    let lines = lines(study);
    let names = lines.iter().map(|line| length(&line.name)).max().unwrap_or(0);
    let sections: Vec<Table> = SECTIONS.iter().map(|section| Table::new(section, &lines)).collect();
    let mut out = String::new();
    let mut rest = sections.as_slice();
    while !rest.is_empty() {
        let mut fitting = 0;
        let mut taken = names;
        while fitting < rest.len() && (fitting == 0 || taken + GAP + rest[fitting].width() <= width) {
            taken += GAP + rest[fitting].width();
            fitting += 1;
        }
        let (run_parallel, below) = rest.split_at(fitting);
        write(run_parallel, &lines, names, &mut out);
        if !below.is_empty() {
            out.push('\n');
        }
        rest = below;
    }
    out
}

/// A line: a group's title, or a solver's figures in the group above it.
struct Line<'a> {
    name: String,
    tally: Option<&'a Tally>,
}

fn lines(study: &Study) -> Vec<Line<'_>> {
    let grouped = |count: usize| figures::grouped(count as u64);
    let mut lines = Vec::new();
    for (place, group) in study.groups.iter().enumerate() {
        lines.push(Line { name: format!("{} ({})", group.title(), grouped(group.positions)), tally: None });
        lines.extend(
            study
                .solvers
                .iter()
                .map(|solver| Line { name: format!("  {}", solver.label), tally: solver.groups.get(place) }),
        );
    }
    // A single group is all there is.
    if study.groups.len() != 1 {
        lines.push(Line { name: format!("all ({})", grouped(study.measured())), tally: None });
        lines.extend(
            study
                .solvers
                .iter()
                .map(|solver| Line { name: format!("  {}", solver.label), tally: Some(&solver.all) }),
        );
    }
    lines
}

/// A section with the texts of its cells.
struct Table {
    title: &'static str,
    columns: Vec<TextColumn>,
}

struct TextColumn {
    title: &'static str,
    cells: Vec<String>,
    width: usize,
}

impl Table {
    fn new(section: &Section, lines: &[Line<'_>]) -> Table {
        let columns = section.columns.iter().map(|column| {
            let cells: Vec<String> = lines
                .iter()
                .map(|line| line.tally.map_or_else(String::new, |tally| (column.cell)(tally).text()))
                .collect();
            let width = cells.iter().map(|cell| length(cell)).max().unwrap_or(0).max(length(column.title));
            TextColumn { title: column.title, cells, width }
        });
        Table { title: section.title, columns: columns.collect() }
    }

    fn width(&self) -> usize {
        self.columns.iter().map(|column| column.width + GAP).sum::<usize>().saturating_sub(GAP)
    }
}

fn write(sections: &[Table], lines: &[Line<'_>], names: usize, out: &mut String) {
    let mut titles = " ".repeat(names);
    let mut heads = " ".repeat(names);
    for section in sections {
        let title = format!("─ {} ", section.title);
        let dashes = section.width().saturating_sub(length(&title));
        titles.push_str(&format!("{:GAP$}{title}{}", "", "─".repeat(dashes)));
        for column in &section.columns {
            heads.push_str(&format!("{:GAP$}{:>width$}", "", column.title, width = column.width));
        }
    }
    for line in [titles, heads] {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    for (place, line) in lines.iter().enumerate() {
        let mut text = pad(line.name.clone(), names);
        for column in sections.iter().flat_map(|section| &section.columns) {
            let cell = &column.cells[place];
            text.push_str(&" ".repeat(GAP + column.width - length(cell)));
            text.push_str(cell);
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::solved;
    use super::super::study::tests::study;
    use super::*;

    #[test]
    fn sections_stand_side_by_side_where_they_fit() {
        let rows = [solved(1, "a", 9, 1234, 0.5), solved(2, "a", 10, 99, 0.25)];
        let study = study(&["a"], &rows);
        let wide = tables(&study, 1000);
        let narrow = tables(&study, 40);
        assert_eq!(wide.lines().filter(|line| line.contains('─')).count(), 1, "{wide}");
        assert_eq!(narrow.lines().filter(|line| line.contains('─')).count(), SECTIONS.len(), "{narrow}");
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
        assert_eq!(words(&wide), words(&narrow), "the same figures however wide");
        assert!(wide.contains("1,234") && wide.contains("375 ms"), "{wide}");
    }
}
