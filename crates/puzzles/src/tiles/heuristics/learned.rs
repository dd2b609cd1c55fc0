//! A trained ranking: a weight for each number of rows and columns that a tile, or the gap, is from home.

use rand::Rng;
use untumble_search::catalogued::Catalogued;
use untumble_search::heuristic::{Heuristic, Promise};
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::solve::beam::Plan;
use untumble_search::train::file::File;
use untumble_search::train::{Features, School};
use untumble_search::trouble::Trouble;
use untumble_search::walker::Stroll;

use crate::tiles::{Board, Cells, Goal, Size, Tiles};

/// Scores are whole numbers: so many make a weight of 1.
const UNIT: f64 = 64.0;

/// A sum of weights over tiles and gap. Promises nothing; it is for beams.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The weight of what each name and cell stand for.
    part: Vec<u32>,
    /// The place of that weight among all.
    place: Vec<u16>,
    cells: usize,
}

/// The places of the weights: tiles by rows and columns from home, then the gap alike. On square boards rows and columns are alike.
fn places(size: Size) -> Vec<(usize, usize)> {
    let square = size.rows == size.columns;
    let all = (0..size.rows).flat_map(|row| (0..size.columns).map(move |column| (row, column)));
    all.filter(|(row, column)| !square || row >= column).collect()
}

/// The place of so many rows and columns.
fn place(size: Size, rows: usize, columns: usize) -> usize {
    if size.rows != size.columns {
        return rows * size.columns + columns;
    }
    let (long, short) = (rows.max(columns), rows.min(columns));
    long * (long + 1) / 2 + short
}

/// The names of the weights.
fn names(size: Size) -> Vec<String> {
    let of = |kind: &'static str| {
        places(size).into_iter().map(move |(rows, columns)| format!("{kind}{rows},{columns}"))
    };
    of("tile").chain(of("gap")).collect()
}

impl Learned {
    /// These weights for boards with this goal, as many as there are names.
    pub fn new(goal: &Goal, weights: &[f64]) -> Learned {
        let (size, cells) = (goal.size(), goal.size().cells());
        let (mut part, mut place_of) = (vec![0; cells * cells], vec![0; cells * cells]);
        for name in 0..cells {
            let home = goal.home(name);
            for cell in 0..cells {
                let rows = size.row(cell).abs_diff(size.row(home));
                let columns = size.column(cell).abs_diff(size.column(home));
                let gap = if name == 0 { places(size).len() } else { 0 };
                let at = gap + place(size, rows, columns);
                place_of[name * cells + cell] = at as u16;
                part[name * cells + cell] = (UNIT * weights[at]).round() as u32;
            }
        }
        Learned { part, place: place_of, cells }
    }

    /// The weights of a file.
    pub fn read(goal: &Goal, path: &str) -> Result<Learned, Trouble> {
        let size = goal.size();
        let mut weights = File::read(path)?.weights(path, &format!("tiles-{size}"), &names(size))?;
        project(size, &mut weights);
        Ok(Learned::new(goal, &weights))
    }
}

impl<C: Cells> Heuristic<Tiles<C>> for Learned {
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn start(&self, _puzzle: &Tiles<C>, board: &Board<C>) -> u32 {
        (0..self.cells).map(|cell| self.part[board.cells.get(cell) * self.cells + cell]).sum()
    }

    #[inline]
    fn step(&self, value: &u32, edge: &Edge<'_, Tiles<C>>, left: Cost) -> Result<u32, Cost> {
        let to = usize::from(edge.parent.gap);
        let from = edge.puzzle.source(edge.parent.gap, edge.m);
        let row = edge.parent.cells.get(from) * self.cells;
        let sum = value + self.part[row + to] + self.part[from] - self.part[row + from] - self.part[to];
        if sum > left { Err(sum) } else { Ok(sum) }
    }

    #[inline]
    fn cost(&self, value: &u32) -> Cost {
        *value
    }
}

