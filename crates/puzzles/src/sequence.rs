//! Sequences of moves with groups, as cubers write them: `(R U R' U')3` repeats, `[R, U]` is the commutator
//! R U R' U', `[R: U]` the conjugate R U R'. Groups nest. A count, a prime or both follow a group, and
//! `// …` and `# …` are comments up to the end of the line.
//!
//! All moves go to one vector. While a group is parsed, its moves are the tail of that vector; repetitions
//! and inverses are appended to it, so no group needs a vector of its own. Appended moves are counted against
//! [`MAX_ADDED_MOVES`], so that a short text cannot stand for a sequence that fills the memory.

use std::ops::Range;

use crate::sanitize::sanitize;

/// The deepest nesting of groups.
pub(crate) const MAX_DEPTH: usize = 32;
/// The largest number of moves that all groups of a sequence may add to the moves in the text.
pub(crate) const MAX_ADDED_MOVES: usize = 100_000;
/// The longest count in digits.
const MAX_COUNT_DIGITS: usize = 9;

/// The kind of mistake in a group of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GroupFault {
    /// A group is not closed.
    #[error("expected `{close}` at the end of the group")]
    Unclosed {
        /// The missing character.
        close: char,
    },
    /// A closing character without an opening one, or of the other kind.
    #[error("nothing opens the group that ends here")]
    Unopened,
    /// Brackets without a separator, or with several.
    #[error("expected one `,` or one `:` between the brackets")]
    Separators,
    /// Nothing stands before or after the separator.
    #[error("expected moves on both sides of the `,` or `:`")]
    EmptyPart,
    /// Groups nest too deeply.
    #[error("groups nest more than {MAX_DEPTH} deep")]
    TooDeep,
    /// The expanded sequence is too long.
    #[error("the groups stand for more than {} moves", grouped(MAX_ADDED_MOVES))]
    TooLong,
    /// A count of zero.
    #[error("expected a count of 1 or more")]
    ZeroCount,
    /// Two counts or two primes.
    #[error("expected one count and one prime at most")]
    Suffix,
}

/// A number below a million with a comma after the thousands.
fn grouped(number: usize) -> String {
    format!("{},{:03}", number / 1000, number % 1000)
}

impl GroupFault {
    /// The stable name of the mistake.
    pub(crate) fn code(self) -> &'static str {
        match self {
            GroupFault::Unclosed { .. } => "unclosed-group",
            GroupFault::Unopened => "unopened-group",
            GroupFault::Separators | GroupFault::EmptyPart => "bracket-separator",
            GroupFault::TooDeep => "groups-too-deep",
            GroupFault::TooLong => "groups-too-long",
            GroupFault::ZeroCount | GroupFault::Suffix => "group-count",
        }
    }

    /// The notation that the message expects.
    pub(crate) fn expected(self) -> Option<String> {
        match self {
            GroupFault::Unopened | GroupFault::TooDeep | GroupFault::TooLong => None,
            _ => self.to_string().strip_prefix("expected ").map(Into::into),
        }
    }
}

/// A mistake in a group, with the text that it refers to.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fault}, found `{found}`")]
pub struct GroupError {
    /// The kind of mistake.
    pub fault: GroupFault,
    /// The text at the span, fit for quoting.
    pub found: String,
    /// Byte range in the text.
    pub span: Range<usize>,
}

/// The moves of one puzzle family.
pub(crate) trait Notation {
    /// A move.
    type Item: Copy;
    /// The error of a text that is no sequence of moves.
    type Error: From<GroupError>;

    /// Reads one move, or a run of equal moves, that begins at the byte `start` of `text` and returns its
    /// end. `number` is the number of the move in the text, from 1. The character at `start` is no white
    /// space, comma, parenthesis or bracket.
    fn read(
        &self,
        text: &str,
        start: usize,
        number: usize,
        moves: &mut Vec<PlacedMove<Self::Item>>,
    ) -> Result<usize, Self::Error>;

    /// The move that undoes `item`.
    fn inverse(&self, item: Self::Item) -> Self::Item;
}

/// A move of the expanded sequence and the byte range of the text that stands for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlacedMove<T> {
    pub(crate) item: T,
    // A solution of a large board has millions of moves, so offsets take four bytes. Texts are shorter than
    // 4 GiB: every front end limits them.
    start: u32,
    end: u32,
}

impl<T> PlacedMove<T> {
    pub(crate) fn new(item: T, span: &Range<usize>) -> PlacedMove<T> {
        PlacedMove { item, start: span.start as u32, end: span.end as u32 }
    }

