//! Reads positions while others are solved. A separate thread reads the input, at most four chunks ahead.
//! Ctrl-C does not interrupt a blocked read, so threads that must react to Ctrl-C never read the input
//! directly.

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
use untumble_search::frontend::InputFormat;

use super::StopFlag;
use crate::encoding::Decoder;
use crate::exit::CliError;
use crate::input_text::{InputSource, prompt_on_terminal};
use crate::position_reader::{ParsedItem, PositionReader};
use crate::puzzle_set::ReaderPuzzles;

/// The size of a chunk in bytes.
const CHUNK_SIZE: usize = 1 << 18;
/// The number of chunks that are read ahead.
const MAX_CHUNKS: usize = 4;
/// The same for answers that are sent back one by one: a program may send all positions before it reads an
/// answer, and would wait forever if neither side read.
const MAX_CHUNKS_OF_STREAM: usize = 4096;
/// A longer line is not a position; it is skipped.
const MAX_LINE_BYTES: usize = 1 << 22;
/// Reading ends when this many bytes of one line have been skipped, since the input may be a device that
/// never sends a newline.
const MAX_SKIPPED_BYTES: usize = 1 << 28;
/// The interval at which a thread that waits for input polls the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The progress of reading, shared with the workers.
#[derive(Default)]
pub(crate) struct InputProgress {
    /// The number of bytes already split into lines.
    pub(crate) bytes_read: AtomicU64,
    /// The number of positions in them, invalid ones included.
    pub(crate) positions_read: AtomicU64,
    /// Whether the whole input is read.
    pub(crate) ended: AtomicBool,
    /// Whether a worker waits for input that has not arrived.
    pub(crate) waiting_for_input: AtomicBool,
}

impl InputProgress {
    /// The number of positions of an input of `size` bytes: exact once all of it is read, before that an
    /// estimate from the part that is read. `None` if there is no basis for one.
    pub(crate) fn expected_positions(&self, size: Option<u64>) -> Option<f64> {
        let (positions, bytes) = (self.positions_read.load(Relaxed), self.bytes_read.load(Relaxed));
        if self.ended.load(Relaxed) {
            return Some(positions as f64);
        }
        let size = size.filter(|_| positions > 0 && bytes > 0)?;
        Some(positions as f64 * (size as f64 / bytes as f64).max(1.0))
    }
}

/// The positions of a file or of standard input, one after the other.
pub(crate) struct Input<'a> {
    pub(crate) source: InputSource,
    /// The size in bytes, if known.
    pub(crate) size: Option<u64>,
    pub(crate) progress: Arc<InputProgress>,
    chunks: Receiver<io::Result<Vec<u8>>>,
    decoder: Decoder,
    reader: PositionReader<'a>,
    /// The decoded text; the bytes before `offset` are already split into lines.
    text: Vec<u8>,
    offset: usize,
    /// The number of bytes skipped of a line that is too long; `None` outside such a line.
    skipped: Option<usize>,
    /// Positions, and errors in place of invalid ones, that are parsed but not yet returned.
    items: VecDeque<ParsedItem>,
    ended: bool,
    /// The error that ended reading before the end of the text.
    error: Option<String>,
}

/// The time to wait for input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wait {
    /// Until input arrives or the stop flag is set.
    Forever,
    /// Like `Forever`, but with a deadline.
    Until(Instant),
    /// No waiting.
    Never,
}

