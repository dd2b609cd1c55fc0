//! The shutdown of the service: what it waits for, and what never delays it.
//!
//! The service logs a warning if a connection or a search outlives its time, so these tests read no clock;
//! `./accept faults` measures the time from the signal to the end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::Service;
use super::client::read_reply;
use crate::common::KORF_FELNER_1;

/// A job that takes hours.
fn endless() -> Value {
    json!({"puzzle": "24-puzzle", "position": KORF_FELNER_1, "goal": "blank-first", "solver": "ida+manhattan"})
}

#[test]
fn a_signal_shuts_the_service_down() {
    for name in ["TERM", "INT"] {
        let mut service = Service::start(&["--grace", "500ms", "--jobs-running", "1"]);
        let (running, waiting) = (service.begin(&endless()), service.begin(&endless()));
        service.wait_until_running(&running);
        let streams = [&running, &waiting].map(|job| service.listen(job));
        let status = service.signal(name);
        assert_eq!(status.code(), Some(0), "{name}: {}", service.log());
        for mut stream in streams {
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("text");
            assert!(text.contains("event: done") && text.contains("\"cancelled\""), "{name}: {text}");
        }
    }
}

/// Sends the head of a request on a connection that stays open.
fn send(service: &Service, head: &str) -> BufReader<TcpStream> {
    let mut stream = service.connect();
    stream.write_all(head.as_bytes()).expect("the service listens");
    BufReader::new(stream)
}

/// Ends the service with SIGTERM and fails if it had to give up a connection or a search.
#[track_caller]
fn assert_clean_shutdown(mut service: Service) -> String {
    let status = service.signal("TERM");
    let log = service.wait_for_log(|log| log.contains("shut down"));
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(!log.contains("in time"), "{log}");
    log
}

#[test]
fn idle_connections_do_not_delay_the_shutdown() {
    let service = Service::start(&[]);
    // A browser opens connections ahead of its requests and keeps used ones open.
    let mut unused = BufReader::new(service.connect());
    let mut half_sent = send(&service, "GET /healthz HTTP/1.1\r\nHost: loc");
    let mut kept = send(&service, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(read_reply(&mut kept).expect("a reply").body, b"ok\n");
    assert_clean_shutdown(service);
    for connection in [&mut unused, &mut half_sent, &mut kept] {
        assert!(connection.fill_buf().is_ok_and(<[u8]>::is_empty), "the connection is closed");
    }
}

#[test]
fn requests_in_progress_are_answered_at_shutdown() {
    let service = Service::start(&["--grace", "0s"]);
    let path = format!(
        "/solve/24-puzzle/{}?goal=blank-first&with=ida%2Bmanhattan",
        KORF_FELNER_1.replace(' ', "%20")
    );
    let mut solving = send(&service, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    let job = service.begin(&endless());
    service.wait_until_running(&job);
    let mut stream = service.listen(&job);
    // The metrics count a search only when it has ended; a longer one leaves the short pool after a moment.
    crate::common::wait_until("the request is being solved", || {
        service.metric("untumble_connections") >= 2 && service.get(&job).ok()["state"] == "running"
    });
    assert_clean_shutdown(service);
    let reply = read_reply(&mut solving).expect("a reply");
    let cancelled = reply.status == 200 && reply.json()["outcome"] == "stopped";
    assert!(cancelled || reply.status == 503, "{reply:?}");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("text");
    assert!(text.contains("event: done") && text.contains("\"cancelled\""), "{text}");
}

#[test]
fn a_table_build_does_not_delay_the_shutdown() {
    let cache = tempfile::tempdir().expect("a folder");
    let service = Service::start_in(cache.path(), &["--grace", "0s"]);
    let job = service.begin(&json!({"puzzle": "15-puzzle", "position": "R D L", "solver": "ida+pdb:7-8"}));
    let events = service.events(&job, None, |event| event.data["what"].is_string());
    assert!(events.last().is_some_and(|event| event.data["share"].as_f64() < Some(1.0)), "{events:?}");
    assert_clean_shutdown(service);
    let names: Vec<_> = std::fs::read_dir(cache.path()).expect("a folder").collect();
    assert!(names.is_empty(), "a cancelled build leaves nothing: {names:?}");
}

/// A client that reads nothing may lose its response, but the service ends.
#[test]
fn a_client_that_does_not_read_does_not_prevent_the_shutdown() {
    let mut service = Service::start(&["--patience", "1h"]);
    let request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let _held: Vec<_> = (0..4).map(|_| send(&service, &request.repeat(400))).collect();
    service.wait_for_log(|log| log.contains("openapi"));
    assert_eq!(service.signal("TERM").code(), Some(0), "{}", service.log());
}
