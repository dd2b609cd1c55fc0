//! The solver `local-path`: shortens a solution segment by segment. This is LPA\* of Ratner & Pohl ("Joint
//! and LPA\*: Combination of approximation and search", AAAI 1986) with IDA\* in place of A\*.
//!
//! A segment of the path joins two boards. IDA\* with the Manhattan distance between these two boards looks
//! for a shorter connection. Only one board and the target cell of each tile are stored, so boards of any
//! size are improved. A sweep visits overlapping segments from the start to the goal; after a sweep with few
//! gains the segments become longer. Under a limit the sweeps go on until the limit is reached.
//!
//! Positions near the goal are solved optimally first, by the same search over the whole path.

use untumble_search::control::{Control, Meter, Stop};
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;

use super::layers::Layers;
use super::{Board, Cells, DOWN, LEFT, RIGHT, Size, Tiles, UP, inverse};

/// The name of the algorithm in the text of a solver.
pub(super) const NAME: &str = "local-path";

/// The registry entry.
pub(super) fn entry<C: Cells>() -> AlgorithmEntry<Tiles<C>> {
    let info = AlgorithmInfo {
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new(
            NAME,
            "shortens a solution segment by segment, on boards of any size; starts with `layers` if no solution \
             is known",
        )
    };
    AlgorithmEntry::new(info, |_| Ok(Box::new(LocalPath)))
}

/// Node budget of the search for an optimal solution of the whole board; some 30 ms.
const WHOLE_BOARD_NODES: u64 = 1 << 20;
/// Length of the first segments, and its growth after a sweep with few gains.
const FIRST_LENGTH: usize = 12;
const LENGTH_STEP: usize = 4;
/// Node budget of the first segments. It doubles whenever the segments become longer.
const FIRST_SEGMENT_NODES: u64 = 1 << 10;
/// The segments become longer after a sweep that shortens the path by less than one part in this many.
const FEW_GAINS: usize = 200;
/// Longest segments without a time or node limit.
const UNLIMITED_LENGTH: usize = 24;
/// A sweep offers its path after this many replacements, and at its end.
const REPLACEMENTS_PER_OFFER: usize = 64;

/// The solver; see the module.
pub(super) struct LocalPath;

impl<C: Cells> Solver<Tiles<C>> for LocalPath {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let mut counts = Counts { generated: 1, ..Counts::default() };
        if control.best().is_none() {
            let report = Layers.solve(tiles, starts, control);
            counts = report.counts;
            if report.best.is_none() || control.stop_reason().is_some() {
                return report;
            }
        }
        let moves = control.best().unwrap_or_default();
        let solves = |start: &&Board<C>| tiles.replay(start, &moves).is_ok_and(|end| tiles.is_goal(&end));
        if let Some(start) = starts.iter().find(solves) {
            let mut meter = control.meter();
            let board = SegmentBoard::new(tiles, start);
            // A limit ends the improvement; the incumbent stays.
            if let Err(stop) = (Shortening { board, moves, control }).run(&mut meter) {
                control.request_stop(stop);
            }
            counts.generated += meter.nodes();
        }
        let report = Report::from_control(Outcome::Solved, control, counts);
        if control.all_solutions() { report.listing_best_only() } else { report }
    }
}

/// The result of one search for a path between two boards.
enum SegmentEnd {
    /// The shortest path.
    Found(Vec<Move>),
    /// There is no path of the allowed lengths.
    None,
    /// The node budget is used up.
    Budget,
}

/// A board and the cell that each tile must reach.
#[derive(Clone)]
struct SegmentBoard {
    /// The tile in each cell; 0 is the blank.
    tile_at: Vec<u16>,
    blank: usize,
    /// The cell of each tile, up to date between two searches.
    cell_of: Vec<u16>,
    /// The target cell of each tile.
    target: Vec<u16>,
    /// The cell of the tile that a move slides into the blank, by blank cell and move.
    sliding: Vec<[Option<u16>; 4]>,
    size: Size,
}

const MOVES: [Move; 4] = [DOWN, RIGHT, LEFT, UP];

impl SegmentBoard {
    /// The board of `start`, whose target is the goal.
    fn new<C: Cells>(tiles: &Tiles<C>, start: &Board<C>) -> SegmentBoard {
        let (size, ids) = (tiles.size(), tiles.tile_ids(start));
        let slide = |blank: usize| MOVES.map(|m| size.sliding_cell(blank, m).map(|cell| cell as u16));
        let mut cell_of = vec![0; ids.len()];
        for (cell, &tile) in ids.iter().enumerate() {
            cell_of[usize::from(tile)] = cell as u16;
        }
        SegmentBoard {
            tile_at: ids,
            cell_of,
            blank: start.blank.into(),
            target: (0..size.cells()).map(|id| tiles.goal().home(id) as u16).collect(),
            sliding: (0..size.cells()).map(slide).collect(),
            size,
        }
    }

