//! Limits of definitions, so that no file makes the program run out of memory.

/// The longest file. The 99 moves of a 33×33×33 cube of Santa 2023 take 4 MB.
pub const MAX_TEXT_BYTES: usize = 32 << 20;
/// The largest number of slots of all orbits together: slots are numbered in two bytes. A 33×33×33 cube has
/// 6534 stickers.
pub const MAX_SLOTS: usize = 1 << 16;
/// The largest number of orientations of a piece: they are stored in a byte.
pub const MAX_ORIENTATIONS: usize = 255;
/// The largest number of orbits. A 33×33×33 cube has fewer than 300.
pub const MAX_ORBITS: usize = 1024;
/// The largest number of moves, rotations and sequences.
pub const MAX_MOVES: usize = 1 << 14;
/// The largest product of moves and slots; with three bytes each, 48 MiB. A 33×33×33 cube with both
/// directions of each move needs 1.3 million.
pub const MAX_MOVE_ENTRIES: usize = 1 << 24;
/// The longest name of a move, an orbit or a puzzle in bytes.
pub const MAX_NAME_BYTES: usize = 64;
/// The largest number of powers of one move that are searched. twsearch stops at the same number.
pub const MAX_POWERS: usize = 255;
/// The largest number of steps that definitions of moves by other moves may take in total. Each step
/// composes two transformations.
pub const MAX_DERIVATION_CELLS: usize = 1 << 28;
/// The largest number of `Illegal` placements.
pub const MAX_ILLEGAL: usize = 1 << 16;
