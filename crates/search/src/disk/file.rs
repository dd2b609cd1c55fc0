//! The file format of tables and of the states of unfinished builds: a header of fixed size, then the bytes.
//!
//! ```text
//!    0  8 bytes  "untumble", or "untumbl~" for the state of a build
//!    8  u32      format of the file
//!   12  u32      version of the table
//!   16  u64      length of the contents
//!   24  u32      checksum of the contents
//!   28  u32      checksum of the header, computed with zeros in place of these four bytes
//!   32           puzzle, pattern, metric: each a u16 length and that many bytes; zeros to the end
//! 4096           the contents
//! ```
//!
//! Numbers are little-endian. Checksums are CRC-32, which detects every change within four adjacent bytes
//! and runs at the speed of memory.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crc32fast::Hasher;

use crate::control::{Control, Stop, TablePhase, TableProgress};
use crate::tables::TableId;

/// The length of a header: one page, so that the contents are page-aligned.
pub(super) const HEADER_LEN: usize = 4096;
const FORMAT: u32 = 1;
/// The offset of the puzzle, pattern and metric.
const NAMES_OFFSET: usize = 32;
/// The number of bytes read and checksummed at a time, small enough to stay in the cache.
const CHUNK: usize = 1 << 20;
/// The number of chunks between two syncs; a single sync at the end would be long and could not be
/// interrupted.
const CHUNKS_PER_SYNC: usize = 4;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A complete table.
    Table,
    /// The state of an unfinished build.
    State,
}

impl Kind {
    /// The first bytes of a file.
    fn magic(self) -> &'static [u8; 8] {
        match self {
            Kind::Table => b"untumble",
            Kind::State => b"untumbl~",
        }
    }
}

/// The reason why a table file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableFileError {
    /// The file does not start like a table.
    NotATable,
    /// The file has another format version.
    Format(u32),
    /// The header is damaged or truncated.
    Header,
    /// The file is shorter than expected by this many bytes.
    Shorter(u64),
    /// The file is longer than expected by this many bytes.
    Longer(u64),
    /// The file holds another table.
    OtherTable(TableId),
    /// The checksum of the contents does not match.
    Contents,
    /// The operating system cannot read the file.
    Unreadable(String),
}

impl fmt::Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |count: &u64| if *count == 1 { "1 byte".into() } else { format!("{count} bytes") };
        match self {
            TableFileError::NotATable => f.write_str("not a table of untumble"),
            TableFileError::Format(found) => {
                write!(f, "table format {found} is not supported; this program reads format {FORMAT}")
            }
            TableFileError::Header => f.write_str("the header is damaged or truncated"),
            TableFileError::Shorter(missing) => write!(f, "{} shorter than expected", bytes(missing)),
            TableFileError::Longer(extra) => write!(f, "{} longer than expected", bytes(extra)),
            TableFileError::OtherTable(found) => {
                write!(f, "the file holds another table: {found}, version {}", found.version)
            }
            TableFileError::Contents => f.write_str("the contents are damaged"),
            TableFileError::Unreadable(reason) => f.write_str(reason),
        }
    }
}

/// The reason why reading a table file failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The file cannot be used.
    Invalid(TableFileError),
    /// A limit or an interrupt ended the reading.
    Stopped(Stop),
}

impl From<TableFileError> for ReadError {
    fn from(error: TableFileError) -> ReadError {
        ReadError::Invalid(error)
    }
}

impl From<Stop> for ReadError {
    fn from(stop: Stop) -> ReadError {
        ReadError::Stopped(stop)
    }
}

impl From<io::Error> for TableFileError {
    fn from(error: io::Error) -> TableFileError {
        TableFileError::Unreadable(error.to_string())
    }
}

/// The reason why writing a table file failed.
pub(super) enum WriteError {
    /// The operating system reported an error.
    Failed(io::Error),
    /// A limit or an interrupt ended the writing.
    Stopped(Stop),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> WriteError {
        WriteError::Failed(error)
    }
}

impl From<Stop> for WriteError {
    fn from(stop: Stop) -> WriteError {
        WriteError::Stopped(stop)
    }
}

/// A decoded header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) id: TableId,
    /// The length of the contents in bytes.
    pub(super) length: u64,
    /// The checksum of the contents.
    pub(super) checksum: u32,
}

impl Header {
    /// Reads and validates the header, the length of the file included.
    pub(super) fn read(file: &mut File, kind: Kind) -> Result<Header, TableFileError> {
        let size = file.metadata()?.len();
        let mut bytes = [0; HEADER_LEN];
        let available = usize::try_from(size).map_or(HEADER_LEN, |size| size.min(HEADER_LEN));
        file.read_exact(&mut bytes[..available])?;
        let magic = kind.magic();
        // A file shorter than the magic is compared as far as it goes: a truncated table has a damaged
        // header.
        if bytes[..magic.len().min(available)] != magic[..magic.len().min(available)] {
            return Err(TableFileError::NotATable);
        }
        if available < HEADER_LEN {
            return Err(TableFileError::Header);
        }
        let header = Header::decode(&bytes)?;
        let expected = header.length.saturating_add(HEADER_LEN as u64);
        match size {
            _ if size < expected => Err(TableFileError::Shorter(expected - size)),
            _ if size > expected => Err(TableFileError::Longer(size - expected)),
            _ => Ok(header),
        }
    }

    /// An error unless the header belongs to this table.
    pub(super) fn check_matches(&self, id: &TableId, length: usize) -> Result<(), TableFileError> {
        if self.id != *id {
            return Err(TableFileError::OtherTable(self.id.clone()));
        }
        let length = length as u64;
        match self.length {
            found if found < length => Err(TableFileError::Shorter(length - found)),
            found if found > length => Err(TableFileError::Longer(found - length)),
            _ => Ok(()),
        }
    }

