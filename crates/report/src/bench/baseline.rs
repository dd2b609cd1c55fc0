//! Comparison of suite results with a saved baseline.
//!
//! A suite is a list of cases, each measured in several rounds. A case counts as faster or slower only if
//! the times of all rounds of one run are apart from those of the other by more than a fixed margin;
//! otherwise the difference is noise.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use serde::Serialize;

use super::{CaseResult, RoundTimes, SuiteResults};
use crate::error::Error;
use crate::quantity::{Quantity, Unit};
use untumble_session::number_format;
use untumble_session::text_table::{Alignment, align_columns};

/// A case compared with the same case of the baseline.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct CaseComparison {
    /// The name, unique in the suite.
    pub name: String,
    /// Median seconds of the baseline; `None` for a new case.
    pub before: Option<Quantity>,
    /// Median seconds of this run; `None` for a removed case.
    pub now: Option<Quantity>,
    /// `now` divided by `before`; below 1 is faster.
    pub ratio: Option<Quantity>,
    /// The smallest and the largest ratio of any two rounds.
    pub band: Option<[Quantity; 2]>,
    /// `faster`, `slower` or `noise`; or why there is no verdict: `new`, `gone`, `other work`, `few rounds`.
    pub verdict: &'static str,
}

/// The smallest number of rounds whose range supports a verdict.
const MIN_ROUNDS: usize = 3;
/// Runs of the same program differ by up to this ratio on a machine with other load.
const NOISE_RATIO: f64 = 1.05;

