//! The values that an option of an algorithm accepts.

use std::fmt;

/// The values that an option accepts. Validation, error messages and the forms of front ends follow from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionValues {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// An integer in an inclusive range.
    Integer {
        /// The smallest accepted value.
        least: u64,
        /// The largest accepted value.
        most: u64,
    },
    /// A decimal number in an inclusive range.
    Number {
        /// The smallest accepted value.
        least: u64,
        /// The largest accepted value.
        most: u64,
        /// The largest accepted number of digits after the decimal point.
        decimals: u8,
    },
}

impl OptionValues {
    /// `on` or `off`.
    pub const SWITCH: OptionValues = OptionValues::Choice(&["on", "off"]);
    /// The largest integer that every JSON parser represents exactly.
    pub const LARGEST: u64 = (1 << 53) - 1;

    /// Whether the option accepts `value`.
    ///
    /// ```
    /// use untumble_search::spec::OptionValues;
    ///
    /// let weight = OptionValues::Number { least: 1, most: 100, decimals: 3 };
    /// assert!(weight.accepts("1.5"));
    /// assert!(!weight.accepts("0.5") && !weight.accepts("nan"));
    /// assert!(OptionValues::SWITCH.accepts("off"));
    /// ```
    pub fn accepts(self, value: &str) -> bool {
        match self {
            OptionValues::Choice(words) => words.contains(&value),
            OptionValues::Integer { least, most } => {
                value.parse().is_ok_and(|number: u64| (least..=most).contains(&number))
            }
            OptionValues::Number { least, most, decimals } => {
                let (integer, fraction) = value.split_once('.').unwrap_or((value, "0"));
                let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
                digits(integer)
                    && digits(fraction)
                    && fraction.len() <= usize::from(decimals)
                    && value.parse().is_ok_and(|number: f64| (least as f64..=most as f64).contains(&number))
            }
        }
    }
}

impl fmt::Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValues::Choice([most @ .., last]) if !most.is_empty() => {
                write!(f, "{} or {last}", most.join(", "))
            }
            OptionValues::Choice(words) => f.write_str(&words.concat()),
            OptionValues::Integer { least: 0, most: OptionValues::LARGEST } => {
                f.write_str("an integer below 2^53")
            }
            OptionValues::Integer { least, most } => write!(f, "an integer from {least} to {most}"),
            OptionValues::Number { least, most, decimals } => {
                write!(f, "a number from {least} to {most} with at most {decimals} decimals")
            }
        }
    }
}
