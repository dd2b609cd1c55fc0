//! The values that an option of an algorithm accepts.

use std::fmt;

/// The values that an option accepts. Validation, error messages and the forms of front ends use it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionValues {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// An integer in an inclusive range.
    Integer {
        /// The smallest accepted value.
        min: u64,
        /// The largest accepted value.
        max: u64,
    },
    /// A decimal number in an inclusive range.
    Number {
        /// The smallest accepted value.
        min: u64,
        /// The largest accepted value.
        max: u64,
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
    /// let weight = OptionValues::Number { min: 1, max: 100, decimals: 3 };
    /// assert!(weight.accepts("1.5"));
    /// assert!(!weight.accepts("0.5") && !weight.accepts("nan"));
    /// assert!(OptionValues::SWITCH.accepts("off"));
    /// ```
    pub fn accepts(self, value: &str) -> bool {
        match self {
            OptionValues::Choice(words) => words.contains(&value),
            OptionValues::Integer { min, max } => {
                value.parse().is_ok_and(|number: u64| (min..=max).contains(&number))
            }
            OptionValues::Number { min, max, decimals } => {
                let (integer, fraction) = value.split_once('.').unwrap_or((value, "0"));
                let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
                digits(integer)
                    && digits(fraction)
                    && fraction.len() <= usize::from(decimals)
                    && value.parse().is_ok_and(|number: f64| (min as f64..=max as f64).contains(&number))
            }
        }
    }
}

impl fmt::Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValues::Choice([others @ .., last]) if !others.is_empty() => {
                write!(f, "{} or {last}", others.join(", "))
            }
            OptionValues::Choice(words) => f.write_str(&words.concat()),
            OptionValues::Integer { min: 0, max: OptionValues::LARGEST } => {
                f.write_str("an integer below 2^53")
            }
            OptionValues::Integer { min, max } => write!(f, "an integer from {min} to {max}"),
            OptionValues::Number { min, max, decimals } => {
                write!(f, "a number from {min} to {max} with at most {decimals} decimals")
            }
        }
    }
}
