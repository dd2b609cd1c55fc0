//! All words of one length that end the first phase, and the shortest end of each.

use std::ops::ControlFlow::{self, Break, Continue};

use untumble_search::control::{Control, Meter, Pause, Stop};
use untumble_search::puzzle::Cost;

use super::CAP;
use super::bound::Bound;
use super::coordinates::{Moves, Quartets, quartet_moves};
use super::finish::{Ending, Finish, NO_FACE};
use super::reduction::{LAST, Node, Reduction};
use super::view::View;
use crate::cube::{Metric, Turns};
use crate::cube3::symmetry::{TURNS, turned};
use crate::cube3::symmetry_classes::Member;

/// Longer first phases are hopeless: no cube needs that many moves in all.
pub(super) const LONGEST: usize = 40;

/// All tables but the bound of the first phase.
pub(super) struct Ground {
    pub(super) reduction: Reduction,
    pub(super) finish: Finish,
    pub(super) quartets: Quartets,
    pub(super) quartet_moves: Moves,
}

impl Ground {
    pub(super) fn new(turns: &Turns, control: &Control) -> Result<Ground, Stop> {
        let reduction = Reduction::new(turns, control)?;
        Ok(Ground {
            finish: Finish::new(turns.metric(), &reduction.group, control)?,
            reduction,
            quartets: Quartets::new(),
            quartet_moves: quartet_moves(),
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.reduction.bytes() + self.finish.bytes() + self.quartet_moves.bytes()
    }
}

/// Why a pass ends early.
pub(super) enum End {
    /// An answer is short enough.
    Enough,
    /// It is time to pause.
    Pause(Pause),
}

/// A child that may be worth a look.
#[derive(Clone, Copy, Default)]
struct Child {
    member: Member,
    twist: u16,
    /// The turn, as the parent's frame shows it.
    seen: u8,
}

/// One thread's search for words of one length.
pub(super) struct Search<'a, 'm, B> {
    pub(super) ground: &'a Ground,
    pub(super) bound: &'a B,
    pub(super) turns: &'a Turns,
    pub(super) meter: &'a mut Meter<'m>,
    /// Answers of this cost end the search.
    pub(super) max_length: Cost,
    view: &'a View,
    /// The turns that the first two may be, as bits, as the view shows them.
    begin: [u32; 2],
    ending: Ending<'a>,
    /// The turns so far, as the view shows them.
    path: [u8; LONGEST],
    /// The corners' order and the middle layer's edges after each of them, as far as `known`.
    corners: [u16; LONGEST + 1],
    middle: [u16; LONGEST + 1],
    known: usize,
    pub(super) expanded: u64,
}

impl<'a, 'm, B: Bound> Search<'a, 'm, B> {
    pub(super) fn new(
        ground: &'a Ground,
        bound: &'a B,
        turns: &'a Turns,
        view: &'a View,
        meter: &'a mut Meter<'m>,
        max_length: Cost,
    ) -> Search<'a, 'm, B> {
        let mut search = Search {
            ground,
            bound,
            turns,
            meter,
            max_length,
            view,
            begin: [u32::MAX; 2],
            ending: Ending::new(&ground.finish),
            path: [0; LONGEST],
            corners: [0; LONGEST + 1],
            middle: [0; LONGEST + 1],
            known: 0,
            expanded: 0,
        };
        (search.corners[0], search.middle[0]) = (view.corners, view.middle);
        search
    }

    /// Tries all words of `length` turns from the view, which is `distance` from the end of the first phase; the first two turns
    /// are some of `begin`.
    pub(super) fn words(&mut self, length: usize, distance: u8, begin: [u32; 2]) -> ControlFlow<End> {
        self.begin = begin;
        if length == 0 {
            return if distance == 0 { self.finish(0) } else { Continue(()) };
        }
        if usize::from(distance) > length {
            return Continue(());
        }
        self.descend(self.view.node, distance, 0, 0, length)
    }

    fn descend(
        &mut self,
        node: Node,
        distance: u8,
        trail: u8,
        depth: usize,
        left: usize,
    ) -> ControlFlow<End> {
        let reduction = &self.ground.reduction;
        self.expanded += 1;
        if let Break(pause) = self.meter.check() {
            return Break(End::Pause(pause));
        }
        let mut worth = reduction.allowed(node.frame, trail);
        if left == 1 {
            worth &= LAST;
        }
        let group = &reduction.group;
        let unframed = group.inverse(node.frame.into());
        if depth < 2 {
            // Left to others.
            let begun = (0..TURNS).filter(|&seen| self.begin[depth] >> group.turn(unframed, seen) & 1 == 1);
            worth &= begun.fold(0, |turns, seen| turns | 1 << seen);
        }
        self.meter.spend(worth.count_ones().into());
        // Asking for all of them before the first is read lets the misses overlap.
        let mut children = [Child::default(); TURNS];
        let mut count = 0;
        while worth != 0 {
            let seen = worth.trailing_zeros() as usize;
            worth &= worth - 1;
            let member = reduction.classes.after(node.class.into(), seen);
            if self.bound.excludes(member.class(), left - 1) {
                continue;
            }
            let twist = reduction.seen(reduction.twisted(node.twist, seen), member.symmetry());
            self.bound.prefetch(member.class(), twist);
            children[count] = Child { member, twist, seen: seen as u8 };
            count += 1;
        }
        for &Child { member, twist, seen } in &children[..count] {
            let class = member.class() as u16;
            let distance = self.bound.step(distance, class, twist);
            if usize::from(distance) >= left {
                continue;
            }
            let turn = group.turn(unframed, seen.into());
            self.path[depth] = turn as u8;
            self.known = self.known.min(depth);
            if left == 1 {
                self.finish(depth + 1)?;
                continue;
            }
            let frame = group.product(member.symmetry(), node.frame.into()) as u8;
            let child = Node { class, twist, frame };
            self.descend(child, distance, reduction.next(trail, turn), depth + 1, left - 1)?;
        }
        Continue(())
    }

    /// The first phase has ended after `length` turns: looks for the shortest end.
    fn finish(&mut self, length: usize) -> ControlFlow<End> {
        let control = self.meter.control();
        let Some(most) = control.upper().checked_sub(length as Cost + 1) else { return Continue(()) };
        let most = most.min(CAP.into()) as u8;
        let Ground { finish, quartets, quartet_moves, .. } = self.ground;
        for at in self.known..length {
            let turn = usize::from(self.path[at]);
            self.corners[at + 1] = finish.corner_moves.after(self.corners[at], turn);
            self.middle[at + 1] = quartet_moves.after(self.middle[at], turn);
        }
        self.known = length;
        let (corners, middle) = (self.corners[length], quartets.middle(self.middle[length]));
        // Few get past this.
        if finish.corners_cost(corners, middle) > most {
            return Continue(());
        }
        let path = &self.path[..length];
        let follow = |quartet: u16| {
            path.iter().fold(quartet, |quartet, &turn| quartet_moves.after(quartet, turn.into()))
        };
        let around = quartets.around(follow(self.view.ups), follow(self.view.downs));
        let last = path.last().map_or(NO_FACE, |&turn| turned(turn.into()).0.index());
        let found = self.ending.search(finish.rest(corners, around, middle), last, most);
        self.meter.spend(std::mem::take(&mut self.ending.nodes));
        if !found {
            return Continue(());
        }
        let whole = path.iter().chain(&self.ending.path).copied();
        let moves = self.view.moves(self.turns, whole.collect::<Vec<_>>().into_iter());
        let cost = moves.len() as Cost;
        control.offer(&moves, cost);
        if control.upper() <= self.max_length { Break(End::Enough) } else { Continue(()) }
    }
}

/// The length that every position is known to be solved within.
pub(super) const fn gods_number(metric: Metric) -> Cost {
    match metric {
        Metric::Htm => 20,
        Metric::Qtm => 26,
    }
}