    /// The Manhattan distance of a tile in `cell` to its target.
    fn distance(&self, tile: u16, cell: usize) -> Cost {
        self.size.distance(cell, self.target[usize::from(tile)].into()) as Cost
    }

    /// The Manhattan distance to the target.
    fn manhattan(&self) -> Cost {
        let tiles = self.tile_at.iter().enumerate().filter(|&(_, &tile)| tile != 0);
        tiles.map(|(cell, &tile)| self.distance(tile, cell)).sum()
    }

    /// Makes a move of a path, which is legal; returns the tile that moves. Targets do not change.
    fn make(&mut self, m: Move) -> u16 {
        let from =
            MOVES.iter().position(|&other| other == m).and_then(|index| self.sliding[self.blank][index]);
        let from = usize::from(from.expect("the moves of a path are legal"));
        let tile = self.tile_at[from];
        self.tile_at.swap(from, self.blank);
        self.cell_of[usize::from(tile)] = self.blank as u16;
        self.cell_of[0] = from as u16;
        self.blank = from;
        tile
    }

    /// Iterative deepening from distance `h` up to `max_length` moves within `nodes` nodes.
    fn search(
        &mut self,
        h: Cost,
        max_length: Cost,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<SegmentEnd, Stop> {
        let mut search = SegmentSearch { board: self, path: Vec::new(), nodes_left: nodes, meter };
        let mut bound = h;
        while bound <= max_length {
            if search.dfs(h, bound, None)? {
                return Ok(SegmentEnd::Found(search.path));
            }
            if search.nodes_left == 0 {
                return Ok(SegmentEnd::Budget);
            }
            bound += 2;
        }
        Ok(SegmentEnd::None)
    }
}

struct SegmentSearch<'a, 'm> {
    board: &'a mut SegmentBoard,
    path: Vec<Move>,
    nodes_left: u64,
    meter: &'a mut Meter<'m>,
}

impl SegmentSearch<'_, '_> {
    /// Whether the target is reached within `remaining` moves; then `path` holds the moves. `h` is the
    /// distance of the board. Returns false early if the node budget is used up. The board is unchanged.
    fn dfs(&mut self, h: Cost, remaining: Cost, last: Option<Move>) -> Result<bool, Stop> {
        if h == 0 {
            return Ok(true);
        }
        if self.meter.check().is_break() {
            return Err(self.meter.control().stop_reason().unwrap_or(Stop::Interrupted));
        }
        let undo = last.map(inverse);
        let blank = self.board.blank;
        for (index, &m) in MOVES.iter().enumerate() {
            let Some(from) = self.board.sliding[blank][index].map(usize::from) else { continue };
            if Some(m) == undo {
                continue;
            }
            if self.nodes_left == 0 {
                return Ok(false);
            }
            self.nodes_left -= 1;
            self.meter.tick();
            let tile = self.board.tile_at[from];
            let child_h = h + self.board.distance(tile, blank) - self.board.distance(tile, from);
            if child_h >= remaining {
                continue;
            }
            self.board.tile_at.swap(from, blank);
            self.board.blank = from;
            self.path.push(m);
            let found = self.dfs(child_h, remaining - 1, Some(m));
            self.board.tile_at.swap(from, blank);
            self.board.blank = blank;
            if found? {
                return Ok(true);
            }
            self.path.pop();
        }
        Ok(false)
    }
}

/// A path that becomes shorter. `board` is the start with the goal as its target.
struct Shortening<'a> {
    board: SegmentBoard,
    moves: Vec<Move>,
    control: &'a Control,
}

