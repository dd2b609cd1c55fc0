//! The file format of checkpoints.
//!
//! ```text
//!  0  14 bytes  "untumble proof"
//! 14  u16       format of the file
//! 16  u64       length of the contents
//! 24  u32       checksum of the contents, CRC-32
//! 28            the contents
//! ```
//!
//! The contents use the encoding of [`crate::encoding`]. A text is a length and UTF-8 bytes. The interrupted
//! pass is a length and a message of that encoding. A checkpoint takes a few kilobytes. It is written under
//! a draft name and renamed, so that a killed process leaves the old or the new file.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Checkpoint, CheckpointStore, ProofState, SearchId};
use crate::draft::{self, Draft};
use crate::encoding::{DecodeError, Decoder, Encoder, decode_pass_result, encode_pass_result};
use crate::report::{Counts, Iteration};

const MAGIC: [u8; 14] = *b"untumble proof";
const FORMAT: u16 = 3;
/// The offset of the contents.
const HEADER_LEN: usize = 28;

/// The reason why a checkpoint file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckpointError {
    /// The file does not start like a checkpoint.
    NotACheckpoint,
    /// The file has another format version.
    Format(u16),
    /// The pass has another version of [`crate::encoding`].
    Encoding(u8),
    /// The checksum or a field is wrong.
    Damaged,
    /// The operating system cannot read the file.
    Unreadable(String),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::NotACheckpoint => f.write_str("not a checkpoint of untumble"),
            CheckpointError::Format(found) => {
                write!(f, "checkpoint format {found} is not supported; this program reads format {FORMAT}")
            }
            CheckpointError::Encoding(found) => {
                let known = crate::encoding::VERSION;
                write!(f, "checkpoint encoding {found} is not supported; this program reads encoding {known}")
            }
            CheckpointError::Damaged => f.write_str("the checkpoint is damaged"),
            CheckpointError::Unreadable(reason) => f.write_str(reason),
        }
    }
}

impl From<DecodeError> for CheckpointError {
    fn from(error: DecodeError) -> CheckpointError {
        match error {
            DecodeError::Version { found } => CheckpointError::Encoding(found),
            _ => CheckpointError::Damaged,
        }
    }
}

/// A file that stores a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckpointFile {
    path: PathBuf,
}

impl CheckpointFile {
    /// The file at `path` and its checkpoint, if the file exists. Removes abandoned drafts.
    pub fn open(path: &Path) -> Result<(CheckpointFile, Option<Checkpoint>), CheckpointError> {
        let file = CheckpointFile { path: path.to_owned() };
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        draft::remove_abandoned(file.folder(), |name| Some(name) == stem);
        match read(path) {
            Ok(bytes) => Ok((file, Some(decode(&bytes)?))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok((file, None)),
            Err(error) => Err(CheckpointError::Unreadable(error.to_string())),
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the file.
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    fn error_message(&self, error: &io::Error) -> String {
        format!("{}: {error}", self.path.display())
    }

    /// Removes the file, if it exists.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl CheckpointStore for CheckpointFile {
    fn check_writable(&self) -> Result<(), String> {
        Draft::new(&self.path).map(drop).map_err(|error| self.error_message(&error))
    }

    fn save(&self, checkpoint: &Checkpoint) -> Result<(), String> {
        draft::replace(&self.path, &encode(checkpoint)).map_err(|error| self.error_message(&error))
    }
}

/// The bytes of a file; only the first ones if it does not start like a checkpoint, since it may be huge.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == MAGIC {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Encodes a checkpoint as the bytes of a file.
pub fn encode(checkpoint: &Checkpoint) -> Vec<u8> {
    let mut encoder = Encoder::default();
    write_checkpoint(&mut encoder, checkpoint);
    let contents = encoder.bytes;
    let mut bytes = Vec::with_capacity(HEADER_LEN + contents.len());
    bytes.extend(MAGIC);
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend((contents.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&contents).to_le_bytes());
    bytes.extend(contents);
    bytes
}

/// Decodes the bytes of a file; the checksum must match, and a resumed search must be able to add to the
/// time and the node counts without overflow.
pub fn decode(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
    let compared = bytes.len().min(MAGIC.len());
    if bytes[..compared] != MAGIC[..compared] || bytes.is_empty() {
        return Err(CheckpointError::NotACheckpoint);
    }
    let mut rest = bytes.get(MAGIC.len()..).ok_or(CheckpointError::Damaged)?;
    let format = u16::from_le_bytes(read_array(&mut rest)?);
    if format != FORMAT {
        return Err(CheckpointError::Format(format));
    }
    let length = u64::from_le_bytes(read_array(&mut rest)?);
    let checksum = u32::from_le_bytes(read_array(&mut rest)?);
    if rest.len() as u64 != length || crc32fast::hash(rest) != checksum {
        return Err(CheckpointError::Damaged);
    }
    let mut decoder = Decoder::new(rest);
    let checkpoint = read_checkpoint(&mut decoder)?;
    decoder.end()?;
    if checkpoint.has_plausible_totals() { Ok(checkpoint) } else { Err(CheckpointError::Damaged) }
}

/// Takes the first `N` bytes off `rest`.
fn read_array<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], CheckpointError> {
    let (taken, after) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
    *rest = after;
    Ok(*taken)
}

fn write_checkpoint(encoder: &mut Encoder, checkpoint: &Checkpoint) {
    let Checkpoint { search, time, earlier_counts: earlier, lower_bound: proven, best, proof } = checkpoint;
    let SearchId { run, start } = search;
    encoder.block(run.to_string().as_bytes());
    encoder.block(start.as_bytes());
    encoder.number(time.as_secs());
    encoder.number(time.subsec_nanos());
    let Counts { generated, expanded, visited, peak_open } = *earlier;
    [generated, expanded, visited, peak_open].into_iter().for_each(|count| encoder.number(count));
    encoder.number(*proven);
    encoder.paths(best.as_slice());
    let ProofState { iterations, expanded, bound, pass } = proof;
    encoder.length(iterations.len());
    for &Iteration { bound, generated } in iterations {
        encoder.number(bound);
        encoder.number(generated);
    }
    encoder.number(*expanded);
    encoder.number(*bound);
    encoder.block(&encode_pass_result(pass));
}

fn read_checkpoint(decoder: &mut Decoder<'_>) -> Result<Checkpoint, CheckpointError> {
    let mut text = || String::from_utf8(decoder.block()?.to_vec()).map_err(|_| CheckpointError::Damaged);
    let [run, start] = [text()?, text()?];
    let search = SearchId { run: run.parse().map_err(|_| CheckpointError::Damaged)?, start };
    let (seconds, nanos) = (decoder.number()?, decoder.number()?);
    let time = Duration::from_secs(seconds)
        .checked_add(Duration::from_nanos(nanos))
        .ok_or(CheckpointError::Damaged)?;
    let [generated, expanded, visited, peak_open] =
        [decoder.number()?, decoder.number()?, decoder.number()?, decoder.number()?];
    let earlier = Counts { generated, expanded, visited, peak_open };
    let proven = decoder.number()?;
    let best = decoder.paths()?.pop();
    let iterations =
        decoder.list(|decoder| Ok(Iteration { bound: decoder.number()?, generated: decoder.number()? }))?;
    let (expanded, bound) = (decoder.number()?, decoder.number()?);
    let pass = decode_pass_result(decoder.block()?)?;
    Ok(Checkpoint {
        search,
        time,
        earlier_counts: earlier,
        lower_bound: proven,
        best,
        proof: ProofState { iterations, expanded, bound, pass },
    })
}
