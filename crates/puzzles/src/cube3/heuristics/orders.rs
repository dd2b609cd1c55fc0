//! Orders of a few things by number.

/// How many orders `count` things have.
pub(super) fn factorial(count: usize) -> usize {
    (1..=count).product()
}

/// The number of an order of the things 0, 1, 2 …
pub(in crate::cube3) fn number(order: &[u8]) -> usize {
    let mut number = 0;
    for (at, thing) in order.iter().enumerate() {
        let smaller = order[at..].iter().filter(|later| *later < thing).count();
        number = number * (order.len() - at) + smaller;
    }
    number
}

/// The order of a number.
pub(in crate::cube3) fn order(number: usize, count: usize) -> Vec<u8> {
    let mut rest = number;
    let mut digits: Vec<usize> = (1..=count)
        .map(|left| {
            let digit = rest % left;
            rest /= left;
            digit
        })
        .collect();
    digits.reverse();
    let mut things: Vec<u8> = (0..count as u8).collect();
    digits.into_iter().map(|digit| things.remove(digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_for_one_order() {
        for count in 1..=7 {
            for place in 0..factorial(count) {
                assert_eq!(number(&order(place, count)), place);
            }
        }
        assert_eq!(order(0, 4), [0, 1, 2, 3]);
    }
}
