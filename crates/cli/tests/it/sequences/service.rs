//! Jobs of the service: whatever is submitted, cancelled or killed, no job that ends has a wrong answer, and
//! no job is lost while its service runs.

use std::collections::HashMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Counts, SEQUENCES, check_sequences};
use crate::common::{HARDEST_8, KORF_FELNER_1, UNSOLVABLE_8};
use crate::service::client::Service;

static COUNTS: Counts = Counts::of("service");

/// The positions of the 8-puzzle with their distances; the second is unsolvable.
const POSITIONS: [(&str, Option<u64>); 4] = [
    (HARDEST_8, Some(31)),
    (UNSOLVABLE_8, None),
    ("1 2 3 4 5 6 7 0 8", Some(1)),
    ("6 4 7 8 5 0 3 2 1", Some(31)),
];
const SOLVERS: [&str; 3] = ["auto", "ida+manhattan", "astar+manhattan"];

#[derive(Clone, Debug)]
enum Operation {
    /// Submits positions, given by their indices.
    Submit { positions: Vec<usize>, solver: usize },
    /// Submits a search that only a cancellation ends.
    SubmitEndless,
    /// Cancels a job, given modulo their number.
    Cancel(usize),
    /// Reads the events of a job to the end; an endless one is cancelled before.
    Listen(usize),
    /// Opens the event stream of a job and closes it at once.
    Leave(usize),
    /// Kills the service and starts another.
    Kill,
}

fn operation() -> impl Strategy<Value = Operation> {
    let positions = proptest::collection::vec(0..POSITIONS.len(), 1..6);
    prop_oneof![
        4 => (positions, 0..SOLVERS.len())
            .prop_map(|(positions, solver)| Operation::Submit { positions, solver }),
        1 => Just(Operation::SubmitEndless),
        1 => (0..8usize).prop_map(Operation::Cancel),
        2 => (0..8usize).prop_map(Operation::Listen),
        1 => (0..8usize).prop_map(Operation::Leave),
        2 => Just(Operation::Kill),
    ]
}

/// A job as it should be.
#[derive(Clone, Debug)]
struct Job {
    /// The indices of the positions; none for an endless job.
    positions: Vec<usize>,
    /// Whether a client cancelled it or left its event stream, which may cancel it.
    cancelled: bool,
}

struct System {
    service: Service,
    /// The jobs of this service by address, in order.
    jobs: Vec<(String, Job)>,
    /// The addresses of jobs of killed services.
    gone: Vec<String>,
}

impl System {
    fn new() -> System {
        System { service: start(), jobs: Vec::new(), gone: Vec::new() }
    }

    fn index(&self, job: usize) -> Option<usize> {
        job.checked_rem(self.jobs.len())
    }

    fn submit(&mut self, job: &Value, positions: &[usize]) {
        let address = self.service.begin(job);
        assert!(self.jobs.iter().all(|(known, _)| *known != address), "addresses are not used twice");
        assert!(!self.gone.contains(&address), "the address of a killed service is not used again");
        self.jobs.push((address, Job { positions: positions.to_vec(), cancelled: false }));
    }

    fn cancel(&mut self, index: usize) {
        let (address, job) = &mut self.jobs[index];
        job.cancelled = true;
        assert_eq!(self.service.delete(address).status, 204);
    }

    fn listen(&mut self, index: usize) {
        if self.jobs[index].1.positions.is_empty() {
            self.cancel(index);
        }
        let (address, job) = &self.jobs[index];
        let events = self.service.events(address, None, |_| false);
        assert!(events.is_sorted_by(|a, b| a.id < b.id), "event ids increase");
        assert_eq!(events.last().map(|event| event.name.as_str()), Some("done"), "{events:?}");
        for event in events.iter().filter(|event| event.name == "answer") {
            assert_answer(&event.data, job);
        }
    }

    /// Checks a job after its end.
    fn assert_end(&self, address: &str, job: &Job) {
        let found = self.service.wait_for_end(address);
        let answers = found["answers"].as_array().expect("answers");
        answers.iter().for_each(|answer| assert_answer(answer, job));
        let mut seen = HashMap::new();
        answers.iter().for_each(|answer| *seen.entry(answer["position"].to_string()).or_insert(0) += 1);
        assert!(seen.values().all(|&count| count == 1), "one answer per position: {found}");
        if job.cancelled {
            assert!(["cancelled", "done"].contains(&found["state"].as_str().expect("a state")), "{found}");
        } else {
            assert_eq!((&found["state"], answers.len()), (&json!("done"), job.positions.len()), "{found}");
        }
    }

