//! Compares the table with published counts, the search with known node counts, and vector kernels with
//! scalar ones.

use std::sync::Arc;

use untumble_search::control::{Limits, Silent};
use untumble_search::executor::Sequential;
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::perm::SplitMix64;
use untumble_search::runtime::Runtime;
use untumble_search::tables::{InMemory, Table};

use super::child_locator::{ChildEntries, Side};
use super::cube_bytes::{CoordinateBits, CubeBytes};
use super::edge_separation::{EDGE_COSETS, EdgeTables, slice};
use super::*;
use crate::cube::Metric;
use crate::cube::pieces::{inverse, is_odd};
use crate::cube3::packed::PackedMove;
use crate::cube3::symmetry::face_turn;

/// Exact distances of the smallest table, one byte for each class and edge coset, by plain breadth-first
/// search: the oracle of the builder. Levels of up to five million nodes are expanded top-down; in later ones
/// every unreached node looks for a parent.
fn exact_distances(classes: &CornerClasses, edges: &EdgeTables) -> Vec<u8> {
    const UNREACHED: u8 = u8::MAX;
    let mut distances = vec![UNREACHED; classes.count() * EDGE_COSETS];
    let after = |node: usize, turn: usize| {
        let sym = classes.after(node / EDGE_COSETS, turn);
        let edge_coset = usize::from(edges.after(turn)[node % EDGE_COSETS]);
        sym.class() * EDGE_COSETS + usize::from(edges.conjugates(sym.symmetry())[edge_coset])
    };
    let images = |node: usize| {
        let (class, edge_coset) = (node / EDGE_COSETS, node % EDGE_COSETS);
        let stabilizer = (0..48).filter(move |symmetry| classes.stabilizers[class] >> symmetry & 1 == 1);
        stabilizer
            .map(move |symmetry| class * EDGE_COSETS + usize::from(edges.conjugates(symmetry)[edge_coset]))
    };
    let mut frontier: Vec<usize> =
        images(classes.solved_class * EDGE_COSETS + edges.cosets.solved()).collect();
    frontier.iter().for_each(|&node| distances[node] = 0);
    for distance in 1.. {
        let mut next = Vec::new();
        if frontier.len() < 5_000_000 {
            for child in frontier.iter().flat_map(|&node| (0..FACE_TURNS).map(move |turn| after(node, turn)))
            {
                if distances[child] == UNREACHED {
                    next.extend(images(child));
                    images(child).for_each(|image| distances[image] = distance);
                }
            }
            // Images may coincide.
            next.sort_unstable();
            next.dedup();
        } else {
            let has_parent = |&node: &usize| {
                distances[node] == UNREACHED
                    && (0..FACE_TURNS).any(|turn| distances[after(node, turn)] == distance - 1)
            };
            next = (0..distances.len()).filter(has_parent).collect();
            next.iter().for_each(|&node| distances[node] = distance);
        }
        if next.is_empty() {
            break;
        }
        frontier = next;
    }
    distances
}

/// Builds a table in memory. Returns it with the number of nodes at each distance up to `base` + 2.
fn build_table(variant: TableVariant, control: &Control) -> (Arc<Table>, Vec<u64>) {
    let group = SymmetryGroup::full();
    let classes = CornerClasses::new(&group, variant.tetrad_twist, control).expect("no limit");
    let mut counts = Vec::new();
    let table = InMemory::default().get(&variant.id(), variant.bytes(), control, &mut |table, control| {
        counts = build::fill(&variant, &group, &classes, table, control)?;
        Ok(())
    });
    (table.expect("no limit"), counts)
}

fn apply_turn(cube: Cube, turn: usize) -> Cube {
    let (face, quarters) = face_turn(turn);
    PackedMove::new(face, quarters).apply(cube)
}

fn inverse_of(cube: Cube) -> Cube {
    Cube::from_pieces(&inverse(&cube.corners(), 3), &inverse(&cube.edges(), 2))
}

