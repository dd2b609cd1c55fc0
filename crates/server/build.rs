//! Compresses the files of `web/dist`, which [`assets`](src/assets.rs) embeds: a third of their size in the
//! program, and no compression when the service starts.
#![allow(clippy::print_stdout)] // Cargo reads instructions there.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

const PAGE: &str = "../../web/dist";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={PAGE}");
    let output = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let mut files = Vec::new();
    list_files(Path::new(PAGE), &mut files)?;
    files.sort();

    let mut table = String::from("&[\n");
    for (index, path) in files.iter().enumerate() {
        let name = path.strip_prefix(PAGE)?.to_str().ok_or("a file name of the page is not UTF-8")?;
        let compressed = output.join(format!("{index}.gz"));
        // The header holds neither a name nor a time, so equal files give equal bytes.
        let mut encoder = GzEncoder::new(fs::File::create(&compressed)?, Compression::best());
        encoder.write_all(&fs::read(path)?)?;
        encoder.finish()?;
        let name = name.replace('\\', "/");
        writeln!(table, "({name:?}, include_bytes!({:?}).as_slice()),", compressed.display().to_string())?;
    }
    table.push_str("]\n");
    fs::write(output.join("page.rs"), table)?;
    Ok(())
}

/// Adds all files below `folder` to `files`.
fn list_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list_files(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
