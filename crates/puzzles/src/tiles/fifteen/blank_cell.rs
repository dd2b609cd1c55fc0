//! The sixteen cells of the blank as types, so that the search loop is compiled once for each of them: the
//! legal moves and their destinations become constants. Burns, Hatem, Leighton & Ruml, "Implementing fast
//! heuristic search code" (SoCS 2012), tabulate the operators by the blank's cell instead.

use untumble_search::moves::{Move, MoveSet};

/// The cell that holds the blank.
pub(super) trait BlankCell {
    /// The cell's number in reading order.
    const CELL: usize;
    /// The blank's cell after move 0; the cell itself if the move is illegal.
    type Up: BlankCell;
    /// The blank's cell after move 1.
    type Left: BlankCell;
    /// The blank's cell after move 2.
    type Right: BlankCell;
    /// The blank's cell after move 3.
    type Down: BlankCell;
}

/// The blank's cell after each move from `cell`; `None` for illegal moves.
pub(super) const fn neighbours(cell: usize) -> [Option<usize>; 4] {
    let (row, column) = (cell / 4, cell % 4);
    [
        if row > 0 { Some(cell - 4) } else { None },
        if column > 0 { Some(cell - 1) } else { None },
        if column < 3 { Some(cell + 1) } else { None },
        if row < 3 { Some(cell + 4) } else { None },
    ]
}

/// The last move of a path without moves.
pub(super) const NO_MOVE: usize = 4;

/// The legal moves with the blank in `cell`, without the one that undoes `last`.
pub(super) const fn moves(cell: usize, last: usize) -> MoveSet {
    let targets = neighbours(cell);
    let mut moves = MoveSet::EMPTY;
    let mut m = 0;
    while m < 4 {
        if targets[m].is_some() && (last == NO_MOVE || m != 3 - last) {
            moves = moves.with(Move(m as u8));
        }
        m += 1;
    }
    moves
}

macro_rules! cells {
    ($($name:ident = $cell:literal: $up:ident $left:ident $right:ident $down:ident;)*) => {
        $(
            pub(super) enum $name {}
            impl BlankCell for $name {
                const CELL: usize = $cell;
                type Up = $up;
                type Left = $left;
                type Right = $right;
                type Down = $down;
            }
        )*
    };
}

cells! {
    C0 = 0: C0 C0 C1 C4;
    C1 = 1: C1 C0 C2 C5;
    C2 = 2: C2 C1 C3 C6;
    C3 = 3: C3 C2 C3 C7;
    C4 = 4: C0 C4 C5 C8;
    C5 = 5: C1 C4 C6 C9;
    C6 = 6: C2 C5 C7 C10;
    C7 = 7: C3 C6 C7 C11;
    C8 = 8: C4 C8 C9 C12;
    C9 = 9: C5 C8 C10 C13;
    C10 = 10: C6 C9 C11 C14;
    C11 = 11: C7 C10 C11 C15;
    C12 = 12: C8 C12 C13 C12;
    C13 = 13: C9 C12 C14 C13;
    C14 = 14: C10 C13 C15 C14;
    C15 = 15: C11 C14 C15 C15;
}
