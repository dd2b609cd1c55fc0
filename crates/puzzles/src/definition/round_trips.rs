//! What is written reads back with the same digest, unless a loss or an error says otherwise.

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_search::perm::{below, shuffle};

use super::model::{Illegal, MoveKind, NamedMove, Orbit, SearchedPowers};
use super::moves::kind_of_name;
use super::pattern::{OrbitPattern, Pattern};
use super::scramble::parse_scrambles;
use super::transformation::{OrbitTransformation, Transformation};
use super::{Definition, WriteError, Written, parse, pattern_to_kpuzzle, pattern_to_tws};
use super::{to_gap, to_kpuzzle, to_tws};

/// Names that formats treat in different ways.
const NAMES: [&str; 12] = ["U", "U2", "R'", "x", "Fv", "f0", "-f0", "2R", "M_a", "a.b", "Gen", "é"];
const ORBITS: [&str; 4] = ["CORNERS", "E_2", "STICKERS", "ü"];

/// A random definition; `plain` ones have names for every format and orientations known or ignored.
fn random_definition(seed: u64, plain: bool) -> Definition {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut choose = |count: usize| below(random, count);
    let count = 1 + choose(3);
    let orbits: Vec<Orbit> = (0..count)
        .map(|number| Orbit {
            name: ORBITS[number].into(),
            pieces: 1 + choose(6),
            orientations: [1, 1, 2, 3, 4, 6][choose(6)],
        })
        .collect();
    let solved: Vec<OrbitPattern> = orbits
        .iter()
        .map(|orbit| {
            let kinds = 1 + choose(orbit.pieces);
            let step = [1, 1, 100][choose(3)];
            let pieces: Vec<u32> = (0..orbit.pieces).map(|_| (step * choose(kinds)) as u32).collect();
            let all = orbit.orientations;
            let divisors: Vec<u8> =
                (1..=all).filter(|k| all % k == 0 && (!plain || *k == 1 || *k == all)).collect();
            // Identical pieces have equal moduli in plain definitions.
            let by_piece: Vec<u8> = (0..kinds * step).map(|_| divisors[choose(divisors.len())]).collect();
            let modulus = pieces.iter().map(|&piece| match plain {
                true => by_piece[piece as usize],
                false => divisors[choose(divisors.len())],
            });
            let modulus: Vec<u8> = modulus.collect();
            let orientation: Vec<u8> = (0..orbit.pieces).map(|_| choose(all.into()) as u8).collect();
            OrbitPattern::new(pieces, &orientation, modulus)
        })
        .collect();
    let first = choose(NAMES.len());
    let moves = (0..1 + choose(5)).map(|number| {
        let name = match plain {
            true => format!("m{number}x"),
            false => NAMES[(first + number) % NAMES.len()].into(),
        };
        let kind = kind_of_name(&name);
        let orbits = orbits.iter().map(|orbit| {
            let mut from: Vec<u16> = (0..orbit.pieces as u16).collect();
            shuffle(&mut from, &mut ChaCha8Rng::seed_from_u64(choose(1 << 30) as u64));
            let twist = (0..orbit.pieces).map(|_| choose(orbit.orientations.into()) as u8).collect();
            OrbitTransformation::new(from, twist, orbit.orientations)
        });
        NamedMove { name, transformation: Transformation::new(orbits.collect()), kind, sequence: None }
    });
    let mut moves: Vec<NamedMove> = moves.collect();
    if moves.iter().all(|named| named.kind == MoveKind::Rotation) {
        moves[0].name = "W".into();
        moves[0].kind = MoveKind::Move;
    }
    let illegal = (0..choose(3)).filter_map(|_| {
        let orbit = choose(count);
        let (slot, other) = (choose(orbits[orbit].pieces), choose(orbits[orbit].pieces));
        let piece = solved[orbit].pieces()[other];
        (solved[orbit].pieces()[slot] != piece).then_some(Illegal { orbit, slot, piece })
    });
    let illegal: Vec<Illegal> = illegal.collect();
    let searched = SearchedPowers::All;
    let definition = Definition::new("random".into(), orbits, Pattern::new(solved), moves, searched);
    definition.unwrap_or_else(|error| panic!("{error}")).with_illegal(illegal)
}