/// A cube after pseudo-random face turns.
fn scrambled(seed: usize, turns: usize) -> Cube {
    let mut rng = SplitMix64(seed as u64);
    (0..turns).fold(Cube::SOLVED, |cube, _| apply_turn(cube, (rng.next_u64() % FACE_TURNS as u64) as usize))
}

fn control(threads: usize) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent))
}

#[test]
fn vector_kernels_agree_with_scalar_kernels_for_every_table() {
    let group = SymmetryGroup::full();
    for variant in VARIANTS {
        let classes = CornerClasses::new(&group, variant.tetrad_twist, &control(1)).expect("no limit");
        let make = || {
            let table = Table::zeroed(0, &Control::default()).expect("no memory is needed");
            ChildLocator::new(TableReader::new(variant, &group, &classes, Arc::new(table)), &group)
        };
        let (vector, scalar) = (make(), make().with_scalar_kernels());
        for seed in 0..200 {
            let cube = scrambled(seed, 30);
            let parity = u32::from(is_odd(&cube.corners()));
            let sides = [(CubeBytes::of(cube), Side::Normal), (CubeBytes::of_inverse(cube), Side::Inverse)];
            for (bytes, side) in sides {
                let mut found = [ChildEntries::default(), ChildEntries::default()];
                for (locator, found) in [&vector, &scalar].into_iter().zip(&mut found) {
                    locator.locate_children(&bytes, MoveSet::first_n(FACE_TURNS), parity, side, found);
                }
                assert_eq!(found[0], found[1], "{} {side:?}", variant.name);
                for turn in 0..FACE_TURNS {
                    let apply = |locator: &ChildLocator| locator.apply(&bytes, turn, side);
                    assert!(apply(&vector).same_cube(&apply(&scalar)));
                }
            }
        }
    }
}

/// Conjugates share an entry only if the corner class has a trivial stabilizer; otherwise several entries
/// have the same value.
#[test]
fn conjugates_and_leading_half_turns_share_an_entry() {
    let group = SymmetryGroup::full();
    for variant in VARIANTS {
        let classes = CornerClasses::new(&group, variant.tetrad_twist, &control(1)).expect("no limit");
        let table = Table::zeroed(0, &Control::default()).expect("no memory is needed");
        let reader = TableReader::new(variant, &group, &classes, Arc::new(table));
        let entry = |cube: Cube| {
            reader.locate(&CoordinateBits::of(&CubeBytes::of(cube)), u32::from(is_odd(&cube.corners())))
        };
        for seed in 0..100 {
            let cube = scrambled(seed, 30);
            let sym = classes.sym_coordinates[classes.cosets.rank(&cube.corners())];
            let asymmetric = classes.stabilizers[sym.class()] == 1;
            for symmetry in group.symmetries.iter().filter(|_| asymmetric) {
                assert_eq!(entry(symmetry.conjugate(cube)), entry(cube), "{}", variant.name);
            }
            for half_turn in (1..FACE_TURNS).step_by(3) {
                let with_leading_half_turn = inverse_of(apply_turn(inverse_of(cube), half_turn));
                assert_eq!(entry(with_leading_half_turn), entry(cube), "{}", variant.name);
            }
        }
    }
}

/// Plain IDA* over exact distances that counts generated nodes, with or without this rule: no solution
/// starts with a half turn if the inverse bound equals the remaining depth.
struct PlainIda<'a> {
    cube: Cube3,
    classes: CornerClasses,
    edges: EdgeTables,
    distances: &'a [u8],
    half_turn_rule: bool,
    generated: u64,
}

impl PlainIda<'_> {
    fn distance(&self, cube: Cube) -> usize {
        let sym = self.classes.sym_coordinates[self.classes.cosets.rank(&cube.corners())];
        let mut slices = [0; 3];
        for (slot, cubie) in cube.edges().iter().enumerate() {
            slices[slice(cubie.piece)] |= 1 << slot;
        }
        let edge_coset = self.edges.conjugates(sym.symmetry())[self.edges.cosets.rank(slices)];
        self.distances[sym.class() * EDGE_COSETS + usize::from(edge_coset)].into()
    }

    fn search(&mut self, cube: Cube, path: &mut Vec<Move>, remaining: usize) {
        if remaining == 0 {
            return;
        }
        let tight = self.distance(inverse_of(cube)) == remaining;
        for m in self.cube.automaton().allowed(self.cube.automaton().after(path)) {
            if self.half_turn_rule && tight && m.index() % 3 == 1 {
                continue;
            }
            self.generated += 1;
            let child = apply_turn(cube, m.index());
            if self.distance(inverse_of(child)).max(self.distance(child)) < remaining {
                path.push(m);
                self.search(child, path, remaining - 1);
                path.pop();
            }
        }
    }
}

