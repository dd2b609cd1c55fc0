//! The HTML report of a comparison of solvers: one file without scripts or external resources, for light and
//! dark screens and for print.
//!
//! The report derives no statistics. An [`Analysis`] holds every number; each [`Section`] of [`SECTIONS`]
//! (solutions, time, nodes) describes a table with a row per solver; each of its columns takes one number
//! from the [`Summary`] of the solver's searches. A solver has a summary over all positions, called `all`,
//! and one for each group of solution lengths. A number with a unit is a `Quantity`.

mod published;
mod resources;

use super::analysis::Analysis;
use super::charts::{CSS_VARIABLES, Chart, DARK_COLOURS};
use super::columns::{Cell, SECTIONS, Section};
use super::paired::{ERROR_RATE, MARGIN};
use super::statistics::ExponentialFit;
use super::summary::Summary;
use crate::error::Error;
use untumble_session::number_format::pluralize;

/// Renders the report; it quotes `command` as the command that produced it.
pub(crate) fn page(analysis: &Analysis, charts: &[Chart], command: &str) -> Result<String, Error> {
    let title = format!("Solvers compared on {}", analysis.setup.puzzle);
    let mut html = HtmlWriter::default();
    html.0.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.0.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.0.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    // A page without an icon makes the browser request one from the server.
    html.0.push_str("<link rel=\"icon\" href=\"data:,\">\n");
    html.element("title", &title);
    html.0.push_str(&format!(
        "<style>\n{}{}</style>\n</head>\n<body>\n<main>\n",
        include_str!("report.css"),
        chart_colours()
    ));
    html.element("h1", &title);
    write_setup(&mut html, analysis, command);
    html.element("h2", "Findings");
    html.list(&analysis.findings.general);
    html.element("h2", "Solvers");
    html.list(&analysis.findings.solvers);
    // The same sections twice: here over all positions, below by solution length.
    html.element("h2", "All positions");
    for section in SECTIONS {
        write_overall_table(&mut html, analysis, section);
    }
    resources::write_resources_table(&mut html, analysis);
    html.element("h2", "Charts");
    for chart in charts {
        write_figure(&mut html, chart)?;
    }
    resources::write_growth_table(&mut html, analysis);
    resources::write_scaling_table(&mut html, analysis);
    resources::write_batch_tables(&mut html, analysis);
    html.element("h2", "By solution length");
    html.element(
        "p",
        "Positions are grouped by the length of the best known solution, not by the scramble depth.",
    );
    for section in SECTIONS {
        write_length_table(&mut html, analysis, section);
    }
    published::write_table(&mut html, analysis);
    write_method(&mut html, analysis);
    html.0.push_str("</main>\n</body>\n</html>\n");
    Ok(html.0)
}

/// CSS rules that adapt the colours of the charts to the colour scheme of the page.
fn chart_colours() -> String {
    let mut rules = String::new();
    for (colour, variable) in CSS_VARIABLES {
        rules.push_str(&format!("svg [fill=\"{colour}\"] {{ fill: var({variable}); }}\n"));
        rules.push_str(&format!("svg [stroke=\"{colour}\"] {{ stroke: var({variable}); }}\n"));
    }
    rules.push_str("@media screen and (prefers-color-scheme: dark) {\n");
    for (light, dark) in DARK_COLOURS {
        rules.push_str(&format!("  svg [fill=\"{light}\"] {{ fill: {dark}; }}\n"));
        rules.push_str(&format!("  svg [stroke=\"{light}\"] {{ stroke: {dark}; }}\n"));
    }
    rules + "}\n"
}

/// Escapes text for element contents and attribute values.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The HTML written so far.
#[derive(Default)]
struct HtmlWriter(String);

impl HtmlWriter {
    fn element(&mut self, name: &str, text: &str) {
        self.0.push_str(&format!("<{name}>{}</{name}>\n", escape(text)));
    }

    fn list(&mut self, items: &[String]) {
        self.0.push_str("<ul>\n");
        for item in items {
            self.element("li", item);
        }
        self.0.push_str("</ul>\n");
    }

    /// Opens a table that scrolls horizontally if it is too wide. A heading is a title and a tooltip.
    fn begin_table(&mut self, caption: &str, headings: &[(&str, &str)]) {
        self.0.push_str("<div class=\"wide\"><table>\n");
        self.element("caption", caption);
        self.0.push_str("<thead><tr>");
        for (title, tooltip) in headings {
            self.0.push_str(&format!(
                "<th scope=\"col\" title=\"{}\">{}</th>",
                escape(tooltip),
                escape(title)
            ));
        }
        self.0.push_str("</tr></thead>\n<tbody>\n");
    }

