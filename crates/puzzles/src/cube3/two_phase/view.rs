//! A cube seen along one of its axes, forwards or backwards: each of six views leads to other short solutions.

use untumble_search::moves::Move;

use super::coordinates::{MIDDLE, corner_order, quartet};
use super::reduction::{Node, Reduction};
use crate::cube::Turns;
use crate::cube::pieces::inverse;
use crate::cube3::Cube;
use crate::cube3::symmetry::{Symmetry, TURNS, turned};

/// One of the six.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The turn, as the cube is held, of each turn that is seen.
    turns: [u8; TURNS],
    /// Whether it is the cube that takes back what was done to this one.
    backwards: bool,
    pub(super) node: Node,
    /// The order of the corners.
    pub(super) corners: u16,
    /// Where the edges of the middle layer, of U and of D are.
    pub(super) middle: u16,
    pub(super) ups: u16,
    pub(super) downs: u16,
}

impl View {
    /// All views of a cube but those that look like another.
    pub(super) fn all(reduction: &Reduction, axes: &[Symmetry], cube: Cube) -> Vec<View> {
        let back = Cube::of(&inverse(&cube.corners(), 3), &inverse(&cube.edges(), 2));
        let mut seen: Vec<Cube> = Vec::new();
        let mut views = Vec::new();
        for (cube, backwards) in [(cube, false), (back, true)] {
            for axis in axes {
                let shown = axis.cube(cube);
                let alike = |symmetry: &Symmetry| seen.contains(&symmetry.cube(shown));
                if !reduction.group.list.iter().any(alike) {
                    seen.push(shown);
                    views.push(View::new(reduction, axis, shown, backwards));
                }
            }
        }
        views
    }

    fn new(reduction: &Reduction, axis: &Symmetry, cube: Cube, backwards: bool) -> View {
        let mut turns = [0; TURNS];
        (0..TURNS).for_each(|held| turns[axis.turn(held)] = held as u8);
        let edges = cube.edges();
        View {
            turns,
            backwards,
            node: reduction.node(cube),
            corners: corner_order(&cube.corners()),
            middle: quartet(&edges, MIDDLE),
            ups: quartet(&edges, 0),
            downs: quartet(&edges, 4),
        }
    }

    /// The moves that do to the cube what these turns do to the view.
    pub(super) fn moves(&self, turns: &Turns, path: impl DoubleEndedIterator<Item = u8>) -> Vec<Move> {
        let held = |place: u8| {
            let (face, quarters) = turned(self.turns[usize::from(place)].into());
            turns.of(face, if self.backwards { 4 - quarters } else { quarters })
        };
        if self.backwards { path.rev().flat_map(held).collect() } else { path.flat_map(held).collect() }
    }
}