    pub(crate) fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Parses the part `range` of `text`; spans are byte ranges of `text`.
pub(crate) fn parse_sequence<N: Notation>(
    notation: &N,
    text: &str,
    range: Range<usize>,
) -> Result<Vec<PlacedMove<N::Item>>, N::Error> {
    let mut parser =
        SequenceParser { notation, text: &text[..range.end], at: range.start, moves: Vec::new(), added: 0 };
    parser.sequence(0, None)?;
    Ok(parser.moves)
}

/// Whether a character may stand between moves. Text copied from web pages has zero-width spaces and
/// byte-order marks.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Whether a character is a prime, or one that keyboards and word processors put in its place.
pub(crate) fn is_prime(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '´' | '’' | '‘' | '‛' | '′' | '‵' | 'ʼ' | 'ʹ' | 'ˈ' | '＇'
        // Minus and hyphens, as in `R-`.
        | '-' | '−' | '–' | '‐' | '‑' | '－'
    )
}

/// A line without its comment, which `#` or `//` begins.
pub(crate) fn without_comment(line: &str) -> &str {
    let end = [line.find('#'), line.find("//")].into_iter().flatten().min();
    &line[..end.unwrap_or(line.len())]
}

/// What follows a move or a group: a count (quarter turns of a move, repetitions of a group) and a prime,
/// both optional.
pub(crate) struct Suffix {
    /// `None`: no count is written; `Some(None)`: the count has too many digits.
    pub(crate) count: Option<Option<u32>>,
    pub(crate) prime: bool,
    /// Whether a second count or prime follows.
    pub(crate) repeated: bool,
    /// Byte offset of the end.
    pub(crate) end: usize,
}

impl Suffix {
    /// Reads a count and a prime, in any order, from the byte `start` of `text` on.
    pub(crate) fn read(text: &str, start: usize) -> Suffix {
        let mut suffix = Suffix { count: None, prime: false, repeated: false, end: start };
        loop {
            let rest = &text[suffix.end..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let prime = rest.chars().next().filter(|&c| is_prime(c));
            match (digits, prime) {
                (1.., _) => {
                    suffix.repeated |= suffix.count.is_some();
                    let count = (digits <= MAX_COUNT_DIGITS).then(|| rest[..digits].parse().ok()).flatten();
                    suffix.count.get_or_insert(count);
                    suffix.end += digits;
                }
                (0, Some(prime)) => {
                    suffix.repeated |= suffix.prime;
                    suffix.prime = true;
                    suffix.end += prime.len_utf8();
                }
                (0, None) => return suffix,
            }
        }
    }
}

struct SequenceParser<'a, N: Notation> {
    notation: &'a N,
    text: &'a str,
    /// Byte offset of the next character.
    at: usize,
    /// The expanded moves so far.
    moves: Vec<PlacedMove<N::Item>>,
    /// How many of them are not in the text.
    added: usize,
}

/// The separator or closing character that ended a sequence, with its byte offset; `None` at the end of the
/// text.
type Terminator = Option<(usize, char)>;

