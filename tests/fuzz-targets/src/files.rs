//! Binary and text files: encodings, checkpoints, tables, states of builds, weights, baselines.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use untumble_puzzles::catalog;
use untumble_report::bench;
use untumble_search::checkpoint::file as checkpoint_file;
use untumble_search::control::{Control, Event, Limits, Observer};
use untumble_search::disk::Disk;
use untumble_search::encoding::{
    DecodeError, decode_pass_result, decode_subtrees, encode_pass_result, encode_subtrees,
};
use untumble_search::error::InputText;
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::DynPuzzle;
use untumble_search::tables::{TableId, Tables};
use untumble_search::train::weights::WeightsFile;

use crate::laws::{assert_diagnostic, assert_plain, select};

/// Runs `action` with a new folder, in memory where the system has such folders.
pub(crate) fn with_folder<T>(action: impl FnOnce(&Path) -> T) -> T {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    action(folder.expect("a temporary folder").path())
}

/// Messages of subtrees and of pass results.
pub fn encoding(data: &[u8]) {
    let check_error = |error: DecodeError| {
        assert_plain(&error.to_string(), "");
        if let DecodeError::Truncated { at }
        | DecodeError::TrailingBytes { at }
        | DecodeError::Invalid { at } = error
        {
            assert!(at <= data.len(), "byte {at} of {}", data.len());
        }
    };
    match decode_subtrees(data) {
        Ok(subtrees) => {
            let bytes = encode_subtrees(&subtrees);
            assert!(bytes.len() <= data.len(), "{data:?} as {bytes:?}");
            assert_eq!(decode_subtrees(&bytes), Ok(subtrees));
        }
        Err(error) => check_error(error),
    }
    match decode_pass_result(data) {
        Ok(result) => {
            let bytes = encode_pass_result(&result);
            assert!(bytes.len() <= data.len(), "{data:?} as {bytes:?}");
            assert_eq!(decode_pass_result(&bytes), Ok(result));
        }
        Err(error) => check_error(error),
    }
}

static EIGHT_PUZZLE: LazyLock<Box<dyn DynPuzzle>> =
    LazyLock::new(|| catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle"));

/// Checkpoint files.
pub fn checkpoint(data: &[u8]) {
    decode_checkpoint(data);
    let mut file = b"untumble proof\x03\0".to_vec();
    file.extend((data.len() as u64).to_le_bytes());
    file.extend(crc32fast::hash(data).to_le_bytes());
    file.extend(data);
    decode_checkpoint(&file);
}

fn decode_checkpoint(bytes: &[u8]) {
    let checkpoint = match checkpoint_file::decode(bytes) {
        Ok(checkpoint) => checkpoint,
        Err(error) => return assert_plain(&error.to_string(), ""),
    };
    let encoded = checkpoint_file::encode(&checkpoint);
    assert_eq!(checkpoint_file::decode(&encoded).as_ref(), Ok(&checkpoint));
    let puzzle = &**EIGHT_PUZZLE;
    let control = Control::default();
    // No moves solve the solved position better than none do, so no path of the checkpoint is an incumbent
    // that costs more than the bound.
    let restored = puzzle.restore_checkpoint(&puzzle.solved(), &checkpoint, &control).expect("its position");
    let known = (control.best(), control.lower_bound());
    if restored {
        assert_eq!(known.0, checkpoint.best);
        let best =
            known.0.iter().all(|path| puzzle.offer(&puzzle.solved(), path, &Control::default()) == Ok(true));
        assert!(best, "the incumbent does not solve the position: {:?}", known.0);
    } else {
        assert_eq!(known, (None, 0), "a refused checkpoint changes nothing");
    }
}

/// Collects warnings.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Observer for Warnings {
    fn on_event(&self, event: &Event) {
        if let Event::Warning(text) = event {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text.clone());
        }
    }
}

const TABLE_LEN: usize = 8;
const SCRATCH_LEN: usize = 3;
const HEADER_LEN: usize = 4096;
/// The byte with which the targets build a table; no corpus has a table of eight of them.
const BUILT: u8 = 0xa5;

