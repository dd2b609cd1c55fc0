//! The table against known counts, the search against known node counts, and everything fast against everything plain.

use std::sync::Arc;

use untumble_search::control::{Limits, Silent};
use untumble_search::executor::Sequential;
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::perm::SplitMix64;
use untumble_search::runtime::Runtime;
use untumble_search::tables::Table;

use super::body::{Body, Seen};
use super::build::Sheet;
use super::pricing::{Places, Side};
use super::slices::ARRANGEMENTS;
use super::*;
use crate::cube::Metric;
use crate::cube::pieces::{inverse, odd};
use crate::cube3::packed::Packed;
use crate::cube3::symmetry::turned;

/// Distances as they are, a byte each.
struct Plain(usize);

impl Sheet for Plain {
    fn row(&self) -> usize {
        ARRANGEMENTS * self.0
    }

    fn clear(&self, bytes: &mut [u8]) {
        bytes.fill(u8::MAX);
    }

    fn write(&self, row: &mut [u8], arrangement: usize, lane: usize, distance: u8) {
        row[arrangement * self.0 + lane] = distance;
    }
}

fn turned_cube(cube: Cube, turn: usize) -> Cube {
    let (face, quarters) = turned(turn);
    Packed::new(face, quarters).turn(cube)
}

fn back(cube: Cube) -> Cube {
    Cube::of(&inverse(&cube.corners(), 3), &inverse(&cube.edges(), 2))
}

/// A cube after turns that look random.
fn scrambled(seed: usize, turns: usize) -> Cube {
    let mut scatter = SplitMix64(seed as u64);
    (0..turns).fold(Cube::SOLVED, |cube, _| turned_cube(cube, (scatter.next_u64() % TURNS as u64) as usize))
}

fn control(threads: usize) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent))
}

/// Vectors find the entries that bytes find, for every kind of table.
#[test]
fn vectors_and_bytes_agree() {
    let group = Group::all();
    for kind in KINDS {
        let classes = Classes::new(&group, kind.thirds);
        let ready = || {
            let table = Table::zeroed(0, &Control::default()).expect("nothing");
            Ground::new(Reader::new(kind, &group, &classes, Arc::new(table)), &group)
        };
        let (fast, plain) = (ready(), ready().plain());
        for seed in 0..200 {
            let cube = scrambled(seed, 30);
            let parity = u32::from(odd(&cube.corners()));
            for (body, side) in [(Body::of(cube), Side::Normal), (Body::back(cube), Side::Inverse)] {
                let mut found = [Places::default(), Places::default()];
                for (ground, found) in [&fast, &plain].into_iter().zip(&mut found) {
                    ground.price(&body, MoveSet::first(TURNS), parity, side, found);
                }
                assert_eq!(found[0], found[1], "{} {side:?}", kind.name);
                for turn in 0..TURNS {
                    let step = |ground: &Ground| ground.step(&body, turn, side);
                    assert!(step(&fast).same(&step(&plain)));
                }
            }
        }
    }
}

/// All that symmetries make of a cube has the same entry, but for cubes whose class has symmetries of its own; half turns before it change nothing.
#[test]
fn entries_are_alike_where_cubes_are() {
    let group = Group::all();
    for kind in KINDS {
        let classes = Classes::new(&group, kind.thirds);
        let table = Table::zeroed(0, &Control::default()).expect("nothing");
        let reader = Reader::new(kind, &group, &classes, Arc::new(table));
        let entry = |cube: Cube| reader.entry(&Seen::of(&Body::of(cube)), u32::from(odd(&cube.corners())));
        for seed in 0..100 {
            let cube = scrambled(seed, 30);
            let member = classes.members[classes.numbers.number(&cube.corners())];
            let alone = classes.fixing[member.class()] == 1;
            for symmetry in group.list.iter().filter(|_| alone) {
                assert_eq!(entry(symmetry.cube(cube)), entry(cube), "{}", kind.name);
            }
            for half in (1..TURNS).step_by(3) {
                let before = back(turned_cube(back(cube), half));
                assert_eq!(entry(before), entry(cube), "{}", kind.name);
            }
        }
    }
}