    fn kill(&mut self) {
        assert!(COUNTS.add_kill(self.service.signal("KILL")), "a running service is killed");
        self.service = start();
        self.gone.extend(self.jobs.drain(..).map(|(address, _)| address));
        for address in &self.gone {
            assert_eq!(self.service.get(address).status, 404, "a new service does not know old jobs");
        }
    }

    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Submit { positions, solver } => {
                let texts: Vec<&str> = positions.iter().map(|&index| POSITIONS[index].0).collect();
                let job = json!({"puzzle": "8-puzzle", "positions": texts, "solver": SOLVERS[*solver]});
                self.submit(&job, positions);
            }
            Operation::SubmitEndless => {
                let job = json!({"puzzle": "24-puzzle", "position": KORF_FELNER_1, "goal": "blank-first",
                    "solver": "ida+manhattan"});
                self.submit(&job, &[]);
            }
            Operation::Cancel(job) => {
                if let Some(index) = self.index(*job) {
                    self.cancel(index);
                }
            }
            Operation::Listen(job) => {
                if let Some(index) = self.index(*job) {
                    self.listen(index);
                }
            }
            Operation::Leave(job) => {
                if let Some(index) = self.index(*job) {
                    let (address, job) = &mut self.jobs[index];
                    job.cancelled = true;
                    drop(self.service.listen(address));
                }
            }
            Operation::Kill => self.kill(),
        }
    }
}

fn start() -> Service {
    Service::start(&["--quiet"])
}

/// Fails unless an answer is right, or that of a search which was stopped.
fn assert_answer(answer: &Value, job: &Job) {
    let index = answer["position"].as_u64().expect("an index") as usize;
    let Some(&position) = job.positions.get(index) else {
        assert!(job.positions.is_empty() && answer["outcome"] == "stopped", "{answer}");
        return assert!(answer["lower_bound"].as_u64() <= Some(95), "{answer}");
    };
    let (start, distance) = POSITIONS[position];
    assert_eq!(answer["start"], start, "{answer}");
    match (answer["outcome"].as_str(), distance) {
        (Some("solved"), Some(distance)) => {
            let expected = (json!(distance), json!(distance), json!(true));
            let found = (&answer["length"], &answer["lower_bound"], &answer["optimal"]);
            assert_eq!(found, (&expected.0, &expected.1, &expected.2), "{answer}");
            assert!(solves(start, answer["moves"].as_str().expect("moves")), "{answer}");
        }
        (Some("unsolvable"), None) => assert!(answer["moves"].is_null(), "{answer}"),
        (Some("stopped"), Some(distance)) => {
            assert!(job.cancelled && answer["lower_bound"].as_u64() <= Some(distance), "{answer}");
        }
        _ => panic!("a wrong outcome: {answer}"),
    }
}

/// Whether the moves of a text solve a board of the 8-puzzle. A letter is the direction in which a tile
/// moves, or in which the gap moves; one of the two must hold for all moves.
fn solves(start: &str, moves: &str) -> bool {
    let solved = "1 2 3 4 5 6 7 8 0".split(' ').map(str::to_owned).collect::<Vec<_>>();
    [1, -1].into_iter().any(|sign: isize| {
        let mut board: Vec<String> = start.split(' ').map(str::to_owned).collect();
        for letter in moves.split_whitespace() {
            let gap = board.iter().position(|tile| tile == "0").expect("a gap") as isize;
            let (row, column) = match letter {
                "U" => (-sign, 0),
                "D" => (sign, 0),
                "L" => (0, -sign),
                "R" => (0, sign),
                _ => return false,
            };
            let (row, column) = (gap / 3 + row, gap % 3 + column);
            if !(0..3).contains(&row) || !(0..3).contains(&column) {
                return false;
            }
            board.swap(gap as usize, (row * 3 + column) as usize);
        }
        board == solved
    })
}

#[test]
fn jobs_follow_the_model() {
    check_sequences(&COUNTS, SEQUENCES, operation(), 1..10, |operations| {
        let mut system = System::new();
        operations.iter().for_each(|operation| system.apply(operation));
        for index in 0..system.jobs.len() {
            if system.jobs[index].1.positions.is_empty() {
                system.cancel(index);
            }
        }
        for (address, job) in &system.jobs {
            system.assert_end(address, job);
        }
    });
}
