//! The first phase: which nodes there are, and what turns make of them.
//!
//! It ends in the group of cubes that turns of U and D and half turns of the other faces solve: nothing twisted, nothing flipped, the edges of the
//! middle layer in it.

use std::collections::HashMap;

use untumble_search::control::{Control, Stop};
use untumble_search::moves::AutomatonState;

use super::classes::Classes;
use super::coordinates::{Moves, TWISTS, twist, twist_moves};
use crate::cube::{Face, Turns};
use crate::cube3::Cube;
use crate::cube3::heuristics::corners::twisted;
use crate::cube3::symmetry::{Group, TURNS, turn};

/// A cube as the first phase sees it, in the frame of its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) class: u16,
    /// The twists, seen in the frame.
    pub(super) twist: u16,
    /// The symmetry from how the cube is held to the frame.
    pub(super) frame: u8,
}

/// What turns make of nodes.
pub(super) struct Reduction {
    pub(super) group: Group,
    pub(super) classes: Classes,
    twists: Moves,
    /// The twists seen by each symmetry, side by side.
    seen: Vec<u16>,
    words: Trails,
}

/// Quarter turns of the faces around the upright axis, as bits: after any other turn the first phase would have ended before.
pub(super) const LAST: u32 = last();

const fn last() -> u32 {
    let (mut set, mut at) = (0, 0);
    let faces = [Face::R, Face::F, Face::L, Face::B];
    while at < faces.len() {
        set |= 1 << turn(faces[at], 1) | 1 << turn(faces[at], 3);
        at += 1;
    }
    set
}

impl Reduction {
    pub(super) fn new(turns: &Turns, control: &Control) -> Result<Reduction, Stop> {
        let group = Group::upright();
        let mut seen = vec![0; TWISTS * group.count()];
        for number in 0..TWISTS {
            for (place, symmetry) in group.list.iter().enumerate() {
                seen[number * group.count() + place] = twist(&symmetry.corners(&twisted(number)));
            }
        }
        let words = Trails::new(turns, &group);
        control.poll()?;
        let (classes, twists) = (Classes::new(&group), twist_moves());
        control.poll()?;
        Ok(Reduction { classes, twists, seen, words, group })
    }

    /// The node of a cube.
    pub(super) fn node(&self, cube: Cube) -> Node {
        let member = self.classes.of(&cube.edges());
        let twist = self.seen(twist(&cube.corners()), member.symmetry());
        Node { class: member.class() as u16, twist, frame: member.symmetry() as u8 }
    }

    /// Whether the first phase ends here.
    pub(super) fn is_home(&self, node: Node) -> bool {
        node.class == self.classes.home && node.twist == 0
    }

    /// Twists as a symmetry shows them.
    #[inline(always)]
    pub(super) fn seen(&self, twist: u16, symmetry: usize) -> u16 {
        self.seen[usize::from(twist) * 16 + symmetry]
    }

    /// Twists after a turn.
    #[inline(always)]
    pub(super) fn twisted(&self, twist: u16, turn: usize) -> u16 {
        self.twists.after(twist, turn)
    }

    /// The node after a turn that is named as the frame shows it, and the symmetry from the old frame to the new one.
    #[inline(always)]
    pub(super) fn after(&self, class: u16, twist: u16, turn: usize) -> (u16, u16, usize) {
        let member = self.classes.after(class.into(), turn);
        (
            member.class() as u16,
            self.seen(self.twists.after(twist, turn), member.symmetry()),
            member.symmetry(),
        )
    }

    /// The turns worth trying, as bits, as the frame shows them.
    #[inline(always)]
    pub(super) fn allowed(&self, frame: u8, trail: u8) -> u32 {
        self.words.allowed[usize::from(trail) * 16 + usize::from(frame)]
    }

    /// Where a turn leads that is named as the cube is held.
    #[inline(always)]
    pub(super) fn next(&self, trail: u8, turn: usize) -> u8 {
        self.words.next[usize::from(trail) * TURNS + turn]
    }

    pub(super) fn bytes(&self) -> u64 {
        self.classes.bytes() + self.twists.bytes() + 2 * self.seen.len() as u64
    }
}

/// The automaton of words worth trying, for turns by place and seen in every frame.
struct Trails {
    allowed: Vec<u32>,
    next: Vec<u8>,
}

impl Trails {
    fn new(turns: &Turns, group: &Group) -> Trails {
        let words = turns.automaton();
        let place = |m: usize| {
            let (face, quarters) = turns.list()[m];
            turn(face, quarters)
        };
        let mut numbers: HashMap<AutomatonState, usize> = [(AutomatonState::START, 0)].into();
        let mut trails = vec![AutomatonState::START];
        let (mut allowed, mut next) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(&trail) = trails.get(at) {
            at += 1;
            next.resize(at * TURNS, 0);
            for frame in 0..group.count() {
                let seen = words.allowed(trail).into_iter().map(|m| group.turn(frame, place(m.index())));
                allowed.push(seen.fold(0, |set, turn| set | 1 << turn));
            }
            for m in words.allowed(trail) {
                let to = words.next(trail, m);
                let number = *numbers.entry(to).or_insert_with(|| {
                    trails.push(to);
                    trails.len() - 1
                });
                next[(at - 1) * TURNS + place(m.index())] = number as u8;
            }
        }
        Trails { allowed, next }
    }
}
