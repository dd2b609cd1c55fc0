//! Which slots can exchange their pieces: the orbits of the group that the moves generate.
//!
//! Formats of stickers list all of them in one orbit. A [`Definition`] keeps the listed form, so that
//! positions and written files stay those of the user; searches may use these parts instead.

use super::model::{Definition, MoveKind};

impl Definition {
    /// The slots of each orbit, grouped into those that moves and rotations exchange; each group is sorted,
    /// and groups are ordered by their first slot. A slot that nothing moves is a group of its own.
    pub fn connected_slots(&self) -> Vec<Vec<Vec<usize>>> {
        self.connected(|kind| kind != MoveKind::Sequence)
    }

    /// The same for moves of kind [`MoveKind::Move`] alone.
    pub fn connected_slots_without_rotations(&self) -> Vec<Vec<Vec<usize>>> {
        self.connected(|kind| kind == MoveKind::Move)
    }

    fn connected(&self, counts: impl Fn(MoveKind) -> bool) -> Vec<Vec<Vec<usize>>> {
        let group = |(number, orbit): (usize, &super::model::Orbit)| {
            let mut parents: Vec<usize> = (0..orbit.pieces).collect();
            for named in self.moves().iter().filter(|named| counts(named.kind)) {
                for (slot, &from) in named.transformation.orbits()[number].from().iter().enumerate() {
                    let (a, b) = (root(&mut parents, slot), root(&mut parents, from.into()));
                    // The smaller slot becomes the root.
                    parents[a.max(b)] = a.min(b);
                }
            }
            let mut groups: Vec<Vec<usize>> = vec![Vec::new(); orbit.pieces];
            (0..orbit.pieces).for_each(|slot| groups[root(&mut parents, slot)].push(slot));
            groups.retain(|group| !group.is_empty());
            groups
        };
        self.orbits().iter().enumerate().map(group).collect()
    }
}

/// The representative of a slot; halves the path to it.
fn root(parents: &mut [usize], mut slot: usize) -> usize {
    while parents[slot] != slot {
        parents[slot] = parents[parents[slot]];
        slot = parents[slot];
    }
    slot
}

#[cfg(test)]
mod tests {
    use crate::definition::parse;

    #[test]
    fn stickers_split_into_the_orbits_of_the_group() {
        let text = "a:=(1,4,6)(2,3); b:=(6,8); ip:=[[9]];";
        let definition = parse(text.as_bytes(), "a.gap").unwrap_or_else(|error| panic!("{error}"));
        let expected = vec![vec![vec![0, 3, 5, 7], vec![1, 2], vec![4], vec![6], vec![8]]];
        assert_eq!(definition.connected_slots(), expected);
    }

    #[test]
    fn rotations_join_slots_that_moves_keep_apart() {
        let text = "Set A 4 1\nSolved\nEnd\nMove U\nA\n2 1 3 4\nEnd\nMove y\nA\n3 4 1 2\nEnd\n";
        let definition = parse(text.as_bytes(), "a.tws").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(definition.connected_slots(), [[[0, 1, 2, 3]]]);
        assert_eq!(definition.connected_slots_without_rotations(), [vec![vec![0, 1], vec![2], vec![3]]]);
    }
}
