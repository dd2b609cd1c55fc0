//! Charts as SVG and PNG, drawn with plotters.
//!
//! A [`Chart`] is data: axes, marks and texts. [`all`] derives the charts of an analysis, and [`draw`]
//! renders any chart on any backend. PNG ([`raster`]) uses an embedded [`font`]; an SVG viewer chooses its
//! own.

mod axis;
mod catalog;
mod draw;
mod font;
mod raster;
mod theme;

pub(crate) use axis::Axis;
pub(crate) use catalog::{NAMES, all};
pub(crate) use theme::{CSS_VARIABLES, DARK_COLOURS, SeriesStyle};

use plotters::prelude::{IntoDrawingArea, SVGBackend};

use crate::error::Error;

/// A chart with two axes.
pub(crate) struct Chart {
    /// The file name without extension.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// The explanation below the chart in the report.
    pub(crate) caption: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) marks: Vec<Mark>,
    /// Style and label of each data series.
    pub(crate) legend: Vec<(SeriesStyle, String)>,
}

/// An element of the plot, in data coordinates.
pub(crate) enum Mark {
    /// A marker at each point; overlapping markers are drawn once.
    Points { style: SeriesStyle, points: Vec<(f64, f64)> },
    /// A line through the points.
    Line { style: SeriesStyle, points: Vec<(f64, f64)> },
    /// A horizontal bar from the start of the x axis, in a row of a categorical y axis.
    Bar { style: SeriesStyle, row: usize, to: f64 },
    /// A thin line with end caps across a bar.
    Whisker { row: usize, from: f64, to: f64 },
    /// A text beside a bar.
    Label { row: usize, x: f64, text: String },
    /// A dashed reference line.
    Guide { from: (f64, f64), to: (f64, f64) },
}

/// The width of every chart in CSS pixels.
const WIDTH: u32 = 640;

impl Chart {
    /// Renders the chart as SVG.
    pub(crate) fn svg(&self) -> Result<String, Error> {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, (WIDTH, self.height())).into_drawing_area();
        draw::draw(self, &area).map_err(|error| self.error(error))?;
        area.present().map_err(|error| self.error(error))?;
        drop(area);
        // For screen readers.
        let label = format!("<svg role=\"img\" aria-label=\"{}\" ", super::html::escape(self.title));
        Ok(svg.replacen("<svg ", &label, 1))
    }

    /// Renders the chart as PNG, at twice the resolution.
    pub(crate) fn png(&self) -> Result<Vec<u8>, Error> {
        raster::png((WIDTH, self.height()), |area| draw::draw(self, area)).map_err(|error| self.error(error))
    }

    fn error(&self, error: impl std::fmt::Display) -> Error {
        Error::Chart { name: self.name, reason: error.to_string() }
    }

    fn height(&self) -> u32 {
        draw::height(self)
    }
}
