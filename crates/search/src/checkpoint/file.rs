//! A saved proof as a file.
//!
//! ```text
//!  0  14 bytes  "untumble proof"
//! 14  u16       format of the file
//! 16  u64       length of the contents
//! 24  u32       checksum of the contents, CRC-32
//! 28            the contents: numbers seven bits a byte, least first; texts and paths after their length
//! ```
//!
//! The subtrees of a proof lie along few branches, so a path is what it shares with the one before and the rest:
//! a proof takes a few kilobytes.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{CheckpointStore, Proof, Saved, Search};
use crate::bounded_dfs::{PassResult, Subtree};
use crate::draft::{self, Draft};
use crate::moves::{Move, MoveSet256};
use crate::report::{Counts, Iteration};

const MAGIC: [u8; 14] = *b"untumble proof";
const FORMAT: u16 = 2;
/// Where the contents begin.
const HEADER: usize = 28;

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It does not begin like a saved proof.
    Foreign,
    /// It is written in another format.
    Format(u16),
    /// It is not as it was written.
    Damaged,
    /// The system cannot read it.
    Unreadable(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Foreign => f.write_str("not a checkpoint of untumble"),
            Flaw::Format(found) => {
                write!(f, "a checkpoint in format {found}, and this program reads format {FORMAT}")
            }
            Flaw::Damaged => f.write_str("a damaged checkpoint"),
            Flaw::Unreadable(why) => f.write_str(why),
        }
    }
}

/// A file that keeps a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofFile {
    path: PathBuf,
}

impl ProofFile {
    /// The file of this name, and what is in it if it is there. Drafts that a killed process left are removed.
    pub fn open(path: &Path) -> Result<(ProofFile, Option<Saved>), Flaw> {
        let file = ProofFile { path: path.to_owned() };
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        draft::clear(file.folder(), |name| Some(name) == stem);
        match read(path) {
            Ok(bytes) => Ok((file, Some(decode(&bytes)?))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok((file, None)),
            Err(error) => Err(Flaw::Unreadable(error.to_string())),
        }
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder it is in.
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    /// Removes it. One that is not there is as good as removed.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl CheckpointStore for ProofFile {
    fn check_writable(&self) -> Result<(), String> {
        Draft::new(&self.path).map(drop).map_err(|error| error.to_string())
    }

    fn save(&self, saved: &Saved) -> Result<(), String> {
        let at = |error: io::Error| format!("{}: {error}", self.path.display());
        let mut draft = Draft::new(&self.path).map_err(|error| error.to_string())?;
        draft.file.write_all(&encode(saved)).and_then(|()| draft.file.sync_all()).map_err(at)?;
        draft.publish().map_err(at)
    }
}

/// The bytes of a file, or only the first of them where they are none of ours: it may be a film.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a file that can be read again"));
    }
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == MAGIC {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The bytes of a file.
pub fn encode(saved: &Saved) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.saved(saved);
    let Writer { bytes: contents, .. } = writer;
    let mut bytes = Vec::with_capacity(HEADER + contents.len());
    bytes.extend(MAGIC);
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend((contents.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&contents).to_le_bytes());
    bytes.extend(contents);
    bytes
}

/// What the bytes of a file say, if every one of them is as it was written.
pub fn decode(bytes: &[u8]) -> Result<Saved, Flaw> {
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] || bytes.is_empty() {
        return Err(Flaw::Foreign);
    }
    let mut rest = bytes.get(MAGIC.len()..).ok_or(Flaw::Damaged)?;
    let format = u16::from_le_bytes(take(&mut rest)?);
    if format != FORMAT {
        return Err(Flaw::Format(format));
    }
    let length = u64::from_le_bytes(take(&mut rest)?);
    let checksum = u32::from_le_bytes(take(&mut rest)?);
    if rest.len() as u64 != length || crc32fast::hash(rest) != checksum {
        return Err(Flaw::Damaged);
    }
    let mut reader = Reader { rest, path: Vec::new() };
    let saved = reader.saved().ok_or(Flaw::Damaged)?;
    if reader.rest.is_empty() { Ok(saved) } else { Err(Flaw::Damaged) }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Flaw> {
    let (taken, after) = rest.split_first_chunk().ok_or(Flaw::Damaged)?;
    *rest = after;
    Ok(*taken)
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    /// The path written last.
    path: Vec<Move>,
}

impl Writer {
    fn number(&mut self, number: impl Into<u64>) {
        let mut number = number.into();
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.bytes.extend(text.as_bytes());
    }

