//! Parsers of argument values: sizes, durations, counts.

use std::time::Duration;

use untumble_session::quantity::{QuantityError, parse_duration, parse_size};

/// Parses a size in bytes: `2G`, `1.5G`, `300M`, `64KiB`, `1048576`. Units are powers of 1024.
pub(crate) fn memory_size(text: &str) -> Result<u64, String> {
    parse_size(text).map_err(|error| match error {
        QuantityError::Zero => {
            format!("{error}; leave out --memory to use three quarters of the available memory")
        }
        QuantityError::TooLarge(_) => format!("{error}; leave out --memory"),
        _ => error.to_string(),
    })
}

/// Parses a duration: seconds as a decimal, or with units, as in `500ms`, `2min` or `1h 30m`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|error| match error {
        QuantityError::TooLarge(_) => format!("{error}; leave out --time for no limit"),
        _ => error.to_string(),
    })
}

/// Parses a non-negative integer.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// Parses a length in moves.
pub(crate) fn length(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a whole number of moves, as in 20".into())
}

/// Parses a number of threads, from 1 to 1024.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    const MAX: usize = 1024;
    match text.parse() {
        Ok(0) => Err("a search needs at least 1 thread".into()),
        Ok(count) if count <= MAX => Ok(count),
        Ok(_) => Err(format!("at most {MAX} threads")),
        Err(_) => Err(format!("expected a whole number from 1 to {MAX}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sizes_are_powers_of_1024() {
        for (text, bytes) in [
            ("1", 1),
            ("300M", 300 << 20),
            ("2G", 2 << 30),
            ("2GiB", 2 << 30),
            ("2 gb", 2 << 30),
            ("64k", 64 << 10),
            ("1.5G", 3 << 29),
            ("1T", 1 << 40),
            ("512b", 512),
        ] {
            assert_eq!(memory_size(text), Ok(bytes), "{text}");
        }
        for text in
            ["", "M", "0", "0.1", "-1G", "nan", "inf", "2X", "1e400", "2GG", "2 G 3", "99999999T", "0x10"]
        {
            assert!(memory_size(text).is_err(), "{text} is not a size");
        }
    }

    #[test]
    fn durations_are_seconds_unless_they_have_units() {
        for (text, millis) in [
            ("1", 1000),
            ("0", 0),
            ("0.5", 500),
            (".5", 500),
            ("500ms", 500),
            ("2m", 120_000),
            ("90s", 90_000),
            ("2min", 120_000),
            ("1.5 h", 5_400_000),
            ("0.3333h", 1_199_880),
            ("1h 30m", 5_400_000),
            ("1h30min 15 s", 5_415_000),
            ("2 days", 172_800_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in [
            "", "-1", "-0.0", "nan", "NaN", "inf", "1e30", "3x", "s", "1:30", "2M", "1 2s", "-1h 30m", "1h M",
        ] {
            assert!(duration(text).is_err(), "{text} is not a duration");
        }
    }

    #[test]
    fn counts_are_non_negative_integers() {
        assert_eq!(count("1000000"), Ok(1_000_000));
        for text in ["", "-1", "1.5", "1e6", "99999999999999999999"] {
            assert!(count(text).is_err(), "{text} is not a count");
        }
    }

    #[test]
    fn zero_threads_are_refused() {
        assert_eq!(threads("8"), Ok(8));
        for text in ["0", "-1", "1.5", "", "many", "1025", "99999999999999999999"] {
            assert!(threads(text).is_err(), "{text} is not a number of threads");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in "\\PC{0,12}", number in "[-0-9.eE]{0,8}[a-zA-Z ]{0,4}") {
            for text in [&text, &number] {
                if let Ok(bytes) = memory_size(text) {
                    prop_assert!(bytes > 0);
                }
                let _ = (duration(text), threads(text));
            }
        }
    }
}