impl<'a> Input<'a> {
    /// Starts reading a file; `-` is standard input.
    pub(crate) fn open(
        path: &Path,
        puzzles: impl Into<ReaderPuzzles<'a>>,
        format: &'a InputFormat,
    ) -> Result<Input<'a>, CliError> {
        if path == Path::new("-") {
            prompt_on_terminal();
            let chunks = read_ahead(io::stdin(), MAX_CHUNKS)?;
            return Ok(Input::new(InputSource::StandardInput, None, chunks, puzzles, format));
        }
        let unreadable = |error: io::Error| CliError::usage(format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(CliError::usage(format!("{} is a folder, not a file of positions", path.display())));
        }
        let size = metadata.is_file().then_some(metadata.len());
        Ok(Input::new(
            InputSource::File(path.to_owned()),
            size,
            read_ahead(file, MAX_CHUNKS)?,
            puzzles,
            format,
        ))
    }

    /// Starts reading standard input far ahead, for answers that are sent back one by one.
    pub(crate) fn open_stream(
        puzzles: impl Into<ReaderPuzzles<'a>>,
        format: &'a InputFormat,
    ) -> Result<Input<'a>, CliError> {
        prompt_on_terminal();
        let chunks = read_ahead(io::stdin(), MAX_CHUNKS_OF_STREAM)?;
        Ok(Input::new(InputSource::StandardInput, None, chunks, puzzles, format))
    }

    fn new(
        source: InputSource,
        size: Option<u64>,
        chunks: Receiver<io::Result<Vec<u8>>>,
        puzzles: impl Into<ReaderPuzzles<'a>>,
        format: &'a InputFormat,
    ) -> Input<'a> {
        Input {
            source,
            size,
            progress: Arc::default(),
            chunks,
            decoder: Decoder::default(),
            reader: PositionReader::new(puzzles, format),
            text: Vec::new(),
            offset: 0,
            skipped: None,
            items: VecDeque::new(),
            ended: false,
            error: None,
        }
    }

    /// The next position; `None` at the end of the input or after a stop.
    pub(crate) fn next(&mut self, stop_flag: &StopFlag) -> Option<ParsedItem> {
        self.fill(1, Wait::Forever, stop_flag);
        self.items.pop_front()
    }

    /// The number of positions left; `None` if there are `limit` or more, or if the end of the input has not
    /// been reached. For a file, waits until `limit` positions are parsed or the file ends; for a pipe, takes
    /// only what has already arrived.
    pub(crate) fn remaining(&mut self, limit: usize, stop_flag: &StopFlag) -> Option<usize> {
        let wait = if self.size.is_some() { Wait::Forever } else { Wait::Never };
        self.fill(limit, wait, stop_flag);
        self.known_remaining(limit)
    }

    /// Like [`Self::remaining`], but waits up to `time` for a pipe.
    pub(crate) fn remaining_within(
        &mut self,
        limit: usize,
        time: Duration,
        stop_flag: &StopFlag,
    ) -> Option<usize> {
        let wait = if self.size.is_some() { Wait::Forever } else { Wait::Until(Instant::now() + time) };
        self.fill(limit, wait, stop_flag);
        self.known_remaining(limit)
    }

    fn known_remaining(&self, limit: usize) -> Option<usize> {
        (self.ended && self.items.len() < limit).then_some(self.items.len())
    }

    /// The next position, if it is already parsed.
    pub(crate) fn peek(&self) -> Option<&ParsedItem> {
        self.items.front()
    }

    /// The number of positions parsed and not yet returned.
    pub(crate) fn parsed_ahead(&self) -> usize {
        self.items.len()
    }

    /// The number of valid positions parsed and not yet returned.
    pub(crate) fn valid_ahead(&self) -> usize {
        self.items.iter().filter(|item| item.result.is_ok()).count()
    }

    /// The error that ended reading before the end of the text. The first call takes it.
    pub(crate) fn read_error(&mut self) -> Option<CliError> {
        let error = self.error.take()?;
        Some(CliError::environment(format!("{}: {error}", self.source.name())))
    }

    /// Reads until `count` positions are parsed.
    fn fill(&mut self, count: usize, wait: Wait, stop_flag: &StopFlag) {
        while self.items.len() < count && !self.ended {
            let parsed = self.items.len();
            // `receive` checks the stop flag only when it has to wait. A fast input gives it no reason to
            // wait while a long line is skipped, so the flag is checked here.
            if self.skipped.is_some() && stop_flag.is_set() {
                return;
            }
            let received = self.split_line() || self.receive(wait, stop_flag);
            self.progress.positions_read.fetch_add((self.items.len() - parsed) as u64, Relaxed);
            if !received {
                return;
            }
        }
        self.progress.ended.store(self.ended, Relaxed);
    }

    /// Passes the next line to the reader; false if no whole line is left.
    fn split_line(&mut self) -> bool {
        let unread = &self.text[self.offset..];
        let Some(length) = unread.iter().position(|&byte| byte == b'\n') else { return false };
        match self.skipped.take() {
            None if length > MAX_LINE_BYTES => self.reject_line(),
            None => self.reader.read_line(&unread[..length], &mut self.items),
            Some(_) => {}
        }
        self.advance(length + 1);
        if self.reader.too_many_errors() {
            self.ended = true;
        }
        true
    }

    fn advance(&mut self, bytes: usize) {
        self.offset += bytes;
        self.progress.bytes_read.fetch_add(bytes as u64, Relaxed);
    }

    /// Receives a chunk, an error or the end of the input; false if nothing arrived in time.
    fn receive(&mut self, wait: Wait, stop_flag: &StopFlag) -> bool {
        let chunk = match self.chunks.try_recv() {
            Ok(chunk) => chunk,
            Err(TryRecvError::Disconnected) => return self.end(),
            Err(TryRecvError::Empty) if wait == Wait::Never => return false,
            Err(TryRecvError::Empty) => {
                self.progress.waiting_for_input.store(true, Relaxed);
                let chunk = loop {
                    match self.chunks.recv_timeout(POLL_INTERVAL) {
                        Err(RecvTimeoutError::Timeout) => {
                            let timed_out = matches!(wait, Wait::Until(end) if Instant::now() >= end);
                            if timed_out || stop_flag.is_set() {
                                self.progress.waiting_for_input.store(false, Relaxed);
                                return false;
                            }
                        }
                        Err(RecvTimeoutError::Disconnected) => break None,
                        Ok(chunk) => break Some(chunk),
                    }
                };
                self.progress.waiting_for_input.store(false, Relaxed);
                let Some(chunk) = chunk else { return self.end() };
                chunk
            }
        };
        match chunk {
            Ok(bytes) => self.append(bytes),
            Err(error) => {
                self.error = Some(error.to_string());
                self.ended = true;
            }
        }
        true
    }

    fn append(&mut self, bytes: Vec<u8>) {
        let bytes = self.decoder.decode(bytes, false);
        if self.offset == self.text.len() {
            self.text = bytes;
        } else {
            self.text.drain(..self.offset);
            self.text.extend_from_slice(&bytes);
        }
        self.offset = 0;
        if (self.skipped.is_some() || self.text.len() > MAX_LINE_BYTES) && !self.text.contains(&b'\n') {
            self.skip_text();
        }
    }

    /// Skips the text, which is a part of a line that is too long.
    fn skip_text(&mut self) {
        if self.skipped.is_none() {
            self.reject_line();
        }
        let skipped = self.skipped.unwrap_or(0) + self.text.len();
        self.skipped = Some(skipped);
        self.advance(self.text.len());
        if skipped > MAX_SKIPPED_BYTES {
            self.error = Some(format!(
                "a line is longer than {} MiB; the rest of the input is not read",
                MAX_SKIPPED_BYTES >> 20
            ));
            self.ended = true;
        }
    }

    fn reject_line(&mut self) {
        let message = format!("the line is longer than {} MiB", MAX_LINE_BYTES >> 20);
        self.reader.reject_line(Diagnostic::new("line-too-long", message), &mut self.items);
    }

    /// Parses the last line and marks the end of the input. Returns true: [`Self::receive`] received the
    /// end.
    fn end(&mut self) -> bool {
        let last = self.decoder.decode(Vec::new(), true);
        self.text.extend_from_slice(&last);
        if self.offset < self.text.len() {
            if self.skipped.is_none() {
                self.reader.read_line(&self.text[self.offset..], &mut self.items);
            }
            self.advance(self.text.len() - self.offset);
        }
        self.reader.finish(&mut self.items);
        self.ended = true;
        true
    }
}

