//! Things that symmetries make of each other: one of each class stands for all of it.

use super::symmetry::Group;

/// A class, and the symmetry that carries a member to the one that stands for it, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::cube3) struct Member(u32);

impl Member {
    const NONE: Member = Member(u32::MAX);

    fn new(class: usize, symmetry: usize) -> Member {
        Member((class << 6 | symmetry) as u32)
    }

    #[inline(always)]
    pub(in crate::cube3) fn class(self) -> usize {
        (self.0 >> 6) as usize
    }

    #[inline(always)]
    pub(in crate::cube3) fn symmetry(self) -> usize {
        self.0 as usize & 63
    }
}

/// The classes of some things that have numbers.
pub(in crate::cube3) struct SymmetryClasses {
    /// The class of each.
    pub(in crate::cube3) members: Vec<Member>,
    /// The one that stands for each class, which is the first.
    pub(in crate::cube3) chosen: Vec<u32>,
    /// The symmetries that leave it as it is, as bits.
    pub(in crate::cube3) fixing: Vec<u64>,
}

impl SymmetryClasses {
    /// `images` tells what the symmetries make of a thing, in their order.
    pub(in crate::cube3) fn new<I>(
        group: &Group,
        count: usize,
        images: impl Fn(usize) -> I,
    ) -> SymmetryClasses
    where
        I: IntoIterator<Item = usize>,
    {
        let mut members = vec![Member::NONE; count];
        let (mut chosen, mut fixing) = (Vec::new(), Vec::new());
        for number in 0..count {
            if members[number] != Member::NONE {
                continue;
            }
            let (class, mut fixed) = (chosen.len(), 0);
            for (symmetry, image) in images(number).into_iter().enumerate() {
                fixed |= u64::from(image == number) << symmetry;
                if members[image] == Member::NONE {
                    members[image] = Member::new(class, group.inverse(symmetry));
                }
            }
            chosen.push(number as u32);
            fixing.push(fixed);
        }
        SymmetryClasses { members, chosen, fixing }
    }
}
