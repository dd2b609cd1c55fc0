//! JSON values with the order of keys, for formats in which the order of moves matters.
//!
//! Lists of whole numbers, which make up nearly all of a definition, take four bytes per number.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::error::{DefinitionError, Fault, Place};
use crate::sanitize::sanitize;

/// The largest number of values of a file, where a list of whole numbers counts as one. It bounds memory.
const MAX_VALUES: usize = 1 << 20;

/// A JSON value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Json {
    /// A list of whole numbers below 2³²; also the empty list.
    Numbers(Vec<u32>),
    List(Vec<Json>),
    /// Keys are distinct.
    Object(Vec<(String, Json)>),
    Text(String),
    Number(u64),
    /// A negative number or a fraction, `true`, `false` or `null`.
    Other(String),
}

impl Json {
    /// Parses a whole text. Keys that occur twice and deep nesting are errors.
    pub(crate) fn parse(text: &str) -> Result<Json, DefinitionError> {
        let count = Cell::new(0);
        let mut reader = serde_json::Deserializer::from_str(text);
        let value = Value(&count).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
        value.map_err(|error| {
            let message = error.to_string();
            let reason = message.split(" at line ").next().unwrap_or_default().to_owned();
            let path = String::new();
            let place = Some(Place::Value { line: Some(error.line()), path });
            DefinitionError { fault: Fault::Json { reason }, place }
        })
    }

    /// The value of a key of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value of a key that must be there; `path` is the way to this value.
    pub(crate) fn required(&self, key: &str, path: &str) -> Result<&Json, DefinitionError> {
        self.get(key).ok_or_else(|| {
            self.object(path).err().unwrap_or_else(|| {
                Fault::Missing { what: format!("the key `{}` is", sanitize(key)) }.at_path(path)
            })
        })
    }

    pub(crate) fn object(&self, path: &str) -> Result<&[(String, Json)], DefinitionError> {
        match self {
            Json::Object(entries) => Ok(entries),
            _ => Err(self.unexpected("an object", path)),
        }
    }

    /// The items of a list of objects or lists.
    pub(crate) fn list(&self, path: &str) -> Result<&[Json], DefinitionError> {
        match self {
            Json::List(items) => Ok(items),
            Json::Numbers(numbers) if numbers.is_empty() => Ok(&[]),
            _ => Err(self.unexpected("a list", path)),
        }
    }

    /// The items of a list of whole numbers.
    pub(crate) fn numbers(&self, path: &str) -> Result<&[u32], DefinitionError> {
        match self {
            Json::Numbers(numbers) => Ok(numbers),
            Json::List(items) => {
                let wrong = |item: &Json| !matches!(item, Json::Number(number) if *number <= u32::MAX.into());
                let at = items.iter().position(wrong).unwrap_or(0);
                Err(items[at].unexpected("a whole number below 2^32", &format!("{path}[{at}]")))
            }
            _ => Err(self.unexpected("a list of whole numbers", path)),
        }
    }

    pub(crate) fn text(&self, path: &str) -> Result<&str, DefinitionError> {
        match self {
            Json::Text(text) => Ok(text),
            _ => Err(self.unexpected("a text in quotes", path)),
        }
    }

    /// A whole number from 1 to `max`.
    pub(crate) fn count(&self, what: &'static str, max: usize, path: &str) -> Result<usize, DefinitionError> {
        match self {
            Json::Number(number @ 1..) if *number <= max as u64 => Ok(*number as usize),
            _ => Err(Fault::OutOfRange { what, min: 1, max: max as u64, found: self.shown() }.at_path(path)),
        }
    }

    fn unexpected(&self, expected: &str, path: &str) -> DefinitionError {
        Fault::Unexpected { expected: expected.into(), found: self.shown() }.at_path(path)
    }

    /// A short text for messages.
    fn shown(&self) -> String {
        match self {
            Json::Numbers(_) | Json::List(_) => "[…]".into(),
            Json::Object(_) => "{…}".into(),
            Json::Text(text) => sanitize(text),
            Json::Number(number) => number.to_string(),
            Json::Other(text) => sanitize(text),
        }
    }
}

/// Reads one value and counts it.
#[derive(Clone, Copy)]
struct Value<'a>(&'a Cell<usize>);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Value<'_> {
    fn count<E: serde::de::Error>(self) -> Result<(), E> {
        self.0.set(self.0.get() + 1);
        if self.0.get() > MAX_VALUES {
            return Err(E::custom(format!("more than {MAX_VALUES} values")));
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Other(value.to_string()))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Other(value.to_string()))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Other(value.to_string()))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Json, E> {
        Ok(Json::Other("null".into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        self.count()?;
        let mut numbers: Vec<u32> = Vec::new();
        let mixed = loop {
            match items.next_element_seed(self)? {
                None => return Ok(Json::Numbers(numbers)),
                Some(Json::Number(number)) if u32::try_from(number).is_ok() => numbers.push(number as u32),
                Some(other) => break other,
            }
        };
        let mut list: Vec<Json> = numbers.into_iter().map(|number| Json::Number(number.into())).collect();
        list.push(mixed);
        while let Some(item) = items.next_element_seed(self)? {
            self.count()?;
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        self.count()?;
        let mut entries: Vec<(String, Json)> = Vec::new();
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            self.count()?;
            if !keys.insert(key.clone()) {
                return Err(A::Error::custom(format!("the key `{}` occurs twice", sanitize(&key))));
            }
            let value = map.next_value_seed(self)?;
            entries.push((key, value));
        }
        Ok(Json::Object(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_are_distinct() {
        let json = Json::parse(r#"{"b": [1, 2], "a": [1, -2], "c": {"d": null}}"#).expect("JSON");
        let keys: Vec<&str> = json.object("").expect("an object").iter().map(|(key, _)| &**key).collect();
        assert_eq!(keys, ["b", "a", "c"]);
        assert_eq!(json.get("b"), Some(&Json::Numbers(vec![1, 2])));
        let message = |text: &str| Json::parse(text).expect_err("an error").to_string();
        assert_eq!(message("{\"a\": 1,\n\"a\": 2}"), "line 2: not valid JSON: the key `a` occurs twice");
        let error = json.get("a").map(|a| a.numbers("a").expect_err("-2").to_string());
        assert_eq!(error.as_deref(), Some("a[1]: expected a whole number below 2^32, found `-2`"));
    }

    #[test]
    fn nesting_and_size_are_bounded() {
        let deep = "[".repeat(100_000);
        let message = Json::parse(&deep).expect_err("too deep").to_string();
        assert_eq!(message, "line 1: not valid JSON: recursion limit exceeded");
        let many = format!("[{}[]]", "[],".repeat(MAX_VALUES));
        let message = Json::parse(&many).expect_err("too many").to_string();
        assert_eq!(message, "line 1: not valid JSON: more than 1048576 values");
    }
}
