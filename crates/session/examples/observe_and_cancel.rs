//! Watches a long search through an observer and cancels it; the incumbent and the lower bound remain.
//!
//! ```sh
//! cargo run --example observe_and_cancel
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use untumble_search::control::{Event, Limits, Observer, Stop};
use untumble_search::frontend::{InputFormat, Workload};
use untumble_search::runtime::Runtime;
use untumble_session::{PuzzleSettings, SearchContext, Session};

/// Prints events, and cancels the search at the first proven bound of at least 85 moves.
#[derive(Default)]
struct Printer {
    cancelled: AtomicBool,
}

impl Observer for Printer {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Better(cost) => println!("incumbent: {cost} moves"),
            Event::Bound(bound) => {
                println!("lower bound: {bound} moves");
                if *bound >= 85 {
                    self.cancelled.store(true, Relaxed);
                }
            }
            Event::Table { name, phase, share, .. } => {
                println!("{} {name}: {:.0} %", phase.verb(), share * 100.0);
            }
            Event::Warning(warning) => println!("warning: {warning}"),
            Event::Progress(_) => {}
        }
    }

    /// Called by the search every few hundred microseconds.
    fn poll(&self) -> ControlFlow<Stop> {
        if self.cancelled.load(Relaxed) {
            ControlFlow::Break(Stop::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let session = Session::open(&Runtime::default(), "24-puzzle", &PuzzleSettings::default())
        .map_err(|problem| problem.detail)?;
    let text = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";
    let position = session.parse(text, &InputFormat::default()).map_err(|why| why.to_string())?;

    // The first stage constructs a solution; the proof of the second would take very long.
    let stages = ["layers", "ida+manhattan"].map(|solver| session.parse_solver(solver, false));
    let stages: Vec<_> = stages.into_iter().collect::<Result<Vec<_>, _>>()?;
    let stages = stages.into_iter().flatten().map(Into::into).collect();
    let plan = session.plan_with_stages(stages, None, &Workload::one(&position, Limits::default(), false));
    let context = SearchContext::observed_by(Arc::new(Printer::default()));
    let answer = session.solve(&position, &plan, &mut None, &context)?;

    let stop = answer.stop.map_or("nothing", Stop::name);
    println!("outcome: {} ({stop})", answer.outcome.name());
    println!("incumbent: {} moves, lower bound: {} moves", answer.length.unwrap_or(0), answer.lower_bound);
    Ok(())
}
