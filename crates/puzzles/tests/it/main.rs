//! Integration tests of the puzzles, in one binary so that every solver is instantiated once.

mod agreement;
mod balto;
mod eight_puzzle;
mod fifteen;
mod fifteen_patterns;
mod first_solutions;
mod korf;
mod pocket_cube;
mod rubiks_cube;
mod shorten;
