//! The files that a finished analysis consists of.

use super::analysis::{Analysis, Rows};
use super::charts;
use super::html;
use super::row::{self, Row};
use crate::error::Error;

/// Renders all result files as pairs of name and contents. The report quotes `command`.
pub fn result_files(
    analysis: &Analysis,
    rows: &[Row],
    command: &str,
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let rows = Rows::new(rows);
    let charts = charts::all(analysis, &rows);
    let mut files = Vec::new();
    for chart in &charts {
        files.push((format!("{}.svg", chart.name), chart.svg()?.into_bytes()));
        files.push((format!("{}.png", chart.name), chart.png()?));
    }
    files.push(("results.csv".into(), row::csv_table(rows.iter())));
    let json =
        serde_json::to_vec_pretty(analysis).map_err(|error| Error::Json { value: "the analysis", error })?;
    files.push(("results.json".into(), json));
    files.push(("report.html".into(), html::page(analysis, &charts, command)?.into_bytes()));
    Ok(files)
}
