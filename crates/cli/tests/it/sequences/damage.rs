//! Changes of the bytes of a file.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

/// A change of a file. Places are shares of its length in 1/65,536.
#[derive(Clone, Debug)]
pub(super) enum Damage {
    /// Changes the bits of one byte; the mask is not 0.
    Flip { at: u16, mask: u8 },
    /// Sets some bytes to zero.
    Zero { at: u16, count: u8 },
    /// Cuts off the end.
    Truncate { at: u16 },
    /// Appends bytes.
    Extend { bytes: Vec<u8> },
    /// Removes some bytes from the middle.
    Delete { at: u16, count: u8 },
}

impl Damage {
    pub(super) fn any() -> impl Strategy<Value = Damage> + Clone {
        prop_oneof![
            3 => (any::<u16>(), 1u8..).prop_map(|(at, mask)| Damage::Flip { at, mask }),
            1 => (any::<u16>(), 1u8..).prop_map(|(at, count)| Damage::Zero { at, count }),
            2 => any::<u16>().prop_map(|at| Damage::Truncate { at }),
            1 => proptest::collection::vec(any::<u8>(), 1..40).prop_map(|bytes| Damage::Extend { bytes }),
            1 => (any::<u16>(), 1u8..).prop_map(|(at, count)| Damage::Delete { at, count }),
        ]
    }

    /// The changed bytes; they may equal `bytes`.
    pub(super) fn of(&self, bytes: &[u8]) -> Vec<u8> {
        let place = |at: u16| usize::from(at) * bytes.len() / 65_536;
        let end = |at: u16, count: u8| (place(at) + usize::from(count)).min(bytes.len());
        let mut changed = bytes.to_vec();
        match self {
            Damage::Flip { at, mask } => {
                changed.iter_mut().skip(place(*at)).take(1).for_each(|byte| *byte ^= mask);
            }
            Damage::Zero { at, count } => changed[place(*at)..end(*at, *count)].fill(0),
            Damage::Truncate { at } => changed.truncate(place(*at)),
            Damage::Extend { bytes } => changed.extend(bytes),
            Damage::Delete { at, count } => drop(changed.drain(place(*at)..end(*at, *count))),
        }
        changed
    }

    /// Changes a file, if there is one. Returns whether its bytes differ now.
    pub(super) fn apply(&self, path: &Path) -> bool {
        let Ok(bytes) = fs::read(path) else { return false };
        let changed = self.of(&bytes);
        fs::write(path, &changed).expect("a writable file");
        changed != bytes
    }
}
