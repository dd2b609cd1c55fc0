//! The constructive solver: lines of tiles from the rim inwards, then a block of
//! at most 3×3 the shortest way. No search grows with the board, so any size goes.
//!
//! Lines are peeled off whichever sides leave the gap's home in the middle, so
//! every goal is served alike. Tiles go home one by one, the last two of a line
//! together. Plans differ in what goes first; the shortest result is kept.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};
use std::ops::{ControlFlow, Range};

use foldhash::fast::FixedState;
use untumble_search::control::{Control, Meter, Pause, Stop};
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;

use super::{Board, Cells, DOWN, LEFT, RIGHT, Size, Tiles, UP};

/// Its name.
pub(super) const NAME: &str = "layers";

/// The entry of the constructive solver.
pub(super) fn entry<C: Cells>() -> AlgorithmEntry<Tiles<C>> {
    let info = AlgorithmInfo {
        guarantee: |_| Guarantee::None,
        guarantee_note: " (3x3 and smaller: shortest)",
        ..AlgorithmInfo::new(NAME, "line by line from the rim inwards, at once on any size")
    };
    AlgorithmEntry::new(info, |_| Ok(Box::new(Layers)))
}

/// Solves line by line; see the module.
pub struct Layers;

/// Up to this side a block is solved the shortest way.
const BLOCK: usize = 3;
/// Another plan is tried while fewer nodes than this were generated in all.
const PLAN_NODES: u64 = 1 << 18;

impl<C: Cells> Solver<Tiles<C>> for Layers {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let mut meter = control.meter();
        let mut outcome = Outcome::Unsolvable;
        for start in starts {
            let names = tiles.names(start);
            if tiles.goal().reachable(&names) {
                let homes = names.iter().map(|&name| tiles.goal().home(name.into()) as u16).collect();
                let room = Room::new(tiles.size(), homes, usize::from(start.gap), tiles.goal().gap());
                outcome = try_plans(&room, control, &mut meter);
            }
        }
        let generated = meter.nodes() + 1;
        Report::from_control(outcome, control, Counts { generated, ..Counts::default() })
    }
}

/// The moves that solve a board, told by the home of what each cell holds.
pub(super) fn finish(size: Size, homes: Vec<u16>, gap: u16, gap_home: u16) -> Option<Vec<Move>> {
    let control = Control::default();
    let room = Room::new(size, homes, gap.into(), gap_home.into());
    try_plans(&room, &control, &mut control.meter());
    control.best()
}

/// Offers what the plans lead to.
fn try_plans(room: &Room, control: &Control, meter: &mut Meter<'_>) -> Outcome {
    control.prove(room.manhattan());
    for plan in (0..Plan::COUNT).map(Plan).filter(|&plan| room.differs(plan)) {
        let another = plan.0 > 0;
        if another && (meter.nodes() > PLAN_NODES || control.upper() <= control.bound()) {
            break;
        }
        let mut room = room.clone();
        match room.clear(plan, meter) {
            Ok(()) => {
                let path = moves(room.size, &room.trail);
                control.offer(&path, path.len() as Cost);
            }
            // A limit does not take away what an earlier plan found.
            Err(_) if another => break,
            Err(stop) => return Outcome::Stopped(stop),
        }
    }
    if room.is_block() {
        control.prove(control.upper());
    }
    Outcome::Solved
}

/// The moves that lead the gap along a trail of cells.
fn moves(size: Size, trail: &[u16]) -> Vec<Move> {
    let step = |pair: &[u16]| {
        let (from, to) = (usize::from(pair[0]), usize::from(pair[1]));
        [DOWN, RIGHT, LEFT, UP].into_iter().find(|&m| size.source(from, m) == Some(to))
    };
    trail.windows(2).map(|pair| step(pair).expect("a trail goes from cell to cell")).collect()
}

/// What goes first, by number.
#[derive(Clone, Copy)]
struct Plan(u8);

impl Plan {
    const COUNT: u8 = 48;

    /// Of a line with these efforts at its ends, whether the first end is next.
    fn first_end(self, first: Cost, last: Cost) -> bool {
        match self.0 % 3 {
            0 => first <= last,
            1 => true,
            _ => false,
        }
    }

