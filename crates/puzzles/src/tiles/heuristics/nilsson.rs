//! Nilsson's sequence score for the 8-puzzle: famous, quick, and not a bound.

use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::Cost;
use untumble_search::spec::SpecError;

use super::Manhattan;
use crate::PuzzleError;
use crate::tiles::{Board, Cells, Goal, Size, Tiles};

/// Manhattan distance + 3 × a score of the ring around the centre.
#[derive(Clone, Debug)]
pub struct Nilsson {
    manhattan: Manhattan,
    /// The tile that follows each one clockwise in the goal's ring, by name; 0 for the gap.
    successor: [u8; 9],
    /// The home cell of each tile.
    home: [u8; 9],
    by_place: bool,
}

/// The cells around the centre, clockwise.
const RING: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];
const CENTRE: usize = 4;

impl Nilsson {
    /// For 3x3 boards whose gap belongs in the centre; `place` scores tiles out of place instead of out of sequence.
    pub fn new(goal: &Goal, argument: Option<&str>) -> Result<Nilsson, Error> {
        let by_place = match argument {
            None => false,
            Some("place") => true,
            Some(other) => {
                return Err(SpecError::ArgumentInvalid {
                    heuristic: "nilsson".into(),
                    argument: other.into(),
                    reason: "the only argument is `place`".into(),
                }
                .into());
            }
        };
        if goal.size() != (Size { rows: 3, columns: 3 }) || goal.gap() != CENTRE {
            let three = goal.size() == Size { rows: 3, columns: 3 };
            let instead = if three { "" } else { "; use manhattan here" };
            let reason = format!("the 8-puzzle with the goal's gap in the centre{instead}");
            let goal = three.then_some("snail");
            return Err(PuzzleError::HeuristicGoal { heuristic: "nilsson", reason, goal }.into());
        }
        let solved = goal.solved();
        let (mut successor, mut home) = ([0; 9], [0; 9]);
        for (place, &cell) in RING.iter().enumerate() {
            successor[usize::from(solved[cell])] = solved[RING[(place + 1) % 8]] as u8;
            home[usize::from(solved[cell])] = cell as u8;
        }
        Ok(Nilsson { manhattan: Manhattan::new(goal), successor, home, by_place })
    }

    fn score<C: Cells>(&self, board: &Board<C>) -> Cost {
        let mut score = Cost::from(board.cells.get(CENTRE) != 0);
        for (place, &cell) in RING.iter().enumerate() {
            let name = board.cells.get(cell);
            if name == 0 {
                continue;
            }
            let good = if self.by_place {
                usize::from(self.home[name]) == cell
            } else {
                usize::from(self.successor[name]) == board.cells.get(RING[(place + 1) % 8])
            };
            score += if good { 0 } else { 2 };
        }
        score
    }
}

impl<C: Cells> Heuristic<Tiles<C>> for Nilsson {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::None
    }

    fn start(&self, puzzle: &Tiles<C>, board: &Board<C>) -> Cost {
        self.manhattan.start(puzzle, board) + 3 * self.score(board)
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snail() -> Tiles<u64> {
        Tiles::new(Goal::named(Size { rows: 3, columns: 3 }, "snail").expect("a known goal"))
    }

    fn score(labels: [u16; 9], argument: Option<&str>) -> Cost {
        let tiles = snail();
        let names: Vec<u16> = labels.iter().map(|&label| tiles.goal().name(label)).collect();
        let board = tiles.board(&names);
        Nilsson::new(tiles.goal(), argument).expect("snail").score(&board)
    }

    #[test]
    fn the_score_counts_by_hand() {
        assert_eq!(score([1, 2, 3, 8, 0, 4, 7, 6, 5], None), 0, "solved");
        // Nilsson's own example (1980, fig. 2.9): 2 8 3 / 1 6 4 / 7 _ 5. Clockwise 2 8 3 4 5 _ 7 1:
        // 2, 8, 5, 7 and 1 (followed by 2: right) … so 2, 8, 5, 7 score, and the centre is taken.
        assert_eq!(score([2, 8, 3, 1, 6, 4, 7, 0, 5], None), 2 * 4 + 1);
        // Out of place: 2, 8 and 1; the centre is taken.
        assert_eq!(score([2, 8, 3, 1, 6, 4, 7, 0, 5], Some("place")), 2 * 3 + 1);
    }

    #[test]
    fn other_boards_are_refused() {
        for (rows, columns, name) in [(3, 3, "blank-last"), (4, 4, "snail")] {
            let goal = Goal::named(Size { rows, columns }, name).expect("a known goal");
            assert!(
                matches!(Nilsson::new(&goal, None), Err(Error::Puzzle(error)) if error.message().contains("centre"))
            );
        }
        assert!(Nilsson::new(snail().goal(), Some("plaec")).is_err());
    }
}
