//! untumble's engine for the browser.
//!
//! Requests and responses are the JSON texts of the HTTP service, so that a page uses this engine and the
//! service with the same code. Errors are thrown as the JSON text of a problem (RFC 9457).
//!
//! [`engine`] implements the functions independently of the browser; this file exports them to JavaScript.

pub mod engine;

use std::cell::RefCell;
use std::sync::OnceLock;

use js_sys::Function;
use untumble_session::ProblemDetails;
use wasm_bindgen::prelude::*;

use crate::engine::{Engine, to_json};

/// The engine of the page.
fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(Engine::default)
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// Logs panics, which end the engine, to the console.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
fn problem_json(problem: ProblemDetails) -> String {
    to_json(&problem)
}

/// The puzzle families: `GET /puzzles`.
#[wasm_bindgen]
pub fn puzzles() -> String {
    engine().puzzles()
}

/// A puzzle and its solvers: `GET /puzzles/{puzzle}`. `settings` is `{goal?, metric?}`.
#[wasm_bindgen]
pub fn describe(puzzle: &str, settings: &str) -> Result<String, String> {
    engine().describe(puzzle, settings).map_err(problem_json)
}

/// Checks a position: `POST /puzzles/{puzzle}/check`.
#[wasm_bindgen]
pub fn check(puzzle: &str, request: &str) -> Result<String, String> {
    engine().check(puzzle, request).map_err(problem_json)
}

/// Random positions: `POST /puzzles/{puzzle}/scramble`. `seed` is used if the request has none.
#[wasm_bindgen]
pub fn scramble(puzzle: &str, request: &str, seed: u32) -> Result<String, String> {
    engine().scramble(puzzle, request, u64::from(seed)).map_err(problem_json)
}

/// Applies moves to a position: `POST /puzzles/{puzzle}/apply`.
#[wasm_bindgen]
pub fn apply(puzzle: &str, request: &str) -> Result<String, String> {
    engine().apply(puzzle, request).map_err(problem_json)
}

thread_local! {
    /// The callback of the running search. An observer must be `Send`; JavaScript values are not, so the
    /// observer cannot own the callback.
    static CALLBACK: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Solves positions: `POST /jobs`. Returns when all searches have ended. Until then, `on_event` is called
/// with each event of `GET /jobs/{id}/events` as `{"event": …, "data": …}`; returning `true` cancels the
/// search.
#[wasm_bindgen]
pub fn solve(request: &str, on_event: &Function) -> Result<(), String> {
    let previous = CALLBACK.replace(Some(on_event.clone()));
    let result = engine().solve(request, Box::new(forward_event));
    CALLBACK.set(previous);
    result.map_err(problem_json)
}

/// Passes an event to the callback. Returns true if it cancels, throws or is missing.
fn forward_event(event: &str) -> bool {
    // Cloned out of the cell first, because the callback may call `solve` again.
    let Some(callback) = CALLBACK.with_borrow(Clone::clone) else { return true };
    callback.call1(&JsValue::NULL, &event.into()).map_or(true, |answer| answer == JsValue::TRUE)
}
