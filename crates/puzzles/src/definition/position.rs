//! Positions of a definition in the forms that users of the formats have.

use super::error::{DefinitionError, Fault};
use super::gap::parse_permutation;
use super::kpuzzle::parse_pattern;
use super::limits::MAX_TEXT_BYTES;
use super::model::Definition;
use super::pattern::Pattern;
use super::santa::parse_state;
use super::scramble::{is_scramble, parse_scrambles};

impl Definition {
    /// Parses a position: the first one of a `.scr` file, a KPuzzle pattern, a state of stickers (`A;B;A`),
    /// a GAP permutation `(1,2)(3,4)` that is applied to the solved position, or moves from the solved
    /// position. The result holds the pieces of the solved position.
    ///
    /// # Errors
    /// The text is none of these, or the position has other pieces.
    pub fn parse_position(&self, text: &str) -> Result<Pattern, DefinitionError> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(Fault::TooLong { bytes: text.len() }.into());
        }
        let trimmed = text.trim_start();
        let position = if is_scramble(text) {
            let first = parse_scrambles(self, text)?.into_iter().next();
            return first.map(|first| first.position).ok_or_else(|| Fault::Empty.into());
        } else if trimmed.starts_with('{') {
            parse_pattern(self, text)?
        } else if trimmed.contains(';') {
            parse_state(self, text)?
        } else if is_permutation(trimmed) {
            self.solved().apply(&parse_permutation(self, text)?)
        } else {
            self.solved().apply(&self.transformation_of(&self.parse_moves(text)?))
        };
        self.check_position(&position)?;
        Ok(position)
    }
}

/// Whether a text begins with a cycle of numbers: `(1,` or `()`. A group of moves may begin with a digit as
/// well, but no comma follows the digits.
fn is_permutation(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('(') else { return false };
    let rest = rest.trim_start();
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.starts_with(')') || (after.len() < rest.len() && after.trim_start().starts_with(','))
}

#[cfg(test)]
mod tests {
    use crate::definition::parse;

    #[test]
    fn every_form_of_a_position_is_recognised() {
        let text = "a:=(1,2,3); b:=(1,2); ip:=[[1],[2],[3]];";
        let definition = parse(text.as_bytes(), "p.gap").unwrap_or_else(|error| panic!("{error}"));
        let position = definition.parse_position("a").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(position.orbits()[0].pieces(), [2, 0, 1]);
        for text in [
            "a",
            "(a)",
            "(1,2,3)",
            "C;A;B",
            "N2;N0;N1",
            r#"{"STICKERS": {"pieces": [2, 0, 1], "orientation": [0, 0, 0]}}"#,
            "Scramble s\nSTICKERS\n3 1 2\nEnd\n",
            "StartState s\nSTICKERS\n2 0 1\n0 0 0\nEnd\n",
            "ScrambleAlg s\n  a a' a\nEnd\n",
            "CPOS 201",
        ] {
            assert_eq!(definition.parse_position(text).as_ref(), Ok(&position), "{text}");
        }
        for (text, expected) in [
            ("A;A;B", "the orbit STICKERS holds other pieces, or other known orientations, than when solved"),
            ("A;B", "expected 3 stickers, found 2"),
            ("(1,4)", "line 1, column 4: expected a point from 1 to 3, found `4`"),
            ("a c", "line 1, column 3: there is no move `c`"),
            ("CPOS 20", "line 1, column 6: expected a digit of CPOS, found the end of the file"),
            ("Scramble s\nSTICKERS\n3 1\nEnd\n", "line 3, column 1: expected 3 numbers, found 2"),
        ] {
            assert_eq!(definition.parse_position(text).expect_err(text).to_string(), expected);
        }
    }
}
