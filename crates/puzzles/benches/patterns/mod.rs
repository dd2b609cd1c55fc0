//! Targets of pattern databases: the program builds tables in a temporary folder, loads them and solves
//! published instances.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use super::common::{self, fifteen, korf};
use super::limits::peak_resident;
use super::{TargetTable, Timed, cpu_seconds, figure};
use untumble_puzzles::tiles::Tiles;
use untumble_search::control::Control;
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;

const KORF: &str = include_str!("../../tests/golden/korf-15-puzzle.csv");
const KORF_FELNER: &str = include_str!("../../tests/golden/korf-felner-24-puzzle.csv");

/// A temporary folder, removed on drop.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static CREATED: AtomicUsize = AtomicUsize::new(0);
        let number = CREATED.fetch_add(1, Relaxed);
        let path = std::env::temp_dir().join(format!("untumble-figures-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Published instances.
struct Instances {
    /// The optimal lengths.
    lengths: Vec<u64>,
    /// A file with one board per line.
    file: PathBuf,
}

impl Instances {
    fn new(csv: &'static str, folder: &Path, name: &str) -> Instances {
        let fields = |line: &'static str| line.split(',').collect::<Vec<_>>();
        let header = fields(csv.lines().nth(1).unwrap_or(""));
        let length_column = header.iter().position(|&name| name == "optimal");
        let rows: Vec<Vec<&str>> = csv.lines().skip(2).map(fields).collect();
        let lengths = rows.iter().map(|row| row[length_column.expect("a column of lengths")].parse());
        let boards: String =
            rows.iter().filter_map(|row| row.last()).map(|board| format!("{board}\n")).collect();
        let file = folder.join(name);
        fs::write(&file, boards).expect("a file in a temporary folder");
        Instances { lengths: lengths.collect::<Result<_, _>>().expect("lengths"), file }
    }
}

/// The program with its tables in `folder`.
struct Program<'a> {
    binary: &'a str,
    folder: &'a Path,
}

impl Program<'_> {
    fn run(&self, arguments: &[&str]) -> Child {
        Command::new(self.binary)
            .args(arguments)
            .env("UNTUMBLE_CACHE", self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", self.binary))
    }

    /// Runs the program; the output is its peak memory in MB and its exit code.
    fn measure(&self, arguments: &[&str]) -> Timed<(f64, Option<i32>)> {
        let (begin, before) = (Instant::now(), cpu_seconds(CHILDREN).unwrap_or(0.0));
        let output = peak_resident(self.run(arguments));
        let wall = begin.elapsed().as_secs_f64();
        Timed { wall, cpu: cpu_seconds(CHILDREN).map_or(wall, |after| after - before), output }
    }

    /// Builds the tables of a partition; limits are in CPU seconds and MB.
    fn build(
        &self,
        table: &mut TargetTable,
        puzzle: &str,
        partition: &str,
        max_cpu: f64,
        max_memory: Option<f64>,
    ) {
        let with = format!("ida+pdb:{partition}");
        let run = self.measure(&["tables", "build", puzzle, "--goal", "blank-first", "--with", &with]);
        let (memory, code) = run.output;
        table.check(
            &format!("{partition}: build, exit"),
            "0",
            &super::limits::exit_text(code),
            code == Some(0),
        );
        table.at_most(&format!("{partition}: build, CPU"), max_cpu, run.cpu, " s");
        let name = format!("{partition}: build, memory");
        match max_memory {
            Some(max) => table.at_most(&name, max, memory, " MB"),
            None => TargetTable::note(&name, &figure(memory, " MB")),
        }
    }

    /// Solves published instances with tables loaded from disk.
    fn solve(&self, puzzle: &str, instances: &Instances, with: &str, threads: usize) -> Timed<Solved> {
        let (out, threads) = (self.folder.join("answers"), threads.to_string());
        let _ = fs::remove_file(&out);
        let (file, answers) = (instances.file.to_string_lossy(), out.to_string_lossy());
        let options = ["--goal", "blank-first", "--threads", &threads, "--with", with, "--out", &answers];
        let Timed { wall, cpu, .. } = self.measure(&[&["batch", puzzle, &file], &options[..]].concat());
        let answers = fs::read_to_string(&out).unwrap_or_default();
        let correct = answers.lines().zip(&instances.lengths).filter(|(answer, length)| {
            json_number(answer, "length") == Some(**length) && answer.contains("\"optimal\":true")
        });
        let nodes = answers.lines().filter_map(|answer| json_number(answer, "generated")).sum();
        Timed { wall, cpu, output: Solved { correct: correct.count(), nodes } }
    }

    /// The fastest of `rounds` runs on one thread; checks the lengths of all runs.
    fn fastest_run(
        &self,
        table: &mut TargetTable,
        puzzle: &str,
        instances: &Instances,
        with: &str,
        rounds: usize,
    ) -> Timed<Solved> {
        let mut runs: Vec<_> = (0..rounds).map(|_| self.solve(puzzle, instances, with, 1)).collect();
        let correct = runs.iter().map(|run| run.output.correct).min().unwrap_or(0);
        let all = instances.lengths.len();
        let name = format!("{with}: optimal lengths");
        table.check(&name, &all.to_string(), &correct.to_string(), correct == all);
        runs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
        runs.swap_remove(0)
    }
}

struct Solved {
    /// The number of instances with the published length, proven optimal.
    correct: usize,
    /// Generated nodes of all searches.
    nodes: u64,
}

/// The field of /proc/self/stat with the user time of the children that have ended; see [`cpu_seconds`].
const CHILDREN: usize = 13;

/// The first number with the key `name` in a line of JSON.
pub(crate) fn json_number(line: &str, name: &str) -> Option<u64> {
    let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Measures building and searching for the 15- and the 24-puzzle.
pub(super) fn patterns(table: &mut TargetTable, binary: &str) {
    TargetTable::heading("Pattern databases: building, loading and searching");
    let folder = Folder::new();
    let program = Program { binary, folder: &folder.0 };
    let korf_100 = Instances::new(KORF, &folder.0, "korf");
    // Partitions with the CPU seconds allowed for building and for searching.
    for (partition, build, search) in [("5-5-5", 0.5, 4.0), ("6-6-3", 4.0, 0.8), ("7-8", 120.0, 0.4)] {
        program.build(table, "15-puzzle", partition, build, None);
        let with = format!("ida+pdb:{partition}");
        let run = program.fastest_run(table, "15-puzzle", &korf_100, &with, super::ROUNDS);
        table.at_most(&format!("{with}, Korf's 100, CPU, best of 3"), search, run.cpu, " s");
        TargetTable::note("  nodes", &figure(run.output.nodes as f64 / 1e6, " M"));
    }
    let run = program.solve("15-puzzle", &korf_100, "parida+pdb:6-6-3", 2);
    let correct = run.output.correct;
    table.check(
        "parida+pdb:6-6-3 on 2 threads: optimal lengths",
        "100",
        &correct.to_string(),
        correct == 100,
    );
    TargetTable::note("  wall", &figure(run.wall, " s"));
    let korf_felner = Instances::new(KORF_FELNER, &folder.0, "korf-felner");
    program.build(table, "24-puzzle", "6-6-6-6", 200.0, Some(800.0));
    let run = program.fastest_run(table, "24-puzzle", &korf_felner, "ida+pdb:6-6-6-6", 1);
    table.at_most("ida+pdb:6-6-6-6, Korf and Felner's 25 38 40 44, CPU", 100.0, run.cpu, " s");
    TargetTable::note("  nodes", &figure(run.output.nodes as f64 / 1e6, " M"));
    TargetTable::note("  nodes/s", &figure(run.output.nodes as f64 / run.cpu / 1e6, " M/s"));
    measure_hardest(table);
}

/// Measures the ten of Korf's instances with the most nodes, on one and on two threads.
fn measure_hardest(table: &mut TargetTable) {
    let tiles = fifteen();
    let nodes =
        |id: usize| KORF.lines().nth(id + 1).and_then(|line| line.split(',').nth(3)?.parse::<u64>().ok());
    let mut instances = korf(&tiles);
    instances.sort_by_key(|instance| std::cmp::Reverse(nodes(instance.id)));
    let wall = |name: &str, threads: usize| {
        let solver = specialized_solver(&tiles, name);
        let run = super::timed(|| {
            for instance in &instances[..10] {
                let report = solver.solve(&tiles, &[instance.board], &common::control(threads, None));
                let cost = report.best.map(|best| best.cost);
                assert_eq!(cost, Some(instance.optimal), "instance {}", instance.id);
            }
        });
        run.wall
    };
    let (one, two) = (wall("ida+manhattan", 1), wall("parida+manhattan", 2));
    TargetTable::note("ida+manhattan, Korf's ten hardest, wall", &figure(one, " s"));
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return;
    }
    let possible = super::independent_speedup();
    TargetTable::note("  two independent threads on this machine", &figure(possible, "×"));
    table.at_least("  parida+manhattan on 2 threads", 1.7, one / two, "×");
}

/// The solver that the program uses, with the specialisations for 4x4 boards.
fn specialized_solver(tiles: &Tiles<u64>, name: &str) -> Box<dyn Solver<Tiles<u64>>> {
    tiles.solver(name, &Runtime::default(), &Control::default()).expect(name).solver
}
