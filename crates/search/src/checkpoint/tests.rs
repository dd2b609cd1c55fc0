//! A checkpoint file is read back exactly or refused, and a resumed search equals an uninterrupted one.

use std::fs;

use proptest::prelude::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::file::{CheckpointError, CheckpointFile, decode, encode};
use super::*;
use crate::control::{Limits, Observer, Silent};
use crate::encoding::strategies::{pass_result, path};
use crate::frontend::PuzzleFrontend;
use crate::identity::{PuzzleId, RunId};
use crate::laws;
use crate::moves::MoveSet256;
use crate::report::{Outcome, Report};
use crate::runtime::Runtime;
use crate::solve::Solver;
use crate::test_puzzle::{TestPuzzle, TokenState};

/// A number of nodes; the sum of a few dozen does not exceed the limit of a checkpoint.
fn nodes() -> impl Strategy<Value = u64> {
    any::<u64>().prop_map(|number| number >> 8)
}

fn proof() -> impl Strategy<Value = ProofState> {
    let iteration = (any::<Cost>(), nodes()).prop_map(|(bound, generated)| Iteration { bound, generated });
    let pass = (pass_result(), nodes(), nodes()).prop_map(|(pass, nodes, expanded)| PassResult {
        nodes,
        expanded,
        ..pass
    });
    (prop::collection::vec(iteration, 0..20), nodes(), any::<Cost>(), pass)
        .prop_map(|(iterations, expanded, bound, pass)| ProofState { iterations, expanded, bound, pass })
}

fn search_id() -> SearchId {
    let run = RunId { puzzle: PuzzleId::of("test", None), solver: "ida+half".into(), ..RunId::default() };
    SearchId { run, start: "abcde".into() }
}

fn saved() -> impl Strategy<Value = Checkpoint> {
    let search = (any::<[String; 2]>(), "[a-z0-9:=+]{1,20}", any::<(bool, Option<u64>)>()).prop_map(
        |([goal, start], solver, (all_solutions, nodes))| {
            let puzzle = PuzzleId { goal: Some(goal), ..PuzzleId::of("puzzle", None) };
            let run = RunId { puzzle, solver, all_solutions, nodes, ..RunId::default() };
            SearchId { run, start }
        },
    );
    let earlier =
        [nodes(), nodes(), nodes(), nodes()].prop_map(|[generated, expanded, visited, peak_open]| Counts {
            generated,
            expanded,
            visited,
            peak_open,
        });
    let time =
        (0..1u64 << 40, 0..1_000_000_000u32).prop_map(|(seconds, nanos)| Duration::new(seconds, nanos));
    (search, time, earlier, any::<Cost>(), prop::option::of(path()), proof()).prop_map(
        |(search, time, earlier, proven, best, proof)| Checkpoint {
            search,
            time,
            earlier_counts: earlier,
            lower_bound: proven,
            best,
            proof,
        },
    )
}

proptest! {
    #[test]
    fn a_checkpoint_survives_the_round_trip(saved in saved()) {
        prop_assert_eq!(decode(&encode(&saved)), Ok(saved));
    }

    #[test]
    fn arbitrary_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(decode(&bytes).is_err());
    }

    /// Contents with a forged checksum decode or fail, without a panic and without exhausting memory.
    #[test]
    fn forged_contents_never_panic(
        saved in saved(),
        byte_index in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        let mut bytes = encode(&saved);
        // The contents begin at offset 28, see `file.rs`.
        let offset = 28 + byte_index.index(bytes.len() - 28);
        bytes[offset] = value;
        let checksum = crc32fast::hash(&bytes[28..]);
        bytes[24..28].copy_from_slice(&checksum.to_le_bytes());
        let _ = decode(&bytes);
    }
}

/// The checkpoint of a search that was stopped half-way.
fn example() -> Checkpoint {
    let (puzzle, position) = task(7);
    let memory = Arc::new(MemoryStore::default());
    run(&puzzle, &position, "ida+zero", &control(1, false, Some(3000)), &memory, Duration::MAX);
    memory.take().expect("a stopped search has a checkpoint")
}

