//! Numbers, sizes and durations formatted for people.

use std::time::Duration;

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `3100000` as `3.1 M`: at least two and at most four digits.
pub fn compact(number: f64) -> String {
    let (unit, size) = largest_unit(number, 1000.0, ["", " k", " M", " G", " T"]);
    in_unit(number, size, unit)
}

/// A size in bytes, in units of powers of 1024: `300 MiB`.
pub fn bytes(count: u64) -> String {
    let (name, size) = byte_unit(count as f64);
    in_unit(count as f64, size, &format!(" {name}"))
}

/// The largest unit that is at most `bytes`, and its size in bytes.
pub fn byte_unit(bytes: f64) -> (&'static str, f64) {
    largest_unit(bytes, 1024.0, ["B", "KiB", "MiB", "GiB", "TiB"])
}

fn largest_unit(number: f64, step: f64, units: [&'static str; 5]) -> (&'static str, f64) {
    let mut size = 1.0;
    let mut unit = 0;
    while number >= size * step && unit + 1 < units.len() {
        size *= step;
        unit += 1;
    }
    (units[unit], size)
}

/// A number in a unit of this size, with one decimal where it has only one digit before the point.
fn in_unit(number: f64, size: f64, unit: &str) -> String {
    let number = number / size;
    let decimals = if size == 1.0 || number >= 10.0 { 0 } else { 1 };
    format!("{number:.decimals$}{unit}")
}

/// A duration in seconds: three decimals below a second, two below 100 seconds, none above.
pub fn seconds(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{seconds:.3} s")
    } else if seconds < 100.0 {
        format!("{seconds:.2} s")
    } else {
        format!("{seconds:.0} s")
    }
}

/// An age in its largest whole unit: `3 hours`.
pub fn age(age: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    match age.as_secs() {
        seconds @ 0..MINUTE => pluralize(seconds, "second"),
        seconds @ MINUTE..HOUR => pluralize(seconds / MINUTE, "minute"),
        seconds @ HOUR..DAY => pluralize(seconds / HOUR, "hour"),
        seconds => pluralize(seconds / DAY, "day"),
    }
}

/// A count with its noun: `1 move`, `2 moves`, `1,234 nodes`.
pub fn pluralize(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_scaled_and_counted() {
        assert_eq!([0, 12, 123, 1234, 1_234_567].map(grouped), ["0", "12", "123", "1,234", "1,234,567"]);
        assert_eq!([0.0, 999.0, 3_140_000.0, 31_400_000.0].map(compact), ["0", "999", "3.1 M", "31 M"]);
        assert_eq!([512, 1536, 300 << 20].map(bytes), ["512 B", "1.5 KiB", "300 MiB"]);
        assert_eq!([0.0041, 1.234, 1234.5].map(seconds), ["0.004 s", "1.23 s", "1234 s"]);
        let ages = [0, 61, 3 * 3600 + 5, 40 * 86400].map(|seconds| age(Duration::from_secs(seconds)));
        assert_eq!(ages, ["0 seconds", "1 minute", "3 hours", "40 days"]);
        assert_eq!((pluralize(1, "move"), pluralize(0, "move")), ("1 move".into(), "0 moves".into()));
    }
}
