//! Generators of known groups for tests: cubes and other polyhedra by geometry, and M24.

use std::collections::HashMap;

use super::Permutation;

fn permutation(degree: usize, image: impl Fn(usize) -> usize) -> Permutation {
    Permutation::new((0..degree).map(|point| image(point) as u32).collect::<Vec<_>>()).expect("a bijection")
}

/// The permutation of numbered items that a map of items induces.
fn induced<T: std::hash::Hash + Eq>(items: &[T], image: impl Fn(&T) -> T) -> Permutation {
    let number: HashMap<&T, usize> = items.iter().enumerate().map(|(number, item)| (item, number)).collect();
    permutation(items.len(), |point| number[&image(&items[point])])
}

/// The cycle 0 → 1 → … → 0.
pub(crate) fn cycle(degree: usize) -> Permutation {
    permutation(degree, |point| (point + 1) % degree)
}

/// The rotations and reflections of a polygon.
pub(crate) fn dihedral(degree: usize) -> Vec<Permutation> {
    vec![cycle(degree), permutation(degree, |point| degree - 1 - point)]
}

/// The symmetric group.
pub(crate) fn symmetric(degree: usize) -> Vec<Permutation> {
    vec![cycle(degree), permutation(degree, |point| if point < 2 { 1 - point } else { point })]
}

/// TopSpin: rotate `degree` tiles by one, reverse the first `window` of them.
pub(crate) fn topspin(degree: usize, window: usize) -> Vec<Permutation> {
    let reverse = permutation(degree, |point| if point < window { window - 1 - point } else { point });
    vec![cycle(degree), reverse]
}

/// The Mathieu group M24 on the projective line over the field with 23 elements: x → x + 1, x → −1/x and
/// x → x³/9 for squares, 9x³ otherwise (Conway & Sloane). Point 23 is infinity.
pub(crate) fn m24() -> Vec<Permutation> {
    let inverse = |x: usize| (1..23).find(|y| x * y % 23 == 1).expect("23 is prime");
    let is_square = |x: usize| (0..23).any(|y| y * y % 23 == x);
    let cube = |x: usize| x * x * x % 23;
    vec![
        permutation(24, |x| if x == 23 { 23 } else { (x + 1) % 23 }),
        permutation(24, |x| match x {
            23 => 0,
            0 => 23,
            x => 23 - inverse(x),
        }),
        permutation(24, |x| match x {
            23 => 23,
            x if is_square(x) => cube(x) * inverse(9) % 23,
            x => 9 * cube(x) % 23,
        }),
    ]
}

type Vector = [i32; 3];

/// A sticker: the centre of its cubie, in half widths, and its normal.
type Sticker = (Vector, Vector);

/// The stickers of the n×n×n cube.
pub(crate) fn cube_stickers(n: i32) -> Vec<Sticker> {
    let range = || (1 - n..n).step_by(2);
    let mut stickers = Vec::new();
    for axis in 0..3 {
        for side in [-1, 1] {
            for (a, b) in range().flat_map(|a| range().map(move |b| (a, b))) {
                let (mut place, mut normal) = ([0; 3], [0; 3]);
                (place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]) = (side * (n - 1), a, b);
                normal[axis] = side;
                stickers.push((place, normal));
            }
        }
    }
    stickers
}

/// A quarter turn of a vector around an axis.
fn quarter_turn(axis: usize, vector: Vector) -> Vector {
    let mut turned = vector;
    turned[(axis + 1) % 3] = -vector[(axis + 2) % 3];
    turned[(axis + 2) % 3] = vector[(axis + 1) % 3];
    turned
}

/// Quarter turns of these layers (coordinates from 1 − n to n − 1 in steps of 2) of all axes.
pub(crate) fn cube_layers(n: i32, layers: &[i32]) -> (usize, Vec<Permutation>) {
    let stickers = cube_stickers(n);
    let turn = |axis: usize, layer: i32| {
        induced(&stickers, |&(place, normal)| {
            if place[axis] == layer {
                (quarter_turn(axis, place), quarter_turn(axis, normal))
            } else {
                (place, normal)
            }
        })
    };
    let turns = (0..3).flat_map(|axis| layers.iter().map(move |&layer| (axis, layer)));
    (stickers.len(), turns.map(|(axis, layer)| turn(axis, layer)).collect())
}

