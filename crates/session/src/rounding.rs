//! Decimal numbers in JSON and CSV: at most six significant digits.

use serde::{Serialize, Serializer};

/// Rounds to six significant digits.
pub fn round_to_six_digits(value: f64) -> f64 {
    if value.is_finite() { format!("{value:.5e}").parse().unwrap_or(value) } else { value }
}

/// A number, or an optional one, that is rounded when it is serialised.
pub trait SixDigits {
    /// The type of the rounded value.
    type Rounded: Serialize;
    /// The value with at most six significant digits.
    fn rounded(&self) -> Self::Rounded;
}

impl SixDigits for f64 {
    type Rounded = f64;

    fn rounded(&self) -> f64 {
        round_to_six_digits(*self)
    }
}

impl SixDigits for Option<f64> {
    type Rounded = Option<f64>;

    fn rounded(&self) -> Option<f64> {
        self.map(round_to_six_digits)
    }
}

/// Serialises a number or an optional number with at most six significant digits, for `serialize_with`.
pub fn serialize_six_digits<S: Serializer>(value: &impl SixDigits, serializer: S) -> Result<S::Ok, S::Error> {
    value.rounded().serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Numbers {
        #[serde(serialize_with = "serialize_six_digits")]
        plain: f64,
        #[serde(serialize_with = "serialize_six_digits")]
        some: Option<f64>,
        #[serde(serialize_with = "serialize_six_digits")]
        none: Option<f64>,
    }

    #[test]
    fn numbers_and_optional_numbers_have_six_digits() {
        let numbers = Numbers { plain: 1_234.567_89, some: Some(2.0 / 3.0), none: None };
        let text = serde_json::to_string(&numbers).expect("JSON");
        assert_eq!(text, r#"{"plain":1234.57,"some":0.666667,"none":null}"#);
    }

    #[test]
    fn the_rounded_number_is_the_nearest_with_six_digits() {
        for (value, rounded) in [(0.0, 0.0), (1e-9 / 3.0, 3.33333e-10), (123_456_789.0, 123_457_000.0)] {
            assert_eq!(round_to_six_digits(value), rounded);
        }
        assert!(round_to_six_digits(f64::NAN).is_nan());
    }
}