impl<N: Notation> SequenceParser<'_, N> {
    /// Parses moves and groups up to the end of the text or, inside a group, up to a closing character or
    /// a separator of brackets. `open` is the character that opened the group.
    fn sequence(&mut self, depth: usize, open: Option<char>) -> Result<Terminator, N::Error> {
        while let Some(c) = self.text[self.at..].chars().next() {
            let start = self.at;
            match c {
                ',' | ':' if open == Some('[') => {
                    self.at += 1;
                    return Ok(Some((start, c)));
                }
                '#' => self.skip_line(),
                '/' if self.text[start..].starts_with("//") => self.skip_line(),
                c if is_space(c) || c == ',' => self.at += c.len_utf8(),
                ')' | ']' => {
                    self.at += 1;
                    if open != Some(if c == ')' { '(' } else { '[' }) {
                        return Err(self.error(GroupFault::Unopened, start..self.at));
                    }
                    return Ok(Some((start, c)));
                }
                '(' | '[' if depth == MAX_DEPTH => {
                    return Err(self.error(GroupFault::TooDeep, start..start + 1));
                }
                '(' => self.parentheses(depth + 1)?,
                '[' => self.brackets(depth + 1)?,
                _ => {
                    let number = self.moves.len() - self.added + 1;
                    self.at = self.notation.read(self.text, start, number, &mut self.moves)?;
                }
            }
        }
        Ok(None)
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// Parses `( … )` with its suffix.
    fn parentheses(&mut self, depth: usize) -> Result<(), N::Error> {
        let (start, first) = (self.at, self.moves.len());
        self.at += 1;
        if self.sequence(depth, Some('('))?.is_none() {
            return Err(self.error(GroupFault::Unclosed { close: ')' }, start..start + 1));
        }
        self.suffix(start, first)
    }

    /// Parses `[A, B]` or `[A: B]` with its suffix.
    fn brackets(&mut self, depth: usize) -> Result<(), N::Error> {
        let (start, first) = (self.at, self.moves.len());
        self.at += 1;
        let mut separator = None;
        loop {
            match self.sequence(depth, Some('['))? {
                None => return Err(self.error(GroupFault::Unclosed { close: ']' }, start..start + 1)),
                Some((_, ']')) => break,
                Some((at, _)) if separator.is_some() => {
                    return Err(self.error(GroupFault::Separators, at..at + 1));
                }
                Some((at, c)) => separator = Some((at, c, self.moves.len())),
            }
        }
        let whole = start..self.at;
        let Some((at, separator, middle)) = separator else {
            return Err(self.error(GroupFault::Separators, whole));
        };
        // A part is empty if it added no move. `R4` counts as a move although it turns nothing.
        if middle == first || self.moves.len() == middle {
            return Err(self.error(GroupFault::EmptyPart, at..at + 1));
        }
        let end = self.moves.len();
        self.add_inverse(first..middle, &whole)?;
        if separator == ',' {
            self.add_inverse(middle..end, &whole)?;
        }
        self.suffix(start, first)
    }

    /// Parses the suffix of the group that begins at the byte `start` and whose moves begin at `first`.
    fn suffix(&mut self, start: usize, first: usize) -> Result<(), N::Error> {
        let suffix = Suffix::read(self.text, self.at);
        self.at = suffix.end;
        let whole = start..self.at;
        if suffix.repeated {
            return Err(self.error(GroupFault::Suffix, whole));
        }
        let length = self.moves.len() - first;
        let count = match suffix.count {
            None => 1,
            Some(Some(0)) => return Err(self.error(GroupFault::ZeroCount, whole)),
            Some(Some(count)) => count as usize,
            // More digits than a count may have.
            Some(None) => usize::MAX,
        };
        self.reserve(length.saturating_mul(count - 1), &whole)?;
        if suffix.prime {
            let Self { moves, notation, .. } = self;
            moves[first..].reverse();
            moves[first..].iter_mut().for_each(|placed| placed.item = notation.inverse(placed.item));
        }
        if length > 0 {
            (1..count).for_each(|_| self.moves.extend_from_within(first..first + length));
        }
        Ok(())
    }

    /// Appends the inverse of some moves.
    fn add_inverse(&mut self, part: Range<usize>, group: &Range<usize>) -> Result<(), N::Error> {
        self.reserve(part.len(), group)?;
        for index in part.rev() {
            let placed = self.moves[index];
            self.moves.push(PlacedMove { item: self.notation.inverse(placed.item), ..placed });
        }
        Ok(())
    }

    /// Counts moves that are about to be added for a group.
    fn reserve(&mut self, count: usize, group: &Range<usize>) -> Result<(), N::Error> {
        self.added = self.added.saturating_add(count);
        if self.added > MAX_ADDED_MOVES {
            return Err(self.error(GroupFault::TooLong, group.clone()));
        }
        Ok(())
    }

    fn error(&self, fault: GroupFault, span: Range<usize>) -> N::Error {
        GroupError { fault, found: sanitize(&self.text[span.clone()]), span }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One letter is a move; its inverse is the same letter in the other case.
    struct Letters;

    impl Notation for Letters {
        type Item = char;
        type Error = GroupError;

        fn read(
            &self,
            text: &str,
            start: usize,
            _number: usize,
            moves: &mut Vec<PlacedMove<char>>,
        ) -> Result<usize, GroupError> {
            let item = text[start..].chars().next().expect("a character");
            let span = start..start + item.len_utf8();
            moves.push(PlacedMove::new(item, &span));
            Ok(span.end)
        }

        fn inverse(&self, item: char) -> char {
            if item.is_uppercase() { item.to_ascii_lowercase() } else { item.to_ascii_uppercase() }
        }
    }

    fn expand(text: &str) -> Result<String, GroupError> {
        let moves = parse_sequence(&Letters, text, 0..text.len())?;
        Ok(moves.into_iter().map(|placed| placed.item).collect())
    }

    #[test]
    fn groups_are_expanded() {
        for (text, expanded) in [
            ("a b, c", "abc"),
            ("(ab)3", "ababab"),
            ("(ab)", "ab"),
            ("()7", ""),
            ("(ab)'", "BA"),
            ("(ab)2'", "BABA"),
            ("(ab)’2", "BABA"),
            ("(a, b)2", "abab"),
            ("[a, b]", "abAB"),
            ("[a,b]'", "baBA"),
            ("[a: b]", "abA"),
            ("[a: b]2", "abAabA"),
            ("[ab: [c, d]]", "abcdCDBA"),
            ("[(a)2, b]", "aabAAB"),
            ("((a)2 b)2", "aabaab"),
            ("a // b (\nc # d ]\n e", "ace"),
            ("a\u{a0}b\u{200b}c\u{feff}", "abc"),
        ] {
            assert_eq!(expand(text).as_deref(), Ok(expanded), "{text}");
        }
    }

    #[test]
    fn every_mistake_has_its_place() {
        use GroupFault::*;
        let deep = "(".repeat(MAX_DEPTH + 1);
        for (text, fault, found) in [
            ("a (b", Unclosed { close: ')' }, "("),
            ("a [b, (c)", Unclosed { close: ']' }, "["),
            ("a) b", Unopened, ")"),
            ("(a]", Unopened, "]"),
            ("[a b]", Separators, "[a b]"),
            ("[a, b, c]", Separators, ","),
            ("[a: b, c]", Separators, ","),
            ("[, b]", EmptyPart, ","),
            ("[a:]", EmptyPart, ":"),
            ("(a)0", ZeroCount, "(a)0"),
            ("(a)''", Suffix, "(a)''"),
            ("(a)2'3", Suffix, "(a)2'3"),
            ("b (a)1000000000", TooLong, "(a)1000000000"),
            ("(a)99999999999999999999", TooLong, "(a)99999999999999999999"),
            ("((((a)100)100)100)100", TooLong, "(((a)100)100)100"),
            (&deep, TooDeep, "("),
        ] {
            let error = expand(text).expect_err(text);
            assert_eq!((error.fault, &text[error.span.clone()]), (fault, found), "{text}: {error}");
        }
        assert_eq!(expand("(a)100001").map(|moves| moves.len()), Ok(100_001));
        assert!(expand("(a)100002").is_err(), "one more than the limit");
        assert_eq!(expand(&"a".repeat(200_000)).map(|moves| moves.len()), Ok(200_000), "no groups, no limit");
    }

    /// A text with groups and the same moves without groups.
    fn group() -> impl Strategy<Value = (String, String)> {
        let inverse = |moves: &str| -> String { moves.chars().rev().map(|c| Letters.inverse(c)).collect() };
        let leaf = "[a-d]{1,3}".prop_map(|moves: String| (moves.clone(), moves));
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                (inner.clone(), 1usize..4)
                    .prop_map(|((text, moves), count)| (format!("({text}){count}"), moves.repeat(count))),
                inner.clone().prop_map(move |(text, moves)| (format!("({text})'"), inverse(&moves))),
                (inner.clone(), inner.clone()).prop_map(move |((a, x), (b, y))| {
                    (format!("[{a}, {b}]"), format!("{x}{y}{}{}", inverse(&x), inverse(&y)))
                }),
                (inner.clone(), inner.clone()).prop_map(move |((a, x), (b, y))| {
                    (format!("[{a}: {b}]"), format!("{x}{y}{}", inverse(&x)))
                }),
                (inner.clone(), inner).prop_map(|((a, x), (b, y))| (format!("{a} {b}"), format!("{x}{y}"))),
            ]
        })
    }

    proptest! {
        #[test]
        fn expansion_equals_the_written_out_moves((text, expanded) in group()) {
            prop_assert_eq!(expand(&text), Ok(expanded), "{}", text);
        }

        #[test]
        fn the_span_of_a_move_is_its_letter((text, _) in group()) {
            for placed in parse_sequence(&Letters, &text, 0..text.len()).expect("a sequence") {
                let letter = text[placed.span()].chars().next().expect("a letter");
                prop_assert!(letter == placed.item || letter == Letters.inverse(placed.item));
            }
        }

        #[test]
        fn any_text_gives_moves_or_an_error_in_it(text in "([(\\[\\]),:'0-9ab/# \n]|.){0,60}") {
            if let Err(error) = expand(&text) {
                prop_assert!(text.get(error.span).is_some());
            }
        }
    }
}
