//! What is saved comes back as it was or not at all, and a proof in pieces is the proof in one go.

use std::fs;

use proptest::prelude::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::file::{Flaw, ProofFile, decode, encode};
use super::*;
use crate::control::{Limits, Observer, Silent};
use crate::frontend::PuzzleFrontend;
use crate::identity::{PuzzleId, RunId};
use crate::laws;
use crate::moves::MoveSet256;
use crate::report::{Outcome, Report};
use crate::runtime::Runtime;
use crate::solve::Solver;
use crate::test_puzzle::{TestPuzzle, Turned};

fn path() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec((0..254u8).prop_map(Move), 0..40)
}

fn subtree() -> impl Strategy<Value = Subtree> {
    let untried = prop::collection::vec((0..254u8).prop_map(Move), 0..5).prop_map(MoveSet256::from_iter);
    (any::<u8>(), path(), untried).prop_map(|(root, path, untried)| Subtree { root, path, untried })
}

fn pass() -> impl Strategy<Value = PassResult> {
    let paths = prop::collection::vec(path(), 0..3);
    let trees = prop::collection::vec(subtree(), 0..30);
    (any::<(Cost, u64, u64)>(), paths, trees).prop_map(|((next, nodes, expanded), found, rest)| PassResult {
        next,
        nodes,
        expanded,
        found,
        rest,
    })
}

fn proof() -> impl Strategy<Value = Proof> {
    let iteration = any::<(Cost, u64)>().prop_map(|(bound, generated)| Iteration { bound, generated });
    (prop::collection::vec(iteration, 0..20), any::<(u64, Cost)>(), pass())
        .prop_map(|(iterations, (expanded, bound), pass)| Proof { iterations, expanded, bound, pass })
}

fn search_id() -> SearchId {
    let run = RunId { puzzle: PuzzleId::of("test", None), solver: "ida+half".into(), ..RunId::default() };
    SearchId { run, start: "abcde".into() }
}

fn saved() -> impl Strategy<Value = Saved> {
    let search = (any::<[String; 2]>(), "[a-z0-9:=+]{1,20}", any::<(bool, Option<u64>)>()).prop_map(
        |([goal, start], solver, (all_solutions, nodes))| {
            let puzzle = PuzzleId { goal: Some(goal), ..PuzzleId::of("puzzle", None) };
            let run = RunId { puzzle, solver, all_solutions, nodes, ..RunId::default() };
            SearchId { run, start }
        },
    );
    let earlier = any::<[u64; 4]>().prop_map(|[generated, expanded, visited, peak_open]| Counts {
        generated,
        expanded,
        visited,
        peak_open,
    });
    let time = (0..u64::MAX, 0..1_000_000_000u32).prop_map(|(seconds, nanos)| Duration::new(seconds, nanos));
    (search, time, earlier, any::<Cost>(), prop::option::of(path()), proof()).prop_map(
        |(search, time, earlier, proven, best, proof)| Saved { search, time, earlier, proven, best, proof },
    )
}

proptest! {
    #[test]
    fn what_is_saved_reads_the_same(saved in saved()) {
        prop_assert_eq!(decode(&encode(&saved)), Ok(saved));
    }

    #[test]
    fn any_bytes_are_refused_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(decode(&bytes).is_err());
    }

    /// Whoever forges the checksum gets something or nothing, but no panic and no memory without end.
    #[test]
    fn forged_contents_do_no_harm(saved in saved(), at in any::<prop::sample::Index>(), with in any::<u8>()) {
        let mut bytes = encode(&saved);
        let place = 28 + at.index(bytes.len() - 28);
        bytes[place] = with;
        let checksum = crc32fast::hash(&bytes[28..]);
        bytes[24..28].copy_from_slice(&checksum.to_le_bytes());
        let _ = decode(&bytes);
    }
}