/// The search as simple as can be, over exact distances: nodes generated in all passes below `length`, without the rule about half turns and with it.
struct Simple<'a> {
    cube: Cube3,
    classes: Classes,
    slices: slices::Slices,
    distances: &'a [u8],
    rule: bool,
    generated: u64,
}

impl Simple<'_> {
    fn distance(&self, cube: Cube) -> usize {
        let member = self.classes.members[self.classes.numbers.number(&cube.corners())];
        let mut sets = [0; 3];
        for (slot, placed) in cube.edges().iter().enumerate() {
            sets[slices::slice(placed.piece)] |= 1 << slot;
        }
        let arrangement = self.slices.seen(member.symmetry())[self.slices.numbers.number(sets)];
        self.distances[member.class() * ARRANGEMENTS + usize::from(arrangement)].into()
    }

    fn search(&mut self, cube: Cube, path: &mut Vec<Move>, left: usize) {
        if left == 0 {
            return;
        }
        let tight = self.distance(back(cube)) == left;
        for m in self.cube.automaton().allowed(self.cube.automaton().after(path)) {
            if self.rule && tight && m.index() % 3 == 1 {
                continue;
            }
            self.generated += 1;
            let child = turned_cube(cube, m.index());
            if self.distance(back(child)).max(self.distance(child)) < left {
                path.push(m);
                self.search(child, path, left - 1);
                path.pop();
            }
        }
    }
}

/// As many entries at each distance, and as many nodes in all passes before the last, as others have counted; and the packed table says no more.
#[test]
fn known_counts_of_the_smallest_table() {
    let (kind, group) = (KINDS[0], Group::all());
    let classes = Classes::new(&group, false);
    let mut distances = vec![0; kind.classes() * ARRANGEMENTS];
    let counts =
        build::fill(&kind, &Plain(1), &group, &classes, &mut distances, &control(2)).expect("no limit");
    let known = [1, 1, 4, 34, 331, 3612, 41_605, 474_128, 4_953_846, 34_776_317, 68_566_704, 8_749_194, 1673];
    assert_eq!(counts, known);

    let runtime = Runtime::default();
    let reader = ground(kind, &Group::all(), &*runtime.tables, &control(2)).expect("no limit").reader;
    let mut simple = Simple {
        cube: Cube3::new(Metric::Htm),
        classes,
        slices: slices::Slices::new(&group),
        distances: &distances,
        rule: false,
        generated: 0,
    };
    let mut nearer = 0;
    for seed in 0..3000 {
        let cube = scrambled(seed, seed % 20);
        let exact = simple.distance(cube);
        let said = reader.read(reader.entry(&Seen::of(&Body::of(cube)), 0));
        assert!(usize::from(said) <= exact && exact <= seed % 20);
        assert!(exact <= 7 || usize::from(said) == exact.min(10), "{said} for {exact}");
        nearer += usize::from(usize::from(said) < exact);
        for symmetry in &group.list {
            assert_eq!(simple.distance(symmetry.cube(cube)), exact);
        }
    }
    assert!(nearer < 500, "{nearer} of 3000 entries say less than they could");

    // From the list of solved positions of the project; nodes below the shortest length, plain and with the rule.
    let known = [
        ("D B' D' R D' B D2 F' B2 R L2 U2 B U'", 96_642, 71_960),
        ("B L2 U' B D' B D L2 B' L' F' D2 F' R'", 172_212, 133_275),
    ];
    for (scramble, plain, ruled) in known {
        let moves = simple.cube.parse_moves(scramble).expect("moves");
        let start = moves.iter().fold(Cube::SOLVED, |cube, m| turned_cube(cube, m.index()));
        for (rule, nodes) in [(false, plain), (true, ruled)] {
            (simple.rule, simple.generated) = (rule, 0);
            let least = simple.distance(start).max(simple.distance(back(start)));
            (least..14).for_each(|bound| simple.search(start, &mut Vec::new(), bound));
            assert_eq!(simple.generated, nodes, "{scramble}");
        }
    }
    drop(distances);

    lengths_agree(&runtime);
}

