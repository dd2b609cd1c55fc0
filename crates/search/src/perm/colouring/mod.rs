//! Colourings: states of puzzles with identical pieces.
//!
//! A colouring gives each point a colour; an element `g` takes the colouring `c` to the one with
//! `c'(g(x)) = c(x)`. The states of a puzzle with identical pieces are the images of its solved colouring, and
//! their number is the order of the group divided by that of the stabiliser of the colouring.
//!
//! If the group is everything that its [`Structure`](super::group::Structure) allows, both questions are
//! answered by counting blocks of equal colours and by linear algebra on the invariants. Otherwise a backtrack
//! search over the stabiliser chain answers them within a node budget (Leon 1991; Seress 2003, chapter 9).

mod backtrack;
mod full;

use num_bigint::BigUint;

use super::Permutation;
use super::group::{Invariant, PermutationGroup};
use crate::control::{Control, Stop};

/// Whether an element of a group takes one colouring to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ColourMapping {
    /// This element does.
    Element(Permutation),
    /// No element does. The points of an orbit have other colours, or their pieces have.
    Pieces {
        /// The orbit.
        orbit: usize,
    },
    /// No element does: all permutations with these colours violate a relation between these invariants.
    Invariants(Vec<Invariant>),
    /// No element does, by exhaustive search.
    Exhausted,
    /// The search exceeded its budget, the group is not verified, or a colouring has another number of
    /// points.
    Unknown,
}

/// The order of the subgroup that preserves a colouring; `None` if it is not found within `budget` nodes, the
/// group is not verified, or the colouring has another number of points.
pub fn colouring_stabilizer(
    group: &PermutationGroup,
    colours: &[u32],
    budget: u64,
    control: &Control,
) -> Result<Option<BigUint>, Stop> {
    if colours.len() != group.degree() || !group.certainty().is_verified() {
        return Ok(None);
    }
    if group.is_full() {
        return Ok(Some(full::stabilizer_order(group.structure(), colours)));
    }
    backtrack::stabilizer_order(group, colours, budget, control)
}

/// The number of different images of a colouring; `None` as for [`colouring_stabilizer`].
pub fn colouring_orbit_size(
    group: &PermutationGroup,
    colours: &[u32],
    budget: u64,
    control: &Control,
) -> Result<Option<BigUint>, Stop> {
    let stabilizer = colouring_stabilizer(group, colours, budget, control)?;
    Ok(stabilizer.map(|order| group.order() / order))
}

/// An element of the group that takes the colouring `from` to the colouring `to`, or a reason why there is
/// none.
pub fn map_colouring(
    group: &PermutationGroup,
    from: &[u32],
    to: &[u32],
    budget: u64,
    control: &Control,
) -> Result<ColourMapping, Stop> {
    if from.len() != group.degree() || to.len() != group.degree() {
        return Ok(ColourMapping::Unknown);
    }
    // This also proves that there is no element of a group that is smaller than its structure allows.
    let mapping = full::map(group.structure(), from, to);
    let found = matches!(&mapping, ColourMapping::Element(element) if group.contains(element));
    if found || !matches!(mapping, ColourMapping::Element(_)) {
        return Ok(mapping);
    }
    if !group.certainty().is_verified() {
        return Ok(ColourMapping::Unknown);
    }
    backtrack::map(group, from, to, budget, control)
}

#[cfg(test)]
mod tests;