    /// Whether a row is peeled off rather than a column.
    fn row(self, rows: usize, columns: usize) -> bool {
        let row = self.bit(0);
        // A room that stays square has the shortest ways.
        if self.bit(1) { row } else { rows > columns || rows == columns && row }
    }

    /// Whether the last row is peeled off before the first.
    fn last_row(self) -> bool {
        self.bit(2)
    }

    /// Whether the last column is peeled off before the first.
    fn last_column(self) -> bool {
        self.bit(3)
    }

    fn bit(self, place: u8) -> bool {
        (self.0 / 3) >> place & 1 == 1
    }
}

/// The outermost cells of a room on one side, and those behind them.
struct Line {
    /// By depth, the cells to be filled first.
    cells: [Vec<usize>; BLOCK],
}

impl Line {
    /// The cells around two neighbours of the line, in which these are exchanged.
    fn window(&self, pair: &[usize]) -> Vec<usize> {
        let from = self.cells[0].iter().position(|cell| pair.contains(cell)).unwrap_or(0);
        let around = from.saturating_sub(1)..(from + 3).min(self.cells[0].len());
        self.cells.iter().flat_map(|cells| &cells[around.clone()]).copied().collect()
    }
}

/// What is not yet done of a board.
#[derive(Clone)]
struct Room {
    size: Size,
    /// The home of what each cell holds.
    homes: Vec<u16>,
    /// The cell of what belongs in each cell.
    place: Vec<u16>,
    gap: usize,
    gap_home: usize,
    /// The cells that may still change.
    open: Vec<bool>,
    rows: Range<usize>,
    columns: Range<usize>,
    /// The cells the gap has been to, the first one included.
    trail: Vec<u16>,
}

impl Room {
    fn new(size: Size, homes: Vec<u16>, gap: usize, gap_home: usize) -> Room {
        let mut place = vec![0; homes.len()];
        for (cell, &home) in (0..).zip(&homes) {
            place[usize::from(home)] = cell;
        }
        Room {
            size,
            place,
            gap,
            gap_home,
            open: vec![true; homes.len()],
            rows: 0..size.rows,
            columns: 0..size.columns,
            trail: vec![gap as u16],
            homes,
        }
    }

    /// What every tile has to go at least, together.
    fn manhattan(&self) -> Cost {
        let tiles = (0..).zip(&self.homes).filter(|&(cell, _)| cell != self.gap);
        tiles.map(|(cell, &home)| self.size.distance(cell, home.into()) as Cost).sum()
    }

    /// Whether it is small enough to be solved the shortest way.
    fn is_block(&self) -> bool {
        self.rows.len().max(self.columns.len()) <= BLOCK
    }

    /// Whether a plan has not been tried under a lower number: it has where
    /// there is nothing to peel, or no choice between the first and the last line.
    fn differs(&self, plan: Plan) -> bool {
        let inner = |home: usize, count: usize| 0 < home && home + 1 < count;
        let rows = inner(self.size.row(self.gap_home), self.size.rows);
        let columns = inner(self.size.column(self.gap_home), self.size.columns);
        plan.0 == 0 || !self.is_block() && (rows || !plan.last_row()) && (columns || !plan.last_column())
    }

    /// Brings everything home.
    fn clear(&mut self, plan: Plan, meter: &mut Meter<'_>) -> Result<(), Stop> {
        while !self.is_block() {
            let line = self.peel(plan);
            self.fill(&line, plan, meter)?;
        }
        self.finish(meter)
    }

    /// Takes the next line off the room.
    fn peel(&mut self, plan: Plan) -> Line {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let row = rows > BLOCK && (columns <= BLOCK || plan.row(rows, columns));
        let (across, along, home, last) = if row {
            (&mut self.rows, &self.columns, self.size.row(self.gap_home), plan.last_row())
        } else {
            (&mut self.columns, &self.rows, self.size.column(self.gap_home), plan.last_column())
        };
        // The gap's home stays in the room.
        let last = across.start == home || last && across.end - 1 != home;
        let width = self.size.columns;
        let line = Line {
            cells: [0, 1, 2].map(|depth| {
                let depth = if last { across.end - 1 - depth } else { across.start + depth };
                let cell = |place| if row { depth * width + place } else { place * width + depth };
                along.clone().map(cell).collect()
            }),
        };
        *across = if last { across.start..across.end - 1 } else { across.start + 1..across.end };
        line
    }

