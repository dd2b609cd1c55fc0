//! A table as a file: a header of fixed size that says what it is, then the bytes.
//!
//! ```text
//!    0  8 bytes  "untumble"
//!    8  u32      format of the file
//!   12  u32      version of the table
//!   16  u64      length of the contents
//!   24  u32      checksum of the contents
//!   28  u32      checksum of the header, taken with these four bytes zero
//!   32           puzzle, pattern, metric: each a u16 length and that many bytes; zeros to the end
//! 4096           the contents
//! ```
//!
//! Numbers are little-endian, checksums CRC-32: no change within four
//! neighbouring bytes escapes it, and it runs at the speed of memory.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crc32fast::Hasher;

use crate::control::{Control, Event, Stop};
use crate::tables::TableId;

/// The length of a header: a page, so that contents begin on one.
pub(super) const HEADER: usize = 4096;
const MAGIC: [u8; 8] = *b"untumble";
const FORMAT: u32 = 1;
const NAMES: usize = 32;
/// Read and checked at a time: small enough to be checked while it is still in the cache.
const CHUNK: usize = 1 << 20;
/// Chunks written between two waits for the disk itself: a single one at the end would be long and deaf to a stop.
const SYNCED: usize = 16;

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Damage {
    /// It does not begin like a table.
    Foreign,
    /// It is written in another format.
    Format(u32),
    /// The header is not as it was written.
    Header,
    /// This many bytes are missing at the end.
    Shorter(u64),
    /// This many bytes too many.
    Longer(u64),
    /// It is what it says, but something else was asked for.
    Other(TableId),
    /// The contents are not as they were written.
    Contents,
    /// The system cannot read it.
    Unreadable(String),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |count: &u64| if *count == 1 { "1 byte".into() } else { format!("{count} bytes") };
        match self {
            Damage::Foreign => f.write_str("not a table of untumble"),
            Damage::Format(found) => write!(f, "in format {found}, and this program reads format {FORMAT}"),
            Damage::Header => f.write_str("its header is damaged or cut off"),
            Damage::Shorter(missing) => write!(f, "{} shorter than expected", bytes(missing)),
            Damage::Longer(extra) => write!(f, "{} longer than expected", bytes(extra)),
            Damage::Other(found) => write!(f, "it holds another table, {found}, version {}", found.version),
            Damage::Contents => f.write_str("its contents are damaged"),
            Damage::Unreadable(why) => f.write_str(why),
        }
    }
}

/// Why a file was not read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// Something is wrong with it.
    Damaged(Damage),
    /// A limit was reached before.
    Stopped(Stop),
}

impl From<Damage> for Unread {
    fn from(damage: Damage) -> Unread {
        Unread::Damaged(damage)
    }
}

impl From<Stop> for Unread {
    fn from(stop: Stop) -> Unread {
        Unread::Stopped(stop)
    }
}

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Damage {
        Damage::Unreadable(error.to_string())
    }
}

/// Why a file was not written.
pub(super) enum Unwritten {
    /// The system said no.
    Failed(io::Error),
    /// A limit was reached before.
    Stopped(Stop),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Unwritten {
        Unwritten::Failed(error)
    }
}

impl From<Stop> for Unwritten {
    fn from(stop: Stop) -> Unwritten {
        Unwritten::Stopped(stop)
    }
}

/// The first bytes of a file, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) id: TableId,
    pub(super) length: u64,
    checksum: u32,
}

impl Header {
    /// The header of a file, once it is known to be whole and the file to have the length it says.
    pub(super) fn read(file: &mut File) -> Result<Header, Damage> {
        let size = file.metadata()?.len();
        let mut bytes = [0; HEADER];
        let known = usize::try_from(size).map_or(HEADER, |size| size.min(HEADER));
        file.read_exact(&mut bytes[..known])?;
        if bytes[..MAGIC.len().min(known)] != MAGIC[..MAGIC.len().min(known)] {
            return Err(Damage::Foreign);
        }
        if known < HEADER {
            return Err(Damage::Header);
        }
        let header = Header::understood(&bytes)?;
        let expected = header.length.saturating_add(HEADER as u64);
        match size {
            _ if size < expected => Err(Damage::Shorter(expected - size)),
            _ if size > expected => Err(Damage::Longer(size - expected)),
            _ => Ok(header),
        }
    }

    /// Refuses a header that belongs to another table.
    pub(super) fn expect(&self, id: &TableId, length: usize) -> Result<(), Damage> {
        if self.id != *id {
            return Err(Damage::Other(self.id.clone()));
        }
        let length = length as u64;
        match self.length {
            found if found < length => Err(Damage::Shorter(length - found)),
            found if found > length => Err(Damage::Longer(found - length)),
            _ => Ok(()),
        }
    }