    fn end_table(&mut self) {
        self.0.push_str("</tbody></table></div>\n");
    }

    /// A row with a heading; each cell carries its number as machine-readable `value`.
    fn row(&mut self, name: &str, cells: impl IntoIterator<Item = Cell>) {
        self.0.push_str(&format!("<tr><th scope=\"row\">{}</th>", escape(name)));
        for cell in cells {
            self.cell(cell, "");
        }
        self.0.push_str("</tr>\n");
    }

    /// A cell with a mark behind its number.
    fn cell(&mut self, cell: Cell, mark: &str) {
        let text = escape(&cell.text());
        match cell.value() {
            Some(value) => self.0.push_str(&format!("<td><data value=\"{value}\">{text}</data>{mark}</td>")),
            None => self.0.push_str(&format!("<td>{text}{mark}</td>")),
        }
    }
}

fn write_setup(html: &mut HtmlWriter, analysis: &Analysis, command: &str) {
    let setup = &analysis.setup;
    let limits = [
        setup.limits.seconds.map(|seconds| format!("{seconds} s")),
        setup.limits.nodes.map(|nodes| pluralize(nodes, "node")),
        setup
            .limits
            .memory
            .map(|memory| format!("{} of memory", untumble_session::number_format::bytes(memory))),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let limits = if limits.is_empty() { "the memory of the machine".into() } else { limits.join(", ") };
    let goal = setup.goal.as_deref().unwrap_or("default");
    let mut facts = vec![
        ("puzzle", setup.puzzle.clone()),
        ("goal", goal.to_owned()),
        ("positions", setup.origin.description()),
        ("limits per search", limits),
        ("machine", analysis.machine.description()),
        ("program", format!("untumble {}", setup.untumble_version)),
    ];
    if let Some(metric) = &setup.metric {
        facts.insert(2, ("metric", metric.clone()));
    }
    let devices = analysis.devices();
    if !devices.is_empty() {
        let program = facts.len() - 1;
        facts.insert(program, ("GPU", devices.join(", ")));
    }
    html.0.push_str("<dl>\n");
    for (name, text) in facts {
        html.element("dt", name);
        html.element("dd", &text);
    }
    html.element("dt", "command");
    html.0.push_str(&format!("<dd><code>{}</code></dd>\n</dl>\n", escape(command)));
}

/// The headings of a section's table, as title and tooltip; the first column names the solver.
fn headings(section: &Section) -> Vec<(&str, &str)> {
    let columns = section.columns.iter().map(|column| (column.title, column.description));
    [("solver", "solver")].into_iter().chain(columns).collect()
}

/// The cells of a section's columns for one solver.
fn cells<'a>(section: &'a Section, summary: &'a Summary) -> impl Iterator<Item = Cell> {
    section.columns.iter().map(move |column| (column.cell)(summary))
}

fn write_overall_table(html: &mut HtmlWriter, analysis: &Analysis, section: &Section) {
    html.begin_table(section.title, &headings(section));
    for solver in &analysis.solvers {
        html.row(&solver.label, cells(section, &solver.all));
    }
    html.end_table();
}

fn write_length_table(html: &mut HtmlWriter, analysis: &Analysis, section: &Section) {
    html.begin_table(&format!("{} by solution length", section.title), &headings(section));
    for (index, group) in analysis.groups.iter().enumerate() {
        let title = format!("{} ({})", group.title(), pluralize(group.positions as u64, "position"));
        let columns = section.columns.len() + 1;
        html.0.push_str(&format!(
            "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{columns}\">{}</th></tr>\n",
            escape(&title)
        ));
        for solver in &analysis.solvers {
            if let Some(summary) = solver.groups.get(index) {
                html.row(&solver.label, cells(section, summary));
            }
        }
    }
    html.end_table();
}

fn write_figure(html: &mut HtmlWriter, chart: &Chart) -> Result<(), Error> {
    html.0.push_str(&format!("<figure id=\"{}\">\n{}", chart.name, chart.svg()?));
    html.0.push_str(&format!(
        "<figcaption>{} Also as <a href=\"{name}.svg\">SVG</a> and <a href=\"{name}.png\">PNG</a>.\
         </figcaption>\n</figure>\n",
        escape(&chart.caption),
        name = chart.name
    ));
    Ok(())
}

