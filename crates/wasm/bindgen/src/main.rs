//! Generates the JavaScript and TypeScript bindings of the compiled engine, as `wasm-bindgen --target web`
//! does, without an installed wasm-bindgen program.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, folder] = arguments.as_slice() else {
        eprintln!("usage: untumble-bindgen ENGINE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(engine).out_name("untumble").typescript(true);
    bindgen.remove_name_section(true).remove_producers_section(true).omit_default_module_path(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{engine}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
