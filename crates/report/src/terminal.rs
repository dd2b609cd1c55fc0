//! Result tables for the terminal: as many sections side by side as the width allows, the others below.

use super::analysis::{Analysis, SolverResult};
use super::columns::{SECTIONS, Section};
use super::summary::Summary;
use untumble_session::number_format;
use untumble_session::text_table::{display_width, pad_right};

/// Spaces between two columns.
const GAP: usize = 2;

/// All tables of an analysis, at most `width` columns wide unless a single section is wider.
pub fn tables(analysis: &Analysis, width: usize) -> String {
    let lines = lines(analysis);
    let name_width = lines.iter().map(|line| display_width(&line.name)).max().unwrap_or(0);
    let tables: Vec<Table> = SECTIONS.iter().map(|section| Table::new(section, &lines)).collect();
    let mut out = String::new();
    let mut remaining = tables.as_slice();
    while !remaining.is_empty() {
        let mut fitting = 0;
        let mut used = name_width;
        while fitting < remaining.len() && (fitting == 0 || used + GAP + remaining[fitting].width() <= width)
        {
            used += GAP + remaining[fitting].width();
            fitting += 1;
        }
        let (side_by_side, below) = remaining.split_at(fitting);
        write_side_by_side(side_by_side, &lines, name_width, &mut out);
        if !below.is_empty() {
            out.push('\n');
        }
        remaining = below;
    }
    out
}

/// A line: the title of a group, or a solver's summary for the group above it.
struct Line<'a> {
    name: String,
    summary: Option<&'a Summary>,
}

impl<'a> Line<'a> {
    fn of(solver: &SolverResult, summary: Option<&'a Summary>) -> Line<'a> {
        Line { name: format!("  {}", solver.label), summary }
    }
}

fn lines(analysis: &Analysis) -> Vec<Line<'_>> {
    let title = |name: &str, positions: usize| Line {
        name: format!("{name} ({})", number_format::grouped(positions as u64)),
        summary: None,
    };
    let mut lines = Vec::new();
    for (index, group) in analysis.groups.iter().enumerate() {
        lines.push(title(&group.title(), group.positions));
        lines.extend(analysis.solvers.iter().map(|solver| Line::of(solver, solver.groups.get(index))));
    }
    // A single group already contains all positions.
    if analysis.groups.len() != 1 {
        lines.push(title("all", analysis.searched_positions()));
        lines.extend(analysis.solvers.iter().map(|solver| Line::of(solver, Some(&solver.all))));
    }
    lines
}

/// A section with its cells rendered as text.
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
                .map(|line| line.summary.map_or_else(String::new, |summary| (column.cell)(summary).text()))
                .collect();
            let width = cells
                .iter()
                .map(|cell| display_width(cell))
                .max()
                .unwrap_or(0)
                .max(display_width(column.title));
            TextColumn { title: column.title, cells, width }
        });
        Table { title: section.title, columns: columns.collect() }
    }

    fn width(&self) -> usize {
        self.columns.iter().map(|column| column.width + GAP).sum::<usize>().saturating_sub(GAP)
    }
}

/// Writes tables side by side: a line of titles, a line of headings, and the `lines`.
fn write_side_by_side(tables: &[Table], lines: &[Line<'_>], name_width: usize, out: &mut String) {
    let mut titles = " ".repeat(name_width);
    let mut heads = " ".repeat(name_width);
    for table in tables {
        let title = format!("─ {} ", table.title);
        let dashes = table.width().saturating_sub(display_width(&title));
        titles.push_str(&format!("{:GAP$}{title}{}", "", "─".repeat(dashes)));
        for column in &table.columns {
            heads.push_str(&format!("{:GAP$}{:>width$}", "", column.title, width = column.width));
        }
    }
    for line in [titles, heads] {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    for (index, line) in lines.iter().enumerate() {
        let mut text = pad_right(line.name.clone(), name_width);
        for column in tables.iter().flat_map(|table| &table.columns) {
            let cell = &column.cells[index];
            text.push_str(&" ".repeat(GAP + column.width - display_width(cell)));
            text.push_str(cell);
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::analysis;
    use super::super::row::tests::solved;
    use super::*;

    #[test]
    fn sections_are_side_by_side_if_the_width_allows() {
        let rows = [solved(1, "a", 9, 1234, 0.5), solved(2, "a", 10, 99, 0.25)];
        let analysis = analysis(&["a"], &rows);
        let wide = tables(&analysis, 1000);
        let narrow = tables(&analysis, 40);
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
        assert_eq!(words(&wide), words(&narrow), "the numbers do not depend on the width");
        assert!(wide.contains("1,234") && wide.contains("375 ms"), "{wide}");
    }
}
