//! Symmetry reduction of a coordinate: classes of conjugate values, and sym-coordinates (Kociemba, Cube
//! Explorer).

use untumble_search::control::{Control, Stop};

use super::symmetry::SymmetryGroup;

/// The numbers of values and of classes between two polls; a class takes some microseconds.
const POLL_VALUES: usize = 1 << 16;
const POLL_CLASSES: usize = 256;

/// The class of a coordinate value, and a symmetry that carries the value to the class representative, in
/// one word.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::cube3) struct SymCoordinate(u32);

impl SymCoordinate {
    /// Marks a value without a class.
    const NONE: SymCoordinate = SymCoordinate(u32::MAX);

    fn new(class: usize, symmetry: usize) -> SymCoordinate {
        SymCoordinate((class << 6 | symmetry) as u32)
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

/// The symmetry classes of a coordinate.
pub(in crate::cube3) struct SymmetryClasses {
    /// By value: its class and symmetry.
    pub(in crate::cube3) sym_coordinates: Vec<SymCoordinate>,
    /// By class: its representative, the least value.
    pub(in crate::cube3) representatives: Vec<u32>,
    /// By class: the stabilizer of the representative, as a set of symmetries (bits).
    pub(in crate::cube3) stabilizers: Vec<u64>,
}

impl SymmetryClasses {
    /// `images` returns the conjugates of a value, in the order of the group's symmetries.
    pub(in crate::cube3) fn new<I>(
        group: &SymmetryGroup,
        count: usize,
        control: &Control,
        images: impl Fn(usize) -> I,
    ) -> Result<SymmetryClasses, Stop>
    where
        I: IntoIterator<Item = usize>,
    {
        let mut sym_coordinates = vec![SymCoordinate::NONE; count];
        let (mut representatives, mut stabilizers) = (Vec::new(), Vec::new());
        for value in 0..count {
            if value.is_multiple_of(POLL_VALUES) {
                control.poll()?;
            }
            if sym_coordinates[value] != SymCoordinate::NONE {
                continue;
            }
            let (class, mut stabilizer) = (representatives.len(), 0);
            if class.is_multiple_of(POLL_CLASSES) {
                control.poll()?;
            }
            for (symmetry, image) in images(value).into_iter().enumerate() {
                stabilizer |= u64::from(image == value) << symmetry;
                if sym_coordinates[image] == SymCoordinate::NONE {
                    sym_coordinates[image] = SymCoordinate::new(class, group.inverse(symmetry));
                }
            }
            representatives.push(value as u32);
            stabilizers.push(stabilizer);
        }
        Ok(SymmetryClasses { sym_coordinates, representatives, stabilizers })
    }
}
