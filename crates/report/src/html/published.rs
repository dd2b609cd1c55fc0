//! The table of results beside published ones.

use super::super::analysis::Analysis;
use super::super::columns::Cell;
use super::super::published::{InstanceResult, PublishedInstance};
use super::{HtmlWriter, escape};

/// A row for each position of the published list; nothing for other positions.
pub(super) fn write_table(html: &mut HtmlWriter, analysis: &Analysis) {
    let Some(published) = &analysis.published else { return };
    html.element("h2", "Published results");
    html.element(
        "p",
        &format!(
            "{}; node counts of {}. The ratio divides the nodes by the published ones. +n: longer by n moves, \
             not proven optimal. ≠: contradicts the published optimal length.",
            published.source, published.nodes_of
        ),
    );
    let mut headings = vec![
        ("instance".to_owned(), "number in the published list"),
        ("length".to_owned(), "published optimal length"),
        ("nodes".to_owned(), "published number of generated nodes"),
    ];
    for solver in &analysis.solvers {
        headings.push((format!("{} length", solver.label), "length of the solution"));
        headings.push(("nodes".to_owned(), "generated nodes"));
        headings.push(("ratio".to_owned(), "nodes divided by the published ones"));
    }
    let headings: Vec<(&str, &str)> =
        headings.iter().map(|(title, tooltip)| (title.as_str(), *tooltip)).collect();
    html.begin_table("results beside the published ones", &headings);
    for instance in &published.instances {
        write_row(html, instance);
    }
    html.end_table();
}

fn write_row(html: &mut HtmlWriter, instance: &PublishedInstance) {
    let count = |count: Option<u64>| count.map_or(Cell::Empty, Cell::Count);
    html.0.push_str(&format!("<tr><th scope=\"row\">{}</th>", instance.instance));
    html.cell(Cell::Count(instance.length.into()), "");
    html.cell(count(instance.nodes), "");
    for result in &instance.results {
        let length = result.and_then(|result| result.length);
        let mark = |result: InstanceResult| escape(&result.agreement.mark(instance.length, length));
        html.cell(count(length.map(u64::from)), &result.map_or_else(String::new, mark));
        html.cell(count(result.map(|result| result.nodes)), "");
        html.cell(result.and_then(|result| result.nodes_ratio).into(), "");
    }
    html.0.push_str("</tr>\n");
}
