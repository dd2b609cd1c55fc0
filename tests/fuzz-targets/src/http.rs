//! HTTP requests to the service in process: request lines, headers, paths and queries.

use std::net::IpAddr;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value;
use untumble_search::runtime::Runtime;
use untumble_server::{Config, InProcessService};

use crate::laws::{assert_plain, select};

/// Searches end soon and use little memory, because a request may start one.
static SERVICE: LazyLock<InProcessService> = LazyLock::new(|| {
    let short = Duration::from_millis(5);
    let config = Config {
        listen: ([127, 0, 0, 1], 0).into(),
        allowed_origins: Vec::new(),
        allowed_hosts: Vec::new(),
        token: None,
        behind_proxy: false,
        runtime: Runtime::default(),
        workers: 1,
        search_threads: 1,
        memory: 64 << 20,
        job_time: short,
        job_memory: 16 << 20,
        jobs_running: 1,
        jobs_queued: 10,
        max_positions: 10,
        retention: Duration::from_secs(1),
        solve_time: short,
        solve_queued: 10,
        max_body: 1 << 16,
        rate: 0,
        streams: 10,
        connections: 10,
        listener_grace: Duration::ZERO,
        client_timeout: Duration::from_secs(5),
        grace: Duration::ZERO,
    };
    InProcessService::start(config).expect("threads")
});

/// Requests. The first byte selects how the others are used: as the bytes of a connection, as the target of a
/// GET request, as its `Host` or as its `Origin`.
pub fn http(data: &[u8]) {
    let (kind, data) = select(data, 4);
    let text = String::from_utf8_lossy(data);
    if kind == 0 {
        let responses = SERVICE.exchange(data);
        return assert_response(&responses, &text);
    }
    // A line break would end the header.
    let Some(text) = std::str::from_utf8(data).ok().filter(|text| !text.contains(['\r', '\n'])) else {
        return;
    };
    let request = match kind {
        1 => format!("GET {text} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        2 => format!("GET /api/v1/puzzles HTTP/1.1\r\nHost: {text}\r\n\r\n"),
        _ => format!("GET /api/v1/puzzles HTTP/1.1\r\nHost: localhost:8081\r\nOrigin: {text}\r\n\r\n"),
    };
    let responses = SERVICE.exchange(request.as_bytes());
    assert_response(&responses, text);
    let answered = status(&responses) == Some(200);
    match kind {
        2 => assert!(!answered || is_loopback(text), "the host `{text}` is answered"),
        3 => assert!(!answered || is_own(text), "the origin `{text}` is answered"),
        _ => {}
    }
}

/// The status of the first response.
fn status(responses: &[u8]) -> Option<u16> {
    let line = responses.strip_prefix(b"HTTP/1.")?.get(2..5)?;
    std::str::from_utf8(line).ok()?.parse().ok()
}

/// Nothing that a client sends is an internal error. Every response of the service keeps other origins from
/// reading it, and its problems are JSON in plain words.
fn assert_response(responses: &[u8], input: &str) {
    if responses.is_empty() {
        return;
    }
    let status = status(responses).unwrap_or_else(|| panic!("no status in {responses:?}"));
    assert!((200..500).contains(&status) || status == 503, "status {status}");
    let end = responses.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("the end of the headers");
    let head = std::str::from_utf8(&responses[..end]).expect("headers of ASCII").to_ascii_lowercase();
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    // The parser of HTTP refuses what it cannot read itself, without a body.
    if header("cross-origin-resource-policy").is_none() {
        let refused = [400, 414, 431].contains(&status) && header("content-length") == Some("0");
        return assert!(refused, "without Cross-Origin-Resource-Policy: {head}");
    }
    assert_eq!(header("cross-origin-resource-policy"), Some("same-origin"), "{head}");
    // A response to HEAD has a length, but no body.
    if header("content-type") == Some("application/problem+json") && !input.trim_start().starts_with("HEAD") {
        let length = header("content-length").and_then(|length| length.parse::<usize>().ok());
        let body = length.and_then(|length| responses.get(end + 4..end + 4 + length)).expect("a body");
        let problem: Value = serde_json::from_slice(body).expect("a problem in JSON");
        assert_eq!(problem["status"], status, "{problem}");
        let detail = problem["detail"].as_str().expect("a sentence");
        assert!(!detail.is_empty(), "{problem}");
        assert_plain(detail, input);
    }
}

/// Whether a host is a loopback name or address, possibly with a port.
fn is_loopback(host: &str) -> bool {
    let host = host.trim().to_ascii_lowercase();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let name = name.trim_end_matches('.');
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

/// Whether an origin is that of the requests, `localhost` with its port.
fn is_own(origin: &str) -> bool {
    let origin = origin.trim().to_ascii_lowercase();
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| {
        let (name, port) = authority.rsplit_once(':').unwrap_or((authority, ""));
        name.trim_end_matches('.') == "localhost" && port.trim_start_matches('0') == "8081"
    })
}