/// Lengths are those that another solver proves, on one thread and on two, and all solutions are found.
fn lengths_agree(runtime: &Runtime) {
    let cube = Cube3::new(Metric::Htm);
    let make = |text: &str| cube.solver(text, runtime, &control(2)).expect("no limit").solver;
    let (optimal, other) = (make("optimal:table=30MB"), make("parida+manhattan"));
    for seed in 0..60 {
        let start = scrambled(seed, 1 + seed % 10);
        let length = |solver: &dyn Solver<Cube3>, threads: usize| {
            let report = solver.solve(&cube, &[start], &control(threads));
            let best = report.best.as_ref().expect("solved");
            let end = cube.replay(&start, &best.moves).expect("moves fit");
            assert!(report.optimal() && cube.is_goal(&end));
            (best.cost, report.counts.generated)
        };
        let one = length(&*optimal, 1);
        assert_eq!(one, length(&*optimal, 1), "as many nodes again");
        assert_eq!(one.0, length(&*optimal, 2).0);
        assert_eq!(one.0, length(&*other, 2).0);
    }
    for seed in 0..20 {
        let start = scrambled(seed, 1 + seed % 7);
        let all = |solver: &dyn Solver<Cube3>| {
            let mut found = solver.solve(&cube, &[start], &control(2).for_all(true)).solutions;
            found.sort();
            found
        };
        assert_eq!(all(&*optimal), all(&*other));
    }
}

/// As many entries of the larger tables at each distance from 8 on as others have counted. Takes minutes.
#[test]
#[ignore = "takes minutes: `./accept agreement` runs it"]
fn known_counts_of_larger_tables() {
    let known: [(&str, &[u64]); 3] = [
        ("61MB", &[5_272_452, 44_119_175, 140_822_848, 44_293_413, 98_954, 267]),
        ("122MB", &[5_921_893, 57_677_277, 261_174_477, 144_168_186, 771_222, 15]),
        ("243MB", &[6_060_336, 64_256_426, 402_546_171, 454_173_126, 12_940_938, 2931, 6]),
    ];
    let group = Group::all();
    for (name, known) in known {
        let kind = Kind::named(name).expect("there is one");
        let classes = Classes::new(&group, kind.thirds);
        let mut bytes = vec![0; kind.length()];
        let counts = build::fill(&kind, &kind, &group, &classes, &mut bytes, &control(2)).expect("no limit");
        assert_eq!(counts[8..], *known, "{name}");
        assert_eq!(counts.iter().sum::<u64>(), (kind.classes() * ARRANGEMENTS * kind.lanes()) as u64);
    }
}

/// Of all words that symmetries make alike, the first one is in a part that is kept.
#[test]
fn parts_left_out_are_made_up_for() {
    let (cube, group) = (Cube3::new(Metric::Htm), Group::all());
    let table = Table::zeroed(0, &Control::default()).expect("nothing");
    let reader = Reader::new(KINDS[0], &group, &Classes::new(&group, false), Arc::new(table));
    let _reserved = Control::default().reserve(0).expect("nothing");
    let (ground, executor) = (Ground::new(reader, &group), Arc::new(Sequential));
    let optimal = Optimal { ground, group: Group::all(), executor, _reserved };
    let position = optimal.position(&cube, &[Cube::SOLVED], SolutionMode::First);
    let mut words = vec![Vec::new()];
    for _ in 0..5 {
        words = words
            .iter()
            .flat_map(|word: &Vec<Move>| {
                let then = |m| [&word[..], &[m]].concat();
                cube.automaton()
                    .allowed(cube.automaton().after(word))
                    .into_iter()
                    .map(then)
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    let part = |path: &[Move]| Subtree { root: 0, path: path.to_vec(), untried: MoveSet::EMPTY.into() };
    let mut kept = 0;
    for word in words.iter().step_by(11) {
        let image = |symmetry: usize| {
            ordered(word.iter().map(|m| Move(group.turn(symmetry, m.index()) as u8)).collect())
        };
        let first = (0..group.count()).map(image).min().expect("48 images");
        assert!(position.first_of_its_kind(&part(&first[..4])), "{word:?}");
        kept += usize::from(position.first_of_its_kind(&part(&word[..4])));
    }
    assert!(kept < words.len() / 11 / 30, "{kept} of {} are kept", words.len() / 11);
}
