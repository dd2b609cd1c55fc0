//! Searches on GPUs. `./test` provides two Vulkan drivers that run on the CPU.

use crate::common::{process, run, untumble};
use serde_json::Value;

const SCRAMBLE: &str = "U R F D L B U' R' F'";

fn json(line: &str) -> Value {
    serde_json::from_str(line).expect("a line of JSON")
}

#[test]
fn devices_are_listed_and_their_counts_are_correct() {
    let ran = run(&["gpu", "--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for (number, line) in ran.out.lines().enumerate() {
        let device = json(line);
        assert_eq!(device["number"], number);
        assert!(device["name"].as_str().is_some_and(|name| !name.is_empty()), "{device}");
        assert!(device["most_binding_bytes"].as_u64().is_some_and(|bytes| bytes >= 1 << 27), "{device}");
        assert_eq!(device["fault"], Value::Null, "{device}");
    }
    let ran = run(&["gpu", "--no-check"]);
    assert!(ran.code == Some(0) && ran.out.starts_with("0: ") && !ran.out.contains("check"), "{}", ran.out);
}

#[test]
fn an_answer_names_its_device_and_agrees_with_the_processor() {
    let solve = |with: &str| {
        let ran = run(&["solve", "cube3", SCRAMBLE, "--metric", "qtm", "--with", with, "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        json(&ran.out)
    };
    let expected = solve("ida+manhattan");
    assert_eq!(expected["device"], Value::Null);
    for with in ["gpu-ida:kernel=block+manhattan", "gpu-ida:kernel=thread+manhattan", "gpu-ida"] {
        let answer = solve(with);
        assert_eq!(
            (&answer["length"], &answer["optimal"]),
            (&expected["length"], &Value::Bool(true)),
            "{answer}"
        );
        assert!(answer["device"].as_str().is_some_and(|device| device.contains("Vulkan")), "{answer}");
        let passes =
            |answer: &Value| answer["iterations"].as_array().map(|all| all[..all.len() - 1].to_vec());
        assert_eq!(passes(&answer), passes(&expected), "every pass but the last counts the same");
    }
}

#[test]
fn all_optimal_solutions_are_listed() {
    let solve = |with: &str| {
        let ran = run(&["solve", "cube2", "R U2 F' R2 U", "--with", with, "--all", "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        json(&ran.out)["solutions"].clone()
    };
    assert_eq!(solve("gpu-ida"), solve("ida+manhattan"));
}

#[test]
fn unsupported_searches_are_refused_with_the_reason() {
    for (arguments, part) in [
        (&["solve", "cube3", SCRAMBLE, "--with", "gpu-ida", "--gpu", "99"][..], "there is no GPU 99"),
        (
            &["solve", "cube3", SCRAMBLE, "--with", "gpu-ida+edges"],
            "gpu-ida does not support edges on cube3; it supports manhattan, corners",
        ),
        (
            &["solve", "24-puzzle", "DDRR", "--with", "gpu-ida"],
            "gpu-ida cannot solve tiles-5x5: at most 16 cells, and it has 25",
        ),
        (
            &["solve", "8-puzzle", "8 6 7 2 5 4 3 0 1", "--with", "gpu-ida:kernel=warp"],
            "should be auto, block or thread",
        ),
        (
            &["solve", "8-puzzle", "8 6 7 2 5 4 3 0 1", "--with", "gpu-ida+pdb"],
            "pdb needs an argument, as in pdb:4-4",
        ),
        (&["solve", "balto-3", "1A", "--with", "gpu-ida"], "there is no algorithm `gpu-ida`"),
        (
            &["solve", "cube3", SCRAMBLE, "--with", "gpu-ida", "--checkpoint", "never.proof"],
            "cannot be saved",
        ),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn without_a_device_gpu_solvers_fail_and_auto_works() {
    let without = |arguments: &[&str]| {
        let output =
            untumble(arguments).env("VK_DRIVER_FILES", "/nowhere.json").output().expect("the program runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), err)
    };
    for arguments in [
        &["solve", "cube3", SCRAMBLE, "--with", "gpu-ida+manhattan"][..],
        // The missing device is reported before tables are built.
        &["solve", "15-puzzle", "DDRR", "--with", "gpu-ida+pdb:7-8"],
        &["gpu"],
    ] {
        let (code, out, err) = without(arguments);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{arguments:?}: {err}");
        assert!(err.contains("no GPU was found") && err.contains("parida"), "{err}");
    }
    let (code, _, err) = without(&["solve", "cube3", SCRAMBLE, "--metric", "qtm"]);
    assert!(code == Some(0) && err.contains("moves, optimal"), "{err}");
}

#[test]
fn two_processes_share_a_device() {
    let arguments = [
        "solve",
        "cube3",
        "U R F D L B U' R' F' D' L'",
        "--metric",
        "qtm",
        "--with",
        "gpu-ida:early=off+manhattan",
        "--json",
    ];
    let both = [process(&arguments).spawn().expect("one"), process(&arguments).spawn().expect("another")];
    let answers = both.map(|running| {
        let output = running.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        json(&String::from_utf8_lossy(&output.stdout))
    });
    let [one, another] = answers.map(|answer| (answer["length"].clone(), answer["iterations"].clone()));
    assert_eq!(one, another);
}
