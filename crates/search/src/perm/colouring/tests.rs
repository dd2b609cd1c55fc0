use std::collections::HashSet;

use super::*;
use crate::perm::SplitMix64;
use crate::perm::test_groups::{
    cube, cube_layers, cube_stickers, cycle, dihedral, m24, pyraminx, symmetric, topspin,
};

const BUDGET: u64 = 1_000_000;

fn verified(degree: usize, generators: &[Permutation]) -> PermutationGroup {
    let mut group = PermutationGroup::new(degree, generators, &Control::default()).expect("no limits");
    group.verify(u64::MAX, &Control::default()).expect("no limits");
    assert!(group.certainty().is_verified());
    group
}

fn image(colours: &[u32], by: &Permutation) -> Vec<u32> {
    let mut image = vec![0; colours.len()];
    for (point, &colour) in colours.iter().enumerate() {
        image[by.image(point as u32) as usize] = colour;
    }
    image
}

/// All images of a colouring, at most `limit`.
fn orbit(generators: &[Permutation], colours: &[u32], limit: usize) -> Option<HashSet<Vec<u32>>> {
    let mut found = HashSet::from([colours.to_vec()]);
    let mut queue = vec![colours.to_vec()];
    while let Some(colouring) = queue.pop() {
        for generator in generators {
            let next = image(&colouring, generator);
            if found.insert(next.clone()) {
                queue.push(next);
            }
        }
        if found.len() > limit {
            return None;
        }
    }
    Some(found)
}

/// The number of images and the existence of maps agree with enumeration.
fn check(degree: usize, generators: &[Permutation], colours: &[u32], random: &mut SplitMix64) -> bool {
    let Some(images) = orbit(generators, colours, 60_000) else { return false };
    let group = verified(degree, generators);
    let control = Control::default();
    let size = colouring_orbit_size(&group, colours, BUDGET, &control).expect("no limits");
    assert_eq!(size, Some(BigUint::from(images.len())), "{colours:?} under {generators:?}");
    let mut targets: Vec<Vec<u32>> = images.iter().take(3).cloned().collect();
    for _ in 0..6 {
        // Swap two points, which often leaves the orbit.
        let mut target = colours.to_vec();
        let mut pick = || (random.next_u64() % degree as u64) as usize;
        target.swap(pick(), pick());
        targets.push(target);
    }
    for target in targets {
        match map_colouring(&group, colours, &target, BUDGET, &control).expect("no limits") {
            ColourMapping::Element(element) => {
                assert!(group.contains(&element));
                assert_eq!(image(colours, &element), target, "{colours:?}");
            }
            ColourMapping::Unknown => panic!("the budget was too small for {colours:?}"),
            other => assert!(!images.contains(&target), "{other:?}: {colours:?} to {target:?}"),
        }
    }
    true
}

#[test]
fn small_groups_agree_with_enumeration() {
    let (_, slices) = cube_layers(3, &[0]);
    let (_, half) = cube(2);
    let half: Vec<Permutation> = half.iter().map(|turn| turn.power(2)).collect();
    let linked = |generators: Vec<Permutation>| {
        let double = |g: &Permutation| {
            let n = g.degree() as u32;
            let images = g.images().iter().copied().chain(g.images().iter().map(|image| image + n));
            Permutation::from_images(images.collect())
        };
        generators.iter().map(double).collect::<Vec<_>>()
    };
    let groups = [
        symmetric(6),
        topspin(7, 4),
        dihedral(12),
        vec![cycle(30)],
        m24(),
        slices,
        half,
        pyraminx().1,
        cube(2).1,
        linked(symmetric(5)),
        linked(dihedral(8)),
    ];
    let mut random = SplitMix64(1);
    let mut checked = 0;
    for generators in groups {
        let degree = generators[0].degree();
        for colours in [1, 2, 2, 2, 3, 4] {
            let colouring: Vec<u32> = (0..degree).map(|_| (random.next_u64() % colours) as u32).collect();
            checked += u32::from(check(degree, &generators, &colouring, &mut random));
        }
    }
    assert!(checked > 40, "{checked} colourings were small enough");
}

/// Known numbers of states: the 2x2x2 and the 4x4x4 by their colours, without whole rotations fixed.
#[test]
fn coloured_cubes_have_their_known_numbers_of_states() {
    let face =
        |&(_, normal): &([i32; 3], [i32; 3])| normal.iter().fold(0, |face, &n| face * 3 + (n + 1) as u32);
    for (n, states) in [
        (2, "88179840"),
        (3, "43252003274489856000"),
        // 24 times 7,401,196,841,564,901,869,874,093,974,498,574,336,000,000,000 with the rotations.
        (4, "177628724197557644876978255387965784064000000000"),
    ] {
        let (degree, generators) = cube(n);
        let group = verified(degree, &generators);
        let colours: Vec<u32> = cube_stickers(n).iter().map(face).collect();
        let size = colouring_orbit_size(&group, &colours, 0, &Control::default()).expect("no limits");
        assert_eq!(size.map(|size| size.to_string()), Some(states.to_string()), "{n}x{n}x{n}");
    }
}

/// With identical edges, a swap of two corners is possible; it is not with different ones.
#[test]
fn identical_pieces_make_an_odd_swap_possible() {
    let (degree, generators) = cube(3);
    let group = verified(degree, &generators);
    let stickers = cube_stickers(3);
    let corner = |place: [i32; 3]| place.iter().all(|&x| x != 0);
    let different: Vec<u32> = (0..degree as u32).collect();
    let identical: Vec<u32> =
        (0..degree).map(|s| if corner(stickers[s].0) { s as u32 } else { 1000 }).collect();
    // Reflecting the corners of one edge of the cube, (2,2,2) and (2,2,-2), with their outer stickers.
    let swapped = |colours: &[u32]| {
        let find = |place: [i32; 3], normal: [i32; 3]| {
            stickers.iter().position(|sticker| *sticker == (place, normal)).expect("a sticker")
        };
        let mut colours = colours.to_vec();
        let (a, b) = ([2, 2, 2], [2, 2, -2]);
        for (first, second) in [([1, 0, 0], [0, 1, 0]), ([0, 1, 0], [1, 0, 0]), ([0, 0, 1], [0, 0, -1])] {
            colours.swap(find(a, first), find(b, second));
        }
        colours
    };
    let map = |colours: &[u32]| {
        map_colouring(&group, colours, &swapped(colours), 0, &Control::default()).expect("no limits")
    };
    let ColourMapping::Invariants(violated) = map(&different) else {
        panic!("a swap of two corners needs a swap of two edges");
    };
    assert_eq!(violated.len(), 2, "the parities of corners and edges: {violated:?}");
    let ColourMapping::Element(element) = map(&identical) else { panic!("identical edges can be swapped") };
    assert!(group.contains(&element));
    assert_eq!(image(&identical, &element), swapped(&identical));
}
