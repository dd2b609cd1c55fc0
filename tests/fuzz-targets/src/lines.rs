//! Lines that a later run continues: answers of a batch, rows of an experiment.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use untumble_puzzles::catalog;
use untumble_report::{
    Analysis, Configuration, Error, ExistingResults, FolderState, Instance, Origin, Quantity,
    RequestedLimits, ResultsFolder, Row, Rows, Setup, TableCost, Unit,
};
use untumble_search::family::PuzzleSettings;
use untumble_session::csv::{RowWriter, parse_row};
use untumble_session::line_checksum::{LineFormat, append, is_correct, without};
use untumble_session::machine::Machine;

use crate::files::with_folder;
use crate::laws::{assert_plain, select};

/// The encoding of an answer's line: rows of CSV and the checksum. The first byte selects the format.
/// `batch --resume` belongs to the binary, so its own tests replay this corpus through the whole command.
pub fn answer_line(data: &[u8]) {
    let (format, data) = select(data, 2);
    let format = [LineFormat::Ndjson, LineFormat::Csv][format];
    if let Some(line) = without(format, data) {
        let mut again = line;
        append(format, 0, &mut again);
        assert_eq!(is_correct(format, data), Some(again == data), "{data:?}");
    } else {
        assert_eq!(is_correct(format, data), None);
    }
    let end: &[u8] = if format == LineFormat::Csv { b"\n" } else { b"}\n" };
    let line = [data, end].concat();
    let mut checked = line.clone();
    append(format, 0, &mut checked);
    assert_eq!(is_correct(format, &checked), Some(true));
    assert_eq!(without(format, &checked), Some(line));
    if let Some((last, _)) = data.split_last() {
        let mut changed = checked;
        changed[data.len() - 1] = last ^ 1;
        assert_ne!(is_correct(format, &changed), Some(true), "a changed byte is noticed");
    }
    let text = &String::from_utf8_lossy(data);
    if let Some(fields) = parse_row(text) {
        let mut row = Vec::new();
        let mut writer = RowWriter::new(&mut row);
        fields.iter().for_each(|field| writer.text(field));
        writer.end();
        let row = String::from_utf8(row).expect("text");
        assert_eq!(parse_row(&row).as_ref(), Some(&fields), "{text:?} as {row:?}");
    }
}

static INSTANCES: LazyLock<Vec<Instance>> = LazyLock::new(|| {
    let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle");
    let instance = |text: &str| {
        let position = untumble_session::parse_position(&*puzzle, text, &Default::default());
        let position = position.expect("a position");
        Instance { position, text: text.into(), scramble_depth: None, reference: None }
    };
    ["1 2 3 4 5 6 7 0 8", "8 6 7 2 5 4 3 0 1"].map(instance).into()
});

static MACHINE: LazyLock<Machine> = LazyLock::new(Machine::detect);

fn setup() -> Setup {
    let configuration = |solver: &str, threads| Configuration { solver: solver.into(), threads };
    Setup {
        untumble_version: "0".into(),
        puzzle: "tiles-3x3".into(),
        goal: None,
        metric: None,
        origin: Origin::File { name: "positions".into() },
        positions: 2,
        limits: RequestedLimits { seconds: Some(1.0), nodes: None, memory: None },
        configurations: vec![configuration("bfs", 1), configuration("ida", 1), configuration("ida", 2)],
        batch_plan: None,
    }
}

/// The rows of an unfinished experiment. The first byte selects the input: the whole file, the lines after
/// the right setup, or these lines with the right checksums.
pub fn results_folder(data: &[u8]) {
    let (part, data) = select(data, 3);
    let mut file = Vec::new();
    if part > 0 {
        file = serde_json::to_vec(&setup()).expect("JSON");
        file.push(b'\n');
    }
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        let begin = file.len();
        file.extend(line);
        if part == 2 && line.ends_with(b"}\n") {
            append(LineFormat::Ndjson, begin, &mut file);
        }
    }
    with_folder(|folder| {
        fs::write(folder.join("results.partial"), &file).expect("a written file");
        let rows = match resume(folder) {
            Ok(rows) => rows,
            Err(error) => {
                assert_plain(&error.to_string(), &String::from_utf8_lossy(&file));
                let kept = fs::read(folder.join("results.partial")).unwrap_or_default();
                assert_eq!(kept, file, "a refused file remains as it is");
                return;
            }
        };
        let costs: Vec<TableCost> = setup().configurations.iter().map(|_| no_tables()).collect();
        let analysis = Analysis::new(setup(), MACHINE.clone(), &costs, &Rows::new(&rows));
        assert!(serde_json::to_string(&analysis).is_ok());
        assert_rows(&rows);
    });
}

fn no_tables() -> TableCost {
    TableCost { seconds: Quantity::new(Unit::Seconds, 0.0), bytes: Quantity::new(Unit::Bytes, 0.0) }
}

/// The rows of an unfinished run in `folder`.
fn resume(folder: &Path) -> Result<Vec<Row>, Error> {
    match ResultsFolder::open(folder, ExistingResults::Resume)? {
        FolderState::Open(mut opened) => opened.begin(&setup(), &INSTANCES),
        FolderState::Finished(_) => panic!("there is no report"),
    }
}

/// Accepted rows belong to the experiment, and written again they are accepted again.
fn assert_rows(rows: &[Row]) {
    for row in rows {
        assert_eq!(row.start, INSTANCES[row.position - 1].text);
        assert!(row.seconds >= 0.0, "{row:?}");
    }
    with_folder(|folder| {
        if let Ok(FolderState::Open(mut written)) = ResultsFolder::open(folder, ExistingResults::Keep) {
            written.begin(&setup(), &INSTANCES).expect("an empty folder");
            rows.iter().for_each(|row| written.append(row).expect("a written row"));
            drop(written);
            if !rows.is_empty() {
                assert_eq!(resume(folder).expect("its own rows"), rows);
            }
        }
    });
}
