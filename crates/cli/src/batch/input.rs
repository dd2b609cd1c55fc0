//! Positions read while others are solved. A thread of its own reads ahead, a few
//! pieces at most, so that nobody else ever waits where Ctrl-C does not reach.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use untumble_search::error::Diagnostic;
use untumble_search::frontend::{DynPuzzle, InputFormat};

use super::Alarm;
use crate::encoding::Decoder;
use crate::exit::CliError;
use crate::reading::{self, Cutter, Item, Source};

/// What is read at once.
const PIECE: usize = 1 << 18;
/// So many pieces may wait.
const PIECES: usize = 4;
/// A longer line is no position; a device that never ends its line is no file.
const MOST_LINE: usize = 1 << 22;
/// How soon a thread that waits for input sees that everybody is to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// How far the input was read, for everybody to see.
#[derive(Default)]
pub(crate) struct Gauge {
    /// Bytes cut into lines.
    pub(crate) read: AtomicU64,
    /// Whether somebody waits for input that has not come yet.
    pub(crate) dry: AtomicBool,
}

/// The positions of a file or of standard input, one after the other.
pub(crate) struct Input<'a> {
    pub(crate) source: Source,
    /// Bytes in all, where that is known.
    pub(crate) size: Option<u64>,
    pub(crate) gauge: Arc<Gauge>,
    pieces: Receiver<io::Result<Vec<u8>>>,
    decoder: Decoder,
    cutter: Cutter<'a>,
    /// What was read; lines before `cut` are done with.
    text: Vec<u8>,
    cut: usize,
    items: VecDeque<Item>,
    ended: bool,
    /// Why reading ended before the text did.
    failure: Option<String>,
}

/// How long to wait for input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wait {
    /// Until it comes, or everybody is to stop.
    Patiently,
    /// Until then.
    Until(Instant),
    /// Not at all.
    Not,
}

impl<'a> Input<'a> {
    /// Begins to read a file, or standard input where that is called `-`.
    pub(crate) fn open(
        path: &Path,
        puzzle: &'a dyn DynPuzzle,
        form: &'a InputFormat,
    ) -> Result<Input<'a>, CliError> {
        if path == Path::new("-") {
            reading::await_typing();
            let pieces = read_ahead(io::stdin())?;
            return Ok(Input::new(Source::StandardInput, None, pieces, puzzle, form));
        }
        let wrong = |error: io::Error| CliError::usage(format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(wrong)?;
        let about = file.metadata().map_err(wrong)?;
        if about.is_dir() {
            return Err(CliError::usage(format!("{}: a folder, not a file of positions", path.display())));
        }
        let size = about.is_file().then_some(about.len());
        Ok(Input::new(Source::File(path.to_owned()), size, read_ahead(file)?, puzzle, form))
    }

    fn new(
        source: Source,
        size: Option<u64>,
        pieces: Receiver<io::Result<Vec<u8>>>,
        puzzle: &'a dyn DynPuzzle,
        form: &'a InputFormat,
    ) -> Input<'a> {
        Input {
            source,
            size,
            gauge: Arc::default(),
            pieces,
            decoder: Decoder::default(),
            cutter: Cutter::new(puzzle, form),
            text: Vec::new(),
            cut: 0,
            items: VecDeque::new(),
            ended: false,
            failure: None,
        }
    }

    /// The next position; `None` at the end or when everybody is to stop.
    pub(crate) fn next(&mut self, alarm: &Alarm) -> Option<Item> {
        self.fill(1, Wait::Patiently, alarm);
        self.items.pop_front()
    }

    /// How many positions follow, where that is known and they are fewer than `most`. Waits for files, which never
    /// keep one waiting, and not for pipes.
    pub(crate) fn left(&mut self, most: usize, alarm: &Alarm) -> Option<usize> {
        let wait = if self.size.is_some() { Wait::Patiently } else { Wait::Not };
        self.fill(most, wait, alarm);
        self.known(most)
    }

    /// The same, where a pipe is given some time.
    pub(crate) fn left_within(&mut self, most: usize, time: Duration, alarm: &Alarm) -> Option<usize> {
        let wait = if self.size.is_some() { Wait::Patiently } else { Wait::Until(Instant::now() + time) };
        self.fill(most, wait, alarm);
        self.known(most)
    }

    fn known(&self, most: usize) -> Option<usize> {
        (self.ended && self.items.len() < most).then_some(self.items.len())
    }

    /// The position that comes next, where it was already read.
    pub(crate) fn peek(&self) -> Option<&Item> {
        self.items.front()
    }

    /// How many positions were read and not yet taken.
    pub(crate) fn read(&self) -> usize {
        self.items.len()
    }

    /// Why reading ended before the text did, told once.
    pub(crate) fn failure(&mut self) -> Option<CliError> {
        let why = self.failure.take()?;
        Some(CliError::environment(format!("{}: {why}", self.source.name())))
    }

    /// Reads until there are `wanted` positions.
    fn fill(&mut self, wanted: usize, wait: Wait, alarm: &Alarm) {
        while self.items.len() < wanted && !self.ended {
            if !self.cut_line() && !self.receive(wait, alarm) {
                return;
            }
        }
    }

    /// Cuts a line off the text; false where there is no whole one.
    fn cut_line(&mut self) -> bool {
        let rest = &self.text[self.cut..];
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else { return false };
        self.cutter.line(&rest[..length], &mut self.items);
        self.advance(length + 1);
        if self.cutter.given_up() {
            self.ended = true;
        }
        true
    }

    fn advance(&mut self, bytes: usize) {
        self.cut += bytes;
        self.gauge.read.fetch_add(bytes as u64, Relaxed);
    }

    /// Waits for more text; false where none has come.
    fn receive(&mut self, wait: Wait, alarm: &Alarm) -> bool {
        let piece = match self.pieces.try_recv() {
            Ok(piece) => piece,
            Err(TryRecvError::Disconnected) => return self.end(),
            Err(TryRecvError::Empty) if wait == Wait::Not => return false,
            Err(TryRecvError::Empty) => {
                self.gauge.dry.store(true, Relaxed);
                let piece = loop {
                    match self.pieces.recv_timeout(GLANCE) {
                        Err(RecvTimeoutError::Timeout) => {
                            let late = matches!(wait, Wait::Until(end) if Instant::now() >= end);
                            if late || alarm.raised() {
                                return false;
                            }
                        }
                        Err(RecvTimeoutError::Disconnected) => break None,
                        Ok(piece) => break Some(piece),
                    }
                };
                self.gauge.dry.store(false, Relaxed);
                let Some(piece) = piece else { return self.end() };
                piece
            }
        };
        match piece {
            Ok(bytes) => self.append(bytes),
            Err(error) => {
                self.failure = Some(error.to_string());
                self.ended = true;
            }
        }
        true
    }

    fn append(&mut self, bytes: Vec<u8>) {
        let bytes = self.decoder.decode(bytes, false);
        if self.cut == self.text.len() {
            self.text = bytes;
        } else {
            self.text.drain(..self.cut);
            self.text.extend_from_slice(&bytes);
        }
        self.cut = 0;
        if self.text.len() > MOST_LINE && !self.text.contains(&b'\n') {
            let why = format!("the line is longer than {} MiB; the rest was not read", MOST_LINE >> 20);
            self.cutter.refuse(Diagnostic::new("line-too-long", why), &mut self.items);
            self.ended = true;
        }
    }

    /// Reads what the last line holds.
    fn end(&mut self) -> bool {
        let last = self.decoder.decode(Vec::new(), true);
        self.text.extend_from_slice(&last);
        if self.cut < self.text.len() {
            self.cutter.line(&self.text[self.cut..], &mut self.items);
            self.advance(self.text.len() - self.cut);
        }
        self.cutter.finish(&mut self.items);
        self.ended = true;
        true
    }
}

