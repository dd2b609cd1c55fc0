//! The web page, the headers, the API description, and the start and shutdown of the service.

use std::collections::HashSet;
use std::fs;
use std::net::TcpListener;
use std::path::Path;

use serde_json::json;

use super::Service;
use crate::common::{KORF_FELNER_1, run, run_in, wait_until};

#[test]
fn the_page_is_served() {
    let service = Service::start(&["--quiet"]);
    let page = service.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(String::from_utf8_lossy(&page.body).contains("<title>"));
    let tag = page.header("etag").expect("a tag").to_owned();
    let again = service.request("GET", "/", &format!("If-None-Match: {tag}\r\n"), b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    for (name, part) in [
        ("content-security-policy", "default-src 'self'"),
        ("content-security-policy", "frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert!(page.header(name).is_some_and(|value| value.contains(part)), "{name}: {:?}", page.headers);
    }
    service.request("POST", "/", "", b"x").refuses(405, "GET and HEAD only");
    for path in [
        "/nothing",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "/%00",
        "/index.html/",
        "//etc/passwd",
        "/api",
        "/api/v2/puzzles",
    ] {
        service.get(path).refuses(404, "nothing at this address");
    }
}

#[test]
fn the_api_is_described() {
    let service = Service::start(&["--quiet"]);
    let api = service.get("/api/v1/openapi.json").ok();
    assert_eq!(api["openapi"], "3.1.0");
    assert_eq!(
        service.get("/api/v1/openapi.json").body,
        run(&["serve", "--openapi"]).exits(0).out.into_bytes()
    );
    let docs = service.get("/api/v1/docs");
    assert_eq!(docs.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(service.get("/api/v1/docs.css").header("content-type"), Some("text/css; charset=utf-8"));
    assert_eq!(service.get("/healthz").body, b"ok\n");
    let metrics = service.get("/metrics");
    let openmetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert_eq!(metrics.header("content-type"), Some(openmetrics));
    let metrics = String::from_utf8(metrics.body).expect("text");
    let families: Vec<&str> = metrics.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
    let names: HashSet<&str> = families.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names.len(), families.len(), "OpenMetrics requires unique names: {families:?}");
    assert!(metrics.ends_with("# EOF\n"));
    for part in [
        "untumble_requests_total{route=\"/api/v1/openapi.json\",method=\"GET\",status=\"200\"} 2",
        "untumble_request_seconds_bucket{le=\"+Inf\",route=\"/healthz\",method=\"GET\"} 1",
        "untumble_jobs{state=\"running\"} 0",
        "untumble_memory_bytes 0",
    ] {
        assert!(metrics.contains(part), "{part} is missing in\n{metrics}");
    }
}

#[test]
fn other_origins_are_allowed_only_by_flag() {
    let closed = Service::start(&["--quiet"]);
    let origin = "Origin: https://example.org\r\n";
    let reply = closed.request("GET", "/api/v1/puzzles", origin, b"");
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (403, None));
    let open = Service::start(&["--quiet", "--allow-origin", "https://example.org"]);
    let reply = open.request("GET", "/api/v1/puzzles", origin, b"");
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://example.org"));
    let preflight = format!("{origin}Access-Control-Request-Method: POST\r\n");
    let reply = open.request("OPTIONS", "/api/v1/jobs", &preflight, b"");
    assert_eq!(
        (reply.status, reply.header("access-control-allow-headers")),
        (204, Some("authorization, content-type, last-event-id"))
    );
    let other = open.request("GET", "/api/v1/puzzles", "Origin: https://example.com\r\n", b"");
    assert_eq!(other.header("access-control-allow-origin"), None);
}

#[test]
fn a_port_in_use_is_reported_with_a_hint() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    run(&["serve", "--listen", &address])
        .exits(1)
        .stderr_contains("the port is in use")
        .stderr_contains("--listen 127.0.0.1:0");
    run(&["serve", "--listen", "nowhere"]).exits(2);
    run(&["serve", "--allow-origin", "*"]).exits(2).stderr_contains("an origin without a path");
    run(&["serve", "--allow-host", "example.org:80"]).exits(2).stderr_contains("a host name without a port");
    run(&["serve", "--token", "two words"]).exits(2).stderr_contains("letters, digits");
}

