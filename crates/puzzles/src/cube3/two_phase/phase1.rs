//! Phase 1: nodes and moves of the reduction to G1 = ⟨U, D, R2, L2, F2, B2⟩, in which no corner is twisted,
//! no edge is flipped and the slice edges are in the slice (Kociemba's two-phase algorithm, 1992).

use std::collections::HashMap;

use untumble_search::control::{Control, Stop};
use untumble_search::moves::AutomatonState;

use super::coordinates::{MoveTable, TWISTS, twist, twist_moves};
use super::flip_slice::FlipSliceClasses;
use crate::cube::{Face, FaceTurns};
use crate::cube3::Cube;
use crate::cube3::heuristics::corners::corners_with_twist;
use crate::cube3::symmetry::{FACE_TURNS, SymmetryGroup, turn_index};

/// A phase-1 state: flip-slice class and corner twist, conjugated so that flip-slice is the class
/// representative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Phase1Node {
    /// The flip-slice class.
    pub(super) class: u16,
    /// The twist after conjugation by `symmetry`.
    pub(super) twist: u16,
    /// The symmetry that carries the position to the representative.
    pub(super) symmetry: u8,
}

/// Tables of phase 1, except the pruning table.
pub(super) struct Phase1 {
    pub(super) group: SymmetryGroup,
    pub(super) classes: FlipSliceClasses,
    twist_moves: MoveTable,
    /// By twist and symmetry: the conjugate twist.
    conjugate_twists: Vec<u16>,
    automaton: ConjugatedAutomaton,
}

/// Quarter turns of R, F, L and B, as bits. Only these end a phase-1 sequence: any other last move would be
/// a move within G1.
pub(super) const PHASE1_LAST_TURNS: u32 = last_moves();

const fn last_moves() -> u32 {
    let (mut set, mut index) = (0, 0);
    let faces = [Face::R, Face::F, Face::L, Face::B];
    while index < faces.len() {
        set |= 1 << turn_index(faces[index], 1) | 1 << turn_index(faces[index], 3);
        index += 1;
    }
    set
}

impl Phase1 {
    pub(super) fn new(turns: &FaceTurns, control: &Control) -> Result<Phase1, Stop> {
        let group = SymmetryGroup::fixing_ud_axis();
        let mut conjugate_twists = vec![0; TWISTS * group.order()];
        for coordinate in 0..TWISTS {
            for (index, symmetry) in group.symmetries.iter().enumerate() {
                let corners = corners_with_twist(coordinate);
                conjugate_twists[coordinate * group.order() + index] =
                    twist(&symmetry.conjugate_corners(&corners));
            }
        }
        let automaton = ConjugatedAutomaton::new(turns, &group);
        control.poll()?;
        let (classes, twist_moves) = (FlipSliceClasses::new(&group, control)?, twist_moves());
        control.poll()?;
        Ok(Phase1 { classes, twist_moves, conjugate_twists, automaton, group })
    }

    /// The phase-1 node of a position.
    pub(super) fn node(&self, cube: Cube) -> Phase1Node {
        let sym = self.classes.of(&cube.edges());
        let twist = self.conjugate_twist(twist(&cube.corners()), sym.symmetry());
        Phase1Node { class: sym.class() as u16, twist, symmetry: sym.symmetry() as u8 }
    }

    /// Whether the position is in G1.
    pub(super) fn is_goal(&self, node: Phase1Node) -> bool {
        node.class == self.classes.solved_class && node.twist == 0
    }

    /// The conjugate of a twist under a symmetry.
    #[inline(always)]
    pub(super) fn conjugate_twist(&self, twist: u16, symmetry: usize) -> u16 {
        self.conjugate_twists[usize::from(twist) * 16 + symmetry]
    }

    #[inline(always)]
    pub(super) fn twist_after(&self, twist: u16, turn: usize) -> u16 {
        self.twist_moves.after(twist, turn)
    }

    /// Class and twist after a conjugated turn, and the symmetry from the old representative to the new one.
    #[inline(always)]
    pub(super) fn after(&self, class: u16, twist: u16, turn: usize) -> (u16, u16, usize) {
        let sym = self.classes.after(class.into(), turn);
        (
            sym.class() as u16,
            self.conjugate_twist(self.twist_moves.after(twist, turn), sym.symmetry()),
            sym.symmetry(),
        )
    }

    /// The turns allowed in an automaton state, conjugated by a node's symmetry, as bits.
    #[inline(always)]
    pub(super) fn allowed(&self, symmetry: u8, state: u8) -> u32 {
        self.automaton.allowed[usize::from(state) * 16 + usize::from(symmetry)]
    }

    /// The automaton state after a turn (not conjugated).
    #[inline(always)]
    pub(super) fn next_state(&self, state: u8, turn: usize) -> u8 {
        self.automaton.next[usize::from(state) * FACE_TURNS + turn]
    }

    pub(super) fn bytes(&self) -> u64 {
        self.classes.bytes() + self.twist_moves.bytes() + 2 * self.conjugate_twists.len() as u64
    }
}

/// The move automaton of the metric, by turn index, with its allowed sets conjugated by every symmetry.
struct ConjugatedAutomaton {
    /// By state and symmetry: the allowed turns after conjugation, as bits.
    allowed: Vec<u32>,
    /// By state and turn: the next state.
    next: Vec<u8>,
}

impl ConjugatedAutomaton {
    fn new(turns: &FaceTurns, group: &SymmetryGroup) -> ConjugatedAutomaton {
        let automaton = turns.automaton();
        let turn_of = |m: usize| {
            let (face, quarters) = turns.all()[m];
            turn_index(face, quarters)
        };
        let mut indices: HashMap<AutomatonState, usize> = [(AutomatonState::START, 0)].into();
        let mut states = vec![AutomatonState::START];
        let (mut allowed, mut next) = (Vec::new(), Vec::new());
        let mut visited = 0;
        while let Some(&state) = states.get(visited) {
            visited += 1;
            next.resize(visited * FACE_TURNS, 0);
            for symmetry in 0..group.order() {
                let moves = automaton.allowed(state).into_iter();
                let conjugated = moves.map(|m| group.conjugate_turn(symmetry, turn_of(m.index())));
                allowed.push(conjugated.fold(0, |set, turn| set | 1 << turn));
            }
            for m in automaton.allowed(state) {
                let to = automaton.next(state, m);
                let index = *indices.entry(to).or_insert_with(|| {
                    states.push(to);
                    states.len() - 1
                });
                next[(visited - 1) * FACE_TURNS + turn_of(m.index())] = index as u8;
            }
        }
        ConjugatedAutomaton { allowed, next }
    }
}
