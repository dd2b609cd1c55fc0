//! The extension works like a built-in puzzle: in a session, in the service and in its descriptions.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;
use untumble_extension::enforced_hill_climbing;
use untumble_extension::gap::{self, Gap};
use untumble_extension::pancake::{Pancake, PancakeFamily};
use untumble_search::control::Limits;
use untumble_search::frontend::{InputFormat, Position, Workload};
use untumble_search::laws;
use untumble_search::runtime::Runtime;
use untumble_server::Config;
use untumble_session::{PuzzleSettings, Record, SearchContext, Session, describe, families};

const GIB: u64 = 1 << 30;
const MINUTE: Duration = Duration::from_secs(60);

fn runtime() -> Runtime {
    Runtime::default().with_family(Arc::new(PancakeFamily))
}

fn solve(session: &Session, position: &Position, solver: &str) -> Record {
    let spec = session.parse_solver(solver, false).expect(solver);
    let plan = session.plan(spec.as_ref(), &Workload::one(position, Limits::default(), false));
    session.solve(position, &plan, &mut None, &SearchContext::default()).expect(solver)
}

#[test]
fn pancakes_and_gap_satisfy_the_laws_of_puzzles_and_heuristics() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    for count in [2, 6, 15] {
        laws::puzzle(&Pancake::new(count), &mut rng);
        laws::heuristic(&Pancake::new(count), &Gap, &mut rng);
    }
    let six = Pancake::new(6);
    let truth = laws::exact_costs(&six);
    laws::admissible(&six, &Gap, &truth);
    // Gates & Papadimitriou 1979; OEIS A058986.
    assert_eq!((truth.len(), truth.values().max()), (720, Some(&7)));
}

#[test]
fn a_session_solves_with_the_new_algorithm_and_heuristic() {
    let session = Session::open(&runtime(), "pancake-7", &PuzzleSettings::default()).expect("the new family");
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..50 {
        let position = session.puzzle().scramble(&mut rng, None);
        let start = session.puzzle().text(&position);
        let position = session.parse(&start, &InputFormat::default()).expect(&start);
        let [truth, optimal, climbed] =
            ["bfs", "ida*+gap", "hill-climbing+gap"].map(|solver| solve(&session, &position, solver));
        assert_eq!(optimal.solver.as_deref(), Some("ida+gap"), "{start}");
        assert_eq!(climbed.solver.as_deref(), Some("ehc+gap"), "{start}");
        assert!(truth.optimal && optimal.optimal, "{start}");
        assert_eq!(truth.length, optimal.length, "{start}");
        assert!(truth.length <= climbed.length, "{start}: {truth:?}, {climbed:?}");
        assert!(!climbed.optimal || climbed.length == truth.length, "{start}: {climbed:?}");
        let moves = climbed.moves.expect("enforced hill climbing is complete here");
        let path = session.puzzle().parse_moves(&moves).expect(&moves);
        let end = session.puzzle().apply(&position, &path).expect("legal moves");
        assert!(session.puzzle().is_solved(&end), "{moves} does not solve {start}");
    }
}

#[test]
fn identities_listings_and_descriptions_name_the_family() {
    let runtime = runtime();
    let session = Session::open(&runtime, "pancake-9", &PuzzleSettings::default()).expect("the new family");
    assert_eq!(session.puzzle().id().to_string(), "pancake-9");
    assert!(families(&runtime).iter().any(|family| family.name == "pancake-N"));
    let description = describe(&**session.puzzle(), &runtime);
    assert_eq!((description.family, description.puzzle.as_str()), ("pancake-N", "pancake-9"));
    let default = Runtime::default();
    assert!(
        Session::open(&default, "pancake-9", &PuzzleSettings::default()).is_err(),
        "unknown to other runtimes"
    );
    assert!(Session::open(&runtime, "pancake-99", &PuzzleSettings::default()).is_err());
    assert!(Session::open(&runtime, "8-puzzle", &PuzzleSettings::default()).is_ok());
}

/// Starts the service with the new family; it ends with the process.
fn start_service() -> SocketAddr {
    let config = Config {
        listen: (Ipv4Addr::LOCALHOST, 0).into(),
        allowed_origins: Vec::new(),
        allowed_hosts: Vec::new(),
        token: None,
        behind_proxy: false,
        runtime: runtime(),
        workers: 1,
        search_threads: 1,
        memory: GIB,
        job_time: MINUTE,
        job_memory: GIB,
        jobs_running: 1,
        jobs_queued: 4,
        max_positions: 10,
        retention: MINUTE,
        solve_time: MINUTE,
        solve_queued: 4,
        max_body: 1 << 16,
        rate: 0,
        streams: 4,
        connections: 16,
        listener_grace: MINUTE,
        client_timeout: MINUTE,
        grace: MINUTE,
    };
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        untumble_server::run(config, move |address| send.send(address).expect("the test waits"))
    });
    receive.recv().expect("the service listens")
}

/// Sends a request and returns the JSON body of the reply.
fn request(address: SocketAddr, head: &str, body: &str) -> Value {
    let mut stream = TcpStream::connect(address).expect("the service listens");
    let length = body.len();
    let headers = "Host: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
    write!(stream, "{head} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}").expect("a request");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    let (status, rest) = reply.split_once("\r\n").expect("a status line");
    assert!(status.contains(" 20"), "{head}: {reply}");
    let (_, body) = rest.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{head}: {error}: {body}"))
}

#[test]
fn the_service_lists_describes_and_solves() {
    let address = start_service();
    let get = |path: &str| request(address, &format!("GET {path}"), "");
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list");
        list.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
    };

    assert!(names(&get("/api/v1/puzzles")).contains(&"pancake-N".to_owned()));

    let described = get("/api/v1/puzzles/pancake-7");
    assert_eq!(described["family"], "pancake-N");
    assert_eq!(described["moves"].as_array().map(Vec::len), Some(6));
    assert!(names(&described["algorithms"]).contains(&enforced_hill_climbing::NAME.to_owned()));
    assert_eq!(names(&described["heuristics"]), [gap::NAME]);

    let solve =
        |solver: &str| get(&format!("/api/v1/solve/pancake-7/3%207%201%205%202%206%204?with={solver}"));
    let (truth, climbed, optimal) = (solve("bfs"), solve("ehc%2Bgap"), solve("astar%2Bgap"));
    assert_eq!((&climbed["puzzle"], &climbed["solver"]), (&"pancake-7".into(), &"ehc+gap".into()));
    assert_eq!((&optimal["length"], &optimal["optimal"]), (&truth["length"], &true.into()));
    assert!(climbed["length"].as_u64() >= truth["length"].as_u64(), "{climbed} {truth}");
    assert_eq!(solve("auto")["length"], truth["length"]);

    let job = r#"{"puzzle":"pancake-7","positions":["3 7 1 5 2 6 4"],"solver":"ehc+gap"}"#;
    let created = request(address, "POST /api/v1/jobs", job);
    let run = created["run"].as_str().unwrap_or_default();
    assert_eq!(run, "pancake-7 ehc+gap", "{created}");
}
