//! Cached puzzles, cached solvers and jobs of different runs are never mixed.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::Service;

/// Requests with the identities of their runs; requests with the same identity are the same run.
fn requests() -> Vec<(Value, &'static str)> {
    let tiles = |more: Value| {
        let mut request = json!({"puzzle": "8-puzzle", "position": "R D"});
        request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        request
    };
    vec![
        (tiles(json!({})), "tiles-3x3 auto"),
        (tiles(json!({"puzzle": "Tiles-3x3", "goal": "blank-last", "solver": "auto"})), "tiles-3x3 auto"),
        (tiles(json!({"puzzle": "15-puzzle"})), "tiles-4x4 auto"),
        (tiles(json!({"goal": "snail"})), "tiles-3x3/goal=snail auto"),
        (tiles(json!({"goal": "1,2,3/8,0,4/7,6,5"})), "tiles-3x3/goal=snail auto"),
        (tiles(json!({"goal": "blank-first", "position": "L U"})), "tiles-3x3/goal=blank-first auto"),
        (tiles(json!({"solver": "astar"})), "tiles-3x3 astar+manhattan"),
        (tiles(json!({"solver": "A*:w=1.0"})), "tiles-3x3 astar+manhattan"),
        (tiles(json!({"solver": "astar:w=2"})), "tiles-3x3 astar:w=2+manhattan"),
        (tiles(json!({"solver": "ida:raise=off"})), "tiles-3x3 ida:bpmx=off+manhattan"),
        (
            tiles(json!({"solver": "beam:seed=7,width=10+manhattan"})),
            "tiles-3x3 beam:width=10,seed=7+manhattan",
        ),
        (
            tiles(json!({"solver": "beam:width=10,seed=7+manhattan"})),
            "tiles-3x3 beam:width=10,seed=7+manhattan",
        ),
        (tiles(json!({"all": true})), "tiles-3x3 auto all"),
        (tiles(json!({"limits": {"nodes": 1_000_000}})), "tiles-3x3 auto nodes=1000000"),
        (tiles(json!({"max_length": 30})), "tiles-3x3 auto max-length=30"),
        (json!({"puzzle": "cube2", "position": "R2 U"}), "cube2 auto"),
        (json!({"puzzle": "pocket", "position": "R2 U", "metric": "HTM", "goal": "solved"}), "cube2 auto"),
        (json!({"puzzle": "cube2", "position": "R2 U", "metric": "qtm"}), "cube2/qtm auto"),
        (json!({"puzzle": "cube3", "position": "R2 U", "solver": "ida"}), "cube3 ida+manhattan"),
        (
            json!({"puzzle": "cube3", "position": "R2 U", "solver": "ida", "metric": "htm"}),
            "cube3 ida+manhattan",
        ),
        (
            json!({"puzzle": "cube3", "position": "R2 U", "solver": "ida", "metric": "qtm"}),
            "cube3/qtm ida+manhattan",
        ),
        (json!({"puzzle": "balto-2", "position": "1A"}), "balto-2 auto"),
        (json!({"puzzle": "balto-3", "position": "1A", "solver": "iddfs"}), "balto-3 iddfs"),
    ]
}

/// The fields of an answer that identify its run, its length, and whether it is optimal.
fn run_fields(answer: &Value) -> Value {
    json!([answer["puzzle"], answer["metric"], answer["goal"], answer["length"], answer["optimal"]])
}

#[test]
fn jobs_of_different_runs_are_never_mixed() {
    let service = Service::start(&["--quiet"]);
    let mut essences: HashMap<&str, Value> = HashMap::new();
    let jobs: Vec<_> =
        requests().into_iter().map(|(request, run)| (service.begin(&request), request, run)).collect();
    let mut ids: Vec<&String> = jobs.iter().map(|(job, ..)| job).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), jobs.len(), "every request has its own job");
    for (job, request, run) in &jobs {
        assert_eq!(service.get(job).ok()["run"], **run, "{request}");
        let done = service.wait_for_end(job);
        assert_eq!((&done["run"], &done["state"]), (&json!(run), &json!("done")), "{request}");
        let answer = &done["answers"][0];
        let (puzzle, rest) = run.split_once([' ', '/']).expect("a solver");
        let metric = if puzzle.starts_with("cube") {
            if rest.starts_with("qtm") { "qtm" } else { "htm" }
        } else {
            "moves"
        };
        assert_eq!((&answer["puzzle"], &answer["metric"]), (&json!(puzzle), &json!(metric)), "{request}");
        assert_eq!(answer["solutions"].is_array(), run.ends_with(" all"), "{request}");
        let essence = run_fields(answer);
        let first = essences.entry(run).or_insert_with(|| essence.clone());
        assert_eq!(*first, essence, "{request}");
    }
    assert_eq!(essences["cube2 auto"][3], 2);
    assert_eq!(essences["cube2/qtm auto"][3], 3);
    assert_eq!(essences["tiles-3x3 auto"][2], "blank-last");
    assert_eq!(essences["tiles-3x3/goal=snail auto"][2], "snail");
    assert_eq!(essences["tiles-3x3/goal=blank-first auto"][2], "blank-first");
}

/// Solvers are cached after the first request; the second round uses the cached solvers.
#[test]
fn get_requests_use_the_solvers_of_their_own_run() {
    let service = Service::start(&["--quiet"]);
    let requests = [
        ("cube2/R2%20U?with=ida", ["cube2", "htm", "solved"], 2),
        ("cube2/R2%20U?with=ida&metric=qtm", ["cube2", "qtm", "solved"], 3),
        ("cube2/R2%20U?with=ida&metric=htm", ["cube2", "htm", "solved"], 2),
        ("cube3/R2%20U?with=ida", ["cube3", "htm", "solved"], 2),
        ("cube3/R2%20U?with=ida&metric=qtm", ["cube3", "qtm", "solved"], 3),
        ("8-puzzle/1%202%203%204%205%206%207%200%208?with=ida", ["tiles-3x3", "moves", "blank-last"], 1),
        (
            "8-puzzle/0%201%202%203%204%205%206%207%208?with=ida&goal=blank-first",
            ["tiles-3x3", "moves", "blank-first"],
            0,
        ),
        ("8-puzzle/1%202%203%204%205%206%207%200%208?with=astar", ["tiles-3x3", "moves", "blank-last"], 1),
    ];
    for round in 0..2 {
        for (request, [puzzle, metric, goal], length) in &requests {
            let answer = service.get(&format!("/api/v1/solve/{request}")).ok();
            let found = [&answer["puzzle"], &answer["metric"], &answer["goal"]];
            assert_eq!(found, [puzzle, metric, goal], "round {round}: {request}");
            assert_eq!(answer["length"], *length, "round {round}: {request}");
            let with = request.split("with=").nth(1).expect("a solver").split('&').next().expect("a name");
            let solver = answer["solver"].as_str().expect("a solver");
            assert!(solver.starts_with(with), "round {round}: {request}: {solver}");
        }
    }
}
