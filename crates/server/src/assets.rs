//! The page: the files of `web/dist`, which are part of the program.

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

use super::Shared;
use super::refusal::Refused;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Files;

/// A file ready to be sent.
struct File {
    whole: Bytes,
    /// Where that is worth it.
    gzip: Option<Bytes>,
    tag: HeaderValue,
    kind: &'static str,
    /// Its name changes with what it holds.
    lasting: bool,
}

/// All files by path, compressed once when the service starts.
pub(super) struct Page {
    files: HashMap<String, File>,
}

impl Page {
    pub(super) fn new() -> Page {
        let ready = |name: std::borrow::Cow<'static, str>| {
            let file = Files::get(&name)?;
            Some((name.to_string(), File::new(&name, &file.data, &file.metadata.sha256_hash())))
        };
        Page { files: Files::iter().filter_map(ready).collect() }
    }
}

impl File {
    fn new(name: &str, data: &[u8], hash: &[u8]) -> File {
        let kind = kind(name);
        let packed = gzip(data).filter(|packed| packed.len() * 10 < data.len() * 9);
        let tag: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        File {
            whole: Bytes::copy_from_slice(data),
            gzip: packed.map(Bytes::from),
            tag: HeaderValue::from_str(&format!("\"{tag}\"")).unwrap_or(HeaderValue::from_static("\"\"")),
            kind,
            lasting: name.starts_with("assets/"),
        }
    }

    fn response(&self, headers: &HeaderMap) -> Response {
        let tells = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let known = tells(header::IF_NONE_MATCH).is_some_and(|tags| {
            let own = self.tag.to_str().unwrap_or_default();
            tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == own)
        });
        let unpacks = tells(header::ACCEPT_ENCODING).is_some_and(accepts_gzip);
        let (body, packed) = match &self.gzip {
            Some(gzip) if unpacks => (gzip.clone(), true),
            _ => (self.whole.clone(), false),
        };
        let mut response =
            if known { StatusCode::NOT_MODIFIED.into_response() } else { Body::from(body).into_response() };
        let keep = if self.lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.tag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !known {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
            if packed {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        response
    }
}

fn gzip(data: &[u8]) -> Option<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(data).ok()?;
    packer.finish().ok()
}

/// Whether a list of encodings holds gzip, not with a weight of zero.
fn accepts_gzip(list: &str) -> bool {
    list.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        let weight = parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse::<f64>().ok());
        named && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// The media type of a file.
fn kind(name: &str) -> &'static str {
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

/// Sends a file of the page, or says that there is none. A path is looked up as it stands: what is not
/// the name of a file is nothing, whatever tricks it plays.
pub(super) async fn file(State(service): State<Shared>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    match (service.page.files.get(name), request.method()) {
        (Some(file), &Method::GET | &Method::HEAD) => file.response(request.headers()),
        (Some(_), _) => {
            Refused::new(ProblemKind::Method, "the page is only there to be read").into_response()
        }
        (None, _) => Refused::new(ProblemKind::NotFound, "there is nothing at this address").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_understood() {
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
    fn the_page_is_part_of_the_program() {
        let page = Page::new();
        assert!(page.files.contains_key("index.html"), "{:?}", page.files.keys());
    }
}
