//! What the pocket cube and Rubik's cube share: faces, pieces, metrics, notation and stickers as text.
//!
//! Everything is told by geometry: a sticker has a place and a face in space, and a turn rotates some of them. The tables
//! of the packed cubes are read off turned stickers, so the plain version is not only their oracle but their source.

pub mod alone;
pub(crate) mod device;
pub(crate) mod error;
mod face;
pub(crate) mod grid;
mod metric;
mod missing;
mod net;
pub mod notation;
pub mod pieces;
mod reading;
pub(crate) mod repair;
mod scheme;
mod stickers;
mod unknown;

pub(crate) use unknown::pocket;

pub use error::{CubeError, MoveFault};
pub use face::Face;
pub(crate) use face::rotations;
pub use metric::{Metric, Turns};
pub(crate) use missing::rubik;
pub(crate) use net::net;
pub(crate) use reading::{FORMATS, Symbols, Text, UNKNOWN, read};
pub(crate) use scheme::{Scheme, corners, edges};
pub use stickers::{Layers, Stickers, Turn};
