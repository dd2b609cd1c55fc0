//! Charts. What a chart shows is data ([`Chart`], made by [`all`]); how it is drawn is the same for all of
//! them and for both formats ([`draw`]).
//!
//! PNG ([`raster`]) embeds a font ([`font`]); SVG leaves the choice of the font to its viewer.

mod axis;
mod draw;
mod font;
mod looks;
mod raster;
mod shown;

pub(crate) use axis::Axis;
pub(crate) use looks::{DARK, INKS, Look};
pub(crate) use shown::{NAMES, all};

use plotters::prelude::{IntoDrawingArea, SVGBackend};

use crate::error::Error;

/// A picture with two axes.
pub(crate) struct Chart {
    /// The name of its files.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// How to read it.
    pub(crate) caption: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) marks: Vec<Mark>,
    /// Who is who.
    pub(crate) legend: Vec<(Look, String)>,
}

/// Something drawn.
pub(crate) enum Mark {
    /// One symbol for each; those that would cover each other are drawn once.
    Points { look: Look, at: Vec<(f64, f64)> },
    /// A line through them.
    Line { look: Look, at: Vec<(f64, f64)> },
    /// A bar along the x axis, in a row of the y axis.
    Bar { look: Look, row: usize, to: f64 },
    /// A thin line with ends across a bar.
    Whisker { row: usize, from: f64, to: f64 },
    /// A word behind a bar.
    Label { row: usize, at: f64, text: String },
    /// A thin line to compare with.
    Guide { from: (f64, f64), to: (f64, f64) },
}

/// The width of every chart, in pixels of the screen.
const WIDTH: u32 = 640;

impl Chart {
    /// As SVG.
    pub(crate) fn svg(&self) -> Result<String, Error> {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, (WIDTH, self.height())).into_drawing_area();
        draw::draw(self, &area).map_err(|error| self.undrawn(error))?;
        area.present().map_err(|error| self.undrawn(error))?;
        drop(area);
        // What a screen reader says instead.
        let label = format!("<svg role=\"img\" aria-label=\"{}\" ", super::html::escaped(self.title));
        Ok(svg.replacen("<svg ", &label, 1))
    }

    /// As PNG.
    pub(crate) fn png(&self) -> Result<Vec<u8>, Error> {
        raster::png((WIDTH, self.height()), |area| draw::draw(self, area))
            .map_err(|error| self.undrawn(error))
    }

    fn undrawn(&self, error: impl std::fmt::Display) -> Error {
        Error::Chart { name: self.name, reason: error.to_string() }
    }

    fn height(&self) -> u32 {
        draw::height(self)
    }
}
