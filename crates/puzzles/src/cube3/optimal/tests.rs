//! The table against known counts, the search against known node counts.

use untumble_search::control::Control;
use untumble_search::tables::InMemory;

use super::*;

fn distances(name: &str) -> Vec<u64> {
    let kind = Kind::named(name).expect("there is one");
    let group = Group::all();
    let classes = Classes::new(&group, kind.thirds);
    let mut bytes = vec![0; kind.length()];
    build::fill(&kind, &group, &classes, &mut bytes, &Control::default()).expect("no limit")
}

/// As many entries at each distance as others have counted.
#[test]
fn the_known_distribution() {
    let known = [1, 1, 4, 34, 331, 3612, 41_605, 474_128, 4_953_846, 34_776_317, 68_566_704, 8_749_194, 1673];
    assert_eq!(distances("30MB"), known);
}
