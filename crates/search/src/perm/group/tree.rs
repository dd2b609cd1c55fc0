//! Schreier trees: the orbit of a base point with paths from the base point.
//!
//! Breadth-first search keeps the paths short; the chain adds generators where they are longer than about
//! twice the logarithm of the orbit (shallow Schreier trees; Seress 2003, section 4.4).

/// No edge: the point is not in the orbit.
pub(super) const NONE: u32 = u32::MAX;

/// A Schreier tree. Points are numbered from the start of their stage.
#[derive(Default)]
pub(super) struct Tree {
    /// The points of the orbit in breadth-first order.
    orbit: Vec<u32>,
    /// The generator that leads to each point from its parent, and the parent; 0 and itself at the root.
    edges: Vec<u32>,
    parents: Vec<u32>,
}

impl Tree {
    /// The orbit of `base` under the named generators, whose images are numbers from `start` on. The stage
    /// has `size` points; the orbit has at most `limit`.
    pub(super) fn new<'a>(
        base: usize,
        (start, size, limit): (usize, usize, usize),
        names: &[usize],
        images: impl Fn(usize) -> &'a [u32],
    ) -> Tree {
        let (mut edges, mut parents) = (vec![NONE; size], vec![NONE; size]);
        (edges[base], parents[base]) = (0, base as u32);
        let mut orbit = vec![base as u32];
        let mut next = 0;
        while next < orbit.len() && orbit.len() < limit {
            for &name in names {
                let image = images(name)[orbit[next] as usize] as usize - start;
                if edges[image] == NONE {
                    (edges[image], parents[image]) = (name as u32, orbit[next]);
                    orbit.push(image as u32);
                }
            }
            next += 1;
        }
        Tree { orbit, edges, parents }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.orbit.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.orbit.len()
    }

    /// The points of the orbit, from the start of the stage.
    pub(super) fn orbit(&self) -> &[u32] {
        &self.orbit
    }

    pub(super) fn edge(&self, point: usize) -> u32 {
        self.edges[point]
    }

    pub(super) fn parent(&self, point: usize) -> usize {
        self.parents[point] as usize
    }

    /// A point with a longest path.
    pub(super) fn deepest(&self) -> usize {
        self.orbit.last().map_or(0, |&point| point as usize)
    }

    /// The generators along the path from the base point to a point of the orbit.
    pub(super) fn path(&self, point: usize) -> Vec<u32> {
        let mut word = Vec::new();
        let mut at = point;
        while self.parent(at) != at {
            word.push(self.edges[at]);
            at = self.parent(at);
        }
        word.reverse();
        word
    }

    /// Whether an element maps the orbit to itself.
    pub(super) fn is_closed_under(&self, images: &[u32], start: usize) -> bool {
        self.orbit.iter().all(|&point| self.edges[images[point as usize] as usize - start] != NONE)
    }

    /// Marks the generators of the edges.
    pub(super) fn mark_generators(&self, used: &mut [bool]) {
        for &point in self.orbit.iter().skip(1) {
            used[self.edges[point as usize] as usize] = true;
        }
    }

    /// Replaces the numbers of the generators.
    pub(super) fn renumber(&mut self, numbers: &[u32]) {
        for &point in self.orbit.iter().skip(1) {
            let edge = &mut self.edges[point as usize];
            *edge = numbers[*edge as usize];
        }
    }

    /// The bytes of a tree in a stage of this size.
    pub(super) fn bytes(size: usize) -> u64 {
        12 * size as u64
    }
}