/// The numbers of entries at each distance and of nodes in all passes before the last are the published
/// ones; packed entries never exceed exact distances.
#[test]
fn smallest_table_has_the_published_counts() {
    let (variant, group) = (VARIANTS[0], SymmetryGroup::full());
    let classes = CornerClasses::new(&group, false, &control(1)).expect("no limit");
    let edges = EdgeTables::new(&group, &control(1)).expect("no limit");
    let distances = exact_distances(&classes, &edges);
    let mut counts = [0; 13];
    distances.iter().for_each(|&distance| counts[usize::from(distance)] += 1);
    let known = [1, 1, 4, 34, 331, 3612, 41_605, 474_128, 4_953_846, 34_776_317, 68_566_704, 8_749_194, 1673];
    assert_eq!(counts, known);
    assert_eq!(build_table(variant, &control(2)).1, known[..=usize::from(variant.base) + 2]);

    let runtime = Runtime::default();
    let reader = build_locator(variant, &SymmetryGroup::full(), &*runtime.tables, &control(2))
        .expect("no limit")
        .reader;
    let mut ida = PlainIda {
        cube: Cube3::new(Metric::Htm),
        classes,
        edges,
        distances: &distances,
        half_turn_rule: false,
        generated: 0,
    };
    let mut inexact = 0;
    for seed in 0..3000 {
        let cube = scrambled(seed, seed % 20);
        let exact = ida.distance(cube);
        let stored = reader.read(reader.locate(&CoordinateBits::of(&CubeBytes::of(cube)), 0));
        assert!(usize::from(stored) <= exact && exact <= seed % 20);
        assert!(exact <= 7 || usize::from(stored) == exact.min(10), "{stored} for {exact}");
        inexact += usize::from(usize::from(stored) < exact);
        for symmetry in &group.symmetries {
            assert_eq!(ida.distance(symmetry.conjugate(cube)), exact);
        }
    }
    assert!(inexact < 500, "{inexact} of 3000 entries are below the exact distance");

    // Generated nodes below the optimal length, without and with the half-turn rule.
    let known = [
        ("D B' D' R D' B D2 F' B2 R L2 U2 B U'", 96_642, 71_960),
        ("B L2 U' B D' B D L2 B' L' F' D2 F' R'", 172_212, 133_275),
    ];
    for (scramble, without_rule, with_rule) in known {
        let moves = ida.cube.parse_moves(scramble).expect("moves");
        let start = moves.iter().fold(Cube::SOLVED, |cube, m| apply_turn(cube, m.index()));
        for (rule, nodes) in [(false, without_rule), (true, with_rule)] {
            (ida.half_turn_rule, ida.generated) = (rule, 0);
            let h = ida.distance(start).max(ida.distance(inverse_of(start)));
            (h..14).for_each(|bound| ida.search(start, &mut Vec::new(), bound));
            assert_eq!(ida.generated, nodes, "{scramble}");
        }
    }
    drop(distances);

    optimal_agrees_with_ida(&runtime);
}