    fn decode(bytes: &[u8; HEADER_LEN]) -> Result<Header, TableFileError> {
        let format = read_u32(bytes, 8);
        if format != FORMAT {
            return Err(TableFileError::Format(format));
        }
        if read_u32(bytes, 28) != header_checksum(bytes) {
            return Err(TableFileError::Header);
        }
        let mut rest = &bytes[NAMES_OFFSET..];
        let [puzzle, pattern, metric] = [take_name(&mut rest), take_name(&mut rest), take_name(&mut rest)];
        let id =
            TableId { puzzle: puzzle?, pattern: pattern?, metric: metric?, version: read_u32(bytes, 12) };
        let length = u64::from(read_u32(bytes, 16)) | u64::from(read_u32(bytes, 20)) << 32;
        Ok(Header { id, length, checksum: read_u32(bytes, 24) })
    }

    fn encode(&self, kind: Kind) -> io::Result<[u8; HEADER_LEN]> {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(kind.magic());
        bytes[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.id.version.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.length.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.checksum.to_le_bytes());
        let mut offset = NAMES_OFFSET;
        for name in [&self.id.puzzle, &self.id.pattern, &self.id.metric] {
            let end = offset + 2 + name.len();
            if end > HEADER_LEN {
                return Err(io::Error::other("the name of the table is too long for the header"));
            }
            bytes[offset..offset + 2].copy_from_slice(&(name.len() as u16).to_le_bytes());
            bytes[offset + 2..end].copy_from_slice(name.as_bytes());
            offset = end;
        }
        let checksum = header_checksum(&bytes);
        bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
        Ok(bytes)
    }
}

/// Reads the little-endian number at `offset`.
fn read_u32(bytes: &[u8; HEADER_LEN], offset: usize) -> u32 {
    u32::from_le_bytes([bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]])
}

/// Takes the next name off `rest`.
fn take_name(rest: &mut &[u8]) -> Result<String, TableFileError> {
    let (length, after) = rest.split_first_chunk::<2>().ok_or(TableFileError::Header)?;
    let (name, after) =
        after.split_at_checked(u16::from_le_bytes(*length).into()).ok_or(TableFileError::Header)?;
    *rest = after;
    String::from_utf8(name.to_vec()).map_err(|_| TableFileError::Header)
}

/// The checksum of a header, computed with zeros in place of the checksum itself.
fn header_checksum(bytes: &[u8; HEADER_LEN]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(&bytes[..28]);
    hasher.update(&[0; 4]);
    hasher.update(&bytes[32..]);
    hasher.finalize()
}

/// A transfer between memory and disk: computes the checksum, emits progress events and polls for a stop.
struct Transfer<'a> {
    progress: TableProgress<'a>,
    control: &'a Control,
    hasher: Hasher,
}

impl<'a> Transfer<'a> {
    fn new(id: &TableId, phase: TablePhase, length: u64, control: &'a Control) -> Transfer<'a> {
        let progress = control.begin_table(format!("table {id}"), phase, length);
        Transfer { progress, control, hasher: Hasher::new() }
    }

    /// Records a transferred chunk.
    fn record_chunk(&mut self, chunk: &[u8]) -> Result<(), Stop> {
        self.hasher.update(chunk);
        self.progress.add(chunk.len() as u64);
        self.control.poll()
    }
}

/// Reads the contents after the header into `parts`, one after the other, and verifies the checksum.
pub(super) fn read(
    file: &mut File,
    header: &Header,
    parts: &mut [&mut [u8]],
    control: &Control,
) -> Result<(), ReadError> {
    let mut transfer = Transfer::new(&header.id, TablePhase::Load, header.length, control);
    for chunk in parts.iter_mut().flat_map(|part| part.chunks_mut(CHUNK)) {
        file.read_exact(chunk).map_err(TableFileError::from)?;
        transfer.record_chunk(chunk)?;
    }
    if transfer.hasher.finalize() == header.checksum { Ok(()) } else { Err(TableFileError::Contents.into()) }
}

/// Verifies the checksum of the contents after the header.
pub(super) fn check(file: &mut File, header: &Header, control: &Control) -> Result<(), ReadError> {
    let mut transfer = Transfer::new(&header.id, TablePhase::Verify, header.length, control);
    let mut chunk = vec![0; CHUNK];
    let mut left = header.length;
    while left > 0 {
        let chunk = &mut chunk[..usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK))];
        file.read_exact(chunk).map_err(TableFileError::from)?;
        transfer.record_chunk(chunk)?;
        left -= chunk.len() as u64;
    }
    if transfer.hasher.finalize() == header.checksum { Ok(()) } else { Err(TableFileError::Contents.into()) }
}

/// Writes a whole file that holds `parts`, one after the other. The header is written last, so that a
/// truncated file does not look like a table.
pub(super) fn write(
    file: &mut File,
    kind: Kind,
    id: &TableId,
    parts: &[&[u8]],
    control: &Control,
) -> Result<(), WriteError> {
    let length = parts.iter().map(|part| part.len() as u64).sum();
    let mut transfer = Transfer::new(id, TablePhase::Store, length, control);
    file.seek(SeekFrom::Start(HEADER_LEN as u64))?;
    for (number, chunk) in parts.iter().flat_map(|part| part.chunks(CHUNK)).enumerate() {
        if number > 0 && number % CHUNKS_PER_SYNC == 0 {
            file.sync_data()?;
        }
        file.write_all(chunk)?;
        transfer.record_chunk(chunk)?;
    }
    let header = Header { id: id.clone(), length, checksum: transfer.hasher.finalize() };
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.encode(kind)?)?;
    Ok(file.sync_all()?)
}
