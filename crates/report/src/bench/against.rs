//! Figures beside earlier ones: how many times as long, and whether that is more than noise.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::{Band, Figures, Measured};
use crate::error::Error;
use crate::figure::{Figure, Unit};
use untumble_session::figures;
use untumble_session::layout::{Side, columns};

/// A case beside its earlier self.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Compared {
    /// The name, unique in its list.
    pub name: String,
    /// The earlier median, seconds.
    pub before: Option<Figure>,
    /// The median of this run, in seconds.
    pub now: Option<Figure>,
    /// Now by before: below 1 is faster.
    pub ratio: Option<Figure>,
    /// The least and the greatest that the ratio may be, going by the rounds of both.
    pub band: Option<[Figure; 2]>,
    /// `faster`, `slower`, `noise`, or why there is none.
    pub verdict: &'static str,
}

/// The span of fewer rounds is no band.
const LEAST_ROUNDS: usize = 3;
/// Two runs of one program differ by this much on a machine that does other things too, however many rounds.
const FLOOR: f64 = 1.05;

/// The figures of a file.
pub fn read(path: &Path, suite: &str) -> Result<Figures, Error> {
    let path = path.to_owned();
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) => return Err(Error::UnreadableFigures { path, error }),
    };
    let figures: Figures = match serde_json::from_slice(&text) {
        Ok(figures) => figures,
        Err(error) => return Err(Error::NoFigures { path, error }),
    };
    if figures.suite != suite {
        return Err(Error::OtherSuite { path, found: figures.suite, expected: suite.to_owned() });
    }
    match figures.cases.iter().find(|case| !case.seconds.plausible()) {
        Some(case) => Err(Error::ImplausibleFigures { path, case: case.name.clone() }),
        None => Ok(figures),
    }
}

/// Every case beside its earlier self, then those that are no more.
pub fn compare(now: &Figures, before: &Figures) -> Vec<Compared> {
    let enough_rounds = now.rounds.min(before.rounds) >= LEAST_ROUNDS;
    let find = |figures: &Figures, name: &str| figures.cases.iter().find(|case| case.name == name).cloned();
    let present = now.cases.iter().map(|case| match find(before, &case.name) {
        Some(before) => beside(case, &before, enough_rounds),
        None => alone(&case.name, None, Some(case.seconds), "new"),
    });
    let gone = before.cases.iter().filter(|case| find(now, &case.name).is_none());
    present.chain(gone.map(|case| alone(&case.name, Some(case.seconds), None, "gone"))).collect()
}

/// In what else the runs differ, which may be all there is to a ratio.
pub fn remarks(now: &Figures, before: &Figures) -> Vec<String> {
    let mut remarks = Vec::new();
    if now.machine != before.machine {
        remarks.push(format!("The saved run is from another machine: {}.", before.machine.text()));
    }
    if now.untumble != before.untumble {
        remarks
            .push(format!("The saved run is by untumble {}, this one by {}.", before.untumble, now.untumble));
    }
    let rounds = now.rounds.min(before.rounds);
    if rounds < LEAST_ROUNDS {
        let rounds = figures::counted(rounds as u64, "round");
        remarks.push(format!(
            "Of {rounds} nothing is called faster or slower; that takes {LEAST_ROUNDS} in both runs."
        ));
    }
    remarks
}

fn median(band: Band) -> Figure {
    Figure::new(Unit::Seconds, band.median)
}

fn alone(name: &str, before: Option<Band>, now: Option<Band>, verdict: &'static str) -> Compared {
    let (before, now) = (before.map(median), now.map(median));
    Compared { name: name.to_owned(), before, now, ratio: None, band: None, verdict }
}

fn beside(now: &Measured, before: &Measured, enough_rounds: bool) -> Compared {
    let figure = |value| Figure::new(Unit::Factor, value);
    let band = [now.seconds.least / before.seconds.most, now.seconds.most / before.seconds.least];
    // Times of different work or by different clocks are no ratio.
    let work = |case: &Measured| (case.clock, case.threads, case.positions, case.moves);
    let verdict = match band {
        _ if work(now) != work(before) => "other work",
        _ if !enough_rounds => "few rounds",
        [least, _] if least > FLOOR => "slower",
        [_, most] if most < 1.0 / FLOOR => "faster",
        _ => "noise",
    };
    Compared {
        name: now.name.clone(),
        before: Some(median(before.seconds)),
        now: Some(median(now.seconds)),
        ratio: Some(figure(now.seconds.median / before.seconds.median)),
        band: Some(band.map(figure)),
        verdict,
    }
}

