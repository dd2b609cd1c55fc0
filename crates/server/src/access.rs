//! Access control: checks the host that a request names, the origin that sends it, and the token.
//!
//! A page of another site can make a browser send requests to a service on the same machine. Its host name
//! can also be rebound to 127.0.0.1, so that the browser takes page and service for one origin (DNS
//! rebinding). Therefore every request must name a known host, and requests to the API must not come from
//! another origin.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use sha2::{Digest, Sha256};

use untumble_session::ProblemKind;

use super::error_response::ErrorResponse;

/// The address at which a connection arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalAddress(pub(super) IpAddr);

/// Hosts, origins and token that the service accepts.
pub(super) struct AccessPolicy {
    /// Host names beside `localhost`, in lower case.
    hosts: Vec<String>,
    /// Origins beside the service's own.
    origins: Vec<HeaderValue>,
    /// The digest of the token, if one is required. Digests are compared, so that the time does not depend
    /// on the token.
    token_digest: Option<[u8; 32]>,
}

/// Documents that are the same for every installation: they need no token, and other sites may link to them.
const PUBLIC_DOCUMENTS: [&str; 3] = ["/api/v1/docs", "/api/v1/docs.css", "/api/v1/openapi.json"];

/// Whether a path belongs to the API, which includes the metrics and `/solve/`, the short form of
/// `/api/v1/solve/`, but not the description of the API. Such requests need the token and must not come from
/// another origin.
pub(super) fn is_api(path: &str) -> bool {
    let prefixes = ["/api/", "/solve/", "/metrics"];
    prefixes.iter().any(|prefix| path.starts_with(prefix)) && !PUBLIC_DOCUMENTS.contains(&path)
}

impl AccessPolicy {
    pub(super) fn new(hosts: &[String], origins: &[String], token: Option<&str>) -> AccessPolicy {
        AccessPolicy {
            hosts: hosts.iter().map(|host| normalized(host)).collect(),
            origins: origins.iter().filter_map(|origin| origin.parse().ok()).collect(),
            token_digest: token.map(digest),
        }
    }

    /// The origin of the request, if it is one of the allowed ones.
    pub(super) fn allowed_origin(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(header::ORIGIN)?;
        self.origins.iter().find(|known| *known == origin).cloned()
    }

    /// Refuses a request unless it names exactly one host and the service knows it. `local` is the address at
    /// which the request arrived.
    pub(super) fn check_host(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        local: Option<IpAddr>,
    ) -> Result<(), ErrorResponse> {
        let host = single_host(headers)?;
        // If the request line has an absolute URI, its authority overrides the header (RFC 9112), so both
        // are checked.
        for authority in [Some(&host), uri.authority()].into_iter().flatten() {
            if !self.is_known(authority, local) {
                let detail = format!(
                    "this service does not serve the host `{}`; open it by an address of its machine, or \
                     configure the name",
                    authority.host()
                );
                return Err(ErrorResponse::new(ProblemKind::Forbidden, detail));
            }
        }
        Ok(())
    }

