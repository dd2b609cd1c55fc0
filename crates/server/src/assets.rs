//! The web page: the files of `web/dist`, compressed by the build script and embedded into the program.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};

use untumble_session::ProblemKind;

use super::SharedService;
use super::error_response::ErrorResponse;

/// Paths and gzip-compressed contents of the page's files.
static EMBEDDED_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// An embedded file with its response headers.
struct Asset {
    gzip: &'static [u8],
    /// The contents for clients that do not accept gzip, decompressed for the first of them.
    decompressed: OnceLock<Bytes>,
    etag: HeaderValue,
    media_type: &'static str,
    /// Whether the name contains a hash of the contents, so that clients may cache it forever.
    immutable: bool,
}

/// All embedded files by path.
pub(super) struct Assets {
    files: HashMap<&'static str, Asset>,
}

impl Assets {
    pub(super) fn new() -> Assets {
        Assets { files: EMBEDDED_FILES.iter().map(|&(name, gzip)| (name, Asset::new(name, gzip))).collect() }
    }
}

impl Asset {
    fn new(name: &str, gzip: &'static [u8]) -> Asset {
        let etag: String = Sha256::digest(gzip).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        Asset {
            gzip,
            decompressed: OnceLock::new(),
            etag: HeaderValue::from_str(&format!("\"{etag}\"")).unwrap_or(HeaderValue::from_static("\"\"")),
            media_type: media_type(name),
            immutable: name.starts_with("assets/"),
        }
    }

    fn decompressed(&self) -> Bytes {
        let decompress = || decompress(self.gzip).expect("the build script compressed this file");
        self.decompressed.get_or_init(|| decompress().into()).clone()
    }

    fn response(&self, headers: &HeaderMap) -> Response {
        let value = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let not_modified = value(header::IF_NONE_MATCH).is_some_and(|etags| {
            let own_etag = self.etag.to_str().unwrap_or_default();
            etags.split(',').any(|etag| etag.trim().trim_start_matches("W/") == own_etag)
        });
        let accepts_gzip = value(header::ACCEPT_ENCODING).is_some_and(accepts_gzip);
        let mut response = if not_modified {
            StatusCode::NOT_MODIFIED.into_response()
        } else if accepts_gzip {
            Body::from(Bytes::from_static(self.gzip)).into_response()
        } else {
            Body::from(self.decompressed()).into_response()
        };
        let cache_control = if self.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !not_modified {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
            if accepts_gzip {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        response
    }
}

fn decompress(gzip: &[u8]) -> io::Result<Vec<u8>> {
    let mut contents = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut contents)?;
    Ok(contents)
}

/// Whether an `Accept-Encoding` header contains `gzip` or `*` with a nonzero weight.
fn accepts_gzip(list: &str) -> bool {
    list.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        let weight = parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse::<f64>().ok());
        is_gzip && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// The media type of a file name.
fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/vnd.microsoft.icon",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Sends an embedded file. The path is looked up literally, so that `..` and encodings cannot escape.
pub(super) async fn serve_file(State(service): State<SharedService>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    match (service.assets.files.get(name), request.method()) {
        (Some(file), &Method::GET | &Method::HEAD) => file.response(request.headers()),
        (Some(_), _) => {
            ErrorResponse::new(ProblemKind::Method, "the page supports GET and HEAD only").into_response()
        }
        (None, _) => {
            ErrorResponse::new(ProblemKind::NotFound, "there is nothing at this address").into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_encoding_is_parsed() {
        for (list, expected) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("identity", false),
            ("", false),
        ] {
            assert_eq!(accepts_gzip(list), expected, "{list}");
        }
    }

    #[test]
    fn the_page_is_embedded() {
        let assets = Assets::new();
        for (name, file) in &assets.files {
            let path = format!("{}/../../web/dist/{name}", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(file.decompressed(), std::fs::read(&path).unwrap(), "{name}");
        }
        assert!(assets.files.contains_key("index.html"), "{:?}", assets.files.keys());
    }
}
