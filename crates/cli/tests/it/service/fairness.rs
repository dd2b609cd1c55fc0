//! One client that floods the service does not delay another.

use std::io::Write;
use std::net::TcpStream;

use serde_json::{Value, json};

use super::Service;
use crate::common::{HARDEST_8, KORF_FELNER_1, wait_until};

/// A job that runs until a limit or the client stops it.
fn endless() -> Value {
    json!({"puzzle": "24-puzzle", "position": KORF_FELNER_1, "goal": "blank-first", "solver": "ida+manhattan"})
}

const HARDEST_8_PATH: &str = "/api/v1/solve/8-puzzle/8%206%207%202%205%204%203%200%201";

/// Without shares the 8-puzzle would wait for an hour.
#[test]
fn open_solve_requests_of_one_client_do_not_delay_another() {
    let service = Service::start(&["--quiet", "--solve-time", "1h"]);
    let (flooding, other) = (service.client(1), service.client(2));
    let path = format!(
        "/api/v1/solve/24-puzzle/{}?goal=blank-first&with=ida%2Bmanhattan&time=3600",
        KORF_FELNER_1.replace(' ', "%20")
    );
    let mut requests: Vec<TcpStream> = (0..60).map(|_| flooding.connect()).collect();
    for stream in &mut requests {
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("the service listens");
    }
    wait_until("the long requests wait", || other.metric("untumble_questions_waiting") >= 50);
    assert_eq!(other.get(HARDEST_8_PATH).ok()["start"], HARDEST_8);
    let check = json!({"position": HARDEST_8});
    assert_eq!(other.post("/api/v1/puzzles/8-puzzle/check", &check).ok()["outcome"], "solvable");
    assert_eq!(other.get("/api/v1/puzzles/15-puzzle").ok()["puzzle"], "tiles-4x4");
    // Short requests of the same client do not wait for its long ones either.
    assert_eq!(flooding.get(HARDEST_8_PATH).ok()["start"], HARDEST_8);
    assert_eq!(flooding.get("/api/v1/puzzles/15-puzzle").ok()["puzzle"], "tiles-4x4");
    drop(requests);
    wait_until("the searches end", || other.metric("untumble_questions_waiting") == 0);
}

#[test]
fn queued_jobs_of_one_client_do_not_delay_another() {
    let service = Service::start(&["--quiet", "--job-time", "1h", "--jobs-running", "1"]);
    let (flooding, other) = (service.client(1), service.client(2));
    let mut jobs = Vec::new();
    let refused = loop {
        let reply = flooding.post("/api/v1/jobs", &endless());
        if reply.status != 201 {
            break reply;
        }
        jobs.push(reply.header("location").expect("a location").to_owned());
        assert!(jobs.len() <= 100, "the queue has 100 places");
    };
    refused.refuses(429, "as the queue has free places");
    assert!(refused.header("retry-after").is_some());
    assert!(jobs.len() >= 50, "a lone client has half of the places: {}", jobs.len());
    let job = other.begin(&json!({"puzzle": "8-puzzle", "position": HARDEST_8}));
    let ended = other.wait_for_end(&job);
    assert_eq!((&ended["state"], &ended["answers"][0]["length"]), (&json!("done"), &json!(31)));
    let states = |state: &str| jobs.iter().filter(|job| other.get(job).ok()["state"] == state).count();
    assert_eq!((states("running"), states("queued")), (1, jobs.len() - 1));
}

#[test]
fn idle_connections_of_one_client_do_not_block_others() {
    let service = Service::start(&["--quiet", "--patience", "1h", "--connections", "100"]);
    let (flooding, other) = (service.client(1), service.client(2));
    let held: Vec<TcpStream> = (0..150).map(|_| flooding.connect()).collect();
    wait_until("the client has its share", || other.metric("untumble_connections_refused_total") >= 100);
    assert_eq!(other.get(HARDEST_8_PATH).ok()["start"], HARDEST_8);
    let reply = flooding.get("/healthz");
    assert_eq!((reply.status, reply.header("retry-after")), (429, Some("1")));
    drop(held);
    wait_until("the client is accepted again", || flooding.get("/healthz").status == 200);
}

#[test]
fn a_job_is_cancelled_after_its_last_stream_was_closed() {
    let service = Service::start(&["--quiet", "--stream-grace", "100ms", "--jobs-running", "2"]);
    let (watched, polled) = (service.begin(&endless()), service.begin(&endless()));
    let streams = [service.listen(&watched), service.listen(&watched)];
    service.wait_until_running(&watched);
    drop(streams);
    assert_eq!(service.wait_for_end(&watched)["state"], "cancelled");
    assert_eq!(service.get(&polled).ok()["state"], "running", "a job without streams goes on");
    assert_eq!(service.delete(&polled).status, 204);
}