#[test]
fn every_flipped_bit_and_every_truncation_is_detected() {
    let bytes = encode(&example());
    assert!(decode(&bytes).is_ok() && bytes.len() > 100, "{} bytes", bytes.len());
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        let (offset, bit) = (rng.random_range(0..bytes.len()), rng.random_range(0..8));
        let mut flipped = bytes.clone();
        flipped[offset] ^= 1 << bit;
        assert!(decode(&flipped).is_err(), "bit {bit} of byte {offset}");
        let mut noisy = bytes.clone();
        let end = (offset + 4).min(bytes.len());
        rng.fill_bytes(&mut noisy[offset..end]);
        assert!(noisy == bytes || decode(&noisy).is_err(), "bytes {offset}..{end}");
    }
    for length in 0..bytes.len() {
        assert!(decode(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    assert_eq!(decode(&[&bytes[..], b"\0"].concat()), Err(CheckpointError::Damaged));
    let mut newer = bytes.clone();
    newer[14] = 9;
    assert_eq!(decode(&newer), Err(CheckpointError::Format(9)));
    let mut older = bytes.clone();
    older[14] = 1;
    assert_eq!(
        decode(&older),
        Err(CheckpointError::Format(1)),
        "the format with sets of 64 moves is refused"
    );
    // The pass is the last block; its first byte is the version of its encoding.
    let pass = crate::encoding::encode_pass_result(&example().proof.pass);
    let mut other = bytes.clone();
    let pass_offset = bytes.len() - pass.len();
    assert_eq!(bytes[pass_offset..], pass);
    other[pass_offset] = 7;
    let checksum = crc32fast::hash(&other[28..]);
    other[24..28].copy_from_slice(&checksum.to_le_bytes());
    assert_eq!(decode(&other), Err(CheckpointError::Encoding(7)));
}

/// Sums of forged counts would overflow in the resumed search.
#[test]
fn forged_totals_are_refused() {
    let saved = example();
    assert!(saved.proof.iterations.len() >= 2, "{saved:?}");
    let decoded_after = |change: &dyn Fn(&mut Checkpoint)| {
        let mut forged = saved.clone();
        change(&mut forged);
        decode(&encode(&forged)).map(drop)
    };
    assert_eq!(decoded_after(&|_| {}), Ok(()));
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Checkpoint));
    let changes: [Change<'_>; 9] = [
        ("time", &|saved| saved.time = Duration::MAX),
        ("earlier nodes", &|saved| saved.earlier_counts.generated = u64::MAX),
        ("earlier expanded", &|saved| saved.earlier_counts.expanded = u64::MAX),
        ("earlier visited", &|saved| saved.earlier_counts.visited = u64::MAX),
        ("peak", &|saved| saved.earlier_counts.peak_open = u64::MAX),
        ("nodes of the pass", &|saved| saved.proof.pass.nodes = u64::MAX),
        ("expanded of the pass", &|saved| saved.proof.pass.expanded = u64::MAX),
        ("expanded", &|saved| saved.proof.expanded = u64::MAX),
        ("sum of the passes", &|saved| {
            saved.proof.iterations.iter_mut().for_each(|pass| pass.generated = 1 << 63);
        }),
    ];
    for (what, change) in changes {
        assert_eq!(decoded_after(change), Err(CheckpointError::Damaged), "{what}");
    }
}

#[test]
fn a_checkpoint_file_is_written_atomically() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof.saved");
    let (file, none) = CheckpointFile::open(&path).expect("nothing is there");
    assert_eq!(none, None);
    let saved = example();
    for _ in 0..2 {
        file.check_writable().expect("the folder can be written to");
        file.save(&saved).expect("it is saved");
    }
    // An abandoned draft of this file, and a draft of another file.
    for name in ["proof.12345-0.draft", "other.12345-0.draft"] {
        fs::write(folder.path().join(name), "torn").expect("a draft");
    }
    assert_eq!(CheckpointFile::open(&path), Ok((file.clone(), Some(saved))));
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, ["other.12345-0.draft", "proof.saved"]);
    file.remove().expect("it is removed");
    file.remove().expect("removing twice succeeds");
    assert!(!path.exists());
    assert!(
        matches!(CheckpointFile::open(folder.path()), Err(CheckpointError::Unreadable(_))),
        "a folder is not a file"
    );
}

/// Stores the last checkpoint as bytes, like a file.
#[derive(Default)]
struct MemoryStore {
    bytes: Mutex<Option<Vec<u8>>>,
    count: AtomicU64,
}

