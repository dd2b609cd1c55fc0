//! The resident memory returns to its level after large searches, and the metrics report it.

use serde_json::json;

use super::Service;
use crate::common::{KORF_FELNER_1, wait_until};

const MB: u64 = 1 << 20;

#[test]
fn large_searches_leave_no_memory_behind() {
    let service = Service::start(&["--quiet"]);
    service.get("/api/v1/solve/8-puzzle/123456780").ok();
    let before = service.resident_memory();
    // The construction of this pattern database takes hundreds of megabytes in small pieces, and the time
    // limit ends it before it is complete. The other searches store states.
    for solver in ["ida+pdb:6-6-6-6", "parbfs", "hda+manhattan"] {
        let limits = json!({"time": 4, "nodes": 4_000_000});
        let job = json!({"puzzle": "24-puzzle", "position": KORF_FELNER_1, "goal": "blank-first",
            "solver": solver, "limits": limits});
        let ended = service.wait_for_end(&service.begin(&job));
        let peak = ended["answers"][0]["peak_bytes"].as_u64();
        assert!(peak.is_some_and(|peak| peak > 20 * MB), "{solver} is a large search: {ended}");
    }
    wait_until("the memory is returned", || service.resident_memory() < before + 60 * MB);
    let (reported, resident) = (service.metric("untumble_resident_bytes"), service.resident_memory());
    assert!(reported.abs_diff(resident) < 10 * MB, "{reported} reported, {resident} resident");
}