fn write_method(html: &mut HtmlWriter, analysis: &Analysis) {
    html.element("h2", "Method");
    html.list(&[
        "All solvers ran on the same positions. Each position was searched by all solvers before the next \
         one, in orders that rotate and reverse, so that changes of the machine's load affect all of them \
         alike. CPU time is that of all threads of a search. It decides, except for solvers on a GPU, whose \
         work takes no CPU time."
            .into(),
        "Tables were built or loaded before the measurements and timed separately. Each solver was warmed \
         up with one search that is not counted."
            .into(),
        "Times and nodes cover the positions that a solver solved. Lengths and the shares of proven, optimal \
         and longer solutions cover all solutions found, also by stopped searches. Memory covers all \
         searches. Quantiles are interpolated linearly."
            .into(),
        "Proven: the solver itself proved the solution optimal. Optimal: the solution is as long as the \
         best known one, and some solver proved that length optimal. Longer: the solution is longer than \
         the best known one."
            .into(),
        common_positions(analysis),
        format!(
            "A solver is called faster than another only if a paired sign test over the positions that all \
             solvers solved says so: the confidence interval of the median ratio of their times must be \
             more than {} % away from 1. The intervals of all pairs of solvers and all quantities hold \
             together with {} % confidence. The total times must also favour the same solver. Node counts of one thread are \
             exact and need no test.",
            100.0 * MARGIN,
            100.0 * (1.0 - ERROR_RATE)
        ),
        format!(
            "Growth is fitted for solvers with at least {} solved positions of at least {} different \
             lengths.",
            ExponentialFit::MIN_POINTS,
            ExponentialFit::MIN_DEPTHS
        ),
        "Generated nodes are the root and every child that was made or evaluated, pruned ones included. \
         Visited nodes are the distinct states if the solver counts them, otherwise the expanded nodes."
            .into(),
        "Every solution was replayed on its position before it was counted. results.csv contains every \
         search, results.json every number of this page."
            .into(),
    ]);
}

/// The sentence on the common positions, on which solvers are ranked. Solvers that solved no position are
/// excluded.
fn common_positions(analysis: &Analysis) -> String {
    let exception = match analysis.excluded.len() {
        0 => String::new(),
        _ => format!(", except {}, which solved none", analysis.excluded.join(", ")),
    };
    match analysis.common_positions {
        0 => "Solvers are not ranked by time or nodes, because no position was solved by all of them.".into(),
        common => {
            let positions = pluralize(common as u64, "position");
            format!(
                "Solvers are ranked by time and nodes on the {positions} solved by all of them{exception}."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::Rows;
    use super::super::analysis::tests::analysis;
    use super::super::charts;
    use super::super::row::tests::{solved, stopped};
    use super::*;

    #[test]
    fn a_page_has_no_external_references() {
        let rows = [solved(1, "a<b>&\"c\"", 9, 1234, 0.5), stopped(1, "d")];
        let analysis = analysis(&["a<b>&\"c\"", "d"], &rows);
        let charts = charts::all(&analysis, &Rows::new(&rows));
        let page = page(&analysis, &charts, "untumble analyze <x>").expect("a page");
        assert!(!page.contains("<script") && !page.contains("@import") && !page.contains("url("));
        let addresses = page.split("http").skip(1).filter(|rest| !rest.starts_with("://www.w3.org/2000/svg"));
        assert_eq!(addresses.count(), 0, "the page refers only to the SVG namespace");
        assert!(!page.contains("a<b>"), "names are escaped");
        assert_eq!(page.matches("<figure").count(), charts.len());
    }

    #[test]
    fn the_page_contains_every_number_of_the_tables() {
        let rows = [solved(1, "a", 9, 1234, 0.5), solved(2, "a", 12, 99, 0.25)];
        let analysis = analysis(&["a"], &rows);
        let page = page(&analysis, &[], "").expect("a page");
        for column in SECTIONS.iter().flat_map(|section| section.columns) {
            for summary in analysis.solvers[0].groups.iter().chain([&analysis.solvers[0].all]) {
                let cell = (column.cell)(summary);
                let Some(value) = cell.value() else { continue };
                let text = format!("<data value=\"{value}\">{}</data>", cell.text());
                assert!(page.contains(&text), "{} is missing: {text}", column.title);
            }
        }
    }
}