impl MemoryStore {
    fn take(&self) -> Option<Checkpoint> {
        lock(&self.bytes).take().map(|bytes| decode(&bytes).expect("as it was written"))
    }
}

impl CheckpointStore for MemoryStore {
    fn save(&self, saved: &Checkpoint) -> Result<(), String> {
        *lock(&self.bytes) = Some(encode(saved));
        self.count.fetch_add(1, Relaxed);
        Ok(())
    }
}

/// A test puzzle, and a position of it at the largest distance from a goal.
fn task(tokens: usize) -> (TestPuzzle, TokenState) {
    let puzzle = TestPuzzle::new(tokens, &[1]);
    let exact = laws::exact_costs(&puzzle);
    // Ties are broken by the key, so that every run has the same task.
    let farthest = exact.iter().max_by_key(|(key, cost)| (**cost, format!("{key:?}")));
    let far = puzzle.unpack(farthest.expect("not empty").0);
    (puzzle, far)
}

fn control(threads: usize, all: bool, nodes: Option<u64>) -> Control {
    Control::new(Limits { threads, nodes, ..Limits::default() }, Arc::new(Silent)).with_all_solutions(all)
}

/// Resumes the search in `memory`, or starts it, and runs it as far as the control allows.
fn run(
    puzzle: &TestPuzzle,
    position: &TokenState,
    solver: &str,
    control: &Control,
    memory: &Arc<MemoryStore>,
    every: Duration,
) -> Report {
    let restored = memory.take();
    let starts = std::slice::from_ref(position);
    assert!(
        restored.as_ref().is_none_or(|restored| restored.is_valid_for(puzzle, starts)),
        "the checkpoint is valid"
    );
    let checkpointer = Arc::new(Checkpointer::new(search_id(), every, Arc::clone(memory) as _, restored));
    let resumed = control.phase(control.limits()).with_checkpointer(Arc::clone(&checkpointer));
    let report = solver_of(puzzle, solver).solve(puzzle, starts, &resumed);
    let stopped = matches!(report.outcome, Outcome::Stopped(_));
    assert!(checkpointer.is_saved() || !stopped, "a stopped search is saved");
    report
}

fn solver_of(puzzle: &TestPuzzle, name: &str) -> Box<dyn Solver<TestPuzzle>> {
    puzzle.registry().solver(puzzle, name, &Runtime::default(), &Control::default()).expect(name).solver
}

/// Fails unless the report of a resumed search equals that of an uninterrupted one.
#[track_caller]
fn assert_same(pieces: &Report, whole: &Report, threads: usize, what: &str) {
    assert_eq!(pieces.outcome, whole.outcome, "{what}");
    assert_eq!(pieces.lower_bound, whole.lower_bound, "{what}");
    assert_eq!(pieces.solutions, whole.solutions, "{what}");
    let cost = |report: &Report| report.best.as_ref().map(|best| best.cost);
    assert_eq!(cost(pieces), cost(whole), "{what}");
    // With several threads, the node count of a pass that ends at its first solution varies.
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
    ("ida:bpmx=off+inconsistent", 1),
    ("parida+half", 1),
    ("parida+half", 2),
    ("parida+zero", 4),
    ("parida:bpmx=off+inconsistent", 4),
];

#[test]
fn a_search_stopped_anywhere_and_resumed_equals_an_uninterrupted_one() {
    let (puzzle, position) = task(7);
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for (solver, threads) in SOLVERS {
        for all in [false, true] {
            let what = format!("{solver} on {threads} threads, all: {all}");
            let alone = Arc::new(MemoryStore::default());
            let unlimited = control(threads, all, None);
            let whole = run(&puzzle, &position, solver, &unlimited, &alone, Duration::MAX);
            assert_eq!(whole.outcome, Outcome::Solved, "{what}");
            let memory = Arc::new(MemoryStore::default());
            let (mut runs, mut generated_before) = (0, 0);
            let pieces = loop {
                let nodes = 1 + rng.next_u64() % (whole.counts.generated / 8 + 1);
                let limited = control(threads, all, Some(nodes));
                let report = run(&puzzle, &position, solver, &limited, &memory, Duration::MAX);
                runs += 1;
                assert!(report.counts.generated >= generated_before, "{what}: node counts continue");
                generated_before = report.counts.generated;
                if !matches!(report.outcome, Outcome::Stopped(_)) {
                    break report;
                }
            };
            assert!(runs >= 6, "{what}: {runs} runs");
            assert_same(&pieces, &whole, threads, &what);
        }
    }
}

