use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::control::{Limits, Silent};
use crate::perm::test_groups::{
    cube, cube_layers, cycle, dihedral, elements, m24, megaminx, pyraminx, symmetric, topspin,
};
use crate::perm::tests::all;

fn group((degree, generators): (usize, Vec<Permutation>)) -> PermutationGroup {
    PermutationGroup::new(degree, &generators, &Control::default()).expect("no limits")
}

fn of(generators: Vec<Permutation>) -> (usize, Vec<Permutation>) {
    (generators[0].degree(), generators)
}

#[test]
fn orders_of_known_groups() {
    let megaminx_order = "100669616553523347122516032313645505168688116411019768627200000000000";
    let cases = [
        ("2x2x2", cube(2), "88179840"),
        ("3x3x3", cube(3), "43252003274489856000"),
        ("3x3x3 with slices", cube_layers(3, &[-2, 0, 2]), "1038048078587756544000"),
        ("pyraminx", pyraminx(), "933120"),
        ("megaminx", megaminx(), megaminx_order),
        ("topspin 8 4", of(topspin(8, 4)), "40320"),
        ("topspin 9 4", of(topspin(9, 4)), "181440"),
        ("M24", of(m24()), "244823040"),
        ("C1", (1, vec![]), "1"),
        ("C1000", of(vec![cycle(1000)]), "1000"),
        ("D30", of(dihedral(30)), "60"),
    ];
    for (name, generators, order) in cases {
        let mut group = group(generators);
        assert_eq!(group.order().to_string(), order, "{name}");
        let verification = group.verify(1 << 32, &Control::default()).expect("no limits");
        assert_eq!(verification, Verification::Complete, "{name}");
    }
}

/// The orders of large cubes by the numbers of their pieces: corners, 24 wings of each of the a = n/2 − 1
/// kinds, 24 centres of each of the a² kinds; for odd cubes also edges and a more kinds of centres.
/// Every kind attains all even permutations; the parities are those of the layers.
fn cube_order(n: u32) -> BigUint {
    let factorial = |n: u32| (1..=n).product::<BigUint>();
    let a = n / 2 - 1;
    let corners = factorial(8) * BigUint::from(3u32).pow(7);
    let edges = if n % 2 == 1 { factorial(12) * BigUint::from(2u32).pow(11) } else { BigUint::from(1u32) };
    let kinds = a + a * a + if n % 2 == 1 { a } else { 0 };
    let all = corners * edges * factorial(24).pow(kinds);
    // One free parity for each layer of one side: the face and a inner ones.
    let parities = kinds + 1 + u32::from(n % 2 == 1);
    all / BigUint::from(2u32).pow(parities - (a + 1))
}

#[test]
fn orders_of_large_cubes() {
    for n in [4, 5, 7] {
        let group = group(cube(n));
        assert_eq!(*group.order(), cube_order(n as u32), "{n}x{n}x{n}");
        assert!(group.is_full());
    }
}

/// 2,400 stickers; takes seconds.
#[test]
#[ignore = "takes seconds"]
fn order_of_the_cube_with_twenty_layers() {
    let group = group(cube(20));
    assert_eq!(*group.order(), cube_order(20));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let element = group.random(&mut rng);
    assert!(group.contains(&element));
}

#[test]
#[ignore = "takes half a minute"]
fn order_of_the_cube_with_33_layers() {
    let group = group(cube(33));
    assert_eq!(*group.order(), cube_order(33));
}

#[test]
fn paths_of_trees_are_short() {
    for degree in [2, 97, 1000] {
        let group = group(of(vec![cycle(degree)]));
        let bound = 2 * degree.ilog2() as usize + 4;
        let tree = &group.chain.stages[0].levels[0].tree;
        let longest = (0..degree).map(|point| tree.path(point).len()).max();
        assert!(longest <= Some(bound), "{longest:?} exceeds {bound} for {degree} points");
    }
}

#[test]
fn symmetric_groups_of_one_large_orbit() {
    let group = group(of(symmetric(150)));
    assert_eq!(*group.order(), (1..=150u32).product::<BigUint>());
}

