//! untumble's engine for the browser.
//!
//! Requests and answers are texts of JSON, those of the service to the letter, so that a page need not know which of the
//! two it talks to. What is wrong with a request is thrown, as the text of a problem (RFC 9457).
//!
//! [`engine`] does the work and knows no browser; here its functions get their names in JavaScript.

pub mod engine;

use std::cell::RefCell;
use std::sync::OnceLock;

use js_sys::Function;
use untumble_session::Problem;
use wasm_bindgen::prelude::*;

use crate::engine::{Engine, json};

/// The one engine of a page; its tables live as long.
fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(Engine::default)
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// A bug says where it is, before it takes the engine down.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` passes on")]
fn thrown(problem: Problem) -> String {
    json(&problem)
}

/// The families of puzzles: what `GET /puzzles` answers.
#[wasm_bindgen]
pub fn puzzles() -> String {
    engine().puzzles()
}

/// A puzzle and what solves it: what `GET /puzzles/{puzzle}` answers. `setting` is `{goal?, metric?}`.
#[wasm_bindgen]
pub fn describe(puzzle: &str, setting: &str) -> Result<String, String> {
    engine().describe(puzzle, setting).map_err(thrown)
}

/// What there is to say about a position: `POST /puzzles/{puzzle}/check`.
#[wasm_bindgen]
pub fn check(puzzle: &str, request: &str) -> Result<String, String> {
    engine().check(puzzle, request).map_err(thrown)
}

/// Random positions: `POST /puzzles/{puzzle}/scramble`. `seed` is for requests that have none.
#[wasm_bindgen]
pub fn scramble(puzzle: &str, request: &str, seed: u32) -> Result<String, String> {
    engine().scramble(puzzle, request, u64::from(seed)).map_err(thrown)
}

/// Where moves lead: `POST /puzzles/{puzzle}/apply`.
#[wasm_bindgen]
pub fn apply(puzzle: &str, request: &str) -> Result<String, String> {
    engine().apply(puzzle, request).map_err(thrown)
}

thread_local! {
    /// Who hears of the search that runs: what belongs to JavaScript must not leave its thread, and listeners might.
    static PAGE: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Solves positions: `POST /jobs`. It returns when all are done with; until then `on_event` is called with the text of
/// each event of `GET /jobs/{id}/events`, as `{"event": …, "data": …}`, and ends the search by returning `true`.
#[wasm_bindgen]
pub fn solve(request: &str, on_event: &Function) -> Result<(), String> {
    let before = PAGE.replace(Some(on_event.clone()));
    let solved = engine().solve(request, Box::new(tell));
    PAGE.set(before);
    solved.map_err(thrown)
}

/// Tells the page; true where it has had max_length, or cannot be told any more.
fn tell(event: &str) -> bool {
    // Out of its cell before it is called: whatever it does, it may call back.
    let Some(page) = PAGE.with_borrow(Clone::clone) else { return true };
    page.call1(&JsValue::NULL, &event.into()).map_or(true, |answer| answer == JsValue::TRUE)
}
