//! Python dictionaries of lists of whole numbers: `{'f0': [0, 2, 1], 'r0': [1, 0, 2]}`.

use std::collections::HashSet;

use crate::definition::error::Fault;
use crate::definition::limits::{MAX_MOVES, MAX_NAME_BYTES};
use crate::sanitize::sanitize;

/// A fault and the path to it.
type PathFault = (Fault, String);

/// Calls `entry` with every key and its list. Keys are distinct.
pub(super) fn read(
    text: &str,
    mut entry: impl FnMut(&str, Vec<u32>) -> Result<(), PathFault>,
) -> Result<(), PathFault> {
    let mut rest = Rest(text);
    let mut keys = HashSet::new();
    let top = |fault| (fault, "allowed_moves".to_owned());
    rest.expect('{', "a dictionary such as `{'f0': [1, 0]}`").map_err(top)?;
    if !rest.accept('}') {
        loop {
            let key = rest.key().map_err(top)?;
            let path = format!("allowed_moves.{}", sanitize(key));
            if !keys.insert(key) || keys.len() > MAX_MOVES {
                return Err((Fault::DuplicateName { what: "move", name: sanitize(key) }, path));
            }
            rest.expect(':', "`:` after a name").map_err(|fault| (fault, path.clone()))?;
            let numbers = rest.numbers().map_err(|(fault, at)| (fault, format!("{path}[{at}]")))?;
            entry(key, numbers)?;
            if rest.accept('}') {
                break;
            }
            rest.expect(',', "`,` or `}`").map_err(|fault| (fault, path))?;
            if rest.accept('}') {
                break;
            }
        }
    }
    if rest.next().is_none() { Ok(()) } else { Err(top(rest.unexpected("the end of the dictionary"))) }
}

/// The part of the text that is not read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn next(&mut self) -> Option<char> {
        self.0 = self.0.trim_start();
        self.0.chars().next()
    }

    fn accept(&mut self, token: char) -> bool {
        let found = self.next() == Some(token);
        if found {
            self.0 = &self.0[token.len_utf8()..];
        }
        found
    }

    fn expect(&mut self, token: char, expected: &str) -> Result<(), Fault> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn unexpected(&mut self, expected: &str) -> Fault {
        if self.next().is_none() {
            return Fault::UnexpectedEnd { expected: expected.into() };
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | ':');
        let first = self.0.chars().next().map_or(0, char::len_utf8);
        let length = self.0.find(ends).unwrap_or(self.0.len()).max(first);
        Fault::unexpected(expected, &self.0[..length])
    }

    /// A name in single or double quotes.
    fn key(&mut self) -> Result<&'a str, Fault> {
        let Some(quote @ ('\'' | '"')) = self.next() else {
            return Err(self.unexpected("a name in quotes"));
        };
        let inner = &self.0[1..];
        match inner.find(quote) {
            Some(end) if end <= MAX_NAME_BYTES && !inner[..end].contains('\\') => {
                self.0 = &inner[end + 1..];
                Ok(&inner[..end])
            }
            _ => Err(self.unexpected("a short name in quotes")),
        }
    }

    /// A list of numbers, or the number of the wrong item.
    fn numbers(&mut self) -> Result<Vec<u32>, (Fault, usize)> {
        let mut numbers = Vec::new();
        self.expect('[', "`[`").map_err(|fault| (fault, 0))?;
        if self.accept(']') {
            return Ok(numbers);
        }
        loop {
            self.next();
            let length = self.0.bytes().take_while(u8::is_ascii_digit).count();
            let Ok(number) = self.0[..length].parse() else {
                return Err((self.unexpected("a whole number below 2^32"), numbers.len()));
            };
            numbers.push(number);
            self.0 = &self.0[length..];
            if self.accept(']') {
                return Ok(numbers);
            }
            self.expect(',', "`,` or `]`").map_err(|fault| (fault, numbers.len()))?;
            if self.accept(']') {
                return Ok(numbers);
            }
        }
    }
}