/// The quarter turns of all layers of the n×n×n cube except the middle one of an odd cube.
pub(crate) fn cube(n: i32) -> (usize, Vec<Permutation>) {
    let layers: Vec<i32> = (1 - n..n).step_by(2).filter(|&layer| layer != 0).collect();
    cube_layers(n, &layers)
}

/// All powers of some generators, without identities and repetitions.
pub(crate) fn powers(generators: &[Permutation]) -> Vec<Permutation> {
    let mut all: Vec<Permutation> = Vec::new();
    for generator in generators {
        let mut power = generator.clone();
        while !power.is_identity() {
            if !all.contains(&power) {
                all.push(power.clone());
            }
            power = power.then(generator);
        }
    }
    all
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The megaminx: 120 stickers, a fifth of a turn of each of the twelve faces. A sticker is a set of two or
/// three adjacent faces and one of them.
pub(crate) fn megaminx() -> (usize, Vec<Permutation>) {
    let golden = f64::midpoint(1.0, 5f64.sqrt());
    let mut faces: Vec<[f64; 3]> = Vec::new();
    for (a, b) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
        faces.extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]]);
    }
    let length = dot(faces[0], faces[0]);
    let adjacent = |a: usize, b: usize| dot(faces[a], faces[b]) > 0.4 * length && a != b;
    let mut stickers: Vec<(Vec<usize>, usize)> = Vec::new();
    for a in 0..12 {
        for b in (0..12).filter(|&b| adjacent(a, b)) {
            stickers.push((if a < b { vec![a, b] } else { vec![b, a] }, a));
            for c in (b..12).filter(|&c| adjacent(a, c) && adjacent(b, c)) {
                let mut corner = vec![a, b, c];
                corner.sort_unstable();
                stickers.push((corner, a));
            }
        }
    }
    let turn = |face: usize| {
        let angle = std::f64::consts::TAU / 5.0;
        let unit = faces[face].map(|x| x / length.sqrt());
        let rotated = |other: usize| {
            let (v, across) = (faces[other], cross(unit, faces[other]));
            let along = dot(unit, v) * (1.0 - angle.cos());
            let image: [f64; 3] =
                std::array::from_fn(|i| v[i] * angle.cos() + across[i] * angle.sin() + unit[i] * along);
            (0..12).find(|&f| dot(faces[f], image) > 0.99 * length).expect("rotations permute the faces")
        };
        induced(&stickers, |(piece, on)| {
            if !piece.contains(&face) {
                return (piece.clone(), *on);
            }
            let mut image: Vec<usize> = piece.iter().map(|&f| rotated(f)).collect();
            image.sort_unstable();
            (image, rotated(*on))
        })
    };
    (stickers.len(), (0..12).map(turn).collect())
}

/// The pyraminx without tips: stickers of six edges and four centres. A sticker is a set of one or two
/// vertices and the opposite vertex of its face; a move turns one vertex.
pub(crate) fn pyraminx() -> (usize, Vec<Permutation>) {
    let mut stickers: Vec<(Vec<usize>, usize)> = Vec::new();
    for face in 0..4 {
        for a in (0..4).filter(|&a| a != face) {
            stickers.push((vec![a], face));
            stickers.extend((a + 1..4).filter(|&b| b != face).map(|b| (vec![a, b], face)));
        }
    }
    let turn = |vertex: usize| {
        let others: Vec<usize> = (0..4).filter(|&v| v != vertex).collect();
        let rotated = |v: usize| others.iter().position(|&o| o == v).map_or(v, |at| others[(at + 1) % 3]);
        induced(&stickers, |(piece, face)| {
            if !piece.contains(&vertex) {
                return (piece.clone(), *face);
            }
            let mut image: Vec<usize> = piece.iter().map(|&v| rotated(v)).collect();
            image.sort_unstable();
            (image, rotated(*face))
        })
    };
    (stickers.len(), (0..4).map(turn).collect())
}

/// All elements of a small group.
pub(crate) fn elements(degree: usize, generators: &[Permutation]) -> Vec<Permutation> {
    let mut found = std::collections::HashSet::from([Permutation::identity(degree)]);
    let mut list: Vec<Permutation> = found.iter().cloned().collect();
    let mut next = 0;
    while next < list.len() {
        for generator in generators {
            let product = list[next].then(generator);
            if found.insert(product.clone()) {
                list.push(product);
            }
        }
        next += 1;
    }
    list
}
