//! PNG: the drawing is done four times as large, and shrunk by half, which smooths its edges
//! and leaves two pixels for each on a plain screen.

use plotters::backend::BitMapBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use super::font::Font;

/// How much larger it is drawn.
const LARGER: i32 = 4;
/// How many pixels become one, in each direction.
const SHRUNK: usize = 2;

/// Draws and packs a picture of this size.
pub(crate) fn png<E: std::fmt::Display>(
    (width, height): (u32, u32),
    draw: impl FnOnce(&DrawingArea<Raster<'_>, Shift>) -> Result<(), E>,
) -> Result<Vec<u8>, String> {
    let (wide, high) = (width * LARGER as u32, height * LARGER as u32);
    let mut pixels = vec![0; wide as usize * high as usize * 3];
    let bitmap = BitMapBackend::with_buffer(&mut pixels, (wide, high));
    let font = Font::new().map_err(|error| error.to_string())?;
    let raster = Raster { bitmap, size: (width, height), font };
    let area = raster.into_drawing_area();
    draw(&area).map_err(|error| error.to_string())?;
    area.present().map_err(|error| error.to_string())?;
    drop(area);
    let shrunk = shrink(&pixels, wide as usize);
    pack(&shrunk, wide / SHRUNK as u32, high / SHRUNK as u32).map_err(|error| error.to_string())
}

/// The mean of each square of pixels.
fn shrink(pixels: &[u8], width: usize) -> Vec<u8> {
    let line = width * 3;
    let mut out = Vec::with_capacity(pixels.len() / (SHRUNK * SHRUNK));
    for lines in pixels.chunks_exact(line * SHRUNK) {
        for x in 0..width / SHRUNK {
            for part in 0..3 {
                let square = (0..SHRUNK * SHRUNK)
                    .map(|place| lines[place / SHRUNK * line + (x * SHRUNK + place % SHRUNK) * 3 + part]);
                let sum: usize = square.map(usize::from).sum();
                out.push((sum / (SHRUNK * SHRUNK)) as u8);
            }
        }
    }
    out
}

fn pack(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
}

/// A bitmap that is drawn on as if it were smaller.
pub(crate) struct Raster<'a> {
    bitmap: BitMapBackend<'a>,
    size: (u32, u32),
    font: Font,
}

type Drawn<'a> = Result<(), DrawingErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

/// A stroke that is larger in proportion.
struct Wide {
    colour: BackendColor,
    width: u32,
}

impl BackendStyle for Wide {
    fn color(&self) -> BackendColor {
        self.colour
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

fn wide(style: &impl BackendStyle) -> Wide {
    Wide { colour: style.color(), width: style.stroke_width() * LARGER as u32 }
}

fn larger((x, y): BackendCoord) -> BackendCoord {
    // The middle of a pixel stays its middle.
    (x * LARGER + LARGER / 2, y * LARGER + LARGER / 2)
}

impl<'a> Raster<'a> {
    /// A line with round ends, in pixels of the bitmap.
    fn stroke(&mut self, points: &[BackendCoord], style: &Wide) -> Drawn<'a> {
        for pair in points.windows(2) {
            self.bitmap.draw_path(pair.iter().copied(), style)?;
        }
        for &point in points {
            self.bitmap.draw_circle(point, style.width / 2, &style.colour, true)?;
        }
        Ok(())
    }
}

impl<'a> DrawingBackend for Raster<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn<'a> {
        self.bitmap.ensure_prepared()
    }

    fn present(&mut self) -> Drawn<'a> {
        self.bitmap.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Drawn<'a> {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn<'a> {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn<'a> {
        if fill {
            let corner = |x: i32, y: i32| (x * LARGER, y * LARGER);
            self.bitmap.draw_rect(corner(left, top), corner(right, bottom), &style.color(), true)
        } else {
            self.draw_path([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], style)
        }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn<'a> {
        let points: Vec<BackendCoord> = path.into_iter().map(larger).collect();
        self.stroke(&points, &wide(style))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn<'a> {
        self.bitmap.draw_circle(larger(centre), radius * LARGER as u32, &wide(style), fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn<'a> {
        self.bitmap.fill_polygon(corners.into_iter().map(larger), &style.color())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn<'a> {
        // As large as the same text is in SVG, and anchored like it, but centred on the height of digits.
        let size = style.size() / 1.24 * f64::from(LARGER);
        let width = self.font.width(text, size);
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        let baseline = size
            * match style.anchor().v_pos {
                VPos::Top => 0.76,
                VPos::Center => 0.34,
                VPos::Bottom => -0.26,
            };
        let (left, baseline) = (left.round() as i32, baseline.round() as i32);
        let (origin_x, origin_y) = larger(at);
        let (turn, colour) = (style.transform(), style.color());
        let bitmap = &mut self.bitmap;
        self.font.draw(text, size, |(x, y), coverage| {
            let (x, y) = turn.transform(x + left, y + baseline);
            let colour = BackendColor { alpha: colour.alpha * coverage, ..colour };
            bitmap.draw_pixel((origin_x + x, origin_y + y), colour)
        })
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let size = style.size() / 1.24;
        Ok((self.font.width(text, size).ceil() as u32, size.ceil() as u32))
    }
}
