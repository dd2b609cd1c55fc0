//! Requests that need no search, and GET requests to `/solve`.

use serde_json::json;

use super::Service;
use crate::common::{HARDEST_8, run};

#[test]
fn puzzles_are_listed_and_described() {
    let service = Service::start(&["--quiet"]);
    let families = service.get("/api/v1/puzzles").ok();
    assert_eq!(
        families,
        run(&["list", "puzzles", "--json"]).exits(0).json()[0],
        "the command line lists the same families"
    );
    let fifteen = service.get("/api/v1/puzzles/15-puzzle").ok();
    assert_eq!(fifteen["puzzle"], "tiles-4x4");
    assert_eq!(fifteen["shape"], json!({"kind": "tiles", "rows": 4, "columns": 4}));
    assert_eq!(fifteen["solved"], "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0");
    assert_eq!(fifteen["presets"][0]["solver"], "auto");
    let algorithms = fifteen["algorithms"].as_array().expect("a list");
    let beam = algorithms.iter().find(|algorithm| algorithm["name"] == "beam").expect("beam");
    assert_eq!(beam["options"][0]["kind"], json!({"type": "integer", "min": 1, "max": 268_435_456}));
    let snail = service.get("/api/v1/puzzles/8-puzzle?goal=snail").ok();
    assert_eq!(snail["solved"], "1 2 3 8 0 4 7 6 5");
    let cube = service.get("/api/v1/puzzles/rubik?metric=qtm").ok();
    assert_eq!(cube["shape"], json!({"kind": "cube", "size": 3}));
    assert_eq!(cube["moves"].as_array().map(Vec::len), Some(12));
    let corners = cube["heuristics"].as_array().expect("a list")[1].clone();
    assert_eq!((corners["name"].as_str(), corners["memory"].as_u64()), (Some("corners"), Some(44_089_920)));
    let unknown = service.get("/api/v1/puzzles/tile-4x4").refuses(404, "there is no puzzle `tile-4x4`");
    assert_eq!(unknown["alternatives"][0], json!({"kind": "puzzle", "value": "tiles-4x4"}));
    service.get("/api/v1/puzzles/tiles-1x4").refuses(404, "from 2x2 to 64x64");
    let unknown = service.get("/api/v1/puzzles/8-puzzle?goal=snale").refuses(400, "snale");
    assert_eq!(unknown["alternatives"][0], json!({"kind": "goal", "value": "snail"}));
    service.get("/api/v1/puzzles/8-puzzle?gaol=snail").refuses(400, "gaol");
    service.request("DELETE", "/api/v1/puzzles", "", b"").refuses(405, "does not support the method");
}

#[test]
fn positions_are_checked_and_repaired() {
    let service = Service::start(&["--quiet"]);
    let check = |puzzle: &str, position: &str| {
        service.post(&format!("/api/v1/puzzles/{puzzle}/check"), &json!({"position": position}))
    };
    let good = check("8-puzzle", "8 6 7/2 5 4/3 0 1").ok();
    assert_eq!((&good["start"], &good["outcome"]), (&json!(HARDEST_8), &json!("solvable")));
    assert!(good["picture"].as_str().is_some_and(|picture| picture.contains('│')), "{good}");
    assert_eq!(good["repairs"], json!([]));
    let moves = check("cube3", "RU2F'").ok();
    assert_eq!(moves["moves"], json!(["R", "U2", "F'"]), "{moves}");
    let rotated = check("cube3", "R U2 x F'").ok();
    assert_eq!(rotated["moves"], json!(null), "the cube ends in another orientation: {rotated}");
    let open = check("cube3", "UUUUUUUU?.RRRRRRRRFF.FFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB").ok();
    assert_eq!(open["solved"], true, "a sticker with only one possible colour is inferred: {open}");
    let odd = check("8-puzzle", "1 2 3 4 5 6 8 7 0").ok();
    assert_eq!(odd["outcome"], "unsolvable");
    assert!(odd["reason"].as_str().is_some_and(|why| why.contains("half of all arrangements")));
    assert_eq!(odd["repairs"][0]["position"], "1 2 3 4 5 6 7 8 0");
    assert_eq!(odd["repairs"][0]["what"], "exchange 8 and 7");
    assert_eq!(odd["repairs"][0]["changes"][0]["kind"], "exchange");
    let problem = check("8-puzzle", "1 2 3 4 5 6 7 7 0").refuses(422, "which is item 7; 8 is missing");
    assert_eq!(problem["repairs"][0]["position"], "1 2 3 4 5 6 7 8 0");
    let twisted = check("cube3", "UUUUUUUURFRRRRRRRRFFUFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB").ok();
    assert_eq!(twisted["repairs"][0]["what"], "turn the corner at UFR clockwise by a third");
    check("8-puzzle", "").refuses(422, "no position");
    check("8-puzzle", "\u{1b}[2J").refuses(422, "found");
    check("zebra", "1").refuses(404, "there is no puzzle `zebra`");
}

