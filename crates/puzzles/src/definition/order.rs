//! Orders of transformations, which may exceed every machine word.
//!
//! The order of a permutation of 10,000 points can have more than a hundred digits, so an [`Order`] keeps
//! the prime factorisation: the least common multiple takes the larger exponent of each prime.

use std::collections::BTreeMap;
use std::fmt;

/// A positive integer as its prime factorisation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// Prime and exponent, at least 1.
    factors: BTreeMap<u32, u32>,
}

impl Order {
    /// The order of the identity, 1.
    pub fn one() -> Order {
        Order::default()
    }

    /// Replaces the order by its least common multiple with `number`, which is at least 1.
    pub(crate) fn include(&mut self, mut number: u32) {
        let mut prime = 2;
        while number > 1 {
            if prime * prime > number {
                prime = number;
            }
            let mut exponent = 0;
            while number.is_multiple_of(prime) {
                number /= prime;
                exponent += 1;
            }
            if exponent > 0 {
                let known = self.factors.entry(prime).or_default();
                *known = exponent.max(*known);
            }
            prime += 1;
        }
    }

    /// The number itself; `None` if it exceeds 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        self.factors.iter().try_fold(1u128, |product, (&prime, &exponent)| {
            u128::from(prime).checked_pow(exponent).and_then(|power| product.checked_mul(power))
        })
    }

    /// The number as a small integer; `None` if it exceeds `limit`.
    pub fn up_to(&self, limit: usize) -> Option<usize> {
        self.to_u128().and_then(|order| usize::try_from(order).ok()).filter(|&order| order <= limit)
    }
}

impl fmt::Display for Order {
    /// Decimal digits, however many.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BASE: u64 = 1_000_000_000;
        // Digits to the base of a billion, the lowest first.
        let mut digits = vec![1u64];
        for (&prime, &exponent) in &self.factors {
            for _ in 0..exponent {
                let mut carry = 0;
                for digit in &mut digits {
                    let value = *digit * u64::from(prime) + carry;
                    *digit = value % BASE;
                    carry = value / BASE;
                }
                if carry > 0 {
                    digits.push(carry);
                }
            }
        }
        let mut text = digits.last().map_or_else(String::new, u64::to_string);
        digits.iter().rev().skip(1).for_each(|digit| text.push_str(&format!("{digit:09}")));
        f.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(numbers: &[u32]) -> Order {
        let mut order = Order::one();
        numbers.iter().for_each(|&number| order.include(number));
        order
    }

    #[test]
    fn least_common_multiples() {
        for (numbers, expected) in [
            (&[][..], "1"),
            (&[1], "1"),
            (&[4, 6, 10], "60"),
            (&[65_521, 65_521], "65521"),
            (&[1_000_000, 999_999], "999999000000"),
        ] {
            assert_eq!(order(numbers).to_string(), expected, "{numbers:?}");
            assert_eq!(order(numbers).to_u128().map(|n| n.to_string()).as_deref(), Some(expected));
        }
    }

    #[test]
    fn orders_may_exceed_machine_words() {
        let primes: Vec<u32> = (2..200).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
        // The primorial of 199.
        let expected = "7799922041683461553249199106329813876687996789903550945093032474868511536164700810";
        assert_eq!(order(&primes).to_string(), expected);
        assert_eq!((order(&primes).to_u128(), order(&primes).up_to(usize::MAX)), (None, None));
        assert_eq!((order(&[12]).up_to(12), order(&[12]).up_to(11)), (Some(12), None));
    }
}
