//! Numbers with a unit, rounded for presentation.
//!
//! A quantity is rounded once, when it is created. Its text and its JSON number therefore agree to the last
//! digit.

use serde::{Serialize, Serializer};

use untumble_session::number_format::byte_unit;

/// The unit of a quantity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Time in seconds.
    Seconds,
    /// Nodes or moves: whole numbers and their means.
    Count,
    /// A count per second.
    PerSecond,
    /// A fraction from 0 to 1, shown in percent.
    Share,
    /// Memory in bytes.
    Bytes,
    /// A dimensionless ratio.
    Factor,
}

/// A rounded number with its unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quantity {
    value: f64,
    unit: Unit,
}

/// The digits kept of a measured value; further digits are measurement noise.
const SIGNIFICANT_DIGITS: usize = 4;

impl Quantity {
    /// Rounds a number to the precision of its unit.
    pub fn new(unit: Unit, value: f64) -> Quantity {
        let value = match unit {
            Unit::Seconds | Unit::PerSecond | Unit::Factor => round_significant(value),
            // Counts keep all their digits.
            Unit::Count if value.abs() >= 1000.0 => value.round(),
            Unit::Count => round_significant(value),
            Unit::Share => round_share(value),
            Unit::Bytes => {
                let (_, size) = byte_unit(value);
                (round_significant(value / size) * size).round()
            }
        };
        Quantity { value, unit }
    }

    /// The rounded number in the base unit: seconds, bytes, a fraction of 1.
    pub fn value(self) -> f64 {
        self.value
    }

    /// The number with a unit prefix and thousands separators.
    pub fn text(self) -> String {
        let value = self.value;
        match self.unit {
            Unit::Count | Unit::Factor => plain(value),
            Unit::Share => format!("{} %", plain(value * 100.0)),
            Unit::Seconds => scaled(value, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]),
            Unit::PerSecond => scaled(value, &[(1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s"), (1.0, "/s")]),
            Unit::Bytes => {
                let (name, size) = byte_unit(value);
                format!("{} {name}", plain(value / size))
            }
        }
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Below this, every whole f64 is an exact integer.
        const EXACT: f64 = (1u64 << 53) as f64;
        if self.value.fract() == 0.0 && (0.0..EXACT).contains(&self.value) {
            serializer.serialize_u64(self.value as u64)
        } else {
            serializer.serialize_f64(self.value)
        }
    }
}

/// Rounds a fraction to 0.01 %. Only exactly 0 and 1 give 0 and 1, so that one in a million is not shown as
/// none.
fn round_share(value: f64) -> f64 {
    /// Larger than any rounding error, smaller than the share of one position in the largest experiment.
    const TOLERANCE: f64 = 1e-9;
    const STEP: f64 = 1e-4;
    let rounded = (value * 1e4).round() / 1e4;
    match rounded {
        0.0 if value > TOLERANCE => STEP,
        1.0 if value < 1.0 - TOLERANCE => 1.0 - STEP,
        _ => rounded,
    }
}

/// Rounds a value to [`SIGNIFICANT_DIGITS`] digits.
fn round_significant(value: f64) -> f64 {
    // Decimal text is exact; scaling and rounding in binary would leave trailing digits.
    let text = format!("{value:.precision$e}", precision = SIGNIFICANT_DIGITS - 1);
    text.parse().unwrap_or(value)
}

/// The number in the largest unit that does not exceed it, with the unit's name.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let fits = units.iter().find(|(size, _)| value.abs() >= *size);
    let (size, name) = match (fits, units.last()) {
        (Some(&unit), _) => unit,
        (None, Some(&smallest)) if value != 0.0 => smallest,
        _ => (1.0, units.iter().find(|(size, _)| *size == 1.0).map_or("", |(_, name)| name)),
    };
    format!("{} {name}", plain(value / size))
}

/// A number with thousands separators and without trailing zeros; `–` if it is not finite.
pub(crate) fn plain(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let integer_digits = if value == 0.0 { 1 } else { value.abs().log10().floor() as i32 + 1 };
    let decimals = usize::try_from(SIGNIFICANT_DIGITS as i32 - integer_digits).unwrap_or(0).min(9);
    let text = format!("{:.decimals$}", value.abs());
    let (integer, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let grouped =
        integer.parse().map_or_else(|_| integer.to_owned(), untumble_session::number_format::grouped);
    let fraction = fraction.trim_end_matches('0');
    let sign = if value < 0.0 { "−" } else { "" };
    if fraction.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts<const N: usize>(unit: Unit, values: [f64; N]) -> [String; N] {
        values.map(|value| Quantity::new(unit, value).text())
    }

    #[test]
    fn quantities_are_written_with_prefixes_and_separators() {
        assert_eq!(
            texts(Unit::Seconds, [0.0, 3.01249e-5, 0.0012, 0.99996, 12.3456, 12345.6, 5e-7]),
            ["0 s", "30.12 µs", "1.2 ms", "1 s", "12.35 s", "12,350 s", "500 ns"]
        );
        assert_eq!(
            texts(Unit::Count, [0.0, 22.314159, 24.0, 181_440.0, 1234.5678, 0.5]),
            ["0", "22.31", "24", "181,440", "1,235", "0.5"]
        );
        assert_eq!(texts(Unit::PerSecond, [42_130_000.0, 1.0]), ["42.13 M/s", "1 /s"]);
        assert_eq!(texts(Unit::Share, [1.0, 0.123_456, 0.0]), ["100 %", "12.35 %", "0 %"]);
        let nearly = [29_999.0 / 30_000.0, 1.0 / 30_000.0, 5.0 * 0.2, 0.1 + 0.2 - 0.3];
        assert_eq!(
            texts(Unit::Share, nearly),
            ["99.99 %", "0.01 %", "100 %", "0 %"],
            "only exact 0 and 1 are 0 % and 100 %"
        );
        assert_eq!(texts(Unit::Bytes, [512.0, 428_544.0, 3e9]), ["512 B", "418.5 KiB", "2.794 GiB"]);
        assert_eq!(texts(Unit::Factor, [1.363_99, 0.5]), ["1.364", "0.5"]);
    }

    #[test]
    fn whole_numbers_are_integers_in_json() {
        let json = |unit, value| serde_json::to_string(&Quantity::new(unit, value)).expect("a number");
        assert_eq!(json(Unit::Count, 181_440.0), "181440");
        assert_eq!(json(Unit::Seconds, 0.001_234_56), "0.001235");
    }

    proptest! {
        #[test]
        fn rounding_is_idempotent(value in 1e-9f64..1e12) {
            use Unit::{Bytes, Count, Factor, PerSecond, Seconds, Share};
            for unit in [Seconds, Count, PerSecond, Share, Bytes, Factor] {
                let value = if unit == Unit::Share { value.fract() } else { value };
                let once = Quantity::new(unit, value);
                let json = serde_json::to_string(&once).expect("a number");
                let again = Quantity::new(unit, json.parse().expect("a number"));
                prop_assert_eq!(again, once);
                prop_assert_eq!(again.text(), once.text());
            }
        }
    }
}
