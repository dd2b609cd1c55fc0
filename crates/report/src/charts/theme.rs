//! Colours, markers and dashes of the charts.
//!
//! The colours are the palette of Okabe & Ito (Color Universal Design, 2008), which readers with colour
//! vision deficiency can distinguish; grey replaces black, and yellow is omitted for its low contrast on
//! white. Markers and dashes keep the series distinguishable in greyscale.

use plotters::style::RGBColor;

/// The style of a solver's data series, the same in every chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SeriesStyle {
    pub(crate) colour: RGBColor,
    pub(crate) marker: Marker,
    /// The lengths of dashes and gaps in pixels; a gap of 0 is a solid line.
    pub(crate) dash: (i32, i32),
}

/// The shape of a data point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Marker {
    Disc,
    Triangle,
    Square,
    Cross,
    Ring,
    Diamond,
    Plus,
}

/// Text and axes.
pub(crate) const FOREGROUND: RGBColor = RGBColor(34, 34, 34);
pub(crate) const GRID: RGBColor = RGBColor(221, 221, 221);
pub(crate) const BACKGROUND: RGBColor = RGBColor(255, 255, 255);

const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(204, 121, 167),
    RGBColor(119, 119, 119),
];
const MARKERS: [Marker; 7] = [
    Marker::Disc,
    Marker::Triangle,
    Marker::Square,
    Marker::Cross,
    Marker::Ring,
    Marker::Diamond,
    Marker::Plus,
];
const DASHES: [(i32, i32); 4] = [(8, 0), (10, 4), (4, 3), (1, 3)];

impl SeriesStyle {
    /// The style of the solver with this index.
    pub(crate) fn of(index: usize) -> SeriesStyle {
        let colours = COLOURS.len();
        SeriesStyle {
            colour: COLOURS[index % colours],
            // When the colours repeat, the markers are shifted by one.
            marker: MARKERS[(index + index / colours) % MARKERS.len()],
            dash: DASHES[index % DASHES.len()],
        }
    }
}

/// The neutral colours as SVG writes them, and the CSS variables of the page that replace them.
pub(crate) const CSS_VARIABLES: [(&str, &str); 3] =
    [("#222222", "--ink"), ("#DDDDDD", "--grid"), ("#FFFFFF", "--paper")];
/// Colours with too little contrast on a dark page, and their replacements there. The light blue changes to
/// stay distinguishable from the lightened dark blue.
pub(crate) const DARK_COLOURS: [(&str, &str); 5] = [
    ("#0072B2", "#4A8FE7"),
    ("#56B4E9", "#B0E2FA"),
    ("#009E73", "#2CC79B"),
    ("#D55E00", "#F07F2E"),
    ("#777777", "#A0A0A0"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(RGBColor(red, green, blue): RGBColor) -> String {
        format!("#{red:02X}{green:02X}{blue:02X}")
    }

    #[test]
    fn the_first_28_styles_are_distinct() {
        let styles: Vec<SeriesStyle> = (0..28).map(SeriesStyle::of).collect();
        for (index, style) in styles.iter().enumerate() {
            let same = |other: &SeriesStyle| other.colour == style.colour && other.marker == style.marker;
            assert!(!styles[..index].iter().any(same), "{index}");
        }
    }

    #[test]
    fn css_variables_and_dark_colours_match_the_palette() {
        assert_eq!(
            CSS_VARIABLES.map(|(colour, _)| colour.to_owned()),
            [FOREGROUND, GRID, BACKGROUND].map(hex)
        );
        let colours = COLOURS.map(hex);
        assert!(DARK_COLOURS.iter().all(|(colour, _)| colours.iter().any(|known| known == colour)));
    }
}