fn read_back(written: &Written, hint: &str) -> Definition {
    let text = &written.text;
    parse(text.as_bytes(), hint).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Checks the law for one result of a writer, and that a second writing changes nothing.
fn check(
    definition: &Definition,
    hint: &str,
    write: impl Fn(&Definition) -> Result<Written, WriteError>,
) -> Result<(), WriteError> {
    let written = write(definition)?;
    let again = read_back(&written, hint);
    if !written.losses.iter().any(super::Loss::changes_digest) {
        assert_eq!(again.digest(), definition.digest(), "{}", written.text);
    } else {
        assert_ne!(again.digest(), definition.digest(), "{:?}: {}", written.losses, written.text);
    }
    let second = write(&again)?;
    assert_eq!((&second.text, second.losses), (&written.text, Vec::new()));
    Ok(())
}

fn has_partial_moduli(definition: &Definition) -> bool {
    definition.orbits().iter().zip(definition.solved().orbits()).any(|(orbit, solved)| {
        solved.modulus().iter().any(|&modulus| modulus != 1 && modulus != orbit.orientations)
    })
}

proptest! {
    #[test]
    fn plain_definitions_read_back_from_every_format(seed in any::<u64>()) {
        let definition = random_definition(seed, true);
        prop_assert_eq!(check(&definition, "r.json", to_kpuzzle), Ok(()));
        prop_assert_eq!(check(&definition, "r.tws", to_tws), Ok(()));
        prop_assert_eq!(check(&definition, "r.gap", to_gap), Ok(()));
    }

    #[test]
    fn definitions_read_back_or_are_refused(seed in any::<u64>()) {
        let definition = random_definition(seed, false);
        prop_assert_eq!(check(&definition, "r.json", to_kpuzzle), Ok(()));
        match check(&definition, "r.tws", to_tws) {
            Ok(()) => prop_assert!(!has_partial_moduli(&definition)),
            Err(error) => {
                prop_assert!(matches!(error, WriteError::Orientation { .. }), "{}", error);
                prop_assert!(has_partial_moduli(&definition));
            }
        }
        let ascii = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match check(&definition, "r.gap", to_gap) {
            Ok(()) => {}
            Err(WriteError::Name { name, .. }) => prop_assert!(!ascii(&name)),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn stickers_have_the_orders_and_the_positions_of_pieces(seed in any::<u64>()) {
        let definition = random_definition(seed, true);
        let stickers = to_gap(&definition).map(|written| read_back(&written, "r.gap"));
        let stickers = stickers.unwrap_or_else(|error| panic!("{error}"));
        for (piece, sticker) in definition.moves().iter().zip(stickers.moves()) {
            prop_assert_eq!(piece.transformation.order(), sticker.transformation.order());
        }
        // The positions within three moves agree.
        let listed = definition.with_searched(SearchedPowers::Listed);
        let within = |definition: &Definition| {
            let mut seen = std::collections::HashSet::from([definition.solved().clone()]);
            let mut counts = vec![];
            for _ in 0..3 {
                let next: Vec<Pattern> = seen
                    .iter()
                    .flat_map(|state| definition.moves().iter().map(|named| state.apply(&named.transformation)))
                    .collect();
                seen.extend(next);
                counts.push(seen.len());
            }
            counts
        };
        prop_assert_eq!(within(&listed), within(&stickers));
    }

    #[test]
    fn positions_read_back(seed in any::<u64>(), powers in proptest::collection::vec((0u32..5, -3i32..3), 0..6)) {
        let definition = random_definition(seed, true).with_illegal(Vec::new());
        let count = definition.moves().len() as u32;
        let steps = powers.into_iter().map(|(index, power)| super::MovePower { index: index % count, power });
        let steps: Vec<_> = steps.collect();
        let position = definition.solved().apply(&definition.transformation_of(&steps));
        let text = pattern_to_kpuzzle(&definition, &position);
        prop_assert_eq!(definition.parse_position(&text), Ok(position.clone()), "{}", text);
        let text = pattern_to_tws(&definition, &position, "a b").unwrap_or_else(|error| panic!("{error}"));
        // Labels from 255 on are replaced; reading them needs the definition that is written.
        let written = to_tws(&definition).map(|written| read_back(&written, "r.tws"));
        let written = written.unwrap_or_else(|error| panic!("{error}"));
        let read = parse_scrambles(&written, &text).unwrap_or_else(|error| panic!("{error}: {text}"));
        prop_assert_eq!(&read[0].position, &written.solved().apply(&definition.transformation_of(&steps)));
        prop_assert_eq!(&read[0].name, "a_b");
    }
}

#[test]
fn sequences_are_written_where_the_format_has_them() {
    let text = "Set A 4 1\nSolved\nEnd\nMoveSequence T [U, V1]2 S'\nMove U\nA\n2 3 4 1\nEnd\n\
                Move V1\nA\n2 3 1 4\nEnd\nMoveAlias S V1\nMoveSequence W (V1)2 U2\n";
    let definition = parse(text.as_bytes(), "a.tws").unwrap_or_else(|error| panic!("{error}"));
    let written = to_tws(&definition).unwrap_or_else(|error| panic!("{error}"));
    let sequences: Vec<&str> = written.text.lines().filter(|line| line.starts_with("MoveSequence")).collect();
    assert_eq!(
        sequences,
        ["MoveSequence T U V1 U' V1' U V1 U' V1' S'", "MoveSequence S V1", "MoveSequence W V1 V1 U2",]
    );
    assert_eq!(check(&definition, "a.tws", to_tws), Ok(()));
    let kpuzzle = to_kpuzzle(&definition).unwrap_or_else(|error| panic!("{error}"));
    let losses: Vec<String> = kpuzzle.losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses, ["sequences are left out: T, S, W"]);
}

#[test]
fn names_and_sizes_that_a_format_cannot_hold_are_refused() {
    let read =
        |text: &str, hint: &str| parse(text.as_bytes(), hint).unwrap_or_else(|error| panic!("{error}"));
    let rotation = read("x:=(1,2);", "a.gap");
    let message = to_tws(&rotation).expect_err("a rotation").to_string();
    let expected = "the move `x` cannot be written: readers of the format take it for a rotation of the \
                    whole puzzle";
    assert_eq!(message, expected);
    assert!(to_kpuzzle(&rotation).is_err());
    let large = read("a:=(1,2);ip:=[[256]];", "a.gap");
    let message = to_tws(&large).expect_err("256 pieces").to_string();
    assert_eq!(message, "the number of pieces 256 exceeds the limit of the format, 255");
    assert_eq!(check(&large, "a.json", to_kpuzzle).err(), None);
    let primed = read(r#"{"generators": [[1, 0]], "generator_names": ["a'"]}"#, "a.json");
    assert!(matches!(to_gap(&primed), Err(WriteError::Name { what: "move", .. })));
}

/// Digests are part of identities that are kept in files, so they must not change.
#[test]
fn the_encoding_is_stable() {
    let text = "Name n\nSet A 2 2\nSet B 3 1\nSolved\nB\n5 5 9\nEnd\nMove U\nA\n2 1\n1 0\nEnd\n\
                Move x\nB\n2 3 1\nEnd\nMoveAlias V U\nIllegal B 1 9\n";
    let definition = parse(text.as_bytes(), "a.tws").unwrap_or_else(|error| panic!("{error}"));
    let relabelled = text.replace("5 5 9", "1 1 2").replace("B 1 9", "B 1 2").replace("Name n", "Name m");
    let same = parse(relabelled.as_bytes(), "b.tws").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(same.digest(), definition.digest());
    let expected = "d94739dd4b812ad988e81557802723ffa1afcdc262367a7457965dddc0e75de8";
    assert_eq!(definition.digest().to_string(), expected);
    for (from, to) in [
        ("Move U", "Move W"),
        ("5 5 9", "9 5 5"),
        ("1 0\nEnd", "0 1\nEnd"),
        ("Set A", "Set C"),
        ("Illegal B 1", "Illegal B 2"),
        ("Move x", "Move X"),
        ("MoveAlias V U", "MoveAlias V U'"),
    ] {
        let text = text.replace(from, to).replace(if to == "Set C" { "\nA\n" } else { "\0" }, "\nC\n");
        let text = if to == "Move W" { text.replace("V U", "V W") } else { text };
        let text = if to == "9 5 5" { text.replace("B 1 9", "B 2 9") } else { text };
        let other = parse(text.as_bytes(), "a.tws").unwrap_or_else(|error| panic!("{error}: {text}"));
        let changed = other.digest() != definition.digest();
        // U is its own inverse up to a twist of both pieces: U' is another transformation.
        assert!(changed, "{from} -> {to}");
    }
}