/// The largest baseline, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Reads a file; a device, which may have no end, and a file that is too large are refused.
fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(io::Error::other("too large for a baseline"));
    }
    let mut text = Vec::new();
    File::open(path)?.take(MAX_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// Reads a baseline of this suite.
pub fn read(path: &Path, suite: &str) -> Result<SuiteResults, Error> {
    let path = path.to_owned();
    let text = match read_regular(&path) {
        Ok(text) => text,
        Err(error) => return Err(Error::UnreadableBaseline { path, error }),
    };
    let baseline: SuiteResults = match serde_json::from_slice(&text) {
        Ok(baseline) => baseline,
        Err(error) => return Err(Error::InvalidBaseline { path, error }),
    };
    if baseline.suite != suite {
        return Err(Error::OtherSuite { path, found: baseline.suite, expected: suite.to_owned() });
    }
    match baseline.cases.iter().find(|case| !case.seconds.plausible()) {
        Some(case) => Err(Error::ImplausibleBaseline { path, case: case.name.clone() }),
        None => Ok(baseline),
    }
}

/// Compares every case with the baseline; cases that only the baseline has come last.
pub fn compare(now: &SuiteResults, before: &SuiteResults) -> Vec<CaseComparison> {
    let enough_rounds = now.rounds.min(before.rounds) >= MIN_ROUNDS;
    let find =
        |results: &SuiteResults, name: &str| results.cases.iter().find(|case| case.name == name).cloned();
    let present = now.cases.iter().map(|case| match find(before, &case.name) {
        Some(before) => compare_case(case, &before, enough_rounds),
        None => unmatched(&case.name, None, Some(case.seconds), "new"),
    });
    let gone = before.cases.iter().filter(|case| find(now, &case.name).is_none());
    present.chain(gone.map(|case| unmatched(&case.name, Some(case.seconds), None, "gone"))).collect()
}

/// Differences between the runs that may explain the ratios, as sentences.
pub fn remarks(now: &SuiteResults, before: &SuiteResults) -> Vec<String> {
    let mut remarks = Vec::new();
    if now.machine != before.machine {
        remarks.push(format!("The baseline is from another machine: {}.", before.machine.description()));
    }
    if now.untumble != before.untumble {
        remarks.push(format!("The baseline is from untumble {}, not {}.", before.untumble, now.untumble));
    }
    let rounds = now.rounds.min(before.rounds);
    if rounds < MIN_ROUNDS {
        let rounds = number_format::pluralize(rounds as u64, "round");
        remarks.push(format!("No verdict from {rounds}: both runs need at least {MIN_ROUNDS}."));
    }
    remarks
}

fn median(times: RoundTimes) -> Quantity {
    Quantity::new(Unit::Seconds, times.median)
}

/// A case that only one of the runs has.
fn unmatched(
    name: &str,
    before: Option<RoundTimes>,
    now: Option<RoundTimes>,
    verdict: &'static str,
) -> CaseComparison {
    let (before, now) = (before.map(median), now.map(median));
    CaseComparison { name: name.to_owned(), before, now, ratio: None, band: None, verdict }
}

fn compare_case(now: &CaseResult, before: &CaseResult, enough_rounds: bool) -> CaseComparison {
    let factor = |value| Quantity::new(Unit::Factor, value);
    let band = [now.seconds.min / before.seconds.max, now.seconds.max / before.seconds.min];
    // Times of different work or of different clocks are not comparable.
    let work = |case: &CaseResult| (case.clock, case.threads, case.positions, case.moves);
    let verdict = match band {
        _ if work(now) != work(before) => "other work",
        _ if !enough_rounds => "few rounds",
        [min, _] if min > NOISE_RATIO => "slower",
        [_, max] if max < 1.0 / NOISE_RATIO => "faster",
        _ => "noise",
    };
    CaseComparison {
        name: now.name.clone(),
        before: Some(median(before.seconds)),
        now: Some(median(now.seconds)),
        ratio: Some(factor(now.seconds.median / before.seconds.median)),
        band: Some(band.map(factor)),
        verdict,
    }
}

/// The comparison as a table for the terminal.
pub fn table(compared: &[CaseComparison]) -> String {
    let text = |quantity: Option<Quantity>| quantity.map_or_else(|| "–".into(), Quantity::text);
    let mut rows = vec![["case", "before", "now", "ratio", "band", "verdict"].map(str::to_owned)];
    rows.extend(compared.iter().map(|case| {
        let band =
            case.band.map_or_else(|| "–".into(), |[min, max]| format!("{}–{}", min.text(), max.text()));
        let [before, now, ratio] = [case.before, case.now, case.ratio].map(text);
        [case.name.clone(), before, now, ratio, band, case.verdict.to_owned()]
    }));
    align_columns(&rows, Alignment::Right)
}

#[cfg(test)]
mod tests {
    use super::super::Clock;
    use super::*;

    fn measured(min: f64, median: f64, max: f64) -> CaseResult {
        CaseResult {
            name: "case".into(),
            threads: 1,
            positions: 3,
            moves: 60,
            nodes: 1000,
            clock: Clock::Cpu,
            seconds: RoundTimes { median, min, max },
            published: Vec::new(),
        }
    }

    fn results(rounds: usize, cases: Vec<CaseResult>) -> SuiteResults {
        let machine = untumble_session::machine::Machine::detect();
        SuiteResults { suite: "s".into(), untumble: "1".into(), rounds, machine, device: None, cases }
    }

    #[test]
    fn devices_and_large_files_are_refused() {
        let large = tempfile::NamedTempFile::new().expect("a file");
        large.as_file().set_len(MAX_BYTES + 1).expect("a sparse file");
        let message = |path: &Path| read(path, "s").expect_err("refused").to_string();
        assert!(message(large.path()).ends_with("too large for a baseline"), "{}", message(large.path()));
        // Reading `/dev/null` would succeed, and reading `/dev/zero` would not end.
        #[cfg(unix)]
        assert!(message(Path::new("/dev/null")).ends_with("not a regular file"));
    }

    #[test]
    fn overlapping_ranges_are_noise() {
        let before = measured(0.9, 1.0, 1.1);
        let verdict = |now: &CaseResult| compare_case(now, &before, true).verdict;
        assert_eq!(verdict(&measured(0.9, 1.0, 1.1)), "noise");
        assert_eq!(verdict(&measured(1.0, 1.3, 1.6)), "noise");
        assert_eq!(verdict(&measured(1.2, 1.3, 1.4)), "slower");
        assert_eq!(verdict(&measured(0.4, 0.5, 0.6)), "faster");
        for other in [
            CaseResult { moves: 61, ..measured(0.4, 0.5, 0.6) },
            CaseResult { threads: 2, ..measured(0.4, 0.5, 0.6) },
        ] {
            assert_eq!(verdict(&other), "other work");
        }
        let compared = compare_case(&measured(0.4, 0.5, 0.6), &before, true);
        assert_eq!(compared.ratio.map(Quantity::value), Some(0.5));
        assert_eq!(compared.band.map(|band| band.map(Quantity::value)), Some([0.3636, 0.6667]));
    }

    #[test]
    fn small_differences_are_noise_even_for_narrow_ranges() {
        let before = measured(1.0, 1.0, 1.0);
        assert_eq!(compare_case(&measured(1.045, 1.045, 1.045), &before, true).verdict, "noise");
        assert_eq!(compare_case(&measured(0.96, 0.96, 0.96), &before, true).verdict, "noise");
        assert_eq!(compare_case(&measured(1.06, 1.06, 1.06), &before, true).verdict, "slower");
    }

    #[test]
    fn few_rounds_give_no_verdict_and_every_case_is_listed() {
        let case = |name: &str| CaseResult { name: name.into(), ..measured(1.0, 1.0, 1.0) };
        let slow = |name: &str| CaseResult { name: name.into(), ..measured(2.0, 2.0, 2.0) };
        let before = results(5, vec![case("both"), case("old")]);
        let verdicts = |now: &SuiteResults| -> Vec<(String, &str)> {
            compare(now, &before).into_iter().map(|case| (case.name, case.verdict)).collect()
        };
        let names = |both| vec![("both".into(), both), ("young".into(), "new"), ("old".into(), "gone")];
        assert_eq!(verdicts(&results(3, vec![slow("both"), case("young")])), names("slower"));
        let few = results(2, vec![slow("both"), case("young")]);
        assert_eq!(verdicts(&few), names("few rounds"));
        assert_eq!(remarks(&few, &before), ["No verdict from 2 rounds: both runs need at least 3."]);
        assert!(table(&compare(&few, &before)).contains("gone"));
    }

    #[test]
    fn remarks_name_another_machine_or_version() {
        let now = results(5, Vec::new());
        let mut before = SuiteResults { untumble: "0.9".into(), ..now.clone() };
        before.machine.processor = "An abacus".into();
        let remarks = remarks(&now, &before).join("\n");
        assert!(
            remarks.contains("another machine: An abacus") && remarks.contains("from untumble 0.9, not 1")
        );
    }

    #[test]
    fn implausible_times_are_rejected() {
        for (min, median, max) in [
            (0.0, 1.0, 2.0),
            (-1.0, 1.0, 2.0),
            (1e-300, 1.0, 2.0),
            (2.0, 1.0, 3.0),
            (1.0, 2.0, 1e300),
            (1.0, f64::NAN, 2.0),
        ] {
            assert!(!RoundTimes { median, min, max }.plausible(), "{min}, {median}, {max}");
        }
        assert!(RoundTimes { median: 1.0, min: 1.0, max: 1.0 }.plausible());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("saved.json");
        let text = serde_json::to_string(&results(5, vec![measured(-1.0, 1.0, 2.0)])).expect("JSON");
        fs::write(&path, text).expect("written");
        let message = read(&path, "s").expect_err("a time below 0").to_string();
        assert!(message.contains("the times of `case` are impossible"), "{message}");
    }
}
