//! Progress in a real terminal, tmux: what a user sees while tables are built and batches run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command as Process;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::common::EVENT_TIMEOUT;

/// A terminal of 140 columns that runs one command and then stays open.
struct Terminal {
    folder: TempDir,
    /// The socket of a tmux server of its own, which ends with the test.
    socket: String,
}

impl Terminal {
    /// Runs the program with tables in an empty folder. `$PWD` is that folder.
    #[track_caller]
    fn run(arguments: &str, prepare: impl FnOnce(&Path)) -> Terminal {
        let folder = tempfile::tempdir().expect("a folder");
        prepare(folder.path());
        let socket = folder.path().join("socket").display().to_string();
        let terminal = Terminal { folder, socket };
        let path = terminal.folder.path().display();
        let program = env!("CARGO_BIN_EXE_untumble");
        // The file `ended` appears when the program has ended.
        let command = format!(
            "cd '{path}' && UNTUMBLE_CACHE='{path}/cache' '{program}' {arguments}; \
             echo \"exit $?\"; : >ended; exec sleep 1000"
        );
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "140", "-y", "20", &command]);
        terminal
    }

    /// The output of a tmux command.
    #[track_caller]
    fn tmux(&self, arguments: &[&str]) -> String {
        let mut tmux = Process::new("tmux");
        tmux.args(["-S", &self.socket]).args(arguments);
        tmux.env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8").env_remove("TMUX");
        let output = tmux.output().expect("tmux is installed");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        assert!(output.status.success(), "tmux {arguments:?}: {}", text(output.stderr));
        text(output.stdout)
    }

    /// The different screens until the program has ended, and the last one.
    #[track_caller]
    fn screens(&self) -> Vec<String> {
        let (start, mut screens) = (Instant::now(), Vec::<String>::new());
        loop {
            let ended = self.folder.path().join("ended").exists();
            let screen = self.tmux(&["capture-pane", "-p"]);
            let screen = screen.trim_end().to_owned();
            if screens.last() != Some(&screen) {
                screens.push(screen);
            }
            if ended {
                return screens;
            }
            assert!(start.elapsed() < EVENT_TIMEOUT, "the program does not end: {:?}", screens.last());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = Process::new("tmux").args(["-S", &self.socket, "kill-server"]).output();
    }
}

/// The words between two texts.
fn between<'a>(line: &'a str, before: &str, after: &str) -> Option<&'a str> {
    line.split_once(before)?.1.split_once(after).map(|(text, _)| text)
}

/// The number in front of ` s left`.
fn seconds_left(line: &str) -> Option<u64> {
    line.split_once(" s left")?.0.rsplit(' ').next()?.parse().ok()
}

/// The share of a table rises, beside the time left. Counters of the search are on no screen meanwhile.
#[test]
fn a_table_build_shows_its_share_and_the_time_left() {
    let terminal = Terminal::run("tables build cube3 --with optimal:table=30MB", |_| {});
    let screens = terminal.screens();
    let (mut shares, mut with_time_left) = (Vec::new(), 0);
    for screen in &screens {
        let during = shares.last().is_some_and(|&share| share < 95);
        assert!(
            !during || !screen.contains("nodes"),
            "counters during the build, after {shares:?}: {screen}"
        );
        // While the state of the build is saved, that is shown.
        let Some(line) = screen.lines().find(|line| line.contains("building pruning table")) else {
            continue;
        };
        assert!(!screen.contains("nodes"), "counters beside the table: {screen}");
        assert!(line.contains(['█', '░']), "there is a bar: {line}");
        let share = between(line, "optimal-30mb: ", " %").and_then(|share| share.parse::<u64>().ok());
        shares.push(share.unwrap_or_else(|| panic!("no share: {line}")));
        with_time_left += usize::from(seconds_left(line).is_some());
    }
    let last = screens.last().expect("a screen");
    assert!(last.contains("exit 0") && !last.contains("building"), "the bar disappears: {last}");
    assert!(shares.is_sorted(), "{shares:?} fall");
    let different: BTreeSet<_> = shares.iter().collect();
    assert!(different.len() >= 10, "only {different:?} of {} screens", screens.len());
    assert!(with_time_left >= 10, "{with_time_left} of {} lines show the time left", shares.len());
}

/// The bar counts answers: each fills its part, although all lines are read at once.
#[test]
fn the_bar_of_a_batch_counts_answers() {
    const POSITIONS: usize = 300;
    // One position on a line, the next on four.
    let two = "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15\n14 7 8 2\n13 11 10 4\n9 12 5 0\n3 6 1 15\n";
    let positions = two.repeat(POSITIONS / 2);
    let terminal = Terminal::run(
        "batch 15-puzzle positions --goal blank-first --with beam:width=3000+manhattan --out answers",
        |folder| fs::write(folder.join("positions"), positions).expect("writable"),
    );
    let screens = terminal.screens();
    let mut shown = Vec::new();
    for line in screens.iter().flat_map(|screen| screen.lines()).filter(|line| line.contains("/s · ")) {
        let percent = between(line, "░ ", " %").or_else(|| between(line, "█ ", " %"));
        let percent: Option<usize> = percent.and_then(|percent| percent.trim().parse().ok());
        let answers = between(line, " % ", " answer").and_then(|text| text.trim().parse::<usize>().ok());
        let (Some(percent), Some(answers)) = (percent, answers) else { panic!("no share: {line}") };
        let exact = 100 * answers / POSITIONS;
        assert!(percent.abs_diff(exact) <= 1, "{percent} % for {answers} of {POSITIONS}: {line}");
        assert!(seconds_left(line).is_some(), "no time left: {line}");
        shown.push(percent);
    }
    assert!(shown.is_sorted() && shown.len() >= 10, "{shown:?} of {screens:?}");
    let last = screens.last().expect("a screen");
    assert!(last.contains("300 answers in") && last.contains("exit 0"), "{last}");
}