    /// Whether the host is `localhost`, a loopback address, the `local` address, or a configured name.
    fn is_known(&self, authority: &Authority, local: Option<IpAddr>) -> bool {
        let host = normalized(authority.host());
        match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(address) => {
                let address = address.to_canonical();
                address.is_loopback() || local.is_some_and(|local| local.to_canonical() == address)
            }
            Err(_) => host == "localhost" || self.hosts.contains(&host),
        }
    }

    /// Refuses a request that a page of another origin sends.
    pub(super) fn check_origin(&self, headers: &HeaderMap) -> Result<(), ErrorResponse> {
        if self.allowed_origin(headers).is_some() {
            return Ok(());
        }
        let mut sites = headers.get_all("sec-fetch-site").iter();
        let own_origin = match headers.get(header::ORIGIN) {
            Some(origin) => is_own_origin(origin, headers),
            None => true,
        };
        // A page on another port of the same host is `same-site`; a typed address is `none`.
        if own_origin && sites.all(|site| site == "same-origin" || site == "none") {
            return Ok(());
        }
        let detail = "pages of other origins cannot use this service";
        Err(ErrorResponse::new(ProblemKind::Forbidden, detail))
    }

    /// Whether requests to this path need the token. The health check (`/healthz`), the description of the
    /// API and the static files of the page do not; the page itself does, so that the browser prompts for
    /// the token.
    pub(super) fn needs_token(&self, method: &Method, path: &str) -> bool {
        let page = matches!(path, "/" | "/index.html") && matches!(*method, Method::GET | Method::HEAD);
        self.token_digest.is_some() && (page || is_api(path))
    }

    /// Refuses a request unless it carries the token, either as a bearer token or as the password of basic
    /// authentication, for which browsers prompt.
    pub(super) fn check_token(&self, headers: &HeaderMap) -> Result<(), ErrorResponse> {
        let Some(expected) = self.token_digest else { return Ok(()) };
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if given.and_then(token_of).is_some_and(|token| equal(&digest(&token), &expected)) {
            return Ok(());
        }
        let detail = match given {
            Some(_) => "the token is wrong",
            None => "this service needs a token: Authorization: Bearer TOKEN",
        };
        Err(ErrorResponse::new(ProblemKind::Unauthorized, detail))
    }
}

/// The value of the only `Host` header.
fn single_host(headers: &HeaderMap) -> Result<Authority, ErrorResponse> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok().filter(|host| !host.contains('@')),
        _ => None,
    };
    host.and_then(|host| host.parse::<Authority>().ok())
        .filter(|host| !host.host().is_empty())
        .ok_or_else(|| ErrorResponse::new(ProblemKind::Usage, "the request must have one valid Host header"))
}

/// A host name in lower case without the final dot.
fn normalized(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}

/// Whether an origin has the host and the port of the `Host` header. The scheme is not compared, because a
/// proxy may add TLS.
fn is_own_origin(origin: &HeaderValue, headers: &HeaderMap) -> bool {
    let same_host_and_port = || {
        let (scheme, origin_authority) = origin.to_str().ok()?.split_once("://")?;
        let origin_authority: Authority = origin_authority.parse().ok()?;
        let host_authority: Authority = headers.get(header::HOST)?.to_str().ok()?.parse().ok()?;
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let host = |authority: &Authority| normalized(authority.host());
        let port = |authority: &Authority| authority.port_u16().unwrap_or(default_port);
        Some(
            host(&origin_authority) == host(&host_authority)
                && port(&origin_authority) == port(&host_authority),
        )
    };
    same_host_and_port().unwrap_or(false)
}

/// The token of an `Authorization` header.
fn token_of(value: &str) -> Option<String> {
    let (scheme, rest) = value.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.trim().to_owned());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(decode_base64(rest.trim())?).ok()?;
    decoded.split_once(':').map(|(_, password)| password.to_owned())
}