    fn path(&mut self, path: &[Move]) {
        let shared = self.path.iter().zip(path).take_while(|(a, b)| a == b).count();
        self.length(shared);
        self.length(path.len() - shared);
        self.bytes.extend(path[shared..].iter().map(|m| m.0));
        self.path.clear();
        self.path.extend_from_slice(path);
    }

    fn paths(&mut self, paths: &[Vec<Move>]) {
        self.length(paths.len());
        paths.iter().for_each(|path| self.path(path));
    }

    fn saved(&mut self, saved: &Saved) {
        let Saved { search, time, earlier, proven, best, proof } = saved;
        let Search { puzzle, goal, start, solver, all } = search;
        [puzzle, goal, start, solver].into_iter().for_each(|text| self.text(text));
        self.number(*all);
        self.number(time.as_secs());
        self.number(time.subsec_nanos());
        let Counts { generated, expanded, visited, peak_open } = *earlier;
        [generated, expanded, visited, peak_open].into_iter().for_each(|count| self.number(count));
        self.number(*proven);
        self.paths(best.as_slice());
        let Proof { iterations, expanded, bound, pass } = proof;
        self.length(iterations.len());
        for &Iteration { bound, generated } in iterations {
            self.number(bound);
            self.number(generated);
        }
        self.number(*expanded);
        self.number(*bound);
        let PassResult { next, nodes, expanded, found, rest } = pass;
        self.number(*next);
        self.number(*nodes);
        self.number(*expanded);
        self.paths(found);
        self.length(rest.len());
        for Subtree { root, path, untried } in rest {
            self.number(*root);
            self.path(path);
            untried.words().into_iter().for_each(|word| self.number(word));
        }
    }
}

/// Reads what [`Writer`] wrote; `None` wherever that cannot be.
struct Reader<'a> {
    rest: &'a [u8],
    /// The path read last.
    path: Vec<Move>,
}

impl Reader<'_> {
    fn number<N: TryFrom<u64>>(&mut self) -> Option<N> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return N::try_from(number).ok();
            }
        }
        None
    }

    fn bytes(&mut self) -> Option<&[u8]> {
        let length = self.number()?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    fn path(&mut self) -> Option<Vec<Move>> {
        let shared = self.number()?;
        let mut path = std::mem::take(&mut self.path);
        if shared > path.len() {
            return None;
        }
        path.truncate(shared);
        let moves = self.bytes()?;
        if moves.iter().any(|&m| usize::from(m) >= Move::LIMIT) {
            return None;
        }
        path.extend(moves.iter().map(|&m| Move(m)));
        self.path.clone_from(&path);
        Some(path)
    }

    /// Any number of things, however many are promised.
    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count: u64 = self.number()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(each(self)?);
        }
        Some(list)
    }

    fn saved(&mut self) -> Option<Saved> {
        let [puzzle, goal, start, solver] = [self.text()?, self.text()?, self.text()?, self.text()?];
        let all = self.number::<u8>()? == 1;
        let search = Search { puzzle, goal, start, solver, all };
        let (seconds, nanos) = (self.number()?, self.number()?);
        let time = Duration::from_secs(seconds).checked_add(Duration::from_nanos(nanos))?;
        let [generated, expanded, visited, peak_open] =
            [self.number()?, self.number()?, self.number()?, self.number()?];
        let earlier = Counts { generated, expanded, visited, peak_open };
        let proven = self.number()?;
        let best = self.list(Self::path)?.pop();
        let proof = self.proof()?;
        Some(Saved { search, time, earlier, proven, best, proof })
    }

    fn proof(&mut self) -> Option<Proof> {
        let iterations =
            self.list(|reader| Some(Iteration { bound: reader.number()?, generated: reader.number()? }))?;
        let (expanded, bound) = (self.number()?, self.number()?);
        let pass = PassResult {
            next: self.number()?,
            nodes: self.number()?,
            expanded: self.number()?,
            found: self.list(Self::path)?,
            rest: self.list(Self::subtree)?,
        };
        Some(Proof { iterations, expanded, bound, pass })
    }

    fn subtree(&mut self) -> Option<Subtree> {
        let (root, path) = (self.number()?, self.path()?);
        let untried =
            MoveSet256::from_words([self.number()?, self.number()?, self.number()?, self.number()?]);
        Some(Subtree { root, path, untried })
    }
}