#[test]
fn a_public_address_gives_a_warning() {
    let service = Service::start(&["--listen", "0.0.0.0:0"]);
    service.wait_for_log(|log| log.contains("There is no authentication"));
    let service = Service::start(&["--listen", "0.0.0.0:0", "--token", "s3cret"]);
    service.wait_for_log(|log| log.contains("without TLS"));
    assert!(!service.log().contains("no authentication"), "{}", service.log());
}

#[test]
fn every_request_is_logged_on_one_line() {
    let service = Service::start(&["--log", "json"]);
    service.get("/healthz");
    service.get("/api/v1/puzzles/%0a%1b[2J").refuses(404, "there is no such puzzle");
    let log = service.wait_for_log(|log| log.matches("\"path\"").count() >= 2);
    let lines: Vec<serde_json::Value> =
        log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let paths: Vec<_> = lines.iter().map(|line| line["path"].as_str().unwrap_or("")).collect();
    assert_eq!(paths, ["/healthz", "/api/v1/puzzles/%0a%1b[2J"], "{log}");
    assert_eq!((lines[1]["status"].as_u64(), lines[1]["method"].as_str()), (Some(404), Some("GET")));
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
}

#[cfg(unix)]
#[test]
fn after_a_kill_jobs_are_gone_and_tables_remain() {
    let cache = tempfile::tempdir().expect("a folder");
    let cube = json!({"puzzle": "cube2", "position": "R U2 F'"});
    let tiles = json!({"puzzle": "15-puzzle", "position": "R D L", "solver": "ida+pdb:6-6-3"});
    let mut service = Service::start_in(cache.path(), &["--quiet"]);
    let done = service.begin(&cube);
    assert_eq!(service.wait_for_end(&done)["answers"][0]["length"], 3);
    let unfinished = service.begin(&tiles);
    let events = service.events(&unfinished, None, |event| event.data["what"].is_string());
    let last = &events.last().expect("events").data;
    assert!(last["share"].as_f64().is_some_and(|share| share < 1.0), "a table is being built: {last}");
    service.signal("KILL");
    assert!(
        files(cache.path()).iter().any(|name| !name.ends_with(".table")),
        "the service was killed during a build"
    );
    let verify = || run_in(cache.path(), &["tables", "verify"]).exits(0).out.lines().count();
    let survived = verify();
    let service = Service::start_in(cache.path(), &["--quiet"]);
    for job in [&done, &unfinished] {
        service.get(job).refuses(404, "when the service ends");
        service.delete(job).refuses(404, "when the service ends");
        service.get(&format!("{job}/events")).refuses(404, "when the service ends");
    }
    assert_eq!(service.wait_for_end(&service.begin(&cube))["answers"][0]["length"], 3);
    assert_eq!(service.wait_for_end(&service.begin(&tiles))["answers"][0]["length"], 3);
    assert!(verify() > survived, "the unfinished table is built now");
    let names = files(cache.path());
    assert!(
        names.iter().all(|name| name.ends_with(".table")),
        "no draft of the killed service remains: {names:?}"
    );
}

#[test]
fn connections_and_streams_are_limited() {
    let service = Service::start(&["--quiet", "--connections", "3", "--streams", "1"]);
    let job = service.begin(&json!({"puzzle": "24-puzzle", "position": KORF_FELNER_1, "goal": "blank-first", "solver": "ida+manhattan"}));
    let _first = service.listen(&job);
    service.get(&format!("{job}/events")).refuses(429, "event streams per client are limited to 1");
    let held = [service.connect(), service.connect()];
    let mut refused = None;
    wait_until("all connections are in use", || {
        let reply = service.get("/healthz");
        let full = reply.status == 429;
        refused = Some(reply);
        full
    });
    assert_eq!(refused.expect("a reply").header("retry-after"), Some("1"));
    drop(held);
    wait_until("a connection is free again", || service.get("/healthz").status == 200);
    assert_eq!(service.delete(&job).status, 204);
}
