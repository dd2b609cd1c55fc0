//! Jobs: creation, events, cancellation and retention; no job is lost.

use std::collections::HashMap;
use std::thread;

use serde_json::{Value, json};

use super::Service;
use crate::common::{HARDEST_8, KORF_FELNER_1, UNSOLVABLE_8, wait_until};

/// A job that runs until a limit or the client stops it.
fn endless() -> Value {
    json!({"puzzle": "24-puzzle", "position": KORF_FELNER_1, "goal": "blank-first", "solver": "ida+manhattan"})
}

#[test]
fn a_job_answers_every_position_in_order() {
    let service = Service::start(&["--quiet"]);
    let job = service.begin(&json!({"puzzle": "8-puzzle", "positions": [HARDEST_8, UNSOLVABLE_8, "R R"]}));
    let done = service.wait_for_end(&job);
    assert_eq!((&done["state"], &done["positions"]), (&json!("done"), &json!(3)));
    let answers = done["answers"].as_array().expect("answers");
    let values = |key: &str| answers.iter().map(|answer| answer[key].clone()).collect::<Vec<_>>();
    assert_eq!(values("position"), [0, 1, 2]);
    assert_eq!(values("outcome"), ["solved", "unsolvable", "solved"]);
    assert_eq!(values("length"), [json!(31), json!(null), json!(2)]);
    let all =
        service.begin(&json!({"puzzle": "8-puzzle", "position": HARDEST_8, "all": true, "solver": "bfs"}));
    let all = service.wait_for_end(&all);
    assert_eq!(all["answers"][0]["solutions"].as_array().map(Vec::len), Some(40), "{all}");
    let short = json!({"puzzle": "cube3", "position": "R U2 F' L D2 B R'", "max_length": 7});
    let short = service.wait_for_end(&service.begin(&short));
    assert_eq!(short["answers"][0]["length"], 7);
}

#[test]
fn invalid_jobs_are_refused_with_the_messages_of_the_command_line() {
    let service = Service::start(&["--quiet", "--max-positions", "3"]);
    let begin = |job: Value| service.post("/api/v1/jobs", &job);
    begin(json!({"puzzle": "8-puzzle"})).refuses(400, "there is no position");
    begin(json!({"puzzle": "8-puzzle", "positions": ["1", "1", "1", "1"]}))
        .refuses(413, "at most 3 positions");
    let second = begin(json!({"puzzle": "8-puzzle", "positions": [HARDEST_8, "1 2 3"]}));
    assert_eq!(second.refuses(422, "position 2: ")["position"], 1);
    begin(json!({"puzzle": "zebra", "position": "1"})).refuses(404, "there is no puzzle");
    let with = |solver: &str| begin(json!({"puzzle": "balto-5", "position": "1A", "solver": solver}));
    let unknown = with("beem").refuses(400, "there is no algorithm `beem`");
    assert_eq!(unknown["alternatives"][0], json!({"kind": "solver", "value": "beam"}));
    let width = with("beam:width=x").refuses(400, "width");
    assert_eq!((&width["code"], &width["span"]), (&json!("option-value"), &json!([11, 12])));
    let switch = json!({"puzzle": "8-puzzle", "position": "1", "solver": "ida:bpmx=of+manhattan"});
    let switch = begin(switch).refuses(400, "bpmx=of should be on or off");
    assert_eq!(switch["span"], json!([9, 11]));
    let choices = [json!({"kind": "option", "value": "off"}), json!({"kind": "option", "value": "on"})];
    assert_eq!(switch["alternatives"], json!(choices), "all choices, the likeliest first");
    for solver in ["beam+learned:/etc/passwd", "beam+max(torus,learned:../../x)"] {
        with(solver).refuses(400, "learned with a file is not available here");
    }
    begin(json!({"puzzle": "8-puzzle", "position": HARDEST_8, "all": true, "solver": "beam"}))
        .refuses(400, "all");
    begin(json!({"puzzle": "8-puzzle", "position": HARDEST_8, "limits": {"tiem": 1}})).refuses(400, "tiem");
    service.get("/api/v1/jobs/0123").refuses(404, "there is no job `0123`");
    service.delete("/api/v1/jobs/0123").refuses(404, "there is no job");
    service.get("/api/v1/jobs/0123/events").refuses(404, "there is no job");
}

