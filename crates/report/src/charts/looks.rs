//! Colours, symbols and dashes. The colours are those of Okabe and Ito that show on white and on black, which eyes of every
//! kind tell apart; symbols and dashes tell apart what colours do not, on grey paper too.

use plotters::style::RGBColor;

/// How a solver looks in every chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    pub(crate) colour: RGBColor,
    pub(crate) symbol: Symbol,
    /// The length of dashes and of the gaps between them; without gaps the line is whole.
    pub(crate) dash: (i32, i32),
}

/// The shape of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    Disc,
    Triangle,
    Square,
    Cross,
    Ring,
    Diamond,
    Plus,
}

/// Text and axes, secondary lines, paper.
pub(crate) const INK: RGBColor = RGBColor(34, 34, 34);
pub(crate) const GRID: RGBColor = RGBColor(221, 221, 221);
pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);

const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(204, 121, 167),
    RGBColor(119, 119, 119),
];
const SYMBOLS: [Symbol; 7] = [
    Symbol::Disc,
    Symbol::Triangle,
    Symbol::Square,
    Symbol::Cross,
    Symbol::Ring,
    Symbol::Diamond,
    Symbol::Plus,
];
const DASHES: [(i32, i32); 4] = [(8, 0), (10, 4), (4, 3), (1, 3)];

impl Look {
    /// The look of the solver in this place.
    pub(crate) fn of(place: usize) -> Look {
        let colours = COLOURS.len();
        Look {
            colour: COLOURS[place % colours],
            // The second time round every colour has another symbol.
            symbol: SYMBOLS[(place + place / colours) % SYMBOLS.len()],
            dash: DASHES[place % DASHES.len()],
        }
    }
}

/// The inks as they stand in SVG, with the name of the page's variable for each.
pub(crate) const INKS: [(&str, &str); 3] =
    [("#222222", "--ink"), ("#DDDDDD", "--grid"), ("#FFFFFF", "--paper")];
/// Colours that a dark page would swallow, and what they become there; the lighter blue makes way for the darker.
pub(crate) const DARK: [(&str, &str); 5] = [
    ("#0072B2", "#4A8FE7"),
    ("#56B4E9", "#B0E2FA"),
    ("#009E73", "#2CC79B"),
    ("#D55E00", "#F07F2E"),
    ("#777777", "#A0A0A0"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn hexadecimal(RGBColor(red, green, blue): RGBColor) -> String {
        format!("#{red:02X}{green:02X}{blue:02X}")
    }

    #[test]
    fn no_two_of_many_solvers_look_alike() {
        let looks: Vec<Look> = (0..28).map(Look::of).collect();
        for (place, look) in looks.iter().enumerate() {
            let alike = |other: &Look| other.colour == look.colour && other.symbol == look.symbol;
            assert!(!looks[..place].iter().any(alike), "{place} looks like another");
        }
    }

    #[test]
    fn the_page_knows_the_inks_of_the_charts() {
        assert_eq!(INKS.map(|(colour, _)| colour.to_owned()), [INK, GRID, PAPER].map(hexadecimal));
        let colours = COLOURS.map(hexadecimal);
        assert!(DARK.iter().all(|(colour, _)| colours.iter().any(|known| known == colour)));
    }
}