    /// Brings the tiles of a line home and closes its cells.
    fn fill(&mut self, line: &Line, plan: Plan, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut left = &line.cells[0][..];
        // From the ends, so that no cell is left between closed ones.
        while let [first, between @ .., last] = left
            && !between.is_empty()
        {
            let effort = |home: usize| carry(self.size, self.gap as u16, self.place[home], home);
            let next = if plan.first_end(effort(*first), effort(*last)) {
                left = &left[1..];
                *first
            } else {
                left = &left[..left.len() - 1];
                *last
            };
            self.carry(next, &[next], meter)?;
            self.open[next] = false;
        }
        self.fill_pair([left[0], left[1]], &line.window(left), meter)?;
        for &cell in left {
            self.open[cell] = false;
        }
        Ok(())
    }

    /// Carries the tile of `home` to one of `targets` the shortest way; false if closed cells do not let it.
    fn carry(&mut self, home: usize, targets: &[usize], meter: &mut Meter<'_>) -> Result<bool, Stop> {
        let start = Stand { gap: self.gap as u16, tiles: [self.place[home]] };
        let size = self.size;
        let estimate = |stand: &Stand<1>| {
            let carries = targets.iter().map(|&target| carry(size, stand.gap, stand.tiles[0], target));
            carries.min().unwrap_or(0)
        };
        self.go(start, estimate, meter)
    }

    /// Follows the shortest way from `start` to where `estimate` is 0, if there is one.
    fn go<const K: usize>(
        &mut self,
        start: Stand<K>,
        estimate: impl Fn(&Stand<K>) -> Cost,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let Some(way) = way(self.size, &self.open, start, estimate, meter)? else { return Ok(false) };
        for cell in way {
            self.step(cell.into());
        }
        Ok(true)
    }

    /// Moves the gap to the neighbour `cell`.
    fn step(&mut self, cell: usize) {
        let gap = self.gap;
        self.homes.swap(gap, cell);
        self.place[usize::from(self.homes[gap])] = gap as u16;
        self.place[usize::from(self.homes[cell])] = cell as u16;
        self.gap = cell;
        // A step back takes the last one back.
        if self.trail.len() > 1 && self.trail[self.trail.len() - 2] == cell as u16 {
            self.trail.pop();
        } else {
            self.trail.push(cell as u16);
        }
    }

    /// Brings the last two tiles of a line home: one after the other into the
    /// window, in the order that proves shorter, then both together.
    fn fill_pair(&mut self, pair: [usize; 2], window: &[usize], meter: &mut Meter<'_>) -> Result<(), Stop> {
        let [a, b] = pair;
        // With `a` held where `b` belongs, `b` finds a way into the window of any room; else it may not.
        let orders: [([usize; 2], &[usize]); 4] =
            [([a, b], &[b]), ([b, a], &[a]), ([a, b], window), ([b, a], window)];
        let mut best: Option<Room> = None;
        for (order, hold) in orders {
            let mut room = self.clone();
            if room.gather(order, hold, window, meter)?
                && room.exchange(pair, window, meter)?
                && best.as_ref().is_none_or(|best| room.trail.len() < best.trail.len())
            {
                best = Some(room);
            }
        }
        *self = best.expect("one of the orders works on every board");
        Ok(())
    }

    /// Brings two tiles and the gap into the window, the first tile to one of `hold`.
    fn gather(
        &mut self,
        [first, second]: [usize; 2],
        hold: &[usize],
        window: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        if !self.carry(first, hold, meter)? {
            return Ok(false);
        }
        self.open[usize::from(self.place[first])] = false;
        if !self.carry(second, window, meter)? {
            return Ok(false);
        }
        self.open[usize::from(self.place[second])] = false;
        let size = self.size;
        let near = |stand: &Stand<0>| {
            let ways = window.iter().map(|&cell| size.distance(stand.gap.into(), cell) as Cost);
            ways.min().unwrap_or(0)
        };
        let done = self.go(Stand { gap: self.gap as u16, tiles: [] }, near, meter)?;
        for home in [first, second] {
            self.open[usize::from(self.place[home])] = true;
        }
        Ok(done)
    }