/// Reads on a separate thread, which ends with the input or when the receiver is dropped.
fn read_ahead(
    reader: impl Read + Send + 'static,
    max_chunks: usize,
) -> Result<Receiver<io::Result<Vec<u8>>>, CliError> {
    let (sender, chunks) = sync_channel(max_chunks);
    thread::Builder::new()
        .name("reader".into())
        .spawn(move || read_chunks(reader, &sender))
        .map_err(|error| CliError::environment(format!("cannot start the reader thread: {error}")))?;
    Ok(chunks)
}

fn read_chunks(mut reader: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK_SIZE];
        let read = match reader.read(&mut chunk) {
            Ok(0) => return,
            Ok(count) => {
                chunk.truncate(count);
                chunk.shrink_to_fit();
                Ok(chunk)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if sender.send(read).is_err() || failed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input_text::InputText;
    use std::io::Cursor;
    use untumble_puzzles::catalog::{self, PuzzleSettings};

    /// A reader that returns at most the given number of bytes at a time.
    struct SlowReader(Cursor<Vec<u8>>, usize);

    impl Read for SlowReader {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(into.len());
            self.0.read(&mut into[..length])
        }
    }

    #[test]
    fn chunks_give_the_same_positions_as_the_whole_text() {
        let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle");
        let format = InputFormat::default();
        let text = "# boards\r\n3\r\n1 2 3\r\n4 5 6\r\n7 0 8\r\nnonsense\n\n\
                    1 2 3\n4 5 6\n123456708\n8 6 7 2 5 4 3 0 1";
        let show = |item: ParsedItem| (item.line, item.result.map(|position| puzzle.text(&position)));
        let whole: Vec<_> =
            InputText::from_bytes(text.as_bytes()).positions(&*puzzle, &format).map(show).collect();
        assert_eq!(whole.len(), 5, "{whole:?}");
        for length in [1, 2, 3, 7, 10_000] {
            let reader = SlowReader(Cursor::new(text.as_bytes().to_vec()), length);
            let chunks = read_ahead(reader, MAX_CHUNKS).expect("a thread");
            let mut input = Input::new(InputSource::StandardInput, None, chunks, &*puzzle, &format);
            let stop_flag = StopFlag::default();
            let chunked: Vec<_> = std::iter::from_fn(|| input.next(&stop_flag)).map(show).collect();
            assert_eq!(chunked, whole, "chunks of {length} bytes");
            assert_eq!(input.progress.bytes_read.load(Relaxed), text.len() as u64);
            assert_eq!(input.progress.expected_positions(None), Some(5.0));
            assert_eq!(input.remaining(10, &stop_flag), Some(0));
        }
    }

    /// A position on one line, the next on three: the estimate follows the density of the part
    /// that is read, and ends with the exact number.
    #[test]
    fn the_number_of_positions_is_estimated_and_then_exact() {
        let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle");
        let format = InputFormat::default();
        let text = "8 6 7 2 5 4 3 0 1\n1 2 3\n4 5 6\n7 0 8\n".repeat(100);
        let size = Some(text.len() as u64);
        let chunks = read_ahead(Cursor::new(text.clone().into_bytes()), MAX_CHUNKS).expect("a thread");
        let mut input = Input::new(InputSource::StandardInput, size, chunks, &*puzzle, &format);
        let whole = InputText::from_bytes(text.as_bytes());
        let all = whole.positions(&*puzzle, &format).count() as f64;
        assert_eq!(input.progress.expected_positions(size), None, "nothing is read");
        let stop_flag = StopFlag::default();
        let mut answered = 0.0;
        while input.next(&stop_flag).is_some() {
            answered += 1.0;
            let expected = input.progress.expected_positions(size).expect("some lines are read");
            assert!(answered <= expected, "{answered} answers of {expected}");
            if answered > 10.0 {
                assert!((expected / all - 1.0).abs() < 0.2, "{expected} of {all} after {answered}");
            }
        }
        assert_eq!((answered, input.progress.expected_positions(size)), (all, Some(all)));
    }

    #[test]
    fn an_endless_line_is_rejected_and_ends_the_input() {
        let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle");
        let format = InputFormat::default();
        let chunks = read_ahead(io::repeat(b'1'), MAX_CHUNKS).expect("a thread");
        let mut input = Input::new(InputSource::StandardInput, None, chunks, &*puzzle, &format);
        let stop_flag = StopFlag::default();
        let item = input.next(&stop_flag).expect("an invalid line");
        assert!(item.result.is_err_and(|invalid| invalid.message.contains("longer than 4 MiB")));
        assert!(input.next(&stop_flag).is_none());
        let error = input.read_error().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("longer than 256 MiB")));
    }

    /// The lines before and after a line that is too long keep their numbers and results.
    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle");
        let format = InputFormat::default();
        for (before, length, outcomes) in [
            ("123456708\n", MAX_LINE_BYTES + 1, &[(1, true), (2, false), (3, true)][..]),
            ("123456708\n", 5 * MAX_LINE_BYTES, &[(1, true), (2, false), (3, true)]),
            ("1 2 3\n4 5 6\n", MAX_LINE_BYTES + 1, &[(1, false), (3, false), (4, true)]),
        ] {
            let text = format!("{before}{}\n123456780\n", "1".repeat(length));
            for chunk in [CHUNK_SIZE, usize::MAX] {
                let reader = SlowReader(Cursor::new(text.clone().into_bytes()), chunk);
                let chunks = read_ahead(reader, MAX_CHUNKS).expect("a thread");
                let mut input = Input::new(InputSource::StandardInput, None, chunks, &*puzzle, &format);
                let stop_flag = StopFlag::default();
                let items: Vec<(usize, bool)> = std::iter::from_fn(|| input.next(&stop_flag))
                    .map(|item| (item.line, item.result.is_ok()))
                    .collect();
                assert_eq!(items, outcomes, "{length} bytes");
                assert_eq!(input.progress.bytes_read.load(Relaxed), text.len() as u64);
                assert!(input.read_error().is_none());
            }
        }
    }
}
