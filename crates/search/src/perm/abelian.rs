//! Subgroups of a finite product of cyclic groups, by a triangular basis (Hermite normal form).

use num_bigint::BigUint;

/// A subgroup of the product of the cyclic groups ℤ/m for the given moduli.
///
/// Row `j` of the basis starts with `j` zeros, and its entry `j` divides the modulus `j`. At first it equals
/// the modulus, which stands for the zero vector.
#[derive(Clone, Debug)]
pub(crate) struct AbelianSubgroup {
    moduli: Vec<u64>,
    rows: Vec<Vec<u64>>,
}

impl AbelianSubgroup {
    /// The trivial subgroup. Moduli are positive and below 2³².
    pub(crate) fn trivial(moduli: &[u32]) -> AbelianSubgroup {
        let moduli: Vec<u64> = moduli.iter().map(|&modulus| modulus.into()).collect();
        let row = |j: usize| (0..moduli.len()).map(|k| if j == k { moduli[j] } else { 0 }).collect();
        AbelianSubgroup { rows: (0..moduli.len()).map(row).collect(), moduli }
    }

    /// Adds a generator. Returns whether the subgroup grew.
    pub(crate) fn insert(&mut self, vector: &[u32]) -> bool {
        if self.contains(vector) {
            return false;
        }
        let mut vector: Vec<u64> = vector.iter().map(|&entry| entry.into()).collect();
        for j in 0..self.moduli.len() {
            if vector[j] == 0 {
                continue;
            }
            let (gcd, a, b) = extended_gcd(self.rows[j][j] as i64, vector[j] as i64);
            let (lead, entry) = (self.rows[j][j] as i64 / gcd, vector[j] as i64 / gcd);
            for (k, modulus) in self.moduli.iter().enumerate().skip(j) {
                let (row, other) = (self.rows[j][k] as i128, vector[k] as i128);
                let reduce = |number: i128| number.rem_euclid(i128::from(*modulus)) as u64;
                self.rows[j][k] = reduce(i128::from(a) * row + i128::from(b) * other);
                vector[k] = reduce(i128::from(entry) * row - i128::from(lead) * other);
            }
            self.rows[j][j] = gcd as u64;
        }
        true
    }

    /// The remainder of a vector: zero if and only if the subgroup contains the vector.
    pub(crate) fn reduce(&self, vector: &[u32]) -> Vec<u32> {
        let mut vector: Vec<u64> = vector.iter().map(|&entry| entry.into()).collect();
        for (j, row) in self.rows.iter().enumerate() {
            let times = vector[j] / row[j];
            if times > 0 {
                for (k, &modulus) in self.moduli.iter().enumerate().skip(j) {
                    vector[k] = (vector[k] + (modulus - row[k] % modulus) * times) % modulus;
                }
            }
        }
        vector.into_iter().map(|entry| entry as u32).collect()
    }

    pub(crate) fn contains(&self, vector: &[u32]) -> bool {
        self.reduce(vector).iter().all(|&entry| entry == 0)
    }

    /// The images of the elements under the projection to some of the factors.
    pub(crate) fn projected(&self, factors: &[usize]) -> AbelianSubgroup {
        let moduli: Vec<u32> = factors.iter().map(|&factor| self.moduli[factor] as u32).collect();
        let mut subgroup = AbelianSubgroup::trivial(&moduli);
        for row in &self.rows {
            let entry = |&factor: &usize| (row[factor] % self.moduli[factor]) as u32;
            subgroup.insert(&factors.iter().map(entry).collect::<Vec<_>>());
        }
        subgroup
    }

    /// Vectors that generate the subgroup.
    pub(crate) fn generators(&self) -> impl Iterator<Item = Vec<u32>> {
        self.rows
            .iter()
            .map(|row| row.iter().zip(&self.moduli).map(|(entry, m)| (entry % m) as u32).collect())
    }

    /// The number of elements.
    pub(crate) fn order(&self) -> BigUint {
        self.rows.iter().zip(&self.moduli).enumerate().map(|(j, (row, modulus))| modulus / row[j]).product()
    }
}

/// The least common multiple of two positive numbers.
pub(crate) fn lcm(a: u32, b: u32) -> u32 {
    let (gcd, _, _) = extended_gcd(a.into(), b.into());
    (u64::from(a) / gcd as u64 * u64::from(b)) as u32
}

/// The greatest common divisor of two positive numbers, and its coefficients.
fn extended_gcd(a: i64, b: i64) -> (i64, i64, i64) {
    if b == 0 {
        return (a, 1, 0);
    }
    let (gcd, x, y) = extended_gcd(b, a % b);
    (gcd, y, x - a / b * y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn closure(moduli: &[u32], vectors: &[Vec<u32>]) -> HashSet<Vec<u32>> {
        let mut found = HashSet::from([vec![0; moduli.len()]]);
        let mut queue: Vec<Vec<u32>> = found.iter().cloned().collect();
        while let Some(vector) = queue.pop() {
            for other in vectors {
                let sum: Vec<u32> =
                    vector.iter().zip(other).zip(moduli).map(|((a, b), m)| (a + b) % m).collect();
                if found.insert(sum.clone()) {
                    queue.push(sum);
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn subgroups_agree_with_enumeration(
            vectors in proptest::collection::vec((0..6u32, 0..2u32, 0..4u32, 0..9u32), 0..4),
        ) {
            let moduli = [6, 2, 4, 9];
            let vectors: Vec<Vec<u32>> = vectors.into_iter().map(|(a, b, c, d)| vec![a, b, c, d]).collect();
            let all = closure(&moduli, &vectors);
            let mut subgroup = AbelianSubgroup::trivial(&moduli);
            for vector in &vectors {
                subgroup.insert(vector);
            }
            prop_assert_eq!(subgroup.order(), BigUint::from(all.len()));
            for number in 0..6 * 2 * 4 * 9 {
                let vector = vec![number % 6, number / 6 % 2, number / 12 % 4, number / 48];
                prop_assert_eq!(subgroup.contains(&vector), all.contains(&vector), "{:?}", vector);
            }
        }
    }
}