    /// Brings two tiles home that are in the window, as the gap is.
    fn exchange(&mut self, pair: [usize; 2], window: &[usize], meter: &mut Meter<'_>) -> Result<bool, Stop> {
        let mut open = vec![false; self.open.len()];
        for &cell in window {
            open[cell] = self.open[cell];
        }
        std::mem::swap(&mut open, &mut self.open);
        let start = Stand { gap: self.gap as u16, tiles: pair.map(|home| self.place[home]) };
        let size = self.size;
        let estimate = |stand: &Stand<2>| {
            let of = |which: usize| carry(size, stand.gap, stand.tiles[which], pair[which]);
            of(0).max(of(1))
        };
        let done = self.go(start, estimate, meter)?;
        self.open = open;
        Ok(done)
    }

    /// Brings the last block home, the gap included.
    fn finish(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let size = self.size;
        let cells = self
            .rows
            .clone()
            .flat_map(|row| self.columns.clone().map(move |column| row * size.columns + column));
        let mut homes = [usize::MAX; BLOCK * BLOCK - 1];
        for (slot, cell) in homes.iter_mut().zip(cells.filter(|&cell| cell != self.gap_home)) {
            *slot = cell;
        }
        let place = |home: usize| self.place.get(home).copied().unwrap_or(u16::MAX);
        let start = Stand { gap: self.gap as u16, tiles: homes.map(place) };
        let gap_home = self.gap_home;
        let estimate = |stand: &Stand<8>| {
            let ways = stand.tiles.iter().zip(homes).filter(|&(_, home)| home != usize::MAX);
            let sum: usize = ways.map(|(&tile, home)| size.distance(tile.into(), home)).sum();
            // All tiles are home exactly if the gap is.
            debug_assert!(sum > 0 || usize::from(stand.gap) == gap_home);
            sum as Cost
        };
        let done = self.go(start, estimate, meter)?;
        assert!(done, "the block left by the lines of a solvable board is solvable");
        Ok(())
    }
}

/// Where the gap and the tiles that matter are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Stand<const K: usize> {
    gap: u16,
    tiles: [u16; K],
}

