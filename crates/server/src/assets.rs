//! The web page: the files of `web/dist`, embedded into the program.

use std::collections::HashMap;
use std::io::Write;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use untumble_session::ProblemKind;

use super::SharedService;
use super::error_response::ErrorResponse;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct EmbeddedFiles;

/// An embedded file with its response headers.
struct Asset {
    bytes: Bytes,
    /// The compressed bytes, if compression saves more than 10 %.
    gzip: Option<Bytes>,
    etag: HeaderValue,
    media_type: &'static str,
    /// Whether the name contains a hash of the contents, so that clients may cache it forever.
    immutable: bool,
}

/// All embedded files by path; each is compressed once when the service starts.
pub(super) struct Assets {
    files: HashMap<String, Asset>,
}

impl Assets {
    pub(super) fn new() -> Assets {
        let asset = |name: std::borrow::Cow<'static, str>| {
            let file = EmbeddedFiles::get(&name)?;
            Some((name.to_string(), Asset::new(&name, &file.data, &file.metadata.sha256_hash())))
        };
        Assets { files: EmbeddedFiles::iter().filter_map(asset).collect() }
    }
}

impl Asset {
    fn new(name: &str, data: &[u8], hash: &[u8]) -> Asset {
        let compressed = gzip(data).filter(|compressed| compressed.len() * 10 < data.len() * 9);
        let etag: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        Asset {
            bytes: Bytes::copy_from_slice(data),
            gzip: compressed.map(Bytes::from),
            etag: HeaderValue::from_str(&format!("\"{etag}\"")).unwrap_or(HeaderValue::from_static("\"\"")),
            media_type: media_type(name),
            immutable: name.starts_with("assets/"),
        }
    }

    fn response(&self, headers: &HeaderMap) -> Response {
        let value = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let not_modified = value(header::IF_NONE_MATCH).is_some_and(|etags| {
            let own_etag = self.etag.to_str().unwrap_or_default();
            etags.split(',').any(|etag| etag.trim().trim_start_matches("W/") == own_etag)
        });
        let accepts_gzip = value(header::ACCEPT_ENCODING).is_some_and(accepts_gzip);
        let (body, compressed) = match &self.gzip {
            Some(gzip) if accepts_gzip => (gzip.clone(), true),
            _ => (self.bytes.clone(), false),
        };
        let mut response = if not_modified {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Body::from(body).into_response()
        };
        let cache_control = if self.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !not_modified {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
            if compressed {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        response
    }
}

fn gzip(data: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).ok()?;
    encoder.finish().ok()
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
        assert!(assets.files.contains_key("index.html"), "{:?}", assets.files.keys());
    }
}
