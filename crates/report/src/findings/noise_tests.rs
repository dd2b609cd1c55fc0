//! Simulated comparisons: the clock of each search is replaced by a model of a noisy machine.

use super::super::analysis::tests::analysis;
use super::super::row::Row;
use super::super::row::tests::solved;
use untumble_search::perm::SplitMix64;

/// The times of a busy machine: log-normal scatter, phases of higher load, rare interruptions, and a first
/// search of a position that fills the caches for the others.
struct NoisyMachine {
    random: SplitMix64,
    load: f64,
}

impl NoisyMachine {
    fn uniform(&mut self) -> f64 {
        (self.random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A normal deviate (Box & Muller 1958).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// The measured time of a search that takes `seconds` on an idle machine.
    fn measure(&mut self, seconds: f64, is_first: bool) -> f64 {
        self.load = 0.95 * self.load + 0.1 * self.normal();
        let interruption = if self.uniform() < 0.03 { 1.0 + 9.0 * self.uniform() } else { 1.0 };
        let cold = if is_first { 1.3 } else { 1.0 };
        let time = seconds * cold * interruption * (self.load + 0.15 * self.normal()).exp();
        // The clock has a resolution of 100 ns.
        (time * 1e7).round() / 1e7
    }

    /// An experiment with solvers that take `factors` times as long, in the order of the schedule.
    fn rows(&mut self, names: &[&str], factors: &[f64], positions: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for position in 1..=positions {
            let nodes = 10f64.powf(2.0 + 3.0 * self.uniform());
            let (first, reverse) = ((position - 1) / 2, position % 2 == 0);
            for turn in 0..names.len() {
                let place = if reverse { names.len() - 1 - turn } else { turn };
                let solver = (first + place) % names.len();
                let [wall, cpu] = [0, 1].map(|_| self.measure(1e-7 * nodes * factors[solver], turn == 0));
                rows.push(Row {
                    cpu_seconds: Some(cpu),
                    ..solved(position, names[solver], 20 + position as u32 % 9, nodes as u64, wall)
                });
            }
        }
        rows
    }
}

const NAMES: [&str; 4] = ["alpha", "beta", "gamma", "delta"];

/// Experiments with a winner among 1,000.
fn winners(factors: &[f64], positions: impl Fn(usize) -> usize) -> usize {
    let mut machine = NoisyMachine { random: SplitMix64(19), load: 0.0 };
    let names = &NAMES[..factors.len()];
    let claims = |run: usize| {
        let findings = analysis(names, &machine.rows(names, factors, positions(run))).findings;
        findings.general.iter().any(|sentence| sentence.contains("fastest in CPU time"))
    };
    (0..1000).map(claims).filter(|claimed| *claimed).count()
}

/// The nominal rate of false claims is 1 %; the margin of 5 % and the totals reduce it further.
#[test]
fn identical_solvers_have_no_winner_in_1000_simulated_comparisons() {
    let sizes = [5, 8, 9, 10, 13, 20, 50, 100];
    let two = winners(&[1.0, 1.0], |run| sizes[run % sizes.len()]);
    let four = winners(&[1.0; 4], |run| sizes[run % sizes.len()]);
    assert!(two <= 5 && four <= 5, "false claims in 1,000 comparisons: {two} of two solvers, {four} of four");
}

/// No sentence at all beyond the quality of the solutions: nodes, growth and memory are equal.
#[test]
fn identical_solvers_differ_in_no_sentence() {
    let mut machine = NoisyMachine { random: SplitMix64(7), load: 0.0 };
    let findings = analysis(&NAMES[..2], &machine.rows(&NAMES[..2], &[1.0, 1.0], 60)).findings;
    assert_eq!(findings.general, ["Every solution of every solver is optimal."]);
}

/// The test still finds real differences: 1.5 times on 50 positions, 2 times on 20.
#[test]
fn real_differences_are_found() {
    let half = winners(&[1.0, 1.5], |_| 50);
    let double = winners(&[1.0, 2.0], |_| 20);
    assert!(half >= 900 && double >= 900, "found {half} and {double} of 1,000");
    assert_eq!(winners(&[1.0, 9.0], |_| 7), 0, "seven positions are too few");
}

/// The work of a GPU takes no CPU time, so a solver on a GPU is compared by wall time.
#[test]
fn a_solver_on_a_gpu_is_compared_by_wall_time() {
    let rows = |device: Option<&str>| -> Vec<Row> {
        let on_device = |position| Row {
            cpu_seconds: Some(0.001),
            device: device.map(str::to_owned),
            ..solved(position, "alpha", 9, 100, 0.5)
        };
        (1..=20).flat_map(|position| [on_device(position), solved(position, "beta", 9, 100, 0.1)]).collect()
    };
    for (device, fastest) in
        [(None, "alpha is fastest in CPU time"), (Some("card"), "beta is fastest in wall time")]
    {
        let text = analysis(&["alpha", "beta"], &rows(device)).findings.general.join("\n");
        assert!(text.contains(fastest), "`{fastest}` is missing in:\n{text}");
    }
}