fn table_id() -> TableId {
    let [puzzle, pattern, metric] = ["p", "q", ""].map(String::from);
    TableId { puzzle, pattern, metric, version: 1 }
}

/// Writes the correct magic bytes, format, checksums and length into a file whose header is `header`, padded
/// with zeros, and whose contents are `contents`.
fn sealed(magic: &[u8; 8], header: &[u8], contents: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; HEADER_LEN];
    let length = header.len().min(HEADER_LEN - 12);
    bytes[12..12 + length].copy_from_slice(&header[..length]);
    bytes[..8].copy_from_slice(magic);
    bytes[8..12].copy_from_slice(&1u32.to_le_bytes());
    bytes[16..24].copy_from_slice(&(contents.len() as u64).to_le_bytes());
    bytes[24..28].copy_from_slice(&crc32fast::hash(contents).to_le_bytes());
    bytes[28..32].fill(0);
    let checksum = crc32fast::hash(&bytes);
    bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
    bytes.extend(contents);
    bytes
}

/// The header of the table `id` from its version on.
fn header_of(id: &TableId) -> Vec<u8> {
    let mut header = id.version.to_le_bytes().to_vec();
    header.extend([0; 16]);
    for name in [&id.puzzle, &id.pattern, &id.metric] {
        header.extend((name.len() as u16).to_le_bytes());
        header.extend(name.as_bytes());
    }
    header
}

/// Table files. The first byte selects which part of the file is the input: the whole file, the header after
/// the format, or the contents.
pub fn table_file(data: &[u8]) {
    let (part, data) = select(data, 3);
    let id = table_id();
    let file = match part {
        0 => data.to_vec(),
        1 => sealed(b"untumble", data, &[7; TABLE_LEN]),
        _ => sealed(b"untumble", &header_of(&id), data),
    };
    with_folder(|folder| {
        let disk = Disk::new(folder.to_owned());
        let path = disk.path(&id).expect("a folder");
        fs::write(&path, &file).expect("a written file");
        let listed = disk.list().expect("a readable folder");
        let [table] = &listed[..] else { panic!("{} tables", listed.len()) };
        let warnings = Arc::new(Warnings::default());
        let control = Control::new(Limits::default(), warnings.clone());
        let valid = disk.verify(table, &control).is_ok();
        if let Err(error) = &table.id {
            assert!(!valid);
            assert_plain(&error.to_string(), "");
        }
        assert!(!valid || table.id.as_ref() == Ok(&id), "the name of the file belongs to another table");
        let usable = valid && file.len() == HEADER_LEN + TABLE_LEN;
        let build = &mut |bytes: &mut untumble_search::tables::TableBuild<'_>, _: &Control| {
            bytes.fill(BUILT);
            Ok(())
        };
        let table = disk.get(&id, TABLE_LEN, &control, build).expect("no limit");
        let expected = if usable { &file[HEADER_LEN..] } else { &[BUILT; TABLE_LEN][..] };
        assert_eq!(table.bytes(), expected, "valid: {valid}");
        let warned = !warnings.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        assert_eq!(warned, !usable, "a damaged file is reported, and only such a file");
        // The file is now the table.
        assert_eq!(fs::read(&path).expect("a file")[HEADER_LEN..], *expected);
    });
}

