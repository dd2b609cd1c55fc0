//! A saved proof as a file.
//!
//! ```text
//!  0  14 bytes  "untumble proof"
//! 14  u16       format of the file
//! 16  u64       length of the contents
//! 24  u32       checksum of the contents, CRC-32
//! 28            the contents
//! ```
//!
//! The contents are encoded as [`crate::encoding`] describes, texts as bytes after their number; the pass that was
//! interrupted is a message of that encoding after its length. A proof takes a few kilobytes.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{CheckpointStore, Proof, Saved, SearchId};
use crate::draft::{self, Draft};
use crate::encoding::{DecodeError, Decoder, Encoder, decode_pass_result, encode_pass_result};
use crate::report::{Counts, Iteration};

const MAGIC: [u8; 14] = *b"untumble proof";
const FORMAT: u16 = 3;
/// Where the contents begin.
const HEADER: usize = 28;

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It does not begin like a saved proof.
    Foreign,
    /// It is written in another format.
    Format(u16),
    /// Its pass is in another version of [`crate::encoding`].
    Encoding(u8),
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
            Flaw::Encoding(found) => {
                let known = crate::encoding::VERSION;
                write!(f, "a checkpoint in encoding {found}, and this program reads encoding {known}")
            }
            Flaw::Damaged => f.write_str("a damaged checkpoint"),
            Flaw::Unreadable(why) => f.write_str(why),
        }
    }
}

impl From<DecodeError> for Flaw {
    fn from(error: DecodeError) -> Flaw {
        match error {
            DecodeError::Version { found } => Flaw::Encoding(found),
            _ => Flaw::Damaged,
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

    fn failed(&self, error: &io::Error) -> String {
        format!("{}: {error}", self.path.display())
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
        Draft::new(&self.path).map(drop).map_err(|error| self.failed(&error))
    }

    fn save(&self, saved: &Saved) -> Result<(), String> {
        draft::replace(&self.path, &encode(saved)).map_err(|error| self.failed(&error))
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
    let mut encoder = Encoder::default();
    write_saved(&mut encoder, saved);
    let contents = encoder.bytes;
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
    let mut decoder = Decoder::new(rest);
    let saved = read_saved(&mut decoder)?;
    decoder.end()?;
    Ok(saved)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Flaw> {
    let (taken, after) = rest.split_first_chunk().ok_or(Flaw::Damaged)?;
    *rest = after;
    Ok(*taken)
}

fn write_saved(encoder: &mut Encoder, saved: &Saved) {
    let Saved { search, time, earlier, proven, best, proof } = saved;
    let SearchId { run, start } = search;
    encoder.block(run.to_string().as_bytes());
    encoder.block(start.as_bytes());
    encoder.number(time.as_secs());
    encoder.number(time.subsec_nanos());
    let Counts { generated, expanded, visited, peak_open } = *earlier;
    [generated, expanded, visited, peak_open].into_iter().for_each(|count| encoder.number(count));
    encoder.number(*proven);
    encoder.paths(best.as_slice());
    let Proof { iterations, expanded, bound, pass } = proof;
    encoder.length(iterations.len());
    for &Iteration { bound, generated } in iterations {
        encoder.number(bound);
        encoder.number(generated);
    }
    encoder.number(*expanded);
    encoder.number(*bound);
    encoder.block(&encode_pass_result(pass));
}

fn read_saved(decoder: &mut Decoder<'_>) -> Result<Saved, Flaw> {
    let mut text = || String::from_utf8(decoder.block()?.to_vec()).map_err(|_| Flaw::Damaged);
    let [run, start] = [text()?, text()?];
    let search = SearchId { run: run.parse().map_err(|_| Flaw::Damaged)?, start };
    let (seconds, nanos) = (decoder.number()?, decoder.number()?);
    let time = Duration::from_secs(seconds).checked_add(Duration::from_nanos(nanos)).ok_or(Flaw::Damaged)?;
    let [generated, expanded, visited, peak_open] =
        [decoder.number()?, decoder.number()?, decoder.number()?, decoder.number()?];
    let earlier = Counts { generated, expanded, visited, peak_open };
    let proven = decoder.number()?;
    let best = decoder.paths()?.pop();
    let iterations =
        decoder.list(|decoder| Ok(Iteration { bound: decoder.number()?, generated: decoder.number()? }))?;
    let (expanded, bound) = (decoder.number()?, decoder.number()?);
    let pass = decode_pass_result(decoder.block()?)?;
    Ok(Saved { search, time, earlier, proven, best, proof: Proof { iterations, expanded, bound, pass } })
}
