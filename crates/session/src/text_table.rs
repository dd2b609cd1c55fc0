//! Tables of plain text for a terminal: definitions in two wrapped columns, or aligned columns.

use unicode_width::UnicodeWidthStr;

/// Rows of a name and a description.
#[derive(Default)]
pub struct DefinitionTable {
    rows: Vec<(String, String)>,
}

impl DefinitionTable {
    /// Adds a row.
    pub fn row(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.rows.push((name.into(), text.into()));
    }

    /// The rows aligned and wrapped to `width` columns; every line ends with a newline.
    pub fn render(&self, width: usize) -> String {
        const INDENT: usize = 2;
        const GAP: usize = 2;
        let longest = self.rows.iter().map(|(name, _)| display_width(name)).max().unwrap_or(0);
        // A very long name gets a line of its own, so that it does not narrow all descriptions.
        let name_width = longest.min(width / 3);
        let margin = INDENT + name_width + GAP;
        let mut out = String::new();
        for (name, text) in &self.rows {
            let lines = wrap(text, width.saturating_sub(margin).max(20));
            let (mut first, mut rest) = (format!("{:INDENT$}{name}", ""), lines.into_iter());
            if display_width(name) <= name_width {
                let line = rest.next().unwrap_or_default();
                first = pad_right(first, margin) + &line;
            }
            out.push_str(first.trim_end());
            out.push('\n');
            for line in rest {
                out.push_str(&format!("{:margin$}{line}\n", ""));
            }
        }
        out
    }
}

/// The number of terminal columns that a text occupies.
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// Appends spaces up to `width` columns.
pub fn pad_right(mut text: String, width: usize) -> String {
    text.extend(std::iter::repeat_n(' ', width.saturating_sub(display_width(&text))));
    text
}

/// The alignment of all columns but the first, which is flush left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// Flush left.
    Left,
    /// Flush right.
    Right,
}

/// The rows with aligned columns; every line ends with a newline.
pub fn align_columns<const N: usize>(rows: &[[String; N]], alignment: Alignment) -> String {
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| display_width(&row[column])).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).enumerate().map(|(index, (cell, width))| {
            if index > 0 && alignment == Alignment::Right {
                " ".repeat(width - display_width(cell)) + cell
            } else {
                pad_right(cell.clone(), width)
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// Breaks a text between words into lines of at most `width` columns; a longer word has a line of its own.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let used = lines.last_mut().map_or(0, |line| display_width(line));
        if used > 0 && used + 1 + display_width(word) > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_aligned_and_wrapped() {
        let mut table = DefinitionTable::default();
        table.row("bfs", "one two three four five six");
        table.row("parida", "seven");
        assert_eq!(table.render(32), "  bfs     one two three four\n          five six\n  parida  seven\n");
    }

    #[test]
    fn columns_are_aligned_by_display_width() {
        let rows = [["name", "size"], ["a-long-name", "3"], ["é", ""], ["表", "4"]]
            .map(|row| row.map(str::to_owned));
        assert_eq!(
            align_columns(&rows, Alignment::Left),
            "name         size\na-long-name  3\né\n表           4\n"
        );
        assert_eq!(
            align_columns(&rows, Alignment::Right),
            "name         size\na-long-name     3\né\n表              4\n"
        );
    }

    #[test]
    fn a_long_name_has_a_line_of_its_own() {
        let mut table = DefinitionTable::default();
        table.row("a-name-that-is-long", "text");
        table.row("short", "text");
        assert_eq!(table.render(30), "  a-name-that-is-long\n              text\n  short       text\n");
    }
}
