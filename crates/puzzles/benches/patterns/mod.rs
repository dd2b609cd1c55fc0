//! Pattern databases, seen from outside: the program builds tables into a folder of its own, reads them again and searches with them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use super::common::{self, fifteen, korf};
use super::{Table, Timed, figure, most_resident, ticks_of};
use untumble_puzzles::tiles::Tiles;
use untumble_search::control::Control;
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;

const KORF: &str = include_str!("../../tests/golden/korf-15-puzzle.csv");
const KORF_FELNER: &str = include_str!("../../tests/golden/korf-felner-24-puzzle.csv");

/// A folder that is removed in the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Relaxed);
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

/// Published instances: their lengths, and one board a line.
struct Instances {
    lengths: Vec<u64>,
    file: PathBuf,
}

impl Instances {
    fn new(csv: &'static str, folder: &Path, name: &str) -> Instances {
        let fields = |line: &'static str| line.split(',').collect::<Vec<_>>();
        let length = fields(csv.lines().nth(1).unwrap_or("")).iter().position(|&name| name == "optimal");
        let rows: Vec<Vec<&str>> = csv.lines().skip(2).map(fields).collect();
        let lengths = rows.iter().map(|row| row[length.expect("a column of lengths")].parse());
        let boards: String =
            rows.iter().filter_map(|row| row.last()).map(|board| format!("{board}\n")).collect();
        let file = folder.join(name);
        fs::write(&file, boards).expect("a file in a temporary folder");
        Instances { lengths: lengths.collect::<Result<_, _>>().expect("lengths"), file }
    }
}

/// The program with tables in a folder of its own.
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

    /// The CPU seconds it took, the most memory it had, and how it ended.
    fn measured(&self, arguments: &[&str]) -> Timed<(f64, Option<i32>)> {
        let (begun, before) = (Instant::now(), ticks_of(CHILDREN).unwrap_or(0.0));
        let got = most_resident(self.run(arguments));
        let wall = begun.elapsed().as_secs_f64();
        Timed { wall, cpu: ticks_of(CHILDREN).map_or(wall, |after| after - before), got }
    }

    /// Builds the tables of a partition.
    fn build(
        &self,
        table: &mut Table,
        puzzle: &str,
        partition: &str,
        most_cpu: f64,
        most_memory: Option<f64>,
    ) {
        let with = format!("ida+pdb:{partition}");
        let run = self.measured(&["tables", "build", puzzle, "--goal", "blank-first", "--with", &with]);
        let (memory, code) = run.got;
        table.line(&format!("{partition}: build, exit"), "0", &super::shown(code), code == Some(0));
        table.at_most(&format!("{partition}: build, CPU"), most_cpu, run.cpu, " s");
        let what = format!("{partition}: build, memory");
        match most_memory {
            Some(most) => table.at_most(&what, most, memory, " MB"),
            None => Table::note(&what, &figure(memory, " MB")),
        }
    }

    /// Solves published instances, tables read from disk, and compares their lengths.
    fn solve(&self, puzzle: &str, instances: &Instances, with: &str, threads: usize) -> Timed<Solved> {
        let (out, threads) = (self.folder.join("answers"), threads.to_string());
        let _ = fs::remove_file(&out);
        let (file, answers) = (instances.file.to_string_lossy(), out.to_string_lossy());
        let options = ["--goal", "blank-first", "--threads", &threads, "--with", with, "--out", &answers];
        let Timed { wall, cpu, .. } = self.measured(&[&["batch", puzzle, &file], &options[..]].concat());
        let answers = fs::read_to_string(&out).unwrap_or_default();
        let right = answers.lines().zip(&instances.lengths).filter(|(answer, length)| {
            number(answer, "length") == Some(**length) && answer.contains("\"optimal\":true")
        });
        let nodes = answers.lines().filter_map(|answer| number(answer, "generated")).sum();
        Timed { wall, cpu, got: Solved { right: right.count(), nodes } }
    }

    /// The same so many times; gives the run that took least.
    fn best(
        &self,
        table: &mut Table,
        puzzle: &str,
        instances: &Instances,
        with: &str,
        rounds: usize,
    ) -> Timed<Solved> {
        let mut runs: Vec<_> = (0..rounds).map(|_| self.solve(puzzle, instances, with, 1)).collect();
        let right = runs.iter().map(|run| run.got.right).min().unwrap_or(0);
        let all = instances.lengths.len();
        table.line(&format!("{with}: proven lengths"), &all.to_string(), &right.to_string(), right == all);
        runs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
        runs.swap_remove(0)
    }
}