/// Decodes Base64 (RFC 4648), with or without padding.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = ALPHABET.iter().position(|letter| *letter == byte)?;
        (bits, count) = (bits << 6 | value as u32, count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Compares digests in constant time.
fn equal(left: &[u8; 32], right: &[u8; 32]) -> bool {
    let difference = left.iter().zip(right).fold(0, |difference, (a, b)| difference | (a ^ b));
    std::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header"))
        });
        let mut headers = HeaderMap::new();
        pairs.for_each(|(name, value)| {
            headers.append(name, value);
        });
        headers
    }

    fn policy() -> AccessPolicy {
        let hosts = ["Puzzles.example.org".to_owned()];
        AccessPolicy::new(&hosts, &["https://partner.example".to_owned()], Some("s3cret"))
    }

    #[test]
    fn only_known_hosts_are_served() {
        let policy = policy();
        let local = Some("192.168.1.5".parse().expect("an address"));
        let status = |hosts: &[&str], target: &str| {
            let pairs: Vec<_> = hosts.iter().map(|host| ("host", *host)).collect();
            let uri: Uri = target.parse().expect("a target");
            policy.check_host(&uri, &headers(&pairs), local).map_err(|error| error.status())
        };
        for host in [
            "localhost",
            "LOCALHOST:8081",
            "localhost.",
            "127.0.0.1:8081",
            "127.9.9.9",
            "[::1]:8081",
            "[::ffff:127.0.0.1]",
            "192.168.1.5:8081",
            "puzzles.example.org",
            "puzzles.EXAMPLE.org:443",
        ] {
            assert_eq!(status(&[host], "/"), Ok(()), "{host}");
        }
        for host in ["rebound.example", "localhost.example", "192.168.1.6", "10.0.0.1:80", "[::2]", "0x7f.1"]
        {
            assert_eq!(status(&[host], "/"), Err(403), "{host}");
        }
        for hosts in [&[][..], &["localhost", "localhost"], &["user@localhost"], &["local host"], &[""]] {
            assert_eq!(status(hosts, "/"), Err(400), "{hosts:?}");
        }
        assert_eq!(status(&["localhost"], "http://rebound.example/"), Err(403));
        assert_eq!(status(&["localhost"], "http://localhost/"), Ok(()));
    }

    #[test]
    fn only_the_own_page_and_allowed_origins_use_the_api() {
        let policy = policy();
        let status = |pairs: &[(&'static str, &str)]| {
            let with_host = [&[("host", "localhost:8081")], pairs].concat();
            policy.check_origin(&headers(&with_host)).map_err(|error| error.status())
        };
        for pairs in [
            &[][..],
            &[("origin", "http://localhost:8081")],
            &[("origin", "http://localhost:8081"), ("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
            &[("origin", "https://partner.example"), ("sec-fetch-site", "cross-site")],
        ] {
            assert_eq!(status(pairs), Ok(()), "{pairs:?}");
        }
        for pairs in [
            &[("origin", "https://foreign.example")][..],
            &[("origin", "http://localhost:3000")],
            &[("origin", "http://localhost")],
            &[("origin", "null")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site")],
            &[("origin", "http://localhost:8081"), ("sec-fetch-site", "cross-site")],
            &[("origin", "https://foreign.example"), ("sec-fetch-site", "same-origin")],
        ] {
            assert_eq!(status(pairs), Err(403), "{pairs:?}");
        }
        let tls = headers(&[("host", "puzzles.example.org"), ("origin", "https://puzzles.example.org")]);
        assert!(policy.check_origin(&tls).is_ok(), "behind a proxy with TLS");
    }

    #[test]
    fn the_token_is_a_bearer_token_or_a_password() {
        let policy = policy();
        let status = |value: &str| {
            let pairs = if value.is_empty() { Vec::new() } else { vec![("authorization", value)] };
            policy.check_token(&headers(&pairs)).map_err(|error| error.status())
        };
        // The Base64 text is `user:s3cret`.
        for value in ["Bearer s3cret", "bearer s3cret", "Basic dXNlcjpzM2NyZXQ=", "basic dXNlcjpzM2NyZXQ"] {
            assert_eq!(status(value), Ok(()), "{value}");
        }
        for value in ["", "Bearer", "Bearer wrong", "s3cret", "Basic !!!!", "Basic dXNlcg==", "Digest s3cret"]
        {
            assert_eq!(status(value), Err(401), "{value}");
        }
    }

    #[test]
    fn the_health_check_and_static_files_need_no_token() {
        let policy = policy();
        let needs = |path| policy.needs_token(&Method::GET, path);
        for path in
            ["/", "/index.html", "/api/v1/puzzles", "/api/v1/nothing", "/solve/8-puzzle/1", "/metrics"]
        {
            assert!(needs(path), "{path}");
        }
        for path in ["/healthz", "/assets/index.js", "/api/v1/docs", "/api/v1/openapi.json"] {
            assert!(!needs(path), "{path}");
        }
        let open = AccessPolicy::new(&[], &[], None);
        assert!(!open.needs_token(&Method::GET, "/metrics") && open.check_token(&HeaderMap::new()).is_ok());
    }

    #[test]
    fn base64_is_decoded() {
        // The test vectors of RFC 4648, section 10.
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")]
        {
            assert_eq!(decode_base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decode_base64("Zm 9v"), None);
    }
}
