//! Tint, Chromium's WGSL compiler, accepts the text of every kernel. It also refuses barriers that not all lanes of a group
//! may reach, which naga, the compiler behind every other test, does not.

use std::process::Command;

use untumble_gpu::{Sizes, source};
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube2::{Cube2, device as pocket};
use untumble_puzzles::cube3::{Cube3, device as rubik};
use untumble_puzzles::tiles::pdb::Pdb;
use untumble_puzzles::tiles::{Goal, Size, Tiles, device as slides};
use untumble_search::control::Control;
use untumble_search::device::{Kernel, Program};
use untumble_search::tables::InMemory;

/// Programs of each kind; what they do beside barriers, which are the kernels' own, is seen by the tests of counts.
fn programs() -> Vec<Program> {
    let (qtm, htm) = (Cube3::new(Metric::Qtm), Cube3::new(Metric::Htm));
    let tiles: Tiles<u64> =
        Tiles::new(Goal::named(Size { rows: 4, columns: 4 }, "blank-first").expect("a goal"));
    let (tables, control) = (InMemory::default(), Control::default());
    let pdb = Pdb::new(tiles.goal(), "3-3-3-3-3", &tables, &control).expect("memory for tables");
    vec![
        rubik::manhattan::<u64>(&qtm).program,
        rubik::manhattan::<u128>(&htm).program,
        pocket::manhattan(&Cube2::new(Metric::Htm)).program,
        slides::manhattan(&tiles).program,
        slides::patterns(&tiles, pdb).program,
    ]
}

/// The complaint of tint about a text, if any.
fn refused(name: &str, text: &str) -> Option<String> {
    let file = std::env::temp_dir().join(format!("untumble-{}-{name}.wgsl", std::process::id()));
    std::fs::write(&file, text).expect("a file");
    let output = Command::new("tint").args(["--format", "wgsl"]).arg(&file).output();
    std::fs::remove_file(&file).expect("the file again");
    let output = output.expect("tint is on the path");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
#[ignore = "needs tint on the path"]
fn tint_accepts_every_kernel() {
    for program in programs() {
        for kernel in Kernel::ALL {
            for piece in [usize::MAX >> 8, program.table.len().div_ceil(3)] {
                let text = source(kernel, &program, Sizes::usual(kernel, &program, 16_384), piece);
                let name = format!("{}-{}", program.name.replace(' ', "-"), kernel.name());
                assert_eq!(refused(&name, &text), None, "{name}");
            }
        }
    }
}

#[test]
#[ignore = "needs tint on the path"]
fn tint_refuses_a_barrier_that_not_all_lanes_reach() {
    let program = pocket::manhattan(&Cube2::new(Metric::Qtm)).program;
    let text = source(Kernel::Block, &program, Sizes::usual(Kernel::Block, &program, 16_384), 1 << 20);
    let barrier = "anybody puts.\n        storageBarrier();\n        workgroupBarrier();";
    assert!(text.contains(barrier), "the kernel has its barrier");
    let wrong = text.replace(barrier, "anybody puts.\n        if (untried != 0u) { workgroupBarrier(); }");
    assert!(refused("wrong", &wrong).is_some_and(|why| why.contains("uniform")));
}
