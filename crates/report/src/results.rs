//! Everything that a finished study writes.

use super::charts;
use super::html;
use super::row::{self, Row};
use super::study::{Rows, Study};
use crate::error::Error;

/// The contents of all result files, by name. `command` is quoted in the report.
pub fn results(study: &Study, rows: &[Row], command: &str) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let rows = Rows::new(rows);
    let charts = charts::all(study, &rows);
    let mut files = Vec::new();
    for chart in &charts {
        files.push((format!("{}.svg", chart.name), chart.svg()?.into_bytes()));
        files.push((format!("{}.png", chart.name), chart.png()?));
    }
    files.push(("results.csv".into(), row::table(rows.iter())));
    let json = serde_json::to_vec_pretty(study).map_err(|error| Error::Json { what: "the study", error })?;
    files.push(("results.json".into(), json));
    files.push(("report.html".into(), html::page(study, &charts, command)?.into_bytes()));
    Ok(files)
}