/// A proof of an awkward position that was stopped half-way.
fn example() -> Saved {
    let (puzzle, position) = task(7);
    let memory = Arc::new(Memory::default());
    run(&puzzle, &position, "ida+zero", &control(1, false, Some(3000)), &memory, Duration::MAX);
    memory.take().expect("it was stopped, so it was saved")
}

#[test]
fn every_flip_and_every_cut_is_noticed() {
    let bytes = encode(&example());
    assert!(decode(&bytes).is_ok() && bytes.len() > 100, "{} bytes", bytes.len());
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        let (place, bit) = (rng.random_range(0..bytes.len()), rng.random_range(0..8));
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << bit;
        assert!(decode(&flipped).is_err(), "bit {bit} of byte {place}");
        let mut noisy = bytes.clone();
        let end = (place + 4).min(bytes.len());
        rng.fill_bytes(&mut noisy[place..end]);
        assert!(noisy == bytes || decode(&noisy).is_err(), "bytes {place}..{end}");
    }
    for length in 0..bytes.len() {
        assert!(decode(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    assert_eq!(decode(&[&bytes[..], b"\0"].concat()), Err(Flaw::Damaged));
    let mut newer = bytes.clone();
    newer[14] = 9;
    assert_eq!(decode(&newer), Err(Flaw::Format(9)));
    let mut older = bytes.clone();
    older[14] = 1;
    assert_eq!(decode(&older), Err(Flaw::Format(1)), "files with sets of 64 moves are not misread");
    // The pass is the last block; its first byte is the version of its encoding.
    let pass = crate::encoding::encode_pass_result(&example().proof.pass);
    let mut other = bytes.clone();
    let place = bytes.len() - pass.len();
    assert_eq!(bytes[place..], pass);
    other[place] = 7;
    let checksum = crc32fast::hash(&other[28..]);
    other[24..28].copy_from_slice(&checksum.to_le_bytes());
    assert_eq!(decode(&other), Err(Flaw::Encoding(7)));
}

#[test]
fn a_file_appears_whole_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof.saved");
    let (file, none) = ProofFile::open(&path).expect("nothing is there");
    assert_eq!(none, None);
    let saved = example();
    for _ in 0..2 {
        file.check_writable().expect("the folder can be written to");
        file.save(&saved).expect("it is saved");
    }
    // What a killed process leaves, and what is none of our business.
    for name in ["proof.12345-0.draft", "other.12345-0.draft"] {
        fs::write(folder.path().join(name), "torn").expect("a draft");
    }
    assert_eq!(ProofFile::open(&path), Ok((file.clone(), Some(saved))));
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, ["other.12345-0.draft", "proof.saved"]);
    file.remove().expect("it is removed");
    file.remove().expect("twice is no harm");
    assert!(!path.exists());
    assert!(matches!(ProofFile::open(folder.path()), Err(Flaw::Unreadable(_))), "a folder is no file");
}

/// Keeps the last proof as bytes, as a file would.
#[derive(Default)]
struct Memory {
    bytes: Mutex<Option<Vec<u8>>>,
    count: AtomicU64,
}

impl Memory {
    fn take(&self) -> Option<Saved> {
        lock(&self.bytes).take().map(|bytes| decode(&bytes).expect("as it was written"))
    }
}

impl CheckpointStore for Memory {
    fn save(&self, saved: &Saved) -> Result<(), String> {
        *lock(&self.bytes) = Some(encode(saved));
        self.count.fetch_add(1, Relaxed);
        Ok(())
    }
}

/// The farthest position of an awkward puzzle.
fn task(tokens: usize) -> (TestPuzzle, Turned) {
    let puzzle = TestPuzzle::new(tokens, &[1]);
    let truth = laws::truth(&puzzle);
    // Ties are broken by the key, so that every run has the same task.
    let farthest = truth.iter().max_by_key(|(key, cost)| (**cost, format!("{key:?}")));
    let far = puzzle.unpack(farthest.expect("not empty").0);
    (puzzle, far)
}

