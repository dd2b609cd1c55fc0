//! Positions grouped by the length of their best known solutions.

use serde::Serialize;

use untumble_search::puzzle::Cost;
use untumble_session::number_format;

use super::row::BestKnown;

/// The largest number of groups with solutions; more would make the tables hard to read.
const MAX_GROUPS: u32 = 10;

/// Positions whose best known solutions have similar lengths.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct LengthGroup {
    /// The smallest and the largest length; `None` for the positions that no solver solved.
    pub lengths: Option<(Cost, Cost)>,
    /// The number of positions.
    pub positions: usize,
}

impl LengthGroup {
    /// Whether a position with this best known solution belongs to the group.
    pub(crate) fn contains(&self, best: Option<BestKnown>) -> bool {
        match (self.lengths, best) {
            (Some((min, max)), Some(best)) => (min..=max).contains(&best.length),
            (None, None) => true,
            _ => false,
        }
    }

    /// The heading of the group in tables.
    pub fn title(&self) -> String {
        match self.lengths {
            Some((min, max)) if min == max => number_format::pluralize(min.into(), "move"),
            Some((min, max)) => format!("{min}–{max} moves"),
            None => "unsolved".into(),
        }
    }
}

/// Groups positions by the lengths of their best known solutions: one group for each distinct length if
/// there are at most [`MAX_GROUPS`], otherwise ranges of equal width. The last group holds the `unsolved`
/// positions. No group is empty.
pub(crate) fn group_lengths(lengths: &[Cost], unsolved: usize) -> Vec<LengthGroup> {
    let mut groups = Vec::new();
    if let (Some(&min), Some(&max)) = (lengths.iter().min(), lengths.iter().max()) {
        let mut distinct = lengths.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let ranges: Vec<(Cost, Cost)> = if distinct.len() <= MAX_GROUPS as usize {
            distinct.iter().map(|&length| (length, length)).collect()
        } else {
            let width = (max - min) / MAX_GROUPS + 1;
            let starts = (min..=max).step_by(width as usize);
            starts.map(|from| (from, from.saturating_add(width - 1).min(max))).collect()
        };
        groups.extend(ranges.into_iter().map(|(from, to)| LengthGroup {
            lengths: Some((from, to)),
            positions: lengths.iter().filter(|length| (from..=to).contains(*length)).count(),
        }));
        groups.retain(|group| group.positions > 0);
    }
    if unsolved > 0 {
        groups.push(LengthGroup { lengths: None, positions: unsolved });
    }
    groups
}