#[test]
fn positions_are_scrambled_and_moves_applied() {
    let service = Service::start(&["--quiet", "--max-positions", "10"]);
    let scramble = |body| service.post("/api/v1/puzzles/15-puzzle/scramble", &body);
    let ten = scramble(json!({"count": 10, "seed": 7})).ok();
    let scrambled = run(&["scramble", "15-puzzle", "--seed", "7", "--count", "10"]).exits(0).out;
    let expected: Vec<&str> = scrambled.lines().collect();
    assert_eq!(ten["positions"], json!(expected), "the command line gives the same positions");
    let fresh = scramble(json!({})).ok();
    let again = scramble(json!({"seed": fresh["seed"]})).ok();
    assert_eq!(fresh["positions"], again["positions"], "the returned seed reproduces the positions");
    scramble(json!({"count": 11})).refuses(400, "1 to 10");
    scramble(json!({"count": 10, "depth": 9_000_000_000u64})).refuses(400, "at most 1000000");
    scramble(json!({"cuont": 1})).refuses(400, "unknown field `cuont`");
    let apply = |body| service.post("/api/v1/puzzles/8-puzzle/apply", &body);
    let applied = apply(json!({"position": "1 2 3 4 5 6 0 7 8", "moves": "L2"})).ok();
    assert_eq!(applied["end"], "1 2 3 4 5 6 7 8 0");
    assert_eq!((&applied["solved"], &applied["moves"]), (&json!(true), &json!(["L", "L"])));
    apply(json!({"moves": "L"})).refuses(422, "move 1 of 1, `L`, is not possible");
    apply(json!({"position": "1 2 3 4 5 6 0 7 8", "moves": "X"})).refuses(422, "expected U, D, L or R");
}

#[test]
fn get_requests_to_solve_are_answered() {
    let service = Service::start(&["--quiet"]);
    let hardest = "/api/v1/solve/8-puzzle/8%206%207%202%205%204%203%200%201";
    for count in 0..60 {
        let answer = service.get(hardest).ok();
        assert_eq!(
            (answer["length"].as_u64(), answer["optimal"].as_bool()),
            (Some(31), Some(true)),
            "{count}"
        );
    }
    assert_eq!(service.get(hardest).ok()["solver"], "table", "after many requests, `auto` chooses a table");
    let named = service.get(&format!("{hardest}?with=ida%2Bmanhattan&goal=blank-first")).ok();
    assert_eq!(named["solver"], "ida+manhattan");
    let short = service.get("/solve/8-puzzle/123456780").ok();
    assert_eq!(short["length"].as_u64(), Some(0), "the short address works");
    let cube = service.get("/api/v1/solve/cube2/R%20U2%20F'?metric=qtm&time=5").ok();
    assert_eq!(cube["length"], 4);
    let odd = service.get("/api/v1/solve/8-puzzle/123456870").ok();
    assert_eq!((&odd["outcome"], &odd["solver"]), (&json!("unsolvable"), &json!(null)));
    let stopped = service.get("/api/v1/solve/24-puzzle/14%205%209%202%2018%208%2023%2019%2012%2017%2015%200%2010%2020%204%206%2011%2021%201%207%2024%203%2016%2022%2013?goal=blank-first&with=ida%2Bmanhattan&time=0.1").ok();
    assert_eq!((&stopped["outcome"], &stopped["stop"]), (&json!("stopped"), &json!("time")));
    service.get("/api/v1/solve/8-puzzle/1%202%203").refuses(422, "missing");
    let unknown = service.get(&format!("{hardest}?with=bfss")).refuses(400, "there is no algorithm `bfss`");
    assert_eq!(unknown["code"], "unknown-algorithm");
    assert_eq!(unknown["alternatives"][0], json!({"kind": "solver", "value": "bfs"}));
    assert_eq!(unknown["span"], json!([0, 4]), "the bytes of `bfss` in the solver text");
    service
        .get(&format!("{hardest}?with=beam%2Blearned:/etc/passwd"))
        .refuses(400, "with a file is not available here");
    service.get(&format!("{hardest}?time=soon")).refuses(400, "time: expected seconds");
    service.get(&format!("{hardest}?as=nothing")).refuses(400, "nothing");
    service.get("/api/v1/solve/zebra/1").refuses(404, "there is no puzzle `zebra`");
}
