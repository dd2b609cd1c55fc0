//! Amounts on the command line: sizes and times with units, counts.

use std::time::Duration;

/// Reads a size in bytes: `2G`, `1.5G`, `300M`, `64KiB`, `1048576`. Units are powers of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let unit = unit.to_ascii_lowercase();
    let letter = unit.trim_end_matches("ib").trim_end_matches('b');
    let power = match letter {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err("expected a size in bytes or with K, M, G or T, as in 300M or 1.5G".into()),
    };
    let number = positive(number, "a size as in 300M or 1.5G")?;
    let bytes = number * 1024f64.powi(power);
    if bytes < 1.0 {
        return Err(
            "no search fits into 0 bytes; leave --memory out for three quarters of what is free".into()
        );
    }
    if bytes >= u64::MAX as f64 {
        return Err("more than any machine has; leave --memory out instead".into());
    }
    Ok(bytes as u64)
}

/// Reads a time: seconds as a decimal, or with `ms`, `s`, `m`, `h`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected seconds, or a time with ms, s, m or h, as in 0.5, 500ms or 2m".into()),
    };
    let number = positive(number, "seconds as in 0.5, 500ms or 2m")?;
    Duration::try_from_secs_f64(number * factor)
        .map_err(|_| "longer than anybody waits; leave --time out for no limit".into())
}

/// Reads a whole number.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// Reads a length in moves.
pub(crate) fn length(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a whole number of moves, as in 20".into())
}

/// Reads a number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    match text.parse() {
        Ok(0) => Err("a search needs at least 1 thread".into()),
        Ok(count) if count <= MOST => Ok(count),
        Ok(_) => Err(format!("at most {MOST} threads")),
        Err(_) => Err(format!("expected a whole number from 1 to {MOST}")),
    }
}

/// Reads an origin: a scheme and a host, perhaps a port, and nothing behind it.
pub(crate) fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or("");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    if host.is_empty() || !host.chars().all(plain) {
        return Err("expected an origin without a path, as in https://example.org".into());
    }
    Ok(text.to_owned())
}

/// Where the unit begins.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic() || c.is_whitespace()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim_start())
}

fn positive(number: &str, expected: &str) -> Result<f64, String> {
    match number.parse::<f64>() {
        Ok(value) if value.is_sign_negative() => Err(format!("negative; expected {expected}")),
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("expected {expected}")),
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
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in
            ["", "M", "0", "0.1", "-1G", "nan", "inf", "2X", "1e400", "2GG", "2 G 3", "99999999T", "0x10"]
        {
            assert!(size(text).is_err(), "{text} is no size");
        }
    }

    #[test]
    fn times_are_seconds_unless_they_say_otherwise() {
        for (text, millis) in
            [("1", 1000), ("0", 0), ("0.5", 500), ("500ms", 500), ("2m", 120_000), ("1.5 h", 5_400_000)]
        {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "-1", "-0.0", "nan", "NaN", "inf", "1e30", "3x", "s", "1:30"] {
            assert!(time(text).is_err(), "{text} is no time");
        }
    }

    #[test]
    fn counts_are_whole_numbers() {
        assert_eq!(count("1000000"), Ok(1_000_000));
        for text in ["", "-1", "1.5", "1e6", "99999999999999999999"] {
            assert!(count(text).is_err(), "{text} is no count");
        }
    }

    #[test]
    fn origins_have_no_path() {
        for text in ["https://example.org", "http://localhost:5173", "http://[::1]:80"] {
            assert_eq!(origin(text).as_deref(), Ok(text));
        }
        for text in ["", "*", "example.org", "https://", "https://example.org/", "ftp://x", "https://a b"] {
            assert!(origin(text).is_err(), "{text} is no origin");
        }
    }

    #[test]
    fn no_threads_are_refused() {
        assert_eq!(threads("8"), Ok(8));
        for text in ["0", "-1", "1.5", "", "many", "1025", "99999999999999999999"] {
            assert!(threads(text).is_err(), "{text} is no number of threads");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}", number in "[-0-9.eE]{0,8}[a-zA-Z ]{0,4}") {
            for text in [&text, &number] {
                if let Ok(bytes) = size(text) {
                    prop_assert!(bytes > 0);
                }
                let _ = (time(text), threads(text));
            }
        }
    }
}
