//! PNG output with antialiasing by supersampling.
//!
//! A chart is drawn at four times its size and reduced by half, so that the picture has two pixels for each
//! CSS pixel.

use plotters::backend::BitMapBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use super::font::Font;

/// Bitmap pixels per CSS pixel.
const SCALE: i32 = 4;
/// The side of the square of pixels that is averaged into one.
const SAMPLES: usize = 2;

/// Draws a picture of this size in CSS pixels and encodes it.
pub(crate) fn png<E: std::fmt::Display>(
    (width, height): (u32, u32),
    draw: impl FnOnce(&DrawingArea<ScaledBackend<'_>, Shift>) -> Result<(), E>,
) -> Result<Vec<u8>, String> {
    let (scaled_width, scaled_height) = (width * SCALE as u32, height * SCALE as u32);
    let mut pixels = vec![0; scaled_width as usize * scaled_height as usize * 3];
    let bitmap = BitMapBackend::with_buffer(&mut pixels, (scaled_width, scaled_height));
    let font = Font::new().map_err(|error| error.to_string())?;
    let area = ScaledBackend { bitmap, size: (width, height), font }.into_drawing_area();
    draw(&area).map_err(|error| error.to_string())?;
    area.present().map_err(|error| error.to_string())?;
    drop(area);
    let pixels = downsample(&pixels, scaled_width as usize);
    encode(&pixels, scaled_width / SAMPLES as u32, scaled_height / SAMPLES as u32)
        .map_err(|error| error.to_string())
}

/// Averages each square of RGB pixels into one.
fn downsample(pixels: &[u8], width: usize) -> Vec<u8> {
    let line = width * 3;
    let mut out = Vec::with_capacity(pixels.len() / (SAMPLES * SAMPLES));
    for lines in pixels.chunks_exact(line * SAMPLES) {
        for x in 0..width / SAMPLES {
            for channel in 0..3 {
                let square = (0..SAMPLES * SAMPLES)
                    .map(|i| lines[i / SAMPLES * line + (x * SAMPLES + i % SAMPLES) * 3 + channel]);
                let sum: usize = square.map(usize::from).sum();
                out.push((sum / (SAMPLES * SAMPLES)) as u8);
            }
        }
    }
    out
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
}

/// A plotters backend that scales all coordinates by [`SCALE`] onto a bitmap.
pub(crate) struct ScaledBackend<'a> {
    bitmap: BitMapBackend<'a>,
    size: (u32, u32),
    font: Font,
}

type DrawResult<'a> = Result<(), DrawingErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

/// A stroke with a scaled width.
struct ScaledStroke {
    colour: BackendColor,
    width: u32,
}

impl BackendStyle for ScaledStroke {
    fn color(&self) -> BackendColor {
        self.colour
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

fn scale_stroke(style: &impl BackendStyle) -> ScaledStroke {
    ScaledStroke { colour: style.color(), width: style.stroke_width() * SCALE as u32 }
}

fn scale_point((x, y): BackendCoord) -> BackendCoord {
    // The centre of a pixel maps to the centre of its square.
    (x * SCALE + SCALE / 2, y * SCALE + SCALE / 2)
}

impl<'a> ScaledBackend<'a> {
    /// A line with round joins and caps, in pixels of the bitmap.
    fn stroke(&mut self, points: &[BackendCoord], style: &ScaledStroke) -> DrawResult<'a> {
        for pair in points.windows(2) {
            self.bitmap.draw_path(pair.iter().copied(), style)?;
        }
        for &point in points {
            self.bitmap.draw_circle(point, style.width / 2, &style.colour, true)?;
        }
        Ok(())
    }
}

impl<'a> DrawingBackend for ScaledBackend<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> DrawResult<'a> {
        self.bitmap.ensure_prepared()
    }

    fn present(&mut self) -> DrawResult<'a> {
        self.bitmap.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> DrawResult<'a> {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> DrawResult<'a> {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> DrawResult<'a> {
        if fill {
            let corner = |x: i32, y: i32| (x * SCALE, y * SCALE);
            self.bitmap.draw_rect(corner(left, top), corner(right, bottom), &style.color(), true)
        } else {
            self.draw_path([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], style)
        }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> DrawResult<'a> {
        let points: Vec<BackendCoord> = path.into_iter().map(scale_point).collect();
        self.stroke(&points, &scale_stroke(style))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> DrawResult<'a> {
        self.bitmap.draw_circle(scale_point(centre), radius * SCALE as u32, &scale_stroke(style), fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> DrawResult<'a> {
        self.bitmap.fill_polygon(corners.into_iter().map(scale_point), &style.color())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        position: BackendCoord,
    ) -> DrawResult<'a> {
        // Size and anchor are as in SVG, except that vertical centring uses the height of digits.
        let size = style.size() / 1.24 * f64::from(SCALE);
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
        let (origin_x, origin_y) = scale_point(position);
        let (rotation, colour) = (style.transform(), style.color());
        let bitmap = &mut self.bitmap;
        self.font.draw(text, size, |(x, y), coverage| {
            let (x, y) = rotation.transform(x + left, y + baseline);
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
