//! Nilsson's sequence score for the 8-puzzle (Nilsson, "Principles of Artificial Intelligence", 1980): A*
//! with it expands few nodes, but it is inadmissible.

use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::Cost;
use untumble_search::spec::SpecError;

use super::Manhattan;
use crate::PuzzleError;
use crate::tiles::{Board, Cells, Goal, Size, Tiles};

/// Manhattan distance + 3 × the sequence score: 2 for every tile on the rim that is not followed clockwise
/// by its successor in the goal, and 1 for a tile in the centre.
#[derive(Clone, Debug)]
pub struct Nilsson {
    manhattan: Manhattan,
    /// The tile that follows each tile clockwise in the goal.
    successor: [u8; 9],
    /// The home cell of each tile.
    home: [u8; 9],
    /// Score tiles that are not at home instead of tiles out of sequence.
    scores_places: bool,
}

/// The cells on the rim, clockwise.
const RING: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];
const CENTRE: usize = 4;

impl Nilsson {
    /// For a 3×3 goal with the blank in the centre. The argument `place` scores tiles that are not at home
    /// instead of tiles out of sequence.
    pub fn new(goal: &Goal, argument: Option<&str>) -> Result<Nilsson, Error> {
        let scores_places = match argument {
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
        if goal.size() != (Size { rows: 3, columns: 3 }) || goal.blank_home() != CENTRE {
            let is_3x3 = goal.size() == Size { rows: 3, columns: 3 };
            let reason = "the 8-puzzle with the goal's blank in the centre".into();
            let (goal, instead) = if is_3x3 { (Some("snail"), None) } else { (None, Some("manhattan")) };
            return Err(PuzzleError::HeuristicGoal { heuristic: "nilsson", reason, goal, instead }.into());
        }
        let solved = goal.solved();
        let (mut successor, mut home) = ([0; 9], [0; 9]);
        for (index, &cell) in RING.iter().enumerate() {
            successor[usize::from(solved[cell])] = solved[RING[(index + 1) % 8]] as u8;
            home[usize::from(solved[cell])] = cell as u8;
        }
        Ok(Nilsson { manhattan: Manhattan::new(goal), successor, home, scores_places })
    }

    /// The sequence score, or the score of misplaced tiles if `scores_places` is set.
    fn score<C: Cells>(&self, board: &Board<C>) -> Cost {
        let mut score = Cost::from(board.cells.get(CENTRE) != 0);
        for (index, &cell) in RING.iter().enumerate() {
            let tile = board.cells.get(cell);
            if tile == 0 {
                continue;
            }
            let correct = if self.scores_places {
                usize::from(self.home[tile]) == cell
            } else {
                usize::from(self.successor[tile]) == board.cells.get(RING[(index + 1) % 8])
            };
            score += if correct { 0 } else { 2 };
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
        let ids: Vec<u16> = labels.iter().map(|&label| tiles.goal().tile_id(label)).collect();
        let board = tiles.board(&ids);
        Nilsson::new(tiles.goal(), argument).expect("snail").score(&board)
    }

    #[test]
    fn scores_equal_those_counted_by_hand() {
        assert_eq!(score([1, 2, 3, 8, 0, 4, 7, 6, 5], None), 0, "solved");
        // Nilsson's example (1980, fig. 2.9): 2 8 3 / 1 6 4 / 7 _ 5, clockwise 2 8 3 4 5 _ 7 1.
        // 2, 8, 5 and 7 are not followed by their successors, and a tile is in the centre.
        assert_eq!(score([2, 8, 3, 1, 6, 4, 7, 0, 5], None), 2 * 4 + 1);
        // 2, 8 and 1 are not at home, and a tile is in the centre.
        assert_eq!(score([2, 8, 3, 1, 6, 4, 7, 0, 5], Some("place")), 2 * 3 + 1);
    }

    #[test]
    fn other_goals_and_arguments_are_rejected() {
        for (rows, columns, name, alternative) in
            [(3, 3, "blank-last", "snail"), (4, 4, "snail", "manhattan")]
        {
            let goal = Goal::named(Size { rows, columns }, name).expect("a known goal");
            let Err(Error::Puzzle(error)) = Nilsson::new(&goal, None) else { panic!("{name}") };
            assert!(error.message().ends_with("the goal's blank in the centre"), "{error}");
            assert_eq!(error.alternatives[0].value, alternative);
        }
        assert!(Nilsson::new(snail().goal(), Some("plaec")).is_err());
    }
}
