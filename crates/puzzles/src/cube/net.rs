//! Draws the stickers as an unfolded net.

use super::face::Face;

/// ANSI background colours of the faces: white, red, green, yellow, orange, blue.
const BACKGROUNDS: [&str; 6] = ["107", "41", "42", "103", "48;5;208", "104"];

/// The net of a cube of `side` layers, with ANSI background colours if `ansi` is set.
pub(crate) fn net(side: usize, colours: &[Face], ansi: bool) -> String {
    let row = |face: Face, row: usize| {
        let stickers = &colours[(face.index() * side + row) * side..][..side];
        let sticker = |&face: &Face| {
            if ansi {
                format!("\x1b[30;{}m {face} \x1b[0m", BACKGROUNDS[face.index()])
            } else {
                format!(" {face} ")
            }
        };
        stickers.iter().map(sticker).collect::<String>()
    };
    let margin = " ".repeat(3 * side + 1);
    let middle_row = |line: usize| [Face::L, Face::F, Face::R, Face::B].map(|face| row(face, line)).join(" ");
    let mut lines: Vec<String> = (0..side).map(|line| format!("{margin}{}", row(Face::U, line))).collect();
    lines.extend((0..side).map(middle_row));
    lines.extend((0..side).map(|line| format!("{margin}{}", row(Face::D, line))));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Stickers, Turn};

    #[test]
    fn the_net_of_r_is_drawn() {
        let cube = Stickers::<2>::solved().apply(Turn::outer(Face::R, 1));
        let picture = "\
\x20       U  F\x20
\x20       U  F\x20
 L  L   F  D   R  R   U  B\x20
 L  L   F  D   R  R   U  B\x20
\x20       D  B\x20
\x20       D  B\x20";
        assert_eq!(net(2, &cube.colours, false), picture);
        assert_eq!(net(2, &cube.colours, true).matches("\x1b[30;107m U \x1b[0m").count(), 4);
    }
}
