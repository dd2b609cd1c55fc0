//! Tint, Chromium's WGSL compiler, accepts every kernel. Unlike naga, the compiler of all other tests,
//! it rejects barriers in non-uniform control flow.

use std::process::Command;

use untumble_gpu::{KernelSizes, kernel_source};
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube2::{Cube2, device as pocket};
use untumble_puzzles::cube3::{Cube3, device as rubik};
use untumble_puzzles::tiles::pdb::Pdb;
use untumble_puzzles::tiles::{Goal, Size, Tiles, device as slides};
use untumble_search::control::Control;
use untumble_search::device::{Kernel, Program};
use untumble_search::tables::InMemory;

/// One program per puzzle family and heuristic.
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

/// The error message of tint, if it rejects the text.
fn tint_error(name: &str, text: &str) -> Option<String> {
    let file = std::env::temp_dir().join(format!("untumble-{}-{name}.wgsl", std::process::id()));
    std::fs::write(&file, text).expect("a file");
    let output = Command::new("tint").args(["--format", "wgsl"]).arg(&file).output();
    std::fs::remove_file(&file).expect("the file exists");
    let output = output.expect("tint is on the path");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
#[ignore = "needs tint on the path"]
fn tint_accepts_every_kernel() {
    for program in programs() {
        for kernel in Kernel::ALL {
            for chunk_words in [usize::MAX >> 8, program.table.len().div_ceil(3)] {
                let text = kernel_source(
                    kernel,
                    &program,
                    KernelSizes::default_for(kernel, &program, 16_384),
                    chunk_words,
                );
                let name = format!("{}-{}", program.name.replace(' ', "-"), kernel.name());
                assert_eq!(tint_error(&name, &text), None, "{name}");
            }
        }
    }
}

#[test]
#[ignore = "needs tint on the path"]
fn tint_rejects_a_barrier_in_non_uniform_control_flow() {
    let program = pocket::manhattan(&Cube2::new(Metric::Qtm)).program;
    let text = kernel_source(
        Kernel::Block,
        &program,
        KernelSizes::default_for(Kernel::Block, &program, 16_384),
        1 << 20,
    );
    let barrier = "any lane pushes.\n        storageBarrier();\n        workgroupBarrier();";
    assert!(text.contains(barrier), "the kernel has the barrier");
    let invalid =
        text.replace(barrier, "any lane pushes.\n        if (untried != 0u) { workgroupBarrier(); }");
    assert!(tint_error("invalid", &invalid).is_some_and(|error| error.contains("uniform")));
}
