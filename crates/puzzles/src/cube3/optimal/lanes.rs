//! Entries that differ in flips and parity only, side by side: what turns and symmetries make of them.

use super::kind::Kind;
use crate::cube3::symmetry::{Group, is_quarter};

/// What a turn changes: the flips of the first two slices and whether the number of all flips is odd afterwards, as
/// [`super::slices::Slices::flips`] has it.
const CHANGES: usize = 8;
/// Ways to exchange three axes.
const WAYS: usize = 6;

/// Where lanes go.
pub(super) struct Lanes {
    /// How many there are.
    pub(super) count: usize,
    /// By symmetry, which of the ways it exchanges the axes.
    ways: Vec<usize>,
    /// By way, change and whether a turn is by a quarter: the lane each lane goes to.
    to: Vec<[u8; 8]>,
    /// The same the other way around for sets of lanes: those that go to one of a set.
    from: Vec<[u8; 256]>,
}

impl Lanes {
    pub(super) fn new(kind: &Kind, group: &Group) -> Lanes {
        let mut known: Vec<[usize; 3]> = Vec::new();
        let ways = group.list.iter().map(|symmetry| {
            let axes = [0, 1, 2].map(|axis| symmetry.axis(axis));
            known.iter().position(|&other| other == axes).unwrap_or_else(|| {
                known.push(axes);
                known.len() - 1
            })
        });
        let ways = ways.collect();
        assert_eq!(known.len(), WAYS, "the axes are exchanged in every way");
        let count = kind.lanes();
        let (mut to, mut from) = (Vec::new(), Vec::new());
        for axes in known {
            for change in 0..CHANGES {
                for quarter in 0..2 {
                    let mut goes = [0; 8];
                    for parity in 0..2 {
                        for flips in 0..4 {
                            let [first, second] = [0, 1].map(|slice| (flips ^ change) >> slice & 1);
                            let third = first ^ second ^ change >> 2;
                            let mut seen = [0; 3];
                            [first, second, third]
                                .into_iter()
                                .zip(axes)
                                .for_each(|(odd, axis)| seen[axis] = odd);
                            let lane = kind.lane(parity ^ quarter, seen[0] | seen[1] << 1);
                            goes[kind.lane(parity, flips)] = lane as u8;
                        }
                    }
                    to.push(goes);
                    from.push(std::array::from_fn(|set| {
                        (0..count).map(|lane| ((set >> goes[lane] & 1) << lane) as u8).sum()
                    }));
                }
            }
        }
        Lanes { count, ways, to, from }
    }

    /// The map of a turn and a symmetry after it, for no change of flips.
    #[inline(always)]
    pub(super) fn map(&self, turn: Option<usize>, symmetry: usize) -> usize {
        let quarter = usize::from(turn.is_some_and(is_quarter));
        self.ways[symmetry] * CHANGES * 2 + quarter
    }

    /// Where a lane goes by a map, with a change of flips.
    #[inline(always)]
    pub(super) fn to(&self, map: usize, change: u8, lane: usize) -> usize {
        self.to[map + 2 * usize::from(change)][lane].into()
    }

    /// The lanes that go to those of a set.
    #[inline(always)]
    pub(super) fn from(&self, map: usize, change: u8, set: u8) -> u8 {
        self.from[map + 2 * usize::from(change)][usize::from(set)]
    }
}
