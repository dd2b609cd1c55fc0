//! Numbers as they are shown. A figure is rounded when it is made and never again: its text and its number in
//! JSON say the same to the last digit.

use serde::{Serialize, Serializer};

use untumble_session::figures::binary;

/// What a number counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Time.
    Seconds,
    /// Nodes, moves: whole numbers and means of them.
    Count,
    /// A number per second.
    PerSecond,
    /// A part of a whole, from 0 to 1.
    Share,
    /// Memory.
    Bytes,
    /// A ratio.
    Factor,
}

/// A number with its unit, rounded to what is shown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    value: f64,
    unit: Unit,
}

/// More digits than these are noise.
const DIGITS: usize = 4;

impl Figure {
    /// Rounds a number.
    pub fn new(unit: Unit, value: f64) -> Figure {
        let value = match unit {
            Unit::Seconds | Unit::PerSecond | Unit::Factor => significant(value),
            // Whole numbers are exact however large.
            Unit::Count if value.abs() >= 1000.0 => value.round(),
            Unit::Count => significant(value),
            Unit::Share => share(value),
            Unit::Bytes => {
                let (_, size) = binary(value);
                (significant(value / size) * size).round()
            }
        };
        Figure { value, unit }
    }

    /// The number, in the unit itself: seconds, bytes, a share of 1.
    pub fn value(self) -> f64 {
        self.value
    }

    /// The number as people read it.
    pub fn text(self) -> String {
        let value = self.value;
        match self.unit {
            Unit::Count | Unit::Factor => plain(value),
            Unit::Share => format!("{} %", plain(value * 100.0)),
            Unit::Seconds => scaled(value, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]),
            Unit::PerSecond => scaled(value, &[(1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s"), (1.0, "/s")]),
            Unit::Bytes => {
                let (name, size) = binary(value);
                format!("{} {name}", plain(value / size))
            }
        }
    }
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = (1u64 << 53) as f64;
        if self.value.fract() == 0.0 && (0.0..EXACT).contains(&self.value) {
            serializer.serialize_u64(self.value as u64)
        } else {
            serializer.serialize_f64(self.value)
        }
    }
}

/// A share to a hundredth of a percent. None and all are said of nothing else: one of a million is not none.
fn share(value: f64) -> f64 {
    /// Less than the smallest share of as many positions as there may be, more than binary dust.
    const DUST: f64 = 1e-9;
    const STEP: f64 = 1e-4;
    let rounded = (value * 1e4).round() / 1e4;
    match rounded {
        0.0 if value > DUST => STEP,
        1.0 if value < 1.0 - DUST => 1.0 - STEP,
        _ => rounded,
    }
}

/// The value with as many digits as are shown.
fn significant(value: f64) -> f64 {
    // By way of decimal text: multiplying and dividing would leave a tail of binary dust.
    let text = format!("{value:.precision$e}", precision = DIGITS - 1);
    text.parse().unwrap_or(value)
}

/// The largest unit that fits, and the number in it.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let fits = units.iter().find(|(size, _)| value.abs() >= *size);
    let (size, name) = match (fits, units.last()) {
        (Some(&unit), _) => unit,
        (None, Some(&smallest)) if value != 0.0 => smallest,
        _ => (1.0, units.iter().find(|(size, _)| *size == 1.0).map_or("", |(_, name)| name)),
    };
    format!("{} {name}", plain(value / size))
}

/// A number with its thousands apart and no needless zeros.
pub(crate) fn plain(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let whole = if value == 0.0 { 1 } else { value.abs().log10().floor() as i32 + 1 };
    let decimals = usize::try_from(DIGITS as i32 - whole).unwrap_or(0).min(9);
    let text = format!("{:.decimals$}", value.abs());
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let grouped = whole.parse().map_or_else(|_| whole.to_owned(), untumble_session::figures::grouped);
    let part = part.trim_end_matches('0');
    let sign = if value < 0.0 { "−" } else { "" };
    if part.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{part}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts<const N: usize>(unit: Unit, values: [f64; N]) -> [String; N] {
        values.map(|value| Figure::new(unit, value).text())
    }

    #[test]
    fn figures_read_well() {
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
            "all and none are exact"
        );
        assert_eq!(texts(Unit::Bytes, [512.0, 428_544.0, 3e9]), ["512 B", "418.5 KiB", "2.794 GiB"]);
        assert_eq!(texts(Unit::Factor, [1.363_99, 0.5]), ["1.364", "0.5"]);
    }

    #[test]
    fn whole_numbers_are_whole_in_json() {
        let json = |unit, value| serde_json::to_string(&Figure::new(unit, value)).expect("a number");
        assert_eq!(json(Unit::Count, 181_440.0), "181440");
        assert_eq!(json(Unit::Seconds, 0.001_234_56), "0.001235");
    }

    proptest! {
        /// Whoever rounds what was shown sees the same again: JSON and text cannot drift apart.
        #[test]
        fn rounding_twice_changes_nothing(value in 1e-9f64..1e12) {
            for unit in [Unit::Seconds, Unit::Count, Unit::PerSecond, Unit::Share, Unit::Bytes, Unit::Factor] {
                let value = if unit == Unit::Share { value.fract() } else { value };
                let once = Figure::new(unit, value);
                let json = serde_json::to_string(&once).expect("a number");
                let again = Figure::new(unit, json.parse().expect("a number"));
                prop_assert_eq!(again, once);
                prop_assert_eq!(again.text(), once.text());
            }
        }
    }
}