/// A* from `start` to where `estimate` is 0, over open cells: the cells the gap goes to.
fn way<const K: usize>(
    size: Size,
    open: &[bool],
    start: Stand<K>,
    estimate: impl Fn(&Stand<K>) -> Cost,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<u16>>, Stop> {
    // Closed cells make the way of a single tile a little longer than the estimate. A little more
    // weight then saves half the nodes of a 64×64 board, for less than 1 % more moves.
    let weight = if K == 1 { 17 } else { 16 };
    let sum = |done: Cost, left: Cost| Reverse(16 * done + weight * left);
    let mut nodes: Vec<(Stand<K>, usize)> = vec![(start, 0)];
    let mut reached: HashMap<Stand<K>, Cost, FixedState> = HashMap::from_iter([(start, 0)]);
    // The lowest sum first, the deepest of equals, so that a good estimate leads straight on.
    let mut queue = BinaryHeap::from([(sum(0, estimate(&start)), 0, 0)]);
    while let Some((least, done, node)) = queue.pop() {
        let (stand, parent) = nodes[node];
        if least == sum(done, 0) {
            return Ok(Some(trace(&nodes, node)));
        }
        if reached[&stand] < done {
            continue;
        }
        if let ControlFlow::Break(Pause::Stop(stop)) = meter.check() {
            return Err(stop);
        }
        for m in [DOWN, RIGHT, LEFT, UP] {
            let Some(cell) = size.source(stand.gap.into(), m) else { continue };
            let gap = cell as u16;
            if !open[cell] || node > 0 && gap == nodes[parent].0.gap {
                continue;
            }
            meter.tick();
            let child =
                Stand { gap, tiles: stand.tiles.map(|tile| if tile == gap { stand.gap } else { tile }) };
            match reached.entry(child) {
                Entry::Occupied(entry) if *entry.get() <= done + 1 => continue,
                entry => {
                    entry.insert_entry(done + 1);
                }
            }
            queue.push((sum(done + 1, estimate(&child)), done + 1, nodes.len()));
            nodes.push((child, node));
        }
    }
    Ok(None)
}

/// The cells the gap went to from the first node to `node`.
fn trace<const K: usize>(nodes: &[(Stand<K>, usize)], mut node: usize) -> Vec<u16> {
    let mut way = Vec::new();
    while node > 0 {
        way.push(nodes[node].0.gap);
        node = nodes[node].1;
    }
    way.reverse();
    way
}

/// What it takes to carry `tile` to `target` on an open board.
///
/// The first slide takes the gap to the tile's side and 1; each further one 2 more
/// around a corner if it turns, 4 more around the tile if it goes straight on. So turn as often as can be.
fn carry(size: Size, gap: u16, tile: u16, target: usize) -> Cost {
    let (gap, tile) = (usize::from(gap), usize::from(tile));
    if tile == target {
        return 0;
    }
    let (row, column) = (size.row(tile), size.column(tile));
    let across = column.abs_diff(size.column(target));
    let down = row.abs_diff(size.row(target));
    let slides = |first: usize, second: usize| {
        let turns = if first > second { 2 * second } else { 2 * first - 1 };
        1 + 3 * turns + 5 * (first + second - 1 - turns)
    };
    let mut least = usize::MAX;
    if across > 0 {
        let right = size.column(target) > column;
        let side = if right { tile + 1 } else { tile - 1 };
        let behind = size.row(gap) == row && (size.column(gap) < column) == right;
        least = size.distance(gap, side) + 2 * usize::from(behind) + slides(across, down);
    }
    if down > 0 {
        let below = size.row(target) > row;
        let side = if below { tile + size.columns } else { tile - size.columns };
        let behind = size.column(gap) == column && (size.row(gap) < row) == below;
        least = least.min(size.distance(gap, side) + 2 * usize::from(behind) + slides(down, across));
    }
    least as Cost
}

#[cfg(test)]
mod tests {
    use super::super::Goal;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::control::{Limits, Silent};
    use untumble_search::frontend::{PuzzleFrontend, PuzzleText};
    use untumble_search::perm::shuffle;
    use untumble_search::puzzle::Puzzle;

    type Plain = Tiles<Box<[u16]>>;
    type PlainBoard = Board<Box<[u16]>>;

    fn shuffled(count: usize, rng: &mut ChaCha8Rng) -> Vec<u16> {
        let mut labels: Vec<u16> = (0..count as u16).collect();
        shuffle(&mut labels, rng);
        labels
    }

    fn puzzle(rows: usize, columns: usize, rng: &mut ChaCha8Rng) -> Plain {
        let size = Size { rows, columns };
        Tiles::new(Goal::new(size, shuffled(size.cells(), rng)))
    }

    /// Solves, replays, and returns the length.
    fn length(tiles: &Plain, board: &PlainBoard) -> Cost {
        let control = Control::default();
        let report = Layers.solve(tiles, std::slice::from_ref(board), &control);
        assert_eq!(report.outcome, Outcome::Solved, "{board:?}");
        let best = report.best.expect("a solved board has a path");
        let end = tiles.replay(board, &best.moves).expect("every move is legal");
        assert!(tiles.is_goal(&end), "the path solves {board:?}");
        assert_eq!(best.cost as usize, best.moves.len());
        assert!(report.lower_bound <= best.cost && report.counts.generated > 0);
        let undone = best.moves.windows(2).any(|pair| tiles.inverse(pair[0]) == Some(pair[1]));
        assert!(!undone, "no move takes back the one before");
        best.cost
    }

    /// The lengths of all boards that can be solved, by breadth-first search.
    fn distances(tiles: &Plain) -> HashMap<Box<[u16]>, (PlainBoard, Cost)> {
        let goal = tiles.solved();
        let mut known = HashMap::from([(tiles.pack(&goal), (goal.clone(), 0))]);
        let mut layer = vec![goal];
        for depth in 1.. {
            let mut next = Vec::new();
            for board in &layer {
                for child in tiles.legal(board).into_iter().map(|m| tiles.apply(board, m)) {
                    known.entry(tiles.pack(&child)).or_insert_with(|| {
                        next.push(child.clone());
                        (child, depth)
                    });
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        known
    }

    #[test]
    fn every_small_board_is_solved_the_shortest_way() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (rows, columns, count) in [(2, 2, 12), (2, 3, 360), (3, 2, 360)] {
            let tiles = puzzle(rows, columns, &mut rng);
            let known = distances(&tiles);
            assert_eq!(known.len(), count);
            for (board, distance) in known.values() {
                assert_eq!(length(&tiles, board), *distance, "{board:?}");
            }
        }
        let tiles = puzzle(3, 3, &mut rng);
        let known = distances(&tiles);
        for _ in 0..2000 {
            let board = tiles.random(&mut rng);
            assert_eq!(length(&tiles, &board), known[&tiles.pack(&board)].1, "{board:?}");
        }
    }

    #[test]
    fn every_shape_and_goal_is_solved() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for rows in 2..=8 {
            for columns in 2..=8 {
                for _ in 0..6 {
                    let tiles = puzzle(rows, columns, &mut rng);
                    let board = tiles.random(&mut rng);
                    length(&tiles, &board);
                }
            }
        }
    }

    #[test]
    fn big_boards_are_solved_in_short_order() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (rows, columns) in [(10, 10), (16, 16), (64, 64), (64, 2), (2, 64), (64, 3), (5, 64)] {
            let tiles = puzzle(rows, columns, &mut rng);
            let board = tiles.random(&mut rng);
            let moves = length(&tiles, &board) as usize;
            let side = rows.max(columns);
            assert!(3 * moves < 8 * side.pow(3), "{rows}x{columns} took {moves} moves");
        }
    }

    #[test]
    fn a_solved_board_takes_no_moves() {
        let tiles = puzzle(5, 4, &mut ChaCha8Rng::seed_from_u64(4));
        assert_eq!(length(&tiles, &tiles.solved()), 0);
    }

    #[test]
    fn the_wrong_parity_is_told_at_once() {
        let goal = Goal::named(Size { rows: 4, columns: 4 }, "blank-last").expect("a known goal");
        let tiles = Plain::new(goal);
        let mut names = tiles.goal().solved();
        names.swap(13, 14);
        let report = Layers.solve(&tiles, &[tiles.board(&names)], &Control::default());
        assert_eq!((report.outcome, report.best), (Outcome::Unsolvable, None));
        assert!(tiles.check(&tiles.board(&names)).is_err());
    }

    #[test]
    fn limits_are_obeyed() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let tiles = puzzle(16, 16, &mut rng);
        let board = tiles.random(&mut rng);
        let stopped = |nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let control = Control::new(limits, std::sync::Arc::new(Silent));
            let report = Layers.solve(&tiles, std::slice::from_ref(&board), &control);
            assert!(report.counts.generated <= nodes + 5, "{} of {nodes}", report.counts.generated);
            report.outcome
        };
        assert_eq!(stopped(1000), Outcome::Stopped(Stop::Nodes));
        assert_eq!(stopped(120_000), Outcome::Solved, "the first plan was done");
    }

    #[test]
    fn the_effort_of_carrying_never_exceeds_the_truth() {
        let size = Size { rows: 4, columns: 5 };
        let open = vec![true; size.cells()];
        let control = Control::default();
        let mut meter = control.meter();
        for (gap, tile, target) in (0..20u16)
            .flat_map(|gap| {
                (0..20u16).flat_map(move |tile| (0..20usize).map(move |target| (gap, tile, target)))
            })
            .filter(|&(gap, tile, _)| gap != tile)
        {
            let blind = |stand: &Stand<1>| Cost::from(usize::from(stand.tiles[0]) != target);
            let start = Stand { gap, tiles: [tile] };
            let truth = way(size, &open, start, blind, &mut meter).expect("no limit").expect("a way");
            assert!(carry(size, gap, tile, target) <= truth.len() as Cost, "{gap} {tile} {target}");
        }
    }
}