/// Membership of all permutations of six points, and the bounds, for random generators.
#[test]
fn membership_agrees_with_enumeration() {
    let list: Vec<Permutation> = all(6)
        .map(|images| Permutation::from_images(images.into_iter().map(|image| image as u32).collect()))
        .collect();
    let mut random = crate::perm::SplitMix64(7);
    for _ in 0..60 {
        let count = random.next_u64() % 3;
        let generators: Vec<Permutation> =
            (0..count).map(|_| list[(random.next_u64() % 720) as usize].clone()).collect();
        let mut group = PermutationGroup::new(6, &generators, &Control::default()).expect("no limits");
        assert_eq!(group.verify(u64::MAX, &Control::default()), Ok(Verification::Complete));
        let members = elements(6, &generators);
        assert_eq!(*group.order(), BigUint::from(members.len()), "{generators:?}");
        assert!(group.structure().order_bound() >= *group.order());
        for element in &list {
            let expected = members.contains(element);
            assert_eq!(group.contains(element), expected, "{element:?} in {generators:?}");
            let membership = group.membership(element);
            assert_eq!(membership == Membership::Member, expected, "{membership:?} of {element:?}");
        }
    }
}

/// Each of the 60 even permutations of five points occurs about 200 times; the tolerance is 5 standard
/// deviations.
#[test]
fn random_elements_are_uniform() {
    let even = [vec![1u32, 2, 0, 3, 4], vec![0, 1, 3, 4, 2]].map(|images| Permutation::new(images).unwrap());
    let group = PermutationGroup::new(5, &even, &Control::default()).expect("no limits");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut counts = std::collections::HashMap::new();
    for _ in 0..12_000 {
        *counts.entry(group.random(&mut rng)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 60);
    assert!(counts.values().all(|&count| (130..270).contains(&count)), "{counts:?}");
}

/// A chain that lacks strong generators is found out.
#[test]
fn verification_detects_a_missing_generator() {
    let mut detected = 0;
    for missing in 0..13 {
        let mut group = group(of(m24()));
        let stage = &mut group.chain.stages[0];
        let Some(level) = stage.levels.get_mut(missing % 7) else { continue };
        // The orbit of one level shrinks to its base point.
        let base = level.base as usize - stage.start;
        level.tree = super::tree::Tree::new(base, (stage.start, 24, 1), &[], |_| &[]);
        group.order = group.chain.order();
        let result = group.verify(u64::MAX, &Control::default()).expect("no limits");
        detected += u32::from(result == Verification::Incomplete);
    }
    assert_eq!(detected, 13, "detected of 13 incomplete chains");
}

#[test]
fn limits_stop_the_construction() {
    let (degree, generators) = cube(7);
    let stopped = Control::default();
    stopped.request_stop(Stop::Interrupted);
    let result = PermutationGroup::new(degree, &generators, &stopped).err();
    assert_eq!(result, Some(BuildError::Stopped(Stop::Interrupted)));
    let control =
        Control::new(Limits { memory: Some(100_000), ..Limits::default() }, std::sync::Arc::new(Silent));
    let result = PermutationGroup::new(degree, &generators, &control).err();
    assert_eq!(result, Some(BuildError::Stopped(Stop::Memory)));
    let result = PermutationGroup::new(degree, &[cycle(3)], &Control::default()).err();
    assert_eq!(result, Some(BuildError::Degree { generator: 0, expected: 294, found: 3 }));
}

/// The reasons for positions of the cube that cannot be reached.
#[test]
fn reasons_name_the_violated_invariants() {
    let (degree, generators) = cube(3);
    let group = group((degree, generators));
    let structure = group.structure();
    let pieces = |size: usize| {
        let orbit = (0..structure.orbits().len())
            .find(|&orbit| structure.blocks(orbit).is_some_and(|blocks| blocks[0].len() == size));
        let orbit = orbit.expect("corners and edges");
        (orbit, structure.blocks(orbit).expect("pieces").to_vec())
    };
    let ((corners, corner), (edges, edge)) = (pieces(3), pieces(2));
    let mapped = |pairs: &[(u32, u32)]| {
        let mut images: Vec<u32> = (0..degree as u32).collect();
        for &(from, to) in pairs {
            images[from as usize] = to;
        }
        group.membership(&Permutation::new(images).expect("a permutation"))
    };
    let invariants = |list: &[(usize, InvariantKind)]| {
        let list = list.iter().map(|&(orbit, kind)| Invariant { orbit, kind }).collect();
        Membership::Obstructed(Obstruction::Invariants(list))
    };
    let twist = |modulus| InvariantKind::TwistSum { modulus };
    let [a, b, c] = corner[0][..] else { panic!("three stickers") };
    assert_eq!(mapped(&[(a, b), (b, c), (c, a)]), invariants(&[(corners, twist(3))]), "a twisted corner");
    let reflected = Obstruction::LocalAction { orbit: corners, block: corner[0].clone() };
    assert_eq!(mapped(&[(a, b), (b, a)]), Membership::Obstructed(reflected), "a reflected corner");
    let [d, e] = edge[0][..] else { panic!("two stickers") };
    assert_eq!(mapped(&[(d, e), (e, d)]), invariants(&[(edges, twist(2))]), "a flipped edge");
    let swap: Vec<(u32, u32)> =
        edge[0].iter().zip(&edge[1]).flat_map(|(&from, &to)| [(from, to), (to, from)]).collect();
    let mut parities = [(corners, InvariantKind::BlockParity), (edges, InvariantKind::BlockParity)];
    parities.sort_by_key(|&(orbit, _)| orbit);
    assert_eq!(mapped(&swap), invariants(&parities), "two swapped edges");
    let apart = Obstruction::SplitsBlock { orbit: edges, block: edge[0].clone() };
    let f = edge[1][0];
    assert_eq!(mapped(&[(d, f), (f, d)]), Membership::Obstructed(apart), "stickers of two edges swapped");
    let leaves = Obstruction::LeavesOrbit { point: a.min(d), image: a.max(d) };
    assert_eq!(mapped(&[(a, d), (d, a)]), Membership::Obstructed(leaves), "a corner and an edge");
    assert_eq!(group.membership(&Permutation::identity(3)), Membership::Degree);
}

/// Wings of a 4x4x4 have two stickers in different orbits.
#[test]
fn linked_orbits_move_alike() {
    let (degree, generators) = cube(4);
    let group = group((degree, generators));
    let linked = group.structure().linked();
    let [(second, first)] = linked[..] else { panic!("one pair of linked orbits: {linked:?}") };
    let orbits = group.structure().orbits();
    assert_eq!([first, second].map(|orbit| orbits.points(orbit).len()), [24, 24]);
    let mut images: Vec<u32> = (0..degree as u32).collect();
    let points = orbits.points(first);
    for (at, to) in [(0, 1), (1, 2), (2, 0)] {
        images[points[at] as usize] = points[to];
    }
    let membership = group.membership(&Permutation::new(images).expect("a cycle"));
    assert!(matches!(membership, Membership::Obstructed(Obstruction::LinkedOrbits { .. })), "{membership:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    /// Products of generators are members; random elements are, and have the values of the structure.
    #[test]
    fn products_are_members(word in proptest::collection::vec(0..12usize, 0..40), seed in 0..1000u64) {
        let (degree, generators) = megaminx();
        let group = PermutationGroup::new(degree, &generators, &Control::default()).expect("no limits");
        let product = word.iter().fold(Permutation::identity(degree), |p, &g| p.then(&generators[g]));
        prop_assert_eq!(group.membership(&product), Membership::Member);
        let random = group.random(&mut ChaCha8Rng::seed_from_u64(seed));
        prop_assert_eq!(group.membership(&random.then(&product)), Membership::Member);
        prop_assert_eq!(group.structure().obstruction(&random), None);
    }
}
