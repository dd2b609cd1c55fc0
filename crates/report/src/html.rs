//! The report: one HTML file with everything in it. It needs no network and no scripts, follows the reader's light or
//! dark, and prints.

use super::charts::{Chart, DARK, INKS};
use super::columns::{Cell, SECTIONS, Section};
use super::statistics::Growth;
use super::study::{Solver, Study};
use super::tally::Tally;
use crate::error::Error;
use untumble_session::figures::counted;

/// The page; `command` is what made it.
pub(crate) fn page(study: &Study, charts: &[Chart], command: &str) -> Result<String, Error> {
    let subject = &study.subject;
    let title = format!("Solvers compared on {}", subject.puzzle);
    let mut page = Page::default();
    page.0.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.0.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.0.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    // Browsers ask the server for an icon otherwise.
    page.0.push_str("<link rel=\"icon\" href=\"data:,\">\n");
    page.element("title", &title);
    page.0.push_str(&format!(
        "<style>\n{}{}</style>\n</head>\n<body>\n<main>\n",
        include_str!("report.css"),
        inks()
    ));
    page.element("h1", &title);
    facts(&mut page, study, command);
    page.element("h2", "What the figures show");
    page.list(&study.sentences.general);
    page.element("h2", "The solvers");
    page.list(&study.sentences.solvers);
    page.element("h2", "All positions");
    for section in SECTIONS {
        overall(&mut page, study, section);
    }
    preparations(&mut page, study);
    page.element("h2", "Charts");
    for chart in charts {
        figure(&mut page, chart)?;
    }
    growths(&mut page, study);
    scaling(&mut page, study);
    page.element("h2", "By solution length");
    page.element("p", "The length of a group is that of the best solution that any solver found; how many random moves made a position is another matter.");
    for section in SECTIONS {
        by_length(&mut page, study, section);
    }
    method(&mut page, study);
    page.0.push_str("</main>\n</body>\n</html>\n");
    Ok(page.0)
}

/// The charts' inks follow the page's.
fn inks() -> String {
    let mut rules = String::new();
    for (colour, variable) in INKS {
        rules.push_str(&format!("svg [fill=\"{colour}\"] {{ fill: var({variable}); }}\n"));
        rules.push_str(&format!("svg [stroke=\"{colour}\"] {{ stroke: var({variable}); }}\n"));
    }
    rules.push_str("@media screen and (prefers-color-scheme: dark) {\n");
    for (light, dark) in DARK {
        rules.push_str(&format!("  svg [fill=\"{light}\"] {{ fill: {dark}; }}\n"));
        rules.push_str(&format!("  svg [stroke=\"{light}\"] {{ stroke: {dark}; }}\n"));
    }
    rules + "}\n"
}

/// Text that means nothing to HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// HTML in the making.
#[derive(Default)]
struct Page(String);

impl Page {
    fn element(&mut self, name: &str, text: &str) {
        self.0.push_str(&format!("<{name}>{}</{name}>\n", escaped(text)));
    }

    fn list(&mut self, sentences: &[String]) {
        self.0.push_str("<ul>\n");
        for sentence in sentences {
            self.element("li", sentence);
        }
        self.0.push_str("</ul>\n");
    }

    /// Begins a table that scrolls where it is too wide.
    fn begin_table(&mut self, caption: &str, heads: &[(&str, &str)]) {
        self.0.push_str("<div class=\"wide\"><table>\n");
        self.element("caption", caption);
        self.0.push_str("<thead><tr>");
        for (head, what) in heads {
            self.0.push_str(&format!("<th scope=\"col\" title=\"{}\">{}</th>", escaped(what), escaped(head)));
        }
        self.0.push_str("</tr></thead>\n<tbody>\n");
    }

    fn end_table(&mut self) {
        self.0.push_str("</tbody></table></div>\n");
    }

    /// A row of a name and figures, whose numbers stand in the page as well as their texts.
    fn row(&mut self, name: &str, cells: impl IntoIterator<Item = Cell>) {
        self.0.push_str(&format!("<tr><th scope=\"row\">{}</th>", escaped(name)));
        for cell in cells {
            let text = escaped(&cell.text());
            match cell.value() {
                Some(value) => self.0.push_str(&format!("<td><data value=\"{value}\">{text}</data></td>")),
                None => self.0.push_str(&format!("<td>{text}</td>")),
            }
        }
        self.0.push_str("</tr>\n");
    }
}