impl Shortening<'_> {
    fn offer(&self) {
        self.control.offer(&self.moves, self.moves.len() as Cost);
    }

    /// Searches the whole board, then sweeps with growing segments.
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let h = self.board.manhattan();
        let max_length = (self.moves.len() as Cost).saturating_sub(2);
        match self.board.search(h, max_length, WHOLE_BOARD_NODES, meter)? {
            SegmentEnd::Budget => {}
            end => {
                if let SegmentEnd::Found(moves) = end {
                    self.moves = moves;
                    self.offer();
                }
                // Iterative deepening has excluded all shorter paths.
                self.control.raise_lower_bound(self.moves.len() as Cost);
                return Ok(());
            }
        }
        let limits = self.control.limits();
        let unlimited = limits.time.is_none() && limits.nodes.is_none();
        let (mut length, mut nodes) = (FIRST_LENGTH, FIRST_SEGMENT_NODES);
        loop {
            let before = self.moves.len();
            let result = self.sweep(length, nodes, meter);
            self.offer();
            result?;
            if self.control.upper_bound() <= self.control.lower_bound() || self.control.max_length_reached() {
                return Ok(());
            }
            if (before - self.moves.len()) * FEW_GAINS < before {
                length += LENGTH_STEP;
                nodes = nodes.saturating_mul(2);
                if (unlimited && length > UNLIMITED_LENGTH) || length > 2 * self.moves.len() {
                    return Ok(());
                }
            }
        }
    }

    /// Visits segments of `length` moves, each half a segment after the one before, and replaces each by a
    /// shorter path found within `nodes` nodes.
    fn sweep(&mut self, length: usize, nodes: u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut board = self.board.clone();
        // Between two segments the target of every tile is its cell.
        board.target.clone_from(&board.cell_of);
        let (mut first, mut replacements) = (0, 0);
        let mut moved: Vec<u16> = Vec::with_capacity(length);
        while first < self.moves.len() {
            let last = (first + length).min(self.moves.len());
            let segment = &self.moves[first..last];
            moved.clear();
            for &m in segment {
                let tile = board.make(m);
                board.target[usize::from(tile)] = board.cell_of[usize::from(tile)];
                moved.push(tile);
            }
            for &m in segment.iter().rev() {
                board.make(inverse(m));
            }
            moved.sort_unstable();
            moved.dedup();
            let h =
                moved.iter().map(|&tile| board.distance(tile, board.cell_of[usize::from(tile)].into())).sum();
            let end = match (segment.len() as Cost).checked_sub(2) {
                Some(max_length) => board.search(h, max_length, nodes, meter)?,
                None => SegmentEnd::None,
            };
            if let SegmentEnd::Found(shorter) = end {
                // The next segment begins at the same place and reaches further.
                self.moves.splice(first..last, shorter);
                replacements += 1;
                if replacements % REPLACEMENTS_PER_OFFER == 0 {
                    self.offer();
                }
            } else {
                let next = (first + (length / 2).max(1)).min(last);
                for &m in &self.moves[first..next] {
                    board.make(m);
                }
                first = next;
            }
            for &tile in &moved {
                board.target[usize::from(tile)] = board.cell_of[usize::from(tile)];
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Goal;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use std::sync::Arc;
    use untumble_search::control::{Limits, Silent};
    use untumble_search::frontend::PuzzleFrontend;

    type Plain = Tiles<Box<[u16]>>;

    fn tiles(rows: usize, columns: usize) -> Plain {
        Tiles::new(Goal::named(Size { rows, columns }, "blank-last").expect("a known goal"))
    }

    fn solve(tiles: &Plain, board: &Board<Box<[u16]>>, nodes: Option<u64>) -> (Report, Report) {
        let limits = Limits { nodes, ..Limits::default() };
        let control = Control::new(limits, Arc::new(Silent));
        let first = Layers.solve(tiles, std::slice::from_ref(board), &control);
        let report = LocalPath.solve(tiles, std::slice::from_ref(board), &control);
        let best = report.best.as_ref().expect("a solution");
        let end = tiles.replay(board, &best.moves).expect("every move is legal");
        assert!(tiles.is_goal(&end), "the solution of {board:?} reaches the goal");
        (first, report)
    }

    fn length(report: &Report) -> Cost {
        report.best.as_ref().expect("a solution").cost
    }

    #[test]
    fn solutions_of_all_sizes_become_shorter_until_a_limit_is_reached() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (rows, columns) in [(5, 5), (2, 20), (20, 20), (17, 5)] {
            let tiles = tiles(rows, columns);
            let board = tiles.random(&mut rng);
            let (first, some) = solve(&tiles, &board, Some(3_000_000));
            let (_, more) = solve(&tiles, &board, Some(12_000_000));
            assert!(length(&some) < length(&first), "{rows}x{columns}");
            assert!(length(&more) <= length(&some), "{rows}x{columns}");
            assert!(more.counts.generated <= 12_000_010, "{}", more.counts.generated);
        }
    }

    #[test]
    fn positions_near_the_goal_are_proven_optimal() {
        let tiles = tiles(20, 20);
        let mut board = tiles.solved();
        for (count, &m) in [DOWN, RIGHT, DOWN, DOWN, RIGHT, UP, UP, RIGHT, DOWN, DOWN].iter().enumerate() {
            board = tiles.apply(&board, m);
            let (_, report) = solve(&tiles, &board, None);
            assert!(report.optimal(), "{count}");
            assert!(length(&report) as usize <= count + 1);
        }
    }
}
