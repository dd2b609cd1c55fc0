//! Sizes and durations as users write them: numbers with units.

use std::time::Duration;

/// Why a text is not a size or a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// The unit is unknown.
    #[error("{0}")]
    Unit(&'static str),
    /// The number is negative.
    #[error("negative; expected {0}")]
    Negative(&'static str),
    /// The text has no valid number.
    #[error("expected {0}")]
    Number(&'static str),
    /// The size is zero.
    #[error("no search fits into 0 bytes")]
    Zero,
    /// The size exceeds 64 bits, or the duration exceeds what a clock can represent.
    #[error("{0}")]
    TooLarge(&'static str),
}

/// Parses a size in bytes: `2G`, `1.5G`, `300M`, `64KiB`, `1048576`. Units are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, QuantityError> {
    let (number, unit) = split_unit(text);
    let unit = unit.to_ascii_lowercase();
    let power = match unit.trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => {
            let expected = "expected a size in bytes or with K, M, G or T, as in 300M or 1.5G";
            return Err(QuantityError::Unit(expected));
        }
    };
    let bytes = parse_non_negative(number, "a size as in 300M or 1.5G")? * 1024f64.powi(power);
    if bytes < 1.0 {
        return Err(QuantityError::Zero);
    }
    if bytes >= u64::MAX as f64 {
        return Err(QuantityError::TooLarge("more memory than any machine has"));
    }
    Ok(bytes as u64)
}

/// Parses a duration: seconds as a decimal number, a number with a unit, or several of them with the units
/// of `humantime`: `0.5`, `500ms`, `1.5h`, `2min`, `1h 30m`. Months are refused: `M` looks like minutes.
pub fn parse_duration(text: &str) -> Result<Duration, QuantityError> {
    let (number, unit) = split_unit(text);
    let unknown =
        QuantityError::Unit("expected seconds, or a time with units, as in 0.5, 500ms, 2m or 1h 30m");
    let unit = match unit {
        "" => Duration::from_secs(1),
        unit if unit.contains('M') || unit.starts_with(|c: char| !c.is_ascii_alphabetic()) => {
            return Err(unknown);
        }
        unit if unit.contains(|c: char| !c.is_ascii_alphabetic()) => {
            return humantime::parse_duration(text).map_err(|_| unknown);
        }
        unit => humantime::parse_duration(&format!("1{unit}")).map_err(|_| unknown)?,
    };
    // humantime refuses fractions such as 0.3333h, so only its units are used here.
    let seconds = parse_non_negative(number, "seconds as in 0.5, 500ms or 2m")? * unit.as_secs_f64();
    Duration::try_from_secs_f64(seconds).map_err(|_| QuantityError::TooLarge("too long a time"))
}

/// Splits a number from its unit.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic() || c.is_whitespace()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim_start())
}

/// Parses a number that is finite and not negative; `expected` describes it in errors.
fn parse_non_negative(number: &str, expected: &'static str) -> Result<f64, QuantityError> {
    match number.parse::<f64>() {
        Ok(value) if value.is_sign_negative() => Err(QuantityError::Negative(expected)),
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(QuantityError::Number(expected)),
    }
}
