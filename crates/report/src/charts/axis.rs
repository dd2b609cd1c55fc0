//! An axis of a chart: the mapping from values to pixels, and its ticks (the labelled values).

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::super::quantity::{Quantity, Unit, plain};

/// Logarithmic axes clamp values to this range; an extrapolated fit may be infinite.
const LOG_RANGE: Range<f64> = 1e-300..1e300;

/// One of the two axes of a chart.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Axis {
    /// The measured quantity with its unit.
    pub(crate) title: String,
    range: Range<f64>,
    logarithmic: bool,
    /// The labelled values.
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// A linear axis over `range`.
    pub(crate) fn linear(title: &str, unit: Unit, range: Range<f64>) -> Axis {
        let range = if range.end > range.start { range } else { range.start - 1.0..range.start + 1.0 };
        // About six ticks, at multiples of 1, 2 or 5 times a power of ten.
        let min_step = (range.end - range.start) / 6.0;
        let power = 10f64.powf(min_step.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= min_step);
        let step = step.unwrap_or(power);
        let step = if unit == Unit::Count { step.max(1.0) } else { step };
        let first = (range.start / step).ceil() as i64;
        let last = (range.end / step).floor() as i64;
        let ticks =
            (first..=last).map(|index| index as f64 * step).map(|value| (value, tick_label(unit, value)));
        Axis { title: title.to_owned(), ticks: ticks.collect(), range, logarithmic: false }
    }

    /// A linear axis with ticks at exactly these values.
    pub(crate) fn with_ticks(title: &str, unit: Unit, range: Range<f64>, values: &[f64]) -> Axis {
        let ticks = values.iter().map(|&value| (value, tick_label(unit, value))).collect();
        Axis { ticks, ..Axis::linear(title, unit, range) }
    }

    /// A logarithmic axis that covers the positive `values`.
    pub(crate) fn logarithmic(title: &str, unit: Unit, values: impl IntoIterator<Item = f64>) -> Axis {
        let (min, max) = positive_range(values);
        let mut range = min / 1.3..max * 1.3;
        let base = log_base(unit);
        // A range narrower than one factor of the base may contain no round number; extend it to powers.
        if range.end / range.start < base {
            range = base.powf(range.start.log(base).floor())..base.powf(range.end.log(base).ceil());
        }
        let steps = |multiples: &[f64]| -> Vec<f64> {
            let powers = range.start.log(base).floor() as i32..=range.end.log(base).ceil() as i32;
            let values =
                powers.flat_map(|power| multiples.iter().map(move |multiple| multiple * base.powi(power)));
            // The tolerance keeps the ends despite rounding errors.
            values
                .filter(|value| (range.start * (1.0 - 1e-9)..=range.end * (1.0 + 1e-9)).contains(value))
                .collect()
        };
        // Powers of the base, and multiples of them if there are few powers.
        let mut ticks = steps(&[1.0]);
        if ticks.len() < 3 {
            ticks = steps(if unit == Unit::Bytes { &[1.0, 4.0] } else { &[1.0, 2.0, 5.0] });
        }
        let step = ticks.len().div_ceil(9).max(1);
        let ticks = ticks.into_iter().step_by(step).map(|value| (value, tick_label(unit, value))).collect();
        Axis { title: title.to_owned(), range, logarithmic: true, ticks }
    }

    /// A logarithmic axis for bars: it starts at a power of the base below all positive `values`, and its
    /// title states this start, because the length of a bar depends on it.
    pub(crate) fn for_log_bars(title: &str, unit: Unit, values: impl IntoIterator<Item = f64>) -> Axis {
        let (min, max) = positive_range(values);
        let base = log_base(unit);
        // The shortest bar is at least a sixth of a power long, the longest at least a power.
        let mut start = base.powf((min / base.powf(1.0 / 6.0)).log(base).floor());
        if max / start < base {
            start /= base;
        }
        let axis = Axis::logarithmic("", unit, [start, max]);
        let ticks = std::iter::once((start, tick_label(unit, start)))
            .chain(axis.ticks.into_iter().filter(|(value, _)| *value > start * (1.0 + 1e-9)));
        let title = format!("{title} (log scale, bars start at {})", tick_label(unit, start));
        Axis { title, range: start..axis.range.end, ticks: ticks.collect(), logarithmic: true }
    }

    /// A categorical axis with a row for each name, the first on top.
    pub(crate) fn categories(names: impl IntoIterator<Item = String>) -> Axis {
        let names: Vec<String> = names.into_iter().collect();
        let ticks = names.iter().enumerate().map(|(row, name)| (Axis::row_centre(row), name.clone()));
        let range = -(names.len() as f64)..0.0;
        Axis { title: String::new(), ticks: ticks.collect(), range, logarithmic: false }
    }

    /// The value at the centre of a row of a categorical axis.
    pub(crate) fn row_centre(row: usize) -> f64 {
        -(row as f64) - 0.5
    }

    /// Drops ticks until their labels fit side by side into `width` pixels, at `letter_width` pixels
    /// per letter.
    pub(crate) fn thinned(mut self, letter_width: i32, width: i32) -> Axis {
        let widest = self.ticks.iter().map(|(_, text)| text.chars().count() as i32 + 2).max().unwrap_or(1);
        let needed = widest * letter_width * self.ticks.len() as i32;
        let step = (needed + width - 1) / width.max(1);
        self.ticks = self.ticks.into_iter().step_by(step.max(1) as usize).collect();
        self
    }

    /// The axis without ticks.
    pub(crate) fn without_ticks(self) -> Axis {
        Axis { ticks: Vec::new(), ..self }
    }

    /// The smallest value.
    pub(crate) fn start(&self) -> f64 {
        self.range.start
    }

    /// Extends the axis to leave room for a label beside the largest value.
    pub(crate) fn with_label_margin(mut self) -> Axis {
        let share = 0.2;
        self.range.end = if self.logarithmic {
            self.range.end * (self.range.end / self.range.start).powf(share)
        } else {
            self.range.end + (self.range.end - self.range.start) * share
        };
        self
    }
}