#[test]
fn a_search_saved_at_every_check_equals_an_uninterrupted_one() {
    let (puzzle, position) = task(7);
    for (solver, threads) in SOLVERS {
        for all in [false, true] {
            let what = format!("{solver} on {threads} threads, all: {all}");
            let unlimited = control(threads, all, None);
            let whole = run(&puzzle, &position, solver, &unlimited, &Arc::default(), Duration::MAX);
            let memory = Arc::new(MemoryStore::default());
            let unlimited = control(threads, all, None);
            let pieces = run(&puzzle, &position, solver, &unlimited, &memory, Duration::ZERO);
            assert_same(&pieces, &whole, threads, &what);
            let count = memory.count.load(Relaxed);
            assert!(count >= 5, "{what}: saved {count} times");
            // A process killed at the end resumes from the last checkpoint.
            let again = run(&puzzle, &position, solver, &control(threads, all, None), &memory, Duration::MAX);
            assert_same(&again, &whole, threads, &what);
        }
    }
}

/// A pause discards the bounds that BPMX raised: more nodes, the same solutions.
#[test]
fn bpmx_finds_the_same_solutions_with_pauses() {
    let (puzzle, position) = task(7);
    for solver in ["ida+inconsistent", "parida+inconsistent"] {
        let whole = run(&puzzle, &position, solver, &control(2, true, None), &Arc::default(), Duration::MAX);
        let pieces =
            run(&puzzle, &position, solver, &control(2, true, None), &Arc::default(), Duration::ZERO);
        assert_eq!((&pieces.best, &pieces.solutions), (&whole.best, &whole.solutions), "{solver}");
        assert_eq!(pieces.lower_bound, whole.lower_bound, "{solver}");
    }
}

#[test]
fn an_invalid_checkpoint_is_refused() {
    let (puzzle, position) = task(7);
    let saved = example();
    let starts = std::slice::from_ref(&position);
    assert!(saved.is_valid_for(&puzzle, starts));
    assert!(!saved.proof.pass.unsearched.is_empty());
    let valid_after = |change: &dyn Fn(&mut Checkpoint)| {
        let mut spoiled = saved.clone();
        change(&mut spoiled);
        spoiled.is_valid_for(&puzzle, starts)
    };
    assert!(!valid_after(&|saved| saved.proof.pass.unsearched[0].root = 7), "no such start");
    assert!(!valid_after(&|saved| saved.proof.pass.unsearched[0].path.push(Move(63))), "no such move");
    assert!(
        !valid_after(&|saved| saved.proof.pass.unsearched[0].untried = MoveSet256::first_n(64)),
        "no such children"
    );
    assert!(!valid_after(&|saved| saved.best = Some(Vec::new())), "the incumbent does not reach a goal");
    assert!(!valid_after(&|saved| saved.proof.pass.found.push(vec![Move(63)])), "the solution is illegal");
}

/// The search itself continues.
#[test]
fn a_store_that_always_fails_causes_one_warning() {
    struct Full;
    impl CheckpointStore for Full {
        fn save(&self, _: &Checkpoint) -> Result<(), String> {
            Err("the disk is full".into())
        }
    }
    #[derive(Default)]
    struct Recorder(Mutex<Vec<String>>);
    impl Observer for Recorder {
        fn on_event(&self, event: &Event) {
            if let Event::Warning(warning) = event {
                lock(&self.0).push(warning.clone());
            }
        }
    }
    let (puzzle, position) = task(7);
    let recorder = Arc::new(Recorder::default());
    let checkpointer = Arc::new(Checkpointer::new(search_id(), Duration::ZERO, Arc::new(Full), None));
    let control = Control::new(Limits::default(), Arc::clone(&recorder) as _)
        .with_checkpointer(Arc::clone(&checkpointer));
    checkpointer.check_writable(&control);
    let report = solver_of(&puzzle, "ida+zero").solve(&puzzle, &[position], &control);
    assert!(report.optimal() && !checkpointer.is_saved());
    assert_eq!(*lock(&recorder.0), ["the disk is full; the search continues without checkpoints"]);
}
