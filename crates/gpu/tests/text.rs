//! The text of every kernel passes what checks it: naga when it is compiled (every other test does that), and tint where it is installed, which also
//! refuses barriers that not all lanes of a group may reach.

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

#[test]
fn tint_accepts_every_kernel() {
    if Command::new("tint").arg("--help").output().is_err() {
        println!("tint is not installed: nothing to ask");
        return;
    }
    let folder = std::env::temp_dir().join(format!("untumble-kernels-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for program in programs() {
        for kernel in Kernel::ALL {
            for piece in [usize::MAX >> 8, program.table.len().div_ceil(3)] {
                let text = source(kernel, &program, Sizes::usual(kernel, &program, 16_384), piece);
                let file = folder.join(format!("{}-{}.wgsl", program.name.replace(' ', "-"), kernel.name()));
                std::fs::write(&file, text).expect("a file");
                let said = Command::new("tint").args(["--format", "wgsl"]).arg(&file).output();
                let said = said.expect("tint runs");
                assert!(
                    said.status.success(),
                    "{}: {}",
                    file.display(),
                    String::from_utf8_lossy(&said.stderr)
                );
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder again");
}