#[test]
fn a_failed_job_carries_its_error_as_data() {
    let service = Service::start(&["--quiet"]);
    let job = json!({"puzzle": "8-puzzle", "positions": [HARDEST_8], "solver": "ida+pdb:9"});
    let job = service.begin(&job);
    let failed = service.wait_for_end(&job);
    let events = service.events(&job, None, |_| false);
    assert_eq!(events.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), ["state", "done"]);
    for data in [&failed, &events[0].data, &events[1].data] {
        assert_eq!((&data["state"], &data["code"]), (&json!("failed"), &json!("argument-invalid")), "{data}");
        assert_eq!(data["span"], json!([8, 9]), "the bytes of `9` in the solver text: {data}");
        assert!(data["error"].as_str().is_some_and(|error| error.contains("8 tiles")), "{data}");
    }
    let done = service.wait_for_end(&service.begin(&json!({"puzzle": "8-puzzle", "position": HARDEST_8})));
    assert_eq!((&done["error"], &done["code"]), (&Value::Null, &Value::Null), "no error, no keys");
}

#[test]
fn events_are_ordered_and_can_be_resumed() {
    let service = Service::start(&["--quiet"]);
    let job =
        service.begin(&json!({"puzzle": "24-puzzle", "position": KORF_FELNER_1, "goal": "blank-first"}));
    let first = service.events(&job, None, |event| event.name == "best");
    assert_eq!(first[0].name, "state");
    let last = first.last().expect("a best").id;
    let more = service.events(&job, Some(last), |event| event.name == "best");
    assert!(more.iter().all(|event| event.id > last), "only new events");
    let last = more.last().expect("a better one").id;
    let running = service.events(&job, Some(last), |event| event.name == "progress");
    assert!(running.iter().any(|event| event.name == "progress"), "progress is sent");
    assert_eq!(service.delete(&job).status, 204);
    let remaining = service.events(&job, running.last().map(|event| event.id), |_| false);
    let all: Vec<_> = first.iter().chain(&more).chain(&running).chain(&remaining).collect();
    assert!(all.is_sorted_by(|a, b| a.id < b.id), "event ids increase");
    let bests: Vec<u64> = all
        .iter()
        .filter(|event| event.name == "best")
        .filter_map(|event| event.data["length"].as_u64())
        .collect();
    assert!(bests.len() > 1 && bests.is_sorted_by(|a, b| a > b), "answers improve: {bests:?}");
    let last: Vec<&str> = all[all.len() - 3..].iter().map(|event| event.name.as_str()).collect();
    assert_eq!(last, ["answer", "state", "done"]);
    let answer = &all[all.len() - 3].data;
    assert_eq!(answer["length"].as_u64(), bests.last().copied(), "the last `best` event is the answer");
    let late = service.events(&job, None, |_| false);
    let names: Vec<&str> = late.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["best", "answer", "state", "done"], "a late client receives only the current events");
    let after_last = service.events(&job, late.last().map(|event| event.id), |_| false);
    assert_eq!(after_last, [], "no event follows the last one");
    assert_eq!(service.events(&job, Some(1 << 40), |_| false).len(), 4, "an id of another job is ignored");
}

#[test]
fn progress_names_the_solver_of_every_position() {
    let service = Service::start(&["--quiet"]);
    let mut job = endless();
    let position = job["position"].take();
    job["positions"] = json!([position, position]);
    // Enough nodes for several progress events on any machine.
    job["limits"] = json!({"nodes": 50_000_000});
    let events = service.events(&service.begin(&job), None, |_| false);
    for index in 0..2 {
        let mut names = events
            .iter()
            .filter(|event| event.name == "progress" && event.data["position"] == index)
            .map(|event| event.data["solver"].as_str())
            .peekable();
        assert!(names.peek().is_some(), "position {index} has progress events");
        assert!(names.all(|name| name == Some("ida+manhattan")), "position {index}: {events:?}");
    }
}

/// Cancels a job in the middle of its search.
fn cancel(service: &Service, job: &Value) {
    let job = service.begin(job);
    service.events(&job, None, |event| event.name == "progress");
    assert_eq!(service.delete(&job).status, 204);
    let ended = service.wait_for_end(&job);
    assert_eq!(ended["state"], "cancelled");
    assert_eq!(ended["answers"][0]["stop"], "interrupted", "the answer so far is kept: {ended}");
    assert_eq!(service.delete(&job).status, 204, "a second cancellation is no error");
}