/// Reads on a thread of its own, which ends with the input or when nobody listens any more.
fn read_ahead(reader: impl Read + Send + 'static) -> Result<Receiver<io::Result<Vec<u8>>>, CliError> {
    let (to, pieces) = sync_channel(PIECES);
    thread::Builder::new()
        .name("reader".into())
        .spawn(move || read_pieces(reader, &to))
        .map_err(|error| CliError::environment(format!("no thread to read with: {error}")))?;
    Ok(pieces)
}

fn read_pieces(mut reader: impl Read, to: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut piece = vec![0; PIECE];
        let read = match reader.read(&mut piece) {
            Ok(0) => return,
            Ok(count) => {
                piece.truncate(count);
                Ok(piece)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if to.send(read).is_err() || failed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Text;
    use std::io::Cursor;
    use untumble_puzzles::catalog::{self, Settings};

    /// A reader that gives a few bytes at a time.
    struct Drops(Cursor<Vec<u8>>, usize);

    impl Read for Drops {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(into.len());
            self.0.read(&mut into[..most])
        }
    }

    #[test]
    fn pieces_are_cut_like_the_whole_text() {
        let puzzle = catalog::open("8-puzzle", &Settings::default()).expect("a known puzzle");
        let form = InputFormat::default();
        let text = "# boards\r\n3\r\n1 2 3\r\n4 5 6\r\n7 0 8\r\nnonsense\n\n1 2 3\n4 5 6\n123456708\n8 6 7 2 5 4 3 0 1";
        let show = |item: Item| (item.line, item.found.map(|position| puzzle.text(&position)));
        let whole: Vec<_> = Text::of_bytes(text.as_bytes()).positions(&*puzzle, &form).map(show).collect();
        assert_eq!(whole.len(), 5, "{whole:?}");
        for length in [1, 2, 3, 7, 10_000] {
            let drops = Drops(Cursor::new(text.as_bytes().to_vec()), length);
            let pieces = read_ahead(drops).expect("a thread");
            let mut input = Input::new(Source::StandardInput, None, pieces, &*puzzle, &form);
            let alarm = Alarm::default();
            let cut: Vec<_> = std::iter::from_fn(|| input.next(&alarm)).map(show).collect();
            assert_eq!(cut, whole, "in pieces of {length}");
            assert_eq!(input.gauge.read.load(Relaxed), text.len() as u64);
            assert_eq!(input.left(10, &alarm), Some(0));
        }
    }

    #[test]
    fn a_line_without_end_is_given_up() {
        let puzzle = catalog::open("8-puzzle", &Settings::default()).expect("a known puzzle");
        let form = InputFormat::default();
        let pieces = read_ahead(io::repeat(b'1')).expect("a thread");
        let mut input = Input::new(Source::StandardInput, None, pieces, &*puzzle, &form);
        let alarm = Alarm::default();
        let item = input.next(&alarm).expect("a refusal");
        assert!(item.found.is_err_and(|bad| bad.message.contains("longer than 4 MiB")));
        assert!(input.next(&alarm).is_none());
    }
}
