//! Foreign pages: unknown hosts, other origins, and the token.

use super::Service;

/// A request with exactly these headers.
fn request(service: &Service, path: &str, headers: &str) -> super::client::Reply {
    service.raw(format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").as_bytes())
}

const PATHS: [&str; 6] = [
    "/",
    "/healthz",
    "/metrics",
    "/api/v1/puzzles",
    "/api/v1/solve/8-puzzle/123456780",
    "/solve/8-puzzle/123456780",
];

/// A name that an attacker rebinds to 127.0.0.1 makes page and service one origin; only `Host` differs.
#[test]
fn a_rebound_name_gets_no_answer() {
    let service = Service::start(&["--quiet", "--allow-host", "puzzles.example.org"]);
    for path in PATHS {
        for host in ["rebound.example", "rebound.example:8081", "localhost.rebound.example", "10.0.0.1"] {
            let reply = request(&service, path, &format!("Host: {host}\r\n"));
            let problem = reply.refuses(403, "does not serve the host");
            assert_eq!(problem["code"], "forbidden", "{path} {host}");
        }
        for headers in
            ["", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: rebound.example\r\n"]
        {
            request(&service, path, headers).refuses(400, "one valid Host header");
        }
        let absolute = format!("http://rebound.example{path}");
        request(&service, &absolute, "Host: localhost\r\n").refuses(403, "does not serve the host");
        for host in ["localhost", "LocalHost:1234", "127.0.0.1", "[::1]:8081", "puzzles.example.org"] {
            let status = request(&service, path, &format!("Host: {host}\r\n")).status;
            assert_eq!(status, 200, "{path} {host}");
        }
    }
    let post = "POST /api/v1/jobs HTTP/1.1\r\nHost: rebound.example\r\nContent-Type: application/json\r\n\
                Content-Length: 2\r\nConnection: close\r\n\r\n{}";
    service.raw(post.as_bytes()).refuses(403, "does not serve the host");
}

#[test]
fn a_foreign_page_cannot_use_the_api() {
    let service = Service::start(&["--quiet", "--allow-origin", "https://partner.example"]);
    let foreign = [
        "Origin: https://foreign.example\r\n",
        "Origin: null\r\n",
        "Origin: http://localhost:1\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
        "Origin: http://localhost\r\nSec-Fetch-Site: cross-site\r\n",
    ];
    for path in PATHS.iter().filter(|path| !matches!(**path, "/" | "/healthz")) {
        for headers in foreign {
            let reply = service.request("GET", path, headers, b"");
            reply.refuses(403, "pages of other origins");
            assert_eq!(reply.header("access-control-allow-origin"), None, "{path} {headers}");
            assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
        }
        for headers in [
            "Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n",
            "Sec-Fetch-Site: none\r\n",
            "Origin: https://partner.example\r\nSec-Fetch-Site: cross-site\r\n",
        ] {
            assert_eq!(service.request("GET", path, headers, b"").status, 200, "{path} {headers}");
        }
    }
    let job = br#"{"puzzle":"8-puzzle","position":"R"}"#;
    for headers in foreign {
        let headers = format!("{headers}Content-Type: application/json\r\n");
        service.request("POST", "/api/v1/jobs", &headers, job).refuses(403, "pages of other origins");
    }
    let link = service.request("GET", "/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", b"");
    assert_eq!(link.status, 200, "other sites may link to the page");
    assert_eq!(link.header("cross-origin-resource-policy"), Some("same-origin"));
}

#[test]
fn a_token_protects_the_api_and_the_page() {
    let service =
        Service::start(&["--quiet", "--token", "s3cret", "--allow-origin", "https://partner.example"]);
    // The Base64 texts are `user:s3cret` and `user:wrong`.
    let (right, wrong) = ("Basic dXNlcjpzM2NyZXQ=", "Basic dXNlcjp3cm9uZw==");
    for path in PATHS.iter().filter(|path| **path != "/healthz") {
        for headers in ["", "Authorization: Bearer wrong\r\n", &format!("Authorization: {wrong}\r\n")] {
            let reply = service.request("GET", path, headers, b"");
            assert_eq!(reply.refuses(401, "token")["code"], "unauthorized", "{path} {headers}");
            let challenges: Vec<&str> = reply
                .headers
                .iter()
                .filter(|(name, _)| name.eq_ignore_ascii_case("www-authenticate"))
                .filter_map(|(_, value)| value.split(' ').next())
                .collect();
            assert_eq!(challenges, ["Bearer", "Basic"], "browsers prompt for the token");
        }
        for authorization in ["Bearer s3cret", right] {
            let headers = format!("Authorization: {authorization}\r\n");
            assert_eq!(service.request("GET", path, &headers, b"").status, 200, "{path} {authorization}");
        }
    }
    for path in ["/healthz", "/api/v1/openapi.json", "/api/v1/docs"] {
        assert_eq!(service.get(path).status, 200, "{path} needs no token");
    }
    let preflight = "Origin: https://partner.example\r\nAccess-Control-Request-Method: POST\r\n";
    let reply = service.request("OPTIONS", "/api/v1/jobs", preflight, b"");
    assert_eq!(reply.status, 204, "a preflight request carries no token");
    assert!(
        reply.header("access-control-allow-headers").is_some_and(|names| names.contains("authorization"))
    );
}
