//! Figures beside earlier ones: how many times as long, and whether that is more than noise.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::{Band, Figures, Measured, columns};
use crate::analysis::figure::{Figure, Unit};
use crate::exit::Failure;

/// A case beside its earlier self.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Compared {
    pub(crate) name: String,
    /// The earlier median, seconds.
    pub(crate) before: Option<Figure>,
    pub(crate) now: Figure,
    /// Now by before: below 1 is faster.
    pub(crate) ratio: Option<Figure>,
    /// The least and the greatest that the ratio may be, going by the rounds of both.
    pub(crate) band: Option<[Figure; 2]>,
    pub(crate) verdict: &'static str,
}

/// The figures of a file.
pub(crate) fn read(path: &Path, suite: &str) -> Result<Figures, Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::usage(format!("{}: {why}", path.display()));
    let text = fs::read(path).map_err(|error| wrong(&error))?;
    let figures: Figures = serde_json::from_slice(&text)
        .map_err(|error| wrong(&format_args!("no figures of a suite as --save writes them ({error})")))?;
    if figures.suite != suite {
        return Err(wrong(&format_args!("holds the suite {}, not {suite}", figures.suite)));
    }
    Ok(figures)
}

/// Every case beside its earlier self.
pub(crate) fn compare(now: &Figures, before: &Figures) -> Vec<Compared> {
    now.cases
        .iter()
        .map(|case| beside(case, before.cases.iter().find(|other| other.name == case.name)))
        .collect()
}

fn beside(now: &Measured, before: Option<&Measured>) -> Compared {
    let figure = |value| Figure::new(Unit::Factor, value);
    let seconds = |band: Band| Figure::new(Unit::Seconds, band.median);
    let Some(before) = before.filter(|before| before.seconds.least > 0.0) else {
        let now_seconds = seconds(now.seconds);
        return Compared {
            name: now.name.clone(),
            before: None,
            now: now_seconds,
            ratio: None,
            band: None,
            verdict: "new",
        };
    };
    let band = [now.seconds.least / before.seconds.most, now.seconds.most / before.seconds.least];
    // Times of different work or by different clocks are no ratio.
    let alike = before.clock == now.clock && before.positions == now.positions && before.moves == now.moves;
    let verdict = match band {
        _ if !alike => "other work",
        [least, _] if least > 1.0 => "slower",
        [_, most] if most < 1.0 => "faster",
        _ => "noise",
    };
    Compared {
        name: now.name.clone(),
        before: Some(seconds(before.seconds)),
        now: seconds(now.seconds),
        ratio: Some(figure(now.seconds.median / before.seconds.median)),
        band: Some(band.map(figure)),
        verdict,
    }
}

/// The table.
pub(crate) fn table(compared: &[Compared]) -> String {
    let text = |figure: Option<Figure>| figure.map_or_else(|| "–".into(), Figure::text);
    let mut rows = vec![["case", "before", "now", "ratio", "band", "verdict"].map(str::to_owned)];
    rows.extend(compared.iter().map(|case| {
        let band =
            case.band.map_or_else(|| "–".into(), |[least, most]| format!("{}–{}", least.text(), most.text()));
        [
            case.name.clone(),
            text(case.before),
            case.now.text(),
            text(case.ratio),
            band,
            case.verdict.to_owned(),
        ]
    }));
    columns(&rows)
}

#[cfg(test)]
mod tests {
    use super::super::clock::Kind;
    use super::*;

    fn measured(least: f64, median: f64, most: f64) -> Measured {
        Measured {
            name: "case".into(),
            threads: 1,
            positions: 3,
            moves: 60,
            nodes: 1000,
            clock: Kind::Cpu,
            seconds: Band { median, least, most },
        }
    }

    #[test]
    fn only_what_lies_beyond_all_rounds_is_more_than_noise() {
        let before = measured(0.9, 1.0, 1.1);
        let verdict = |now: &Measured| beside(now, Some(&before)).verdict;
        assert_eq!(verdict(&measured(0.9, 1.0, 1.1)), "noise");
        assert_eq!(verdict(&measured(1.0, 1.3, 1.6)), "noise");
        assert_eq!(verdict(&measured(1.2, 1.3, 1.4)), "slower");
        assert_eq!(verdict(&measured(0.4, 0.5, 0.6)), "faster");
        assert_eq!(verdict(&Measured { moves: 61, ..measured(0.4, 0.5, 0.6) }), "other work");
        assert_eq!(beside(&before, None).verdict, "new");
        let compared = beside(&measured(0.4, 0.5, 0.6), Some(&before));
        assert_eq!(compared.ratio.map(Figure::value), Some(0.5));
        assert_eq!(compared.band.map(|band| band.map(Figure::value)), Some([0.3636, 0.6667]));
    }
}
