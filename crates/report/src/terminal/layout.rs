//! Columns of text under section titles, stacked to fit a width.

use untumble_session::text_table::{display_width, pad_right};

/// Spaces between two columns.
const GAP: usize = 2;

/// Columns under a common title; every column has a cell for each line.
pub(super) struct Section {
    title: String,
    columns: Vec<Column>,
}

pub(super) struct Column {
    title: String,
    cells: Vec<String>,
    width: usize,
}

impl Column {
    pub(super) fn new(title: &str, cells: Vec<String>) -> Column {
        let widths = cells.iter().map(|cell| display_width(cell));
        let width = widths.max().unwrap_or(0).max(display_width(title));
        Column { title: title.to_owned(), cells, width }
    }
}

impl Section {
    pub(super) fn new(title: &str, mut columns: Vec<Column>) -> Section {
        let missing = title_width(title).saturating_sub(total_width(&columns));
        if let Some(first) = columns.first_mut() {
            first.width += missing;
        }
        Section { title: title.to_owned(), columns }
    }

    fn width(&self) -> usize {
        total_width(&self.columns)
    }

    /// The first columns, as many as fit into `width` but at least one, and the section of the others.
    fn split(mut self, width: usize) -> (Section, Option<Section>) {
        let fits = |count: &usize| total_width(&self.columns[..*count]) <= width;
        let count = (1..=self.columns.len()).rev().find(fits).unwrap_or(1);
        let rest = self.columns.split_off(count.min(self.columns.len()));
        let title = match self.title.strip_suffix(CONTINUED) {
            Some(_) => self.title.clone(),
            None => format!("{}{CONTINUED}", self.title),
        };
        let rest = (!rest.is_empty()).then(|| Section::new(&title, rest));
        (self, rest)
    }
}

const CONTINUED: &str = ", continued";

fn total_width(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.width + GAP).sum::<usize>().saturating_sub(GAP)
}

/// The width of a title with its first dash.
fn title_width(title: &str) -> usize {
    display_width(title) + 2
}

/// The sections beside the `names` of their lines: as many side by side as the width allows, the others
/// below. A section that is too wide continues below, too; only a single column may exceed the width.
pub(super) fn stacked(sections: Vec<Section>, names: &[String], width: usize) -> String {
    let name_width = names.iter().map(|name| display_width(name)).max().unwrap_or(0);
    let available = width.saturating_sub(name_width + GAP);
    let mut blocks: Vec<Vec<Section>> = Vec::new();
    let mut used = 0;
    for section in sections {
        let mut rest = Some(section);
        while let Some(section) = rest.take() {
            match blocks.last_mut() {
                Some(block) if used + GAP + section.width() <= available => {
                    used += GAP + section.width();
                    block.push(section);
                }
                _ => {
                    let (fitting, remaining) = section.split(available);
                    used = fitting.width();
                    blocks.push(vec![fitting]);
                    rest = remaining;
                }
            }
        }
    }
    let blocks: Vec<String> =
        blocks.iter().map(|sections| side_by_side(sections, names, name_width)).collect();
    blocks.join("\n")
}

/// A line of titles, a line of headings, and a line for each name.
fn side_by_side(sections: &[Section], names: &[String], name_width: usize) -> String {
    let mut titles = " ".repeat(name_width);
    let mut heads = " ".repeat(name_width);
    for section in sections {
        let title = format!("─ {} ", section.title);
        let dashes = section.width().saturating_sub(display_width(&title));
        titles.push_str(&format!("{:GAP$}{title}{}", "", "─".repeat(dashes)));
        for column in &section.columns {
            let padding = GAP + column.width - display_width(&column.title);
            heads.push_str(&format!("{:padding$}{}", "", column.title));
        }
    }
    let mut lines = vec![titles, heads];
    for (index, name) in names.iter().enumerate() {
        let mut line = pad_right(name.clone(), name_width);
        for column in sections.iter().flat_map(|section| &section.columns) {
            let cell = column.cells.get(index).map_or("", String::as_str);
            line.push_str(&" ".repeat(GAP + column.width - display_width(cell)));
            line.push_str(cell);
        }
        lines.push(line);
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The labels with their middles elided to `width` columns; numbered if two would look the same.
pub(super) fn short_labels(labels: &[&str], width: usize) -> Vec<String> {
    let short: Vec<String> = labels.iter().map(|label| elided(label, width)).collect();
    let repeats = |index: usize| short[..index].contains(&short[index]);
    if !(0..short.len()).any(repeats) {
        return short;
    }
    let number = |index: usize| format!("{} ", index + 1);
    labels
        .iter()
        .enumerate()
        .map(|(index, label)| {
            let number = number(index);
            elided(label, width.saturating_sub(number.len())).replacen("", &number, 1)
        })
        .collect()
}

/// The text with its middle elided; solver texts differ at their beginnings and ends.
pub(super) fn elided(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let kept = width.max(3) - 1;
    let tail = kept / 2;
    let (head, tail) = (&letters[..(kept - tail).min(letters.len())], &letters[letters.len() - tail..]);
    format!("{}…{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(title: &str, widths: &[usize]) -> Section {
        let column = |width: &usize| Column::new("h", vec!["x".repeat(*width)]);
        Section::new(title, widths.iter().map(column).collect())
    }

    #[test]
    fn no_line_exceeds_the_width() {
        for width in 40..120 {
            let sections = vec![section("one", &[9; 10]), section("two", &[5, 5]), section("three", &[8; 4])];
            let text = stacked(sections, &["name".into()], width);
            let widest = text.lines().map(display_width).max().unwrap_or(0);
            assert!(widest <= width, "{widest} columns at a width of {width}:\n{text}");
            assert_eq!(text.matches('x').count(), 90 + 10 + 32, "no cell is lost at {width}:\n{text}");
        }
    }

    #[test]
    fn a_wide_section_continues_below() {
        assert_eq!(
            stacked(vec![section("a", &[4, 4, 4])], &["n".into()], 14),
            "   ─ a ──────\n      h     h\nn  xxxx  xxxx\n\n   ─ a, continued\n                h\nn            xxxx\n"
        );
    }

    #[test]
    fn labels_that_look_the_same_are_numbered() {
        assert_eq!(short_labels(&["ida+manhattan", "bfs"], 9), ["ida+…ttan", "bfs"]);
        assert_eq!(short_labels(&["abcXXXdef", "abcYYYdef"], 7), ["1 ab…ef", "2 ab…ef"]);
        assert_eq!(short_labels(&["abc", "def"], 7), ["abc", "def"]);
    }
}
