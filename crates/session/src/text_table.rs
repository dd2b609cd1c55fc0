//! Two columns for a terminal: names, and what they mean, wrapped.

use unicode_width::UnicodeWidthStr;

/// Rows of a name and a text.
#[derive(Default)]
pub struct Table {
    rows: Vec<(String, String)>,
}

impl Table {
    /// Adds a row.
    pub fn row(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.rows.push((name.into(), text.into()));
    }

    /// The rows, aligned and wrapped to `width` columns, each line ended.
    pub fn lines(&self, width: usize) -> String {
        const INDENT: usize = 2;
        const GAP: usize = 2;
        let longest = self.rows.iter().map(|(name, _)| length(name)).max().unwrap_or(0);
        // A very long name gets a line of its own rather than push all texts aside.
        let names = longest.min(width / 3);
        let margin = INDENT + names + GAP;
        let mut out = String::new();
        for (name, text) in &self.rows {
            let lines = wrap(text, width.saturating_sub(margin).max(20));
            let (mut first, rest) = (format!("{:INDENT$}{name}", ""), lines);
            let mut rest = rest.into_iter();
            if length(name) <= names {
                let line = rest.next().unwrap_or_default();
                first = pad(first, margin) + &line;
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

/// How many columns of a terminal a text takes.
pub fn length(text: &str) -> usize {
    text.width()
}

/// Adds spaces up to `width` columns.
pub fn pad(mut text: String, width: usize) -> String {
    text.extend(std::iter::repeat_n(' ', width.saturating_sub(length(&text))));
    text
}

/// Where the cells of all columns but the first stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Flush left.
    Left,
    /// Flush right.
    Right,
}

/// Rows under each other, each line ended.
pub fn columns<const N: usize>(rows: &[[String; N]], side: Side) -> String {
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).enumerate().map(|(place, (cell, width))| {
            if place > 0 && side == Side::Right {
                " ".repeat(width - length(cell)) + cell
            } else {
                pad(cell.clone(), width)
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// Breaks a text between words into lines of at most `width`, where words allow.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map_or(0, |line| length(line));
        if line > 0 && line + 1 + length(word) > width {
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
    fn columns_are_aligned_and_wrapped() {
        let mut table = Table::default();
        table.row("bfs", "one two three four five six");
        table.row("parida", "seven");
        assert_eq!(table.lines(32), "  bfs     one two three four\n          five six\n  parida  seven\n");
    }

    #[test]
    fn columns_line_up() {
        let rows = [["name", "size"], ["a-long-name", "3"], ["é", ""], ["表", "4"]]
            .map(|row| row.map(str::to_owned));
        assert_eq!(columns(&rows, Side::Left), "name         size\na-long-name  3\né\n表           4\n");
        assert_eq!(
            columns(&rows, Side::Right),
            "name         size\na-long-name     3\né\n表              4\n"
        );
    }

    #[test]
    fn a_long_name_has_its_own_line() {
        let mut table = Table::default();
        table.row("a-name-that-is-long", "text");
        table.row("short", "text");
        assert_eq!(table.lines(30), "  a-name-that-is-long\n              text\n  short       text\n");
    }
}