fn control(threads: usize, all: bool, nodes: Option<u64>) -> Control {
    Control::new(Limits { threads, nodes, ..Limits::default() }, Arc::new(Silent)).for_all(all)
}

/// Takes up what is in memory and goes on as far as the control allows.
fn run(
    puzzle: &TestPuzzle,
    position: &Turned,
    solver: &str,
    control: &Control,
    memory: &Arc<Memory>,
    every: Duration,
) -> Report {
    let left = memory.take();
    let starts = std::slice::from_ref(position);
    assert!(left.as_ref().is_none_or(|left| left.fits(puzzle, starts)), "what was saved is possible");
    let checkpointer = Arc::new(Checkpointer::new(search_id(), every, Arc::clone(memory) as _, left));
    let kept = control.within(control.limits()).with_checkpointer(Arc::clone(&checkpointer));
    let report = solver_of(puzzle, solver).solve(puzzle, starts, &kept);
    let stopped = matches!(report.outcome, Outcome::Stopped(_));
    assert!(checkpointer.stands() || !stopped, "who stops has saved");
    report
}

fn solver_of(puzzle: &TestPuzzle, name: &str) -> Box<dyn Solver<TestPuzzle>> {
    puzzle.registry().solver(puzzle, name, &Runtime::default(), &Control::default()).expect(name).solver
}

/// Fails unless a proof in pieces is the one in one go.
#[track_caller]
fn same(pieces: &Report, whole: &Report, threads: usize, what: &str) {
    assert_eq!(pieces.outcome, whole.outcome, "{what}");
    assert_eq!(pieces.lower_bound, whole.lower_bound, "{what}");
    assert_eq!(pieces.solutions, whole.solutions, "{what}");
    let cost = |report: &Report| report.best.as_ref().map(|best| best.cost);
    assert_eq!(cost(pieces), cost(whole), "{what}");
    // Several threads may be anywhere when one of them finds the only path that is wanted.
    let all = !whole.solutions.is_empty();
    let exact = whole.iterations.len() - usize::from(threads > 1 && !all);
    assert_eq!(pieces.iterations[..exact], whole.iterations[..exact], "{what}");
    if threads == 1 {
        assert_eq!(pieces.best, whole.best, "{what}");
        assert_eq!(pieces.counts.generated, whole.counts.generated, "{what}");
    }
}

const SOLVERS: [(&str, usize); 10] = [
    ("ida:early=off+half", 1),
    ("parida:early=off+half", 4),
    ("ida+half", 1),
    ("ida+zero", 1),
    ("iddfs", 1),
    ("ida:bpmx=off+moody", 1),
    ("parida+half", 1),
    ("parida+half", 2),
    ("parida+zero", 4),
    ("parida:bpmx=off+moody", 4),
];

#[test]
fn a_proof_stopped_anywhere_and_taken_up_again_is_the_proof_in_one_go() {
    let (puzzle, position) = task(7);
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for (solver, threads) in SOLVERS {
        for all in [false, true] {
            let what = format!("{solver} on {threads} threads, all: {all}");
            let alone = Arc::new(Memory::default());
            let free = control(threads, all, None);
            let whole = run(&puzzle, &position, solver, &free, &alone, Duration::MAX);
            assert_eq!(whole.outcome, Outcome::Solved, "{what}");
            let memory = Arc::new(Memory::default());
            let (mut runs, mut before) = (0, 0);
            let pieces = loop {
                let nodes = 1 + rng.next_u64() % (whole.counts.generated / 8 + 1);
                let leash = control(threads, all, Some(nodes));
                let report = run(&puzzle, &position, solver, &leash, &memory, Duration::MAX);
                runs += 1;
                assert!(report.counts.generated >= before, "{what}: what was saved is there");
                before = report.counts.generated;
                if !matches!(report.outcome, Outcome::Stopped(_)) {
                    break report;
                }
            };
            assert!(runs >= 6, "{what}: {runs} runs");
            same(&pieces, &whole, threads, &what);
        }
    }
}

