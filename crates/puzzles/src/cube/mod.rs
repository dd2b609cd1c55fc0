//! Common parts of the pocket cube and Rubik's cube: faces, cubies, metrics, notation, and stickers as
//! text.
//!
//! Geometry is the single source of the rules: a sticker has a position in space, and a turn rotates some
//! positions. The move tables of the packed cubes are derived from turned stickers.

mod complete_pocket;
mod complete_rubik;
pub(crate) mod coordinate_pair;
pub(crate) mod device;
pub(crate) mod error;
mod face;
mod input;
mod metric;
mod net;
pub mod notation;
pub mod pieces;
pub(crate) mod repair;
mod scheme;
pub mod single_piece;
mod stickers;

pub(crate) use complete_pocket::complete_pocket_cube;
pub(crate) use complete_rubik::complete_rubiks_cube;
pub use error::{CubeError, MoveFault};
pub use face::Face;
pub(crate) use face::rotations;
pub(crate) use input::{CubeInput, FORMATS, StickerLetters, UNKNOWN, parse_input};
pub use metric::{FaceTurns, Metric};
pub(crate) use net::net;
pub(crate) use scheme::{ColourScheme, corners_from_stickers, edges_from_stickers};
pub use stickers::{Layers, Stickers, Turn};