/// How many lengths are as published, and the nodes of all searches.
struct Solved {
    right: usize,
    nodes: u64,
}

/// Where /proc tells the CPU time of processes that were waited for.
const CHILDREN: usize = 13;

/// The first number of that name in a line of JSON.
pub(crate) fn number(line: &str, name: &str) -> Option<u64> {
    let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Tables, Korf's hundred, and the 24-puzzle.
pub(super) fn patterns(table: &mut Table, binary: &str) {
    Table::head("Pattern databases: tables built, read again and searched by the program");
    let folder = Folder::new();
    let program = Program { binary, folder: &folder.0 };
    let hundred = Instances::new(KORF, &folder.0, "korf");
    for (partition, build, search) in [("5-5-5", 0.5, 4.0), ("6-6-3", 4.0, 0.8), ("7-8", 120.0, 0.4)] {
        program.build(table, "15-puzzle", partition, build, None);
        let with = format!("ida+pdb:{partition}");
        let run = program.best(table, "15-puzzle", &hundred, &with, super::ROUNDS);
        table.at_most(&format!("{with}, Korf's hundred, CPU, best of 3"), search, run.cpu, " s");
        Table::note("  nodes", &figure(run.got.nodes as f64 / 1e6, " M"));
    }
    let run = program.solve("15-puzzle", &hundred, "parida+pdb:6-6-3", 2);
    table.line(
        "parida+pdb:6-6-3 on 2 threads: proven lengths",
        "100",
        &run.got.right.to_string(),
        run.got.right == 100,
    );
    Table::note("  wall", &figure(run.wall, " s"));
    let four = Instances::new(KORF_FELNER, &folder.0, "korf-felner");
    program.build(table, "24-puzzle", "6-6-6-6", 200.0, Some(800.0));
    let run = program.best(table, "24-puzzle", &four, "ida+pdb:6-6-6-6", 1);
    table.at_most("ida+pdb:6-6-6-6, Korf and Felner's 25 38 40 44, CPU", 100.0, run.cpu, " s");
    Table::note("  nodes", &figure(run.got.nodes as f64 / 1e6, " M"));
    Table::note("  nodes/s", &figure(run.got.nodes as f64 / run.cpu / 1e6, " M/s"));
    hardest(table);
}

/// The ten of Korf's instances that take longest, on two threads and on one.
fn hardest(table: &mut Table) {
    let tiles = fifteen();
    let nodes =
        |id: usize| KORF.lines().nth(id + 1).and_then(|line| line.split(',').nth(3)?.parse::<u64>().ok());
    let mut instances = korf(&tiles);
    instances.sort_by_key(|instance| std::cmp::Reverse(nodes(instance.id)));
    let wall = |name: &str, threads: usize| {
        let solver = own(&tiles, name);
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
    Table::note("ida+manhattan, Korf's ten hardest, wall", &figure(one, " s"));
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return;
    }
    Table::note(
        "  what the machine gives two threads that share nothing",
        &figure(super::two_at_once(), "×"),
    );
    table.at_least("  parida+manhattan on 2 threads", 1.7, one / two, "×");
}

/// The solver of a name as the program makes it: the 15-puzzle's own where it has one.
fn own(tiles: &Tiles<u64>, name: &str) -> Box<dyn Solver<Tiles<u64>>> {
    tiles.solver(name, &Runtime::default(), &Control::default()).expect(name).solver
}