/// States of unfinished builds. The first byte selects which part of the file is the input, as for
/// [`table_file`].
pub fn build_state(data: &[u8]) {
    let (part, data) = select(data, 3);
    let id = table_id();
    let mut prelude = [5u32, 2].map(u32::to_le_bytes).concat();
    [TABLE_LEN, SCRATCH_LEN].iter().for_each(|&length| prelude.extend((length as u64).to_le_bytes()));
    let file = match part {
        0 => data.to_vec(),
        1 => sealed(b"untumbl~", data, &[&prelude[..], &[7; TABLE_LEN + SCRATCH_LEN]].concat()),
        _ => sealed(b"untumbl~", &header_of(&id), data),
    };
    with_folder(|folder| {
        let disk = Disk::new(folder.to_owned());
        let path = disk.path(&id).expect("a folder").with_extension("build");
        fs::write(&path, &file).expect("a written file");
        let warnings = Arc::new(Warnings::default());
        let control = Control::new(Limits::default(), warnings.clone());
        let mut restored = None;
        let build = &mut |bytes: &mut untumble_search::tables::TableBuild<'_>, control: &Control| {
            let mut scratch = [0; SCRATCH_LEN];
            let level = bytes.restore(&mut scratch, control)?;
            restored = Some((level, [&bytes[..], &scratch].concat()));
            bytes.fill(BUILT);
            Ok(())
        };
        let table = disk.get(&id, TABLE_LEN, &control, build).expect("no limit");
        assert_eq!(table.bytes(), [BUILT; TABLE_LEN]);
        let warned = !warnings.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        let (level, bytes) = restored.expect("the table was built");
        if let Some(level) = level {
            let contents = &file[HEADER_LEN..];
            assert_eq!(contents[..4], level.to_le_bytes());
            assert_eq!(contents[4..prelude.len()], prelude[4..]);
            assert_eq!(contents[prelude.len()..], bytes);
        } else {
            assert_eq!(bytes, [0; TABLE_LEN + SCRATCH_LEN], "a damaged state leaves no bytes");
        }
        assert_eq!(warned, level.is_none(), "a damaged state is reported, and only such a state");
        assert!(!path.exists(), "a finished build keeps its state");
    });
}

/// Weights files.
pub fn weights(data: &[u8]) {
    let text = &String::from_utf8_lossy(data);
    let file = match WeightsFile::parse("file", text) {
        Ok(file) => file,
        Err(error) => {
            let diagnostic = error.diagnostic();
            assert_plain(&error.to_string(), text);
            if let Some(span) = diagnostic.span {
                assert!(text.get(span.clone()).is_some(), "{span:?} is not a part of {text:?}");
            }
            return;
        }
    };
    let formatted = file.text();
    let again = WeightsFile::parse("file", &formatted);
    let again = again.unwrap_or_else(|error| panic!("{formatted:?} of {text:?} is refused: {error}"));
    assert_eq!((&again.puzzle, &again.origin), (&file.puzzle, &file.origin), "{text:?}");
    assert_eq!(again.values.len(), file.values.len(), "{text:?} as {formatted:?}");
    for ((name, value), (other_name, other)) in file.values.iter().zip(&again.values) {
        // Weights are written with three decimals.
        assert!(
            name == other_name && (value - other).abs() <= 0.000_501,
            "{name}={value} {other_name}={other}"
        );
    }
    assert_eq!(again.text(), formatted);
    let names: Vec<String> = file.values.iter().map(|(name, _)| name.clone()).collect();
    let values = file.values.iter().map(|(_, value)| *value).collect();
    assert_eq!(file.weights("file", &file.puzzle, &names), Ok(values));
    // Whether the puzzles accept the weights does not depend on the rest of the file.
    if let Err(error) = file.weights("file", "tiles-4x4", &["manhattan".into()]) {
        assert_diagnostic(&error.diagnostic(), text, InputText::Solver);
    }
}

/// Baselines of `bench`.
pub fn baseline(data: &[u8]) {
    with_folder(|folder| {
        let path = folder.join("baseline.json");
        fs::write(&path, data).expect("a written file");
        match bench::baseline::read(&path, "8-puzzle") {
            Ok(baseline) => {
                let text = serde_json::to_vec(&baseline).expect("JSON");
                fs::write(&path, text).expect("a written file");
                let again = bench::baseline::read(&path, "8-puzzle").expect("its own baseline");
                assert_eq!(again, baseline);
                let compared = bench::baseline::compare(&baseline, &again);
                assert!(compared.len() >= baseline.cases.len());
                assert!(compared.iter().all(|case| !["faster", "slower"].contains(&case.verdict)));
            }
            Err(error) => assert_plain(&error.to_string(), &String::from_utf8_lossy(data)),
        }
    });
}