/// Checks that lengths and sets of all solutions equal those of IDA* with the Manhattan distance, on one
/// thread and on two.
fn optimal_agrees_with_ida(runtime: &Runtime) {
    let cube = Cube3::new(Metric::Htm);
    let make = |text: &str| cube.solver(text, runtime, &control(2)).expect("no limit").solver;
    let (optimal, other) = (make("optimal:table=30MB"), make("parida+manhattan"));
    for seed in 0..60 {
        let start = scrambled(seed, 1 + seed % 10);
        let cost_and_nodes = |solver: &dyn Solver<Cube3>, threads: usize| {
            let report = solver.solve(&cube, &[start], &control(threads));
            let best = report.best.as_ref().expect("solved");
            let end = cube.replay(&start, &best.moves).expect("moves fit");
            assert!(report.optimal() && cube.is_goal(&end));
            (best.cost, report.counts.generated)
        };
        let one = cost_and_nodes(&*optimal, 1);
        assert_eq!(one, cost_and_nodes(&*optimal, 1), "the node count is deterministic");
        assert_eq!(one.0, cost_and_nodes(&*optimal, 2).0);
        assert_eq!(one.0, cost_and_nodes(&*other, 2).0);
    }
    for seed in 0..20 {
        let start = scrambled(seed, 1 + seed % 7);
        let all = |solver: &dyn Solver<Cube3>| {
            let mut found = solver.solve(&cube, &[start], &control(2).with_all_solutions(true)).solutions;
            found.sort();
            found
        };
        assert_eq!(all(&*optimal), all(&*other));
    }
}

/// Takes minutes.
#[test]
#[ignore = "takes minutes: `./accept agreement` runs it"]
fn larger_tables_have_the_published_counts() {
    let known: [(&str, &[u64]); 3] = [
        ("61MB", &[5_272_452, 44_119_175, 140_822_848, 44_293_413, 98_954, 267]),
        ("122MB", &[5_921_893, 57_677_277, 261_174_477, 144_168_186, 771_222, 15]),
        ("243MB", &[6_060_336, 64_256_426, 402_546_171, 454_173_126, 12_940_938, 2931, 6]),
    ];
    for (name, known) in known {
        let variant = TableVariant::named(name).expect("a known table");
        let (_, counts) = build_table(variant, &control(2));
        assert_eq!(counts[8..], known[..3], "{name}");
        let nodes = (variant.classes() * EDGE_COSETS * variant.lanes()) as u64;
        assert_eq!(nodes - counts.iter().sum::<u64>(), known[3..].iter().sum::<u64>(), "{name}");
    }
}

/// Of every set of equivalent sequences, the least one lies in a subtree that is kept.
#[test]
fn symmetry_reduction_keeps_one_subtree_of_every_orbit() {
    let (cube, group) = (Cube3::new(Metric::Htm), SymmetryGroup::full());
    let classes = CornerClasses::new(&group, false, &control(1)).expect("no limit");
    let table = Table::zeroed(0, &Control::default()).expect("no memory is needed");
    let reader = TableReader::new(VARIANTS[0], &group, &classes, Arc::new(table));
    let _reserved = Control::default().reserve(0).expect("no memory is needed");
    let (locator, executor) = (ChildLocator::new(reader, &group), Arc::new(Sequential));
    let optimal = Optimal { locator, group: SymmetryGroup::full(), executor, _reserved };
    let search = optimal.dfs(&cube, &[Cube::SOLVED], SolutionMode::First);
    let mut sequences = vec![Vec::new()];
    for _ in 0..5 {
        sequences = sequences
            .iter()
            .flat_map(|sequence: &Vec<Move>| {
                let followed_by = |m| [&sequence[..], &[m]].concat();
                cube.automaton()
                    .allowed(cube.automaton().after(sequence))
                    .into_iter()
                    .map(followed_by)
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    let subtree = |path: &[Move]| Subtree { root: 0, path: path.to_vec(), untried: MoveSet::EMPTY.into() };
    let mut kept = 0;
    for sequence in sequences.iter().step_by(11) {
        let image = |symmetry: usize| {
            sort_opposite_faces(
                sequence.iter().map(|m| Move(group.conjugate_turn(symmetry, m.index()) as u8)).collect(),
            )
        };
        let least = (0..group.order()).map(image).min().expect("there are 48 images");
        assert!(search.is_symmetry_representative(&subtree(&least[..4])), "{sequence:?}");
        kept += usize::from(search.is_symmetry_representative(&subtree(&sequence[..4])));
    }
    assert!(kept < sequences.len() / 11 / 30, "{kept} of {} are kept", sequences.len() / 11);
}