/// The smallest and the largest positive value within [`LOG_RANGE`].
fn positive_range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let (min, max) = values
        .into_iter()
        .filter(|value| *value > 0.0)
        .map(|value| value.clamp(LOG_RANGE.start, LOG_RANGE.end))
        .fold((f64::MAX, 0.0), |(min, max): (f64, f64), value| (min.min(value), max.max(value)));
    if max > 0.0 { (min, max) } else { (1.0, 10.0) }
}

/// The ratio of successive ticks.
fn log_base(unit: Unit) -> f64 {
    if unit == Unit::Bytes { 16.0 } else { 10.0 }
}

/// The label of a tick.
fn tick_label(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Count if value >= 1e9 => format!("{} G", plain(value / 1e9)),
        Unit::Count if value >= 1e6 => format!("{} M", plain(value / 1e6)),
        Unit::Count if value >= 1e4 => format!("{} k", plain(value / 1e3)),
        unit => Quantity::new(unit, value).text(),
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let Range { start, end } = self.range;
        let share = if self.logarithmic {
            (value.max(f64::MIN_POSITIVE) / start).ln() / (end / start).ln()
        } else {
            (value - start) / (end - start)
        };
        // Values outside the range are drawn at the edge.
        first + (f64::from(last - first) * share.clamp(0.0, 1.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(value, _)| *value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks.iter().find(|(tick, _)| tick == value).map_or_else(String::new, |(_, text)| text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers_with_units() {
        assert_eq!(texts(&Axis::linear("x", Unit::Count, 0.0..31.0)), ["0", "10", "20", "30"]);
        let time = Axis::logarithmic("x", Unit::Seconds, [2e-5, 0.02]);
        assert_eq!(texts(&time), ["100 µs", "1 ms", "10 ms"]);
        let near = Axis::logarithmic("x", Unit::Count, [150.0, 700.0]);
        assert_eq!(texts(&near), ["100", "200", "500", "1,000"]);
        let one = Axis::logarithmic("x", Unit::Seconds, [3.3e-5]);
        assert_eq!(texts(&one), ["10 µs", "20 µs", "50 µs", "100 µs"]);
        assert_eq!(texts(&Axis::logarithmic("x", Unit::Bytes, [1e5])), ["64 KiB", "256 KiB", "1 MiB"]);
        let memory = Axis::logarithmic("x", Unit::Bytes, [1024.0, 64.0 * 1048576.0]);
        assert_eq!(texts(&memory), ["4 KiB", "64 KiB", "1 MiB", "16 MiB"]);
    }

    #[test]
    fn bars_start_at_a_stated_power_below_all_values() {
        for (unit, values, start, stated) in [
            (Unit::Seconds, [2e-5, 0.02], 1e-5, "10 µs"),
            (Unit::Seconds, [1e-5, 0.02], 1e-6, "1 µs"),
            (Unit::Count, [900.0, 1e6], 100.0, "100"),
            (Unit::Bytes, [2000.0, 1e6], 256.0, "256 B"),
            (Unit::Count, [0.0, 0.0], 0.1, "0.1"),
        ] {
            let axis = Axis::for_log_bars("x", unit, values);
            assert!((axis.start() / start - 1.0).abs() < 1e-9, "{} instead of {start}", axis.start());
            assert_eq!(axis.title, format!("x (log scale, bars start at {stated})"));
            assert_eq!(texts(&axis)[0], stated, "the start is labelled");
        }
    }

    #[test]
    fn ticks_are_thinned_to_the_width() {
        let axis = Axis::logarithmic("x", Unit::Seconds, [1e-6, 1.0]);
        assert_eq!(texts(&axis.clone().thinned(9, 600)).len(), texts(&axis).len());
        assert_eq!(texts(&axis.clone().thinned(9, 200)), ["1 µs", "1 ms", "1 s"]);
    }

    #[test]
    fn infinite_values_are_drawn_at_the_edge() {
        let axis = Axis::logarithmic("x", Unit::Seconds, [1.0, 1e308, f64::INFINITY]);
        assert!((2..=12).contains(&axis.ticks.len()), "{:?}", axis.ticks);
        assert_eq!(axis.map(&f64::INFINITY, (0, 600)), 600);
    }

    #[test]
    fn mapping_is_monotonic_and_clamped() {
        let axis = Axis::logarithmic("x", Unit::Count, [1.0, 1e6]);
        let pixels = [0.0, 1.0, 10.0, 1e3, 1e6, 1e12].map(|value| axis.map(&value, (0, 600)));
        assert!(pixels.is_sorted() && pixels[0] == 0 && pixels[5] == 600, "{pixels:?}");
        let rows = Axis::categories(["a", "b"].map(str::to_owned));
        let centre = |row| rows.map(&Axis::row_centre(row), (100, 0));
        assert!(centre(0) < centre(1), "the first row is on top");
    }

    proptest! {
        #[test]
        fn every_axis_has_2_to_12_ticks(a in 1e-9f64..1e12, b in 1e-9f64..1e12) {
            for axis in [
                Axis::logarithmic("x", Unit::Count, [a, b]),
                Axis::logarithmic("x", Unit::Count, [a]),
                Axis::logarithmic("x", Unit::Count, [a, a * 1.7]),
                Axis::logarithmic("x", Unit::Bytes, [a, b]),
                Axis::logarithmic("x", Unit::Bytes, [a]),
                Axis::linear("x", Unit::Factor, a.min(b)..a.max(b) + 1.0),
            ] {
                prop_assert!((2..=12).contains(&axis.ticks.len()), "{:?}", axis.ticks);
                let range = axis.range.start * (1.0 - 1e-6)..=axis.range.end * (1.0 + 1e-6);
                prop_assert!(axis.ticks.iter().all(|(value, _)| range.contains(value)));
            }
        }
    }
}