/// The table.
pub fn table(compared: &[Compared]) -> String {
    let text = |figure: Option<Figure>| figure.map_or_else(|| "–".into(), Figure::text);
    let mut rows = vec![["case", "before", "now", "ratio", "band", "verdict"].map(str::to_owned)];
    rows.extend(compared.iter().map(|case| {
        let band =
            case.band.map_or_else(|| "–".into(), |[least, most]| format!("{}–{}", least.text(), most.text()));
        let [before, now, ratio] = [case.before, case.now, case.ratio].map(text);
        [case.name.clone(), before, now, ratio, band, case.verdict.to_owned()]
    }));
    columns(&rows, Side::Right)
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

    fn figures(rounds: usize, cases: Vec<Measured>) -> Figures {
        let machine = untumble_session::machine::Machine::here();
        Figures { suite: "s".into(), untumble: "1".into(), rounds, machine, device: None, cases }
    }

    #[test]
    fn only_what_lies_beyond_all_rounds_is_more_than_noise() {
        let before = measured(0.9, 1.0, 1.1);
        let verdict = |now: &Measured| beside(now, &before, true).verdict;
        assert_eq!(verdict(&measured(0.9, 1.0, 1.1)), "noise");
        assert_eq!(verdict(&measured(1.0, 1.3, 1.6)), "noise");
        assert_eq!(verdict(&measured(1.2, 1.3, 1.4)), "slower");
        assert_eq!(verdict(&measured(0.4, 0.5, 0.6)), "faster");
        for other in [
            Measured { moves: 61, ..measured(0.4, 0.5, 0.6) },
            Measured { threads: 2, ..measured(0.4, 0.5, 0.6) },
        ] {
            assert_eq!(verdict(&other), "other work");
        }
        let compared = beside(&measured(0.4, 0.5, 0.6), &before, true);
        assert_eq!(compared.ratio.map(Figure::value), Some(0.5));
        assert_eq!(compared.band.map(|band| band.map(Figure::value)), Some([0.3636, 0.6667]));
    }

    #[test]
    fn a_little_is_noise_however_narrow_the_bands() {
        let before = measured(1.0, 1.0, 1.0);
        assert_eq!(beside(&measured(1.045, 1.045, 1.045), &before, true).verdict, "noise");
        assert_eq!(beside(&measured(0.96, 0.96, 0.96), &before, true).verdict, "noise");
        assert_eq!(beside(&measured(1.06, 1.06, 1.06), &before, true).verdict, "slower");
    }

    #[test]
    fn few_rounds_are_no_verdict_and_no_case_is_lost() {
        let case = |name: &str| Measured { name: name.into(), ..measured(1.0, 1.0, 1.0) };
        let slow = |name: &str| Measured { name: name.into(), ..measured(2.0, 2.0, 2.0) };
        let before = figures(5, vec![case("both"), case("old")]);
        let verdicts = |now: &Figures| -> Vec<(String, &str)> {
            compare(now, &before).into_iter().map(|case| (case.name, case.verdict)).collect()
        };
        let names = |both| vec![("both".into(), both), ("young".into(), "new"), ("old".into(), "gone")];
        assert_eq!(verdicts(&figures(3, vec![slow("both"), case("young")])), names("slower"));
        let few = figures(2, vec![slow("both"), case("young")]);
        assert_eq!(verdicts(&few), names("few rounds"));
        assert_eq!(
            remarks(&few, &before),
            ["Of 2 rounds nothing is called faster or slower; that takes 3 in both runs."]
        );
        assert!(table(&compare(&few, &before)).contains("gone"));
    }

    #[test]
    fn another_machine_or_version_is_remarked() {
        let now = figures(5, Vec::new());
        let mut before = Figures { untumble: "0.9".into(), ..now.clone() };
        before.machine.processor = "An abacus".into();
        let remarks = remarks(&now, &before).join("\n");
        assert!(
            remarks.contains("another machine: An abacus")
                && remarks.contains("by untumble 0.9, this one by 1")
        );
    }

    #[test]
    fn seconds_that_nothing_takes_are_refused() {
        for (least, median, most) in [
            (0.0, 1.0, 2.0),
            (-1.0, 1.0, 2.0),
            (1e-300, 1.0, 2.0),
            (2.0, 1.0, 3.0),
            (1.0, 2.0, 1e300),
            (1.0, f64::NAN, 2.0),
        ] {
            assert!(!Band { median, least, most }.plausible(), "{least}, {median}, {most}");
        }
        assert!(Band { median: 1.0, least: 1.0, most: 1.0 }.plausible());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("saved.json");
        let text = serde_json::to_string(&figures(5, vec![measured(-1.0, 1.0, 2.0)])).expect("JSON");
        fs::write(&path, text).expect("written");
        let told = read(&path, "s").expect_err("a time below 0").to_string();
        assert!(told.contains("no round takes the seconds of `case`"), "{told}");
    }
}
