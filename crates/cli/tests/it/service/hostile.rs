//! Malicious and faulty clients.

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::Service;
use super::client::read_reply;
use crate::common::{HARDEST_8, wait_until};

#[test]
fn large_and_malformed_bodies_are_refused() {
    let service = Service::start(&["--quiet", "--max-body", "10K"]);
    let large = vec![b' '; 20 << 10];
    let json_type = "Content-Type: application/json\r\n";
    let jobs = "/api/v1/jobs";
    service.request("POST", jobs, json_type, &large).refuses(413, "10240 bytes");
    let chunks = [
        format!(
            "POST {jobs} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{json_type}\
             Transfer-Encoding: chunked\r\n\r\n"
        ),
        format!("{:x}\r\n{}\r\n0\r\n\r\n", large.len(), " ".repeat(large.len())),
    ];
    service.raw(chunks.concat().as_bytes()).refuses(413, "10240 bytes");
    let lying = format!(
        "POST {jobs} HTTP/1.1\r\nHost: localhost\r\n{json_type}Content-Length: 99999999999999\r\n\r\n"
    );
    service.raw(lying.as_bytes()).refuses(413, "10240 bytes");
    service.request("POST", jobs, "Content-Type: text/plain\r\n", b"{}").refuses(415, "application/json");
    service.request("POST", jobs, "", b"{}").refuses(415, "application/json");
    for (body, part) in [
        (&b"{"[..], "EOF"),
        (b"[]", "the body"),
        (b"null", "the body"),
        (b"\xff\xfe", "the body"),
        (b"{\"puzzle\": 7}", "expected a string"),
        (b"{\"puzzle\": \"8-puzzle\", \"position\": [[[[]]]]}", "expected"),
        (b"{\"puzzle\": \"8-puzzle\", \"puzzle\": \"8-puzzle\"}", "duplicate field"),
    ] {
        service.request("POST", jobs, json_type, body).refuses(400, part);
    }
    let deep = "[".repeat(10_000);
    service.request("POST", jobs, json_type, deep.as_bytes()).refuses(400, "the body");
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(2000), "]".repeat(2000));
    service.request("POST", jobs, json_type, deep.as_bytes()).refuses(400, "the body");
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn malformed_requests_do_no_harm() {
    let service = Service::start(&["--quiet"]);
    for noise in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"\r\n\r\n\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x00\x00\x00\x00",
    ] {
        let mut stream = service.connect();
        stream.write_all(noise).expect("the service listens");
        stream.shutdown(std::net::Shutdown::Write).expect("half closed");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        assert!(
            answer.is_empty() || text.starts_with("HTTP/1.1 4") || text.starts_with("HTTP/1.0 4"),
            "{text}"
        );
    }
    let long = format!("/api/v1/solve/8-puzzle/{}", "1".repeat(200_000));
    let refused = service.raw(format!("GET {long} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
    assert!((400..500).contains(&refused.status), "{refused:?}");
    for path in ["/api/v1/solve/8-puzzle/%ff%fe", "/api/v1/puzzles/%ff"] {
        assert_eq!(service.get(path).status, 400, "{path}");
    }
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn slow_clients_are_disconnected_and_delay_no_others() {
    let patient = Service::start(&["--quiet", "--patience", "1h"]);
    let slow = slow_clients(&patient);
    assert_eq!(patient.get("/healthz").status, 200, "other clients are served meanwhile");
    drop(slow);
    let service = Service::start(&["--quiet", "--patience", "500ms"]);
    for (index, stream) in slow_clients(&service).into_iter().enumerate() {
        let status = read_reply(&mut BufReader::new(stream)).map(|reply| reply.status);
        assert!(matches!(status, None | Some(408)), "client {index}: {status:?}");
    }
}

/// Fifty clients that begin a request and stop.
fn slow_clients(service: &Service) -> Vec<TcpStream> {
    let mut clients: Vec<_> = (0..50).map(|_| service.connect()).collect();
    for (index, stream) in clients.iter_mut().enumerate() {
        let part: &[u8] = match index % 3 {
            0 => b"GET /healthz HTTP/1.1\r\nHos",
            1 => b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
            _ => b"",
        };
        // On a machine under load the service may have closed the connection already.
        let _ = stream.write_all(part);
    }
    clients
}

#[test]
fn a_client_above_the_rate_limit_must_wait() {
    let service = Service::start(&["--quiet", "--rate", "5"]);
    let mut accepted = 0;
    let refused = loop {
        let reply = service.get("/api/v1/puzzles");
        if reply.status != 200 {
            break reply;
        }
        accepted += 1;
        assert!(accepted < 10_000, "none of {accepted} requests is refused");
    };
    assert!(accepted >= 15, "the burst of three seconds is accepted: {accepted}");
    refused.refuses(429, "more than 5 requests per second");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(service.get("/").status, 200, "the rate limit does not apply to the page");
    wait_until("the client is accepted again", || service.get("/api/v1/puzzles").status == 200);
}

/// A search that continued after its client disconnected would delay the next request for an hour.
#[test]
fn the_search_of_a_disconnected_client_is_stopped() {
    let service = Service::start(&["--quiet", "--solve-time", "1h"]);
    let path = "/api/v1/solve/24-puzzle/14%205%209%202%2018%208%2023%2019%2012%2017%2015%200%2010%2020%204%206%2011%2021%201%207%2024%203%2016%2022%2013?goal=blank-first&with=ida%2Bmanhattan&time=3600";
    let mut clients: Vec<TcpStream> = (0..20).map(|_| service.connect()).collect();
    for stream in &mut clients {
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("the service listens");
    }
    wait_until("requests wait in the queue", || service.metric("untumble_questions_waiting") > 0);
    drop(clients);
    let answer = service.get("/api/v1/solve/8-puzzle/8%206%207%202%205%204%203%200%201").ok();
    assert_eq!(answer["start"], HARDEST_8);
}

#[test]
fn sizes_are_limited() {
    let service = Service::start(&["--quiet", "--job-memory", "64M", "--job-time", "1s"]);
    let begin = |puzzle: &str, position: &str, solver: &str| {
        let job = service.begin(&json!({"puzzle": puzzle, "position": position, "solver": solver}));
        let ended = service.wait_for_end(&job);
        assert!(matches!(ended["state"].as_str(), Some("done" | "failed")), "{ended}");
        ended
    };
    begin("24-puzzle", "R R D", "beam:width=268435456");
    begin("24-puzzle", "R R D", "ida+pdb:8-8-8");
    begin("15-puzzle", "R R D", "ida+pdb:7-8");
    begin("cube3", "R U F", "ida+max(corners,edges:7)");
    begin("balto-40", "1A", "astar+torus");
    begin("tiles-64x64", "R R D", "auto");
    begin("24-puzzle", "R D L U R D R U", "dfs:depth=10000");
    let bytes = service.metric("untumble_memory_bytes");
    assert!(bytes < 128 << 20, "{bytes}");
}