#[test]
fn a_proof_that_is_saved_all_the_time_is_the_proof_in_one_go() {
    let (puzzle, position) = task(7);
    for (solver, threads) in SOLVERS {
        for all in [false, true] {
            let what = format!("{solver} on {threads} threads, all: {all}");
            let free = control(threads, all, None);
            let whole = run(&puzzle, &position, solver, &free, &Arc::default(), Duration::MAX);
            let memory = Arc::new(Memory::default());
            let free = control(threads, all, None);
            let pieces = run(&puzzle, &position, solver, &free, &memory, Duration::ZERO);
            same(&pieces, &whole, threads, &what);
            let count = memory.count.load(Relaxed);
            assert!(count >= 5, "{what}: saved {count} times");
            // Whoever is killed at the end goes on from the last that was saved.
            let again = run(&puzzle, &position, solver, &control(threads, all, None), &memory, Duration::MAX);
            same(&again, &whole, threads, &what);
        }
    }
}

/// Raising parents forgets at a pause what the children done before have taught: more nodes, the same answer.
#[test]
fn raised_parents_survive_pauses() {
    let (puzzle, position) = task(7);
    for solver in ["ida+moody", "parida+moody"] {
        let whole = run(&puzzle, &position, solver, &control(2, true, None), &Arc::default(), Duration::MAX);
        let pieces =
            run(&puzzle, &position, solver, &control(2, true, None), &Arc::default(), Duration::ZERO);
        assert_eq!((&pieces.best, &pieces.solutions), (&whole.best, &whole.solutions), "{solver}");
        assert_eq!(pieces.lower_bound, whole.lower_bound, "{solver}");
    }
}

#[test]
fn what_cannot_be_is_not_taken_up() {
    let (puzzle, position) = task(7);
    let saved = example();
    let starts = std::slice::from_ref(&position);
    assert!(saved.fits(&puzzle, starts));
    assert!(!saved.proof.pass.rest.is_empty());
    let spoil = |change: &dyn Fn(&mut Saved)| {
        let mut spoiled = saved.clone();
        change(&mut spoiled);
        spoiled.fits(&puzzle, starts)
    };
    assert!(!spoil(&|saved| saved.proof.pass.rest[0].root = 7), "no such start");
    assert!(!spoil(&|saved| saved.proof.pass.rest[0].path.push(Move(63))), "no such move");
    assert!(!spoil(&|saved| saved.proof.pass.rest[0].untried = MoveSet256::first(64)), "no such children");
    assert!(!spoil(&|saved| saved.best = Some(Vec::new())), "it is not solved");
    assert!(!spoil(&|saved| saved.proof.pass.found.push(vec![Move(63)])), "nor so");
}

/// A store that always fails costs one warning and nothing else.
#[test]
fn what_cannot_be_saved_is_told_once() {
    struct Full;
    impl CheckpointStore for Full {
        fn save(&self, _: &Saved) -> Result<(), String> {
            Err("the disk is full".into())
        }
    }
    #[derive(Default)]
    struct Ear(Mutex<Vec<String>>);
    impl Observer for Ear {
        fn on_event(&self, event: &Event) {
            if let Event::Warning(warning) = event {
                lock(&self.0).push(warning.clone());
            }
        }
    }
    let (puzzle, position) = task(7);
    let ear = Arc::new(Ear::default());
    let checkpointer = Arc::new(Checkpointer::new(search_id(), Duration::ZERO, Arc::new(Full), None));
    let control =
        Control::new(Limits::default(), Arc::clone(&ear) as _).with_checkpointer(Arc::clone(&checkpointer));
    checkpointer.check_writable(&control);
    let report = solver_of(&puzzle, "ida+zero").solve(&puzzle, &[position], &control);
    assert!(report.optimal() && !checkpointer.stands());
    assert_eq!(*lock(&ear.0), ["the disk is full; the search goes on, but it is not saved"]);
}