fn facts(page: &mut Page, study: &Study, command: &str) {
    let subject = &study.subject;
    let limits = [
        subject.limits.seconds.map(|seconds| format!("{seconds} s")),
        subject.limits.nodes.map(|nodes| counted(nodes, "node")),
        subject.limits.memory.map(|memory| format!("{} of memory", untumble_session::figures::bytes(memory))),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let limits = if limits.is_empty() { "none but the machine's memory".into() } else { limits.join(", ") };
    let goal = subject.goal.as_deref().unwrap_or("the puzzle's own");
    let mut facts = vec![
        ("puzzle", subject.puzzle.clone()),
        ("goal", goal.to_owned()),
        ("positions", subject.origin.text()),
        ("limits of each search", limits),
        ("machine", study.machine.text()),
        ("program", format!("untumble {}", subject.untumble)),
    ];
    if let Some(metric) = &subject.metric {
        facts.insert(2, ("metric", metric.clone()));
    }
    page.0.push_str("<dl>\n");
    for (name, text) in facts {
        page.element("dt", name);
        page.element("dd", &text);
    }
    page.element("dt", "made by");
    page.0.push_str(&format!("<dd><code>{}</code></dd>\n</dl>\n", escaped(command)));
}

fn heads(section: &Section) -> Vec<(&str, &str)> {
    let columns = section.columns.iter().map(|column| (column.title, column.what));
    [("solver", "solver")].into_iter().chain(columns).collect()
}

fn cells<'a>(section: &'a Section, tally: &'a Tally) -> impl Iterator<Item = Cell> {
    section.columns.iter().map(move |column| (column.cell)(tally))
}

fn overall(page: &mut Page, study: &Study, section: &Section) {
    page.begin_table(section.title, &heads(section));
    for solver in &study.solvers {
        page.row(&solver.label, cells(section, &solver.all));
    }
    page.end_table();
}

fn by_length(page: &mut Page, study: &Study, section: &Section) {
    page.begin_table(&format!("{} by solution length", section.title), &heads(section));
    for (place, group) in study.groups.iter().enumerate() {
        let title = format!("{} ({})", group.title(), counted(group.positions as u64, "position"));
        let columns = section.columns.len() + 1;
        page.0.push_str(&format!(
            "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{columns}\">{}</th></tr>\n",
            escaped(&title)
        ));
        for solver in &study.solvers {
            if let Some(tally) = solver.groups.get(place) {
                page.row(&solver.label, cells(section, tally));
            }
        }
    }
    page.end_table();
}

fn preparations(page: &mut Page, study: &Study) {
    let heads = [
        ("solver", "solver"),
        ("threads", "how many it could use"),
        ("tables", "bytes of its tables"),
        ("made in", "how long building or reading them took, not counted as search"),
        ("peak memory", "the most memory of any search, tables included"),
    ];
    page.begin_table("threads, tables and memory", &heads);
    for solver in &study.solvers {
        let peak = solver.all.peak_bytes.map(|spread| spread.max);
        page.row(
            &solver.label,
            [
                Cell::Count(solver.name.threads as u64),
                Cell::Figure(solver.tables.bytes),
                Cell::Figure(solver.tables.seconds),
                peak.into(),
            ],
        );
    }
    page.end_table();
}

fn growths(page: &mut Page, study: &Study) {
    let heads = [
        ("solver", "solver"),
        ("b", "what each further move multiplies the nodes by"),
        ("c", "the fitted number of nodes at length 0"),
        ("r²", "how much of the scatter of the logarithms the fit explains"),
        ("branching", "mean effective branching factor"),
    ];
    page.begin_table("growth, nodes = c · b^d", &heads);
    for Solver { label, growth, all, .. } in &study.solvers {
        let growth = growth.as_ref();
        page.row(
            label,
            [
                growth.map(|growth| growth.base).into(),
                growth.map(|growth| growth.factor).into(),
                growth.map(|growth| growth.determination).into(),
                all.branching.into(),
            ],
        );
    }
    page.end_table();
}

