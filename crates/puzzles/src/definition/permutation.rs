//! Verification of permutations and of numbers in files.

use super::error::Fault;

/// The permutation of `values`, which count from `base`, as slots from 0. A value out of range is the
/// entry's number with the fault; a repeated value names the one that is missing.
pub(crate) fn permutation(values: &[u32], base: u32) -> Result<Vec<u16>, (usize, Fault)> {
    const UNSEEN: u32 = u32::MAX;
    let mut entry_of = vec![UNSEEN; values.len()];
    let mut from = Vec::with_capacity(values.len());
    for (entry, &value) in values.iter().enumerate() {
        let slot = value.checked_sub(base).map(|slot| slot as usize).filter(|&slot| slot < values.len());
        let Some(slot) = slot else {
            let max = u64::from(base) + values.len() as u64 - 1;
            let found = value.to_string();
            return Err((entry, Fault::OutOfRange { what: "an entry", min: base.into(), max, found }));
        };
        if entry_of[slot] != UNSEEN {
            let used: std::collections::HashSet<u32> = values.iter().copied().collect();
            let missing = (base..).find(|value| !used.contains(value)).unwrap_or(base);
            let (value, first) = (value as usize, entry_of[slot] as usize + 1);
            let fault = Fault::NotAPermutation { value, first, second: entry + 1, missing: missing as usize };
            return Err((entry, fault));
        }
        entry_of[slot] = entry as u32;
        from.push(slot as u16);
    }
    Ok(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        assert_eq!(permutation(&[2, 3, 1], 1), Ok(vec![1, 2, 0]));
        assert_eq!(permutation(&[], 1), Ok(vec![]));
        let message = |values: &[u32], base| {
            let (entry, fault) = permutation(values, base).expect_err("no permutation");
            format!("{entry}: {fault}")
        };
        assert_eq!(message(&[1, 2, 4], 1), "2: expected an entry from 1 to 3, found `4`");
        assert_eq!(message(&[0, 1, 2], 1), "0: expected an entry from 1 to 3, found `0`");
        assert_eq!(
            message(&[3, 0, 3, 2], 0),
            "2: not a permutation: 3 occurs twice, as entries 1 and 3; 1 is missing"
        );
    }
}