impl<C: Cells> Features<Tiles<C>> for Learned {
    fn features(&self, _tiles: &Tiles<C>, board: &Board<C>, counts: &mut [i32]) {
        for cell in 0..self.cells {
            counts[usize::from(self.place[board.cells.get(cell) * self.cells + cell])] += 1;
        }
    }
}

/// Weights are never below 0, nothing at home weighs anything, and what is further in either direction weighs no less.
fn project(size: Size, weights: &mut [f64]) {
    let count = places(size).len();
    for half in weights.chunks_mut(count) {
        half.iter_mut().for_each(|weight| *weight = weight.max(0.0));
        half[0] = 0.0;
        for (rows, columns) in places(size) {
            let nearer =
                [(rows > 0).then(|| (rows - 1, columns)), (columns > 0).then(|| (rows, columns - 1))];
            let least =
                nearer.into_iter().flatten().map(|(r, c)| half[place(size, r, c)]).fold(0.0, f64::max);
            let weight = &mut half[place(size, rows, columns)];
            *weight = weight.max(least);
        }
    }
}

impl<C: Cells> School for Tiles<C> {
    type Problem = Board<C>;
    type Rating = Learned;
    type Walker<'a> = Stroll<'a, Tiles<C>, Learned>;

    fn names(&self) -> Vec<String> {
        names(self.size())
    }

    fn first(&self) -> Vec<f64> {
        let far =
            |(rows, columns): (usize, usize)| (8 * (rows + columns) + rows * rows + columns * columns) as f64;
        let places = places(self.size());
        let tiles = places.iter().copied().map(far);
        tiles.chain(places.iter().map(|&(rows, columns)| (rows + columns) as f64)).collect()
    }

    fn begin(&self, from: Option<(&str, &File)>) -> Result<Vec<f64>, Trouble> {
        match from {
            None => Ok(self.first()),
            Some((name, file)) => Ok(file.weights(name, &self.title(), &names(self.size()))?),
        }
    }

    fn project(&self, weights: &mut [f64]) {
        project(self.size(), weights);
    }

    fn rating(&self, weights: &[f64]) -> Learned {
        Learned::new(self.goal(), weights)
    }

    fn problem(&self, rng: &mut dyn Rng) -> Board<C> {
        self.random(rng)
    }

    fn walkers<'a>(&'a self, rating: &'a Learned, board: &Board<C>) -> Vec<Stroll<'a, Tiles<C>, Learned>> {
        vec![Stroll::new(self, rating, board)]
    }

    fn plan(&self, width: usize, seed: u64) -> Plan {
        Plan { width, seed, moves: 4, cheapest: 1, admissible: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::laws;
    use untumble_search::train::Featured;

    #[test]
    fn scores_are_features_times_weights_and_keep_the_laws() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (rows, columns) in [(3, 3), (3, 5), (4, 4)] {
            let tiles =
                Tiles::<u64>::new(Goal::named(Size { rows, columns }, "snail").expect("a known goal"));
            let mut weights: Vec<f64> = tiles.first();
            weights.iter_mut().zip(1u32..).for_each(|(weight, n)| *weight += f64::from(n % 5));
            tiles.project(&mut weights);
            let again = {
                let mut w = weights.clone();
                tiles.project(&mut w);
                w
            };
            assert_eq!(weights, again, "what is projected stays");
            let learned = tiles.rating(&weights);
            laws::heuristic(&tiles, &learned, &mut rng);
            laws::stroll(&tiles, &learned, &mut rng);
            for _ in 0..20 {
                let board = tiles.random(&mut rng);
                let mut counts = vec![0; School::names(&tiles).len()];
                tiles.walkers(&learned, &board)[0].features(&mut counts);
                assert_eq!(counts.iter().sum::<i32>() as usize, rows * columns);
                let score: f64 =
                    counts.iter().zip(&weights).map(|(&count, weight)| f64::from(count) * weight).sum();
                let value = Heuristic::<Tiles<u64>>::start(&learned, &tiles, &board);
                assert_eq!((UNIT * score).round() as u32, value);
            }
        }
    }
}
