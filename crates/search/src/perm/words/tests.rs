use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::perm::test_groups::{cube, cycle, dihedral, m24, megaminx, pyraminx, symmetric, topspin};

fn of(generators: Vec<Permutation>) -> (usize, Vec<Permutation>) {
    (generators[0].degree(), generators)
}

fn topspin_group(degree: usize) -> (usize, Vec<Permutation>) {
    of(topspin(degree, 4))
}

fn product(degree: usize, generators: &[Permutation], word: &[Letter]) -> Permutation {
    word.iter().fold(Permutation::identity(degree), |product, letter| {
        let generator = &generators[letter.generator];
        product.then(&if letter.inverse { generator.inverse() } else { generator.clone() })
    })
}

/// The mean length of the words of random elements. Each word is multiplied out.
fn mean_length(
    name: &str,
    (degree, generators): (usize, Vec<Permutation>),
    inverses: bool,
    budget: WordsBudget,
) -> f64 {
    let group = PermutationGroup::new(degree, &generators, &Control::default()).expect("no limits");
    let invertible = vec![inverses; generators.len()];
    let words = Words::build(&group, &invertible, budget, &Control::default()).expect("no limits");
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let count = if degree > 1000 { 2 } else { 20 };
    let lengths: Vec<usize> = (0..count)
        .map(|_| {
            let element = group.random(&mut rng);
            let word = words.word(&element).unwrap_or_else(|| panic!("{name}: no word for {element:?}"));
            assert!(inverses || word.iter().all(|letter| !letter.inverse), "{name}: an inverse");
            assert_eq!(product(degree, &generators, &word), element, "{name}");
            word.len()
        })
        .collect();
    lengths.iter().sum::<usize>() as f64 / count as f64
}

fn tables() -> WordsBudget {
    WordsBudget { commutators: 0, ..WordsBudget::default() }
}

fn cycles() -> WordsBudget {
    WordsBudget { table_images: 0, ..WordsBudget::default() }
}

#[test]
fn tables_have_words_for_all_elements() {
    for (name, generators, limit) in [
        ("S8", of(symmetric(8)), 100.0),
        ("C30", of(vec![cycle(30)]), 11.0),
        ("D12", of(dihedral(12)), 4.0),
        ("M24", of(m24()), 60.0),
        ("topspin 9 4", topspin_group(9), 60.0),
        ("pyraminx", pyraminx(), 40.0),
        ("2x2x2", cube(2), 60.0),
        ("3x3x3", cube(3), 200.0),
    ] {
        let mean = mean_length(name, generators, true, tables());
        assert!(mean < limit, "{name}: mean length {mean}, expected less than {limit}");
    }
}

#[test]
fn cycles_have_words_for_puzzles() {
    for (name, generators, limit) in [
        ("3x3x3", cube(3), 400.0),
        ("4x4x4", cube(4), 1000.0),
        ("5x5x5", cube(5), 2000.0),
        ("megaminx", megaminx(), 1000.0),
    ] {
        let mean = mean_length(name, generators, true, cycles());
        assert!(mean < limit, "{name}: mean length {mean}, expected less than {limit}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn cycles_have_words_for_large_puzzles() {
    for (name, generators) in [("7x7x7", cube(7)), ("20x20x20", cube(20))] {
        let mean = mean_length(name, generators, true, cycles());
        assert!(mean < 60_000.0, "{name}: mean length {mean}");
    }
}

#[test]
fn words_can_do_without_inverses() {
    for (name, generators) in
        [("pyraminx", pyraminx()), ("topspin 7 4", topspin_group(7)), ("S6", of(symmetric(6)))]
    {
        let mean = mean_length(name, generators, false, WordsBudget::default());
        assert!(mean < 200.0, "{name}: mean length {mean}");
    }
}

#[test]
fn elements_outside_of_the_group_have_no_word() {
    let (degree, generators) = topspin_group(9);
    let group = PermutationGroup::new(degree, &generators, &Control::default()).expect("no limits");
    let words =
        Words::build(&group, &[true, true], WordsBudget::default(), &Control::default()).expect("no limits");
    let swap = Permutation::new(vec![1, 0, 2, 3, 4, 5, 6, 7, 8]).expect("a swap");
    assert_eq!(words.word(&swap), None, "an odd permutation");
    assert_eq!(words.word(&Permutation::identity(8)), None, "another degree");
    assert_eq!(words.word(&Permutation::identity(9)), Some(Vec::new()));
}

#[test]
fn limits_stop_the_construction() {
    let (degree, generators) = cube(3);
    let group = PermutationGroup::new(degree, &generators, &Control::default()).expect("no limits");
    let control = Control::default();
    control.request_stop(Stop::Interrupted);
    let result = Words::build(&group, &[true; 6], WordsBudget::default(), &control).err();
    assert_eq!(result, Some(Stop::Interrupted));
}