fn scaling(page: &mut Page, study: &Study) {
    if study.scaling.is_empty() {
        return;
    }
    let heads = [
        ("solver", "solver"),
        ("threads", "how many"),
        ("against", "the fewest measured"),
        ("positions", "that both solved"),
        ("speed-up", "the time on the fewest threads by the time on these"),
        ("efficiency", "the speed-up by the factor of threads"),
    ];
    page.begin_table("what threads gained", &heads);
    for scaling in &study.scaling {
        page.row(
            &scaling.name.solver,
            [
                Cell::Count(scaling.name.threads as u64),
                Cell::Count(scaling.against as u64),
                Cell::Count(scaling.positions as u64),
                Cell::Figure(scaling.speedup),
                Cell::Figure(scaling.efficiency),
            ],
        );
    }
    page.end_table();
}

fn figure(page: &mut Page, chart: &Chart) -> Result<(), Error> {
    page.0.push_str(&format!("<figure id=\"{}\">\n{}", chart.name, chart.svg()?));
    page.0.push_str(&format!(
        "<figcaption>{} Also as <a href=\"{name}.svg\">SVG</a> and <a href=\"{name}.png\">PNG</a>.</figcaption>\n</figure>\n",
        escaped(&chart.caption),
        name = chart.name
    ));
    Ok(())
}

fn method(page: &mut Page, study: &Study) {
    page.element("h2", "How it was measured");
    page.list(&[
        "Every solver got the same positions. They took turns, position by position, and another one was first each time, so that \
         whatever else the machine did met all of them alike. Times are taken by the clock on the wall."
            .into(),
        "Tables were built or read before and timed apart; each solver solved one position beforehand that is not counted.".into(),
        "Averages and medians of time and nodes are over the positions that a solver solved, lengths and shares over all solutions that it \
         found, those in hand when a limit stopped it among them; memory is that of all searches. A quantile between two values is taken in \
         proportion."
            .into(),
        "Proven means that the solver itself proved its solution shortest; shortest, that it is as long as the best known solution \
         and some solver proved that one shortest."
            .into(),
        compared(study),
        format!(
            "Growth is fitted where a solver solved {} positions of {} different lengths at least.",
            Growth::LEAST_POINTS,
            Growth::LEAST_DEPTHS
        ),
        "Generated nodes are the root and every child that was made or priced, pruned ones included; visited nodes are distinct states \
         where a solver knows them, else the nodes it expanded."
            .into(),
        "Every solution was replayed on its position before it was counted. results.csv holds every search, results.json every figure of this page."
            .into(),
    ]);
}

/// On what the solvers are compared with each other.
fn compared(study: &Study) -> String {
    let who = match study.left_out.len() {
        0 => "all solvers solved".into(),
        _ => format!("all solvers solved but {}, which solved none", study.left_out.join(", ")),
    };
    match study.common {
        0 => {
            "Nobody is called fastest: there is no position that all solvers solved which solved any.".into()
        }
        common => {
            format!("Fastest and fewest are told over the {} that {who}.", counted(common as u64, "position"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::charts;
    use super::super::row::tests::{solved, stopped};
    use super::super::study::Rows;
    use super::super::study::tests::study;
    use super::*;

    #[test]
    fn a_page_refers_to_nothing_outside() {
        let rows = [solved(1, "a<b>&\"c\"", 9, 1234, 0.5), stopped(1, "d")];
        let study = study(&["a<b>&\"c\"", "d"], &rows);
        let charts = charts::all(&study, &Rows::new(&rows));
        let page = page(&study, &charts, "untumble analyze <x>").expect("a page");
        assert!(!page.contains("<script") && !page.contains("@import") && !page.contains("url("));
        let addresses = page.split("http").skip(1).filter(|rest| !rest.starts_with("://www.w3.org/2000/svg"));
        assert_eq!(addresses.count(), 0, "only the name of SVG itself");
        assert!(!page.contains("a<b>"), "names are escaped");
        assert_eq!(page.matches("<figure").count(), charts.len());
    }

    #[test]
    fn every_figure_of_the_tables_stands_in_the_page() {
        let rows = [solved(1, "a", 9, 1234, 0.5), solved(2, "a", 12, 99, 0.25)];
        let study = study(&["a"], &rows);
        let page = page(&study, &[], "").expect("a page");
        for column in SECTIONS.iter().flat_map(|section| section.columns) {
            for tally in study.solvers[0].groups.iter().chain([&study.solvers[0].all]) {
                let cell = (column.cell)(tally);
                let Some(value) = cell.value() else { continue };
                let text = format!("<data value=\"{value}\">{}</data>", cell.text());
                assert!(page.contains(&text), "{} is missing: {text}", column.title);
            }
        }
    }
}
