//! Text rendering for PNG charts with an embedded Noto Sans, independent of installed fonts.

use ab_glyph::{Font as _, FontRef, GlyphId, InvalidFont, PxScale, ScaleFont as _};

/// The embedded font.
pub(crate) struct Font {
    face: FontRef<'static>,
}

impl Font {
    pub(crate) fn new() -> Result<Font, InvalidFont> {
        Ok(Font { face: FontRef::try_from_slice(ttf_noto_sans::REGULAR)? })
    }

    /// The width of a text in pixels at `size` pixels per em.
    pub(crate) fn width(&self, text: &str, size: f64) -> f64 {
        let scaled = self.face.as_scaled(self.scale(size));
        self.layout(text, size).last().map_or(0.0, |(glyph, x)| f64::from(x + scaled.h_advance(glyph)))
    }

    /// Calls `draw` for every pixel that the text covers, with its offset from the start of the baseline
    /// and its coverage, 0 to 1.
    pub(crate) fn draw<E>(
        &self,
        text: &str,
        size: f64,
        mut draw: impl FnMut((i32, i32), f64) -> Result<(), E>,
    ) -> Result<(), E> {
        for (glyph, x) in self.layout(text, size) {
            let glyph = glyph.with_scale_and_position(self.scale(size), ab_glyph::point(x, 0.0));
            let Some(outline) = self.face.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            let mut drawn = Ok(());
            outline.draw(|x, y, coverage| {
                if drawn.is_ok() && coverage > 0.0 {
                    let offset = (corner.x as i32 + x as i32, corner.y as i32 + y as i32);
                    drawn = draw(offset, f64::from(coverage.min(1.0)));
                }
            });
            drawn?;
        }
        Ok(())
    }

    /// The glyphs of a text with their horizontal offsets, kerning included.
    fn layout(&self, text: &str, size: f64) -> impl Iterator<Item = (GlyphId, f32)> {
        let scaled = self.face.as_scaled(self.scale(size));
        let glyphs = text.chars().map(|letter| self.face.glyph_id(letter));
        let mut end = 0.0;
        let mut previous = None;
        glyphs.map(move |glyph| {
            let x = end + previous.map_or(0.0, |previous| scaled.kern(previous, glyph));
            end = x + scaled.h_advance(glyph);
            previous = Some(glyph);
            (glyph, x)
        })
    }

    /// The scale of ab_glyph, which is the height from ascender to descender instead of the em.
    fn scale(&self, size: f64) -> PxScale {
        let units = self.face.units_per_em().unwrap_or(1000.0);
        PxScale::from(size as f32 * self.face.height_unscaled() / units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_every_character_of_the_charts() {
        let font = Font::new().expect("a font");
        for letter in ('!'..='~').chain("·×µ²…–−ä".chars()) {
            assert_ne!(font.face.glyph_id(letter), GlyphId(0), "{letter}");
        }
    }

    #[test]
    fn longer_texts_are_wider() {
        let font = Font::new().expect("a font");
        let widths = ["", "a", "ab", "ab c"].map(|text| font.width(text, 10.0));
        assert!(widths.is_sorted_by(|a, b| a < b), "{widths:?}");
    }

    #[test]
    fn capitals_rest_on_the_baseline() {
        let font = Font::new().expect("a font");
        let mut rows = Vec::new();
        let drawn: Result<(), ()> = font.draw("H", 100.0, |(_, y), _| {
            rows.push(y);
            Ok(())
        });
        assert_eq!(drawn, Ok(()));
        let (top, bottom) = (rows.iter().min(), rows.iter().max());
        // Capitals of Noto Sans are 0.714 em high.
        assert_eq!((top, bottom), (Some(&-72), Some(&-1)));
    }
}