    fn understood(bytes: &[u8; HEADER]) -> Result<Header, Damage> {
        let format = number(bytes, 8);
        if format != FORMAT {
            return Err(Damage::Format(format));
        }
        if number(bytes, 28) != checksum(bytes) {
            return Err(Damage::Header);
        }
        let mut rest = &bytes[NAMES..];
        let [puzzle, pattern, metric] = [name(&mut rest), name(&mut rest), name(&mut rest)];
        let id = TableId { puzzle: puzzle?, pattern: pattern?, metric: metric?, version: number(bytes, 12) };
        let length = u64::from(number(bytes, 16)) | u64::from(number(bytes, 20)) << 32;
        Ok(Header { id, length, checksum: number(bytes, 24) })
    }

    fn written(&self) -> io::Result<[u8; HEADER]> {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.id.version.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.length.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.checksum.to_le_bytes());
        let mut at = NAMES;
        for name in [&self.id.puzzle, &self.id.pattern, &self.id.metric] {
            let end = at + 2 + name.len();
            if end > HEADER {
                return Err(io::Error::other("the name of the table is too long for its header"));
            }
            bytes[at..at + 2].copy_from_slice(&(name.len() as u16).to_le_bytes());
            bytes[at + 2..end].copy_from_slice(name.as_bytes());
            at = end;
        }
        let checksum = checksum(&bytes);
        bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
        Ok(bytes)
    }
}

fn number(bytes: &[u8; HEADER], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Takes the next name off the front.
fn name(rest: &mut &[u8]) -> Result<String, Damage> {
    let (length, after) = rest.split_first_chunk::<2>().ok_or(Damage::Header)?;
    let (name, after) = after.split_at_checked(u16::from_le_bytes(*length).into()).ok_or(Damage::Header)?;
    *rest = after;
    String::from_utf8(name.to_vec()).map_err(|_| Damage::Header)
}

/// Of a header, as if the place of the checksum itself held zeros.
fn checksum(bytes: &[u8; HEADER]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(&bytes[..28]);
    hasher.update(&[0; 4]);
    hasher.update(&bytes[32..]);
    hasher.finalize()
}

/// Bytes on their way between memory and disk: checksummed, told, and stopped when it is time.
struct Passage<'a> {
    name: String,
    control: &'a Control,
    hasher: Hasher,
    done: u64,
    length: u64,
    /// How much of it was told last, in hundredths.
    told: Option<u64>,
}

impl<'a> Passage<'a> {
    fn new(name: String, length: u64, control: &'a Control) -> Passage<'a> {
        Passage { name, control, hasher: Hasher::new(), done: 0, length, told: None }
    }

    fn pass(&mut self, chunk: &[u8]) -> Result<(), Stop> {
        self.hasher.update(chunk);
        self.done += chunk.len() as u64;
        let share = self.done as f64 / self.length.max(1) as f64;
        let hundredths = (share * 100.0) as u64;
        if self.told != Some(hundredths) {
            self.told = Some(hundredths);
            self.control.emit(&Event::Table { name: self.name.clone(), share });
        }
        self.control.poll()
    }
}

/// Fills `bytes` with the contents that follow the header, checking them on the way.
pub(super) fn read(
    file: &mut File,
    header: &Header,
    bytes: &mut [u8],
    control: &Control,
) -> Result<(), Unread> {
    let mut passage = Passage::new(format!("{}, reading", header.id), header.length, control);
    for chunk in bytes.chunks_mut(CHUNK) {
        file.read_exact(chunk).map_err(Damage::from)?;
        passage.pass(chunk)?;
    }
    if passage.hasher.finalize() == header.checksum { Ok(()) } else { Err(Damage::Contents.into()) }
}

/// Checks the contents that follow the header and keeps nothing of them.
pub(super) fn check(file: &mut File, header: &Header, control: &Control) -> Result<(), Unread> {
    let mut passage = Passage::new(format!("{}, checking", header.id), header.length, control);
    let mut chunk = vec![0; CHUNK];
    while passage.done < header.length {
        let left = usize::try_from(header.length - passage.done).unwrap_or(CHUNK);
        let chunk = &mut chunk[..left.min(CHUNK)];
        file.read_exact(chunk).map_err(Damage::from)?;
        passage.pass(chunk)?;
    }
    if passage.hasher.finalize() == header.checksum { Ok(()) } else { Err(Damage::Contents.into()) }
}

/// Writes a whole file. The header comes last: what was cut short does not look like a table.
pub(super) fn write(file: &mut File, id: &TableId, bytes: &[u8], control: &Control) -> Result<(), Unwritten> {
    let length = bytes.len() as u64;
    let mut passage = Passage::new(format!("{id}, writing"), length, control);
    file.seek(SeekFrom::Start(HEADER as u64))?;
    for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
        if number > 0 && number % SYNCED == 0 {
            file.sync_data()?;
        }
        file.write_all(chunk)?;
        passage.pass(chunk)?;
    }
    let header = Header { id: id.clone(), length, checksum: passage.hasher.finalize() };
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.written()?)?;
    Ok(file.sync_all()?)
}