#[test]
fn jobs_are_cancelled() {
    let service = Service::start(&["--quiet", "--jobs-running", "1"]);
    for solver in
        ["ida+manhattan", "parida+manhattan", "astar+manhattan", "parbfs", "beam:width=100000", "auto"]
    {
        let mut job = endless();
        job["solver"] = solver.into();
        cancel(&service, &job);
    }
    let (first, second) = (service.begin(&endless()), service.begin(&endless()));
    service.wait_until_running(&first);
    assert_eq!(service.get(&second).ok()["state"], "queued");
    assert_eq!(service.delete(&second).status, 204);
    assert_eq!(service.get(&second).ok()["state"], "cancelled", "a queued job is cancelled at once");
    assert_eq!(service.delete(&first).status, 204);
    let done = service.begin(&json!({"puzzle": "8-puzzle", "position": HARDEST_8}));
    assert_eq!(service.wait_for_end(&done)["state"], "done");
    assert_eq!(service.delete(&done).status, 204);
    assert_eq!(service.get(&done).ok()["state"], "done", "a finished job does not change");
}

#[test]
fn limits_of_the_service_cannot_be_exceeded() {
    let service = Service::start(&["--quiet", "--job-time", "300ms", "--job-memory", "20M"]);
    let mut greedy = endless();
    greedy["limits"] = json!({"time": 1e9, "memory": 1u64 << 40, "threads": 1000, "nodes": u64::MAX});
    let ended = service.wait_for_end(&service.begin(&greedy));
    assert_eq!(ended["answers"][0]["stop"], "time");
    greedy["solver"] = "bfs".into();
    let ended = service.wait_for_end(&service.begin(&greedy));
    let answer = &ended["answers"][0];
    assert!(matches!(answer["stop"].as_str(), Some("memory" | "time")), "{answer}");
    assert!(answer["peak_bytes"].as_u64().is_some_and(|bytes| bytes <= 20 << 20), "{answer}");
    let mut modest = endless();
    modest["limits"] = json!({"nodes": 1000});
    let ended = service.wait_for_end(&service.begin(&modest));
    assert_eq!(ended["answers"][0]["stop"], "nodes");
}

#[test]
fn finished_jobs_are_kept_for_a_while() {
    let service = Service::start(&["--quiet", "--keep", "300ms"]);
    let job = service.begin(&json!({"puzzle": "8-puzzle", "position": HARDEST_8}));
    service.events(&job, None, |event| event.name == "done");
    wait_until("the job is deleted", || service.get(&job).status == 404);
    service.get(&job).refuses(404, "deleted after a while");
}

/// Starts `count` jobs at once; returns the number of jobs with each outcome.
fn outcomes_of_concurrent_jobs(service: &Service, count: usize, job: &Value) -> HashMap<String, usize> {
    let outcome = |_| match service.post("/api/v1/jobs", job) {
        reply if reply.status == 201 => {
            let location = reply.header("location").expect("a location").to_owned();
            service.wait_for_end(&location)["state"].as_str().expect("a state").to_owned()
        }
        reply => {
            assert!(reply.header("retry-after").is_some(), "{reply:?}");
            reply.status.to_string()
        }
    };
    let mut outcomes = HashMap::new();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || outcome(number))).collect();
        for thread in threads {
            *outcomes.entry(thread.join().expect("no panic")).or_default() += 1;
        }
    });
    outcomes
}

#[test]
fn none_of_five_hundred_concurrent_jobs_is_lost() {
    // One client has half of the places.
    let service = Service::start(&["--quiet", "--jobs-queued", "200"]);
    let job = json!({"puzzle": "8-puzzle", "position": HARDEST_8, "solver": "bfs", "limits": {"threads": 1}});
    let outcomes = outcomes_of_concurrent_jobs(&service, 500, &job);
    assert_eq!(outcomes.values().sum::<usize>(), 500, "{outcomes:?}");
    assert!(outcomes.keys().all(|outcome| outcome == "done" || outcome == "429"), "{outcomes:?}");
    assert!(
        outcomes.get("done").is_some_and(|&done| done >= 100),
        "all accepted jobs are done: {outcomes:?}"
    );
    let metrics = String::from_utf8(service.get("/metrics").body).expect("text");
    let done = outcomes["done"];
    assert!(metrics.contains(&format!("untumble_jobs_ended_total{{end=\"done\"}} {done}")), "{metrics}");
    assert!(
        metrics.contains("untumble_jobs{state=\"queued\"} 0") && metrics.contains("state=\"running\"} 0")
    );
}
